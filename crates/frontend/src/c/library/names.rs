//! The names of functions: under which of them the table has one that headers and compilers call otherwise.

use super::table;
use crate::c::hir::Expr;

/// How a call of another name becomes one of the plain name: which arguments go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alias {
    /// Arguments at the end that the plain function does not take.
    last: usize,
}

impl Alias {
    pub fn drop_from(self, args: &mut Vec<Expr>) {
        args.truncate(args.len().saturating_sub(self.last));
    }
}

/// Other names of the same function.
const SAME: &[(&str, &str)] = &[
    ("krealloc", "realloc"),
    ("xstrdup", "strdup"),
    ("kstrdup", "strdup"),
    ("__strdup", "strdup"),
    ("__strndup", "strndup"),
    ("__memcpy", "memcpy"),
    ("__memmove", "memmove"),
    ("__memset", "memset"),
    ("__strcpy", "strcpy"),
    ("__strlen", "strlen"),
    ("__strtok_r", "strtok_r"),
    ("__mempcpy", "mempcpy"),
    ("__stpcpy", "stpcpy"),
    ("__stpncpy", "stpncpy"),
    ("__asprintf", "asprintf"),
    ("__sysconf", "sysconf"),
    ("__getpagesize", "getpagesize"),
    ("__getpgid", "getpgid"),
    ("__tolower_l", "tolower_l"),
    ("__toupper_l", "toupper_l"),
    ("__bswap_64", "__builtin_bswap64"),
    ("__error_alias", "error"),
    ("__error_noreturn", "error"),
    ("__error_at_line_alias", "error_at_line"),
    ("__error_at_line_noreturn", "error_at_line"),
    ("__dgettext", "dgettext"),
    ("__dcgettext", "dcgettext"),
    ("__argz_count", "argz_count"),
    ("__argz_next", "argz_next"),
    ("__argz_stringify", "argz_stringify"),
    ("__builtin_putchar_unlocked", "putchar"),
    ("putchar_unlocked", "putchar"),
];

/// Types of floats by their width, as names of functions end, and the endings of the types that they are.
const WIDTHS: &[(&str, &str)] = &[("f32x", ""), ("f64x", "l"), ("f32", "f"), ("f64", "")];

/// `sinf32`, `strtof64_l` and their like: the function of `float`, `double` or `long double` that it is.
fn by_width(name: &str) -> Option<&'static str> {
    let (stem, last) = ["_l", "_r"]
        .iter()
        .find_map(|&end| Some((name.strip_suffix(end)?, end)))
        .unwrap_or((name, ""));
    let (stem, ending) = WIDTHS
        .iter()
        .find_map(|&(width, ending)| Some((stem.strip_suffix(width)?, ending)))?;
    // `strtof32` is `strtof`, `strtof64` is `strtod`.
    let stem = match (stem, ending) {
        ("strto" | "wcsto" | "strfrom", "") => format!("{stem}d{last}"),
        ("strto" | "wcsto", "l") => format!("{stem}ld{last}"),
        _ => format!("{stem}{ending}{last}"),
    };
    table::known(&stem)
}

/// Endings of names that say how a function is called, not what it does.
const PREFIXES: &[&str] = &["__isoc99_", "__isoc23_", "__xpg_"];

/// The name under which the table has a function, and the arguments that it does not take.
pub fn canonical(name: &str) -> (&str, Alias) {
    let plain = Alias::default();
    if name.starts_with("__builtin_craig_") {
        return (name, plain);
    }
    if let Some(inner) = name
        .strip_prefix("__builtin___")
        .or_else(|| name.strip_prefix("__"))
        .and_then(|n| n.strip_suffix("_chk"))
    {
        // `__memcpy_chk(d, s, n, size)`; the printing ones have arguments in the middle.
        if !inner.ends_with("printf") {
            return (inner, Alias { last: 1 });
        }
    }
    let name = PREFIXES
        .iter()
        .find_map(|p| name.strip_prefix(p))
        .unwrap_or(name);
    let same = SAME.iter().find(|(other, _)| *other == name);
    let same = same.map(|(_, plain)| *plain).or_else(|| by_width(name));
    (same.unwrap_or(name), plain)
}

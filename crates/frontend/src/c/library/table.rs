//! The names under which headers and compilers call a function of the library, and what becomes of
//! the arguments. What a function does is said by its model (`models/*.c`), or for the few that are
//! built in by `points_to.rs`.

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

/// Names under which headers and compilers call a function.
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
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    let name = name.strip_prefix("__isoc23_").unwrap_or(name);
    (name, plain)
}

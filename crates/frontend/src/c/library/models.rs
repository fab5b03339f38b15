//! The C library as C: the text of all models, one scope, read by our own front end.
//!
//! A model is a function under its own name. Sema makes a copy of it for each call that the
//! program makes (so that the points-to analysis keeps callers apart) and gives the copy the place
//! of the call. Names that begin with `craig_` are shared parts, `__builtin_craig_…` is what C
//! cannot say (`library/intrinsics.rs`). Functions of the wide strings are those of the narrow ones
//! with other words (`models/text.c`).

use super::table::{Meaning, Returns, Row};
use std::sync::OnceLock;

/// The files, in the order in which they are read.
const FILES: &[(&str, &str)] = &[
    ("base", include_str!("models/base.c")),
    ("string.h", include_str!("models/string.c")),
    ("text", include_str!("models/text.c")),
    ("ctype.h", include_str!("models/ctype.c")),
    ("stdlib.h", include_str!("models/stdlib.c")),
    ("stdlib.h", include_str!("models/environment.c")),
    ("stdio.h", include_str!("models/stdio.c")),
    ("stdio.h", include_str!("models/format.c")),
    ("unistd.h", include_str!("models/unistd.c")),
    ("sys/socket.h", include_str!("models/socket.c")),
    ("time.h", include_str!("models/time.c")),
    ("signal.h", include_str!("models/signal.c")),
    ("locale.h", include_str!("models/locale.c")),
    ("pthread.h", include_str!("models/pthread.c")),
    ("math.h", include_str!("models/math.c")),
    ("complex.h", include_str!("models/complex.c")),
    ("system", include_str!("models/system.c")),
    ("netdb.h", include_str!("models/netdb.c")),
    ("pwd.h", include_str!("models/records.c")),
    ("search.h", include_str!("models/search.c")),
    ("sys/ipc.h", include_str!("models/kernel.c")),
    ("unistd.h", include_str!("models/descriptors.c")),
    ("argz.h", include_str!("models/texts.c")),
    ("stdlib.h", include_str!("models/numbers.c")),
    ("gcc", include_str!("models/builtin.c")),
];

/// What differs between the types of floats.
const REALS: [&[(&str, &str)]; 3] = [
    &[
        ("lgamma_r_F", "lgamma_r"),
        ("_F(", "("),
        ("REAL", "double"),
        ("ANY", "__builtin_craig_any_double()"),
        ("POINT", "4503599627370496.0"),
        ("LOW", "1022"),
    ],
    &[
        ("lgamma_r_F", "lgammaf_r"),
        ("_F(", "f("),
        ("REAL", "float"),
        ("ANY", "__builtin_craig_any_float()"),
        ("POINT", "8388608.0f"),
        ("LOW", "126"),
    ],
    &[
        ("lgamma_r_F", "lgammal_r"),
        ("_F(", "l("),
        ("REAL", "long double"),
        ("ANY", "__builtin_craig_any_ldouble()"),
        ("POINT", "9223372036854775808.0L"),
        ("LOW", "16382"),
    ],
];

/// What differs between strings of bytes and of wide characters.
const NARROW: &[(&str, &str)] = &[
    ("UCHAR", "unsigned char"),
    ("ICHAR", "int"),
    ("CHAR", "char"),
    ("STRSTR", "strstr"),
    ("STP_", "stp"),
    ("STR", "str"),
    ("MEM", "mem"),
];
const WIDE: &[(&str, &str)] = &[
    ("UCHAR", "wchar_t"),
    ("ICHAR", "wchar_t"),
    ("CHAR", "wchar_t"),
    ("STRSTR", "wcsstr"),
    ("STP_", "wcp"),
    ("STR", "wcs"),
    ("MEM", "wmem"),
];

/// What differs between complex numbers of single, double and extended precision.
const COMPLEX: &[&[(&str, &str)]] = &[
    &[
        ("MODE", "s"),
        ("SUFFIX", "f"),
        ("REAL", "float"),
        ("WIDER", "double"),
        ("COPYSIGN", "__builtin_copysignf"),
        ("INFINITE", "__builtin_inff()"),
        ("ANYVALUE", "__builtin_craig_any_float()"),
        ("MOST", "0"),
        ("LEAST", "0"),
        ("EPSILON", "0"),
    ],
    &[
        ("MODE", "d"),
        ("SUFFIX", ""),
        ("REAL", "double"),
        ("WIDER", "double"),
        ("COPYSIGN", "__builtin_copysign"),
        ("INFINITE", "__builtin_inf()"),
        ("ANYVALUE", "__builtin_craig_any_double()"),
        ("MOST", "0x1.fffffffffffffp1023"),
        ("LEAST", "0x1p-1022"),
        ("EPSILON", "0x1p-52"),
    ],
    &[
        ("MODE", "x"),
        ("SUFFIX", "l"),
        ("REAL", "long double"),
        ("WIDER", "long double"),
        ("COPYSIGN", "__builtin_copysignl"),
        ("INFINITE", "__builtin_infl()"),
        ("ANYVALUE", "__builtin_craig_any_ldouble()"),
        ("MOST", "0x1.fffffffffffffffep16383L"),
        ("LEAST", "0x1p-16382L"),
        ("EPSILON", "0x1p-63L"),
    ],
];

/// The texts by header; that of strings once for bytes and once for wide characters.
fn parts() -> &'static [(&'static str, String)] {
    static PARTS: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
    PARTS.get_or_init(|| {
        let mut out = Vec::new();
        for (header, text) in FILES {
            if *header == "text" {
                out.push(("string.h", with(text, NARROW)));
                out.push(("wchar.h", with(text, WIDE)));
            } else if *header == "math.h" {
                out.extend(REALS.iter().map(|words| (*header, with(text, words))));
            } else if *header == "complex.h" {
                out.extend(COMPLEX.iter().map(|words| (*header, with(text, words))));
            } else {
                out.push((*header, (*text).to_string()));
            }
        }
        out
    })
}

/// All models as one text.
pub(in crate::c) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| parts().iter().map(|(_, text)| text.as_str()).collect())
}

/// The rows of the table that the models are: a definition begins its line and is not `static`.
pub(in crate::c) fn functions() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows = Vec::new();
        for (header, text) in parts() {
            rows.extend(text.lines().filter_map(|line| definition(header, line)));
        }
        rows
    })
}

fn definition(header: &'static str, line: &'static str) -> Option<Row> {
    let (head, rest) = line.split_once('(')?;
    let begins = head.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !rest.contains('{') || head.starts_with("static ") {
        return None;
    }
    let at = head.rfind([' ', '*'])? + 1;
    let (result, name) = head.split_at(at);
    Some(Row {
        name,
        header,
        returns: returned(result.trim()),
        meaning: Meaning::Model,
    })
}

/// The result of a definition as the table knows it.
fn returned(text: &str) -> Returns {
    match text.trim_start_matches("const ") {
        "void" => Returns::Void,
        "int" | "wchar_t" => Returns::Int,
        "unsigned short" => Returns::UShort,
        "unsigned" | "unsigned int" | "wint_t" => Returns::UInt,
        "long" | "ssize_t" => Returns::Long,
        "unsigned long" => Returns::ULong,
        "long long" => Returns::LongLong,
        "unsigned long long" => Returns::ULongLong,
        "size_t" => Returns::Size,
        "unsigned __int128" => Returns::UInt128,
        "_Bool" => Returns::Bool,
        "float" => Returns::Float,
        "double" => Returns::Double,
        "long double" => Returns::LongDouble,
        "char *" => Returns::Text,
        "wchar_t *" => Returns::WideText,
        "void *" => Returns::Pointer,
        _ => Returns::Declared,
    }
}

fn with(text: &str, words: &[(&str, &str)]) -> String {
    words
        .iter()
        .fold(text.to_string(), |t, (from, to)| t.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_model_has_one_definition() {
        let mut seen = std::collections::BTreeSet::new();
        for line in text().lines() {
            let Some((head, rest)) = line.split_once('(') else {
                continue;
            };
            let begins = head.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !begins || !rest.contains('{') {
                continue;
            }
            let name = head.rsplit([' ', '*']).next().unwrap_or("");
            assert!(seen.insert(name), "`{name}` is defined twice");
        }
        assert!(seen.len() > 2_000, "only {} parts", seen.len());
    }
}

//! The C library as C: the text of all models, one scope, read by our own front end.
//!
//! A model is a function under its own name. Sema makes a copy of it for each call that the
//! program makes (so that the points-to analysis keeps callers apart) and gives the copy the place
//! of the call. Names that begin with `craig_` are shared parts, `__builtin_craig_…` is what C
//! cannot say (`library/intrinsics.rs`). Functions of the wide strings are those of the narrow ones
//! with other words (`models/text.c`).

use std::sync::OnceLock;

/// The files, in the order in which they are read.
const FILES: &[(&str, &str)] = &[
    ("base", include_str!("models/base.c")),
    ("string.h", include_str!("models/string.c")),
    ("text", include_str!("models/text.c")),
    ("ctype.h", include_str!("models/ctype.c")),
    ("stdlib.h", include_str!("models/stdlib.c")),
    ("stdio.h", include_str!("models/stdio.c")),
    ("unistd.h", include_str!("models/unistd.c")),
    ("math.h", include_str!("models/math.c")),
    ("complex", include_str!("models/complex.c")),
    ("gcc", include_str!("models/builtin.c")),
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
        ("MOST", "0x1.fffffffffffffffep16383L"),
        ("LEAST", "0x1p-16382L"),
        ("EPSILON", "0x1p-63L"),
    ],
];

/// All models as one text.
pub(in crate::c) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut out = String::new();
        for (name, text) in FILES {
            if *name == "text" {
                out.push_str(&with(text, NARROW));
                out.push_str(&with(text, WIDE));
            } else if *name == "complex" {
                for words in COMPLEX {
                    out.push_str(&with(text, words));
                }
            } else {
                out.push_str(text);
            }
        }
        out
    })
}

fn with(text: &str, words: &[(&str, &str)]) -> String {
    words
        .iter()
        .fold(text.to_string(), |t, (from, to)| t.replace(from, to))
}

//! Names in SMT-LIB text. Any name of the pool can be printed and read back: what SMT-LIB cannot
//! say, even quoted (`|`, `\`, and names that mean something else, like a C variable `store`), is
//! written with the prefix `esc:` and `%hh` for the awkward characters.

use super::builtin::builtin;
use super::sexpr::is_symbol_byte;
use std::borrow::Cow;

const PREFIX: &str = "esc:";

const RESERVED: [&str; 13] = [
    "_", "!", "as", "let", "exists", "forall", "match", "par", "const", "Bool", "Int", "Real",
    "Array",
];

fn awkward(c: char) -> bool {
    matches!(c, '|' | '\\' | '%') || c.is_control()
}

/// The name as a symbol of SMT-LIB, quoted where needed.
pub fn print_symbol(name: &str) -> Cow<'_, str> {
    // SMT-LIB keeps `@…` and `.…` for solvers, and cvc5 refuses them even quoted.
    let taken = builtin(name).is_some()
        || RESERVED.contains(&name)
        || name.starts_with(PREFIX)
        || name.starts_with(['@', '.']);
    if taken || name.contains(['|', '\\']) || name.chars().any(char::is_control) {
        let mut out = format!("|{PREFIX}");
        for c in name.chars() {
            if awkward(c) {
                out.push_str(&format!("%{:02x}", c as u32));
            } else {
                out.push(c);
            }
        }
        out.push('|');
        return Cow::Owned(out);
    }
    let simple = !name.is_empty()
        && name.bytes().all(is_symbol_byte)
        && !name.as_bytes()[0].is_ascii_digit();
    if simple {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("|{name}|"))
    }
}

/// The name a symbol of the text stands for.
pub fn decode_symbol(text: &str) -> Cow<'_, str> {
    let Some(rest) = text.strip_prefix(PREFIX) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::new();
    let mut rest = rest;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3);
        match code.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(b) => {
                out.push(b as char);
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive() {
        for name in [
            "x", "x!1", "main::x", "store", "a|b\\c%7", "esc:x", "", "9", "let", "ü", "a\nb", "@x",
            ".x",
        ] {
            let text = print_symbol(name);
            let bare = text.trim_matches('|');
            assert_eq!(decode_symbol(bare), name, "{text}");
        }
    }
}

//! Answers as text: when one is complete, and what it says.

use logic::smtlib::{Reader, Tree};

/// Is this a whole answer: an atom, or a list with all its parentheses?
pub fn is_complete(text: &str) -> bool {
    let (mut depth, mut quote, mut seen) = (0i64, None, false);
    let mut comment = false;
    for c in text.chars() {
        if comment {
            comment = c != '\n';
            continue;
        }
        match (quote, c) {
            (Some(q), _) => {
                if c == q {
                    quote = None;
                }
            }
            (None, '"' | '|') => {
                quote = Some(c);
                seen = true;
            }
            (None, ';') => comment = true,
            (None, '(') => {
                depth += 1;
                seen = true;
            }
            (None, ')') => depth -= 1,
            (None, c) => seen |= !c.is_whitespace(),
        }
    }
    seen && depth <= 0 && quote.is_none()
}

/// The elements of a list as texts, quoted symbols with their quotes; `None` if it is no list.
pub fn elements(text: &str) -> Option<Vec<String>> {
    let mut tree = Tree::default();
    Reader::new(text).read(&mut tree)?.ok()?;
    let root = tree.root(text);
    root.is_list()
        .then(|| root.children().map(|c| whole(&c)).collect())
}

/// The text of an expression with the bars of a quoted symbol.
fn whole(e: &logic::smtlib::SExpr<'_>) -> String {
    match e.kind() {
        logic::smtlib::Kind::Quoted => format!("|{}|", e.text()),
        _ => e.text().to_string(),
    }
}

/// The second elements of a list of pairs, as in the answer to `get-value`.
pub fn values(text: &str) -> Option<Vec<String>> {
    let mut tree = Tree::default();
    Reader::new(text).read(&mut tree)?.ok()?;
    let root = tree.root(text);
    if !root.is_list() {
        return None;
    }
    root.children()
        .map(|pair| pair.children().nth(1).map(|v| whole(&v)))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn completeness() {
        for whole in ["sat", "(a (b))", "(|)(| x)", "(error \"(\")", "()"] {
            assert!(is_complete(whole), "{whole}");
        }
        for part in ["", "  ", "(a", "(|", "(error \"", "; sat"] {
            assert!(!is_complete(part), "{part}");
        }
    }

    #[test]
    fn lists() {
        assert_eq!(
            elements("(a (b c) |d e|)").unwrap(),
            ["a", "(b c)", "|d e|"]
        );
        assert_eq!(
            values("((x (- 1))\n ((f x) true))").unwrap(),
            ["(- 1)", "true"]
        );
        assert!(values("(x)").is_none());
        assert!(values("unsupported").is_none());
    }
}

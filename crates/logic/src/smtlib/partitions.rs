//! The arguments of `get-interpolants`, as SMTInterpol and OpenSMT spell them.
//!
//! ```text
//! (get-interpolants A B C)        a sequence: A below B below C
//! (get-interpolants A (B C) D)    a tree: D above A and C, C above B
//! (get-interpolants (and A B) C)  the formulas A and B are one part
//! ```
//! An element is the parent of the element before it in its list and of the lists between them.

use super::name::decode_symbol;
use super::sexpr::{SExpr, SyntaxError};

/// Parts of an interpolation problem, children before parents, the root last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitions {
    /// The names of the assertions of each part.
    pub parts: Vec<Vec<String>>,
    /// The parent of each part; the root's is the number of parts.
    pub parent: Vec<usize>,
}

impl Partitions {
    /// Is every part the child of the next?
    pub fn is_sequence(&self) -> bool {
        self.parent.iter().enumerate().all(|(i, &p)| p == i + 1)
    }

    /// Reads the command `get-interpolants`.
    pub fn read(command: SExpr) -> Result<Self, SyntaxError> {
        let mut out = Partitions {
            parts: Vec::new(),
            parent: Vec::new(),
        };
        // Lists that are open: where they end and the parts in them that have no parent yet.
        let mut open: Vec<(u32, Vec<usize>)> = vec![(command.end(), Vec::new())];
        let mut next = command.head().map_or(command.end(), |h| h.end());
        loop {
            let (end, orphans) = open.last_mut().expect("the command itself is open");
            if next >= *end {
                let &mut [root] = &mut orphans[..] else {
                    return Err(command.error("each list ends with one formula"));
                };
                open.pop();
                match open.last_mut() {
                    Some((_, outer)) => outer.push(root),
                    None => break,
                }
                continue;
            }
            let expr = command.at(next);
            let names = match expr.head() {
                Some(head) if !head.is_symbol("and") => {
                    open.push((expr.end(), Vec::new()));
                    next = head.index();
                    continue;
                }
                Some(_) => expr.children().skip(1).map(name).collect(),
                None => name(expr).map(|n| vec![n]),
            };
            let part = out.parts.len();
            for child in orphans.drain(..) {
                out.parent[child] = part;
            }
            orphans.push(part);
            out.parts.push(names?);
            out.parent.push(usize::MAX);
            next = expr.end();
        }
        let count = out.parts.len();
        if count < 2 {
            return Err(command.error("interpolants need two parts at least"));
        }
        out.parent[count - 1] = count;
        Ok(out)
    }
}

fn name(expr: SExpr) -> Result<String, SyntaxError> {
    let text = expr
        .symbol()
        .ok_or_else(|| expr.error("the name of an assertion is needed"))?;
    Ok(decode_symbol(text).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::sexpr::{Reader, Tree};
    use super::*;

    fn parents(text: &str) -> Option<Vec<usize>> {
        let mut tree = Tree::default();
        Reader::new(text).read(&mut tree).unwrap().unwrap();
        Partitions::read(tree.root(text)).ok().map(|p| p.parent)
    }

    #[test]
    fn shapes() {
        let of = |args: &str| parents(&format!("(get-interpolants {args})"));
        assert_eq!(of("A B C"), Some(vec![1, 2, 3]));
        assert_eq!(of("A (B C) D"), Some(vec![3, 2, 3, 4]));
        assert_eq!(of("(A) (B) C"), Some(vec![2, 2, 3]));
        assert_eq!(of("(and A B) C"), Some(vec![1, 2]));
        assert_eq!(of("A (B)"), None);
        assert_eq!(of("A"), None);
        assert_eq!(of("A ()"), None);
        assert_eq!(
            of(&("(".repeat(9) + "A" + &")".repeat(9) + " B")),
            Some(vec![1, 2])
        );
    }
}

//! Problems as self-contained SMT-LIB scripts, for `--smt-out` and for interpolators.

use crate::Answer;
use crate::interpolate::Outcome;
use logic::smtlib::{declarations, prelude, print_term};
use logic::{Pool, TermId};
use std::fmt::Write;

/// The word for `:status`.
pub fn status_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Interpolants(_) => "unsat",
        Outcome::Sat(_) => "sat",
        Outcome::Unknown(_) => "unknown",
    }
}

fn head(pool: &Pool, terms: &[TermId], kind: &str, status: &str) -> String {
    let mut out = format!("(set-info :source |craig {kind}|)\n(set-info :status {status})\n");
    if kind == "interpolation" {
        out.push_str("(set-option :produce-interpolants true)\n");
    }
    out.push_str("(set-logic ALL)\n");
    out.push_str(&declarations(pool, terms));
    out.push_str(&prelude(pool, terms));
    out
}

/// A check: assertions, then the assumptions as assertions.
pub fn query(pool: &Pool, asserted: &[TermId], assumptions: &[TermId], answer: Answer) -> String {
    let status = match answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let all: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
    let mut out = head(pool, &all, "query", status);
    for &t in &all {
        let _ = writeln!(out, "(assert {})", print_term(pool, t));
    }
    out.push_str("(check-sat)\n");
    out
}

/// An interpolation problem with named parts and the request as SMTInterpol and OpenSMT read it.
pub fn interpolation(pool: &Pool, parts: &[TermId], parent: &[usize], status: &str) -> String {
    let mut out = head(pool, parts, "interpolation", status);
    for (i, &t) in parts.iter().enumerate() {
        let _ = writeln!(out, "(assert (! {} :named part!{i}))", print_term(pool, t));
    }
    let _ = writeln!(out, "(check-sat)\n(get-interpolants {})", tree(parent).0);
    out
}

/// The arguments of `get-interpolants` for a tree, and the nodes in the order of the answer.
pub fn tree(parent: &[usize]) -> (String, Vec<usize>) {
    let n = parent.len();
    // What has been written for the subtrees whose parent has not come yet.
    let mut open: Vec<Option<(String, Vec<usize>)>> = vec![None; n];
    for node in 0..n {
        let mut own: Option<(String, Vec<usize>)> = open[node].take();
        let (text, order) = own.get_or_insert_with(Default::default);
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}part!{node}");
        order.push(node);
        let own = own.unwrap_or_default();
        let up = parent[node];
        if node + 1 == n {
            return own;
        }
        match &mut open[up] {
            Some((text, order)) => {
                let _ = write!(text, " ({})", own.0);
                order.extend(own.1);
            }
            empty => *empty = Some(own),
        }
    }
    Default::default()
}

#[cfg(test)]
mod tests {
    use super::tree;

    #[test]
    fn trees() {
        assert_eq!(tree(&[1, 2, 2]).0, "part!0 part!1 part!2");
        assert_eq!(tree(&[2, 2, 2]).0, "part!0 (part!1) part!2");
        let (text, order) = tree(&[3, 2, 3, 3]);
        assert_eq!(text, "part!0 (part!1 part!2) part!3");
        assert_eq!(order, [0, 1, 2, 3]);
    }
}

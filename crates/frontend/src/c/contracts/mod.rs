//! Contracts: ACSL comments and CBMC's clauses become C that checks them.
//!
//! ```text
//! /*@ requires n > 0;           int __craig_body_f(int n) { … }
//!     ensures \result > n; */ →  int f(int n) { assert(n > 0); result = body(n); assert(result > n); … }
//! int f(int n) { … }            int __craig_checked_f(int n) { assume(n > 0); … the same … }
//! ```
//! The definition gets another name, and two doors stand before it: callers come through the one that
//! checks what is required, a check of the function itself (`--function f`) through the one that assumes it.
//! A function that is only declared has the contract for its body. Loop invariants are asserted where
//! the loop's condition is evaluated, `assert` where it stands. Formulas compute with mathematical integers
//! (`__craig_spec`).
//!
//! All of this happens in the text, line by line the same as before, so that places stay the user's.
//!
//! Sound because what is woven in only adds assertions, and assumptions at the door that only the check
//! of the function itself uses; what cannot be translated is an error, never dropped.

mod acsl;
mod doors;
mod scan;

pub use acsl::Clause;
use doors::Contract;
use scan::Scanner;

/// Names of the inner function and of the door that assumes.
pub(in crate::c) const BODY: &str = "__craig_body_";
pub(in crate::c) const CHECKED: &str = "__craig_checked_";
/// Around formulas: integers are mathematical.
pub(in crate::c) const SPEC: &str = "__craig_spec";

/// CBMC's clauses, which stand in the program itself.
const CLAUSES: &[&str] = &[
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_decreases",
];

/// The text with its contracts as C; `None` if it has none. Comments count if `acsl` says so.
///
/// # Errors
/// A contract that is none, or says what cannot be checked; with its line.
pub fn weave(text: &str, acsl: bool) -> Result<Option<String>, String> {
    let cbmc = CLAUSES.iter().any(|c| text.contains(c));
    let comments = acsl && (text.contains("/*@") || text.contains("//@"));
    if !cbmc && !comments {
        return Ok(None);
    }
    Scanner::new(text, comments).run().map(Some)
}

/// A line of a contract at its place.
fn at_line(text: &str, position: usize, message: &str) -> String {
    let line = text[..position.min(text.len())].matches('\n').count() + 1;
    format!("line {line}: {message}")
}

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
mod frame;
mod scan;

pub use acsl::Clause;
use doors::Contract;
use scan::Scanner;

/// Names of the inner function and of the door that assumes.
pub(in crate::c) use program::BODY;
pub(in crate::c) const CHECKED: &str = "__craig_checked_";
/// Names of what tells a caller whether the contract applies, whether a byte may change, whether it is still there, and
/// of what says that another one did.
pub(in crate::c) const APPLIES: &str = "__craig_applies_";
pub(in crate::c) const ASSIGNED: &str = "__craig_assigned_";
pub(in crate::c) const THERE: &str = "__craig_there_";
pub(in crate::c) const KEPT: &str = "__craig_kept_";
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
/// A contract that is none, or says what cannot be checked; with its place.
pub fn weave(text: &str, acsl: bool) -> Result<Option<String>, Wrong> {
    let cbmc = CLAUSES.iter().any(|c| text.contains(c));
    let comments = acsl && (text.contains("/*@") || text.contains("//@"));
    if !cbmc && !comments {
        return Ok(None);
    }
    Scanner::new(text, comments).run().map(Some)
}

/// What is wrong with a contract, and where in the text that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub at: usize,
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::weave;

    fn woven(text: &str) -> String {
        let out = weave(text, true).expect("the contract can be read");
        out.expect("there is a contract")
    }

    #[test]
    fn lines_stay() {
        let text = "int x;\n/*@ requires a > 0;\n    ensures \\result > 0; */\nint f(int a)\n{\n  return a;\n}\nint y;\n";
        let out = woven(text);
        assert_eq!(out.matches('\n').count(), text.matches('\n').count());
        let line = |t: &str, w: &str| t.lines().position(|l| l.contains(w));
        assert_eq!(line(&out, "int y;"), line(text, "int y;"));
        assert_eq!(line(&out, "return a"), line(text, "return a"));
    }

    #[test]
    fn clauses_of_cbmc_leave_the_header() {
        let out = woven("int f(int x)\n  __CPROVER_requires(x < 9)\n{\n  return x;\n}\n");
        assert!(out.contains("__craig_body_f(int x)"), "{out}");
        assert!(
            out.contains("__CPROVER_assume(__craig_spec((x < 9)))"),
            "{out}"
        );
        assert!(!out.contains("__CPROVER_requires"), "{out}");
    }

    #[test]
    fn who_says_nothing_of_changes_may_change_what_is_behind_pointers() {
        let out = woven("/*@ requires n > 0; */ void f(int *p, int n);\n");
        assert!(out.contains("__craig_touch_f(p);"), "{out}");
        let out = woven("/*@ requires n > 0; */ void f(const int *p, int n);\n");
        assert!(!out.contains("__craig_touch_"), "{out}");
        let out = woven("/*@ requires n > 0; assigns *p; */ void f(int *p, int n);\n");
        assert!(!out.contains("__craig_touch_"), "{out}");
        let out = woven("void f(int *p, int n) __CPROVER_requires(n > 0);\n");
        assert!(!out.contains("__craig_touch_"), "{out}");
    }

    #[test]
    fn what_is_no_contract_stays() {
        assert_eq!(
            weave("//@ verdict: safe\nint x;\n", true),
            Ok(Some(" \nint x;\n".into()))
        );
        assert_eq!(weave("/* requires nothing */ int x;\n", true), Ok(None));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let text = "int x;\n/*@ ensures \\fresh(x); */\nint f(void) { return 0; }\n";
        let wrong = |text: &str, place: &str, message: &str| {
            let at = text.find(place).expect("the place is in the text");
            let message = message.to_string();
            assert_eq!(weave(text, true), Err(super::Wrong { at, message }));
        };
        wrong(text, "ensures", "`\\fresh` is not supported");
        let text = "/*@ requires a > 0\n  @ ensures a; */ int f(int a) { return a; }";
        wrong(text, "ensures", "`;` is missing before `ensures`");
        let text = "/*@ requires a > 0 */ int f(int a) { return a; }";
        wrong(text, "requires", "`;` is missing behind `requires`");
        let text = "/*@ requires a > 0; sometimes b; */ int f(int a) { return a; }";
        wrong(text, "sometimes", "`sometimes` begins no clause");
        let text = "/*@ requires positive(a); */ int f(int a) { return a; }";
        wrong(
            text,
            "positive",
            "`positive` is no function of ACSL: definitions of predicates are not supported",
        );
        let text = "/*@ predicate p(int x) = x > 0; */ int f(int a) { return a; }";
        wrong(text, "predicate", "`predicate` is not supported");
        let text = "/*@ requires a > 0; */ int a;";
        wrong(text, "/*@", "no function follows this contract");
        let text = "int a;\n/*@ requires a > 0; */\n";
        wrong(text, "/*@", "no function follows this contract");
        let text = "int f(int a) { /*@ assert \\old(a) == a; */ return a; }";
        wrong(
            text,
            "assert",
            "`\\old` is for postconditions; here it is `\\at(…, Pre)`",
        );
    }
}

//! Functions that return nothing and change nothing, as rules: what they may be called with and return from.
//!
//! Such are the predicates of Horn clauses. A way through the body of `P` that guesses `y`, assumes `x = y + 1` and calls
//! `Q(y)` reads as
//! ```text
//!   P(x)  if  Q(y) and x = y + 1
//! ```
//! and a way to an error as a rule without a head.

use base::{FxHashSet, IndexVec};
use logic::{Compiled, Pool, Sort, TermId};
use program::analysis::boxes::Steps;
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};

/// Ways through all functions, and statements on one.
const MOST_RULES: usize = 4_000;
const MOST_STATEMENTS: usize = 2_000;

/// A way through a function.
pub(super) struct Rule {
    /// The function that returns at its end; none if it ends in an error.
    pub head: Option<FuncId>,
    pub conditions: Vec<Compiled>,
    pub calls: Vec<Call>,
}

/// A call that has to return.
pub(super) struct Call {
    pub callee: FuncId,
    pub args: Vec<Compiled>,
}

/// What a way has so far.
#[derive(Clone, Default)]
struct Way {
    conditions: Vec<TermId>,
    calls: Vec<(FuncId, Vec<TermId>)>,
    /// Variables that were read: what one is guessed to be later is another value.
    read: FxHashSet<VarId>,
    passed: Vec<LocId>,
}

/// The rules of a program; nothing if some function is of another kind, or there are too many.
pub(super) fn rules(pool: &Pool, program: &Program, steps: &Steps<'_>) -> Option<Vec<Rule>> {
    if !program.globals.is_empty() || program.functions.len() < 2 || !simple_sorts(pool, program) {
        return None;
    }
    let successors = program.successors();
    let mut out = Vec::new();
    for (func, _) in program.functions.iter_enumerated() {
        ways(pool, program, &successors, func, steps, &mut out)?;
    }
    Some(out)
}

/// Bounds of values are of numbers that are whole, and of truth values.
fn simple_sorts(pool: &Pool, program: &Program) -> bool {
    let simple = |s| s == pool.int_sort() || s == pool.bool_sort();
    let array = |s| matches!(pool.sort_kind(s), Sort::Array(..));
    program.vars.iter().all(|v| simple(v.sort) || array(v.sort))
}

fn ways(
    pool: &Pool,
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    func: FuncId,
    steps: &Steps<'_>,
    out: &mut Vec<Rule>,
) -> Option<()> {
    let function = &program.functions[func];
    if !function.returns.is_empty() {
        return None;
    }
    let mut open = vec![(function.entry, Way::default())];
    while let Some((loc, mut way)) = open.pop() {
        if way.passed.contains(&loc) || way.passed.len() > MOST_STATEMENTS {
            return None;
        }
        let error = program.locations[loc].error.is_some();
        if error || loc == function.exit {
            // Nobody waits for the end of the program.
            let head = (!error).then_some(func);
            if head != Some(program.entry) {
                out.push(rule(pool, steps, head, &way));
            }
            if out.len() > MOST_RULES {
                return None;
            }
            continue;
        }
        way.passed.push(loc);
        for &edge in &successors[loc] {
            let mut next = way.clone();
            let edge = &program.edges[edge];
            next.take(pool, program, func, steps, &edge.stmt)?;
            open.push((edge.to, next));
        }
    }
    Some(())
}

impl Way {
    /// Adds a statement; nothing if it is not of those that rules are made of.
    fn take(
        &mut self,
        pool: &Pool,
        program: &Program,
        func: FuncId,
        steps: &Steps<'_>,
        stmt: &Stmt,
    ) -> Option<()> {
        match stmt {
            Stmt::Skip => {}
            Stmt::Assign(pairs) if pairs.is_empty() => {}
            Stmt::Assign(_) => return None,
            Stmt::Assume(condition) => {
                self.reads(pool, steps, *condition);
                self.conditions.push(*condition);
            }
            Stmt::Havoc(vars, _) => {
                let params = &program.functions[func].params;
                if vars
                    .iter()
                    .any(|v| params.contains(v) || self.read.contains(v))
                {
                    return None;
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                if !results.is_empty() || *callee == program.entry {
                    return None;
                }
                args.iter().for_each(|arg| self.reads(pool, steps, *arg));
                self.calls.push((*callee, args.clone()));
            }
        }
        Some(())
    }

    fn reads(&mut self, pool: &Pool, steps: &Steps<'_>, term: TermId) {
        let inside = pool.post_order(&[term]);
        self.read
            .extend(inside.into_iter().filter_map(|t| steps.var(t)));
    }
}

fn rule(pool: &Pool, steps: &Steps<'_>, head: Option<FuncId>, way: &Way) -> Rule {
    let compile = |&t: &TermId| steps.compile(pool, t);
    let call = |(callee, args): &(FuncId, Vec<TermId>)| Call {
        callee: *callee,
        args: args.iter().map(compile).collect(),
    };
    Rule {
        head,
        conditions: way.conditions.iter().map(compile).collect(),
        calls: way.calls.iter().map(call).collect(),
    }
}

/// The rules that call each function, with the number of the call.
pub(super) fn uses(program: &Program, rules: &[Rule]) -> IndexVec<FuncId, Vec<(usize, usize)>> {
    let mut out = IndexVec::filled(Vec::new(), program.functions.len());
    for (number, rule) in rules.iter().enumerate() {
        for (call, used) in rule.calls.iter().enumerate() {
            out[used.callee].push((number, call));
        }
    }
    out
}

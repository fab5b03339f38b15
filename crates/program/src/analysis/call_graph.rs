//! Which functions call which: callers, what a function reaches, recursion.

use crate::{FuncId, Program, Stmt};
use base::{FxHashSet, IndexVec};

/// The calls of a program. A function that calls another twice has it twice.
#[derive(Clone, Debug)]
pub struct CallGraph {
    pub callees: IndexVec<FuncId, Vec<FuncId>>,
    pub callers: IndexVec<FuncId, Vec<FuncId>>,
}

impl CallGraph {
    /// The calls of all edges, in their order.
    pub fn of(program: &Program) -> CallGraph {
        let none = IndexVec::filled(Vec::new(), program.functions.len());
        let mut out = CallGraph {
            callees: none.clone(),
            callers: none,
        };
        for edge in program.edges.iter() {
            if let Stmt::Call { callee, .. } = edge.stmt {
                let caller = program.locations[edge.from].func;
                out.callees[caller].push(callee);
                out.callers[callee].push(caller);
            }
        }
        out
    }

    /// For each function those that it may call, through others.
    pub fn reach(&self) -> IndexVec<FuncId, FxHashSet<FuncId>> {
        let from = |f: FuncId| closure(&self.callees, self.callees[f].clone());
        self.callees.ids().map(from).collect()
    }

    /// The given functions and those that may call them, through others.
    pub fn with_callers(&self, functions: impl IntoIterator<Item = FuncId>) -> FxHashSet<FuncId> {
        closure(&self.callers, functions.into_iter().collect())
    }

    /// Whether a function that may run, if `entry` does, calls itself, through others or not.
    pub fn is_recursive(&self, entry: FuncId) -> bool {
        let mut run = closure(&self.callees, vec![entry]).into_iter();
        run.any(|f| closure(&self.callees, self.callees[f].clone()).contains(&f))
    }
}

fn closure(next: &IndexVec<FuncId, Vec<FuncId>>, mut work: Vec<FuncId>) -> FxHashSet<FuncId> {
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    while let Some(f) = work.pop() {
        if seen.insert(f) {
            work.extend(&next[f]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::text::parse;

    #[test]
    fn reach_callers_and_recursion() {
        let text = "
entry main
fn main() { a -> b: call f()\n  b -> c: call f()\n  c -> exit: call g() }
fn f() { a -> exit: call g() }
fn g() { a -> b: call h()\n  b -> exit: skip }
fn h() { a -> exit: call g() }
fn lone() { a -> exit: call f() }";
        let program = parse(&mut logic::Pool::new(), text).unwrap();
        let graph = CallGraph::of(&program);
        let [main, f, g, h, lone] = program.functions.ids().collect::<Vec<_>>()[..] else {
            panic!("five functions");
        };
        assert_eq!(graph.callees[main], [f, f, g]);
        assert_eq!(graph.callers[g], [main, f, h]);
        let reach = graph.reach();
        assert_eq!(reach[main], [f, g, h].into_iter().collect());
        assert_eq!(reach[g], [g, h].into_iter().collect());
        assert_eq!(
            graph.with_callers([f]),
            [main, f, lone].into_iter().collect()
        );
        assert!(graph.is_recursive(main));
        let text = "entry main\nfn main() { a -> exit: call f() }\nfn f() { a -> exit: skip }
fn g() { a -> exit: call g() }";
        let program = parse(&mut logic::Pool::new(), text).unwrap();
        let graph = CallGraph::of(&program);
        assert!(!graph.is_recursive(program.entry), "g never runs");
    }
}

//! Can the course of any execution depend on a value that only approximates something not modelled?
//!
//! Asked where an execution is too long to be followed step by step ([`crate::taint`]), as when loops were jumped over:
//! ```text
//!   int x; x = input(); while (x >= 0) y = y - 1;      `int x` is any value, but nobody looks at it
//! ```
//! For each location, the variables that may hold such a value or something computed from one. Functions are looked at
//! once for all their callers.
//!
//! Sound because every path of the program is followed, so the execution's own is among them: what is computed from a
//! followed value, or stored in an array with one, is followed, and only what is overwritten is not any more. As in
//! [`crate::taint`], what the front end assumes of a value's type counts as no branch.

use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Pool, TermId};
use program::analysis::reads::{VarsOf, written_by};
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId, VarKind};

/// A branch that may look at a value chosen at one of the `guesses`, if there is any.
pub(crate) fn possible_dependence(
    pool: &Pool,
    program: &Program,
    guesses: &[EdgeId],
) -> Option<EdgeId> {
    let mut flow = Flow::new(pool, program, guesses);
    flow.solve();
    program
        .edges
        .ids()
        .find(|id| match program.edges[*id].stmt {
            Stmt::Assume(condition) if !program.type_ranges.contains(id) => {
                flow.follows(program.edges[*id].from, condition)
            }
            _ => false,
        })
}

struct Flow<'p> {
    pool: &'p Pool,
    program: &'p Program,
    guesses: FxHashSet<EdgeId>,
    vars_of: VarsOf,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    /// The edges that call a function.
    calls: FxHashMap<FuncId, Vec<EdgeId>>,
    followed: FxHashMap<LocId, FxHashSet<VarId>>,
    waiting: Vec<LocId>,
}

impl<'p> Flow<'p> {
    fn new(pool: &'p Pool, program: &'p Program, guesses: &[EdgeId]) -> Self {
        let mut calls: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
        for (id, edge) in program.edges.iter_enumerated() {
            if let Stmt::Call { callee, .. } = edge.stmt {
                calls.entry(callee).or_default().push(id);
            }
        }
        Flow {
            pool,
            program,
            guesses: guesses.iter().copied().collect(),
            vars_of: VarsOf::new(program),
            successors: program.successors(),
            calls,
            followed: FxHashMap::default(),
            // Only guesses bring anything in.
            waiting: guesses.iter().map(|g| program.edges[*g].from).collect(),
        }
    }

    fn solve(&mut self) {
        while let Some(loc) = self.waiting.pop() {
            for n in 0..self.successors[loc].len() {
                self.step(self.successors[loc][n]);
            }
            let func = self.program.locations[loc].func;
            if loc == self.program.functions[func].exit {
                for n in 0..self.calls.get(&func).map_or(0, Vec::len) {
                    self.step(self.calls[&func][n]);
                }
            }
        }
    }

    fn step(&mut self, id: EdgeId) {
        let program = self.program;
        let edge = &program.edges[id];
        let mut after = self.followed.get(&edge.from).cloned().unwrap_or_default();
        let written = written_by(&edge.stmt);
        let gains: Vec<VarId> = match &edge.stmt {
            Stmt::Skip | Stmt::Assume(_) => Vec::new(),
            Stmt::Assign(pairs) => {
                let mut gains = pairs.clone();
                gains.retain(|(_, t)| self.follows(edge.from, *t));
                gains.into_iter().map(|(v, _)| v).collect()
            }
            Stmt::Havoc(vars, _) if self.guesses.contains(&id) => vars.clone(),
            Stmt::Havoc(..) => Vec::new(),
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let function = &program.functions[*callee];
                let given = function.params.iter().zip(args);
                let mut inside: FxHashSet<VarId> = given
                    .filter_map(|(p, a)| self.follows(edge.from, *a).then_some(*p))
                    .collect();
                let is_global = |v: &VarId| program.vars[*v].kind == VarKind::Global;
                // Globals come back with what the callee left in them.
                inside.extend(after.iter().copied().filter(is_global));
                after.retain(|v| !is_global(v));
                let left = self.followed.get(&function.exit);
                let left = left.into_iter().flatten().copied();
                let (globals, returned): (Vec<_>, Vec<_>) = left.partition(is_global);
                let pairs = results.iter().zip(&function.returns);
                let of_returns = pairs.filter(|(_, r)| returned.contains(r));
                let gains = of_returns.map(|(v, _)| *v).chain(globals).collect();
                self.reach(function.entry, inside);
                gains
            }
        };
        after.retain(|v| !written.contains(v));
        after.extend(gains);
        self.reach(edge.to, after);
    }

    fn reach(&mut self, loc: LocId, vars: FxHashSet<VarId>) {
        let known = self.followed.entry(loc).or_default();
        let before = known.len();
        known.extend(vars);
        if known.len() > before {
            self.waiting.push(loc);
        }
    }

    /// May the value of the term depend on a followed one?
    fn follows(&mut self, at: LocId, term: TermId) -> bool {
        let Some(followed) = self.followed.get(&at) else {
            return false;
        };
        let vars = self.vars_of.of(self.pool, term);
        vars.iter().any(|v| followed.contains(v))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A program in which `main` has the variables x, y and z, and calls `id`.
    fn depends(body: &str) -> bool {
        let text = format!(
            "global g: Int\nentry main\n\
             fn id(p: Int) returns (r: Int) {{\n  entry i0\n  exit i1\n  i0 -> i1: r := p\n}}\n\
             fn main() {{\n  locals x: Int, y: Int, z: Int\n  entry l0\n  exit l9\n{body}}}\n"
        );
        let mut pool = Pool::new();
        let program = program::text::parse(&mut pool, &text).unwrap();
        let guessed = |e: &EdgeId| {
            let stmt = &program.edges[*e].stmt;
            matches!(stmt, Stmt::Havoc(_, program::InputKind::Approximation))
        };
        let guesses: Vec<EdgeId> = program.edges.ids().filter(guessed).collect();
        assert_eq!(guesses.len(), 1);
        possible_dependence(&pool, &program, &guesses).is_some()
    }

    #[test]
    fn what_is_overwritten_does_not_matter() {
        assert!(!depends(
            "l0 -> l1: havoc x approximation\nl1 -> l2: havoc x\nl2 -> l9: assume (> x 0)\n"
        ));
        assert!(depends(
            "l0 -> l1: havoc x approximation\nl1 -> l2: havoc y\nl2 -> l9: assume (> x 0)\n"
        ));
    }

    #[test]
    fn what_goes_round_a_loop_is_followed() {
        let looped = |last: &str| {
            format!(
                "l0 -> l1: havoc z approximation\nl1 -> l2: assume (> x 0)\n\
                 l2 -> l3: x := y\nl3 -> l1: y := {last}\n"
            )
        };
        assert!(depends(&looped("z")));
        assert!(!depends(&looped("(+ y 1)")));
    }

    #[test]
    fn calls_and_globals_carry_values() {
        let through = |arg: &str, tested: &str| {
            format!(
                "l0 -> l1: havoc x approximation\nl1 -> l2: y := call id({arg})\n\
                 l2 -> l3: g := x\nl3 -> l4: z := call id(0)\nl4 -> l9: assume (> {tested} 0)\n"
            )
        };
        assert!(depends(&through("x", "y")));
        assert!(!depends(&through("0", "y")));
        assert!(depends(&through("0", "g")));
    }
}

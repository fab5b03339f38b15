//! Does an execution's course depend on a value that only approximates something not modelled?
//!
//! The approximated values are followed through the assignments of a replayed execution. As long
//! as no branch looks at one, the execution takes the same course whatever they are, so its error is
//! real. Array entries are followed one by one, as most of a memory region is usually known.
//!
//! Sound because whatever is computed from a followed value, or stored at a followed index, is
//! followed too; what the front end assumes of a value's type (`Program::type_ranges`) holds for every
//! value, so it counts as no branch.

use base::{FxHashMap, FxHashSet};
use logic::{Memo, Op, Pool, TermId, Value};
use program::interp::float::FloatOp;
use program::interp::{Along, Taken};
use program::{EdgeId, Program, Stmt, VarId, VarKind};

/// The first branch on the way that looks at a value chosen at one of the `approximated` edges.
pub(crate) fn first_dependence(
    pool: &Pool,
    program: &Program,
    steps: &[Taken],
    approximated: impl Fn(EdgeId) -> bool,
) -> Option<EdgeId> {
    let mut walk = Walk::new(pool, program, false);
    for taken in steps {
        if walk.step(taken, &approximated) {
            return Some(taken.edge);
        }
        walk.along.step(taken);
        walk.memo.clear();
    }
    None
}

/// The variables of a frame that are followed.
#[derive(Default)]
struct Followed {
    whole: FxHashSet<VarId>,
    /// Entries of arrays that are followed or not, whatever holds for the rest.
    entries: FxHashMap<VarId, Entries>,
}

/// Entries of an array, and how many of them are followed.
#[derive(Clone, Default)]
struct Entries {
    at: FxHashMap<Value, bool>,
    followed: usize,
}

impl Entries {
    fn extend(&mut self, entries: Vec<(Value, bool)>) {
        for (at, follow) in entries {
            let before = self.at.insert(at, follow).unwrap_or(false);
            self.followed = self.followed + usize::from(follow) - usize::from(before);
        }
    }
}

pub(crate) struct Walk<'p> {
    pool: &'p Pool,
    program: &'p Program,
    pub(crate) along: Along<'p>,
    globals: Followed,
    frames: Vec<Followed>,
    pub(crate) memo: Memo,
    /// Follow also what the program leaves open: initial values, and what has no meaning here.
    strict: bool,
}

/// What an assignment makes of a variable.
enum Effect {
    Clear,
    Whole,
    /// The array of another variable (or the same), with some entries followed or not any more.
    Updated {
        from: VarId,
        entries: Vec<(Value, bool)>,
    },
}

impl<'p> Walk<'p> {
    pub(crate) fn new(pool: &'p Pool, program: &'p Program, strict: bool) -> Self {
        let mut walk = Walk {
            pool,
            program,
            along: Along::new(pool, program),
            globals: Followed::default(),
            frames: Vec::new(),
            memo: Memo::new(),
            strict,
        };
        if strict {
            walk.globals.whole.extend(&program.globals);
        }
        let entry = &program.functions[program.entry];
        let frame = walk.new_frame(entry, true);
        walk.frames.push(frame);
        walk
    }

    /// Locals and returns begin with any value; so do the parameters of the entry.
    fn new_frame(&self, function: &program::Function, entry: bool) -> Followed {
        let mut frame = Followed::default();
        if self.strict {
            frame.whole.extend(&function.locals);
            frame.whole.extend(&function.returns);
            if entry {
                frame.whole.extend(&function.params);
            }
        }
        frame
    }

    /// Follows one step; true if it is a branch on a followed value.
    pub(crate) fn step(&mut self, taken: &Taken, approximated: &impl Fn(EdgeId) -> bool) -> bool {
        let edge = &self.program.edges[taken.edge];
        match &edge.stmt {
            Stmt::Skip => {}
            Stmt::Assume(condition) => {
                let range = self.program.type_ranges.contains(&taken.edge);
                return !range && self.follows(*condition);
            }
            Stmt::Assign(list) => {
                let effects: Vec<(VarId, Effect)> =
                    list.iter().map(|&(v, t)| (v, self.effect(t))).collect();
                for (v, effect) in effects {
                    self.apply(v, effect);
                }
            }
            Stmt::Havoc(vars, _) => {
                let follow = approximated(taken.edge);
                for &v in vars {
                    self.apply(v, if follow { Effect::Whole } else { Effect::Clear });
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &self.program.functions[*callee];
                if taken.returns {
                    let given: Vec<bool> =
                        callee.returns.iter().map(|&r| self.touched(r)).collect();
                    if self.frames.len() > 1 {
                        self.frames.pop();
                    }
                    for (&v, followed) in results.iter().zip(given) {
                        self.apply(
                            v,
                            if followed {
                                Effect::Whole
                            } else {
                                Effect::Clear
                            },
                        );
                    }
                } else {
                    let given: Vec<bool> = args.iter().map(|&a| self.follows(a)).collect();
                    let frame = self.new_frame(callee, false);
                    self.frames.push(frame);
                    for (&p, followed) in callee.params.iter().zip(given) {
                        self.apply(
                            p,
                            if followed {
                                Effect::Whole
                            } else {
                                Effect::Clear
                            },
                        );
                    }
                }
            }
        }
        false
    }

    fn frame(&self, var: VarId) -> &Followed {
        match self.program.vars[var].kind {
            VarKind::Global => &self.globals,
            _ => self.frames.last().unwrap_or(&self.globals),
        }
    }

    fn frame_mut(&mut self, var: VarId) -> &mut Followed {
        match self.program.vars[var].kind {
            VarKind::Global => &mut self.globals,
            _ => self.frames.last_mut().unwrap_or(&mut self.globals),
        }
    }

    /// Is the variable, or an entry of it, followed?
    fn touched(&self, var: VarId) -> bool {
        let frame = self.frame(var);
        frame.whole.contains(&var) || frame.entries.get(&var).is_some_and(|e| e.followed > 0)
    }

    fn apply(&mut self, var: VarId, effect: Effect) {
        match effect {
            Effect::Clear => {
                let frame = self.frame_mut(var);
                frame.whole.remove(&var);
                frame.entries.remove(&var);
            }
            Effect::Whole => {
                let frame = self.frame_mut(var);
                frame.whole.insert(var);
                frame.entries.remove(&var);
            }
            Effect::Updated { from, entries } => {
                if from == var {
                    let frame = self.frame_mut(var);
                    frame.entries.entry(var).or_default().extend(entries);
                    return;
                }
                let source = self.frame(from);
                let whole = source.whole.contains(&from);
                let mut followed = source.entries.get(&from).cloned().unwrap_or_default();
                followed.extend(entries);
                let frame = self.frame_mut(var);
                if whole {
                    frame.whole.insert(var);
                } else {
                    frame.whole.remove(&var);
                }
                frame.entries.insert(var, followed);
            }
        }
    }

    fn effect(&mut self, value: TermId) -> Effect {
        // A chain of stores into a variable is followed entry by entry.
        let mut entries = Vec::new();
        let mut term = value;
        while self.pool.op(term) == Op::Store {
            let [array, index, stored] = *self.pool.args(term) else {
                break;
            };
            if self.follows(index) {
                return Effect::Whole;
            }
            let at = self.memo.eval(self.pool, &self.along, index);
            entries.push((at, self.follows(stored)));
            term = array;
        }
        entries.reverse();
        let is_array = matches!(
            self.pool.sort_kind(self.pool.sort_of(value)),
            logic::Sort::Array(..)
        );
        if is_array
            && let Op::App(symbol) = self.pool.op(term)
            && let Some(from) = self.along.var(symbol)
        {
            return Effect::Updated { from, entries };
        }
        if self.follows(value) {
            Effect::Whole
        } else {
            Effect::Clear
        }
    }

    /// Is the condition false here, whatever the followed values are?
    pub(crate) fn is_false(&mut self, condition: TermId) -> bool {
        !self.follows(condition) && !self.memo.holds(self.pool, &self.along, condition)
    }

    /// Does the value of the term here depend on a followed value?
    pub(crate) fn follows(&mut self, term: TermId) -> bool {
        let pool = self.pool;
        let mut dependent: FxHashMap<TermId, bool> = FxHashMap::default();
        for t in pool.post_order(&[term]) {
            let args = pool.args(t);
            let any = args.iter().any(|a| dependent[a]);
            let follows = match pool.op(t) {
                Op::App(symbol) if args.is_empty() => match self.along.var(symbol) {
                    Some(v) => self.touched(v),
                    None => self.strict,
                },
                Op::App(symbol) => {
                    let name = &pool.symbol_data(symbol).name;
                    any || self.strict && FloatOp::from_name(name).is_none()
                }
                Op::Select => self.read(args[0], args[1], &dependent),
                Op::Ite if !dependent[&args[0]] => {
                    let taken = self.memo.holds(pool, &self.along, args[0]);
                    dependent[&args[if taken { 1 } else { 2 }]]
                }
                // One part that decides alone makes the others irrelevant.
                op @ (Op::And | Op::Or) if any => !args.iter().any(|&a| {
                    !dependent[&a] && self.memo.holds(pool, &self.along, a) == (op == Op::Or)
                }),
                _ => any,
            };
            dependent.insert(t, follows);
        }
        dependent[&term]
    }

    fn read(&mut self, array: TermId, index: TermId, dependent: &FxHashMap<TermId, bool>) -> bool {
        if dependent[&index] {
            return true;
        }
        let Op::App(symbol) = self.pool.op(array) else {
            return dependent[&array];
        };
        let Some(var) = self.along.var(symbol) else {
            return self.strict;
        };
        let at = self.memo.eval(self.pool, &self.along, index);
        let frame = self.frame(var);
        let entry = frame.entries.get(&var).and_then(|e| e.at.get(&at));
        entry.copied().unwrap_or(frame.whole.contains(&var))
    }
}

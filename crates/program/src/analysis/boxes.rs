//! Statements on boxes: each variable is within bounds.
//!
//! A [`Boxes`] is a box that statements change and that can be taken back to an earlier one, for walks over all
//! paths depth first. [`Steps`] executes statements on it.
//!
//! Invariant (over-approximation): a state within the box from which the statement can be taken comes to a state
//! within the box afterwards. Arrays and calls are not known: a call cannot be taken here.

use crate::{EdgeId, Program, Stmt, VarId};
use base::{FxHashMap, Id, IndexVec};
use logic::{Compiled, Interval, Pool, Sort, TermId};

/// Bounds of all variables, with what they were before.
#[derive(Clone, Debug)]
pub struct Boxes {
    values: IndexVec<VarId, Interval>,
    before: Vec<(VarId, Interval)>,
}

impl Boxes {
    /// All that a state can be.
    pub fn whole(pool: &Pool, program: &Program) -> Boxes {
        let all = program.vars.iter().map(|v| match &v.range {
            Some((low, high)) => Interval::between(low, high),
            None if v.sort == pool.bool_sort() => Interval::TRUTH,
            None => Interval::ANY,
        });
        Boxes {
            values: IndexVec::from(all.collect::<Vec<_>>()),
            before: Vec::new(),
        }
    }

    /// The bounds of a variable.
    pub fn get(&self, var: VarId) -> Interval {
        self.values[var]
    }

    /// Sets the bounds of a variable.
    pub fn set(&mut self, var: VarId, value: Interval) {
        let old = std::mem::replace(&mut self.values[var], value);
        if old != value {
            self.before.push((var, old));
        }
    }

    /// A name for the box as it is now.
    pub fn mark(&self) -> usize {
        self.before.len()
    }

    /// Takes back all that was set since.
    pub fn back_to(&mut self, mark: usize) {
        while self.before.len() > mark
            && let Some((var, value)) = self.before.pop()
        {
            self.values[var] = value;
        }
    }
}

/// What came of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It may be taken; the box holds what comes of it.
    Yes,
    /// It cannot be taken from any state of the box.
    No,
    /// Nothing is known of it (a call).
    Unknown,
}

#[derive(Clone, Debug)]
enum Action {
    Skip,
    Assume(Compiled),
    Assign(Vec<(VarId, Compiled)>),
    Havoc(Vec<VarId>),
    Unknown,
}

/// The statements of a program, made ready when they are first executed.
pub struct Steps<'a> {
    program: &'a Program,
    var_of: FxHashMap<TermId, VarId>,
    ranges: Boxes,
    actions: IndexVec<EdgeId, Option<Action>>,
    scratch: Vec<Interval>,
    values: Vec<(VarId, Interval)>,
}

impl<'a> Steps<'a> {
    /// Of this program.
    pub fn new(pool: &Pool, program: &'a Program) -> Self {
        let vars = program.vars.iter_enumerated();
        Steps {
            program,
            var_of: vars.map(|(id, v)| (v.term, id)).collect(),
            ranges: Boxes::whole(pool, program),
            actions: IndexVec::filled(None, program.edges.len()),
            scratch: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The variable that a term is.
    pub fn var(&self, term: TermId) -> Option<VarId> {
        self.var_of.get(&term).copied()
    }

    /// A formula about the state, made ready.
    pub fn compile(&self, pool: &Pool, term: TermId) -> Compiled {
        Compiled::new(pool, term, |t| {
            self.var_of.get(&t).map(|v| v.index() as u32)
        })
    }

    /// Bounds of a formula's value in the box.
    pub fn value(&mut self, boxes: &Boxes, formula: &Compiled) -> Interval {
        let read = |v: u32| boxes.get(VarId::from_index(v as usize));
        formula.value(read, &mut self.scratch)
    }

    /// Narrows the box by a condition; `false` if it cannot hold.
    pub fn assume(&mut self, boxes: &mut Boxes, condition: &Compiled) -> bool {
        self.assume_within(boxes, condition, Interval::TRUE)
    }

    /// Narrows the box by the value of a formula being within these bounds; `false` if it cannot be.
    pub fn assume_within(
        &mut self,
        boxes: &mut Boxes,
        formula: &Compiled,
        wanted: Interval,
    ) -> bool {
        let values = &mut self.values;
        values.clear();
        let read = |v: u32| boxes.get(VarId::from_index(v as usize));
        let narrow = |v: u32, by: Interval| values.push((VarId::from_index(v as usize), by));
        if !formula.assume_within(wanted, read, &mut self.scratch, narrow) {
            return false;
        }
        for &(var, by) in values.iter() {
            let less = boxes.get(var).meet(&by);
            if less.is_empty() {
                return false;
            }
            boxes.set(var, less);
        }
        true
    }

    /// Executes the statement of an edge.
    pub fn step(&mut self, pool: &Pool, edge: EdgeId, boxes: &mut Boxes) -> Taken {
        let action = match self.actions[edge].take() {
            Some(action) => action,
            None => self.action(pool, edge),
        };
        let taken = self.execute(&action, boxes);
        self.actions[edge] = Some(action);
        taken
    }

    fn execute(&mut self, action: &Action, boxes: &mut Boxes) -> Taken {
        match action {
            Action::Skip => {}
            Action::Unknown => return Taken::Unknown,
            Action::Assume(condition) => {
                if !self.assume(boxes, condition) {
                    return Taken::No;
                }
            }
            Action::Havoc(vars) => {
                for &var in vars {
                    boxes.set(var, self.ranges.get(var));
                }
            }
            Action::Assign(pairs) => {
                self.values.clear();
                for (var, value) in pairs {
                    let read = |v: u32| boxes.get(VarId::from_index(v as usize));
                    let value = value.value(read, &mut self.scratch);
                    // Sound because an assignment that would leave the range cannot be taken.
                    let value = value.meet(&self.ranges.get(*var));
                    if value.is_empty() {
                        return Taken::No;
                    }
                    self.values.push((*var, value));
                }
                for &(var, value) in &self.values {
                    boxes.set(var, value);
                }
            }
        }
        Taken::Yes
    }

    fn action(&self, pool: &Pool, edge: EdgeId) -> Action {
        match &self.program.edges[edge].stmt {
            Stmt::Skip => Action::Skip,
            Stmt::Assume(c) => Action::Assume(self.compile(pool, *c)),
            Stmt::Havoc(vars, _) => Action::Havoc(vars.clone()),
            Stmt::Call { .. } => Action::Unknown,
            Stmt::Assign(pairs) => {
                let is_array =
                    |v: VarId| matches!(pool.sort_kind(self.program.vars[v].sort), Sort::Array(..));
                let known = pairs.iter().filter(|(v, _)| !is_array(*v));
                Action::Assign(known.map(|&(v, t)| (v, self.compile(pool, t))).collect())
            }
        }
    }
}

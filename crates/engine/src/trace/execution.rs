//! Executions of functions: what a feasible trace comes to when its calls have executions too
//! (IPROC's inter-procedural paths). Shared where functions are called alike, so that their size is
//! that of the proof of feasibility, not that of the execution.

use evidence::Step;
use logic::{Pool, Sort, SortId, TermId, Value};
use std::sync::Arc;

/// One step of an execution.
pub enum Item {
    Step(Step),
    Call(Arc<Execution>),
}

/// A finite execution of a function from entry to exit.
pub struct Execution {
    /// Values of the parameters at entry and of the returns at exit.
    pub inputs: Vec<Value>,
    pub outputs: Vec<Value>,
    pub items: Vec<Item>,
    steps: u64,
}

impl Execution {
    pub fn new(inputs: Vec<Value>, outputs: Vec<Value>, items: Vec<Item>) -> Self {
        let length = |i: &Item| match i {
            Item::Step(_) => 1,
            Item::Call(e) => e.steps,
        };
        let steps = items.iter().map(length).fold(0, u64::saturating_add);
        Execution {
            inputs,
            outputs,
            items,
            steps,
        }
    }

    /// All steps with calls written out; `None` if they are more than `most`.
    pub fn steps(&self, most: usize) -> Option<Vec<Step>> {
        if self.steps > most as u64 {
            return None;
        }
        let mut out = Vec::new();
        let mut stack: Vec<(&Execution, usize)> = vec![(self, 0)];
        while let Some((execution, at)) = stack.pop() {
            let Some(item) = execution.items.get(at) else {
                continue;
            };
            stack.push((execution, at + 1));
            match item {
                Item::Step(s) => out.push(s.clone()),
                Item::Call(e) => stack.push((e, 0)),
            }
        }
        Some(out)
    }
}

/// A value as a term; `None` for elements of uninterpreted sorts.
pub fn term_of(pool: &mut Pool, value: &Value, sort: SortId) -> Option<TermId> {
    Some(match value {
        Value::Bool(b) => pool.bool_const(*b),
        Value::Num(n) => pool.num(n.clone(), sort),
        Value::Array(array) => {
            let Sort::Array(index, element) = *pool.sort_kind(sort) else {
                return None;
            };
            let default = term_of(pool, &array.default, element)?;
            let mut t = pool.const_array(sort, default);
            for (at, entry) in &array.entries {
                let at = term_of(pool, at, index)?;
                let entry = term_of(pool, entry, element)?;
                t = pool.store(t, at, entry);
            }
            t
        }
        Value::Element(..) => return None,
    })
}

//! Executions on their way back.
//!
//! Edges go back to their origins. Values of variables that stand for cells of an array go back into
//! the array: initial ones into the initial array, those of an invented havoc into the havoc of the
//! array just before it.

use super::{Leg, WayBack, Whence};
use crate::{Execution, Step, VarId};
use logic::{ArrayValue, Rational, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

impl WayBack {
    /// An execution of the new program as one of the old. After slicing, calls whose callee was
    /// dropped lack the callee's edges: replay with [`crate::interp::Replay::lenient`].
    pub fn execution(&self, execution: Execution) -> Execution {
        let back = |new: Execution, leg: &Arc<Leg>| Execution {
            initial: leg.initial(new.initial),
            steps: leg.steps(new.steps),
        };
        self.legs.iter().rev().fold(execution, back)
    }
}

impl Leg {
    /// Values before the first step.
    fn initial(&self, values: Vec<(VarId, Value)>) -> Vec<(VarId, Value)> {
        let mut out: BTreeMap<VarId, Value> = BTreeMap::new();
        let mut inside = Vec::new();
        for (var, value) in values {
            match &self.vars[var] {
                Whence::Same(origin) => {
                    out.insert(*origin, value);
                }
                Whence::Cell(array, address) => inside.push((*array, address.clone(), value)),
                Whence::Inner(_) | Whence::New => {}
            }
        }
        for (array, address, value) in inside {
            let whole = out.entry(array).or_insert_with(|| empty(&value));
            put(whole, address, value);
        }
        out.into_iter().collect()
    }

    fn steps(&self, steps: Vec<Step>) -> Vec<Step> {
        let mut out: Vec<Step> = Vec::with_capacity(steps.len());
        for step in steps {
            if let Some(edge) = self.edges[step.edge] {
                out.push(Step { edge, ..step });
            } else if let (Some(places), Some(last)) = (self.cells.get(&step.edge), out.last_mut())
            {
                for ((at, address), value) in places.iter().zip(step.havocs) {
                    if let Some(whole) = last.havocs.get_mut(*at) {
                        put(whole, address.clone(), value);
                    }
                }
            }
        }
        out
    }
}

fn empty(like: &Value) -> Value {
    let default = match like {
        Value::Bool(_) => Value::Bool(false),
        _ => Value::Num(Rational::ZERO),
    };
    Value::Array(Arc::new(ArrayValue {
        default,
        entries: BTreeMap::new(),
    }))
}

fn put(whole: &mut Value, address: Rational, value: Value) {
    let Value::Array(array) = whole else { return };
    let array = Arc::make_mut(array);
    if array.default == value {
        array.entries.remove(&Value::Num(address));
    } else {
        array.entries.insert(Value::Num(address), value);
    }
}

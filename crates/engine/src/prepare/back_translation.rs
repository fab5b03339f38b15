//! Executions of a transformed program as executions of the one before the pass.
//!
//! Edges go back to their origins. Values of variables that a pass invented for memory cells
//! (`program::passes::scalar_replacement`) go back into the arrays they are cells of: initial ones into the initial
//! array, those of an invented havoc into the havoc of the array just before it.

use base::FxHashMap;
use evidence::Step;
use logic::{ArrayValue, Rational, TermId, Value};
use program::passes::Transformed;
use program::{Stmt, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The array variable and the address of each cell that the pass made.
fn cells(pass: &Transformed) -> FxHashMap<VarId, (VarId, Rational)> {
    let address: FxHashMap<TermId, &Rational> = pass
        .cells
        .iter()
        .map(|(term, address)| (*term, address))
        .collect();
    pass.program
        .vars
        .iter_enumerated()
        .filter_map(|(id, v)| Some((id, (pass.var_origin[id], (*address.get(&v.term)?).clone()))))
        .collect()
}

/// Values before the first step.
pub fn initial(pass: &Transformed, values: Vec<(VarId, Value)>) -> Vec<(VarId, Value)> {
    let cells = cells(pass);
    let mut out: BTreeMap<VarId, Value> = BTreeMap::new();
    let mut inside = Vec::new();
    for (var, value) in values {
        match cells.get(&var) {
            Some((array, address)) => inside.push((*array, address.clone(), value)),
            None => {
                // A variable for something else of its origin says nothing of it as a whole.
                let vars = &pass.program.vars;
                let origin = pass.var_origin[var];
                if vars.get(origin).is_some_and(|o| o.sort == vars[var].sort) {
                    out.insert(origin, value);
                }
            }
        }
    }
    for (array, address, value) in inside {
        let whole = out.entry(array).or_insert_with(|| empty(&value));
        put(whole, address, value);
    }
    out.into_iter().collect()
}

/// Steps of the new program.
pub fn steps(pass: &Transformed, steps: Vec<Step>) -> Vec<Step> {
    let cells = cells(pass);
    let mut out: Vec<Step> = Vec::with_capacity(steps.len());
    // The variables of the havoc before, if the last step was one.
    let mut before: Vec<VarId> = Vec::new();
    for step in steps {
        let vars = match &pass.program.edges[step.edge].stmt {
            Stmt::Havoc(vars, _) => vars.clone(),
            _ => Vec::new(),
        };
        match pass.edge_origin[step.edge] {
            Some(edge) => {
                before = vars;
                out.push(Step { edge, ..step });
            }
            None => {
                let Some(last) = out.last_mut() else { continue };
                for (var, value) in vars.iter().zip(step.havocs) {
                    let Some((array, address)) = cells.get(var) else {
                        continue;
                    };
                    let place = before.iter().position(|v| v == array);
                    if let Some(whole) = place.and_then(|at| last.havocs.get_mut(at)) {
                        put(whole, address.clone(), value);
                    }
                }
            }
        }
    }
    out
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

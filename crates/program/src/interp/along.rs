//! The values of all variables along a recorded run.
//!
//! A trace lists only what changes; this plays the changes back, with one frame per open call.

use super::Taken;
use crate::{Program, Stmt, VarId, VarKind};
use base::FxHashMap;
use logic::{Interpretation, Op, Pool, SymbolId, Value};
use std::sync::Arc;

/// The state between two steps of a trace.
pub struct Along<'p> {
    pool: &'p Pool,
    program: &'p Program,
    var_of: FxHashMap<SymbolId, VarId>,
    globals: FxHashMap<VarId, Value>,
    frames: Vec<FxHashMap<VarId, Value>>,
}

impl<'p> Along<'p> {
    /// Before the first step.
    pub fn new(pool: &'p Pool, program: &'p Program) -> Self {
        let symbol = |(id, var): (VarId, &crate::Var)| match pool.op(var.term) {
            Op::App(symbol) => Some((symbol, id)),
            _ => None,
        };
        Along {
            pool,
            program,
            var_of: program.vars.iter_enumerated().filter_map(symbol).collect(),
            globals: FxHashMap::default(),
            frames: vec![FxHashMap::default()],
        }
    }

    /// Calls open now.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// The variable that a symbol stands for.
    pub fn var(&self, symbol: SymbolId) -> Option<VarId> {
        self.var_of.get(&symbol).copied()
    }

    /// The current value; the default where the trace has not set one.
    pub fn value(&self, var: VarId) -> Value {
        let known = match self.program.vars[var].kind {
            VarKind::Global => self.globals.get(&var),
            _ => self.frames.last().and_then(|f| f.get(&var)),
        };
        known
            .cloned()
            .unwrap_or_else(|| self.program.default_value(self.pool, var))
    }

    fn take(&mut self, var: VarId) -> Value {
        let known = match self.program.vars[var].kind {
            VarKind::Global => self.globals.remove(&var),
            _ => self.frames.last_mut().and_then(|f| f.remove(&var)),
        };
        known.unwrap_or_else(|| self.program.default_value(self.pool, var))
    }

    /// Takes a step.
    pub fn step(&mut self, taken: &Taken) {
        if let Stmt::Call { .. } = self.program.edges[taken.edge].stmt {
            match taken.returns {
                false => self.frames.push(FxHashMap::default()),
                true if self.frames.len() > 1 => {
                    self.frames.pop();
                }
                true => {}
            }
        }
        for change in &taken.changes {
            let value = match &change.index {
                None => change.value.clone(),
                Some(index) => match self.take(change.var) {
                    // Nobody else holds the array, so it is changed in place.
                    Value::Array(mut array) => {
                        Arc::make_mut(&mut array).set(index.clone(), change.value.clone());
                        Value::Array(array)
                    }
                    other => other,
                },
            };
            let frame = match self.program.vars[change.var].kind {
                VarKind::Global => &mut self.globals,
                _ => self
                    .frames
                    .last_mut()
                    .expect("the entry's frame is never left"),
            };
            frame.insert(change.var, value);
        }
    }
}

impl Interpretation for Along<'_> {
    fn constant(&self, symbol: SymbolId) -> Option<Value> {
        self.var(symbol).map(|v| self.value(v))
    }

    fn function(&self, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        let name = &self.pool.symbol_data(symbol).name;
        super::float::FloatOp::from_name(name).and_then(|op| op.apply(args))
    }
}

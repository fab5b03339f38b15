//! Numbers the expressions of a finished unit.
//!
//! Sema moves and copies expressions freely; only when the unit is complete does each get its id,
//! so ids are unique and dense and passes keep what they know of expressions in plain vectors.

use super::visit_mut::{self, VisitorMut};
use super::{Expr, ExprId, Unit};
use base::Id;

struct Numbers(usize);

impl VisitorMut for Numbers {
    fn expr(&mut self, e: &mut Expr) {
        e.id = ExprId::from_index(self.0);
        self.0 += 1;
    }
}

impl Unit {
    /// Gives every expression its id; to be called again after the tree was changed.
    pub fn number(&mut self) {
        let mut numbers = Numbers(0);
        for global in self.globals.iter_mut() {
            if let Some(init) = &mut global.init {
                visit_mut::init(&mut numbers, init);
            }
        }
        for function in self.functions.iter_mut() {
            if let Some(body) = &mut function.body {
                visit_mut::block(&mut numbers, &mut body.block);
            }
        }
        self.exprs = numbers.0;
    }
}

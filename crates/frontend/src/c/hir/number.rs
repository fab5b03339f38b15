//! Numbers the expressions of a finished unit.
//!
//! Sema moves and copies expressions freely; only when the unit is complete does each get its id,
//! so ids are unique and dense and passes keep what they know of expressions in plain vectors.

use super::visit::{self, VisitorMut};
use super::{Expr, ExprId, Unit};
use base::Id;

struct Numbers(usize);

impl VisitorMut for Numbers {
    fn after_expr(&mut self, e: &mut Expr, _: bool) {
        e.id = ExprId::from_index(self.0);
        self.0 += 1;
    }
}

impl Unit {
    /// Gives every expression its id; to be called again after the tree was changed.
    pub fn number(&mut self) {
        let mut numbers = Numbers(0);
        visit::changing::unit(&mut numbers, self);
        self.exprs = numbers.0;
    }
}

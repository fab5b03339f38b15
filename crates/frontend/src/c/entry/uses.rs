//! What a program does with the addresses of its functions and with its static objects.
//!
//! ```text
//! static struct hooks hooks = { malloc, free };      `malloc` and `free` are what pointers lead to
//! static int limit = 10;                             nobody changes `limit`: it is 10 in every call
//! ```

use crate::c::hir::visit::{self, Visitor};
use crate::c::hir::{
    Expr, ExprId, ExprKind, FuncId, GlobalId, Linkage, Place, PlaceKind, Stmt, StmtKind, Unit,
};
use crate::c::lower::reach::{Direct, ObjectKey, direct, root};
use base::FxHashSet;

/// Collected from all bodies and initialisers.
pub(super) struct Uses<'u> {
    unit: &'u Unit,
    /// Functions whose address the program itself uses, in the order of the text.
    taken: Vec<FuncId>,
    in_library: bool,
    changed: FxHashSet<GlobalId>,
    /// Addresses that a dereference undoes.
    undone: FxHashSet<ExprId>,
}

impl<'u> Uses<'u> {
    pub fn new(unit: &'u Unit) -> Self {
        let mut uses = Uses {
            unit,
            taken: Vec::new(),
            in_library: false,
            changed: FxHashSet::default(),
            undone: FxHashSet::default(),
        };
        for global in unit.globals.iter() {
            if let Some(init) = &global.init {
                visit::shared::init(&mut uses, init);
            }
        }
        for f in unit.functions.iter() {
            if let Some(body) = &f.body {
                uses.in_library = f.library;
                visit::shared::block(&mut uses, &body.block);
            }
        }
        uses
    }

    pub fn taken(self) -> Vec<FuncId> {
        self.taken
    }

    /// Does the object hold what it was initialised with whenever a function of the program is called?
    ///
    /// Sound because only its own file can name it, and there nobody writes it or uses its address.
    pub fn keeps(&self, g: GlobalId) -> bool {
        let global = &self.unit.globals[g];
        global.linkage == Linkage::Internal && !global.is_volatile && !self.changed.contains(&g)
    }

    fn change(&mut self, place: &Place) {
        if let Some(ObjectKey::Global(g)) = root(self.unit, place) {
            self.changed.insert(g);
        }
    }
}

impl<'u> Visitor<'u> for Uses<'u> {
    fn expr(&mut self, e: &'u Expr) {
        match &e.kind {
            ExprKind::FunctionAddress(f) if !self.in_library && !self.taken.contains(f) => {
                self.taken.push(*f);
            }
            ExprKind::AddressOf(p) if !self.undone.contains(&e.id) => self.change(p),
            ExprKind::VaArg(p)
            | ExprKind::Assign { place: p, .. }
            | ExprKind::CompoundAssign { place: p, .. }
            | ExprKind::PointerAssign { place: p, .. }
            | ExprKind::IncDec { place: p, .. } => self.change(p),
            _ => {}
        }
    }

    fn place(&mut self, p: &'u Place) {
        let (PlaceKind::Deref(pointer), Some(found)) = (&p.kind, direct(self.unit, p)) else {
            return;
        };
        let address = match (&pointer.kind, found) {
            (ExprKind::PointerOffset { pointer, .. }, Direct::Element(..)) => pointer,
            _ => pointer,
        };
        self.undone.insert(address.id);
    }

    fn stmt(&mut self, s: &'u Stmt) {
        if let StmtKind::Asm(asm) = &s.kind {
            asm.outputs.iter().for_each(|o| self.change(&o.place));
        }
    }
}

//! Is a set of objects a case of a tree?
//!
//! The objects of the special state that are matched with a tree are walked over from the root: each has to be met exactly
//! once, by a child pointer, and all pointers that lead elsewhere have to be zero but for the one in the hole.

use super::entail::{Loose, Matching, Slot, is_own};
use super::state::{Cell, ObjectId, State};
use super::tree::{Tree, ZERO};
use super::value::{Base, End, Interval, Target, Val};
use std::collections::BTreeSet;

/// What a walk over the objects of a tree found.
pub(super) struct Ports {
    /// The object with the hole, and what is in it.
    pub hole: Option<(ObjectId, Val)>,
    /// Objects with their parents, all but the root.
    below: Vec<(ObjectId, ObjectId)>,
}

/// What the children of an object are that are not inside of it.
fn children(state: &State, x: ObjectId, tree: &Tree) -> Vec<Val> {
    match state.objects[&x].tree() {
        Some(own) if own.hole => vec![state.cell(x, own.hole_cell())],
        Some(_) => Vec::new(),
        None => tree.children.iter().map(|c| state.cell(x, *c)).collect(),
    }
}

/// The object that a child pointer leads to.
fn child(value: Val, tree: &Tree) -> Option<ObjectId> {
    match (value.base, value.offset.exact()) {
        (Some(Base::Address(t)), Some(to)) if t.end == End::First && to == tree.to => {
            Some(t.object)
        }
        _ => None,
    }
}

impl Matching<'_> {
    /// Matches what hangs below an object with a tree; other pointers to be followed.
    pub fn note_tree(&mut self, root: ObjectId, general: ObjectId, tree: &Tree) -> Vec<(Val, Val)> {
        let (s, g) = (self.special, self.general);
        let mut pairs = Vec::new();
        let mut all: Vec<ObjectId> = vec![root];
        let mut next = 0;
        while let Some(&x) = all.get(next) {
            next += 1;
            for value in children(s, x, tree) {
                let below = child(value, tree).filter(|y| s.objects.contains_key(y));
                let free = |y: &ObjectId| {
                    let named = self.announced.get(y);
                    let free = !self.to.contains_key(y) && named.is_none_or(|n| *n == general);
                    free && !all.contains(y) && s.fresh != Some(*y)
                };
                match below
                    .filter(free)
                    .filter(|y| !self.ends(*y, x, general, tree))
                {
                    Some(y) => all.push(y),
                    None if tree.hole => pairs.push((value, g.cell(general, tree.hole_cell()))),
                    None => {}
                }
            }
        }
        for &x in &all {
            self.to.insert(x, general);
            for (&cell, &value) in &g.objects[&general].cells {
                if !tree.is_link(cell) && value.target().is_some_and(|t| t.object != general) {
                    pairs.push((s.cell(x, cell), value));
                }
            }
        }
        if let Some((p, _)) = tree.parent {
            pairs.push((s.cell(root, p), g.cell(general, p)));
        }
        self.from.insert(general, all);
        pairs
    }

    /// Does the tree of the general state seem to end with `x`, so that its child `y` is what stands in the hole?
    fn ends(&self, y: ObjectId, x: ObjectId, general: ObjectId, tree: &Tree) -> bool {
        let (s, g) = (self.special, self.general);
        let hole = child(g.cell(general, tree.hole_cell()), tree);
        let Some(hole) = hole.filter(|_| tree.hole) else {
            return false;
        };
        if s.objects[&x].tree().is_some_and(|t| t.hole) {
            return true;
        }
        let (Some(one), Some(other)) = (s.objects.get(&y), g.objects.get(&hole)) else {
            return false;
        };
        let zero = |state: &State, id: ObjectId, c: &Cell| state.cell(id, *c) == ZERO;
        let mut cells = tree.children.iter();
        one.kind == other.kind && cells.all(|c| zero(s, y, c) == zero(g, hole, c))
    }

    /// Walks over the objects that a tree stands for; `None` if they are no tree.
    ///
    /// Sound because each object but the root is met by exactly one child pointer of another one that was met, so that they
    /// are a tree, and every other child is zero or noted as the hole, of which there is at most one.
    pub fn ports(&self, general: ObjectId, tree: &Tree, all: &[ObjectId]) -> Option<Ports> {
        let s = self.special;
        let root = *all.first()?;
        let mut out = Ports {
            hole: None,
            below: Vec::new(),
        };
        let mut met: BTreeSet<ObjectId> = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(x) = open.pop() {
            for value in children(s, x, tree) {
                if value == ZERO {
                    continue;
                }
                match child(value, tree).filter(|y| self.to.get(y) == Some(&general)) {
                    Some(y) => {
                        met.insert(y).then_some(())?;
                        out.below.push((y, x));
                        open.push(y);
                    }
                    None => {
                        out.hole.is_none().then_some(())?;
                        out.hole = Some((x, value));
                    }
                }
            }
        }
        (met.len() == all.len()).then_some(out)
    }

    /// The cells of the objects that a tree of the general state stands for.
    pub fn tree(
        &self,
        general: ObjectId,
        tree: &Tree,
        all: &[ObjectId],
        loose: &mut Loose,
    ) -> Option<()> {
        let (s, g) = (self.special, self.general);
        let ports = self.ports(general, tree, all)?;
        let root = *all.first()?;
        match ports.hole {
            Some((x, value)) if tree.hole => {
                // What stands there is not in the tree.
                let known = g.cell(general, tree.hole_cell());
                let slot = Slot::Cell(general, tree.hole_cell());
                known
                    .target()
                    .is_some_and(|t| t.object != general)
                    .then_some(())?;
                self.value(value, known, slot, Some((x, general)), loose)?;
            }
            None if !tree.hole => {}
            _ => return None,
        }
        if let Some((p, at)) = tree.parent {
            for &(x, above) in &ports.below {
                let end = match s.is_many(above) {
                    true => End::Last,
                    false => End::First,
                };
                let target = Target { object: above, end };
                (s.cell(x, p) == Val::address(target, Interval::number(at))).then_some(())?;
            }
            let slot = Slot::Cell(general, p);
            self.value(s.cell(root, p), g.cell(general, p), slot, None, loose)?;
        }
        for &x in all {
            let own = &s.objects[&x];
            // The links are cells that every object has.
            let has = |c: Cell| own.cells.contains_key(&c);
            tree.children.iter().all(|c| has(*c)).then_some(())?;
            let mut cells: BTreeSet<Cell> = g.objects[&general].cells.keys().copied().collect();
            cells.extend(own.cells.keys());
            for cell in cells.into_iter().filter(|c| !tree.is_link(*c)) {
                let (mine, theirs) = (s.cell(x, cell), g.cell(general, cell));
                match theirs.target().is_some_and(|t| t.object == general) {
                    true => is_own(mine, theirs, x).then_some(())?,
                    false => {
                        let slot = Slot::Cell(general, cell);
                        self.value(mine, theirs, slot, None, loose)?;
                    }
                }
            }
            self.rests(general, x, loose)?;
        }
        Some(())
    }
}

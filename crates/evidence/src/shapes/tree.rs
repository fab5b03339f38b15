//! Trees of any size as one object.
//!
//! ```text
//!   root -> [ tree ]                               each object's children are zero or objects of the tree
//!   root -> [ tree with a hole ] -> cur -> ...     a walk downwards: one child of one object is `cur`
//! ```
//! Each object of a tree but its root is a child of exactly one other. What a statement looks at is taken out first: the
//! root, each of whose children is zero or a tree again (with a hole: one of them has it or is what stands there), or
//! the object with the hole (`End::Last`), which trees with pointers to parents know. At loop heads an object and its child
//! become a tree if nobody else points to the child (`fold_tree`).
//!
//! Which cells are children is seen where an object has two (`Branching::of`).
//!
//! Source: Berdine, Calcagno, O'Hearn, "Symbolic execution with separation logic" (APLAS 2005), its predicate `tree`; the hole
//! is that of tree segments (Holík et al., "Fully automated shape analysis based on forest automata", CAV 2013, get
//! by with it too).
//!
//! Sound because the cases of `unfolded_tree` are all there are for the root, or for the object with the hole, by what a
//! tree is; folding is not believed (`entail`, `closed`).

use super::facts::Name;
use super::fold::Folding;
use super::state::{Cell, Kind, Object, ObjectId, State, set, single};
use super::value::{Base, End, Interval, Target, Val, gcd};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How the objects of a tree hang together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    /// Cells that point to children, in order.
    pub children: Vec<Cell>,
    /// Where in a child they point to.
    pub to: i128,
    /// The cell that points to the parent, and where to.
    pub parent: Option<(Cell, i128)>,
    /// One child of one object is what the first of `children` of the tree holds.
    pub hole: bool,
}

impl Tree {
    /// Cells that are not the same in all objects of a tree.
    pub fn links(&self) -> impl Iterator<Item = Cell> {
        let parent = self.parent.map(|(p, _)| p);
        self.children.iter().copied().chain(parent)
    }

    pub fn is_link(&self, cell: Cell) -> bool {
        self.links().any(|c| c == cell)
    }

    /// Where the tree keeps what stands in its hole.
    pub fn hole_cell(&self) -> Cell {
        self.children[0]
    }

    /// Made of the same kind of objects.
    pub fn is_like(&self, other: &Tree) -> bool {
        self.children == other.children && self.to == other.to && self.parent == other.parent
    }
}

pub(super) const ZERO: Val = Val {
    base: None,
    offset: Interval {
        low: Some(0),
        high: Some(0),
    },
};

/// What a child of the root is in one case.
#[derive(Clone, Copy, PartialEq)]
enum Child {
    Zero,
    Tree,
    /// What stands in the hole.
    Hole,
    TreeWithHole,
}

/// All ways in which the children of one object can be.
fn ways(children: usize, hole: bool, deeper: bool) -> Vec<Vec<Child>> {
    let mut out: Vec<Vec<Child>> = vec![Vec::new()];
    for _ in 0..children {
        let mut next = Vec::new();
        for way in &out {
            let with_hole = |c: &Child| matches!(c, Child::Hole | Child::TreeWithHole);
            let mut all = vec![Child::Zero, Child::Tree];
            if hole && !way.iter().any(with_hole) {
                all.push(Child::Hole);
                if deeper {
                    all.push(Child::TreeWithHole);
                }
            }
            for child in all {
                let mut way = way.clone();
                way.push(child);
                next.push(way);
            }
        }
        out = next;
    }
    let holes = |way: &Vec<Child>| {
        let with_hole = |c: &&Child| matches!(c, Child::Hole | Child::TreeWithHole);
        way.iter().filter(with_hole).count()
    };
    out.retain(|way| holes(way) == usize::from(hole));
    out
}

impl State {
    /// A tree whose root, or whose object with the hole, is an object of its own.
    pub fn unfolded_tree(&self, target: Target, tree: &Rc<Tree>) -> Vec<State> {
        let mut out = Vec::new();
        let id = target.object;
        let last = Target {
            object: id,
            end: End::Last,
        };
        let deeper = target.end == End::First;
        for way in ways(tree.children.len(), tree.hole, deeper) {
            // The object is the root.
            let mut state = self.clone();
            state.forget_object_facts(|x| x == id);
            if let Some(object) = state.object_mut(id) {
                object.kind = Kind::Single;
            }
            let hole = self.cell(id, tree.hole_cell());
            state.children(id, id, tree, &way, hole);
            state.redirect(last, single(id));
            out.push(state);
            if deeper || !tree.hole {
                continue;
            }
            // The tree goes on to it.
            let mut state = self.clone();
            state.forget_object_facts(|x| x == id);
            let low = state.like(id, tree, false);
            if let Some(object) = state.object_mut(low) {
                object.kind = Kind::Single;
            }
            state.redirect(last, single(low));
            state.children(low, id, tree, &way, hole);
            if let Some((p, at)) = tree.parent {
                let above = Val::address(last, Interval::number(at));
                set(&mut state, low, p, above);
            }
            let here = Val::address(single(low), Interval::number(tree.to));
            set(&mut state, id, tree.hole_cell(), here);
            out.push(state);
        }
        out
    }

    /// Gives an object the children of a way; trees among them are like the tree `model`.
    fn children(
        &mut self,
        id: ObjectId,
        model: ObjectId,
        tree: &Rc<Tree>,
        way: &[Child],
        hole: Val,
    ) {
        let pattern = Object::clone(&self.objects[&model]);
        for (&cell, child) in tree.children.iter().zip(way) {
            let value = match child {
                Child::Zero => ZERO,
                Child::Hole => hole,
                Child::Tree | Child::TreeWithHole => {
                    let with_hole = *child == Child::TreeWithHole;
                    let new = self.add_like(&pattern, model, tree, with_hole);
                    if with_hole {
                        set(self, new, tree.hole_cell(), hole);
                        let end = |object| Target {
                            object,
                            end: End::Last,
                        };
                        self.redirect(end(id), end(new));
                    }
                    if let Some((p, at)) = tree.parent {
                        let above = Val::address(single(id), Interval::number(at));
                        set(self, new, p, above);
                    }
                    Val::address(single(new), Interval::number(tree.to))
                }
            };
            set(self, id, cell, value);
        }
    }

    /// Adds a tree like another one.
    fn like(&mut self, id: ObjectId, tree: &Rc<Tree>, hole: bool) -> ObjectId {
        let pattern = Object::clone(&self.objects[&id]);
        self.add_like(&pattern, id, tree, hole)
    }

    fn add_like(
        &mut self,
        pattern: &Object,
        own: ObjectId,
        tree: &Rc<Tree>,
        hole: bool,
    ) -> ObjectId {
        let mut object = pattern.clone();
        let new = self.next_id;
        object.kind = Kind::Tree(Rc::new(Tree {
            hole,
            ..Tree::clone(tree)
        }));
        // In a tree its own address is that of each object.
        let renamed = |value: &mut Val| {
            if let Some(base) = value.base
                && base.target().object == own
            {
                value.base = Some(base.at(single(new)));
            }
        };
        for (cell, value) in &mut object.cells {
            match tree.is_link(*cell) {
                true => *value = ZERO,
                false => renamed(value),
            }
        }
        for &cell in &tree.children {
            object.cells.insert(cell, ZERO);
        }
        object.rest.values_mut().for_each(renamed);
        self.add_object(object)
    }
}

/// A kind of object that has more than one child.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Branching {
    pub tree: Tree,
    extent: i128,
}

impl Branching {
    /// Is the cell one that points to a child or the parent, in objects like this one?
    pub fn has_link(&self, object: &Object, cell: Cell) -> bool {
        object.extent == self.extent && self.tree.is_link(cell)
    }

    /// The kind of an object of the state that has two children, if it is none of those known.
    pub fn of(state: &State, known: &[Branching]) -> Option<Branching> {
        for (&a, object) in &state.objects {
            if !object.is_single() || object.owner.is_some() {
                continue;
            }
            let known = |c: Cell| known.iter().any(|k| k.has_link(object, c));
            let points: Vec<(Cell, i128, ObjectId)> = object
                .cells
                .iter()
                .filter_map(|(&cell, &value)| {
                    let (to, x) = child(state, value)?;
                    let other = state.objects.get(&x)?;
                    let alike = x != a && other.extent == object.extent;
                    let fits = other.tree().is_none() && other.owner.is_none();
                    (alike && fits).then_some((cell, to, x))
                })
                .collect();
            for (n, &(c, to, x)) in points.iter().enumerate() {
                for &(d, at, y) in &points[n + 1..] {
                    let children: Vec<Cell> = [c, d].into();
                    if x == y || to != at || known(c) && known(d) {
                        continue;
                    }
                    // Their children are others, if they have some; a chain goes from child to child.
                    let apart = |z: ObjectId| {
                        let links = state.objects[&z].links();
                        if links.is_some_and(|l| !children.contains(&l.next)) {
                            return false;
                        }
                        let mut cells = children.iter().map(|c| state.cell(z, *c));
                        cells.all(|v| match v.target() {
                            Some(t) => ![a, x, y].contains(&t.object) && v.base == address(t),
                            None => v == ZERO,
                        })
                    };
                    if !apart(x) || !apart(y) {
                        continue;
                    }
                    let back = |(&p, v): (&Cell, &Val)| {
                        let own = v.base == address(single(a)) && !children.contains(&p);
                        let at = v.offset.exact().filter(|_| own)?;
                        (state.cell(y, p) == *v).then_some((p, at))
                    };
                    let parent = state.objects[&x].cells.iter().find_map(back);
                    return Some(Branching {
                        tree: Tree {
                            children,
                            to,
                            parent,
                            hole: false,
                        },
                        extent: object.extent,
                    });
                }
            }
        }
        None
    }

    /// Adds a kind; one that shares a child with another makes it larger.
    pub fn add(self, known: &mut Vec<Branching>) {
        let same = |k: &&mut Branching| {
            let shares = |c: &Cell| self.tree.children.contains(c);
            k.extent == self.extent
                && k.tree.to == self.tree.to
                && k.tree.children.iter().any(shares)
        };
        match known.iter_mut().find(same) {
            Some(old) => {
                old.tree.children.extend(&self.tree.children);
                old.tree.children.sort_unstable();
                old.tree.children.dedup();
                if old.tree.parent != self.tree.parent {
                    old.tree.parent = None;
                }
            }
            None => known.push(self),
        }
    }
}

fn address(target: Target) -> Option<Base> {
    Some(Base::Address(target))
}

/// Where in which object a pointer to the start of something leads.
fn child(state: &State, value: Val) -> Option<(i128, ObjectId)> {
    let Some(Base::Address(t)) = value.base else {
        return None;
    };
    let to = value.offset.exact()?;
    let fine = t.end == End::First && state.fresh != Some(t.object);
    fine.then_some((to, t.object))
}

/// Makes a tree of an object and a child of it; says which object is the tree then, and what else it is made of.
pub(super) fn fold_tree(
    state: &mut State,
    how: Folding,
    kinds: &[Branching],
) -> Option<(ObjectId, Vec<ObjectId>)> {
    for kind in kinds {
        let ids: Vec<ObjectId> = state.objects.keys().copied().collect();
        for a in ids {
            let merging = Merging { state, kind, how };
            if let Some((parts, hole)) = merging.parts(a) {
                merge(state, kind, a, &parts, hole);
                return Some((a, parts));
            }
        }
    }
    None
}

struct Merging<'a> {
    state: &'a State,
    kind: &'a Branching,
    how: Folding,
}

impl Merging<'_> {
    /// What becomes one tree with an object, and what its hole holds.
    fn parts(&self, a: ObjectId) -> Option<(Vec<ObjectId>, Option<Val>)> {
        if !self.fits(a) {
            return None;
        }
        let own = self.ports(a);
        'child: for (n, &b) in own.iter().enumerate() {
            let Some(b) = self
                .child(a, b)
                .filter(|b| self.state.objects.contains_key(b))
            else {
                continue;
            };
            let mut parts = vec![b];
            let mut holes = Vec::new();
            let rest = own.iter().enumerate().filter(|(m, _)| *m != n);
            let rest = rest.map(|(_, v)| (a, *v));
            let below = self.ports(b).into_iter().map(|v| (b, v));
            for (holder, value) in rest.chain(below) {
                match self.child(holder, value) {
                    Some(x) if self.is_whole(x) => parts.push(x),
                    _ if value == ZERO => {}
                    // Where a walk is, it is known which child comes next.
                    _ if holder == a => continue 'child,
                    _ => holes.push(value),
                }
            }
            if holes.len() > 1 || holes.iter().any(|v| v.target().is_none()) {
                continue;
            }
            if holes.is_empty() && self.is_compared(a) {
                return None;
            }
            let inside = |v: &Val| {
                v.target()
                    .is_some_and(|t| t.object == a || parts.contains(&t.object))
            };
            let distinct: BTreeSet<&ObjectId> = parts.iter().collect();
            if holes.iter().any(inside) || distinct.len() != parts.len() {
                continue;
            }
            if parts.iter().all(|x| self.alike(a, *x)) {
                return Some((parts, holes.pop()));
            }
        }
        None
    }

    /// Is it an object that a variable points to, and known how its numbers relate to others? That would be lost: where a
    /// walk by keys ends, what it compared last says on which side the object that it came to has no child.
    fn is_compared(&self, a: ObjectId) -> bool {
        let tree = &self.kind.tree;
        let number = |n: Name| matches!(n, Name::Cell(o, c) if o == a && !tree.is_link(c));
        let mut facts = self.state.facts.all.iter().flat_map(|f| &f.form);
        self.how.facts
            && !self.state.is_many(a)
            && facts.any(|t| number(t.0))
            && self.state.is_named(a)
    }

    /// Could it be part of a tree of this kind?
    fn fits(&self, x: ObjectId) -> bool {
        let Some(object) = self.state.objects.get(&x) else {
            return false;
        };
        let kind = match &object.kind {
            Kind::Single => true,
            Kind::Chain(_) | Kind::Row => false,
            Kind::Tree(tree) => tree.is_like(&self.kind.tree),
        };
        let tree = &self.kind.tree;
        let known = tree.children.iter().all(|c| object.cells.contains_key(c));
        let extent = object.extent == self.kind.extent && !self.state.holds_table(x);
        kind && known && extent && object.owner.is_none() && self.state.fresh != Some(x)
    }

    /// A tree without a hole, or a leaf.
    fn is_whole(&self, x: ObjectId) -> bool {
        self.ports(x).iter().all(|v| *v == ZERO)
    }

    /// What the children are that are not inside.
    fn ports(&self, x: ObjectId) -> Vec<Val> {
        let tree = &self.kind.tree;
        let object = &self.state.objects[&x];
        match object.tree() {
            Some(own) if own.hole => vec![self.state.cell(x, own.hole_cell())],
            Some(_) => Vec::new(),
            None => {
                let cells = tree.children.iter();
                cells.map(|c| self.state.cell(x, *c)).collect()
            }
        }
    }

    /// The object that a child of another is, if that can be in the same tree.
    fn child(&self, holder: ObjectId, value: Val) -> Option<ObjectId> {
        let (to, x) = child(self.state, value)?;
        let fits = to == self.kind.tree.to && x != holder && self.fits(x);
        (fits && self.is_only_child_of(x, holder)).then_some(x)
    }

    /// Does only one child pointer of the holder lead to an object, and do only its children point back?
    fn is_only_child_of(&self, x: ObjectId, holder: ObjectId) -> bool {
        let state = self.state;
        let tree = &self.kind.tree;
        let points = |v: &Val| v.target().is_some_and(|t| t.object == x);
        let names = state.vars.values().chain(state.statics.values());
        let names = names.chain(state.defaults.values());
        let mut names = names.chain(state.static_defaults.values());
        if names.any(points) {
            return false;
        }
        let mut count = 0;
        for (&id, object) in &state.objects {
            if object.rest.values().any(points) {
                return false;
            }
            for (&cell, _) in object.cells.iter().filter(|(_, v)| points(v)) {
                let own = id == x && !tree.is_link(cell);
                let back = tree.parent.is_some_and(|(p, _)| p == cell) && id != x;
                if own || back {
                    continue;
                }
                if id != holder || !tree.children.contains(&cell) {
                    return false;
                }
                count += 1;
            }
        }
        if let Some((p, at)) = tree.parent {
            let end = match state.is_many(holder) {
                true => End::Last,
                false => End::First,
            };
            let target = Target {
                object: holder,
                end,
            };
            if state.cell(x, p) != Val::address(target, Interval::number(at)) {
                return false;
            }
        }
        count == 1
    }

    /// Do the two hold the same but for numbers?
    fn alike(&self, a: ObjectId, b: ObjectId) -> bool {
        let state = self.state;
        let (one, other) = (&state.objects[&a], &state.objects[&b]);
        let mut arrays = one.rest.keys().chain(other.rest.keys());
        let pointer = |v: Val| v.base.is_some();
        if !arrays.all(|&v| state.rest(a, v) == state.rest(b, v) && !pointer(state.rest(a, v))) {
            return false;
        }
        let tree = &self.kind.tree;
        let mut cells = one.cells.keys().chain(other.cells.keys());
        cells.all(|&cell| {
            let (v, w) = (state.cell(a, cell), state.cell(b, cell));
            match (v.base, w.base) {
                _ if tree.is_link(cell) => true,
                (None, None) => {
                    let by_block = cell.1 == 0 && state.defaults.contains_key(&cell.0);
                    v == w || self.how.numbers && !by_block
                }
                (Some(p), Some(q)) => {
                    let own =
                        p.target() == single(a) && q.at(single(a)) == p && q.target() == single(b);
                    (own || p == q && p.target().object != a) && v.offset == w.offset
                }
                _ => false,
            }
        })
    }
}

fn merge(state: &mut State, kind: &Branching, a: ObjectId, parts: &[ObjectId], hole: Option<Val>) {
    let tree = &kind.tree;
    let is_part = |x: ObjectId| x == a || parts.contains(&x);
    state.forget_object_facts(is_part);
    let mut object = Object::clone(&state.objects[&a]);
    for &x in parts {
        let other = state.objects[&x].clone();
        object.align = gcd(object.align, other.align);
        let mut cells: BTreeSet<Cell> = object.cells.keys().copied().collect();
        cells.extend(other.cells.keys());
        for cell in cells.into_iter().filter(|c| !tree.is_link(*c)) {
            let own = match object.cells.get(&cell) {
                Some(value) => *value,
                None => state.rest(a, cell.0),
            };
            let value = Val {
                base: own.base,
                offset: own.offset.hull(state.cell(x, cell).offset),
            };
            object.cells.insert(cell, value);
        }
    }
    for &cell in &tree.children {
        object.cells.insert(cell, ZERO);
    }
    if let Some(hole) = hole {
        object.cells.insert(tree.hole_cell(), hole);
    }
    object.kind = Kind::Tree(Rc::new(Tree {
        hole: hole.is_some(),
        ..tree.clone()
    }));
    for x in parts {
        state.objects.remove(x);
    }
    state.objects.insert(a, Rc::new(object));
    // Only what stands in the hole may still know an object inside, as its parent.
    let last = Target {
        object: a,
        end: End::Last,
    };
    if let (Some((p, at)), Some(t)) = (tree.parent, hole.and_then(|h| h.target())) {
        let above = state.cell(t.object, p);
        let inside = above.target().is_some_and(|t| is_part(t.object));
        if inside && above.offset == Interval::number(at) {
            set(state, t.object, p, Val::address(last, Interval::number(at)));
        }
    }
    for &x in parts {
        for end in [End::First, End::Last] {
            state.redirect(Target { object: x, end }, last);
        }
    }
}

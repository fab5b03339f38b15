//! The algebra of the points-to analysis: nodes (classes of objects), cells (bit offsets in a
//! node), values (classes of scalar values with the cell they may point to). Unification makes
//! classes coarser; it never splits.
//!
//! Terms. Offsets in a node are *labels*: two objects merged with a shift keep their relative
//! position, the origin does not matter. A node may be folded: labels equal modulo `modulus`
//! (pointer arithmetic over the whole object) or inside an interval (an array member) are one.
//!
//! ```text
//!   struct { int n; char name[8]; } s;   s.name[i] = 0;
//!   labels of s: 0 (n), 32 (name); fold [32, 96) stride 8
//! ```
//! Source: Steensgaard, POPL 1996; fields as in Lattner's data structure graphs (2005), without
//! types: a label is whatever offset is accessed. Union-find is ours: classes carry shifts and folds.
//!
//! Invariant: after every public call, if values `a`, `b` are one class then their targets are one
//! cell, and a field (root, canonical label) has one value class.

use super::super::hir::FuncId;
use super::super::lower::scalar::Scalar;
use std::collections::{BTreeMap, BTreeSet};

pub type NodeId = u32;
pub type ValueId = u32;
pub type ObjectId = u32;

/// A bit offset in a node.
pub type Cell = (NodeId, i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fold {
    low: i64,
    high: i64,
    stride: i64,
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    parent: NodeId,
    /// Label in the parent = label + shift.
    shift: i64,
    /// 0: not folded as a whole.
    modulus: i64,
    folds: Vec<Fold>,
    fields: BTreeMap<i64, ValueId>,
    /// Canonical label and kind of every scalar access.
    pub accesses: BTreeSet<(i64, Scalar)>,
    /// Objects and the label of their first bit.
    pub objects: Vec<(ObjectId, i64)>,
    pub functions: BTreeSet<FuncId>,
    signature: Option<usize>,
    /// Memory the program did not make may be here.
    pub external: bool,
}

#[derive(Clone, Debug)]
struct Value {
    parent: ValueId,
    target: Option<Cell>,
    /// Bits before and after the target that pointer arithmetic stays in; `None`: whole object.
    extent: Option<(i64, i64)>,
    /// Greatest common divisor of the steps of arithmetic on this value; 0: none.
    stride: i64,
}

/// Parameter and return values of the functions of a node.
#[derive(Clone, Debug, Default)]
struct Signature {
    params: Vec<ValueId>,
    ret: Option<ValueId>,
}

#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    values: Vec<Value>,
    signatures: Vec<Signature>,
    pending: Vec<Work>,
}

enum Work {
    Join(ValueId, ValueId),
    Unify(Cell, Cell),
    Refold(ValueId),
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Graph {
    pub fn node(&mut self) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            parent: id,
            ..Node::default()
        });
        id
    }

    pub fn value(&mut self) -> ValueId {
        let id = self.values.len() as ValueId;
        self.values.push(Value {
            parent: id,
            target: None,
            extent: None,
            stride: 0,
        });
        id
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The root of a cell's node and its canonical label.
    pub fn find(&mut self, cell: Cell) -> Cell {
        let (root, shift) = self.root(cell.0);
        (root, canonical(&self.nodes[root as usize], cell.1 + shift))
    }

    fn root(&mut self, node: NodeId) -> (NodeId, i64) {
        let (mut n, mut shift) = (node, 0);
        while self.nodes[n as usize].parent != n {
            shift += self.nodes[n as usize].shift;
            n = self.nodes[n as usize].parent;
        }
        let (root, total) = (n, shift);
        // Path compression.
        let (mut n, mut rest) = (node, total);
        while self.nodes[n as usize].parent != root && n != root {
            let next = self.nodes[n as usize].parent;
            let own = self.nodes[n as usize].shift;
            self.nodes[n as usize].parent = root;
            self.nodes[n as usize].shift = rest;
            rest -= own;
            n = next;
        }
        (root, total)
    }

    /// The label of a cell in its root, before folding.
    pub fn plain(&mut self, cell: Cell) -> Cell {
        let (root, shift) = self.root(cell.0);
        (root, cell.1 + shift)
    }

    pub fn root_data(&self, root: NodeId) -> &Node {
        &self.nodes[root as usize]
    }

    pub fn is_root(&self, node: NodeId) -> bool {
        self.nodes[node as usize].parent == node
    }

    pub fn canonical_in(&self, root: NodeId, label: i64) -> i64 {
        canonical(&self.nodes[root as usize], label)
    }

    fn value_root(&mut self, value: ValueId) -> ValueId {
        let mut v = value;
        while self.values[v as usize].parent != v {
            let p = self.values[v as usize].parent;
            self.values[v as usize].parent = self.values[p as usize].parent;
            v = p;
        }
        v
    }

    /// What a value may point to.
    pub fn target(&mut self, value: ValueId) -> Option<Cell> {
        let v = self.value_root(value);
        let cell = self.values[v as usize].target?;
        Some(self.plain(cell))
    }

    /// What a value points to when it is dereferenced: a node of its own if nothing is known yet.
    pub fn deref(&mut self, value: ValueId) -> Cell {
        if let Some(cell) = self.target(value) {
            return cell;
        }
        let node = self.node();
        self.point(value, (node, 0), None);
        (node, 0)
    }

    /// The value may point to the cell; `extent` as in [`Value`].
    pub fn point(&mut self, value: ValueId, cell: Cell, extent: Option<(i64, i64)>) {
        let fresh = self.value();
        self.values[fresh as usize].target = Some(cell);
        self.values[fresh as usize].extent = extent;
        self.join(value, fresh);
    }

    /// Arithmetic moves the value by multiples of `stride` bits.
    pub fn arithmetic(&mut self, value: ValueId, stride: i64) {
        let v = self.value_root(value);
        let data = &mut self.values[v as usize];
        let stride = gcd(data.stride, stride.max(1));
        if stride != data.stride {
            data.stride = stride;
            self.pending.push(Work::Refold(v));
            self.solve();
        }
    }

    pub fn extent(&mut self, value: ValueId) -> Option<(i64, i64)> {
        let v = self.value_root(value);
        self.values[v as usize].extent
    }

    pub fn join(&mut self, a: ValueId, b: ValueId) {
        self.pending.push(Work::Join(a, b));
        self.solve();
    }

    pub fn unify(&mut self, a: Cell, b: Cell) {
        self.pending.push(Work::Unify(a, b));
        self.solve();
    }

    /// The value class stored at a cell.
    pub fn content(&mut self, cell: Cell) -> ValueId {
        let (root, label) = self.find(cell);
        if let Some(&v) = self.nodes[root as usize].fields.get(&label) {
            return v;
        }
        let v = self.value();
        self.nodes[root as usize].fields.insert(label, v);
        v
    }

    pub fn access(&mut self, cell: Cell, scalar: Scalar) {
        let (root, label) = self.find(cell);
        self.nodes[root as usize].accesses.insert((label, scalar));
    }

    pub fn add_object(&mut self, cell: Cell, object: ObjectId) {
        let (root, label) = self.plain(cell);
        self.nodes[root as usize].objects.push((object, label));
    }

    pub fn set_external(&mut self, cell: Cell) {
        let (root, _) = self.plain(cell);
        self.nodes[root as usize].external = true;
    }

    pub fn add_function(&mut self, node: NodeId, f: FuncId, params: Vec<ValueId>, ret: ValueId) {
        let (root, _) = self.root(node);
        self.nodes[root as usize].functions.insert(f);
        self.attach(
            root,
            Signature {
                params,
                ret: Some(ret),
            },
        );
        self.solve();
    }

    /// The functions a node holds take these arguments and return this value.
    pub fn call(&mut self, cell: Cell, params: Vec<ValueId>, ret: Option<ValueId>) {
        let (root, _) = self.root(cell.0);
        self.attach(root, Signature { params, ret });
        self.solve();
    }

    fn attach(&mut self, root: NodeId, other: Signature) {
        let Some(s) = self.nodes[root as usize].signature else {
            self.signatures.push(other);
            self.nodes[root as usize].signature = Some(self.signatures.len() - 1);
            return;
        };
        let mine = &mut self.signatures[s];
        for (i, &p) in other.params.iter().enumerate() {
            match mine.params.get(i) {
                Some(&q) => self.pending.push(Work::Join(p, q)),
                None => mine.params.push(p),
            }
        }
        match (mine.ret, other.ret) {
            (Some(a), Some(b)) => self.pending.push(Work::Join(a, b)),
            (None, Some(b)) => mine.ret = Some(b),
            _ => {}
        }
    }

    /// Bits `[low, high)` of the cell's object are an array of elements of `stride` bits, indexed
    /// by something unknown.
    pub fn fold(&mut self, cell: Cell, length: Option<i64>, stride: i64) {
        let (root, low) = self.plain(cell);
        self.fold_root(root, length.map(|n| (low, low + n)), stride.max(1));
        self.solve();
    }

    fn fold_root(&mut self, root: NodeId, range: Option<(i64, i64)>, stride: i64) {
        let node = &mut self.nodes[root as usize];
        let before = (node.modulus, node.folds.clone());
        match range {
            None => set_modulus(node, stride),
            Some((low, high)) if high - low > stride => add_fold(node, Fold { low, high, stride }),
            Some(_) => {}
        }
        if (node.modulus, &node.folds) != (before.0, &before.1) {
            self.relabel(root);
        }
    }

    /// Brings fields and accesses to canonical labels after the folding changed.
    fn relabel(&mut self, root: NodeId) {
        let fields = std::mem::take(&mut self.nodes[root as usize].fields);
        for (label, v) in fields {
            let label = canonical(&self.nodes[root as usize], label);
            match self.nodes[root as usize].fields.get(&label) {
                Some(&w) => self.pending.push(Work::Join(v, w)),
                None => {
                    self.nodes[root as usize].fields.insert(label, v);
                }
            }
        }
        let accesses = std::mem::take(&mut self.nodes[root as usize].accesses);
        let node = &mut self.nodes[root as usize];
        node.accesses = accesses
            .into_iter()
            .map(|(label, s)| (canonical(node, label), s))
            .collect();
    }

    fn solve(&mut self) {
        while let Some(work) = self.pending.pop() {
            match work {
                Work::Join(a, b) => self.join_values(a, b),
                Work::Unify(a, b) => self.unify_cells(a, b),
                Work::Refold(v) => self.refold(v),
            }
        }
    }

    fn refold(&mut self, value: ValueId) {
        let v = self.value_root(value);
        let Value {
            target,
            extent,
            stride,
            ..
        } = self.values[v as usize];
        if let (Some(cell), true) = (target, stride != 0) {
            let (root, at) = self.plain(cell);
            let range = extent.map(|(before, after)| (at - before, at + after));
            self.fold_root(root, range, stride);
        }
    }

    fn join_values(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.value_root(a), self.value_root(b));
        if a == b {
            return;
        }
        let other = self.values[b as usize].clone();
        self.values[b as usize].parent = a;
        let mine = &mut self.values[a as usize];
        mine.stride = gcd(mine.stride, other.stride);
        match (mine.target, other.target) {
            (None, _) => {
                mine.target = other.target;
                mine.extent = other.extent;
            }
            (Some(x), Some(y)) => {
                mine.extent = match (mine.extent, other.extent) {
                    (Some(p), Some(q)) => Some((p.0.max(q.0), p.1.max(q.1))),
                    _ => None,
                };
                self.pending.push(Work::Unify(x, y));
            }
            _ => {}
        }
        if self.values[a as usize].stride != 0 {
            self.pending.push(Work::Refold(a));
        }
    }

    fn unify_cells(&mut self, a: Cell, b: Cell) {
        let ((ra, la), (rb, lb)) = (self.plain(a), self.plain(b));
        if ra == rb {
            if la != lb
                && canonical(&self.nodes[ra as usize], la)
                    != canonical(&self.nodes[ra as usize], lb)
            {
                self.fold_root(ra, None, gcd(la - lb, 0));
            }
            return;
        }
        // The smaller node moves.
        let weight = |n: &Node| n.fields.len() + n.accesses.len() + n.objects.len();
        let (keep, keep_label, moved, moved_label) =
            if weight(&self.nodes[ra as usize]) >= weight(&self.nodes[rb as usize]) {
                (ra, la, rb, lb)
            } else {
                (rb, lb, ra, la)
            };
        let shift = keep_label - moved_label;
        let old = std::mem::take(&mut self.nodes[moved as usize]);
        self.nodes[moved as usize].parent = keep;
        self.nodes[moved as usize].shift = shift;
        if old.modulus != 0 {
            self.fold_root(keep, None, old.modulus);
        }
        for f in &old.folds {
            self.fold_root(keep, Some((f.low + shift, f.high + shift)), f.stride);
        }
        for (label, v) in old.fields {
            let label = canonical(&self.nodes[keep as usize], label + shift);
            match self.nodes[keep as usize].fields.get(&label) {
                Some(&w) => self.pending.push(Work::Join(v, w)),
                None => {
                    self.nodes[keep as usize].fields.insert(label, v);
                }
            }
        }
        for (label, s) in old.accesses {
            let label = canonical(&self.nodes[keep as usize], label + shift);
            self.nodes[keep as usize].accesses.insert((label, s));
        }
        let node = &mut self.nodes[keep as usize];
        node.objects
            .extend(old.objects.into_iter().map(|(o, l)| (o, l + shift)));
        node.functions.extend(old.functions);
        node.external |= old.external;
        if let Some(s) = old.signature {
            let signature = std::mem::take(&mut self.signatures[s]);
            self.attach(keep, signature);
        }
    }

    /// The roots that the fields of a root point to.
    pub fn pointees(&mut self, root: NodeId) -> Vec<NodeId> {
        let fields: Vec<ValueId> = self.nodes[root as usize].fields.values().copied().collect();
        let mut out: Vec<NodeId> = fields
            .into_iter()
            .filter_map(|v| Some(self.target(v)?.0))
            .collect();
        out.dedup();
        out
    }

    /// Marks a root as holding memory from outside; whether that is news.
    pub fn make_external(&mut self, root: NodeId) -> bool {
        !std::mem::replace(&mut self.nodes[root as usize].external, true)
    }

    /// Whether labels of the node repeat: an access may stand for several offsets of one object.
    pub fn is_folded(&self, root: NodeId, label: i64) -> bool {
        let node = &self.nodes[root as usize];
        node.modulus != 0 || node.folds.iter().any(|f| f.low <= label && label < f.high)
    }

    /// The distance to the next offset with the same label, if the label repeats.
    pub fn period(&self, root: NodeId, label: i64) -> Option<i64> {
        let node = &self.nodes[root as usize];
        let inner = node
            .folds
            .iter()
            .filter(|f| f.low <= label && label < f.high)
            .map(|f| f.stride);
        let whole = (node.modulus != 0).then_some(node.modulus);
        inner.chain(whole).min()
    }

    /// All offsets with the same label differ by multiples of this.
    pub fn step(&self, root: NodeId, label: i64) -> i64 {
        let node = &self.nodes[root as usize];
        node.folds
            .iter()
            .filter(|f| f.low <= label && label < f.high)
            .fold(node.modulus, |g, f| gcd(g, f.stride))
    }

    pub fn modulus(&self, root: NodeId) -> i64 {
        self.nodes[root as usize].modulus
    }
}

/// The label that stands for all labels folded together with this one.
fn canonical(node: &Node, label: i64) -> i64 {
    let mut o = if node.modulus != 0 {
        label.rem_euclid(node.modulus)
    } else {
        label
    };
    // Outer folds come first.
    for f in &node.folds {
        if f.low <= o && o < f.high {
            o = f.low + (o - f.low) % f.stride;
        }
    }
    o
}

/// All labels of the node are one modulo `stride`.
fn set_modulus(node: &mut Node, stride: i64) {
    let mut m = gcd(node.modulus, stride);
    let folds = std::mem::take(&mut node.folds);
    let mut kept = Vec::new();
    for f in folds {
        let low = f.low.rem_euclid(m);
        if low + (f.high - f.low) <= m && f.stride < m {
            kept.push(Fold {
                low,
                high: low + (f.high - f.low),
                stride: f.stride,
            });
        } else if f.stride % m != 0 {
            m = gcd(m, f.stride);
        }
    }
    let changed = m != node.modulus;
    node.modulus = m;
    if kept.iter().any(|f| f.low < 0 || f.high > m) && changed {
        // A later fold shrank the modulus below an earlier one: give up the structure.
        for f in &kept {
            m = gcd(m, f.stride);
        }
        node.modulus = m;
        kept.clear();
    }
    for f in kept {
        add_fold(node, f);
    }
}

/// Adds an array interval; what does not nest collapses the node.
fn add_fold(node: &mut Node, fold: Fold) {
    let mut new = fold;
    if node.modulus != 0 {
        let length = new.high - new.low;
        if new.stride % node.modulus == 0 {
            return;
        }
        let low = new.low.rem_euclid(node.modulus);
        if low + length > node.modulus {
            set_modulus(node, new.stride);
            return;
        }
        new.low = low;
        new.high = low + length;
    }
    let mut i = 0;
    while i < node.folds.len() {
        let f = node.folds[i];
        if new.high <= f.low || f.high <= new.low {
            i += 1;
        } else if (f.low, f.high) == (new.low, new.high) {
            if new.stride % f.stride == 0 {
                return;
            }
            if f.stride % new.stride == 0 {
                node.folds[i].stride = new.stride;
                let changed = node.folds.remove(i);
                add_fold(node, changed);
                return;
            }
            set_modulus(node, gcd(f.stride, new.stride));
            return;
        } else if f.low <= new.low && new.high <= f.high {
            // Inside: into the first element, if it does not cross elements.
            let low = f.low + (new.low - f.low) % f.stride;
            if low + (new.high - new.low) <= f.low + f.stride {
                new.high = low + (new.high - new.low);
                new.low = low;
                i += 1;
            } else if new.stride % f.stride == 0 {
                return;
            } else {
                set_modulus(node, gcd(f.stride, new.stride));
                return;
            }
        } else if new.low <= f.low && f.high <= new.high {
            // Around: the old one must lie inside one element.
            let low = new.low + (f.low - new.low) % new.stride;
            node.folds.remove(i);
            if low + (f.high - f.low) <= new.low + new.stride {
                add_fold(node, new);
                add_fold(
                    node,
                    Fold {
                        low,
                        high: low + (f.high - f.low),
                        stride: f.stride,
                    },
                );
            } else if f.stride % new.stride == 0 {
                add_fold(node, new);
            } else {
                set_modulus(node, gcd(f.stride, new.stride));
            }
            return;
        } else {
            set_modulus(node, gcd(gcd(f.stride, new.stride), f.low - new.low));
            return;
        }
    }
    node.folds.push(new);
    // Outer (longer) intervals first, so that one pass canonicalises.
    node.folds.sort_by_key(|f| (f.low - f.high, f.low));
}

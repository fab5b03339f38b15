//! From the solved points-to graph to regions: which cells share one representation, where the
//! objects lie, and which regions are few enough cells at fixed addresses to be plain variables.
//!
//! // Sound because a region holds every access whose bits can overlap: labels are grouped by
//! // overlap, folded labels wrap around, and what is seen with two sizes is kept in bytes.

use super::super::hir::{FuncId, LocalId, LocalKind, Unit};
use super::super::lower::reach::{ObjectKey, Reach};
use super::super::lower::scalar::{Scalar, ScalarKind, leaves};
use super::super::types::Type;
use super::constraints::{Object, ObjectKind, PointsTo};
use super::unify::{Cell, Graph, NodeId, ObjectId};
use base::{FxHashMap, FxHashSet, new_id};
use std::collections::{BTreeMap, BTreeSet};

new_id!(
    /// A region of memory.
    pub RegionId, "r");

/// At most this many cells become variables instead of an array.
pub const MAP_LIMIT: usize = 8;
const GAP: u64 = 64;
const FIRST_ADDRESS: u64 = 0x1_0000;

/// Where an object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Always there.
    Fixed(u64),
    /// A new place each time its declaration is executed.
    Dynamic,
}

/// A cell of a region at a fixed address.
#[derive(Clone, Copy, Debug)]
pub struct FixedCell {
    pub address: u64,
    pub key: ObjectKey,
    /// Bits from the object's start.
    pub bit: u64,
}

#[derive(Clone, Debug)]
pub struct Region {
    pub root: NodeId,
    /// Least label of the group.
    pub label: i64,
    /// The one kind of access; `None`: kept byte by byte.
    pub scalar: Option<Scalar>,
    /// Accesses of the same width disagree in sign: reads wrap.
    pub mixed_sign: bool,
    /// All cells, if they are few and at fixed addresses: plain variables.
    pub cells: Option<Vec<FixedCell>>,
    /// Only objects at fixed addresses that live from the start.
    pub only_static: bool,
    /// Objects with cells in the region.
    pub objects: Vec<ObjectId>,
}

pub struct Memory {
    pub points: PointsTo,
    pub addresses: FxHashMap<ObjectKey, Address>,
    pub functions: FxHashMap<FuncId, u64>,
    pub regions: Vec<Region>,
    by_label: FxHashMap<Cell, RegionId>,
    by_root: BTreeMap<NodeId, Vec<RegionId>>,
    /// The first address for allocation.
    pub heap: u64,
    /// Objects that must not be written lie below this address, where objects have blocks of their own.
    pub writable: u64,
}

/// What the lowering decided beforehand.
pub struct Layout<'a> {
    /// Objects that live in memory (the others are variables).
    pub in_memory: &'a dyn Fn(ObjectKey) -> bool,
    /// Locals whose declaration is executed at most once.
    pub once: &'a FxHashSet<LocalId>,
    /// Objects get blocks of this size (a power of two) of their own.
    pub block: Option<u64>,
}

/// Must the object not be written? String literals, and `const` objects that live as long as the program.
pub fn is_constant(unit: &Unit, kind: ObjectKind) -> bool {
    match kind {
        ObjectKind::Declared(ObjectKey::String(_)) => true,
        ObjectKind::Declared(ObjectKey::Global(g)) => {
            let global = &unit.globals[g];
            let mut ty = global.ty;
            while let Type::Array(element, _) = *unit.types.get(ty) {
                ty = element;
            }
            // The qualifier may be that of what a pointer points to.
            global.is_const && global.defined && !unit.types.is_pointer(ty)
        }
        _ => false,
    }
}

/// What objects that outlive every function's locals may lead to. A pointer to a local that is kept there must not be one
/// to the next object of the same name.
fn kept(graph: &mut Graph, objects: &[Object]) -> BTreeSet<NodeId> {
    let mut out = BTreeSet::new();
    let outlives = |o: &&Object| {
        matches!(
            o.kind,
            ObjectKind::Declared(ObjectKey::Global(_)) | ObjectKind::Heap(_)
        )
    };
    let mut work: Vec<NodeId> = Vec::new();
    for object in objects.iter().filter(outlives) {
        let (root, _) = graph.find(object.cell);
        work.extend(graph.pointees(root));
    }
    while let Some(root) = work.pop() {
        if out.insert(root) {
            work.extend(graph.pointees(root));
        }
    }
    out
}

impl Memory {
    pub fn build(unit: &Unit, reach: &Reach, points: PointsTo, layout: &Layout<'_>) -> Memory {
        let mut memory = Memory {
            points,
            addresses: FxHashMap::default(),
            functions: FxHashMap::default(),
            regions: Vec::new(),
            by_label: FxHashMap::default(),
            by_root: BTreeMap::new(),
            heap: 0,
            writable: 0,
        };
        memory.place_objects(unit, reach, layout);
        memory.spread_external();
        for root in 0..memory.points.graph.node_count() as NodeId {
            if memory.points.graph.is_root(root) {
                memory.regions_of(unit, root, layout);
            }
        }
        memory
    }

    fn place_objects(&mut self, unit: &Unit, reach: &Reach, layout: &Layout<'_>) {
        let mut next = layout.block.unwrap_or(FIRST_ADDRESS);
        let first = |o: &&Object| layout.block.is_some() && is_constant(unit, o.kind);
        let (constants, others): (Vec<&Object>, Vec<&Object>) =
            self.points.objects.iter().partition(first);
        let kept = match layout.block {
            Some(_) => kept(&mut self.points.graph, &self.points.objects),
            None => BTreeSet::new(),
        };
        let all = constants.into_iter().map(Some).chain([None]);
        for object in all.chain(others.into_iter().map(Some)) {
            let Some(object) = object else {
                self.writable = next;
                continue;
            };
            let ObjectKind::Declared(key) = object.kind else {
                continue;
            };
            if !(layout.in_memory)(key) {
                continue;
            }
            let dynamic = match key {
                ObjectKey::Local(l) => {
                    let local = &unit.locals[l];
                    reach.recursive.contains(&local.function)
                        || object.size.is_none()
                        || !layout.once.contains(&l)
                            && (leaves(&unit.types, local.ty, 64).is_none()
                                || kept.contains(&self.points.graph.find(object.cell).0))
                }
                _ => false,
            };
            let address = if dynamic {
                Address::Dynamic
            } else {
                let align = match key {
                    ObjectKey::Global(g) => unit.align_of_global(g),
                    ObjectKey::Local(l) => unit.align_of_local(l),
                    ObjectKey::String(_) => 1,
                };
                let at = next.next_multiple_of(align.max(1));
                let end = at + object.size.unwrap_or(0) + GAP;
                next = end.next_multiple_of(layout.block.unwrap_or(32));
                Address::Fixed(at)
            };
            self.addresses.insert(key, address);
        }
        let mut functions: Vec<FuncId> = reach.address_taken.clone();
        functions.sort_unstable();
        for f in functions {
            let align = unit.alignments.functions.get(&f).copied().unwrap_or(1);
            next = next.next_multiple_of(align);
            self.functions.insert(f, next);
            next += 16;
        }
        let align = layout.block.unwrap_or(0x1000);
        self.heap = next.next_multiple_of(align) + align;
    }

    /// What is read from memory from outside points outside too; so does a pointer that nothing
    /// in the program gives a target.
    fn spread_external(&mut self) {
        let graph = &mut self.points.graph;
        let mut work = Vec::new();
        for root in 0..graph.node_count() as NodeId {
            if graph.is_root(root) {
                let node = graph.root_data(root);
                if node.external || (node.objects.is_empty() && node.functions.is_empty()) {
                    graph.make_external(root);
                    work.push(root);
                }
            }
        }
        while let Some(root) = work.pop() {
            for target in graph.pointees(root) {
                if graph.make_external(target) {
                    work.push(target);
                }
            }
        }
    }

    fn regions_of(&mut self, unit: &Unit, root: NodeId, layout: &Layout<'_>) {
        let graph = &self.points.graph;
        let accesses: Vec<(i64, Scalar)> = graph.root_data(root).accesses.iter().copied().collect();
        if accesses.is_empty() {
            return;
        }
        let node = graph.root_data(root);
        let in_memory = |o: &ObjectId| match self.points.objects[*o as usize].kind {
            ObjectKind::Declared(key) => (layout.in_memory)(key),
            ObjectKind::Heap(_) => true,
        };
        if !node.external && !node.objects.iter().any(|(o, _)| in_memory(o)) {
            return;
        }
        for (group, clean) in self.groups(root, &accesses) {
            self.add_region(unit, root, &group, clean, layout);
        }
    }

    /// Accesses grouped by overlap; whether all of a group are the same cell.
    fn groups(&self, root: NodeId, accesses: &[(i64, Scalar)]) -> Vec<(Vec<(i64, Scalar)>, bool)> {
        let graph = &self.points.graph;
        let crosses = |&(label, s): &(i64, Scalar)| {
            let bits = i64::from(s.bits);
            match graph.period(root, label) {
                Some(p) => {
                    bits > p || graph.canonical_in(root, label + bits - 1) != label + bits - 1
                }
                None => false,
            }
        };
        if accesses.iter().any(crosses) {
            // An access runs over the end of a folded element: everything may overlap, unless
            // there is one kind of cell only.
            let first = accesses[0];
            let alone = accesses
                .iter()
                .all(|(l, s)| *l == first.0 && s.bits == first.1.bits);
            let fits = graph
                .period(root, first.0)
                .is_none_or(|p| i64::from(first.1.bits) <= p);
            return vec![(accesses.to_vec(), alone && fits)];
        }
        let mut groups: Vec<(Vec<(i64, Scalar)>, bool)> = Vec::new();
        let mut end = i64::MIN;
        for &(label, s) in accesses {
            let bits = i64::from(s.bits);
            match groups.last_mut() {
                Some((group, clean)) if label < end => {
                    *clean &= group[0].0 == label && group[0].1.bits == s.bits;
                    group.push((label, s));
                    end = end.max(label + bits);
                }
                _ => {
                    groups.push((vec![(label, s)], true));
                    end = label + bits;
                }
            }
        }
        groups
    }

    fn add_region(
        &mut self,
        unit: &Unit,
        root: NodeId,
        group: &[(i64, Scalar)],
        clean: bool,
        layout: &Layout<'_>,
    ) {
        use base::Id;
        let label = group
            .iter()
            .map(|g| g.0)
            .min()
            .expect("a group is not empty");
        // Addresses are the widest kind that a cell can hold.
        let pointer = group.iter().find(|g| g.1.kind == ScalarKind::Pointer);
        let scalar = clean.then_some(pointer.unwrap_or(&group[0]).1);
        let node = self.points.graph.root_data(root);
        let mut region = Region {
            root,
            label,
            scalar,
            mixed_sign: group.iter().any(|g| {
                g.1.signed != group[0].1.signed || g.1.interval() != group[0].1.interval()
            }),
            cells: None,
            only_static: !node.external,
            objects: Vec::new(),
        };
        let mut cells = Vec::new();
        let mut few = scalar.is_some() && !node.external;
        for &(o, shift) in &node.objects {
            let object = self.points.objects[o as usize];
            let ObjectKind::Declared(key) = object.kind else {
                few = false;
                region.only_static = false;
                region.objects.push(o);
                continue;
            };
            if !(layout.in_memory)(key) {
                continue;
            }
            region.objects.push(o);
            match key {
                ObjectKey::Local(_) => region.only_static = false,
                ObjectKey::Global(g) if !unit.globals[g].defined => region.only_static = false,
                _ => {}
            }
            match self.addresses.get(&key) {
                Some(&Address::Fixed(address)) if few => {
                    let bits = (object.size.unwrap_or(0) * 8) as i64;
                    few = self.cells_of(root, label, shift, bits, |bit| {
                        cells.push(FixedCell {
                            address: address + bit / 8,
                            key,
                            bit,
                        });
                        cells.len() <= MAP_LIMIT
                    });
                }
                Some(Address::Fixed(_)) => {}
                _ => {
                    few = false;
                    region.only_static = false;
                }
            }
        }
        if few {
            region.cells = Some(cells);
        }
        let id = RegionId::from_index(self.regions.len());
        for &(l, _) in group {
            self.by_label.insert((root, l), id);
        }
        self.by_root.entry(root).or_default().push(id);
        self.regions.push(region);
    }

    /// Calls `each` for every bit offset of an object whose label is `label`; stops on `false`.
    fn cells_of(
        &self,
        root: NodeId,
        label: i64,
        shift: i64,
        bits: i64,
        mut each: impl FnMut(u64) -> bool,
    ) -> bool {
        let graph = &self.points.graph;
        if !graph.is_folded(root, label) {
            let bit = label - shift;
            return if (0..bits).contains(&bit) {
                each(bit as u64)
            } else {
                true
            };
        }
        // Folded: try every offset a step could reach.
        let step = graph.step(root, label).clamp(1, 1 << 40);
        if bits / step > 4096 {
            return false;
        }
        let start = (label - shift).rem_euclid(step);
        let mut bit = start;
        while bit < bits {
            if graph.canonical_in(root, shift + bit) == label && !each(bit as u64) {
                return false;
            }
            bit += step;
        }
        true
    }

    /// The region of an access.
    pub fn region(&mut self, cell: Cell) -> Option<RegionId> {
        let (root, label) = self.points.graph.find(cell);
        self.by_label.get(&(root, label)).copied()
    }

    /// All regions of a cell's node.
    pub fn node_regions(&mut self, cell: Cell) -> Vec<RegionId> {
        let (root, _) = self.points.graph.plain(cell);
        self.by_root.get(&root).cloned().unwrap_or_default()
    }

    /// The cells that begin before a cell and reach into it: how many bits before, and the region.
    pub fn cells_across(&mut self, cell: Cell) -> Vec<(u64, RegionId)> {
        use base::Id;
        let (root, start) = self.points.graph.plain(cell);
        let mut out = Vec::new();
        for id in self.by_root.get(&root).cloned().unwrap_or_default() {
            let region = &self.regions[id.index()];
            if let Some(scalar) = region.scalar {
                let before = i64::from(scalar.bits) - 1;
                self.cells_of(root, region.label, start - before, before, |bit| {
                    out.push((before as u64 - bit, id));
                    true
                });
            }
        }
        out
    }

    /// The cells of regions in `bits` bits from a cell on: bit offset from the cell and region,
    /// in order. `None` if there are more than `limit`. Byte regions give one entry per byte.
    pub fn cells_in(
        &mut self,
        cell: Cell,
        bits: u64,
        limit: usize,
    ) -> Option<Vec<(u64, RegionId)>> {
        use base::Id;
        let (root, start) = self.points.graph.plain(cell);
        let mut out = Vec::new();
        for id in self.by_root.get(&root).cloned().unwrap_or_default() {
            let (region_label, scalar) = {
                let r = &self.regions[id.index()];
                (r.label, r.scalar)
            };
            match scalar {
                Some(_) => {
                    let full = self.cells_of(root, region_label, start, bits as i64, |bit| {
                        out.push((bit, id));
                        out.len() <= limit
                    });
                    if !full {
                        return None;
                    }
                }
                None => {
                    if bits / 8 > limit as u64 {
                        return None;
                    }
                    let labels: Vec<(i64, i64)> = self
                        .points
                        .graph
                        .root_data(root)
                        .accesses
                        .iter()
                        .filter(|(l, _)| self.by_label.get(&(root, *l)) == Some(&id))
                        .map(|(l, s)| (*l, *l + i64::from(s.bits)))
                        .collect();
                    let folded = self.points.graph.modulus(root) != 0
                        || labels
                            .iter()
                            .any(|(l, _)| self.points.graph.is_folded(root, *l));
                    for byte in 0..bits / 8 {
                        let at = start + (byte * 8) as i64;
                        // A folded byte region may hold any byte of the node.
                        if folded || labels.iter().any(|(l, h)| *l < at + 8 && at < *h) {
                            out.push((byte * 8, id));
                        }
                    }
                    if out.len() > limit {
                        return None;
                    }
                }
            }
        }
        out.sort_unstable();
        Some(out)
    }

    pub fn is_vla(unit: &Unit, l: LocalId) -> bool {
        unit.locals[l].kind == LocalKind::Auto && unit.types.size_of(unit.locals[l].ty).is_none()
    }
}

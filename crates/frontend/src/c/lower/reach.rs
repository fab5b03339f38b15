//! What the entry function can touch: functions, objects, which objects have their address used,
//! and which functions may be active twice at once. All later passes look only at this part, so a
//! driver's unused tables and inline functions cost nothing.

use super::super::hir::visit::{self, Visitor};
use super::super::hir::{
    Callee, Expr, ExprId, ExprKind, FuncId, Function, GlobalId, Place, PlaceKind, StringId, Unit,
};
use base::{FxHashMap, FxHashSet, Id, IndexVec};

/// An object of the program that a declaration or literal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectKey {
    Global(GlobalId),
    Local(super::super::hir::LocalId),
    String(StringId),
}

/// The reachable part of a unit.
#[derive(Debug, Default)]
pub struct Reach {
    /// Functions with bodies, in the order they were found; the entry first.
    pub functions: Vec<FuncId>,
    pub globals: Vec<GlobalId>,
    pub strings: Vec<StringId>,
    /// Objects whose address is used as a value.
    pub escaping: FxHashSet<ObjectKey>,
    /// Objects indexed by something else than a constant, where not escaping.
    pub indexed: FxHashSet<ObjectKey>,
    /// Functions whose address is used.
    pub address_taken: Vec<FuncId>,
    /// Functions that may be active twice at once.
    pub recursive: FxHashSet<FuncId>,
    /// Whether somebody calls the function (directly or not).
    pub called: FxHashSet<FuncId>,
}

/// `*(&array[0] + i)` and `*&x` seen as what they are.
pub enum Direct<'h> {
    /// The place itself.
    Same(&'h Place),
    /// Element of an array place; `None` is the first.
    Element(&'h Place, Option<&'h Expr>),
}

/// Recognises a dereference that only undoes an address.
pub fn direct<'h>(unit: &Unit, place: &'h Place) -> Option<Direct<'h>> {
    let PlaceKind::Deref(pointer) = &place.kind else {
        return None;
    };
    match &pointer.kind {
        ExprKind::AddressOf(p) if p.ty == place.ty => Some(Direct::Same(p)),
        ExprKind::AddressOf(p) if unit.types.element(p.ty) == Some(place.ty) => {
            Some(Direct::Element(p, None))
        }
        ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            size,
        } => match &pointer.kind {
            ExprKind::AddressOf(p)
                if unit.types.element(p.ty) == Some(place.ty)
                    && size.lengths.is_empty()
                    && unit.types.size_of(place.ty) == Some(size.factor) =>
            {
                Some(Direct::Element(p, Some(index)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The declared object a place is part of, if no pointer is in between.
pub fn root(unit: &Unit, place: &Place) -> Option<ObjectKey> {
    let mut p = place;
    loop {
        match &p.kind {
            PlaceKind::Global(g) => return Some(ObjectKey::Global(*g)),
            PlaceKind::Local(l) | PlaceKind::CompoundLiteral { local: l, .. } => {
                return Some(ObjectKey::Local(*l));
            }
            PlaceKind::String(s) => return Some(ObjectKey::String(*s)),
            PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => p = base,
            PlaceKind::Deref(_) => match direct(unit, p)? {
                Direct::Same(q) | Direct::Element(q, _) => p = q,
            },
            PlaceKind::Temporary(_) => return None,
        }
    }
}

struct Collector<'h> {
    unit: &'h Unit,
    reach: Reach,
    seen_functions: FxHashSet<FuncId>,
    seen_globals: FxHashSet<GlobalId>,
    seen_strings: FxHashSet<StringId>,
    taken: FxHashSet<FuncId>,
    /// Address expressions that a dereference undoes.
    undone: IndexVec<ExprId, bool>,
    calls: Vec<FuncId>,
    indirect: bool,
}

impl Collector<'_> {
    fn function(&mut self, f: FuncId) {
        if self.unit.functions[f].body.is_some() && self.seen_functions.insert(f) {
            self.reach.functions.push(f);
        }
    }
}

impl<'h> Visitor<'h> for Collector<'h> {
    fn expr(&mut self, e: &'h Expr) {
        match &e.kind {
            ExprKind::FunctionAddress(f) => {
                self.function(*f);
                if self.taken.insert(*f) {
                    self.reach.address_taken.push(*f);
                }
            }
            ExprKind::Call { callee, .. } => match callee {
                Callee::Direct(f) => {
                    self.function(*f);
                    self.calls.push(*f);
                }
                Callee::Indirect(_) => self.indirect = true,
            },
            ExprKind::AddressOf(p) if !self.undone[e.id] => {
                if let Some(key) = root(self.unit, p) {
                    self.reach.escaping.insert(key);
                }
            }
            ExprKind::VaArg(p) => {
                if let Some(key) = root(self.unit, p) {
                    self.reach.escaping.insert(key);
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, p: &'h Place) {
        let index = match &p.kind {
            PlaceKind::Global(g) => {
                if self.seen_globals.insert(*g) {
                    self.reach.globals.push(*g);
                }
                return;
            }
            PlaceKind::String(s) => {
                if self.seen_strings.insert(*s) {
                    self.reach.strings.push(*s);
                }
                return;
            }
            PlaceKind::Index { index, .. } => Some(&**index),
            PlaceKind::Deref(pointer) => match direct(self.unit, p) {
                Some(Direct::Same(_) | Direct::Element(_, None)) => {
                    self.undone[pointer.id] = true;
                    None
                }
                Some(Direct::Element(_, Some(index))) => {
                    if let ExprKind::PointerOffset { pointer, .. } = &pointer.kind {
                        self.undone[pointer.id] = true;
                    }
                    Some(index)
                }
                None => return,
            },
            _ => return,
        };
        if index.is_some_and(|i| i.as_int().is_none())
            && let Some(key) = root(self.unit, p)
        {
            self.reach.indexed.insert(key);
        }
    }
}

/// Walks everything reachable from `entry`.
pub fn reach(unit: &Unit, entry: FuncId) -> Reach {
    let mut c = Collector {
        unit,
        reach: Reach::default(),
        seen_functions: FxHashSet::default(),
        seen_globals: FxHashSet::default(),
        seen_strings: FxHashSet::default(),
        taken: FxHashSet::default(),
        undone: IndexVec::filled(false, unit.exprs),
        calls: Vec::new(),
        indirect: false,
    };
    c.function(entry);
    let (mut next_function, mut next_global) = (0, 0);
    let mut calls: FxHashMap<FuncId, (Vec<FuncId>, bool)> = FxHashMap::default();
    loop {
        if let Some(&f) = c.reach.functions.get(next_function) {
            next_function += 1;
            c.calls.clear();
            c.indirect = false;
            if let Some(body) = &unit.functions[f].body {
                visit::shared::block(&mut c, &body.block);
            }
            calls.insert(f, (c.calls.clone(), c.indirect));
        } else if let Some(&g) = c.reach.globals.get(next_global) {
            next_global += 1;
            if let Some(init) = &unit.globals[g].init {
                visit::shared::init(&mut c, init);
            }
        } else {
            break;
        }
    }
    let mut reach = c.reach;
    call_cycles(unit, &mut reach, &calls);
    reach
}

/// Marks the functions on cycles of the call graph; an indirect call may reach every function
/// whose address is taken.
fn call_cycles(unit: &Unit, reach: &mut Reach, calls: &FxHashMap<FuncId, (Vec<FuncId>, bool)>) {
    let has_body = |f: &FuncId| -> bool {
        let f: &Function = &unit.functions[*f];
        f.body.is_some()
    };
    // One extra node stands for "some function whose address is taken".
    let any = unit.functions.len();
    let mut graph: Vec<Vec<usize>> = vec![Vec::new(); any + 1];
    for &f in &reach.functions {
        let (direct, indirect) = &calls[&f];
        graph[f.index()] = direct
            .iter()
            .filter(|g| has_body(g))
            .map(|g| g.index())
            .collect();
        if *indirect {
            graph[f.index()].push(any);
        }
        reach.called.extend(direct);
    }
    let taken: Vec<FuncId> = reach
        .address_taken
        .iter()
        .filter(|f| has_body(f))
        .copied()
        .collect();
    graph[any] = taken.iter().map(|f| f.index()).collect();
    reach.called.extend(taken);
    let component = components(&graph);
    let mut size: FxHashMap<usize, u32> = FxHashMap::default();
    for &f in &reach.functions {
        *size.entry(component[f.index()]).or_insert(0) += 1;
    }
    for &f in &reach.functions {
        let alone = size[&component[f.index()]] == 1 && component[f.index()] != component[any];
        if !alone || graph[f.index()].contains(&f.index()) {
            reach.recursive.insert(f);
        }
    }
}

/// Strongly connected components (Tarjan, without recursion).
fn components(graph: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let n = graph.len();
    let (mut index, mut low, mut component) = (vec![NONE; n], vec![0; n], vec![NONE; n]);
    let (mut counter, mut count) = (0, 0);
    let mut path = Vec::new();
    for start in 0..n {
        if index[start] != NONE {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some(&mut (v, ref mut child)) = work.last_mut() {
            if *child == 0 {
                index[v] = counter;
                low[v] = counter;
                counter += 1;
                path.push(v);
            }
            if let Some(&w) = graph[v].get(*child) {
                *child += 1;
                if index[w] == NONE {
                    work.push((w, 0));
                } else if component[w] == NONE {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            // A leaf keeps `child == 0`, but it is popped here at once.
            if low[v] == index[v] {
                while let Some(w) = path.pop() {
                    component[w] = count;
                    if w == v {
                        break;
                    }
                }
                count += 1;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
        }
    }
    component
}

//! Dead code: removes what execution never enters, and what no error can come after.
//!
//! A location is *useful* if an error may be reached from it: in its function, in a function it
//! calls, or after its function returned to a useful place. Edges to other locations are dropped.
//! Exact for the question whether an error is reachable; not for running a program to its end.

use super::Transformed;
use super::back_translation::{Fact, Leg, Place};
use crate::analysis::shape::reachable_functions;
use crate::{EdgeId, FuncId, LocId, Program, Stmt};
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use std::collections::BTreeMap;

/// The program without useless locations, edges and functions; variables stay.
pub fn dead_code(program: &Program) -> Transformed {
    let successors = program.successors();
    let functions = reachable_functions(program, &successors);
    let entered: FxHashSet<LocId> = functions
        .iter()
        .flat_map(|(_, s)| s.order.iter().copied())
        .collect();
    let useful = useful(program, &entered);
    let mut keep_func: IndexVec<FuncId, bool> = IndexVec::filled(false, program.functions.len());
    let mut keep_loc: IndexVec<LocId, bool> = IndexVec::filled(false, program.locations.len());
    for (f, _) in &functions {
        let data = &program.functions[*f];
        if *f == program.entry || useful.contains(&data.entry) {
            keep_func[*f] = true;
            keep_loc[data.entry] = true;
            keep_loc[data.exit] = true;
        }
    }
    for &loc in &useful {
        keep_loc[loc] = true;
    }
    for (id, edge) in program.edges.iter_enumerated() {
        // A call that may fail stays even if nothing bad comes after it.
        if leads_into(program, &useful, id) {
            keep_loc[edge.to] = true;
        }
    }
    let mut leg = Leg::with_new_code(program);
    for loc in program.locations.ids() {
        if !entered.contains(&loc) {
            leg.add_fact(loc, Fact::Never);
        }
    }
    let wanted = |e: EdgeId| {
        let edge = &program.edges[e];
        entered.contains(&edge.from) && useful.contains(&edge.to) || leads_into(program, &useful, e)
    };
    // Edges into a location that is not useful were left out: what holds there says nothing.
    let place = |loc: LocId| match useful.contains(&loc) {
        true => Place::At(loc),
        false => Place::Within(loc),
    };
    compact(program, leg, &keep_func, &keep_loc, wanted, place)
}

/// Whether an edge calls a function in which an error may be reached.
fn leads_into(program: &Program, useful: &FxHashSet<LocId>, edge: EdgeId) -> bool {
    match &program.edges[edge].stmt {
        Stmt::Call { callee, .. } => {
            useful.contains(&program.edges[edge].from)
                && useful.contains(&program.functions[*callee].entry)
        }
        _ => false,
    }
}

/// Locations from which an error may be reached; backwards over edges, calls and returns.
fn useful(program: &Program, entered: &FxHashSet<LocId>) -> FxHashSet<LocId> {
    let predecessors = program.predecessors();
    let mut callers: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in program.edges.iter_enumerated() {
        if let Stmt::Call { callee, .. } = &edge.stmt {
            callers.entry(*callee).or_default().push(id);
        }
    }
    let mut useful: FxHashSet<LocId> = FxHashSet::default();
    let mut work: Vec<LocId> = program
        .error_locations()
        .filter(|l| entered.contains(l))
        .collect();
    while let Some(loc) = work.pop() {
        if !entered.contains(&loc) || !useful.insert(loc) {
            continue;
        }
        for &id in &predecessors[loc] {
            let edge = &program.edges[id];
            match &edge.stmt {
                // Before the return comes the callee's exit; its way back leads to the call if the
                // callee can return at all.
                Stmt::Call { callee, .. } => {
                    work.push(program.functions[*callee].exit);
                    work.push(edge.from);
                }
                _ => work.push(edge.from),
            }
        }
        let func = program.locations[loc].func;
        if loc == program.functions[func].entry {
            let sites = callers.get(&func).into_iter().flatten();
            work.extend(sites.map(|e| program.edges[*e].from));
        }
    }
    useful
}

/// Keeps the marked functions and locations and the wanted edges between them.
fn compact(
    program: &Program,
    mut leg: Leg,
    keep_func: &IndexVec<FuncId, bool>,
    keep_loc: &IndexVec<LocId, bool>,
    wanted: impl Fn(EdgeId) -> bool,
    place: impl Fn(LocId) -> Place,
) -> Transformed {
    let mut out = Program {
        functions: IndexVec::new(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        outputs: BTreeMap::new(),
        type_ranges: Default::default(),
        contracts: Vec::new(),
        texts: Vec::new(),
        memory: Default::default(),
        ..program.clone()
    };
    let mut func_new: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for (id, f) in program.functions.iter_enumerated() {
        if keep_func[id] {
            func_new.insert(id, out.functions.push(f.clone()));
            leg.add_function(Some(id));
        }
    }
    let mut loc_new: FxHashMap<LocId, LocId> = FxHashMap::default();
    for (id, loc) in program.locations.iter_enumerated() {
        if let (true, Some(&func)) = (keep_loc[id], func_new.get(&loc.func)) {
            let mut loc = loc.clone();
            loc.func = func;
            let new = out.locations.push(loc);
            loc_new.insert(id, new);
            leg.set_location(new, place(id));
        }
    }
    for (id, edge) in program.edges.iter_enumerated() {
        let (Some(&from), Some(&to)) = (loc_new.get(&edge.from), loc_new.get(&edge.to)) else {
            continue;
        };
        if !wanted(id) {
            continue;
        }
        let mut edge = edge.clone();
        (edge.from, edge.to) = (from, to);
        if let Stmt::Call { callee, .. } = &mut edge.stmt {
            match func_new.get(callee) {
                Some(&f) => *callee = f,
                None => {
                    // The callee cannot fail; the place after the call is useful, so its exit is,
                    // and it is kept whenever its entry reaches that exit.
                    continue;
                }
            }
        }
        let new = out.edges.push(edge);
        leg.add_edge(Some(id));
        if let Some(call) = program.outputs.get(&id) {
            out.outputs.insert(new, call.clone());
        }
    }
    for f in out.functions.iter_mut() {
        f.entry = loc_new[&f.entry];
        f.exit = loc_new[&f.exit];
    }
    out.entry = func_new
        .get(&program.entry)
        .copied()
        .unwrap_or(FuncId::from_index(0));
    Transformed::new(out, leg)
}

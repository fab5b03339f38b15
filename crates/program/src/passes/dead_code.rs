//! Dead code: removes what execution never enters, and what no error can come after.
//!
//! A location is *useful* if an error may be reached from it: in its function, in a function it
//! calls, or after its function returned to a useful place. Edges to other locations are dropped.
//! Exact for the question whether an error is reachable; not for running a program to its end.

use super::Transformed;
use crate::analysis::shape::reachable_functions;
use crate::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
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
    let mut facts = BTreeMap::new();
    for loc in program.locations.ids() {
        if !entered.contains(&loc) {
            facts.insert(loc, super::Fact::Never);
        }
    }
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
    compact(program, &keep_func, &keep_loc, |e| {
        let edge = &program.edges[e];
        entered.contains(&edge.from) && useful.contains(&edge.to) || leads_into(program, &useful, e)
    })
    .with_facts(facts)
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
pub(super) fn compact(
    program: &Program,
    keep_func: &IndexVec<FuncId, bool>,
    keep_loc: &IndexVec<LocId, bool>,
    wanted: impl Fn(EdgeId) -> bool,
) -> Transformed {
    let mut out = Transformed::identity(Program {
        functions: IndexVec::new(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        outputs: BTreeMap::new(),
        type_ranges: Default::default(),
        ..program.clone()
    });
    let mut func_new: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for (id, f) in program.functions.iter_enumerated() {
        if keep_func[id] {
            func_new.insert(id, out.program.functions.push(f.clone()));
            out.func_origin.push(id);
        }
    }
    let mut loc_new: FxHashMap<LocId, LocId> = FxHashMap::default();
    for (id, loc) in program.locations.iter_enumerated() {
        if let (true, Some(&func)) = (keep_loc[id], func_new.get(&loc.func)) {
            let mut loc = loc.clone();
            loc.func = func;
            loc_new.insert(id, out.program.locations.push(loc));
            out.loc_origin.push(id);
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
        let new = out.program.edges.push(edge);
        out.edge_origin.push(Some(id));
        if let Some(call) = program.outputs.get(&id) {
            out.program.outputs.insert(new, call.clone());
        }
    }
    for f in out.program.functions.iter_mut() {
        f.entry = loc_new[&f.entry];
        f.exit = loc_new[&f.exit];
    }
    out.program.entry = func_new
        .get(&program.entry)
        .copied()
        .unwrap_or(FuncId::from_index(0));
    out.var_origin = program.vars.ids().collect::<IndexVec<VarId, VarId>>();
    out
}

impl Transformed {
    fn with_facts(mut self, facts: BTreeMap<LocId, super::Fact>) -> Self {
        self.facts = facts;
        self
    }
}

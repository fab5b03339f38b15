//! Loop-free regions as formulas: all paths from one cut point to the next ones.
//!
//! The checker's own encoding, kept apart from `program::blocks` on purpose: a slip there must not
//! hide itself here. Idea: walk the region in topological order; each location gets a Boolean term
//! that implies "some path from the start leads here"; a variable's value at a location is computed
//! only when somebody asks for it, with a fresh constant where two paths bring different values.
//! Whoever asks is led from dominator to dominator, past all that does not write the variable.
//!
//! ```text
//!   start --x := x+1--> a --assume c--> b      reach(b) = c[x+1]         value(b, x) = x+1
//! ```
//!
//! Invariant (over-approximation): for each execution through the region there is a model of
//! `constraints` in which `reach` holds at the visited locations and `value` gives the state there.

use crate::context::Context;
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Substitution, TermId};
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId, old_term};

/// A point of the region: where it starts, or a location reached in it. The start may be reached
/// again (a loop), which is another point.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Point {
    Start,
    At(LocId),
}

/// The duty to show a callee's `requires`.
pub(crate) struct CallDuty {
    pub edge: EdgeId,
    /// Implied by an execution that takes the call.
    pub reach: TermId,
    pub requires: TermId,
}

/// How a location is come to: what all paths to it pass, and what may be written after that.
struct Way {
    dominator: Point,
    /// How many dominators it has.
    depth: u32,
    /// Sorted.
    written: Vec<VarId>,
}

pub(crate) struct Region<'c, 'a> {
    cx: &'c Context<'a>,
    start: LocId,
    /// At a function's entry the old values are the current ones.
    old_is_start: bool,
    incoming: FxHashMap<LocId, Vec<EdgeId>>,
    ways: FxHashMap<LocId, Way>,
    /// The cut points that end the region, in order of id.
    pub targets: Vec<LocId>,
    pub constraints: Vec<TermId>,
    pub duties: Vec<CallDuty>,
    reach: FxHashMap<Point, TermId>,
    /// Per edge into a join: the Boolean that chooses it.
    choice: FxHashMap<EdgeId, TermId>,
    values: FxHashMap<(Point, VarId), TermId>,
    /// What an edge's statement gave its variables.
    written: FxHashMap<EdgeId, Vec<(VarId, TermId)>>,
    ranged: FxHashSet<TermId>,
}

impl<'c, 'a> Region<'c, 'a> {
    /// Encodes the region that begins at `start` and ends at the next locations of `cuts`.
    /// `cuts` meets every cycle.
    pub fn encode(
        cx: &'c Context<'a>,
        pool: &mut Pool,
        start: LocId,
        cuts: &FxHashSet<LocId>,
        old_is_start: bool,
    ) -> Self {
        let mut region = Self::empty(cx, pool, start, old_is_start);
        for loc in region.topological_order(cuts) {
            region.reach_location(pool, loc);
        }
        region
    }

    /// The region of the start alone.
    pub fn empty(cx: &'c Context<'a>, pool: &Pool, start: LocId, old_is_start: bool) -> Self {
        Region {
            cx,
            start,
            old_is_start,
            incoming: FxHashMap::default(),
            ways: FxHashMap::default(),
            targets: Vec::new(),
            constraints: Vec::new(),
            duties: Vec::new(),
            reach: FxHashMap::from_iter([(Point::Start, pool.tt())]),
            choice: FxHashMap::default(),
            values: FxHashMap::default(),
            written: FxHashMap::default(),
            ranged: FxHashSet::default(),
        }
    }

    /// The locations of the region, sources before targets; fills `incoming` and `targets`.
    fn topological_order(&mut self, cuts: &FxHashSet<LocId>) -> Vec<LocId> {
        let program = self.cx.program;
        let mut done = FxHashSet::default();
        let mut order = Vec::new();
        // (location, next successor); the start is expanded although it is a cut point.
        let mut stack = vec![(self.start, 0usize, true)];
        while let Some((loc, next, is_start)) = stack.pop() {
            let out: &[EdgeId] = if is_start || !cuts.contains(&loc) {
                &self.cx.successors[loc]
            } else {
                &[]
            };
            match out.get(next) {
                Some(&edge) => {
                    stack.push((loc, next + 1, is_start));
                    let to = program.edges[edge].to;
                    self.incoming.entry(to).or_default().push(edge);
                    if done.insert(to) {
                        stack.push((to, 0, false));
                    }
                }
                None if is_start => {}
                None => order.push(loc),
            }
        }
        order.reverse();
        self.targets = order.iter().copied().filter(|l| cuts.contains(l)).collect();
        self.targets.sort_unstable();
        for edges in self.incoming.values_mut() {
            edges.sort_unstable();
        }
        order
    }

    fn point_before(&self, edge: EdgeId) -> Point {
        let from = self.cx.program.edges[edge].from;
        if from == self.start {
            Point::Start
        } else {
            Point::At(from)
        }
    }

    fn reach_location(&mut self, pool: &mut Pool, loc: LocId) {
        let edges = self.incoming[&loc].clone();
        let mut taken = Vec::with_capacity(edges.len());
        for &edge in &edges {
            taken.push(self.take_edge(pool, edge));
        }
        let reach = match taken.as_slice() {
            [single] => self.named(pool, *single),
            _ => {
                for (&edge, &condition) in edges.iter().zip(&taken) {
                    let choice = pool.fresh_constant("take", pool.bool_sort());
                    let implied = pool.implies(choice, condition);
                    self.constraints.push(implied);
                    self.choice.insert(edge, choice);
                }
                let choices: Vec<TermId> = edges.iter().map(|e| self.choice[e]).collect();
                let any = pool.or(&choices);
                self.implied_name(pool, any)
            }
        };
        self.reach.insert(Point::At(loc), reach);
        let way = self.way(&edges);
        self.ways.insert(loc, way);
    }

    /// The way to a location by these edges, whose sources have theirs.
    fn way(&self, edges: &[EdgeId]) -> Way {
        let mut dominator = self.point_before(edges[0]);
        for &edge in &edges[1..] {
            let mut other = self.point_before(edge);
            while dominator != other {
                let deeper = match self.depth(dominator) >= self.depth(other) {
                    true => &mut dominator,
                    false => &mut other,
                };
                *deeper = self.ways[&location(*deeper)].dominator;
            }
        }
        let mut written: Vec<VarId> = Vec::new();
        for &edge in edges {
            written.extend(self.written[&edge].iter().map(|(v, _)| *v));
            let mut point = self.point_before(edge);
            while point != dominator {
                let way = &self.ways[&location(point)];
                written.extend(&way.written);
                point = way.dominator;
            }
        }
        written.sort_unstable();
        written.dedup();
        Way {
            dominator,
            depth: self.depth(dominator) + 1,
            written,
        }
    }

    fn depth(&self, point: Point) -> u32 {
        match point {
            Point::Start => 0,
            Point::At(loc) => self.ways[&loc].depth,
        }
    }

    /// The last point on all paths to `point` where the variable has its value already.
    fn settled(&self, mut point: Point, var: VarId) -> Point {
        while let Point::At(loc) = point {
            let way = &self.ways[&loc];
            if way.written.binary_search(&var).is_ok() {
                break;
            }
            point = way.dominator;
        }
        point
    }

    /// Gives a long conjunction a name, so that formulas stay flat.
    fn named(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        if pool.op(term) == Op::And && pool.args(term).len() > 8 {
            self.implied_name(pool, term)
        } else {
            term
        }
    }

    /// A fresh Boolean that implies `term`. Sound because the name is used positively only, and
    /// an execution for which `term` holds may set it to true.
    fn implied_name(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        let name = pool.fresh_constant("at", pool.bool_sort());
        let implied = pool.implies(name, term);
        self.constraints.push(implied);
        name
    }

    /// Executes the statement of an edge: the term implied by an execution that takes it.
    fn take_edge(&mut self, pool: &mut Pool, edge: EdgeId) -> TermId {
        let before = self.point_before(edge);
        let mut parts = vec![self.reach[&before]];
        let mut written = Vec::new();
        let program = self.cx.program;
        match &program.edges[edge].stmt {
            Stmt::Skip => {}
            Stmt::Assume(c) => parts.push(self.instance(pool, before, *c)),
            Stmt::Assign(pairs) => {
                for &(var, expr) in pairs {
                    let value = self.instance(pool, before, expr);
                    let value = self.defined(pool, value);
                    parts.push(in_range(pool, program, var, value));
                    written.push((var, value));
                }
            }
            Stmt::Havoc(vars, _) => {
                for &var in vars {
                    let value = self.any_value(pool, var);
                    written.push((var, value));
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                self.call(
                    pool,
                    edge,
                    (*callee, args, results),
                    &mut parts,
                    &mut written,
                );
            }
        }
        self.written.insert(edge, written);
        pool.and(&parts)
    }

    fn any_value(&mut self, pool: &mut Pool, var: VarId) -> TermId {
        let data = &self.cx.program.vars[var];
        let value = pool.fresh_constant(&data.name, data.sort);
        let range = in_range(pool, self.cx.program, var, value);
        self.constraints.push(range);
        value
    }

    /// A call by contract: the callee may change what it modifies, within its `ensures`.
    fn call(
        &mut self,
        pool: &mut Pool,
        edge: EdgeId,
        (callee, args, results): (FuncId, &[TermId], &[VarId]),
        parts: &mut Vec<TermId>,
        written: &mut Vec<(VarId, TermId)>,
    ) {
        let (cx, program) = (self.cx, self.cx.program);
        let before = self.point_before(edge);
        let function = &program.functions[callee];
        let mut requires_map = Vec::new();
        let mut ensures_map = Vec::new();
        for (&param, &arg) in function.params.iter().zip(args) {
            let value = self.instance(pool, before, arg);
            let value = self.defined(pool, value);
            parts.push(in_range(pool, program, param, value));
            requires_map.push((program.vars[param].term, value));
            ensures_map.push((old_term(pool, program, param), value));
        }
        let contract = cx.contracts.get(&callee);
        let modified: FxHashSet<VarId> = cx.modifies[callee].iter().copied().collect();
        if let Some(contract) = contract {
            // Only globals the contract names matter, but all modified ones get a new value.
            let named = variables(cx, pool, &[contract.requires, contract.ensures]);
            for &global in program.globals.iter().filter(|g| named.contains(g)) {
                let value = self.value(pool, before, global);
                requires_map.push((program.vars[global].term, value));
                ensures_map.push((old_term(pool, program, global), value));
                if !modified.contains(&global) {
                    ensures_map.push((program.vars[global].term, value));
                }
            }
            let requires = pool.substitute(contract.requires, &requires_map);
            if requires != pool.tt() {
                let reach = pool.and(parts);
                let reach = self.named(pool, reach);
                self.duties.push(CallDuty {
                    edge,
                    reach,
                    requires,
                });
            }
        }
        for &global in &cx.modifies[callee] {
            let value = self.any_value(pool, global);
            ensures_map.push((program.vars[global].term, value));
            written.push((global, value));
        }
        for (&ret, &result) in function.returns.iter().zip(results) {
            let value = self.any_value(pool, ret);
            parts.push(in_range(pool, program, result, value));
            ensures_map.push((program.vars[ret].term, value));
            // Results are written after the globals: a result may be a modified global.
            written.retain(|(v, _)| *v != result);
            written.push((result, value));
        }
        if let Some(contract) = contract {
            parts.push(pool.substitute(contract.ensures, &ensures_map));
        }
    }

    /// Names a value that is neither small nor an array, so that terms do not grow along a path.
    fn defined(&mut self, pool: &mut Pool, value: TermId) -> TermId {
        let sort = pool.sort_of(value);
        let small = pool.args(value).len() <= 3
            && pool.args(value).iter().all(|&a| {
                pool.args(a).iter().all(|&b| pool.args(b).is_empty()) && pool.args(a).len() <= 2
            });
        if small || !(pool.is_arith(sort) || sort == pool.bool_sort()) {
            return value;
        }
        let name = pool.fresh_constant("def", sort);
        let equal = pool.eq(name, value);
        self.constraints.push(equal);
        name
    }

    /// The functions the region calls.
    pub fn callees(&self) -> Vec<FuncId> {
        let mut out: Vec<FuncId> = self
            .written
            .keys()
            .filter_map(|&e| match self.cx.program.edges[e].stmt {
                Stmt::Call { callee, .. } => Some(callee),
                _ => None,
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The term implied by an execution that reaches the target.
    pub fn reach(&self, target: LocId) -> TermId {
        self.reach[&Point::At(target)]
    }

    /// A formula about the state, as it reads at a target.
    pub fn at_target(&mut self, pool: &mut Pool, target: LocId, formula: TermId) -> TermId {
        self.instance(pool, Point::At(target), formula)
    }

    /// A formula about the state at the start; only adds the ranges of what it mentions.
    pub fn at_start(&mut self, pool: &mut Pool, formula: TermId) -> TermId {
        self.instance(pool, Point::Start, formula)
    }

    fn instance(&mut self, pool: &mut Pool, point: Point, formula: TermId) -> TermId {
        let (cx, program) = (self.cx, self.cx.program);
        // Most of what is assigned is one of these.
        if pool.as_number(formula).is_some() {
            return formula;
        }
        if let Some(&var) = cx.var_of.get(&formula) {
            return self.value(pool, point, var);
        }
        let mut pairs = Vec::new();
        let inside = pool.post_order(&[formula]);
        for t in inside {
            if let Some(&var) = cx.var_of.get(&t) {
                let value = self.value(pool, point, var);
                pairs.push((t, value));
            } else if let Some(&var) = cx.var_of_old.get(&t) {
                if self.old_is_start {
                    let value = self.value(pool, Point::Start, var);
                    pairs.push((t, value));
                } else if self.ranged.insert(t) {
                    let range = in_range(pool, program, var, t);
                    self.constraints.push(range);
                }
            }
        }
        Substitution::new(pairs).apply(pool, formula)
    }

    /// The value of a variable at a point, by walking back to where it was written.
    ///
    /// Sound because no path between a point and where the variable is settled writes it.
    fn value(&mut self, pool: &mut Pool, point: Point, var: VarId) -> TermId {
        let goal = self.settled(point, var);
        let mut stack = vec![goal];
        while let Some(&p) = stack.last() {
            if self.values.contains_key(&(p, var)) {
                stack.pop();
                continue;
            }
            let Point::At(loc) = p else {
                let value = self.start_value(pool, var);
                self.values.insert((p, var), value);
                stack.pop();
                continue;
            };
            let edges = &self.incoming[&loc];
            let mut incoming = Vec::with_capacity(edges.len());
            for &edge in edges {
                let own = self.written[&edge].iter().rev().find(|(v, _)| *v == var);
                if let Some(&(_, value)) = own {
                    incoming.push(value);
                    continue;
                }
                let before = self.settled(self.point_before(edge), var);
                match self.values.get(&(before, var)) {
                    Some(&value) => incoming.push(value),
                    None => stack.push(before),
                }
            }
            if incoming.len() < edges.len() {
                continue;
            }
            let first = incoming[0];
            let value = if incoming.iter().all(|&v| v == first) {
                first
            } else {
                let merged = pool.fresh_constant(
                    &self.cx.program.vars[var].name,
                    self.cx.program.vars[var].sort,
                );
                for (edge, &v) in edges.iter().zip(&incoming) {
                    let equal = pool.eq(merged, v);
                    let chosen = pool.implies(self.choice[edge], equal);
                    self.constraints.push(chosen);
                }
                merged
            };
            self.values.insert((p, var), value);
            stack.pop();
        }
        self.values[&(goal, var)]
    }

    fn start_value(&mut self, pool: &mut Pool, var: VarId) -> TermId {
        let term = self.cx.program.vars[var].term;
        if self.ranged.insert(term) {
            let range = in_range(pool, self.cx.program, var, term);
            self.constraints.push(range);
        }
        term
    }
}

/// Of a point other than the start, which dominates all.
fn location(point: Point) -> LocId {
    match point {
        Point::At(loc) => loc,
        Point::Start => unreachable!("the start is a common dominator"),
    }
}

/// The variables named in formulas, current or old.
pub(crate) fn variables(cx: &Context<'_>, pool: &Pool, formulas: &[TermId]) -> FxHashSet<VarId> {
    pool.post_order(formulas)
        .iter()
        .filter_map(|t| cx.var_of.get(t).or_else(|| cx.var_of_old.get(t)))
        .copied()
        .collect()
}

/// Sound because a state never holds a value outside a variable's range: the statement that would
/// put one there cannot be taken.
fn in_range(pool: &mut Pool, program: &Program, var: VarId, value: TermId) -> TermId {
    match (&program.vars[var].range, pool.as_number(value)) {
        (Some((low, high)), Some(number)) => pool.bool_const(low <= number && number <= high),
        (Some((low, high)), None) => pool.in_range(low, value, high),
        (None, _) => pool.tt(),
    }
}

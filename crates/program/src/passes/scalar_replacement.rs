//! Memory cells as variables: an array that is read and written at constant addresses only becomes
//! one variable per address.
//!
//! Idea, on `struct { int state, mode; } *s = malloc(..); s->state = 1; ..`: once constants are
//! propagated, the region of `state` is an array of which only one index ever occurs. As a variable
//! `mem.8[73780]` it takes part in everything that engines know of variables (constants, splitting by
//! values, liveness, simple interpolants), and no query speaks of arrays any more.
//!
//! Arrays that are assigned to each other form a group and share their addresses. "Does the array hold the same
//! everywhere?" is asked before errors only (is an object left?) and counts as no: nobody knows the other
//! addresses, and what is proven with the weaker question is proven. An array compared
//! with another array, used under an address that is no constant, or stored in an array stays as it is.
//!
//! With calls, a global array that no call passes is replaced in all functions. A function that writes the
//! array leaves those of its variables alone that it does not name; the contract of the program before has to say
//! so (a *frame condition*), and the way back adds it.
//!
//! Invariant: a new variable `a[c]` holds `select(a, c)` of the original at every location; so its
//! definition is put back into invariants by the way back.

use super::Transformed;
use super::back_translation::{Leg, Place, Whence};
use crate::analysis::modref::modref;
use crate::{Edge, Program, Stmt, Var, VarId, old_term};
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Rational, Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Most addresses of one group, and most new variables.
const MOST_ADDRESSES: usize = 200;
const MOST_VARIABLES: usize = 4_000;

/// The program with such arrays replaced; `None` if there are none.
pub fn scalar_replacement(pool: &mut Pool, program: &Program) -> Option<Transformed> {
    let groups = groups(pool, program)?;
    let mut out = program.clone();
    let mut leg = Leg::of(program);
    let mut made = Scalars {
        variables: FxHashMap::default(),
        addresses: FxHashMap::default(),
        cells: FxHashMap::default(),
        replaced: FxHashSet::default(),
        rewritten: FxHashMap::default(),
    };
    let mut origin: FxHashMap<VarId, (VarId, Rational)> = FxHashMap::default();
    for (&array, group) in &groups.of {
        let data = &program.vars[array];
        let &Sort::Array(_, element) = pool.sort_kind(data.sort) else {
            continue;
        };
        let mut variables = Vec::new();
        let mut addresses = Vec::new();
        for address in &groups.addresses[group] {
            let name = format!("{}[{address}]", data.name);
            let term = pool.constant(&name, element);
            let index = pool.num(address.clone(), pool.int_sort());
            let cell = out.vars.push(Var {
                name,
                term,
                sort: element,
                range: None,
                source_name: None,
                source_type: None,
                ..data.clone()
            });
            variables.push(cell);
            origin.insert(cell, (array, address.clone()));
            leg.set_var(cell, Whence::Cell(array, address.clone()));
            let select = pool.select(data.term, index);
            leg.define(term, select);
            let (old, whole) = (old_term(pool, &out, cell), old_term(pool, program, array));
            let select = pool.select(whole, index);
            leg.define(old, select);
            made.cells.insert((data.term, index), term);
            addresses.push(index);
        }
        if program.globals.contains(&array) {
            out.globals.extend(&variables);
        }
        for (id, f) in program.functions.iter_enumerated() {
            if [&f.locals, &f.params, &f.returns]
                .iter()
                .any(|list| list.contains(&array))
            {
                out.functions[id].locals.extend(&variables);
            }
        }
        made.replaced.insert(data.term);
        made.variables.insert(array, variables);
        made.addresses.insert(array, addresses);
    }
    for (id, edge) in program.edges.iter_enumerated() {
        match &edge.stmt {
            Stmt::Assume(c) => {
                out.edges[id].stmt = Stmt::Assume(made.rewrite(pool, *c));
            }
            Stmt::Assign(pairs) => {
                let mut list = Vec::new();
                for &(v, e) in pairs {
                    let scalar = made.rewrite(pool, e);
                    let Some(addresses) = made.addresses.get(&v).cloned() else {
                        list.push((v, scalar));
                        continue;
                    };
                    for (k, address) in addresses.into_iter().enumerate() {
                        let var = made.variables[&v][k];
                        let value = made.cell(pool, e, address);
                        if value != out.vars[var].term {
                            list.push((var, value));
                        }
                    }
                }
                out.edges[id].stmt = match list.is_empty() {
                    true => Stmt::Skip,
                    false => Stmt::Assign(list),
                };
            }
            Stmt::Havoc(vars, kind) => {
                let lost: Vec<VarId> = vars
                    .iter()
                    .filter_map(|v| made.variables.get(v))
                    .flatten()
                    .copied()
                    .collect();
                if lost.is_empty() {
                    continue;
                }
                let places = lost.iter().map(|cell| {
                    let (array, address) = &origin[cell];
                    let at = vars.iter().position(|v| v == array);
                    (at.expect("the array is chosen here"), address.clone())
                });
                let places = places.collect();
                // The original havoc stays for replays, a second one is for the cells.
                let middle = out.locations.push(crate::Location {
                    error: None,
                    loop_head: None,
                    ..program.locations[edge.from].clone()
                });
                leg.set_location(middle, Place::Within(edge.to));
                out.edges[id].to = middle;
                let new = out.edges.push(Edge {
                    from: middle,
                    to: edge.to,
                    stmt: Stmt::Havoc(lost, kind.clone()),
                    span: edge.span,
                });
                leg.add_edge(None);
                leg.add_cells(new, places);
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                out.edges[id].stmt = Stmt::Call {
                    callee: *callee,
                    args: args.iter().map(|&a| made.rewrite(pool, a)).collect(),
                    results: results.clone(),
                };
            }
            Stmt::Skip => {}
        }
    }
    frames(pool, program, &out, &made, &mut leg);
    Some(Transformed::new(out, leg))
}

/// The frame conditions: variables of an array that a function wrote before and does not write now.
fn frames(pool: &mut Pool, before: &Program, after: &Program, made: &Scalars, leg: &mut Leg) {
    if !after
        .edges
        .iter()
        .any(|e| matches!(e.stmt, Stmt::Call { .. }))
    {
        return;
    }
    let (wrote, writes) = (modref(pool, before).writes, modref(pool, after).writes);
    for f in before.functions.ids() {
        let mut unchanged = Vec::new();
        for array in &wrote[f] {
            let cells = made.variables.get(array).into_iter().flatten();
            for &cell in cells.filter(|cell| !writes[f].contains(cell)) {
                let old = old_term(pool, after, cell);
                unchanged.push(pool.eq(after.vars[cell].term, old));
            }
        }
        leg.add_frame(f, pool.and(&unchanged));
    }
}

/// The arrays to replace, each with its group, and the addresses of each group.
struct Groups {
    of: BTreeMap<VarId, VarId>,
    addresses: FxHashMap<VarId, Vec<Rational>>,
}

fn groups(pool: &Pool, program: &Program) -> Option<Groups> {
    let mut roots: Vec<TermId> = Vec::new();
    // What calls pass stays as it is.
    let mut passed: Vec<TermId> = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &program.functions[*callee];
                let own = results.iter().chain(&callee.params).chain(&callee.returns);
                passed.extend(own.map(|&v| program.vars[v].term));
                passed.extend(args);
            }
            Stmt::Assume(c) => roots.push(*c),
            Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, e)| *e)),
            Stmt::Skip | Stmt::Havoc(..) => {}
        }
    }
    let is_array = |t: TermId| matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..));
    let flat = |v: VarId| match pool.sort_kind(program.vars[v].sort) {
        &Sort::Array(index, element) => {
            index == pool.int_sort() && !matches!(pool.sort_kind(element), Sort::Array(..))
        }
        _ => false,
    };
    let var_of: FxHashMap<TermId, VarId> = program
        .vars
        .iter_enumerated()
        .filter(|(_, v)| is_array(v.term))
        .map(|(id, v)| (v.term, id))
        .collect();
    if var_of.is_empty() {
        return None;
    }
    // Array terms used in a way that needs the whole array; users come after what they use.
    roots.extend(&passed);
    let order = pool.post_order(&roots);
    let mut whole: FxHashSet<TermId> = passed.into_iter().filter(|t| is_array(*t)).collect();
    for &t in order.iter().rev() {
        let args = pool.args(t);
        let constant = |at: usize| pool.as_number(args[at]).is_some();
        match pool.op(t) {
            Op::Select if constant(1) => {}
            Op::Store if constant(1) && !is_array(args[2]) && !whole.contains(&t) => {}
            Op::Ite if is_array(t) && !whole.contains(&t) => {}
            Op::Eq if is_uniform(pool, t) => {}
            _ => whole.extend(args.iter().copied().filter(|a| is_array(*a))),
        }
    }
    // Which variables an array term is made of, and at which addresses.
    let mut link = Link::default();
    for &t in &order {
        if !is_array(t) && pool.op(t) != Op::Select {
            continue;
        }
        match pool.op(t) {
            Op::Select => link.address(pool, pool.args(t)[0], pool.args(t)[1]),
            Op::Store => {
                link.join(pool, t, pool.args(t)[0]);
                link.address(pool, t, pool.args(t)[1]);
            }
            Op::Ite => {
                link.join(pool, t, pool.args(t)[1]);
                link.join(pool, t, pool.args(t)[2]);
            }
            _ => {}
        }
    }
    for edge in program.edges.iter() {
        if let Stmt::Assign(pairs) = &edge.stmt {
            for &(v, e) in pairs.iter().filter(|(_, e)| is_array(*e)) {
                link.join(pool, program.vars[v].term, e);
            }
        }
    }
    let mut bad: FxHashSet<TermId> = FxHashSet::default();
    for &t in &order {
        let opaque = is_array(t)
            && match pool.op(t) {
                Op::Store | Op::Ite | Op::ConstArray => false,
                _ => !var_of.get(&t).is_some_and(|v| flat(*v)),
            };
        if whole.contains(&t) || opaque {
            bad.insert(link.root(t));
        }
    }
    let mut of = BTreeMap::new();
    let mut name: FxHashMap<TermId, VarId> = FxHashMap::default();
    let mut addresses: FxHashMap<VarId, Vec<Rational>> = FxHashMap::default();
    let mut variables = 0;
    for (id, var) in program.vars.iter_enumerated() {
        if !flat(id) {
            continue;
        }
        let root = link.root(var.term);
        let known = link.addresses.get(&root).map_or(0, BTreeSet::len);
        if bad.contains(&root) || known == 0 || known > MOST_ADDRESSES {
            continue;
        }
        variables += known;
        if variables > MOST_VARIABLES {
            return None;
        }
        let group = *name.entry(root).or_insert(id);
        addresses
            .entry(group)
            .or_insert_with(|| link.addresses[&root].iter().cloned().collect());
        of.insert(id, group);
    }
    (!of.is_empty()).then_some(Groups { of, addresses })
}

/// Array terms that flow into each other (union-find), with the addresses used on them.
#[derive(Default)]
struct Link {
    parent: FxHashMap<TermId, TermId>,
    addresses: FxHashMap<TermId, BTreeSet<Rational>>,
}

impl Link {
    fn root(&mut self, mut t: TermId) -> TermId {
        while let Some(&p) = self.parent.get(&t) {
            if let Some(&above) = self.parent.get(&p) {
                self.parent.insert(t, above);
            }
            t = p;
        }
        t
    }

    fn join(&mut self, pool: &Pool, a: TermId, b: TermId) {
        // An array that is the same everywhere holds nobody together.
        if pool.op(b) == Op::ConstArray {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a, b);
            let moved = self.addresses.remove(&a).unwrap_or_default();
            self.addresses.entry(b).or_default().extend(moved);
        }
    }

    fn address(&mut self, pool: &Pool, array: TermId, index: TermId) {
        if let Some(n) = pool.as_number(index) {
            let root = self.root(array);
            self.addresses.entry(root).or_default().insert(n.clone());
        }
    }
}

struct Scalars {
    /// The new variables of each replaced array, in the order of its group's addresses.
    variables: FxHashMap<VarId, Vec<VarId>>,
    /// The addresses of a replaced array, as terms.
    addresses: FxHashMap<VarId, Vec<TermId>>,
    /// The scalar that an array term has at an address.
    cells: FxHashMap<(TermId, TermId), TermId>,
    /// Array terms made of replaced arrays only.
    replaced: FxHashSet<TermId>,
    rewritten: FxHashMap<TermId, TermId>,
}

impl Scalars {
    /// The term without replaced arrays (a term of such an array itself is for [`Cells::cell`]).
    fn rewrite(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        for t in pool.post_order(&[term]) {
            if self.rewritten.contains_key(&t) {
                continue;
            }
            let args: Vec<TermId> = pool.args(t).to_vec();
            let new: Vec<TermId> = args.iter().map(|a| self.rewritten[a]).collect();
            let constant = args.len() > 1 && pool.as_number(args[1]).is_some();
            let replaced = |a: TermId| self.replaced.contains(&a);
            let made_of = match pool.op(t) {
                Op::ConstArray => true,
                Op::Store => constant && replaced(args[0]),
                Op::Ite => replaced(args[1]) && replaced(args[2]),
                _ => false,
            };
            let known = args.iter().all(|a| replaced(*a));
            if made_of {
                self.replaced.insert(t);
            }
            let result = match pool.op(t) {
                Op::Select if constant && self.replaced.contains(&args[0]) => {
                    self.cell(pool, args[0], args[1])
                }
                Op::Eq if is_uniform(pool, t) && known => pool.ff(),
                _ if new == args => t,
                _ => pool.rebuild(t, &new),
            };
            self.rewritten.insert(t, result);
        }
        self.rewritten[&term]
    }

    /// What the array term, whose scalars are rewritten already, holds at the address.
    fn cell(&mut self, pool: &mut Pool, array: TermId, address: TermId) -> TermId {
        let mut stack = vec![array];
        while let Some(&t) = stack.last() {
            if self.cells.contains_key(&(t, address)) {
                stack.pop();
                continue;
            }
            let args: Vec<TermId> = pool.args(t).to_vec();
            let known = |a: TermId| self.cells.get(&(a, address)).copied();
            let value = match pool.op(t) {
                Op::Store if args[1] == address => Some(self.rewritten[&args[2]]),
                Op::Store => known(args[0]),
                Op::ConstArray => Some(self.rewritten[&args[0]]),
                Op::Ite => match (known(args[1]), known(args[2])) {
                    (Some(a), Some(b)) => Some(pool.ite(self.rewritten[&args[0]], a, b)),
                    _ => None,
                },
                _ => unreachable!("a replaced array has a variable for each address of its group"),
            };
            match value {
                Some(value) => {
                    self.cells.insert((t, address), value);
                    stack.pop();
                }
                None if pool.op(t) == Op::Store => stack.push(args[0]),
                None => stack.extend([args[1], args[2]]),
            }
        }
        self.cells[&(array, address)]
    }
}

/// An array, not built up here, is compared with a constant one.
fn is_uniform(pool: &Pool, equality: TermId) -> bool {
    let is_array = |t: TermId| matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..));
    let args = pool.args(equality);
    let constant = |t: TermId| pool.op(t) == Op::ConstArray;
    is_array(args[0]) && constant(args[0]) != constant(args[1])
}

//! How abstract memory is read, and which variables of a program are its memory.

use super::state::{Cell, State};
use super::terms::{Need, Place, Terms};
use super::value::{Base, Interval, Sum, Val, integer};
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Sort, TermId};
use program::{Program, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// How a program uses its arrays.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// Arrays with one cell a block of addresses.
    pub by_block: FxHashSet<VarId>,
    /// Arrays with one cell an address.
    pub by_address: FxHashSet<VarId>,
    /// The length of a block.
    pub block: Option<i128>,
}

/// Which arrays are indexed by the number of a block; none may be by addresses too. Blocks are what addresses are divided by,
/// which is more than anything else that makes an index is.
pub(crate) fn kinds_of_arrays(
    pool: &Pool,
    program: &Program,
    var_of: &FxHashMap<TermId, VarId>,
) -> Option<Kinds> {
    let mut roots: Vec<TermId> = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, t)| *t)),
            Stmt::Assume(c) => roots.push(*c),
            Stmt::Skip | Stmt::Havoc(..) => {}
            Stmt::Call { args, .. } => roots.extend(args),
        }
    }
    let mut kinds = Kinds::default();
    let mut divided: Vec<(VarId, i128)> = Vec::new();
    // What a chain of stores begins with: initialisers are long chains, so it is not looked for again and again.
    let mut begins: FxHashMap<TermId, TermId> = FxHashMap::default();
    for t in pool.post_order(&roots) {
        let (array, index) = match (pool.op(t), pool.args(t)) {
            (Op::Select, &[a, i]) | (Op::Store, &[a, i, _]) => (a, i),
            _ => continue,
        };
        let root = begins.get(&array).copied().unwrap_or(array);
        if pool.op(t) == Op::Store {
            begins.insert(t, root);
        }
        let Some(&array) = var_of.get(&root) else {
            continue;
        };
        match (pool.op(index), pool.args(index)) {
            (Op::IntDiv, &[_, by]) => {
                let by = pool.as_number(by).and_then(integer)?;
                if by < 2 {
                    return None;
                }
                divided.push((array, by));
            }
            _ if pool.as_number(index).is_some() => {}
            _ => {
                kinds.by_address.insert(array);
            }
        }
    }
    kinds.block = divided.iter().map(|d| d.1).max();
    for (array, by) in divided {
        match kinds.block == Some(by) {
            true => kinds.by_block.insert(array),
            false => kinds.by_address.insert(array),
        };
    }
    let apart = kinds.by_address.is_disjoint(&kinds.by_block);
    apart.then_some(kinds)
}

/// Arrays that the program compares as a whole: "nothing is allocated any more". What these hold counts also in objects that
/// nobody points to.
pub(crate) fn compared_as_wholes(
    pool: &Pool,
    program: &Program,
    var_of: &FxHashMap<TermId, VarId>,
) -> BTreeSet<VarId> {
    let mut roots = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assume(c) => roots.push(*c),
            Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, t)| *t)),
            _ => {}
        }
    }
    let mut out = BTreeSet::new();
    for t in pool.post_order(&roots) {
        if let (Op::Eq, &[a, b]) = (pool.op(t), pool.args(t))
            && matches!(pool.sort_kind(pool.sort_of(a)), Sort::Array(..))
        {
            out.extend(variables(pool, &[a, b], var_of));
        }
    }
    out
}

/// The variables that terms are made of.
fn variables(
    pool: &Pool,
    terms: &[TermId],
    var_of: &FxHashMap<TermId, VarId>,
) -> impl Iterator<Item = VarId> {
    let order = pool.post_order(terms).into_iter();
    order.filter_map(|t| var_of.get(&t).copied())
}

impl Terms<'_> {
    /// Where an index of the array leads.
    pub(super) fn place(
        &self,
        state: &State,
        array: VarId,
        at: TermId,
        index: Val,
        reads: bool,
    ) -> Result<Place, Need> {
        let by_block = self.is_by_block(array);
        let end = match (by_block, self.block) {
            (true, Some(block)) => self.start / block,
            _ => self.start,
        };
        let target = match index.base {
            None if index.offset.within(0, end) => {
                let table = self.place_in_table(state, array, at, index, reads)?;
                return Ok(table.unwrap_or(Place::Fixed(index.offset)));
            }
            Some(Base::Address(t)) if !by_block => t,
            Some(Base::Number(t)) if by_block && index.offset.exact() == Some(0) => t,
            _ => return Ok(Place::Anywhere),
        };
        // What a chain owns is looked at when an object of the chain was taken out.
        let object = state.objects.get(&target.object);
        if object.is_none_or(|o| o.owner.is_some()) {
            return Ok(Place::Anywhere);
        }
        if state.is_many(target.object) {
            return Err(Need::End(target));
        }
        let extent = state.objects.get(&target.object).map_or(0, |o| o.extent);
        if !by_block
            && index.offset.within(0, extent)
            && let Some(place) = self.place_in_table(state, array, at, index, reads)?
        {
            return Ok(place);
        }
        Ok(match by_block || index.offset.within(0, extent) {
            true => Place::Object(target.object, index.offset),
            false => Place::Anywhere,
        })
    }

    pub(super) fn read(
        &self,
        state: &State,
        array: TermId,
        at: TermId,
        value: &dyn Fn(TermId) -> Val,
    ) -> Result<Val, Need> {
        let index = value(at);
        let mut array = array;
        loop {
            match (self.pool.op(array), self.pool.args(array)) {
                (Op::Store, &[inner, at, stored]) => {
                    let mut difference = Sum::of(index);
                    let mut other = Sum::of(value(at));
                    other.scale(-1, self.block);
                    difference.add(&other);
                    match self.is_zero(state, &difference)? {
                        Some(true) => return Ok(value(stored)),
                        Some(false) => array = inner,
                        None => return Ok(Val::ANY),
                    }
                }
                (Op::ConstArray, &[all]) => return Ok(value(all)),
                _ => break,
            }
        }
        let Some(&var) = self.var_of.get(&array) else {
            return Ok(Val::ANY);
        };
        Ok(match self.place(state, var, at, index, true)? {
            Place::Row(value) => value,
            Place::Object(id, offset) => match offset.exact() {
                Some(at) => state.cell(id, (var, at)),
                None => {
                    let cells = &state.objects[&id].cells;
                    self.read_some(state, (var, at), index, state.rest(id, var), cells)?
                }
            },
            Place::Fixed(offset) => match offset.exact() {
                Some(at) => state.fixed((var, at)),
                None => {
                    let default = state.static_defaults.get(&var);
                    let default = default.copied().unwrap_or(Val::ANY);
                    self.read_some(state, (var, at), index, default, &state.statics)?
                }
            },
            Place::Anywhere => Val::ANY,
        })
    }

    /// What one of several cells holds.
    fn read_some(
        &self,
        state: &State,
        (array, at): (VarId, TermId),
        index: Val,
        rest: Val,
        cells: &BTreeMap<Cell, Val>,
    ) -> Result<Val, Need> {
        let inside =
            |(c, v): (&Cell, &Val)| (c.0 == array && index.offset.holds(c.1)).then_some((c.1, *v));
        let listed: Vec<(i128, Val)> = cells.iter().filter_map(inside).collect();
        let Some(&(_, first)) = listed.first() else {
            return Ok(rest);
        };
        if listed.iter().any(|(_, v)| v.base.is_some()) {
            self.make_table(state, array, at, index, None)?;
        }
        let joined = listed.iter().fold(first, |out, (_, v)| out.join(*v));
        // Sound because these are all places that the index may be.
        let all = self
            .places(state, at, index)?
            .is_some_and(|mut all| all.all(|n| listed.iter().any(|l| l.0 == n)));
        if !all {
            // By a table it would be known which of them it is.
            self.tabled.borrow_mut().insert(array);
        }
        Ok(if all { joined } else { joined.join(rest) })
    }

    /// Is an array the same number everywhere?
    pub(super) fn arrays_equal(
        &self,
        state: &State,
        a: TermId,
        b: TermId,
        value: &dyn Fn(TermId) -> Val,
    ) -> Option<bool> {
        let constant = |t: TermId| match (self.pool.op(t), self.pool.args(t)) {
            (Op::ConstArray, &[all]) => value(all)
                .offset
                .exact()
                .filter(|_| value(all).base.is_none()),
            _ => None,
        };
        let (array, number) = match (constant(a), constant(b)) {
            (Some(n), _) => (b, n),
            (_, Some(n)) => (a, n),
            _ => return None,
        };
        let var = *self.var_of.get(&array)?;
        // What hangs together by it is not zero everywhere, whatever the ends hold.
        let tabled = state.tables.iter().any(|t| t.array == var);
        if tabled || state.objects.values().any(|o| o.hangs_by(var)) {
            return None;
        }
        let mut same = true;
        let fixed = state.statics.iter().filter(|(c, _)| c.0 == var);
        let mut values: Vec<Val> = fixed.map(|(_, v)| *v).collect();
        for (&id, object) in &state.objects {
            let cells = object.cells.iter().filter(|(c, _)| c.0 == var);
            let mut cells = cells.map(|(_, v)| *v);
            match state.may_be_absent(id) {
                true => same &= cells.all(|v| v == Val::int(Interval::number(number))),
                false => values.extend(cells),
            }
            same &= state.rest(id, var) == Val::int(Interval::number(number));
        }
        for v in values {
            if v.base.is_some() || !v.offset.holds(number) {
                return v.base.is_none().then_some(false);
            }
            same &= v.offset.exact() == Some(number);
        }
        let default = |all: Option<&Val>| all == Some(&Val::int(Interval::number(number)));
        same &= default(state.defaults.get(&var)) && default(state.static_defaults.get(&var));
        (same && !state.framed).then_some(true)
    }
}

/// The variable that begins with a number and to which things are added otherwise, with that number:
/// the one with the largest.
pub(crate) fn end_of_memory(
    pool: &Pool,
    program: &Program,
    var_of: &FxHashMap<TermId, VarId>,
) -> Option<(VarId, i128)> {
    let mut starts: std::collections::BTreeMap<VarId, Vec<i128>> = Default::default();
    let mut other: FxHashSet<VarId> = FxHashSet::default();
    let mut grown: FxHashSet<VarId> = FxHashSet::default();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(pairs) => {
                for &(var, value) in pairs {
                    if let Some(n) = pool.as_number(value) {
                        match integer(n) {
                            Some(n) => starts.entry(var).or_default().push(n),
                            None => drop(other.insert(var)),
                        }
                        continue;
                    }
                    let form = pool.linear(value);
                    let own = form.terms.iter().find(|(t, _)| var_of.get(t) == Some(&var));
                    match own {
                        Some((_, factor)) if factor.is_one() => drop(grown.insert(var)),
                        _ => drop(other.insert(var)),
                    }
                }
            }
            Stmt::Havoc(vars, _) => other.extend(vars),
            Stmt::Call { results, .. } => other.extend(results),
            Stmt::Assume(_) | Stmt::Skip => {}
        }
    }
    let once = |(v, s): (&VarId, &Vec<i128>)| match s.as_slice() {
        [n] if *n > 0 && grown.contains(v) && !other.contains(v) => Some((*v, *n)),
        _ => None,
    };
    starts.iter().filter_map(once).max_by_key(|(_, n)| *n)
}

//! Abstraction of tables: neighbouring segments become one row.
//!
//! ```text
//!   [ each a list or zero | n -> ... | each a list or zero ]    becomes    [ each a list or zero ]
//! ```
//! Borders that go by a number of the program stay, as loops move them: of the two borders of a cell that was taken out the
//! one that goes by it without an addend. What the cells of both own has to look alike, or is zero in one of
//! them (`inner`); where cells hold numbers, or pointers to what is freed, they become any number.
//! The last border stays while segments are few: beyond it nothing is known.
//! None of this is believed (`entail`, `closed`).

use super::fold::Folding;
use super::inner::inner;
use super::state::{Kind, ObjectId, State};
use super::table::{Place, Table};
use super::tree::ZERO;
use super::value::{Base, Val};

/// Tables of so many segments keep where what is known ends.
const FEW_SEGMENTS: usize = 4;

/// Makes one row of two segments, if there are such; says which object is its cells then, and what else it is made of.
pub(super) fn fold_rows(state: &mut State, how: Folding) -> Option<(ObjectId, Vec<ObjectId>)> {
    for at in 0..state.tables.len() {
        let table = state.tables[at].clone();
        for k in 1..table.segments.len() {
            if table.segments[k].from.fixed || stays(state, &table, k) || is_end(state, &table, k) {
                continue;
            }
            let pair = [k - 1, k].map(|n| table.segments[n].cells);
            if merge(state, &table, k - 1, how) {
                state.table_mut(at).segments.remove(k);
                return Some((pair[0], vec![pair[1]]));
            }
        }
    }
    None
}

/// How far a place is from a name of the program.
fn distance(table: &Table, place: &Place) -> i128 {
    let fixed = table.segments[1..].iter().filter(|s| s.from.fixed);
    let mut fixed = fixed.flat_map(|s| &s.from.names);
    let start = fixed.find(|n| n.0.is_empty());
    let start = start.map_or(table.remainder, |n| n.1);
    (place.1 - start).abs().min(place.1.abs())
}

/// Is it worth knowing where a segment begins?
fn stays(state: &State, table: &Table, k: usize) -> bool {
    let border = |n: usize| table.segments.get(n).filter(|_| n > 0).map(|s| &s.from);
    let named = |n: usize| {
        let names = border(n).into_iter().flat_map(|b| &b.names);
        names.filter(|p| !p.0.is_empty())
    };
    // A cell that the program is at.
    let current = |n: usize| {
        let one = n > 0 && state.is_one(table.segments[n].cells);
        one && named(n).any(|p| distance(table, p) == 0)
    };
    if current(k - 1) || current(k) {
        return true;
    }
    // Of those that go by the same numbers the nearest.
    named(k).any(|p| {
        let others = (1..table.segments.len()).flat_map(named);
        let mut same = others.filter(|o| o.0 == p.0);
        let own = distance(table, p);
        same.all(|o| own <= distance(table, o))
    })
}

/// Does what is known of cells end there? Beyond the last border nothing is known, and would not be of them either.
fn is_end(state: &State, table: &Table, k: usize) -> bool {
    let few = table.segments.len() <= FEW_SEGMENTS;
    let known = state.content(table, k - 1) != Val::ANY;
    few && k > 1 && k + 1 == table.segments.len() && known && state.content(table, k) == Val::ANY
}

/// Does a cell hold a number, or a pointer to what looks like nothing any more?
fn is_plain(state: &State, value: Val) -> bool {
    let Some(base) = value.base else { return true };
    let Some(object) = state.objects.get(&base.target().object) else {
        return true;
    };
    let cells = object.cells.iter();
    let mut blocks = cells.filter(|(c, _)| state.defaults.contains_key(&c.0));
    matches!(base, Base::Address(_))
        && object.tree().is_none()
        && object.owner.is_none()
        && state.fresh != Some(base.target().object)
        && blocks.all(|(c, v)| state.defaults.get(&c.0) == Some(v))
}

/// Makes the cells of a segment and of the next those of a row.
fn merge(state: &mut State, table: &Table, k: usize, how: Folding) -> bool {
    let (a, b) = (table.segments[k].cells, table.segments[k + 1].cells);
    let (v, w) = (state.content(table, k), state.content(table, k + 1));
    let cell = (table.array, 0);
    let owns = |x: ObjectId| !state.owned(x).is_empty();
    let value = if is_plain(state, v) && is_plain(state, w) && !owns(a) && !owns(b) {
        match (v.base, w.base) {
            _ if v == w => v,
            (None, None) if v != Val::ANY && w != Val::ANY => v.join(w),
            _ => Val::ANY,
        }
    } else {
        let junk = |x: Val| is_plain(state, x) && x != ZERO;
        if junk(v) || junk(w) {
            return false;
        }
        let how = Folding {
            numbers: true,
            optional: true,
            ..how
        };
        let Some(inner) = inner(state, a, b, |_| false, how) else {
            return false;
        };
        let cells = inner.joined(state, a, b, |_| true);
        state.forget_object_facts(|id| inner.is_part(id));
        inner.merge(state, (a, b));
        let value = cells.iter().find(|(c, _)| *c == cell);
        value.map_or(Val::ANY, |(_, v)| *v)
    };
    state.forget_object_facts(|id| id == a || id == b);
    if let Some(object) = state.object_mut(a) {
        object.kind = Kind::Row;
        object.cells.insert(cell, value);
    }
    state.objects.remove(&b);
    true
}

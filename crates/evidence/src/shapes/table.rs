//! Tables: arrays of pointers whose cells own what they point to.
//!
//! ```text
//!   heads[h] = n, h unknown     [ below h: a list or zero each | at h: n -> ... | above h: a list or zero each ]
//!   h is no longer known        [ each a list or zero ]
//!   for (i ...) drop(heads[i])  [ below 0: zero | from 0: nobody looks | from i: a list or zero each | ... ]
//! ```
//! The cells of an array in one object (or at fixed addresses) whose places leave the same remainder are cut into *segments* by
//! *borders*, from the lowest place to the highest. A segment is a row of any number of cells, also none, or one cell. Its cells
//! are an object of the state that nothing points to, so what the cells of a row own is owned as by a chain (`state`).
//! A border goes by names: sums of numbers of the state that are that place. Without a name it is somewhere.
//! A cell that is looked at is taken out of its row first; rows become one again where no border between them is
//! worth knowing (`fold_rows`).
//!
//! Source: Cousot, Cousot, Logozzo, "A parametric segmentation functor for fully automatic and scalable array content
//! analysis" (POPL 2011); here segments own objects.
//!
//! Sound because a cell at a place lies in one of the segments that its place may be in, and the cases of `unfolded_cell`
//! are these; because a name is given up, or said in what numbers are now, when one of its numbers changes (`named_after`);
//! and because only a row between borders of which the upper is not above the lower is left out.

use super::facts::{Form, Name, plus};
use super::relate::Linear;
use super::state::{Cell, Kind, Object, ObjectId, State};
use super::terms::{self, Need, Terms};
use super::value::{Base, Interval, Sum, Val, gcd, integer};
use logic::{Op, TermId};
use program::VarId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A place, from the start of what holds the table: a sum of names and a number.
pub(super) type Place = (Form, i128);

/// Where a segment begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Border {
    /// Each is that place.
    pub names: Vec<Place>,
    /// It is where a table begins or ends, and stays.
    pub fixed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    /// Of the first segment it means nothing: there are no lower cells.
    pub from: Border,
    /// The object with one cell at 0, which each of the segment's cells is like.
    pub cells: ObjectId,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub array: VarId,
    /// `None` for fixed addresses.
    pub holder: Option<ObjectId>,
    /// Its places leave the remainder when divided by the stride.
    pub stride: i128,
    pub remainder: i128,
    pub segments: Vec<Segment>,
}

/// A cell that is looked for.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Which table of the state; or one that is to be made.
    pub table: Result<usize, NewTable>,
    pub place: Place,
    pub bounds: Interval,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NewTable {
    pub array: VarId,
    pub holder: Option<ObjectId>,
    pub stride: i128,
}

/// How many cells are looked at one by one.
const MOST_PLACES: i128 = 1024;
/// More segments than this are no table that is understood.
const MOST_SEGMENTS: usize = 16;

impl Border {
    pub fn at(place: Place) -> Border {
        Border {
            names: vec![place],
            fixed: false,
        }
    }

    pub fn add(&mut self, place: Place) {
        if !self.names.contains(&place) {
            self.names.push(place);
            self.names.sort_unstable();
        }
    }
}

impl Table {
    /// What no statement changes.
    pub fn kind(&self) -> (VarId, bool, i128, i128) {
        (
            self.array,
            self.holder.is_some(),
            self.stride,
            self.remainder,
        )
    }

    /// Is the place one of its cells'? `None` if that is open.
    pub fn has(&self, place: &Place) -> Option<bool> {
        let whole = place.0.iter().all(|t| t.1 % self.stride == 0);
        let known = |n: &Place| n.0 == place.0 && !n.0.is_empty();
        match self.segments[1..]
            .iter()
            .flat_map(|s| &s.from.names)
            .find(|n| known(n))
        {
            // Borders are places of its cells.
            Some(n) => Some((place.1 - n.1) % self.stride == 0),
            None => whole.then(|| place.1.rem_euclid(self.stride) == self.remainder),
        }
    }
}

impl State {
    /// Between which numbers one place lies above another.
    pub fn apart(&self, a: &Place, b: &Place) -> Interval {
        let Some(form) = plus(&a.0, -1, &b.0) else {
            return Interval::ALL;
        };
        let by = a.1.checked_sub(b.1);
        let sum = |x: Option<i128>| x?.checked_add(by?);
        Interval {
            low: sum(self.lower(&form)),
            high: sum(self.upper(&form)),
        }
    }

    /// The segments in which a place may be.
    pub fn open_segments(&self, table: &Table, place: &Place, bounds: Interval) -> Vec<usize> {
        let above = |k: usize| {
            let names = table.segments.get(k).map(|s| s.from.names.as_slice());
            let mut out = Interval::ALL;
            for name in names.unwrap_or_default() {
                out = out.meet(self.apart(place, name));
                if name.0.is_empty() {
                    out = out.meet(bounds.add(Interval::number(-name.1)));
                }
            }
            out
        };
        let open = |k: &usize| {
            let below = *k > 0 && above(*k).high.is_some_and(|h| h < 0);
            let single = self.is_one(table.segments[*k].cells);
            let other = single && *k > 0 && !above(*k).holds(0);
            let next = table.segments.len() > k + 1 && above(k + 1).low.is_some_and(|l| l >= 0);
            !below && !other && !next
        };
        (0..table.segments.len()).filter(open).collect()
    }

    pub fn holds_table(&self, id: ObjectId) -> bool {
        self.tables.iter().any(|t| t.holder == Some(id))
    }

    pub fn is_one(&self, cells: ObjectId) -> bool {
        self.objects.get(&cells).is_some_and(|o| o.is_single())
    }

    pub fn is_row(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|o| o.kind == Kind::Row)
    }

    /// What a cell of the segment holds.
    pub fn content(&self, table: &Table, segment: usize) -> Val {
        self.cell(table.segments[segment].cells, (table.array, 0))
    }

    /// The cases for a cell of a table: which segment it is in, each with the cell taken out.
    pub fn unfolded_cell(&self, spot: &Spot) -> Vec<State> {
        let at = match spot.table {
            Ok(at) => at,
            Err(new) => return vec![self.with_table(new, spot)],
        };
        let Some(table) = self.tables.get(at) else {
            return vec![self.clone()];
        };
        let mut out = Vec::new();
        for k in self.open_segments(table, &spot.place, spot.bounds) {
            let mut state = self.clone();
            if self.is_one(table.segments[k].cells) {
                let stride = table.stride;
                let segments = &mut state.table_mut(at).segments;
                segments[k].from.add(spot.place.clone());
                if let Some(next) = segments.get_mut(k + 1) {
                    next.from.add((spot.place.0.clone(), spot.place.1 + stride));
                }
            } else {
                state.take_out(at, k, spot);
            }
            out.extend(super::state::settled(vec![state]));
        }
        out
    }

    pub fn table_mut(&mut self, at: usize) -> &mut Table {
        Rc::make_mut(&mut self.tables[at])
    }

    /// A row becomes two with a cell between them.
    fn take_out(&mut self, at: usize, k: usize, spot: &Spot) {
        let table = self.tables[at].clone();
        let row = table.segments[k].cells;
        let owned = self.owned(row);
        let cell = self.copy(row, None, &owned, Kind::Single);
        let behind = self.copy(row, None, &owned, Kind::Row);
        let (form, constant) = &spot.place;
        let mut from = Border::at(spot.place.clone());
        let mut to = Border::at((form.clone(), constant + table.stride));
        // The first cell that is known begins the table.
        from.fixed = table.segments.len() == 1;
        // Of exact places the number is kept, as its names may change.
        if let Some(n) = spot.bounds.exact() {
            from.add((Form::new(), n));
            to.add((Form::new(), n + table.stride));
        }
        let new = [
            Segment { from, cells: cell },
            Segment {
                from: to,
                cells: behind,
            },
        ];
        self.broken |= table.segments.len() + 2 > MOST_SEGMENTS;
        self.table_mut(at).segments.splice(k + 1..k + 1, new);
        self.prune_table(at);
    }

    /// Leaves out rows without cells.
    pub fn prune(&mut self) {
        for at in 0..self.tables.len() {
            self.prune_table(at);
        }
    }

    fn prune_table(&mut self, at: usize) {
        loop {
            let table = &self.tables[at];
            let empty = |k: &usize| {
                let (one, next) = (&table.segments[*k], &table.segments[k + 1]);
                let above = |n: &Place, l: &Place| self.apart(n, l).high.is_none_or(|h| h > 0);
                let all = |n: &Place| one.from.names.iter().all(|l| above(n, l));
                self.is_row(one.cells) && !next.from.names.iter().all(all)
            };
            let Some(k) = (1..table.segments.len().saturating_sub(1)).find(empty) else {
                return;
            };
            let row = table.segments[k].cells;
            let stride = table.stride;
            let mut gone = self.owned(row);
            gone.insert(row);
            self.forget_object_facts(|id| gone.contains(&id));
            self.objects.retain(|id, _| !gone.contains(id));
            let segments = &mut self.table_mut(at).segments;
            let from = segments.remove(k).from;
            for name in from.names {
                segments[k].from.add(name);
            }
            segments[k].from.fixed |= from.fixed;
            let (cells, names) = (segments[k].cells, segments[k].from.names.clone());
            if self.is_one(cells)
                && let Some(next) = self.table_mut(at).segments.get_mut(k + 1)
            {
                for (form, n) in names {
                    next.from.add((form, n + stride));
                }
            }
        }
    }

    /// A table of cells that are as they were.
    fn with_table(&self, new: NewTable, spot: &Spot) -> State {
        let mut state = self.clone();
        let NewTable {
            array,
            holder,
            stride,
        } = new;
        let remainder = spot.place.1.rem_euclid(stride);
        let is_inside = |at: i128| at.rem_euclid(stride) == remainder;
        let rest = match holder {
            Some(id) => self.rest(id, array),
            None => self
                .static_defaults
                .get(&array)
                .copied()
                .unwrap_or(Val::ANY),
        };
        let mut listed: Vec<(i128, Val)> = match holder {
            Some(id) => {
                let cells = self.objects.get(&id).map(|o| o.cells.iter());
                let cells = cells.into_iter().flatten();
                let cells = cells.filter(|(c, _)| c.0 == array && is_inside(c.1));
                cells.map(|(c, v)| (c.1, *v)).collect()
            }
            None => {
                let cells = self.statics.iter();
                let cells = cells.filter(|(c, _)| c.0 == array && is_inside(c.1));
                cells.map(|(c, v)| (c.1, *v)).collect()
            }
        };
        listed.sort_unstable();
        state.forget_names(|n| match n {
            Name::Cell(o, c) => Some(o) == holder && c.0 == array && is_inside(c.1),
            Name::Fixed(c) => holder.is_none() && c.0 == array && is_inside(c.1),
            _ => false,
        });
        if let Some(id) = holder {
            state.forget_name(Name::Mark(id, array));
            state.facts.marks.remove(&(id, array));
            if let Some(object) = state.object_mut(id) {
                object.cells.retain(|c, _| c.0 != array || !is_inside(c.1));
            }
        } else {
            state.statics.retain(|c, _| c.0 != array || !is_inside(c.1));
        }
        let mut segments: Vec<Segment> = Vec::new();
        // Where the segment that comes next begins; the first begins nowhere.
        let mut at: Option<i128> = None;
        let border = |at: Option<i128>| Border {
            names: at.map(|n| (Form::new(), n)).into_iter().collect(),
            fixed: true,
        };
        let (low, high) = (spot.bounds.low, spot.bounds.high);
        let inner = low.zip(high).filter(|(l, h)| l < h);
        let value_at = |n: i128| listed.iter().find(|l| l.0 == n).map_or(rest, |l| l.1);
        let mut cuts: Vec<i128> = listed.iter().flat_map(|(n, _)| [*n, n + stride]).collect();
        // Neighbours with the same number are one row.
        cuts.retain(|n| {
            let (before, own) = (value_at(n - stride), value_at(*n));
            before != own || own.base.is_some()
        });
        if let Some((l, h)) = inner {
            cuts.extend([l, h + stride].iter().filter(|n| is_inside(**n)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let above = inner.and_then(|(_, h)| self.bound_by_name(&spot.place, stride, h));
        for to in cuts.iter().copied().map(Some).chain([None]) {
            let value = at.map_or(rest, value_at);
            let kind = match value.base {
                Some(_) => Kind::Single,
                None => Kind::Row,
            };
            let cells = state.add_object(cells_of(array, value, kind));
            segments.push(Segment {
                from: border(at),
                cells,
            });
            at = to;
        }
        // A number of the program that places stay below.
        if let Some((name, high)) = above
            && let Some(k) = segments
                .iter()
                .position(|s| s.from.names == [(Form::new(), high)])
            && let Some(object) = state.objects.get(&segments[k - 1].cells).cloned()
            && object.kind == Kind::Row
            && self.lies_between(&name, &segments[k - 1].from, k > 1, high)
        {
            let cells = state.add_object(Object::clone(&object));
            let from = Border {
                names: vec![name],
                fixed: true,
            };
            segments.insert(k, Segment { from, cells });
        }
        // Only the first and the last border stay.
        let last = segments.len() - 1;
        for (k, segment) in segments.iter_mut().enumerate() {
            segment.from.fixed &= k == 1 || k >= last.saturating_sub(1) && k > 1;
        }
        state.broken |= segments.len() > MOST_SEGMENTS;
        state.tables.push(Rc::new(Table {
            array,
            holder,
            stride,
            remainder,
            segments,
        }));
        state
    }

    /// Another name of a place, by numbers that are not lost.
    fn other_name(&self, place: &Place, lost: &impl Fn(Name) -> bool) -> Option<Place> {
        let &[(_, k)] = place.0.as_slice() else {
            return None;
        };
        let facts = self.facts.all.iter().flat_map(|f| &f.form);
        let mut names: Vec<Name> = facts.map(|t| t.0).filter(|n| !lost(*n)).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|n| !self.has_base(*n));
        names.into_iter().find_map(|n| {
            let other = (vec![(n, k)], 0);
            let by = self.apart(place, &other).exact()?;
            Some((other.0, by))
        })
    }

    /// Is a place not below a border, if there is one, and not above a number?
    fn lies_between(&self, place: &Place, border: &Border, bordered: bool, high: i128) -> bool {
        let not_below = |n: &Place| self.apart(place, n).low.is_some_and(|l| l >= 0);
        let above = self.apart(place, &(Form::new(), high)).high;
        let fits = !bordered || border.names.iter().any(not_below);
        fits && above.is_some_and(|h| h <= 0)
    }

    /// How many names borders have that are no numbers.
    pub fn named_borders(&self) -> usize {
        let all = self.tables.iter().flat_map(|t| &t.segments[1..]);
        let names = all.flat_map(|s| &s.from.names);
        names.filter(|n| !n.0.is_empty()).count()
    }

    /// A border that a place is just below, by a number of the program; and where places end by their bounds.
    fn bound_by_name(&self, place: &Place, stride: i128, high: i128) -> Option<(Place, i128)> {
        let mut names: Vec<Name> = Vec::new();
        for fact in &self.facts.all {
            names.extend(fact.form.iter().map(|t| t.0));
        }
        names.sort_unstable();
        names.dedup();
        names.retain(|n| place.0.iter().all(|t| t.0 != *n) && !self.has_base(*n));
        let tight = |n: &Name| {
            let name = (vec![(*n, stride)], place.1);
            let below = self.apart(place, &name).high == Some(-stride);
            below.then_some((name, high + stride))
        };
        names.iter().find_map(tight)
    }

    /// Border names in which a name occurs are given up.
    pub fn forget_in_borders(&mut self, which: impl Fn(Name) -> bool) {
        let hit = |n: Name| match n {
            Name::Term(_, v) => which(n) || which(Name::Var(v)),
            _ => which(n),
        };
        for table in &mut self.tables {
            let mut names = table.segments.iter().flat_map(|s| &s.from.names);
            if names.any(|n| n.0.iter().any(|t| hit(t.0))) {
                for segment in &mut Rc::make_mut(table).segments {
                    let names = &mut segment.from.names;
                    names.retain(|n| !n.0.iter().any(|t| hit(t.0)));
                }
            }
        }
    }

    /// A border that loses its last name to a row of which nothing is known goes down to a number that it is not below.
    ///
    /// Sound because what was said of the cells between is forgotten with that.
    pub fn round_borders(&mut self, lost: impl Fn(Name) -> bool) {
        let hit = |n: Name| match n {
            Name::Term(_, v) => lost(n) || lost(Name::Var(v)),
            _ => lost(n),
        };
        for at in 0..self.tables.len() {
            let table = self.tables[at].clone();
            for k in 1..table.segments.len() {
                let names = &table.segments[k].from.names;
                let kept = names.iter().any(|n| !n.0.iter().any(|t| hit(t.0)));
                if kept || names.is_empty() {
                    continue;
                }
                let rows = [k - 1, k].map(|n| self.is_row(table.segments[n].cells));
                // Where a loop ended, not where a cell was looked at.
                if rows == [true, true]
                    && let Some(name) = names.iter().find_map(|n| self.other_name(n, &lost))
                {
                    self.table_mut(at).segments[k].from.add(name);
                    continue;
                }
                let lows = names
                    .iter()
                    .filter_map(|n| self.apart(n, &(Form::new(), 0)).low);
                let highs = names
                    .iter()
                    .filter_map(|n| self.apart(n, &(Form::new(), 0)).high);
                let (Some(low), high) = (lows.max(), highs.min()) else {
                    continue;
                };
                // The next place of a cell.
                let low = low + (table.remainder - low).rem_euclid(table.stride);
                let exact = high.is_some_and(|h| h < low + table.stride);
                let plain = self.content(&table, k - 1).base.is_none();
                let forgets = rows == [true, true] && plain && self.content(&table, k) == Val::ANY;
                let before = &table.segments[k - 1].from.names;
                let above = |n: &Place| {
                    self.apart(&(Form::new(), low), n)
                        .low
                        .is_some_and(|l| l >= 0)
                };
                let fits = k == 1 || before.iter().any(above);
                if exact || forgets && fits {
                    let from = &mut self.table_mut(at).segments[k].from;
                    from.names = vec![(Form::new(), low)];
                }
            }
        }
    }

    /// The objects of its tables, without which others cannot be understood.
    pub fn with_tables(&self, mut seen: BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
        loop {
            let lacking = |t: &&Rc<Table>| {
                let mut cells = t.segments.iter().map(|s| s.cells);
                let any = t.holder.is_none_or(|h| seen.contains(&h));
                let any = any || cells.clone().any(|c| seen.contains(&c));
                any && (cells.any(|c| !seen.contains(&c))
                    || t.holder.is_some_and(|h| !seen.contains(&h)))
            };
            let Some(table) = self.tables.iter().find(lacking) else {
                return seen;
            };
            let cells = table.segments.iter().map(|s| s.cells);
            let all: Vec<ObjectId> = cells.chain(table.holder).collect();
            seen.extend(self.reachable(all.into_iter()));
        }
    }

    /// Nothing is known of the cells of an array any more.
    pub fn forget_tables(&mut self, array: VarId) {
        let of: Vec<Rc<Table>> = self
            .tables
            .iter()
            .filter(|t| t.array == array)
            .cloned()
            .collect();
        for table in of {
            for segment in &table.segments {
                self.broken |= !self.owned(segment.cells).is_empty();
                self.objects.remove(&segment.cells);
            }
        }
        self.tables.retain(|t| t.array != array);
    }
}

fn cells_of(array: VarId, value: Val, kind: Kind) -> Object {
    Object {
        kind,
        owner: None,
        optional: false,
        cells: [((array, 0), value)].into(),
        rest: Default::default(),
        extent: 0,
        align: 1,
    }
}

/// What a number becomes: in terms of numbers before.
pub(super) struct Renamed {
    pub name: Name,
    /// A form and what is added, if it is that and of the same address.
    pub value: Option<(Form, i128)>,
    /// The object that its address is counted from.
    pub holder: Option<Option<ObjectId>>,
}

/// The names of a border after numbers have changed: said in what they are now.
pub(super) fn named_after(
    border: &Border,
    holder: Option<ObjectId>,
    renamed: &[Renamed],
    forgotten: &dyn Fn(Name) -> bool,
) -> Border {
    let mut out = Border {
        names: Vec::new(),
        fixed: border.fixed,
    };
    let change = |n: Name| match n {
        Name::Term(_, v) => renamed.iter().find(|r| r.name == Name::Var(v)),
        _ => renamed.iter().find(|r| r.name == n),
    };
    // What a name is by what it becomes: `name = new - by`.
    let moved = |n: Name| -> Option<i128> {
        let Some(r) = change(n) else {
            return (!forgotten(n)).then_some(0);
        };
        let (form, by) = r.value.as_ref()?;
        (n == r.name && *form == [(n, 1)]).then_some(*by)
    };
    for (form, constant) in &border.names {
        let same = form.iter().try_fold(*constant, |c, &(n, k)| {
            c.checked_sub(k.checked_mul(moved(n)?)?)
        });
        if let Some(c) = same {
            out.add((form.clone(), c));
        }
        for r in renamed {
            let Some((value, by)) = &r.value else {
                continue;
            };
            if r.holder == Some(holder) && value == form && !form.is_empty() {
                out.add((vec![(r.name, 1)], constant - by));
            }
            // A copy of one of its numbers.
            let [(n, 1)] = value.as_slice() else { continue };
            let others = form.iter().filter(|t| t.0 != *n);
            let rest = others.clone().try_fold(*constant, |c, &(m, k)| {
                c.checked_sub(k.checked_mul(moved(m)?)?)
            });
            let own = form.iter().find(|t| t.0 == *n);
            if let (Some(&(_, k)), Some(rest), true) = (own, rest, *n != r.name) {
                let mut form: Form = others.copied().collect();
                if form.iter().all(|t| t.0 != r.name) {
                    form.push((r.name, k));
                    form.sort_unstable();
                    out.add((form, rest - k * by));
                }
            }
        }
    }
    out
}

/// Of the array are names of places.
struct Found {
    place: Place,
    bounds: Interval,
}

impl Terms<'_> {
    /// Where an index is, from the start of an object or of fixed addresses, as a sum of names.
    fn found(&self, state: &State, at: TermId, index: Val) -> Result<Option<Found>, Need> {
        let bounds = index.offset;
        let exact = || {
            let n = index.offset.exact()?;
            Some(Found {
                place: (Form::new(), n),
                bounds,
            })
        };
        let sum = self.pool.linear(at);
        let Some(mut constant) = integer(&sum.constant) else {
            return Ok(exact());
        };
        let mut form = Form::new();
        let mut rest = Sum::number(0);
        for (t, factor) in &sum.terms {
            let Some(factor) = integer(factor) else {
                return Ok(exact());
            };
            let part = match self.linear(state, *t, 0)? {
                Some(part) if part.rest.offset.exact().is_some() => part,
                _ => match self.of_one_variable(*t) {
                    Some(v) if !state.has_base(Name::Var(v)) => Linear {
                        form: vec![(Name::Term(*t, v), 1)],
                        rest: Sum::number(0),
                    },
                    _ => return Ok(exact()),
                },
            };
            let mut part = part;
            // Pointers to a known place of an object: only the others are names of places.
            let known = |n: &(Name, i128)| {
                let exact = state.interval(n.0).exact().filter(|_| state.has_base(n.0));
                exact.map(|e| e * n.1)
            };
            let sum: i128 = part.form.iter().filter_map(known).sum();
            part.rest.add(&Sum::number(sum));
            part.form.retain(|n| known(n).is_none());
            let Some(more) = plus(&form, factor, &part.form) else {
                return Ok(exact());
            };
            form = more;
            let mut own = part.rest;
            own.scale(factor, self.block);
            rest.add(&own);
        }
        let (Some(n), true) = (rest.offset.exact(), rest.parts == Sum::of(index).parts) else {
            return Ok(exact());
        };
        constant += n;
        Ok(Some(Found {
            place: (form, constant),
            bounds,
        }))
    }

    /// The variable of a term that has one variable and reads no memory.
    fn of_one_variable(&self, t: TermId) -> Option<VarId> {
        let mut out = None;
        for part in self.pool.post_order(&[t]) {
            match (self.pool.op(part), self.var_of.get(&part)) {
                (Op::Select | Op::Store | Op::ConstArray, _) => return None,
                (_, Some(&v)) if out.is_none_or(|o| o == v) => out = Some(v),
                (_, Some(_)) => return None,
                _ => {}
            }
        }
        out
    }

    /// The places where an index may be, if there are few.
    pub(super) fn places(
        &self,
        state: &State,
        at: TermId,
        index: Val,
    ) -> Result<Option<impl Iterator<Item = i128> + use<>>, Need> {
        let Interval {
            low: Some(low),
            high: Some(high),
        } = index.offset
        else {
            return Ok(None);
        };
        let Some(found) = self.found(state, at, index)? else {
            return Ok(None);
        };
        let (form, constant) = found.place;
        let stride = form.iter().fold(0, |d, t| gcd(d, t.1));
        if stride == 0 {
            return Ok(None);
        }
        let low = low + (constant - low).rem_euclid(stride);
        let few = high - low < MOST_PLACES * stride;
        Ok(few.then(|| (low..=high).step_by(stride as usize)))
    }

    /// The table cell that an index leads to, if there are tables of the array.
    pub(super) fn place_in_table(
        &self,
        state: &State,
        array: VarId,
        at: TermId,
        index: Val,
        reads: bool,
    ) -> Result<Option<terms::Place>, Need> {
        let holder = index.target().map(|t| t.object);
        let mine = |t: &(usize, &Rc<Table>)| t.1.array == array && t.1.holder == holder;
        let tables: Vec<(usize, &Rc<Table>)> =
            state.tables.iter().enumerate().filter(mine).collect();
        if tables.is_empty() {
            return Ok(None);
        }
        let Some(found) = self.found(state, at, index)? else {
            return Ok(Some(terms::Place::Anywhere));
        };
        for (n, table) in tables {
            // A place that is a number is one, whatever its names.
            let exact = found.bounds.exact().map(|n| (Form::new(), n));
            let inside = table.has(&found.place);
            let inside = inside.or_else(|| table.has(exact.as_ref()?));
            match inside {
                Some(true) => {}
                Some(false) => continue,
                None => return Ok(Some(terms::Place::Anywhere)),
            }
            let cell = |k: usize| {
                let cells = table.segments[k].cells;
                terms::Place::Object(cells, Interval::number(0))
            };
            let own = |s: &Segment| state.is_one(s.cells) && s.from.names.contains(&found.place);
            if let Some(k) = table.segments.iter().skip(1).position(own) {
                return Ok(Some(cell(k + 1)));
            }
            let open = state.open_segments(table, &found.place, found.bounds);
            if let [k] = *open
                && state.is_one(table.segments[k].cells)
            {
                return Ok(Some(cell(k)));
            }
            let mut values = open.iter().map(|k| state.content(table, *k));
            if reads && values.clone().all(|v| v.base.is_none()) {
                let first = values.next().unwrap_or(Val::ANY);
                return Ok(Some(terms::Place::Row(values.fold(first, Val::join))));
            }
            return Err(Need::Cell(Rc::new(Spot {
                table: Ok(n),
                place: found.place,
                bounds: found.bounds,
            })));
        }
        Ok(None)
    }

    /// A pointer into a table is made: the cell is taken out, as the pointer does not say later that it leads to a cell.
    pub(super) fn point_into_table(
        &self,
        state: &State,
        term: TermId,
        value: Val,
    ) -> Result<(), Need> {
        let arrays = self.tabled.borrow().clone();
        if self.without_tables.get() || value.offset.exact().is_some() || arrays.is_empty() {
            return Ok(());
        }
        let holder = match value.base {
            None if value.offset.within(self.block.unwrap_or(1), self.start) => None,
            Some(Base::Address(t)) => match state.objects.get(&t.object) {
                Some(o) if o.is_single() && o.owner.is_none() => Some(t.object),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        for array in arrays {
            let listed = |(c, _): (&Cell, &Val)| c.0 == array && value.offset.holds(c.1);
            let cells = match holder {
                Some(id) => state.objects[&id].cells.iter().any(listed),
                None => {
                    state.static_defaults.contains_key(&array) || state.statics.iter().any(listed)
                }
            };
            let mine = |t: &Rc<Table>| t.array == array && t.holder == holder;
            if let Some(table) = state.tables.iter().find(|t| mine(t)) {
                let found = self.found(state, term, value)?;
                if found.is_some_and(|f| table.has(&f.place) == Some(true)) {
                    self.place_in_table(state, array, term, value, false)?;
                }
            } else if cells {
                self.make_table(state, array, term, value, Some(value))?;
            }
        }
        Ok(())
    }

    /// A pointer is stored at a place that goes by names, or may be read there: the array is a table.
    pub(super) fn make_table(
        &self,
        state: &State,
        array: VarId,
        at: TermId,
        index: Val,
        value: Option<Val>,
    ) -> Result<(), Need> {
        let known = value.is_some() && self.tabled.borrow().contains(&array);
        let pointer = value.is_none_or(|v| v.base.is_some());
        let unsure = pointer && index.offset.exact().is_none();
        if self.without_tables.get() && unsure && !self.is_by_block(array) {
            // They may help.
            self.tabled.borrow_mut().insert(array);
        }
        let none = self.is_by_block(array) || state.framed || self.without_tables.get();
        if none || !known && !unsure {
            return Ok(());
        }
        let holder = match index.base {
            None if index.offset.within(0, self.start) => None,
            Some(Base::Address(t)) => match state.objects.get(&t.object) {
                Some(o)
                    if o.is_single() && o.owner.is_none() && index.offset.within(0, o.extent) =>
                {
                    Some(t.object)
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Some(found) = self.found(state, at, index)? else {
            return Ok(());
        };
        let form = &found.place.0;
        let stride = form.iter().fold(0, |d, t| gcd(d, t.1));
        // Cells of pointers are some addresses long.
        let block = self.block.unwrap_or(1);
        let address = holder.is_some() || found.bounds.low.is_none_or(|l| l >= block);
        let mine = |t: &Rc<Table>| t.array == array && t.holder == holder;
        if form.is_empty() || stride < 2 && address || state.tables.iter().any(mine) {
            // Next time the cell is taken out where the pointer to it is made.
            if unsure && stride == 1 {
                self.tabled.borrow_mut().insert(array);
            }
            return Ok(());
        }
        self.tabled.borrow_mut().insert(array);
        Err(Need::Cell(Rc::new(Spot {
            table: Err(NewTable {
                array,
                holder,
                stride,
            }),
            place: found.place,
            bounds: found.bounds,
        })))
    }
}

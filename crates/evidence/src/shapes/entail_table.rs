//! Is a table a case of another?
//!
//! Each segment of the special table lies in one of the general one, in the same order, and each border of the general
//! table is one of the special. What the cells hold and own is compared as what chains hold (`entail`).

use super::entail::{Loose, Matching, Slot};
use super::state::{ObjectId, State};
use super::table::{Place, Table};
use super::value::{Interval, Val};
use std::rc::Rc;

impl Matching<'_> {
    /// The table of the special state that is at the same place.
    fn same_table(&self, theirs: &Table) -> Option<Rc<Table>> {
        let mine = |t: &&Rc<Table>| {
            let held = match (t.holder, theirs.holder) {
                (None, None) => true,
                (Some(x), Some(y)) => self.from.get(&y).is_some_and(|f| *f == [x]),
                _ => false,
            };
            held && t.kind() == theirs.kind()
        };
        self.special.tables.iter().find(mine).cloned()
    }

    /// A place of the general state in the words of the special one.
    fn special_place(&self, place: &Place) -> Option<Place> {
        let mut out = place.clone();
        for term in &mut out.0 {
            let Some(object) = term.0.object() else {
                continue;
            };
            let [x] = self.from.get(&object)?.as_slice() else {
                return None;
            };
            let single = |o: bool| o.then_some(());
            single(!self.general.is_many(object) && !self.special.is_many(*x))?;
            term.0 = term.0.at(*x);
        }
        let mut pairs = place.0.iter().zip(&out.0);
        if pairs.any(|(g, s)| self.general.has_base(g.0) != self.special.has_base(s.0)) {
            return None;
        }
        out.0.sort_unstable();
        Some(out)
    }

    /// Is a border of the special table the place that the general state names?
    fn is_at(&self, mine: &Table, segment: usize, place: &Place) -> bool {
        let Some(place) = self.special_place(place) else {
            return false;
        };
        let names = &mine.segments[segment].from.names;
        let same = |n: &Place| self.special.apart(n, &place) == Interval::number(0);
        names.contains(&place) || names.iter().any(same)
    }

    /// Matches the segments of a table whose holder is known; pointers of their cells. `None` if there is no such table.
    pub fn next_table(&mut self) -> Option<Vec<(Val, Val)>> {
        let tables = self.general.tables.iter().enumerate();
        let mut open = tables.filter(|(n, _)| !self.tables.contains(n));
        let (n, theirs, mine) = open.find_map(|(n, t)| Some((n, t, self.same_table(t)?)))?;
        self.tables.insert(n);
        let (s, g) = (self.special, self.general);
        let mut pairs = Vec::new();
        let mut k = 0;
        for (j, segment) in mine.segments.iter().enumerate() {
            let one = |t: &Table, n: usize| n > 0 && g.is_one(t.segments[n].cells);
            while j > 0 && k + 1 < theirs.segments.len() {
                let names = &theirs.segments[k + 1].from.names;
                let begins = match names.as_slice() {
                    // It may begin anywhere.
                    [] => one(theirs, k) || one(theirs, k + 1) && s.is_one(segment.cells),
                    names => names.iter().any(|p| self.is_at(&mine, j, p)),
                };
                if !begins {
                    break;
                }
                k += 1;
                // A cell is here, not a border further.
                if one(theirs, k) {
                    break;
                }
            }
            let (x, general) = (segment.cells, theirs.segments[k].cells);
            self.to.insert(x, general);
            self.from.entry(general).or_default().push(x);
            let cell = (theirs.array, 0);
            match g.is_row(general) {
                true => pairs.extend(self.match_owned(x, general)),
                false => pairs.push((s.cell(x, cell), g.cell(general, cell))),
            }
        }
        Some(pairs)
    }

    /// Whether the tables of the special state are those of the general one.
    ///
    /// Sound because the segments matched with one of the general table are neighbours and in order, all together are all,
    /// and every name of a border of the general table is the place where the first of them begins.
    pub fn segments(&self, loose: &mut Loose) -> Option<()> {
        let (s, g) = (self.special, self.general);
        (s.tables.len() == g.tables.len()).then_some(())?;
        for (n, theirs) in g.tables.iter().enumerate() {
            let mine = self.same_table(theirs)?;
            // What holds a table is one object and nobody's own.
            let one = |state: &State, id: Option<ObjectId>| {
                let object = id.map(|id| state.objects.get(&id));
                object.is_none_or(|o| o.is_some_and(|o| o.is_single() && o.owner.is_none()))
            };
            (one(s, mine.holder) && one(g, theirs.holder)).then_some(())?;
            let cells: Vec<ObjectId> = mine.segments.iter().map(|s| s.cells).collect();
            let mut next = 0;
            for (k, segment) in theirs.segments.iter().enumerate() {
                let own = self.from.get(&segment.cells);
                let own = own.map_or(&[][..], Vec::as_slice);
                if k > 0 {
                    (0 < next && next < cells.len()).then_some(())?;
                    for (m, place) in segment.from.names.iter().enumerate() {
                        if !self.is_at(&mine, next, place) {
                            loose.push((Slot::Border(n, k, m), Interval::ALL));
                        }
                    }
                }
                (cells.get(next..next + own.len()) == Some(own)).then_some(())?;
                next += own.len();
            }
            (next == cells.len()).then_some(())?;
        }
        Some(())
    }
}

//! The way back: from a program that passes made to the one they started from.
//!
//! Every pass returns its program with a [`WayBack`]; [`WayBack::then`] puts ways together, so a
//! chain of passes has one way back for all that is found out about its last program: edges,
//! locations and variables, executions ([`WayBack::execution`]), and invariants and contracts
//! ([`WayBack::assertions`]).
//!
//! A pass describes its way as a [`Leg`]: it starts from "everything stays" ([`Leg::of`]) or
//! "everything stays but the edges are written anew" ([`Leg::with_new_edges`]) and says what it
//! copies. What it does not mention when the leg is closed counts as invented.
//!
//! Invariants. An execution of the new program goes back to one of the old program, if the pass is
//! exact; formulas that hold in the new program go back to formulas that hold in the old one, if the
//! new program has at least the executions of the old. Where a pass cannot carry a formula over (a
//! caller's variable in the formula of an inlined callee), the way back drops the conjunct: what
//! arrives is weaker, never wrong.

mod assertions;
mod execution;
#[cfg(test)]
mod tests;

use crate::analysis::environment::Environment;
use crate::{EdgeId, FuncId, LocId, Program, VarId};
use base::{FxHashMap, IndexVec};
use logic::{Rational, SortId, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The way from a program to the one before some passes. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct WayBack {
    /// One per pass, first to last.
    legs: Vec<Arc<Leg>>,
}

impl WayBack {
    /// The way back of this way's passes and then those of `later`.
    pub fn then(&self, later: &WayBack) -> WayBack {
        WayBack {
            legs: self.legs.iter().chain(&later.legs).cloned().collect(),
        }
    }

    /// The edge that an edge copies; `None` for edges that passes invented.
    pub fn edge(&self, edge: EdgeId) -> Option<EdgeId> {
        let back = |edge: EdgeId, leg: &Arc<Leg>| leg.edges[edge];
        self.legs.iter().rev().try_fold(edge, back)
    }

    /// The location that a location copies or, if it stands inside a statement, is next to; `None`
    /// for locations without a counterpart.
    pub fn location(&self, loc: LocId) -> Option<LocId> {
        let back = |loc: LocId, leg: &Arc<Leg>| match leg.locations[loc] {
            Place::At(origin) | Place::Within(origin) => Some(origin),
            Place::New => None,
        };
        self.legs.iter().rev().try_fold(loc, back)
    }

    /// The variable that a variable, or the array that it is a cell of, copies.
    pub fn var(&self, var: VarId) -> Option<VarId> {
        let back = |var: VarId, leg: &Arc<Leg>| match &leg.vars[var] {
            Whence::Same(v) | Whence::Inner(v) | Whence::Cell(v, _) => Some(*v),
            Whence::New => None,
        };
        self.legs.iter().rev().try_fold(var, back)
    }

    /// The function that a function is; `None` for functions that passes invented.
    pub fn function(&self, func: FuncId) -> Option<FuncId> {
        let back = |func: FuncId, leg: &Arc<Leg>| leg.functions[func];
        self.legs.iter().rev().try_fold(func, back)
    }

    /// Where passes split locations: the copies of each original loop head.
    #[cfg(test)]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Vec<Piece>> {
        self.legs.iter().flat_map(|leg| leg.pieces.values())
    }
}

/// Where a location comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is a copy of this location: what holds here for all copies holds there.
    At(LocId),
    /// It stands inside a statement, next to this location; nobody may assert anything here.
    Within(LocId),
    New,
}

/// Whose value a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whence {
    Same(VarId),
    /// A copy that gets its value during the execution, never before it.
    Inner(VarId),
    /// The element of this array at this address.
    Cell(VarId, Rational),
    New,
}

/// What a pass knows at a location.
#[derive(Clone, Debug)]
pub enum Fact {
    /// It is never reached.
    Never,
    /// These variables have these values: a formula only when somebody asks, as there are many.
    Values(Arc<Environment>),
    /// This formula holds, and what the pass changed rests on it.
    Holds(TermId),
}

/// One of several copies of a location.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub copy: LocId,
    /// Holds whenever the copy is reached.
    pub known: TermId,
    /// No error follows: edges to the copy were left out, so nothing else is known of it, whatever
    /// an invariant of the new program says.
    pub harmless: bool,
}

/// The part of the new program in which a term has a meaning for the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Everywhere,
    /// The copy of a function.
    Scope(u32),
    Nowhere,
}

/// An error flag that stands for the errors of a function.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    /// What the returns are when the function errs, the flag among them.
    pub erring: Vec<(TermId, TermId)>,
    /// The parameters: name, sort and term.
    pub params: Vec<(String, SortId, TermId)>,
}

/// A variable whose value at function entry is that of an old variable.
#[derive(Clone, Debug)]
pub(crate) struct AtEntry {
    pub new: String,
    pub old: String,
    pub sort: SortId,
}

/// The way back of one pass.
#[derive(Clone, Debug)]
pub struct Leg {
    functions: IndexVec<FuncId, Option<FuncId>>,
    locations: IndexVec<LocId, Place>,
    edges: IndexVec<EdgeId, Option<EdgeId>>,
    vars: IndexVec<VarId, Whence>,
    /// The terms of the old program's variables, and where its functions begin.
    terms: IndexVec<VarId, TermId>,
    entries: IndexVec<FuncId, LocId>,
    /// Where the values of an invented havoc go: a place in the havoc before it, and an address.
    cells: BTreeMap<EdgeId, Vec<(usize, Rational)>>,
    /// Terms of the new program as terms of the old one.
    definitions: Vec<(TermId, TermId)>,
    at_entry: Vec<AtEntry>,
    /// What is known at *old* locations. Sound to assume.
    facts: BTreeMap<LocId, Fact>,
    /// For each old loop head, all its copies. Empty if the pass splits nothing.
    pieces: BTreeMap<LocId, Vec<Piece>>,
    flags: BTreeMap<FuncId, Flag>,
    /// Functions that the new program has no calls of: what is known of them there holds there only.
    uncalled: BTreeSet<FuncId>,
    /// Frame conditions that the new program has no need for: "this is as it was", over its terms.
    frames: BTreeMap<FuncId, TermId>,
    /// The loop head that a function stands for.
    heads: BTreeMap<FuncId, LocId>,
    homes: FxHashMap<TermId, Home>,
    /// The scope of each location, where functions were copied; then a constant without a home has
    /// no meaning.
    scopes: IndexVec<LocId, u32>,
}

impl Leg {
    /// Everything stays as it is in `program`.
    pub fn of(program: &Program) -> Leg {
        Leg {
            functions: program.functions.ids().map(Some).collect(),
            locations: program.locations.ids().map(Place::At).collect(),
            edges: program.edges.ids().map(Some).collect(),
            vars: program.vars.ids().map(Whence::Same).collect(),
            terms: program.vars.iter().map(|v| v.term).collect(),
            entries: program.functions.iter().map(|f| f.entry).collect(),
            cells: BTreeMap::new(),
            definitions: Vec::new(),
            at_entry: Vec::new(),
            facts: BTreeMap::new(),
            pieces: BTreeMap::new(),
            flags: BTreeMap::new(),
            uncalled: BTreeSet::new(),
            frames: BTreeMap::new(),
            heads: BTreeMap::new(),
            homes: FxHashMap::default(),
            scopes: IndexVec::new(),
        }
    }

    /// Everything stays but the edges, which are told one by one.
    pub fn with_new_edges(program: &Program) -> Leg {
        Leg {
            edges: IndexVec::new(),
            ..Leg::of(program)
        }
    }

    /// Variables stay; functions, locations and edges are told one by one.
    pub(crate) fn with_new_code(program: &Program) -> Leg {
        Leg {
            functions: IndexVec::new(),
            locations: IndexVec::new(),
            ..Leg::with_new_edges(program)
        }
    }

    /// The next edge copies this one.
    pub fn add_edge(&mut self, origin: Option<EdgeId>) {
        self.edges.push(origin);
    }

    /// A location; what lies between the last one told and this one is invented.
    pub fn set_location(&mut self, loc: LocId, place: Place) {
        set(&mut self.locations, loc, place, Place::New);
    }

    /// A variable; what lies between the last one told and this one is invented.
    pub(crate) fn set_var(&mut self, var: VarId, whence: Whence) {
        set(&mut self.vars, var, whence, Whence::New);
    }

    pub(crate) fn add_function(&mut self, origin: Option<FuncId>) {
        self.functions.push(origin);
    }

    /// The new program has no calls of this function: nothing is known of it.
    pub(crate) fn set_uncalled(&mut self, program: &Program, func: FuncId) {
        self.uncalled.insert(func);
        for (id, loc) in program.locations.iter_enumerated() {
            if loc.func == func {
                self.set_location(id, Place::Within(id));
            }
        }
    }

    /// What every call of a function of the new program leaves as it was.
    pub(crate) fn add_frame(&mut self, func: FuncId, unchanged: TermId) {
        self.frames.insert(func, unchanged);
    }

    /// No location counts as a copy before it is told.
    pub(crate) fn forget_locations(&mut self) {
        self.locations.iter_mut().for_each(|l| *l = Place::New);
    }

    /// A term of the new program means this one in the old.
    pub fn define(&mut self, new: TermId, old: TermId) {
        self.definitions.push((new, old));
    }

    /// The values of an invented havoc belong into the havoc before it.
    pub(crate) fn add_cells(&mut self, edge: EdgeId, places: Vec<(usize, Rational)>) {
        self.cells.insert(edge, places);
    }

    pub(crate) fn add_at_entry(&mut self, at: AtEntry) {
        self.at_entry.push(at);
    }

    pub(crate) fn add_fact(&mut self, loc: LocId, fact: Fact) {
        self.facts.insert(loc, fact);
    }

    pub(crate) fn add_piece(&mut self, loc: LocId, piece: Piece) {
        self.pieces.entry(loc).or_default().push(piece);
    }

    pub(crate) fn add_flag(&mut self, func: FuncId, flag: Flag) {
        self.flags.insert(func, flag);
    }

    pub(crate) fn add_head(&mut self, func: FuncId, head: LocId) {
        self.heads.insert(func, head);
    }

    pub(crate) fn set_home(&mut self, term: TermId, home: Home) {
        self.homes.insert(term, home);
    }

    pub(crate) fn set_scopes(&mut self, scopes: IndexVec<LocId, u32>) {
        self.scopes = scopes;
    }

    /// The way back from the program that the pass made. A formula may not speak of variables that
    /// the pass invented and did not define.
    pub fn close(mut self, program: &Program) -> WayBack {
        assert!(
            self.edges.len() == program.edges.len(),
            "the way back knows every edge"
        );
        self.functions.grow(program.functions.len(), None);
        self.locations.grow(program.locations.len(), Place::New);
        self.vars.grow(program.vars.len(), Whence::New);
        let defined: base::FxHashSet<TermId> = self.definitions.iter().map(|d| d.0).collect();
        for (id, var) in program.vars.iter_enumerated() {
            if self.vars[id] == Whence::New && !defined.contains(&var.term) {
                self.homes.entry(var.term).or_insert(Home::Nowhere);
            }
        }
        WayBack {
            legs: vec![Arc::new(self)],
        }
    }
}

fn set<I: base::Id, T: Clone>(list: &mut IndexVec<I, T>, at: I, value: T, missing: T) {
    list.grow(at.index() + 1, missing);
    list[at] = value;
}

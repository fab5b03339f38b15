//! The SAT core: assignments, watched clauses, unit propagation, backtracking.
//!
//! As in MiniSat: two watched literals with blockers, activity-ordered decisions, phase saving.
//! Differences: binary clauses live in the watches, a literal's reason may be a theory that is asked
//! for a clause only when analysis needs one, and only *active* variables are decided (a variable
//! whose subformula no current assertion mentions stays out of the search; its clauses are valid
//! anyway).
//!
//! Why not a library: interpolation needs each learnt clause with its antecedents and each input with its part, theories
//! propagate and explain lazily, and inactive variables stay undecided; the kept crates (`batsat`, `varisat`,
//! bindings of CaDiCaL) have none of these three together.
//!
//! Invariants: `lits[0]` and `lits[1]` of an attached clause are watched; the literal a clause
//! implies is `lits[0]`; literals of one level are contiguous on the trail.

pub(crate) mod literal;

mod analyze;
mod heap;
mod log;
mod reduce;

pub(crate) use log::ProofLog;

use crate::proof::{Certificate, ClauseId};
use crate::theory::{Assignment, Conflict, Source};
use crate::{BoolVar, Lit};
use base::Id;
use heap::Heap;

/// Where a clause starts in the arena.
pub(crate) type ClauseRef = u32;

const BINARY: u32 = 1 << 31;
/// Header words before the literals: length and flags, LBD, proof id.
const HEAD: usize = 3;
const LEARNT: u32 = 1;
const DELETED: u32 = 2;
const USED: u32 = 4;
const FLAG_BITS: u32 = 3;

/// Why a literal is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A decision, an assumption or an asserted formula.
    Decision,
    Clause(ClauseRef),
    Theory(Source),
}

/// Gives the clause that implied a literal, on demand.
pub(crate) trait Explain {
    fn explain(&mut self, lit: Lit, source: Source) -> Conflict;
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    /// With the `BINARY` bit: the clause is `blocker` and the watched literal.
    clause: u32,
    blocker: Lit,
}

/// Why a clause enters the solver.
pub(crate) enum Because {
    Definition,
    Lemma(Certificate),
    /// Derived already; the proof has it.
    Derived(Option<ClauseId>),
}

/// Counters of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct SatStats {
    pub decisions: u64,
    pub propagations: u64,
    pub conflicts: u64,
    pub restarts: u64,
    pub learnt: u64,
    pub removed: u64,
}

#[derive(Default)]
pub(crate) struct Sat {
    arena: Vec<u32>,
    /// Words of deleted clauses in the arena.
    wasted: usize,
    clauses: Vec<ClauseRef>,
    learnts: Vec<ClauseRef>,
    /// Clauses made for one analysis, never watched.
    temps: Vec<ClauseRef>,
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 unassigned.
    values: Vec<i8>,
    level: Vec<u32>,
    position: Vec<u32>,
    reason: Vec<Reason>,
    pub(crate) trail: Vec<Lit>,
    trail_lim: Vec<usize>,
    qhead: usize,
    activity: Vec<f64>,
    bump: f64,
    heap: Heap,
    phase: Vec<i8>,
    active: Vec<bool>,
    seen: Vec<u8>,
    /// Unit clauses that were added above level 0 and must survive backtracking.
    units: Vec<(Lit, ClauseRef)>,
    pub(crate) log: Option<ProofLog>,
    /// The proof of each level-0 literal, by variable; for trail positions below `unit_done`.
    unit_id: Vec<Option<ClauseId>>,
    unit_done: usize,
    /// False once the clauses alone are contradictory.
    pub(crate) ok: bool,
    learnt: Vec<Lit>,
    to_clear: Vec<BoolVar>,
    stack: Vec<(Lit, u32)>,
    level_stamp: Vec<u32>,
    stamp: u32,
    reduce_at: u64,
    pub(crate) stats: SatStats,
}

impl Sat {
    pub(crate) fn new(proof: bool) -> Self {
        Sat {
            bump: 1.0,
            ok: true,
            log: proof.then(ProofLog::default),
            reduce_at: 2000,
            level_stamp: vec![0],
            ..Sat::default()
        }
    }

    pub(crate) fn new_var(&mut self) -> BoolVar {
        let v = BoolVar::from_index(self.level.len());
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.level.push(0);
        self.position.push(0);
        self.reason.push(Reason::Decision);
        self.activity.push(0.0);
        self.heap.add_var();
        self.phase.push(0);
        self.active.push(false);
        self.seen.push(0);
        self.unit_id.push(None);
        self.level_stamp.push(0);
        v
    }

    pub(crate) fn var_count(&self) -> usize {
        self.level.len()
    }

    // ---- assignment ----

    #[inline]
    pub(crate) fn value(&self, l: Lit) -> Option<bool> {
        match self.values[l.index()] {
            0 => None,
            v => Some(v > 0),
        }
    }

    #[inline]
    pub(crate) fn is_true(&self, l: Lit) -> bool {
        self.values[l.index()] > 0
    }

    #[inline]
    pub(crate) fn is_false(&self, l: Lit) -> bool {
        self.values[l.index()] < 0
    }

    #[inline]
    pub(crate) fn level_of(&self, v: BoolVar) -> u32 {
        self.level[v.index()]
    }

    /// The place of an assigned variable on the trail.
    #[inline]
    pub(crate) fn position_of(&self, v: BoolVar) -> usize {
        self.position[v.index()] as usize
    }

    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.trail_lim.len() as u32
    }

    pub(crate) fn set_active(&mut self, v: BoolVar, active: bool) {
        self.active[v.index()] = active;
        if active {
            self.heap.insert(v, &self.activity);
        }
    }

    #[inline]
    pub(crate) fn is_active(&self, v: BoolVar) -> bool {
        self.active[v.index()]
    }

    pub(crate) fn phase(&self, v: BoolVar) -> Option<bool> {
        match self.phase[v.index()] {
            0 => None,
            p => Some(p > 0),
        }
    }

    pub(crate) fn set_phase(&mut self, l: Lit) {
        self.phase[l.var().index()] = if l.is_positive() { 1 } else { -1 };
    }

    /// Whether propagation has work left.
    pub(crate) fn is_busy(&self) -> bool {
        self.qhead < self.trail.len()
    }

    /// The length the trail has after backtracking to `level`.
    pub(crate) fn level_end(&self, level: u32) -> usize {
        self.trail_lim
            .get(level as usize)
            .copied()
            .unwrap_or(self.trail.len())
    }

    /// The highest level of a clause's literals.
    pub(crate) fn top_level(&self, c: ClauseRef) -> u32 {
        self.clause(c)
            .map(|l| self.level_of(l.var()))
            .max()
            .unwrap_or(0)
    }

    /// The active unassigned variable of highest activity.
    pub(crate) fn next_decision(&mut self) -> Option<BoolVar> {
        while let Some(v) = self.heap.pop(&self.activity) {
            if self.active[v.index()] && self.values[2 * v.index()] == 0 {
                return Some(v);
            }
        }
        None
    }

    pub(crate) fn new_level(&mut self) {
        self.trail_lim.push(self.trail.len());
    }

    pub(crate) fn enqueue(&mut self, l: Lit, reason: Reason) {
        debug_assert!(self.value(l).is_none());
        let v = l.var().index();
        self.values[l.index()] = 1;
        self.values[(!l).index()] = -1;
        self.level[v] = self.level();
        self.position[v] = self.trail.len() as u32;
        self.reason[v] = reason;
        self.trail.push(l);
    }

    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let start = self.trail_lim[level as usize];
        for i in (start..self.trail.len()).rev() {
            let l = self.trail[i];
            let v = l.var();
            self.values[l.index()] = 0;
            self.values[(!l).index()] = 0;
            self.phase[v.index()] = if l.is_positive() { 1 } else { -1 };
            if self.active[v.index()] {
                self.heap.insert(v, &self.activity);
            }
        }
        self.trail.truncate(start);
        self.trail_lim.truncate(level as usize);
        self.qhead = self.qhead.min(start);
        let mut i = 0;
        while i < self.units.len() {
            let (l, c) = self.units[i];
            if self.value(l).is_none() {
                self.enqueue(l, Reason::Clause(c));
            }
            // A false unit shows up as a conflict in `pending_conflict`.
            if level == 0 && self.is_true(l) {
                self.units.swap_remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// A unit clause that is false under the assignment, if backtracking left one.
    pub(crate) fn pending_conflict(&self) -> Option<ClauseRef> {
        self.units
            .iter()
            .find(|(l, _)| self.is_false(*l))
            .map(|u| u.1)
    }

    // ---- clauses ----

    fn alloc(&mut self, lits: &[Lit], learnt: bool, id: Option<ClauseId>) -> ClauseRef {
        let c = self.arena.len();
        assert!(c < BINARY as usize, "the clause arena fits 2^31 words");
        self.arena
            .push((lits.len() as u32) << FLAG_BITS | if learnt { LEARNT } else { 0 });
        self.arena.push(0);
        self.arena.push(id.map_or(u32::MAX, |id| id.index() as u32));
        self.arena.extend(lits.iter().map(|l| l.index() as u32));
        c as ClauseRef
    }

    #[inline]
    fn len(&self, c: ClauseRef) -> usize {
        (self.arena[c as usize] >> FLAG_BITS) as usize
    }

    #[inline]
    pub(crate) fn lit(&self, c: ClauseRef, i: usize) -> Lit {
        Lit::from_index(self.arena[c as usize + HEAD + i] as usize)
    }

    pub(crate) fn clause(&self, c: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        let start = c as usize + HEAD;
        self.arena[start..start + self.len(c)]
            .iter()
            .map(|&w| Lit::from_index(w as usize))
    }

    pub(crate) fn proof_id(&self, c: ClauseRef) -> Option<ClauseId> {
        match self.arena[c as usize + 2] {
            u32::MAX => None,
            id => Some(ClauseId::from_index(id as usize)),
        }
    }

    fn attach(&mut self, c: ClauseRef) {
        let (a, b) = (self.lit(c, 0), self.lit(c, 1));
        let clause = if self.len(c) == 2 { c | BINARY } else { c };
        self.watches[(!a).index()].push(Watch { clause, blocker: b });
        self.watches[(!b).index()].push(Watch { clause, blocker: a });
    }

    fn record(&mut self, lits: &[Lit], because: Because) -> Option<ClauseId> {
        let log = self.log.as_mut()?;
        match because {
            Because::Definition => Some(log.definition(lits)),
            Because::Lemma(cert) => Some(log.lemma(lits, cert)),
            Because::Derived(id) => id,
        }
    }

    /// A clause for analysis only.
    pub(crate) fn temporary(&mut self, conflict: Conflict) -> ClauseRef {
        let id = self.record(&conflict.lits, Because::Lemma(conflict.cert));
        let c = self.alloc(&conflict.lits, true, id);
        self.temps.push(c);
        c
    }

    /// Adds a valid clause under any assignment. Returns it if it is false now; implied literals
    /// are enqueued.
    pub(crate) fn add_clause(
        &mut self,
        lits: &[Lit],
        learnt: bool,
        because: Because,
    ) -> Option<ClauseRef> {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|w| w[0] == !w[1]) {
            return None;
        }
        let id = self.record(&lits, because);
        // True and unassigned literals first, then false ones from the highest level down.
        lits.sort_by_key(|&l| match self.value(l) {
            Some(true) => (0, 0),
            None => (1, 0),
            Some(false) => (2, u32::MAX - self.level_of(l.var())),
        });
        let c = self.alloc(&lits, learnt, id);
        match *lits.as_slice() {
            [] => return Some(c),
            [l] => {
                // A true literal may be true only up to some level.
                if self.level() > 0 && !(self.is_true(l) && self.level_of(l.var()) == 0) {
                    self.units.push((l, c));
                }
            }
            _ => {
                if learnt {
                    self.learnts.push(c);
                    self.arena[c as usize + 1] = lits.len() as u32;
                } else {
                    self.clauses.push(c);
                }
                self.attach(c);
            }
        }
        if self.is_false(lits[0]) {
            return Some(c);
        }
        if self.value(lits[0]).is_none() && (lits.len() == 1 || self.is_false(lits[1])) {
            self.enqueue(lits[0], Reason::Clause(c));
        }
        None
    }

    /// Unit propagation to the fixed point, or a false clause.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        while self.qhead < self.trail.len() {
            let p = self.trail[self.qhead];
            self.qhead += 1;
            self.stats.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[p.index()]);
            let conflict = self.visit(p, &mut watches);
            self.watches[p.index()] = watches;
            if conflict.is_some() {
                self.qhead = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch `!p`, which just became false.
    fn visit(&mut self, p: Lit, watches: &mut Vec<Watch>) -> Option<ClauseRef> {
        let (mut keep, mut i) = (0, 0);
        let mut conflict = None;
        while i < watches.len() {
            let w = watches[i];
            i += 1;
            let blocker = self.values[w.blocker.index()];
            if blocker > 0 {
                watches[keep] = w;
                keep += 1;
                continue;
            }
            if w.clause & BINARY != 0 {
                watches[keep] = w;
                keep += 1;
                let c = w.clause & !BINARY;
                if blocker < 0 {
                    conflict = Some(c);
                    break;
                }
                self.first(c, w.blocker);
                self.enqueue(w.blocker, Reason::Clause(c));
                continue;
            }
            let c = w.clause as usize + HEAD;
            let false_lit = (!p).index() as u32;
            if self.arena[c] == false_lit {
                self.arena.swap(c, c + 1);
            }
            let first = Lit::from_index(self.arena[c] as usize);
            let watch = Watch {
                clause: w.clause,
                blocker: first,
            };
            if first != w.blocker && self.values[first.index()] > 0 {
                watches[keep] = watch;
                keep += 1;
                continue;
            }
            let len = self.len(w.clause);
            let found = (2..len).find(|&k| self.values[self.arena[c + k] as usize] >= 0);
            if let Some(k) = found {
                self.arena.swap(c + 1, c + k);
                let other = Lit::from_index(self.arena[c + 1] as usize);
                self.watches[(!other).index()].push(watch);
                continue;
            }
            watches[keep] = watch;
            keep += 1;
            if self.values[first.index()] < 0 {
                conflict = Some(w.clause);
                break;
            }
            self.enqueue(first, Reason::Clause(w.clause));
        }
        watches.copy_within(i.., keep);
        let kept = keep + watches.len() - i;
        watches.truncate(kept);
        conflict
    }

    /// Moves `l` to the front of a binary clause.
    fn first(&mut self, c: ClauseRef, l: Lit) {
        let c = c as usize + HEAD;
        if self.arena[c] as usize != l.index() {
            self.arena.swap(c, c + 1);
        }
    }
}

impl Assignment for Sat {
    fn value(&self, lit: Lit) -> Option<bool> {
        Sat::value(self, lit)
    }

    fn is_active(&self, var: BoolVar) -> bool {
        Sat::is_active(self, var)
    }
}

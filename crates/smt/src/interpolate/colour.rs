//! Colours: for every symbol and term, at which cuts it is foreign to a side.
//!
//! *Terms.* A cut splits the partitions into A (inside) and B (outside). A symbol is A-only at a
//! cut when it occurs only inside, B-only when only outside, shared otherwise; a term is A-only
//! when it has an A-only symbol, and mixed when it has both kinds. Rows of bits hold this for all
//! cuts at once, so a term costs an OR over its arguments.
//!
//! *Widening.* Theory combination and axioms make mixed literals. We give all symbols of such a
//! literal one common host partition, in which they then count as occurring: the literal is pure at
//! every cut. The price: interpolants may mention symbols that are shared only by this courtesy
//! (aliens). They are quantified away afterwards: an A-only alien existentially, a B-only one
//! universally. Sound because A implies I(a), so A implies ∃a.I(a), and a is not in B.
//!
//! Invariant: after `Colours::new` no literal of the proof and no one-sided lemma is mixed.

use crate::proof::{Certificate, ClauseId, Origin, Refutation};
use crate::proof_check::variables_of;
use logic::{FxHashMap, Id, Op, Pool, SymbolId, TermId};
use std::collections::BTreeMap;

/// Which partitions are inside each cut.
#[derive(Clone, Debug)]
pub struct Cuts {
    pub partitions: usize,
    /// `inside[cut][partition]`.
    pub inside: Vec<Vec<bool>>,
}

impl Cuts {
    /// The subtree of every node but the root; `parent[i] > i`, the root is last.
    pub fn of_tree(parent: &[usize]) -> Cuts {
        let n = parent.len();
        let mut inside = vec![vec![false; n]; n.saturating_sub(1)];
        for p in 0..n {
            let mut node = p;
            while node + 1 < n {
                inside[node][p] = true;
                node = parent[node];
            }
        }
        Cuts {
            partitions: n,
            inside,
        }
    }

    pub fn len(&self) -> usize {
        self.inside.len()
    }

    pub fn is_empty(&self) -> bool {
        self.inside.is_empty()
    }
}

/// Where the host of a mixed literal is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// As late as needed: aliens are mostly A-only, elimination is existential.
    Forward,
    /// As early as needed: aliens are mostly B-only, elimination is universal.
    Backward,
}

/// What a symbol is at a cut by the partitions alone, without courtesy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    A,
    B,
    Shared,
}

/// A row of bits: first the A-only bits of all cuts, then the B-only bits.
type RowId = u32;

pub struct Colours {
    words: usize,
    rows: Vec<Box<[u64]>>,
    row_ids: FxHashMap<Box<[u64]>, RowId>,
    symbols: FxHashMap<SymbolId, RowId>,
    terms: FxHashMap<TermId, RowId>,
    /// Sides of symbols before widening; symbols of no partition are placed with their first host.
    original: FxHashMap<SymbolId, RowId>,
    /// Symbols that occur in no partition (made by the solver).
    internal: Vec<SymbolId>,
    pub widened: bool,
}

type Occurrences = BTreeMap<SymbolId, Vec<usize>>;

impl Colours {
    pub fn new(
        pool: &Pool,
        partitions: &[TermId],
        cuts: &Cuts,
        refutation: &Refutation,
        clauses: &[ClauseId],
        direction: Direction,
    ) -> Colours {
        let mut occurrences = Occurrences::new();
        for (p, &formula) in partitions.iter().enumerate() {
            for s in pool.symbols_of(&[formula]) {
                occurrences.entry(s).or_default().push(p);
            }
        }
        let groups = mixable_groups(pool, refutation, clauses);
        let internal = place_internal(&groups, &mut occurrences, direction);
        let mut colours = Colours::of_occurrences(cuts, &occurrences);
        colours.original = colours.symbols.clone();
        colours.internal = internal;
        for group in &groups {
            let row = group
                .iter()
                .fold(0, |row, s| colours.union(row, colours.symbols[s]));
            if colours.is_mixed(row) {
                colours.widened = true;
                let host = host(group, &occurrences, direction);
                for s in group {
                    let list = occurrences.get_mut(s).expect("every symbol has a place");
                    if let Err(at) = list.binary_search(&host) {
                        list.insert(at, host);
                    }
                }
            }
        }
        if colours.widened {
            let wide = Colours::of_occurrences(cuts, &occurrences);
            let (original, internal) = (colours.original_rows(), colours.internal);
            colours = wide;
            colours.original = original
                .into_iter()
                .map(|(s, row)| (s, colours.intern(row)))
                .collect();
            colours.internal = internal;
            colours.widened = true;
        }
        for v in variables_of(refutation, clauses) {
            colours.add_term(pool, refutation.terms[v]);
        }
        colours
    }

    fn original_rows(&self) -> Vec<(SymbolId, Box<[u64]>)> {
        let mut list: Vec<_> = self
            .original
            .iter()
            .map(|(&s, &r)| (s, self.rows[r as usize].clone()))
            .collect();
        list.sort_unstable_by_key(|(s, _)| *s);
        list
    }

    fn of_occurrences(cuts: &Cuts, occurrences: &Occurrences) -> Colours {
        let words = cuts.len().div_ceil(64);
        let mut colours = Colours {
            words,
            rows: Vec::new(),
            row_ids: FxHashMap::default(),
            symbols: FxHashMap::default(),
            terms: FxHashMap::default(),
            original: FxHashMap::default(),
            internal: Vec::new(),
            widened: false,
        };
        colours.intern(vec![0; 2 * words].into());
        for (&symbol, places) in occurrences {
            let mut row = vec![0u64; 2 * words];
            for (cut, inside) in cuts.inside.iter().enumerate() {
                let within = places.iter().filter(|&&p| inside[p]).count();
                if within == places.len() {
                    row[cut / 64] |= 1 << (cut % 64);
                } else if within == 0 {
                    row[words + cut / 64] |= 1 << (cut % 64);
                }
            }
            let id = colours.intern(row.into());
            colours.symbols.insert(symbol, id);
        }
        colours
    }

    fn intern(&mut self, row: Box<[u64]>) -> RowId {
        if let Some(&id) = self.row_ids.get(&row) {
            return id;
        }
        let id = self.rows.len() as RowId;
        self.rows.push(row.clone());
        self.row_ids.insert(row, id);
        id
    }

    fn union(&mut self, a: RowId, b: RowId) -> RowId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let (x, y) = (&self.rows[a as usize], &self.rows[b as usize]);
        let row: Box<[u64]> = x.iter().zip(y.iter()).map(|(p, q)| p | q).collect();
        self.intern(row)
    }

    fn is_mixed(&self, row: RowId) -> bool {
        let (a, b) = self.rows[row as usize].split_at(self.words);
        a.iter().zip(b).any(|(x, y)| x & y != 0)
    }

    /// Computes the row of a term and of everything below it.
    pub fn add_term(&mut self, pool: &Pool, term: TermId) -> RowId {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.terms.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = pool.args(t).iter().filter(|a| !self.terms.contains_key(a));
            stack.extend(missing);
            if stack.len() > before {
                continue;
            }
            let mut row = match pool.op(t) {
                Op::App(s) => self.symbols.get(&s).copied().unwrap_or(0),
                _ => 0,
            };
            for a in pool.args(t) {
                row = self.union(row, self.terms[a]);
            }
            self.terms.insert(t, row);
            stack.pop();
        }
        self.terms[&term]
    }

    fn bit(&self, row: RowId, cut: usize, b_side: bool) -> bool {
        let word = cut / 64 + if b_side { self.words } else { 0 };
        self.rows[row as usize][word] >> (cut % 64) & 1 == 1
    }

    /// The side of a term at a cut; `None` when it is mixed. Terms not added before are values
    /// and terms made of shared ones.
    pub fn side(&self, term: TermId, cut: usize) -> Option<Side> {
        let row = self.terms.get(&term).copied().unwrap_or(0);
        match (self.bit(row, cut, false), self.bit(row, cut, true)) {
            (false, false) => Some(Side::Shared),
            (true, false) => Some(Side::A),
            (false, true) => Some(Side::B),
            (true, true) => None,
        }
    }

    /// Whether the partitions themselves share the symbol at the cut, and if not, who owns it.
    pub fn original_side(&self, symbol: SymbolId, cut: usize) -> Side {
        let Some(&row) = self.original.get(&symbol) else {
            return Side::Shared;
        };
        if self.bit(row, cut, false) {
            Side::A
        } else if self.bit(row, cut, true) {
            Side::B
        } else {
            Side::Shared
        }
    }

    /// A symbol that occurs in no partition may be in no interpolant.
    pub fn is_internal(&self, symbol: SymbolId) -> bool {
        self.internal.binary_search(&symbol).is_ok()
    }

    /// Bits per cut: the clause has no B-only symbol; the clause has no A-only symbol.
    pub fn pure_bits(&mut self, terms: impl Iterator<Item = TermId>) -> (Vec<u64>, Vec<u64>) {
        let mut row = 0;
        for t in terms {
            row = self.union(row, self.terms[&t]);
        }
        let (a, b) = self.rows[row as usize].split_at(self.words);
        (
            b.iter().map(|w| !w).collect(),
            a.iter().map(|w| !w).collect(),
        )
    }

    pub fn words(&self) -> usize {
        self.words
    }
}

/// Symbol sets that must not be mixed: of each literal, and of each lemma whose interpolation works
/// on one side only. Sorted, without repetition.
fn mixable_groups(
    pool: &Pool,
    refutation: &Refutation,
    clauses: &[ClauseId],
) -> Vec<Vec<SymbolId>> {
    let mut memo: FxHashMap<TermId, Vec<SymbolId>> = FxHashMap::default();
    let mut groups = Vec::new();
    for v in variables_of(refutation, clauses) {
        let symbols = pool.symbols_of(&[refutation.terms[v]]);
        groups.push(symbols.clone());
        memo.insert(refutation.terms[v], symbols);
    }
    for &c in clauses {
        let clause = &refutation.clauses[c];
        let one_sided = match &clause.origin {
            Origin::Definition => true,
            Origin::Lemma(certificate) => {
                !matches!(certificate, Certificate::Farkas(_) | Certificate::Equality)
            }
            _ => false,
        };
        if one_sided {
            let terms = clause.lits.iter().map(|l| refutation.terms[l.var()]);
            let mut group: Vec<SymbolId> = terms.flat_map(|t| memo[&t].clone()).collect();
            group.sort_unstable();
            group.dedup();
            groups.push(group);
        }
    }
    groups.sort();
    groups.dedup();
    groups
}

/// Gives symbols of no partition a place: a partition that has the rest of a group, else a host.
fn place_internal(
    groups: &[Vec<SymbolId>],
    occurrences: &mut Occurrences,
    direction: Direction,
) -> Vec<SymbolId> {
    let mut internal: Vec<SymbolId> = groups
        .iter()
        .flatten()
        .copied()
        .filter(|s| !occurrences.contains_key(s))
        .collect();
    internal.sort_unstable();
    internal.dedup();
    // The smallest group that has a symbol says most about where it belongs.
    let mut by_size: Vec<&Vec<SymbolId>> = groups.iter().collect();
    by_size.sort_by_key(|g| g.len());
    loop {
        let mut placed = false;
        for group in &by_size {
            let (known, unknown): (Vec<SymbolId>, Vec<SymbolId>) =
                group.iter().partition(|s| occurrences.contains_key(s));
            if unknown.is_empty() || known.is_empty() {
                continue;
            }
            let common = occurrences[&known[0]]
                .iter()
                .copied()
                .find(|p| known.iter().all(|s| occurrences[s].contains(p)));
            let place = common.unwrap_or_else(|| host(&known, occurrences, direction));
            for s in unknown {
                occurrences.insert(s, vec![place]);
                placed = true;
            }
        }
        if !placed {
            break;
        }
    }
    for &s in &internal {
        occurrences.entry(s).or_insert_with(|| vec![0]);
    }
    internal
}

/// The partition in which all symbols of a mixed group shall count as occurring.
fn host(group: &[SymbolId], occurrences: &Occurrences, direction: Direction) -> usize {
    let firsts = group.iter().filter_map(|s| occurrences[s].first());
    let lasts = group.iter().filter_map(|s| occurrences[s].last());
    let host = match direction {
        Direction::Forward => firsts.max(),
        Direction::Backward => lasts.min(),
    };
    host.copied().unwrap_or(0)
}

/// The number of the highest partition.
pub fn last_partition(refutation: &Refutation) -> Option<usize> {
    let inputs = refutation.clauses.iter().filter_map(|c| match c.origin {
        Origin::Input(p) => Some(p.index()),
        _ => None,
    });
    inputs.max()
}

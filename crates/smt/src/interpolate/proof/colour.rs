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
//! Invariant: after `Colours::new` no literal of the proof and no one-sided lemma is mixed, unless they were to
//! stay so (`Direction::Apart`).

use crate::proof::check::variables_of;
use crate::proof::{Certificate, ClauseId, Origin, Refutation};
use base::FxHashMap;
use logic::{Op, Pool, SymbolId, TermId};
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
        for leaf in 0..n {
            let mut node = leaf;
            while let Some(row) = inside.get_mut(node) {
                row[leaf] = true;
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
    /// Nowhere: mixed literals stay mixed (see `mixed`).
    Apart,
}

/// What a symbol is at a cut by the partitions alone, without courtesy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    A,
    B,
    Shared,
}

/// A row of bits: first the A-only bits of all cuts, then the B-only bits.
pub(crate) type RowId = u32;

pub struct Colours {
    words: usize,
    rows: Vec<Box<[u64]>>,
    row_ids: FxHashMap<Box<[u64]>, RowId>,
    symbols: FxHashMap<SymbolId, RowId>,
    terms: FxHashMap<TermId, RowId>,
    /// Sides of symbols before widening; symbols of no partition are placed with their first host.
    original: FxHashMap<SymbolId, RowId>,
    /// Constants that occur in no partition (made by the solver).
    internal: Vec<SymbolId>,
    /// Functions that occur in no partition.
    functions: Vec<SymbolId>,
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
        let vars = variables_of(refutation, clauses);
        let terms: Vec<TermId> = vars.iter().map(|&v| refutation.terms[v]).collect();
        let mut internal = pool.symbols_of(&terms);
        internal.retain(|s| !occurrences.contains_key(s));
        // A function of the solver (the index at which two arrays differ) is on the side of its
        // arguments; a constant needs a place.
        let is_function = |s: &SymbolId| !pool.symbol_data(*s).args.is_empty();
        let functions: Vec<SymbolId> = internal.iter().copied().filter(is_function).collect();
        internal.retain(|s| !is_function(s));
        if !internal.is_empty() {
            let groups = groups_with(pool, refutation, clauses, &internal);
            place_internal(&groups, &internal, &mut occurrences, direction);
        }
        let mut colours = Colours::of_occurrences(cuts, &occurrences);
        colours.add_terms(pool, &terms);
        let mixed = match direction {
            Direction::Apart => Vec::new(),
            _ => colours.mixed_groups(pool, refutation, clauses, &terms),
        };
        let original = colours.symbols.clone();
        if !mixed.is_empty() {
            for group in &mixed {
                let host = host(group, &occurrences, direction);
                for s in group {
                    let Some(list) = occurrences.get_mut(s) else {
                        continue; // a function of the solver
                    };
                    if let Err(at) = list.binary_search(&host) {
                        list.insert(at, host);
                    }
                }
            }
            let narrow =
                std::mem::replace(&mut colours, Colours::of_occurrences(cuts, &occurrences));
            for &s in occurrences.keys() {
                let row = narrow.rows[original[&s] as usize].clone();
                let row = colours.intern(row);
                colours.original.insert(s, row);
            }
            colours.add_terms(pool, &terms);
            colours.widened = true;
        } else {
            colours.original = original;
        }
        colours.internal = internal;
        colours.functions = functions;
        colours
    }

    fn add_terms(&mut self, pool: &Pool, terms: &[TermId]) {
        for &t in terms {
            self.add_term(pool, t);
        }
    }

    /// Symbol sets that are mixed and must not be: of literals, and of lemmas whose interpolation
    /// works on one side only. Sorted, without repetition.
    fn mixed_groups(
        &mut self,
        pool: &Pool,
        refutation: &Refutation,
        clauses: &[ClauseId],
        terms: &[TermId],
    ) -> Vec<Vec<SymbolId>> {
        let mut groups = Vec::new();
        for &t in terms {
            if self.is_mixed(self.terms[&t]) {
                groups.push(pool.symbols_of(&[t]));
            }
        }
        for &c in clauses {
            let clause = &refutation.clauses[c];
            if !is_one_sided(&clause.origin) {
                continue;
            }
            let terms = clause.lits.iter().map(|l| refutation.terms[l.var()]);
            let terms: Vec<TermId> = terms.collect();
            let row = terms
                .iter()
                .fold(0, |row, t| self.union(row, self.terms[t]));
            if self.is_mixed(row) {
                groups.push(pool.symbols_of(&terms));
            }
        }
        groups.sort();
        groups.dedup();
        groups
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
            functions: Vec::new(),
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
        self.side_of_row(self.row(term), cut)
    }

    /// The row of a term that was added, else the row of shared terms.
    pub fn row(&self, term: TermId) -> RowId {
        self.terms.get(&term).copied().unwrap_or(0)
    }

    /// Rows have the numbers below this.
    pub fn row_count(&self) -> RowId {
        self.rows.len() as RowId
    }

    pub fn side_of_row(&self, row: RowId, cut: usize) -> Option<Side> {
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

    /// Whether interpolants may have symbols they must not have.
    pub fn has_aliens(&self) -> bool {
        self.widened || !self.internal.is_empty() || !self.functions.is_empty()
    }

    /// Names applications of the solver's own functions by new constants, which are returned. `diff`: but not
    /// of `array-diff`.
    pub fn name_internal(
        &self,
        pool: &mut Pool,
        formula: TermId,
        diff: bool,
    ) -> (TermId, Vec<SymbolId>) {
        if self.functions.is_empty() {
            return (formula, Vec::new());
        }
        let (mut pairs, mut names) = (Vec::new(), Vec::new());
        for t in pool.post_order(&[formula]) {
            match pool.op(t) {
                Op::App(s)
                    if self.functions.binary_search(&s).is_ok()
                        && !(diff && logic::is_array_diff(pool, s)) =>
                {
                    let name = pool.fresh_constant("witness", pool.sort_of(t));
                    names.extend(pool.as_constant(name));
                    pairs.push((t, name));
                }
                _ => {}
            }
        }
        (pool.substitute(formula, &pairs), names)
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

fn is_one_sided(origin: &Origin) -> bool {
    match origin {
        Origin::Definition => true,
        Origin::Lemma(certificate) => {
            use Certificate::{Divisibility, Equality, Farkas, Residue};
            !matches!(
                certificate,
                Farkas(_) | Divisibility(_) | Residue(_) | Equality
            )
        }
        _ => false,
    }
}

/// The symbol sets of the literals and one-sided lemmas that have one of the given symbols.
fn groups_with(
    pool: &Pool,
    refutation: &Refutation,
    clauses: &[ClauseId],
    symbols: &[SymbolId],
) -> Vec<Vec<SymbolId>> {
    let mut groups = Vec::new();
    for &c in clauses {
        let clause = &refutation.clauses[c];
        let terms = clause.lits.iter().map(|l| refutation.terms[l.var()]);
        match &clause.origin {
            Origin::Lemma(_) => {
                if is_one_sided(&clause.origin) {
                    groups.push(pool.symbols_of(&terms.clone().collect::<Vec<_>>()));
                }
                groups.extend(terms.map(|t| pool.symbols_of(&[t])));
            }
            _ => continue,
        }
    }
    groups.retain(|g| g.iter().any(|s| symbols.binary_search(s).is_ok()));
    groups.sort();
    groups.dedup();
    groups
}

/// Gives symbols of no partition a place: a partition that has the rest of a group, else a host.
fn place_internal(
    groups: &[Vec<SymbolId>],
    internal: &[SymbolId],
    occurrences: &mut Occurrences,
    direction: Direction,
) {
    // The smallest group that has a symbol says most about where it belongs.
    let mut by_size: Vec<&Vec<SymbolId>> = groups.iter().collect();
    by_size.sort_by_key(|g| g.len());
    loop {
        let mut placed = false;
        for group in &by_size {
            let (known, unknown): (Vec<SymbolId>, Vec<SymbolId>) =
                group.iter().partition(|s| occurrences.contains_key(s));
            let unknown: Vec<SymbolId> = unknown
                .into_iter()
                .filter(|s| internal.binary_search(s).is_ok())
                .collect();
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
    for &s in internal {
        occurrences.entry(s).or_insert_with(|| vec![0]);
    }
}

/// The partition in which all symbols of a mixed group shall count as occurring.
fn host(group: &[SymbolId], occurrences: &Occurrences, direction: Direction) -> usize {
    let firsts = group.iter().filter_map(|s| occurrences.get(s)?.first());
    let lasts = group.iter().filter_map(|s| occurrences.get(s)?.last());
    let host = match direction {
        Direction::Forward | Direction::Apart => firsts.max(),
        Direction::Backward => lasts.min(),
    };
    host.copied().unwrap_or(0)
}

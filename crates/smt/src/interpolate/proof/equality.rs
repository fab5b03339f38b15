//! Interpolants of equality lemmas by coloured congruence graphs.
//!
//! *Terms.* Two equal terms are joined by a path of edges: given equalities (coloured by their
//! literal's side) and congruences (coloured by a side whose vocabulary has both ends). A maximal
//! one-coloured part of a path is a factor; where colours change, the vertex is shared. A factor
//! concludes the equality of its ends from its own side's literals and from *premises*: the other
//! side's factors among the argument paths of its congruences.
//!
//! *Idea.* A: a = x, y = b; B: x = y, f(a) ≠ … : the path a –A– x –B– y –A– b has the A-factors a = x and
//! y = b. The interpolant is the conjunction, over all A-factors that B needs on the way to the
//! contradiction, of `premises => conclusion`. A implies each; B discharges the premises one after
//! the other. When the violated disequality is A's, the last conclusion is `false`.
//!
//! A congruence between an A-only and a B-only term is split at `f(w)`, `w` shared vertices on the
//! argument paths (they exist since colours change only at shared vertices).
//!
//! A mixed equality is an edge in two colours with its auxiliary variable between them. A mixed disequality
//! that is violated: A knows the variable to be the path's start, so the first A-factor concludes which shared term
//! it is (see `mixed`).
//!
//! *Source.* Fuchs, Goel, Grundy, Krstić, Tinelli: Ground interpolation for the theory of equality (2009).

use super::colour::{Colours, Side};
use super::mixed::{Auxiliary, Mixed};
use crate::interpolate::FarkasSide;
use crate::proof::check::congruence::{Congruence, Reason};
use base::FxHashSet;
use logic::{Linear, Pool, Rational, TermId};

/// An edge between two terms with its colour; a congruence has a path for each argument.
struct Edge {
    ends: [TermId; 2],
    in_a: bool,
    premises: Vec<Path>,
}

type EdgeId = usize;
/// Edges in order, each with whether it is walked from its second end to its first.
type Path = Vec<(EdgeId, bool)>;

/// A maximal one-coloured part of a path.
#[derive(Clone)]
struct Factor {
    in_a: bool,
    ends: [TermId; 2],
    edges: Path,
}

struct Graph<'a> {
    colours: &'a Colours,
    cut: usize,
    /// The dual interpolant is the negated one with sides swapped.
    swapped: bool,
    edges: Vec<Edge>,
    /// The edges a merge became, from its left to its right end.
    of_merge: Vec<Path>,
}

pub(crate) fn interpolant(
    pool: &mut Pool,
    colours: &Colours,
    cut: usize,
    literals: &[(TermId, bool)],
    in_a: &[bool],
    side: FarkasSide,
) -> Result<TermId, String> {
    let none = vec![None; literals.len()];
    let swapped = side == FarkasSide::Dual;
    lemma(pool, (colours, cut), literals, in_a, &none, None, swapped)
}

/// The same with mixed literals, each with its auxiliary variable.
pub(crate) fn mixed_interpolant(
    pool: &mut Pool,
    at: (&Colours, usize),
    literals: &[(TermId, bool)],
    in_a: &[bool],
    auxiliaries: &[Option<Auxiliary>],
    mixed: &mut Mixed,
) -> Result<TermId, String> {
    lemma(pool, at, literals, in_a, auxiliaries, Some(mixed), false)
}

fn lemma(
    pool: &mut Pool,
    (colours, cut): (&Colours, usize),
    literals: &[(TermId, bool)],
    in_a: &[bool],
    auxiliaries: &[Option<Auxiliary>],
    mixed: Option<&mut Mixed>,
    swapped: bool,
) -> Result<TermId, String> {
    let closure = Congruence::of_literals(pool, literals);
    let conflict = closure
        .conflict()
        .ok_or("an equality lemma without a contradiction")?;
    let path = closure.path(conflict.left, conflict.right);
    let mut graph = Graph {
        colours,
        cut,
        swapped,
        edges: Vec::new(),
        of_merge: vec![Path::new(); closure.merges.len()],
    };
    for merge in needed_merges(&closure, &path) {
        let m = closure.merges[merge];
        let edges = match m.reason {
            Reason::Given(i) => {
                let ends = [closure.terms[m.left], closure.terms[m.right]];
                match &auxiliaries[i] {
                    None => graph.edge(ends, in_a[i] != swapped, Vec::new()),
                    Some(aux) => graph.mixed_edge(pool, ends, aux)?,
                }
            }
            Reason::Congruent => graph.congruence(pool, &closure, m.left, m.right)?,
        };
        graph.of_merge[merge] = edges;
    }
    let mut path = graph.concat(&closure, &path);
    let auxiliary = conflict.literal.and_then(|i| auxiliaries[i].as_ref());
    let mut violated_in_a = conflict.literal.is_some_and(|i| in_a[i] != swapped);
    let mut first = None;
    if let (Some(aux), Some(mixed)) = (auxiliary, mixed) {
        violated_in_a = false;
        let mut ends = [closure.terms[conflict.left], closure.terms[conflict.right]];
        if graph.vocabulary(ends[0])? == (false, true) {
            ends.reverse();
            path = path.iter().rev().map(|&(e, r)| (e, !r)).collect();
        }
        let [start, end] = ends;
        let factors = graph.factors(&path);
        let factor = factors.first().filter(|f| f.in_a);
        let meet = factor
            .ok_or("a violated mixed disequality without a path")?
            .ends[1];
        let value = solved(pool, aux, [start, end], meet)?;
        first = Some(mixed.value(pool, aux.x, value)?);
    }
    let result = graph.horn_clauses(pool, &path, violated_in_a, first);
    Ok(match swapped {
        true => pool.not(result),
        false => result,
    })
}

/// The merges a path rests on, oldest first.
fn needed_merges(closure: &Congruence, path: &[(usize, usize, usize)]) -> Vec<usize> {
    let mut needed = vec![false; closure.merges.len()];
    for &(m, ..) in path {
        needed[m] = true;
    }
    for i in (0..needed.len()).rev() {
        let m = closure.merges[i];
        if needed[i] && m.reason == Reason::Congruent {
            let (left, right) = (closure.arguments(m.left), closure.arguments(m.right));
            for (&a, &b) in left.iter().zip(right) {
                for (older, ..) in closure.path(a, b) {
                    debug_assert!(older < i);
                    needed[older] = true;
                }
            }
        }
    }
    (0..needed.len()).filter(|&i| needed[i]).collect()
}

impl Graph<'_> {
    fn edge(&mut self, ends: [TermId; 2], in_a: bool, premises: Vec<Path>) -> Path {
        self.edges.push(Edge {
            ends,
            in_a,
            premises,
        });
        vec![(self.edges.len() - 1, false)]
    }

    /// A mixed equality: A's end, the shared term that the variable makes of it, B's end.
    fn mixed_edge(
        &mut self,
        pool: &mut Pool,
        ends: [TermId; 2],
        aux: &Auxiliary,
    ) -> Result<Path, String> {
        let left = self.vocabulary(ends[0])?;
        let right = self.vocabulary(ends[1])?;
        let in_a = match (left, right) {
            ((true, false), (false, true)) => true,
            ((false, true), (true, false)) => false,
            _ => return Err("a mixed equality without a side".into()),
        };
        let own = match in_a {
            true => ends,
            false => [ends[1], ends[0]],
        };
        let middle = match aux.own.terms.first() {
            None => aux.x,
            Some(_) => {
                let (factor, rest) = decompose(pool, aux, own)?;
                let form = rest.add_scaled(&-&factor, &pool.linear(aux.x));
                pool.from_linear(&form, pool.sort_of(aux.x))
            }
        };
        let mut edges = self.edge([ends[0], middle], in_a, Vec::new());
        edges.extend(self.edge([middle, ends[1]], !in_a, Vec::new()));
        Ok(edges)
    }

    /// Whether the term is in the vocabulary of A, and of B.
    fn vocabulary(&self, t: TermId) -> Result<(bool, bool), String> {
        let (a, b) = match self.colours.side(t, self.cut) {
            Some(Side::A) => (true, false),
            Some(Side::B) => (false, true),
            Some(Side::Shared) => (true, true),
            None => return Err("mixed term in an equality lemma".into()),
        };
        Ok(if self.swapped { (b, a) } else { (a, b) })
    }

    fn congruence(
        &mut self,
        pool: &mut Pool,
        closure: &Congruence,
        left: usize,
        right: usize,
    ) -> Result<Path, String> {
        let arguments = closure.arguments(left).iter().zip(closure.arguments(right));
        let paths: Vec<Path> = arguments
            .map(|(&a, &b)| self.concat(closure, &closure.path(a, b)))
            .collect();
        let ends = [closure.terms[left], closure.terms[right]];
        let (left_a, left_b) = self.vocabulary(ends[0])?;
        let (right_a, right_b) = self.vocabulary(ends[1])?;
        // B first: an A-equality of arguments says more than one of applications.
        if left_b && right_b {
            return Ok(self.edge(ends, false, paths));
        }
        if left_a && right_a {
            return Ok(self.edge(ends, true, paths));
        }
        // One end is A-only, the other B-only: meet at shared arguments.
        let mut middle = Vec::with_capacity(paths.len());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (path, &start) in paths.iter().zip(pool.args(ends[0])) {
            let at = self.shared_vertex(path, start)?;
            middle.push(at.1);
            before.push(path[..at.0].to_vec());
            after.push(path[at.0..].to_vec());
        }
        let meet = pool.rebuild(ends[0], &middle);
        let mut edges = self.edge([ends[0], meet], left_a, before);
        edges.extend(self.edge([meet, ends[1]], right_a, after));
        Ok(edges)
    }

    /// The first shared vertex of a path: how many edges lead to it, and the term.
    fn shared_vertex(&self, path: &Path, start: TermId) -> Result<(usize, TermId), String> {
        let mut vertex = start;
        for i in 0..=path.len() {
            if self.vocabulary(vertex)? == (true, true) {
                return Ok((i, vertex));
            }
            if let Some(&(edge, reversed)) = path.get(i) {
                vertex = self.edges[edge].ends[usize::from(!reversed)];
            }
        }
        Err("no shared term between the sides of a congruence".into())
    }

    /// The coloured edges of a path of merges.
    fn concat(&self, closure: &Congruence, path: &[(usize, usize, usize)]) -> Path {
        let mut result = Path::new();
        for &(merge, from, _) in path {
            let edges = &self.of_merge[merge];
            match closure.merges[merge].left == from {
                true => result.extend(edges),
                false => result.extend(edges.iter().rev().map(|&(e, r)| (e, !r))),
            }
        }
        result
    }

    fn factors(&self, path: &Path) -> Vec<Factor> {
        let mut factors: Vec<Factor> = Vec::new();
        for &(e, reversed) in path {
            let edge = &self.edges[e];
            let [mut from, mut to] = edge.ends;
            if reversed {
                std::mem::swap(&mut from, &mut to);
            }
            match factors.last_mut() {
                Some(f) if f.in_a == edge.in_a => {
                    f.ends[1] = to;
                    f.edges.push((e, reversed));
                }
                _ => factors.push(Factor {
                    in_a: edge.in_a,
                    ends: [from, to],
                    edges: vec![(e, reversed)],
                }),
            }
        }
        factors
    }

    /// The other side's factors a factor rests on.
    fn premises(&self, factor: &Factor) -> Vec<Factor> {
        let mut result = Vec::new();
        let mut seen: FxHashSet<EdgeId> = FxHashSet::default();
        let mut stack: Vec<EdgeId> = factor.edges.iter().map(|&(e, _)| e).collect();
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            for path in &self.edges[e].premises {
                for f in self.factors(path) {
                    match f.in_a == factor.in_a {
                        true => stack.extend(f.edges.iter().map(|&(e, _)| e)),
                        false => result.push(f),
                    }
                }
            }
        }
        result
    }

    /// `premises => conclusion` for each A-factor that B needs.
    /// `first`, if given, is what the first factor concludes.
    fn horn_clauses(
        &self,
        pool: &mut Pool,
        path: &Path,
        violated_in_a: bool,
        first: Option<TermId>,
    ) -> TermId {
        let mut clauses = Vec::new();
        let mut pending: Vec<Factor> = Vec::new();
        let mut top = self.factors(path);
        if let Some(conclusion) = first {
            let premises = self.premises(&top.remove(0));
            clauses.push(implication(pool, &premises, conclusion));
            pending.extend(premises.iter().flat_map(|p| self.premises(p)));
        }
        if violated_in_a {
            let mut premises = Vec::new();
            for f in &top {
                match f.in_a {
                    true => premises.extend(self.premises(f)),
                    false => premises.push(f.clone()),
                }
            }
            let ff = pool.ff();
            clauses.push(implication(pool, &premises, ff));
            pending.extend(premises.iter().flat_map(|p| self.premises(p)));
        } else {
            for f in top {
                match f.in_a {
                    true => pending.push(f),
                    false => pending.extend(self.premises(&f)),
                }
            }
        }
        let mut done: FxHashSet<Path> = FxHashSet::default();
        while let Some(f) = pending.pop() {
            if !done.insert(f.edges.clone()) {
                continue;
            }
            let premises = self.premises(&f);
            let conclusion = pool.eq(f.ends[0], f.ends[1]);
            clauses.push(implication(pool, &premises, conclusion));
            pending.extend(premises.iter().flat_map(|p| self.premises(p)));
        }
        pool.and(&clauses)
    }
}

/// A's end of an equality as `factor * own + rest`, where own is the variable's part of the atom.
fn decompose(
    pool: &Pool,
    aux: &Auxiliary,
    [own, other]: [TermId; 2],
) -> Result<(Rational, Linear), String> {
    let (lead, c) = aux
        .own
        .terms
        .first()
        .ok_or("a mixed atom without terms of A")?;
    let difference = pool.difference(own, other);
    let factor = &difference.coefficient(*lead) / c;
    let rest = pool.linear(own).add_scaled(&-&factor, &aux.own);
    let inside = |t: &TermId| aux.own.terms.iter().any(|(o, _)| o == t);
    match factor.is_zero() || rest.terms.iter().any(|(t, _)| inside(t)) {
        true => Err("a mixed equality of other terms".into()),
        false => Ok((factor, rest)),
    }
}

/// The value of the variable if A's end is the shared term.
fn solved(
    pool: &mut Pool,
    aux: &Auxiliary,
    ends: [TermId; 2],
    shared: TermId,
) -> Result<TermId, String> {
    if aux.own.terms.is_empty() {
        return Ok(shared);
    }
    let sort = pool.sort_of(aux.x);
    let (factor, rest) = decompose(pool, aux, ends)?;
    // own = (shared - rest) / factor, and the variable is its negation.
    let mut form = rest.add_scaled(&Rational::MINUS_ONE, &pool.linear(shared));
    if sort != pool.int_sort() || factor.is_one() || factor == Rational::MINUS_ONE {
        form.scale(&factor.recip());
        return Ok(pool.from_linear(&form, sort));
    }
    form.scale(&Rational::from(factor.denominator()));
    let numerator = &factor * &Rational::from(factor.denominator());
    let whole = pool.from_linear(&form, sort);
    let divisor = pool.int(numerator);
    Ok(pool.int_div(whole, divisor))
}

fn implication(pool: &mut Pool, premises: &[Factor], conclusion: TermId) -> TermId {
    let mut parts = vec![conclusion];
    for p in premises {
        let e = pool.eq(p.ends[0], p.ends[1]);
        parts.push(pool.not(e));
    }
    pool.or(&parts)
}

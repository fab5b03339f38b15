//! Propositional contradictions by unit propagation over the Boolean structure of terms.
//!
//! Facts are (term, value) pairs. A known `and` that is true makes its arguments true, an `or`
//! with one open argument decides it, and so on, downwards and upwards. Definitions of the solver
//! need one level of structure and no case split; axiom instances may need a few splits, which are
//! bounded. Running out of the bound means "not shown", which a checker reports as an error.

use super::strip_not;
use base::FxHashMap;
use logic::{Op, Pool, TermId};

/// Case splits tried in all.
const SPLITS: usize = 4096;
/// Subterms looked at: clauses are local, a larger expansion means a wrong proof.
const NODES: usize = 20_000;

/// Whether the facts contradict each other propositionally. `false` also when the bound is hit.
pub fn contradictory(pool: &Pool, facts: &[(TermId, bool)]) -> bool {
    // One level of structure first: definitions of large formulas never walk into them.
    for deep in [false, true] {
        let Some(structure) = Structure::collect(pool, facts, deep) else {
            return false;
        };
        let mut splits = if deep { SPLITS } else { 0 };
        if structure.refute(pool, facts, &mut splits) {
            return true;
        }
    }
    false
}

/// The Boolean nodes in reach of the facts: `parents` lists the connectives that use a node.
struct Structure {
    index: FxHashMap<TermId, usize>,
    nodes: Vec<TermId>,
    /// Connectives (indices into `nodes`) whose arguments are all in `nodes`.
    open: Vec<bool>,
    parents: Vec<Vec<usize>>,
}

type Values = Vec<Option<bool>>;

impl Structure {
    fn collect(pool: &Pool, facts: &[(TermId, bool)], deep: bool) -> Option<Structure> {
        let mut s = Structure {
            index: FxHashMap::default(),
            nodes: Vec::new(),
            open: Vec::new(),
            parents: Vec::new(),
        };
        let roots: Vec<TermId> = facts
            .iter()
            .map(|&(t, v)| strip_not(pool, t, v).0)
            .collect();
        for &t in &roots {
            s.node(t);
        }
        let mut next = 0;
        let last = if deep { usize::MAX } else { s.nodes.len() };
        while next < s.nodes.len().min(last) {
            let t = s.nodes[next];
            if is_connective(pool, t) {
                s.open[next] = true;
                for &a in pool.args(t) {
                    let (a, _) = strip_not(pool, a, true);
                    let child = s.node(a);
                    s.parents[child].push(next);
                }
            }
            if s.nodes.len() > NODES {
                return None;
            }
            next += 1;
        }
        Some(s)
    }

    fn node(&mut self, t: TermId) -> usize {
        if let Some(&i) = self.index.get(&t) {
            return i;
        }
        let i = self.nodes.len();
        self.index.insert(t, i);
        self.nodes.push(t);
        self.open.push(false);
        self.parents.push(Vec::new());
        i
    }

    fn refute(&self, pool: &Pool, facts: &[(TermId, bool)], splits: &mut usize) -> bool {
        let mut values: Values = vec![None; self.nodes.len()];
        let mut queue = Vec::new();
        for (i, &t) in self.nodes.iter().enumerate() {
            match pool.op(t) {
                Op::True => queue.push((i, true)),
                Op::False => queue.push((i, false)),
                _ => {}
            }
        }
        for &(t, v) in facts {
            let (t, v) = strip_not(pool, t, v);
            queue.push((self.index[&t], v));
        }
        if !self.propagate(pool, &mut values, queue) {
            return true;
        }
        // Depth-first case split; each entry is an assignment still to be refuted.
        let mut open = vec![values];
        while let Some(values) = open.pop() {
            let Some(choice) = self.branch(&values) else {
                return false;
            };
            if *splits == 0 {
                return false;
            }
            *splits -= 1;
            for v in [true, false] {
                let mut next = values.clone();
                if self.propagate(pool, &mut next, vec![(choice, v)]) {
                    open.push(next);
                }
            }
        }
        true
    }

    /// An undecided argument of an undecided or unjustified connective.
    fn branch(&self, values: &Values) -> Option<usize> {
        (0..self.nodes.len())
            .find(|&i| values[i].is_none() && self.parents[i].iter().any(|&p| values[p].is_some()))
            .or_else(|| (0..self.nodes.len()).find(|&i| values[i].is_none()))
    }

    /// Assigns and propagates; `false` on a contradiction.
    fn propagate(&self, pool: &Pool, values: &mut Values, mut queue: Vec<(usize, bool)>) -> bool {
        while let Some((i, v)) = queue.pop() {
            match values[i] {
                Some(old) if old != v => return false,
                Some(_) => continue,
                None => values[i] = Some(v),
            }
            if self.open[i] && !self.visit(pool, i, values, &mut queue) {
                return false;
            }
            for &p in &self.parents[i] {
                if !self.visit(pool, p, values, &mut queue) {
                    return false;
                }
            }
        }
        true
    }

    /// Consequences of one connective; `false` on a contradiction.
    fn visit(
        &self,
        pool: &Pool,
        node: usize,
        values: &Values,
        queue: &mut Vec<(usize, bool)>,
    ) -> bool {
        let term = self.nodes[node];
        let own = values[node];
        let arg = |a: TermId| {
            let (t, positive) = strip_not(pool, a, true);
            let i = self.index[&t];
            (i, positive, values[i].map(|v| v == positive))
        };
        match pool.op(term) {
            op @ (Op::And | Op::Or) => {
                // For `and`: one false argument decides; `or` is the mirror image.
                let decisive = op == Op::Or;
                let mut undecided = None;
                let mut count = 0;
                for &a in pool.args(term) {
                    let (i, positive, value) = arg(a);
                    match value {
                        Some(v) if v == decisive => {
                            queue.push((node, decisive));
                            return own != Some(!decisive);
                        }
                        Some(_) => {}
                        None if own == Some(!decisive) => queue.push((i, positive != decisive)),
                        None => {
                            count += 1;
                            undecided = Some((i, positive));
                        }
                    }
                }
                match (own, undecided) {
                    (Some(v), Some((i, positive))) if v == decisive && count == 1 => {
                        queue.push((i, positive == decisive));
                    }
                    (_, None) if own != Some(!decisive) => {
                        queue.push((node, !decisive));
                        return own != Some(decisive);
                    }
                    _ => {}
                }
            }
            Op::Eq => {
                let (i, pi, vi) = arg(pool.args(term)[0]);
                let (j, pj, vj) = arg(pool.args(term)[1]);
                match (own, vi, vj) {
                    (_, Some(a), Some(b)) => queue.push((node, a == b)),
                    (Some(e), Some(a), None) => queue.push((j, (a == e) == pj)),
                    (Some(e), None, Some(b)) => queue.push((i, (b == e) == pi)),
                    _ => {}
                }
            }
            Op::Ite => {
                let (c, pc, vc) = arg(pool.args(term)[0]);
                let (a, pa, va) = arg(pool.args(term)[1]);
                let (b, pb, vb) = arg(pool.args(term)[2]);
                let (branch, positive, value) = match vc {
                    Some(true) => (a, pa, va),
                    Some(false) => (b, pb, vb),
                    None => {
                        match (own, va, vb) {
                            (_, Some(x), Some(y)) if x == y => queue.push((node, x)),
                            (Some(o), Some(x), _) if x != o => queue.push((c, !pc)),
                            (Some(o), _, Some(y)) if y != o => queue.push((c, pc)),
                            _ => {}
                        }
                        return true;
                    }
                };
                match (own, value) {
                    (_, Some(v)) => queue.push((node, v)),
                    (Some(o), None) => queue.push((branch, o == positive)),
                    _ => {}
                }
            }
            _ => {}
        }
        true
    }
}

fn is_connective(pool: &Pool, t: TermId) -> bool {
    match pool.op(t) {
        Op::And | Op::Or => true,
        Op::Ite => pool.sort_of(t) == pool.bool_sort(),
        Op::Eq => pool.sort_of(pool.args(t)[0]) == pool.bool_sort(),
        _ => false,
    }
}

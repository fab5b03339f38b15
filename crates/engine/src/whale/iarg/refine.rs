//! REFINEARG: the condition of an ARG with its calls under-approximated, and state/transition interpolants.
//!
//! The condition is `G ∧ φ ∧ μ1 ∧ … ∧ μm ∧ ¬S`: φ the body with calls that may do anything, μk what the ARG
//! that justifies the k-th call has unwound (the call is not made if that is nothing). STITP are the tree
//! interpolants of
//! ```text
//!   G ── φ ─┬─ · ─┬─ · … ── ¬S        g0 at G, gk before μk on the spine, sk at the leaf μk
//!           μ1    μ2
//! ```
//! since a node's interpolant follows from its children's and its part, and the root's are contradictory:
//! exactly conditions 1 to 4 of the paper's definition, for all k by one proof.

use super::forest::{ArgId, Forest};
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{Model, Op, Pool, TermId};
use smt::interpolate::{FarkasSide, Labelling, Options, Outcome};

/// What became of an ARG.
pub enum Refined {
    /// Its triple follows from the new triples of the ARGs that justify its calls; these are to be shown.
    Safe {
        updated: Vec<ArgId>,
    },
    /// An execution starts inside the guard and violates the summary.
    Violated(Model),
    Unknown(String),
}

impl Forest<'_> {
    /// Refines an ARG whose body is unwound.
    pub fn refine(
        &mut self,
        pool: &mut Pool,
        arg: ArgId,
        budget: &Budget,
    ) -> Result<Refined, Stop> {
        let calls = self.args[arg].justifying.clone();
        let (parts, parent) = self.condition(pool, arg, &calls);
        // Weak interpolants: a summary should say no more of the callee than the caller needs.
        let options = Options {
            labelling: Labelling::InverseMcMillan,
            farkas: FarkasSide::Dual,
            ..Options::default()
        };
        let outcome = self
            .tree
            .solvers()
            .tree(pool, &parts, &parent, &options, budget);
        budget.check()?;
        let found = match outcome {
            Outcome::Interpolants(found) => found,
            Outcome::Sat(model) => return Ok(Refined::Violated(model)),
            Outcome::Unknown(why) => return Ok(Refined::Unknown(why)),
        };
        self.args[arg].safe = true;
        // UPDATEGUARD: the body is complete, so the label of its entry is a guard without quantifiers. With merged ARGs
        // guards are parts of the summary.
        if self.members(arg).is_empty() {
            self.args[arg].guard = self.entry_label(pool, arg, found[0]);
            self.args[arg].skolem = false;
        }
        let mut updated = Vec::new();
        for (k, &call) in calls.iter().enumerate() {
            let state = found[if k == 0 { 1 } else { 2 * k + 1 }];
            let guard = self.guard(pool, call, state);
            let summary = self.summary(pool, call, found[2 * k + 2]);
            updated.extend(self.update(pool, call, guard, summary));
        }
        if cfg!(debug_assertions) {
            self.check_invariants();
        }
        Ok(Refined::Safe { updated })
    }

    /// The parts of the condition, as a tree for interpolation.
    fn condition(
        &mut self,
        pool: &mut Pool,
        arg: ArgId,
        calls: &[ArgId],
    ) -> (Vec<TermId>, Vec<usize>) {
        let (guard, summary) = self.triple(pool, arg);
        let mut parts = vec![self.about_call(pool, arg, guard)];
        parts.push(self.body(pool, arg));
        let mut parent = vec![1];
        for &call in calls {
            parts.push(self.under_approximation(pool, call));
            parts.push(pool.tt());
        }
        // Spine nodes are 1, 3, 5, …; the leaf before a spine node is its child, as is the spine node
        // before that. The last spine node is below the root, which comes last.
        let root = parts.len();
        for at in 1..root {
            parent.push(match at % 2 {
                1 => (at + 2).min(root),
                _ => at + 1,
            });
        }
        parent.push(root);
        let violated = match self.args[arg].call {
            Some(_) => {
                let violated = pool.not(summary);
                self.about_call(pool, arg, violated)
            }
            None => self.tree.goal(),
        };
        parts.push(violated);
        (parts, parent)
    }

    /// The body of an ARG that is unwound, taken.
    fn body(&mut self, pool: &mut Pool, arg: ArgId) -> TermId {
        let Some(instance) = self.args[arg].instance else {
            return pool.ff();
        };
        let body = self.tree.formula(instance);
        match self.args[arg].call {
            Some(call) => pool.and(&[body, call.made]),
            None => body,
        }
    }

    /// What an ARG and those below it have unwound, as a condition on the call.
    fn under_approximation(&mut self, pool: &mut Pool, arg: ArgId) -> TermId {
        let mut parts = Vec::new();
        let mut work = vec![arg];
        while let Some(arg) = work.pop() {
            let this = &self.args[arg];
            match (this.instance, this.call) {
                (Some(instance), _) => parts.push(self.tree.formula(instance)),
                (None, Some(call)) => parts.push(pool.not(call.made)),
                (None, None) => {}
            }
            work.extend(&this.justifying);
        }
        pool.and(&parts)
    }

    /// The interpolant at the guard, over parameters.
    fn entry_label(&mut self, pool: &mut Pool, arg: ArgId, label: TermId) -> TermId {
        let pairs = self.interface(pool, arg);
        let back: Vec<(TermId, TermId)> =
            pairs.into_iter().map(|(var, here)| (here, var)).collect();
        pool.substitute(label, &back)
    }

    /// SUM: a transition interpolant as a summary of the callee.
    fn summary(&mut self, pool: &mut Pool, call: ArgId, interpolant: TermId) -> TermId {
        let mut pairs = vec![];
        if let Some(at) = self.args[call].call {
            pairs.push((at.made, pool.tt()));
        }
        let interface = self.interface(pool, call);
        pairs.extend(interface.into_iter().map(|(var, here)| (here, var)));
        pool.substitute(interpolant, &pairs)
    }

    /// GUARD: a state interpolant as a guard of the callee. What is not an argument is quantified
    /// existentially, by new constants; says whether there are any.
    fn guard(&mut self, pool: &mut Pool, call: ArgId, interpolant: TermId) -> (TermId, bool) {
        let func = self.args[call].func;
        let params: FxHashSet<TermId> = self.tree.params(func).into_iter().collect();
        let mut pairs: FxHashMap<TermId, TermId> = FxHashMap::default();
        if let Some(at) = self.args[call].call {
            pairs.insert(at.made, pool.tt());
        }
        for (var, here) in self.interface(pool, call) {
            if params.contains(&var) {
                pairs.insert(here, var);
            }
        }
        let mut skolem = false;
        for t in pool.post_order(&[interpolant]) {
            let is_constant = matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty();
            if is_constant && !pairs.contains_key(&t) {
                self.skolems += 1;
                let sort = pool.sort_of(t);
                let name = format!("skolem@{}", self.skolems);
                pairs.insert(t, pool.constant(&name, sort));
                skolem = true;
            }
        }
        let mut pairs: Vec<(TermId, TermId)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        (pool.substitute(interpolant, &pairs), skolem)
    }
}

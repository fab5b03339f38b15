//! The forest of ARGs: justification, covering, RESET and UPDATE.

use crate::whale::tree::{Frontier, InstanceId, Tree};
use base::{Budget, Id, IndexVec, Stop, new_id};
use logic::{Pool, Substitution, TermId};
use program::FuncId;
use smt::{Answer, Unknown};
use std::collections::BTreeSet;

new_id!(
    /// An abstract reachability graph.
    pub ArgId, "A");

/// One call of a function under exploration.
pub struct Arg {
    pub func: FuncId,
    /// The ARG whose call this one justifies; none for main.
    pub caller: Option<ArgId>,
    /// The call, as the tree knows it; none for main.
    pub call: Option<Frontier>,
    /// The unwound body; none as long as nothing is.
    pub instance: Option<InstanceId>,
    /// The ARGs that justify its calls, in topological order; made when the body is unwound.
    pub justifying: Vec<ArgId>,
    pub guard: TermId,
    pub summary: TermId,
    /// The guard has constants that stand for an existential quantifier.
    pub skolem: bool,
    /// The label of the exit implies the summary.
    pub safe: bool,
    /// It was so before others were merged into it.
    pub safe_alone: bool,
    pub covered_by: Option<ArgId>,
    /// Its cover shows its triple as well as its own (section 6: ARGs of one function are merged).
    pub merged: bool,
    /// Its triple does not hold of the ARG it was merged into: it is explored alone.
    pub alone: bool,
}

/// All ARGs, in an order in which callers come before what justifies their calls: the total order of
/// COVERARG.
pub struct Forest<'b> {
    pub args: IndexVec<ArgId, Arg>,
    pub tree: Tree<'b>,
    /// How many constants stand for existential quantifiers.
    pub skolems: u32,
}

impl<'b> Forest<'b> {
    /// One ARG, of the entry function, whose body `tree` has as its root.
    pub fn new(pool: &mut Pool, tree: Tree<'b>, entry: FuncId, summary: TermId) -> Self {
        let mut forest = Forest {
            args: IndexVec::new(),
            tree,
            skolems: 0,
        };
        forest.args.push(Arg {
            func: entry,
            caller: None,
            call: None,
            instance: None,
            justifying: Vec::new(),
            guard: pool.tt(),
            summary,
            skolem: false,
            safe: false,
            safe_alone: false,
            covered_by: None,
            merged: false,
            alone: false,
        });
        forest
    }

    pub fn main(&self) -> ArgId {
        ArgId::from_index(0)
    }

    /// EXPANDARG: unwinds the body, all at once, with new ARGs for its calls.
    pub fn expand(&mut self, pool: &mut Pool, arg: ArgId) {
        if self.args[arg].instance.is_some() {
            return;
        }
        let instance = match self.args[arg].call {
            Some(call) => self.tree.expand(pool, call),
            None => self.tree.root(),
        };
        self.args[arg].instance = Some(instance);
        for call in self.tree.calls_in_order(pool, instance) {
            let justifying = self.args.push(Arg {
                func: call.callee,
                caller: Some(arg),
                call: Some(call),
                instance: None,
                justifying: Vec::new(),
                guard: pool.tt(),
                summary: pool.tt(),
                skolem: false,
                safe: false,
                safe_alone: false,
                covered_by: None,
                merged: false,
                alone: false,
            });
            self.args[arg].justifying.push(justifying);
        }
    }

    /// Is the ARG covered, or one above it?
    pub fn is_covered(&self, arg: ArgId) -> bool {
        let mut at = Some(arg);
        while let Some(id) = at {
            if self.args[id].covered_by.is_some() {
                return true;
            }
            at = self.args[id].caller;
        }
        false
    }

    /// COVERARG by the first ARG that can; returns those that it, or one below it, covered, which are open again.
    pub fn cover(
        &mut self,
        pool: &mut Pool,
        arg: ArgId,
        budget: &Budget,
    ) -> Result<Option<Vec<ArgId>>, Stop> {
        for by in self.args.ids().take_while(|&by| by < arg) {
            let other = &self.args[by];
            let fits = other.func == self.args[arg].func && !other.skolem;
            if fits && !self.is_covered(by) && self.is_stronger(pool, by, arg, budget)? {
                return Ok(Some(self.add_cover(arg, by)));
            }
        }
        Ok(None)
    }

    /// Sound because what lies below a covered ARG is not looked at any more, so it may cover nobody.
    fn add_cover(&mut self, arg: ArgId, by: ArgId) -> Vec<ArgId> {
        self.args[arg].covered_by = Some(by);
        let below = self.below(vec![arg]);
        below.into_iter().flat_map(|a| self.uncover(a)).collect()
    }

    /// Merges an ARG into the first uncovered one of its function, which has to show both triples then. Returns that one and
    /// what is open again; none if there is no other, or merging does not help.
    pub fn merge(&mut self, pool: &Pool, arg: ArgId) -> Option<(ArgId, Vec<ArgId>)> {
        let this = &self.args[arg];
        // Whose callees are not unwound yet says `false`, which is wrong mostly.
        if this.alone || this.caller.is_none() || this.summary == pool.ff() || self.is_inner(arg) {
            return None;
        }
        let into = self.args.ids().take_while(|&by| by < arg).find(|&by| {
            let other = &self.args[by];
            let fits = other.func == this.func && other.caller.is_some() && !other.skolem;
            fits && !self.is_covered(by) && !self.is_inner(by)
        })?;
        if self.members(into).is_empty() {
            self.args[into].safe_alone = self.args[into].safe;
        }
        let mut open = self.add_cover(arg, into);
        self.args[arg].merged = true;
        self.args[into].safe = false;
        open.push(into);
        Some((into, open))
    }

    /// Is the ARG below another of its function? What recursion needs at one depth it need not need at another: such ARGs are
    /// covered or not, but never merged.
    fn is_inner(&self, arg: ArgId) -> bool {
        let mut at = self.args[arg].caller;
        while let Some(id) = at {
            if self.args[id].func == self.args[arg].func {
                return true;
            }
            at = self.args[id].caller;
        }
        false
    }

    /// The ARGs whose triples this one has to show.
    pub fn members(&self, arg: ArgId) -> Vec<ArgId> {
        let merged = |a: &ArgId| self.args[*a].covered_by == Some(arg) && self.args[*a].merged;
        self.args.ids().filter(merged).collect()
    }

    /// The guard and summary that an ARG has to show, with those that were merged into it.
    pub fn triple(&self, pool: &mut Pool, arg: ArgId) -> (TermId, TermId) {
        let members = self.members(arg);
        if members.is_empty() {
            return (self.args[arg].guard, self.args[arg].summary);
        }
        let mut parts = vec![self.obligation(pool, arg)];
        for member in members {
            parts.push(self.obligation(pool, member));
        }
        (pool.tt(), pool.and(&parts))
    }

    /// `G ⇒ S`; without guards that have constants for existential quantifiers, which nobody else knows.
    pub fn obligation(&self, pool: &mut Pool, arg: ArgId) -> TermId {
        let this = &self.args[arg];
        match this.skolem {
            true => this.summary,
            false => pool.implies(this.guard, this.summary),
        }
    }

    /// Takes an ARG out of the one it was merged into, to be explored alone. Returns what is open again.
    pub fn part(&mut self, arg: ArgId) -> Vec<ArgId> {
        let from = self.args[arg].covered_by;
        let open = self.leave(arg);
        self.args[arg].alone = true;
        // Sound because nothing has changed below it since.
        if let Some(from) = from
            && self.members(from).is_empty()
        {
            self.args[from].safe |= self.args[from].safe_alone;
        }
        open
    }

    /// Takes the cover of an ARG away. What was covered by a merged triple may not be any more.
    fn leave(&mut self, arg: ArgId) -> Vec<ArgId> {
        let by = self.args[arg].covered_by.take();
        match by {
            Some(by) if std::mem::take(&mut self.args[arg].merged) => self.uncover(by),
            _ => Vec::new(),
        }
    }

    /// Does the triple of `arg` follow from that of `by`?
    fn is_stronger(
        &self,
        pool: &mut Pool,
        by: ArgId,
        arg: ArgId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let (guard, summary) = self.triple(pool, by);
        let weak = &self.args[arg];
        let outside = pool.not(guard);
        let violated = pool.not(weak.summary);
        let violated = pool.and(&[summary, violated]);
        let gap = pool.or(&[outside, violated]);
        let query = pool.and(&[weak.guard, gap]);
        match self.tree.is_satisfiable(pool, query, budget) {
            Answer::Unsat => Ok(true),
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            _ => Ok(false),
        }
    }

    /// Takes the covers by `by` away; returns what is open again: the ARGs and what is below them.
    fn uncover(&mut self, by: ArgId) -> Vec<ArgId> {
        let covered = |a: &ArgId| self.args[*a].covered_by == Some(by);
        let open: Vec<ArgId> = self.args.ids().filter(covered).collect();
        for &arg in &open {
            (self.args[arg].covered_by, self.args[arg].merged) = (None, false);
        }
        self.below(open)
    }

    /// These ARGs and those that justify their calls, and so on.
    fn below(&self, args: Vec<ArgId>) -> Vec<ArgId> {
        let mut out = BTreeSet::new();
        let mut work = args;
        while let Some(arg) = work.pop() {
            if out.insert(arg) {
                work.extend(&self.args[arg].justifying);
            }
        }
        out.into_iter().collect()
    }

    /// RESET: what was found about the graph and the ARGs below it is forgotten. Returns what is open
    /// again.
    pub fn reset(&mut self, pool: &Pool, arg: ArgId) -> Vec<ArgId> {
        (self.args[arg].safe, self.args[arg].safe_alone) = (false, false);
        let mut open = Vec::new();
        for below in self.below(self.args[arg].justifying.clone()) {
            open.extend(self.leave(below));
            let this = &mut self.args[below];
            (this.guard, this.summary, this.skolem) = (pool.tt(), pool.tt(), false);
            (this.safe, this.safe_alone, this.alone) = (false, false, false);
            open.extend(self.uncover(below));
        }
        open
    }

    /// UPDATE: a stronger triple to be shown. Returns what is open again.
    pub fn update(
        &mut self,
        pool: &mut Pool,
        arg: ArgId,
        (guard, skolem): (TermId, bool),
        summary: TermId,
    ) -> Vec<ArgId> {
        let mut open = self.leave(arg);
        let this = &mut self.args[arg];
        let before = this.summary;
        this.guard = pool.and(&[this.guard, guard]);
        this.summary = pool.and(&[this.summary, summary]);
        this.skolem |= skolem;
        this.alone &= this.summary == before;
        open.extend(self.uncover(arg));
        open.extend(self.reset(pool, arg));
        open.push(arg);
        open
    }

    /// The summary of `arg` does not hold: it covers nothing any more, and its caller, which relied on it, is
    /// reset. Returns what is open again.
    pub fn withdraw(&mut self, pool: &Pool, arg: ArgId, caller: ArgId) -> Vec<ArgId> {
        let mut open = self.uncover(arg);
        open.extend(self.reset(pool, caller));
        open.push(caller);
        open
    }

    /// The function's parameters and returns, and the constants that hold them in this call; none for main.
    pub fn interface(&mut self, pool: &mut Pool, arg: ArgId) -> Vec<(TermId, TermId)> {
        match self.args[arg].call {
            Some(call) => self.tree.ghosts(pool, call.instance, call.call),
            None => Vec::new(),
        }
    }

    /// A formula over parameters and returns, about this call.
    pub fn about_call(&mut self, pool: &mut Pool, arg: ArgId, formula: TermId) -> TermId {
        let pairs = self.interface(pool, arg);
        Substitution::new(pairs).apply(pool, formula)
    }

    /// Covers are by earlier ARGs of the same function that are not covered themselves.
    pub fn check_invariants(&self) {
        for (id, arg) in self.args.iter_enumerated() {
            let Some(by) = arg.covered_by else { continue };
            assert!(by < id, "{id} is covered by {by}, which is later");
            assert!(!self.is_covered(by), "{by} covers {id} and is covered");
            assert!(
                self.args[by].func == arg.func,
                "covers are within a function"
            );
        }
    }
}

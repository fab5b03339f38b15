//! Hoare₂ (IPROC, algorithm 2): traces that no automaton accepts are refuted, and their interpolants
//! make the automata grow, until every trace is accepted or one is an execution. What is proved goes
//! into the context, as strong as the facts at the exit and for as many inputs as can be.

use super::context::{ALWAYS, Depth};
use super::inclusion::{Inclusion, Proven};
use super::status::{ErrorTrace, Status};
use super::{Answer, Halt, Search};
use crate::log::{self, Field};
use logic::TermId;
use program::{BlockId, FuncId};

impl Search<'_, '_> {
    /// Decides the triple that says that `bad` does not happen.
    pub(super) fn hoare2(&mut self, f: FuncId, bad: TermId, depth: Depth) -> Result<Answer, Halt> {
        let front = self.front(f, bad);
        // The paper's triple is `{inputs = point} f {not (outputs = point)}` (the call of Hoare₂ in algorithm 3). That the inputs
        // are the point may be said once more at the end, as they do not change: round loops that leaves room for
        // facts that relate inputs and outputs.
        let bad = match self.task.options.is_paper() && self.automata.loop_heads(f).is_empty() {
            true => self.without(bad, &front),
            false => bad,
        };
        let mut entry: Vec<TermId> = Vec::new();
        let at_exit = self.automata.at_exit(self.task.pool, f, bad);
        let good = self.task.pool.not(at_exit);
        self.open_invariants(f)?;
        let mut fresh = true;
        loop {
            self.budget().check()?;
            self.report_progress();
            self.search_shallow()?;
            let blocks = match self.include(f, &entry, good, depth)? {
                // What is proved without any trace says no more than the query: the interpolants of
                // a trace generalise it. Nobody asks for the summary of the entry.
                Inclusion::Holds(proven) if fresh && f != self.automata.entry => {
                    fresh = false;
                    for blocks in &proven.traces {
                        let trace = ErrorTrace {
                            f,
                            blocks,
                            front: &front,
                            bad,
                            depth,
                        };
                        if let Some(facts) = self.interpolants(&trace)? {
                            self.learn(blocks, &front, facts, &mut entry);
                        }
                    }
                    continue;
                }
                Inclusion::Holds(proven) => {
                    let name = self.name(f);
                    let fields = || vec![("function", name.into())];
                    self.task.stats.log("all traces accepted", fields);
                    self.keep(f, entry, proven, good, depth)?;
                    return Ok(Answer::Holds);
                }
                Inclusion::Trace(blocks) => blocks,
            };
            fresh = false;
            if let [_, .., last] = blocks[..]
                && !self.task.options.is_paper()
                && self.ask_last(f, last, bad, depth)?
            {
                continue;
            }
            self.refinements += 1;
            let (automata, name, pool) = (self.automata, self.name(f), &*self.task.pool);
            self.task.stats.log("trace", || {
                vec![
                    ("function", name.into()),
                    ("locations", log::locations(&automata.graph, &blocks)),
                    ("error", log::formula(pool, bad)),
                ]
            });
            let known = self.context.version;
            let trace = ErrorTrace {
                f,
                blocks: &blocks,
                front: &front,
                bad,
                depth,
            };
            match self.status(&trace)? {
                Status::Feasible(execution) => return Ok(Answer::Execution(execution)),
                Status::Infeasible(facts) => {
                    let pool = &*self.task.pool;
                    self.task.stats.log("infeasible", || {
                        vec![("interpolants", log::formulas(pool, &facts))]
                    });
                    let mut new = self.learn(&blocks, &front, facts, &mut entry);
                    new |= self.improve_invariants(f)?;
                    if !new && self.context.version == known {
                        return Err(Halt::Stuck(
                            "a trace is infeasible, but its interpolants do not rule it out".into(),
                        ));
                    }
                }
            }
        }
    }

    /// The part of a query that speaks of inputs only goes before the trace if there are loops: then
    /// facts inside the function need not relate to its inputs. Otherwise one interpolant, at the
    /// exit, relates inputs and outputs.
    fn front(&mut self, f: FuncId, bad: TermId) -> Vec<TermId> {
        let relates = match self.task.options.is_paper() {
            // Asked again and again for points: what relates inputs and outputs serves all of them.
            true => self.follows_points(f),
            false => self.automata.loop_heads(f).is_empty(),
        };
        if relates {
            return Vec::new();
        }
        let pool = &*self.task.pool;
        let outputs: Vec<_> = self.automata.returns(f).into_iter().collect();
        let of_inputs = |&c: &TermId| pool.post_order(&[c]).iter().all(|t| !outputs.contains(t));
        pool.conjuncts(bad).into_iter().filter(of_inputs).collect()
    }

    /// The conjuncts of a query that are not among these.
    fn without(&mut self, bad: TermId, front: &[TermId]) -> TermId {
        let mut left = self.task.pool.conjuncts(bad);
        left.retain(|c| !front.contains(c));
        self.task.pool.and(&left)
    }

    /// Adds the interpolants of a trace to the facts of its locations; says whether any is new.
    fn learn(
        &mut self,
        blocks: &[BlockId],
        front: &[TermId],
        facts: Vec<TermId>,
        entry: &mut Vec<TermId>,
    ) -> bool {
        let mut new = false;
        let mut facts = facts.into_iter();
        if !front.is_empty()
            && let Some(fact) = facts.next()
        {
            for c in self.task.pool.conjuncts(fact) {
                if c != self.task.pool.tt() && !entry.contains(&c) {
                    entry.push(c);
                    new = true;
                }
            }
        }
        for (&block, fact) in blocks.iter().zip(facts) {
            let to = self.automata.graph.blocks[block].to;
            for c in self.task.pool.conjuncts(fact) {
                if c == self.task.pool.tt() || c == self.task.pool.ff() {
                    continue;
                }
                let here = self.facts.entry(to).or_default();
                if !here.contains(&c) {
                    here.push(c);
                    new = true;
                }
            }
            self.invariants.note(self.task.pool, to, fact);
        }
        new
    }

    /// Adds what was proved to the context, for as many inputs as it can be proved for.
    fn keep(
        &mut self,
        f: FuncId,
        entry: Vec<TermId>,
        proven: Proven,
        good: TermId,
        depth: Depth,
    ) -> Result<(), Halt> {
        let mut best = proven;
        let mut left = entry;
        // All at once first, then one by one.
        if !left.is_empty()
            && let Inclusion::Holds(p) = self.include(f, &[], good, depth)?
            && self.says_as_much(&p, &best)?
        {
            best = p;
            left.clear();
        }
        let mut at = 0;
        let most = self.task.options.limits.trace.dropped_inputs;
        while left.len() > 1 && at < left.len() && left.len() <= most {
            let mut fewer = left.clone();
            fewer.remove(at);
            match self.include(f, &fewer, good, depth)? {
                Inclusion::Holds(p) if self.says_as_much(&p, &best)? => {
                    best = p;
                    left = fewer;
                }
                _ => at += 1,
            }
        }
        let depth = if self.automata.meets_recursion(f) {
            depth
        } else {
            ALWAYS
        };
        self.add_summary(f, best, depth);
        Ok(())
    }

    /// Does a triple for more inputs say as much of the outputs? The query alone holds for all inputs, as it speaks of one
    /// point: in paper mode, where queries are points, the post-condition of the traces is kept (algorithm 2, line 11).
    fn says_as_much(&mut self, wider: &Proven, proven: &Proven) -> Result<bool, Halt> {
        if !self.task.options.is_paper() {
            return Ok(true);
        }
        let budget = self.budget();
        let (strong, weak) = (wider.ensures, proven.ensures);
        Ok(self
            .block_solver
            .implies(self.task.pool, strong, weak, budget)?)
    }

    /// A summary that does not hold (any more).
    pub(super) fn log_withdrawn(&mut self, f: FuncId, summary: TermId) {
        let (name, pool) = (self.name(f), &*self.task.pool);
        self.task.stats.log("summary withdrawn", || {
            let post = log::formula(pool, summary);
            vec![("function", name.into()), ("post", post)]
        });
    }

    /// Adds a proved triple to the context.
    pub(super) fn add_summary(&mut self, f: FuncId, proven: Proven, depth: Depth) {
        let pool = &mut *self.task.pool;
        let ensures = self.automata.as_summary(pool, f, proven.ensures);
        let (name, automata) = (self.name(f), self.automata);
        let pool = &mut *self.task.pool;
        let at = (depth != ALWAYS).then_some(u64::from(depth));
        let (requires, always) = (proven.requires, &*pool);
        self.task.stats.log("summary", || {
            let mut fields = vec![
                ("function", name.into()),
                ("pre", log::formula(always, requires)),
                ("post", log::formula(always, ensures)),
            ];
            fields.extend(at.map(|d| ("depth", d.into())));
            for (loc, fact) in &proven.assertions {
                let state = vec![log::id(loc), log::formula(always, *fact)];
                fields.push(("automaton", Field::List(state)));
            }
            fields.push(("entry", log::id(automata.entry_of(f))));
            fields.push(("exit", log::id(automata.exit_of(f))));
            let flag = automata.flag(f).map(|t| log::formula(always, t));
            fields.extend(flag.map(|flag| ("error flag", flag)));
            for block in automata.graph.blocks.iter() {
                if automata.program.locations[block.from].func == f {
                    let letter = vec![log::id(block.from), log::id(block.to)];
                    fields.push(("letters", Field::List(letter)));
                }
            }
            fields
        });
        if proven.requires == pool.tt() {
            for c in pool.conjuncts(ensures) {
                self.context.add(pool, f, c, depth);
            }
        } else {
            let summary = pool.implies(proven.requires, ensures);
            self.context.add(pool, f, summary, depth);
        }
        if depth == ALWAYS {
            self.proven[f].push(proven);
        }
    }
}

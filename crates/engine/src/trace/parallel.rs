//! Independent callee checks in parallel (IPROC, section 8): the calls of one feasible trace are
//! asked about at the same time, each in a thread with a pool and a search of its own.
//!
//! With recursion the answers hold up to the depth that was asked for.
//!
//! Pools are not shared, so threads get copies and answer in text (`summaries_text.rs`), which is
//! proved again here; the answers are taken in the order of the calls, whichever thread is first.
//! So a run with threads is as sound and as repeatable as one without. It finds the same kind of
//! summaries from other models, so counters differ and the verdict does not, time permitting.

use super::context::Depth;
use super::execution::Execution;
use super::{Answer, Halt, Search};
use crate::api::{EngineOptions, Stats, Task};
use logic::TermId;
use program::FuncId;
use std::sync::Arc;

/// What a thread found.
enum Reply {
    Summaries(String),
    Execution(Arc<Execution>),
    Nothing,
}

impl Search<'_, '_> {
    /// Asks several queries; one that is stuck does not keep the others from being asked.
    pub(super) fn ask_all(&mut self, queries: &[(FuncId, Depth, TermId)]) -> Result<(), Halt> {
        if self.task.options.jobs > 1 {
            return self.ask_together(queries);
        }
        for &(f, depth, bad) in queries {
            match self.ask(f, bad, depth) {
                Ok(_) | Err(Halt::Stuck(_)) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(())
    }

    /// Asks several queries at once and takes over the answers.
    fn ask_together(&mut self, queries: &[(FuncId, Depth, TermId)]) -> Result<(), Halt> {
        let options = EngineOptions {
            jobs: 1,
            ..self.task.options.clone()
        };
        for chunk in queries.chunks(self.task.options.jobs) {
            let replies = self.in_threads(chunk, &options);
            for (&(f, depth, _), reply) in chunk.iter().zip(replies) {
                match reply {
                    Reply::Summaries(text) => self.reuse(&text)?,
                    Reply::Execution(e) => self.executions[f].push((depth, e)),
                    Reply::Nothing => {}
                }
            }
            self.budget().check()?;
        }
        Ok(())
    }

    fn in_threads(
        &mut self,
        queries: &[(FuncId, Depth, TermId)],
        options: &EngineOptions,
    ) -> Vec<Reply> {
        let (program, budget, automata) = (self.task.program, self.task.budget, self.automata);
        self.task
            .stats
            .add("queries in threads", queries.len() as u64);
        std::thread::scope(|scope| {
            let mut handles = Vec::new();
            for &(f, depth, bad) in queries {
                let mut pool = self.task.pool.clone();
                let (context, facts) = (self.context.clone(), self.facts.clone());
                let invariants = self.invariants.clone();
                let executions = self.executions.clone();
                let run = move || {
                    let mut stats = Stats::default();
                    let mut task = Task {
                        pool: &mut pool,
                        program,
                        options,
                        budget,
                        stats: &mut stats,
                        progress: &mut |_| {},
                    };
                    let mut search = Search::new(&mut task, automata);
                    search.context = context;
                    search.facts = facts;
                    search.invariants = invariants;
                    search.executions = executions;
                    let before = search.context.clone();
                    match search.ask(f, bad, depth) {
                        Ok(Answer::Holds) => Reply::Summaries(search.write_proven(&before)),
                        Ok(Answer::Execution(e)) => Reply::Execution(e),
                        Err(_) => Reply::Nothing,
                    }
                };
                handles.push(base::deep_thread(scope, "trace", run));
            }
            let join = |h: Option<std::thread::ScopedJoinHandle<'_, Reply>>| {
                // A thread that could not start or that failed found nothing; the query is asked
                // again here.
                h.and_then(|h| h.join().ok()).unwrap_or(Reply::Nothing)
            };
            handles.into_iter().map(join).collect()
        })
    }
}

//! What a call tree shows: an error, where to expand it, or that there is no error.

use super::{Frontier, Tree};
use base::{Budget, Stop};
use logic::{Model, Pool, TermId, Value, eval};
use smt::{Answer, Unknown};

/// What an unfolding shows.
pub enum Unfolding {
    /// An error, described by the model.
    Error(Model),
    /// An error, if these calls do what is not known to be impossible.
    Perhaps(Vec<Frontier>),
    /// None; the refutation rests on these calls not being made.
    NoError(Vec<Frontier>),
    Unknown,
}

impl Tree<'_> {
    /// Is the goal reachable with calls deeper than `bound` not made? As few of the other calls as
    /// refutations ask for are left open, so short ways come first.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        bound: usize,
        budget: &Budget,
    ) -> Result<Unfolding, Stop> {
        let near = self.frontier.iter().filter(|f| f.depth <= bound);
        let mut blocked: Vec<Frontier> = near.copied().collect();
        let deep = self.deeper(bound);
        let mut open: Vec<Frontier> = Vec::new();
        loop {
            let calls = deep.iter().chain(&blocked);
            let not_made: Vec<TermId> = calls.map(|f| pool.not(f.made)).collect();
            self.checks += 1;
            match self.solver.check(pool, &not_made, budget) {
                Answer::Sat => {
                    let model = self.solver.model(pool);
                    open.retain(|f| eval(pool, &model, f.made) == Value::Bool(true));
                    return Ok(match open.is_empty() {
                        true => Unfolding::Error(model),
                        false => Unfolding::Perhaps(open),
                    });
                }
                Answer::Unsat => {
                    let core = self.solver.core();
                    let (far, near) = not_made.split_at(deep.len());
                    let mut at = near.iter();
                    let before = open.len();
                    blocked.retain(|f| {
                        let needed = at.next().is_some_and(|t| core.contains(t));
                        if needed {
                            open.push(*f);
                        }
                        !needed
                    });
                    if open.len() == before {
                        let needed = deep.iter().zip(far).filter(|(_, t)| core.contains(t));
                        let needed = needed.map(|(f, _)| *f).collect();
                        return Ok(Unfolding::NoError(needed));
                    }
                }
                Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
                Answer::Unknown(Unknown::Incomplete(_)) => return Ok(Unfolding::Unknown),
            }
        }
    }

    /// The calls that lead below `bound`.
    fn deeper(&self, bound: usize) -> Vec<Frontier> {
        let calls = self.calls.iter().copied();
        calls
            .filter(|f| f.depth > bound && self.instances[f.instance].depth <= bound)
            .collect()
    }
}

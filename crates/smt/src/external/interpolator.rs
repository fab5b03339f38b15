//! Interpolants of other solvers, in the three ways they are asked for. Nothing is believed: the
//! caller checks every formula before use.

use super::session::{Session, TOO_LONG};
use super::{Error, External, Interpolants, Purpose, answer, script};
use crate::Interpolate;
use crate::interpolate::Outcome;
use crate::interpolate::proof::colour::Cuts;
use base::Budget;
use logic::smtlib::{parse_term, print_term};
use logic::{Pool, TermId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// Interpolation is an offer: it gets less time than a check, for all cuts together.
const LIMIT: Duration = Duration::from_secs(2);

/// Asks a solver for interpolants.
pub struct ExternalInterpolator {
    external: Arc<External>,
}

impl ExternalInterpolator {
    pub fn new(external: Arc<External>) -> Self {
        ExternalInterpolator { external }
    }
}

impl Interpolate for ExternalInterpolator {
    fn tree(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Outcome {
        let way = self.external.entry.interpolants;
        let is_sequence = (0..parts.len() - 1).all(|i| parent[i] == i + 1);
        if way == Interpolants::None
            || (way == Interpolants::Named { trees: false } && !is_sequence)
        {
            return Outcome::Unknown("it has no interpolants of this kind".into());
        }
        // A session of its own, told nothing else: it is emptied first.
        let owner = self.external.solver().owner();
        let result = self
            .external
            .converse(owner, Purpose::Interpolation, |session| {
                session.interpolating(owner)?;
                let asking = Asking {
                    names: names(pool, parts),
                    parts,
                    parent,
                    budget,
                    from: budget.elapsed(),
                };
                let list = match way {
                    Interpolants::Conjecture => asking.by_conjecture(session, pool),
                    Interpolants::Groups => asking.by_groups(session, pool),
                    _ => asking.by_names(session, pool),
                };
                // The assertions went past the session's books.
                session.restart(owner)?;
                list
            });
        match result {
            Ok(list) => Outcome::Interpolants(list),
            Err(Error::Stop(stop)) => Outcome::Unknown(format!("{stop:?}")),
            Err(Error::NotQuick) => Outcome::Unknown(TOO_LONG.into()),
            // The model is the native solver's to find.
            Err(Error::Satisfiable) => Outcome::Unknown("the parts are satisfiable".into()),
            Err(Error::Crash(why) | Error::Failure(_, why)) => Outcome::Unknown(why),
        }
    }

    fn is_checked(&self) -> bool {
        false
    }
}

/// The constants of the parts by name, for reading answers.
fn names(pool: &mut Pool, parts: &[TermId]) -> BTreeMap<String, TermId> {
    let mut names = BTreeMap::new();
    for s in pool.symbols_of(parts) {
        let data = pool.symbol_data(s);
        if data.args.is_empty() {
            let name = data.name.to_string();
            names.insert(name, pool.app(s, &[]));
        }
    }
    names
}

struct Asking<'a> {
    names: BTreeMap<String, TermId>,
    parts: &'a [TermId],
    parent: &'a [usize],
    budget: &'a Budget,
    /// When it began.
    from: Duration,
}

fn unreadable(text: &str) -> Error {
    let why = format!("no interpolants in `{}`", super::session::shorten(text));
    Error::Failure("the other solver's interpolants cannot be read", why)
}

impl Asking<'_> {
    fn ask(&self, session: &mut Session, question: &str) -> Result<String, Error> {
        let spent = self.budget.elapsed().saturating_sub(self.from);
        session.ask(question, LIMIT.saturating_sub(spent), self.budget)
    }

    fn term(&self, pool: &mut Pool, text: &str) -> Result<TermId, Error> {
        parse_term(pool, text, &|name| self.names.get(name).copied()).map_err(|_| unreadable(text))
    }

    fn expect_unsat(&self, session: &mut Session) -> Result<(), Error> {
        let reply = self.ask(session, "(check-sat)")?;
        match reply.as_str() {
            "unsat" => Ok(()),
            "sat" => Err(Error::Satisfiable),
            other => Err(unreadable(other)),
        }
    }

    fn declare(&self, session: &mut Session, pool: &Pool) {
        session.say(&logic::smtlib::declarations(pool, self.parts));
        session.say(&logic::smtlib::prelude(pool, self.parts));
    }

    /// OpenSMT, SMTInterpol: one question for all cuts.
    fn by_names(&self, session: &mut Session, pool: &mut Pool) -> Result<Vec<TermId>, Error> {
        self.declare(session, pool);
        for (i, &t) in self.parts.iter().enumerate() {
            session.say(&format!(
                "(assert (! {} :named part!{i}))",
                print_term(pool, t)
            ));
        }
        self.expect_unsat(session)?;
        let (text, order) = script::tree(self.parent);
        let reply = self.ask(session, &format!("(get-interpolants {text})"))?;
        let listed = answer::elements(&reply).ok_or_else(|| unreadable(&reply))?;
        if listed.len() + 1 != self.parts.len() {
            return Err(unreadable(&reply));
        }
        let mut list = vec![pool.tt(); listed.len()];
        for (text, &node) in listed.iter().zip(&order) {
            list[node] = self.term(pool, text)?;
        }
        Ok(list)
    }

    /// MathSAT: the groups of each subtree.
    fn by_groups(&self, session: &mut Session, pool: &mut Pool) -> Result<Vec<TermId>, Error> {
        self.declare(session, pool);
        for (i, &t) in self.parts.iter().enumerate() {
            let text = print_term(pool, t);
            session.say(&format!(
                "(assert (! {text} :interpolation-group part!{i}))"
            ));
        }
        self.expect_unsat(session)?;
        let mut list = Vec::new();
        for inside in &Cuts::of_tree(self.parent).inside {
            let mut groups = String::new();
            for i in (0..inside.len()).filter(|&i| inside[i]) {
                let _ = write!(groups, " part!{i}");
            }
            let question = format!("(get-interpolant ({}))", groups.trim());
            let reply = self.ask(session, &question)?;
            list.push(self.term(pool, &reply)?);
        }
        Ok(list)
    }

    /// cvc5: node after node, from the children's formulas and the node's part to the negation of
    /// what is outside the subtree.
    fn by_conjecture(&self, session: &mut Session, pool: &mut Pool) -> Result<Vec<TermId>, Error> {
        self.declare(session, pool);
        let cuts = Cuts::of_tree(self.parent);
        let mut list: Vec<TermId> = Vec::new();
        for (node, inside) in cuts.inside.iter().enumerate() {
            let outside = (0..inside.len()).filter(|&i| !inside[i]);
            let outside: Vec<TermId> = outside.map(|i| self.parts[i]).collect();
            let rest = pool.and(&outside);
            let goal = pool.not(rest);
            session.say("(push 1)");
            for c in (0..node).filter(|&c| self.parent[c] == node) {
                session.say(&format!("(assert {})", print_term(pool, list[c])));
            }
            session.say(&format!("(assert {})", print_term(pool, self.parts[node])));
            let question = format!("(get-interpolant part!{node} {})", print_term(pool, goal));
            let reply = self.ask(session, &question)?;
            session.say("(pop 1)");
            // (define-fun name () Bool formula)
            let listed = answer::elements(&reply).ok_or_else(|| unreadable(&reply))?;
            let body = listed.get(4).ok_or_else(|| unreadable(&reply))?;
            list.push(self.term(pool, body)?);
        }
        Ok(list)
    }
}

//! One process and what it has been told.
//!
//! `sync` compares the scopes that a solver wants with those the process has, pops what differs and
//! sends the rest; declarations and definitions go where they are first needed and are forgotten with
//! their scope. An assumption is named by a Boolean that implies it, so that any formula can be
//! one.

use super::launch::{Channel, Received};
use super::loose::is_loose;
use super::{Error, SolverEntry, answer};
use base::{Budget, FxHashMap, FxHashSet, Work};
use logic::smtlib::{declarations, prelude_with, print_term};
use logic::{Pool, TermId};
use std::fmt::Write;
use std::time::Duration;

/// How often a waiting conversation looks at the budget.
const SLICE: Duration = Duration::from_millis(20);
/// Named assumptions after which the process starts with a clean slate.
const MANY: usize = 3000;

pub(crate) const TOO_LONG: &str = "the other solver took too long";

#[derive(Default)]
struct Level {
    asserted: Vec<TermId>,
    /// Declarations and definitions.
    lines: Vec<String>,
    named: Vec<TermId>,
}

pub(crate) struct Session {
    channel: Box<dyn Channel>,
    entry: SolverEntry,
    /// The solver whose terms these are; 0 for nobody.
    pub(crate) owner: u64,
    pub(crate) used: u64,
    levels: Vec<Level>,
    lines: FxHashSet<String>,
    names: FxHashMap<TermId, String>,
    /// Text not sent yet.
    out: String,
    fresh: u64,
}

impl Session {
    pub(crate) fn new(channel: Box<dyn Channel>, entry: SolverEntry, owner: u64) -> Self {
        let mut session = Session {
            channel,
            entry,
            owner,
            used: 0,
            levels: vec![Level::default()],
            lines: FxHashSet::default(),
            names: FxHashMap::default(),
            out: String::new(),
            fresh: 0,
        };
        session.greet(entry.options);
        session
    }

    fn greet(&mut self, options: &[&str]) {
        for option in options {
            let _ = writeln!(self.out, "(set-option {option})");
        }
        self.out.push_str("(set-logic ALL)\n");
    }

    /// Empties the process for another owner.
    pub(crate) fn restart(&mut self, owner: u64) -> Result<(), Error> {
        self.restart_with(owner, self.entry.options)
    }

    /// Empties the process and makes it ready for interpolation.
    pub(crate) fn interpolating(&mut self, owner: u64) -> Result<(), Error> {
        self.restart_with(owner, self.entry.interpolation)
    }

    fn restart_with(&mut self, owner: u64, options: &[&str]) -> Result<(), Error> {
        self.out.push_str("(reset)\n");
        self.owner = owner;
        self.levels = vec![Level::default()];
        self.lines.clear();
        self.names.clear();
        self.greet(options);
        Ok(())
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Declarations and definitions that `t` needs and the process does not have.
    fn introduce(&mut self, pool: &Pool, t: TermId) {
        let text = declarations(pool, &[t]) + &prelude_with(pool, &[t], &is_loose);
        for line in text.lines() {
            if self.lines.insert(line.to_string()) {
                let level = self.levels.last_mut().expect("the outermost level stays");
                level.lines.push(line.to_string());
                self.say(line);
            }
        }
    }

    pub(crate) fn assert(&mut self, pool: &Pool, t: TermId) {
        self.introduce(pool, t);
        let _ = writeln!(self.out, "(assert {})", print_term(pool, t));
        let level = self.levels.last_mut().expect("the outermost level stays");
        level.asserted.push(t);
    }

    pub(crate) fn push(&mut self) {
        self.say("(push 1)");
        self.levels.push(Level::default());
    }

    pub(crate) fn pop(&mut self) {
        self.say("(pop 1)");
        let level = self.levels.pop().expect("pop follows push");
        for line in &level.lines {
            self.lines.remove(line);
        }
        for t in &level.named {
            self.names.remove(t);
        }
    }

    /// Makes the process hold exactly these scopes.
    pub(crate) fn sync(&mut self, pool: &Pool, scopes: &[Vec<TermId>]) -> Result<(), Error> {
        let fits = |level: &Level, scope: &Vec<TermId>| scope.starts_with(&level.asserted);
        let mut keep = self
            .levels
            .iter()
            .zip(scopes)
            .take_while(|(level, scope)| fits(level, scope))
            .count();
        // A scope that grew below another one has to be opened again.
        let grown = (0..keep).find(|&k| self.levels[k].asserted.len() < scopes[k].len());
        if let Some(k) = grown.filter(|&k| k + 1 < self.levels.len()) {
            keep = keep.min(k + 1);
        }
        if keep == 0 || self.names.len() > MANY {
            let owner = self.owner;
            self.restart(owner)?;
            keep = 1;
        }
        while self.levels.len() > keep {
            self.pop();
        }
        for (k, scope) in scopes.iter().enumerate() {
            if k >= self.levels.len() {
                self.push();
            }
            for &t in &scope[self.levels[k].asserted.len()..] {
                self.assert(pool, t);
            }
        }
        Ok(())
    }

    /// The Boolean that stands for an assumption.
    pub(crate) fn name_of(&mut self, pool: &Pool, t: TermId) -> String {
        if let Some(name) = self.names.get(&t) {
            return name.clone();
        }
        self.introduce(pool, t);
        let name = loop {
            self.fresh += 1;
            let name = format!("assume!{}", self.fresh);
            if pool.symbol_named(&name).is_none() {
                break name;
            }
        };
        let text = print_term(pool, t);
        let _ = writeln!(
            self.out,
            "(declare-fun {name} () Bool)\n(assert (=> {name} {text}))"
        );
        let level = self.levels.last_mut().expect("the outermost level stays");
        level.named.push(t);
        self.names.insert(t, name.clone());
        name
    }

    /// Sends what is waiting and a question, and returns the answer's text.
    pub(crate) fn ask(
        &mut self,
        question: &str,
        limit: Duration,
        budget: &Budget,
    ) -> Result<String, Error> {
        budget.check().map_err(Error::Stop)?;
        self.say(question);
        let text = std::mem::take(&mut self.out);
        self.channel.send(&text).map_err(Error::Crash)?;
        let mut answer = String::new();
        let mut waited = Duration::ZERO;
        let from = budget.elapsed();
        // The only measure of another program's work is its time.
        let mut charged = Duration::ZERO;
        while !answer::is_complete(&answer) {
            match self.channel.line(SLICE) {
                Received::Line(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                }
                Received::Closed => {
                    return Err(Error::Crash("the process ended before its answer".into()));
                }
                Received::Nothing => {
                    waited = budget.elapsed().saturating_sub(from);
                    let more = Work::usual_in(waited.saturating_sub(charged));
                    charged = waited;
                    budget.spend(more.count()).map_err(Error::Stop)?;
                    if waited > limit {
                        break;
                    }
                }
            }
        }
        let spent = budget.elapsed().saturating_sub(from);
        budget.charge(Work::usual_in(spent.saturating_sub(charged)).count());
        if waited > limit {
            let why = format!("no answer within {} s", limit.as_secs_f64());
            return Err(Error::Failure(TOO_LONG, why));
        }
        let answer = answer.trim().to_string();
        if answer.starts_with("(error") || answer == "unsupported" {
            let why = format!("it answers {}", shorten(&answer));
            return Err(Error::Failure("the other solver rejects the formula", why));
        }
        Ok(answer)
    }
}

/// The start of a long text.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

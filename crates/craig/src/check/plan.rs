//! Who of the portfolio works on a program, in which order and with how much of the time: a table of kinds of programs, told
//! apart by [`Features`].
//!
//! The table (`plan.txt`) is data: `benches/plan.py` learns it from runs of each worker alone, and from nothing else.
//! ```text
//!   # when | who, with which weight
//!   recursive > 0 | whale 1, trace 0.7, runs 0.4
//!   loops > 3, arrays > 0 | impact 1, sites 2, predabs 1
//!   | impact 1, predabs 1
//! ```
//! The first row whose conditions all hold is the plan; the last has none.

use engine::EngineKind;
use evidence::Scope;
use program::analysis::features::Features;
use std::fmt;
use std::str::FromStr;

const TABLE: &str = include_str!("plan.txt");

/// Who looks for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Engine(EngineKind),
    /// The checker alone, by execution of this kind.
    Checker(Scope),
    /// Runs of the program that go on from one another.
    Runs,
    /// What comes before the engines if they do not run beside it.
    Forms,
}

/// Those that are no engines, by the names that tables have for them.
const OTHERS: [(&str, Who); 4] = [
    ("sites", Who::Checker(Scope::Sites)),
    ("unrolled", Who::Checker(Scope::Unrolled)),
    ("tables", Who::Checker(Scope::Tables)),
    ("runs", Who::Runs),
];

impl Who {
    /// As people are told.
    pub fn as_str(self) -> &'static str {
        match self {
            Who::Engine(kind) => kind.as_str(),
            Who::Checker(Scope::Tables) => "execution on bounds of variables",
            Who::Checker(Scope::Sites) => "abstract execution",
            Who::Checker(_) => "symbolic execution",
            Who::Runs => "guided runs",
            Who::Forms => "forms of execution",
        }
    }

    fn named(name: &str) -> Option<Who> {
        let other = OTHERS.iter().find(|(n, _)| *n == name);
        let other = other.map(|(_, who)| *who);
        other.or_else(|| name.parse().ok().map(Who::Engine))
    }
}

/// Who works, each with a weight, in the order in which they begin: `impact 1, runs 0.5`.
///
/// ```
/// use craig::Plan;
///
/// assert!("impact 1, sites 2, runs 0.5".parse::<Plan>().is_ok());
/// assert!("impact -1".parse::<Plan>().is_err());
/// assert!("".parse::<Plan>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(super) why: String,
    pub(super) workers: Vec<(Who, f64)>,
}

/// What is wrong with the text of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Plan, PlanError> {
        let workers = text.split(',').map(worker).collect::<Result<Vec<_>, _>>()?;
        for (number, (who, _)) in workers.iter().enumerate() {
            if workers[..number].iter().any(|(other, _)| other == who) {
                return Err(PlanError(format!("`{}` is there twice", who.as_str())));
            }
        }
        let why = format!("{} first: as asked for", workers[0].0.as_str());
        Ok(Plan { why, workers })
    }
}

fn worker(text: &str) -> Result<(Who, f64), PlanError> {
    let wrong = |what: &str| {
        let others: Vec<&str> = OTHERS.iter().map(|(name, _)| *name).collect();
        let names = others.join(", ");
        let text = text.trim();
        Err(PlanError(format!(
            "`{text}`: {what}; a plan reads as `impact 1, runs 0.5`, with engines (see `craig engines`) and {names}"
        )))
    };
    let [name, weight] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return wrong("not a name and a weight");
    };
    let Some(who) = Who::named(name) else {
        return wrong("nobody has this name");
    };
    match weight.parse::<f64>() {
        Ok(weight) if weight.is_finite() && weight > 0.0 && weight <= 1000.0 => Ok((who, weight)),
        _ => wrong("the weight is no number above 0 and up to 1000"),
    }
}

impl Plan {
    /// The plan of the table for programs like this.
    pub fn of(features: &Features) -> Plan {
        let rows = TABLE.lines().filter(|l| !l.starts_with('#'));
        let mut rows = rows.filter_map(|row| row.split_once('|'));
        let found = rows.find(|(when, _)| holds(when, features));
        let (when, workers) = found.unwrap_or_default();
        let Ok(mut plan) = workers.parse::<Plan>() else {
            // A test reads every row.
            return Plan {
                why: "impact first: the table has no row".into(),
                workers: vec![(Who::Engine(EngineKind::Impact), 1.0)],
            };
        };
        let when = match when.trim() {
            "" => "as for most programs",
            "recursive > 0" => "there is recursion",
            "large > 0" => "the program is large",
            "blocks > 0" => "accesses to memory are checked",
            when => when,
        };
        plan.why = format!("{} first: {when}", plan.workers[0].0.as_str());
        plan
    }

    /// Gives symbolic execution the first turn.
    pub fn executes_first(&mut self, weight: f64) {
        let symbolic = Who::Checker(Scope::Unrolled);
        if let Some(n) = self.workers.iter().position(|(who, _)| *who == symbolic) {
            self.workers.remove(n);
            self.workers.insert(0, (symbolic, weight));
            self.why = format!("symbolic execution first, then {}", self.why);
        }
    }

    /// The number of the first that is an engine.
    pub fn first_engine(&self) -> usize {
        let engine = |(who, _): &(Who, f64)| matches!(who, Who::Engine(_));
        self.workers.iter().position(engine).unwrap_or(0)
    }
}

/// Do all conditions of a row hold?
fn holds(when: &str, features: &Features) -> bool {
    let conditions = when.split(',').filter(|c| !c.trim().is_empty());
    conditions
        .into_iter()
        .all(|c| condition(c, features) == Some(true))
}

/// Whether a condition holds; nothing if it is none.
fn condition(text: &str, features: &Features) -> Option<bool> {
    let [name, sign, bound] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    let (count, bound) = (features.get(name)?, bound.parse::<u64>().ok()?);
    match sign {
        ">" => Some(count > bound),
        "<=" => Some(count <= bound),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_can_be_read_and_the_last_fits_all() {
        let rows: Vec<&str> = TABLE.lines().filter(|l| !l.starts_with('#')).collect();
        let none = Features::default();
        for row in &rows {
            let (when, workers) = row.split_once('|').expect(row);
            workers.parse::<Plan>().expect(row);
            for c in when.split(',').filter(|c| !c.trim().is_empty()) {
                assert!(condition(c, &none).is_some(), "{c}");
            }
        }
        assert!(rows.last().expect("rows").trim_start().starts_with('|'));
    }

    #[test]
    fn mistakes_in_plans_are_named() {
        let wrong = |text: &str| text.parse::<Plan>().expect_err(text).to_string();
        assert!(wrong("impact").contains("not a name and a weight"));
        assert!(wrong("impacts 1").contains("nobody has this name"));
        assert!(wrong("impact 0").contains("no number above 0"));
        assert!(wrong("impact nan").contains("no number above 0"));
        assert!(wrong("runs 1, runs 2").contains("twice"));
    }
}

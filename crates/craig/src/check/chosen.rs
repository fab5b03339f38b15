//! What a counterexample of a function chose for its inputs, and which preconditions that breaks.
//!
//! A precondition that holds of a counterexample does not get rid of it, so it need not be tried. And a counterexample
//! that keeps all of some preconditions shows that they are not enough, without another check. Nothing is believed:
//! what is shown to a user was checked under exactly the preconditions that are shown.

use crate::check::Outcome;
use evidence::Trace;
use frontend::c::entry::Requires;
use program::Stmt;
use std::collections::BTreeMap;

/// Pointers that are the same as others are followed so far.
const MOST_SAME: usize = 8;

/// The values of named inputs, the last one of each name.
pub struct Chosen {
    numbers: BTreeMap<String, i128>,
    /// The preconditions under which the counterexample was found: it keeps them.
    under: Vec<Requires>,
}

impl Chosen {
    /// The inputs of a counterexample that was found under these preconditions.
    pub fn new(found: &Outcome, trace: &Trace, under: &[Requires]) -> Self {
        let mut numbers = BTreeMap::new();
        for input in report::inputs(&found.subject(), trace) {
            let number = input
                .value
                .as_num()
                .and_then(|n| n.to_string().parse().ok());
            if let (Some(name), Some(n)) = (input.kind.source(), number) {
                numbers.insert(name.to_string(), n);
            }
        }
        Chosen {
            numbers,
            under: under.to_vec(),
        }
    }

    /// The value of the input of this name, if it was asked for.
    pub fn number(&self, name: &str) -> Option<i128> {
        self.numbers.get(name).copied()
    }

    /// How many elements a pointer leads to.
    fn elements(&self, pointer: &str) -> Option<i128> {
        let mut pointer = pointer.to_string();
        for _ in 0..MOST_SAME {
            let prefix = format!("{pointer} is ");
            let same = self.numbers.iter().find_map(|(name, n)| {
                let other = name.strip_prefix(&prefix)?;
                (*n != 0).then(|| other.to_string())
            });
            match same {
                Some(other) if other == "null" => return Some(0),
                Some(other) => pointer = other,
                None => return self.number(&format!("elements of {pointer}")),
            }
        }
        None
    }

    /// Does the counterexample break the precondition? `None` if its inputs do not say.
    pub fn breaks(&self, r: &Requires) -> Option<bool> {
        // What functions without a body return is asked for at each call.
        if r.text().contains("()") {
            return None;
        }
        match r {
            Requires::NonNull(p) => self.number(&format!("{p} is null")).map(|n| n != 0),
            Requires::Room { pointer, count } => {
                Some(self.number(count)? > self.elements(pointer)?)
            }
            Requires::Less { pointer, index } => {
                Some(self.number(index)? >= self.elements(pointer)?)
            }
            Requires::Sum {
                pointer,
                first,
                second,
            } => {
                let sum = self.number(first)?.checked_add(self.number(second)?)?;
                Some(sum > self.elements(pointer)?)
            }
            Requires::Longer { pointer, other } => {
                Some(self.elements(other)? > self.elements(pointer)?)
            }
            Requires::NotNegative(n) => Some(self.number(n)? < 0),
            Requires::AtLeast { pointer, elements } => {
                Some(self.elements(pointer)? < i128::from(*elements))
            }
            Requires::Below { number, bound } => Some(self.number(number)? >= i128::from(*bound)),
            Requires::Smaller { low, high } => Some(self.number(low)? >= self.number(high)?),
            _ => None,
        }
    }

    /// Does the counterexample keep all of these preconditions? Then they are not enough.
    pub fn keeps(&self, all: &[Requires]) -> bool {
        let keeps = |r: &Requires| self.under.contains(r) || self.breaks(r) == Some(false);
        all.iter().all(keeps)
    }
}

/// The pointer whose elements the violated access misses, by the input that said how many they are.
pub fn missed(found: &Outcome, trace: &Trace) -> Option<String> {
    let subject = found.subject();
    let began = report::accessed(&subject, trace)?.began;
    let before = trace.steps.get(..began)?.iter().rev();
    let mut sources = before.filter_map(|step| {
        let edge = found.input.program.edges.get(step.edge)?;
        match &edge.stmt {
            Stmt::Havoc(_, kind) => kind.source(),
            _ => None,
        }
    });
    // An object that has a number of elements is made at once after it was chosen.
    let name = sources.next()?.strip_prefix("elements of ")?;
    Some(name.to_string())
}

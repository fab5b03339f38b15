//! Precision as text: what `--precision-out` writes and `--precision-in` reads.
//!
//! ```text
//! ; predicates of craig
//! main l7:
//! (<= x 5)
//! (= lock 1)
//! f:
//! (<= 0 f::n)
//! ```
//! A head names a function and a location of the inlined program; `f:` alone stands for all its
//! locations and `*:` for all of the program. A predicate is a line in SMT-LIB. Reading is lenient,
//! as the program may have changed: a location that is not there any more stands for its function,
//! and what cannot be read is counted and left out. Sound because predicates are only suggestions.

use super::precision::{Precision, Sharing, atoms};
use base::FxHashMap;
use logic::smtlib::{parse_term, print_term};
use logic::{Pool, TermId};
use program::{LocId, Program};

/// What reading a precision came to.
pub struct Read {
    pub taken: u64,
    pub left: u64,
}

/// Does the text hold any predicate?
pub fn has_any(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('('))
}

impl Precision {
    pub fn write(&self, pool: &Pool) -> String {
        let mut out = String::from("; predicates of craig\n");
        for (loc, predicates) in self.locations() {
            out.push_str(&format!("{} {loc}:\n", self.places[&loc].function));
            for &p in predicates {
                out.push_str(&print_term(pool, self.terms[p as usize]));
                out.push('\n');
            }
        }
        out
    }

    pub fn read(&mut self, pool: &mut Pool, program: &Program, text: &str) -> Read {
        let by_name: FxHashMap<&str, TermId> = program
            .vars
            .iter()
            .map(|v| (v.name.as_str(), v.term))
            .collect();
        let mut read = Read { taken: 0, left: 0 };
        let mut places: Vec<LocId> = Vec::new();
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with(';') {
                continue;
            }
            if let Some(head) = line.strip_suffix(':').filter(|h| !h.starts_with('(')) {
                places = self.places_of(head);
                continue;
            }
            let lookup = |name: &str| by_name.get(name).copied();
            match parse_term(pool, line, &lookup) {
                Ok(term) if !places.is_empty() && pool.sort_of(term) == pool.bool_sort() => {
                    read.taken += 1;
                    for atom in atoms(pool, term) {
                        let predicate = self.number(pool, atom);
                        for &loc in &places {
                            self.add(Sharing::Location, loc, predicate);
                        }
                    }
                }
                _ => read.left += 1,
            }
        }
        read
    }

    /// The cut points that a head stands for.
    fn places_of(&self, head: &str) -> Vec<LocId> {
        let (function, loc) = match head.split_once(' ') {
            Some((f, l)) => (f.trim(), Some(l.trim())),
            None => (head.trim(), None),
        };
        let of_function: Vec<LocId> = self
            .places
            .iter()
            .filter(|(_, p)| function == "*" || p.function == function)
            .map(|(&l, _)| l)
            .collect();
        let exact = |l: &LocId| loc.is_some_and(|name| l.to_string() == name);
        match of_function.iter().copied().find(exact) {
            Some(l) => vec![l],
            None => of_function,
        }
    }
}

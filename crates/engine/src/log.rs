//! What an engine did, in order and in its paper's words: the events that `--log` writes.
//!
//! An event is a name and fields. Engines say them through [`crate::Stats::log`], which makes the event only if
//! somebody wants it. Names and fields are listed in `docs/log.md`.

use base::Id;
use logic::{Pool, TermId};
use program::{BlockGraph, BlockId, LocId, Program};
use std::collections::BTreeSet;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What it was.
    pub name: &'static str,
    /// More about it, in order.
    pub fields: Vec<(&'static str, Field)>,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A number or an id.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// A name or a formula.
    Text(String),
    /// Several of these.
    List(Vec<Field>),
}

impl From<u64> for Field {
    fn from(n: u64) -> Self {
        Field::Number(n)
    }
}

impl From<usize> for Field {
    fn from(n: usize) -> Self {
        Field::Number(n as u64)
    }
}

impl From<bool> for Field {
    fn from(flag: bool) -> Self {
        Field::Flag(flag)
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Field::Text(text.into())
    }
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Field::Text(text)
    }
}

impl<F: Into<Field>> From<Vec<F>> for Field {
    fn from(list: Vec<F>) -> Self {
        Field::List(list.into_iter().map(Into::into).collect())
    }
}

/// An id as people read it (`l3`, `n7`).
pub(crate) fn id(id: impl std::fmt::Display) -> Field {
    Field::Text(id.to_string())
}

/// A formula.
pub(crate) fn formula(pool: &Pool, term: TermId) -> Field {
    Field::Text(logic::smtlib::print_term(pool, term))
}

/// Formulas, each by itself.
pub(crate) fn formulas(pool: &Pool, terms: &[TermId]) -> Field {
    Field::List(terms.iter().map(|&t| formula(pool, t)).collect())
}

/// The locations at which blocks begin or end, each with file and line.
pub(crate) fn places(program: &Program, graph: &BlockGraph) -> Field {
    let ends = graph.blocks.iter().flat_map(|b| [b.from, b.to]);
    let ends: BTreeSet<LocId> = ends.collect();
    let known = ends.into_iter().filter_map(|loc| {
        let span = program.locations[loc].span;
        let place = [
            id(loc),
            span.file.index().into(),
            u64::from(span.line).into(),
        ];
        span.is_known().then(|| Field::List(place.into()))
    });
    Field::List(known.collect())
}

/// The locations that a path of blocks passes.
pub(crate) fn locations(graph: &BlockGraph, blocks: &[BlockId]) -> Field {
    let first = blocks.first().map(|&b| graph.blocks[b].from);
    let rest = blocks.iter().map(|&b| graph.blocks[b].to);
    Field::List(first.into_iter().chain(rest).map(id).collect())
}

//! What the user wrote, kept beside the terms it became.
//!
//! Constructors of terms simplify; a proof in somebody else's format has to begin with the formula as it stands
//! in the script. Names bound by `let` are replaced by what they stand for, annotations are left out.

use crate::TermId;
use base::{FxHashMap, Id, IndexVec, new_id};

new_id!(
    /// A term as it was written.
    pub SourceId, "w");

/// A name, number or application as it was written, and the term it became.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its text; of an application the text of the function.
    pub head: Box<str>,
    pub args: Vec<SourceId>,
    pub term: TermId,
}

/// All terms of a script as they were written. Equal texts with equal arguments are one.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    nodes: IndexVec<SourceId, Source>,
    ids: FxHashMap<(Box<str>, Vec<SourceId>, TermId), SourceId>,
    /// In step with the values of the term reader.
    values: Vec<SourceId>,
    /// What names stand for while the body of their `let` is read, by their number in the scope.
    bound: FxHashMap<usize, Vec<SourceId>>,
}

impl std::ops::Index<SourceId> for Sources {
    type Output = Source;

    fn index(&self, id: SourceId) -> &Source {
        &self.nodes[id]
    }
}

impl Sources {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Everything below these, arguments first.
    pub fn post_order(&self, roots: &[SourceId]) -> Vec<SourceId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(SourceId, bool)> = roots.iter().rev().map(|&r| (r, false)).collect();
        while let Some((id, done)) = stack.pop() {
            if done {
                order.push(id);
            } else if !std::mem::replace(&mut seen[id.index()], true) {
                stack.push((id, true));
                stack.extend(self.nodes[id].args.iter().rev().map(|&a| (a, false)));
            }
        }
        order
    }

    pub(super) fn begin(&mut self) {
        self.values.clear();
        self.bound.clear();
    }

    pub(super) fn leaf(&mut self, name: Option<usize>, text: &str, term: TermId) {
        let bound = name.and_then(|n| self.bound.get(&n)?.last().copied());
        let id = bound.unwrap_or_else(|| self.node(text, Vec::new(), term));
        self.values.push(id);
    }

    pub(super) fn apply(&mut self, head: &str, arity: usize, term: TermId) {
        let args = self.values.split_off(self.values.len() - arity);
        let id = self.node(head, args, term);
        self.values.push(id);
    }

    /// The last values get names.
    pub(super) fn bind(&mut self, names: &[usize]) {
        let values = self.values.split_off(self.values.len() - names.len());
        for (&name, value) in names.iter().zip(values) {
            self.bound.entry(name).or_default().push(value);
        }
    }

    pub(super) fn unbind(&mut self, names: &[usize]) {
        for name in names {
            if let Some(list) = self.bound.get_mut(name) {
                list.pop();
            }
        }
    }

    pub(super) fn last(&self) -> Option<SourceId> {
        self.values.last().copied()
    }

    fn node(&mut self, head: &str, args: Vec<SourceId>, term: TermId) -> SourceId {
        let key = (Box::from(head), args, term);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.nodes.push(Source {
            head: key.0.clone(),
            args: key.1.clone(),
            term,
        });
        self.ids.insert(key, id);
        id
    }
}

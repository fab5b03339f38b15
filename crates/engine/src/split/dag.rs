//! Full path insensitivity: facts for the nodes of an error path from *all* loop-free ways to them
//! and from them, not from the path alone.
//!
//! Idea (the paper's section 4.2 and future work). Order the nodes by their distance from the start;
//! edges that go up in this order make a DAG, which holds the shortest error path. For a node `n` of
//! the path, one formula says "some way through the DAG leads to `n`", another "some way leads from
//! `n` to an error". Each node of the DAG has a Boolean (the way passes it) and its own copy of the
//! variables, so both formulas are linear in the DAG though the ways are many; they share only the
//! copy of `n`. Their interpolant is a fact for `n` that no single way is behind.
//!
//! To be inductive along the path (Theorem 2 needs that), the facts are made from the start on: the
//! node before is an own start of ways, at all states of its fact. If its fact separates, the next
//! problem is unsatisfiable, too: a way from the fact to an error would be one from `n` before.

use super::Search;
use super::graph::{EdgeId, NodeId, Path};
use super::refine::interpolation;
use crate::core::path::transition;
use crate::core::refute::Refutation;
use base::{FxHashMap, FxHashSet, Id, Stop};
use logic::{Pool, TermId};
use program::VarId;
use std::collections::{BTreeSet, VecDeque};

/// Copies of variables for nodes of the DAG count from here, apart from those of paths.
const FIRST_COPY: u32 = 1 << 24;

/// The loop-free part of the graph between start and errors.
struct Dag {
    /// By distance from the start.
    order: Vec<NodeId>,
    into: FxHashMap<NodeId, Vec<EdgeId>>,
    out: FxHashMap<NodeId, Vec<EdgeId>>,
    /// Variables that blocks or invariants of the DAG mention.
    vars: Vec<VarId>,
}

impl Search<'_, '_> {
    /// Facts for the nodes of the path, `true` first and `false` last; `None` if there are none
    /// (some way through the DAG is feasible, or the DAG is only the path, or too large).
    pub(super) fn insensitive_facts(&mut self, path: &Path) -> Result<Option<Vec<TermId>>, Stop> {
        let Some(dag) = self.dag(path) else {
            return Ok(None);
        };
        let (tt, ff) = (self.run.task.pool.tt(), self.run.task.pool.ff());
        let mut facts = vec![tt];
        let mut fact_of: FxHashMap<NodeId, TermId> = FxHashMap::default();
        let inner = &path.nodes[1..path.nodes.len() - 1];
        for &node in inner {
            let before = self.ways_to(&dag, node, &fact_of);
            let after = self.ways_from(&dag, node);
            let found = self.run.refute_parts(&[before, after], &interpolation())?;
            let Refutation::Facts(found) = found else {
                return Ok(None);
            };
            // Between the two parts.
            let fact = found[1];
            fact_of.insert(node, fact);
            facts.push(fact);
        }
        facts.push(ff);
        self.run.task.stats.add("path-insensitive refinements", 1);
        Ok(Some(facts))
    }

    fn dag(&self, path: &Path) -> Option<Dag> {
        let graph = &self.graph;
        let matters = graph.reaching_errors();
        let mut rank: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut order = Vec::new();
        let mut work = VecDeque::from([path.nodes[0]]);
        rank.insert(path.nodes[0], 0);
        while let Some(node) = work.pop_front() {
            order.push(node);
            for &e in &graph.nodes[node].out {
                let to = graph.edges[e].to;
                if matters[to] && !rank.contains_key(&to) {
                    rank.insert(to, rank.len());
                    work.push_back(to);
                }
            }
        }
        let mut dag = Dag {
            order,
            into: FxHashMap::default(),
            out: FxHashMap::default(),
            vars: Vec::new(),
        };
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        let mut edges = 0;
        for &node in &dag.order {
            for &e in &graph.nodes[node].out {
                let edge = &graph.edges[e];
                if rank.get(&edge.to).is_some_and(|&r| r > rank[&node]) {
                    dag.out.entry(node).or_default().push(e);
                    dag.into.entry(edge.to).or_default().push(e);
                    vars.extend(&transition(&self.run.prepared.graph, edge.block).reads);
                    edges += 1;
                }
            }
            let node = &graph.nodes[node];
            let known = self.run.invariants.at(node.loc);
            let facts: Vec<TermId> = node.invariant.iter().chain(known).copied().collect();
            let mentioned = self.run.task.pool.post_order(&facts);
            vars.extend(mentioned.iter().filter_map(|t| self.run.var_of.get(t)));
        }
        dag.vars = vars.into_iter().collect();
        let limits = &self.run.task.options.limits.split;
        let small = edges <= limits.dag_edges && edges * dag.vars.len() <= limits.dag_equations;
        (small && edges > path.edges.len()).then_some(dag)
    }

    /// "Some way of the DAG leads to `end`", from the start or from a node with a fact.
    fn ways_to(&mut self, dag: &Dag, end: NodeId, fact_of: &FxHashMap<NodeId, TermId>) -> TermId {
        let mut conjuncts = vec![self.passes("to", end)];
        let mut wanted: FxHashSet<NodeId> = FxHashSet::from_iter([end]);
        for &node in dag.order.iter().rev() {
            if !wanted.contains(&node) {
                continue;
            }
            let mut here = self.assumed(node);
            if let Some(&fact) = fact_of.get(&node) {
                here.push(self.at_node(node, fact));
            } else if !self.graph.nodes[node].initial {
                let mut ways = Vec::new();
                for &e in dag.into.get(&node).into_iter().flatten() {
                    let from = self.graph.edges[e].from;
                    wanted.insert(from);
                    let passed = self.passes("to", from);
                    let step = self.step_formula(dag, e);
                    ways.push(self.run.task.pool.and2(passed, step));
                }
                here.push(self.run.task.pool.or(&ways));
            }
            let passed = self.passes("to", node);
            let here = self.run.task.pool.and(&here);
            conjuncts.push(self.run.task.pool.implies(passed, here));
        }
        self.run.task.pool.and(&conjuncts)
    }

    /// "Some way of the DAG leads from `start` to an error."
    fn ways_from(&mut self, dag: &Dag, start: NodeId) -> TermId {
        let mut conjuncts = vec![self.passes("from", start)];
        let mut wanted: FxHashSet<NodeId> = FxHashSet::from_iter([start]);
        for &node in &dag.order {
            if !wanted.contains(&node) || self.graph.nodes[node].error {
                continue;
            }
            let mut ways = Vec::new();
            for &e in dag.out.get(&node).into_iter().flatten() {
                let to = self.graph.edges[e].to;
                wanted.insert(to);
                let passed = self.passes("from", to);
                let step = self.step_formula(dag, e);
                ways.push(self.run.task.pool.and2(passed, step));
            }
            let mut here = self.assumed(node);
            here.push(self.run.task.pool.or(&ways));
            let passed = self.passes("from", node);
            let here = self.run.task.pool.and(&here);
            conjuncts.push(self.run.task.pool.implies(passed, here));
        }
        self.run.task.pool.and(&conjuncts)
    }

    /// The Boolean "the way passes this node".
    fn passes(&mut self, side: &str, node: NodeId) -> TermId {
        let sort = self.run.task.pool.bool_sort();
        let name = format!("way@{side}@{}", node.index());
        self.run.task.pool.constant(&name, sort)
    }

    /// The node's invariant and what is known at its location, on the node's copy.
    fn assumed(&mut self, node: NodeId) -> Vec<TermId> {
        let n = &self.graph.nodes[node];
        let known = self.run.invariants.at(n.loc);
        let facts: Vec<TermId> = n.invariant.iter().chain(known).copied().collect();
        facts.into_iter().map(|f| self.at_node(node, f)).collect()
    }

    fn at_node(&mut self, node: NodeId, fact: TermId) -> TermId {
        let pool = &mut *self.run.task.pool;
        let mut pairs = Vec::new();
        for t in pool.post_order(&[fact]) {
            if self.run.var_of.contains_key(&t) {
                pairs.push((t, self.run.versions.constant(pool, t, copy(node.index()))));
            }
        }
        pool.substitute(fact, &pairs)
    }

    /// The edge's block between the copies of its ends.
    fn step_formula(&mut self, dag: &Dag, e: EdgeId) -> TermId {
        let edge = &self.graph.edges[e];
        let (from, to) = (copy(edge.from.index()), copy(edge.to.index()));
        let t = transition(&self.run.prepared.graph, edge.block);
        let program = &self.run.prepared.program;
        let pool: &mut Pool = self.run.task.pool;
        let inside = copy(e.index());
        let versions = &mut self.run.versions;
        let mut conjuncts = vec![versions.block(pool, program, t, |_| from, |_| to, inside)];
        for &v in &dag.vars {
            // Sound because nobody reads a dead variable: it may hold anything.
            if t.modified.contains(&v) || t.dead.contains(&v) {
                continue;
            }
            let base = program.vars[v].term;
            let before = self.run.versions.constant(pool, base, from);
            let after = self.run.versions.constant(pool, base, to);
            conjuncts.push(pool.eq(before, after));
        }
        pool.and(&conjuncts)
    }
}

fn copy(index: usize) -> u32 {
    FIRST_COPY + u32::try_from(index).expect("fewer nodes and edges than fit in memory")
}

//! Lemmas 1 and 2 and Theorem 2 by brute force: random graphs over two variables with four values
//! each, blocks as random relations, interpolants as exact sets of states.
#![allow(clippy::unwrap_used)]

use super::graph::{Graph, NodeId, Path};
use base::Random;
use base::{Id, IndexVec};
use logic::{Model, Pool, TermId, Value, eval};
use program::{BlockId, LocId};
use std::collections::{BTreeSet, VecDeque};

type State = (u8, u8);
/// Locations, blocks into them and states of an execution.
type Trace = Vec<(usize, usize, State)>;

const LOCATIONS: u32 = 4;
const BLOCKS: u32 = 7;
/// Longest execution that the comparison looks at, in steps.
const LENGTH: usize = 5;

/// A small world: what blocks do, and the pool with the two variables.
struct World {
    pool: Pool,
    x: TermId,
    y: TermId,
    relations: Vec<BTreeSet<(State, State)>>,
}

fn states() -> impl Iterator<Item = State> {
    (0..4).flat_map(|a| (0..4).map(move |b| (a, b)))
}

impl World {
    /// A random world and its graph: location 0 is initial, the last one is the error.
    fn random(seed: u64) -> (World, Graph) {
        let mut r = Random::new(seed);
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.constant("x", int), pool.constant("y", int));
        let mut graph = Graph::default();
        for l in 0..LOCATIONS {
            graph.add_node(LocId::from_index(l as usize), l == 0, l == LOCATIONS - 1);
        }
        let mut relations = Vec::new();
        for b in 0..BLOCKS {
            let from = r.below(u64::from(LOCATIONS) - 1) as usize;
            let to = 1 + r.below(u64::from(LOCATIONS) - 1) as usize;
            let count = 1 + r.below(9);
            let mut state = || (r.below(4) as u8, r.below(4) as u8);
            relations.push((0..count).map(|_| (state(), state())).collect());
            graph.add_edge(
                NodeId::from_index(from),
                BlockId::from_index(b as usize),
                NodeId::from_index(to),
            );
        }
        let world = World {
            pool,
            x,
            y,
            relations,
        };
        (world, graph)
    }

    fn holds(&self, s: State, formula: TermId) -> bool {
        let mut model = Model::default();
        for (var, value) in [(self.x, s.0), (self.y, s.1)] {
            let symbol = self.pool.as_constant(var).unwrap();
            model
                .constants
                .insert(symbol, Value::Num(i64::from(value).into()));
        }
        eval(&self.pool, &model, formula) == Value::Bool(true)
    }

    fn in_node(&self, graph: &Graph, node: NodeId, s: State) -> bool {
        let invariant = &graph.nodes[node].invariant;
        invariant.iter().all(|&c| self.holds(s, c))
    }

    fn set(&mut self, set: &BTreeSet<State>) -> TermId {
        let mut points = Vec::new();
        for &(a, b) in set {
            let (a, b) = (self.pool.int(i64::from(a)), self.pool.int(i64::from(b)));
            let (at_x, at_y) = (self.pool.eq(self.x, a), self.pool.eq(self.y, b));
            points.push(self.pool.and2(at_x, at_y));
        }
        self.pool.or(&points)
    }

    /// All executions to an error up to the length, as locations, blocks and states: what must not
    /// change, whatever nodes they run through.
    fn error_executions(&self, graph: &Graph) -> BTreeSet<Trace> {
        let mut found = BTreeSet::new();
        let mut work: VecDeque<(NodeId, State, Trace)> = VecDeque::new();
        for (id, node) in graph.live_nodes() {
            if node.initial {
                let starts = states().filter(|&s| self.in_node(graph, id, s));
                work.extend(starts.map(|s| (id, s, vec![(node.loc.index(), 0, s)])));
            }
        }
        while let Some((id, s, trace)) = work.pop_front() {
            if graph.nodes[id].error {
                found.insert(trace.clone());
            }
            if trace.len() > LENGTH {
                continue;
            }
            for &e in &graph.nodes[id].out {
                let edge = &graph.edges[e];
                let relation = &self.relations[edge.block.index()];
                for &(_, t) in relation.iter().filter(|&&(a, _)| a == s) {
                    if self.in_node(graph, edge.to, t) {
                        let mut longer = trace.clone();
                        let loc = graph.nodes[edge.to].loc.index();
                        longer.push((loc, 1 + edge.block.index(), t));
                        work.push_back((edge.to, t, longer));
                    }
                }
            }
        }
        found
    }

    fn feasible_edge(&self, graph: &Graph, e: super::graph::EdgeId) -> bool {
        let edge = &graph.edges[e];
        self.relations[edge.block.index()]
            .iter()
            .any(|&(a, b)| self.in_node(graph, edge.from, a) && self.in_node(graph, edge.to, b))
    }

    /// Slice, as the engine does it but by brute force.
    fn slice(&self, graph: &mut Graph) {
        let edges: Vec<_> = graph.edges.ids().filter(|&e| graph.edges[e].live).collect();
        for e in edges {
            if !self.feasible_edge(graph, e) {
                graph.cut(e);
            }
        }
        let mut reached = IndexVec::filled(false, graph.nodes.len());
        let mut work: Vec<NodeId> = Vec::new();
        for (id, node) in graph.live_nodes() {
            if node.initial {
                work.push(id);
            }
        }
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut reached[id], true) {
                work.extend(graph.nodes[id].out.iter().map(|&e| graph.edges[e].to));
            }
        }
        graph.drop_unreached(&reached);
    }

    /// The states the path can be in at each of its nodes: the strongest interpolants.
    fn reached_along(&self, graph: &Graph, path: &Path) -> Vec<BTreeSet<State>> {
        let start = path.nodes[0];
        let mut sets: Vec<BTreeSet<State>> = vec![
            states()
                .filter(|&s| self.in_node(graph, start, s))
                .collect(),
        ];
        for (i, &e) in path.edges.iter().enumerate() {
            let relation = &self.relations[graph.edges[e].block.index()];
            let next = relation
                .iter()
                .filter(|(a, b)| sets[i].contains(a) && self.in_node(graph, path.nodes[i + 1], *b))
                .map(|&(_, b)| b)
                .collect();
            sets.push(next);
        }
        sets
    }
}

#[test]
fn split_and_slice_keep_the_error_executions() {
    for seed in 0..150 {
        let (mut world, mut graph) = World::random(seed);
        let before = world.error_executions(&graph);
        let mut r = Random::new(seed + 1000);
        for round in 0..4 {
            let live: Vec<NodeId> = graph.live_nodes().map(|(id, _)| id).collect();
            let node = live[r.below(live.len() as u64) as usize];
            let set: BTreeSet<State> = states().filter(|_| r.below(2) == 0).collect();
            let fact = world.set(&set);
            graph.split(&mut world.pool, node, fact);
            graph.check_invariants();
            assert_eq!(world.error_executions(&graph), before, "split, seed {seed}");
            if round % 2 == 1 {
                world.slice(&mut graph);
                graph.check_invariants();
                assert_eq!(world.error_executions(&graph), before, "slice, seed {seed}");
            }
        }
    }
}

#[test]
fn every_iteration_removes_its_path_and_the_end_is_right() {
    let (mut safe, mut infeasible) = (0, 0);
    for seed in 0..300 {
        let (mut world, mut graph) = World::random(seed);
        let executions = world.error_executions(&graph);
        let original = graph.clone();
        let mut excluded: Vec<Vec<usize>> = Vec::new();
        world.slice(&mut graph);
        let feasible = loop {
            let Some(path) = graph.error_path() else {
                break false;
            };
            let sets = world.reached_along(&graph, &path);
            if sets.last().is_some_and(|s| !s.is_empty()) {
                break true;
            }
            infeasible += 1;
            let name = path.nodes.iter().map(|&n| n.index()).collect();
            assert!(!excluded.contains(&name), "a path came back, seed {seed}");
            excluded.push(name);
            let mut halves = Vec::new();
            for (&node, set) in path.nodes.iter().zip(&sets).skip(1) {
                if set.is_empty() {
                    break;
                }
                let fact = world.set(set);
                halves.push(graph.split(&mut world.pool, node, fact));
            }
            world.slice(&mut graph);
            graph.check_invariants();
            assert!(
                !lifts(&graph, &path, &halves),
                "the path is still there, seed {seed}"
            );
        };
        if !feasible {
            safe += 1;
            assert!(executions.is_empty(), "wrongly safe, seed {seed}");
            assert!(
                inductive(&world, &original, &graph),
                "no proof, seed {seed}"
            );
        }
    }
    assert!(
        safe > 20 && infeasible > 20,
        "{safe} safe, {infeasible} paths"
    );
}

/// Is some image of the path, through either half of each split node, still in the graph?
fn lifts(graph: &Graph, path: &Path, halves: &[[NodeId; 2]]) -> bool {
    let mut at: BTreeSet<NodeId> = BTreeSet::from([path.nodes[0]]);
    for (i, &e) in path.edges.iter().enumerate() {
        let block = graph.edges[e].block;
        let next = match halves.get(i) {
            Some(h) => h.to_vec(),
            None => vec![path.nodes[i + 1]],
        };
        at = graph
            .edges
            .iter()
            .filter(|e| e.live && e.block == block && at.contains(&e.from))
            .map(|e| e.to)
            .filter(|to| next.contains(to))
            .collect();
    }
    !at.is_empty()
}

/// Are the live nodes' invariants, by location, a proof over the original blocks?
fn inductive(world: &World, original: &Graph, graph: &Graph) -> bool {
    let inside = |loc: LocId, s: State| {
        graph
            .live_nodes()
            .any(|(id, n)| n.loc == loc && world.in_node(graph, id, s))
    };
    let steps = original.edges.iter().all(|e| {
        let (from, to) = (original.nodes[e.from].loc, original.nodes[e.to].loc);
        world.relations[e.block.index()]
            .iter()
            .all(|&(a, b)| !inside(from, a) || inside(to, b))
    });
    let errors = original
        .nodes
        .iter()
        .filter(|n| n.error)
        .all(|n| states().all(|s| !inside(n.loc, s)));
    steps && errors
}

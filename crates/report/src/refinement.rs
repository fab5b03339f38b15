//! How the search went, for the page: of each engine its refinements, each with the path and what was learnt from it,
//! and the tree or graph at the end. Read from the events of `docs/log.md`.

use crate::formula::{conjuncts, words};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Events that are kept for a page.
pub const LOG_SHOWN: usize = 4000;
/// Refinements and nodes of one engine that a page has at most.
const ROUNDS: usize = 500;
const NODES: usize = 1500;

/// A line of a file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub file: usize,
    pub line: u32,
}

/// What one engine did.
#[derive(Debug, Default, Serialize)]
pub struct EngineRun {
    pub engine: String,
    pub rounds: Vec<Round>,
    /// What the tree or graph is called.
    pub shape: &'static str,
    pub nodes: Vec<Node>,
    /// Parent and child, or from and to: positions in `nodes`.
    pub edges: Vec<(usize, usize)>,
    /// Covered and covering node.
    pub covers: Vec<(usize, usize)>,
    /// There was more than is shown.
    pub cut: bool,
}

/// One refinement, or one step of a search with summaries.
#[derive(Debug, Default, Serialize)]
pub struct Round {
    /// What was looked at.
    pub title: String,
    /// The places that the path passes.
    pub path: Vec<Place>,
    /// `refuted`, `an error`, `open`.
    pub end: &'static str,
    /// What was learnt, each with its place.
    pub facts: Vec<(Option<Place>, String)>,
    /// Something was learnt about memory that has no words.
    pub unsaid: bool,
}

#[derive(Debug, Default, Serialize)]
pub struct Node {
    pub place: Option<Place>,
    pub label: Vec<String>,
    pub covered: bool,
    pub error: bool,
}

struct Reader<'p> {
    /// Where a line of a file of the source map is on the page.
    shown: &'p dyn Fn(u64, u64) -> Option<Place>,
    runs: Vec<EngineRun>,
    places: BTreeMap<String, Place>,
    /// Positions of nodes by their names.
    nodes: BTreeMap<String, usize>,
    /// The locations of the path that is open.
    path: Vec<String>,
}

/// The runs of a log; engines that learnt nothing are left out.
pub fn refinement(log: &str, shown: &dyn Fn(u64, u64) -> Option<Place>) -> Vec<EngineRun> {
    let mut reader = Reader {
        shown,
        runs: Vec::new(),
        places: BTreeMap::new(),
        nodes: BTreeMap::new(),
        path: Vec::new(),
    };
    for line in log.lines() {
        if let Ok(event) = serde_json::from_str::<Json>(line) {
            reader.event(&event);
        }
    }
    let mut runs = reader.runs;
    runs.retain(|r| !r.rounds.is_empty() || !r.nodes.is_empty());
    runs
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or("")
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl Reader<'_> {
    fn run(&mut self) -> &mut EngineRun {
        if self.runs.is_empty() {
            self.runs.push(EngineRun::default());
        }
        self.runs.last_mut().expect("there is one")
    }

    fn place(&self, location: &Json) -> Option<Place> {
        self.places.get(text(location)).copied()
    }

    fn round(&mut self, title: String, path: Vec<Place>) {
        let run = self.run();
        match run.rounds.len() < ROUNDS {
            true => run.rounds.push(Round {
                title,
                path,
                end: "open",
                ..Round::default()
            }),
            false => run.cut = true,
        }
    }

    fn path(&mut self, event: &Json, title: String) {
        let locations = list(&event["locations"]);
        let places = locations.iter().filter_map(|l| self.place(l)).collect();
        self.path = locations.iter().map(|l| text(l).to_string()).collect();
        self.round(title, places);
    }

    fn learn(&mut self, place: Option<Place>, formula: &str) {
        let (said, unsaid) = conjuncts(formula);
        let run = self.run();
        if run.cut {
            return;
        }
        let Some(round) = run.rounds.last_mut() else {
            return;
        };
        round.unsaid |= unsaid;
        for fact in said {
            if fact != "true" && fact != "false" && !round.facts.contains(&(place, fact.clone())) {
                round.facts.push((place, fact));
            }
        }
    }

    fn event(&mut self, event: &Json) {
        match text(&event["event"]) {
            "engine" => {
                let engine = text(&event["name"]).to_string();
                self.nodes.clear();
                self.runs.push(EngineRun {
                    engine,
                    ..EngineRun::default()
                });
            }
            "places" => {
                let known = list(&event["places"]).iter().filter_map(|p| {
                    let [id, file, line] = list(p) else {
                        return None;
                    };
                    let place = (self.shown)(file.as_u64()?, line.as_u64()?)?;
                    Some((text(id).to_string(), place))
                });
                self.places = known.collect();
            }
            "path" => self.path(event, String::new()),
            "trace" => self.path(event, format!("in {}", text(&event["function"]))),
            "infeasible" => self.refuted(event),
            "feasible" | "execution" => {
                if let Some(round) = self.run().rounds.last_mut() {
                    round.end = "an error";
                }
            }
            "predicate" => {
                let place = self.place(&event["location"]);
                self.learn(place, text(&event["predicate"]));
            }
            "summary" | "summary guessed" => self.summary(event),
            "node" => self.node(event),
            "label" => {
                let fact = words(text(&event["strengthened by"]));
                if let (Some(&at), Some(fact)) = (self.nodes.get(text(&event["node"])), fact) {
                    self.run().nodes[at].label.push(fact);
                }
            }
            "cover" => self.cover(event),
            "graph" => self.graph(event),
            _ => {}
        }
    }

    fn refuted(&mut self, event: &Json) {
        let facts = list(&event["interpolants"]).to_vec();
        let path = std::mem::take(&mut self.path);
        // Of paths `true` is first; of traces the first interpolant is behind the first letter.
        let skipped = path.len().saturating_sub(facts.len());
        for (i, fact) in facts.iter().enumerate() {
            let at = path.get(i + skipped.min(1));
            let place = at.and_then(|l| self.places.get(l).copied());
            self.learn(place, text(fact));
        }
        if let Some(round) = self.run().rounds.last_mut() {
            round.end = "refuted";
        }
    }

    fn summary(&mut self, event: &Json) {
        // Loops that became functions go by the location of their head.
        let name = match text(&event["function"]).split_once('@') {
            Some((function, head)) => match self.places.get(head) {
                Some(place) => format!("the loop at {} in {function}", place.line),
                None => format!("a loop in {function}"),
            },
            None => text(&event["function"]).to_string(),
        };
        let parts = ["pre", "guard", "post", "summary"];
        self.round(format!("summary of {name}"), Vec::new());
        for part in parts {
            self.learn(None, text(&event[part]));
        }
        if let Some(round) = self.run().rounds.last_mut() {
            round.end = "learnt";
        }
    }

    fn node(&mut self, event: &Json) {
        let place = self.place(&event["location"]);
        let (name, parent) = (text(&event["node"]), text(&event["parent"]));
        let parent = self.nodes.get(parent).copied();
        let run = self.run();
        if run.nodes.len() >= NODES {
            run.cut = true;
            return;
        }
        run.shape = "tree";
        let mut at = run.nodes.len();
        let parent = parent.unwrap_or_else(|| {
            // The root is the parent of the first.
            run.nodes.push(Node::default());
            at += 1;
            at - 1
        });
        run.nodes.push(Node {
            place,
            ..Node::default()
        });
        run.edges.push((parent, at));
        if at == parent + 1 {
            let root = text(&event["parent"]).to_string();
            self.nodes.entry(root).or_insert(parent);
        }
        self.nodes.insert(name.to_string(), at);
    }

    fn cover(&mut self, event: &Json) {
        let lost: BTreeSet<usize> = list(&event["uncovered"])
            .iter()
            .filter_map(|n| self.nodes.get(text(n)).copied())
            .collect();
        let node = self.nodes.get(text(&event["node"])).copied();
        let by = self.nodes.get(text(&event["by"])).copied();
        let run = self.run();
        run.covers.retain(|(n, _)| !lost.contains(n));
        for at in lost {
            run.nodes[at].covered = false;
        }
        if let Some(node) = node {
            run.nodes[node].covered = true;
            run.covers.extend(by.map(|by| (node, by)));
        }
    }

    /// The graph after an iteration takes the place of the one before.
    fn graph(&mut self, event: &Json) {
        let (all, edges) = (list(&event["nodes"]), list(&event["edges"]));
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        let mut nodes = Vec::new();
        for node in all.iter().take(NODES) {
            let [id, location, facts, error] = list(node) else {
                continue;
            };
            positions.insert(text(id), nodes.len());
            nodes.push(Node {
                place: self.place(location),
                label: list(facts).iter().filter_map(|f| words(text(f))).collect(),
                error: *error == true,
                covered: false,
            });
        }
        let edges = edges.iter().filter_map(|e| match list(e) {
            [from, to] => Some((*positions.get(text(from))?, *positions.get(text(to))?)),
            _ => None,
        });
        let edges = edges.collect();
        let run = self.run();
        run.cut |= all.len() > NODES;
        (run.shape, run.nodes, run.edges) = ("graph", nodes, edges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"event":"engine","name":"impact"}
{"event":"places","places":[["l1",0,3],["l2",0,5],["l9",0,8]]}
{"event":"node","node":"n1","parent":"n0","location":"l2"}
{"event":"node","node":"n2","parent":"n1","location":"l9"}
{"event":"path","locations":["l1","l2","l9"],"assumed":[]}
{"event":"infeasible","interpolants":["true","(<= |main::x| 5)","false"]}
{"event":"label","node":"n1","strengthened by":"(<= |main::x| 5)"}
{"event":"node","node":"n3","parent":"n1","location":"l2"}
{"event":"cover","node":"n3","by":"n1","uncovered":[]}
{"event":"engine","name":"whale"}
{"event":"summary guessed","function":"f","summary":"(= |f::r| 0)"}
"#;

    #[test]
    fn each_refinement_with_its_path_and_facts() {
        let at = |line: u32| Place { file: 0, line };
        let runs = refinement(LOG, &|_, line| Some(at(line as u32)));
        assert_eq!(runs.len(), 2);
        let first = &runs[0];
        assert_eq!(first.engine, "impact");
        assert_eq!(first.rounds[0].path, [at(3), at(5), at(8)]);
        assert_eq!(first.rounds[0].end, "refuted");
        assert_eq!(first.rounds[0].facts, [(Some(at(5)), "x <= 5".to_string())]);
        assert_eq!(first.nodes.len(), 4);
        assert_eq!(first.edges, [(0, 1), (1, 2), (1, 3)]);
        assert_eq!(first.covers, [(3, 1)]);
        assert_eq!(first.nodes[1].label, ["x <= 5"]);
        assert_eq!(runs[1].rounds[0].title, "summary of f");
        assert_eq!(runs[1].rounds[0].facts, [(None, "r == 0".to_string())]);
    }
}

//! From the files of a project to the units that are checked: every program (`main`) and, where
//! wanted, every function. Files are read, preprocessed and parsed once, on all cores; workers get
//! their texts from here.

use super::config::Config;
use super::link::{LinkGraph, Node, Reach};
use super::sources::SourceFile;
use super::store::Store;
use super::symbols::{self, Symbols};
use crate::load::SourceOptions;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file of the plan.
#[derive(Clone, Default)]
pub struct PlannedFile {
    /// From the project's folder.
    pub name: String,
    /// As it stands.
    pub text: String,
    /// After the preprocessor, where it has directives.
    pub preprocessed: Option<String>,
    /// Compiled for 32 bits.
    pub bits32: bool,
    /// The hash of what the front end sees.
    pub hash: String,
    /// What it defines and needs.
    pub symbols: Symbols,
}

/// What is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnitKind {
    /// A program, from this function on.
    Program(Option<String>),
    /// A function by itself.
    Function(String),
}

/// One thing to check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// What results call it: the file of `main`, or file and function.
    pub name: String,
    /// What it is.
    pub kind: UnitKind,
    /// Its files in the plan.
    pub files: Vec<usize>,
    /// How many calls deep it is: callees have a smaller number, but for cycles, which share one.
    pub level: usize,
    /// What of the files a function can depend on: outlines, and the texts of what it reaches. Empty for programs:
    /// everything.
    pub part: String,
}

/// What a run is going to do.
#[derive(Default)]
pub struct Plan {
    /// The files, by name.
    pub files: Vec<PlannedFile>,
    /// The units, by name.
    pub units: Vec<Unit>,
    /// Files that are not read, with the reason.
    pub problems: Vec<(String, String)>,
}

/// What to plan for.
pub struct Wanted<'a> {
    /// Who reads the files.
    pub source: &'a SourceOptions,
    /// The project's own word.
    pub config: &'a Config,
    /// Programs are units.
    pub programs: bool,
    /// Functions are units.
    pub functions: bool,
    /// Threads that read.
    pub jobs: usize,
    /// Identity of this build: symbols of another one are read again.
    pub identity: &'a str,
}

/// Reads the files and plans the units.
pub fn make(files: &[SourceFile], wanted: &Wanted<'_>, store: &mut Store) -> Plan {
    let mut plan = Plan {
        files: read_all(files, wanted, store),
        ..Plan::default()
    };
    for file in &plan.files {
        if let Some(problem) = &file.symbols.problem {
            plan.problems.push((file.name.clone(), problem.clone()));
        }
    }
    let nodes = plan.files.iter().map(|f| Node {
        name: &f.name,
        symbols: &f.symbols,
    });
    let graph = LinkGraph::new(nodes.collect());
    let mut units = Vec::new();
    if wanted.functions {
        units.extend(functions(&plan.files, &graph));
    }
    if wanted.programs {
        let above = units.iter().map(|u: &Unit| u.level + 1).max().unwrap_or(0);
        units.extend(programs(
            &plan.files,
            &graph,
            wanted.config,
            above,
            &mut plan.problems,
        ));
    }
    units.sort_by(|a, b| a.name.cmp(&b.name));
    plan.units = units;
    plan
}

fn programs(
    files: &[PlannedFile],
    graph: &LinkGraph<'_>,
    config: &Config,
    level: usize,
    problems: &mut Vec<(String, String)>,
) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut by_hand = BTreeSet::new();
    for program in &config.programs {
        let find = |name: &String| {
            files
                .iter()
                .position(|f| f.name == *name)
                .ok_or_else(|| name.clone())
        };
        match program
            .files
            .iter()
            .map(find)
            .collect::<Result<Vec<_>, _>>()
        {
            Ok(list) => {
                by_hand.extend(list.first().copied());
                units.push(Unit {
                    name: program.name.clone(),
                    kind: UnitKind::Program(program.entry.clone()),
                    files: list,
                    level,
                    part: String::new(),
                });
            }
            Err(name) => {
                let why = format!("there is no file `{name}`, which craig.toml names");
                problems.push((program.name.clone(), why));
            }
        }
    }
    for (i, file) in files.iter().enumerate() {
        if file.symbols.has_main() && !by_hand.contains(&i) {
            units.push(Unit {
                name: file.name.clone(),
                kind: UnitKind::Program(None),
                files: graph.program(i),
                level,
                part: String::new(),
            });
        }
    }
    units
}

fn functions(files: &[PlannedFile], graph: &LinkGraph<'_>) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut starts = Vec::new();
    let mut number: BTreeMap<usize, usize> = BTreeMap::new();
    let mut seen = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let all = file.symbols.definitions.iter().enumerate();
        for (n, d) in all.filter(|(_, d)| d.function && d.own && d.name != "main") {
            let start = graph.number(i, n);
            let reach = graph.reach(start, &mut seen);
            number.insert(start, units.len());
            starts.push(start);
            units.push(Unit {
                name: format!("{}:{}", file.name, d.name),
                kind: UnitKind::Function(d.name.clone()),
                part: part(files, graph, &reach),
                files: reach.files,
                level: 0,
            });
        }
    }
    let units_of = |start: &usize| {
        let direct = graph.direct(*start).iter();
        direct.filter_map(|to| number.get(to).copied()).collect()
    };
    let edges: Vec<Vec<usize>> = starts.iter().map(units_of).collect();
    for (unit, level) in units.iter_mut().zip(super::order::levels(&edges)) {
        unit.level = level;
    }
    units
}

/// The hash of what a function can depend on.
fn part(files: &[PlannedFile], graph: &LinkGraph<'_>, reach: &Reach) -> String {
    let mut text = String::new();
    for &f in &reach.files {
        let file = &files[f];
        // A file that is not understood counts as a whole.
        let outline = match file.symbols.outline.is_empty() {
            true => &file.hash,
            false => &file.symbols.outline,
        };
        text += &format!("{} {} {outline}\n", file.name, file.bits32);
    }
    for &d in &reach.definitions {
        let (f, n) = graph.place(d);
        text += &files[f].symbols.definitions[n].text;
        text.push('\n');
    }
    report::sha256(text.as_bytes())
}

/// Reads all files, on several threads.
fn read_all(files: &[SourceFile], wanted: &Wanted<'_>, store: &mut Store) -> Vec<PlannedFile> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, PlannedFile, bool)>> = Mutex::new(Vec::new());
    let shared = Mutex::new(store);
    std::thread::scope(|scope| {
        for _ in 0..wanted.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(at) else { break };
                    let (planned, new) = read(file, wanted, &shared);
                    if let Ok(mut list) = done.lock() {
                        list.push((at, planned, new));
                    }
                }
            });
        }
    });
    let mut list = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    list.sort_by_key(|(at, ..)| *at);
    let new = list.iter().filter(|(_, _, new)| *new);
    let new: Vec<(&str, &Symbols)> = new.map(|(_, f, _)| (f.hash.as_str(), &f.symbols)).collect();
    if let (false, Ok(store)) = (new.is_empty(), shared.into_inner()) {
        store.remember_symbols(&new);
    }
    list.into_iter().map(|(_, f, _)| f).collect()
}

/// Reads one file; says whether its symbols are news to the store.
fn read(file: &SourceFile, wanted: &Wanted<'_>, store: &Mutex<&mut Store>) -> (PlannedFile, bool) {
    let mut planned = PlannedFile {
        name: file.name.clone(),
        bits32: file.preprocessor.bits32,
        ..PlannedFile::default()
    };
    let mut options = wanted.source.clone();
    options.preprocessor = file.preprocessor.clone();
    options.bits32 |= planned.bits32;
    let texts = crate::load::read_all(&[&file.path], &options);
    let text = match texts.map(|(mut texts, _)| texts.pop()) {
        Ok(Some(text)) => text,
        Ok(None) => return (planned, false),
        Err(error) => {
            planned.symbols.problem = Some(error.to_string());
            return (planned, false);
        }
    };
    planned.text = text.text;
    planned.preprocessed = text.preprocessed;
    let seen = planned.preprocessed.as_ref().unwrap_or(&planned.text);
    let heading = format!("{}\n{}\n{}\n", wanted.identity, options.bits32, file.name);
    planned.hash = report::sha256(format!("{heading}{seen}").as_bytes());
    let known = store.lock().ok().and_then(|mut s| s.symbols(&planned.hash));
    let new = known.is_none();
    planned.symbols = known.unwrap_or_else(|| {
        let marked = planned.preprocessed.is_some();
        symbols::read(&file.name, seen, marked, &options)
    });
    (planned, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> BTreeMap<String, (usize, String)> {
        let file = PlannedFile {
            name: "a.c".into(),
            symbols: symbols::read("a.c", text, false, &SourceOptions::default()),
            ..PlannedFile::default()
        };
        let files = [file];
        let node = Node {
            name: "a.c",
            symbols: &files[0].symbols,
        };
        let all = functions(&files, &LinkGraph::new(vec![node]));
        all.into_iter()
            .map(|u| (u.name, (u.level, u.part)))
            .collect()
    }

    #[test]
    fn an_edit_concerns_who_can_reach_it() {
        let text = "int g; int leaf(int x) { return x + 1; } int caller(int x) { return leaf(x); }
            int odd(int x); int even(int x) { return x ? odd(x - 1) : 1; }
            int odd(int x) { return x ? even(x - 1) : 0; } int lone(void) { return g; }";
        let before = units(text);
        let levels: Vec<usize> = before.values().map(|(level, _)| *level).collect();
        // caller, even, leaf, lone, odd: cycles share a level.
        assert_eq!(levels, [1, 0, 0, 0, 0]);
        let concerned = |from: &str, to: &str| {
            let after = units(&text.replace(from, to));
            let other = |(name, unit): (&String, &(usize, String))| {
                (after[name].1 != unit.1).then(|| name.trim_start_matches("a.c:").to_string())
            };
            before
                .iter()
                .filter_map(other)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(concerned("x + 1", "x + 2"), "caller leaf");
        assert_eq!(concerned("even(x - 1) : 0", "even(x - 1) : 2"), "even odd");
        assert_eq!(concerned("return g;", "return  /* it */ g;"), "");
        assert_eq!(
            concerned("int g;", "int g = 1;"),
            "caller even leaf lone odd"
        );
        // Another name in a body can be another callee for function pointers elsewhere.
        assert_eq!(concerned("x + 1", "x + g"), "caller even leaf lone odd");
    }
}

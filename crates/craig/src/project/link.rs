//! The link graph: which files make a program, and which files a function needs.
//!
//! A program is linked as from archives: it begins with the file that has `main`; a file is pulled in
//! when one that is in already needs a name that it provides. A file with another `main` is never
//! pulled in. Of several files that provide a name the one in the nearest folder is taken, then the
//! first by name, which is the same on every machine.
//!
//! A function needs less: only files of functions and objects that it can reach by name.

use super::symbols::Symbols;
use std::collections::{BTreeMap, BTreeSet};

/// A file as the link graph sees it.
pub struct Node<'a> {
    /// Its name in the project.
    pub name: &'a str,
    /// What it defines and needs.
    pub symbols: &'a Symbols,
}

/// Who provides what. Definitions are numbered through all files, and what each one uses is looked up
/// once: a code base has as many questions as functions.
pub struct LinkGraph<'a> {
    files: Vec<Node<'a>>,
    /// The file has a `main`.
    programs: Vec<bool>,
    providers: BTreeMap<&'a str, Vec<usize>>,
    /// The number of each file's first definition, and the file of each definition.
    first: Vec<usize>,
    file_of: Vec<usize>,
    /// The definitions behind the names that a definition uses.
    uses: Vec<Vec<usize>>,
}

/// What a function can reach by name.
pub struct Reach {
    /// Files, its own first.
    pub files: Vec<usize>,
    /// Definitions by their numbers, in order.
    pub definitions: Vec<usize>,
}

impl<'a> LinkGraph<'a> {
    /// The graph of files in the order of their names.
    pub fn new(files: Vec<Node<'a>>) -> Self {
        let mut providers: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
        let (mut first, mut file_of) = (Vec::new(), Vec::new());
        for (i, file) in files.iter().enumerate() {
            first.push(file_of.len());
            for d in &file.symbols.definitions {
                file_of.push(i);
                let list = providers.entry(d.name.as_str()).or_default();
                if d.external && list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        let programs = files.iter().map(|f| f.symbols.has_main()).collect();
        let mut graph = LinkGraph {
            files,
            programs,
            providers,
            first,
            file_of,
            uses: Vec::new(),
        };
        graph.uses = graph.all_uses();
        graph
    }

    fn all_uses(&self) -> Vec<Vec<usize>> {
        let mut out = Vec::new();
        // The first definition of each name counts, as everywhere.
        let names = |file: usize| {
            let list = self.files[file].symbols.definitions.iter().enumerate();
            list.rev()
                .map(|(i, d)| (d.name.as_str(), self.first[file] + i))
                .collect::<BTreeMap<&str, usize>>()
        };
        let known: Vec<BTreeMap<&str, usize>> = (0..self.files.len()).map(names).collect();
        for (i, file) in self.files.iter().enumerate() {
            let mut others: BTreeMap<&str, Option<usize>> = BTreeMap::new();
            for d in &file.symbols.definitions {
                let found = |name: &'a String| {
                    let own = known[i].get(name.as_str()).copied();
                    own.or_else(|| {
                        *others.entry(name).or_insert_with(|| {
                            let other = self.provider(i, name)?;
                            known[other].get(name.as_str()).copied()
                        })
                    })
                };
                out.push(d.uses.iter().filter_map(found).collect());
            }
        }
        out
    }

    /// The file that gives `name` to `user`.
    fn provider(&self, user: usize, name: &str) -> Option<usize> {
        let list = self.providers.get(name)?;
        let near = |&i: &usize| {
            let shared = common_folders(self.files[user].name, self.files[i].name);
            (std::cmp::Reverse(shared), i)
        };
        let fits = |i: &usize| !self.programs[*i] && *i != user;
        list.iter().copied().filter(fits).min_by_key(near)
    }

    /// The files of the program whose `main` is in file `start`.
    pub fn program(&self, start: usize) -> Vec<usize> {
        let mut inside = vec![start];
        let mut has = BTreeSet::from([start]);
        let mut next = 0;
        while let Some(&user) = inside.get(next) {
            next += 1;
            for name in self.files[user].symbols.needs() {
                let list = self.providers.get(name);
                if list.is_some_and(|l| l.iter().any(|i| has.contains(i))) {
                    continue;
                }
                if let Some(file) = self.provider(user, name) {
                    has.insert(file);
                    inside.push(file);
                }
            }
        }
        inside[1..].sort_unstable();
        inside
    }

    /// The number of a file's n-th definition.
    pub fn number(&self, file: usize, n: usize) -> usize {
        self.first[file] + n
    }

    /// The file of a definition, and which of the file's it is.
    pub fn place(&self, definition: usize) -> (usize, usize) {
        let file = self.file_of[definition];
        (file, definition - self.first[file])
    }

    /// What a definition names itself.
    pub fn direct(&self, definition: usize) -> &[usize] {
        &self.uses[definition]
    }

    /// What a definition can reach by name, itself included. `seen` is scratch space that callers share
    /// between questions: the last question that a definition was met in.
    pub fn reach(&self, definition: usize, seen: &mut Vec<usize>) -> Reach {
        const NEVER: usize = usize::MAX;
        seen.resize(self.uses.len(), NEVER);
        let mut definitions = vec![definition];
        seen[definition] = definition;
        let mut next = 0;
        while let Some(&at) = definitions.get(next) {
            next += 1;
            for &to in &self.uses[at] {
                if std::mem::replace(&mut seen[to], definition) != definition {
                    definitions.push(to);
                }
            }
        }
        definitions.sort_unstable();
        let own = self.file_of[definition];
        let others: BTreeSet<usize> = definitions.iter().map(|&d| self.file_of[d]).collect();
        let rest = others.into_iter().filter(|f| *f != own);
        Reach {
            files: std::iter::once(own).chain(rest).collect(),
            definitions,
        }
    }
}

/// How many leading folders two names share.
fn common_folders(a: &str, b: &str) -> usize {
    let folders = |n: &'_ str| {
        n.rsplit_once('/')
            .map_or(String::new(), |(f, _)| f.to_string())
    };
    let (a, b) = (folders(a), folders(b));
    let same = a
        .split('/')
        .zip(b.split('/'))
        .take_while(|(x, y)| x == y && !x.is_empty());
    same.count()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::SourceOptions;
    use crate::project::symbols;

    #[test]
    fn programs_and_functions_get_the_files_they_need() {
        let texts = [
            ("a/main.c", "int f(int); int main(void) { return f(1); }"),
            (
                "a/util.c",
                "int deep(int); int f(int x) { return deep(x); } int lone(void) { return 1; }",
            ),
            ("b/main.c", "int f(int); int main(void) { return f(2); }"),
            ("b/util.c", "int f(int x) { return x; }"),
            (
                "deep.c",
                "static int s(int x) { return x; } int deep(int x) { return s(x); }",
            ),
            ("never.c", "int other(void) { return 0; }"),
        ];
        let read = |(n, t): &(&str, &str)| symbols::read(n, t, false, &SourceOptions::default());
        let all: Vec<Symbols> = texts.iter().map(read).collect();
        let nodes = texts.iter().zip(&all);
        let nodes = nodes.map(|((name, _), symbols)| Node { name, symbols });
        let graph = LinkGraph::new(nodes.collect());
        assert_eq!(graph.program(0), [0, 1, 4]);
        assert_eq!(graph.program(2), [2, 3]);
        let number = |file: usize, name: &str| {
            let list = &all[file].definitions;
            graph.number(file, list.iter().position(|d| d.name == name).unwrap())
        };
        let mut seen = Vec::new();
        let reach = graph.reach(number(1, "f"), &mut seen);
        assert_eq!(reach.files, [1, 4]);
        let mut reached = vec![number(1, "f"), number(4, "deep"), number(4, "s")];
        reached.sort_unstable();
        assert_eq!(reach.definitions, reached);
        assert_eq!(graph.direct(number(1, "f")), [number(4, "deep")]);
        assert_eq!(graph.reach(number(1, "lone"), &mut seen).files, [1]);
    }
}

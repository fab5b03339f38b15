//! The link graph: which files make a program, and which files a function needs.
//!
//! A program is linked as from archives: it begins with the file that has `main`; a file is pulled in
//! when one that is in already needs a name that it provides. A file with another `main` is never
//! pulled in. Of several files that provide a name the one in the nearest folder is taken, then the
//! first by name, which is the same on every machine.
//!
//! A function needs less: only files of functions and objects that it can reach by name.

use super::symbols::{Definition, Symbols};
use std::collections::{BTreeMap, BTreeSet};

/// A file as the link graph sees it.
pub struct Node<'a> {
    /// Its name in the project.
    pub name: &'a str,
    /// What it defines and needs.
    pub symbols: &'a Symbols,
}

/// Who provides what.
pub struct LinkGraph<'a> {
    files: Vec<Node<'a>>,
    providers: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> LinkGraph<'a> {
    /// The graph of files in the order of their names.
    pub fn new(files: Vec<Node<'a>>) -> Self {
        let mut providers: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
        for (i, file) in files.iter().enumerate() {
            for d in file.symbols.definitions.iter().filter(|d| d.external) {
                let list = providers.entry(d.name.as_str()).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        LinkGraph { files, providers }
    }

    /// The file that gives `name` to `user`.
    fn provider(&self, user: usize, name: &str) -> Option<usize> {
        let list = self.providers.get(name)?;
        let near = |&i: &usize| {
            let shared = common_folders(self.files[user].name, self.files[i].name);
            (std::cmp::Reverse(shared), i)
        };
        let fits = |i: &usize| !self.files[*i].symbols.has_main() && *i != user;
        list.iter().copied().filter(fits).min_by_key(near)
    }

    /// The files of the program whose `main` is in file `start`.
    pub fn program(&self, start: usize) -> Vec<usize> {
        let mut inside = vec![start];
        let mut next = 0;
        while let Some(&user) = inside.get(next) {
            next += 1;
            for name in self.files[user].symbols.needs() {
                let has = |&i: &usize| self.files[i].symbols.provides(name);
                if inside.iter().any(has) {
                    continue;
                }
                inside.extend(self.provider(user, name));
            }
        }
        inside[1..].sort_unstable();
        inside
    }

    /// The files of what the function can reach by name, its own first; and the functions that it
    /// calls or names directly, as (file, name).
    pub fn function(&self, file: usize, name: &str) -> (Vec<usize>, BTreeSet<(usize, String)>) {
        let mut seen: BTreeSet<(usize, String)> = BTreeSet::new();
        let mut direct = BTreeSet::new();
        let mut open = vec![(file, name.to_string())];
        while let Some((at, symbol)) = open.pop() {
            if !seen.insert((at, symbol.clone())) {
                continue;
            }
            let Some(definition) = self.files[at].symbols.definition(&symbol) else {
                continue;
            };
            for (to, used) in self.uses(at, definition) {
                if (at, symbol.as_str()) == (file, name) && used.function {
                    direct.insert((to, used.name.clone()));
                }
                open.push((to, used.name.clone()));
            }
        }
        let others: BTreeSet<usize> = seen.into_iter().map(|(f, _)| f).collect();
        let rest = others.into_iter().filter(|f| *f != file);
        (std::iter::once(file).chain(rest).collect(), direct)
    }

    /// The definitions behind the names that a definition uses.
    fn uses(&self, at: usize, d: &'a Definition) -> Vec<(usize, &'a Definition)> {
        let found = |name: &String| {
            if let Some(own) = self.files[at].symbols.definition(name) {
                return Some((at, own));
            }
            let other = self.provider(at, name)?;
            Some((other, self.files[other].symbols.definition(name)?))
        };
        d.uses.iter().filter_map(found).collect()
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
        let (files, direct) = graph.function(1, "f");
        assert_eq!(files, [1, 4]);
        assert_eq!(direct, BTreeSet::from([(4, "deep".to_string())]));
        assert_eq!(graph.function(1, "lone").0, [1]);
    }
}

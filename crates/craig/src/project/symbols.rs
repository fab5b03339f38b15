//! What a C file defines and what it needs from others, by our own front end. This is all that the
//! link graph knows of a file; it is small and is remembered by the contents of the file.

use super::pieces::pieces;
use crate::load::SourceOptions;
use frontend::c::hir::visit::{Visitor, shared};
use frontend::c::hir::{Callee, Expr, ExprKind, Linkage, Place, PlaceKind, Unit};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_and_check};
use program::SourceMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The symbols of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// Functions with a body and objects that are defined here.
    pub definitions: Vec<Definition>,
    /// Files that were included.
    pub includes: Vec<String>,
    /// The hash of all but the bodies of functions: other text, and which names each definition uses.
    #[serde(default)]
    pub outline: String,
    /// Why the front end does not read the file; nothing else is known then.
    pub problem: Option<String>,
}

/// A function or an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name in the source.
    pub name: String,
    /// A function; else an object.
    pub function: bool,
    /// Seen by other files.
    pub external: bool,
    /// Written in the file itself and not in a header.
    pub own: bool,
    /// The line of its name.
    pub line: u32,
    /// Functions and objects of the source that it names, in the order of their names.
    pub uses: BTreeSet<String>,
    /// The hash of its text ([`super::pieces`]); empty where the text belongs to the file's outline.
    #[serde(default)]
    pub text: String,
}

impl Symbols {
    /// The file has a `main`.
    pub fn has_main(&self) -> bool {
        self.definitions
            .iter()
            .any(|d| d.function && d.external && d.name == "main")
    }

    /// A definition of this name, for code of the same file.
    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions.iter().find(|d| d.name == name)
    }

    /// Whether other files can link with this name.
    pub fn provides(&self, name: &str) -> bool {
        self.definitions
            .iter()
            .any(|d| d.external && d.name == name)
    }

    /// Names that the file uses and does not define.
    pub fn needs(&self) -> BTreeSet<&str> {
        let used = self.definitions.iter().flat_map(|d| &d.uses);
        let missing = used.filter(|n| self.definition(n).is_none());
        missing.map(String::as_str).collect()
    }
}

/// Reads the symbols of a preprocessed file.
pub fn read(name: &str, text: &str, preprocessed: bool, options: &SourceOptions) -> Symbols {
    let mut sources = SourceMap::default();
    let first = sources.add(name, "");
    let c_options = COptions {
        data_model: match options.bits32 {
            true => DataModel::Ilp32,
            false => DataModel::Lp64,
        },
        line_markers: preprocessed,
        running: false,
    };
    let parsed = parse_and_check(&[(name, text)], &c_options, &mut sources);
    let others = |s: &SourceMap| {
        let names = s.files.iter().map(|f| f.name.clone());
        names.filter(|n| n != name && !n.starts_with('<')).collect()
    };
    match parsed {
        Ok((unit, _)) => {
            let mut definitions = definitions(&unit, first);
            let outline = outline(text, &mut definitions);
            Symbols {
                definitions,
                includes: others(&sources),
                outline,
                problem: None,
            }
        }
        Err(diagnostics) => Symbols {
            definitions: Vec::new(),
            includes: others(&sources),
            outline: String::new(),
            problem: Some(match diagnostics.first() {
                Some(d) => format!("{}: {}", sources.place(d.span), d.message),
                None => "the front end gave up".into(),
            }),
        },
    }
}

fn definitions(unit: &Unit, file: program::FileId) -> Vec<Definition> {
    let mut bodies = Vec::new();
    for f in unit.functions.iter() {
        // Models of the C library are no code of the project.
        if f.library {
            continue;
        }
        if let Some(body) = &f.body {
            let mut uses = Uses::default();
            shared::block(&mut uses, &body.block);
            bodies.push((
                Definition {
                    name: f.source_name.clone(),
                    function: true,
                    external: f.linkage == Linkage::External,
                    own: f.span.file == file,
                    line: f.span.line,
                    uses: BTreeSet::new(),
                    text: String::new(),
                },
                uses,
            ));
        }
    }
    for g in unit.globals.iter() {
        let Some(name) = g.source_name.clone().filter(|_| g.defined) else {
            continue;
        };
        let mut uses = Uses::default();
        if let Some(init) = &g.init {
            shared::init(&mut uses, init);
        }
        bodies.push((
            Definition {
                name,
                function: false,
                external: g.linkage == Linkage::External,
                own: g.span.file == file,
                line: g.span.line,
                uses: BTreeSet::new(),
                text: String::new(),
            },
            uses,
        ));
    }
    let named = |(mut d, uses): (Definition, Uses)| {
        let functions = uses
            .functions
            .iter()
            .map(|f| unit.functions[*f].source_name.clone());
        let globals = uses.globals.iter();
        let globals = globals.filter_map(|g| unit.globals[*g].source_name.clone());
        d.uses = functions.chain(globals).filter(|n| *n != d.name).collect();
        d
    };
    bodies.into_iter().map(named).collect()
}

/// Gives functions the hashes of their texts; the hash of the rest comes back.
fn outline(text: &str, definitions: &mut [Definition]) -> String {
    let is_function = |n: &str| definitions.iter().any(|d| d.function && d.name == n);
    let mut pieces = pieces(text, &is_function);
    let mut all = pieces.rest;
    for d in definitions {
        if let Some(hash) = pieces.functions.remove(&d.name).filter(|_| d.function) {
            d.text = hash;
        }
        // A body that begins to take an address can give other functions another callee.
        all += &format!(
            "\n{} {}",
            d.name,
            d.uses.iter().cloned().collect::<Vec<_>>().join(" ")
        );
    }
    report::sha256(all.as_bytes())[..32].to_string()
}

/// What a body names.
#[derive(Default)]
struct Uses {
    functions: BTreeSet<frontend::c::hir::FuncId>,
    globals: BTreeSet<frontend::c::hir::GlobalId>,
}

impl<'h> Visitor<'h> for Uses {
    fn expr(&mut self, e: &'h Expr) {
        match &e.kind {
            ExprKind::FunctionAddress(f)
            | ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } => {
                self.functions.insert(*f);
            }
            _ => {}
        }
    }

    fn place(&mut self, p: &'h Place) {
        if let PlaceKind::Global(g) = p.kind {
            self.globals.insert(g);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_file_defines_and_needs() {
        let text = "int printf(const char *, ...); int g(int); int h(int); int unused(int);
            extern int z; static int (*fp)(int) = h; static int s(int x) { return x + z; }
            int main(void) { printf(\"%d\", g(s(1))); return fp(2); }";
        let symbols = read("a.c", text, false, &SourceOptions::default());
        assert_eq!(symbols.problem, None);
        assert!(symbols.has_main());
        let needs: Vec<&str> = symbols.needs().into_iter().collect();
        assert!(needs.contains(&"g") && needs.contains(&"h") && needs.contains(&"z"));
        assert!(!needs.contains(&"unused") && !needs.contains(&"s") && !needs.contains(&"fp"));
        assert!(!symbols.provides("s") && symbols.provides("main"));
    }

    #[test]
    fn a_file_that_is_not_read_says_why() {
        let symbols = read(
            "a.c",
            "int main(void) { return x; }",
            false,
            &SourceOptions::default(),
        );
        assert!(symbols.problem.unwrap().contains("a.c:1"));
    }
}

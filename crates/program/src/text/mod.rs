//! The readable text form of programs. What `print` writes, `parse` reads back; tests write
//! programs in it.
//!
//! ```text
//!   entry main
//!   function f (Int Int) Int                ; uninterpreted
//!   global x: Int [0, 255]
//!   global memory: (Array Int Int)
//!   fn main(n: Int [0, 9]) returns (r: Int) {
//!     locals i: Int, ok: Bool
//!     entry l0
//!     exit l5
//!     error l4: unreach "assertion violated"
//!     l0 -> l1: i := 0, x := n              ; parallel
//!     l1 -> l2: assume (< i 5)
//!     l2 -> l3: havoc x nondet "__VERIFIER_nondet_int"
//!     l3 -> l1: i := call next(i, (+ x 1))
//!     l1 -> l5: assume (>= i 5)
//!     l1 -> l4: let $1 = (* x x), $2 = (+ $1 $1) in assume (= $2 (f $1 i))
//!   }
//! ```
//! Expressions are S-expressions with the operators of SMT-LIB, `!=`, and the machine operators
//! `wrap.u32 bitand bitor bitxor shl shr cdiv crem`. `;` begins a comment. Names with odd
//! characters stand between bars. Location names are free; `l7` is location 7 if all are such.
//! Without `entry` lines the first function and its first location are meant; without `exit` the
//! location called `exit`. Spans (`@file:line:column:length`) and source names are optional.

mod expr;
mod lex;
mod parse;
mod read;
#[cfg(test)]
mod tests;

pub use expr::print_expr;
pub use parse::{SyntaxError, parse};
pub use read::parse_expr;

use crate::{EdgeId, FuncId, InputKind, LocId, Program, Property, Span, Stmt, VarId};
use expr::Sharing;
use logic::{Pool, Sort, SortId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The program as text, without source places.
pub fn print(pool: &Pool, program: &Program) -> String {
    Printer {
        pool,
        program,
        places: false,
    }
    .program()
}

/// The program as text, with spans and source names.
pub fn print_with_places(pool: &Pool, program: &Program) -> String {
    Printer {
        pool,
        program,
        places: true,
    }
    .program()
}

/// One statement as text.
pub fn print_stmt(pool: &Pool, program: &Program, stmt: &Stmt) -> String {
    Printer {
        pool,
        program,
        places: false,
    }
    .stmt(stmt)
}

pub(crate) fn property_name(property: Property) -> &'static str {
    property.entry().text_name
}

/// A sort as text.
pub fn print_sort(pool: &Pool, sort: SortId) -> String {
    match pool.sort_kind(sort) {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Real => "Real".into(),
        &Sort::Array(index, element) => format!(
            "(Array {} {})",
            print_sort(pool, index),
            print_sort(pool, element)
        ),
        Sort::Uninterpreted(name) => lex::quoted(name),
        // Programs have no words of scripts.
        Sort::BitVec(_) | Sort::Float(..) | Sort::Rounding => logic::smtlib::print_sort(pool, sort),
    }
}

struct Printer<'a> {
    pool: &'a Pool,
    program: &'a Program,
    places: bool,
}

impl Printer<'_> {
    fn program(&self) -> String {
        let p = self.program;
        let mut out = format!("entry {}\n", lex::quoted(&p.functions[p.entry].name));
        for (word, notes) in [("assumption", &p.assumptions), ("note", &p.notes)] {
            for note in notes {
                let _ = writeln!(
                    out,
                    "{word} {}{}",
                    lex::string(&note.message),
                    self.span(note.span)
                );
            }
        }
        for line in self.functions_used() {
            let _ = writeln!(out, "{line}");
        }
        for &v in &p.globals {
            let _ = writeln!(out, "global {}", self.var(v));
        }
        let successors = p.successors();
        let mut edges_of: Vec<Vec<EdgeId>> = vec![Vec::new(); p.functions.len()];
        let mut locs_of: Vec<Vec<LocId>> = vec![Vec::new(); p.functions.len()];
        use base::Id;
        for (id, loc) in p.locations.iter_enumerated() {
            locs_of[loc.func.index()].push(id);
            edges_of[loc.func.index()].extend(&successors[id]);
        }
        for f in p.functions.ids() {
            let edges = &mut edges_of[f.index()];
            edges.sort_unstable();
            self.function(&mut out, f, &locs_of[f.index()], edges);
        }
        out
    }

    /// Declarations of the uninterpreted functions and free constants that statements mention.
    fn functions_used(&self) -> Vec<String> {
        let mut roots = Vec::new();
        for edge in self.program.edges.iter() {
            roots.extend(terms_of(&edge.stmt));
        }
        let vars: BTreeSet<_> = self
            .program
            .vars
            .iter()
            .filter_map(|v| self.pool.as_constant(v.term))
            .collect();
        let mut lines = Vec::new();
        for s in self.pool.symbols_of(&roots) {
            let data = self.pool.symbol_data(s);
            let known = crate::interp::float::FloatOp::from_name(&data.name).is_some();
            if !vars.contains(&s) && !known {
                let args: Vec<String> = data
                    .args
                    .iter()
                    .map(|a| print_sort(self.pool, *a))
                    .collect();
                lines.push(format!(
                    "function {} ({}) {}",
                    lex::quoted(&data.name),
                    args.join(" "),
                    print_sort(self.pool, data.sort)
                ));
            }
        }
        lines
    }

    fn span(&self, span: Span) -> String {
        use base::Id;
        if !self.places || !span.is_known() {
            return String::new();
        }
        format!(
            " @{}:{}:{}:{}",
            span.file.index(),
            span.line,
            span.column,
            span.len
        )
    }

    fn var(&self, id: VarId) -> String {
        let v = &self.program.vars[id];
        let mut out = format!(
            "{}: {}",
            lex::quoted(&v.name),
            print_sort(self.pool, v.sort)
        );
        if let Some((low, high)) = &v.range {
            let _ = write!(out, " [{low}, {high}]");
        }
        if self.places {
            if let Some(name) = &v.source_name {
                let _ = write!(out, " name {}", lex::string(name));
            }
            if let Some(ty) = &v.source_type {
                let _ = write!(out, " type {}", lex::string(ty));
            }
            out += &self.span(v.span);
        }
        out
    }

    fn vars(&self, list: &[VarId]) -> String {
        let vars: Vec<String> = list.iter().map(|v| self.var(*v)).collect();
        vars.join(", ")
    }

    fn names(&self, list: &[VarId]) -> String {
        let names: Vec<String> = list
            .iter()
            .map(|v| lex::quoted(&self.program.vars[*v].name))
            .collect();
        names.join(", ")
    }

    fn function(&self, out: &mut String, id: FuncId, locs: &[LocId], edges: &[EdgeId]) {
        let f = &self.program.functions[id];
        let _ = write!(
            out,
            "\nfn {}({})",
            lex::quoted(&f.name),
            self.vars(&f.params)
        );
        if !f.returns.is_empty() {
            let _ = write!(out, " returns ({})", self.vars(&f.returns));
        }
        let _ = writeln!(out, "{} {{", self.span(f.span));
        if !f.locals.is_empty() {
            let _ = writeln!(out, "  locals {}", self.vars(&f.locals));
        }
        let _ = writeln!(out, "  entry {}\n  exit {}", f.entry, f.exit);
        let mut mentioned: BTreeSet<LocId> = BTreeSet::from([f.entry, f.exit]);
        for &e in edges {
            mentioned.extend([self.program.edges[e].from, self.program.edges[e].to]);
        }
        for &id in locs {
            let loc = &self.program.locations[id];
            if let Some(tag) = &loc.error {
                let _ = writeln!(
                    out,
                    "  error {id}: {} {}{}",
                    property_name(tag.property),
                    lex::string(&tag.message),
                    self.span(tag.span)
                );
            }
            let (place, head) = (self.span(loc.span), loc.loop_head.map(|s| self.span(s)));
            if let (true, Some(head)) = (self.places, &head) {
                let _ = writeln!(out, "  loop {id}{head}");
            }
            if !place.is_empty() || !(mentioned.contains(&id) || loc.error.is_some()) {
                let _ = writeln!(out, "  location {id}{place}");
            }
        }
        for &e in edges {
            let edge = &self.program.edges[e];
            let _ = writeln!(
                out,
                "  {} -> {}: {}{}",
                edge.from,
                edge.to,
                self.stmt(&edge.stmt),
                self.span(edge.span)
            );
        }
        out.push_str("}\n");
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        let mut sharing = Sharing::new(self.pool, &terms_of(stmt));
        let mut out = sharing.bindings();
        match stmt {
            Stmt::Skip => out += "skip",
            Stmt::Assume(c) => {
                out += "assume ";
                out += &sharing.print(*c);
            }
            Stmt::Assign(pairs) => {
                for (i, (v, e)) in pairs.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    let name = lex::quoted(&self.program.vars[*v].name);
                    let _ = write!(out, "{comma}{name} := {}", sharing.print(*e));
                }
                if pairs.is_empty() {
                    out += "skip";
                }
            }
            Stmt::Havoc(vars, kind) => {
                let _ = write!(out, "havoc {}", self.names(vars));
                match kind {
                    InputKind::Nondet { function } => {
                        let _ = write!(out, " nondet {}", lex::string(function));
                    }
                    InputKind::Extern { function } => {
                        let _ = write!(out, " extern {}", lex::string(function));
                    }
                    InputKind::Environment { what } => {
                        let _ = write!(out, " environment {}", lex::string(what));
                    }
                    InputKind::Approximation => out += " approximation",
                    InputKind::Unknown => {}
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                if !results.is_empty() {
                    let _ = write!(out, "{} := ", self.names(results));
                }
                let args: Vec<String> = args.iter().map(|a| sharing.print(*a)).collect();
                let name = lex::quoted(&self.program.functions[*callee].name);
                let _ = write!(out, "call {name}({})", args.join(", "));
            }
        }
        out
    }
}

fn terms_of(stmt: &Stmt) -> Vec<logic::TermId> {
    match stmt {
        Stmt::Skip | Stmt::Havoc(..) => Vec::new(),
        Stmt::Assume(c) => vec![*c],
        Stmt::Assign(pairs) => pairs.iter().map(|(_, e)| *e).collect(),
        Stmt::Call { args, .. } => args.clone(),
    }
}

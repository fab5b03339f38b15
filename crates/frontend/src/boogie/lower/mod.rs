//! Trees to a program: names and types are resolved on the way, a statement with an error is
//! reported and left out.
//!
//! Constants and functions without a body are globals that nobody writes: a constant is a plain
//! one, a function an array over its arguments. So they have any value, always the same.

mod bits;
mod call;
mod declare;
mod entry;
mod expr;
mod inputs;
mod procedure;
mod stmt;

use super::ast;
use super::types::{MAX_BITS, Ty};
use super::{BoogieOptions, BoogieProgram};
use crate::builder::{Builder, VarSpec};
use base::FxHashMap;
use logic::{Pool, TermId};
use program::{Diagnostic, ErrorTag, FuncId, Note, Property, Severity, Span, VarId, VarKind};
use std::collections::BTreeMap;

/// A typed value.
#[derive(Clone, Debug)]
struct Val {
    term: TermId,
    ty: Ty,
}

/// What a name means; `var` if it can be assigned.
#[derive(Clone, Debug)]
struct Bind {
    val: Val,
    var: Option<VarId>,
}

/// The names around an expression, besides the globals.
#[derive(Clone, Debug, Default)]
struct Env {
    names: FxHashMap<String, Bind>,
    /// Inside `old(…)`.
    old: bool,
}

/// What `old` of a global is here.
enum Old {
    /// Its current value.
    Now,
    /// A copy that the procedure makes when it is entered.
    Copies(BTreeMap<VarId, VarId>),
    /// A value at hand, for globals that have changed.
    Saved(FxHashMap<VarId, TermId>),
}

/// A procedure, resolved.
struct Proc<'a> {
    ast: &'a ast::Procedure,
    ins: Vec<Ty>,
    outs: Vec<Ty>,
    implementations: Vec<FuncId>,
}

struct Lower<'a> {
    pool: &'a mut Pool,
    b: Builder,
    types: FxHashMap<&'a str, &'a ast::TypeDecl>,
    globals: FxHashMap<String, Bind>,
    /// `where` conditions of globals.
    conditions: Vec<(VarId, &'a ast::Expr)>,
    /// Those of the current procedure's variables.
    local_conditions: Vec<(VarId, &'a ast::Expr)>,
    functions: FxHashMap<&'a str, &'a ast::Function>,
    /// Functions without bodies that are used, as globals.
    tables: FxHashMap<&'a str, VarId>,
    /// Functions being expanded.
    expanding: Vec<&'a str>,
    procs: Vec<Proc<'a>>,
    proc_ids: FxHashMap<&'a str, usize>,
    old: Old,
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    inexact: Option<Note>,
}

pub fn lower(
    pool: &mut Pool,
    unit: &ast::Unit,
    options: &BoogieOptions,
) -> Result<BoogieProgram, Vec<Diagnostic>> {
    let mut l = Lower {
        pool,
        b: Builder::new(),
        types: FxHashMap::default(),
        globals: FxHashMap::default(),
        conditions: Vec::new(),
        local_conditions: Vec::new(),
        functions: FxHashMap::default(),
        tables: FxHashMap::default(),
        expanding: Vec::new(),
        procs: Vec::new(),
        proc_ids: FxHashMap::default(),
        old: Old::Now,
        diagnostics: Vec::new(),
        warnings: Vec::new(),
        inexact: None,
    };
    let entry = l.b.declare("$entry", Span::unknown(), Span::unknown());
    l.declarations(unit);
    l.bodies(unit);
    l.entry(entry, unit, options);
    if !l.diagnostics.is_empty() {
        l.diagnostics.sort_by_key(|d| d.span);
        return Err(l.diagnostics);
    }
    if let Some(note) = l.inexact.clone() {
        l.b.note(note.span, note.message);
    }
    let mut program = l.b.finish(l.pool, entry);
    inputs::choose_inputs(l.pool, &mut program);
    Ok(BoogieProgram {
        program,
        warnings: l.warnings,
        inexact: l.inexact,
    })
}

/// Sound because `x'` is the name of the value of `x` after a block: no variable may be called so.
fn plain(name: &str) -> String {
    name.replace('\'', "`")
}

impl<'a> Lower<'a> {
    fn error(&mut self, span: Span, message: String) {
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            span,
            message,
            help: None,
        });
    }

    fn warn(&mut self, span: Span, message: String) {
        self.warnings.push(Diagnostic {
            severity: Severity::Warning,
            span,
            message,
            help: None,
        });
    }

    /// From here on an error found may be none; the first reason is kept, all are noted.
    fn loose(&mut self, span: Span, message: String) {
        self.b.note(span, message.clone());
        self.inexact.get_or_insert(Note { span, message });
    }

    fn variable(&mut self, kind: VarKind, name: &ast::Name, unique: &str, ty: &Ty) -> VarId {
        let sort = ty.sort(self.pool);
        self.b.var(
            self.pool,
            VarSpec {
                name: &plain(unique),
                sort,
                range: ty.range(),
                kind,
                source_name: Some(name.text.clone()),
                source_type: Some(ty.to_string()),
                span: name.span,
            },
        )
    }

    /// A local of the current function that the user did not write.
    fn temporary(&mut self, name: &str, ty: &Ty, span: Span) -> VarId {
        let sort = ty.sort(self.pool);
        let function = &self.b.functions[self.b.func].name;
        let unique = format!("{function}.{name}");
        self.b.var(
            self.pool,
            VarSpec {
                name: &plain(&unique),
                sort,
                range: ty.range(),
                kind: VarKind::Local,
                source_name: None,
                source_type: None,
                span,
            },
        )
    }

    fn bind(&self, var: VarId, ty: &Ty) -> Bind {
        Bind {
            val: Val {
                term: self.b.vars[var].term,
                ty: ty.clone(),
            },
            var: Some(var),
        }
    }

    fn tag(&self, span: Span, message: String) -> ErrorTag {
        ErrorTag {
            property: Property::Unreach,
            span,
            message,
        }
    }

    // ---- types ----

    fn ty(&mut self, ty: &ast::Type) -> Option<Ty> {
        self.resolve(ty, &FxHashMap::default(), 0)
    }

    fn resolve(&mut self, ty: &ast::Type, params: &FxHashMap<&str, Ty>, depth: u32) -> Option<Ty> {
        match ty {
            ast::Type::Unsupported(what, span) => {
                self.error(*span, format!("{what} are not supported"));
                None
            }
            ast::Type::Map(indices, element) => {
                let element = self.resolve(element, params, depth)?;
                let mut sorts = Vec::new();
                for i in indices {
                    sorts.push(self.resolve(i, params, depth)?);
                }
                Some(match sorts.is_empty() {
                    true => element,
                    false => Ty::Map(sorts, Box::new(element)),
                })
            }
            ast::Type::Named(name, args) => {
                let mut types = Vec::new();
                for a in args {
                    types.push(self.resolve(a, params, depth)?);
                }
                self.named(name, types, params, depth)
            }
        }
    }

    fn named(
        &mut self,
        name: &ast::Name,
        args: Vec<Ty>,
        params: &FxHashMap<&str, Ty>,
        depth: u32,
    ) -> Option<Ty> {
        if let (Some(ty), true) = (params.get(name.text.as_str()), args.is_empty()) {
            return Some(ty.clone());
        }
        let bits = name.text.strip_prefix("bv").and_then(|b| b.parse().ok());
        match (name.text.as_str(), bits) {
            ("int", _) => return Some(Ty::Int),
            ("bool", _) => return Some(Ty::Bool),
            ("real", _) => return Some(Ty::Real),
            (_, Some(n @ 1..=MAX_BITS)) => return Some(Ty::Bv(n as u8)),
            (_, Some(n)) => {
                self.error(
                    name.span,
                    format!("bit-vectors of {n} bits are not supported"),
                );
                return None;
            }
            _ => {}
        }
        match self.types.get(name.text.as_str()).copied() {
            None => {
                self.error(name.span, format!("there is no type `{}`", name.text));
                None
            }
            Some(ast::TypeDecl::Opaque(_)) => {
                let mut text = name.text.clone();
                for a in &args {
                    text.push_str(&format!(" ({a})"));
                }
                Some(Ty::Named(text))
            }
            Some(ast::TypeDecl::Synonym(_, names, ty)) => {
                if names.len() != args.len() || depth > 100 {
                    let message = format!("`{}` does not stand for a type here", name.text);
                    self.error(name.span, message);
                    return None;
                }
                let inner = names.iter().map(|n| n.text.as_str()).zip(args).collect();
                self.resolve(ty, &inner, depth + 1)
            }
        }
    }
}

//! Syntax tree to typed tree: names, types, conversions, constants, linking.
//!
//! One [`Sema`] sees all files in turn: file-scope names are forgotten between files, external
//! names and types stay. An error is reported where it is found; the expression then has type
//! `Error`, which every later check accepts silently, so one mistake gives one message.

pub mod claims;

mod addresses;
mod assign;
mod atomic;
mod builtin;
mod by_value;
mod call;
mod cleanup;
mod columns;
mod complex;
mod constant;
mod convert;
pub(in crate::c) mod cprover;
mod decl;
mod destructor;
mod expr;
mod format;
mod function;
mod glibc;
mod init;
mod intrinsic;
mod jumps;
mod known_text;
mod landing;
mod late_check;
mod library;
mod link;
pub mod literal;
mod model_copies;
mod nested;
mod object;
mod operator;
pub(crate) mod outside;
mod parts;
pub mod place;
mod qualifiers;
mod quantifier;
mod record;
mod scan;
mod special;
mod statics;
mod steps;
mod stmt;
mod typing;
pub(in crate::c) mod untyped;
mod variable_record;
mod variadic;
mod vector;
mod weak;

use super::COptions;
use super::hir::{self, Expr, ExprKind, FuncId, GlobalId, LabelId, LocalId, Place, Unit};
use super::syntax::lexer;
use super::types::{FloatKind, IntKind, Type, TypeId, Types};
use crate::c::syntax::ast::{self, At};
use crate::c::syntax::lexer::{BUILTIN_TYPES, Interner, Lexed, Symbol};
use base::IndexVec;
use base::{FxHashMap, FxHashSet};
use place::Places;
use program::{Diagnostic, Note, Severity, Span};
use std::collections::{BTreeMap, BTreeSet};

const MAX_DIAGNOSTICS: usize = 50;

/// What an ordinary name stands for.
#[derive(Clone, Copy, Debug)]
enum Binding {
    Typedef(TypeId),
    Global(GlobalId),
    Func(FuncId),
    Local(LocalId),
    EnumConstant(i128, TypeId),
}

/// Something with linkage.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Global(GlobalId),
    Func(FuncId),
}

/// A name space with nested scopes, by undo log.
struct Scoped<B> {
    slots: Vec<Option<(B, u32)>>,
    undo: Vec<(Symbol, Option<(B, u32)>)>,
}

impl<B: Copy> Scoped<B> {
    fn new(names: usize) -> Self {
        Scoped {
            slots: vec![None; names],
            undo: Vec::new(),
        }
    }

    fn get(&self, name: Symbol) -> Option<B> {
        self.slots[name.0 as usize].map(|(b, _)| b)
    }

    /// The depth of the scope that binds the name.
    fn depth_of(&self, name: Symbol) -> Option<u32> {
        self.slots[name.0 as usize].map(|(_, depth)| depth)
    }

    /// Only if bound in the scope of this depth.
    fn get_at(&self, name: Symbol, depth: u32) -> Option<B> {
        self.slots[name.0 as usize]
            .filter(|&(_, d)| d == depth)
            .map(|(b, _)| b)
    }

    fn bind(&mut self, name: Symbol, binding: B, depth: u32) {
        let old = self.slots[name.0 as usize].replace((binding, depth));
        self.undo.push((name, old));
    }

    fn rewind(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((name, old)) = self.undo.pop() {
                self.slots[name.0 as usize] = old;
            }
        }
    }
}

/// The file being read.
#[derive(Clone, Copy)]
struct FileContext<'t> {
    text: &'t str,
    lexed: &'t Lexed,
    places: &'t Places,
}

/// The function being read.
struct FunctionContext {
    id: FuncId,
    ret: TypeId,
    labels: FxHashMap<Symbol, LabelState>,
    address_labels: Vec<LabelId>,
    switches: Vec<SwitchContext>,
    /// Loops and switches around the current statement.
    breakable: u32,
    loops: u32,
    name_string: Option<hir::StringId>,
    /// The function around a nested one.
    outer: Option<Box<FunctionContext>>,
}

impl FunctionContext {
    fn add_address_label(&mut self, id: LabelId) {
        if !self.address_labels.contains(&id) {
            self.address_labels.push(id);
        }
    }
}

#[derive(Clone, Copy)]
struct LabelState {
    id: LabelId,
    defined: bool,
    /// By `__label__`: nested functions see it.
    declared: bool,
    used_at: At,
}

struct SwitchContext {
    ty: TypeId,
    cases: Vec<hir::Case>,
    default: Option<LabelId>,
}

/// A value, an object, or a function.
enum Operand {
    Value(Expr),
    Place(Place),
    /// A function designator, as a pointer to it.
    Function(Expr),
}

pub struct Sema<'t, 'a> {
    unit: Unit,
    names: &'t Interner<'a>,
    file: FileContext<'t>,
    diagnostics: Vec<Diagnostic>,
    ordinary: Scoped<Binding>,
    tags: Scoped<TypeId>,
    marks: Vec<(usize, usize)>,
    linked: FxHashMap<Symbol, Entity>,
    /// Names with linkage in this file, also internal.
    file_entities: FxHashMap<Symbol, Entity>,
    func: Option<FunctionContext>,
    /// Evaluations of VLA lengths that must happen before the current declaration.
    pending: Vec<hir::Stmt>,
    in_prototype: bool,
    /// Functions declared as an alias, with their target's name.
    aliases: Vec<(FuncId, String, Span)>,
    /// Functions with an assembler name of their own.
    asm_names: Vec<(FuncId, String, Span)>,
    /// Functions called before `main`, by priority and order.
    constructors: BTreeMap<(i128, FuncId), Span>,
    /// Functions called when the program ends, likewise; the last first.
    destructors: BTreeMap<(i128, FuncId), Span>,
    /// Alignments that typedefs ask for, by name and depth of scope.
    typedef_aligns: FxHashMap<(Symbol, u32), u64>,
    /// Objects that were declared weak.
    weak_globals: BTreeSet<GlobalId>,
    /// The declared types of objects that are longer, see `statics::lengthen`.
    lengthened: FxHashMap<GlobalId, TypeId>,
    warned: FxHashSet<Symbol>,
    inline_defs: FxHashSet<FuncId>,
    /// Where the function at hand hands its `...` on as it is (`__builtin_va_arg_pack`).
    packed: Option<(Span, String)>,
    /// Records with members of variable length, by the arrays that stand for them.
    variable_records: FxHashMap<TypeId, variable_record::VariableRecord>,
    /// What names point to.
    pointed_names: qualifiers::PointedNames,
    /// Functions that are called when a local ends.
    cleanups: FxHashMap<LocalId, FuncId>,
    /// Locals that a nested function uses, and where.
    captured: BTreeMap<LocalId, Span>,
    /// Labels defined so far; code that has some is never folded away.
    label_definitions: u32,
    /// The models of the library, and the place that stands for theirs while one is read.
    models: Option<library::Models<'t>>,
    /// Inside formulas of contracts: integers are mathematical.
    exact: u32,
    model_place: Option<Span>,
    /// What the calls of the program have in common, and whether the program is to be run.
    uses: special::Uses,
    running: bool,
}

impl<'t, 'a> Sema<'t, 'a> {
    pub fn new(
        options: &COptions,
        names: &'t Interner<'a>,
        text: &'t str,
        lexed: &'t Lexed,
        places: &'t Places,
    ) -> Self {
        Sema {
            unit: Unit {
                types: Types::new(options.data_model),
                globals: IndexVec::new(),
                functions: IndexVec::new(),
                locals: IndexVec::new(),
                labels: IndexVec::new(),
                strings: IndexVec::new(),
                alignments: hir::Alignments::default(),
                exprs: 0,
                notes: Vec::new(),
                assumptions: Vec::new(),
                assembly: Vec::new(),
            },
            names,
            file: FileContext {
                text,
                lexed,
                places,
            },
            diagnostics: Vec::new(),
            ordinary: Scoped::new(names.len()),
            tags: Scoped::new(names.len()),
            marks: Vec::new(),
            linked: FxHashMap::default(),
            file_entities: FxHashMap::default(),
            func: None,
            pending: Vec::new(),
            in_prototype: false,
            aliases: Vec::new(),
            asm_names: Vec::new(),
            constructors: BTreeMap::new(),
            destructors: BTreeMap::new(),
            typedef_aligns: FxHashMap::default(),
            weak_globals: BTreeSet::new(),
            lengthened: FxHashMap::default(),
            warned: FxHashSet::default(),
            inline_defs: FxHashSet::default(),
            packed: None,
            variable_records: FxHashMap::default(),
            pointed_names: qualifiers::PointedNames::default(),
            cleanups: FxHashMap::default(),
            captured: BTreeMap::new(),
            label_definitions: 0,
            models: None,
            model_place: None,
            exact: 0,
            uses: special::Uses::default(),
            running: options.running,
        }
    }

    /// Reads one file; earlier files' external names are known to the linker, not in scope.
    pub fn file(&mut self, tree: &ast::File, text: &'t str, lexed: &'t Lexed, places: &'t Places) {
        self.file = FileContext {
            text,
            lexed,
            places,
        };
        self.ordinary.rewind(0);
        self.tags.rewind(0);
        self.marks.clear();
        self.file_entities.clear();
        self.declare_builtin_types();
        for item in &tree.items {
            match item {
                ast::Item::Declaration(d) => self.file_declaration(d),
                ast::Item::Function(f) => self.function_definition(f),
                ast::Item::StaticAssert(a) => self.static_assert(a),
                ast::Item::Asm(at) => {
                    let span = self.span(*at);
                    self.note(
                        span,
                        "assembly outside of functions: what it defines is not known",
                    );
                    let count = self.file.lexed.tokens.len() as At;
                    let mut near = (*at + 1..count).take(4);
                    if let Some(first) = near.find(|&t| self.token_text(t).starts_with('"')) {
                        let text = self.strings_text(first);
                        self.unit.assembly.push(text);
                    }
                }
            }
        }
        self.resolve_aliases();
    }

    /// Takes over the unit of another front end, to be linked with the library, and which functions run when the
    /// program ends.
    pub(in crate::c) fn adopt(&mut self, unit: Unit, destructors: Vec<(i128, FuncId)>) {
        self.unit = unit;
        for (id, global) in self.unit.globals.iter_enumerated() {
            if global.linkage == hir::Linkage::External
                && outside::OPTION_GLOBALS.contains(&global.name.as_str())
                && let Some(name) = self.names.get(&global.name)
            {
                self.linked.insert(name, Entity::Global(id));
            }
        }
        for (priority, f) in destructors {
            let span = self.unit.functions[f].span;
            self.destructors.insert((priority, f), span);
        }
    }

    fn declare_builtin_types(&mut self) {
        for name in BUILTIN_TYPES {
            let types = &mut self.unit.types;
            let ty = match *name {
                "__builtin_va_list" => types.va_list(),
                "__CPROVER_size_t" => types.size_t(),
                "__CPROVER_ssize_t" => types.int(IntKind::Long),
                "__CPROVER_bool" => types.int(IntKind::Bool),
                "__int128_t" => types.int(IntKind::Int128),
                "__uint128_t" => types.int(IntKind::UInt128),
                "_Float32" => types.float(FloatKind::F32),
                "_Float64" | "_Float32x" => types.float(FloatKind::F64),
                "_Float64x" | "__float80" => types.float(FloatKind::F80),
                _ => types.float(FloatKind::F128),
            };
            if let Some(symbol) = self.names.get(name) {
                self.ordinary.bind(symbol, Binding::Typedef(ty), 0);
            }
        }
    }

    // ------------------------------------------------------------ places and messages

    fn span(&self, at: At) -> Span {
        if let Some(place) = self.model_place {
            return place;
        }
        self.file.places.span(&self.file.lexed.tokens[at as usize])
    }

    fn token_text(&self, at: At) -> &'t str {
        let token = self.file.lexed.tokens[at as usize];
        &self.file.text[token.start as usize..token.end as usize]
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Severity::Error, span, message.into(), None);
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.report(Severity::Warning, span, message.into(), None);
    }

    fn report(&mut self, severity: Severity, span: Span, message: String, help: Option<String>) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS || severity == Severity::Error && !self.failed()
        {
            self.diagnostics.push(Diagnostic {
                severity,
                span,
                message,
                help,
            });
        }
    }

    fn failed(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    fn assume(&mut self, span: Span, message: impl Into<String>) {
        self.unit.assumptions.push(Note {
            span,
            message: message.into(),
        });
    }

    fn note(&mut self, span: Span, message: impl Into<String>) {
        self.unit.notes.push(Note {
            span,
            message: message.into(),
        });
    }

    // ------------------------------------------------------------ scopes

    fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    fn enter(&mut self) {
        self.marks
            .push((self.ordinary.undo.len(), self.tags.undo.len()));
    }

    fn leave(&mut self) {
        if let Some((ordinary, tags)) = self.marks.pop() {
            self.ordinary.rewind(ordinary);
            self.tags.rewind(tags);
        }
    }

    fn bind(&mut self, name: Symbol, binding: Binding) {
        let depth = self.depth();
        self.ordinary.bind(name, binding, depth);
    }

    // ------------------------------------------------------------ small makers

    fn error_type(&mut self) -> TypeId {
        self.unit.types.intern(Type::Error)
    }

    fn error_expr(&mut self, span: Span) -> Expr {
        let ty = self.error_type();
        Expr::new(ExprKind::Int(0), ty, span)
    }

    fn int_type(&mut self) -> TypeId {
        self.unit.types.int(IntKind::Int)
    }

    fn int_expr(&mut self, value: i128, kind: IntKind, span: Span) -> Expr {
        let ty = self.unit.types.int(kind);
        Expr::new(ExprKind::Int(value), ty, span)
    }

    fn types(&self) -> &Types {
        &self.unit.types
    }

    fn show(&self, ty: TypeId) -> String {
        self.unit.types.display(ty)
    }

    fn text(&self, name: Symbol) -> &'a str {
        self.names.name(name)
    }

    fn new_local(
        &mut self,
        name: &str,
        ty: TypeId,
        span: Span,
        kind: hir::LocalKind,
        quals: ast::Qualifiers,
    ) -> LocalId {
        let function = self
            .func
            .as_ref()
            .map(|f| f.id)
            .expect("locals are made inside functions only");
        self.unit.locals.push(hir::Local {
            name: name.into(),
            ty,
            span,
            kind,
            function,
            is_const: quals.is_const,
            is_volatile: quals.is_volatile,
            address_taken: false,
        })
    }

    /// The unit and all diagnostics.
    pub fn finish(mut self) -> (Unit, Vec<Diagnostic>) {
        self.resolve_file_local();
        self.call_cleanups();
        self.call_compiled_in();
        self.weak_addresses();
        known_text::hand_on(&mut self.unit);
        self.link_library();
        self.call_destructors();
        self.call_constructors();
        self.lift_captured();
        self.jump_between_functions();
        self.unique_names();
        variadic::expand(&mut self.unit);
        if !self.running {
            untyped::recognise(&mut self.unit);
            late_check::doubt(&mut self.unit);
        }
        self.unit.number();
        (self.unit, self.diagnostics)
    }

    /// Lexical and syntax errors found before sema, as diagnostics.
    pub fn lexical_errors(lexed: &lexer::Lexed, places: &Places, out: &mut Vec<Diagnostic>) {
        for (start, end, message) in lexed.errors.iter().take(20) {
            out.push(Diagnostic {
                severity: Severity::Error,
                span: places.range(*start, *end),
                message: message.clone(),
                help: None,
            });
        }
    }
}

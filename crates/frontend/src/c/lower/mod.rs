//! Lowering: the typed tree of C to a program of the model.
//!
//! ```text
//! Unit ─reach→ reachable part ─memory→ regions ─per function→ edges ─clean-up→ Program
//! ```
//! Numbers are mathematical integers inside the ranges of their types; unsigned arithmetic wraps,
//! signed overflow is assumed absent (and said), wrapped or checked, as the options say. Objects
//! whose address is not used are plain variables, one per scalar; the rest lives in regions.
//!
//! // Sound because what is not modelled gets any value, with a note; blocking happens only where
//! // C leaves the behaviour undefined, and each kind of that is an assumption of the program.

pub(in crate::c) mod access;
mod address_flow;
mod aggregate;
mod arguments;
mod arith;
mod assign;
mod bits;
mod bytes;
pub(in crate::c) mod call;
mod claim;
mod cond;
pub(in crate::c) mod debug;
mod declare;
mod effects;
pub(in crate::c) mod expr;
mod float;
mod init;
mod leaks;
mod lifetime;
mod order;
pub(in crate::c) mod place;
pub mod ranges;
pub mod reach;
pub(in crate::c) mod safety;
pub mod scalar;
mod spread;
mod stmt;
mod undefined;
mod user_contracts;

use super::hir::{self, LocalId, StmtKind, Unit, visit};
use super::library::table;
use super::memory::constraints;
use super::memory::regions::{Layout, Memory, RegionId};
use super::types::DataModel;
use crate::builder::Builder;
use crate::c::sema::claims::{Claim, Placed};
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Pool, TermId};
use program::{
    DebugInfo, Diagnostic, FuncId, LocId, Program, Property, Severity, SourceMap, Span, VarId,
};
use ranges::Ranges;
use reach::{ObjectKey, Reach};
use safety::Room;
use scalar::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What to lower and which properties to check.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    pub data_model: DataModel,
    /// Error locations are made for these.
    pub properties: BTreeSet<Property>,
    /// Signed arithmetic wraps around, as with gcc's `-fwrapv`.
    pub wrapv: bool,
    /// The function where execution starts.
    pub entry: String,
    /// Extern functions may write through their pointer arguments.
    pub library_writes: bool,
    /// Allocation may return null.
    pub malloc_may_fail: bool,
    /// The program is to be run: one address for each object will do.
    pub running: bool,
    /// The question is whether the end of the entry is reached: that is the error, and the only one.
    pub reach_end: bool,
    /// What the claims woven into the unit are, by number.
    pub claims: Vec<Claim>,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            data_model: DataModel::Lp64,
            properties: BTreeSet::from([Property::Unreach]),
            wrapv: false,
            entry: "main".into(),
            library_writes: false,
            malloc_may_fail: false,
            running: false,
            reach_end: false,
            claims: Vec::new(),
        }
    }
}

/// One scalar of a split object, or all scalars at one place of its array elements.
#[derive(Clone, Debug)]
pub(in crate::c) struct Slot {
    var: VarId,
    scalar: Scalar,
    /// Bits per element and number of elements, outermost first; empty: a plain variable.
    dims: Vec<(u64, u64)>,
}

/// An object kept as variables, by bit offset (of the first element, inside arrays).
#[derive(Clone, Debug, Default)]
pub(in crate::c) struct Split {
    slots: BTreeMap<u64, Slot>,
    /// Arrays are kept as array variables, else element by element.
    folded: bool,
}

/// How a region is represented.
#[derive(Clone, Debug)]
pub(in crate::c) enum RegionVars {
    /// Variables at fixed addresses, sorted by address.
    Cells(Rc<Vec<(u64, VarId)>>),
    /// From address to value.
    Array(VarId),
}

/// How a value is passed or returned.
#[derive(Clone, Debug)]
pub(in crate::c) enum Shape {
    Nothing,
    Scalar(Scalar),
    /// A record by its leaves.
    Leaves(Rc<Vec<scalar::Leaf>>),
    /// Too large to pass: any value on the other side.
    Opaque,
}

#[derive(Clone, Debug)]
pub(in crate::c) struct Callable {
    id: FuncId,
    params: Vec<Shape>,
    ret: Shape,
}

/// The function under construction.
#[derive(Default)]
pub(in crate::c) struct Frame {
    labels: FxHashMap<hir::LabelId, LocId>,
    /// Where `break` and `continue` go and the blocks that stay open there, innermost last.
    breaks: Vec<(LocId, usize)>,
    continues: Vec<(LocId, usize)>,
    lifetimes: lifetime::Lifetimes,
    /// Base addresses of objects that move.
    bases: FxHashMap<LocalId, VarId>,
    /// The last memory of the stack that each call of `alloca` gave, 0 before it.
    pub(in crate::c) stacked: FxHashMap<hir::ExprId, VarId>,
    returns: Vec<VarId>,
    ret: Option<Shape>,
    /// Conditions under which the expression at hand is evaluated.
    guards: Vec<TermId>,
    pub(in crate::c) name: String,
    /// The function is a model of the library.
    pub(in crate::c) library: bool,
    /// Says whether the function ended without a value, if that is checked.
    missing: Option<VarId>,
    /// Where `return` goes.
    last: Option<LocId>,
}

pub(crate) struct Lower<'a> {
    pub(in crate::c) pool: &'a mut Pool,
    pub(in crate::c) unit: &'a Unit,
    pub(in crate::c) options: &'a LowerOptions,
    pub(in crate::c) b: Builder,
    pub(in crate::c) ranges: Ranges,
    pub(in crate::c) reach: Reach,
    pub(in crate::c) memory: Memory,
    pub(in crate::c) functions: FxHashMap<hir::FuncId, Callable>,
    pub(in crate::c) splits: FxHashMap<ObjectKey, Rc<Split>>,
    pub(in crate::c) in_memory: FxHashSet<ObjectKey>,
    pub(in crate::c) region_vars: FxHashMap<RegionId, RegionVars>,
    pub(in crate::c) once: FxHashSet<LocalId>,
    pub(in crate::c) frame: Frame,
    pub(in crate::c) alloc_top: Option<VarId>,
    /// The program looks at addresses as numbers.
    pub(in crate::c) integers: bool,
    pub(in crate::c) bits: address_flow::AddressBits,
    pub(in crate::c) effects: IndexVec<hir::ExprId, Option<bool>>,
    /// Like `effects`, but only what changes variables or memory.
    pub(in crate::c) writes: IndexVec<hir::ExprId, Option<bool>>,
    /// Variables that only the expression which made them assigns, before its value is used.
    pub(in crate::c) temporaries: FxHashSet<TermId>,
    /// Variables that begin without a value, with the flag that says whether they have one.
    pub(in crate::c) written: FxHashMap<VarId, VarId>,
    /// Functions that may end without a value, with the flag that says so.
    pub(in crate::c) missing: FxHashMap<hir::FuncId, VarId>,
    /// Set when memory safety is checked.
    pub(in crate::c) safety: Option<safety::Safety>,
    /// Tables of functions that nobody knows (`__CPROVER_uninterpreted_…`).
    pub(in crate::c) tables: BTreeMap<String, VarId>,
    /// Assignments whose value nobody uses.
    pub(in crate::c) unused: IndexVec<hir::ExprId, bool>,
    /// The text of string literals, once asked for.
    pub(in crate::c) literals: Option<Option<TermId>>,
    pub(in crate::c) errors: Vec<Diagnostic>,
    /// Types of variables, for reports.
    pub(in crate::c) noted: debug::Noted,
    /// Headers of the system: what they declare is the library's.
    pub(in crate::c) system_files: FxHashSet<program::FileId>,
}

pub(in crate::c) fn system_files(sources: &SourceMap) -> FxHashSet<program::FileId> {
    let files = sources.files.iter().enumerate();
    files
        .filter(|(_, f)| f.name.starts_with("/usr/") || f.name == "<built-in>")
        .map(|(i, _)| base::Id::from_index(i))
        .collect()
}

/// The program of a unit.
///
/// # Errors
/// The entry is missing, or something reachable cannot even be over-approximated (threads).
pub fn lower(
    pool: &mut Pool,
    unit: &Unit,
    options: &LowerOptions,
    sources: &SourceMap,
) -> Result<Program, Vec<Diagnostic>> {
    lower_with_claims(pool, unit, options, sources).map(|lowered| lowered.program)
}

/// A lowered unit.
pub struct Lowered {
    pub program: Program,
    /// What the claims of the options say at their locations.
    pub claims: Vec<Placed>,
    /// What values mean in C's words.
    pub debug: DebugInfo,
}

/// As [`lower`], with what the claims of the options say at their locations.
pub fn lower_with_claims(
    pool: &mut Pool,
    unit: &Unit,
    options: &LowerOptions,
    sources: &SourceMap,
) -> Result<Lowered, Vec<Diagnostic>> {
    // Else-if chains of generated code nest thousands deep.
    base::deep_stack("lower", || {
        let lowered = lower_unit(pool, unit, options, sources, Room::Usual)?;
        match safety::needs_room(&lowered.program) {
            true => lower_unit(pool, unit, options, sources, Room::AnySize),
            false => Ok(lowered),
        }
    })
    .unwrap_or_else(|| Err(vec![error(Span::unknown(), "no memory for the lowering")]))
}

pub(in crate::c) fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        span,
        message: message.into(),
        help: None,
    }
}

fn lower_unit(
    pool: &mut Pool,
    unit: &Unit,
    options: &LowerOptions,
    sources: &SourceMap,
    room: Room,
) -> Result<Lowered, Vec<Diagnostic>> {
    let entry = unit
        .functions
        .iter_enumerated()
        .find(|(_, f)| f.source_name == options.entry && f.body.is_some())
        .map(|(id, _)| id);
    let Some(entry) = entry else {
        let message = format!("there is no function `{}` to start from", options.entry);
        return Err(vec![error(Span::unknown(), message)]);
    };
    let reach = reach::reach(unit, entry);
    let in_memory = declare::memory_objects(unit, &reach);
    let once = executed_once(unit, &reach, entry);
    let modelled = |f: hir::FuncId| is_error(unit, options, f);
    let system = system_files(sources);
    let unmodelled = |f: hir::FuncId| {
        let f = &unit.functions[f];
        system.contains(&f.span.file) && table::find(&f.source_name).is_none()
    };
    let points = constraints::analyse(unit, &reach, &modelled, &unmodelled);
    let predicates = uses_memory_predicates(unit, &reach, options.entry != "main");
    let integers = safety::makes_integers(unit, &reach, &points);
    let block = safety::block_size(unit, options, &points, predicates, integers, room);
    let bits = match integers {
        true => address_flow::AddressBits::find(unit, &reach),
        false => address_flow::AddressBits::default(),
    };
    let memory = Memory::build(
        unit,
        &reach,
        points,
        &Layout {
            in_memory: &|key| in_memory.contains(&key),
            once: &once,
            block,
        },
    );
    let mut lower = Lower {
        pool,
        unit,
        options,
        b: Builder::new(),
        ranges: Ranges::default(),
        reach,
        memory,
        functions: FxHashMap::default(),
        splits: FxHashMap::default(),
        in_memory,
        region_vars: FxHashMap::default(),
        once,
        frame: Frame::default(),
        alloc_top: None,
        integers,
        bits,
        effects: IndexVec::filled(None, unit.exprs),
        writes: IndexVec::filled(None, unit.exprs),
        temporaries: FxHashSet::default(),
        written: FxHashMap::default(),
        missing: FxHashMap::default(),
        safety: None,
        tables: BTreeMap::new(),
        unused: IndexVec::filled(false, unit.exprs),
        literals: None,
        system_files: system,
        errors: Vec::new(),
        noted: debug::Noted::default(),
    };
    lower.safety = block.map(|b| lower.make_safety(b));
    let start = lower.program(entry);
    if !lower.errors.is_empty() {
        return Err(lower.errors);
    }
    lower.say_arguments();
    let debug = lower.debug_info();
    let texts = lower.texts();
    let Lower { pool, b, .. } = lower;
    let said = user_contracts::collect(pool, &b);
    let (mut program, claims) = b.finish_with_claims(pool, start);
    program.contracts = said;
    program.texts = texts;
    program.check_invariants();
    Ok(Lowered {
        program,
        claims,
        debug,
    })
}

/// Does anything reachable ask what is valid memory, by CBMC's words? A `harness` counts as such if it allocates
/// memory of any size: that objects lie far apart is what tells their addresses apart.
fn uses_memory_predicates(unit: &Unit, reach: &Reach, harness: bool) -> bool {
    struct Find<'u> {
        unit: &'u Unit,
        found: bool,
        harness: bool,
    }
    impl<'h> visit::Visitor<'h> for Find<'_> {
        fn expr(&mut self, e: &'h hir::Expr) {
            let (name, args) = match &e.kind {
                hir::ExprKind::Intrinsic { name, args } => (name, args),
                hir::ExprKind::Call {
                    callee: hir::Callee::Direct(f),
                    args,
                } => (&self.unit.functions[*f].source_name, args),
                _ => return,
            };
            let intrinsic = matches!(e.kind, hir::ExprKind::Intrinsic { .. });
            let allocates = name.trim_start_matches("__builtin_") == "malloc";
            let any = |e: &hir::Expr| !matches!(e.kind, hir::ExprKind::Int(_));
            self.found |= intrinsic && crate::c::sema::cprover::looks_at_memory(name)
                || self.harness && allocates && args.iter().any(any);
        }
    }
    let mut find = Find {
        unit,
        found: false,
        harness,
    };
    for &f in &reach.functions {
        if let Some(body) = &unit.functions[f].body {
            visit::shared::block(&mut find, &body.block);
        }
    }
    find.found
}

/// Locals of the entry function declared before any loop or label: their declaration is executed
/// at most once, if nobody calls the entry.
fn executed_once(unit: &Unit, reach: &Reach, entry: hir::FuncId) -> FxHashSet<LocalId> {
    let mut once = FxHashSet::default();
    if reach.called.contains(&entry) {
        return once;
    }
    if let Some(body) = &unit.functions[entry].body {
        once.extend(body.params.iter().copied());
        for s in &body.block.stmts {
            match &s.kind {
                StmtKind::Decl { local, .. } => {
                    once.insert(*local);
                }
                StmtKind::Expr(_) | StmtKind::Empty => {}
                _ => break,
            }
        }
    }
    once
}

/// Is calling the function the error? Where nobody asks for that, one with a body is a function like any other.
fn is_error(unit: &Unit, options: &LowerOptions, f: hir::FuncId) -> bool {
    let function = &unit.functions[f];
    let asked = options.properties.contains(&Property::Unreach) || options.reach_end;
    crate::c::library::is_error_function(&function.source_name)
        && (asked || function.body.is_none())
}

impl<'a> Lower<'a> {
    /// Lowers everything; returns where execution starts.
    fn program(&mut self, entry: hir::FuncId) -> FuncId {
        let unit = self.unit;
        for note in &unit.notes {
            self.b.note(note.span, note.message.clone());
        }
        for assumption in &unit.assumptions {
            self.b.assumption(assumption.span, &assumption.message);
        }
        self.declare_functions();
        let called = self.reach.called.contains(&entry);
        let list = self.reach.functions.clone();
        for f in list {
            if let (Some(body), Some(callable)) =
                (&unit.functions[f].body, self.functions.get(&f).cloned())
            {
                self.function(f, body, &callable, f == entry && !called);
            }
        }
        if !called {
            return self.functions[&entry].id;
        }
        self.start_function(entry)
    }

    fn span_of(&self, f: hir::FuncId) -> Span {
        self.unit.functions[f].span
    }

    /// Runs the initialisers, then calls the entry.
    fn start_function(&mut self, entry: hir::FuncId) -> FuncId {
        let span = self.span_of(entry);
        let start = self.b.declare("start", span, span);
        self.b.enter(start);
        self.frame = Frame {
            name: "start".into(),
            ..Frame::default()
        };
        self.global_initialisers();
        let callable = self.functions[&entry].clone();
        let (args, results) = self.any_call(&callable, span);
        self.b.emit(
            program::Stmt::Call {
                callee: callable.id,
                args,
                results,
            },
            span,
        );
        let exit = self.b.functions[start].exit;
        self.b.jump(exit, span);
        start
    }
}

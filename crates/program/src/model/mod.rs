//! Programs: functions, locations, edges, statements, variables.
//!
//! ```text
//!   int x = 0; while (x < 5) x++; assert(x == 5);
//!
//!   l0 --x := 0--> l1 --assume x < 5--> l2 --x := x+1--> l1
//!                  l1 --assume !(x < 5)--> l3 --assume x = 5--> exit
//!                                          l3 --assume !(x = 5)--> error
//! ```
//!
//! Meaning. A state gives each variable a value *inside its range*. An edge whose statement would
//! put a value outside a variable's range, or whose `Assume` is false, cannot be taken: the
//! execution stops there without error. So a declared range is an invariant of every location by
//! definition, and everyone (engines, checker) may assume it. Front ends make sure that stopping
//! is what the language means there (undefined behaviour assumed absent), else they wrap.
//! The program is *unsafe* if some execution from the entry of `entry` reaches an error location.
//!
//! All ids are program-wide. Edges between locations of one function only; a call is a statement.

pub mod claims;
pub mod debug;
pub mod memory;
pub mod properties;
pub mod source;

use crate::{MemoryModel, Note, Property, Span};
use base::{IndexVec, new_id};
use logic::{Pool, Rational, SortId, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

new_id!(
    /// A function.
    pub FuncId, "fn");
new_id!(
    /// A location of some function.
    pub LocId, "l");
new_id!(
    /// An edge between two locations of one function.
    pub EdgeId, "e");
new_id!(
    /// A variable: global, parameter, return or local.
    pub VarId, "v");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// Lives as long as the program; memory regions are globals of array sort.
    Global,
    /// Set by the call; the function may assign it.
    Param,
    /// Read by the caller when the function's exit is reached.
    Return,
    Local,
}

/// A variable. Parameters, returns and locals have one instance per call; a local (or return) has
/// an arbitrary value inside its range when its function is entered.
#[derive(Clone, Debug)]
pub struct Var {
    /// Unique in the program; also the name of its constant in the pool.
    pub name: String,
    /// The constant that stands for the variable's current value in expressions.
    pub term: TermId,
    pub sort: SortId,
    /// Least and greatest value, for Int variables of a machine type.
    pub range: Option<(Rational, Rational)>,
    pub kind: VarKind,
    /// The name in the source, if the user wrote the variable.
    pub source_name: Option<String>,
    /// The source type as text, for people (`unsigned int`, `struct list *`).
    pub source_type: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ErrorTag {
    pub property: Property,
    pub span: Span,
    /// For people: `assertion x > 0 violated`.
    pub message: String,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub func: FuncId,
    pub span: Span,
    pub error: Option<ErrorTag>,
    /// Where a loop statement of the source begins here: the span of its keyword (for witnesses).
    pub loop_head: Option<Span>,
}

/// Where a value that the program does not determine comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// `__VERIFIER_nondet_T()`; `function` is its name.
    Nondet { function: String },
    /// An extern function without a body returned it.
    Extern { function: String },
    /// Read from the environment by a library function: `stdin`, `rand`, `time`, …
    Environment { what: String },
    /// Uninitialised memory: it may really be anything.
    Unknown,
    /// Stands for something not modelled (inline assembly, a lost copy). The real value is some
    /// value of the range, not any: an error that depends on the choice is none.
    Approximation,
}

impl InputKind {
    /// The function or the part of the environment that chose the value, if the outside did.
    pub fn source(&self) -> Option<&str> {
        match self {
            InputKind::Nondet { function } | InputKind::Extern { function } => Some(function),
            InputKind::Environment { what } => Some(what),
            InputKind::Unknown | InputKind::Approximation => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Skip,
    /// Parallel assignment; all right sides are read before any variable changes.
    Assign(Vec<(VarId, TermId)>),
    Assume(TermId),
    /// Each variable gets any value inside its range.
    Havoc(Vec<VarId>, InputKind),
    /// `args` are evaluated, the callee runs, then its returns are copied to `results`. An
    /// execution that gets stuck in the callee never returns.
    Call {
        callee: FuncId,
        args: Vec<TermId>,
        results: Vec<VarId>,
    },
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: LocId,
    pub to: LocId,
    pub stmt: Stmt,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<VarId>,
    pub returns: Vec<VarId>,
    pub locals: Vec<VarId>,
    pub entry: LocId,
    pub exit: LocId,
    pub span: Span,
}

/// How the names of the functions begin that a function with a contract is divided into.
const MADE: &str = "__craig_";
/// The name of the part that has the user's statements: this, and the function's.
pub const BODY: &str = "__craig_body_";

impl Function {
    /// Is it one that the user wrote? Models of the library have dotted names.
    pub fn is_written(&self) -> bool {
        !self.name.contains('.') && !self.name.starts_with(MADE)
    }

    /// The name of the function that the user wrote its statements in.
    pub fn written_name(&self) -> &str {
        self.name.strip_prefix(BODY).unwrap_or(&self.name)
    }
}

/// A call whose effect is output only (`printf`, `puts`, `putchar`), kept for running programs.
/// Proofs ignore it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputCall {
    pub function: String,
    /// The format or text, when it is a literal: bytes without the terminating zero.
    pub format: Option<Vec<u8>>,
    /// The arguments after the format, as values before the edge; floats as bit patterns.
    pub args: Vec<TermId>,
    /// For each argument that points to characters: the memory (an array-sorted term) it points
    /// into, indexed by byte address.
    pub memory: Vec<Option<TermId>>,
}

/// A whole program. Invariant: see [`Program::check_invariants`].
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: IndexVec<FuncId, Function>,
    pub vars: IndexVec<VarId, Var>,
    pub locations: IndexVec<LocId, Location>,
    pub edges: IndexVec<EdgeId, Edge>,
    pub globals: Vec<VarId>,
    /// Where execution starts, with parameters and globals of any value (the front end emits
    /// initialisers as code).
    pub entry: FuncId,
    /// What a `safe` verdict assumes ("no signed overflow"), each said once.
    pub assumptions: Vec<Note>,
    /// What was over-approximated, with its place.
    pub notes: Vec<Note>,
    /// What running an edge prints, after its statement.
    pub outputs: BTreeMap<EdgeId, OutputCall>,
    /// Assumptions of the front end that block no execution (a value read has its type's range, the command line is
    /// as the outside makes it): no branch of the text.
    /// Only the original program has them.
    pub type_ranges: BTreeSet<EdgeId>,
    /// How memory is laid out, where memory is checked: for explanations. Only the original program has
    /// it.
    pub memory: MemoryModel,
    /// What the user says of functions. Only the original program has them.
    pub contracts: Vec<UserContract>,
    /// Texts that the program names: guesses of what it wants to be told. Only the original program has them.
    pub texts: Vec<Vec<u8>>,
}

/// A function's contract as the user wrote it: a guess like any other to whoever looks for a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserContract {
    /// The function's name, which passes leave it.
    pub function: String,
    /// Over parameters and globals at entry.
    pub requires: Vec<TermId>,
    /// Over returns and globals at exit, and values at entry ([`old_term`]).
    pub ensures: Vec<TermId>,
    /// Addresses of what may change, of values at entry.
    pub assigned: Vec<TermId>,
}

impl Program {
    /// Outgoing edges of every location, in order of edge id.
    pub fn successors(&self) -> IndexVec<LocId, Vec<EdgeId>> {
        let mut out = IndexVec::filled(Vec::new(), self.locations.len());
        for (id, edge) in self.edges.iter_enumerated() {
            out[edge.from].push(id);
        }
        out
    }

    /// Incoming edges of every location, in order of edge id.
    pub fn predecessors(&self) -> IndexVec<LocId, Vec<EdgeId>> {
        let mut out = IndexVec::filled(Vec::new(), self.locations.len());
        for (id, edge) in self.edges.iter_enumerated() {
            out[edge.to].push(id);
        }
        out
    }

    pub fn error_locations(&self) -> impl Iterator<Item = LocId> {
        self.locations
            .iter_enumerated()
            .filter(|(_, l)| l.error.is_some())
            .map(|(id, _)| id)
    }

    /// Whether a variable may hold this value.
    pub fn in_range(&self, var: VarId, value: &Value) -> bool {
        match (&self.vars[var].range, value) {
            (Some((low, high)), Value::Num(n)) => low <= n && n <= high,
            _ => true,
        }
    }

    /// A value the variable may hold: the default of its sort, or the nearest to it in range.
    pub fn default_value(&self, pool: &Pool, var: VarId) -> Value {
        let v = &self.vars[var];
        match (&v.range, pool.default_value(v.sort)) {
            (Some((low, _)), Value::Num(n)) if n < *low => Value::Num(low.clone()),
            (Some((_, high)), Value::Num(n)) if n > *high => Value::Num(high.clone()),
            (_, value) => value,
        }
    }

    /// Broken invariants are bugs of whoever built the program.
    pub fn check_invariants(&self) {
        for (id, edge) in self.edges.iter_enumerated() {
            let (from, to) = (&self.locations[edge.from], &self.locations[edge.to]);
            assert!(from.func == to.func, "edge {id} stays in one function");
            assert!(
                from.error.is_none(),
                "error locations have no outgoing edges"
            );
            if let Stmt::Call {
                callee,
                args,
                results,
            } = &edge.stmt
            {
                let f = &self.functions[*callee];
                assert!(
                    f.params.len() == args.len(),
                    "call {id} passes every parameter"
                );
                assert!(
                    f.returns.len() == results.len(),
                    "call {id} takes every result"
                );
            }
        }
        for (id, f) in self.functions.iter_enumerated() {
            assert!(self.locations[f.entry].func == id && self.locations[f.exit].func == id);
        }
    }
}

//! From a module to the typed tree of the C front end.
//!
//! The tree gives LLVM what C has: regions of memory, models of the library, checks, findings. Blocks
//! become labels and jumps. A value that one instruction of its block uses is put into that
//! instruction, so that trees look as in the source; others are locals, assigned where they are
//! computed. Allocations are locals; addresses of parts of them are kept as places, so that only what
//! really escapes lives in memory.
//!
//! // Sound because instructions are moved only to their one use in the same block, and never
//! // across a write or call that they could see ([`function`]).

mod aggregate;
mod allocation;
mod arithmetic;
mod at_exit;
mod build;
mod call;
mod function;
mod global;
mod hierarchy;
mod instruction;
mod intrinsic;
mod memory;
mod place;
mod recover;
mod runtime;
mod terminator;
mod types;
mod unwind;
mod value;
mod vector;
mod waiting;
mod wide;
mod written_first;

use super::debug::Debug;
use super::module::{Module, Ty};
use super::signs::Signs;
use crate::c::hir::{self, FuncId, GlobalId, StringId, Unit};
use crate::c::types::{DataModel, TypeId, Types};
use base::{FxHashMap, FxHashSet, IndexVec};
use program::{Note, SourceMap, Span};

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
enum Symbol {
    Global(GlobalId),
    String(StringId),
    Func(FuncId),
}

pub(super) struct Translator<'m, 't> {
    module: &'m Module<'t>,
    debug: Debug<'m, 't>,
    signs: Signs,
    sources: &'m mut SourceMap,
    unit: Unit,
    types: FxHashMap<(Ty, bool), TypeId>,
    records: FxHashMap<Ty, TypeId>,
    /// Records of the pieces of integers, by their bits.
    pieces: FxHashMap<u32, TypeId>,
    /// Records that accesses told: between their members there may be others.
    incomplete: FxHashSet<TypeId>,
    member_names: FxHashMap<(Ty, u32), &'t str>,
    symbols: FxHashMap<&'t str, Symbol>,
    plain_names: FxHashSet<String>,
    /// Index of a function in the module.
    indices: FxHashMap<&'t str, usize>,
    /// Functions of the runtime that the module does not declare.
    runtime: FxHashMap<&'static str, FuncId>,
    unwind: unwind::Unwind,
    f: function::Work<'m, 't>,
}

/// A module as a tree.
pub(super) struct Translated {
    pub unit: Unit,
    /// The function where execution starts.
    pub entry: String,
    /// Functions that run when the program ends, with their priorities.
    pub destructors: Vec<(i128, FuncId)>,
}

/// The tree of a module.
pub(super) fn translate<'t>(
    module: &Module<'t>,
    name: &str,
    text: &str,
    entry: &str,
    sources: &mut SourceMap,
) -> Translated {
    let debug = Debug::new(module, name, text, sources);
    let signs = Signs::infer(module, &debug);
    let model = if super::layout::is_32(module) {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    let unit = Unit {
        types: Types::new(model),
        globals: IndexVec::new(),
        functions: IndexVec::new(),
        locals: IndexVec::new(),
        labels: IndexVec::new(),
        strings: IndexVec::new(),
        alignments: hir::Alignments {
            exact: true,
            ..Default::default()
        },
        exprs: 0,
        notes: Vec::new(),
        assumptions: Vec::new(),
        assembly: Vec::new(),
    };
    let mut member_names = FxHashMap::default();
    for (key, member) in super::signs::record_members(module, &debug) {
        if let Some(name) = debug.name(member) {
            member_names.insert(key, name);
        }
    }
    let mut t = Translator {
        module,
        debug,
        signs,
        sources,
        unit,
        types: FxHashMap::default(),
        records: FxHashMap::default(),
        pieces: FxHashMap::default(),
        incomplete: FxHashSet::default(),
        member_names,
        symbols: FxHashMap::default(),
        plain_names: FxHashSet::default(),
        indices: FxHashMap::default(),
        runtime: FxHashMap::default(),
        unwind: unwind::Unwind::default(),
        f: function::Work::default(),
    };
    t.declare();
    t.prepare_unwinding();
    t.initialisers();
    for i in 0..module.functions.len() {
        if !module.functions[i].blocks.is_empty() {
            t.function(i);
        }
    }
    let entry = t.entry(entry);
    let destructors = t.destructors();
    Translated {
        unit: t.unit,
        entry,
        destructors,
    }
}

impl<'t> Translator<'_, 't> {
    fn note(&mut self, span: Span, message: impl Into<String>) {
        self.unit.notes.push(Note {
            span,
            message: message.into(),
        });
    }

    /// The function where execution starts: Rust's own `main`, not the one of its runtime.
    fn entry(&mut self, wanted: &str) -> String {
        let rust = runtime::rust_main(self.module).filter(|_| wanted == "main");
        let found = rust.or_else(|| {
            let mut all = self
                .module
                .functions
                .iter()
                .filter(|f| !f.blocks.is_empty());
            let named = |f: &&super::module::Function<'t>| {
                let plain = runtime::demangle(f.name);
                f.name == wanted || plain == wanted || plain.split('(').next() == Some(wanted)
            };
            all.find(named).map(|f| f.name)
        });
        let Some(Symbol::Func(f)) = found.and_then(|n| self.symbols.get(n)) else {
            return wanted.to_string();
        };
        let f = *f;
        self.guard_entry(f);
        self.run_constructors(f);
        let function: &hir::Function = &self.unit.functions[f];
        function.source_name.clone()
    }
}

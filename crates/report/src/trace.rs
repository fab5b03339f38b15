//! An execution as a story in source terms: one row a statement, with what changed in it.
//!
//! Edges of one statement and one call are one row; a call begins with a row of its own that has the
//! arguments. What models of the library do belongs to the statement that calls them. A row on which no
//! variable of the user changed and no input was read is *quiet*; runs of quiet rows are folded by the
//! writers. Each row also lists its [`Effect`]s, from which the state at any row can be built again.

use crate::iterations::Loops;
use crate::statement::Statements;
use crate::words::{ObjectKind, Words};
use crate::{Subject, bytes, holder::holder};
use base::FxHashMap;
use evidence::Trace;
use logic::Value;
use program::interp::{Change, Taken};
use program::{DebugTypeId, FuncId, InputKind, LocId, Program, Span, Stmt, VarId, VarKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Entries of an array that is set as a whole, shown at most.
const ENTRIES: usize = 8;

/// How the name of a file ends that a compiler made of the user's.
const COMPILED: &str = " (LLVM)";

/// Consecutive steps of one statement.
#[derive(Clone, Debug)]
pub struct Row {
    pub span: Span,
    pub function: String,
    pub depth: u32,
    /// The statement as the user wrote it, on one line.
    pub source: String,
    /// `name = value`, the last value of each variable.
    pub changes: Vec<(String, String)>,
    /// Inputs read in this statement: function and value.
    pub inputs: Vec<(String, String)>,
    /// Allocated objects that were freed.
    pub frees: Vec<String>,
    /// The row begins the call of its function.
    pub enters: bool,
    /// A call of this statement came back.
    pub returned: bool,
    /// What it came back with.
    pub results: Vec<String>,
    /// The iteration of the innermost loop that begins here, from 1.
    pub iteration: Option<u64>,
    pub effects: Vec<Effect>,
    /// Edges taken.
    pub steps: usize,
    /// The violation depends on it.
    pub matters: bool,
}

/// What a row does to the state that a reader sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "do")]
pub enum Effect {
    /// A call begins.
    Enter { function: String },
    /// The innermost call ends.
    Leave,
    /// A variable of the innermost call, or a global one, gets a value.
    Set {
        name: String,
        value: String,
        global: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<usize>,
    },
    /// An object comes to be.
    Make {
        object: usize,
        name: String,
        heap: bool,
    },
    /// A part of an object gets a value.
    Part {
        object: usize,
        part: String,
        value: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<usize>,
    },
    /// An object is no more.
    End { object: usize },
}

impl Row {
    pub fn is_quiet(&self) -> bool {
        self.changes.is_empty()
            && self.inputs.is_empty()
            && self.frees.is_empty()
            && self.iteration.is_none()
            && self.results.is_empty()
            && !self.enters
    }

    /// What happened, as one list: inputs, values, frees.
    pub fn facts(&self) -> Vec<String> {
        let inputs = self.inputs.iter().map(|(f, v)| format!("{f}() = {v}"));
        let changes = self.changes.iter().map(|(n, v)| format!("{n} = {v}"));
        let frees = self.frees.iter().map(|n| format!("frees {n}"));
        let again = self.iteration.iter().map(|n| format!("iteration {n}"));
        let results = self.results.iter().map(|v| format!("returned {v}"));
        again
            .chain(results)
            .chain(inputs)
            .chain(changes)
            .chain(frees)
            .collect()
    }
}

/// A value that the program did not determine.
#[derive(Clone, Debug)]
pub struct Input {
    pub kind: InputKind,
    pub value: Value,
    /// The value as C writes it.
    pub text: String,
    pub span: Span,
    /// Name of the function in which it was read.
    pub function: String,
}

/// The nondeterministic values of an execution that come from a function call, in order.
pub fn inputs(subject: &Subject<'_>, trace: &Trace) -> Vec<Input> {
    let program = subject.program;
    let words = Words::new(subject.debug, subject.sources, subject.pointer_size());
    let mut out = Vec::new();
    for chosen in &trace.inputs {
        let edge = &program.edges[chosen.edge];
        if let Stmt::Havoc(_, kind) = &edge.stmt
            && kind.source().is_some()
        {
            let function = program.locations[edge.from].func;
            let ty = subject.debug.vars.get(&program.vars[chosen.var].term);
            out.push(Input {
                kind: kind.clone(),
                value: chosen.value.clone(),
                text: words.value(&chosen.value, ty.copied()),
                span: edge.span,
                function: program.functions[function].name.clone(),
            });
        }
    }
    out
}

/// The rows of an execution.
pub fn rows(subject: &Subject<'_>, trace: &Trace) -> Vec<Row> {
    let mut teller = Teller::new(subject);
    let relevant = crate::relevant::relevant(subject.pool, subject.program, trace);
    for (step, matters) in trace.steps.iter().zip(relevant) {
        let before = teller.out.len();
        teller.step(step);
        // A call has a row of its own behind that of its statement.
        let now = teller.out.len();
        let enters = now > before && teller.out.last().is_some_and(|r| r.enters);
        let rows = if enters { 2 } else { 1 };
        for row in &mut teller.out[now.saturating_sub(rows)..] {
            row.matters |= matters;
        }
    }
    let mut out = teller.out;
    // Initialisers have no place: the first statement has their effects.
    if let [first, second, ..] = out.as_mut_slice()
        && !first.span.is_known()
    {
        second
            .effects
            .splice(0..0, std::mem::take(&mut first.effects));
        out.remove(0);
    }
    out
}

/// Is the function a model of the library? Those have dotted names.
fn is_library(name: &str) -> bool {
    name.contains('.')
}

/// Is the place in what a compiler made of the user's text?
pub(crate) fn is_compiled(subject: &Subject<'_>, span: Span) -> bool {
    let file = subject.sources.files.get(span.file);
    file.is_some_and(|f| f.name.ends_with(COMPILED))
}

/// A call that is open.
struct Frame {
    library: bool,
    /// The function of the caller in another form: not a call of the user's.
    wrapped: bool,
    values: BTreeMap<VarId, Value>,
    /// Where control was before.
    last: Option<LocId>,
    iterations: BTreeMap<LocId, u64>,
}

struct Teller<'a> {
    subject: &'a Subject<'a>,
    words: Words<'a>,
    statements: Statements<'a>,
    loops: Loops,
    frames: Vec<Frame>,
    globals: BTreeMap<VarId, Value>,
    var_of: FxHashMap<VarId, Option<DebugTypeId>>,
    out: Vec<Row>,
    /// The next step begins a row.
    fresh: bool,
}

impl<'a> Teller<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let vars = subject.program.vars.iter_enumerated();
        let typed = vars.map(|(id, var)| (id, subject.debug.vars.get(&var.term).copied()));
        Teller {
            subject,
            words: Words::new(subject.debug, subject.sources, subject.pointer_size()),
            statements: Statements::default(),
            loops: Loops::of(subject.program),
            frames: vec![Frame::new(false)],
            globals: BTreeMap::new(),
            var_of: typed.collect(),
            out: Vec::new(),
            fresh: false,
        }
    }

    fn program(&self) -> &'a Program {
        self.subject.program
    }

    fn step(&mut self, step: &Taken) {
        let program = self.program();
        let edge = &program.edges[step.edge];
        if step.returns {
            self.frames.truncate(step.depth as usize + 1);
        }
        // The innermost call counts: a library calls back functions of the user.
        let inside = self.frames.last().is_some_and(|f| f.library);
        let iteration = self.iteration(edge.from);
        // Edges without an effect only join what the statements around them say.
        let glue = matches!(edge.stmt, Stmt::Skip) && program.locations[edge.to].error.is_none();
        if !inside && edge.span.is_known() && !glue && self.is_told(edge.span, edge.from) {
            self.row(step, edge.from, iteration);
        }
        if self.out.is_empty() {
            // Before the first statement: initialisers.
            self.begin(Span::unknown(), program.locations[edge.from].func, 0);
        }
        if let (Stmt::Call { callee, .. }, false) = (&edge.stmt, step.returns) {
            self.call(*callee, step);
            return;
        }
        if step.returns && !inside {
            let row = self.out.last_mut().expect("a row was begun above");
            row.returned = true;
            row.effects.push(Effect::Leave);
            for change in &step.changes {
                let text = self.words.value(&change.value, self.var_of[&change.var]);
                row.results.push(text);
            }
        }
        let uninitialised = matches!(&edge.stmt, Stmt::Havoc(_, InputKind::Unknown));
        if let Stmt::Havoc(vars, kind) = &edge.stmt
            && let Some(name) = kind.source()
        {
            for &var in vars {
                if let Some(change) = step.changes.iter().find(|c| c.var == var) {
                    let text = self.words.value(&change.value, self.var_of[&var]);
                    let row = self.out.last_mut().expect("a row was begun above");
                    row.inputs.push((name.to_string(), text));
                }
            }
        }
        self.objects(step, edge.span);
        let cells = &self.subject.debug.memory.cells;
        let is_memory = |var: VarId| cells.contains(&program.vars[var].term);
        let (debug, pointer) = (self.subject.debug, self.subject.pointer_size());
        let changes = bytes::whole(&step.changes, &self.words, debug, pointer, is_memory);
        for change in &changes {
            // A write at an index that is not constant lists all that it may change.
            let kept = changes.len() > 1 && change.index.is_none() && !step.returns;
            if !(kept && self.value_of(change.var) == Some(&change.value)) {
                self.change(change, uninitialised);
            }
        }
    }

    /// Is the place a statement that the user wrote? The head of a function, where its variables come to be, and what
    /// only the compiler says belong to the row before.
    fn is_told(&mut self, span: Span, from: LocId) -> bool {
        let (sources, program) = (self.subject.sources, self.program());
        if is_compiled(self.subject, span) {
            return false;
        }
        // What other libraries do, whose text nobody has, belongs to the statement that calls them.
        let unread = |s: Span| sources.files.get(s.file).is_none_or(|f| f.text.is_empty());
        if unread(span) && !unread(program.functions[program.entry].span) {
            return false;
        }
        let head = program.functions[program.locations[from].func].span;
        let start = self.statements.at(sources, span).map_or(span, |(s, _)| s);
        let before = (start.line, start.column) <= (head.line, head.column);
        !(before && head.is_known() && start.file == head.file)
    }

    fn value_of(&self, var: VarId) -> Option<&Value> {
        match self.program().vars[var].kind {
            VarKind::Global => self.globals.get(&var),
            _ => self.frames.last()?.values.get(&var),
        }
    }

    /// Counts iterations where control is at a loop head.
    fn iteration(&mut self, at: LocId) -> Option<u64> {
        let head = self.program().locations[at].loop_head.is_some();
        let frame = self.frames.last_mut().expect("the entry is open");
        let last = frame.last.replace(at);
        if !head || last == Some(at) {
            return None;
        }
        let again = last.is_some_and(|from| self.loops.again(from, at));
        let count = frame.iterations.entry(at).or_default();
        *count = if again { *count + 1 } else { 1 };
        Some(*count)
    }

    /// How many calls of the user's are open.
    fn depth(&self) -> u32 {
        let open = self.frames.iter().filter(|f| !f.wrapped).count();
        (open as u32).saturating_sub(1)
    }

    /// Begins a row where the statement is another one than that of the last row.
    fn row(&mut self, step: &Taken, from: LocId, iteration: Option<u64>) {
        let program = self.program();
        let edge = &program.edges[step.edge];
        let found = self.statements.at(self.subject.sources, edge.span);
        let (span, source) = found.unwrap_or_else(|| (edge.span, String::new()));
        let func = program.locations[from].func;
        let depth = self.depth();
        let same = !self.fresh
            && self.out.last().is_some_and(|r| {
                !r.enters
                    && (r.span.file, r.span.line, r.span.column)
                        == (span.file, span.line, span.column)
                    && r.depth == depth
                    && (iteration.is_none() || r.iteration.is_none())
            });
        if !same {
            self.begin(span, func, depth);
            let row = self.out.last_mut().expect("a row was begun above");
            row.source = source;
        }
        self.fresh = false;
        let row = self.out.last_mut().expect("a row was begun above");
        row.steps += 1;
        if iteration.is_some() {
            row.iteration = iteration;
        }
    }

    fn begin(&mut self, span: Span, func: FuncId, depth: u32) {
        self.out.push(Row {
            span,
            function: self.program().functions[func].name.clone(),
            depth,
            source: String::new(),
            changes: Vec::new(),
            inputs: Vec::new(),
            frees: Vec::new(),
            enters: false,
            returned: false,
            results: Vec::new(),
            iteration: None,
            effects: Vec::new(),
            steps: 0,
            matters: false,
        });
    }

    /// A call begins; its arguments are the changes.
    fn call(&mut self, callee: FuncId, step: &Taken) {
        let program = self.program();
        let function = &program.functions[callee];
        let library = is_library(&function.name);
        let mut frame = Frame::new(library);
        for change in &step.changes {
            frame.values.insert(change.var, change.value.clone());
        }
        self.frames.push(frame);
        self.fresh = true;
        if library {
            self.fresh = false;
            return;
        }
        // A function around the user's own, which only looks at how that ends.
        let outer = program.locations[program.edges[step.edge].from].func;
        if function.span.is_known()
            && program.functions[outer].span == function.span
            && outer != callee
        {
            let frame = self.frames.last_mut().expect("the call was opened above");
            frame.wrapped = true;
            return;
        }
        self.begin(function.span, callee, self.depth());
        let row = self.out.last_mut().expect("a row was begun above");
        row.enters = true;
        row.effects.push(Effect::Enter {
            function: function.name.clone(),
        });
        for change in &step.changes {
            if function.params.contains(&change.var) {
                self.change(change, false);
            }
        }
        let row = self.out.last_mut().expect("a row was begun above");
        let arguments: Vec<String> = row
            .changes
            .iter()
            .map(|(n, v)| match n.as_str() {
                "_" => v.clone(),
                _ => format!("{n} = {v}"),
            })
            .collect();
        row.source = format!("{}({})", row.function, arguments.join(", "));
        row.changes.clear();
    }

    /// Objects that the step makes and ends.
    fn objects(&mut self, step: &Taken, span: Span) {
        let memory = &self.subject.debug.memory;
        let program = self.program();
        let term = |c: &Change| program.vars[c.var].term;
        let top = step.changes.iter().find(|c| Some(term(c)) == memory.top);
        let local = step.changes.iter().find_map(|c| {
            let object = self.subject.debug.bases.get(&term(c))?;
            Some((number(&c.value)?, object))
        });
        if let (Some(top), Some(Stmt::Assign(pairs))) = (top, Some(&program.edges[step.edge].stmt))
        {
            let old = self.globals.get(&top.var).and_then(number);
            let new = number(&top.value);
            if let (Some(old), Some(new)) = (old, new)
                && pairs.len() > 1
                && new > old
            {
                let id = match local {
                    Some((address, object)) => self.words.named(address, object),
                    None => self
                        .words
                        .allocated(old, (new - old).saturating_sub(16), span),
                };
                self.made(old, id);
            }
        }
        for c in step
            .changes
            .iter()
            .filter(|c| Some(term(c)) == memory.sizes)
        {
            let (Some(block), Some(at), Some(size)) = (
                memory.block,
                c.index.as_ref().and_then(number),
                number(&c.value),
            ) else {
                continue;
            };
            // An allocation of no bytes is none that ends.
            let allocates = step.changes.iter().any(|h| {
                Some(term(h)) == memory.heap && h.index == c.index && number(&h.value) == Some(1)
            });
            if size > 0 || allocates {
                self.words.resize(at * block, size);
            } else if let Some((object, kind)) = self.words.end(at * block) {
                if let (ObjectKind::Heap(name), Some(row)) = (kind, self.out.last_mut()) {
                    row.frees.push(name);
                }
                self.effect(Effect::End { object });
            }
        }
    }

    fn made(&mut self, address: u64, object: usize) {
        let Some(found) = self.words.find(address) else {
            return;
        };
        let (name, heap) = match &found.object.kind {
            ObjectKind::Heap(name) => (name.clone(), true),
            ObjectKind::Named(name) | ObjectKind::Text(name) => (name.clone(), false),
        };
        self.effect(Effect::Make { object, name, heap });
    }

    fn effect(&mut self, effect: Effect) {
        if let Some(row) = self.out.last_mut() {
            row.effects.push(effect);
        }
    }

    /// A variable or a part of memory gets a value.
    fn change(&mut self, change: &Change, uninitialised: bool) {
        let program = self.program();
        let var = &program.vars[change.var];
        let global = var.kind == VarKind::Global;
        if self.subject.debug.memory.cells.contains(&var.term) {
            self.memory(change, uninitialised);
            return;
        }
        if change.index.is_none() {
            let values = match global {
                true => &mut self.globals,
                false => &mut self.frames.last_mut().expect("the entry is open").values,
            };
            values.insert(change.var, change.value.clone());
        }
        let library = self.frames.last().is_some_and(|f| f.library);
        let Some(name) = var.source_name.as_ref().filter(|_| global || !library) else {
            return;
        };
        let ty = self.var_of[&change.var];
        let to = self.target(&change.value, ty);
        let value = match (&change.value, uninitialised) {
            (_, true) => "uninitialised".into(),
            (Value::Array(array), _) if change.index.is_none() => {
                let entries = array.entries.iter().take(ENTRIES);
                let mut parts: Vec<String> = entries
                    .map(|(i, v)| {
                        format!("[{}] = {}", crate::show_value(i), self.words.value(v, ty))
                    })
                    .collect();
                if parts.is_empty() {
                    return;
                }
                if array.entries.len() > ENTRIES {
                    parts.push("…".into());
                }
                format!("{{{}}}", parts.join(", "))
            }
            (value, _) => self.words.value(value, ty),
        };
        let name = match &change.index {
            // Elements of an array are one variable, called `a[]`.
            Some(index) => {
                let index = crate::show_value(index);
                match name.contains("[]") {
                    true => name.replacen("[]", &format!("[{index}]"), 1),
                    false => format!("{name}[{index}]"),
                }
            }
            None => name.trim_end_matches("[]").to_string(),
        };
        self.say(name.clone(), value.clone());
        self.effect(Effect::Set {
            name,
            value,
            global,
            to,
        });
    }

    /// A cell of memory gets a value.
    fn memory(&mut self, change: &Change, uninitialised: bool) {
        let Some(address) = change.index.as_ref().and_then(number) else {
            return;
        };
        let (object, part, ty) = {
            let Some(found) = self.words.find(address) else {
                return;
            };
            let ty = self.words.type_at(&found);
            (found.object.id, self.words.part(&found), ty)
        };
        let to = self.target(&change.value, ty);
        let value = match uninitialised {
            true => "uninitialised".into(),
            false => self.words.value(&change.value, ty),
        };
        let frame = self.frames.iter().rev().find(|f| !f.library);
        let library = self.frames.last().is_some_and(|f| f.library);
        let name = {
            let pointer = |base: u64| {
                let locals = frame.map(|f| &f.values);
                holder(self.subject, &self.var_of, locals, &self.globals, base)
            };
            let known = self
                .words
                .find(address)
                .is_some_and(|o| match o.object.kind {
                    // What a library keeps for itself.
                    ObjectKind::Heap(_) if library => pointer(o.object.address).is_some(),
                    _ => true,
                });
            known
                .then(|| self.words.lvalue(address, &pointer))
                .flatten()
        };
        if let Some(name) = name {
            self.say(name, value.clone());
        }
        self.effect(Effect::Part {
            object,
            part,
            value,
            to,
        });
    }

    /// The object that a pointer points to; allocated memory learns its type from it.
    fn target(&mut self, value: &Value, ty: Option<DebugTypeId>) -> Option<usize> {
        let to = self.words.pointee(ty?)?;
        let address = number(value)?;
        self.words.learn(address, to);
        Some(self.words.find(address)?.object.id)
    }

    fn say(&mut self, name: String, value: String) {
        let Some(row) = self.out.last_mut() else {
            return;
        };
        match row.changes.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = value,
            None => row.changes.push((name, value)),
        }
    }
}

impl Frame {
    fn new(library: bool) -> Self {
        Frame {
            library,
            wrapped: false,
            values: BTreeMap::new(),
            last: None,
            iterations: BTreeMap::new(),
        }
    }
}

/// A value as an address or size.
pub(crate) fn number(value: &Value) -> Option<u64> {
    let n = value.as_num()?;
    match n.to_i64() {
        Some(n) => u64::try_from(n).ok(),
        None => n.to_string().parse().ok(),
    }
}

/// A value without its type: numbers, Booleans, entries of arrays.
pub fn show_value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(n) => n.to_string(),
        Value::Array(a) => {
            let entries = a.entries.iter().take(ENTRIES);
            let mut parts: Vec<String> = entries
                .map(|(i, v)| format!("[{}] = {}", show_value(i), show_value(v)))
                .collect();
            parts.push(format!("else {}", show_value(&a.default)));
            format!("{{{}}}", parts.join(", "))
        }
        Value::Element(_, n) => format!("#{n}"),
    }
}

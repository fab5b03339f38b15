//! Why a check was violated, in words, with the number of the weakness: read off the replayed execution.
//!
//! The execution shows how the ghost arrays of memory changed (`program::MemoryModel`), so that the story of
//! an object is known: where it was allocated or declared, how large it is, where it ended. The state before
//! the error says which address was used. Nothing is decided here.
//!
//! ```text
//!   out of bounds: 4 bytes are written at offset 40 of the 40 bytes allocated at a.c:3:12
//!   used after free: the 8 bytes allocated at a.c:3:12 were freed at a.c:9:3
//! ```

use crate::Subject;
use base::FxHashMap;
use evidence::Trace;
use logic::{Rational, TermId, Value};
use program::{AccessKind, Property, Span, Stmt, VarId, VarKind};
use std::sync::Arc;

/// Why a check was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// For people; empty where there is nothing to say beyond the check's message.
    pub text: String,
    /// The number in the Common Weakness Enumeration.
    pub cwe: u32,
    /// Other places that matter, with what happened there.
    pub related: Vec<(Span, String)>,
}

/// Explains the violation at the end of an execution.
pub fn explain(subject: &Subject<'_>, trace: &Trace) -> Explanation {
    let plain = Explanation {
        text: String::new(),
        cwe: trace.property.entry().cwe,
        related: Vec::new(),
    };
    // Of an execution that was too long to keep only the inputs are known.
    if trace.steps.is_empty() {
        return plain;
    }
    let memory = &subject.program.memory;
    if matches!(
        trace.property,
        Property::ValidMemtrack | Property::ValidMemcleanup
    ) {
        return leak(subject, trace).unwrap_or(plain);
    }
    let Some(access) = memory.accesses.get(&trace.error) else {
        let text = crate::decision::last_decision(subject, trace).unwrap_or_default();
        return Explanation { text, ..plain };
    };
    let state = State::at_end(subject, trace);
    let value = state.number(subject, access.value);
    let extent = access.extent.and_then(|t| state.number(subject, t));
    let found = match (access.kind, value) {
        (_, None) => None,
        (AccessKind::Number, Some(n)) => Some((number_text(trace.property, n), plain.cwe)),
        // What memory held that nobody wrote is not known here: the index may be another one.
        (AccessKind::Index, Some(n)) => extent.filter(|l| !(0..*l).contains(&n)).map(|length| {
            let text = format!("out of bounds: index {n} of an array of length {length}");
            (text, if n < 0 { 786 } else { 788 })
        }),
        (kind, Some(address)) => {
            return object(subject, trace, kind, address, extent).unwrap_or(plain);
        }
    };
    found.map_or(plain, |(text, cwe)| Explanation {
        text,
        cwe,
        related: Vec::new(),
    })
}

fn number_text(property: Property, n: i128) -> String {
    match property {
        Property::NoOverflow => format!("the result would be {n}"),
        Property::NoShift => format!("the shift count is {n}"),
        Property::NoMisaligned => match n.trailing_zeros() {
            0 => "the address is odd".into(),
            bits => format!(
                "the address is a multiple of {} only",
                1u128 << bits.min(64)
            ),
        },
        _ => format!("the value is {n}"),
    }
}

/// Values of variables at the end of an execution.
struct State {
    globals: FxHashMap<VarId, Value>,
    /// By calls open.
    locals: FxHashMap<u32, FxHashMap<VarId, Value>>,
    depth: u32,
}

impl State {
    fn at_end(subject: &Subject<'_>, trace: &Trace) -> State {
        let program = subject.program;
        let mut state = State {
            globals: FxHashMap::default(),
            locals: FxHashMap::default(),
            depth: trace.steps.last().map_or(0, |s| s.depth),
        };
        for step in &trace.steps {
            let enters =
                !step.returns && matches!(program.edges[step.edge].stmt, Stmt::Call { .. });
            for change in &step.changes {
                let var = &program.vars[change.var];
                let place = match var.kind {
                    VarKind::Global => state.globals.entry(change.var),
                    _ => {
                        let depth = step.depth + u32::from(enters);
                        state.locals.entry(depth).or_default().entry(change.var)
                    }
                };
                let value = place.or_insert_with(|| subject.pool.default_value(var.sort));
                match (&change.index, value) {
                    (Some(at), Value::Array(array)) => {
                        Arc::make_mut(array).set(at.clone(), change.value.clone());
                    }
                    (_, value) => *value = change.value.clone(),
                }
            }
        }
        state
    }

    /// The value of a number.
    fn number(&self, subject: &Subject<'_>, term: TermId) -> Option<i128> {
        let (pool, program) = (subject.pool, subject.program);
        let mut memo = logic::Memo::new();
        let locals = self.locals.get(&self.depth).into_iter().flatten();
        for (&var, value) in self.globals.iter().chain(locals) {
            memo.set(program.vars[var].term, value.clone());
        }
        let none = logic::Model::default();
        let value = memo.eval(pool, &none, term);
        value.as_num().and_then(to_i128)
    }
}

fn to_i128(n: &Rational) -> Option<i128> {
    n.to_string().parse().ok()
}

/// What happened to the object of a block.
#[derive(Clone, Debug, Default)]
struct Story {
    /// The bytes it had last, and where they were given to it.
    began: Option<(i128, Span)>,
    /// Where it ended.
    ended: Option<Span>,
    /// It came from the heap.
    heap: bool,
    /// The number of the step at which it began.
    step: usize,
}

fn story(subject: &Subject<'_>, trace: &Trace, block: i128) -> Story {
    let (program, memory) = (subject.program, &subject.program.memory);
    let index = Value::Num(Rational::from(block));
    let mut story = Story::default();
    for (i, step) in trace.steps.iter().enumerate() {
        let span = program.edges[step.edge].span;
        let of_heap = |c: &&program::interp::Change| {
            Some(program.vars[c.var].term) == memory.heap && c.index.as_ref() == Some(&index)
        };
        let mark = step.changes.iter().find(of_heap);
        let allocates = mark.is_some_and(|c| c.value.as_num().and_then(to_i128) == Some(1));
        for change in &step.changes {
            let term = Some(program.vars[change.var].term);
            let entry = match (&change.index, &change.value) {
                (Some(at), value) if *at == index => value.clone(),
                (None, Value::Array(array)) => array.get(&index).clone(),
                _ => continue,
            };
            let Some(n) = entry.as_num().and_then(to_i128) else {
                continue;
            };
            if term == memory.heap && change.index.is_some() {
                story.heap |= n == 1;
            }
            if term != memory.size {
                continue;
            }
            let other = story.began.is_none_or(|(size, _)| size != n);
            // An object without a byte is one too.
            if (n > 0 || allocates) && (other || story.ended.is_some()) {
                story.began = Some((n, span));
                (story.ended, story.step) = (None, i);
            } else if n == 0 && story.began.is_some() && story.ended.is_none() {
                story.ended = Some(span);
            }
        }
    }
    story
}

/// The object in words, with its place.
fn named(subject: &Subject<'_>, block: i128, story: &Story) -> (String, Span) {
    let known = u64::try_from(block).ok();
    let known = known.and_then(|b| subject.program.memory.objects.get(&b));
    let (size, began) = story.began.unwrap_or((0, Span::unknown()));
    match known {
        Some(o) => (format!("`{}` ({size} bytes)", o.name), o.span),
        None if story.heap => {
            let place = subject.sources.place(began);
            (format!("the {size} bytes allocated at {place}"), began)
        }
        None => {
            let place = subject.sources.place(began);
            (
                format!("the object of {size} bytes that began at {place}"),
                began,
            )
        }
    }
}

/// The object that a violated access is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The number of the step at which it began.
    pub began: usize,
    /// The bytes that it has.
    pub bytes: i128,
    /// How many bytes behind its start the access begins, and how many it is long.
    pub offset: i128,
    pub count: i128,
}

/// The object next to the address that is read or written at the end of an execution.
pub fn accessed(subject: &Subject<'_>, trace: &Trace) -> Option<Accessed> {
    let access = subject.program.memory.accesses.get(&trace.error)?;
    if !matches!(access.kind, AccessKind::Read | AccessKind::Write) {
        return None;
    }
    let state = State::at_end(subject, trace);
    let address = state.number(subject, access.value)?;
    let extent = access.extent.and_then(|t| state.number(subject, t));
    let (_, offset, story) = nearest(subject, trace, address, address)?;
    let (bytes, count) = (story.began?.0, extent.unwrap_or(1));
    (!is_inside(offset, count, bytes)).then_some(Accessed {
        began: story.step,
        bytes,
        offset,
        count,
    })
}

/// Is nothing wrong with an access? Then the address was another one: it came from memory that nobody wrote, which holds
/// any value and is not known here.
fn is_inside(offset: i128, count: i128, bytes: i128) -> bool {
    offset >= 0 && offset + count <= bytes
}

/// The block of the object that an address is in or next to, how far it is behind its start, and its story; nothing for
/// null. The address was made from another one, in the same object.
fn nearest(
    subject: &Subject<'_>,
    trace: &Trace,
    from: i128,
    address: i128,
) -> Option<(i128, i128, Story)> {
    let size = i128::from(subject.program.memory.block);
    if size == 0 {
        return None;
    }
    let block = from.div_euclid(size);
    let offset = address - block * size;
    let story_of = story(subject, trace, block);
    if block == 0 && story_of.began.is_none() {
        return None;
    }
    if story_of.began.is_none_or(|(bytes, _)| offset > bytes) && offset > size / 2 {
        // Just before an object is far behind the one in the block before.
        let next = story(subject, trace, block + 1);
        if next.began.is_some() {
            return Some((block + 1, offset - size, next));
        }
    }
    Some((block, offset, story_of))
}

/// Explains an access of memory, a `free` or pointer arithmetic.
fn object(
    subject: &Subject<'_>,
    trace: &Trace,
    kind: AccessKind,
    address: i128,
    extent: Option<i128>,
) -> Option<Explanation> {
    let size = i128::from(subject.program.memory.block);
    if size == 0 || trace.steps.is_empty() {
        return None;
    }
    // Where the pointer came from names the object.
    let from = match kind {
        AccessKind::Arithmetic => extent?,
        _ => address,
    };
    let Some((block, offset, story_of)) = nearest(subject, trace, from, address) else {
        return Some(null(kind, address));
    };
    let story = story_of;
    let (name, place) = named(subject, block, &story);
    let place_of = |span| subject.sources.place(span);
    let mut related = Vec::new();
    if place.is_known() {
        let what = if story.heap { "allocated" } else { "declared" };
        related.push((place, format!("{name}: {what} here")));
    }
    let Some((bytes, _)) = story.began else {
        let text = "the pointer points to no object".into();
        let cwe = if kind == AccessKind::Free { 763 } else { 824 };
        return Some(Explanation { text, cwe, related });
    };
    if let Some(end) = story.ended {
        related.push((end, format!("{name}: ended here")));
    }
    let (text, cwe) = match (kind, story.ended) {
        (AccessKind::Free, Some(end)) if story.heap => {
            let text = format!("freed twice: {name} were freed at {} before", place_of(end));
            (text, 415)
        }
        (AccessKind::Free, _) if !story.heap => (
            format!("{name} is freed, which is not allocated memory"),
            590,
        ),
        (AccessKind::Free, _) => {
            let text = format!("not the start of a block: offset {offset} of {name} is freed");
            (text, 761)
        }
        (_, Some(end)) if story.heap => {
            let text = format!("used after free: {name} were freed at {}", place_of(end));
            (text, 416)
        }
        (_, Some(end)) => {
            let text = format!("used after its lifetime: {name} ended at {}", place_of(end));
            (text, 825)
        }
        (AccessKind::Arithmetic, None) => {
            let text = format!("a pointer to offset {offset} of {name} is made");
            (text, 823)
        }
        (_, None) => {
            let written = kind == AccessKind::Write;
            let verb = if written { "written" } else { "read" };
            let count = extent.unwrap_or(1);
            if is_inside(offset, count, bytes) {
                return None;
            }
            let plural = if count == 1 { "byte is" } else { "bytes are" };
            let text =
                format!("out of bounds: {count} {plural} {verb} at offset {offset} of {name}");
            let cwe = match (written, offset < 0) {
                (true, true) => 124,
                (true, false) => 787,
                (false, true) => 127,
                (false, false) => 125,
            };
            (text, if bytes == 0 { 119 } else { cwe })
        }
    };
    Some(Explanation { text, cwe, related })
}

fn null(kind: AccessKind, address: i128) -> Explanation {
    let (text, cwe) = match (kind, address) {
        (AccessKind::Free, _) => ("what is freed points to no object".into(), 763),
        (AccessKind::Arithmetic, _) => ("a null pointer is moved".into(), 823),
        (_, 0) => ("a null pointer is dereferenced".into(), 476),
        (_, n) => (
            format!("a null pointer is dereferenced (with offset {n})"),
            476,
        ),
    };
    Explanation {
        text,
        cwe,
        related: Vec::new(),
    }
}

/// Explains a leak: the first object that is still allocated, and where the last pointer to it was lost.
fn leak(subject: &Subject<'_>, trace: &Trace) -> Option<Explanation> {
    let (program, memory) = (subject.program, &subject.program.memory);
    let mut marks: FxHashMap<Value, bool> = FxHashMap::default();
    let mut order = Vec::new();
    for change in trace.steps.iter().flat_map(|s| &s.changes) {
        if Some(program.vars[change.var].term) == memory.heap
            && let Some(at) = &change.index
        {
            let one = change.value.as_num().and_then(to_i128) == Some(1);
            marks.insert(at.clone(), one);
            order.push(at.clone());
        }
    }
    let lost = order.into_iter().find(|at| marks[at])?;
    let block = lost.as_num().and_then(to_i128)?;
    let story = story(subject, trace, block);
    let (name, place) = named(subject, block, &story);
    let mut text = format!("never freed: {name}");
    let mut related = vec![(place, format!("{name}: allocated here"))];
    if let Some(span) = last_pointer(subject, trace, block, story.step) {
        text += &format!(
            "; the last pointer was lost at {}",
            subject.sources.place(span)
        );
        related.push((span, "the last pointer to it is lost here".into()));
    }
    Some(Explanation {
        text,
        cwe: 401,
        related,
    })
}

/// Where the last variable or cell stopped to hold an address inside the block.
fn last_pointer(subject: &Subject<'_>, trace: &Trace, block: i128, since: usize) -> Option<Span> {
    let program = subject.program;
    let size = i128::from(program.memory.block);
    let inside = |v: &Value| {
        let n = v.as_num().and_then(to_i128);
        n.is_some_and(|n| n.div_euclid(size) == block)
    };
    let mut holders: Vec<(u32, VarId, Option<Value>)> = Vec::new();
    let mut lost = None;
    for step in trace.steps.iter().skip(since) {
        let edge = &program.edges[step.edge];
        let enters = !step.returns && matches!(edge.stmt, Stmt::Call { .. });
        let had = !holders.is_empty();
        if step.returns {
            holders.retain(|(depth, ..)| *depth <= step.depth);
        }
        for change in &step.changes {
            let var = &program.vars[change.var];
            // Temporaries and the allocator's own count are no pointers of the program.
            if var.source_name.is_none() && !var.name.starts_with("mem.") {
                continue;
            }
            let depth = match var.kind {
                VarKind::Global => 0,
                _ => step.depth + u32::from(enters),
            };
            let key = (depth, change.var, change.index.clone());
            holders.retain(|h| *h != key);
            if inside(&change.value) {
                holders.push(key);
                lost = None;
            }
        }
        if had && holders.is_empty() && edge.span.is_known() {
            lost = Some(edge.span);
        }
    }
    lost
}

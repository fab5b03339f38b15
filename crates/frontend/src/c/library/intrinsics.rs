//! What models of the library say that C cannot: inputs, approximations, validity of memory.
//!
//! | intrinsic | meaning |
//! |---|---|
//! | `input_T("what")` | a value that the environment chooses |
//! | `any_T()` | some value that is not modelled: an approximation |
//! | `unspecified_T()` | C leaves it open |
//! | `assume(c)` | of values just chosen |
//! | `require(c, "message")` | a precondition, checked with valid-deref |
//! | `readable(p, n)`, `writable(p, n)` | n bytes from p on are valid |
//! | `panic:message` | the property is violated here |
//! | `allocates:message` | an allocation that is doubted may succeed: an approximation, unless failing is an option |
//! | `dead(object)` | the lifetime of a local ends |
//! | `room(p)` | bytes from p to the end of its object |
//! | `checks()` | 1 if memory safety is checked, a constant |
//! | `maybe()` | 0, or 1 for something that may happen for reasons nobody modelled: no error behind it counts |
//! | `doubt("message")` | nothing is proved of a program that comes here |
//! | `assumed("message")` | said of the verdict: proofs hold if it is true |
//! | `unmodelled("message")` | the same, and no error behind it counts |
//! | `decimal_T(m, e)` | the float nearest to m · 10^e |
//! | `runs()` | 1 if the program is run by `craig run`, a constant |
//! | `prepared()` | 1 if a function that calls `realloc` looks at pointers being null, a constant |
//! | `rereads()` | 1 if the program may read what it wrote, a constant |
//! | `ask("what", x)` | what the next inputs are about: the name of a variable or file, a seed, a stream |
//! | `hint(s)`, `ends(e)` | where a string may end; a place to look first |
//! | `literal(s)` | the last element of the only string literal that `s` can point into, a constant; 0 if there is none |
//! | `argument(s)`, `last(s)` | 1 if `s` may point to the command line, a constant; the last byte of an argument |

use crate::c::hir::{Expr, ExprKind, PlaceKind};
use crate::c::lower::Lower;
use crate::c::lower::expr::Val;
use crate::c::lower::reach::ObjectKey;
use crate::c::lower::safety::Safety;
use crate::c::lower::scalar::Scalar;
use crate::c::memory::constraints::ObjectKind;
use crate::c::memory::regions::Address;
use logic::TermId;
use program::{AccessKind, InputKind, OutputCall, Property, Span, Stmt};

impl Lower<'_> {
    /// An intrinsic of the models, by its name without the prefix.
    pub(in crate::c) fn model_intrinsic(&mut self, word: &str, args: &[Expr], e: &Expr) -> Val {
        let (word, text) = word.split_once(':').unwrap_or((word, ""));
        let kind = match word.split_once('_').map_or(word, |(w, _)| w) {
            "input" => Some(InputKind::Environment { what: text.into() }),
            "any" => Some(InputKind::Approximation),
            "unspecified" => Some(InputKind::Unknown),
            _ => None,
        };
        if let Some(kind) = kind {
            if kind == InputKind::Approximation {
                let name = self.frame.name.split('.').next().unwrap_or("");
                let note = match text {
                    "" => format!("`{name}`: any value"),
                    text => text.to_string(),
                };
                self.b.note(e.span, note);
            }
            let scalar = self.scalar(e.ty);
            return Val::int(self.any(scalar, kind, e.span));
        }
        if matches!(word, "set_bytes" | "copy_up") {
            return self.untyped_loop(word == "copy_up", args, e);
        }
        let zero = self.pool.int(0);
        if word == "allocates" {
            // Where allocation may fail anyway there is nothing to add.
            if self.options.malloc_may_fail {
                return Val::int(self.pool.int(1));
            }
            self.b.note(e.span, text);
            let scalar = self.scalar(e.ty);
            return Val::int(self.any(scalar, InputKind::Approximation, e.span));
        }
        if word == "end" {
            let message = "the end is reached";
            self.b.error(Property::Unreach, message.into(), e.span);
            return Val::int(zero);
        }
        if word == "panic" {
            self.violation(text, e.span);
            return Val::int(zero);
        }
        if word == "dead" {
            if let [
                Expr {
                    kind: ExprKind::Load(p),
                    ..
                },
            ] = args
                && let PlaceKind::Local(l) = p.kind
            {
                self.end_locals(&[l], e.span);
            }
            return Val::int(zero);
        }
        if word == "checks" {
            let checked = crate::c::lower::safety::is_checked(self.options);
            return Val::int(self.pool.int(i64::from(checked)));
        }
        if word == "assumed" {
            self.b.assumption(e.span, text);
            return Val::int(zero);
        }
        if matches!(word, "doubt" | "unmodelled") {
            if let Some(&property) = self.options.properties.first() {
                self.doubtful_error(property, text, e.span);
            }
            self.b.note(e.span, text);
            if word == "unmodelled" {
                self.only_approximate(e.span);
            }
            return Val::int(zero);
        }
        if word == "maybe" {
            let (happens, one) = (self.unforeseen(e.span), self.pool.int(1));
            return Val::int(self.pool.ite(happens, one, zero));
        }
        if word == "ask" {
            self.ask(text, args, e);
            return Val::int(zero);
        }
        if matches!(word, "assume" | "require") {
            if let [c] = args {
                let c = self.cond(c);
                if word == "require" && self.checks(Property::ValidDeref) {
                    self.check(c, Property::ValidDeref, text, e.span);
                } else if word == "assume" {
                    // Sound because models only say of values just chosen what holds for the real ones.
                    self.b.assume_range(self.pool, c, e.span);
                } else {
                    self.b.assume(self.pool, c, e.span);
                }
            }
            return Val::int(zero);
        }
        if let Some(v) = self.cprover_intrinsic((word, text), args, e) {
            return v;
        }
        if word.starts_with("decimal_") {
            let (digits, power) = (self.term(&args[0]), self.term(&args[1]));
            let scalar = self.scalar(e.ty);
            return Val::int(self.float_op("decimal", &[digits, power], scalar));
        }
        let values = self.arguments(args, &[]);
        let term = |i: usize| values.get(i).and_then(|a| a.terms.first()).copied();
        let (Some(p), n) = (term(0), term(1).unwrap_or(zero)) else {
            return Val::int(zero);
        };
        match word {
            "readable" | "writable" => {
                let kind = match word {
                    "writable" => AccessKind::Write,
                    _ => AccessKind::Read,
                };
                let target = self.memory.points.target_of(&args[0]);
                self.check_bytes(p, n, kind, target, e.span);
                Val::int(zero)
            }
            "room" => Val::int(self.room(p)),
            "hint" => Val::int(self.hint(p)),
            "literal" => {
                let end = self.end_of_literal(&args[0]).unwrap_or(0);
                Val::int(self.pool.int(end))
            }
            "argument" => {
                let known = self.may_be_argument(&args[0]);
                Val::int(self.pool.int(i64::from(known)))
            }
            "last" => Val::int(self.end_of_argument(p)),
            "ends" => {
                if let Some(s) = self.safety
                    && let Some(end) = s.end
                {
                    let (number, offset) = self.block_of(s, p);
                    let ends = self.var_term(end);
                    let ends = self.pool.store(ends, number, offset);
                    self.b.assign(vec![(end, ends)], e.span);
                }
                Val::int(zero)
            }
            _ => {
                self.errors.push(crate::c::lower::error(
                    e.span,
                    format!("the models use an unknown intrinsic `{word}`"),
                ));
                Val::int(zero)
            }
        }
    }

    /// What follows is only approximated: no error behind it counts, proofs stay valid.
    pub(super) fn only_approximate(&mut self, span: Span) {
        let t = self.any(Scalar::FLAG, InputKind::Approximation, span);
        let one = self.pool.int(1);
        let chosen = self.pool.eq(t, one);
        // Sound because the flag may be 1: no execution is lost.
        self.b.assume(self.pool, chosen, span);
    }

    /// Kept for who answers inputs; nothing happens to the program.
    fn ask(&mut self, what: &str, args: &[Expr], e: &Expr) {
        let values = self.arguments(args, &[]);
        let mut call = OutputCall {
            function: format!("ask {what}"),
            format: None,
            args: Vec::new(),
            memory: Vec::new(),
        };
        for (a, v) in args.iter().zip(&values) {
            if let [t] = *v.terms.as_slice() {
                call.args.push(t);
                call.memory.push(self.text_memory(a));
            }
        }
        let edge = self.b.emit(Stmt::Skip, e.span);
        self.b.outputs.insert(edge, call);
    }

    fn room(&mut self, p: TermId) -> TermId {
        let Some(s) = self.safety else {
            // Nobody knows: as much as there can be.
            let bits = self.unit.types.pointer_size() as u32 * 8;
            return self.pool.int((1u128 << bits) - 1);
        };
        let (number, offset) = self.block_of(s, p);
        let sizes = self.var_term(s.size);
        let size = self.pool.select(sizes, number);
        let room = self.pool.sub(size, offset);
        let (zero, none) = (self.pool.int(0), self.pool.le(size, offset));
        self.pool.ite(none, zero, room)
    }

    /// The place at or behind `p` where the last string of its object was made to end; `p` itself
    /// if there is none inside the object.
    fn hint(&mut self, p: TermId) -> TermId {
        let Some((s, end)) = self.safety.and_then(|s| Some((s, s.end?))) else {
            return p;
        };
        let (number, offset) = self.block_of(s, p);
        let (sizes, ends) = (self.var_term(s.size), self.var_term(end));
        let size = self.pool.select(sizes, number);
        let at = self.pool.select(ends, number);
        let parts = [self.pool.le(offset, at), self.pool.lt(at, size)];
        let good = self.pool.and(&parts);
        let ahead = self.pool.sub(at, offset);
        let there = self.pool.add2(p, ahead);
        self.pool.ite(good, there, p)
    }

    /// The address of the last element of the string literal that `e` points into, if it is the only object there.
    // Sound because literals are never written: the element stays the zero that ends them.
    fn end_of_literal(&mut self, e: &Expr) -> Option<u64> {
        let target = self.memory.points.target_of(e)?;
        let root = self.memory.points.graph.plain(target).0;
        let node = self.memory.points.graph.root_data(root);
        let &[(object, _)] = node.objects.as_slice() else {
            return None;
        };
        if node.external || !node.functions.is_empty() {
            return None;
        }
        let ObjectKind::Declared(key) = self.memory.points.objects[object as usize].kind else {
            return None;
        };
        let last = self.last_of_literal(key)?;
        match self.memory.addresses.get(&key) {
            Some(&Address::Fixed(a)) => Some(a + last),
            _ => None,
        }
    }

    /// The offset of the last element of a literal that ends in a zero.
    fn last_of_literal(&self, key: ObjectKey) -> Option<u64> {
        let ObjectKey::String(string) = key else {
            return None;
        };
        let literal = &self.unit.strings[string];
        let element = self.unit.types.element(literal.ty)?;
        let width = self.unit.types.size_of(element)?;
        (literal.units.last() == Some(&0)).then(|| (literal.units.len() as u64 - 1) * width)
    }

    /// May it point to an argument of the command line?
    fn may_be_argument(&mut self, e: &Expr) -> bool {
        let mut makers = self.unit.functions.iter_enumerated();
        let maker = makers
            .find(|(_, f)| f.library && f.body.is_some() && f.source_name == "craig_argument")
            .map(|(id, _)| id);
        let target = self.memory.points.target_of(e);
        let made = maker.and_then(|f| self.memory.points.returned(f));
        let (Some(target), Some(made)) = (target, made) else {
            return false;
        };
        let graph = &mut self.memory.points.graph;
        graph.plain(target).0 == graph.plain(made).0
    }

    /// An argument of the command line ends in the last byte of its object (`lower/arguments.rs`), whatever was noted
    /// of it; what is none is where it is.
    fn end_of_argument(&mut self, p: TermId) -> TermId {
        let statics = (self.static_of("craig_argc"), self.static_of("craig_argv"));
        let (Some(s), (Some(argc), Some(argv))) = (self.safety, statics) else {
            return p;
        };
        let (number, offset) = self.block_of(s, p);
        let (argc, argv) = (self.var_term(argc), self.var_term(argv));
        let sizes = self.var_term(s.size);
        let size = self.pool.select(sizes, number);
        let block = self.pool.int(s.block);
        let base = self.pool.mul(&[block, number]);
        let first = self.pool.add2(argv, block);
        let room = self.pool.mul(&[block, argc]);
        let behind = self.pool.add2(first, room);
        let parts = [self.pool.le(first, base), self.pool.lt(base, behind)];
        let argument = self.pool.and(&parts);
        let one = self.pool.int(1);
        let ahead = self.pool.sub(size, offset);
        let ahead = self.pool.sub(ahead, one);
        let last = self.pool.add2(p, ahead);
        self.pool.ite(argument, last, p)
    }

    /// Whether hints are kept: models of the library are called.
    pub(in crate::c) fn hints(&self) -> bool {
        let unit = self.unit;
        self.reach
            .functions
            .iter()
            .any(|&f| unit.functions[f].library)
    }

    /// String literals end with their last element.
    pub(in crate::c) fn first_hints(&mut self, s: Safety, none: TermId) -> TermId {
        let mut ends = none;
        for i in 0..self.memory.points.objects.len() {
            let ObjectKind::Declared(key) = self.memory.points.objects[i].kind else {
                continue;
            };
            let Some(last) = self.last_of_literal(key) else {
                continue;
            };
            if let Some(&Address::Fixed(a)) = self.memory.addresses.get(&key) {
                let (index, last) = (self.pool.int(a / s.block), self.pool.int(last));
                ends = self.pool.store(ends, index, last);
            }
        }
        ends
    }
}

//! Classes and their bases, as type information tells: which handler takes which exception, `dynamic_cast`.
//!
//! Classes of the module say their bases themselves. Those of the standard library are known by name, and so is what
//! its functions `std::__throw_…` throw. Of other classes nothing is known: they may derive from anything.

use super::super::module::{Call, ConstExpr, Op, Value, ValueId};
use super::Translator;
use crate::c::hir::{BinaryOp, Expr};

/// Exceptions of the standard library with their bases, as mangled names.
const BASES: &[(&str, &str)] = &[
    ("St13bad_exception", "St9exception"),
    ("St9bad_alloc", "St9exception"),
    ("St20bad_array_new_length", "St9bad_alloc"),
    ("St8bad_cast", "St9exception"),
    ("St10bad_typeid", "St9exception"),
    ("St11logic_error", "St9exception"),
    ("St12domain_error", "St11logic_error"),
    ("St16invalid_argument", "St11logic_error"),
    ("St12length_error", "St11logic_error"),
    ("St12out_of_range", "St11logic_error"),
    ("St13runtime_error", "St9exception"),
    ("St11range_error", "St13runtime_error"),
    ("St14overflow_error", "St13runtime_error"),
    ("St15underflow_error", "St13runtime_error"),
    ("St12system_error", "St13runtime_error"),
    ("NSt8ios_base7failureB5cxx11E", "St12system_error"),
    ("St17bad_function_call", "St9exception"),
    ("St12bad_weak_ptr", "St9exception"),
    ("St12future_error", "St11logic_error"),
    ("St11regex_error", "St13runtime_error"),
    ("St19bad_optional_access", "St9exception"),
    ("St18bad_variant_access", "St9exception"),
];

/// Does a handler of one type take an exception of another?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    No,
    Yes,
    Perhaps,
}

/// The type that a function of the library throws; of others it is a type of which nothing is known.
pub(super) fn thrown_by_library(name: &str) -> Option<String> {
    if !name.starts_with("_ZSt") {
        return None;
    }
    let word = name.split("__throw_").nth(1)?;
    let known = BASES
        .iter()
        .map(|(class, _)| *class)
        .filter(|class| {
            let plain = class
                .trim_start_matches("St")
                .trim_start_matches(|c: char| c.is_ascii_digit());
            word.starts_with(plain) || word.starts_with("ios_failure") && class.starts_with('N')
        })
        .max_by_key(|class| class.len());
    Some(format!("_ZTI{}", known.unwrap_or("St7unknown")))
}

impl<'t> Translator<'_, 't> {
    /// Types that the module throws, itself or in functions of the library.
    pub(super) fn types_thrown(&self) -> Vec<String> {
        let mut found = Vec::new();
        let all = self.module.functions.iter().flat_map(|f| &f.blocks);
        for i in all.flat_map(|b| &b.instructions) {
            let (Op::Call(call) | Op::Invoke(call, ..)) = &i.op else {
                continue;
            };
            let Value::Global(name) = &call.callee else {
                continue;
            };
            if *name == "__cxa_throw" {
                found.extend(call.args.get(1).and_then(|a| type_name(&a.value)));
            } else if let Some(ty) = thrown_by_library(name) {
                found.push(ty);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a handler of type `handler` takes an exception of type `thrown`.
    pub(super) fn takes(&self, handler: &str, thrown: &str, depth: u32) -> Takes {
        if handler == thrown {
            return Takes::Yes;
        }
        let pointers = (handler.starts_with("_ZTIP"), thrown.starts_with("_ZTIP"));
        match pointers {
            // Conversions of pointers: only where the module says what they point to.
            (true, true) => {
                let (Some(to), Some(from)) = (self.bases(handler), self.bases(thrown)) else {
                    return Takes::Perhaps;
                };
                return match (to.first(), from.first()) {
                    (Some(to), Some(from)) if depth < 64 => self.takes(to, from, depth + 1),
                    _ => Takes::Perhaps,
                };
            }
            (true, false) | (false, true) => return Takes::No,
            _ => {}
        }
        let class = |name: &str| {
            name.strip_prefix("_ZTI").is_some_and(|n| {
                n.starts_with(['S', 'N', 'Z']) || n.starts_with(|c: char| c.is_ascii_digit())
            })
        };
        if !class(handler) || !class(thrown) {
            return Takes::No;
        }
        let Some(bases) = self.bases(thrown) else {
            return Takes::Perhaps;
        };
        let mut answer = Takes::No;
        for base in bases {
            match self.takes(handler, &base, depth + 1) {
                _ if depth >= 64 => return Takes::Perhaps,
                Takes::Yes => return Takes::Yes,
                Takes::Perhaps => answer = Takes::Perhaps,
                Takes::No => {}
            }
        }
        answer
    }

    /// The bases of a class, or what a pointer points to; `None` if it is not known.
    fn bases(&self, name: &str) -> Option<Vec<String>> {
        let global = self.module.globals.iter().find(|g| g.name == name);
        if let Some(Value::Aggregate(parts)) = global.and_then(|g| g.init.as_ref()) {
            let named = parts.iter().skip(2);
            return Some(named.filter_map(|p| type_name(&p.value)).collect());
        }
        let plain = name.strip_prefix("_ZTI")?;
        if plain == "St9exception" {
            return Some(Vec::new());
        }
        let known = BASES.iter().find(|(class, _)| *class == plain)?;
        Some(vec![format!("_ZTI{}", known.1)])
    }

    /// `__dynamic_cast(object, its type, the wanted type, hint)`: decided by the type in the object's table of
    /// functions where every class has one base, else any pointer.
    pub(super) fn dynamic_cast(&mut self, call: &Call<'t>, result: Option<ValueId>) -> bool {
        let Some(r) = result else { return true };
        let pointer = self.void_pointer();
        let found = match call.args.as_slice() {
            [object, from, to, hint] => {
                match (type_name(&from.value), type_name(&to.value), &hint.value) {
                    (Some(from), Some(to), Value::Int(0)) => self
                        .single_line(&from, &to)
                        .map(|types| (object.value.clone(), types)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((object, types)) = found else {
            let any = self.approximation(pointer, "dynamic_cast between classes of several bases");
            self.give(any, Some(r));
            return true;
        };
        let p = self.pointer(&object);
        let p = self.pointer_value(p);
        let p = self.held(p);
        self.flush(&|r| r.memory || r.traps);
        let table = self.deref(p.clone(), pointer);
        let table = self.load(table);
        let size = if super::super::layout::is_32(self.module) {
            4
        } else {
            8
        };
        let back = self.int(-1);
        let entry = self.offset(table, back, size);
        let entry = self.deref(entry, pointer);
        let entry = self.load(entry);
        let entry = self.held(entry);
        let mut hit: Option<Expr> = None;
        for name in types {
            let known = self.module.globals.iter().find(|g| g.name == name);
            let Some(known) = known.map(|g| g.name) else {
                continue;
            };
            let address = self.pointer(&Value::Global(known));
            let address = self.pointer_value(address);
            let address = self.cast(address, pointer);
            let same = self.binary(BinaryOp::Eq, entry.clone(), address);
            hit = Some(match hit {
                None => same,
                Some(h) => self.either(h, same),
            });
        }
        let null = self.null();
        let e = match hit {
            Some(hit) => {
                let p = self.cast(p, pointer);
                self.conditional(hit, p, null)
            }
            None => null,
        };
        self.give(e, Some(r));
        true
    }

    /// The classes that are a `to`, if all that are a `from` have at most one base.
    fn single_line(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut out = Vec::new();
        for g in &self.module.globals {
            if !g.name.starts_with("_ZTI") || g.name.starts_with("_ZTIP") {
                continue;
            }
            if self.takes(from, g.name, 0) == Takes::No {
                continue;
            }
            if self.bases(g.name)?.len() > 1 {
                return None;
            }
            match self.takes(to, g.name, 0) {
                Takes::Yes => out.push(g.name.to_string()),
                Takes::No => {}
                Takes::Perhaps => return None,
            }
        }
        Some(out)
    }
}

/// The name of type information, through casts.
pub(super) fn type_name(v: &Value<'_>) -> Option<String> {
    match v {
        Value::Global(n) => n.starts_with("_ZTI").then(|| n.to_string()),
        Value::Expr(e) => match &**e {
            ConstExpr::Cast(_, inner, _) => type_name(&inner.value),
            _ => None,
        },
        _ => None,
    }
}

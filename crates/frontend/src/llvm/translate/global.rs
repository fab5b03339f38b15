//! Global names: variables with their initialisers, functions.

use super::super::lex::unescape;
use super::super::module::{Global, Param, Type, Typed, Value};
use super::{Symbol, Translator, runtime};
use crate::c::hir::{self, Init, InitItem, InitValue, Linkage, Step, StringLiteral};
use crate::c::sema::outside::OPTION_GLOBALS;
use crate::c::types::{FunctionType, IntKind, TypeId};
use program::Span;

impl<'t> Translator<'_, 't> {
    /// Gives every global name its object or function.
    pub(super) fn declare(&mut self) {
        let module = self.module;
        for g in &module.globals {
            let symbol = match self.string_literal(g) {
                Some(s) => s,
                None => self.declare_global(g),
            };
            self.symbols.insert(g.name, symbol);
        }
        for i in 0..module.functions.len() {
            self.declare_function(i);
        }
        for _ in 0..2 {
            for (name, target) in &module.aliases {
                if let Some(symbol) = base_symbol(&target.value).and_then(|t| self.symbols.get(t)) {
                    let symbol = *symbol;
                    self.symbols.insert(name, symbol);
                }
            }
        }
    }

    /// A constant text that ends with its only zero is a literal.
    fn string_literal(&mut self, g: &Global<'t>) -> Option<Symbol> {
        let Some(Value::Bytes(text)) = &g.init else {
            return None;
        };
        let bytes = unescape(text);
        let ends = bytes.iter().position(|b| *b == 0) == Some(bytes.len().checked_sub(1)?);
        let private = g.internal && g.constant && (g.name.starts_with(".str") || ends);
        if !private || !ends {
            return None;
        }
        let span = self.debug.span(g.at, None, self.sources);
        let char = self.unit.types.int(IntKind::Char);
        let ty = self.unit.types.array(char, bytes.len() as u64);
        let units = bytes.into_iter().map(u32::from).collect();
        let id = self.unit.strings.push(StringLiteral { units, ty, span });
        Some(Symbol::String(id))
    }

    fn declare_global(&mut self, g: &Global<'t>) -> Symbol {
        let declared = g
            .debug
            .map(|d| self.debug.variable_of(d))
            .and_then(|d| self.debug.declared(d, self.sources));
        let span = match declared {
            Some(span) => span,
            // Constants that the compiler of a program with debug information made.
            None if g.internal && g.constant && self.has_debug() => self.built_in_span(),
            None => self.debug.span(g.at, None, self.sources),
        };
        let signed = self.signs.global(g.name);
        let ty = if let Some(ty) = self.shared_with_library(g) {
            ty
        } else if self.signs.global_is_bool(g.name) && self.module.int_bits(g.ty) == Some(8) {
            self.unit.types.int(IntKind::Bool)
        } else {
            self.ty(g.ty, signed)
        };
        let name = g
            .debug
            .map(|d| self.debug.variable_of(d))
            .and_then(|d| self.debug.name(d));
        let plain = runtime::demangle(g.name);
        let id = self.unit.globals.push(hir::Global {
            name: g.name.to_string(),
            source_name: Some(name.map_or(plain, |n| n.to_string())),
            ty,
            span,
            linkage: if g.internal {
                Linkage::Internal
            } else {
                Linkage::External
            },
            defined: g.init.is_some(),
            init: None,
            is_const: g.constant,
            is_volatile: false,
            thread_local: g.thread_local,
            function: None,
        });
        if let Some(align) = g.align.filter(|a| a.is_power_of_two()) {
            self.unit.alignments.globals.insert(id, align);
        }
        Symbol::Global(id)
    }

    /// The type that the library gives an object which it shares with programs.
    fn shared_with_library(&mut self, g: &Global<'t>) -> Option<TypeId> {
        if g.internal || !OPTION_GLOBALS.contains(&g.name) {
            return None;
        }
        let types = &mut self.unit.types;
        match self.module.get(g.ty) {
            Type::Int(32) if g.name != "optarg" => Some(types.int(IntKind::Int)),
            Type::Pointer if g.name == "optarg" => {
                let char = types.int(IntKind::Char);
                Some(types.pointer(char))
            }
            _ => None,
        }
    }

    fn has_debug(&self) -> bool {
        let functions = &self.module.functions;
        functions.iter().any(|f| f.subprogram.is_some())
    }

    /// The sign of a parameter or result that the function's own code does not tell.
    fn declared_sign(&self, name: &str) -> Option<bool> {
        let kind = name.strip_prefix("__VERIFIER_nondet_")?;
        Some(!(kind.starts_with('u') || matches!(kind, "bool" | "size_t" | "pointer" | "pchar")))
    }

    fn declare_function(&mut self, i: usize) {
        let module = self.module;
        let f = &module.functions[i];
        let defined = !f.blocks.is_empty();
        let declared = f
            .subprogram
            .and_then(|s| self.debug.declared(s, self.sources));
        let span = match declared {
            Some(span) => span,
            None if !defined && runtime::is_outside(f.name) => self.built_in_span(),
            None => self.debug.span(f.at, None, self.sources),
        };
        let ret_signed = match (self.declared_sign(f.name), f.ret_sign) {
            (Some(s), _) => s,
            (None, Some(s)) => s,
            _ if defined => self.signs.result(i),
            _ => self.signs.default_signed(),
        };
        let ret = if f.name == "__VERIFIER_nondet_bool" {
            self.unit.types.int(IntKind::Bool)
        } else {
            self.ty(f.ret, ret_signed)
        };
        let params: Vec<TypeId> = f.params.iter().map(|p| self.param_type(i, p)).collect();
        let ty = self
            .unit
            .types
            .intern(crate::c::types::Type::Function(FunctionType {
                ret,
                params,
                variadic: f.variadic,
                unprototyped: false,
            }));
        let source_name = runtime::source_name(f.name);
        // Two functions of one plain name (a function and its variant for a base class) keep theirs.
        let unique = self.plain_names.insert(source_name.clone());
        let id = self.unit.functions.push(hir::Function {
            name: if unique {
                source_name.clone()
            } else {
                f.name.to_string()
            },
            source_name,
            ty,
            span,
            linkage: if f.internal {
                Linkage::Internal
            } else {
                Linkage::External
            },
            is_noreturn: f.noreturn,
            is_weak: f.weak,
            implicit: false,
            library: false,
            body: None,
        });
        self.symbols.insert(f.name, Symbol::Func(id));
        self.indices.insert(f.name, i);
    }

    fn param_type(&mut self, i: usize, p: &Param) -> TypeId {
        let signed = match (p.value, p.sign) {
            (Some(v), _) => self.signs.value(i, v),
            (None, Some(s)) => s,
            _ => self.signs.default_signed(),
        };
        self.ty(p.ty, signed)
    }

    /// Functions of the runtime are the compiler's, not the user's.
    pub(super) fn built_in_span(&mut self) -> Span {
        let known = self
            .sources
            .files
            .iter()
            .position(|f| f.name == "<built-in>");
        let file = match known {
            Some(i) => base::Id::from_index(i),
            None => self.sources.add("<built-in>", ""),
        };
        Span {
            file,
            line: 1,
            column: 1,
            len: 1,
        }
    }

    pub(super) fn initialisers(&mut self) {
        let module = self.module;
        for g in &module.globals {
            let Some(Symbol::Global(id)) = self.symbols.get(g.name).copied() else {
                continue;
            };
            let Some(init) = &g.init else { continue };
            let ty = self.unit.globals[id].ty;
            self.f.span = self.unit.globals[id].span;
            let mut items = Vec::new();
            let typed = Typed {
                ty: g.ty,
                value: init.clone(),
            };
            self.items(&typed, ty, &mut Vec::new(), 0, &mut items);
            if !items.is_empty() {
                let zero_rest = !self.unit.types.is_scalar(ty);
                self.unit.globals[id].init = Some(Init { zero_rest, items });
            }
        }
        // Statements made on the way have no function to stand in; constants need none.
        self.f.stmts.clear();
    }

    fn items(
        &mut self,
        v: &Typed<'t>,
        ty: TypeId,
        path: &mut Vec<Step>,
        offset: u64,
        out: &mut Vec<InitItem>,
    ) {
        let span = self.f.span;
        match &v.value {
            Value::Zero | Value::Undef | Value::Poison => {}
            Value::Aggregate(list) => {
                for (k, element) in list.iter().enumerate() {
                    let (step, at, part) = self.step(ty, k as u64);
                    path.push(step);
                    self.items(element, part, path, offset + at, out);
                    path.pop();
                }
            }
            Value::Bytes(text) => {
                let units: Vec<u32> = unescape(text).into_iter().map(u32::from).collect();
                let string = self.unit.strings.push(StringLiteral { units, ty, span });
                out.push(InitItem {
                    path: path.clone(),
                    offset,
                    ty,
                    value: InitValue::String(string),
                    span,
                });
            }
            Value::Null | Value::Int(0) if !path.is_empty() => {}
            wide if self.is_wide(v.ty) => {
                let bits = self.module.int_bits(v.ty).unwrap_or(0);
                let list = self.wide_pieces(wide, bits).unwrap_or_default();
                for (k, n) in list.into_iter().enumerate() {
                    let (step, at, part) = self.step(ty, k as u64);
                    path.push(step);
                    let value = InitValue::Expr(self.number(i128::from(n), part));
                    out.push(InitItem {
                        path: path.clone(),
                        offset: offset + at,
                        ty: part,
                        value,
                        span,
                    });
                    path.pop();
                }
            }
            value => {
                let signed = self.sign_in(ty);
                let e = match self.module.get(v.ty) {
                    Type::Int(1) => self.truth(value),
                    _ => self.scalar(value, v.ty, signed),
                };
                let e = self.cast(e, ty);
                out.push(InitItem {
                    path: path.clone(),
                    offset,
                    ty,
                    value: InitValue::Expr(e),
                    span,
                });
            }
        }
    }

    fn step(&self, ty: TypeId, k: u64) -> (Step, u64, TypeId) {
        let types = &self.unit.types;
        if let Some(r) = types.record(ty) {
            let field = &types.records[r].fields[k as usize];
            return (Step::Field(r, k as u32), field.offset, field.ty);
        }
        let element = types.element(ty).unwrap_or(ty);
        let size = types.size_of(element).unwrap_or(1);
        (Step::Index(k), k * size, element)
    }
}

/// The name behind casts.
pub(super) fn base_symbol<'t>(v: &Value<'t>) -> Option<&'t str> {
    match v {
        Value::Global(name) => Some(name),
        Value::Expr(e) => match &**e {
            super::super::module::ConstExpr::Cast(_, v, _) => base_symbol(&v.value),
            super::super::module::ConstExpr::Gep { args, .. } => base_symbol(&args.first()?.value),
            _ => None,
        },
        _ => None,
    }
}

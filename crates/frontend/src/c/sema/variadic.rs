//! Variadic functions as plain ones.
//!
//! ```text
//! int f(int n, ...);          int f(int n, unsigned long long *more);
//! f(2, x, s)            →     ({ unsigned long long more[2] = {x, &copy of s}; f(2, more); })
//! va_start(ap, n)       →     ap = more
//! va_arg(ap, int)       →     (int)*ap++
//! ```
//! A `va_list` keeps its size and is a cursor in the member that holds the stack area on x86-64. A
//! slot holds an integer, an address or a pattern of 64 bits; what is larger is passed by the
//! address of a copy. Reading another type than was passed is undefined in C, except where only the sign
//! differs, so the slots need no types. Copies of lists, lists in records and lists passed on are then
//! copies of a pointer.

use super::super::hir::{
    Block, Callee, CastKind, Expr, ExprKind, FuncId, Init, InitItem, InitValue, Local, LocalId,
    LocalKind, Place, PlaceKind, SizeOf, Step, Stmt, StmtKind, Unit, visit,
};
use super::super::types::{DataModel, FloatKind, IntKind, Type, TypeId};
use base::{FxHashMap, Id};
use program::Span;

/// The member of the x86-64 list that serves as the cursor.
const CURSOR: u32 = 2;
const SLOT_BYTES: u64 = 8;

/// Rewrites every variadic function that has a body, and the calls that may reach one.
pub(super) fn expand(unit: &mut Unit) {
    let slot = unit.types.int(IntKind::ULongLong);
    let area = unit.types.pointer(slot);
    let mut areas = FxHashMap::default();
    for i in 0..unit.functions.len() {
        let f = FuncId::from_index(i);
        let function = &mut unit.functions[f];
        let variadic = unit.types.function(function.ty).is_some_and(|t| t.variadic);
        if let Some(body) = function.body.as_mut().filter(|_| variadic) {
            let local = unit.locals.push(Local {
                name: String::new(),
                ty: area,
                span: function.span,
                kind: LocalKind::Param,
                function: f,
                is_const: false,
                is_volatile: false,
                address_taken: false,
            });
            body.params.push(local);
            areas.insert(f, local);
        }
    }
    for i in 0..unit.functions.len() {
        let f = FuncId::from_index(i);
        if let Some(mut body) = unit.functions[f].body.take() {
            let mut expansion = Expansion {
                slot,
                current: f,
                areas: &areas,
                unit,
            };
            visit::changing::block(&mut expansion, &mut body.block);
            unit.functions[f].body = Some(body);
        }
    }
}

struct Expansion<'u> {
    unit: &'u mut Unit,
    /// The hidden parameters.
    areas: &'u FxHashMap<FuncId, LocalId>,
    current: FuncId,
    slot: TypeId,
}

impl visit::VisitorMut for Expansion<'_> {
    fn after_expr(&mut self, e: &mut Expr, _: bool) {
        let new = match &mut e.kind {
            ExprKind::Call { callee, args } => match self.fixed(callee) {
                Some(fixed) if fixed <= args.len() => {
                    let more = args.split_off(fixed);
                    let mut stmts = Vec::new();
                    let area = self.area(more, e.span, &mut stmts);
                    args.push(area);
                    let call = std::mem::replace(&mut e.kind, ExprKind::Int(0));
                    let call = Expr::new(call, e.ty, e.span);
                    let span = e.span;
                    Some(ExprKind::StmtExpr {
                        block: Block { stmts, span },
                        value: Some(Box::new(call)),
                    })
                }
                _ => None,
            },
            ExprKind::Intrinsic { name, args } => match name.trim_start_matches("__builtin_") {
                "va_start" | "stdarg_start" => self.start(args, e.span),
                "va_copy" => self.copy(args),
                _ => None,
            },
            ExprKind::VaArg(list) => self.argument(list, e.ty, e.span),
            _ => None,
        };
        if let Some(kind) = new {
            e.kind = kind;
        }
    }
}

impl Expansion<'_> {
    fn make(&self, kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        Expr::new(kind, ty, span)
    }

    fn cast(&self, kind: CastKind, e: Expr, ty: TypeId) -> Expr {
        let span = e.span;
        self.make(ExprKind::Cast(kind, Box::new(e)), ty, span)
    }

    fn load(&self, place: Place) -> Expr {
        let (ty, span) = (place.ty, place.span);
        self.make(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// How many arguments go to parameters, if the callee may be a variadic function with a body.
    fn fixed(&self, callee: &Callee) -> Option<usize> {
        match callee {
            Callee::Direct(f) => {
                self.areas.get(f)?;
                let ty = self.unit.functions[*f].ty;
                self.unit.types.function(ty).map(|t| t.params.len())
            }
            Callee::Indirect(pointer) => {
                let ty = self.unit.types.pointee(pointer.ty)?;
                let signature = self.unit.types.function(ty)?;
                (signature.variadic && !self.areas.is_empty()).then_some(signature.params.len())
            }
        }
    }

    fn local(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.unit.locals.push(Local {
            name: String::new(),
            ty,
            span,
            kind: LocalKind::Auto,
            function: self.current,
            is_const: false,
            is_volatile: false,
            address_taken: true,
        })
    }

    fn declare(local: LocalId, items: Vec<InitItem>, span: Span) -> Stmt {
        let init = Some(Init {
            zero_rest: false,
            items,
        });
        let kind = StmtKind::Decl { local, init };
        Stmt { kind, span }
    }

    /// Declares the slots with their values; the address of the first.
    fn area(&mut self, more: Vec<Expr>, span: Span, stmts: &mut Vec<Stmt>) -> Expr {
        let ty = self.unit.types.array(self.slot, more.len().max(1) as u64);
        let local = self.local(ty, span);
        let mut items = Vec::new();
        // From the last to the first, like all arguments.
        for (i, e) in more.into_iter().enumerate().rev() {
            let value = self.slot_value(e, stmts);
            items.push(InitItem {
                path: vec![Step::Index(i as u64)],
                offset: SLOT_BYTES * i as u64,
                ty: self.slot,
                span: value.span,
                value: InitValue::Expr(value),
            });
        }
        stmts.push(Self::declare(local, items, span));
        let object = Place {
            kind: PlaceKind::Local(local),
            ty,
            span,
        };
        self.first(object, self.slot, span)
    }

    /// The address of the first element.
    fn first(&mut self, array: Place, element: TypeId, span: Span) -> Expr {
        let size_t = self.unit.types.size_t();
        let place = Place {
            kind: PlaceKind::Index {
                base: Box::new(array),
                index: Box::new(self.make(ExprKind::Int(0), size_t, span)),
            },
            ty: element,
            span,
        };
        let pointer = self.unit.types.pointer(element);
        self.make(ExprKind::AddressOf(Box::new(place)), pointer, span)
    }

    fn slot_value(&mut self, e: Expr, stmts: &mut Vec<Stmt>) -> Expr {
        let span = e.span;
        let small = self
            .unit
            .types
            .size_of(e.ty)
            .is_some_and(|s| s <= SLOT_BYTES);
        match *self.unit.types.get(e.ty) {
            Type::Int(_) | Type::Enum(_) if small => self.cast(CastKind::IntToInt, e, self.slot),
            Type::Pointer(_) => self.cast(CastKind::Same, e, self.slot),
            Type::Float(FloatKind::F64) => self.cast(CastKind::Same, e, self.slot),
            _ => {
                let ty = e.ty;
                let local = self.local(ty, span);
                let item = InitItem {
                    path: Vec::new(),
                    offset: 0,
                    ty,
                    span,
                    value: InitValue::Expr(e),
                };
                stmts.push(Self::declare(local, vec![item], span));
                let place = Place {
                    kind: PlaceKind::Local(local),
                    ty,
                    span,
                };
                let pointer = self.unit.types.pointer(ty);
                let address = self.make(ExprKind::AddressOf(Box::new(place)), pointer, span);
                self.cast(CastKind::Same, address, self.slot)
            }
        }
    }

    /// The place of the cursor in a list; `None`: this is no list.
    fn cursor(&self, list: Place) -> Option<Place> {
        let types = &self.unit.types;
        let span = list.span;
        let object = match *types.get(list.ty) {
            Type::Array(element, _) => Place {
                kind: PlaceKind::Index {
                    base: Box::new(list),
                    index: Box::new(self.make(ExprKind::Int(0), self.slot, span)),
                },
                ty: element,
                span,
            },
            Type::Pointer(_) if types.model == DataModel::Ilp32 => return Some(list),
            Type::Pointer(to) if types.record(to).is_some() => Place {
                kind: PlaceKind::Deref(Box::new(self.load(list))),
                ty: to,
                span,
            },
            Type::Record(_) => list,
            _ => return None,
        };
        let record = types.record(object.ty)?;
        if types.records[record].tag.as_deref() != Some("__va_list_tag") {
            return None;
        }
        let ty = types.records[record].fields.get(CURSOR as usize)?.ty;
        Some(Place {
            kind: PlaceKind::Field {
                base: Box::new(object),
                record,
                field: CURSOR,
            },
            ty,
            span,
        })
    }

    /// The cursor of the list that an expression is the address of.
    fn cursor_at(&self, address: Expr) -> Option<Place> {
        let span = address.span;
        let place = match address.kind {
            ExprKind::AddressOf(place) => *place,
            _ => Place {
                ty: self.unit.types.pointee(address.ty)?,
                kind: PlaceKind::Deref(Box::new(address)),
                span,
            },
        };
        self.cursor(place)
    }

    fn start(&mut self, args: &mut [Expr], span: Span) -> Option<ExprKind> {
        let area = *self.areas.get(&self.current)?;
        let cursor = self.cursor_at(args.first()?.clone())?;
        let first = self.load(Place {
            kind: PlaceKind::Local(area),
            ty: self.unit.locals[area].ty,
            span,
        });
        let value = self.cast(CastKind::PointerToPointer, first, cursor.ty);
        Some(self.assigned(cursor, value))
    }

    fn copy(&mut self, args: &mut [Expr]) -> Option<ExprKind> {
        let [to, from] = args else { return None };
        let (to, from) = (self.cursor_at(to.clone())?, self.cursor_at(from.clone())?);
        let value = self.load(from);
        Some(self.assigned(to, value))
    }

    /// `(void)(place = value)`
    fn assigned(&mut self, place: Place, value: Expr) -> ExprKind {
        let (ty, span) = (place.ty, place.span);
        let kind = ExprKind::Assign {
            place: Box::new(place),
            value: Box::new(value),
        };
        ExprKind::Cast(CastKind::ToVoid, Box::new(self.make(kind, ty, span)))
    }

    fn argument(&mut self, list: &Place, ty: TypeId, span: Span) -> Option<ExprKind> {
        let types = &self.unit.types;
        let small = types.size_of(ty)? <= SLOT_BYTES;
        let kind = types.get(ty).clone();
        if matches!(kind, Type::Float(FloatKind::F32) | Type::Void) {
            return None;
        }
        let cursor = self.cursor(list.clone())?;
        let slots = self.unit.types.pointer(self.slot);
        let old = self.make(
            ExprKind::IncDec {
                compute: cursor.ty,
                decrement: false,
                prefix: false,
                size: Some(Box::new(SizeOf {
                    factor: SLOT_BYTES,
                    lengths: Vec::new(),
                })),
                place: Box::new(cursor.clone()),
            },
            cursor.ty,
            span,
        );
        let pointer = self.cast(CastKind::PointerToPointer, old, slots);
        let slot = self.load(Place {
            kind: PlaceKind::Deref(Box::new(pointer)),
            ty: self.slot,
            span,
        });
        // A slot is as wide as an address.
        let address = |this: &mut Self, slot, ty| this.cast(CastKind::Same, slot, ty);
        Some(match kind {
            Type::Int(_) | Type::Enum(_) if small => self.cast(CastKind::IntToInt, slot, ty).kind,
            Type::Pointer(_) => address(self, slot, ty).kind,
            Type::Float(FloatKind::F64) => self.cast(CastKind::Same, slot, ty).kind,
            _ => {
                let to = self.unit.types.pointer(ty);
                let pointer = address(self, slot, to);
                let object = Place {
                    kind: PlaceKind::Deref(Box::new(pointer)),
                    ty,
                    span,
                };
                ExprKind::Load(Box::new(object))
            }
        })
    }
}

//! Functions of numbers that are built in: absolute values, classification, roots, and arithmetic that says
//! whether it overflows, which is exact because integers of the logic are mathematical.

use super::table::Arithmetic;
use crate::c::hir::{BinaryOp, Expr, ExprKind, PlaceKind};
use crate::c::lower::Lower;
use crate::c::lower::expr::Val;
use crate::c::lower::place::{At, Base};
use crate::c::lower::scalar::{Scalar, ScalarKind, scalar_of};
use crate::c::memory::constraints::pointee;
use crate::c::types::TypeId;
use logic::TermId;
use program::Span;
use program::interp::float::Width;

/// Functions of floats; those of other types have `f` or `l` behind them.
const FLOATS: &[&str] = &[
    "fabs",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "fmod",
    "copysign",
    "isnan",
    "signbit",
    "isfinite",
    "finite",
    "isinf",
    "isinf_sign",
    "isnormal",
    "fpclassify",
    "isunordered",
    "islessgreater",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
];

fn plain_float(name: &str) -> Option<&'static str> {
    let find = |n: &str| FLOATS.iter().find(|f| **f == n).copied();
    find(name).or_else(|| find(name.strip_suffix(['f', 'l'])?))
}

/// The pattern of the least normal number.
fn least_normal(width: Width) -> u128 {
    match width {
        Width::W32 => 1 << 23,
        Width::W64 => 1 << 52,
        Width::W80 => 3 << 63,
        _ => 1 << 112,
    }
}

impl Lower<'_> {
    /// A function of numbers without effects; `None` for arguments that it does not take.
    pub(super) fn number(&mut self, name: &str, args: &[Expr], e: &Expr) -> Option<Val> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let name = name.trim_start_matches('_');
        Some(match (name, args) {
            ("abs" | "labs" | "llabs" | "imaxabs", [a]) => {
                let scalar = self.scalar(e.ty);
                let t = self.term(a);
                let zero = self.pool.int(0);
                let minus = self.pool.neg(t);
                let positive = self.pool.le(zero, t);
                let t = self.pool.ite(positive, t, minus);
                self.result(t, scalar, e.span)
            }
            ("object_size" | "dynamic_object_size", [p, kind]) => {
                let kind = kind.as_int().unwrap_or(0);
                args.iter().for_each(|a| self.discard(a));
                let scalar = self.scalar(e.ty);
                let size = match self.bytes_behind(p, kind & 1 == 1) {
                    Some(n) => self.pool.int(n),
                    // Unknown: the greatest size, or the least.
                    None => self.pool.int(if kind & 2 == 0 { -1 } else { 0 }),
                };
                Val::int(self.wrap_to(size, scalar))
            }
            ("constant_p" | "types_compatible_p", _) => Val::int(self.pool.int(0)),
            _ => return self.float_number(name, args, e),
        })
    }

    /// Bytes from where a pointer points to the end of its object, or of the innermost part: known where the
    /// expression names the object, as without optimisation.
    fn bytes_behind(&self, pointer: &Expr, innermost: bool) -> Option<i64> {
        let mut e = pointer;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::AddressOf(place) = &e.kind else {
            return None;
        };
        let types = &self.unit.types;
        let size = |ty| types.size_of(ty).map(|n| n as i64);
        let (mut offset, mut end, mut place) = (0i64, None, &**place);
        loop {
            place = match &place.kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::String(_) => {
                    let end = end.filter(|_| innermost).or(size(place.ty))?;
                    return Some((end - offset).max(0));
                }
                PlaceKind::Index { base, index } => {
                    let start = index.as_int()? as i64 * size(types.element(base.ty)?)?;
                    end = end.map_or(size(base.ty), |e: i64| Some(e + start));
                    offset += start;
                    base
                }
                PlaceKind::Field {
                    base,
                    record,
                    field,
                } => {
                    let start = types.records[*record].fields[*field as usize].offset as i64;
                    end = match end {
                        Some(e) => Some(e + start),
                        None => size(place.ty).map(|n| n + start),
                    };
                    offset += start;
                    base
                }
                _ => return None,
            };
        }
    }

    /// Functions of floats, with their variants of other types.
    fn float_number(&mut self, name: &str, args: &[Expr], e: &Expr) -> Option<Val> {
        let plain = plain_float(name)?;
        let (values, scalar) = self.common_floats(plain, args)?;
        let width = Width::of_bits(scalar.bits)?;
        let (sign, infinity) = (self.pool.int(width.sign()), self.pool.int(width.infinity()));
        let (x, y) = (*values.first()?, values.get(1).copied());
        let size = self.wrap_unsigned(x, scalar.bits - 1);
        let negative = self.pool.le(sign, x);
        Some(match (plain, y) {
            ("fabs", None) => Val::int(size),
            ("sqrt" | "floor" | "ceil" | "trunc" | "round", None) => {
                Val::int(self.float_op(plain, &[x], scalar))
            }
            ("fmod", Some(y)) => Val::int(self.float_op("rem", &[x, y], scalar)),
            ("copysign", Some(y)) => {
                let (with, below) = (self.pool.add2(size, sign), self.pool.lt(y, sign));
                Val::int(self.pool.ite(below, size, with))
            }
            ("isnan", None) => Val::boolean(self.float_is_nan(x, scalar)),
            ("signbit", None) => Val::boolean(negative),
            ("isfinite" | "finite", None) => Val::boolean(self.pool.lt(size, infinity)),
            ("isinf" | "isinf_sign", None) => {
                let (zero, one, minus) = (self.pool.int(0), self.pool.int(1), self.pool.int(-1));
                let is = self.pool.eq(size, infinity);
                let which = self.pool.ite(negative, minus, one);
                Val::int(self.pool.ite(is, which, zero))
            }
            ("isnormal", None) => {
                let least = self.pool.int(least_normal(width));
                let parts = [self.pool.le(least, size), self.pool.lt(size, infinity)];
                Val::boolean(self.pool.and(&parts))
            }
            ("fpclassify", _) => self.classify(args, size, infinity, width, e.span),
            ("isunordered", Some(y)) => {
                let nans = [self.float_is_nan(x, scalar), self.float_is_nan(y, scalar)];
                Val::boolean(self.pool.or(&nans))
            }
            ("islessgreater", Some(y)) => {
                let less = self.float_binary(BinaryOp::Lt, x, y, scalar);
                let more = self.float_binary(BinaryOp::Gt, x, y, scalar);
                Val::boolean(self.pool.or2(less.term, more.term))
            }
            (_, Some(y)) => {
                let op = match plain {
                    "isgreater" => BinaryOp::Gt,
                    "isgreaterequal" => BinaryOp::Ge,
                    "isless" => BinaryOp::Lt,
                    "islessequal" => BinaryOp::Le,
                    _ => return None,
                };
                self.float_binary(op, x, y, scalar)
            }
            _ => return None,
        })
    }

    /// The arguments in the widest float type among them; integers are converted, as the usual arithmetic
    /// conversions do. Of `fpclassify` only the last one counts. `None`, and nothing evaluated, without a float.
    fn common_floats(&mut self, name: &str, args: &[Expr]) -> Option<(Vec<TermId>, Scalar)> {
        let types = &self.unit.types;
        let scalars: Option<Vec<Scalar>> = args.iter().map(|a| scalar_of(types, a.ty)).collect();
        let scalars = scalars?;
        let is_float = |s: &&Scalar| matches!(s.kind, ScalarKind::Float);
        let widest = *scalars.iter().filter(is_float).max_by_key(|s| s.bits)?;
        let values = self.arguments(args, &[]);
        let first = if name == "fpclassify" {
            args.len() - 1
        } else {
            0
        };
        let mut converted = Vec::new();
        for (value, scalar) in values.iter().zip(scalars).skip(first) {
            let term = *value.terms.first()?;
            let scalar = value.scalar.unwrap_or(scalar);
            converted.push(match scalar.kind {
                ScalarKind::Float => self.float_convert(term, scalar, widest),
                _ => self.float_op("from_int", &[term], widest),
            });
        }
        Some((converted, widest))
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`, or with the numbers of glibc.
    fn classify(
        &mut self,
        args: &[Expr],
        size: TermId,
        infinity: TermId,
        width: Width,
        span: Span,
    ) -> Val {
        let numbers: Vec<TermId> = match args {
            [nan, infinite, normal, subnormal, zero, _] => {
                let all = [nan, infinite, normal, subnormal, zero];
                all.iter().map(|a| self.term(a)).collect()
            }
            _ => [0, 1, 4, 3, 2].iter().map(|&n| self.pool.int(n)).collect(),
        };
        let (none, least) = (self.pool.int(0), self.pool.int(least_normal(width)));
        let (is_zero, small) = (self.pool.eq(size, none), self.pool.lt(size, least));
        let (is_infinite, below) = (self.pool.eq(size, infinity), self.pool.lt(size, infinity));
        let t = self.pool.ite(below, numbers[2], numbers[0]);
        let t = self.pool.ite(is_infinite, numbers[1], t);
        let t = self.pool.ite(small, numbers[3], t);
        let t = self.pool.ite(is_zero, numbers[4], t);
        Val::int(self.freeze(t, span))
    }

    /// `__builtin_add_overflow(a, b, &r)`: the exact result, cut to the type of `r`, and whether that lost
    /// anything. With `_p` only the type of the third argument counts.
    pub(super) fn checked_arithmetic(
        &mut self,
        op: Arithmetic,
        stores: bool,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Val> {
        let [a, b, r] = args else { return None };
        let ty = if stores { pointee(self.unit, r)? } else { r.ty };
        let scalar = scalar_of(&self.unit.types, ty)?;
        let values = self.arguments(&[a.clone(), b.clone(), r.clone()], &[]);
        let term = |i: usize| values.get(i).and_then(|v| v.terms.first()).copied();
        let (x, y, place) = (term(0)?, term(1)?, term(2)?);
        let exact = match op {
            Arithmetic::Add => self.pool.add2(x, y),
            Arithmetic::Sub => self.pool.sub(x, y),
            Arithmetic::Mul => self.pool.mul(&[x, y]),
        };
        let cut = self.wrap_to(exact, scalar);
        let same = self.pool.eq(exact, cut);
        let overflows = self.pool.not(same);
        if stores {
            // The values are read before the place is written, which may be one of theirs.
            let lost = self.keep_flag(overflows, e.span);
            let at = self.target(r, place, ty, scalar, e.span);
            self.write(&at, cut, e.span);
            return Some(lost);
        }
        Some(Val::boolean(overflows))
    }

    /// A condition kept in a variable.
    fn keep_flag(&mut self, condition: TermId, span: Span) -> Val {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let value = self.pool.ite(condition, one, zero);
        let v = self.temp(Scalar::FLAG, span);
        self.b.assign(vec![(v, value)], span);
        Val::int(self.var_term(v))
    }

    /// The object of this type that a pointer argument points to.
    pub(super) fn target(
        &mut self,
        pointer: &Expr,
        address: TermId,
        ty: TypeId,
        scalar: Scalar,
        span: Span,
    ) -> At {
        let base = match self.memory.points.target_of(pointer) {
            Some(cell) => Base::Memory { address, cell },
            None => Base::Lost,
        };
        At {
            base,
            bit: 0,
            ty,
            scalar: Some(scalar),
            deref: true,
            span,
        }
    }
}

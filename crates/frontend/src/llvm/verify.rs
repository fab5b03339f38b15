//! What LLVM's verifier asks of a module and the translation relies on: parts of aggregates exist, a value is
//! used with the type that it was given, a constant is one of its type, and operators are for their types. A module that
//! breaks this is refused with its place.

use super::module::{Function, Module, Op, Ty, Type, Typed, Value};
use super::parse::SyntaxError;

/// The first instruction that breaks a rule.
pub(super) fn verify(module: &Module<'_>) -> Result<(), SyntaxError> {
    for function in &module.functions {
        for block in &function.blocks {
            for instruction in &block.instructions {
                if let Err(message) = is_sound(module, function, &instruction.op) {
                    let start = instruction.at as usize;
                    return Err(SyntaxError {
                        start,
                        end: start,
                        message: message.into(),
                    });
                }
            }
        }
    }
    Ok(())
}

fn is_sound(module: &Module<'_>, function: &Function<'_>, op: &Op<'_>) -> Result<(), &'static str> {
    let mut uses = Vec::new();
    operands(op, &mut uses);
    // `metadata i32* %x` speaks about a value, it does not use it.
    uses.retain(|(ty, _)| !matches!(module.get(*ty), Type::Metadata));
    for (ty, value) in uses {
        has_type_of_its_definition(function, ty, value)?;
        fits(module, ty, value)?;
    }
    kinds(module, op)?;
    parts_exist(module, op)
}

/// The operands that say their type.
fn operands<'a, 't>(op: &'a Op<'t>, out: &mut Vec<(Ty, &'a Value<'t>)>) {
    let mut typed = |v: &'a Typed<'t>| out.push((v.ty, &v.value));
    match op {
        Op::Binary(_, _, ty, a, b) | Op::ICmp(_, ty, a, b) | Op::FCmp(_, ty, a, b) => {
            out.extend([(*ty, a), (*ty, b)]);
        }
        Op::FNeg(ty, a) => out.push((*ty, a)),
        Op::Phi(ty, values) => out.extend(values.iter().map(|(v, _)| (*ty, v))),
        Op::Cast(_, _, v, _)
        | Op::Store(v, _)
        | Op::ExtractValue(v, _)
        | Op::Freeze(v)
        | Op::VaArg(v, _)
        | Op::Resume(v)
        | Op::Return(Some(v))
        | Op::Switch(v, ..)
        | Op::Alloca(_, Some(v))
        | Op::AtomicRmw(_, _, v) => typed(v),
        Op::InsertValue(a, b, _) | Op::ExtractElement(a, b) | Op::CompareExchange(_, a, b) => {
            typed(a);
            typed(b);
        }
        Op::Select(a, b, c) | Op::InsertElement(a, b, c) | Op::Shuffle(a, b, c) => {
            typed(a);
            typed(b);
            typed(c);
        }
        Op::Gep { args, .. } => args.iter().for_each(typed),
        Op::Call(call) | Op::Invoke(call, ..) => call.args.iter().for_each(typed),
        Op::Alloca(_, None)
        | Op::Load(..)
        | Op::LandingPad { .. }
        | Op::Return(None)
        | Op::Branch(_)
        | Op::CondBranch(..)
        | Op::IndirectBranch(..)
        | Op::Unreachable
        | Op::Fence
        | Op::Debug(..)
        | Op::Unsupported(..) => {}
    }
}

fn has_type_of_its_definition(
    function: &Function<'_>,
    ty: Ty,
    value: &Value<'_>,
) -> Result<(), &'static str> {
    let Value::Local(id) = value else {
        return Ok(());
    };
    match function.values.get(id.0 as usize).and_then(|l| l.ty) {
        Some(defined) if defined != ty => Err("the value has another type"),
        _ => Ok(()),
    }
}

/// Is the constant one of the type?
fn fits(module: &Module<'_>, ty: Ty, value: &Value<'_>) -> Result<(), &'static str> {
    let mut work = vec![(ty, value)];
    while let Some((ty, value)) = work.pop() {
        let ok = match (value, module.get(ty)) {
            (Value::Int(_) | Value::Big(_), other) => matches!(other, Type::Int(_)),
            (Value::Float(_), other) => matches!(other, Type::Float(_)),
            (Value::Null, other) => !matches!(other, Type::Int(_) | Type::Float(_)),
            (Value::Aggregate(parts), Type::Struct { fields, .. }) => {
                work.extend(parts.iter().map(|p| (p.ty, &p.value)));
                parts.len() == fields.len() && parts.iter().zip(fields).all(|(p, f)| p.ty == *f)
            }
            (Value::Aggregate(parts), Type::Array(n, e) | Type::Vector(n, e)) => {
                work.extend(parts.iter().map(|p| (p.ty, &p.value)));
                parts.len() as u64 == *n && parts.iter().all(|p| p.ty == *e)
            }
            (Value::Aggregate(_), _) => false,
            _ => true,
        };
        if !ok {
            return Err("the constant is of another type");
        }
    }
    Ok(())
}

/// Operators and the types that they are for.
fn kinds(module: &Module<'_>, op: &Op<'_>) -> Result<(), &'static str> {
    // Of a vector the type of its elements.
    let scalar = |ty: Ty| match module.get(ty) {
        Type::Vector(_, element) => module.get(*element),
        other => other,
    };
    let lanes = |ty: Ty| match module.get(ty) {
        Type::Vector(n, _) => Some(*n),
        _ => None,
    };
    let ok = match op {
        Op::Binary(name, _, ty, ..) => match name.starts_with('f') {
            true => matches!(scalar(*ty), Type::Float(_)),
            false => matches!(scalar(*ty), Type::Int(_)),
        },
        Op::FNeg(ty, _) | Op::FCmp(_, ty, ..) => matches!(scalar(*ty), Type::Float(_)),
        Op::ICmp(_, ty, ..) => matches!(scalar(*ty), Type::Int(_) | Type::Pointer),
        Op::Select(c, a, b) => a.ty == b.ty && matches!(scalar(c.ty), Type::Int(1)),
        Op::ExtractElement(v, i) => lanes(v.ty).is_some() && matches!(scalar(i.ty), Type::Int(_)),
        Op::InsertElement(v, e, i) => {
            let of_element = matches!(module.get(v.ty), Type::Vector(_, x) if *x == e.ty);
            of_element && matches!(module.get(i.ty), Type::Int(_))
        }
        Op::Shuffle(a, b, _) => a.ty == b.ty && lanes(a.ty).is_some(),
        Op::Switch(v, ..) => matches!(module.get(v.ty), Type::Int(_)),
        Op::CompareExchange(_, a, b) => a.ty == b.ty,
        Op::Cast(name, _, from, to) => {
            // The bits of a whole vector may be read as something else.
            *name == "bitcast" || lanes(from.ty) == lanes(*to)
        }
        _ => true,
    };
    match ok {
        true => Ok(()),
        false => Err("this operation is not for values of this type"),
    }
}

fn parts_exist(module: &Module<'_>, op: &Op<'_>) -> Result<(), &'static str> {
    match op {
        Op::ExtractValue(whole, path) | Op::InsertValue(whole, _, path) => {
            let path = path.iter().map(|&i| Some(i));
            part(module, whole.ty, path)
        }
        Op::Gep { base, args, .. } => {
            let path = args.iter().skip(2).map(|a| match a.value {
                Value::Int(n) => u64::try_from(n).ok(),
                _ => None,
            });
            part_or_beyond(module, *base, path)
        }
        Op::Call(call) | Op::Invoke(call, ..) => {
            let Value::Global(name) = call.callee else {
                return Ok(());
            };
            let two =
                matches!(module.get(call.ret), Type::Struct { fields, .. } if fields.len() == 2);
            if name.contains(".with.overflow") && !two {
                return Err("the result of this function is a value and a flag");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Indices of `extractvalue` lie inside.
fn part(
    module: &Module<'_>,
    whole: Ty,
    path: impl Iterator<Item = Option<u64>>,
) -> Result<(), &'static str> {
    let mut ty = whole;
    for index in path {
        ty = match (module.get(ty), index) {
            (Type::Struct { fields, .. }, Some(i)) if (i as usize) < fields.len() => {
                fields[i as usize]
            }
            (Type::Array(n, e), Some(i)) if i < *n => *e,
            _ => return Err("there is no such part"),
        };
    }
    Ok(())
}

/// Indices of `getelementptr`: only those of members are bound.
fn part_or_beyond(
    module: &Module<'_>,
    whole: Ty,
    path: impl Iterator<Item = Option<u64>>,
) -> Result<(), &'static str> {
    let mut ty = whole;
    for index in path {
        ty = match (module.get(ty), index) {
            (Type::Struct { fields, .. }, Some(i)) if (i as usize) < fields.len() => {
                fields[i as usize]
            }
            (Type::Struct { .. }, _) => return Err("there is no such member"),
            (Type::Vector(n, _), Some(i)) if i >= *n => return Err("there is no such element"),
            (Type::Array(_, e) | Type::Vector(_, e), _) => *e,
            _ => return Ok(()),
        };
    }
    Ok(())
}

//! What LLVM's verifier asks of a module and the translation relies on: parts of aggregates exist, and a value is
//! used with the type that it was given. A module that breaks this is refused with its place.

use super::module::{Function, Module, Op, Ty, Type, Typed, Value};
use super::parse::SyntaxError;

/// The first instruction that names a part which does not exist.
pub(super) fn verify(module: &Module<'_>) -> Result<(), SyntaxError> {
    for function in &module.functions {
        for block in &function.blocks {
            for instruction in &block.instructions {
                if let Err(message) = parts_exist(module, function, &instruction.op) {
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

fn parts_exist(
    module: &Module<'_>,
    function: &Function<'_>,
    op: &Op<'_>,
) -> Result<(), &'static str> {
    match op {
        Op::ExtractValue(whole, path) | Op::InsertValue(whole, _, path) => {
            has_type_of_its_definition(function, whole)?;
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

fn has_type_of_its_definition(function: &Function<'_>, v: &Typed<'_>) -> Result<(), &'static str> {
    let Value::Local(id) = v.value else {
        return Ok(());
    };
    match function.values.get(id.0 as usize).and_then(|l| l.ty) {
        Some(ty) if ty != v.ty => Err("the value has another type"),
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

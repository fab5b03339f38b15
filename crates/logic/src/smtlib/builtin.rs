//! The functions every script knows: Core, Ints, Reals, ArraysEx, and the machine operators under
//! the names our printer gives them.

use super::words::WordHead;
use crate::{Op, Pool, Rational, Sort, SortId, TermId};

/// A predefined function symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    True,
    False,
    Not,
    Implies,
    And,
    Or,
    Xor,
    Eq,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    IntDiv,
    Mod,
    RealDiv,
    Abs,
    Le,
    Lt,
    Ge,
    Gt,
    ToReal,
    ToInt,
    IsInt,
    Select,
    Store,
    Machine(Op),
    /// On bit-vectors, floats and rounding modes.
    Word(WordHead),
    /// `(as const S)`
    ConstArray(SortId),
    /// `(_ divisible n)`, the n-th number kept by the parser.
    Divisible(TermId),
}

/// The machine operators by name; `wrap.u8`, `wrap.s32` … are read by [`builtin`].
const MACHINE: [(&str, Op); 7] = [
    ("bit.and", Op::BitAnd),
    ("bit.or", Op::BitOr),
    ("bit.xor", Op::BitXor),
    ("bit.shl", Op::Shl),
    ("bit.shr", Op::Shr),
    ("c.div", Op::CDiv),
    ("c.rem", Op::CRem),
];

/// The name under which a machine operator is printed.
pub(super) fn machine_name(op: Op) -> Option<String> {
    if let Op::Wrap { bits, signed } = op {
        return Some(format!("wrap.{}{bits}", if signed { 's' } else { 'u' }));
    }
    let (name, _) = MACHINE.iter().find(|(_, o)| *o == op)?;
    Some((*name).to_string())
}

pub(super) fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "true" => Builtin::True,
        "false" => Builtin::False,
        "not" => Builtin::Not,
        "=>" => Builtin::Implies,
        "and" => Builtin::And,
        "or" => Builtin::Or,
        "xor" => Builtin::Xor,
        "=" => Builtin::Eq,
        "distinct" => Builtin::Distinct,
        "ite" => Builtin::Ite,
        "+" => Builtin::Add,
        "-" => Builtin::Sub,
        "*" => Builtin::Mul,
        "div" => Builtin::IntDiv,
        "mod" => Builtin::Mod,
        "/" => Builtin::RealDiv,
        "abs" => Builtin::Abs,
        "<=" => Builtin::Le,
        "<" => Builtin::Lt,
        ">=" => Builtin::Ge,
        ">" => Builtin::Gt,
        "to_real" => Builtin::ToReal,
        "to_int" => Builtin::ToInt,
        "is_int" => Builtin::IsInt,
        "select" => Builtin::Select,
        "store" => Builtin::Store,
        _ => Builtin::Machine(machine_op(name)?),
    })
}

pub(super) fn machine_op(name: &str) -> Option<Op> {
    if let Some(kind) = name.strip_prefix("wrap.") {
        let signed = kind.starts_with('s');
        let bits = kind.strip_prefix(['s', 'u'])?;
        let canonical = !bits.starts_with('0') && bits.bytes().all(|b| b.is_ascii_digit());
        let bits = bits.parse().ok().filter(|_| canonical)?;
        return Some(Op::Wrap { bits, signed });
    }
    MACHINE.iter().find(|(n, _)| *n == name).map(|&(_, op)| op)
}

/// `Int` becomes `Real` where a `Real` is wanted.
pub(super) fn coerce(pool: &mut Pool, term: TermId, sort: SortId) -> Option<TermId> {
    let found = pool.sort_of(term);
    if found == sort {
        Some(term)
    } else if found == pool.int_sort() && sort == pool.real_sort() {
        Some(pool.to_real(term))
    } else {
        None
    }
}

/// Brings arguments to one sort: if one is Real, all Int ones become Real.
fn unify(pool: &mut Pool, args: &mut [TermId]) -> Result<(), String> {
    let first = pool.sort_of(args[0]);
    if args.iter().all(|&a| pool.sort_of(a) == first) {
        return Ok(());
    }
    let other = args.iter().map(|&a| pool.sort_of(a)).find(|&s| s != first);
    for a in args {
        *a = coerce(pool, *a, pool.real_sort()).ok_or_else(|| {
            let (x, y) = (
                super::print_sort(pool, first),
                super::print_sort(pool, other.unwrap_or(first)),
            );
            format!("the arguments have sorts {x} and {y}")
        })?;
    }
    Ok(())
}

fn want(pool: &mut Pool, args: &mut [TermId], sort: SortId) -> Result<(), String> {
    for a in args {
        let found = pool.sort_of(*a);
        *a = coerce(pool, *a, sort).ok_or_else(|| {
            let (want, found) = (
                super::print_sort(pool, sort),
                super::print_sort(pool, found),
            );
            format!("an argument of sort {want} is needed, this one is {found}")
        })?;
    }
    Ok(())
}

fn arithmetic(pool: &mut Pool, args: &mut [TermId]) -> Result<(), String> {
    unify(pool, args)?;
    if pool.is_arith(pool.sort_of(args[0])) {
        Ok(())
    } else {
        Err("the arguments are not numbers".into())
    }
}

fn pairs(
    pool: &mut Pool,
    args: &[TermId],
    relation: fn(&mut Pool, TermId, TermId) -> TermId,
) -> TermId {
    let parts: Vec<TermId> = args
        .windows(2)
        .map(|w| relation(pool, w[0], w[1]))
        .collect();
    pool.and(&parts)
}

fn left(
    pool: &mut Pool,
    args: &[TermId],
    operator: fn(&mut Pool, TermId, TermId) -> TermId,
) -> TermId {
    let mut result = args[0];
    for &a in &args[1..] {
        result = operator(pool, result, a);
    }
    result
}

impl Builtin {
    /// How few and how many arguments it takes.
    fn arity(self) -> (usize, usize) {
        use Builtin::*;
        const MANY: usize = usize::MAX;
        match self {
            True | False => (0, 0),
            Not | Abs | ToReal | ToInt | IsInt | ConstArray(_) | Divisible(_) => (1, 1),
            Machine(Op::Wrap { .. }) => (1, 1),
            Machine(_) | Select => (2, 2),
            Word(_) => (1, MANY),
            And | Or | Add | Sub | Mul => (1, MANY),
            Implies | Xor | Eq | Distinct | IntDiv | Mod | RealDiv | Le | Lt | Ge | Gt => (2, MANY),
            Ite | Store => (3, 3),
        }
    }

    /// The application to `args`, which may be changed on the way (Int to Real).
    pub(super) fn apply(self, pool: &mut Pool, args: &mut [TermId]) -> Result<TermId, String> {
        use Builtin::*;
        let (least, most) = self.arity();
        if args.len() < least || args.len() > most {
            return Err(format!("wrong number of arguments ({})", args.len()));
        }
        let (bool_sort, int, real) = (pool.bool_sort(), pool.int_sort(), pool.real_sort());
        match self {
            Not | Implies | And | Or | Xor => want(pool, args, bool_sort)?,
            Eq | Distinct => unify(pool, args)?,
            Ite => {
                want(pool, &mut args[..1], bool_sort)?;
                unify(pool, &mut args[1..])?;
            }
            Add | Sub | Mul | Abs | Le | Lt | Ge | Gt => arithmetic(pool, args)?,
            IntDiv | Mod | Machine(_) | Divisible(_) => want(pool, args, int)?,
            RealDiv | IsInt | ToInt | ToReal => want(pool, args, real)?,
            ConstArray(sort) => match *pool.sort_kind(sort) {
                Sort::Array(_, element) => want(pool, args, element)?,
                _ => return Err("`as const` needs an array sort".into()),
            },
            Select | Store => match *pool.sort_kind(pool.sort_of(args[0])) {
                Sort::Array(index, element) => {
                    want(pool, &mut args[1..2], index)?;
                    want(pool, &mut args[2..], element)?;
                }
                _ => return Err("the first argument is not an array".into()),
            },
            True | False | Word(_) => {}
        }
        Ok(match self {
            True => pool.tt(),
            False => pool.ff(),
            Not => pool.not(args[0]),
            Implies => {
                let (last, premises) = args.split_last().expect("two arguments at least");
                let mut parts: Vec<TermId> = premises.iter().map(|&p| pool.not(p)).collect();
                parts.push(*last);
                pool.or(&parts)
            }
            And => pool.and(args),
            Or => pool.or(args),
            Xor => left(pool, args, Pool::xor),
            Eq => pairs(pool, args, Pool::eq),
            Distinct => pool.distinct(args),
            Ite => pool.ite(args[0], args[1], args[2]),
            Add => pool.add(args),
            Sub if args.len() == 1 => pool.neg(args[0]),
            Sub => {
                let rest = pool.add(&args[1..]);
                pool.sub(args[0], rest)
            }
            Mul => pool.mul(args),
            IntDiv => left(pool, args, Pool::int_div),
            Mod => left(pool, args, Pool::modulo),
            RealDiv => left(pool, args, Pool::real_div),
            Abs => {
                let x = args[0];
                let zero = pool.num(Rational::ZERO, pool.sort_of(x));
                let negative = pool.lt(x, zero);
                let minus = pool.neg(x);
                pool.ite(negative, minus, x)
            }
            Le => pairs(pool, args, Pool::le),
            Lt => pairs(pool, args, Pool::lt),
            Ge => pairs(pool, args, Pool::ge),
            Gt => pairs(pool, args, Pool::gt),
            ToReal => args[0],
            ToInt => pool.to_int(args[0]),
            IsInt => {
                let floor = pool.to_int(args[0]);
                let back = pool.to_real(floor);
                pool.eq(args[0], back)
            }
            Divisible(n) => {
                let zero = pool.int(0);
                let rest = pool.modulo(args[0], n);
                pool.eq(rest, zero)
            }
            Select => pool.select(args[0], args[1]),
            Store => pool.store(args[0], args[1], args[2]),
            ConstArray(sort) => pool.const_array(sort, args[0]),
            Word(head) => head.apply(pool, args)?,
            Machine(op) => match op {
                Op::Wrap { bits, signed } => pool.wrap(bits, signed, args[0]),
                Op::BitAnd => pool.bit_and(args[0], args[1]),
                Op::BitOr => pool.bit_or(args[0], args[1]),
                Op::BitXor => pool.bit_xor(args[0], args[1]),
                Op::Shl => pool.shl(args[0], args[1]),
                Op::Shr => pool.shr(args[0], args[1]),
                Op::CDiv => pool.c_div(args[0], args[1]),
                Op::CRem => pool.c_rem(args[0], args[1]),
                _ => unreachable!("not a machine operator"),
            },
        })
    }
}

//! Linear expressions: multiples of addresses, of names, and an interval.

use super::names::{Form, Name, Obj, plus};
use logic::Interval;

/// What an object begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Its address. Declared objects have none: their addresses are numbers.
    Address(Obj),
    /// The number of its block.
    Block(Obj),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lin {
    pub parts: Vec<(Base, i128)>,
    pub form: Form,
    pub rest: Interval,
}

impl Lin {
    pub fn number(n: i128) -> Lin {
        Lin::within(Interval::single(n))
    }

    pub fn within(rest: Interval) -> Lin {
        Lin {
            parts: Vec::new(),
            form: Form::new(),
            rest,
        }
    }

    pub fn any() -> Lin {
        Lin::within(Interval::ANY)
    }

    pub fn name(name: Name) -> Lin {
        Lin {
            form: vec![(name, 1)],
            ..Lin::number(0)
        }
    }

    pub fn address(object: Obj) -> Lin {
        Lin {
            parts: vec![(Base::Address(object), 1)],
            ..Lin::number(0)
        }
    }

    pub fn is_any(&self) -> bool {
        self.rest == Interval::ANY
    }

    /// `self + factor * other`; so many `block` numbers make an address.
    pub fn plus(&self, factor: i128, other: &Lin, block: i128) -> Lin {
        let Some(form) = plus(&self.form, factor, &other.form) else {
            return Lin::any();
        };
        let mut parts = self.parts.clone();
        for &(base, k) in &other.parts {
            let Some(k) = k.checked_mul(factor) else {
                return Lin::any();
            };
            let (base, k) = match base {
                Base::Block(o) if k % block == 0 => (Base::Address(o), k / block),
                other => (other, k),
            };
            match parts.iter_mut().find(|(b, _)| *b == base) {
                Some((_, own)) => *own += k,
                None => parts.push((base, k)),
            }
        }
        parts.retain(|(_, k)| *k != 0);
        let rest = self.rest.add(&other.rest.times(factor));
        Lin { parts, form, rest }
    }

    /// The object whose address it is, with what is added to that.
    pub fn inside(&self) -> Option<(Obj, Lin)> {
        match *self.parts.as_slice() {
            [(Base::Address(o), 1)] => {
                let off = Lin {
                    parts: Vec::new(),
                    ..self.clone()
                };
                Some((o, off))
            }
            _ => None,
        }
    }
}

//! The theories with procedures of their own side by side, as the SAT core sees them.

use crate::Lit;
use crate::sat::Explain;
use crate::theory::arith::Arith;
use crate::theory::euf::Euf;
use crate::theory::{Conflict, Source, Theory};

pub(crate) struct Theories {
    pub(crate) arith: Arith,
    pub(crate) euf: Euf,
}

impl Theories {
    pub(crate) fn new() -> Self {
        Theories {
            arith: Arith::new(),
            euf: Euf::new(),
        }
    }

    pub(crate) fn push(&mut self) {
        Theory::push(&mut self.arith);
        Theory::push(&mut self.euf);
    }

    pub(crate) fn pop(&mut self, n: usize) {
        Theory::pop(&mut self.arith, n);
        Theory::pop(&mut self.euf, n);
    }
}

impl Explain for Theories {
    fn explain(&mut self, lit: Lit, source: Source) -> Conflict {
        match source {
            Source::Equality => Theory::explain(&mut self.euf, lit),
            Source::Arith => Theory::explain(&mut self.arith, lit),
        }
    }
}

//! The theories side by side, as the SAT core sees them.

use crate::Lit;
use crate::sat::{Conflict, Explain, Source};
use crate::theory::arith::Arith;
use crate::theory::euf::Euf;

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
        self.arith.push();
        self.euf.push();
    }

    pub(crate) fn pop(&mut self, n: usize) {
        self.arith.pop(n);
        self.euf.pop(n);
    }
}

impl Explain for Theories {
    fn explain(&mut self, lit: Lit, source: Source) -> Conflict {
        match source {
            Source::Equality => self.euf.explain(lit),
            Source::Arith => self.arith.explain(lit),
        }
    }
}

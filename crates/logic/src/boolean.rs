//! Constructors of Boolean structure, equality, `ite` and arrays.

use crate::{Op, Pool, Sort, SortId, TermId};

impl Pool {
    pub fn bool_const(&self, value: bool) -> TermId {
        use base::Id;
        TermId::from_index(usize::from(!value))
    }

    pub fn tt(&self) -> TermId {
        self.bool_const(true)
    }

    pub fn ff(&self) -> TermId {
        self.bool_const(false)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::True => self.ff(),
            Op::False => self.tt(),
            Op::Not => self.args(a)[0],
            _ => self.intern(Op::Not, self.bool_sort(), &[a]),
        }
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::And, args)
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::Or, args)
    }

    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.and(&[a, b])
    }

    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.or(&[a, b])
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let na = self.not(a);
        self.or(&[na, b])
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let e = self.eq(a, b);
        self.not(e)
    }

    fn junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let (unit, zero) = match op {
            Op::And => (self.tt(), self.ff()),
            _ => (self.ff(), self.tt()),
        };
        let mut list: Vec<TermId> = Vec::with_capacity(args.len());
        for &a in args {
            debug_assert!(self.sort_of(a) == self.bool_sort());
            // Flattening small children keeps conjunctions shallow; large ones stay shared.
            if self.op(a) == op && self.args(a).len() <= 16 {
                list.extend_from_slice(self.args(a));
            } else if a == zero {
                return zero;
            } else if a != unit {
                list.push(a);
            }
        }
        list.sort_unstable();
        list.dedup();
        for &a in &list {
            if self.op(a) == Op::Not && list.binary_search(&self.args(a)[0]).is_ok() {
                return zero;
            }
        }
        match list.as_slice() {
            [] => unit,
            [single] => *single,
            _ => self.intern(op, self.bool_sort(), &list),
        }
    }

    /// `if c then a else b`, of any sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        match self.op(c) {
            Op::True => return a,
            Op::False => return b,
            Op::Not => {
                let c = self.args(c)[0];
                return self.ite(c, b, a);
            }
            _ => {}
        }
        if a == b {
            return a;
        }
        let sort = self.sort_of(a);
        assert!(sort == self.sort_of(b), "branches of ite have one sort");
        if sort == self.bool_sort() {
            let (tt, ff) = (self.tt(), self.ff());
            if a == tt || a == c {
                return self.or(&[c, b]);
            }
            if a == ff {
                let nc = self.not(c);
                return self.and(&[nc, b]);
            }
            if b == tt {
                return self.implies(c, a);
            }
            if b == ff || b == c {
                return self.and(&[c, a]);
            }
        }
        self.intern(Op::Ite, sort, &[c, a, b])
    }

    /// Equality; equivalence on Bool.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort_of(a);
        assert!(
            sort == self.sort_of(b),
            "sides of an equality have one sort"
        );
        if a == b {
            return self.tt();
        }
        if sort == self.bool_sort() {
            return self.iff(a, b);
        }
        if self.is_arith(sort) {
            return self.arith_eq(a, b);
        }
        if self.as_number(a).is_some() && self.as_number(b).is_some() {
            return self.ff();
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Op::Eq, self.bool_sort(), &[a, b])
    }

    fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let (tt, ff) = (self.tt(), self.ff());
        match (a, b) {
            _ if a == tt => b,
            _ if b == tt => a,
            _ if a == ff => self.not(b),
            _ if b == ff => self.not(a),
            _ => match (self.op(a) == Op::Not, self.op(b) == Op::Not) {
                (false, false) => {
                    let (a, b) = if a < b { (a, b) } else { (b, a) };
                    self.intern(Op::Eq, self.bool_sort(), &[a, b])
                }
                (na, nb) => {
                    let a1 = if na { self.args(a)[0] } else { a };
                    let b1 = if nb { self.args(b)[0] } else { b };
                    let e = self.eq(a1, b1);
                    if na != nb { self.not(e) } else { e }
                }
            },
        }
    }

    pub fn distinct(&mut self, args: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                let e = self.eq(a, b);
                parts.push(self.not(e));
            }
        }
        self.and(&parts)
    }

    // ---- arrays ----

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let &Sort::Array(_, element) = self.sort_kind(self.sort_of(array)) else {
            panic!("select reads from an array");
        };
        let mut array = array;
        loop {
            match self.op(array) {
                Op::Store => {
                    let [inner, at, value] = *self.args(array) else {
                        unreachable!("stores have three arguments")
                    };
                    if at == index {
                        return value;
                    }
                    if self.eq(at, index) != self.ff() {
                        break;
                    }
                    array = inner;
                }
                Op::ConstArray => return self.args(array)[0],
                _ => break,
            }
        }
        self.intern(Op::Select, element, &[array, index])
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let sort = self.sort_of(array);
        // A store over a store at the same index forgets the inner one.
        if self.op(array) == Op::Store && self.args(array)[1] == index {
            let inner = self.args(array)[0];
            return self.store(inner, index, value);
        }
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return array;
        }
        self.intern(Op::Store, sort, &[array, index, value])
    }

    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.intern(Op::ConstArray, sort, &[value])
    }
}

//! How a program uses its memory, read off its statements: which arrays are about objects, which are
//! fields of objects, which variables hold addresses.
//!
//! Terms. An *object array* is read at `address div c`: one entry for each object (its size, whether it
//! lives). A *mark* is one that only ever holds 0 and 1. A *field* is an array at a fixed distance
//! from the start of objects, `next[p + 8]`. A *pointer* is a variable that fields are read at, or that is
//! copied from or to one; a field is a pointer field if pointers are stored in it or read from it.
//!
//! Nothing rests on any of this being right: it only says what is worth guessing.

use base::FxHashSet;
use logic::{Op, Pool, Rational, TermId};
use program::{Program, Stmt};
use std::collections::BTreeMap;

/// An array at a distance from the start of objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    pub array: TermId,
    pub offset: Rational,
}

/// What is known of a program's memory.
#[derive(Debug, Default)]
pub struct Accesses {
    /// What addresses are divided by to number objects.
    pub divisor: Option<TermId>,
    /// Object arrays that hold 0 and 1.
    pub marks: Vec<TermId>,
    /// The other object arrays, and the numbers stored in them.
    pub sizes: Vec<(TermId, Vec<Rational>)>,
    pub pointer_fields: Vec<Field>,
    /// Other fields, and the numbers stored in them.
    pub data_fields: Vec<(Field, Vec<Rational>)>,
    /// Variables that hold addresses, in order of their first use.
    pub pointers: Vec<TermId>,
    /// Variables that only ever grow, with their start: the end of what is allocated.
    pub tops: Vec<(TermId, Rational)>,
    /// Stores `array[index] := number` at an index over variables.
    pub numbers_stored: Vec<(TermId, TermId, Rational)>,
    /// Indices over variables at which arrays are read or written.
    pub places: Vec<(TermId, TermId)>,
}

impl Accesses {
    pub fn of(pool: &Pool, program: &Program) -> Accesses {
        let mut gather = Gather::new(pool, program);
        for edge in program.edges.iter() {
            match &edge.stmt {
                Stmt::Assign(list) => {
                    for &(var, value) in list {
                        gather.term(pool, value);
                        gather.flow(pool, program.vars[var].term, value);
                    }
                }
                Stmt::Assume(condition) => gather.term(pool, *condition),
                Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
            }
        }
        gather.finish(pool)
    }
}

/// One side of an assignment between variables and fields.
#[derive(Clone, PartialEq)]
enum Slot {
    Variable(TermId),
    Field(Field),
}

struct Gather {
    variables: FxHashSet<TermId>,
    out: Accesses,
    /// Arrays that are read at `t div c`.
    objects: Vec<TermId>,
    /// Numbers stored in each array; `None` if other things are too.
    stored: BTreeMap<TermId, Vec<Rational>>,
    fields: Vec<Field>,
    field_numbers: Vec<(Field, Rational)>,
    /// Bases of indices.
    bases: Vec<TermId>,
    flows: Vec<(Slot, Slot)>,
    starts: Vec<(TermId, Rational)>,
    grown: Vec<TermId>,
}

impl Gather {
    fn new(pool: &Pool, program: &Program) -> Self {
        let int = pool.int_sort();
        let plain = program.vars.iter().filter(|v| v.sort == int);
        Gather {
            variables: plain.map(|v| v.term).collect(),
            out: Accesses::default(),
            objects: Vec::new(),
            stored: BTreeMap::new(),
            fields: Vec::new(),
            field_numbers: Vec::new(),
            bases: Vec::new(),
            flows: Vec::new(),
            starts: Vec::new(),
            grown: Vec::new(),
        }
    }

    /// The array variable below stores.
    fn root(pool: &Pool, mut array: TermId) -> TermId {
        while pool.op(array) == Op::Store {
            array = pool.args(array)[0];
        }
        array
    }

    /// The field of an access, and what its index is counted from.
    fn field(&self, pool: &Pool, array: TermId, index: TermId) -> Option<(Field, TermId)> {
        let sum = pool.linear(index);
        let [(base, factor)] = sum.terms.as_slice() else {
            return None;
        };
        let known = self.variables.contains(base) || pool.op(*base) == Op::Select;
        if *factor != Rational::ONE || !known || sum.constant.is_negative() {
            return None;
        }
        let field = Field {
            array: Self::root(pool, array),
            offset: sum.constant.clone(),
        };
        Some((field, *base))
    }

    /// All accesses inside a term.
    fn term(&mut self, pool: &Pool, term: TermId) {
        for t in pool.post_order(&[term]) {
            let (array, index) = match (pool.op(t), pool.args(t)) {
                (Op::Select, &[array, index]) | (Op::Store, &[array, index, _]) => (array, index),
                _ => continue,
            };
            let root = Self::root(pool, array);
            if pool.op(index) == Op::IntDiv {
                push_new(&mut self.objects, root);
                let [address, divisor] = *pool.args(index) else {
                    continue;
                };
                if pool.as_number(divisor).is_some() {
                    self.out.divisor.get_or_insert(divisor);
                }
                let sum = pool.linear(address);
                if let [(base, _)] = sum.terms.as_slice() {
                    self.base(*base);
                }
            } else if pool.as_number(index).is_none() {
                push_new(&mut self.out.places, (root, index));
            }
            if let Op::Store = pool.op(t) {
                self.store(pool, root, index, pool.args(t)[2]);
            }
            if let Some((field, base)) = self.field(pool, array, index) {
                push_new(&mut self.fields, field);
                self.base(base);
            }
        }
    }

    fn base(&mut self, base: TermId) {
        if self.variables.contains(&base) {
            push_new(&mut self.bases, base);
        }
    }

    fn store(&mut self, pool: &Pool, root: TermId, index: TermId, value: TermId) {
        let number = pool.as_number(value).cloned();
        let list = self.stored.entry(root).or_default();
        push_new(list, number.clone().unwrap_or(Rational::from(-1)));
        let field = self.field(pool, root, index);
        if let Some(number) = number {
            if let Some((field, _)) = field {
                push_new(&mut self.field_numbers, (field, number.clone()));
            }
            if pool.as_number(index).is_none() && pool.op(index) != Op::IntDiv {
                push_new(&mut self.out.numbers_stored, (root, index, number));
            }
            return;
        }
        if let (Some((field, _)), Some(source)) = (field, self.slot(pool, value)) {
            self.flows.push((Slot::Field(field), source));
        }
    }

    fn slot(&self, pool: &Pool, value: TermId) -> Option<Slot> {
        if self.variables.contains(&value) {
            return Some(Slot::Variable(value));
        }
        match (pool.op(value), pool.args(value)) {
            (Op::Select, &[array, index]) => {
                let (field, _) = self.field(pool, array, index)?;
                Some(Slot::Field(field))
            }
            _ => None,
        }
    }

    /// `target := value` between integers.
    fn flow(&mut self, pool: &Pool, target: TermId, value: TermId) {
        if !self.variables.contains(&target) {
            return;
        }
        if let Some(number) = pool.as_number(value) {
            push_new(&mut self.starts, (target, number.clone()));
            return;
        }
        if let Some(source) = self.slot(pool, value) {
            self.flows.push((Slot::Variable(target), source));
            return;
        }
        let sum = pool.linear(value);
        if let [(own, factor)] = sum.terms.as_slice()
            && *own == target
            && *factor == Rational::ONE
        {
            push_new(&mut self.grown, target);
        }
    }

    fn finish(mut self, pool: &Pool) -> Accesses {
        let grows = |v: &TermId| self.grown.contains(v);
        let step = |v: &TermId| {
            let own = self.starts.iter().filter(|(t, _)| t == v);
            let large: Vec<&Rational> = own.map(|(_, s)| s).collect();
            match large.as_slice() {
                [start] if start.is_positive() => Some((*start).clone()),
                _ => None,
            }
        };
        let tops: Vec<(TermId, Rational)> = self
            .grown
            .iter()
            .filter(|v| !self.bases.contains(v))
            .filter_map(|v| Some((*v, step(v)?)))
            .collect();
        // Pointers and pointer fields, until nothing changes.
        let mut pointers: Vec<TermId> = self.bases.iter().copied().filter(|v| !grows(v)).collect();
        let mut fields: Vec<Field> = Vec::new();
        let top = |v: &TermId| tops.iter().any(|(t, _)| t == v);
        loop {
            let before = (pointers.len(), fields.len());
            for (a, b) in &self.flows {
                let known = |s: &Slot| match s {
                    Slot::Variable(v) => pointers.contains(v) || top(v),
                    Slot::Field(f) => fields.contains(f),
                };
                if !known(a) && !known(b) {
                    continue;
                }
                for slot in [a, b] {
                    match slot {
                        Slot::Variable(v) if !top(v) && !grows(v) => push_new(&mut pointers, *v),
                        Slot::Variable(_) => {}
                        Slot::Field(f) => push_new(&mut fields, f.clone()),
                    }
                }
            }
            if before == (pointers.len(), fields.len()) {
                break;
            }
        }
        let is_object = |f: &Field| self.objects.contains(&f.array);
        fields.retain(|f| !is_object(f));
        for field in self
            .fields
            .iter()
            .filter(|f| !fields.contains(f) && !is_object(f))
        {
            let own = self.field_numbers.iter().filter(|(f, _)| f == field);
            let numbers = own.map(|(_, n)| n.clone()).collect();
            self.out.data_fields.push((field.clone(), numbers));
        }
        for &object in &self.objects {
            let stored = self.stored.remove(&object).unwrap_or_default();
            let bit = |n: &Rational| *n == Rational::ZERO || *n == Rational::ONE;
            if stored.iter().all(bit) && stored.contains(&Rational::ONE) {
                self.out.marks.push(object);
            } else if pool.as_constant(object).is_some() {
                let numbers = stored.into_iter().filter(Rational::is_positive).collect();
                self.out.sizes.push((object, numbers));
            }
        }
        self.out.pointers = pointers;
        self.out.pointer_fields = fields;
        self.out.tops = tops;
        self.out
    }
}

pub fn push_new<T: PartialEq>(list: &mut Vec<T>, fact: T) {
    if !list.contains(&fact) {
        list.push(fact);
    }
}

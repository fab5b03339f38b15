//! Names: abstract objects, the numbers of a state, and multiples of them.

use super::residue::Residue;
use logic::Interval;
use program::VarId;
use std::rc::Rc;

/// An abstract object: one object of memory, or all that were allocated at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Obj {
    /// The declared object with this block.
    Static(u32),
    /// The block that the next allocation takes.
    Fresh,
    /// The one that was allocated last by this edge.
    Recent(u32),
    /// The one of a kind that a variable points to, by the number of the variable, or one that is looked at in
    /// the middle of a step.
    Held(u32),
    /// All others that this edge has allocated: none, one or many.
    Old(u32),
}

impl Obj {
    pub fn is_many(self) -> bool {
        matches!(self, Obj::Old(_))
    }
}

/// Held objects from here on are those that a cell of memory points to, by their order.
pub(super) const FIRST_OF_CELLS: u32 = 1 << 23;
/// Held objects from here on are those of a step.
pub(super) const FIRST_OF_STEP: u32 = 1 << 24;

/// A cell of memory: the array and, by bytes, where in the object. Arrays that have one cell an object have it at 0.
pub(super) type Cell = (VarId, i64);

/// Which of the zeros that an array is known to hold in an object: of a text that is cut into pieces the end of the first
/// piece, and the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zero {
    First,
    /// Known only where the first is; the two may be the same.
    Last,
}

/// A known zero of an array.
pub(super) type Mark = (VarId, Zero);

/// What a product is of: a variable or a cell that is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Factor {
    Var(VarId),
    Cell(Obj, Cell),
}

impl Factor {
    pub fn of(name: Name) -> Option<Factor> {
        match name {
            Name::Var(v) => Some(Factor::Var(v)),
            Name::Cell(o, c) => Some(Factor::Cell(o, c)),
            _ => None,
        }
    }

    pub fn name(self) -> Name {
        match self {
            Factor::Var(v) => Name::Var(v),
            Factor::Cell(o, c) => Name::Cell(o, c),
        }
    }

    fn object(self) -> Option<Obj> {
        self.name().object()
    }

    fn is_in(self, array: impl Fn(VarId) -> bool) -> bool {
        matches!(self, Factor::Cell(_, (a, _)) if array(a))
    }

    fn at(self, object: Obj) -> Factor {
        match self {
            Factor::Cell(_, c) => Factor::Cell(object, c),
            var => var,
        }
    }
}

/// A number of a state. What is in a variable or cell is counted from the address of the object it points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Var(VarId),
    Cell(Obj, Cell),
    /// Where, from the start of the object on, the array holds a zero.
    Mark(Obj, Mark),
    /// Below this offset all cells of the array are as its segment says.
    Fill(Obj, VarId),
    /// From this offset on they are, if not from the first.
    Start(Obj, VarId),
    /// Where the cell is that was picked from the segment (`owned`).
    Pick(Obj, VarId),
    /// Any one of the numbers that the segment of an array holds: what is said of it holds for each.
    Each(Obj, VarId),
    /// The product of two numbers; cells among them are of one object.
    Product(Factor, Factor),
    /// The value of a term of the step.
    Aux(u32),
    /// What the n-th target of an assignment will be.
    New(u32),
}

impl Name {
    pub fn object(self) -> Option<Obj> {
        match self {
            Name::Cell(o, _) | Name::Mark(o, _) | Name::Fill(o, _) | Name::Each(o, _) => Some(o),
            Name::Start(o, _) | Name::Pick(o, _) => Some(o),
            Name::Product(a, b) => a.object().or(b.object()),
            Name::Var(_) | Name::Aux(_) | Name::New(_) => None,
        }
    }

    /// Is it a number in, or made of what is in, such an array?
    pub fn is_in(self, array: impl Fn(VarId) -> bool) -> bool {
        match self {
            Name::Cell(_, (a, _)) | Name::Mark(_, (a, _)) => array(a),
            Name::Fill(_, a) | Name::Each(_, a) | Name::Start(_, a) | Name::Pick(_, a) => array(a),
            Name::Product(a, b) => [a, b].iter().any(|f| f.is_in(&array)),
            Name::Var(_) | Name::Aux(_) | Name::New(_) => false,
        }
    }

    /// The product of two numbers, in one order; nothing if they are in different objects.
    pub fn product(a: Factor, b: Factor) -> Option<Name> {
        let apart = matches!((a.object(), b.object()), (Some(x), Some(y)) if x != y);
        (!apart).then(|| Name::Product(a.min(b), a.max(b)))
    }

    /// Is it a product of such a number?
    pub fn is_product_of(self, of: impl Fn(Factor) -> bool) -> bool {
        matches!(self, Name::Product(a, b) if of(a) || of(b))
    }

    /// The same number of another object.
    pub fn at(self, object: Obj) -> Name {
        match self {
            Name::Cell(_, c) => Name::Cell(object, c),
            Name::Mark(_, a) => Name::Mark(object, a),
            Name::Fill(_, a) => Name::Fill(object, a),
            Name::Start(_, a) => Name::Start(object, a),
            Name::Pick(_, a) => Name::Pick(object, a),
            Name::Each(_, a) => Name::Each(object, a),
            Name::Product(a, b) => {
                let (a, b) = (a.at(object), b.at(object));
                Name::Product(a.min(b), a.max(b))
            }
            other => other,
        }
    }
}

/// Multiples of names, sorted, each once.
pub(super) type Form = Vec<(Name, i128)>;

/// `form + factor * other`.
pub(super) fn plus(form: &Form, factor: i128, other: &Form) -> Option<Form> {
    let mut out = form.clone();
    for &(name, k) in other {
        let k = k.checked_mul(factor)?;
        match out.binary_search_by_key(&name, |t| t.0) {
            Ok(at) => out[at].1 = out[at].1.checked_add(k)?,
            Err(at) => out.insert(at, (name, k)),
        }
    }
    out.retain(|t| t.1 != 0);
    Some(out)
}

pub(super) fn negated(form: &Form) -> Form {
    form.iter().map(|&(n, k)| (n, -k)).collect()
}

/// One way to read a value: a number, or an address inside an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alt {
    pub base: Option<Obj>,
    pub off: Interval,
    /// What the number leaves where it is divided. Nothing is said here of a number that is known.
    pub left: Residue,
}

impl Alt {
    pub fn new(base: Option<Obj>, off: Interval, left: Residue) -> Alt {
        let narrowed = left.narrowed(&off);
        // Whether there is such a number at all is not asked here.
        let (off, left) = match narrowed.as_single() {
            Some(_) => (narrowed, Residue::ANY),
            None if narrowed.is_empty() => (off, Residue::ANY),
            None => (narrowed, left),
        };
        Alt { base, off, left }
    }

    /// What the number leaves, also if it is known.
    pub fn residue(&self) -> Residue {
        match self.off.as_single() {
            Some(n) => Residue::exact(n),
            None => self.left,
        }
    }
}

/// A value: one of its alternatives, sorted by base, each base once. None at all: there is no such value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Val(Rc<[Alt]>);

impl Val {
    pub fn number(off: Interval) -> Val {
        Val::one(Alt::new(None, off, Residue::ANY))
    }

    pub fn any() -> Val {
        Val::number(Interval::ANY)
    }

    pub fn one(alt: Alt) -> Val {
        Val(Rc::new([alt]))
    }

    pub fn none() -> Val {
        Val(Rc::new([]))
    }

    /// Alternatives in any order, with the same base several times.
    pub fn of(mut alts: Vec<Alt>) -> Val {
        alts.retain(|a| !a.off.is_empty());
        alts.sort_unstable_by_key(|a| a.base);
        alts.dedup_by(|b, a| {
            let same = a.base == b.base;
            if same {
                let left = a.residue().join(&b.residue());
                *a = Alt::new(a.base, a.off.hull(&b.off), left);
            }
            same
        });
        Val(alts.into())
    }

    pub fn alts(&self) -> &[Alt] {
        &self.0
    }

    /// The only alternative.
    pub fn single(&self) -> Option<Alt> {
        match *self.0 {
            [alt] => Some(alt),
            _ => None,
        }
    }

    pub fn is_any(&self) -> bool {
        self.0
            .iter()
            .any(|a| a.base.is_none() && a.off == Interval::ANY)
    }

    pub fn exact(&self) -> Option<i128> {
        self.single().filter(|a| a.base.is_none())?.off.as_single()
    }

    pub fn points_to(&self, object: Obj) -> bool {
        self.0.iter().any(|a| a.base == Some(object))
    }

    /// Is it the address of one object that is known?
    pub fn is_one_object(&self) -> bool {
        let known = |a: Alt| a.off == Interval::single(0) && a.base.is_some_and(|o| !o.is_many());
        self.single().is_some_and(known)
    }

    /// Does it point into the object and nowhere else?
    pub fn is_only(&self, object: Obj) -> bool {
        self.single().is_some_and(|a| a.base == Some(object))
    }

    pub fn has_pointer(&self) -> bool {
        self.0.iter().any(|a| a.base.is_some())
    }

    pub fn join(&self, other: &Val) -> Val {
        if self == other {
            return self.clone();
        }
        Val::of(self.0.iter().chain(other.0.iter()).copied().collect())
    }

    /// Is every value of the other one of this?
    pub fn includes(&self, other: &Val) -> bool {
        let mine = |b: &Alt| {
            let own = self.0.iter().find(|a| a.base == b.base);
            own.is_some_and(|a| a.off.includes(&b.off) && a.residue().includes(&b.residue()))
        };
        self.is_any() || other.0.iter().all(mine)
    }

    /// Numbers between which it lies, counted from the object it points into.
    pub fn hull(&self) -> Interval {
        let all = self.0.iter().map(|a| a.off);
        all.reduce(|a, b| a.hull(&b)).unwrap_or(Interval::ANY)
    }

    /// All numbers within these.
    pub fn meet(&self, bounds: &Interval) -> Val {
        let meet = |a: &Alt| Alt::new(a.base, a.off.meet(bounds), a.left);
        let alts = self.0.iter().map(meet);
        Val::of(alts.collect())
    }

    /// The objects by other names.
    pub fn renamed(&self, to: impl Fn(Obj) -> Obj) -> Val {
        let alts = self.0.iter().map(|a| Alt {
            base: a.base.map(&to),
            ..*a
        });
        Val::of(alts.collect())
    }
}

//! Linear facts between the numbers of a state.
//!
//! ```text
//!   p - z <= 0            p walks over a string whose known zero, the mark of its object, is at z
//!   z - size(o) <= -1
//!   fill(a) - 8 * i = 0   the cells of a below 8 * i are as its segment says
//! ```
//! Facts about an object that need not exist are facts about it where it does: nothing that does not speak of it
//! follows from them. So it is with each number of a segment, which may be empty. Facts about objects of which there are many hold for each, all names of a fact being of the same one.
//!
//! Sound because bounds are sums of facts and of bounds of single names (`bounds`), and because of a name that changes
//! sums of two facts stay in which it cancels.

use super::names::{Factor, Form, Name, Obj, plus};
use super::state::State;
use logic::Interval;

/// A form with two or more names, the first factor positive and no factor common to all, lies within bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub form: Form,
    pub bounds: Interval,
}

/// Something that need not exist: what is said of it holds where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Object(Obj),
    /// A number of a segment.
    Segment(Name),
}

impl Guard {
    /// Does the number exist only where this does?
    fn is_of(self, name: Name) -> bool {
        match self {
            Guard::Object(o) => name.object() == Some(o),
            Guard::Segment(each) => name == each,
        }
    }
}

/// Facts of a state; names of a fact.
const MOST_FACTS: usize = 96;
const MOST_NAMES: usize = 5;
const MOST_FACTOR: i128 = 1 << 30;
/// Facts about one name that are combined when it goes.
const MOST_COMBINED: usize = 16;

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The form with the first factor positive and no common factor, and its bounds.
fn normal(form: Form, bounds: Interval) -> (Form, Interval) {
    let divisor = form.iter().fold(0, |d, t| gcd(d, t.1)).max(1);
    let sign = if form.first().is_some_and(|t| t.1 < 0) {
        -1
    } else {
        1
    };
    let form: Form = form.iter().map(|t| (t.0, t.1 / divisor * sign)).collect();
    let bounds = if sign < 0 { bounds.negate() } else { bounds };
    let (low, high) = bounds.ends();
    // Whole numbers: bounds are rounded inwards.
    let low = low.map(|l| -((-l).div_euclid(divisor)));
    let high = high.map(|h| h.div_euclid(divisor));
    (form, Interval::of(low, high))
}

/// A form as facts have it.
pub(super) fn normal_form(mut form: Form) -> Form {
    form.sort_unstable_by_key(|t| t.0);
    normal(form, Interval::ANY).0
}

/// The form with another name in place of one.
fn renamed(form: &Form, from: Name, to: Name) -> Form {
    let mut out = Form::new();
    for &(name, k) in form {
        let name = if name == from { to } else { name };
        match out.iter_mut().find(|t| t.0 == name) {
            Some(own) => own.1 += k,
            None => out.push((name, k)),
        }
    }
    out.retain(|t| t.1 != 0);
    out.sort_unstable_by_key(|t| t.0);
    out
}

impl State {
    pub fn interval(&self, name: Name) -> Interval {
        match name {
            Name::Var(v) => match self.vars.get(&v) {
                Some(value) => value.hull(),
                None => self.frame.ranges[v],
            },
            Name::Cell(o, c) => self.cell(o, c).hull(),
            Name::Each(o, a) => {
                let object = self.objects.get(&o);
                let segment = object.and_then(|x| x.segments.get(&a));
                segment.map_or(Interval::ANY, |s| s.value.hull())
            }
            Name::Mark(..)
            | Name::Fill(..)
            | Name::Start(..)
            | Name::Pick(..)
            | Name::Product(..)
            | Name::Aux(_)
            | Name::New(_) => self.ghosts.get(&name).copied().unwrap_or(Interval::ANY),
        }
    }

    /// What need not exist of what names of the form are of.
    fn unsure(&self, form: &Form) -> Vec<Guard> {
        let mut out: Vec<Guard> = Vec::new();
        let mut add = |guard: Guard| {
            if !out.contains(&guard) {
                out.push(guard);
            }
        };
        for &(name, _) in form {
            if let Some(object) = name.object().filter(|o| !self.is_sure(*o)) {
                add(Guard::Object(object));
            }
            if let Name::Each(..) = name {
                add(Guard::Segment(name));
            }
        }
        out
    }

    /// Adds a fact that holds. False if nothing satisfies it.
    pub fn add_fact(&mut self, form: Form, bounds: Interval) -> bool {
        let (form, bounds) = normal(form, bounds);
        if form.is_empty() {
            return bounds.contains(0);
        }
        let quick = self.quick(&form);
        if quick.meet(&bounds).is_empty() {
            // Of a segment it says only that it is empty.
            return form.iter().any(|t| matches!(t.0, Name::Each(..)));
        }
        if form.len() == 1 {
            return self.narrow(form[0].0, bounds);
        }
        let exact = |t: &(Name, i128)| self.interval(t.0).as_single().is_some();
        let large = form.iter().any(|t| t.1.abs() > MOST_FACTOR);
        if large || form.len() > MOST_NAMES || form.iter().all(exact) {
            return true;
        }
        if bounds == Interval::ANY || bounds.includes(&quick) {
            return true;
        }
        match self.facts.binary_search_by(|f| f.form.cmp(&form)) {
            Ok(at) => {
                let both = self.facts[at].bounds.meet(&bounds);
                if both.is_empty() {
                    return form.iter().any(|t| matches!(t.0, Name::Each(..)));
                }
                self.facts[at].bounds = both;
            }
            Err(at) if self.facts.len() < MOST_FACTS => {
                self.facts.insert(at, Fact { form, bounds });
            }
            Err(_) => {}
        }
        true
    }

    /// Adds a fact that holds, even if bounds of single numbers say as much: they may go.
    pub fn keep_fact(&mut self, form: Form, bounds: Interval) {
        let (form, bounds) = normal(form, bounds);
        if form.len() < 2 || bounds == Interval::ANY {
            return;
        }
        if let Err(at) = self.facts.binary_search_by(|f| f.form.cmp(&form))
            && self.facts.len() < MOST_FACTS
        {
            self.facts.insert(at, Fact { form, bounds });
        }
    }

    /// A number lies within bounds. False if none is left.
    pub fn narrow(&mut self, name: Name, bounds: Interval) -> bool {
        let old = self.interval(name);
        let new = old.meet(&bounds);
        if new == old || new.is_empty() {
            return !new.is_empty() || matches!(name, Name::Each(..));
        }
        match name {
            // Bounds of the numbers of a segment are those of its value.
            Name::Each(..) => {}
            Name::Var(v) => {
                let value = self.var(v).meet(&bounds);
                if value.alts().is_empty() {
                    return false;
                }
                self.vars.insert(v, value);
            }
            Name::Cell(o, c) => {
                let value = self.cell(o, c).meet(&bounds);
                if value.alts().is_empty() {
                    return false;
                }
                self.object_mut(o).cells.insert(c, value);
            }
            Name::Mark(..)
            | Name::Fill(..)
            | Name::Start(..)
            | Name::Pick(..)
            | Name::Product(..)
            | Name::Aux(_)
            | Name::New(_) => {
                self.ghosts.insert(name, new);
            }
        }
        true
    }

    /// Bounds of single numbers that follow from facts. False if there are no such numbers.
    pub fn reduce(&mut self) -> bool {
        for n in 0..self.facts.len() {
            let Some(fact) = self.facts.get(n).cloned() else {
                break;
            };
            for at in 0..fact.form.len() {
                let (name, factor) = fact.form[at];
                let guards = self.unsure(&fact.form);
                if !guards.iter().all(|g| g.is_of(name)) {
                    continue;
                }
                let mut others = fact.form.clone();
                others.remove(at);
                // factor * name = form - others
                let own = fact.bounds.add(&self.quick(&others).negate());
                let (form, bounds) = normal(vec![(name, factor)], own);
                if form.len() == 1 && !self.narrow(name, bounds) {
                    return false;
                }
            }
        }
        true
    }

    /// Bounds of facts that bounds of single numbers make closer: where those move, the facts stay.
    pub fn tighten(&mut self) {
        for n in 0..self.facts.len() {
            let fact = &self.facts[n];
            let (quick, own) = (self.quick(&fact.form), fact.bounds);
            let ((a, b), (low, high)) = (quick.ends(), own.ends());
            let low = low.map(|l| a.map_or(l, |a| a.max(l)));
            let high = high.map(|h| b.map_or(h, |b| b.min(h)));
            let closer = Interval::of(low, high);
            if closer != own && !closer.is_empty() {
                self.facts[n].bounds = closer;
            }
        }
    }

    /// The name will mean something else: what follows from facts about it stays.
    pub fn forget_name(&mut self, name: Name) {
        if let Some(factor) = Factor::of(name) {
            self.rename_factors(|f| f == factor);
            self.forget_products(|f| f == factor);
        }
        let factor = |f: &Form| {
            let at = f.binary_search_by_key(&name, |t| t.0);
            at.map_or(0, |at| f[at].1)
        };
        if !self.facts.iter().any(|f| factor(&f.form) != 0) {
            return;
        }
        let (mut gone, kept): (Vec<Fact>, Vec<Fact>) = std::mem::take(&mut *self.facts)
            .into_iter()
            .partition(|f| factor(&f.form) != 0);
        *self.facts = kept;
        let equal = gone
            .iter()
            .filter(|f| f.bounds.as_single().is_some())
            // What is said of each number of a segment says nothing where there is none.
            .filter(|f| !f.form.iter().any(|t| matches!(t.0, Name::Each(..))))
            .min_by_key(|f| (factor(&f.form).abs(), f.form.len()))
            .cloned();
        if let Some(equal) = equal {
            // The others by the equation.
            for fact in gone.iter().filter(|f| **f != equal) {
                self.add_combined(name, fact, &equal, true);
            }
            let own = self.interval(name);
            let bare = Fact {
                form: vec![(name, 1)],
                bounds: own,
            };
            self.add_combined(name, &bare, &equal, true);
            return;
        }
        gone.push(Fact {
            form: vec![(name, 1)],
            bounds: self.interval(name),
        });
        gone.truncate(MOST_COMBINED);
        for (n, f) in gone.iter().enumerate() {
            for g in &gone[n + 1..] {
                self.add_combined(name, f, g, false);
            }
        }
    }

    /// A combination of two facts in which the name cancels.
    fn add_combined(&mut self, name: Name, f: &Fact, g: &Fact, equation: bool) {
        let factor = |f: &Form| {
            let at = f.binary_search_by_key(&name, |t| t.0);
            at.map_or(0, |at| f[at].1)
        };
        let (a, b) = (factor(&f.form), factor(&g.form));
        let d = gcd(a, b).max(1);
        // x * f - y * g
        let (x, y) = (b / d, a / d);
        let form = plus(&Form::new(), x, &f.form).and_then(|h| plus(&h, -y, &g.form));
        let Some(form) = form else { return };
        let bounds = f.bounds.times(x).add(&g.bounds.times(-y));
        if form.len() < 2 && !equation || form.is_empty() || bounds == Interval::ANY {
            return;
        }
        // Sums of ever larger multiples say little.
        let largest = |f: &Form| f.iter().map(|t| t.1.abs()).max();
        let (form, bounds) = normal(form, bounds);
        if !equation && largest(&form) > largest(&f.form).max(largest(&g.form)) {
            return;
        }
        // What follows from facts about an object that need not exist has to speak of it.
        let after = self.unsure(&form);
        let mut guards = self.unsure(&f.form);
        guards.extend(self.unsure(&g.form));
        if !guards.iter().all(|o| after.contains(o)) {
            return;
        }
        self.add_fact(form, bounds);
    }

    /// Drops products of numbers, also those that only facts speak of.
    pub fn forget_products(&mut self, of: impl Fn(Factor) -> bool) {
        let gone = |n: Name| n.is_product_of(&of);
        self.forget_names(gone);
        self.ghosts.retain(|n, _| !gone(*n));
    }

    /// Products of numbers that will change are products of others that are the same, if there are such.
    ///
    /// Sound because the two are equal by a fact, so their products are, and what is said of an object that need not exist
    /// is left alone.
    pub fn rename_factors(&mut self, of: impl Fn(Factor) -> bool) {
        let products = self.ghosts.keys().copied();
        let products: Vec<Name> = products.filter(|n| n.is_product_of(&of)).collect();
        for product in products {
            let Name::Product(a, b) = product else {
                continue;
            };
            let other = |f: Factor| match of(f) {
                true => self.equal_factor(f, &of),
                false => Some(f),
            };
            let renamed = other(a).zip(other(b));
            let renamed = renamed.and_then(|(a, b)| Name::product(a, b));
            if let Some(renamed) = renamed.filter(|n| !self.ghosts.contains_key(n)) {
                self.rename_names(|n| if n == product { renamed } else { n });
            }
        }
    }

    /// The first of the variables and cells that are the same number: products of equal numbers have one name.
    pub fn first_equal(&self, factor: Factor) -> Factor {
        let mut first = factor;
        while let Some(other) = self.equal_factor(first, &|f| f >= first) {
            first = other;
        }
        first
    }

    /// A variable or cell that is the same number and no such one.
    fn equal_factor(&self, factor: Factor, not: &impl Fn(Factor) -> bool) -> Option<Factor> {
        let name = factor.name();
        let is_sure = |f: Factor| f.name().object().is_none_or(|o| self.is_sure(o));
        if !is_sure(factor) {
            return None;
        }
        let mut equal = self.facts.iter().filter(|f| {
            let opposite = f.form.len() == 2 && f.form[0].1 == -f.form[1].1;
            opposite && f.bounds == Interval::single(0)
        });
        equal.find_map(|f| {
            let at = f.form.iter().position(|t| t.0 == name)?;
            let other = Factor::of(f.form[1 - at].0).filter(|f| !not(*f))?;
            (is_sure(other) && self.is_number_at(other)).then_some(other)
        })
    }

    pub fn forget_names(&mut self, which: impl Fn(Name) -> bool) {
        let mut names: Vec<Name> = Vec::new();
        for fact in self.facts.iter() {
            names.extend(fact.form.iter().map(|t| t.0).filter(|n| which(*n)));
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.forget_name(name);
        }
    }

    /// Drops facts and bounds of numbers of a step.
    pub fn forget_ghosts(&mut self, which: impl Fn(Name) -> bool) {
        if self.ghosts.keys().any(|n| which(*n)) {
            self.forget_names(&which);
            self.ghosts.retain(|n, _| !which(*n));
        }
    }

    /// Gives names other names, which no other has.
    pub fn rename_names(&mut self, to: impl Fn(Name) -> Name) {
        let facts = std::mem::take(&mut *self.facts);
        let mut renamed: Vec<Fact> = Vec::with_capacity(facts.len());
        for fact in facts {
            if fact.form.iter().all(|t| to(t.0) == t.0) {
                renamed.push(fact);
                continue;
            }
            let mut form: Form = fact.form.iter().map(|t| (to(t.0), t.1)).collect();
            form.sort_unstable_by_key(|t| t.0);
            let (form, bounds) = normal(form, fact.bounds);
            renamed.push(Fact { form, bounds });
        }
        renamed.sort_by(|a, b| a.form.cmp(&b.form));
        renamed.dedup_by(|b, a| {
            let same = a.form == b.form;
            if same {
                a.bounds = a.bounds.meet(&b.bounds);
            }
            same
        });
        *self.facts = renamed;
        let ghosts = std::mem::take(&mut self.ghosts);
        self.ghosts = ghosts.into_iter().map(|(n, i)| (to(n), i)).collect();
    }

    /// What holds for each number of a segment holds for one of them.
    pub fn copy_facts_of(&mut self, each: Name, one: Name) {
        let own = |f: &&Fact| f.form.iter().any(|t| t.0 == each);
        let facts: Vec<Fact> = self.facts.iter().filter(own).cloned().collect();
        for fact in facts {
            self.add_fact(renamed(&fact.form, each, one), fact.bounds);
        }
    }

    /// One number more is in a segment: of the facts those stay that hold for it too. In a segment that was empty all of
    /// its facts hold for each.
    ///
    /// Sound because a fact that is kept has bounds that contain those of all that were there and of the new one.
    pub fn include(&mut self, each: Name, one: Name, was_empty: bool) {
        let has = |form: &Form, name: Name| form.iter().any(|t| t.0 == name);
        let mut kept: Vec<Fact> = Vec::new();
        for fact in self.facts.iter() {
            let (of_each, of_one) = (has(&fact.form, each), has(&fact.form, one));
            let form = match (of_each, of_one) {
                (true, false) if !was_empty => fact.form.clone(),
                (false, true) => renamed(&fact.form, one, each),
                _ => continue,
            };
            if kept.iter().any(|f| f.form == form) {
                continue;
            }
            let theirs = match was_empty {
                true => Some(Interval { low: 1, high: 0 }),
                false => self.bounds(&form),
            };
            let own = self.bounds(&renamed(&form, each, one));
            if let (Some(a), Some(b)) = (theirs, own) {
                let bounds = if was_empty { b } else { a.hull(&b) };
                kept.push(Fact { form, bounds });
            }
        }
        self.facts.retain(|f| !has(&f.form, each));
        for fact in kept {
            // Sums that bounds of single numbers say as well are mostly chance.
            let sum = fact.form.len() > 2;
            if !sum || !fact.bounds.includes(&self.quick(&fact.form)) {
                self.keep_fact(fact.form, fact.bounds);
            }
        }
    }

    /// What holds for each of many objects holds for one of them.
    pub fn copy_facts(&mut self, many: Obj, one: Obj) {
        let to = |n: Name| {
            if n.object() == Some(many) {
                n.at(one)
            } else {
                n
            }
        };
        let ghosts: Vec<(Name, Interval)> = self
            .ghosts
            .iter()
            .filter(|(n, _)| n.object() == Some(many))
            .map(|(n, i)| (to(*n), *i))
            .collect();
        self.ghosts.extend(ghosts);
        let own = |f: &&Fact| f.form.iter().any(|t| t.0.object() == Some(many));
        let facts: Vec<Fact> = self.facts.iter().filter(own).cloned().collect();
        for fact in facts {
            let mut form: Form = fact.form.iter().map(|t| (to(t.0), t.1)).collect();
            form.sort_unstable_by_key(|t| t.0);
            self.add_fact(form, fact.bounds);
        }
    }

    /// Facts that hold for one object and for each of many, in the words of the many.
    pub fn common_facts(&self, one: Obj, many: Obj) -> Vec<Fact> {
        let renamed = |form: &Form, from: Obj, to: Obj| {
            let name = |n: Name| {
                if n.object() == Some(from) {
                    n.at(to)
                } else {
                    n
                }
            };
            let mut form: Form = form.iter().map(|t| (name(t.0), t.1)).collect();
            form.sort_unstable_by_key(|t| t.0);
            form
        };
        let has = |form: &Form, o: Obj| form.iter().any(|t| t.0.object() == Some(o));
        let mut out: Vec<Fact> = Vec::new();
        let mut forms: Vec<Form> = self.facts.iter().map(|f| f.form.clone()).collect();
        forms.extend(super::join::usual_forms(self, one));
        forms.extend(super::join::usual_forms(self, many));
        for form in forms {
            let (form, own) = match (has(&form, one), has(&form, many)) {
                (true, false) => (renamed(&form, one, many), form),
                (false, true) => {
                    let own = renamed(&form, many, one);
                    (form, own)
                }
                _ => continue,
            };
            if out.iter().any(|f| f.form == form) {
                continue;
            }
            let (Some(a), Some(b)) = (self.bounds(&form), self.bounds(&own)) else {
                continue;
            };
            let bounds = a.hull(&b);
            if bounds != Interval::ANY {
                out.push(Fact { form, bounds });
            }
        }
        out
    }
}

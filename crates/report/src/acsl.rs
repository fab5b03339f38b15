//! Facts about memory in words like ACSL's: `\valid(p + (0 .. 3))`, `\freeable(p)`, `\block_length(p) == n`,
//! `a[k] == 0`. The memory model's variables and addresses never show; what cannot be said is left out
//! and counted.

use crate::Subject;
use crate::c_expr::{Named, Style, c_conjunction, c_expr};
use logic::{Op, Pool, Rational, TermId};
use program::{Contract, DebugType, FuncId};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers from here on, beside pointers, are addresses.
const LEAST_ADDRESS: u64 = 65_536;

/// A sum of terms with factors, and a constant.
struct Linear {
    parts: BTreeMap<TermId, Rational>,
    constant: Rational,
}

/// How constants are called in a formula, and their types.
pub struct Names<'a> {
    /// The name and range of a constant that has one in the source.
    pub name: &'a dyn Fn(TermId) -> Option<Named>,
    /// The constant of the original program that this one is a copy of.
    pub original: &'a dyn Fn(TermId) -> TermId,
}

/// The conjuncts for people, and how many were left out.
pub fn people(
    subject: &Subject<'_>,
    conjuncts: &[TermId],
    names: &Names<'_>,
) -> (Vec<String>, usize) {
    let mut printer = Printer {
        subject,
        pool: subject.pool,
        names,
        holders: BTreeMap::new(),
    };
    for &c in conjuncts {
        printer.learn(c);
    }
    let mut out: Vec<String> = Vec::new();
    let mut left = 0;
    for &c in conjuncts {
        match printer.conjunct(c) {
            Some(text) if text.is_empty() || out.contains(&text) => {}
            Some(text) => out.push(text),
            None => left += 1,
        }
    }
    (out, left)
}

/// The contract of a function, for people: what it requires and what it ensures.
pub fn contract(subject: &Subject<'_>, function: FuncId, contract: &Contract) -> (String, String) {
    let name = |t| crate::witness::contract_name(subject, function, t, false);
    let original = |t| t;
    let names = Names {
        name: &name,
        original: &original,
    };
    let print = |term| match people(subject, &subject.pool.conjuncts(term), &names).0 {
        said if said.is_empty() => "true".to_string(),
        said => said.join(" && "),
    };
    (print(contract.requires), print(contract.ensures))
}

struct Printer<'a> {
    subject: &'a Subject<'a>,
    pool: &'a Pool,
    names: &'a Names<'a>,
    /// Pointer variables known to hold a fixed address.
    holders: BTreeMap<u64, String>,
}

impl Printer<'_> {
    fn var(&self, term: TermId) -> TermId {
        (self.names.original)(term)
    }

    fn is(&self, term: TermId, var: Option<TermId>) -> bool {
        var.is_some() && Some(self.var(term)) == var
    }

    /// The size of what a pointer variable points to; `None` if it is no pointer.
    fn stride(&self, term: TermId) -> Option<u64> {
        let debug = self.subject.debug;
        let &ty = debug.vars.get(&self.var(term))?;
        match debug.types[ty] {
            DebugType::Pointer(to) => Some(debug.size_of(to, self.subject.pointer_size())),
            _ => None,
        }
    }

    /// `p == 8589934592`: from now on that address goes by `p`.
    fn learn(&mut self, conjunct: TermId) {
        if let Some((pointer, address)) = self.fixed(conjunct)
            && address >= self.subject.debug.memory.start
            && let Some(named) = (self.names.name)(pointer)
        {
            self.holders.entry(address).or_insert(named.text);
        }
    }

    /// A pointer variable and the constant it equals.
    fn fixed(&self, conjunct: TermId) -> Option<(TermId, u64)> {
        let [a, b] = *self.pool.args(conjunct) else {
            return None;
        };
        if self.pool.op(conjunct) != Op::Eq {
            return None;
        }
        let (pointer, number) = match (self.pool.as_number(a), self.pool.as_number(b)) {
            (None, Some(n)) => (a, n),
            (Some(n), None) => (b, n),
            _ => return None,
        };
        self.stride(pointer)?;
        Some((pointer, number.to_string().parse().ok()?))
    }

    /// `None`: cannot be said; empty: need not be said.
    fn conjunct(&self, c: TermId) -> Option<String> {
        if let Some((pointer, address)) = self.fixed(c) {
            let name = (self.names.name)(pointer)?.text;
            return Some(match self.object(address) {
                Some(object) if object == name => String::new(),
                Some(object) => format!("{name} == {object}"),
                None if address == 0 => format!("{name} == NULL"),
                None => return None,
            });
        }
        if let Some(text) = self.valid(c).or_else(|| self.freeable(c)) {
            return Some(text);
        }
        self.expression(c)
    }

    /// The object at a fixed address, as an expression of pointer type.
    fn object(&self, address: u64) -> Option<String> {
        if let Some(holder) = self.holders.get(&address) {
            return Some(holder.clone());
        }
        let debug = self.subject.debug;
        if let Some(function) = debug.functions.get(&address) {
            return Some(function.clone());
        }
        let (&base, object) = debug.objects.range(..=address).next_back()?;
        if address - base > object.size || object.name.is_empty() {
            return None;
        }
        let words =
            crate::words::Words::new(debug, self.subject.sources, self.subject.pointer_size());
        Some(words.address(address, None))
    }

    /// `p + n <= B*(p div B) + size[p div B]`: n bytes from p on are valid.
    fn valid(&self, c: TermId) -> Option<String> {
        let memory = &self.subject.debug.memory;
        let (Op::Le, &[low, high]) = (self.pool.op(c), self.pool.args(c)) else {
            return None;
        };
        let right = self.linear(high)?;
        let size = right.parts.iter().find(|(t, factor)| {
            factor.is_one()
                && self.pool.op(**t) == Op::Select
                && self.is(self.pool.args(**t)[0], memory.sizes)
        });
        let number = self.pool.args(*size?.0)[1];
        let address = self.divided(number)?;
        let mut gap = self.linear(low)?;
        let from = self.linear(address)?;
        for (t, factor) in &from.parts {
            let entry = gap.parts.entry(*t).or_insert(Rational::ZERO);
            *entry = &*entry - factor;
        }
        gap.parts.retain(|_, factor| !factor.is_zero());
        let block = Rational::from(memory.block?);
        let size = *size?.0;
        let rest: Vec<_> = right.parts.iter().filter(|(t, _)| **t != size).collect();
        let aligned = matches!(rest.as_slice(), [(t, f)] if **t == number && **f == block);
        let bytes = (&gap.constant - &from.constant) - right.constant;
        if !gap.parts.is_empty() || !aligned {
            return None;
        }
        let bytes: u64 = bytes.to_string().parse().ok()?;
        let (place, stride) = self.place(&from)?;
        Some(match stride.max(1) {
            1 if bytes > 1 => format!("\\valid({place} + (0 .. {}))", bytes - 1),
            _ => format!("\\valid({place})"),
        })
    }

    /// `heap[p div B] == 1`: p was allocated and not freed.
    fn freeable(&self, c: TermId) -> Option<String> {
        let memory = &self.subject.debug.memory;
        let (Op::Eq, &[a, b]) = (self.pool.op(c), self.pool.args(c)) else {
            return None;
        };
        let (read, other) = match self.pool.op(a) {
            Op::Select => (a, b),
            _ => (b, a),
        };
        if self.pool.op(read) != Op::Select {
            return None;
        }
        let (array, index) = (self.pool.args(read)[0], self.pool.args(read)[1]);
        let object = || {
            let block = memory.block?;
            let address = match self.pool.as_number(index) {
                Some(n) => Linear {
                    parts: BTreeMap::new(),
                    constant: n * &Rational::from(block),
                },
                None => self.linear(self.divided(index)?)?,
            };
            Some(self.place(&address)?.0)
        };
        if self.is(array, memory.heap) && self.pool.as_number(other).is_some_and(Rational::is_one) {
            return Some(format!("\\freeable({})", object()?));
        }
        if self.is(array, memory.sizes) {
            let value = self.expression(other)?;
            return Some(format!("\\block_length({}) == {value}", object()?));
        }
        None
    }

    /// The address in `address div B`.
    fn divided(&self, term: TermId) -> Option<TermId> {
        let block = Rational::from(self.subject.debug.memory.block?);
        match (self.pool.op(term), self.pool.args(term)) {
            (Op::IntDiv, &[address, by]) if self.pool.as_number(by) == Some(&block) => {
                Some(address)
            }
            _ => None,
        }
    }

    /// An address as an expression of pointer type, and the bytes that one step of it takes.
    fn place(&self, address: &Linear) -> Option<(String, u64)> {
        let mut base = None;
        for (&t, factor) in &address.parts {
            if factor.is_one()
                && let Some(stride) = self.stride(t)
            {
                let name = (self.names.name)(t)?.text;
                base = Some((name, stride, Some(t), Rational::ZERO));
            }
        }
        if base.is_none() {
            base = self.fixed_base(&address.constant);
        }
        let (name, stride, pointer, from) = base?;
        let stride_of = |r: &Rational| -> Option<i64> {
            let n: i64 = r.to_string().parse().ok()?;
            let step = i64::try_from(stride.max(1)).ok()?;
            (n % step == 0).then_some(n / step)
        };
        let mut text = name;
        for (&t, factor) in &address.parts {
            if Some(t) == pointer {
                continue;
            }
            let times = stride_of(factor)?;
            let part = self.expression(t)?;
            match times {
                1 => text.push_str(&format!(" + {part}")),
                -1 => text.push_str(&format!(" - {part}")),
                n => text.push_str(&format!(" + {n}*{part}")),
            }
        }
        match stride_of(&(&address.constant - &from))? {
            0 => {}
            n if n > 0 => text.push_str(&format!(" + {n}")),
            n => text.push_str(&format!(" - {}", -n)),
        }
        Some((text, stride))
    }

    /// The object near a constant address, its stride and where it begins.
    fn fixed_base(&self, constant: &Rational) -> Option<(String, u64, Option<TermId>, Rational)> {
        let address: u64 = constant.to_string().parse().ok()?;
        let near = |&(&base, _): &(&u64, &String)| base.abs_diff(address) < 4096;
        let holder = self.holders.iter().rev().find(near);
        let debug = self.subject.debug;
        if let Some((&base, name)) = holder {
            let var = self
                .subject
                .program
                .vars
                .iter()
                .find(|v| v.source_name.as_ref() == Some(name));
            let stride = var.and_then(|v| self.stride(v.term)).unwrap_or(1);
            return Some((name.clone(), stride, None, Rational::from(base)));
        }
        let (&base, object) = debug.objects.range(..=address).next_back()?;
        if address - base > object.size || object.name.is_empty() {
            return None;
        }
        let stride = match debug.types[object.ty] {
            DebugType::Array { size, .. } => size,
            _ => {
                return Some((
                    format!("&{}", object.name),
                    object.size,
                    None,
                    Rational::from(base),
                ));
            }
        };
        Some((object.name.clone(), stride, None, Rational::from(base)))
    }

    fn linear(&self, term: TermId) -> Option<Linear> {
        let mut out = Linear {
            parts: BTreeMap::new(),
            constant: Rational::ZERO,
        };
        let mut work = vec![(term, Rational::ONE)];
        while let Some((t, factor)) = work.pop() {
            if let Some(n) = self.pool.as_number(t) {
                out.constant += &(n * &factor);
                continue;
            }
            match (self.pool.op(t), self.pool.args(t)) {
                (Op::Add, args) => work.extend(args.iter().map(|a| (*a, factor.clone()))),
                (Op::Mul, &[a, b]) if self.pool.as_number(a).is_some() => {
                    work.push((b, self.pool.as_number(a)? * &factor));
                }
                (Op::Mul, &[a, b]) if self.pool.as_number(b).is_some() => {
                    work.push((a, self.pool.as_number(b)? * &factor));
                }
                _ => {
                    let entry = out.parts.entry(t).or_insert(Rational::ZERO);
                    *entry += &factor;
                }
            }
            if out.parts.len() > 8 {
                return None;
            }
        }
        Some(out)
    }

    /// Any expression in which memory is read at places that have words.
    fn expression(&self, term: TermId) -> Option<String> {
        let memory = &self.subject.debug.memory;
        let mut reads: BTreeMap<TermId, Named> = BTreeMap::new();
        let pointers = self.mentions_pointer(term);
        let (mut work, mut seen) = (vec![term], BTreeSet::new());
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.pool.op(t) {
                Op::Select => {
                    let array = self.pool.args(t)[0];
                    if !memory.cells.contains(&self.var(array)) {
                        (self.names.name)(array)?;
                        work.push(self.pool.args(t)[1]);
                        continue;
                    }
                    let address = self.linear(self.pool.args(t)[1])?;
                    let (place, _) = self.place(&address)?;
                    let text = match place.split_once(" + ") {
                        Some((base, index)) if !index.contains(" - ") => format!("{base}[{index}]"),
                        None if !place.contains(' ') => format!("*{place}"),
                        _ => format!("*({place})"),
                    };
                    reads.insert(t, Named { text, range: None });
                }
                Op::Store | Op::ConstArray => return None,
                Op::App(symbol) if self.pool.args(t).is_empty() => {
                    let fine = (self.names.name)(t).is_some()
                        || self.pool.symbol_data(symbol).name.starts_with("any!")
                        || memory.cells.contains(&self.var(t));
                    if !fine {
                        return None;
                    }
                }
                // Numbers that only addresses are.
                Op::Num(n) if memory.start > 0 && pointers => {
                    let n = self.pool.number(n).to_string().parse::<u64>();
                    if n.is_ok_and(|n| n >= LEAST_ADDRESS) {
                        return None;
                    }
                }
                _ => work.extend(self.pool.args(t)),
            }
        }
        let name = |t: TermId| reads.get(&t).cloned().or_else(|| (self.names.name)(t));
        match reads.is_empty() {
            true => c_conjunction(self.pool, &[term], Style::People, &name),
            false => c_expr(self.pool, term, Style::People, &name),
        }
    }

    fn mentions_pointer(&self, term: TermId) -> bool {
        let all = self.pool.post_order(&[term]);
        all.iter().any(|t| self.stride(*t).is_some())
    }
}

//! What a counterexample of a function asks of its callers: preconditions to try next (`functions`).
//!
//! They are read off the inputs of the counterexample, kind after kind: pointers that are null, elements, zeros at the end,
//! indices, then how parts of a record belong together. None is believed: the function is checked again under them.

use crate::check::Outcome;
use crate::check::chosen::{Chosen, missed};
use evidence::{Decision, Trace};
use frontend::c::entry::{Description, Requires};
use program::Property;

/// Pointers through so many others are deep in a structure.
const DEEP: usize = 3;
/// So many elements are tried where a function looks at a fixed number of them.
const FIXED_ELEMENTS: u64 = 256;
/// So many preconditions of one kind are tried at once.
const MOST_TRIED: usize = 24;
/// So many numbers are compared with lengths of arrays, or with each other.
const MOST_PLACES: usize = 12;
/// So many values of numbers beside unions, or in records, are excluded.
const MOST_APART: usize = 10;

/// Preconditions that the counterexamples ask for, that of each check that is violated: of the pointers that are null in
/// one, or, if none is, the next kind of those about elements that was not tried yet.
/// With `all` pointers that could have been null are not waited for to be.
pub(crate) fn preconditions(found: &Outcome, known: &[Requires], all: bool) -> Vec<Requires> {
    let Some(caller) = &found.input.caller else {
        return Vec::new();
    };
    let violated = found.findings.list().iter();
    let violated = violated.filter_map(|f| match &f.decision {
        Decision::Violated(trace) => Some(trace.as_ref()),
        _ => None,
    });
    let mut traces: Vec<&Trace> = violated.collect();
    if traces.is_empty() {
        traces.extend(found.verdict.record().trace.as_ref());
    }
    let mut out = Vec::new();
    for trace in &traces {
        for new in pointers(found, trace, all) {
            if !known.contains(&new) && !out.contains(&new) {
                out.push(new);
            }
        }
    }
    if !out.is_empty() {
        return out;
    }
    let mut more = traces.iter().map(|t| elements(found, caller, t, known));
    more.find(|m| !m.is_empty()).unwrap_or_default()
}

/// That pointers which are null in the counterexample are not.
fn pointers(found: &Outcome, trace: &Trace, all: bool) -> Vec<Requires> {
    let mut out: Vec<Requires> = Vec::new();
    for input in &report::inputs(&found.subject(), trace) {
        let source = input.kind.source().unwrap_or("");
        let Some(name) = source.strip_suffix(" is null") else {
            continue;
        };
        let null = input.value.as_num().is_some_and(|n| !n.is_zero());
        if null || all {
            out.push(Requires::NonNull(name.to_string()));
        }
    }
    out
}

/// The next kind of preconditions about elements.
fn elements(
    found: &Outcome,
    caller: &Description,
    trace: &Trace,
    known: &[Requires],
) -> Vec<Requires> {
    let chosen = Chosen::new(found, trace, known);
    // What holds of the counterexample does not get rid of it.
    let helps = |r: &Requires| !known.contains(r) && chosen.breaks(r) != Some(false);
    // Of pointers to elements the one counts whose elements are missed.
    let missed = missed(found, trace);
    let about = |r: &Requires| missed.as_deref().is_none_or(|m| r.pointer() == m);
    let arguments = caller.pointers.iter().flat_map(|p| {
        let counts = caller.counts.iter();
        counts.map(move |c| (p.clone(), c.clone()))
    });
    let room = arguments
        .chain(caller.members.iter().cloned())
        .filter(|(p, _)| caller.arrays.contains(p))
        .map(|(pointer, count)| Requires::Room { pointer, count });
    // Indices and offsets: an argument says where in the elements, or two together how far. They excuse accesses
    // only: what a contract promises it promises for all numbers.
    let tag = found.input.program.locations[trace.error].error.as_ref();
    let access = tag.is_some_and(|t| t.property == Property::ValidDeref);
    let free = tag.is_some_and(|t| t.property == Property::ValidFree);
    // What functions return is theirs: an argument says nothing about it.
    let own = |p: &&String| access && !p.contains("()");
    let places = || caller.arrays.iter().filter(own);
    let signed = caller.signed.iter().cloned().map(Requires::NotNegative);
    let signed: Vec<Requires> = signed.collect();
    let arguments = places().flat_map(|p| {
        let counts = caller.counts.iter();
        counts.map(move |c| (p.clone(), c.clone()))
    });
    let known_places = |(p, _): &&(String, String)| access && caller.arrays.contains(p);
    let beside = caller.members.iter().filter(known_places).cloned();
    let less = arguments
        .chain(beside)
        .map(|(pointer, index)| Requires::Less { pointer, index });
    let less: Vec<Requires> = less.collect();
    let pairs = caller.counts.iter().enumerate().flat_map(|(i, first)| {
        let others = caller.counts[i + 1..].iter();
        others.map(move |second| (first, second))
    });
    let pairs: Vec<(&String, &String)> = pairs.collect();
    let sums = places().flat_map(|p| {
        let pairs = pairs.iter();
        pairs.map(move |(first, second)| Requires::Sum {
            pointer: p.clone(),
            first: first.to_string(),
            second: second.to_string(),
        })
    });
    // One less than a number is an index too.
    let numbers = caller.members.iter().map(|(_, n)| n);
    let numbers = caller.counts.iter().chain(numbers);
    let zero = numbers.filter(|n| access && chosen.number(n) == Some(0));
    let mut positive: Vec<Requires> = zero.cloned().map(Requires::Positive).collect();
    positive.dedup();
    let ends = caller.bytes.iter().cloned().map(Requires::Terminated);
    // What is asked for a size has that size, and no fixed one.
    let sized = |p: &&String| !caller.allocators.contains(p);
    let fixed = caller
        .arrays
        .iter()
        .filter(sized)
        .map(|p| Requires::AtLeast {
            pointer: p.clone(),
            elements: FIXED_ELEMENTS,
        });
    let gives = caller.allocators.iter().filter(|_| access);
    let gives = gives.cloned().map(Requires::Allocates);
    let pairs = caller.pairs.iter().filter(|(b, p)| {
        let array = |p: &String| caller.arrays.contains(p);
        access && array(b) && array(p)
    });
    // Of two arrays of one type, as a copy reads and writes, the one that is missed is as long as the other.
    let longer = pairs.clone().flat_map(|(a, b)| {
        let longer = |pointer: &String, other: &String| Requires::Longer {
            pointer: pointer.clone(),
            other: other.clone(),
        };
        [longer(a, b), longer(b, a)]
    });
    let longer: Vec<Requires> = longer.filter(&about).collect();
    let within = pairs.map(|(base, pointer)| Requires::Within {
        base: base.clone(),
        pointer: pointer.clone(),
    });
    let below = caller.bounded.iter().filter(|_| access);
    let below = below.map(|(number, bound)| {
        let number = number.clone();
        let bound = *bound;
        Requires::Below { number, bound }
    });
    // What the counterexample breaks of them, if it says so, and a few.
    let mut below: Vec<Requires> = below.filter(&helps).take(MOST_PLACES).collect();
    // What is taken back first is last: of two bounds that are both enough the larger one stays.
    below.sort_by_key(|r| match r {
        Requires::Below { bound, .. } => std::cmp::Reverse(*bound),
        _ => std::cmp::Reverse(0),
    });
    let of_below = |r: &Requires| {
        let Requires::NotNegative(n) = r else {
            return false;
        };
        caller.bounded.iter().any(|(number, _)| number == n)
    };
    let not_negative: Vec<Requires> = signed.iter().filter(|r| of_below(r)).cloned().collect();
    for kind in [
        Vec::from_iter(gives),
        Vec::from_iter(room),
        Vec::from_iter(ends),
        match less.is_empty() {
            true => less,
            false => less.into_iter().chain(signed).collect(),
        },
        match missed.is_some() {
            true => positive,
            false => Vec::new(),
        },
        Vec::from_iter(sums),
        longer,
        Vec::from_iter(within),
        ordered(found, caller, trace, known),
        Vec::from_iter(fixed),
        below.iter().cloned().chain(not_negative).collect(),
        match access {
            true => smaller(found, caller, trace, known),
            false => Vec::new(),
        },
        match access || free {
            true => apart(found, caller, trace, known),
            false => Vec::new(),
        },
        match access || free {
            true => other(caller, &chosen, known),
            false => Vec::new(),
        },
        match access && followed(known) {
            true => cycles(caller, known),
            false => Vec::new(),
        },
        match access {
            true => deeper(caller),
            false => Vec::new(),
        },
    ] {
        let new = kind.into_iter().filter(&helps).take(MOST_TRIED);
        let new: Vec<Requires> = new.collect();
        let of_missed: Vec<Requires> = new.iter().filter(|r| about(r)).cloned().collect();
        let numbers = |r: &&Requires| missed.is_some() && of_number(r);
        match of_missed.is_empty() {
            false => {
                let rest = new
                    .iter()
                    .filter(numbers)
                    .filter(|r| !of_missed.contains(r));
                return of_missed.iter().chain(rest).cloned().collect();
            }
            true if new.is_empty() => {}
            true => return new,
        }
    }
    Vec::new()
}

/// Is it about a number alone, not about what a pointer leads to?
fn of_number(r: &Requires) -> bool {
    matches!(
        r,
        Requires::NotNegative(_) | Requires::Positive(_) | Requires::Below { .. }
    )
}

/// That pointers do not lead to the record of the counterexample where a number in it has the value that it has there. A
/// value for which every record would be excluded is no excuse.
fn other(caller: &Description, chosen: &Chosen, known: &[Requires]) -> Vec<Requires> {
    let tried = known.iter().filter(|r| matches!(r, Requires::Other { .. }));
    if tried.count() >= MOST_APART {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (pointer, records) in &caller.leads {
        let asked = |text: &String| chosen.number(&format!("{pointer} leads to {text}"));
        let record = records
            .iter()
            .position(|l| asked(&l.text).is_some_and(|n| n != 0));
        // The first one is what is left where no other is chosen.
        let record = record.unwrap_or(0);
        let without = |i: usize, tag: usize, value: i64| {
            let lead = records.get(i)?;
            Some(Requires::Other {
                pointer: pointer.clone(),
                record: lead.text.clone(),
                tag: lead.tags.get(tag)?.clone(),
                value,
            })
        };
        let tags = records.get(record).map_or(&[][..], |l| &l.tags);
        for (tag, name) in tags.iter().enumerate() {
            let value = chosen.number(name).and_then(|n| i64::try_from(n).ok());
            let Some(value) = value else { continue };
            let others = (0..records.len()).filter(|i| *i != record);
            let mut others = others.map(|i| without(i, tag, value));
            if others.any(|r| r.is_some_and(|r| !known.contains(&r))) {
                out.extend(without(record, tag, value));
            }
        }
    }
    out
}

/// The values of the inputs of these names in a counterexample.
fn input_of(found: &Outcome, trace: &Trace, name: &str) -> Option<i64> {
    let inputs = report::inputs(&found.subject(), trace);
    let input = inputs.iter().find(|i| i.kind.source() == Some(name))?;
    input.value.as_num()?.to_string().parse().ok()
}

/// Pointers into one object that the counterexample has the other way round: the first one in the text is first.
fn ordered(
    found: &Outcome,
    caller: &Description,
    trace: &Trace,
    known: &[Requires],
) -> Vec<Requires> {
    let offset =
        |base: &str, p: &str| input_of(found, trace, &format!("elements from {base} to {p}"));
    let mut out = Vec::new();
    for (i, (base, a)) in caller.pairs.iter().enumerate() {
        let others = caller.pairs[i + 1..].iter().filter(|(b, _)| b == base);
        for (_, b) in others {
            let (Some(of_a), Some(of_b)) = (offset(base, a), offset(base, b)) else {
                continue;
            };
            let (low, high) = match of_a > of_b {
                true => (a.clone(), b.clone()),
                false => (b.clone(), a.clone()),
            };
            let other = Requires::Ordered {
                low: high.clone(),
                high: low.clone(),
            };
            if of_a != of_b && !known.contains(&other) {
                out.push(Requires::Ordered { low, high });
            }
        }
    }
    out
}

/// That a number in a record is less than another one in it, where the counterexample has it otherwise.
fn smaller(
    found: &Outcome,
    caller: &Description,
    trace: &Trace,
    known: &[Requires],
) -> Vec<Requires> {
    let mut out = Vec::new();
    for (a, b) in &caller.beside {
        let values = (input_of(found, trace, a), input_of(found, trace, b));
        let (Some(of_a), Some(of_b)) = values else {
            continue;
        };
        let than = |low: &String, high: &String| Requires::Smaller {
            low: low.clone(),
            high: high.clone(),
        };
        let other = than(b, a);
        if of_a > of_b && !known.contains(&other) && out.len() < MOST_PLACES {
            out.push(than(a, b));
        }
    }
    out
}

/// Were structures followed further than they are at first, and again?
fn followed(known: &[Requires]) -> bool {
    let deep = |r: &Requires| match r {
        Requires::NonNull(p) => p.matches("(*").count() >= DEEP,
        _ => false,
    };
    known.iter().any(deep)
}

/// Pointers that are null only since structures are followed to a depth lead back to where the structure begins, if they
/// are few.
fn cycles(caller: &Description, known: &[Requires]) -> Vec<Requires> {
    let mut out: Vec<Requires> = Vec::new();
    for (pointer, target) in &caller.cycles {
        let same = |r: &&Requires| matches!(r, Requires::Cycle { .. }) && r.pointer() == pointer;
        if known.iter().chain(&out).all(|r| !same(&r)) {
            out.push(Requires::Cycle {
                pointer: pointer.clone(),
                target: target.clone(),
            });
        }
    }
    match out.len() > MOST_PLACES {
        true => Vec::new(),
        false => out,
    }
}

/// Pointers that are null only since structures are followed to a depth lead somewhere, if they are few.
fn deeper(caller: &Description) -> Vec<Requires> {
    match caller.cut.len() > MOST_PLACES {
        true => Vec::new(),
        false => caller.cut.iter().cloned().map(Requires::NonNull).collect(),
    }
}

/// That unions hold another member than in the counterexample where the number beside them has the value that it has
/// there. A value for which every member would be excluded is no excuse.
fn apart(
    found: &Outcome,
    caller: &Description,
    trace: &Trace,
    known: &[Requires],
) -> Vec<Requires> {
    let tried = known.iter().filter(|r| matches!(r, Requires::Apart { .. }));
    if tried.count() >= MOST_APART {
        return Vec::new();
    }
    let mut out = Vec::new();
    for union in &caller.unions {
        let holds = |m: &&String| {
            let name = format!("{} holds {m}", union.path);
            input_of(found, trace, &name)
        };
        let asked: Vec<(&String, Option<i64>)> =
            union.members.iter().map(|m| (m, holds(&m))).collect();
        if asked.iter().all(|(_, chosen)| chosen.is_none()) {
            continue;
        }
        let chosen = asked.iter().find(|(_, c)| c.is_some_and(|c| c != 0));
        let Some(member) = chosen.map(|(m, _)| *m).or(union.members.last()) else {
            continue;
        };
        for tag in &union.tags {
            let Some(value) = input_of(found, trace, tag) else {
                continue;
            };
            let without = |member: &String| Requires::Apart {
                union: union.path.clone(),
                member: member.clone(),
                tag: tag.clone(),
                value,
            };
            let left = union.members.iter().filter(|m| *m != member);
            if left.clone().any(|m| !known.contains(&without(m))) {
                out.push(without(member));
            }
        }
    }
    out
}

//! Functions as entries of their own: one result each, with the contract its callers must keep.
//!
//! Idea, on `int first(int *a) { return a[0]; }`: with any argument the dereference fails, but only since `a`
//! is null. The counterexample says so (the input `a is null`), so `a != NULL` becomes a precondition and
//! the function is checked again under it; `first` is safe for callers that keep it. The same with
//! elements: where no pointer is null any more, `n <= elements of a` is tried for the integers among the
//! arguments and beside the pointer in a record; then that bytes end with a zero; then that numbers among the arguments
//! are indices, or sum up to no more than the elements; then a fixed number of elements; then how parts of a record belong
//! together (spans, indices of arrays in it, members of unions), and what is beyond the depth.
//! What is not needed is taken back, and the number made as small as it can be.
//!
//! Sound because each verdict is that of a whole check, of the caller that assumes exactly the
//! preconditions shown; an alarm is one that stays under all of them.

use crate::check::{Checker, Hints, Outcome};
use crate::load::{Loaded, SourceOptions, SourceText, load_texts, read_all};
use crate::{Error, Language};
use evidence::{Checked, Decision, Findings, Reason, Trace, VerdictKind};
use frontend::c::entry::{Description, Environment, Requires};
use program::Property;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Rounds of new preconditions for one function.
const MOST_ROUNDS: usize = 16;
/// Rounds in which only the pointers that are null are taken not to be; then all that a counterexample has.
const SINGLE_ROUNDS: usize = 3;
/// So many elements are tried where a function looks at a fixed number of them.
const FIXED_ELEMENTS: u64 = 256;
/// Pairs of an array and a number for which indices and offsets are tried.
const MOST_PLACES: usize = 12;
/// So many values of numbers beside unions are excluded.
const MOST_APART: usize = 10;
/// So long before the limit all checks are to be over.
const MARGIN: Duration = Duration::from_millis(500);
/// A check has at least this time.
const SHORTEST: Duration = Duration::from_millis(50);
/// The part of the time for the question whether the end is reached.
const VACUITY_PART: u32 = 5;

/// What is asked.
pub struct FunctionCheck {
    /// Makes the checker of one run.
    pub checker: Box<dyn Fn() -> Result<Checker, Error>>,
    /// How the files are read.
    pub source: SourceOptions,
    /// Time for each function.
    pub limit: Duration,
    /// Pointers behind pointers that are followed.
    pub depth: u32,
    /// Pointers may be equal.
    pub sharing: bool,
    /// Ask whether the end of the function is reached.
    pub vacuity: bool,
    /// The function is where the program starts: it is checked as `--entry` has it.
    pub plain: bool,
    /// What is remembered of an earlier version of the function.
    pub earlier: Option<Earlier>,
}

/// What may help with a function that was decided before an edit.
pub struct Earlier {
    /// The preconditions that it was decided under.
    pub requires: Vec<Requires>,
    /// Claims and candidate facts about the program of the function under some preconditions; the claims were about
    /// those above.
    pub hints: Box<dyn Fn(&mut Loaded) -> Hints + Send + Sync>,
}

/// Does anything reach the end of the function?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An execution does.
    Reached,
    /// None does: the proof says nothing.
    Vacuous,
    /// Not asked, or not answered in time.
    Open,
}

/// The result for one function.
pub struct FunctionResult {
    /// The function.
    pub name: String,
    /// The verdict, with its evidence; an error of the input in its place.
    pub outcome: Result<Outcome, Error>,
    /// Preconditions that were inferred.
    pub requires: Vec<Requires>,
    /// What the verdict was found under: the preconditions of a proof, or all that were tried without getting
    /// rid of the alarm.
    pub under: Vec<Requires>,
    /// What else is assumed of a caller.
    pub caller: Description,
    /// Whether the end is reached.
    pub end: End,
    /// Seconds for all runs.
    pub seconds: f64,
}

impl FunctionResult {
    /// The verdict; `unknown` for what cannot be read.
    pub fn kind(&self) -> VerdictKind {
        match &self.outcome {
            Ok(outcome) => outcome.kind(),
            Err(_) => VerdictKind::Unknown,
        }
    }
}

impl FunctionCheck {
    /// Checks the functions of the files: one by its name, or `all`, in the order of the text.
    pub fn run(
        &self,
        files: &[PathBuf],
        which: &str,
        mut each: impl FnMut(&FunctionResult),
    ) -> Result<Vec<FunctionResult>, Error> {
        let texts = self.read(files)?;
        let names = match which {
            "all" => crate::load::language::c_entries(&texts, &self.source)?,
            name => vec![name.to_string()],
        };
        let mut out = Vec::new();
        for name in names {
            let result = self.function(&texts, &name);
            each(&result);
            out.push(result);
        }
        Ok(out)
    }

    /// The functions of the files that can be checked, in the order of the text.
    pub fn names(&self, files: &[PathBuf]) -> Result<Vec<String>, Error> {
        crate::load::language::c_entries(&self.read(files)?, &self.source)
    }

    fn read(&self, files: &[PathBuf]) -> Result<Vec<SourceText>, Error> {
        let (texts, language) = read_all(files, &self.source)?;
        match language {
            Language::C => Ok(texts),
            _ => Err(Error::Message("--function is for C programs".into())),
        }
    }

    /// Checks one function, within the limit.
    pub(crate) fn function(&self, texts: &[SourceText], name: &str) -> FunctionResult {
        let start = Instant::now();
        // The last check ends before the watchdog looks, also where it has a part of a processor only.
        let all = self.limit - (self.limit / 16).min(MARGIN);
        // The question whether the end is reached has its part of the limit.
        let limit = match self.vacuity {
            true => all - all / VACUITY_PART,
            false => all,
        };
        let left = || limit.saturating_sub(start.elapsed());
        let mut requires: Vec<Requires> = Vec::new();
        let mut outcome = self.once(texts, name, &requires, left(), false);
        for round in 0.. {
            let Ok(found) = &mut outcome else { break };
            if found.kind() != VerdictKind::Unsafe {
                break;
            }
            let more = preconditions(found, &requires, round >= SINGLE_ROUNDS);
            if more.is_empty() {
                break;
            }
            if round == MOST_ROUNDS || left().is_zero() {
                not_an_alarm(found);
                break;
            }
            // What the earlier version needed is likely to be needed now; what is not is taken back below.
            if let Some(earlier) = &self.earlier
                && more.iter().any(|r| earlier.requires.contains(r))
            {
                let old = earlier.requires.iter();
                let old = old.filter(|r| !requires.contains(r) && !more.contains(r));
                let old: Vec<Requires> = old.cloned().collect();
                requires.extend(old);
            }
            requires.extend(more);
            outcome = self.once(texts, name, &requires, left(), false);
        }
        self.weaken(texts, name, &mut requires, &mut outcome, &left);
        self.lower(texts, name, &mut requires, &mut outcome, &left);
        let is_safe = matches!(&outcome, Ok(o) if o.kind() == VerdictKind::Safe);
        let end = match self.vacuity && is_safe {
            true => {
                let rest = all.saturating_sub(start.elapsed());
                self.end(texts, name, &requires, rest)
            }
            false => End::Open,
        };
        let under = requires.clone();
        // Preconditions of an alarm are no contract.
        if !is_safe {
            requires.clear();
        }
        let caller = match &outcome {
            Ok(o) => o.input.caller.clone().unwrap_or_default(),
            Err(_) => Description::default(),
        };
        FunctionResult {
            name: name.to_string(),
            outcome,
            requires,
            under,
            caller,
            end,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// Takes back what the proof does not need.
    fn weaken(
        &self,
        texts: &[SourceText],
        name: &str,
        requires: &mut Vec<Requires>,
        outcome: &mut Result<Outcome, Error>,
        left: &dyn Fn() -> Duration,
    ) {
        // Many at once first: most of what was tried is not needed.
        let mut many = requires.len().div_ceil(2);
        while many > 0 {
            let mut end = requires.len();
            while end > 0 {
                let proved = matches!(outcome, Ok(o) if o.kind() == VerdictKind::Safe);
                if !proved || left() < self.limit / 4 {
                    return;
                }
                let start = end.saturating_sub(many);
                let mut fewer = requires.clone();
                fewer.drain(start..end);
                let again = self.once(texts, name, &fewer, left() / 2, false);
                if matches!(&again, Ok(o) if o.kind() == VerdictKind::Safe) {
                    *requires = fewer;
                    *outcome = again;
                }
                end = start;
            }
            many /= 2;
        }
    }

    /// Makes the numbers of elements that a proof asks for as small as they can be.
    fn lower(
        &self,
        texts: &[SourceText],
        name: &str,
        requires: &mut [Requires],
        outcome: &mut Result<Outcome, Error>,
        left: &dyn Fn() -> Duration,
    ) {
        if !matches!(outcome, Ok(o) if o.kind() == VerdictKind::Safe) {
            return;
        }
        for i in 0..requires.len() {
            let Requires::AtLeast { pointer, elements } = requires[i].clone() else {
                continue;
            };
            // One element is too few, as many are enough.
            let (mut few, mut enough) = (1, elements);
            while enough - few > 1 && left() >= self.limit / 4 {
                let middle = few + (enough - few) / 2;
                requires[i] = Requires::AtLeast {
                    pointer: pointer.clone(),
                    elements: middle,
                };
                let again = self.once(texts, name, requires, left() / 2, false);
                match &again {
                    Ok(o) if o.kind() == VerdictKind::Safe => {
                        enough = middle;
                        *outcome = again;
                    }
                    _ => few = middle,
                }
            }
            requires[i] = Requires::AtLeast {
                pointer,
                elements: enough,
            };
        }
    }

    fn end(&self, texts: &[SourceText], name: &str, requires: &[Requires], left: Duration) -> End {
        match self.once(texts, name, requires, left, true) {
            Ok(o) if o.kind() == VerdictKind::Unsafe => End::Reached,
            Ok(o) if o.kind() == VerdictKind::Safe => End::Vacuous,
            _ => End::Open,
        }
    }

    fn once(
        &self,
        texts: &[SourceText],
        name: &str,
        requires: &[Requires],
        limit: Duration,
        reach_end: bool,
    ) -> Result<Outcome, Error> {
        let start = Instant::now();
        let source = self.source_of(name, requires, reach_end);
        let earlier = self.earlier.as_ref().filter(|_| !reach_end);
        let load = || {
            let mut loaded = load_texts(texts, Language::C, &source)?;
            let hints = earlier.map(|e| (e.hints)(&mut loaded));
            Ok((loaded, hints.unwrap_or_default()))
        };
        let (loaded, mut hints) = crate::check::on_deep_stack(load)?;
        // A proof under some preconditions says little about the program under others.
        let same = |e: &Earlier| {
            e.requires.len() == requires.len() && requires.iter().all(|r| e.requires.contains(r))
        };
        if !self.earlier.as_ref().is_some_and(same) {
            hints.claims.clear();
        }
        let checker = (self.checker)()?.source(source);
        let checker = checker.hints(hints);
        // What reading took is part of the limit.
        let rest = limit.saturating_sub(start.elapsed());
        checker.time(rest.max(SHORTEST)).check_loaded(loaded)
    }

    /// How the files are read for a check of the function under these preconditions.
    pub(crate) fn source_of(
        &self,
        name: &str,
        requires: &[Requires],
        reach_end: bool,
    ) -> SourceOptions {
        let mut source = self.source.clone();
        if reach_end {
            source.properties = crate::Properties::default();
        }
        if self.plain && !reach_end {
            source.entry = Some(name.into());
        } else {
            // What a function leaves to its caller, and what the caller handed over, is not lost when the function
            // returns. Who asks for this property alone wants to see it.
            let checked = &mut source.properties.checked;
            if checked.len() > 1 {
                checked.retain(|p| *p != Property::ValidMemtrack);
            }
            source.environment = Some(Environment {
                function: name.into(),
                requires: requires.to_vec(),
                depth: self.depth,
                sharing: self.sharing,
                plain: self.plain,
                reach_end,
            });
        }
        source
    }
}

/// Takes the alarm back: preconditions are left that were not tried, and one of them may be what callers keep.
fn not_an_alarm(found: &mut Outcome) {
    let text = found.text();
    let error = text.lines().find_map(|l| l.strip_prefix("Violated: "));
    let what = format!(
        "an error was found ({}), but there was no time for all preconditions that may prevent it",
        error.unwrap_or("see above")
    );
    found.verdict = Checked::unknown(Reason::NoProgress { what });
    found.findings = Findings::of(&found.input.program);
}

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
    let mut out: Vec<Requires> = Vec::new();
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
    let few = caller.arrays.len() * caller.counts.len() <= MOST_PLACES;
    // What functions return is theirs: an argument says nothing about it.
    let own = |p: &&String| few && access && !p.contains("()");
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
        .chain(beside.take(MOST_PLACES))
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
    let within = pairs.map(|(base, pointer)| Requires::Within {
        base: base.clone(),
        pointer: pointer.clone(),
    });
    let below = caller.bounded.iter().filter(|_| access);
    let below = below.take(MOST_PLACES).map(|(number, bound)| {
        let number = number.clone();
        let bound = *bound;
        Requires::Below { number, bound }
    });
    let below: Vec<Requires> = below.collect();
    let of_below = |r: &Requires| {
        let Requires::NotNegative(n) = r else {
            return false;
        };
        below.iter().any(|b| b.pointer() == n)
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
        Vec::from_iter(sums),
        Vec::from_iter(fixed),
        Vec::from_iter(within),
        ordered(found, caller, trace, known),
        below.iter().cloned().chain(not_negative).collect(),
        match access {
            true => smaller(found, caller, trace, known),
            false => Vec::new(),
        },
        match access || free {
            true => apart(found, caller, trace, known),
            false => Vec::new(),
        },
        match access {
            true => deeper(caller),
            false => Vec::new(),
        },
    ] {
        out.extend(kind.into_iter().filter(|r| !known.contains(r)));
        if !out.is_empty() {
            break;
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
    for (a, b) in caller.beside.iter().take(MOST_PLACES) {
        let values = (input_of(found, trace, a), input_of(found, trace, b));
        let (Some(of_a), Some(of_b)) = values else {
            continue;
        };
        let than = |low: &String, high: &String| Requires::Smaller {
            low: low.clone(),
            high: high.clone(),
        };
        let other = than(b, a);
        if of_a > of_b && !known.contains(&other) {
            out.push(than(a, b));
        }
    }
    out
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

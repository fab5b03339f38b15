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

use crate::check::chosen::Chosen;
use crate::check::preconditions::preconditions;
use crate::check::{Checker, Hints, Outcome};
use crate::load::{Loaded, SourceOptions, SourceText, load_texts, read_all};
use crate::{Error, Language};
use evidence::{Checked, Findings, Reason, VerdictKind};
use frontend::c::entry::{Description, Environment, Requires};
use program::Property;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Rounds of new preconditions for one function.
const MOST_ROUNDS: usize = 16;
/// Rounds in which only the pointers that are null are taken not to be; then all that a counterexample has.
const SINGLE_ROUNDS: usize = 3;
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
        let mut seen: Vec<Chosen> = Vec::new();
        // The alarm before structures were closed to cycles.
        let mut open: Option<(Outcome, Vec<Requires>)> = None;
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
            seen.extend(chosen(found, &requires));
            requires.retain(|r| !more.iter().any(|m| m.implies(r)));
            let closes = more.iter().any(is_cycle) && open.is_none();
            let before = closes.then(|| requires.clone());
            requires.extend(more);
            let next = self.once(texts, name, &requires, left(), false);
            let last = std::mem::replace(&mut outcome, next);
            open = open.or(last.ok().zip(before));
        }
        let seen = &mut seen;
        self.weaken(texts, name, &mut requires, &mut outcome, seen, &left);
        self.lower(texts, name, &mut requires, &mut outcome, seen, &left);
        let is_safe = matches!(&outcome, Ok(o) if o.kind() == VerdictKind::Safe);
        let end = match self.vacuity && is_safe {
            true => {
                let rest = all.saturating_sub(start.elapsed());
                self.end(texts, name, &requires, rest)
            }
            false => End::Open,
        };
        // Who walks to a null that is not on the way goes round for ever: that is no excuse.
        let (closed, mut end) = (requires.iter().any(is_cycle), end);
        if closed
            && end == End::Vacuous
            && let Some((alarm, before)) = open
        {
            (outcome, requires, end) = (Ok(alarm), before, End::Open);
        }
        let is_safe = matches!(&outcome, Ok(o) if o.kind() == VerdictKind::Safe);
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

    /// Takes back what the proof does not need: there is a proof without it. Counterexamples that were seen say of many
    /// that they are needed.
    fn weaken(
        &self,
        texts: &[SourceText],
        name: &str,
        requires: &mut Vec<Requires>,
        outcome: &mut Result<Outcome, Error>,
        seen: &mut Vec<Chosen>,
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
                end = start;
                if seen.iter().any(|c| c.keeps(&fewer)) {
                    continue;
                }
                let again = self.once(texts, name, &fewer, left() / 2, false);
                match &again {
                    Ok(o) if o.kind() == VerdictKind::Safe => {
                        *requires = fewer;
                        *outcome = again;
                    }
                    Ok(o) => seen.extend(chosen(o, &fewer)),
                    Err(_) => {}
                }
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
        seen: &mut Vec<Chosen>,
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
                if seen.iter().any(|c| c.keeps(requires)) {
                    few = middle;
                    continue;
                }
                let again = self.once(texts, name, requires, left() / 2, false);
                match &again {
                    Ok(o) if o.kind() == VerdictKind::Safe => {
                        enough = middle;
                        *outcome = again;
                        continue;
                    }
                    Ok(o) => seen.extend(chosen(o, requires)),
                    Err(_) => {}
                }
                few = middle;
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

fn is_cycle(r: &Requires) -> bool {
    matches!(r, Requires::Cycle { .. })
}

/// What the counterexample of a check under some preconditions chose.
fn chosen(found: &Outcome, requires: &[Requires]) -> Option<Chosen> {
    let trace = found.verdict.record().trace.as_ref()?;
    let is_unsafe = found.kind() == VerdictKind::Unsafe;
    is_unsafe.then(|| Chosen::new(found, trace, requires))
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

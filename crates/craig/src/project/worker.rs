//! A worker: checks the units that come over its standard input, one after the other, and ends when
//! the input does, so that it never outlives the run that started it.
//!
//! Remembered evidence is a claim like an engine's: the checker judges it on the program that the
//! front end just made. Only if it rejects the claim, or none is known, an engine runs.

use super::earlier;
use super::evidence_text::{self, Claims};
use super::function_unit;
use super::protocol::{FromWorker, Job, ToWorker};
use super::results::{Answer, Origin, UnitResult, findings};
use crate::check::{ACCEPTED, Account, date, findings_of, judge, memory};
use crate::load::{Loaded, SourceOptions, SourceText, load_texts};
use crate::validate::program_hash;
use crate::{Checker, Engine, EngineOptions, Error, Language, Outcome, Watchdog, on_deep_stack};
use base::{Budget, Stop};
use engine::Stats;
use evidence::{Checked, Findings, Reason, Verdict};
use serde_json::Value as Json;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// What all units of a run have in common.
#[derive(Clone)]
pub struct Settings {
    /// How to read the files.
    pub source: SourceOptions,
    /// Who looks for verdicts.
    pub engine: Engine,
    /// What engines are told.
    pub engine_options: EngineOptions,
}

/// Serves until standard input ends.
pub fn serve(settings: &Settings) {
    let (send, messages) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let message = line.ok().and_then(|l| serde_json::from_str(&l).ok());
            let Some(message) = message else { break };
            if send.send(message).is_err() {
                break;
            }
        }
        // The run has ended, in whatever way: nobody waits for the unit at hand.
        std::process::exit(0);
    });
    while let Ok(message) = messages.recv() {
        if let ToWorker::Unit(job) = message
            && let Some(result) = check(settings, &job, &messages)
        {
            say(&FromWorker::Result(Box::new(result)));
        }
    }
}

pub(super) fn say(message: &FromWorker) {
    let line = serde_json::to_string(message).unwrap_or_default() + "\n";
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

/// An answer for a unit: the outcome, where it comes from, the hash of the program.
pub(super) type Found = (Outcome, Origin, String);

/// Checks one unit; `None` if the run has an answer already.
fn check(settings: &Settings, job: &Job, messages: &Receiver<ToWorker>) -> Option<UnitResult> {
    let start = Instant::now();
    let names: Vec<String> = job.texts.iter().map(|t| t.name.clone()).collect();
    let open = UnitResult::open(&job.unit, &names, "");
    let late = open.clone();
    let limit = Duration::from_secs_f64(job.time);
    let watchdog = Watchdog::start(Some(limit), Some(job.memory), move |why| {
        say(&FromWorker::Result(Box::new(UnitResult {
            reason: Some(why.into()),
            seconds: start.elapsed().as_secs_f64(),
            out_of_memory: why.contains("memory"),
            ..late.clone()
        })));
        std::process::exit(0);
    });
    let found = match &job.function {
        Some(function) => function_unit::check(settings, job, function, messages, &open),
        None => outcome(settings, job, messages).map(|found| {
            found.map(|(mut outcome, origin, hash)| {
                result_of(&mut outcome, origin, hash, &open, job)
            })
        }),
    };
    watchdog.answer();
    let mut result = match found {
        Ok(result) => result?,
        Err(error) => UnitResult {
            reason: Some(error.to_string()),
            ..open
        },
    };
    result.seconds = start.elapsed().as_secs_f64();
    result.memory_mib = memory::usage().map_or(0, |(_, resident)| resident >> 20);
    Some(result)
}

/// The files of a unit.
pub(super) fn texts(job: &Job) -> Vec<SourceText> {
    let text = |t: &super::protocol::JobText| SourceText {
        name: t.name.clone(),
        text: t.text.clone(),
        preprocessed: t.preprocessed.clone(),
    };
    job.texts.iter().map(text).collect()
}

/// The program of a unit.
fn load(settings: &Settings, job: &Job) -> Result<Loaded, Error> {
    let mut source = settings.source.clone();
    source.bits32 |= job.bits32;
    if job.entry.is_some() {
        source.entry.clone_from(&job.entry);
    }
    load_texts(&texts(job), Language::C, &source)
}

fn outcome(
    settings: &Settings,
    job: &Job,
    messages: &Receiver<ToWorker>,
) -> Result<Option<Found>, Error> {
    let start = Instant::now();
    let (loaded, hash) = on_deep_stack(|| {
        let loaded = load(settings, job)?;
        let hash = program_hash(&loaded.pool, &loaded.program);
        Ok((loaded, hash))
    })?;
    say(&FromWorker::Program(hash.clone()));
    let mut loaded = loaded;
    let (known, earlier) = match messages.recv() {
        Ok(ToWorker::Leave) => return Ok(None),
        Ok(ToWorker::Known { evidence, earlier }) => (evidence, earlier),
        _ => (None, None),
    };
    if let Some(known) = known {
        let (again, outcome) = on_deep_stack(|| Ok(recheck(loaded, &known, job, start)))?;
        if let Some(outcome) = outcome {
            return Ok(Some((outcome, Origin::Rechecked, hash)));
        }
        say(&FromWorker::Rejected(hash.clone()));
        loaded = match again {
            Some(loaded) => loaded,
            None => on_deep_stack(|| load(settings, job))?,
        };
    }
    let (loaded, hints) = on_deep_stack(|| {
        let hints = earlier.map(|e| earlier::read(&mut loaded, &e));
        Ok((loaded, hints.unwrap_or_default()))
    })?;
    let left = Duration::from_secs_f64(job.time).saturating_sub(start.elapsed());
    let outcome = checker(settings, job.memory)
        .hints(hints)
        .source(settings.source.clone())
        .time(left)
        .check_loaded(loaded)?;
    let origin = origin(&outcome);
    Ok(Some((outcome, origin, hash)))
}

/// Where an outcome of a check comes from.
pub(super) fn origin(outcome: &Outcome) -> Origin {
    match outcome.account.counter(ACCEPTED) {
        0 => Origin::Found,
        _ => Origin::Adapted,
    }
}

/// Who looks for verdicts.
pub(super) fn checker(settings: &Settings, memory: u64) -> Checker {
    Checker::new()
        .engine(settings.engine.clone())
        .engine_options(settings.engine_options.clone())
        .memory(memory)
}

/// Has the checker judge what is known of the program. The program comes back if it rejects it.
pub(super) fn recheck(
    mut loaded: Loaded,
    known: &Json,
    job: &Job,
    start: Instant,
) -> (Option<Loaded>, Option<Outcome>) {
    let budget = Budget::unlimited()
        .with_time(Duration::from_secs_f64(job.time))
        .with_memory(job.memory, memory::start_meter());
    let every_check = loaded.options.properties.every_check;
    let claims = evidence_text::read(
        &mut loaded.pool,
        &loaded.program,
        known,
        every_check,
        job.time,
    );
    let accepted = match claims {
        Ok(claims) => judged(&mut loaded, claims, &budget),
        Err(_) => None,
    };
    let Some((verdict, findings)) = accepted else {
        return (Some(loaded), None);
    };
    let account = Account {
        engine: "remembered evidence, checked again".into(),
        counters: vec![("obligations".into(), verdict.record().obligations as u64)],
        seconds: start.elapsed().as_secs_f64(),
        creation_time: date::now_iso8601(),
        ..Account::default()
    };
    let outcome = Outcome {
        verdict,
        findings,
        violations: Vec::new(),
        input: loaded,
        account,
    };
    (None, Some(outcome))
}

/// The first verdict and what all of them say of the checks, if the checker accepts every claim.
fn judged(
    loaded: &mut Loaded,
    claims: Claims,
    budget: &Budget,
) -> Option<(Checked<Verdict>, Findings)> {
    let (list, several) = match claims {
        Claims::One(claim) => (vec![claim], false),
        Claims::Violations(list) => (list, true),
    };
    let mut findings = Findings::of(&loaded.program);
    let mut first = None;
    for claim in list {
        let mut stats = Stats::default();
        let verdict = judge(&mut loaded.pool, &loaded.program, claim, budget, &mut stats);
        let inexact = loaded.inexact.is_some() && matches!(verdict.get(), Verdict::Unsafe(_));
        if inexact || matches!(verdict.get(), Verdict::Unknown(_)) {
            return None;
        }
        let open = findings.open();
        if findings.absorb(&open, &verdict).is_none() && several {
            return None;
        }
        first = first.or(Some(verdict));
    }
    let verdict = first?;
    if !several {
        findings = findings_of(loaded, &verdict);
    }
    Some((verdict, findings))
}

pub(super) fn result_of(
    outcome: &mut Outcome,
    origin: Origin,
    program: String,
    open: &UnitResult,
    job: &Job,
) -> UnitResult {
    if let Some(page) = &job.page {
        let _ = std::fs::write(page, outcome.html());
    }
    let sarif: Json = serde_json::from_str(&outcome.sarif()).unwrap_or(Json::Null);
    let texts = &outcome.input.sources.files;
    let line_text = |file: &str, line: u64| {
        let file = texts.iter().find(|f| f.name.ends_with(file))?;
        let line = usize::try_from(line).ok()?.checked_sub(1)?;
        file.text.lines().nth(line).map(str::to_string)
    };
    let verdict = Answer::from(outcome.kind());
    let findings = match verdict {
        Answer::Unsafe => findings(&job.unit, &sarif, &line_text),
        _ => Vec::new(),
    };
    let (reason, stop) = match outcome.verdict.get() {
        Verdict::Unknown(reason) => (
            Some(report::reason_text(reason, &outcome.input.sources)),
            matches!(reason, Reason::OutOfBudget(Stop::Memory)),
        ),
        _ => (None, false),
    };
    let (evidence, earlier) = match origin.is_new() {
        true => (
            evidence_text::write(outcome, &program, job.time),
            earlier::write(outcome),
        ),
        // The store has it.
        false => (None, None),
    };
    UnitResult {
        verdict,
        origin,
        program,
        evidence,
        earlier,
        findings,
        reason,
        out_of_memory: stop,
        sarif: Some(sarif),
        ..open.clone()
    }
}

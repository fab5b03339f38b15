//! The default: picks engines by what the program is like and lets them work in turns.
//!
//! Who works on which kind of program is in a table ([`super::plan`]); some forms of execution come first ([`super::forms`]).
//! No engine is best everywhere, and most answers that ever come, come early; so each engine works for
//! a while, rests with all it has found, and goes on when the others had their turns, each turn longer
//! than the last. An answer that some engine has after t seconds is there after a small multiple of t,
//! whoever it is. An engine begins when its first turn comes.
//!
//! Each engine has a thread and a copy of the term pool; the pool of the one that answers becomes
//! the run's own, so that its evidence can be read. The evidence of each engine is judged in its thread, so
//! that a rejected proof does not end the run, and not again. Turns are measured in work, so the same engine
//! answers in every run; only with `jobs` > 1, where so many engines work at the same time, and what else comes before
//! them too, may which is first differ from run to run, and with it the evidence.

use super::engine::{run_judged, run_on_cones};
use super::forms::{
    Form, Seen, by_execution, by_shapes, by_sites, executed, forms, has_blocks, is_of_clauses, look,
};
use super::judge::judge;
use super::plan::{Plan, Who};
use base::{Budget, Turn, Turns, Work, Worker};
use engine::{
    EngineKind, EngineOptions, GuidedRuns, Progress, Stats, Task, asks_for_texts, first_long_run,
};
use evidence::{Checked, Reason, Scope, Verdict};
use logic::Pool;
use program::Program;
use program::analysis::features::features;
use program::passes::{Detail, cone, inline};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// How often the budget of the run is asked while engines work.
const TICK: Duration = Duration::from_millis(20);

/// What all engines of a run get.
struct Common<'a> {
    pool: &'a Pool,
    program: &'a Program,
    /// The parts of it that engines get, if it is large.
    cones: &'a [(Detail, Program)],
    /// How many of them have an error that is none.
    refuted: &'a AtomicUsize,
    options: &'a EngineOptions,
    budget: &'a Budget,
    turns: &'a Arc<Turns>,
    /// How far the engine is that said so last.
    progress: &'a Mutex<Option<Progress>>,
    /// The number of the first lane that is an engine's.
    first_engine: usize,
    /// What is looked at beside the engines.
    beside: &'a [Form],
}

/// One engine of a run.
struct Lane<'s> {
    engine: Who,
    weight: f64,
    turns_had: i32,
    budget: Budget,
    thread: Option<ScopedJoinHandle<'s, Report>>,
    /// For its memory.
    given_up: bool,
}

/// What an engine ended with.
struct Report {
    pool: Pool,
    verdict: Checked<Verdict>,
    stats: Stats,
}

/// Tells that an engine has ended, however it did.
struct Ending<'a>(&'a Turns, usize);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.finish(self.1);
    }
}

/// Runs the engines that fit the task in turns; the verdict is the first that the checker accepts.
pub(crate) fn run(task: &mut Task<'_>) -> Checked<Verdict> {
    let whole = task.program;
    let edges = match inline::size(whole) {
        Ok(edges) => edges,
        Err(inline::Refusal::TooLarge { edges, .. }) => edges,
        Err(_) => whole.edges.len() as u64,
    };
    let with_cones = task.options.simplifies() && task.options.cones;
    let on_cones = edges > task.options.limits.portfolio.cone_edges && with_cones;
    let (first, beside) = forms(task, edges);
    let aside = match look(task, &first) {
        Seen::Done(done) => return done,
        Seen::Open(aside) => aside,
    };
    let Some(aside) = aside else {
        return run_engines(task, on_cones, &beside);
    };
    let left = aside.left(whole);
    task.stats.add("errors set aside", aside.len() as u64);
    let mut task = Task {
        pool: &mut *task.pool,
        program: &left,
        options: task.options,
        budget: task.budget,
        stats: &mut *task.stats,
        progress: &mut *task.progress,
    };
    // What only decided about the errors set aside is not looked at.
    let alone = task.options.jobs <= 1;
    let done = alone.then(|| by_shapes(&mut task, &[Detail::Links, Detail::Full]));
    let done = done.flatten();
    let done = done.unwrap_or_else(|| run_engines(&mut task, on_cones, &beside));
    done.with_aside(aside)
}

/// Runs the engines in turns, first on cones if the program is large. With several jobs these forms of execution are looked at
/// beside them.
fn run_engines(task: &mut Task<'_>, on_cones: bool, beside: &[Form]) -> Checked<Verdict> {
    let limits = &task.options.limits.portfolio;
    let whole = task.program;
    let alone = task.options.jobs <= 1;
    let mut ran_long = !alone;
    if alone {
        let (done, ran) = first_runs(task);
        ran_long = ran;
        if let Some(done) = done {
            return done;
        }
    }
    let details = match on_cones {
        true => [Detail::WithoutMemory, Detail::Full].as_slice(),
        false => &[],
    };
    let cones: Vec<(Detail, Program)> = details
        .iter()
        .map(|&detail| (detail, cone(task.pool, whole, detail)))
        .collect();
    let shown = cones.first().map_or(whole, |(_, cone)| cone);
    let features = features(task.pool, shown);
    for (name, count) in features.all() {
        task.stats.add(name, count);
    }
    let mut plan = match &task.options.plan {
        Some(plan) => plan.parse().unwrap_or_else(|_| Plan::of(&features)),
        None => Plan::of(&features),
    };
    if !(task.options.aids && task.options.random_runs) {
        plan.workers.retain(|(who, _)| *who != Who::Runs);
    }
    if !has_blocks(whole) {
        let sites = Who::Checker(Scope::Sites);
        plan.workers.retain(|(who, _)| *who != sites);
    }
    if task.options.harness {
        plan.executes_first(limits.harness_weight);
    }
    if !alone {
        plan.workers.insert(0, (Who::Forms, 1.0));
    }
    task.stats.note(&plan.why);
    let turns = Turns::new(plan.workers.len());
    let progress = Mutex::new(None);
    let takers = [EngineKind::Predabs, EngineKind::Bmc, EngineKind::Split].map(Who::Engine);
    let takers = plan
        .workers
        .iter()
        .filter(|(e, _)| takers.contains(e))
        .count();
    let options = EngineOptions {
        shared: Some(engine::Shared::new(task.pool, takers, task.options.lemmas)),
        ran_long,
        ..task.options.clone()
    };
    let common = Common {
        pool: task.pool,
        program: whole,
        cones: &cones,
        refuted: &AtomicUsize::new(0),
        options: &options,
        budget: task.budget,
        turns: &turns,
        progress: &progress,
        first_engine: plan.first_engine(),
        beside,
    };
    let stats = &mut *task.stats;
    let show = &mut *task.progress;
    let end = std::thread::scope(|scope| {
        let mut lanes = lanes(&plan, task.budget);
        let end = take_turns(scope, &common, &mut lanes, stats, show);
        cancel(&lanes, &turns);
        end
    });
    match end {
        Ok(report) => {
            stats.absorb(report.stats);
            *task.pool = report.pool;
            report.verdict
        }
        Err(reason) => Checked::unknown(reason),
    }
}

/// What runs of the program show before any engine, and whether it was run to the end of long loops.
fn first_runs(task: &mut Task<'_>) -> (Option<Checked<Verdict>>, bool) {
    match long_run(task) {
        Some(done) if matches!(done.get(), Verdict::Unsafe(_)) => (Some(done), true),
        end => (told_words(task), end.is_some()),
    }
}

/// What comes of a run to the end of the program's long loops; nothing if it has none. Engines would begin with it and rest
/// in the middle.
fn long_run(task: &mut Task<'_>) -> Option<Checked<Verdict>> {
    let options = task.options;
    if !(options.aids && options.random_runs) {
        return None;
    }
    let limits = &options.limits;
    let slice = task.budget.clone().with_slice(limits.portfolio.long_run);
    let found = first_long_run(task.pool, task.program, &limits.runs, &slice)?;
    let Some(found) = found else {
        return Some(Checked::unknown(Reason::NoProgress {
            what: "a run to the end of long loops shows no error".into(),
        }));
    };
    let claim = Verdict::Unsafe(found);
    let done = judge(task.pool, task.program, claim, task.budget, task.stats);
    if matches!(done.get(), Verdict::Unsafe(_)) {
        task.stats
            .note("a run to the end of long loops reached an error");
    }
    Some(done)
}

/// An error that a program which reads texts runs into when it is told its own words.
fn told_words(task: &mut Task<'_>) -> Option<Checked<Verdict>> {
    let options = task.options;
    if !(options.aids && options.random_runs && asks_for_texts(task.program)) {
        return None;
    }
    let slice = task
        .budget
        .clone()
        .with_slice(options.limits.portfolio.words);
    let mut first = Task {
        pool: &mut *task.pool,
        program: task.program,
        options,
        budget: &slice,
        stats: &mut *task.stats,
        progress: &mut *task.progress,
    };
    let done = run_guided(&mut first);
    matches!(done.get(), Verdict::Unsafe(_)).then(|| {
        task.stats
            .note("a run on texts that the program names reached an error");
        done
    })
}

fn lanes<'s>(plan: &Plan, budget: &Budget) -> Vec<Lane<'s>> {
    let lane = |&(engine, weight): &(Who, f64)| Lane {
        engine,
        weight,
        turns_had: 0,
        budget: budget.detached(),
        thread: None,
        given_up: false,
    };
    plan.workers.iter().map(lane).collect()
}

/// Grants turns until an engine answers, all have given up, or the budget ends.
fn take_turns<'s>(
    scope: &'s thread::Scope<'s, '_>,
    common: &'s Common<'_>,
    lanes: &mut [Lane<'s>],
    stats: &mut Stats,
    show: &mut dyn FnMut(&Progress),
) -> Result<Report, Reason> {
    let mut last = Reason::NoProgress {
        what: "no engine ran".into(),
    };
    let mut workers = vec![Worker::Waiting; lanes.len()];
    loop {
        for (lane, worker) in lanes.iter_mut().zip(&workers) {
            if *worker != Worker::Finished {
                continue;
            }
            match lane.end(stats) {
                Some(Ok(report)) => return Ok(report),
                // Why an engine gave up says more than what the checker could not follow.
                Some(Err(reason)) if lane.tells_why() => last = reason,
                Some(Err(_)) | None => {}
            }
        }
        if let Err(stop) = common.budget.check() {
            cancel(lanes, common.turns);
            // What they counted is of use even so.
            lanes.iter_mut().for_each(|lane| drop(lane.end(stats)));
            return Err(Reason::OutOfBudget(stop));
        }
        if workers.iter().all(|w| *w == Worker::Finished) {
            return Err(last);
        }
        if let Some(lane) = give_up(lanes, &workers, common) {
            stats.note(&format!("{lane} was given up for its memory"));
        }
        let working = workers.iter().filter(|w| **w == Worker::Working).count();
        for _ in working..common.options.jobs.max(1) {
            let rests = |n: &usize| workers[*n] == Worker::Waiting && !lanes[*n].given_up;
            let waiting = (0..lanes.len()).filter(rests);
            let Some(number) = waiting.min_by_key(|&n| lanes[n].turns_had) else {
                break;
            };
            workers[number] = Worker::Working;
            lanes[number].grant(scope, common, number);
        }
        workers = common.turns.watch(&workers, TICK);
        let mut news = common
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = news.take() {
            show(&progress);
        }
    }
}

/// Ends a resting engine if much memory is in use, that with the least weight, one at a time: most answers come early, so what
/// it has is worth less than what others could not have. Says who it was.
fn give_up(
    lanes: &mut [Lane<'_>],
    workers: &[Worker],
    common: &Common<'_>,
) -> Option<&'static str> {
    let limits = &common.options.limits.portfolio;
    let used = common.budget.memory_used()?;
    let is_open = |n: &usize| workers[*n] != Worker::Finished;
    let open: Vec<usize> = (0..lanes.len()).filter(is_open).collect();
    let leaving = open.iter().any(|n| lanes[*n].given_up);
    if used < limits.resting_memory || open.len() <= limits.fewest || leaving {
        return None;
    }
    let rests = |n: &&usize| workers[**n] == Worker::Waiting && lanes[**n].turns_had > 0;
    let lightest = |a: &&usize, b: &&usize| lanes[**b].weight.total_cmp(&lanes[**a].weight);
    let number = *open.iter().filter(rests).max_by(lightest)?;
    lanes[number].given_up = true;
    lanes[number]
        .budget
        .cancel_flag()
        .store(true, Ordering::Relaxed);
    common.turns.grant(number, Work::MAX);
    Some(lanes[number].engine.as_str())
}

/// Stops the engines that still run and wakes those that rest, so that they notice.
fn cancel(lanes: &[Lane<'_>], turns: &Turns) {
    for (number, lane) in lanes.iter().enumerate() {
        lane.budget.cancel_flag().store(true, Ordering::Relaxed);
        turns.grant(number, Work::MAX);
    }
}

impl<'s> Lane<'s> {
    /// The next turn, each longer than the last; the first begins the engine's thread.
    fn grant(&mut self, scope: &'s thread::Scope<'s, '_>, common: &'s Common<'_>, number: usize) {
        let limits = &common.options.limits.portfolio;
        let growth = limits.growth.powi(self.turns_had);
        let mut length = limits.first_turn.times(self.weight * growth);
        if number == common.first_engine && self.turns_had == 0 {
            length = length + limits.head_start;
        }
        if self.engine == Who::Forms {
            // Each has a slice of its own.
            length = Work::MAX;
        }
        self.turns_had += 1;
        if self.turns_had > 1 {
            common.turns.grant(number, length);
            return;
        }
        // What came before the engines does not count.
        common.turns.begin(number, self.budget.worked());
        common.turns.grant(number, length);
        let (engine, budget) = (self.engine, self.budget.clone());
        let run = move || {
            let ending = Ending(common.turns, number);
            let budget = budget.in_turns(Turn::first(common.turns, number));
            let report = common.run(engine, &budget, number);
            drop(ending);
            report
        };
        self.thread = base::deep_thread(scope, engine.as_str(), run);
        if self.thread.is_none() {
            common.turns.finish(number);
        }
    }

    /// Does why it ended say why the run has no answer?
    fn tells_why(&self) -> bool {
        matches!(self.engine, Who::Engine(_)) && !self.given_up
    }

    /// What the engine, which has ended or was told to, ended with, once.
    fn end(&mut self, stats: &mut Stats) -> Option<Result<Report, Reason>> {
        let name = self.engine.as_str();
        let Ok(mut report) = self.thread.take()?.join() else {
            let what = format!("engine {name} broke down");
            stats.note(&what);
            return Some(Err(Reason::InternalError { what }));
        };
        Some(match report.verdict.get() {
            Verdict::Unknown(reason) => {
                let reason = reason.clone();
                stats.note(&format!("{name} gave no answer"));
                stats.absorb(report.stats);
                Err(reason)
            }
            _ => {
                report.stats.note(&format!("answered by {name}"));
                Ok(report)
            }
        })
    }
}

impl Common<'_> {
    /// Runs an engine and checks its evidence.
    fn run(&self, engine: Who, budget: &Budget, number: usize) -> Report {
        let mut report = Report {
            pool: self.pool.clone(),
            verdict: Checked::unknown(Reason::OutOfBudget(base::Stop::Cancelled)),
            stats: Stats::new(self.options),
        };
        let mut options = self.options.clone();
        options.jobs = 1;
        options.random_runs &= number == self.first_engine;
        let mut progress = |p: &Progress| {
            let mut news = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            *news = Some(p.clone());
        };
        let mut task = Task {
            pool: &mut report.pool,
            program: self.program,
            options: &options,
            budget,
            stats: &mut report.stats,
            progress: &mut progress,
        };
        report.verdict = match (engine, self.cones.is_empty()) {
            (Who::Engine(engine), false) => {
                run_on_cones(engine, &mut task, self.cones, self.refuted)
            }
            (Who::Engine(engine), true) => run_judged(engine, &mut task),
            (Who::Checker(scope), _) => self.run_checker(scope, &mut task),
            (Who::Runs, _) => run_guided(&mut task),
            (Who::Forms, _) => self.run_forms(&mut task),
        };
        // What turns are granted by: `benches/plan.py` learns from it.
        let worked = budget.worked().saturating_sub(self.budget.worked());
        report
            .stats
            .max("turns in thousand ticks", worked.count() / 1000);
        report
    }

    /// Looks at all that comes before engines where they do not run beside it.
    fn run_forms(&self, task: &mut Task<'_>) -> Checked<Verdict> {
        if let (Some(done), _) = first_runs(task) {
            return done;
        }
        match look(task, self.beside) {
            Seen::Done(done) => done,
            Seen::Open(_) => Checked::unknown(Reason::NoProgress {
                what: "no form of execution decides".into(),
            }),
        }
    }

    /// Has the checker execute the program. On bounds of variables it has done so before if the program is large.
    fn run_checker(&self, scope: Scope, task: &mut Task<'_>) -> Checked<Verdict> {
        let with_cones = self.options.simplifies() && self.options.cones;
        if scope == Scope::Sites {
            return by_sites(task);
        }
        if scope != Scope::Tables || is_of_clauses(task.program) {
            // A cone has executions that the program has not.
            let claim = executed(scope, None);
            return judge(task.pool, task.program, claim, task.budget, task.stats);
        }
        let work = self.options.limits.portfolio.tables_between;
        let cone = Some(Detail::WithoutMemory);
        let applies = with_cones && self.cones.is_empty();
        let done = applies.then(|| by_execution(task, scope, cone, work));
        done.flatten().unwrap_or_else(|| {
            Checked::unknown(Reason::NoProgress {
                what: "bounds of variables do not decide".into(),
            })
        })
    }
}

/// Looks for errors by runs of the whole program until the checker accepts one.
fn run_guided(task: &mut Task<'_>) -> Checked<Verdict> {
    let pool = task.pool.clone();
    let limits = &task.options.limits;
    let mut reason = Reason::NoProgress {
        what: "no run reached an error".into(),
    };
    let Some(mut runs) = GuidedRuns::new(&pool, task.program, &limits.runs) else {
        return Checked::unknown(reason);
    };
    for _ in 0..limits.portfolio.rejected_runs {
        let found = match runs.next(task.budget) {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(stop) => {
                reason = Reason::OutOfBudget(stop);
                break;
            }
        };
        let claim = Verdict::Unsafe(found);
        let checked = judge(task.pool, task.program, claim, task.budget, task.stats);
        match checked.get() {
            Verdict::Unknown(why) => reason = why.clone(),
            _ => return checked,
        }
    }
    let (count, kept) = runs.counts();
    task.stats.add("guided runs", count);
    task.stats.add("guided runs kept", kept as u64);
    Checked::unknown(reason)
}

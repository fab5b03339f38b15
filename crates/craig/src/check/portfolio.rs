//! The default: picks engines by what the program is like and lets them work in turns.
//!
//! Recursive programs go to `whale`, those too large to inline to `trace`, the others to `impact` first.
//! No engine is best everywhere, and most answers that ever come, come early; so each engine works for
//! a while, rests with all it has found, and goes on when the others had their turns, each turn longer
//! than the last. An answer that some engine has after t seconds is there after a small multiple of t,
//! whoever it is. An engine begins when its first turn comes.
//!
//! Each engine has a thread and a copy of the term pool; the pool of the one that answers becomes
//! the run's own, so that its evidence can be read. The evidence of each engine is judged in its thread, so
//! that a rejected proof does not end the run, and not again. Turns are measured in work, so the same engine
//! answers in every run; only with `jobs` > 1, where so many engines work at the same time, may which is
//! first differ from run to run, and with it the evidence.

use super::engine::{run_judged, run_on_cones};
use super::judge::{caught, judge};
use base::{Budget, Turn, Turns, Work, Worker};
use engine::{
    EngineKind, EngineOptions, GuidedRuns, Progress, Stats, Task, asks_for_texts, first_long_run,
    fuzz_briefly,
};
use evidence::{Checked, Proof, Reason, Scope, Verdict, set_aside};
use logic::Pool;
use program::analysis::shape::{Shape, reachable_functions};
use program::passes::{Detail, cone, inline};
use program::{Program, Stmt};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// How often the budget of the run is asked while engines work.
const TICK: Duration = Duration::from_millis(20);

/// Who runs, with which weight, and why.
struct Plan {
    why: String,
    engines: Vec<(Who, f64)>,
}

impl Plan {
    /// Gives symbolic execution the first turn.
    fn executes_first(&mut self, weight: f64) {
        let symbolic = Who::Checker(Scope::Unrolled);
        if let Some(n) = self.engines.iter().position(|(who, _)| *who == symbolic) {
            self.engines.remove(n);
            self.engines.insert(0, (symbolic, weight));
            self.why = format!("symbolic execution first, then {}", self.why);
        }
    }

    fn first_engine(&self) -> usize {
        let engine = |(who, _): &(Who, f64)| matches!(who, Who::Engine(_));
        self.engines.iter().position(engine).unwrap_or(0)
    }
}

/// Who looks for an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Engine(EngineKind),
    /// The checker alone, by execution of this kind.
    Checker(Scope),
    /// Runs of the program that go on from one another.
    Runs,
}

impl Who {
    fn as_str(self) -> &'static str {
        match self {
            Who::Engine(kind) => kind.as_str(),
            Who::Checker(Scope::Tables) => "execution on bounds of variables",
            Who::Checker(Scope::Sites) => "abstract execution",
            Who::Checker(_) => "symbolic execution",
            Who::Runs => "guided runs",
        }
    }
}

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
}

/// One engine of a run.
struct Lane<'s> {
    engine: Who,
    weight: f64,
    turns_had: i32,
    budget: Budget,
    thread: Option<ScopedJoinHandle<'s, Report>>,
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

/// What answered, as people are told.
const SHAPES: &str = "the program was executed abstractly";
const SITES: &str = "the program was executed abstractly, all objects of an allocation at once";

/// Runs the engines that fit the task in turns; the verdict is the first that the checker accepts.
pub(crate) fn run(task: &mut Task<'_>) -> Checked<Verdict> {
    if let Some(done) = brief_runs(task) {
        return done;
    }
    let limits = &task.options.limits.portfolio;
    let whole = task.program;
    let edges = match inline::size(whole) {
        Ok(edges) => edges,
        Err(inline::Refusal::TooLarge { edges, .. }) => edges,
        Err(_) => whole.edges.len() as u64,
    };
    let large = edges > limits.cone_edges;
    let with_cones = task.options.simplifies() && task.options.cones;
    let run = "the program was run to its end";
    let forms = [
        (Scope::Executed, None, limits.execution, run),
        (Scope::Executed, Some(Detail::Full), limits.execution, run),
        (
            Scope::Tables,
            Some(Detail::WithoutMemory),
            limits.tables,
            "the functions were executed on bounds of variables",
        ),
    ];
    // Whether lists hold together needs nothing of the data in them, mostly: that is soon seen. On the cone less is followed,
    // and what only stops an execution is not known.
    let shares = [
        (Detail::Links, limits.links_share),
        (Detail::Full, limits.cone_share),
    ];
    let on_cone = |(detail, share)| (Scope::Shapes, Some(detail), limits.shapes / share, SHAPES);
    let small = !large && has_blocks(whole);
    let on_cones = small.then(|| shares.map(on_cone));
    let abstractly = [
        (
            Scope::Shapes,
            (large && with_cones).then_some(Detail::Full),
            match large {
                true => limits.shapes / limits.shapes_share,
                false => limits.shapes,
            },
            SHAPES,
        ),
        (
            Scope::Sites,
            (large && with_cones).then_some(Detail::Full),
            match asks_for_texts(whole) {
                true => limits.sites_of_texts,
                false => limits.sites,
            },
            SITES,
        ),
    ];
    // Without loops there are no invariants to show to people.
    let symbolic = (
        Scope::Unrolled,
        None,
        limits.unrolled,
        "the program was executed symbolically",
    );
    let symbolic = loop_free(whole).then_some(symbolic);
    // Any lap of each loop in place of all takes one round of the program.
    let any_lap = (
        Scope::Unrolled,
        (large && with_cones).then_some(Detail::WithoutMemory),
        limits.any_lap + Work::ticks(limits.any_lap_edge * edges),
        "the program was executed symbolically",
    );
    let any_lap = (edges > limits.any_lap_edges && symbolic.is_none()).then_some(any_lap);
    let abstractly = on_cones.into_iter().flatten().chain(abstractly);
    let forms = forms.into_iter().chain(abstractly);
    let forms = forms.chain(symbolic).chain(any_lap);
    let (mut aside, mut cone_is_long) = (None, false);
    for (scope, cone, work, note) in forms {
        // Proofs by engines have invariants to show: smaller programs are theirs first.
        if cone.is_some() && !with_cones || scope == Scope::Tables && !large {
            continue;
        }
        if scope == Scope::Sites && !has_blocks(whole) {
            continue;
        }
        if scope == Scope::Sites && cone.is_none() {
            let slice = task.budget.clone().with_slice(work);
            let shown = caught("the checker", || set_aside(task.pool, whole, &slice));
            let shown = shown.ok().and_then(Result::ok);
            aside = match shown.map(|shown| shown.decided(whole)) {
                Some(Ok(done)) => {
                    task.stats.note(note);
                    return done;
                }
                Some(Err(shown)) => Some(*shown).filter(|shown| !shown.is_empty()),
                None => None,
            };
            continue;
        }
        // What engines find depends on the order of terms: a round that shows nothing leaves none behind.
        let before = (scope == Scope::Unrolled).then(|| task.pool.clone());
        if scope == Scope::Shapes && cone.is_none() && cone_is_long {
            continue;
        }
        let done = execute(task, scope, cone, work);
        match done.get() {
            Verdict::Safe(_) => {
                task.stats.note(note);
                return done;
            }
            // The whole program would take longer.
            Verdict::Unknown(Reason::OutOfBudget(_)) => {
                cone_is_long |= scope == Scope::Shapes && cone == Some(Detail::Full);
            }
            _ => {}
        }
        if let Some(before) = before {
            *task.pool = before;
        }
    }
    let Some(aside) = aside else {
        return run_engines(task, large && with_cones);
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
    let done = by_shapes(&mut task, &[Detail::Links, Detail::Full]);
    let done = done.unwrap_or_else(|| run_engines(&mut task, large && with_cones));
    done.with_aside(aside)
}

/// Executes the program with lists and trees as one object each, on one cone after the other.
fn by_shapes(task: &mut Task<'_>, details: &[Detail]) -> Option<Checked<Verdict>> {
    let work = task.options.limits.portfolio.shapes;
    let mut details = details.iter();
    let done = details.find_map(|&d| by_execution(task, Scope::Shapes, Some(d), work));
    if done.is_some() {
        task.stats.note(SHAPES);
    }
    done
}

/// Runs the engines in turns, first on cones if the program is large.
fn run_engines(task: &mut Task<'_>, on_cones: bool) -> Checked<Verdict> {
    let limits = &task.options.limits.portfolio;
    let whole = task.program;
    let ran_long = match long_run(task) {
        Some(done) if matches!(done.get(), Verdict::Unsafe(_)) => return done,
        end => end.is_some(),
    };
    if let Some(done) = told_words(task) {
        return done;
    }
    let details = match on_cones {
        true => [Detail::WithoutMemory, Detail::Full].as_slice(),
        false => &[],
    };
    let cones: Vec<(Detail, Program)> = details
        .iter()
        .map(|&detail| (detail, cone(task.pool, whole, detail)))
        .collect();
    let mut plan = plan(cones.first().map_or(whole, |(_, cone)| cone));
    if !(task.options.aids && task.options.random_runs) {
        plan.engines.retain(|(who, _)| *who != Who::Runs);
    }
    if !has_blocks(whole) {
        let sites = Who::Checker(Scope::Sites);
        plan.engines.retain(|(who, _)| *who != sites);
    }
    if task.options.harness {
        plan.executes_first(limits.harness_weight);
    }
    task.stats.note(&plan.why);
    let turns = Turns::new(plan.engines.len());
    let progress = Mutex::new(None);
    let takers = [EngineKind::Predabs, EngineKind::Bmc, EngineKind::Split].map(Who::Engine);
    let takers = plan
        .engines
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

/// An error that a function runs into when it is called with guessed arguments: most of what its callers must keep is
/// seen so, before anybody tries to prove it.
fn brief_runs(task: &mut Task<'_>) -> Option<Checked<Verdict>> {
    let options = task.options;
    if !(options.harness && options.aids && options.random_runs) {
        return None;
    }
    let slice = task
        .budget
        .clone()
        .with_slice(options.limits.portfolio.brief_runs);
    let first = Task {
        pool: &mut *task.pool,
        program: task.program,
        options,
        budget: &slice,
        stats: &mut *task.stats,
        progress: &mut *task.progress,
    };
    let claim = Verdict::Unsafe(fuzz_briefly(&first)?);
    let done = judge(task.pool, task.program, claim, task.budget, task.stats);
    matches!(done.get(), Verdict::Unsafe(_)).then(|| {
        task.stats.note("a run on guessed inputs reached an error");
        done
    })
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

/// The verdict if the checker shows by execution of some kind that there is no error.
fn by_execution(
    task: &mut Task<'_>,
    scope: Scope,
    cone: Option<Detail>,
    work: Work,
) -> Option<Checked<Verdict>> {
    let done = execute(task, scope, cone, work);
    matches!(done.get(), Verdict::Safe(_)).then_some(done)
}

fn execute(
    task: &mut Task<'_>,
    scope: Scope,
    cone: Option<Detail>,
    work: Work,
) -> Checked<Verdict> {
    let slice = task.budget.clone().with_slice(work);
    let claim = executed(scope, cone);
    judge(task.pool, task.program, claim, &slice, task.stats)
}

/// Is memory laid out in blocks, one an object, as it is where accesses are checked?
fn has_blocks(program: &Program) -> bool {
    program.memory.block != 0
}

/// Has no function that is called a loop?
fn loop_free(program: &Program) -> bool {
    let functions = reachable_functions(program, &program.successors());
    let heads = |shape: &Shape| shape.loop_heads.is_empty();
    functions.iter().all(|(_, shape)| heads(shape))
}

/// The claim that execution of this kind finds no error.
fn executed(scope: Scope, cone: Option<Detail>) -> Verdict {
    Verdict::Safe(Proof {
        cone,
        ..Proof::by(scope)
    })
}

fn lanes<'s>(plan: &Plan, budget: &Budget) -> Vec<Lane<'s>> {
    let lane = |&(engine, weight): &(Who, f64)| Lane {
        engine,
        weight,
        turns_had: 0,
        budget: budget.detached(),
        thread: None,
    };
    plan.engines.iter().map(lane).collect()
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
                Some(Err(reason)) if matches!(lane.engine, Who::Engine(_)) => last = reason,
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
        let working = workers.iter().filter(|w| **w == Worker::Working).count();
        for _ in working..common.options.jobs.max(1) {
            let waiting = (0..lanes.len()).filter(|&n| workers[n] == Worker::Waiting);
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
        self.turns_had += 1;
        common.turns.grant(number, length);
        if self.turns_had > 1 {
            return;
        }
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
        };
        report
    }

    /// Has the checker execute the program. On bounds of variables it has done so before if the program is large.
    fn run_checker(&self, scope: Scope, task: &mut Task<'_>) -> Checked<Verdict> {
        let with_cones = self.options.simplifies() && self.options.cones;
        if scope == Scope::Sites {
            return by_sites(task);
        }
        if scope != Scope::Tables {
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

/// Sets the errors aside that are seen to be out of reach with all objects of an allocation as one; the others may be those of
/// lists.
fn by_sites(task: &mut Task<'_>) -> Checked<Verdict> {
    let shown = match set_aside(task.pool, task.program, task.budget) {
        Ok(shown) => shown,
        Err(reason) => return Checked::unknown(reason),
    };
    let aside = match shown.decided(task.program) {
        Ok(done) => return done,
        Err(aside) => *aside,
    };
    let left = aside.left(task.program);
    let mut task = Task {
        pool: &mut *task.pool,
        program: &left,
        options: task.options,
        budget: task.budget,
        stats: &mut *task.stats,
        progress: &mut *task.progress,
    };
    let links = match aside.is_empty() {
        true => None,
        false => by_shapes(&mut task, &[Detail::Links]),
    };
    match links {
        Some(done) => done.with_aside(aside),
        None => Checked::unknown(Reason::NoProgress {
            what: "abstract execution leaves errors open".into(),
        }),
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

fn plan(program: &Program) -> Plan {
    let calls = program
        .edges
        .iter()
        .any(|e| matches!(e.stmt, Stmt::Call { .. }));
    use EngineKind::{Bmc, Impact, Predabs, Split, Trace, Whale};
    use Who::{Checker, Engine, Runs};
    match inline::size(program) {
        Ok(_) if calls => Plan {
            why: "impact first: calls can be inlined".into(),
            engines: vec![
                (Engine(Impact), 1.0),
                (Checker(Scope::Sites), 2.0),
                (Checker(Scope::Unrolled), 0.7),
                (Runs, 0.5),
                (Engine(Predabs), 1.0),
                (Checker(Scope::Tables), 0.5),
                (Engine(Bmc), 0.5),
                (Engine(Trace), 0.5),
                (Engine(Whale), 0.5),
            ],
        },
        Ok(_) => Plan {
            why: "impact first: there are no calls".into(),
            engines: vec![
                (Engine(Impact), 1.0),
                (Checker(Scope::Sites), 2.0),
                (Checker(Scope::Unrolled), 0.7),
                (Runs, 0.5),
                (Engine(Predabs), 1.0),
                (Checker(Scope::Tables), 0.5),
                (Engine(Bmc), 0.5),
                (Engine(Split), 0.5),
                (Engine(Whale), 0.5),
            ],
        },
        Err(refusal @ inline::Refusal::TooLarge { .. }) => Plan {
            why: format!("trace first: {refusal}"),
            engines: vec![(Engine(Trace), 1.0), (Runs, 0.7), (Engine(Whale), 1.0)],
        },
        Err(refusal) => Plan {
            why: format!("whale first: {refusal}"),
            engines: vec![
                (Engine(Whale), 1.0),
                (Engine(Trace), 0.7),
                (Runs, 0.4),
                (Checker(Scope::Tables), 0.5),
                (Engine(Predabs), 0.7),
            ],
        },
    }
}

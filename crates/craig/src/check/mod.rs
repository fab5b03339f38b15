//! One run: load, engine, evidence checker, cross-check, all on a thread with a deep stack and under
//! one budget. [`judge`] is where evidence is judged; after it a verdict can only be weakened, and
//! what is left is the [`Outcome`] from which every output and the exit status come.

mod claims;
pub mod cross_check;
pub(crate) mod date;
mod engine;
mod findings;
mod forms;
pub mod functions;
mod judge;
mod log;
pub mod memory;
mod minimize;
mod outcome;
mod plan;
mod portfolio;
pub(crate) mod preconditions;
pub mod process;
mod solvers;
mod watchdog;

pub use self::engine::Engine;
pub(crate) use claims::ACCEPTED;
pub use claims::Hints;
pub(crate) use findings::of_verdict as findings_of;
pub(crate) use judge::judge;
pub use judge::note_panic;
pub use outcome::{Account, Outcome};
pub use plan::{Plan, PlanError};
pub(crate) use portfolio::run as run_portfolio;
pub use solvers::{SolverChoice, solvers};
pub use watchdog::Watchdog;

use crate::load::{Loaded, SourceOptions, SourceText, load, load_texts};
use crate::{Error, Language};
use ::engine::{EngineOptions, Progress, Stats, Task};
use base::Budget;
use evidence::{Checked, Reason, Verdict};
use program::Note;
use report::Confirmation;
use smt::Solvers;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A callback that hears how far the engine is.
pub type OnProgress = Box<dyn FnMut(&Progress) + Send>;

/// Checks programs; the library face of Craig.
///
/// ```
/// use craig::{Checker, EngineKind, VerdictKind};
/// use std::time::Duration;
///
/// let text = "extern void abort(void); void reach_error(void) { abort(); }
///             int main(void) { int x = 0; while (x < 5) x++; if (x != 5) reach_error(); }";
/// let outcome = Checker::new()
///     .engine(EngineKind::Impact)
///     .time(Duration::from_secs(20))
///     .check_text("loop.c", text)
///     .expect("the program is well-formed");
/// assert_eq!(outcome.kind(), VerdictKind::Safe);
/// ```
pub struct Checker {
    engine: Engine,
    engine_options: EngineOptions,
    claims: Vec<Verdict>,
    source: SourceOptions,
    time: Option<Duration>,
    memory: Option<u64>,
    budget: Budget,
    cross_check: Option<CrossCheck>,
    on_progress: Option<OnProgress>,
}

/// A second opinion on proofs.
struct CrossCheck {
    solver: String,
    limit: Duration,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

impl Checker {
    /// A checker with the default engine and no limits.
    pub fn new() -> Self {
        Checker {
            engine: Engine::default(),
            engine_options: EngineOptions::default(),
            claims: Vec::new(),
            source: SourceOptions::default(),
            time: None,
            memory: None,
            budget: Budget::unlimited(),
            cross_check: None,
            on_progress: None,
        }
    }

    /// Who looks for the verdict.
    pub fn engine(mut self, engine: impl Into<Engine>) -> Self {
        self.engine = engine.into();
        self
    }

    /// What engines can be told.
    pub fn engine_options(mut self, options: EngineOptions) -> Self {
        self.engine_options = options;
        self
    }

    /// What others say of the program that is going to be checked.
    pub fn hints(mut self, hints: Hints) -> Self {
        self.claims = hints.claims;
        self.engine_options.candidates = hints.candidates;
        self
    }

    /// How to read the input: data model, properties, entry, preprocessor.
    pub fn source(mut self, options: SourceOptions) -> Self {
        self.source = options;
        self
    }

    /// Beyond this time the verdict is `unknown`.
    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// Beyond this memory, in bytes, the verdict is `unknown`.
    pub fn memory(mut self, limit: u64) -> Self {
        self.memory = Some(limit);
        self
    }

    /// Has every obligation of a proof confirmed by another solver (a name of the solver table or a
    /// command), with so much time for each script; what is not confirmed is `unknown`.
    pub fn cross_check(mut self, solver: &str, limit: Duration) -> Self {
        let solver = solver.to_string();
        self.cross_check = Some(CrossCheck { solver, limit });
        self
    }

    /// The flag that ends the run with `unknown` when somebody raises it.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.budget.cancel_flag()
    }

    /// Hears how far the engine is.
    pub fn on_progress(mut self, callback: OnProgress) -> Self {
        self.on_progress = Some(callback);
        self
    }

    /// Checks the program of one file.
    pub fn check_file(self, path: impl AsRef<Path>) -> Result<Outcome, Error> {
        self.check_files(&[path.as_ref().to_path_buf()])
    }

    /// Several files are linked into one program.
    pub fn check_files(self, paths: &[PathBuf]) -> Result<Outcome, Error> {
        let paths = paths.to_vec();
        self.run(move |options| load(&paths, options))
    }

    /// A text in the language that the name's ending says; C must not need the preprocessor.
    pub fn check_text(self, name: &str, text: &str) -> Result<Outcome, Error> {
        let language = Language::of(Path::new(name))
            .ok_or_else(|| Error::Message(format!("{name}: unknown file ending")))?;
        let source = SourceText {
            name: name.into(),
            text: text.into(),
            preprocessed: None,
        };
        self.run(move |options| load_texts(&[source], language, options))
    }

    /// A program at hand.
    pub fn check_loaded(self, loaded: Loaded) -> Result<Outcome, Error> {
        self.run(move |_| Ok(loaded))
    }

    fn run(
        self,
        load: impl FnOnce(&SourceOptions) -> Result<Loaded, Error> + Send,
    ) -> Result<Outcome, Error> {
        on_deep_stack(move || {
            let budget = self.limits();
            let loaded = load(&self.source)?;
            Ok(self.check(loaded, &budget))
        })
    }

    fn limits(&self) -> Budget {
        let mut budget = self.budget.clone();
        if let Some(limit) = self.time {
            budget = budget.with_time(limit);
        }
        if let Some(limit) = self.memory.or_else(memory::default_limit) {
            budget = budget.with_memory(limit, memory::start_meter());
        }
        if self.engine_options.solvers.external().is_some() {
            budget = budget.with_pace(EXTERNAL_PACE);
        }
        budget
    }

    fn check(mut self, mut input: Loaded, budget: &Budget) -> Outcome {
        let mut stats = Stats::new(&self.engine_options);
        let mut on_progress = self.on_progress.take().unwrap_or_else(|| Box::new(|_| {}));
        let claims = std::mem::take(&mut self.claims);
        let accepted = claims::accepted(claims, &mut input, budget, &mut stats);
        let mut violations = Vec::new();
        let (verdict, findings) = if input.options.properties.every_check {
            let mut questions = findings::Questions {
                accepted,
                violations: &mut violations,
                engine: &self.engine,
                options: &self.engine_options,
                budget,
                memory: self.memory,
                stats: &mut stats,
                progress: &mut *on_progress,
            };
            questions.decide(&mut input)
        } else if let Some(verdict) = accepted.into_iter().next() {
            let findings = findings::of_verdict(&input, &verdict);
            (verdict, findings)
        } else {
            let options = EngineOptions {
                cones: self.engine_options.cones && input.horn.is_none(),
                harness: input.options.entry.is_some() || input.options.environment.is_some(),
                ..self.engine_options.clone()
            };
            let verdict = self.engine.solve(
                &mut Task {
                    pool: &mut input.pool,
                    program: &input.program,
                    options: &options,
                    budget,
                    stats: &mut stats,
                    progress: &mut *on_progress,
                },
                self.memory,
            );
            let verdict = minimize::minimized(verdict, &mut input.pool, &input.program, budget);
            let verdict = without_inexact_errors(verdict, input.inexact.as_ref());
            let findings = findings::of_verdict(&input, &verdict);
            (verdict, findings)
        };
        let (verdict, confirmation) = self.confirmed(verdict, &mut input, budget);
        let of_solvers = solver_counters(&self.engine_options.solvers, &mut stats);
        let of_engine = stats.counters.iter().map(|(k, v)| (k.to_string(), *v));
        let mut counters: Vec<(String, u64)> = of_engine.chain(of_solvers).collect();
        counters.push(("obligations".into(), verdict.record().obligations as u64));
        Outcome {
            verdict,
            input,
            findings,
            violations,
            account: Account {
                engine: named(&self.engine, &stats.notes),
                counters,
                precision: stats.precision,
                summaries: stats.summaries,
                log: stats.log.as_deref().map(log::lines),
                confirmation,
                seconds: budget.elapsed().as_secs_f64(),
                creation_time: date::now_iso8601(),
            },
        }
    }

    /// The verdict after the second opinion on a proof, if one is wanted.
    fn confirmed(
        &self,
        verdict: Checked<Verdict>,
        input: &mut Loaded,
        budget: &Budget,
    ) -> (Checked<Verdict>, Option<Confirmation>) {
        let (Some(second), Verdict::Safe(proof)) = (&self.cross_check, verdict.get()) else {
            return (verdict, None);
        };
        let left = budget.remaining().unwrap_or(second.limit);
        let limit = second.limit.min(left);
        let (pool, program) = (&mut input.pool, &input.program);
        let result = judge::caught("the cross-check", || {
            cross_check::cross_check(pool, program, proof, &second.solver, limit)
                .map_err(|why| Reason::NotConfirmed { why })
        });
        match result.and_then(|r| r) {
            Ok(obligations) => {
                let solver = second.solver.clone();
                let confirmation = Confirmation {
                    solver,
                    obligations,
                };
                (verdict, Some(confirmation))
            }
            Err(reason) => (verdict.weaken(reason), None),
        }
    }
}

/// How much slower engines may be when a process answers each query.
const EXTERNAL_PACE: u32 = 4;

/// Takes an `unsafe` back if the program has more executions than the text.
// Sound because an inexact program has every execution of the text: its proofs hold, but an
// error may lie on an execution that the text does not have.
fn without_inexact_errors(verdict: Checked<Verdict>, inexact: Option<&Note>) -> Checked<Verdict> {
    match (verdict.get(), inexact) {
        (Verdict::Unsafe(_), Some(note)) => {
            let reason = Reason::Unsupported {
                what: note.message.clone(),
                place: note.span,
            };
            verdict.weaken(reason)
        }
        _ => verdict,
    }
}

/// Runs `work` on a thread whose stack is deep; a panic in it is an error of ours.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let run = || base::deep_stack("check", work);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Some(result)) => result,
        Ok(None) => Err(Error::Message("cannot start a thread".into())),
        Err(panic) => Err(Error::Message(format!(
            "internal error while reading the program: {}; please report this",
            judge::panic_text(&*panic)
        ))),
    }
}

/// What interpolation and another solver did; failures of the latter go to the notes.
fn solver_counters(solvers: &Solvers, stats: &mut Stats) -> Vec<(String, u64)> {
    let mut counters = Vec::new();
    let mut by_method: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (method, counts) in &solvers.interpolation_stats().methods {
        let entry = by_method.entry(method.as_str()).or_default();
        entry.0 += counts.accepted;
        entry.1 += counts.rejected;
    }
    for (method, (used, rejected)) in by_method {
        counters.push((format!("interpolants_{method}_used"), used));
        counters.push((format!("interpolants_{method}_rejected"), rejected));
    }
    if let Some(external) = solvers.external() {
        let s = external.stats();
        counters.push(("solver_checks".into(), s.checks));
        counters.push(("solver_starts".into(), s.starts));
        counters.push(("solver_failures".into(), s.failures));
        counters.push(("solver_unanswered".into(), s.unanswered));
        counters.push(("solver_native_answers".into(), s.native));
        if let Some(why) = s.last_failure {
            let name = external.name();
            let count = s.failures + s.unanswered;
            stats.note(&format!("{name} failed {count} times, last: {why}"));
        }
    }
    counters
}

/// The engine's name with what it decided on the way.
fn named(engine: &Engine, notes: &[String]) -> String {
    // A run of several questions says the same of each.
    let mut once: Vec<&str> = Vec::new();
    for note in notes {
        if !once.contains(&note.as_str()) {
            once.push(note);
        }
    }
    match once.as_slice() {
        [] => engine.to_string(),
        _ => format!("{engine} ({})", once.join("; ")),
    }
}

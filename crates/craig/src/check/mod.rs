//! One run: load, engine, checker, all on a thread with a deep stack and under one budget.
//!
//! A panic in an engine or in the checker becomes `unknown` with an internal-error reason; nothing
//! that an engine does can end the process or make a verdict that the checker has not seen.

pub(crate) mod clock;
pub mod cross_check;
pub mod memory;
pub mod process;
mod solvers;
mod watchdog;

pub use solvers::{SolverChoice, solvers};
pub use watchdog::Watchdog;

use crate::Language;
use crate::load::{Loaded, SourceOptions, SourceText, Trouble, load, load_texts};
use base::Budget;
use engine::{ENGINES, Engine, EngineOptions, Progress, Stats, Task};
use evidence::{Checked, Reason, Verdict};
use logic::Pool;
use program::{Program, SourceMap};
use report::{InputFile, Subject};
use smt::Solvers;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A callback that hears how far the engine is.
pub type OnProgress = Box<dyn FnMut(&Progress) + Send>;

/// Checks programs; the library face of Craig.
///
/// ```
/// use std::time::Duration;
///
/// let text = "extern void abort(void); void reach_error(void) { abort(); }
///             int main(void) { int x = 0; while (x < 5) x++; if (x != 5) reach_error(); }";
/// let outcome = craig::Checker::new()
///     .engine("impact")
///     .time(Duration::from_secs(20))
///     .check_text("loop.c", text)
///     .expect("the program is well-formed");
/// assert_eq!(outcome.word(), "safe");
/// ```
pub struct Checker {
    engine: String,
    /// Who solves the clauses of the program in place of an engine.
    chc_solver: Option<String>,
    engine_options: EngineOptions,
    source: SourceOptions,
    time: Option<Duration>,
    memory: Option<u64>,
    budget: Budget,
    on_progress: Option<OnProgress>,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

impl Checker {
    pub fn new() -> Self {
        Checker {
            engine: crate::default_engine().into(),
            chc_solver: None,
            engine_options: EngineOptions::default(),
            source: SourceOptions::default(),
            time: None,
            memory: None,
            budget: Budget::unlimited(),
            on_progress: None,
        }
    }

    /// The engine by its name in the table; see `craig engines`.
    pub fn engine(mut self, name: &str) -> Self {
        self.engine = name.into();
        self
    }

    /// Lets another program solve the program's Horn clauses: `z3`, or a command.
    pub fn chc_solver(mut self, solver: &str) -> Self {
        self.engine = format!("clauses solved by {solver}");
        self.chc_solver = Some(solver.into());
        self
    }

    pub fn engine_options(mut self, options: EngineOptions) -> Self {
        self.engine_options = options;
        self
    }

    /// How to read the input: data model, properties, entry, preprocessor.
    pub fn source(mut self, options: SourceOptions) -> Self {
        self.source = options;
        self
    }

    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// In bytes.
    pub fn memory(mut self, limit: u64) -> Self {
        self.memory = Some(limit);
        self
    }

    /// The flag that ends the run with `unknown` when somebody raises it.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.budget.cancel_flag()
    }

    pub fn on_progress(mut self, callback: OnProgress) -> Self {
        self.on_progress = Some(callback);
        self
    }

    pub fn check_file(self, path: impl AsRef<Path>) -> Result<Outcome, Trouble> {
        self.check_files(&[path.as_ref().to_path_buf()])
    }

    /// Several files are linked into one program.
    pub fn check_files(self, paths: &[PathBuf]) -> Result<Outcome, Trouble> {
        let paths = paths.to_vec();
        self.run(move |options| load(&paths, options))
    }

    /// A text in the language that the name's ending says; C must not need the preprocessor.
    pub fn check_text(self, name: &str, text: &str) -> Result<Outcome, Trouble> {
        let language = Language::of(Path::new(name))
            .ok_or_else(|| Trouble::Message(format!("{name}: unknown file ending")))?;
        let source = SourceText {
            name: name.into(),
            text: text.into(),
            preprocessed: None,
        };
        self.run(move |options| load_texts(&[source], language, options))
    }

    /// A program at hand.
    pub(crate) fn check_loaded(self, loaded: Loaded) -> Result<Outcome, Trouble> {
        self.run(move |_| Ok(loaded))
    }

    fn run(
        self,
        load: impl FnOnce(&SourceOptions) -> Result<Loaded, Trouble> + Send,
    ) -> Result<Outcome, Trouble> {
        on_deep_stack(move || {
            let engine = self.make_engine()?;
            let budget = self.budget();
            let loaded = load(&self.source)?;
            Ok(judge(self, loaded, engine, &budget))
        })
    }

    fn make_engine(&self) -> Result<Box<dyn Engine>, Trouble> {
        if let Some(solver) = &self.chc_solver {
            return Ok(Box::new(crate::horn::spacer::Spacer {
                solver: solver.clone(),
                memory: self.memory,
            }));
        }
        match ENGINES.iter().find(|e| e.name == self.engine) {
            Some(e) => Ok((e.make)()),
            None => {
                let names: Vec<&str> = ENGINES.iter().map(|e| e.name).collect();
                Err(Trouble::Message(format!(
                    "there is no engine `{}` (engines: {})",
                    self.engine,
                    names.join(", ")
                )))
            }
        }
    }

    fn budget(&self) -> Budget {
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
}

/// How much slower engines may be when a process answers each query.
const EXTERNAL_PACE: u32 = 4;

/// Runs `work` on a thread whose stack is deep; a panic in it is an error of ours.
pub fn on_deep_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Trouble> + Send,
) -> Result<T, Trouble> {
    let run = || base::deep_stack("check", work);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Some(result)) => result,
        Ok(None) => Err(Trouble::Message("cannot start a thread".into())),
        Err(panic) => Err(Trouble::Message(format!(
            "internal error while reading the program: {}; please report this",
            panic_text(&*panic)
        ))),
    }
}

fn judge(
    checker: Checker,
    loaded: Loaded,
    mut engine: Box<dyn Engine>,
    budget: &Budget,
) -> Outcome {
    let Loaded {
        mut pool,
        program,
        sources,
        files,
        warnings: _,
        inexact,
        horn,
    } = loaded;
    let mut stats = Stats::default();
    let mut on_progress = checker.on_progress.unwrap_or_else(|| Box::new(|_| {}));
    let verdict = guarded(|| {
        engine.run(&mut Task {
            pool: &mut pool,
            program: &program,
            options: &checker.engine_options,
            budget,
            stats: &mut stats,
            progress: &mut *on_progress,
        })
    });
    // Sound because an inexact program has every execution of the text: its proofs hold, but an
    // error may lie on an execution that the text does not have.
    let verdict = match (verdict, inexact) {
        (Verdict::Unsafe(_), Some(note)) => Verdict::Unknown(Reason::Unsupported {
            what: note.message,
            place: note.span,
        }),
        (verdict, _) => verdict,
    };
    let engine_time = budget.elapsed();
    let solver_counters = account(&checker.engine_options.solvers, &mut stats);
    let verdict = match catch_unwind(AssertUnwindSafe(|| {
        evidence::check(&mut pool, &program, verdict, budget)
    })) {
        Ok(checked) => checked,
        Err(panic) => {
            let what = format!("the checker: {}", panic_text(&*panic));
            let unknown = Verdict::Unknown(Reason::InternalError { what });
            evidence::check(&mut pool, &program, unknown, budget)
        }
    };
    let mut counters: Vec<(String, u64)> = stats
        .counters
        .iter()
        .map(|(k, v)| (k.to_string(), *v))
        .collect();
    counters.extend(solver_counters);
    let checking = budget.elapsed().saturating_sub(engine_time);
    counters.push(("check_milliseconds".into(), checking.as_millis() as u64));
    counters.push(("obligations".into(), verdict.record().obligations as u64));
    Outcome {
        verdict,
        pool,
        program,
        sources,
        files,
        horn,
        engine: named(checker.engine, &stats.notes),
        source: checker.source,
        stats: counters,
        precision: stats.precision,
        summaries: stats.summaries,
        seconds: budget.elapsed().as_secs_f64(),
        creation_time: crate::check::clock::now_iso8601(),
    }
}

/// What interpolation and another solver did; trouble with the latter goes to the notes.
fn account(solvers: &Solvers, stats: &mut Stats) -> Vec<(String, u64)> {
    let mut counters = Vec::new();
    let mut by_word: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (method, counts) in &solvers.interpolation_stats().methods {
        let entry = by_word.entry(method.word()).or_default();
        entry.0 += counts.accepted;
        entry.1 += counts.rejected;
    }
    for (word, (used, rejected)) in by_word {
        counters.push((format!("interpolants_{word}_used"), used));
        counters.push((format!("interpolants_{word}_rejected"), rejected));
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
fn named(engine: String, notes: &[String]) -> String {
    if notes.is_empty() {
        return engine;
    }
    format!("{engine} ({})", notes.join("; "))
}

fn guarded(run: impl FnOnce() -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        Verdict::Unknown(Reason::InternalError {
            what: format!("the engine: {}", panic_text(&*panic)),
        })
    })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".into());
    match LAST_PANIC.lock().ok().and_then(|mut place| place.take()) {
        Some(place) => format!("{text} ({place})"),
        None => text,
    }
}

/// Where the last panic happened, for the report of an internal error.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// A panic hook that keeps the place for the account and prints nothing.
pub fn note_panic(info: &std::panic::PanicHookInfo<'_>) {
    if let (Ok(mut place), Some(l)) = (LAST_PANIC.lock(), info.location()) {
        *place = Some(format!("{}:{}", l.file(), l.line()));
    }
}

/// The end of a run: a checked verdict and what reports need.
pub struct Outcome {
    pub verdict: Checked<Verdict>,
    pub pool: Pool,
    pub program: Program,
    pub sources: SourceMap,
    pub files: Vec<InputFile>,
    /// The Horn system that the program stands for.
    pub horn: Option<frontend::horn::System>,
    pub engine: String,
    pub source: SourceOptions,
    /// Counters of the run by name.
    pub stats: Vec<(String, u64)>,
    /// The predicates the engine ended with, if it has any, as `--precision-in` takes them.
    pub precision: Option<String>,
    /// The summaries the engine ended with, if it has any, as `--summaries-in` takes them.
    pub summaries: Option<String>,
    pub seconds: f64,
    pub creation_time: String,
}

impl Outcome {
    /// `safe`, `unsafe` or `unknown`.
    pub fn word(&self) -> &'static str {
        self.verdict.get().word()
    }

    /// What the functions of crate `report` take.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            pool: &self.pool,
            program: &self.program,
            sources: &self.sources,
            files: &self.files,
            verdict: &self.verdict,
            engine: &self.engine,
            specification: &self.source.properties.specification,
            data_model: self.source.data_model(),
            creation_time: &self.creation_time,
            seconds: self.seconds,
            stats: &self.stats,
        }
    }
}

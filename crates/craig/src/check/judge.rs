//! The one place where evidence is judged: what an engine claims goes in, a [`Checked`] verdict
//! comes out, and nobody judges it again. A panic in an engine or in the checker is `unknown` with
//! an internal-error reason; nothing that an engine does can end the process or make a verdict that the
//! checker has not seen.

use base::Budget;
use engine::Stats;
use evidence::{Checked, Reason, Verdict};
use logic::Pool;
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Checks the evidence of an engine's verdict.
pub(crate) fn judge(
    pool: &mut Pool,
    program: &Program,
    claim: Verdict,
    budget: &Budget,
    stats: &mut Stats,
) -> Checked<Verdict> {
    let start = budget.elapsed();
    let checked = caught("the checker", || {
        evidence::check(pool, program, claim, budget)
    });
    let spent = budget.elapsed().saturating_sub(start);
    stats.add("check_milliseconds", spent.as_millis() as u64);
    checked.unwrap_or_else(Checked::unknown)
}

/// The result of `run`, or the panic in it as a reason.
pub(crate) fn caught<T>(who: &str, run: impl FnOnce() -> T) -> Result<T, Reason> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Reason::InternalError {
        what: format!("{who}: {}", panic_text(&*panic)),
    })
}

/// The message of a panic, with its place if the hook is set.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
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

//! Forms of execution by the checker that decide a program without an engine: to its end, on bounds of variables, abstractly,
//! symbolically. Each has a slice of work; what none decides goes to the engines ([`super::portfolio`]).

use super::judge::{caught, judge};
use base::Work;
use engine::{Task, asks_for_texts};
use evidence::{Aside, Checked, Proof, Reason, Scope, Verdict, set_aside};
use program::analysis::shape::{Shape, reachable_functions};
use program::passes::Detail;
use program::{Function, Program};

/// What answered, as people are told.
const RUN: &str = "the program was run to its end";
const BOUNDS: &str = "the functions were executed on bounds of variables";
const SHAPES: &str = "the program was executed abstractly";
const SITES: &str = "the program was executed abstractly, all objects of an allocation at once";
const SYMBOLIC: &str = "the program was executed symbolically";

/// One form of execution: of the whole program or a cone of it, with so much work.
pub(super) struct Form {
    scope: Scope,
    cone: Option<Detail>,
    work: Work,
    note: &'static str,
}

/// What was seen of a program.
pub(super) enum Seen {
    Done(Checked<Verdict>),
    /// Nothing, but for errors that can be set aside.
    Open(Option<Aside>),
}

/// The forms that fit a program which has so many edges when inlined, in the order in which they are tried: those before
/// the engines, and those that may run beside them. With one job all come before.
pub(super) fn forms(task: &Task<'_>, edges: u64) -> (Vec<Form>, Vec<Form>) {
    let limits = &task.options.limits.portfolio;
    let whole = task.program;
    let large = edges > limits.cone_edges;
    let with_cones = task.options.simplifies() && task.options.cones;
    let if_large = |detail| (large && with_cones).then_some(detail);
    let mut all = Vec::new();
    let mut add = |scope, cone: Option<Detail>, work, note| {
        if cone.is_none() || with_cones {
            all.push(Form {
                scope,
                cone,
                work,
                note,
            });
        }
    };
    add(Scope::Executed, None, limits.execution, RUN);
    add(Scope::Executed, Some(Detail::Full), limits.execution, RUN);
    // Proofs by engines have invariants to show: smaller programs are theirs first. What can be derived is a model.
    if is_of_clauses(whole) {
        add(Scope::Tables, None, limits.tables_between, BOUNDS);
    } else if large {
        let detail = Some(Detail::WithoutMemory);
        add(Scope::Tables, detail, limits.tables, BOUNDS);
    }
    if !large && has_blocks(whole) {
        // Whether lists hold together needs nothing of the data in them, mostly: that is soon seen. On the cone less is followed,
        // and what only stops an execution is not known.
        let (links, full) = (limits.links_share, limits.cone_share);
        for (detail, share) in [(Detail::Links, links), (Detail::Full, full)] {
            add(Scope::Shapes, Some(detail), limits.shapes / share, SHAPES);
        }
    }
    let share = if large { limits.shapes_share } else { 1 };
    let detail = if_large(Detail::Full);
    add(Scope::Shapes, detail, limits.shapes / share, SHAPES);
    if has_blocks(whole) {
        let work = match asks_for_texts(whole) {
            true => limits.sites_of_texts,
            false => limits.sites,
        };
        add(Scope::Sites, detail, work, SITES);
    }
    if loop_free(whole) {
        // Without loops there are no invariants to show to people.
        add(Scope::Unrolled, None, limits.unrolled, SYMBOLIC);
    } else if edges > limits.any_lap_edges {
        // Any lap of each loop in place of all takes one round of the program.
        let work = limits.any_lap + Work::ticks(limits.any_lap_edge * edges);
        add(
            Scope::Unrolled,
            if_large(Detail::WithoutMemory),
            work,
            SYMBOLIC,
        );
    }
    match task.options.jobs > 1 {
        true => all
            .into_iter()
            .partition(|form| matches!(form.scope, Scope::Executed | Scope::Sites)),
        false => (all, Vec::new()),
    }
}

/// Tries one form after the other.
pub(super) fn look(task: &mut Task<'_>, forms: &[Form]) -> Seen {
    let whole = task.program;
    let (mut aside, mut cone_is_long) = (None, false);
    for form in forms {
        let &Form {
            scope,
            cone,
            work,
            note,
        } = form;
        if scope == Scope::Sites && cone.is_none() {
            let slice = task.budget.clone().with_slice(work);
            let shown = caught("the checker", || set_aside(task.pool, whole, &slice));
            let shown = shown.ok().and_then(Result::ok);
            aside = match shown.map(|shown| shown.decided(whole)) {
                Some(Ok(done)) => {
                    task.stats.note(note);
                    return Seen::Done(done);
                }
                Some(Err(shown)) => Some(*shown).filter(|shown| !shown.is_empty()),
                None => None,
            };
            continue;
        }
        if scope == Scope::Shapes && cone.is_none() && cone_is_long {
            continue;
        }
        // What engines find depends on the order of terms: a round that shows nothing leaves none behind.
        let before = (scope == Scope::Unrolled).then(|| task.pool.clone());
        let done = execute(task, scope, cone, work);
        match done.get() {
            Verdict::Safe(_) => {
                task.stats.note(note);
                return Seen::Done(done);
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
    Seen::Open(aside)
}

/// Executes the program with lists and trees as one object each, on one cone after the other.
pub(super) fn by_shapes(task: &mut Task<'_>, details: &[Detail]) -> Option<Checked<Verdict>> {
    let work = task.options.limits.portfolio.shapes;
    let mut details = details.iter();
    let done = details.find_map(|&d| by_execution(task, Scope::Shapes, Some(d), work));
    if done.is_some() {
        task.stats.note(SHAPES);
    }
    done
}

/// The verdict if the checker shows by execution of some kind that there is no error.
pub(super) fn by_execution(
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
pub(super) fn has_blocks(program: &Program) -> bool {
    program.memory.block != 0
}

/// Do functions say no more than what they return from, as those of Horn clauses? Then they are soon executed on bounds.
pub(super) fn is_of_clauses(program: &Program) -> bool {
    let silent = |f: &Function| f.returns.is_empty();
    program.globals.is_empty()
        && program.functions.len() > 1
        && program.functions.iter().all(silent)
}

/// Has no function that is called a loop?
fn loop_free(program: &Program) -> bool {
    let functions = reachable_functions(program, &program.successors());
    let heads = |shape: &Shape| shape.loop_heads.is_empty();
    functions.iter().all(|(_, shape)| heads(shape))
}

/// The claim that execution of this kind finds no error.
pub(super) fn executed(scope: Scope, cone: Option<Detail>) -> Verdict {
    Verdict::Safe(Proof {
        cone,
        ..Proof::by(scope)
    })
}

/// Sets the errors aside that are seen to be out of reach with all objects of an allocation as one; the others may be those of
/// lists.
pub(super) fn by_sites(task: &mut Task<'_>) -> Checked<Verdict> {
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

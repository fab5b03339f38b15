//! The checker: the only way to a [`Checked`] verdict.
//!
//! It takes the program as the front end gave it and the verdict as the engine gave it, and trusts
//! neither engine nor pass: a proof's obligations are derived again and refuted by a fresh solver;
//! a counterexample is replayed in the interpreter. What fails becomes `Unknown` with the reason.

mod aside;

pub use aside::{Aside, set_aside};

use crate::execute::execute;
use crate::obligations::{Duty, Obligation, Sink, walk};
use crate::replay::{Trace, replay};
use crate::{Proof, Reason, Scope, Verdict};
use crate::{shapes, sites, tables, unrolled};
use base::Budget;
use logic::{Pool, TermId};
use program::Program;
use program::passes::cone;
use program::passes::inline::{Inlined, Refusal, inline, inline_but_recursion};
use program::passes::loops::{LoopFree, loops_to_recursion};
use smt::{Answer, Solver, Unknown};

/// A value that passed the checker. Only this module can make one.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    value: T,
    record: Record,
}

/// What the checker learnt on its way; reports use it.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The replayed execution of an `Unsafe` verdict.
    pub trace: Option<Trace>,
    /// The program that the proof speaks of.
    pub subject: Subject,
    /// How many obligations were refuted, and how many the term constructors settled.
    pub obligations: usize,
    /// Steps of a program that was run to its end.
    pub steps: Option<u64>,
    /// Steps of a program that was executed symbolically, over all its paths at once.
    pub unrolled: Option<u64>,
    /// Abstract states of a program that was executed abstractly.
    pub states: Option<usize>,
    /// What is out of reach though there is no verdict.
    aside: Option<Box<Aside>>,
}

impl<T> Checked<T> {
    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// What the checker learnt.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The value alone, which is a claim again.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl Checked<Verdict> {
    /// A verdict that claims nothing.
    pub fn unknown(reason: Reason) -> Self {
        Checked {
            value: Verdict::Unknown(reason),
            record: Record::default(),
        }
    }

    /// Takes the verdict back: `unknown`, for this reason.
    // Sound because the only change to a checked verdict is to claim less.
    pub fn weaken(self, reason: Reason) -> Self {
        Self::unknown(reason)
    }
}

/// Checks the evidence of a verdict. The result is the verdict itself or `Unknown`.
pub fn check(
    pool: &mut Pool,
    program: &Program,
    verdict: Verdict,
    budget: &Budget,
) -> Checked<Verdict> {
    let mut record = Record::default();
    let outcome = match &verdict {
        Verdict::Safe(proof) => check_proof(pool, program, proof, budget, &mut record),
        Verdict::Unsafe(counterexample) => {
            replay(pool, program, counterexample, budget).map(|trace| {
                record.trace = Some(trace);
            })
        }
        Verdict::Unknown(_) => Ok(()),
    };
    let value = match outcome {
        Ok(()) => verdict,
        Err(reason) => Verdict::Unknown(reason),
    };
    Checked { value, record }
}

/// Checks a proof part by part: each on the program that has only its errors.
// Sound because an execution of the program to an error is one of the part that has this error: errors of other parts
// are places like any other there, and what is in no other part is in the proof's own.
fn check_proof(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    budget: &Budget,
    record: &mut Record,
) -> Result<(), Reason> {
    check_part(pool, &proof.own_part(program), proof, budget, record)?;
    for rest in &proof.rest {
        let mut more = Record::default();
        check_proof(pool, &rest.part(program), &rest.proof, budget, &mut more)?;
        record.obligations += more.obligations;
    }
    Ok(())
}

fn check_part(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    budget: &Budget,
    record: &mut Record,
) -> Result<(), Reason> {
    budget.check().map_err(Reason::OutOfBudget)?;
    let subject = subject(pool, program, proof, budget)?;
    budget.check().map_err(Reason::OutOfBudget)?;
    if proof.scope == Scope::Executed {
        record.steps = Some(execute(pool, subject.program(program), budget)?);
        record.subject = subject;
        return Ok(());
    }
    if proof.scope == Scope::Shapes {
        record.states = Some(shapes::explore(pool, subject.program(program), budget)?);
        record.subject = subject;
        return Ok(());
    }
    if proof.scope == Scope::Sites {
        record.states = Some(sites::explore(pool, subject.program(program), budget)?);
        record.subject = subject;
        return Ok(());
    }
    if proof.scope == Scope::Tables {
        record.states = Some(tables::explore(pool, subject.program(program), budget)?);
        record.subject = subject;
        return Ok(());
    }
    if proof.scope == Scope::Unrolled {
        record.unrolled = Some(unrolled::unroll(pool, subject.program(program), budget)?);
        record.subject = subject;
        return Ok(());
    }
    let mut sink = Refuter {
        program: subject.program(program),
        solver: Solver::new(),
        budget,
        count: 0,
        groups: 0,
    };
    walk(pool, sink.program, proof, &mut sink)?;
    record.obligations = sink.count;
    record.subject = subject;
    Ok(())
}

/// The program that a proof speaks of: the original, or what a pass that the checker runs itself
/// makes of it.
#[derive(Clone, Debug, Default)]
pub enum Subject {
    /// The program as the front end gave it.
    #[default]
    Original,
    /// Its part that can decide about errors, by the same ids.
    Cone(Program),
    /// Calls are inlined.
    Inlined(Inlined),
    /// Loops are functions.
    LoopFree(LoopFree),
}

impl Subject {
    /// The program that the proof speaks of.
    pub fn program<'a>(&'a self, original: &'a Program) -> &'a Program {
        match self {
            Subject::Original => original,
            Subject::Cone(cone) => cone,
            Subject::Inlined(i) => &i.program,
            Subject::LoopFree(l) => &l.program,
        }
    }
}

/// The program the proof speaks of.
pub(crate) fn subject(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    budget: &Budget,
) -> Result<Subject, Reason> {
    let Some(detail) = proof.cone else {
        return form(pool, program, proof);
    };
    // Sound because the cone has an execution to an error if the program has one.
    let cone = cone(pool, program, detail);
    budget.check().map_err(Reason::OutOfBudget)?;
    Ok(match form(pool, &cone, proof)? {
        Subject::Original => Subject::Cone(cone),
        other => other,
    })
}

fn form(pool: &mut Pool, program: &Program, proof: &Proof) -> Result<Subject, Reason> {
    match proof.scope {
        Scope::Modular | Scope::Executed | Scope::Tables => Ok(Subject::Original),
        Scope::Recursive => Ok(Subject::LoopFree(loops_to_recursion(pool, program))),
        Scope::Inlined if !proof.contracts.is_empty() => Err(Reason::EvidenceRejected {
            why: "a proof about the inlined program has no contracts".into(),
        }),
        Scope::Inlined | Scope::Shapes | Scope::Sites | Scope::Unrolled => {
            let inlined = match inline(pool, program) {
                // Abstract execution knows recursive calls.
                Err(Refusal::Recursion(_))
                    if matches!(proof.scope, Scope::Shapes | Scope::Sites) =>
                {
                    inline_but_recursion(pool, program)
                }
                inlined => inlined,
            };
            match inlined {
                Ok(inlined) => Ok(Subject::Inlined(inlined)),
                Err(refusal) => Err(Reason::EvidenceRejected {
                    why: format!("the program cannot be inlined ({refusal})"),
                }),
            }
        }
    }
}

/// Groups that one solver gets: it keeps what it knows of all terms it has seen, and going through that
/// costs more with each group, while groups have little in common.
const GROUPS: usize = 64;

/// Gives each group of obligations to a solver.
struct Refuter<'a> {
    program: &'a Program,
    solver: Solver,
    budget: &'a Budget,
    count: usize,
    /// That the solver has had.
    groups: usize,
}

impl Sink for Refuter<'_> {
    fn group(
        &mut self,
        pool: &mut Pool,
        hypotheses: &[TermId],
        obligations: &[Obligation],
    ) -> Result<(), Reason> {
        if self.groups == GROUPS {
            self.solver = Solver::new();
            self.groups = 0;
        }
        self.groups += 1;
        self.solver.push();
        for &h in hypotheses {
            self.solver.assert(pool, h);
        }
        let result = self.refute_all(pool, obligations);
        self.solver.pop();
        self.count += obligations.len();
        result
    }

    fn by_execution(&self) -> Option<&Budget> {
        Some(self.budget)
    }
}

impl Refuter<'_> {
    /// All at once first; one by one to name the one that fails.
    fn refute_all(&mut self, pool: &mut Pool, obligations: &[Obligation]) -> Result<(), Reason> {
        if obligations.len() > 1 {
            let violations: Vec<TermId> = obligations.iter().map(|o| o.violation).collect();
            let any = pool.or(&violations);
            if matches!(self.ask(pool, any), Answer::Unsat) {
                return Ok(());
            }
        }
        for obligation in obligations {
            match self.ask(pool, obligation.violation) {
                Answer::Unsat => {}
                Answer::Sat => {
                    return Err(Reason::EvidenceRejected {
                        why: format!("{} does not hold", describe(self.program, obligation.duty)),
                    });
                }
                Answer::Unknown(Unknown::Budget(stop)) => return Err(Reason::OutOfBudget(stop)),
                Answer::Unknown(Unknown::Incomplete(why)) => {
                    return Err(Reason::EvidenceRejected {
                        why: format!(
                            "{} could not be decided ({why})",
                            describe(self.program, obligation.duty)
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    fn ask(&mut self, pool: &mut Pool, formula: TermId) -> Answer {
        self.solver.push();
        self.solver.assert(pool, formula);
        let answer = self.solver.check(pool, &[], self.budget);
        self.solver.pop();
        answer
    }
}

/// An obligation in words.
pub fn describe(program: &Program, duty: Duty) -> String {
    let place = |loc: program::LocId| {
        let l = &program.locations[loc];
        let function = &program.functions[l.func].name;
        if l.span.is_known() {
            format!("{loc} (`{function}`, line {})", l.span.line)
        } else {
            format!("{loc} (`{function}`)")
        }
    };
    match duty {
        Duty::Entry(f) => format!(
            "the assertion at the entry of `{}`",
            program.functions[f].name
        ),
        Duty::Inductive { from, to } => {
            format!(
                "the assertion at {}, coming from {},",
                place(to),
                place(from)
            )
        }
        Duty::Error { from, error } => format!(
            "that error {} is unreachable from {}",
            place(error),
            place(from)
        ),
        Duty::Exit { from, function } => format!(
            "`ensures` of `{}`, coming from {},",
            program.functions[function].name,
            place(from)
        ),
        Duty::Call { from, edge } => format!(
            "`requires` of the call in line {}, coming from {},",
            program.edges[edge].span.line,
            place(from)
        ),
    }
}

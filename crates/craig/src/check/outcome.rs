//! What a run ends with: a checked verdict, the program it is about, and an account of the run.
//! Every output is made from these; the exit status too.

use crate::load::Loaded;
use crate::witness::validate;
use evidence::{Checked, Counterexample, Findings, Verdict, VerdictKind};
use report::{Confirmation, LoopInvariant, Subject, WitnessVersion};

/// The end of a run.
pub struct Outcome {
    /// The verdict, with its evidence: what all outputs say.
    pub verdict: Checked<Verdict>,
    /// The program that was checked.
    pub input: Loaded,
    /// What is known of each check of the program.
    pub findings: Findings,
    /// Where every check is decided: an execution for each that is violated, as it can be replayed.
    pub violations: Vec<Counterexample>,
    /// What happened on the way.
    pub account: Account,
}

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The engine, with what it decided on the way.
    pub engine: String,
    /// Counters of the run by name.
    pub counters: Vec<(String, u64)>,
    /// The predicates the engine ended with, if it has any, as `--precision-in` takes them.
    pub precision: Option<String>,
    /// The summaries the engine ended with, if it has any, as `--summaries-in` takes them.
    pub summaries: Option<String>,
    /// What the engine did, in order, as JSON lines, if that was asked for.
    pub log: Option<String>,
    /// Another solver that confirmed the proof.
    pub confirmation: Option<Confirmation>,
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// When the run ended: ISO 8601 with offset.
    pub creation_time: String,
}

impl Account {
    /// A counter's value; zero if nothing was counted.
    pub fn counter(&self, name: &str) -> u64 {
        let found = self.counters.iter().find(|(n, _)| n == name);
        found.map_or(0, |(_, value)| *value)
    }
}

impl Outcome {
    /// The verdict without its evidence.
    pub fn kind(&self) -> VerdictKind {
        self.verdict.get().kind()
    }

    /// What the functions of crate `report` take.
    pub fn subject(&self) -> Subject<'_> {
        let (input, account) = (&self.input, &self.account);
        Subject {
            pool: &input.pool,
            program: &input.program,
            debug: &input.debug,
            sources: &input.sources,
            files: &input.files,
            verdict: &self.verdict,
            engine: &account.engine,
            specification: &input.options.properties.specification,
            data_model: input.options.data_model(),
            creation_time: &account.creation_time,
            seconds: account.seconds,
            stats: &account.counters,
            findings: &self.findings,
            every_check: input.options.properties.every_check,
            whole_trace: false,
            log: account.log.as_deref(),
            confirmation: account.confirmation.as_ref(),
        }
    }

    /// The loop invariants of the proof, as C expressions at the loops of the source; empty unless the
    /// verdict is `safe`.
    pub fn loop_invariants(&self) -> Vec<LoopInvariant> {
        match self.verdict.get() {
            Verdict::Safe(proof) => report::loop_invariants(&self.subject(), proof),
            _ => Vec::new(),
        }
    }

    /// The values that lead to the violation; empty unless the verdict is `unsafe`.
    pub fn inputs(&self) -> Vec<report::Input> {
        let trace = self.verdict.record().trace.as_ref();
        trace.map_or_else(Vec::new, |t| report::inputs(&self.subject(), t))
    }

    /// The account for people.
    pub fn text(&self) -> String {
        report::text(&self.subject())
    }

    /// The account for people, with the steps of an execution that do not matter.
    pub fn whole_text(&self) -> String {
        report::text(&Subject {
            whole_trace: true,
            ..self.subject()
        })
    }

    /// The machine-readable report.
    pub fn json(&self) -> String {
        report::json(&self.subject())
    }

    /// The result as SARIF 2.1.0.
    pub fn sarif(&self) -> String {
        report::sarif(&self.subject())
    }

    /// One HTML page.
    pub fn html(&self) -> String {
        report::html(&self.subject())
    }

    /// The witness of a definite verdict about a C program.
    pub fn witness(&self, version: WitnessVersion) -> Option<String> {
        report::witness(&self.subject(), version)
    }

    /// A C file with the inputs of a counterexample.
    pub fn harness(&self) -> Option<String> {
        report::harness(&self.subject())
    }

    /// The proof with all its obligations (docs/certificates.md), if there is one.
    pub fn certificate(&mut self) -> Option<String> {
        let json = validate::write_certificate(self).ok().flatten()?;
        Some(format!("{json:#}\n"))
    }
}

//! The state of a running script: assertions by level, options, the last answer.

use super::backend::{Backend, Interpolation};
use base::{Budget, FxHashMap};
use logic::smtlib::{
    CommandKind, Partitions, SourceId, Sources, print_definition, print_symbol, print_term,
    print_value,
};
use logic::{Model, Pool, SymbolId, TermId, Value};
use smt::{Answer, Unknown};
use std::time::Duration;

/// What a command answers: a text, nothing, or an error.
type Response = Result<Option<String>, String>;

struct Assertion {
    term: TermId,
    name: Option<String>,
    /// As it was written, with `:produce-proofs`.
    source: Option<SourceId>,
    /// The solver has it; with cores on, named assertions are assumptions of each check instead.
    in_solver: bool,
}

/// What `pop` goes back to.
#[derive(Clone, Copy)]
struct Level {
    assertions: usize,
    symbols: usize,
}

/// The last check, while nothing was asserted or popped since.
struct Last {
    answer: Answer,
    /// The assumptions of the check as the user wrote them.
    assumptions: Vec<(String, TermId)>,
    model: Option<Model>,
}

pub(crate) struct Session<'b> {
    pub pool: Pool,
    backend: &'b mut dyn Backend,
    budget: Budget,
    assertions: Vec<Assertion>,
    symbols: Vec<SymbolId>,
    levels: Vec<Level>,
    options: FxHashMap<String, String>,
    /// From `(set-info :status …)`, for the next check.
    status: Option<String>,
    last: Option<Last>,
    reason_unknown: &'static str,
}

/// The options a script may set, with their defaults.
const OPTIONS: [(&str, &str); 11] = [
    (":print-success", "false"),
    (":produce-models", "true"),
    (":produce-unsat-cores", "false"),
    (":produce-unsat-assumptions", "true"),
    (":produce-interpolants", "true"),
    (":produce-assertions", "true"),
    (":produce-proofs", "false"),
    (":global-declarations", "false"),
    (":timeout", "0"),
    (":random-seed", "0"),
    (":verbosity", "0"),
];

pub(crate) fn error_response(message: &str) -> String {
    format!("(error \"{}\")", message.replace('"', "\"\""))
}

impl<'b> Session<'b> {
    pub fn new(backend: &'b mut dyn Backend, budget: Budget) -> Self {
        Session {
            pool: Pool::new(),
            backend,
            budget,
            assertions: Vec::new(),
            symbols: Vec::new(),
            levels: Vec::new(),
            options: FxHashMap::default(),
            status: None,
            last: None,
            reason_unknown: "incomplete",
        }
    }

    fn option(&self, name: &str) -> &str {
        let default = || OPTIONS.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        match self.options.get(name) {
            Some(value) => value,
            None => default().unwrap_or("false"),
        }
    }

    fn is_on(&self, name: &str) -> bool {
        self.option(name) == "true"
    }

    fn success(&self) -> Response {
        Ok(self.is_on(":print-success").then(|| "success".into()))
    }

    /// Runs a command; `sources` is what the script says, where that is kept.
    pub fn run(&mut self, command: CommandKind, sources: Option<&Sources>) -> Response {
        match command {
            CommandKind::SetLogic(_)
            | CommandKind::DeclareSort(_)
            | CommandKind::Define
            | CommandKind::Exit => {}
            CommandKind::SetOption(key, value) => {
                if !OPTIONS.iter().any(|(n, _)| *n == key) {
                    return Ok(Some("unsupported".into()));
                }
                let early = [":produce-unsat-cores", ":produce-proofs"];
                if early.contains(&&*key) && !self.assertions.is_empty() {
                    return Err("the option has to be set before the first assertion".into());
                }
                let fresh = self.assertions.is_empty() && self.levels.is_empty();
                if key == ":produce-interpolants" && value == "true" && fresh {
                    self.backend.expect_interpolants();
                }
                self.options.insert(key, value);
            }
            CommandKind::SetInfo(key, value) => {
                if key == ":status" {
                    self.status = Some(value);
                }
            }
            CommandKind::Declare(symbol) => self.symbols.push(symbol),
            CommandKind::Assert { term, name, source } => self.assert(term, name, source),
            CommandKind::Push(n) => {
                self.last = None;
                for _ in 0..n {
                    self.backend.push();
                    self.levels.push(Level {
                        assertions: self.assertions.len(),
                        symbols: self.symbols.len(),
                    });
                }
            }
            CommandKind::Pop(n) => self.pop(n),
            CommandKind::CheckSat => return self.check(Vec::new()),
            CommandKind::CheckSatAssuming(list) => return self.check(list),
            CommandKind::GetProof => return self.get_proof(sources),
            CommandKind::GetModel => return self.get_model(),
            CommandKind::GetValue(terms) => return self.get_value(&terms),
            CommandKind::GetUnsatCore => return self.get_unsat_core(),
            CommandKind::GetUnsatAssumptions => return self.get_unsat_assumptions(),
            CommandKind::GetInterpolants(parts) => return self.get_interpolants(&parts),
            CommandKind::GetAssertions => {
                let list = self
                    .assertions
                    .iter()
                    .map(|a| print_term(&self.pool, a.term));
                return Ok(Some(format!("({})", list.collect::<Vec<_>>().join("\n "))));
            }
            CommandKind::GetInfo(key) => return Ok(Some(self.info(&key))),
            CommandKind::GetOption(key) => {
                let known = OPTIONS.iter().any(|(n, _)| *n == key);
                let value = if known {
                    self.option(&key)
                } else {
                    "unsupported"
                };
                return Ok(Some(value.to_string()));
            }
            CommandKind::Echo(text) => {
                return Ok(Some(format!("\"{}\"", text.replace('"', "\"\""))));
            }
            CommandKind::Reset => {
                self.clear();
                self.symbols.clear();
                self.options.clear();
                self.pool = Pool::new();
            }
            CommandKind::ResetAssertions => {
                let symbols = self.levels.first().map(|l| l.symbols);
                self.clear();
                if let Some(n) = symbols.filter(|_| !self.is_on(":global-declarations")) {
                    self.symbols.truncate(n);
                }
            }
        }
        self.success()
    }

    fn clear(&mut self) {
        self.backend.reset();
        self.assertions.clear();
        self.levels.clear();
        self.status = None;
        self.last = None;
    }

    fn assert(&mut self, term: TermId, name: Option<String>, source: Option<SourceId>) {
        self.last = None;
        let in_solver = name.is_none() || !self.is_on(":produce-unsat-cores");
        if in_solver {
            self.backend.assert(&mut self.pool, term, &self.budget);
        }
        self.assertions.push(Assertion {
            term,
            name,
            source,
            in_solver,
        });
    }

    fn pop(&mut self, n: u32) {
        self.last = None;
        for _ in 0..n {
            if let Some(level) = self.levels.pop() {
                self.backend.pop();
                self.assertions.truncate(level.assertions);
                if !self.is_on(":global-declarations") {
                    self.symbols.truncate(level.symbols);
                }
            }
        }
    }

    fn check(&mut self, assumptions: Vec<(String, TermId)>) -> Response {
        let mut terms: Vec<TermId> = self
            .assertions
            .iter()
            .filter(|a| !a.in_solver)
            .map(|a| a.term)
            .collect();
        terms.extend(assumptions.iter().map(|(_, t)| *t));
        let budget = match self.option(":timeout").parse() {
            Ok(ms) if ms > 0 => self.budget.clone().with_time(Duration::from_millis(ms)),
            _ => self.budget.clone(),
        };
        let mut answer = self.backend.check(&mut self.pool, &terms, &budget);
        let mut model = None;
        if answer == Answer::Sat {
            // A model that fails an assertion is a fault of the solver: then there is no answer.
            let candidate = self.backend.model(&mut self.pool);
            let assumed = assumptions.iter().map(|(_, t)| *t);
            if self.holds(&candidate, assumed.collect()) {
                model = Some(candidate);
            } else {
                answer = Answer::Unknown(Unknown::Incomplete("the model fails an assertion"));
            }
        }
        let text = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(why) => {
                self.reason_unknown = match why {
                    Unknown::Budget(base::Stop::Memory) => "memout",
                    Unknown::Budget(_) => "timeout",
                    Unknown::Incomplete(why) => why,
                };
                "unknown"
            }
        };
        self.last = Some(Last {
            answer,
            assumptions,
            model,
        });
        match self.status.take() {
            Some(expected)
                if matches!(&*expected, "sat" | "unsat")
                    && text != "unknown"
                    && expected != text =>
            {
                Err(format!("the answer is {text}, the status says {expected}"))
            }
            _ => Ok(Some(text.into())),
        }
    }

    fn holds(&mut self, model: &Model, mut terms: Vec<TermId>) -> bool {
        terms.extend(self.assertions.iter().map(|a| a.term));
        let values = self.backend.values(&mut self.pool, model, &terms);
        values.iter().all(|v| *v == Value::Bool(true))
    }

    fn model(&self) -> Result<&Model, String> {
        self.last
            .as_ref()
            .and_then(|l| l.model.as_ref())
            .ok_or_else(|| "there is no model: the last answer was not sat".to_string())
    }

    fn get_model(&self) -> Response {
        let model = self.model()?;
        let mut out = String::from("(\n");
        for &s in &self.symbols {
            out += &format!("  {}\n", print_definition(&self.pool, model, s));
        }
        out.push(')');
        Ok(Some(out))
    }

    fn get_value(&mut self, terms: &[(String, TermId)]) -> Response {
        let model = self.model()?.clone();
        let list: Vec<TermId> = terms.iter().map(|(_, t)| *t).collect();
        let found = self.backend.values(&mut self.pool, &model, &list);
        let values = terms.iter().zip(found).map(|((text, t), value)| {
            let value = print_value(&self.pool, &value, self.pool.sort_of(*t));
            format!("({text} {value})")
        });
        Ok(Some(format!(
            "({})",
            values.collect::<Vec<_>>().join("\n ")
        )))
    }

    fn after_unsat(&self) -> Result<&Last, String> {
        self.last
            .as_ref()
            .filter(|l| l.answer == Answer::Unsat)
            .ok_or_else(|| "the last answer was not unsat".to_string())
    }

    fn get_unsat_core(&self) -> Response {
        if !self.is_on(":produce-unsat-cores") {
            return Err("the option :produce-unsat-cores is not set".into());
        }
        self.after_unsat()?;
        let core = self.backend.core();
        let names: Vec<_> = self
            .assertions
            .iter()
            .filter(|a| core.contains(&a.term))
            .filter_map(|a| a.name.as_deref().map(print_symbol))
            .collect();
        Ok(Some(format!("({})", names.join(" "))))
    }

    /// The last check again with a proof, which is checked and written as Alethe.
    fn get_proof(&mut self, sources: Option<&Sources>) -> Response {
        if !self.is_on(":produce-proofs") {
            return Err("the option :produce-proofs is not set".into());
        }
        if !self.after_unsat()?.assumptions.is_empty() {
            return Err("no proof: assumptions of check-sat-assuming are not written".into());
        }
        let sources = sources.ok_or("the option :produce-proofs was not set early enough")?;
        let (mut terms, mut written) = (Vec::new(), Vec::new());
        for a in &self.assertions {
            terms.push(a.term);
            written.push(
                a.source
                    .ok_or("an assertion was made before :produce-proofs")?,
            );
        }
        let text = self
            .backend
            .proof(&mut self.pool, &terms, sources, &written, &self.budget)?;
        Ok(Some(format!("(\n{text})")))
    }

    fn get_unsat_assumptions(&self) -> Response {
        let last = self.after_unsat()?;
        let core = self.backend.core();
        let texts: Vec<&str> = last
            .assumptions
            .iter()
            .filter(|(_, t)| core.contains(t))
            .map(|(text, _)| &**text)
            .collect();
        Ok(Some(format!("({})", texts.join(" "))))
    }

    fn get_interpolants(&mut self, partitions: &Partitions) -> Response {
        self.after_unsat()?;
        let mut parts = Vec::new();
        for names in &partitions.parts {
            let mut terms = Vec::new();
            for name in names {
                let found = self
                    .assertions
                    .iter()
                    .find(|a| a.name.as_deref() == Some(name));
                let found = found.ok_or_else(|| format!("no assertion is named `{name}`"))?;
                terms.push(found.term);
            }
            parts.push(self.pool.and(&terms));
        }
        let root = parts.len() - 1;
        let parent: Vec<usize> = partitions.parent.iter().map(|&p| p.min(root)).collect();
        let pool = &mut self.pool;
        let mut answer = self
            .backend
            .interpolants(pool, &parts, &parent, &self.budget);
        // Assertions without a name hold for all parts, if they are needed.
        let nameless = self.assertions.iter().filter(|a| a.name.is_none());
        let others: Vec<TermId> = nameless.map(|a| a.term).collect();
        if let (Interpolation::Satisfiable, [_, ..]) = (&answer, &others[..]) {
            for part in &mut parts {
                let with: Vec<TermId> = others.iter().chain([&*part]).copied().collect();
                *part = pool.and(&with);
            }
            answer = self
                .backend
                .interpolants(pool, &parts, &parent, &self.budget);
        }
        match answer {
            Interpolation::Interpolants(list) => {
                let texts: Vec<String> = list.iter().map(|&t| print_term(pool, t)).collect();
                Ok(Some(format!("({})", texts.join("\n "))))
            }
            Interpolation::Satisfiable => {
                Err("no interpolants: the parts are satisfiable together".into())
            }
            Interpolation::None(why) => Err(format!("no interpolants: {why}")),
        }
    }

    fn info(&self, key: &str) -> String {
        let value = match key {
            ":name" => "\"craig\"".to_string(),
            ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            ":authors" => "\"the Craig authors\"".to_string(),
            ":error-behavior" => "continued-execution".to_string(),
            ":reason-unknown" => match self.reason_unknown {
                word @ ("timeout" | "memout" | "incomplete") => word.to_string(),
                text => format!("\"{}\"", text.replace('"', "\"\"")),
            },
            ":assertion-stack-levels" => self.levels.len().to_string(),
            ":all-statistics" => {
                let list = self.backend.statistics();
                let list: Vec<String> = list.iter().map(|(k, v)| format!(":{k} {v}")).collect();
                return format!("({})", list.join(" "));
            }
            _ => return "unsupported".into(),
        };
        format!("({key} {value})")
    }
}

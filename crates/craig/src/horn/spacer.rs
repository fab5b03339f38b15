//! `--solver-chc z3`: another program solves the Horn clauses of the program.
//!
//! Its model becomes assertions and contracts by the way back that `program::export::chc` gives:
//! ```text
//!   main@line1(x) := x <= 5            the assertion at that location
//!   f@entry(x, x') := x > 0            `requires` of f
//!   f@summary(x, r) := r > x           `ensures` of f, over the values at entry and exit
//! ```
//! Nothing of it is believed: the checker must accept the proof. `unsat` is not evidence either; an
//! engine of our own then looks for the execution.

use crate::check::process::Processes;
use crate::check::{judge, run_portfolio};
use base::Budget;
use engine::Task;
use evidence::{Checked, Contract, Proof, Reason, Scope, Verdict};
use logic::smtlib::{Hooks, Reader, ScriptReader, TermParser, Tree, print_symbol};
use logic::{Op, Pool, SymbolId, TermId};
use program::export::chc::{self, Clauses, Home, Predicate};
use program::{Program, VarKind};
use smt::external::{Launch, Received, entry};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The arguments under which z3 changes the system least, so that its model names each predicate.
const PLAIN: &[&str] = &[
    "fp.xform.slice=false",
    "fp.xform.inline_linear=false",
    "fp.xform.inline_eager=false",
];

/// Clauses solved by another program.
pub struct Spacer {
    /// `z3`, or a command that reads SMT-LIB from its standard input.
    pub solver: String,
    pub memory: Option<u64>,
}

/// What the solver said.
enum Reply {
    Model(String),
    Unsat,
    Other(String),
}

impl Spacer {
    /// Asks for a model and has the proof that it becomes judged.
    pub fn run(&self, task: &mut Task<'_>) -> Checked<Verdict> {
        let clauses = chc::encode(task.pool, task.program);
        let attempts: &[&[&str]] = match self.solver == "z3" {
            true => &[&[], PLAIN],
            false => &[&[]],
        };
        let mut last = Reason::NoProgress {
            what: "no attempt was made".into(),
        };
        for (i, extra) in attempts.iter().enumerate() {
            // Half of the time for the first attempt, all that is left for the last.
            let limit = match task.budget.remaining() {
                Some(left) if i + 1 < attempts.len() => left / 2,
                Some(left) => left,
                None => Duration::from_secs(600),
            };
            let reply = match self.ask(&clauses.text, extra, limit, task.budget) {
                Ok(reply) => reply,
                Err(reason) => return Checked::unknown(reason),
            };
            let model = match reply {
                Reply::Model(model) => model,
                Reply::Unsat => return self.find_execution(task),
                Reply::Other(what) => {
                    last = Reason::SolverGaveUp { what };
                    continue;
                }
            };
            let proof = match proof(task.pool, task.program, &clauses, &model, task.budget) {
                Ok(proof) => proof,
                Err(what) => {
                    let what = format!("the model of {} cannot be used: {what}", self.solver);
                    last = Reason::SolverGaveUp { what };
                    continue;
                }
            };
            let claim = Verdict::Safe(proof);
            let checked = judge(task.pool, task.program, claim, task.budget, task.stats);
            match checked.get() {
                Verdict::Unknown(reason) => last = reason.clone(),
                _ => return checked,
            }
        }
        Checked::unknown(last)
    }

    fn ask(
        &self,
        script: &str,
        extra: &[&str],
        limit: Duration,
        budget: &Budget,
    ) -> Result<Reply, Reason> {
        let failed = |what: String| Reason::SolverGaveUp { what };
        let mut words = match entry(&self.solver) {
            Some(e) => {
                let mut words = vec![e.command.to_string()];
                words.extend(e.arguments.iter().map(|a| a.to_string()));
                words
            }
            None => self.solver.split_whitespace().map(String::from).collect(),
        };
        words.extend(extra.iter().map(|a| a.to_string()));
        let Some((command, arguments)) = words.split_first() else {
            return Err(failed("--solver-chc names no program".into()));
        };
        let processes = Processes {
            memory: self.memory,
        };
        let mut process = processes.start(command, arguments).map_err(failed)?;
        let script = format!("{script}(get-model)\n(exit)\n");
        process.send(&script).map_err(failed)?;
        let deadline = Instant::now() + limit;
        let mut lines: Vec<String> = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Reply::Other(format!("{} ran out of time", self.solver)));
            }
            budget.check().map_err(Reason::OutOfBudget)?;
            match process.line(left.min(Duration::from_millis(200))) {
                Received::Line(line) => lines.push(line),
                Received::Nothing => {}
                Received::Closed => break,
            }
            if lines.first().is_some_and(|l| l.trim() == "unsat") {
                return Ok(Reply::Unsat);
            }
        }
        match lines.first().map(|l| l.trim()) {
            Some("sat") => Ok(Reply::Model(lines[1..].join("\n"))),
            Some(other) => Ok(Reply::Other(format!("{} answers `{other}`", self.solver))),
            None => Ok(Reply::Other(format!("{} gives no answer", self.solver))),
        }
    }

    /// The clauses are unsatisfiable: look for the execution that shows it.
    fn find_execution(&self, task: &mut Task<'_>) -> Checked<Verdict> {
        let checked = run_portfolio(task);
        match checked.get() {
            Verdict::Unsafe(_) => checked,
            _ => checked.weaken(Reason::NoProgress {
                what: format!("{} says unsafe, but no execution was found", self.solver),
            }),
        }
    }
}

/// A model of the clauses as a proof about the program.
fn proof(
    pool: &mut Pool,
    program: &Program,
    clauses: &Clauses,
    model: &str,
    budget: &Budget,
) -> Result<Proof, String> {
    let definitions = definitions(pool, &clauses.predicates, model, budget)?;
    let mut invariants = BTreeMap::new();
    let mut contracts: BTreeMap<_, Contract> = BTreeMap::new();
    let nothing = Contract {
        requires: pool.tt(),
        ensures: pool.tt(),
    };
    for (predicate, body) in clauses.predicates.iter().zip(definitions) {
        match predicate.home {
            Home::Summary(f) => {
                let contract = contracts.entry(f).or_insert_with(|| nothing.clone());
                contract.ensures = body;
            }
            Home::Location(loc) => {
                let f = program.locations[loc].func;
                if loc == program.functions[f].entry {
                    if f != program.entry {
                        let requires = at_entry(pool, program, f, body);
                        let contract = contracts.entry(f).or_insert_with(|| nothing.clone());
                        contract.requires = requires;
                    }
                } else if program.locations[loc].error.is_none() {
                    invariants.insert(loc, body);
                }
            }
        }
    }
    Ok(Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Modular,
        invariants,
        contracts,
    })
}

/// What holds at a function's entry as a demand on its callers: old values are the current ones,
/// and locals have any value (a guess: some value).
fn at_entry(pool: &mut Pool, program: &Program, f: program::FuncId, body: TermId) -> TermId {
    let mut pairs = Vec::new();
    for (v, var) in program.vars.iter_enumerated() {
        match var.kind {
            VarKind::Global | VarKind::Param => {
                pairs.push((program::old_term(pool, program, v), var.term));
            }
            VarKind::Local | VarKind::Return => {}
        }
    }
    let function = &program.functions[f];
    for &v in function.locals.iter().chain(&function.returns) {
        let sort = program.vars[v].sort;
        if pool.is_arith(sort)
            && let logic::Value::Num(n) = program.default_value(pool, v)
        {
            pairs.push((program.vars[v].term, pool.num(n, sort)));
        }
    }
    pool.substitute(body, &pairs)
}

/// Arguments of predicates by their number, and quantifiers eliminated.
struct ModelNames<'b> {
    args: Vec<TermId>,
    budget: &'b Budget,
}

impl Hooks for ModelNames<'_> {
    fn constant(&mut self, _: &mut Pool, name: &str) -> Option<TermId> {
        let number: usize = name.strip_prefix("arg!")?.parse().ok()?;
        self.args.get(number).copied()
    }

    fn quantifier(
        &mut self,
        pool: &mut Pool,
        exists: bool,
        vars: &[TermId],
        body: TermId,
    ) -> Result<TermId, String> {
        let symbol = |&v: &TermId| match pool.op(v) {
            Op::App(s) => Some(s),
            _ => None,
        };
        let symbols: Vec<SymbolId> = vars.iter().filter_map(symbol).collect();
        // A result that is not exact is a guess like the rest of the model.
        let result = match exists {
            true => smt::project::eliminate(pool, body, &symbols, self.budget),
            false => smt::project::eliminate_universally(pool, body, &symbols, self.budget),
        };
        let result = result.ok_or("a quantifier cannot be eliminated")?;
        Ok(result.formula)
    }
}

/// The definition of each predicate over its arguments; `true` for those that the model leaves out.
fn definitions(
    pool: &mut Pool,
    predicates: &[Predicate],
    model: &str,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    let inner = model.trim();
    let inner = inner
        .strip_prefix('(')
        .and_then(|t| t.strip_suffix(')'))
        .ok_or("it is no list of definitions")?;
    // z3 has written `(model …)` once.
    let inner = inner.trim_start();
    let inner = inner.strip_prefix("model").unwrap_or(inner);
    let mut hooks = ModelNames {
        args: Vec::new(),
        budget,
    };
    let mut reader = ScriptReader::new(inner);
    while let Some(command) = reader.next(pool, &mut hooks) {
        command.map_err(|e| e.to_string())?;
    }
    let mut parser: TermParser = reader.parser;
    let mut out = Vec::new();
    for p in predicates {
        let name = pool.symbol_data(p.symbol).name.to_string();
        if !parser.scope.is_bound(&name) {
            out.push(pool.tt());
            continue;
        }
        hooks.args = p.args.clone();
        let mut text = print_symbol(&name).into_owned();
        for i in 0..p.args.len() {
            text.push_str(&format!(" arg!{i}"));
        }
        if !p.args.is_empty() {
            text = format!("({text})");
        }
        let mut tree = Tree::default();
        match Reader::new(&text).read(&mut tree) {
            Some(Ok(())) => {}
            _ => return Err(format!("`{name}` cannot be read")),
        }
        let term = parser.term(pool, tree.root(&text), &mut hooks);
        out.push(term.map_err(|e| e.to_string())?);
    }
    Ok(out)
}

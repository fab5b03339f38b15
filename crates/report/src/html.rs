//! One self-contained HTML page (`--report`): the source beside the trace or the proof, with all values at each
//! step, calls, a picture of memory, the checks, the control-flow graph and the account of the run.
//!
//! The page is data and a script: [`Page`] as JSON in a `<script>` element, read by `page/page.js`. Only
//! rows in view exist as elements, so traces of 10,000 steps and files of 70,000 lines are fine.
//! Nothing is fetched.

use crate::refinement::{EngineRun, Place, refinement};
use crate::{Effect, Row, Subject, contract, findings, loop_invariants, rows, text};
use base::Id;
use evidence::Verdict;
use program::{FileId, Function, Note, Span, Stmt};
use serde::Serialize;
use std::collections::BTreeSet;

/// Functions with more locations have no picture of their graph.
const GRAPH_LIMIT: usize = 400;

#[derive(Serialize)]
struct Page<'a> {
    headline: String,
    entry: &'a str,
    files: Vec<FileOut<'a>>,
    /// The file that is shown first.
    open: usize,
    facts: Vec<Fact>,
    trace: Vec<Step>,
    objects: Vec<String>,
    invariants: Vec<InvariantOut>,
    contracts: Vec<ContractOut>,
    assumptions: Vec<NoteOut<'a>>,
    notes: Vec<NoteOut<'a>>,
    checks: Vec<CheckOut>,
    graphs: Vec<Graph>,
    /// How the search went: engine's own counters of refinement.
    log: Vec<(String, String)>,
    /// The refinements of each engine, with the tree or graph that it ended with.
    search: Vec<EngineRun>,
    statistics: &'a [(String, u64)],
    account: String,
}

#[derive(Serialize)]
struct FileOut<'a> {
    name: &'a str,
    text: &'a str,
}

/// Something said at a line.
#[derive(Serialize)]
struct Fact {
    file: usize,
    line: u32,
    text: String,
    bad: bool,
}

#[derive(Serialize)]
struct Step {
    file: Option<usize>,
    line: u32,
    function: String,
    depth: u32,
    source: String,
    facts: Vec<String>,
    enters: bool,
    matters: bool,
    returned: bool,
    effects: Vec<Effect>,
}

#[derive(Serialize)]
struct InvariantOut {
    place: Option<Place>,
    function: String,
    text: String,
}

#[derive(Serialize)]
struct ContractOut {
    place: Option<Place>,
    function: String,
    requires: String,
    ensures: String,
}

#[derive(Serialize)]
struct NoteOut<'a> {
    place: Option<Place>,
    message: &'a str,
}

#[derive(Serialize)]
struct CheckOut {
    status: &'static str,
    message: String,
    place: Option<Place>,
    function: String,
    property: &'static str,
    cwe: String,
    reason: String,
}

#[derive(Serialize)]
struct Graph {
    name: String,
    entry: usize,
    /// From, to, statement.
    edges: Vec<(usize, usize, String)>,
    /// Location, what it is, its line.
    marks: Vec<(usize, &'static str, String)>,
}

/// The files of the report, in the order of the source map; headers only where something is said of them.
struct Files {
    shown: Vec<FileId>,
}

impl Files {
    fn of(subject: &Subject<'_>, spans: impl Iterator<Item = Span>) -> Files {
        let used: BTreeSet<FileId> = spans.filter(Span::is_known).map(|s| s.file).collect();
        let given = |name: &str| subject.files.iter().any(|f| f.name == name);
        let files = subject.sources.files.iter_enumerated();
        let shown = files
            .filter(|(id, f)| !f.text.is_empty() && (used.contains(id) || given(&f.name)))
            .map(|(id, _)| id);
        Files {
            shown: shown.collect(),
        }
    }

    fn place(&self, span: Span) -> Option<Place> {
        let file = self.shown.iter().position(|f| *f == span.file)?;
        span.is_known().then_some(Place {
            file,
            line: span.line,
        })
    }
}

/// The page.
pub fn html(subject: &Subject<'_>) -> String {
    let data = serde_json::to_string(&page(subject)).expect("plain data is JSON");
    // In a script element only `</` could end the data early; JSON may write `<` so.
    let data = data.replace('<', "\\u003c");
    let word = subject.verdict.get().as_str();
    include_str!("page/page.html")
        .replace("@VERDICT@", word)
        .replace("@STYLE@", include_str!("page/page.css").trim_end())
        .replace("@SCRIPT@", include_str!("page/page.js").trim_end())
        .replace("@DATA@", &data)
}

fn page<'a>(subject: &'a Subject<'a>) -> Page<'a> {
    let program = subject.program;
    let trace = subject.verdict.record().trace.as_ref();
    let rows = trace.map_or_else(Vec::new, |t| rows(subject, t));
    let loops = match subject.verdict.get() {
        Verdict::Safe(proof) => loop_invariants(subject, proof),
        _ => Vec::new(),
    };
    let checks = findings(subject);
    let spans = rows.iter().map(|r| r.span);
    let spans = spans.chain(loops.iter().map(|l| l.span));
    let files = Files::of(subject, spans.chain(checks.iter().map(|c| c.span)));
    let mut facts: Vec<Fact> = Vec::new();
    let mut fact = |span: Span, text: String, bad: bool| {
        if let Some(Place { file, line }) = files.place(span) {
            facts.push(Fact {
                file,
                line,
                text,
                bad,
            });
        }
    };
    for l in &loops {
        fact(l.span, format!("invariant: {}", l.text), false);
    }
    let error = trace.and_then(|t| program.locations[t.error].error.as_ref());
    if let Some(tag) = error {
        fact(tag.span, format!("violated: {}", tag.message), true);
    }
    let contracts = contracts(subject, &files);
    for (function, c) in &contracts {
        let text = format!("requires {}; ensures {}", c.requires, c.ensures);
        fact(function.span, text, false);
    }
    let headline = match (subject.verdict.get(), error) {
        (Verdict::Unsafe(_), Some(tag)) => {
            let why = trace.map_or_else(String::new, |t| crate::explain(subject, t).text);
            let place = subject.sources.place(tag.span);
            match why.is_empty() {
                true => format!("{} at {place}", tag.message),
                false => format!("{} at {place}: {why}", tag.message),
            }
        }
        (Verdict::Safe(_), _) => {
            format!("no execution violates a property ({} checks)", checks.len())
        }
        (Verdict::Unknown(reason), _) => crate::reason_text(reason, subject.sources),
        _ => String::new(),
    };
    let opened = error.map(|t| t.span).or(loops.first().map(|l| l.span));
    Page {
        headline,
        entry: &program.functions[program.entry].name,
        open: opened.and_then(|s| files.place(s)).map_or(0, |p| p.file),
        facts,
        objects: objects(subject),
        invariants: loops
            .into_iter()
            .map(|l| InvariantOut {
                place: files.place(l.span),
                function: l.function,
                text: l.text,
            })
            .collect(),
        contracts: contracts.into_iter().map(|(_, c)| c).collect(),
        assumptions: notes(&files, &program.assumptions),
        notes: notes(&files, &program.notes),
        checks: checks
            .into_iter()
            .map(|c| CheckOut {
                status: c.status,
                message: c.message.to_string(),
                place: files.place(c.span),
                function: c.function.to_string(),
                property: crate::property_name(c.property),
                cwe: format!("CWE-{}", c.cwe),
                reason: c.why,
            })
            .collect(),
        graphs: graphs(subject),
        log: log(subject),
        search: search(subject, &files),
        statistics: subject.stats,
        account: text(subject),
        trace: rows.into_iter().map(|r| step(&files, r)).collect(),
        files: files
            .shown
            .iter()
            .map(|f| &subject.sources.files[*f])
            .map(|f| FileOut {
                name: &f.name,
                text: &f.text,
            })
            .collect(),
    }
}

fn step(files: &Files, row: Row) -> Step {
    let place = files.place(row.span);
    Step {
        file: place.map(|p| p.file),
        line: place.map_or(0, |p| p.line),
        facts: row.facts(),
        function: row.function,
        depth: row.depth,
        source: row.source,
        enters: row.enters,
        matters: row.matters,
        returned: row.returned,
        effects: row.effects,
    }
}

/// The names of the objects that live from the start, by number.
fn objects(subject: &Subject<'_>) -> Vec<String> {
    let objects = subject.debug.objects.values();
    let name = |o: &program::DebugObject| match &o.text {
        Some(_) => "string literal".to_string(),
        None => o.name.clone(),
    };
    objects.map(name).collect()
}

fn notes<'a>(files: &Files, notes: &'a [Note]) -> Vec<NoteOut<'a>> {
    let at = |n: &'a Note| NoteOut {
        place: files.place(n.span),
        message: &n.message,
    };
    notes.iter().map(at).collect()
}

fn contracts<'a>(subject: &'a Subject<'a>, files: &Files) -> Vec<(&'a Function, ContractOut)> {
    let Verdict::Safe(proof) = subject.verdict.get() else {
        return Vec::new();
    };
    let functions = &subject.program.functions;
    let known = proof.contracts.iter().filter_map(|(&f, c)| {
        let function = functions.get(f).filter(|f| f.is_written())?;
        let (requires, ensures) = contract(subject, f, c);
        let out = ContractOut {
            place: files.place(function.span),
            function: function.name.clone(),
            requires,
            ensures,
        };
        Some((function, out))
    });
    known.collect()
}

/// How the search went, at places of the files shown.
fn search(subject: &Subject<'_>, files: &Files) -> Vec<EngineRun> {
    let place = |file: u64, line: u64| {
        let file = FileId::from_index(usize::try_from(file).ok()?);
        let file = files.shown.iter().position(|f| *f == file)?;
        let line = u32::try_from(line).ok()?;
        Some(Place { file, line })
    };
    subject
        .log
        .map_or_else(Vec::new, |log| refinement(log, &place))
}

/// Counters that tell how the refinement went.
fn log(subject: &Subject<'_>) -> Vec<(String, String)> {
    let mut out = vec![("engine".to_string(), subject.engine.to_string())];
    let words = [
        "refine",
        "node",
        "cover",
        "predicate",
        "interpol",
        "split",
        "summar",
        "unwind",
        "depth",
    ];
    for (name, value) in subject.stats {
        if words.iter().any(|w| name.contains(w)) {
            out.push((name.replace('_', " "), value.to_string()));
        }
    }
    out
}

/// The control-flow graphs of the user's functions, with the lines of the source as labels.
fn graphs(subject: &Subject<'_>) -> Vec<Graph> {
    let program = subject.program;
    let mut out: Vec<Graph> = Vec::new();
    let mut statements = crate::statement::Statements::default();
    for (id, function) in program.functions.iter_enumerated() {
        let inside = |l: program::LocId| program.locations[l].func == id;
        let edges: Vec<_> = program.edges.iter().filter(|e| inside(e.from)).collect();
        if function.name.contains('.') || edges.len() > GRAPH_LIMIT {
            continue;
        }
        let locations = program
            .locations
            .iter_enumerated()
            .filter(|(l, _)| inside(*l));
        let marks = locations.filter_map(|(l, data)| {
            let what = match (&data.error, data.loop_head) {
                (Some(_), _) => "error",
                (_, Some(_)) => "loop head",
                _ if l == function.entry => "entry",
                _ if l == function.exit => "exit",
                _ => "location",
            };
            let line = data.span.is_known().then(|| data.span.line.to_string());
            Some((l.index(), what, line?))
        });
        out.push(Graph {
            name: function.name.clone(),
            entry: function.entry.index(),
            marks: marks.collect(),
            edges: edges
                .iter()
                .map(|e| {
                    let label = label(&e.stmt);
                    let text = statements.at(subject.sources, e.span).map(|(_, t)| t);
                    let text = text.filter(|_| !label.is_empty());
                    let text = text.map_or(label.to_string(), |t| format!("{label}{t}"));
                    (e.from.index(), e.to.index(), text)
                })
                .collect(),
        });
    }
    // The entry comes first.
    let entry = &program.functions[program.entry].name;
    out.sort_by_key(|g| g.name != *entry);
    out
}

fn label(stmt: &Stmt) -> &'static str {
    match stmt {
        Stmt::Skip => "",
        Stmt::Assign(_) => " ",
        Stmt::Assume(_) => "? ",
        Stmt::Havoc(..) => "← ",
        Stmt::Call { .. } => "call ",
    }
}

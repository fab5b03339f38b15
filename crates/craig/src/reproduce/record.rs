//! What the outside did in a counterexample: the interpreter runs it once more, and each value of the
//! environment is put where it came from: command line, standard input, a variable, a file.

use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Output};
use program::{EdgeId, InputKind, LocId, OutputCall, Program, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The outside of one execution.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The command line, the program's name first; empty if the program does not look at it.
    pub arguments: Vec<Vec<u8>>,
    /// How many arguments there are, the program's name among them, if the program asks.
    pub count: i64,
    pub stdin: Vec<u8>,
    /// Variables of the environment; without a value they are not set.
    pub environment: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Nothing else is set.
    pub alone: bool,
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Numbers that functions of the library return in order: `rand`, `time`, whether `malloc` fails.
    pub numbers: BTreeMap<String, Vec<i64>>,
    /// Whether the program talks through a socket; how many bytes each call received.
    pub sockets: bool,
    pub counts: Vec<i64>,
    /// What no file can say.
    pub missing: BTreeSet<String>,
}

/// Inputs that are results of functions, which can be put in place of the library's.
pub const RESULTS: &[&str] = &["rand", "time", "clock", "malloc.fails", "realloc.fails"];

/// Inputs that follow from others.
const SILENT: &[&str] = &[
    "written",
    "stdin.line",
    "descriptor",
    "stdin.error",
    "fclose.fails",
    "write.fails",
    "scan.length",
    "fopen.fails",
    "environment.present",
    "environment.length",
    "argv.length",
];

/// Runs the program on the values of a counterexample.
pub fn record(
    pool: &Pool,
    program: &Program,
    initial: &[(VarId, Value)],
    chosen: &[evidence::Chosen],
    steps: u64,
) -> Recording {
    let mut recorder = Recorder {
        pool,
        program,
        initial: initial.iter().cloned().collect(),
        chosen: chosen.iter().map(|c| (c.edge, c.value.clone())).collect(),
        out: Recording::default(),
        variable: Vec::new(),
        file: Vec::new(),
        opens: false,
        left: 0,
    };
    let limits = Limits {
        steps: steps.saturating_add(1),
        ..Limits::default()
    };
    Interpreter::new(pool, program).run(&mut recorder, &limits);
    recorder.out
}

struct Recorder<'a> {
    pool: &'a Pool,
    program: &'a Program,
    initial: BTreeMap<VarId, Value>,
    chosen: VecDeque<(EdgeId, Value)>,
    out: Recording,
    /// The variable and the file that were asked for last.
    variable: Vec<u8>,
    file: Vec<u8>,
    /// The next descriptor is that of the file.
    opens: bool,
    /// Characters of a scanned word that are still to come.
    left: i64,
}

impl Recorder<'_> {
    fn note(&mut self, what: &str, n: i64) {
        let byte = n as u8;
        match what {
            "argc" => self.out.count = n,
            "stdin.count" => self.out.counts.push(n),
            "stdin" if n >= 0 => self.out.stdin.push(byte),
            "stdin.byte" => self.out.stdin.push(byte),
            "stdin.wide" | "scan.wide" if n >= 0 => {
                let c = char::from_u32(n as u32).unwrap_or('?');
                let mut buffer = [0; 4];
                self.out.stdin.extend(c.encode_utf8(&mut buffer).bytes());
            }
            "scan" if n == 0 => self.out.stdin.push(b'x'),
            "scan.int" => self.out.stdin.extend(format!("{n}\n").bytes()),
            "scan.length" => self.left = n,
            "scan.byte" => {
                self.out.stdin.push(byte);
                self.left -= 1;
                if self.left == 0 {
                    self.out.stdin.push(b'\n');
                }
            }
            "file" if n >= 0 => self.file_byte(byte),
            "file.byte" => self.file_byte(byte),
            // A file that was opened is there, read or not.
            "descriptor" if self.opens && n >= 0 => {
                self.opens = false;
                self.out.files.entry(self.file.clone()).or_default();
            }
            "environment.count" if n == 0 => self.out.alone = true,
            "fopen.fails" if n == 0 => {
                self.out.files.entry(self.file.clone()).or_default();
            }
            "environment.present" => {
                let value = (n != 0).then(Vec::new);
                self.out.environment.insert(self.variable.clone(), value);
            }
            "stdin" | "file" | "scan" => {}
            _ if RESULTS.contains(&what) => {
                self.out.numbers.entry(what.into()).or_default().push(n);
            }
            _ if SILENT.contains(&what) => {}
            // A call that does what it should needs nothing.
            _ if what.ends_with(".fails") && n == 0 => {}
            _ => {
                self.out.missing.insert(what.into());
            }
        }
    }

    fn file_byte(&mut self, byte: u8) {
        self.out
            .files
            .entry(self.file.clone())
            .or_default()
            .push(byte);
    }
}

impl Oracle for Recorder<'_> {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        self.initial.get(&var).cloned()
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let program = self.program;
        let mut values = Vec::with_capacity(vars.len());
        for &var in vars {
            let mine = self.chosen.front().is_some_and(|(e, _)| *e == edge);
            let value = match self.chosen.pop_front() {
                Some((_, value)) if mine => value,
                other => {
                    other.into_iter().for_each(|o| self.chosen.push_front(o));
                    program.default_value(self.pool, var)
                }
            };
            if let Stmt::Havoc(_, InputKind::Environment { what }) = &program.edges[edge].stmt {
                let n = match &value {
                    Value::Num(n) => n.to_i64().unwrap_or(0),
                    Value::Bool(b) => i64::from(*b),
                    _ => 0,
                };
                self.note(what, n);
            }
            values.push(value);
        }
        Some(values)
    }

    // Loops that only count ask and say nothing.
    fn may_skip(&self, _at: LocId) -> bool {
        true
    }

    fn output(&mut self, _edge: EdgeId, call: &OutputCall, args: &[Output]) {
        let text = args
            .first()
            .and_then(|o| o.text.clone())
            .unwrap_or_default();
        match call.function.as_str() {
            "ask getenv" => self.variable = text,
            "ask fopen" | "ask open" => {
                self.file = text;
                self.opens = call.function == "ask open";
            }
            "ask socket" => self.out.sockets = true,
            "ask argument" => self.out.arguments.push(text),
            "ask value" => {
                let name = self.variable.clone();
                self.out.environment.insert(name, Some(text));
            }
            _ => {}
        }
    }
}

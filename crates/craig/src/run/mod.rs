//! `craig run`: executes a program in the concrete interpreter, with output and exit status as the
//! compiled program would give.

mod printf;

use crate::Error;
use crate::load::Loaded;
use crate::run::printf::{Widths, printf};
use logic::{Pool, Rational, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome, Output};
use program::{EdgeId, InputKind, LocId, OutputCall, Program, Stmt, VarId};
use std::io::Write;

/// Where nondeterministic values come from.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// All zero.
    Zero,
    /// Random from this seed.
    Random(u64),
    /// In order; zero when they run out.
    List(Vec<Rational>),
}

impl Inputs {
    /// One number a line; `#` begins a comment.
    pub fn parse(text: &str) -> Result<Inputs, Error> {
        let mut list = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let word = line.split('#').next().unwrap_or("").trim();
            if word.is_empty() {
                continue;
            }
            let value = Rational::parse_decimal(word)
                .filter(Rational::is_integer)
                .ok_or_else(|| format!("inputs, line {}: `{word}` is no integer", i + 1))?;
            list.push(value);
        }
        Ok(Inputs::List(list))
    }
}

/// How a program that ran ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// As a shell sees it; 134 for `abort`.
    pub status: u8,
    /// What the compiled program would not say: an error reached, a stop by an assumption.
    pub note: Option<String>,
}

/// Runs a program; what it prints goes to `out`.
pub fn run(
    loaded: &Loaded,
    inputs: Inputs,
    bits32: bool,
    steps: u64,
    out: &mut dyn Write,
) -> Ended {
    let (pool, program) = (&loaded.pool, &loaded.program);
    let mut world = World {
        pool,
        program,
        inputs,
        next: 0,
        out,
        widths: Widths {
            long: if bits32 { 32 } else { 64 },
        },
        status: None,
    };
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let mut interpreter = Interpreter::new(pool, program);
    let run = interpreter.run(&mut world, &limits);
    let _ = world.out.flush();
    if let Some(status) = world.status {
        return Ended { status, note: None };
    }
    let place = |loc: LocId| loaded.sources.place(program.locations[loc].span);
    match run.outcome {
        Outcome::Exited => {
            let result = program.functions[program.entry].returns.first();
            let value = result.and_then(|&r| interpreter.value(r));
            Ended {
                status: value.as_ref().map_or(0, low_byte),
                note: None,
            }
        }
        Outcome::ReachedError(loc) => Ended {
            status: 134,
            note: program.locations[loc]
                .error
                .as_ref()
                .map(|tag| format!("{}: {}", loaded.sources.place(tag.span), tag.message)),
        },
        Outcome::OutOfSteps => Ended {
            status: 2,
            note: Some(format!("stopped after {steps} steps")),
        },
        Outcome::OutOfMemory => Ended {
            status: 2,
            note: Some("out of memory".into()),
        },
        Outcome::Blocked(loc) | Outcome::OutOfInputs(loc) | Outcome::Rejected(loc) => Ended {
            status: 2,
            note: Some(format!(
                "{}: stopped: an assumption is false or the behaviour is undefined",
                place(loc)
            )),
        },
    }
}

fn low_byte(value: &Value) -> u8 {
    value.as_num().map_or(0, |n| {
        logic::machine::wrap_value(8, false, n)
            .to_i64()
            .unwrap_or(0) as u8
    })
}

struct World<'a> {
    pool: &'a Pool,
    program: &'a Program,
    inputs: Inputs,
    next: usize,
    out: &'a mut dyn Write,
    widths: Widths,
    /// Set when the program called `exit` or `abort`.
    status: Option<u8>,
}

impl World<'_> {
    fn input(&mut self, var: VarId) -> Value {
        let default = self.program.default_value(self.pool, var);
        let value = match &mut self.inputs {
            Inputs::Zero => return default,
            Inputs::List(list) => {
                self.next += 1;
                list.get(self.next - 1).cloned()
            }
            Inputs::Random(state) => Some(random(state, self.program, var)),
        };
        match (value, &default) {
            (Some(n), Value::Num(_)) if self.program.in_range(var, &Value::Num(n.clone())) => {
                Value::Num(n)
            }
            (Some(n), Value::Bool(_)) => Value::Bool(!n.is_zero()),
            _ => default,
        }
    }
}

/// Half of the values are small, the others anywhere in the range.
fn random(state: &mut u64, program: &Program, var: VarId) -> Rational {
    let mut draw = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *state >> 16
    };
    let small = draw() % 2 == 0;
    let raw = draw() << 32 ^ draw();
    match &program.vars[var].range {
        Some((low, high)) => {
            let size = &(high - low) + &Rational::ONE;
            let offset = if small {
                Rational::from(raw % 8)
            } else {
                Rational::from(raw)
            };
            let base = if low.is_negative() && small {
                Rational::from(-4)
            } else {
                low.clone()
            };
            let value = &base + &offset.rem_euclid(&size);
            if value > *high { low.clone() } else { value }
        }
        None => Rational::from(raw as i64 % 1000),
    }
}

impl Oracle for World<'_> {
    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let nondet = matches!(
            &self.program.edges[edge].stmt,
            Stmt::Havoc(_, InputKind::Nondet { .. })
        );
        let value = |v: &VarId| {
            if nondet {
                self.input(*v)
            } else {
                self.program.default_value(self.pool, *v)
            }
        };
        Some(vars.iter().map(value).collect())
    }

    fn output(&mut self, _edge: EdgeId, call: &OutputCall, args: &[Output]) {
        let first = args.first();
        let text = |o: Option<&Output>| o.and_then(|o| o.text.clone()).unwrap_or_default();
        let bytes = match call.function.as_str() {
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                self.status
                    .get_or_insert(first.map_or(0, |o| low_byte(&o.value)));
                return;
            }
            "abort" | "trap" | "unreachable" => {
                self.status.get_or_insert(134);
                return;
            }
            "putchar" | "putc" | "fputc" | "putchar_unlocked" => {
                vec![first.map_or(0, |o| low_byte(&o.value))]
            }
            "puts" => {
                let mut line = call.format.clone().unwrap_or_else(|| text(first));
                line.push(b'\n');
                line
            }
            _ => match &call.format {
                Some(format) => printf(format, args, self.widths),
                None => match args.split_first() {
                    Some((format, rest)) => printf(&text(Some(format)), rest, self.widths),
                    None => return,
                },
            },
        };
        let _ = self.out.write_all(&bytes);
    }
}

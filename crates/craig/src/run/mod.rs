//! `craig run`: executes a program in the concrete interpreter, with output and exit status as the
//! compiled program would give.

mod decimal;
mod files;
mod outside;
mod printf;
mod random;

pub use outside::Start;

use crate::Error;
use crate::load::Loaded;
use crate::run::outside::Outside;
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
    start: Start,
    steps: u64,
    out: &mut dyn Write,
) -> Ended {
    let (pool, program) = (&loaded.pool, &loaded.program);
    let mut world = World {
        pool,
        program,
        inputs,
        next: 0,
        outside: Outside::new(start, out),
        widths: Widths {
            long: if loaded.options.bits32 { 32 } else { 64 },
        },
        status: None,
        unmodelled: None,
    };
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let mut interpreter = Interpreter::new(pool, program);
    let run = interpreter.run(&mut world, &limits);
    world.outside.files.flush();
    let place = |loc: LocId| loaded.sources.place(program.locations[loc].span);
    let unmodelled = world.unmodelled.map(|edge| {
        let at = loaded.sources.place(program.edges[edge].span);
        format!("{at}: a value that is not modelled was needed, and zero taken")
    });
    if let Some(status) = world.status {
        return Ended {
            status,
            note: unmodelled,
        };
    }
    match run.outcome {
        Outcome::Exited => {
            let result = program.functions[program.entry].returns.first();
            let value = result.and_then(|&r| interpreter.value(r));
            Ended {
                status: value.as_ref().map_or(0, low_byte),
                note: unmodelled,
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
            note: Some(match world.unmodelled {
                Some(_) => format!("{}: stopped: what comes here is not modelled", place(loc)),
                None => format!(
                    "{}: stopped: an assumption is false or the behaviour is undefined",
                    place(loc)
                ),
            }),
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
    outside: Outside<'a>,
    widths: Widths,
    /// Set when the program called `exit` or `abort`.
    status: Option<u8>,
    /// Where the first value was needed that stands for something not modelled.
    unmodelled: Option<EdgeId>,
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

impl World<'_> {
    /// A value of the environment, if it is known.
    fn environment(&mut self, what: &str, var: VarId) -> Value {
        let default = self.program.default_value(self.pool, var);
        let Some(n) = self.outside.answer(what) else {
            return default;
        };
        // Bytes above 127 are negative where characters are signed.
        let fits = |n: i64| {
            let value = Value::Num(Rational::from(n));
            self.program.in_range(var, &value).then_some(value)
        };
        match default {
            Value::Bool(_) => Value::Bool(n != 0),
            _ => fits(n).or_else(|| fits(n - 256)).unwrap_or(default),
        }
    }

    /// The bytes that a call prints, and where.
    fn printed(&self, call: &OutputCall, args: &[Output]) -> (i64, Vec<u8>) {
        let text = |o: Option<&Output>| o.and_then(|o| o.text.clone()).unwrap_or_default();
        match call.function.as_str() {
            "putchar" => (1, vec![args.first().map_or(0, |o| low_byte(&o.value))]),
            "puts" => {
                let mut line = call.format.clone().unwrap_or_else(|| text(args.first()));
                line.push(b'\n');
                (1, line)
            }
            name => {
                let (stream, rest) = match args.split_first() {
                    Some((stream, rest)) if name == "dprintf" => (number(stream), rest),
                    _ => (1, args),
                };
                match (&call.format, rest.split_first()) {
                    (Some(format), _) => (stream, printf(format, rest, self.widths)),
                    (None, Some((format, rest))) => {
                        (stream, printf(&text(Some(format)), rest, self.widths))
                    }
                    (None, None) => (stream, Vec::new()),
                }
            }
        }
    }

    /// A float as `printf` writes it, for the models.
    fn float_text(&self, args: &[Output], long: bool) -> Vec<u8> {
        let n = |i: usize| args.get(i).map_or(0, number);
        let (letter, flags, width, precision) = (n(1) as u8, n(2), n(3), n(4));
        let mut format = String::from("%");
        for (bit, flag) in "-0+ #".chars().enumerate() {
            if flags >> bit & 1 == 1 {
                format.push(flag);
            }
        }
        format.push_str(&width.to_string());
        if precision >= 0 {
            format.push_str(&format!(".{precision}"));
        }
        if long {
            format.push('L');
        }
        format.push(char::from(letter));
        printf(format.as_bytes(), &args[..args.len().min(1)], self.widths)
    }
}

fn number(o: &Output) -> i64 {
    o.value.as_num().and_then(Rational::to_i64).unwrap_or(0)
}

impl Oracle for World<'_> {
    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let program = self.program;
        let kind = match &program.edges[edge].stmt {
            Stmt::Havoc(_, kind) => Some(kind),
            _ => None,
        };
        if let Some(InputKind::Approximation) = kind {
            self.unmodelled.get_or_insert(edge);
        }
        let value = |v: &VarId| match kind {
            Some(InputKind::Nondet { .. }) => self.input(*v),
            Some(InputKind::Environment { what }) => self.environment(what, *v),
            _ => program.default_value(self.pool, *v),
        };
        Some(vars.iter().map(value).collect())
    }

    fn output(&mut self, _edge: EdgeId, call: &OutputCall, args: &[Output]) {
        match call.function.as_str() {
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = args.first().map_or(0, |o| low_byte(&o.value));
                self.status.get_or_insert(status);
            }
            "abort" | "trap" | "unreachable" => {
                self.status.get_or_insert(134);
            }
            "pthread_exit" | "thrd_exit" => {
                self.status.get_or_insert(0);
            }
            "ask float" | "ask long float" => {
                let text = self.float_text(args, call.function == "ask long float");
                self.outside.offer(text);
            }
            asked if asked.starts_with("ask ") => {
                let numbers: Vec<i64> = args.iter().map(number).collect();
                let texts: Vec<Vec<u8>> = args.iter().filter_map(|o| o.text.clone()).collect();
                self.outside.ask(&asked[4..], &numbers, &texts);
            }
            _ => {
                let (stream, bytes) = self.printed(call, args);
                self.outside.files.write(stream, &bytes);
            }
        }
    }
}

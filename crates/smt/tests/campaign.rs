//! Random formulas against other solvers, which are started once and asked again and again.
//!
//! `CRAIG_CAMPAIGN=COUNT[:SEED[:FIRST]] cargo test --release -p craig-smt --test campaign -- --ignored --nocapture`
//! Without the variable 300 formulas. z3 and cvc5 are used when they can be started. Every `Sat`
//! has a model that makes the formula true, every `Unsat` a proof that checks, and when the formula
//! is a conjunction also interpolants that pass their checks. Operands of bit operations are kept within 64
//! bits, where the definition that the others are given is exact.

#![allow(clippy::unwrap_used)]

use base::Budget;
use logic::smtlib::{declarations, prelude, print_term};
use logic::{Op, Pool, Rational, TermId, Value, eval};
use smt::interpolate::{Options, Outcome, sequence};
use smt::{Answer, Solver};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use testkit::formulas::{Features, Random, Vocabulary};

/// Another solver. One that ends (cvc5 does on some formulas) is started again for the next one.
struct Peer {
    name: &'static str,
    args: &'static [&'static str],
    running: Option<Running>,
    answers: u64,
    deaths: u64,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(name: &str, args: &[&str]) -> Option<Running> {
        let mut child = Command::new(name)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = child.stdin.take()?;
        writeln!(input, "(set-logic ALL)").ok()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Running {
            child,
            input,
            output,
        })
    }

    /// The answer to a script if there is one; an error when the process is gone.
    fn ask(&mut self, script: &str) -> std::io::Result<Option<Answer>> {
        // Not `reset`, which makes z3 forget its time limit.
        writeln!(self.input, "(push 1)\n{script}(pop 1)\n(echo \"done\")")?;
        self.input.flush()?;
        let mut answer = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            match line.trim().trim_matches('"') {
                "sat" => answer = Some(Answer::Sat),
                "unsat" => answer = Some(Answer::Unsat),
                "done" => return Ok(answer),
                _ => {}
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer {
    fn start(name: &'static str, args: &'static [&'static str]) -> Option<Peer> {
        Some(Peer {
            name,
            args,
            running: Some(Running::start(name, args)?),
            answers: 0,
            deaths: 0,
        })
    }

    fn ask(&mut self, script: &str) -> Option<Answer> {
        if self.running.is_none() {
            self.running = Running::start(self.name, self.args);
        }
        match self.running.as_mut()?.ask(script) {
            Ok(answer) => {
                self.answers += u64::from(answer.is_some());
                answer
            }
            Err(_) => {
                self.running = None;
                self.deaths += 1;
                None
            }
        }
    }
}

/// The formula with the operands of its bit operations between -2^63 and 2^63.
fn within_words(pool: &mut Pool, formula: TermId) -> TermId {
    let half = Rational::power_of_two(63);
    let mut parts = vec![formula];
    for t in pool.post_order(&[formula]) {
        if matches!(pool.op(t), Op::BitAnd | Op::BitOr | Op::BitXor) {
            for a in pool.args(t).to_vec() {
                parts.push(pool.in_range(&-&half, a, &half));
            }
        }
    }
    pool.and(&parts)
}

#[test]
#[ignore = "a campaign"]
fn other_solvers_agree() {
    let setting = std::env::var("CRAIG_CAMPAIGN").unwrap_or("300".into());
    let mut numbers = setting.split(':').map(|n| n.parse::<u64>().unwrap());
    let count = numbers.next().unwrap();
    let (seed, first) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(0));
    let mut peers: Vec<Peer> = [
        Peer::start("z3", &["-in", "-t:2000"]),
        Peer::start(
            "cvc5",
            &["--lang=smt2", "--incremental", "--tlimit-per=2000"],
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let budget = || Budget::unlimited().with_time(Duration::from_secs(3));
    let plain = Features {
        ints: true,
        ..Features::default()
    };
    let kinds = [
        plain,
        Features {
            functions: true,
            ..plain
        },
        Features {
            arrays: true,
            ..plain
        },
        Features {
            functions: true,
            arrays: true,
            uninterpreted: true,
            ..plain
        },
        Features {
            special: true,
            ..plain
        },
    ];
    let [mut sat, mut unsat, mut unknown, mut interpolated] = [0u64; 4];
    for k in first..count {
        let mut random = Random((seed.wrapping_mul(1_000_003) + k) | 1);
        for _ in 0..4 {
            random.number();
        }
        let features = kinds[(k % 5) as usize];
        let mut pool = Pool::new();
        let v = Vocabulary::new(&mut pool, features);
        let len = 10 + (random.number() % if features.special { 40 } else { 110 }) as usize;
        let parts: Vec<_> = (0..1 + random.number() % 4)
            .map(|_| {
                let bytes: Vec<u8> = (0..len).map(|_| (random.number() >> 13) as u8).collect();
                let formula = v.formula(&mut pool, &bytes);
                within_words(&mut pool, formula)
            })
            .collect();
        let f = pool.and(&parts);
        let mut solver = Solver::with_proof();
        solver.assert(&mut pool, f);
        let answer = solver.check(&mut pool, &[], &budget());
        match answer {
            Answer::Sat => {
                sat += 1;
                let model = solver.model(&mut pool);
                assert_eq!(eval(&pool, &model, f), Value::Bool(true), "model of {k}");
            }
            Answer::Unsat => {
                unsat += 1;
                let proof = solver.refutation().unwrap().clone();
                let checked = smt::proof::check::check(&mut pool, &proof, &[f]);
                let text = print_term(&pool, f);
                assert!(checked.is_ok(), "proof of {k}: {checked:?}\n{text}");
                // No panic; what comes out has been checked.
                let outcome = sequence(&mut pool, &parts, &Options::default(), &budget());
                assert!(!matches!(outcome, Outcome::Sat(_)), "interpolation of {k}");
                interpolated += u64::from(matches!(outcome, Outcome::Interpolants(_)));
            }
            Answer::Unknown(_) => {
                unknown += 1;
                continue;
            }
        }
        let mut script = declarations(&pool, &[f]);
        script.push_str(&prelude(&pool, &[f]));
        script.push_str(&format!("(assert {})\n(check-sat)\n", print_term(&pool, f)));
        for peer in &mut peers {
            if let Some(theirs) = peer.ask(&script) {
                assert_eq!(answer, theirs, "{} on formula {k}:\n{script}", peer.name);
            }
        }
        if (k + 1).is_multiple_of(5000) {
            println!("{} formulas", k + 1);
        }
    }
    println!(
        "{first}..{count} formulas from seed {seed}: {sat} sat, {unsat} unsat ({interpolated} interpolated), {unknown} unknown"
    );
    for peer in &peers {
        let Peer {
            name,
            answers,
            deaths,
            ..
        } = peer;
        println!("{name}: {answers} answers, all the same; started again {deaths} times");
    }
}

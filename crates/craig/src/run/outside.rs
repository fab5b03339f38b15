//! The outside of a program that runs: command line, environment, files, time, random numbers.
//!
//! The models of the library say what they want to know: an `ask` names the variable, file or stream, inputs
//! then come one by one (`environment.length`, `environment.byte`, …). Random numbers are those of glibc.

use super::files::Files;
use super::random::Generator;
use std::collections::VecDeque;
use std::io::Write;

/// What a program is given when it starts.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The command line, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The variables of the environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The outside, as far as it has come.
pub struct Outside<'a> {
    start: Start,
    next_argument: usize,
    /// Texts that are handed over next, whole; then the bytes of the one at hand.
    texts: VecDeque<Vec<u8>>,
    bytes: VecDeque<u8>,
    found: bool,
    pub files: Files<'a>,
    random: Generator,
    began: std::time::Instant,
}

impl<'a> Outside<'a> {
    pub fn new(start: Start, out: &'a mut dyn Write) -> Outside<'a> {
        Outside {
            start,
            next_argument: 0,
            texts: VecDeque::new(),
            bytes: VecDeque::new(),
            found: false,
            files: Files::new(out),
            random: Generator::new(1),
            began: std::time::Instant::now(),
        }
    }

    /// What the next inputs are about.
    pub fn ask(&mut self, what: &str, numbers: &[i64], texts: &[Vec<u8>]) {
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let text = |i: usize| texts.get(i).cloned().unwrap_or_default();
        match what {
            "getenv" => {
                let value = self.start.environment.iter().find(|(n, _)| *n == text(0));
                self.found = value.is_some();
                self.texts.clear();
                self.texts.extend(value.map(|(_, v)| v.clone()));
            }
            "srand" => self.random = Generator::new(number(0) as u32),
            "read" => self.bytes = self.files.read(number(0), number(1)).into(),
            _ => self.files.ask(what, numbers, texts),
        }
    }

    /// The bytes of a text that was made for the program: their number is asked first.
    pub fn offer(&mut self, text: Vec<u8>) {
        self.texts.push_front(text);
    }

    /// The answer to an input; `None` where nothing is known, and any value will do.
    pub fn answer(&mut self, what: &str) -> Option<i64> {
        Some(match what {
            "argc" => self.start.arguments.len() as i64,
            "argv.length" => {
                let text = self.start.arguments.get(self.next_argument);
                let text = text.cloned().unwrap_or_default();
                self.next_argument += 1;
                self.open(text)
            }
            "environment.present" => i64::from(self.found),
            "environment.count" => {
                let all = self.start.environment.iter();
                let lines = all.map(|(n, v)| [n.as_slice(), b"=", v.as_slice()].concat());
                self.texts = lines.collect();
                self.texts.len() as i64
            }
            "environment.length" | "float.length" => {
                let text = self.texts.pop_front().unwrap_or_default();
                self.open(text)
            }
            "argv.byte" | "environment.byte" | "float.byte" | "read.byte" => {
                i64::from(self.bytes.pop_front().unwrap_or(0))
            }
            "read.count" => self.bytes.len() as i64,
            "rand" => self.random.next(),
            "time" => now(),
            "clock" => self.began.elapsed().as_micros() as i64,
            "pid" => i64::from(std::process::id()),
            _ => return self.files.answer(what),
        })
    }

    fn open(&mut self, text: Vec<u8>) -> i64 {
        self.bytes = text.into();
        self.bytes.len() as i64
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs() as i64)
}

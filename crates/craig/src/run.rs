//! `craig run`: executes a program in the concrete interpreter, with output and exit status as the
//! compiled program would give.

use crate::load::{Loaded, Trouble};
use std::io::Write;

/// Where nondeterministic values come from.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// All zero.
    Zero,
    /// Random from this seed.
    Random(u64),
    /// In order; zero when they run out.
    List(Vec<logic::Rational>),
}

impl Inputs {
    /// One number a line; `#` begins a comment.
    pub fn parse(text: &str) -> Result<Inputs, Trouble> {
        let mut list = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let word = line.split('#').next().unwrap_or("").trim();
            if word.is_empty() {
                continue;
            }
            let value = logic::Rational::parse_decimal(word)
                .filter(logic::Rational::is_integer)
                .ok_or_else(|| format!("inputs, line {}: `{word}` is no integer", i + 1))?;
            list.push(value);
        }
        Ok(Inputs::List(list))
    }
}

pub fn run(
    _loaded: &mut Loaded,
    _inputs: Inputs,
    _steps: u64,
    _out: &mut dyn Write,
) -> Result<u8, Trouble> {
    Err(Trouble::Message("running is not in this build".into()))
}

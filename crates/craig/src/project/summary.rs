//! The end of a run for people: a line a unit that is not proved, and what it comes to.

use super::accepted::counts;
use super::results::{Answer, Origin, UnitResult};
use std::fmt::Write;

/// How the units ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Units that are proved.
    pub proved: usize,
    /// Units with a violation that counts.
    pub violated: usize,
    /// Units whose violations are all accepted.
    pub accepted: usize,
    /// Units without an answer.
    pub open: usize,
    /// Units that were planned and not reached.
    pub missing: usize,
    /// Files that are not read.
    pub unread: usize,
    /// Answers from remembered evidence that the checker accepted again.
    pub rechecked: usize,
    /// Answers from evidence of earlier versions that the checker accepted for the new ones.
    pub adapted: usize,
    /// Open units that were not tried again.
    pub remembered: usize,
    /// Time of all units together.
    pub seconds: f64,
}

impl Summary {
    /// Counts results.
    pub fn new(results: &[UnitResult], planned: usize, unread: usize) -> Summary {
        let mut s = Summary {
            missing: planned.saturating_sub(results.len()),
            unread,
            ..Summary::default()
        };
        for r in results {
            match r.verdict {
                Answer::Safe => s.proved += 1,
                Answer::Unsafe if counts(r) => s.violated += 1,
                Answer::Unsafe => s.accepted += 1,
                Answer::Unknown => s.open += 1,
            }
            s.rechecked += usize::from(r.origin == Origin::Rechecked);
            s.adapted += usize::from(r.origin == Origin::Adapted);
            s.remembered += usize::from(r.origin == Origin::Remembered);
            s.seconds += r.seconds;
        }
        s
    }

    /// 0: everything is proved or accepted; 1: something is violated; 2: something is open, was not
    /// read or not reached.
    pub fn exit_status(&self) -> u8 {
        match self {
            s if s.violated > 0 => 1,
            s if s.open + s.missing + s.unread > 0 => 2,
            _ => 0,
        }
    }
}

/// The account of a run.
pub fn text(
    results: &[UnitResult],
    problems: &[(String, String)],
    s: &Summary,
    wall: f64,
) -> String {
    let mut out = String::new();
    for (file, why) in problems {
        let _ = writeln!(out, "not read  {file}: {}", first_line(why));
    }
    for r in results {
        for f in &r.findings {
            let word = if f.accepted.is_some() {
                "accepted"
            } else {
                "violated"
            };
            let _ = write!(
                out,
                "{word}  {}:{}: {} [{}]",
                f.file, f.line, f.message, f.property
            );
            let _ = write!(out, " in {}", r.unit);
            if let Some(why) = &f.accepted {
                let _ = write!(out, " ({why})");
            }
            out.push('\n');
        }
        if r.verdict == Answer::Unsafe && r.findings.is_empty() {
            let _ = writeln!(out, "violated  {}", r.unit);
        }
        if r.verdict == Answer::Safe && !r.requires.is_empty() {
            let requires = r.requires.join(", ");
            let _ = writeln!(out, "requires  {}: {requires}", r.unit);
        }
        if r.vacuous {
            let _ = writeln!(out, "vacuous   {}: nothing reaches its end", r.unit);
        }
        if r.verdict == Answer::Unknown {
            let why = r.reason.as_deref().unwrap_or_default();
            let _ = writeln!(out, "open      {}: {}", r.unit, first_line(why));
        }
    }
    let _ = write!(
        out,
        "{} units: {} proved, {} violated, {} open",
        results.len(),
        s.proved,
        s.violated,
        s.open
    );
    let parts = [
        (s.accepted, "accepted"),
        (s.unread, "files not read"),
        (s.missing, "not reached"),
    ];
    for (count, what) in parts.iter().filter(|(c, _)| *c > 0) {
        let _ = write!(out, ", {count} {what}");
    }
    let _ = writeln!(out, "; {wall:.1} s ({:.1} s of work)", s.seconds);
    if s.rechecked + s.adapted + s.remembered > 0 {
        let _ = writeln!(
            out,
            "remembered: {} answers checked again, {} by evidence of earlier versions, {} open units not tried again",
            s.rechecked, s.adapted, s.remembered
        );
    }
    out
}

/// The first line of a text that says something.
pub fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|l| !l.is_empty())
        .unwrap_or_default()
}

//! Parts of a run on other machines: `--shard k/n` checks every n-th unit and writes a file; files of
//! all parts together are the results of the whole. A part knows the plan that it belongs to by a hash
//! of all units, texts, options and the build, so parts of different runs are never mixed.

use super::plan::Plan;
use super::results::UnitResult;
use super::schedule::whole_key;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The k-th of n parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub part: usize,
    /// How many there are.
    pub of: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
            _ => Err("a shard is K/N with 1 <= K <= N".into()),
        }
    }
}

impl Shard {
    /// The units of this part: neighbours are dealt to different parts, as they are often alike.
    pub fn choose(self, units: &[usize]) -> Vec<usize> {
        let mine = |(i, u): (usize, &usize)| (i % self.of == self.part - 1).then_some(*u);
        units.iter().enumerate().filter_map(mine).collect()
    }
}

/// The results of one part.
#[derive(Serialize, Deserialize)]
pub struct Part {
    format: String,
    /// The hash of the plan.
    pub plan: String,
    /// Which part.
    pub shard: Shard,
    /// Its results.
    pub results: Vec<UnitResult>,
}

const FORMAT: &str = "craig-shard-1";

/// The hash of everything that a run depends on.
pub fn plan_hash(plan: &Plan, chosen: &[usize], settings: &str) -> String {
    let mut text = String::new();
    for &u in chosen {
        let unit = &plan.units[u];
        text += &format!("{}\n{}\n", unit.name, whole_key(unit, plan, settings));
    }
    report::sha256(text.as_bytes())
}

/// Writes the results of a part; the file is there whole or not at all.
pub fn write(
    path: &Path,
    plan: String,
    shard: Shard,
    results: Vec<UnitResult>,
) -> Result<(), Error> {
    let part = Part {
        format: FORMAT.into(),
        plan,
        shard,
        results,
    };
    let text = serde_json::to_string(&part).unwrap_or_default();
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.part", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    let written = std::fs::write(&unfinished, text);
    let named = written.and_then(|()| std::fs::rename(&unfinished, path));
    named.map_err(|e| Error::Message(format!("{}: {e}", path.display())))
}

/// Reads a part.
pub fn read(path: &Path) -> Result<Part, Error> {
    let wrong = |e: String| Error::Message(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let part: Part = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let Shard { part: k, of } = part.shard;
    match part.format == FORMAT && 1 <= k && k <= of {
        true => Ok(part),
        false => Err(wrong(format!("this is no {FORMAT}"))),
    }
}

/// All parts together, in the order of the units. The error says which part is missing or foreign.
pub fn merge(parts: Vec<Part>, plan: &str) -> Result<Vec<UnitResult>, Error> {
    let Some(first) = parts.first() else {
        return Err(Error::Message("no parts to merge".into()));
    };
    let of = first.shard.of;
    let (results, missing) = gather(parts, of, plan)?;
    match missing.first() {
        Some(k) => Err(Error::Message(format!("part {k}/{of} is missing"))),
        None => Ok(results),
    }
}

/// The parts that are there, in the order of the units, and which are missing. The error says which part is foreign.
pub fn gather(
    parts: Vec<Part>,
    of: usize,
    plan: &str,
) -> Result<(Vec<UnitResult>, Vec<usize>), Error> {
    let mut seen = vec![false; of];
    let mut results = Vec::new();
    for part in parts {
        if part.plan != plan || part.shard.of != of {
            let Shard { part: k, of: n } = part.shard;
            return Err(Error::Message(format!(
                "part {k}/{n} belongs to another run (other files, options, or version of Craig)"
            )));
        }
        if !std::mem::replace(&mut seen[part.shard.part - 1], true) {
            results.extend(part.results);
        }
    }
    results.sort_by(|a, b| a.unit.cmp(&b.unit));
    let missing = (1..=of).filter(|k| !seen[k - 1]).collect();
    Ok((results, missing))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn part(k: usize, of: usize, plan: &str, units: &[&str]) -> Part {
        Part {
            format: FORMAT.into(),
            plan: plan.into(),
            shard: Shard { part: k, of },
            results: units.iter().map(|u| UnitResult::open(u, &[], "")).collect(),
        }
    }

    #[test]
    fn parts_are_the_whole_and_never_of_two_runs() {
        let all: Vec<usize> = (0..7).collect();
        let mut dealt: Vec<usize> = (1..=3)
            .flat_map(|part| Shard { part, of: 3 }.choose(&all))
            .collect();
        dealt.sort_unstable();
        assert_eq!(dealt, all);
        let two = || vec![part(2, 2, "p", &["a"]), part(1, 2, "p", &["b"])];
        let merged = merge(two(), "p").unwrap();
        assert_eq!(
            merged.iter().map(|r| r.unit.as_str()).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert!(merge(two(), "q").is_err());
        assert!(merge(vec![part(1, 2, "p", &[])], "p").is_err());
        assert!("0/2".parse::<Shard>().is_err() && "3/2".parse::<Shard>().is_err());
    }
}

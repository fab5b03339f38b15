//! A function as a unit: what a worker does with it.
//!
//! The unit is known by the program of the function without preconditions. What is remembered are the
//! preconditions that an earlier run inferred, and evidence about the program under them:
//!
//! ```text
//! int first(int *a) { return a[0]; }      { requires: [a != NULL], evidence: proof }
//! ```
//!
//! Sound because remembered preconditions only say which program is looked at: the checker judges the evidence on
//! that program, and the preconditions are part of the answer.

use super::earlier;
use super::protocol::{FromWorker, Job, ToWorker};
use super::results::{Origin, UnitResult};
use super::worker::{Settings, checker, origin, recheck, result_of, say, texts};
use crate::check::preconditions::preconditions;
use crate::functions::{Earlier, End, FunctionCheck};
use crate::load::{Loaded, load_texts};
use crate::validate::program_hash;
use crate::{Error, Language, Outcome, VerdictKind, on_deep_stack};
use frontend::c::entry::Requires;
use serde_json::{Value as Json, json};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The format of what is remembered of a function.
const FORMAT: &str = "craig-function";
/// Pointers behind pointers that are followed, as `--function` does by itself.
const DEPTH: u32 = 2;
/// The part of a unit's time that is left for reading its files.
const READING_PART: u32 = 10;

/// Checks a function by itself; `None` if the run has an answer already.
pub(super) fn check(
    settings: &Settings,
    job: &Job,
    function: &str,
    messages: &Receiver<ToWorker>,
    open: &UnitResult,
) -> Result<Option<UnitResult>, Error> {
    let start = Instant::now();
    let texts = texts(job);
    let (cloned, memory) = (settings.clone(), job.memory);
    let mut source = settings.source.clone();
    source.bits32 |= job.bits32;
    source.contracts = true;
    let limit = Duration::from_secs_f64(job.time);
    let mut ask = FunctionCheck {
        checker: Box::new(move || Ok(checker(&cloned, memory))),
        source,
        limit: limit - limit / READING_PART,
        depth: DEPTH,
        sharing: false,
        vacuity: true,
        plain: false,
        earlier: None,
    };
    let load = |requires: &[Requires]| {
        let source = ask.source_of(function, requires, false);
        on_deep_stack(|| load_texts(&texts, Language::C, &source))
    };
    let loaded = load(&[])?;
    let hash = program_hash(&loaded.pool, &loaded.program);
    say(&FromWorker::Program(hash.clone()));
    match messages.recv() {
        Ok(ToWorker::Leave) => return Ok(None),
        Ok(ToWorker::Known {
            evidence: Some(known),
            ..
        }) => {
            if let Some((requires, evidence)) = read(&known) {
                let again = match requires.is_empty() {
                    true => loaded,
                    false => load(&requires)?,
                };
                let (_, outcome) = on_deep_stack(|| Ok(recheck(again, evidence, job, start)))?;
                // An alarm is one that stays under all preconditions there are.
                let stays = |o: &Outcome| {
                    o.kind() != VerdictKind::Unsafe || preconditions(o, &requires, false).is_empty()
                };
                if let Some(mut outcome) = outcome.filter(stays) {
                    let caller = outcome.input.caller.clone().unwrap_or_default();
                    let is_safe = outcome.kind() == VerdictKind::Safe;
                    let result = result_of(&mut outcome, Origin::Rechecked, hash, open, job);
                    return Ok(Some(UnitResult {
                        requires: shown(&requires, is_safe),
                        assumes: caller.assumed,
                        vacuous: known["vacuous"] == true,
                        ..result
                    }));
                }
            }
            say(&FromWorker::Rejected(hash.clone()));
        }
        Ok(ToWorker::Known {
            earlier: Some(known),
            ..
        }) => {
            ask.earlier = read(&known).map(|(requires, evidence)| {
                let evidence = evidence.clone();
                let hints = move |loaded: &mut Loaded| earlier::read(loaded, &evidence);
                Earlier {
                    requires,
                    hints: Box::new(hints),
                }
            });
        }
        _ => {}
    }
    let found = ask.function(&texts, function);
    let mut outcome = found.outcome?;
    let is_safe = outcome.kind() == VerdictKind::Safe;
    let origin = origin(&outcome);
    let result = result_of(&mut outcome, origin, hash, open, job);
    let vacuous = found.end == End::Vacuous;
    let with_requires = |inner: Json| {
        let requires: Vec<Json> = found.under.iter().map(write).collect();
        json!({ "format": FORMAT, "requires": requires, "vacuous": vacuous, "evidence": inner })
    };
    let evidence = result.evidence.map(with_requires);
    let earlier = result.earlier.map(with_requires);
    Ok(Some(UnitResult {
        requires: shown(&found.requires, is_safe),
        assumes: found.caller.assumed,
        vacuous,
        evidence,
        earlier,
        ..result
    }))
}

/// Preconditions are a contract only with a proof.
fn shown(requires: &[Requires], is_safe: bool) -> Vec<String> {
    let all = requires.iter().filter(|_| is_safe);
    all.map(Requires::text).collect()
}

fn write(requires: &Requires) -> Json {
    match requires {
        Requires::NonNull(pointer) => json!([pointer]),
        Requires::Room { pointer, count } => json!([pointer, count]),
        Requires::Less { pointer, index } => json!([pointer, index, "index"]),
        Requires::Sum {
            pointer,
            first,
            second,
        } => json!([pointer, first, second, "sum"]),
        Requires::NotNegative(number) => json!([number, false]),
        Requires::AtLeast { pointer, elements } => json!([pointer, elements]),
        Requires::Terminated(pointer) => json!([pointer, true]),
        Requires::Below { number, bound } => json!({ "number": number, "below": bound }),
        Requires::Allocates(pointer) => json!({ "allocates": pointer }),
        Requires::Positive(number) => json!({ "positive": number }),
        Requires::Cycle { pointer, target } => json!({ "back": pointer, "to": target }),
        Requires::Other {
            pointer,
            record,
            tag,
            value,
        } => json!({ "from": pointer, "record": record, "tag": tag, "value": value }),
        Requires::Longer { pointer, other } => json!({ "room": pointer, "of": other }),
        Requires::Within { base, pointer } => json!({ "base": base, "pointer": pointer }),
        Requires::Ordered { low, high } => json!({ "low": low, "high": high }),
        Requires::Smaller { low, high } => json!({ "smaller": low, "than": high }),
        Requires::Apart {
            union,
            member,
            tag,
            value,
        } => json!({ "union": union, "member": member, "tag": tag, "value": value }),
    }
}

/// Those that are written with the names of their parts.
fn named(row: &Json) -> Option<Requires> {
    let text = |name: &str| row[name].as_str().map(str::to_string);
    let below = text("number").zip(row["below"].as_u64());
    let below = below.map(|(number, bound)| Requires::Below { number, bound });
    let within = text("base").zip(text("pointer"));
    let within = within.map(|(base, pointer)| Requires::Within { base, pointer });
    let longer = text("room").zip(text("of"));
    let longer = longer.map(|(pointer, other)| Requires::Longer { pointer, other });
    let ordered = text("low").zip(text("high"));
    let ordered = ordered.map(|(low, high)| Requires::Ordered { low, high });
    let smaller = text("smaller").zip(text("than"));
    let smaller = smaller.map(|(low, high)| Requires::Smaller { low, high });
    let apart = || {
        Some(Requires::Apart {
            union: text("union")?,
            member: text("member")?,
            tag: text("tag")?,
            value: row["value"].as_i64()?,
        })
    };
    let other = || {
        Some(Requires::Other {
            pointer: text("from")?,
            record: text("record")?,
            tag: text("tag")?,
            value: row["value"].as_i64()?,
        })
    };
    let allocates = text("allocates").map(Requires::Allocates);
    let cycle = text("back").zip(text("to"));
    let cycle = cycle.map(|(pointer, target)| Requires::Cycle { pointer, target });
    let positive = text("positive").map(Requires::Positive);
    below
        .or(longer)
        .or(within)
        .or(ordered)
        .or(smaller)
        .or(allocates)
        .or(positive)
        .or(cycle)
        .or_else(apart)
        .or_else(other)
}

/// Preconditions and evidence, if that is what was remembered.
fn read(known: &Json) -> Option<(Vec<Requires>, &Json)> {
    if known["format"] != FORMAT {
        return None;
    }
    let one = |row: &Json| {
        if row.is_object() {
            return named(row);
        }
        let pointer = row[0].as_str()?.to_string();
        let kind = row.as_array()?.last()?.as_str();
        Some(match &row[1] {
            Json::String(index)
                if row[3].is_null() && kind == Some("index") && !row[2].is_null() =>
            {
                Requires::Less {
                    pointer,
                    index: index.clone(),
                }
            }
            Json::String(first) if kind == Some("sum") && !row[3].is_null() => Requires::Sum {
                pointer,
                first: first.clone(),
                second: row[2].as_str()?.to_string(),
            },
            Json::Bool(false) => Requires::NotNegative(pointer),
            Json::String(count) => Requires::Room {
                pointer,
                count: count.clone(),
            },
            Json::Bool(_) => Requires::Terminated(pointer),
            Json::Number(n) => Requires::AtLeast {
                pointer,
                elements: n.as_u64()?,
            },
            _ => Requires::NonNull(pointer),
        })
    };
    let requires: Option<Vec<Requires>> = known["requires"].as_array()?.iter().map(one).collect();
    Some((requires?, &known["evidence"]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// One of each kind, with the names that rows use for their kinds among them.
    fn each_kind() -> Vec<Requires> {
        let p = || "(*b).data".to_string();
        let room = |count: &str| Requires::Room {
            pointer: p(),
            count: count.into(),
        };
        let less = |index: &str| Requires::Less {
            pointer: p(),
            index: index.into(),
        };
        let sum = |first: &str, second: &str| Requires::Sum {
            pointer: p(),
            first: first.into(),
            second: second.into(),
        };
        vec![
            Requires::NonNull(p()),
            Requires::NonNull("get()".into()),
            room("n"),
            room("index"),
            room("sum"),
            less("i"),
            less("sum"),
            less("index"),
            sum("from", "n"),
            sum("index", "sum"),
            sum("sum", "index"),
            Requires::NotNegative("i".into()),
            Requires::Positive("n".into()),
            Requires::Cycle {
                pointer: "(*(*a).next).next".into(),
                target: "(*a)".into(),
            },
            Requires::Other {
                pointer: p(),
                record: "a `struct circle`".into(),
                tag: "(*(struct circle *)a).kind".into(),
                value: -1,
            },
            Requires::AtLeast {
                pointer: p(),
                elements: 0,
            },
            Requires::AtLeast {
                pointer: p(),
                elements: u64::MAX,
            },
            Requires::Terminated(p()),
            Requires::Below {
                number: "i".into(),
                bound: u64::MAX,
            },
            Requires::Allocates("get()".into()),
            Requires::Within {
                base: "from".into(),
                pointer: p(),
            },
            Requires::Ordered {
                low: "low".into(),
                high: p(),
            },
            Requires::Smaller {
                low: "n".into(),
                high: "size".into(),
            },
            Requires::Apart {
                union: "(*e).u".into(),
                member: "name".into(),
                tag: "(*e).kind".into(),
                value: -1,
            },
        ]
    }

    #[test]
    fn preconditions_are_remembered() {
        let all = each_kind();
        let rows: Vec<Json> = all.iter().map(write).collect();
        let known = json!({ "format": FORMAT, "requires": rows, "evidence": { "kind": "proof" } });
        // As the store keeps it.
        let known: Json = serde_json::from_str(&known.to_string()).unwrap();
        let (back, evidence) = read(&known).unwrap();
        assert_eq!(back, all);
        assert_eq!(evidence["kind"], "proof");
    }

    #[test]
    fn what_cannot_be_read_is_not_remembered() {
        for rows in [
            json!([[7]]),
            json!([[]]),
            json!(["a"]),
            json!([["a", -1]]),
            json!([["a", "i", 3, "sum"]]),
            json!({}),
        ] {
            let known = json!({ "format": FORMAT, "requires": rows, "evidence": {} });
            assert!(read(&known).is_none(), "{known}");
        }
        assert!(read(&json!({ "format": "another", "requires": [], "evidence": {} })).is_none());
    }
}

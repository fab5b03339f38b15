//! What a contract allows a function to change: its `assigns` as C.
//!
//! ```text
//! assigns *p, a[0 .. n - 1];   →   at is in *p, or in a + 0 up to a + n   (the check of a body)
//!                                  *p = any; a + 0 up to a + n = any      (in place of a body)
//! ```
//! A function keeps it if every place that existed before and after the call and is not named has the value
//! it had: that is what ACSL says of it. Places are those of the state before the call.

use super::SPEC;
use super::doors::split;

/// Places that may change.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// An object by an expression for it.
    Place(String),
    /// Elements behind a pointer, from the first to the last.
    Range {
        pointer: String,
        low: String,
        high: String,
    },
    /// The object that a pointer leads into.
    Whole(String),
    /// So many bytes from a pointer on; to the end of the object if it does not say.
    Bytes(String, Option<String>),
}

/// What one clause names.
#[derive(Clone, Debug)]
struct Group {
    /// Of the function (0), or of one of its behaviours.
    behaviour: usize,
    /// Only where this holds before the call.
    case: Option<String>,
    targets: Vec<Target>,
}

/// All `assigns` of a contract.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    groups: Vec<Group>,
}

impl Frame {
    /// Does the contract say anything about it?
    pub(super) fn is_said(&self) -> bool {
        !self.groups.is_empty()
    }

    /// A clause of the behaviour of this number.
    ///
    /// # Errors
    /// It names what is not understood.
    pub(super) fn read(&mut self, text: &str, behaviour: usize) -> Result<(), String> {
        let text = text.split("\\from").next().unwrap_or("");
        for part in text.split(';') {
            let (case, places) = match part.split_once(':') {
                Some((case, places)) if !part.contains('?') => (Some(case.trim()), places),
                _ => (None, part),
            };
            let targets = split(places)
                .into_iter()
                .filter(|p| !matches!(*p, "\\nothing" | "\\result" | "\\empty"))
                .map(target)
                .collect::<Result<Vec<Target>, String>>()?;
            self.groups.push(Group {
                behaviour,
                case: case.map(str::to_string),
                targets,
            });
        }
        Ok(())
    }

    /// The condition that the byte at `at` may change; `assumes` are those of the behaviours, from the first one.
    pub(super) fn allows(&self, at: &str, assumes: &[String]) -> String {
        let mut all = Vec::new();
        for behaviour in 0..=assumes.len() {
            let groups = self.groups.iter().filter(|g| g.behaviour == behaviour);
            let mut said = false;
            let mut some = vec!["0".to_string()];
            for group in groups {
                said = true;
                for target in &group.targets {
                    let inside = target.contains(at);
                    some.push(match &group.case {
                        Some(case) => format!("({SPEC}({case}) && {inside})"),
                        None => inside,
                    });
                }
            }
            let some = format!("({})", some.join(" || "));
            match behaviour.checked_sub(1).map(|n| &assumes[n]) {
                _ if !said => {}
                Some(case) => all.push(format!("(!{SPEC}({case}) || {some})")),
                None => all.push(some),
            }
        }
        match all.is_empty() {
            true => "1".into(),
            false => all.join(" && "),
        }
    }

    /// Places behind pointers, one by one; none if the contract names whole ranges.
    pub(super) fn places(&self) -> Vec<&str> {
        let behind = |t: &&str| t.contains(['*', '[']) || t.contains("->");
        let targets = self.groups.iter().flat_map(|g| &g.targets);
        let all: Option<Vec<&str>> = targets
            .map(|t| match t {
                Target::Place(place) => Some(place.as_str()),
                _ => None,
            })
            .collect();
        all.unwrap_or_default().into_iter().filter(behind).collect()
    }

    /// Statements that give the places any value.
    pub(super) fn havoc(&self) -> String {
        // What the function as a whole may change includes what its behaviours may.
        let general = self.groups.iter().any(|g| g.behaviour == 0);
        let mut out = String::new();
        for group in &self.groups {
            if general && group.behaviour != 0 {
                continue;
            }
            let places: String = group.targets.iter().map(Target::havoc).collect();
            out += &match &group.case {
                Some(case) => format!("if ({SPEC}({case})) {{ {places}}} "),
                None => places,
            };
        }
        out
    }
}

impl Target {
    fn contains(&self, at: &str) -> String {
        let between = |low: String, high: String| format!("({low} <= {at} && {at} < {high})");
        match self {
            Target::Place(e) => between(
                format!("(const char *)&({e})"),
                format!("(const char *)(&({e}) + 1)"),
            ),
            Target::Range { pointer, low, high } => between(
                format!("(const char *)(({pointer}) + ({low}))"),
                format!("(const char *)(({pointer}) + ({high}) + 1)"),
            ),
            Target::Whole(p) => format!("__CPROVER_same_object({p}, {at})"),
            Target::Bytes(p, Some(n)) => between(
                format!("(const char *)({p})"),
                format!("(const char *)({p}) + ({n})"),
            ),
            Target::Bytes(p, None) => {
                format!("(__CPROVER_same_object({p}, {at}) && (const char *)({p}) <= {at})")
            }
        }
    }

    fn havoc(&self) -> String {
        match self {
            Target::Place(e) => {
                format!("{{ __typeof__({e}) __craig_any; {e} = __craig_any; }} ")
            }
            Target::Range { pointer, low, high } => format!(
                "{{ __int128 __craig_last = ({high}); for (__int128 __craig_k = ({low}); __craig_k <= __craig_last; __craig_k++) {{ __typeof__(*({pointer})) __craig_any; ({pointer})[(long)__craig_k] = __craig_any; }} }} "
            ),
            Target::Whole(p) => format!("__CPROVER_havoc_object({p}); "),
            Target::Bytes(p, Some(n)) => format!("__CPROVER_havoc_slice({p}, {n}); "),
            Target::Bytes(p, None) => format!(
                "__CPROVER_havoc_slice({p}, __CPROVER_OBJECT_SIZE({p}) - __CPROVER_POINTER_OFFSET({p})); "
            ),
        }
    }
}

fn target(text: &str) -> Result<Target, String> {
    let no = || format!("`assigns {text}` is not supported");
    let inside = |word: &str| -> Option<Vec<&str>> {
        let rest = text.strip_prefix(word)?.trim().strip_prefix('(')?;
        Some(split(rest.strip_suffix(')')?))
    };
    let one = |parts: &[&str]| match parts {
        [p] => Ok(p.to_string()),
        _ => Err(no()),
    };
    if let Some(parts) = inside("__CPROVER_object_whole") {
        return Ok(Target::Whole(one(&parts)?));
    }
    if let Some(parts) = inside("__CPROVER_object_from") {
        return Ok(Target::Bytes(one(&parts)?, None));
    }
    if let Some(parts) = inside("__CPROVER_typed_target") {
        return Ok(Target::Place(one(&parts)?));
    }
    if let Some(parts) = inside("__CPROVER_object_upto") {
        return match parts.as_slice() {
            [p, n] => Ok(Target::Bytes(p.to_string(), Some(n.to_string()))),
            _ => Err(no()),
        };
    }
    if text.contains(['\\', '{']) || text.matches("..").count() > 1 {
        return Err(no());
    }
    let Some(dots) = text.find("..") else {
        return Ok(Target::Place(text.to_string()));
    };
    // `p[a .. b]` or `*(p + (a .. b))`: the bracket around the range, and what stands before it.
    let mut depth = 0;
    let open = text[..dots].char_indices().rev().find_map(|(i, c)| {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => return Some(i),
            '(' | '[' => depth -= 1,
            _ => {}
        }
        None
    });
    let open = open.ok_or_else(no)?;
    let before = text[..open].trim();
    let (pointer, ends) = match &text[open..=open] {
        "[" => (before, "]"),
        _ => {
            let sum = before.strip_prefix('*').map(str::trim_start);
            let sum = sum.and_then(|s| s.strip_prefix('(')).ok_or_else(no)?;
            (sum.trim().strip_suffix('+').ok_or_else(no)?, "))")
        }
    };
    let high: String = text[dots + 2..].trim().into();
    let high = match ends {
        "]" => high.strip_suffix(']'),
        _ => high
            .strip_suffix(')')
            .and_then(|h| h.trim_end().strip_suffix(')')),
    };
    let (low, high) = (text[open + 1..dots].trim(), high.ok_or_else(no)?.trim());
    match low.is_empty() || high.is_empty() || pointer.trim().is_empty() {
        true => Err(no()),
        false => Ok(Target::Range {
            pointer: pointer.trim().into(),
            low: low.into(),
            high: high.into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Target, target};

    #[test]
    fn places_are_told_apart() {
        let range = |p: &str, low: &str, high: &str| Target::Range {
            pointer: p.into(),
            low: low.into(),
            high: high.into(),
        };
        assert_eq!(target("s->n"), Ok(Target::Place("s->n".into())));
        assert_eq!(target("a[0 .. n - 1]"), Ok(range("a", "0", "n - 1")));
        assert_eq!(
            target("s->a[b[1] .. f(2)]"),
            Ok(range("s->a", "b[1]", "f(2)"))
        );
        assert_eq!(target("*(p + (1 .. 2))"), Ok(range("p", "1", "2")));
        assert_eq!(
            target("__CPROVER_object_upto(p, n + 1)"),
            Ok(Target::Bytes("p".into(), Some("n + 1".into())))
        );
        for wrong in ["a[0 .. 1][0 .. 1]", "a[..]", "\\at(p, Pre)", "p + 1 .. 2"] {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }
}

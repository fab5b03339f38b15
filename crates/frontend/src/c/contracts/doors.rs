//! A function's contract and the functions that stand before its body.

use super::acsl::{Before, Clause, formula};
use super::frame::Frame;
use super::{APPLIES, ASSIGNED, BODY, CHECKED, KEPT, SPEC, THERE, Wrong};
use crate::c::sema::claims::{CONTRACT, OLD, Part, RESULT};

/// Names of what is kept for `decreases`.
const MEASURE: &str = "__craig_measure_";
const INSIDE: &str = "__craig_inside_";
/// Name of a function that does what functions without a body do.
const TOUCH: &str = "__craig_touch_";

/// The formulas of a contract as C.
#[derive(Debug, Default)]
pub(super) struct Contract {
    requires: Vec<String>,
    /// What the contract says of itself, where that is kept: of its behaviours one applies, or no two of them.
    claims: Vec<String>,
    ensures: Vec<String>,
    /// Places that may change.
    assigns: Frame,
    /// What the behaviours assume.
    behaviours: Vec<String>,
    /// What is less, and not below zero, whenever the function calls itself.
    decreases: Option<String>,
    before: Before,
}

/// What the behaviour at hand assumes, and of each behaviour in turn.
#[derive(Default)]
struct Cases {
    assumes: Option<Vec<String>>,
    cases: Vec<String>,
    behaviour: usize,
}

/// The first line of a function taken apart.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Up to the name and behind it.
    pub(super) front: String,
    pub(super) name: String,
    pub(super) back: String,
    pub(super) params: Vec<String>,
}

impl Contract {
    pub(super) fn read(clauses: &[Clause]) -> Result<Contract, Wrong> {
        let mut out = Contract::default();
        let mut cases = Cases::default();
        for clause in clauses {
            let read = out.clause(clause, &mut cases);
            read.map_err(|message| Wrong {
                at: clause.at,
                message,
            })?;
        }
        Ok(out)
    }

    fn clause(&mut self, clause: &Clause, of: &mut Cases) -> Result<(), String> {
        let out = self;
        let Cases {
            assumes,
            cases,
            behaviour,
        } = of;
        let text = clause.text.as_str();
        match clause.word.as_str() {
            "behavior" => {
                cases.extend(assumes.take().map(|a| both(&a)));
                *assumes = Some(Vec::new());
                *behaviour += 1;
                out.behaviours.push("1".into());
            }
            "assumes" => {
                let f = formula(text, &mut out.before)?;
                let all = assumes.get_or_insert_with(Vec::new);
                all.push(f);
                if let Some(case) = out.behaviours.last_mut() {
                    *case = both(all);
                }
            }
            "requires" => {
                let f = formula(text, &mut out.before)?;
                out.requires.push(match &*assumes {
                    Some(a) => format!("(!{} || {f})", both(a)),
                    None => f,
                });
            }
            "ensures" => {
                let f = formula(text, &mut out.before)?;
                out.ensures.push(match &*assumes {
                    Some(a) => {
                        let case = old(&both(a), &mut out.before)?;
                        format!("(!{case} || {f})")
                    }
                    None => f,
                });
            }
            "assigns" => out.assigns.read(text, *behaviour)?,
            "complete behaviors" => {
                cases.extend(assumes.take().map(|a| both(&a)));
                if !cases.is_empty() {
                    out.claims.push(format!("({})", cases.join(" || ")));
                }
            }
            "disjoint behaviors" => {
                cases.extend(assumes.take().map(|a| both(&a)));
                for (i, a) in cases.iter().enumerate() {
                    for b in &cases[i + 1..] {
                        out.claims.push(format!("!({a} && {b})"));
                    }
                }
            }
            "decreases" => {
                out.decreases = Some(formula(text, &mut Before::default())?);
            }
            "frees" | "allocates" | "terminates" | "exits" => {}
            other => return Err(format!("`{other}` is not supported")),
        }
        Ok(())
    }

    /// The doors before the body of this name, on one line.
    pub(super) fn doors(&self, h: &Header) -> String {
        let measure = match self.decreases {
            Some(_) => format!(
                " static __int128 {MEASURE}{}; static int {INSIDE}{};",
                h.name, h.name
            ),
            None => String::new(),
        };
        measure
            + &self.door(h, &h.name, false)
            + &self.door(h, &format!("{CHECKED}{}", h.name), true)
            + &self.watch(h)
    }

    /// What the caller that checks the function asks to see what it changes (`entry/watch.rs`).
    fn watch(&self, h: &Header) -> String {
        if !self.assigns.is_said() {
            return String::new();
        }
        let name = &h.name;
        let requires: String = self
            .requires
            .iter()
            .map(|r| format!("if (!{SPEC}({r})) return 0; "))
            .collect();
        let allowed = self.assigns.allows("__craig_at", &self.behaviours);
        let inner = h.back.trim().trim_start_matches('(').trim_end_matches(')');
        let inner = inner.trim().trim_end_matches("...").trim();
        let params = match inner.trim_end_matches(',') {
            "" | "void" => String::new(),
            some => format!("{some}, "),
        };
        let back = &h.back;
        format!(
            " static int {APPLIES}{name}{back} {{ {requires}return 1; }} \
             static int {ASSIGNED}{name}({params}const char *__craig_at) {{ return {allowed}; }} \
             static int {THERE}{name}(const void *__craig_at, unsigned long __craig_n) {{ return __CPROVER_r_ok(__craig_at, __craig_n); }} \
             static void {KEPT}{name}(int __craig_same) {{ __CPROVER_assert(__craig_same, \"assigns\"); }}"
        )
    }

    /// Around the call of the body: the measure of the call at hand is kept, and a call inside it has less.
    fn measured(&self, h: &Header, checked: bool) -> (String, String) {
        let Some(e) = &self.decreases else {
            return (String::new(), String::new());
        };
        let (measure, inside) = (
            format!("{MEASURE}{}", h.name),
            format!("{INSIDE}{}", h.name),
        );
        let check = match checked {
            true => String::new(),
            false => format!(
                "if ({inside}) {{ __CPROVER_assert({SPEC}(((0 <= {measure}) && (({e}) < {measure}))), \"decreases\"); }} "
            ),
        };
        let before = format!(
            "{check}__int128 __craig_outer = {measure}; int __craig_was = {inside}; {measure} = {SPEC}({e}); {inside} = 1; "
        );
        let after = format!("{measure} = __craig_outer; {inside} = __craig_was; ");
        (before, after)
    }

    fn door(&self, h: &Header, name: &str, assumes: bool) -> String {
        let mut out = format!(" {}{name}{} {{ ", h.front, h.back);
        if !assumes {
            out += &self.said_before();
        }
        for r in &self.requires {
            out += &match assumes {
                true => format!("__CPROVER_assume({SPEC}({r})); "),
                false => format!("__CPROVER_assert({SPEC}({r}), \"requires\"); "),
            };
        }
        out += &self.claimed();
        out += &self.snapshots();
        let (before, after) = self.measured(h, assumes);
        out += &before;
        let call = format!("{BODY}{}({})", h.name, h.params.join(", "));
        if h.returns_nothing() {
            out += &format!("{call}; ");
        } else {
            out += &format!("__typeof__({call}) __craig_result = {call}; ");
        }
        out += &after;
        for e in &self.ensures {
            out += &format!("__CPROVER_assert({SPEC}({e}), \"ensures\"); ");
        }
        if !assumes {
            out += &self.said_after();
        }
        if !h.returns_nothing() {
            out += "return __craig_result; ";
        }
        out + "}"
    }

    /// The contract in place of a body that nobody has. ACSL's says nothing of what changes if it has no `assigns`
    /// (`touches`), CBMC's that nothing does.
    pub(super) fn body(&self, h: &Header, touches: bool) -> String {
        let mut out = String::new();
        let touched = h.writable();
        let touches = touches && !touched.is_empty();
        if touches && !self.assigns.is_said() {
            let types: Vec<&str> = touched.iter().map(|(text, _)| *text).collect();
            out += &format!(" extern void {TOUCH}{}({});", h.name, types.join(", "));
        }
        out += &format!(" {}{}{} {{ ", h.front, h.name, h.back);
        for r in &self.requires {
            out += &format!("__CPROVER_assert({SPEC}({r}), \"requires\"); ");
        }
        out += &self.claimed();
        out += &self.snapshots();
        match self.assigns.is_said() || !touches {
            true => out += &self.assigns.havoc(),
            // Nothing is said: what is behind the arguments may change, as with any function that nobody has.
            false => {
                let names: Vec<&str> = touched.iter().map(|(_, name)| *name).collect();
                out += &format!("{TOUCH}{}({}); ", h.name, names.join(", "));
            }
        }
        if !h.returns_nothing() {
            let call = format!("{}({})", h.name, h.params.join(", "));
            out += &format!("__typeof__({call}) __craig_result; ");
        }
        for e in &self.ensures {
            out += &format!("__CPROVER_assume({SPEC}({e})); ");
        }
        if !h.returns_nothing() {
            out += "return __craig_result; ";
        }
        out + "}"
    }

    /// What engines may take as guesses for guards of the function.
    fn said_before(&self) -> String {
        let requires = self.requires.iter();
        let requires = requires.map(|r| part(Part::Requires, &format!("{SPEC}({r})")));
        let places = self.assigns.places().into_iter();
        let places = places.map(|p| part(Part::Assigned, &format!("&({p})")));
        requires.chain(places).collect()
    }

    /// The same for its summaries: formulas over the result and the values before.
    fn said_after(&self) -> String {
        let said = |e: &String| {
            let mut e = e.replace("__craig_result", &format!("{RESULT}()"));
            // The longer names first: one is the beginning of another.
            for (i, text) in self.before.texts.iter().enumerate().rev() {
                e = e.replace(&format!("__craig_old_{i}"), &format!("{OLD}({text})"));
            }
            part(Part::Ensures, &format!("{SPEC}({e})"))
        };
        self.ensures.iter().map(said).collect()
    }

    fn claimed(&self) -> String {
        let claims = self.claims.iter();
        let claims = claims.map(|c| format!("__CPROVER_assert({SPEC}({c}), \"behaviors\"); "));
        claims.collect()
    }

    fn snapshots(&self) -> String {
        let mut out = String::new();
        for (i, e) in self.before.texts.iter().enumerate() {
            out += &format!("__typeof__({e}) __craig_old_{i} = {e}; ");
        }
        out
    }
}

fn part(kind: Part, text: &str) -> String {
    format!("{CONTRACT}({}, {text}); ", kind as usize)
}

fn both(parts: &[String]) -> String {
    match parts.is_empty() {
        true => "1".into(),
        false => format!("({})", parts.join(" && ")),
    }
}

/// The value of a condition before the call.
fn old(text: &str, before: &mut Before) -> Result<String, String> {
    let at = before.texts.iter().position(|t| t == text);
    let at = at.unwrap_or_else(|| {
        before.texts.push(text.to_string());
        before.texts.len() - 1
    });
    Ok(format!("__craig_old_{at}"))
}

/// Parts between commas outside parentheses.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(text[from..].trim());
    out.retain(|p| !p.is_empty());
    out
}

impl Header {
    /// The header of `text`, which ends before `{` or `;`; `None` if it is no function's.
    pub(super) fn read(text: &str) -> Option<Header> {
        let open = text.find('(')?;
        let before = text[..open].trim_end();
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        let name = before[start..].to_string();
        let mut depth = 0;
        let close = text[open..].char_indices().find_map(|(i, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(open + i)
        })?;
        if name.is_empty() || !text[close + 1..].trim().is_empty() {
            return None;
        }
        let params = split(&text[open + 1..close])
            .into_iter()
            .filter(|p| *p != "void" && *p != "...")
            .map(parameter)
            .collect::<Option<Vec<String>>>()?;
        Some(Header {
            front: text[..start].replace('\n', " "),
            name,
            back: text[open..=close].replace('\n', " "),
            params,
        })
    }

    /// Parameters through which the function may write, as they are declared and by their names.
    fn writable(&self) -> Vec<(&str, &str)> {
        let inside = self.back.trim();
        let inside = inside.strip_prefix('(').unwrap_or(inside);
        let inside = inside.strip_suffix(')').unwrap_or(inside);
        let all = split(inside)
            .into_iter()
            .filter(|p| *p != "void" && *p != "...");
        all.zip(self.params.iter().map(String::as_str))
            .filter(|(text, _)| {
                let target = text.split(['*', '[']).next().unwrap_or("");
                text.contains(['*', '[']) && !target.split_whitespace().any(|w| w == "const")
            })
            .collect()
    }

    fn returns_nothing(&self) -> bool {
        let words: Vec<&str> = self.front.split_whitespace().collect();
        words.contains(&"void") && !self.front.contains('*')
    }
}

/// The name that a parameter's declaration declares.
fn parameter(text: &str) -> Option<String> {
    let ident = |s: &str| -> Option<String> {
        let s = s.trim_end();
        let start = s
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        let word = s[start..].to_string();
        (!word.is_empty()).then_some(word)
    };
    if let Some(star) = text.find("(*") {
        let rest = &text[star + 2..];
        let close = rest.find(')')?;
        return ident(&rest[..close]);
    }
    ident(text.split('[').next()?)
}

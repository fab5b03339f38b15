//! The text of a program once from front to back: comments, strings and code, with contracts replaced
//! by what checks them.
//!
//! Invariant: the text that comes out has its line breaks where they were.

use super::acsl::{self, Before, Clause, formula};
use super::doors::Header;
use super::{BODY, CLAUSES, Contract, SPEC, Wrong};
use std::collections::BTreeMap;

const NO_FUNCTION: &str = "no function follows this contract";

/// The text so far.
pub(super) type Woven = String;

pub(super) struct Scanner<'t> {
    text: &'t str,
    /// Comments count.
    acsl: bool,
    /// Contracts of declarations, for definitions further on.
    declared: BTreeMap<String, Vec<Clause>>,
}

/// A piece of the text: where it ends, and what is code of it.
enum Piece {
    Comment { inside: (usize, usize), end: usize },
    Other(usize),
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, acsl: bool) -> Self {
        Scanner {
            text,
            acsl,
            declared: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Woven, Wrong> {
        let mut out = Woven::new();
        let mut at = 0;
        let mut depth = 0usize;
        let mut parens = 0usize;
        let mut waiting: Option<(usize, Vec<Clause>)> = None;
        // Where the declaration at hand began, in the text and in what came out.
        let mut begun = (0, 0);
        while at < self.text.len() {
            match self.piece(at) {
                Piece::Comment { inside, end } => {
                    match self.clauses(inside)? {
                        Some(words) if depth == 0 => {
                            waiting.get_or_insert((at, Vec::new())).1.extend(words);
                        }
                        Some(words) => {
                            out += &self.annotation(&words, &mut Before::default())?;
                        }
                        None => {}
                    }
                    push_blank(&mut out, &self.text[at..end]);
                    at = end;
                    if depth == 0 && out[begun.1..].trim().is_empty() {
                        begun = (at, out.len());
                    }
                }
                Piece::Other(end) => {
                    let piece = &self.text[at..end];
                    match piece {
                        "{" if depth == 0 => {
                            let (code, next) =
                                self.definition(begun, at, &mut out, waiting.take())?;
                            out += &code;
                            at = next;
                            begun = (at, out.len());
                            continue;
                        }
                        "(" if depth == 0 => parens += 1,
                        ")" if depth == 0 => parens = parens.saturating_sub(1),
                        ";" if depth == 0 && parens == 0 => {
                            self.declaration(begun, &mut out, waiting.take())?;
                            begun = (end, out.len() + 1);
                        }
                        "{" => depth += 1,
                        "}" => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    out += piece;
                    at = end;
                    if depth == 0 && piece.starts_with('#') {
                        begun = (at, out.len());
                    }
                }
            }
        }
        match waiting {
            Some((at, _)) => Err(self.wrong(at, NO_FUNCTION)),
            None => Ok(out),
        }
    }

    /// The next comment, string, directive, word or character.
    fn piece(&self, at: usize) -> Piece {
        let rest = &self.text[at..];
        let to = |n: usize| at + n.min(rest.len());
        if let Some(after) = rest.strip_prefix("/*") {
            let n = after.find("*/").map_or(rest.len(), |i| i + 4);
            let inside = match after.starts_with('@') {
                true => (at + 3, to(n.saturating_sub(2)).max(at + 3)),
                false => (at, at),
            };
            return Piece::Comment { inside, end: to(n) };
        }
        if rest.starts_with("//") {
            let n = rest.find('\n').unwrap_or(rest.len());
            let inside = match rest.starts_with("//@") {
                true => (at + 3, to(n)),
                false => (at, at),
            };
            return Piece::Comment { inside, end: to(n) };
        }
        let first = rest.chars().next().unwrap_or(' ');
        if first == '"' || first == '\'' {
            let mut escaped = false;
            let n = rest.char_indices().skip(1).find_map(|(i, c)| {
                let ends = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                ends.then_some(i + 1)
            });
            return Piece::Other(to(n.unwrap_or(rest.len())));
        }
        let line_start = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        if first == '#' && self.text[line_start..at].trim().is_empty() {
            return Piece::Other(to(rest.find('\n').unwrap_or(rest.len())));
        }
        if first.is_alphanumeric() || first == '_' {
            let n = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            return Piece::Other(to(n.unwrap_or(rest.len())));
        }
        Piece::Other(to(first.len_utf8()))
    }

    fn wrong(&self, at: usize, message: &str) -> Wrong {
        let message = message.to_string();
        Wrong { at, message }
    }

    /// The clauses of a comment, if comments count and it is an annotation.
    fn clauses(&self, inside: (usize, usize)) -> Result<Option<Vec<Clause>>, Wrong> {
        match self.acsl {
            true => acsl::clauses(&self.text[inside.0..inside.1], inside.0),
            false => Ok(None),
        }
    }

    /// An annotation inside a function: an assertion, or what stands before a loop.
    fn annotation(&self, words: &[Clause], before: &mut Before) -> Result<String, Wrong> {
        let mut out = String::new();
        for clause in words {
            let at = clause.at;
            match clause.word.as_str() {
                "assert" | "check" => {
                    let f = self.closed(at, &clause.text, before)?;
                    out += &format!(" __CPROVER_assert({SPEC}({f}), \"assert\"); ");
                }
                // `loop` clauses are taken up when the loop itself is reached.
                w if w.starts_with("loop ") => {}
                "admit" => return Err(self.wrong(at, "`admit` would be believed unchecked")),
                "ghost" => return Err(self.wrong(at, "ghost code is not supported")),
                other => {
                    return Err(self.wrong(at, &format!("`{other}` has no meaning here")));
                }
            }
        }
        Ok(out)
    }

    /// A formula that speaks of the state at its place, and of the values when the function was entered.
    fn closed(&self, at: usize, text: &str, before: &mut Before) -> Result<String, Wrong> {
        before.inside = true;
        formula(text, before).map_err(|e| self.wrong(at, &e))
    }

    /// `;` ends a declaration outside functions.
    fn declaration(
        &mut self,
        begun: (usize, usize),
        out: &mut Woven,
        waiting: Option<(usize, Vec<Clause>)>,
    ) -> Result<(), Wrong> {
        let (plain, mut clauses) = self.without_clauses(&out[begun.1..], begun.0)?;
        let comment = waiting.as_ref().map(|w| w.0);
        if let Some((_, words)) = waiting {
            clauses.splice(0..0, words);
        }
        if clauses.is_empty() {
            return Ok(());
        }
        let Some(header) = Header::read(plain.trim()) else {
            return match comment {
                Some(place) => Err(self.wrong(place, NO_FUNCTION)),
                None => Ok(()),
            };
        };
        out.truncate(begun.1);
        *out += &plain;
        // The program may define it further on.
        let contract = Contract::read(&clauses)?;
        if !self.defines(&header.name) {
            *out += ";";
            *out += &contract.body(&header, comment.is_some());
        }
        self.declared.insert(header.name, clauses);
        Ok(())
    }

    /// Does the text define the function?
    fn defines(&self, name: &str) -> bool {
        let mut from = 0;
        while let Some(i) = self.text[from..].find(name) {
            let start = from + i;
            from = start + name.len();
            let alone = !self.text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let after = self.text[from..].trim_start();
            if !alone || !after.starts_with('(') {
                continue;
            }
            let open = self.text.len() - after.len();
            let Some(close) = closing(self.text, open) else {
                continue;
            };
            let mut rest = self.text[close + 1..].trim_start();
            while let Some(c) = CLAUSES.iter().find(|c| rest.starts_with(**c)) {
                let open = self.text.len() - rest.len() + c.len();
                match closing(self.text, open) {
                    Some(end) => rest = self.text[end + 1..].trim_start(),
                    None => break,
                }
            }
            if rest.starts_with('{') {
                return true;
            }
        }
        false
    }

    /// `{` begins a body (or something that is no function). What comes out, and where the text goes on.
    fn definition(
        &mut self,
        begun: (usize, usize),
        at: usize,
        out: &mut Woven,
        waiting: Option<(usize, Vec<Clause>)>,
    ) -> Result<(String, usize), Wrong> {
        let end = closing(self.text, at).map_or(self.text.len(), |e| e + 1);
        let body = self.body(at, end)?;
        let (plain, mut clauses) = self.without_clauses(&out[begun.1..], begun.0)?;
        let header = Header::read(plain.trim());
        let place = waiting.as_ref().map_or(begun.0, |w| w.0);
        if let Some((_, words)) = waiting {
            clauses.splice(0..0, words);
        }
        let Some(header) = header else {
            return match clauses.is_empty() {
                true => Ok((body, end)),
                false => Err(self.wrong(place, NO_FUNCTION)),
            };
        };
        if clauses.is_empty() {
            clauses = self.declared.get(&header.name).cloned().unwrap_or_default();
        }
        if clauses.is_empty() {
            return Ok((body, end));
        }
        let contract = Contract::read(&clauses)?;
        let lines = "\n".repeat(plain.matches('\n').count());
        out.truncate(begun.1);
        let (front, name, back) = (&header.front, &header.name, &header.back);
        let head = format!("{lines} {front}{name}{back}; {front}{BODY}{name}{back} ");
        Ok((head + &body + &contract.doors(&header), end))
    }

    /// The header without CBMC's clauses, and those.
    fn without_clauses(&self, text: &str, place: usize) -> Result<(String, Vec<Clause>), Wrong> {
        let mut plain = String::new();
        let mut clauses = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let Some((i, word)) = CLAUSES
                .iter()
                .filter_map(|c| text[at..].find(c).map(|i| (at + i, *c)))
                .min()
            else {
                break;
            };
            plain += &text[at..i];
            let open = i + word.len() + text[i + word.len()..].len()
                - text[i + word.len()..].trim_start().len();
            let close = closing(text, open)
                .ok_or_else(|| self.wrong(place + i, "a parenthesis is missing"))?;
            let inside = text[open + 1..close]
                .replace("__CPROVER_return_value", "\\result")
                .replace("__CPROVER_old", "\\old");
            clauses.push(Clause {
                word: word.trim_start_matches("__CPROVER_").to_string(),
                text: inside.replace('\n', " "),
                at: place + i,
            });
            plain += &"\n".repeat(text[i..close].matches('\n').count());
            at = close + 1;
        }
        plain += &text[at..];
        Ok((plain, clauses))
    }

    /// A function's body, with the annotations in it.
    fn body(&self, from: usize, end: usize) -> Result<String, Wrong> {
        let mut out = String::new();
        let mut at = from;
        let mut annotations = Annotations::default();
        let mut before = Before::default();
        while at < end {
            match self.piece(at) {
                Piece::Comment { inside, end: next } => {
                    if let Some(words) = self.clauses(inside)? {
                        out += &self.annotation(&words, &mut before)?;
                        for w in words {
                            match w.word.as_str() {
                                "loop invariant" => {
                                    let f = self.closed(w.at, &w.text, &mut before)?;
                                    annotations.invariants.push(f);
                                }
                                "loop variant" => {
                                    let e = self.closed(w.at, &w.text, &mut before)?;
                                    annotations.variant = vec![e];
                                    annotations.natural = true;
                                }
                                _ => {}
                            }
                        }
                    }
                    push_blank(&mut out, &self.text[at..next]);
                    at = next;
                }
                Piece::Other(next) => {
                    let word = &self.text[at..next];
                    if matches!(word, "while" | "for") {
                        let (code, next) = self.loop_head(
                            at,
                            next,
                            std::mem::take(&mut annotations),
                            &mut before,
                        )?;
                        out += &code;
                        at = next;
                        continue;
                    }
                    if matches!(word, "do" | ";" | "}" | "{") && !annotations.is_empty() {
                        return Err(self.wrong(at, "no `while` or `for` loop follows"));
                    }
                    out += word;
                    at = next;
                }
            }
        }
        // What annotations say of the values at the beginning is kept there.
        let kept = before.texts.iter().enumerate();
        let kept = kept.map(|(i, e)| format!(" __typeof__({e}) __craig_old_{i} = {e};"));
        out.insert_str(out.len().min(1), &kept.collect::<String>());
        Ok(out)
    }

    /// `while (c)` and `for (a; c; b)` with what holds whenever `c` is evaluated.
    fn loop_head(
        &self,
        at: usize,
        after: usize,
        mut annotations: Annotations,
        before: &mut Before,
    ) -> Result<(String, usize), Wrong> {
        let word = &self.text[at..after];
        let skipped = self.text[after..].len() - self.text[after..].trim_start().len();
        let open = after + skipped;
        let Some(close) = closing(self.text, open).filter(|_| self.text[open..].starts_with('('))
        else {
            return Ok((word.to_string(), after));
        };
        // CBMC's clauses follow the head.
        let mut end = close + 1;
        let mut lines = 0;
        loop {
            let rest = self.text[end..].trim_start();
            let start = self.text.len() - rest.len();
            let Some(clause) = CLAUSES.iter().find(|c| rest.starts_with(**c)) else {
                break;
            };
            let from = start + clause.len();
            let last = closing(self.text, from)
                .ok_or_else(|| self.wrong(start, "a parenthesis is missing"))?;
            let inside = &self.text[from + 1..last];
            match *clause {
                "__CPROVER_loop_invariant" => {
                    annotations
                        .invariants
                        .push(self.closed(start, inside, before)?);
                }
                "__CPROVER_decreases" => {
                    for part in super::doors::split(inside) {
                        annotations.variant.push(self.closed(start, part, before)?);
                    }
                }
                _ => {}
            }
            lines += self.text[end..=last].matches('\n').count();
            end = last + 1;
        }
        let head = &self.text[open + 1..close];
        let checks = annotations.checks(at);
        let (keep, begin) = annotations.variables(at);
        let lines = "\n".repeat(lines);
        let space = &self.text[after..open];
        if checks.is_empty() {
            return Ok((format!("{word}{space}({head}){lines}"), end));
        }
        let checks = format!("({{ {checks}}})");
        let code = match word {
            "while" => format!("{begin}while{space}({checks}, ({head}){keep}){lines}"),
            _ => {
                let parts = semicolons(head);
                let [first, cond, step] = parts.as_slice() else {
                    return Err(self.wrong(at, "this is no `for` loop"));
                };
                let cond = match cond.trim().is_empty() {
                    true => "1",
                    false => cond,
                };
                format!("{begin}for{space}({first}; {checks}, ({cond}){keep}; {step}){lines}")
            }
        };
        Ok((code, end))
    }
}

/// What stands before a loop, as C.
#[derive(Default)]
struct Annotations {
    invariants: Vec<String>,
    /// What becomes less in every turn, the first part that changes.
    variant: Vec<String>,
    /// The variant is no less than zero when a turn begins.
    natural: bool,
}

impl Annotations {
    fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.variant.is_empty()
    }

    /// What is checked whenever the loop's condition is evaluated.
    fn checks(&self, at: usize) -> String {
        let assert = |f: &str, what: &str| format!("__CPROVER_assert({SPEC}({f}), \"{what}\"); ");
        let mut out: String = self
            .invariants
            .iter()
            .map(|f| assert(f, "loop invariant"))
            .collect();
        if self.variant.is_empty() {
            return out;
        }
        let parts = self.variant.iter().enumerate().rev();
        let mut less = parts.fold("0".to_string(), |rest, (k, e)| {
            let old = format!("__craig_variant_{at}_{k}");
            format!("((({e}) < {old}) || ((({e}) == {old}) && {rest}))")
        });
        if self.natural {
            less = format!("((0 <= __craig_variant_{at}_0) && {less})");
        }
        out += &format!(
            "if (__craig_turns_{at}) {{ {}}} ",
            assert(&less, "loop variant")
        );
        out
    }

    /// What keeps the values of a turn's begin: behind the condition, and before the loop. A loop that is taken
    /// once declares the variables, so that nothing need be closed behind the loop.
    fn variables(&self, at: usize) -> (String, String) {
        if self.variant.is_empty() {
            return (String::new(), String::new());
        }
        let mut keep = format!("__craig_turns_{at} = 1; 1; ");
        let mut begin = format!("for (__int128 __craig_turns_{at} = 0");
        for (k, e) in self.variant.iter().enumerate() {
            keep = format!("__craig_variant_{at}_{k} = {SPEC}({e}); {keep}");
            begin += &format!(", __craig_variant_{at}_{k} = 0");
        }
        begin += &format!("; __craig_turns_{at} < 2; __craig_turns_{at} = 2) ");
        (format!(" && ({{ {keep}}})"), begin)
    }
}

fn push_blank(out: &mut Woven, text: &str) {
    out.push(' ');
    out.extend(text.chars().filter(|c| *c == '\n'));
}

/// Where the bracket at `open` closes; strings, characters and comments are passed over.
fn closing(text: &str, open: usize) -> Option<usize> {
    let scanner = Scanner::new(text, false);
    let (mut at, mut depth) = (open, 0usize);
    while at < text.len() {
        match scanner.piece(at) {
            Piece::Comment { end, .. } => at = end,
            Piece::Other(end) => {
                match &text[at..end] {
                    "(" | "{" | "[" => depth += 1,
                    ")" | "}" | "]" => {
                        depth = depth.checked_sub(1)?;
                        if depth == 0 {
                            return Some(at);
                        }
                    }
                    _ => {}
                }
                at = end;
            }
        }
    }
    None
}

/// The parts of a `for` head.
fn semicolons(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => {
                out.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

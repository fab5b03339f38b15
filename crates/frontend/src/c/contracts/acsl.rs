//! ACSL's clauses and formulas as C: relational chains, implications, bounded quantifiers, `\valid`,
//! `\valid_read`, `\separated`, `\old`, `\at`, `\result`.
//!
//! A formula is read by precedence down to the operands of relations, which are C already but for the
//! words that begin with a backslash; those are replaced one by one.

use super::Wrong;

/// One clause of a contract or annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// `requires`, `ensures`, `assigns`, `assumes`, `assert`, `loop invariant`, `behavior`, …
    pub word: String,
    /// What stands between the word and the semicolon (or colon).
    pub text: String,
    /// Where it begins.
    pub at: usize,
}

/// Words that begin a clause. Comments that begin with none of them are no contracts.
const WORDS: &[&str] = &[
    "loop invariant",
    "loop assigns",
    "loop variant",
    "loop frees",
    "requires",
    "ensures",
    "assigns",
    "assumes",
    "frees",
    "terminates",
    "decreases",
    "exits",
    "assert",
    "check",
    "admit",
    "invariant",
    "behavior",
    "complete behaviors",
    "disjoint behaviors",
    "ghost",
    "predicate",
    "logic",
    "axiomatic",
    "lemma",
    "type",
    "global invariant",
    "allocates",
    "loop allocates",
    "loop unroll",
    "loop pragma",
];

/// Clauses that define something; what they say is not read.
const DEFINITIONS: &[&str] = &[
    "ghost",
    "predicate",
    "logic",
    "axiomatic",
    "lemma",
    "type",
    "invariant",
    "global invariant",
    "loop pragma",
];

/// Words that no formula has: a semicolon is missing before them.
const FIRST: &[&str] = &[
    "requires",
    "ensures",
    "assigns",
    "assumes",
    "behavior",
    "assert",
    "loop",
    "decreases",
];

/// The clauses of a comment's inside, which begins at this place; `None` if it is no annotation: it begins with no word
/// of ACSL.
pub(super) fn clauses(inside: &str, start: usize) -> Result<Option<Vec<Clause>>, Wrong> {
    let plain = unmarked(inside);
    let mut at = 0;
    let mut out: Vec<Clause> = Vec::new();
    while !plain[at..].trim().is_empty() {
        at += plain[at..].len() - plain[at..].trim_start().len();
        let rest = &plain[at..];
        let wrong = |offset: usize, message: String| Wrong {
            at: start + at + offset,
            message,
        };
        let found = WORDS.iter().find_map(|w| Some((*w, begins(rest, w)?)));
        let label = |after: &str| out.is_empty() && after.trim_start().starts_with(':');
        let Some((word, after)) = found.filter(|(_, after)| !label(after)) else {
            let word = tokens(rest).into_iter().next().unwrap_or_default();
            return match out.is_empty() {
                true => Ok(None),
                false => Err(wrong(0, format!("`{word}` begins no clause"))),
            };
        };
        let end = if word == "behavior" { ':' } else { ';' };
        let before = rest.len() - after.len();
        let stop = clause_end(after, end);
        let text = &after[..stop.unwrap_or(after.len())];
        if let Some((i, next)) = next_clause(text) {
            let message = format!("`{end}` is missing before `{next}`");
            return Err(wrong(before + i, message));
        }
        let Some(stop) = stop else {
            return Err(wrong(0, format!("`{end}` is missing behind `{word}`")));
        };
        if let Some((i, name)) = called(text) {
            let message = format!(
                "`{name}` is no function of ACSL: definitions of predicates are not supported"
            );
            if !DEFINITIONS.contains(&word) {
                return Err(wrong(before + i, message));
            }
        }
        out.push(Clause {
            word: word.to_string(),
            text: unlabelled(text.trim()).to_string(),
            at: start + at,
        });
        at += before + stop + 1;
    }
    Ok((!out.is_empty()).then_some(out))
}

/// The inside of a comment on one line, each character where it was. Continuation lines may begin with `@`, and the last
/// one end so.
fn unmarked(inside: &str) -> String {
    let mut out = String::with_capacity(inside.len());
    let mut begins = true;
    for c in inside.chars() {
        begins &= c.is_whitespace() || c == '@';
        out.push(match c {
            '@' if begins => ' ',
            '\n' | '\r' => ' ',
            c => c,
        });
        begins |= c == '\n';
    }
    let end = out.trim_end().trim_end_matches('@').len();
    let rest = " ".repeat(out.len() - end);
    out.truncate(end);
    out + &rest
}

/// Names in a text, with where they are.
fn names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(part)?;
        let end = text[start..].find(|c| !part(c));
        at = end.map_or(text.len(), |n| start + n);
        Some((start, &text[start..at]))
    })
}

/// The word of the next clause, inside a clause.
fn next_clause(text: &str) -> Option<(usize, &str)> {
    names(text).find(|(_, name)| FIRST.contains(name))
}

/// What a formula calls. ACSL knows no functions but those that it defines.
fn called(text: &str) -> Option<(usize, &str)> {
    names(text).find(|(at, name)| {
        let after = text[at + name.len()..].trim_start();
        let first = name.chars().next().unwrap_or(' ');
        let plain = first.is_alphabetic() || first == '_' && !name.starts_with("__");
        plain && after.starts_with('(') && !matches!(*name, "sizeof" | "_Alignof")
    })
}

/// A name before a formula, `requires positive: n > 0`, says nothing.
fn unlabelled(text: &str) -> &str {
    match text.split_once(':') {
        Some((label, rest))
            if !rest.starts_with(':')
                && label
                    .trim()
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_')
                && !label.trim().is_empty() =>
        {
            rest.trim()
        }
        _ => text,
    }
}

fn begins<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = text;
    for w in words.split(' ') {
        rest = rest.trim_start().strip_prefix(w)?;
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
    }
    Some(rest)
}

/// Where a clause ends: quantifiers have semicolons of their own.
fn clause_end(text: &str, end: char) -> Option<usize> {
    let mut inner = 0;
    let mut from = 0;
    for (i, c) in text.char_indices() {
        if c == '\\' {
            let word = &text[i..];
            let binds = ["\\forall", "\\exists", "\\let"];
            inner += usize::from(binds.iter().any(|b| word.starts_with(b)));
        }
        if c == end && i >= from {
            if inner == 0 {
                return Some(i);
            }
            inner -= 1;
            from = i + 1;
        }
    }
    None
}

/// Values of expressions before the call, by the C text of the expression.
#[derive(Default, Debug)]
pub(super) struct Before {
    pub(super) texts: Vec<String>,
    /// Of an annotation in a body, which has no `\old`.
    pub(super) inside: bool,
}

impl Before {
    fn name(&mut self, text: String) -> String {
        let at = self.texts.iter().position(|t| *t == text);
        let at = at.unwrap_or_else(|| {
            self.texts.push(text);
            self.texts.len() - 1
        });
        format!("__craig_old_{at}")
    }
}

/// The formula as a C expression.
pub(super) fn formula(text: &str, before: &mut Before) -> Result<String, String> {
    let tokens = tokens(text);
    let mut p = Reader {
        tokens: &tokens,
        at: 0,
        before,
    };
    let out = p.implication()?;
    match p.peek() {
        None => Ok(out),
        Some(t) => Err(format!("`{t}` is not expected here: {}", text.trim())),
    }
}

fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    let long = [
        "<==>", "==>", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", "..",
    ];
    while i < chars.len() {
        let c = chars[i];
        if c.is_whitespace() {
            i += 1;
            continue;
        }
        let start = i;
        if c == '\\' || c.is_alphanumeric() || c == '_' {
            i += 1;
            while i < chars.len() && (chars[i].is_alphanumeric() || chars[i] == '_') {
                i += 1;
            }
            // Decimal points, but no ranges.
            let digits = c.is_ascii_digit();
            if digits && i + 1 < chars.len() && chars[i] == '.' && chars[i + 1] != '.' {
                i += 1;
                while i < chars.len() && chars[i].is_alphanumeric() {
                    i += 1;
                }
            }
        } else if c == '"' || c == '\'' {
            i += 1;
            while i < chars.len() && chars[i] != c {
                i += if chars[i] == '\\' { 2 } else { 1 };
            }
            i = (i + 1).min(chars.len());
        } else {
            let rest: String = chars[i..].iter().take(4).collect();
            let n = long
                .iter()
                .find(|l| rest.starts_with(*l))
                .map_or(1, |l| l.len());
            i += n;
        }
        out.push(chars[start..i].iter().collect());
    }
    out
}

struct Reader<'t> {
    tokens: &'t [String],
    at: usize,
    before: &'t mut Before,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let here = self.peek() == Some(token);
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!(
                "`{token}` expected, found `{}`",
                self.peek().unwrap_or("the end")
            )),
        }
    }

    fn implication(&mut self) -> Result<String, String> {
        let left = self.any()?;
        if self.eat("==>") {
            let right = self.implication()?;
            return Ok(format!("(!({left}) || ({right}))"));
        }
        if self.eat("<==>") {
            let right = self.implication()?;
            return Ok(format!("(!({left}) == !({right}))"));
        }
        if self.eat("?") {
            let then = self.implication()?;
            self.expect(":")?;
            let els = self.implication()?;
            return Ok(format!("(({left}) ? ({then}) : ({els}))"));
        }
        Ok(left)
    }

    fn any(&mut self) -> Result<String, String> {
        let mut left = self.all()?;
        loop {
            if self.eat("||") {
                left = format!("({left} || {})", self.all()?);
            } else if self.eat("^^") {
                left = format!("(!({left}) != !({}))", self.all()?);
            } else {
                return Ok(left);
            }
        }
    }

    fn all(&mut self) -> Result<String, String> {
        let mut left = self.relation()?;
        while self.eat("&&") {
            left = format!("({left} && {})", self.relation()?);
        }
        Ok(left)
    }

    /// `a <= b < c` is a conjunction.
    fn relation(&mut self) -> Result<String, String> {
        if let Some(word @ ("\\forall" | "\\exists")) = self.peek() {
            let exists = word == "\\exists";
            return self.quantifier(exists);
        }
        let first = self.operand()?;
        let mut parts: Vec<String> = Vec::new();
        let mut left = first.clone();
        while let Some(op @ ("<" | "<=" | ">" | ">=" | "==" | "!=")) = self.peek() {
            let op = op.to_string();
            self.at += 1;
            let right = self.operand()?;
            parts.push(format!("({left} {op} {right})"));
            left = right;
        }
        Ok(match parts.len() {
            0 => first,
            1 => parts.remove(0),
            _ => format!("({})", parts.join(" && ")),
        })
    }

    fn quantifier(&mut self, exists: bool) -> Result<String, String> {
        self.at += 1;
        let mut ty = Vec::new();
        let mut names: Vec<String> = Vec::new();
        while let Some(t) = self.peek().map(str::to_string) {
            if t == ";" {
                break;
            }
            self.at += 1;
            match self.peek() {
                Some("," | ";") => names.push(t),
                _ if t == "," => {}
                _ => ty.push(t),
            }
        }
        self.expect(";")?;
        let ty = match ty.join(" ").as_str() {
            "integer" | "" => "long long".to_string(),
            other => other.to_string(),
        };
        let body = self.implication()?;
        let word = match exists {
            true => "__CPROVER_exists",
            false => "__CPROVER_forall",
        };
        // Several variables: one quantifier inside the other; each finds its bounds in the body.
        Ok(names.iter().rev().fold(body, |body, name| {
            format!("{word} {{ {ty} {name}; {body} }}")
        }))
    }

    /// C up to the next relation or connective, with ACSL's words replaced.
    fn operand(&mut self) -> Result<String, String> {
        let mut out = String::new();
        while let Some(t) = self.peek().map(str::to_string) {
            match t.as_str() {
                "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" | "^^" | "==>" | "<==>"
                | "?" | ":" | ")" | "]" | "," | ";" | ".." => break,
                "(" => {
                    self.at += 1;
                    let inside = match self.is_type() {
                        Some(text) => text,
                        None => self.list()?,
                    };
                    self.expect(")")?;
                    out += &format!("({inside})");
                }
                "[" => {
                    self.at += 1;
                    let inside = self.implication()?;
                    self.expect("]")?;
                    out += &format!("[{inside}]");
                }
                word if word.starts_with('\\') => {
                    self.at += 1;
                    out += &self.word(&t)?;
                }
                "!" => {
                    self.at += 1;
                    let inner = self.relation()?;
                    out += &format!("!({inner})");
                }
                _ => {
                    self.at += 1;
                    out += &format!("{t} ");
                }
            }
        }
        let out = out.trim().to_string();
        match out.is_empty() {
            true => Err(format!(
                "a formula is missing before `{}`",
                self.peek().unwrap_or("the end")
            )),
            false => Ok(out),
        }
    }

    /// The tokens of a type in parentheses, as in a cast or `sizeof`.
    fn is_type(&mut self) -> Option<String> {
        let close = self.tokens[self.at..].iter().position(|t| t == ")")?;
        let inside = &self.tokens[self.at..self.at + close];
        let known = [
            "int", "char", "long", "short", "unsigned", "signed", "float", "double", "void",
            "struct", "union", "enum", "const", "integer", "size_t", "_Bool",
        ];
        let first = inside.first()?;
        let plain = inside
            .iter()
            .all(|t| t == "*" || t.chars().all(|c| c.is_alphanumeric() || c == '_'));
        if !plain || !known.contains(&first.as_str()) {
            return None;
        }
        self.at += close;
        let text = inside.join(" ");
        Some(text.replace("integer", "long long"))
    }

    fn list(&mut self) -> Result<String, String> {
        if self.peek() == Some(")") {
            return Ok(String::new());
        }
        let mut parts = vec![self.implication()?];
        while self.eat(",") {
            parts.push(self.implication()?);
        }
        Ok(parts.join(", "))
    }

    /// What a word of ACSL stands for.
    fn word(&mut self, word: &str) -> Result<String, String> {
        Ok(match word {
            "\\result" => "__craig_result".into(),
            "\\true" => "1".into(),
            "\\false" => "0".into(),
            "\\null" => "((void *)0)".into(),
            "\\old" if self.before.inside => {
                return Err("`\\old` is for postconditions; here it is `\\at(…, Pre)`".into());
            }
            "\\old" => {
                self.expect("(")?;
                let inside = self.implication()?;
                self.expect(")")?;
                self.before.name(inside)
            }
            "\\at" => {
                self.expect("(")?;
                let inside = self.implication()?;
                self.expect(",")?;
                let label = self.peek().unwrap_or("").to_string();
                self.at += 1;
                self.expect(")")?;
                match label.as_str() {
                    "Pre" | "Old" => self.before.name(inside),
                    "Here" | "Post" => format!("({inside})"),
                    _ => return Err(format!("the label `{label}` of `\\at` is not known")),
                }
            }
            "\\valid" => self.areas("rw_ok")?,
            "\\valid_read" => self.areas("r_ok")?,
            "\\separated" => self.separated()?,
            "\\offset" => {
                self.expect("(")?;
                let p = self.implication()?;
                self.expect(")")?;
                format!("__CPROVER_POINTER_OFFSET({p})")
            }
            "\\block_length" => {
                self.expect("(")?;
                let p = self.implication()?;
                self.expect(")")?;
                format!("__CPROVER_OBJECT_SIZE({p})")
            }
            _ => return Err(format!("`{word}` is not supported")),
        })
    }

    /// `p`, `p + (a .. b)` or `p[a .. b]`: where it begins, how many elements, and the pointer.
    fn area(&mut self) -> Result<(String, Option<(String, String)>), String> {
        let from = self.at;
        let mut depth = 0;
        let mut end = from;
        let mut dots = None;
        for (i, t) in self.tokens.iter().enumerate().skip(from) {
            match t.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => break,
                ")" | "]" => depth -= 1,
                "," if depth == 0 => break,
                ".." => dots = Some(i),
                _ => {}
            }
            end = i + 1;
        }
        let Some(dots) = dots else {
            return Ok((self.implication()?, None));
        };
        // The bracket that opens the range.
        let mut depth = 0;
        let mut open = None;
        for i in (from..dots).rev() {
            match self.tokens[i].as_str() {
                ")" | "]" => depth += 1,
                "(" | "[" if depth == 0 => {
                    open = Some(i);
                    break;
                }
                "(" | "[" => depth -= 1,
                _ => {}
            }
        }
        let open = open.ok_or("a range needs parentheses")?;
        let plus = self.tokens[open] == "(";
        let stop = match plus && open > from && self.tokens[open - 1] == "+" {
            true => open - 1,
            false => open,
        };
        let pointer = self.piece(from, stop)?;
        let low = self.piece(open + 1, dots)?;
        let high = self.piece(dots + 1, end - 1)?;
        self.at = end;
        Ok((pointer, Some((low, high))))
    }

    fn piece(&mut self, from: usize, to: usize) -> Result<String, String> {
        let text = self.tokens[from..to].join(" ");
        formula(&text, self.before)
    }

    fn areas(&mut self, predicate: &str) -> Result<String, String> {
        self.expect("(")?;
        let mut parts = Vec::new();
        loop {
            parts.push(match self.area()? {
                (p, None) => format!("__CPROVER_{predicate}({p}, sizeof(*({p})))"),
                (p, Some((low, high))) => format!(
                    "((({high}) < ({low})) || __CPROVER_{predicate}(({p}) + ({low}), (unsigned long)((({high}) - ({low}) + 1) * (long)sizeof(*({p})))))"
                ),
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(format!("({})", parts.join(" && ")))
    }

    /// No two areas share a byte.
    fn separated(&mut self) -> Result<String, String> {
        self.expect("(")?;
        let mut ends = Vec::new();
        loop {
            ends.push(match self.area()? {
                (p, None) => (format!("(char *)({p})"), format!("(char *)(({p}) + 1)")),
                (p, Some((low, high))) => (
                    format!("(char *)(({p}) + ({low}))"),
                    format!("(char *)(({p}) + ({high}) + 1)"),
                ),
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let mut parts = Vec::new();
        for (i, (a, a_end)) in ends.iter().enumerate() {
            for (b, b_end) in &ends[i + 1..] {
                parts.push(format!("({a_end} <= {b} || {b_end} <= {a})"));
            }
        }
        match parts.is_empty() {
            true => Ok("1".into()),
            false => Ok(format!("({})", parts.join(" && "))),
        }
    }
}

//! Tokens of the text form, and how names and strings are quoted.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A bare word: name, keyword, operator or number.
    Word(String),
    /// A name between bars: never a keyword.
    Quoted(String),
    Text(String),
    /// `@file:line:column:length`.
    Place([u32; 4]),
    /// One of `( ) [ ] { } , :` or `:=`.
    Punct(&'static str),
}

const PUNCTUATION: [&str; 8] = ["(", ")", "[", "]", "{", "}", ",", ":"];

const KEYWORDS: [&str; 18] = [
    "entry", "exit", "error", "loop", "location", "global", "function", "fn", "locals", "returns",
    "let", "in", "skip", "assume", "havoc", "call", "true", "false",
];

/// The tokens with their lines; an error is the line and what is wrong.
pub fn tokens(text: &str) -> Result<Vec<(u32, Token)>, (u32, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let (mut i, mut line) = (0, 1);
    let until = |from: usize, end: char| chars[from..].iter().position(|c| *c == end);
    while let Some(&c) = chars.get(i) {
        match c {
            '\n' => {
                line += 1;
                i += 1;
            }
            c if c.is_whitespace() => i += 1,
            ';' => i += until(i, '\n').unwrap_or(chars.len() - i),
            '|' => {
                let n = until(i + 1, '|').ok_or((line, "a name has no closing bar".into()))?;
                let name: String = chars[i + 1..i + 1 + n].iter().collect();
                line += name.matches('\n').count() as u32;
                out.push((line, Token::Quoted(name)));
                i += n + 2;
            }
            '"' => {
                let (text, next) =
                    read_string(&chars, i + 1).ok_or((line, "a string has no end".to_string()))?;
                out.push((line, Token::Text(text)));
                i = next;
            }
            '@' => {
                let end = chars[i + 1..]
                    .iter()
                    .position(|c| !(c.is_ascii_digit() || *c == ':'))
                    .map_or(chars.len(), |n| i + 1 + n);
                let digits: String = chars[i + 1..end].iter().collect();
                let parts: Vec<u32> = digits.split(':').filter_map(|d| d.parse().ok()).collect();
                let place = <[u32; 4]>::try_from(parts)
                    .map_err(|_| (line, "a place is @file:line:column:length".to_string()))?;
                out.push((line, Token::Place(place)));
                i = end;
            }
            ':' if chars.get(i + 1) == Some(&'=') => {
                out.push((line, Token::Punct(":=")));
                i += 2;
            }
            _ => {
                if let Some(p) = PUNCTUATION.iter().find(|p| p.starts_with(c)) {
                    out.push((line, Token::Punct(p)));
                    i += 1;
                } else {
                    let end = word_end(&chars, i);
                    out.push((line, Token::Word(chars[i..end].iter().collect())));
                    i = end;
                }
            }
        }
    }
    Ok(out)
}

fn read_string(chars: &[char], from: usize) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut i = from;
    loop {
        match *chars.get(i)? {
            '"' => return Some((text, i + 1)),
            '\\' => {
                text.push(match *chars.get(i + 1)? {
                    'n' => '\n',
                    c => c,
                });
                i += 2;
            }
            c => {
                text.push(c);
                i += 1;
            }
        }
    }
}

/// A word ends at white space and punctuation; `::` may stand inside.
fn word_end(chars: &[char], from: usize) -> usize {
    let mut i = from;
    while let Some(&c) = chars.get(i) {
        if c == ':' && chars.get(i + 1) == Some(&':') && chars.get(i + 2) != Some(&'=') {
            i += 2;
        } else if c.is_whitespace() || "()[]{},:;\"|".contains(c) {
            break;
        } else {
            i += 1;
        }
    }
    i
}

/// A name as it must be written.
pub fn quoted(name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_$.!#@'~".contains(c))
        && name
            .chars()
            .next()
            .is_some_and(|c| !c.is_ascii_digit() && c != '@' && c != '$')
        && !KEYWORDS.contains(&name);
    let scoped = || {
        let mut parts = name.split("::");
        name.contains("::") && parts.all(|p| !p.is_empty() && quoted(p) == p)
    };
    if plain || scoped() {
        name.into()
    } else {
        format!("|{name}|")
    }
}

/// A string as it must be written.
pub fn string(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

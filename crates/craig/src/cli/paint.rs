//! Colours for the account on a terminal: the verdict, what was violated or proved, and values. Only
//! escape sequences are added; without them every byte is the same.

use super::args::Color;
use std::io::IsTerminal;

/// Whether standard output gets colours.
pub fn wanted(color: Color) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            !set("NO_COLOR") && !dumb && std::io::stdout().is_terminal()
        }
    }
}

const RED: &str = "1;31";
const GREEN: &str = "1;32";
const YELLOW: &str = "1;33";
const CYAN: &str = "36";
const DIM: &str = "2";
const BOLD: &str = "1";

fn painted(code: &str, text: &str) -> String {
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// The account with colours, line by line.
pub fn account(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(line: &str) -> String {
    let (body, end) = match line.strip_suffix('\n') {
        Some(body) => (body, "\n"),
        None => (line, ""),
    };
    let painted = match body.trim_start() {
        t if t.starts_with("Violated:") => painted(RED, body),
        t if t.starts_with("Proved:") => painted(GREEN, body),
        t if t.starts_with("No answer.") => painted(YELLOW, body),
        "verdict: safe" => painted(GREEN, body),
        "verdict: unsafe" => painted(RED, body),
        "verdict: unknown" => painted(YELLOW, body),
        t if t.starts_with("assuming:") || t.starts_with("over-approximated:") => {
            painted(DIM, body)
        }
        t if t.starts_with('…') => painted(DIM, body),
        _ if !body.starts_with(' ') && body.ends_with(':') => painted(BOLD, body),
        _ => values(body),
    };
    painted + end
}

/// What stands in brackets at the end of a row, the values, is marked.
fn values(body: &str) -> String {
    match (body.rfind("    ["), body.ends_with(']')) {
        (Some(at), true) => format!("{}{}", &body[..at], painted(CYAN, &body[at..])),
        _ => body.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without escape sequences.
    fn plain(text: &str) -> String {
        let mut out = String::new();
        for part in text.split('\x1b') {
            match part.strip_prefix('[').and_then(|p| p.split_once('m')) {
                Some((code, rest)) if !code.contains('\n') => out.push_str(rest),
                _ => out.push_str(part),
            }
        }
        out
    }

    #[test]
    fn only_escape_sequences_are_added() {
        let text = "Violated: x at a.c:1:2\nTrace:\n  a.c:1 x = 1;    [x = 1]\n  … 2 lines\nverdict: unsafe\n";
        let coloured = account(text);
        assert_ne!(coloured, text);
        assert_eq!(plain(&coloured), text);
    }
}

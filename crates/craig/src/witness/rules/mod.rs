//! The rules of the witness formats 2.0 to 2.2, as tables: `craig validate --strict`.
//!
//! `read.rs` takes what it can use and forgives the rest, as a validator of other tools' files should. Here a witness
//! is held to the letter: each mapping has a row for each of its keys (needed or not, since which version, what the
//! value looks like), and what rows cannot say are rules of their own at the end. Every breach names its rule and its
//! place. `docs/witnesses.md` lists the rules; a test breaks each of them once.

mod table;

use super::yaml::{Node, parse};
use program::{Diagnostic, SourceMap};
use table::Version::{V20, V21, V22};
use table::{Form, Part, ROWS, Row, STRUCTURE, Version};

/// A rule that a witness breaks, and where.
#[derive(Debug)]
pub struct Breach {
    /// The name of the rule.
    pub rule: &'static str,
    /// What is wrong, with its place.
    pub diagnostic: Diagnostic,
}

/// The names of all rules, each once.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for name in ROWS.iter().map(|r| r.rule).chain(STRUCTURE.iter().copied()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Rules that this witness breaks, in the order of the text's structure. The error: it is no YAML.
pub fn breaches(
    name: &str,
    text: &str,
    sources: &mut SourceMap,
) -> Result<Vec<Breach>, Box<Diagnostic>> {
    let file = sources.add(name, text);
    let root = parse(text, file)?;
    let mut check = Check {
        version: V20,
        found: Vec::new(),
    };
    check.witness(&root);
    Ok(check.found)
}

struct Check {
    /// Of the entry at hand.
    version: Version,
    found: Vec<Breach>,
}

impl Check {
    fn breach(&mut self, rule: &'static str, node: &Node, message: impl Into<String>) {
        let mut diagnostic = node.complain(message);
        diagnostic.help = Some(format!("rule `{rule}` of the witness format"));
        self.found.push(Breach { rule, diagnostic });
    }

    fn witness(&mut self, root: &Node) {
        let Some(entries) = root.list() else {
            self.breach("list-of-entries", root, "a witness is a list of entries");
            return;
        };
        let mut claims = Vec::new();
        for entry in entries {
            self.entry(entry);
            let kind = entry.get("entry_type").and_then(Node::text);
            claims.extend(kind.filter(|k| *k != "ghost_instrumentation"));
        }
        claims.dedup();
        if claims.len() != 1 {
            self.breach(
                "one-claim",
                root,
                "a witness claims either safety or a violation",
            );
        }
    }

    fn entry(&mut self, entry: &Node) {
        self.mapping(Part::Entry, entry);
        if let Some(metadata) = entry.get("metadata") {
            self.metadata(metadata);
        }
        let Some(items) = entry.get("content").and_then(Node::list) else {
            return;
        };
        match entry.get("entry_type").and_then(Node::text) {
            Some("invariant_set") => items.iter().for_each(|item| self.item(item)),
            Some("violation_sequence") => self.segments(items),
            _ => {}
        }
    }

    fn metadata(&mut self, metadata: &Node) {
        if let Some(version) = metadata.get("format_version") {
            self.version = match version.text() {
                Some("2.0") => V20,
                Some("2.1") => V21,
                Some("2.2") => V22,
                _ => {
                    self.breach(
                        "known-version",
                        version,
                        "versions are \"2.0\", \"2.1\" and \"2.2\"",
                    );
                    V22
                }
            };
        }
        self.mapping(Part::Metadata, metadata);
        if let Some(producer) = metadata.get("producer") {
            self.mapping(Part::Producer, producer);
        }
        let Some(task) = metadata.get("task") else {
            return;
        };
        self.mapping(Part::Task, task);
        let files = task.get("input_files").and_then(Node::list);
        let hashes = task.get("input_file_hashes");
        if let (Some(files), Some(hashes)) = (files, hashes) {
            let keys = hashes.map().map_or(0, <[_]>::len);
            let known = |f: &Node| f.text().is_some_and(|name| hashes.get(name).is_some());
            if keys != files.len() || !files.iter().all(known) {
                self.breach("hashes-of-files", hashes, "each input file has its hash");
            }
        }
    }

    /// The keys of a mapping, row by row.
    fn mapping(&mut self, part: Part, node: &Node) {
        let Some(entries) = node.map() else {
            return;
        };
        let rows = || ROWS.iter().filter(|r| r.part == part);
        for row in rows() {
            match node.get(row.key) {
                Some(value) if row.since <= self.version => self.form(row, value),
                Some(value) => {
                    let message = format!("version {} has no `{}`", self.version(), row.key);
                    self.breach(row.rule, value, message);
                }
                None if row.needed => {
                    self.breach(row.rule, node, format!("`{}` is missing", row.key));
                }
                None => {}
            }
        }
        for (i, (key, _)) in entries.iter().enumerate() {
            let name = key.text().unwrap_or_default();
            if !rows().any(|r| r.key == name) {
                self.breach("unknown-key", key, format!("there is no key `{name}` here"));
            }
            if entries[..i].iter().any(|(k, _)| k.text() == Some(name)) {
                self.breach("key-twice", key, format!("`{name}` stands here twice"));
            }
        }
    }

    fn version(&self) -> &'static str {
        match self.version {
            V20 => "2.0",
            V21 => "2.1",
            V22 => "2.2",
        }
    }

    fn form(&mut self, row: &Row, value: &Node) {
        let text = value.text().unwrap_or_default();
        let texts = |list: &[Node]| list.iter().all(|n| n.text().is_some());
        let (right, wanted) = match row.form {
            Form::Text => (!text.is_empty(), String::from("a text")),
            Form::Quoted => (
                !text.is_empty() && value.quoted,
                String::from("a text in quotes"),
            ),
            Form::OneOf(words) => (
                words.contains(&text),
                format!("one of {}", words.join(", ")),
            ),
            Form::From(least) => (
                text.parse::<u32>().is_ok_and(|n| n >= least) && !value.quoted,
                format!("a number from {least} on"),
            ),
            Form::Names => (
                value.list().is_some_and(|l| !l.is_empty() && texts(l)),
                String::from("a list of texts"),
            ),
            Form::Uuid => (
                shaped(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
                String::from("an identifier of RFC 4122"),
            ),
            Form::Time => (
                is_time(text),
                String::from("a time of ISO 8601 with an offset"),
            ),
            Form::Hashes => (
                value.map().is_some_and(|m| m.iter().all(is_hash)),
                String::from("a mapping from names to 64 hexadecimal digits"),
            ),
            Form::List => (value.list().is_some(), String::from("a list")),
            Form::Map => (value.map().is_some(), String::from("a mapping")),
        };
        if !right {
            self.breach(row.rule, value, format!("`{}` is {wanted}", row.key));
        }
    }

    /// An item of an `invariant_set`.
    fn item(&mut self, item: &Node) {
        let wrapped = item.map().filter(|m| m.len() == 1);
        let Some([(key, body)]) = wrapped else {
            self.breach(
                "invariant-or-contract",
                item,
                "an `invariant` or a `contract`",
            );
            return;
        };
        match key.text() {
            Some("invariant") => self.mapping(Part::Invariant, body),
            Some("contract") => {
                if self.version < V21 {
                    self.breach("contract-version", key, "contracts came with 2.1");
                }
                self.mapping(Part::Contract, body);
            }
            _ => self.breach(
                "invariant-or-contract",
                key,
                "an `invariant` or a `contract`",
            ),
        }
        let kind = body.get("type");
        if let Some(node) = kind
            && node
                .text()
                .is_some_and(|t| t.ends_with("transition_invariant"))
            && self.version < V21
        {
            self.breach(
                "transition-version",
                node,
                "transition invariants came with 2.1",
            );
        }
        self.format_of_version(body);
        if let Some(location) = body.get("location") {
            self.mapping(Part::Location, location);
        }
    }

    /// Version 2.0 knows C expressions only.
    fn format_of_version(&mut self, body: &Node) {
        let Some(format) = body.get("format") else {
            return;
        };
        if self.version == V20 && format.text().is_some_and(|f| f != "c_expression") {
            self.breach("format-of-version", format, "version 2.0 has C expressions");
        }
    }

    fn segments(&mut self, items: &[Node]) {
        for (i, item) in items.iter().enumerate() {
            let last = i + 1 == items.len();
            let Some(segment) = item.get("segment").and_then(Node::list) else {
                self.breach("segment", item, "a `segment`, which is a list of waypoints");
                continue;
            };
            for (j, outer) in segment.iter().enumerate() {
                let Some(waypoint) = outer.get("waypoint") else {
                    self.breach("waypoint", outer, "a `waypoint`");
                    continue;
                };
                self.waypoint(waypoint);
                let action = waypoint.get("action").and_then(Node::text);
                let follows = action != Some("avoid");
                let many = last && self.version == V22;
                if follows != (j + 1 == segment.len()) && !(follows && many) {
                    self.breach(
                        "last-follow",
                        waypoint,
                        "a segment ends with its only `follow`",
                    );
                }
                let target = waypoint.get("type").and_then(Node::text) == Some("target");
                if follows && target != last {
                    self.breach(
                        "target-last",
                        waypoint,
                        "the last segment, and no other, is the target",
                    );
                }
            }
        }
    }

    fn waypoint(&mut self, waypoint: &Node) {
        self.mapping(Part::Waypoint, waypoint);
        if let Some(location) = waypoint.get("location") {
            self.mapping(Part::Location, location);
        }
        if let Some(action) = waypoint.get("action")
            && action.text() == Some("cycle")
            && self.version < V21
        {
            self.breach("cycle-version", action, "cycles came with 2.1");
        }
        let kind = waypoint.get("type").and_then(Node::text);
        let constraint = waypoint.get("constraint");
        match (kind, constraint) {
            (Some("target" | "function_enter"), Some(c)) => {
                self.breach("constraint-of-type", c, "this type has no constraint");
            }
            (Some("assumption" | "branching" | "function_return"), None) => {
                self.breach(
                    "constraint-of-type",
                    waypoint,
                    "this type needs a constraint",
                );
            }
            _ => {}
        }
        let Some(constraint) = constraint else {
            return;
        };
        self.mapping(Part::Constraint, constraint);
        let value = constraint
            .get("value")
            .and_then(Node::text)
            .unwrap_or_default();
        match kind {
            Some("branching") => {
                let known = matches!(value, "true" | "false" | "default");
                if !known && value.parse::<i128>().is_err() {
                    let message = "`true`, `false`, `default` or the value of a case";
                    self.breach("branching-value", constraint, message);
                }
            }
            Some("function_return") if !compares_result(value) => {
                let message = "`\\result` compared with a number";
                self.breach("return-value", constraint, message);
            }
            Some("assumption") => self.format_of_version(constraint),
            _ => {}
        }
    }
}

fn is_hash((key, value): &(Node, Node)) -> bool {
    let digits = |t: &str| t.len() == 64 && t.chars().all(|c| c.is_ascii_hexdigit());
    key.text().is_some() && value.text().is_some_and(digits)
}

/// `x` is a hexadecimal digit, `d` a decimal one, anything else itself.
fn shaped(text: &str, shape: &str) -> bool {
    text.chars().count() == shape.chars().count()
        && text.chars().zip(shape.chars()).all(|(c, s)| match s {
            'x' => c.is_ascii_hexdigit(),
            'd' => c.is_ascii_digit(),
            _ => c == s,
        })
}

fn is_time(text: &str) -> bool {
    let day = "dddd-dd-ddTdd:dd:dd";
    let Some((head, rest)) = text.split_at_checked(day.len()) else {
        return false;
    };
    let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = zone.replacen('-', "+", 1);
    shaped(head, day) && (zone == "Z" || shaped(&offset, "+dd:dd"))
}

/// `\result`, a comparison, a number.
fn compares_result(text: &str) -> bool {
    let Some(rest) = text.trim().strip_prefix("\\result") else {
        return false;
    };
    let rest = rest.trim_start();
    let operators = ["==", "!=", "<=", ">=", "<", ">"];
    let Some(number) = operators.iter().find_map(|o| rest.strip_prefix(o)) else {
        return false;
    };
    let number = number.trim();
    let plain = number.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']);
    plain.parse::<i128>().is_ok() || plain.parse::<f64>().is_ok()
}

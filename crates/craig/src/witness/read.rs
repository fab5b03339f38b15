//! What a witness says: entries of the YAML formats 2.0 to 2.2 as data, with the places of their
//! parts. Keys that the formats demand and that are missing or of the wrong kind are diagnostics;
//! keys that nobody here needs are not looked at.

use super::yaml::{Node, parse};
use frontend::c::sema::claims::{Claim, ClaimKind, OLD, RESULT};
use program::{Diagnostic, SourceMap, Span};

/// A witness file.
#[derive(Debug, Default)]
pub struct Witness {
    pub task: Task,
    pub content: Content,
    /// Parts that are understood but not used, in words.
    pub unused: Vec<String>,
}

/// What the first entry says of the program it speaks of.
#[derive(Debug, Default)]
pub struct Task {
    /// File names with the hashes of their contents.
    pub hashes: Vec<(String, String)>,
    pub specification: Option<String>,
    pub data_model: Option<String>,
}

#[derive(Debug)]
pub enum Content {
    Correctness(Vec<Claim>),
    Violation(Vec<Waypoint>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Correctness(Vec::new())
    }
}

/// A `follow` waypoint that the replay uses.
#[derive(Clone, Debug)]
pub struct Waypoint {
    pub is_target: bool,
    pub place: Place,
    /// What a `function_return` demands, as text.
    pub constraint: Option<String>,
    /// Where it is written.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub file_name: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

type Read<T> = Result<T, Diagnostic>;

/// Reads a witness; the text is added to `sources`.
pub fn read(name: &str, text: &str, sources: &mut SourceMap) -> Read<Witness> {
    let file = sources.add(name, text);
    let root = parse(text, file)?;
    let entries = root
        .list()
        .ok_or_else(|| root.complain("a witness is a list of entries"))?;
    let mut witness = Witness::default();
    let mut waypoints = Vec::new();
    let mut claims = Vec::new();
    let mut kinds = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let kind = text_of(entry, "entry_type")?;
        let metadata = need(entry, "metadata")?;
        let task = metadata_of(metadata)?;
        if i == 0 {
            witness.task = task;
        }
        let content = need(entry, "content")?;
        let items = content
            .list()
            .ok_or_else(|| content.complain("`content` is a list"))?;
        match kind {
            "invariant_set" => {
                for item in items {
                    invariant(item, name, &mut claims, &mut witness.unused)?;
                }
            }
            "violation_sequence" => {
                segments(items, content, &mut waypoints, &mut witness.unused)?;
            }
            other => {
                witness.unused.push(format!("entry `{other}`"));
                continue;
            }
        }
        kinds.push(kind);
    }
    witness.content = match kinds.first() {
        None => {
            return Err(root.complain("there is neither an invariant_set nor a violation_sequence"));
        }
        Some(first) if kinds.iter().any(|k| k != first) => {
            return Err(root.complain("a witness claims either safety or a violation"));
        }
        Some(&"violation_sequence") => Content::Violation(waypoints),
        Some(_) => Content::Correctness(claims),
    };
    Ok(witness)
}

fn need<'n>(node: &'n Node, key: &str) -> Read<&'n Node> {
    node.get(key)
        .ok_or_else(|| node.complain(format!("`{key}` is missing")))
}

fn text_of<'n>(node: &'n Node, key: &str) -> Read<&'n str> {
    let value = need(node, key)?;
    value
        .text()
        .ok_or_else(|| value.complain(format!("`{key}` is a text")))
}

fn number_of(node: &Node, key: &str) -> Read<u32> {
    let value = need(node, key)?;
    let number = value.text().and_then(|t| t.parse::<u32>().ok());
    number
        .filter(|n| *n > 0)
        .ok_or_else(|| value.complain(format!("`{key}` is a number from 1 on")))
}

fn metadata_of(node: &Node) -> Read<Task> {
    let version = need(node, "format_version")?;
    if !matches!(version.text(), Some("2.0" | "2.1" | "2.2")) {
        return Err(version.complain("the format versions known are 2.0, 2.1 and 2.2"));
    }
    text_of(node, "uuid")?;
    text_of(node, "creation_time")?;
    let producer = need(node, "producer")?;
    text_of(producer, "name")?;
    let task = need(node, "task")?;
    let files = need(task, "input_files")?;
    if files.list().is_none() && files.text().is_none() {
        return Err(files.complain("`input_files` is a list of names"));
    }
    let hashes = need(task, "input_file_hashes")?;
    let entries = hashes
        .map()
        .ok_or_else(|| hashes.complain("`input_file_hashes` gives each file its hash"))?;
    let pair = |(k, v): &(Node, Node)| Some((k.text()?.to_string(), v.text()?.to_string()));
    Ok(Task {
        hashes: entries.iter().filter_map(pair).collect(),
        specification: Some(text_of(task, "specification")?.to_string()),
        data_model: Some(text_of(task, "data_model")?.to_string()),
    })
}

fn place_of(node: &Node) -> Read<Place> {
    let location = need(node, "location")?;
    let optional = |key: &str| location.get(key).and_then(Node::text).map(str::to_string);
    Ok(Place {
        file_name: text_of(location, "file_name")?.to_string(),
        line: number_of(location, "line")?,
        column: match location.get("column") {
            Some(_) => Some(number_of(location, "column")?),
            None => None,
        },
        function: optional("function"),
    })
}

/// One item of an `invariant_set`. CPAchecker once wrapped contracts as `invariant`.
fn invariant(
    item: &Node,
    witness: &str,
    claims: &mut Vec<Claim>,
    unused: &mut Vec<String>,
) -> Read<()> {
    let Some(body) = item.get("invariant").or_else(|| item.get("contract")) else {
        return Err(item.complain("an `invariant` or a `contract` is expected"));
    };
    let kind = text_of(body, "type")?;
    let kinds: &[(ClaimKind, &str)] = match kind {
        "loop_invariant" => &[(ClaimKind::Loop, "value")],
        "location_invariant" => &[(ClaimKind::Location, "value")],
        "function_contract" => &[
            (ClaimKind::Requires, "requires"),
            (ClaimKind::Ensures, "ensures"),
        ],
        "loop_transition_invariant" | "location_transition_invariant" => {
            unused.push(format!("`{kind}`"));
            return Ok(());
        }
        _ => return Err(need(body, "type")?.complain("unknown type of invariant")),
    };
    let format = need(body, "format")?;
    if !matches!(
        format.text(),
        Some("c_expression" | "ext_c_expression" | "acsl_expression")
    ) {
        return Err(format.complain("unknown format of expression"));
    }
    let place = place_of(body)?;
    for &(kind, key) in kinds {
        let value = need(body, key)?;
        let text = text_of(body, key)?;
        let expression = match plain_c(text) {
            Some(text) => text,
            None => {
                return Err(value.complain("`\\result` and `\\at(x,Old)` are all that is known"));
            }
        };
        claims.push(Claim {
            kind,
            file_name: place.file_name.clone(),
            line: place.line,
            column: place.column,
            function: place.function.clone(),
            expression,
            origin: format!("{witness}:{}:{}", value.span.line, value.span.column),
        });
    }
    Ok(())
}

/// `\result` and `\at(x,Old)` in the words of the C front end; `None` for others.
fn plain_c(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("result") {
            out.push_str(&format!("{RESULT}()"));
            rest = after;
            continue;
        }
        let after = ["old", "at"].iter().find_map(|w| rest.strip_prefix(w))?;
        let at = rest.starts_with("at");
        let inner = after.trim_start().strip_prefix('(')?;
        let mut depth = 1usize;
        let end = inner.find(|c| {
            depth = match c {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            depth == 0
        })?;
        let (value, label) = match at {
            true => inner[..end].rsplit_once(',')?,
            false => (&inner[..end], "Old"),
        };
        if !matches!(label.trim(), "Old" | "Pre") {
            return None;
        }
        out.push_str(&format!("{OLD}({value})"));
        rest = &inner[end + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// The segments of a `violation_sequence`.
fn segments(
    items: &[Node],
    content: &Node,
    waypoints: &mut Vec<Waypoint>,
    unused: &mut Vec<String>,
) -> Read<()> {
    for (i, item) in items.iter().enumerate() {
        let segment = need(item, "segment")?;
        let all = segment
            .list()
            .ok_or_else(|| segment.complain("a segment is a list of waypoints"))?;
        let mut follows = 0;
        for (j, outer) in all.iter().enumerate() {
            let waypoint = need(outer, "waypoint")?;
            let kind = text_of(waypoint, "type")?;
            let place = place_of(waypoint)?;
            match text_of(waypoint, "action")? {
                "follow" if j + 1 == all.len() => follows += 1,
                "avoid" if j + 1 < all.len() => {
                    unused.push(format!("waypoint `avoid` in line {}", waypoint.span.line));
                    continue;
                }
                "follow" | "avoid" => {
                    return Err(waypoint.complain("a segment ends with its only `follow`"));
                }
                _ => return Err(need(waypoint, "action")?.complain("unknown action")),
            }
            let is_target = kind == "target";
            if is_target != (i + 1 == items.len()) {
                return Err(waypoint.complain("the last segment, and no other, is the target"));
            }
            let constraint = waypoint.get("constraint");
            let value = match (kind, constraint) {
                ("target" | "function_enter", Some(c)) => {
                    return Err(c.complain(format!("`{kind}` has no constraint")));
                }
                ("function_return" | "assumption" | "branching", _) => {
                    Some(text_of(need(waypoint, "constraint")?, "value")?)
                }
                _ => None,
            };
            match kind {
                "target" | "function_return" => waypoints.push(Waypoint {
                    is_target,
                    place,
                    constraint: value.map(str::to_string),
                    span: waypoint.span,
                }),
                "assumption" | "branching" | "function_enter" => {
                    unused.push(format!("waypoint `{kind}` in line {}", waypoint.span.line));
                }
                _ => return Err(need(waypoint, "type")?.complain("unknown type of waypoint")),
            }
        }
        if follows != 1 {
            return Err(segment.complain("a segment has exactly one `follow`"));
        }
    }
    if items.is_empty() {
        return Err(content.complain("there is no target"));
    }
    Ok(())
}

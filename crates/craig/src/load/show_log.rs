//! `craig show --log F --dot`: what a run logged, as graphs for Graphviz.
//!
//! - `node`, `label`, `cover`: the unwinding as it was at the end, covers dashed;
//! - `graph`: the split graph after each iteration, one graph each;
//! - `summary`: the interpolant automaton of a function, its states by location;
//! - `arg`: the abstract reachability graph of one function, with what justifies its calls;
//! - `arg expand`, `arg cover`, `arg merge`, `arg reset`: the iARG, the justification tree with its covers (dashed) as it was at the
//!   end.

use crate::Error;
use serde_json::Value as Json;
use std::fmt::Write;

/// The graphs of a log, one after the other.
pub fn dot(log: &str) -> Result<String, Error> {
    let mut events = Vec::new();
    for (at, line) in log.lines().enumerate() {
        let read = serde_json::from_str::<Json>(line);
        events.push(read.map_err(|e| Error::Message(format!("line {}: {e}", at + 1)))?);
    }
    let mut out = unwinding(&events);
    let of = |name: &'static str| events.iter().filter(move |e| e["event"] == name);
    for (at, event) in of("graph").enumerate() {
        out += &split_graph(at, event);
    }
    for (at, event) in of("summary").enumerate() {
        out += &automaton(at, event);
    }
    for (at, event) in of("arg").enumerate() {
        out += &arg(at, event);
    }
    out += &forest(&events);
    Ok(out)
}

fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(list) => {
            let parts: Vec<String> = list.iter().map(text).collect();
            parts.join("\n")
        }
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The tree of nodes with their labels, and who covers whom at the end.
fn unwinding(events: &[Json]) -> String {
    let is = |e: &Json, name: &str| e["event"] == name;
    if !events.iter().any(|e| is(e, "node")) {
        return String::new();
    }
    let mut labels: Vec<(String, String)> = Vec::new();
    let mut edges = Vec::new();
    let mut covers: Vec<(String, String)> = Vec::new();
    // Covered by all nodes of their location together.
    let mut covered: Vec<String> = Vec::new();
    for event in events {
        let node = text(&event["node"]);
        if is(event, "node") {
            labels.push((node.clone(), text(&event["location"])));
            edges.push((text(&event["parent"]), node));
        } else if is(event, "label") {
            let fact = text(&event["strengthened by"]);
            match labels.iter_mut().find(|(n, _)| *n == node) {
                Some((_, label)) => {
                    label.push('\n');
                    label.push_str(&fact);
                }
                None => labels.push((node, fact)),
            }
        } else if is(event, "cover") {
            for lost in list(&event["uncovered"]) {
                let lost = text(lost);
                covers.retain(|(n, _)| *n != lost);
            }
            match event["by"].is_null() {
                true => covered.push(node),
                false => covers.push((node, text(&event["by"]))),
            }
        }
    }
    let mut out = String::from("digraph unwinding {\n  node [shape=box];\n");
    for (node, label) in &labels {
        let style = match covered.contains(node) {
            true => ", style=dashed",
            false => "",
        };
        let _ = writeln!(out, "  {} [label={}{style}];", quoted(node), quoted(label));
    }
    for (from, to) in &edges {
        let _ = writeln!(out, "  {} -> {};", quoted(from), quoted(to));
    }
    for (node, by) in &covers {
        let style = "[style=dashed, constraint=false]";
        let _ = writeln!(out, "  {} -> {} {style};", quoted(node), quoted(by));
    }
    out.push_str("}\n");
    out
}

fn split_graph(at: usize, event: &Json) -> String {
    let mut out = format!("digraph split_{at} {{\n  node [shape=box];\n");
    for node in list(&event["nodes"]) {
        let [id, loc, facts, error] = list(node) else {
            continue;
        };
        let label = quoted(&format!("{}\n{}", text(loc), text(facts)));
        let peripheries = if *error == true { 2 } else { 1 };
        let _ = writeln!(
            out,
            "  {} [label={label}, peripheries={peripheries}];",
            quoted(&text(id))
        );
    }
    for edge in list(&event["edges"]) {
        if let [from, to] = list(edge) {
            let _ = writeln!(out, "  {} -> {};", quoted(&text(from)), quoted(&text(to)));
        }
    }
    out.push_str("}\n");
    out
}

/// Pairs that an event has several of; a single one is no list of lists.
fn pairs(value: &Json) -> Vec<&[Json]> {
    let all = list(value);
    match all.first().is_some_and(Json::is_string) {
        true => vec![all],
        false => all.iter().map(list).collect(),
    }
}

/// The interpolant automaton of a triple: its states are the facts of locations, its letters lead from one to the next.
/// Where the error may have happened the border is double; where a location has no state, no accepted trace goes.
fn automaton(at: usize, event: &Json) -> String {
    let name = text(&event["function"]);
    let mut out = format!("digraph automaton_{at} {{\n  label={};\n", quoted(&name));
    let lowered = format!("(not {})", text(&event["error flag"]));
    let mut states = vec![(text(&event["entry"]), text(&event["pre"]))];
    for pair in pairs(&event["automaton"]) {
        if let [loc, fact] = pair {
            states.push((text(loc), text(fact)));
        }
    }
    states.push((text(&event["exit"]), text(&event["post"])));
    for (at, (loc, fact)) in states.iter().enumerate() {
        let erring = at > 0 && event["error flag"].is_string() && !fact.contains(&lowered);
        let border = if erring { ", peripheries=2" } else { "" };
        let label = quoted(&format!("{loc}\n{fact}"));
        let _ = writeln!(out, "  {} [label={label}{border}];", quoted(loc));
    }
    let is_state = |loc: &String| states.iter().any(|(l, _)| l == loc);
    for pair in pairs(&event["letters"]) {
        let [from, to] = pair else { continue };
        let (from, to) = (text(from), text(to));
        if is_state(&from) && is_state(&to) {
            let _ = writeln!(out, "  {} -> {};", quoted(&from), quoted(&to));
        }
    }
    out.push_str("}\n");
    out
}

fn arg(at: usize, event: &Json) -> String {
    let name = format!("{}: {}", text(&event["arg"]), text(&event["function"]));
    let mut out = format!("digraph arg_{at} {{\n  label={};\n", quoted(&name));
    let _ = writeln!(out, "  guard [label={}];", quoted(&text(&event["guard"])));
    let _ = writeln!(
        out,
        "  summary [label={}];",
        quoted(&text(&event["summary"]))
    );
    for call in list(&event["calls"]) {
        let call = quoted(&text(call));
        let _ = writeln!(out, "  guard -> {call};\n  {call} -> summary;");
    }
    let _ = writeln!(out, "  guard -> summary;\n}}");
    out
}

/// The justification tree, and which ARGs are covered by which at the end.
fn forest(events: &[Json]) -> String {
    let mut edges = Vec::new();
    let mut labels: Vec<(String, String)> = Vec::new();
    let mut covers: Vec<(String, String)> = Vec::new();
    for event in events {
        let arg = text(&event["arg"]);
        let drop_covers = |covers: &mut Vec<(String, String)>| {
            covers.retain(|(covered, by)| *by != arg && *covered != arg);
        };
        match event["event"].as_str() {
            Some("arg expand") => {
                labels.push((arg.clone(), format!("{arg} {}", text(&event["function"]))));
                for call in list(&event["calls"]) {
                    let call = text(call);
                    let callee = call.split(' ').next().unwrap_or_default().to_string();
                    labels.push((callee.clone(), call));
                    edges.push((arg.clone(), callee));
                }
            }
            Some("arg reset") => {
                let wrong = text(&event["because of"]);
                covers.retain(|(_, by)| *by != wrong);
            }
            Some("arg cover") => {
                drop_covers(&mut covers);
                covers.push((arg, text(&event["by"])));
            }
            Some("arg merge") => {
                drop_covers(&mut covers);
                covers.push((arg, text(&event["into"])));
            }
            // A new triple to be shown: it covers nobody any more.
            Some("summary guessed" | "arg part") => drop_covers(&mut covers),
            _ => {}
        }
    }
    if labels.is_empty() {
        return String::new();
    }
    labels.sort();
    labels.dedup();
    let mut out = String::from("digraph iarg {\n  node [shape=box];\n");
    for (arg, label) in &labels {
        let _ = writeln!(out, "  {} [label={}];", quoted(arg), quoted(label));
    }
    for (from, to) in &edges {
        let _ = writeln!(out, "  {} -> {};", quoted(from), quoted(to));
    }
    for (arg, by) in &covers {
        let style = "[style=dashed, constraint=false]";
        let _ = writeln!(out, "  {} -> {} {style};", quoted(arg), quoted(by));
    }
    out.push_str("}\n");
    out
}

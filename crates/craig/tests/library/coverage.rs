//! Every function of the library whose model is exact is tried, or it is said why not.

use super::{CLASS, CONVERT, FLOAT, FORMAT, RUN_TIME, STRING, WIDE, more};

/// The functions of the models by name, with their texts.
fn bodies(text: &str) -> std::collections::BTreeMap<&str, &str> {
    let mut out = std::collections::BTreeMap::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if begins && let Some((name, from)) = open.take() {
            out.insert(name, &text[from..at]);
        }
        if begins
            && line.contains('{')
            && let Some((head, _)) = line.split_once('(')
        {
            let name = head.rsplit([' ', '*']).next().unwrap_or("");
            open = Some((name, at));
        }
        at += line.len();
    }
    if let Some((name, from)) = open {
        out.insert(name, &text[from..]);
    }
    out
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Whether the outside answers, or something is approximated, in a function or in what it calls.
fn is_open<'t>(
    name: &'t str,
    bodies: &std::collections::BTreeMap<&'t str, &'t str>,
    seen: &mut std::collections::BTreeSet<&'t str>,
) -> bool {
    let Some(&body) = bodies.get(name) else {
        return false;
    };
    if !seen.insert(name) {
        return false;
    }
    const ASKS: &[&str] = &["any_", "input_", "unspecified_", "unmodelled", "doubt"];
    words(body).any(|w| {
        w.strip_prefix("__builtin_craig_")
            .is_some_and(|rest| ASKS.iter().any(|a| rest.starts_with(a)))
            || w != name && is_open(w, bodies, seen)
    })
}

/// Every function of the library whose model is exact is compared with the real one, or it is said why not.
#[test]
fn every_function_is_tried() {
    let bodies = bodies(frontend::c::library_text());
    let reals = more::reals();
    let groups = [
        STRING,
        CLASS,
        CONVERT,
        FLOAT,
        WIDE,
        RUN_TIME,
        FORMAT,
        more::TEXT,
        more::ALONE,
    ];
    let mut tried: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    for t in groups.iter().flat_map(|g| g.iter()) {
        tried.extend(words(t));
    }
    tried.extend(reals.iter().flat_map(|t| words(t)));
    tried.extend(["printf", "puts", "vsnprintf", "vsscanf"]);
    // The rows of answers are compared with the real library as well.
    let answers = super::answers::calls();
    tried.extend(words(&answers));
    let fits = |pattern: &str, name: &str| match pattern.split_once('*') {
        Some((a, b)) => name.starts_with(a) && name.ends_with(b) && name.len() >= a.len() + b.len(),
        None => pattern == name,
    };
    let mut missing = Vec::new();
    let mut count = 0;
    for name in frontend::c::library_functions() {
        let plain = name.trim_start_matches("__builtin_");
        if tried.contains(name) || tried.contains(plain) {
            count += 1;
            continue;
        }
        let patterns = more::REASONS.iter().flat_map(|(_, names)| names.iter());
        let excused = patterns.copied().any(|p| fits(p, name));
        if !excused && !is_open(name, &bodies, &mut std::collections::BTreeSet::new()) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "neither tried nor excused: {missing:?}");
    assert!(count > 350, "only {count} functions are compared");
}

/// Functions that are in twins elsewhere: `tests/programs` has a safe and an unsafe program with each.
const IN_PROGRAMS: &[&str] = &["__VERIFIER_*", "reach_error", "__builtin_va_*"];

/// Every function has twins: the real library's result asserted and denied, or an answer of the outside.
#[test]
fn every_function_has_twins() {
    let mut asserted: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    let groups = [
        STRING,
        CLASS,
        CONVERT,
        FLOAT,
        WIDE,
        RUN_TIME,
        FORMAT,
        more::TEXT,
        more::ALONE,
    ];
    let followed = |t: &&&str| !super::twins::OPEN.iter().any(|o| t.contains(o));
    for t in groups.iter().flat_map(|g| g.iter()).filter(followed) {
        asserted.extend(words(t).map(str::to_string));
    }
    asserted.extend(
        more::reals()
            .iter()
            .flat_map(|t| words(t))
            .map(str::to_string),
    );
    let rows = [
        super::inputs::STREAMS,
        super::inputs::FILES,
        super::inputs::WORLD,
    ];
    for (call, _, _) in rows.iter().flat_map(|g| g.iter()) {
        asserted.extend(words(call).map(str::to_string));
    }
    asserted.extend(words(&super::answers::calls()).map(str::to_string));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut programs = [String::new(), String::new()];
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(k) = ["_safe.c", "_unsafe.c"]
                .iter()
                .position(|e| name.ends_with(e))
            {
                programs[k].push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
            }
        }
    }
    let programs = programs
        .each_ref()
        .map(|p| words(p).collect::<std::collections::BTreeSet<&str>>());
    let mut missing = Vec::new();
    for name in frontend::c::library_functions() {
        let plain = name.trim_start_matches("__builtin_");
        let known = |n: &str| asserted.contains(n) || programs.iter().all(|p| p.contains(n));
        let listed = IN_PROGRAMS.iter().any(|p| match p.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == *p,
        });
        if !known(name) && !known(plain) && !listed && !name.starts_with("craig_") {
            missing.push(name);
        }
    }
    assert!(
        missing.is_empty(),
        "{} without twins: {missing:?}",
        missing.len()
    );
}

//! The documents at the root say what is true.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The text between a heading and the next one of the same level.
fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let start = document.find(&format!("\n{heading}\n")).unwrap() + 1;
    let rest = &document[start + heading.len()..];
    let level = heading.split(' ').next().unwrap();
    let end = rest.find(&format!("\n{level} ")).unwrap_or(rest.len());
    &rest[..end]
}

/// Folders (with a slash at the end) and Rust files below a folder, by their path from it.
fn listed(dir: &Path, from: &Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(from).unwrap().display().to_string();
        if path.is_dir() {
            out.push(format!("{name}/"));
            listed(&path, from, out);
        } else if name.ends_with(".rs") {
            out.push(name);
        }
    }
}

#[test]
fn architecture_lists_the_crates_in_order() {
    let manifest = read("Cargo.toml");
    let members: Vec<&str> = manifest
        .lines()
        .filter_map(|l| l.trim().strip_prefix("\"crates/"))
        .filter_map(|l| l.strip_suffix("\","))
        .collect();
    let document = read("ARCHITECTURE.md");
    let listed: Vec<&str> = document
        .lines()
        .filter_map(|l| l.strip_prefix("| `crates/"))
        .filter_map(|l| l.split('`').next())
        .collect();
    assert_eq!(members, listed);
}

/// Every folder that the section on folders names exists, and every folder of a crate's source
/// that the reader meets first is named.
#[test]
fn architecture_names_the_folders_of_the_crates() {
    let document = read("ARCHITECTURE.md");
    let text = section(&document, "## Folders");
    let mut missing = Vec::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("- `crates/")) {
        let (name, rest) = line.split_once('`').unwrap();
        let source = root().join("crates").join(name).join("src");
        assert!(source.is_dir(), "{name}");
        let words = rest.split('`').skip(1).step_by(2);
        let named: Vec<&str> = words.filter(|w| w.ends_with('/')).collect();
        for folder in &named {
            let exists = source.join(folder).is_dir();
            if !exists {
                missing.push(format!("{name}/src/{folder} does not exist"));
            }
        }
        for entry in std::fs::read_dir(&source).unwrap() {
            let path = entry.unwrap().path();
            let folder = format!("{}/", path.file_name().unwrap().display());
            if path.is_dir() && !named.contains(&folder.as_str()) {
                missing.push(format!("{name}/src/{folder} is not named"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A line for each folder and file of the engines, and no line for what is gone.
#[test]
fn architecture_names_every_file_of_the_engines() {
    let source = root().join("crates/engine/src");
    let mut present = Vec::new();
    listed(&source, &source, &mut present);
    // The head of a folder and its tests go with the folder.
    present.retain(|p| !["mod.rs", "tests.rs"].iter().any(|end| p.ends_with(end)));
    present.retain(|p| !p.contains("tests/") && p != "lib.rs");
    let document = read("ARCHITECTURE.md");
    let text = section(&document, "## Engines");
    let mut named: Vec<String> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| `"))
        .filter_map(|l| l.split('`').next())
        .map(String::from)
        .collect();
    present.sort();
    named.sort();
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|x| !b.contains(x)).cloned().collect()
    };
    let (unnamed, gone) = (only(&present, &named), only(&named, &present));
    assert!(
        unnamed.is_empty() && gone.is_empty(),
        "not in ARCHITECTURE.md: {unnamed:#?}\nonly in ARCHITECTURE.md: {gone:#?}"
    );
}

#[test]
fn readme_names_the_commands_and_engines() {
    let readme = read("README.md");
    for command in [
        "check",
        "validate",
        "run",
        "smt",
        "show",
        "engines",
        "lsp",
        "completions",
        "man",
    ] {
        assert!(readme.contains(&format!("`craig {command}")), "{command}");
    }
    for engine in craig::Engine::all() {
        assert!(readme.contains(&format!("`{engine}`")), "{engine}");
    }
}

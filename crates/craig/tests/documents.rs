//! The documents at the root say what is true.
#![allow(clippy::unwrap_used)]

use std::path::Path;

fn read(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).unwrap()
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

#[test]
fn readme_names_the_commands() {
    let readme = read("README.md");
    for command in ["check", "validate", "run", "smt", "show", "engines"] {
        assert!(readme.contains(&format!("`craig {command}")), "{command}");
    }
}

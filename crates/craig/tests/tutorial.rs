//! The tutorial shows what the tool says: each `console` block of `docs/tutorial` is run and compared.
//! `CRAIG_UPDATE=1 cargo test -p craig --test tutorial` writes the blocks anew.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial")
}

/// What a shell prints for the command, with our `craig`.
fn run(command: &str) -> String {
    let craig = Path::new(env!("CARGO_BIN_EXE_craig"));
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder())
        .env(
            "PATH",
            format!("{}:{path}", craig.parent().unwrap().display()),
        )
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The page with the output of each block as it is now.
fn renewed(page: &str) -> String {
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line != "```console" {
            continue;
        }
        let command = lines.next().unwrap();
        out.push_str(command);
        out.push('\n');
        out.push_str(&run(command.strip_prefix("$ ").unwrap()));
        out.push_str("```\n");
        lines.by_ref().find(|l| *l == "```").unwrap();
    }
    out
}

#[test]
fn pages_say_what_the_tool_says() {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    assert_eq!(pages.len(), 4);
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let now = renewed(&text);
        if std::env::var_os("CRAIG_UPDATE").is_some() {
            std::fs::write(&page, &now).unwrap();
        } else {
            assert_eq!(text, now, "{}", page.display());
        }
    }
}

//! `--since REV`: only units that a change can affect, that is, units one of whose files or included
//! headers differs from the revision, as git tells it. Files that are not tracked count as changed.

use super::plan::Plan;
use crate::Error;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Files that differ from the revision, from the project's folder.
pub fn changed(root: &Path, revision: &str) -> Result<BTreeSet<String>, Error> {
    if revision.starts_with('-') {
        return Err(Error::Message(format!("`{revision}` is no revision")));
    }
    let diff = git(
        root,
        &["diff", "--name-only", "--relative", "-z", revision, "--"],
    )?;
    let new = git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = diff.split('\0').chain(new.split('\0'));
    Ok(names
        .filter(|n| !n.is_empty())
        .map(str::to_string)
        .collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output();
    let output = output.map_err(|e| format!("--since needs git: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(Error::Message(format!("git: {}", why.trim())))
}

/// The units that the changed files can affect.
pub fn affected(plan: &Plan, root: &Path, changed: &BTreeSet<String>) -> Vec<usize> {
    // What all units depend on.
    let everything = [super::config::FILE, "compile_commands.json"];
    let all = everything.iter().any(|f| changed.contains(*f));
    let touched: Vec<bool> = plan
        .files
        .iter()
        .map(|file| {
            let header = |n: &String| changed.contains(&super::sources::shown(root, Path::new(n)));
            changed.contains(&file.name) || file.symbols.includes.iter().any(header)
        })
        .collect();
    let is_affected = |u: &usize| all || plan.units[*u].files.iter().any(|&f| touched[f]);
    (0..plan.units.len()).filter(is_affected).collect()
}

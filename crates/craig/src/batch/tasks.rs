//! Tasks: task definitions of SV-COMP (`.yml`), sets of them (`.set`, one pattern a line), and CSV
//! lists with a head (`file`, `property`, and optionally `verdict`, `bits`, `group`, `args`). Paths are
//! relative to the file that names them.

use crate::Error;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One program and one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What tables call it.
    pub name: String,
    /// Its group in tables.
    pub group: String,
    /// The files.
    pub files: Vec<PathBuf>,
    /// As `--property` takes it: a name or a `.prp` file.
    pub property: String,
    /// `safe`, `unsafe`, or `None` where nobody knows.
    pub expected: Option<&'static str>,
    /// 32-bit data model.
    pub bits32: bool,
    /// More options of `craig check`.
    pub options: Vec<String>,
}

impl Task {
    /// The name of the property, without folder and ending.
    pub fn property_name(&self) -> &str {
        let name = self.property.rsplit('/').next().unwrap_or(&self.property);
        name.strip_suffix(".prp").unwrap_or(name)
    }
}

#[derive(Deserialize)]
struct Definition {
    input_files: OneOrMore,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: DefinitionOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Default, Deserialize)]
struct DefinitionOptions {
    data_model: Option<String>,
}

/// The tasks of a file, by its ending.
pub fn read(path: &Path) -> Result<Vec<Task>, Error> {
    let text = std::fs::read_to_string(path).map_err(|e| wrong(path, &e.to_string()))?;
    match path.extension().and_then(|e| e.to_str()) {
        Some("yml" | "yaml") => definition(path, &text),
        Some("set") => set(path, &text),
        Some("csv") => list(path, &text),
        _ => Err(wrong(path, "tasks are .yml, .set or .csv files")),
    }
}

fn wrong(path: &Path, why: &str) -> Error {
    Error::Message(format!("{}: {why}", path.display()))
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn group_of(path: &Path) -> String {
    let name = folder(path).file_name();
    name.map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn definition(path: &Path, text: &str) -> Result<Vec<Task>, Error> {
    let definition: Definition =
        yaml_serde::from_str(text).map_err(|e| wrong(path, &e.to_string()))?;
    let names = match definition.input_files {
        OneOrMore::One(name) => vec![name],
        OneOrMore::More(names) => names,
    };
    let files: Vec<PathBuf> = names.iter().map(|n| folder(path).join(n)).collect();
    let bits32 = definition.options.data_model.as_deref() == Some("ILP32");
    let task = |p: PropertyEntry| Task {
        name: path.display().to_string(),
        group: group_of(path),
        files: files.clone(),
        property: folder(path).join(p.property_file).display().to_string(),
        expected: p
            .expected_verdict
            .map(|v| if v { "safe" } else { "unsafe" }),
        bits32,
        options: Vec::new(),
    };
    Ok(definition.properties.into_iter().map(task).collect())
}

fn set(path: &Path, text: &str) -> Result<Vec<Task>, Error> {
    let mut tasks = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        for file in expand(&folder(path).join(line)) {
            tasks.extend(read(&file)?);
        }
    }
    Ok(tasks)
}

/// The files that a pattern with `*` and `?` names, in order.
fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let part = part.as_os_str().to_string_lossy().into_owned();
        if !part.contains(['*', '?']) {
            found.iter_mut().for_each(|p| p.push(&part));
            continue;
        }
        let mut next = Vec::new();
        for base in &found {
            let here = if base.as_os_str().is_empty() {
                Path::new(".")
            } else {
                base
            };
            let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
            let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
            let mut names: Vec<String> = names.filter(|n| fits(&part, n)).collect();
            names.sort();
            next.extend(names.into_iter().map(|n| base.join(n)));
        }
        found = next;
    }
    found.retain(|p| p.is_file());
    found
}

/// Whether a name fits a pattern of `*`, `?` and other characters.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    // Where the last star began, and how much of the name it has taken.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

fn list(path: &Path, text: &str) -> Result<Vec<Task>, Error> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines
        .next()
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .collect();
    let column = |name: &str| head.iter().position(|h| *h == name);
    let Some(file) = column("file") else {
        return Err(wrong(path, "the head has no column `file`"));
    };
    let base = folder(path);
    let here = base.display().to_string();
    let here = if here.is_empty() { "." } else { &here };
    let mut tasks = Vec::new();
    for line in lines.filter(|l| !l.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |name: &str| {
            column(name)
                .and_then(|i| cells.get(i))
                .copied()
                .unwrap_or_default()
        };
        let name = cells.get(file).copied().unwrap_or_default();
        // `@` is the folder of the list.
        let mut words = cell("args")
            .split_whitespace()
            .map(|w| match w.strip_prefix('@') {
                Some(rest) => format!("{here}{rest}"),
                None => w.to_string(),
            });
        let mut files = vec![base.join(name)];
        let mut options = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-I" | "-D" | "--entry" | "--function" => {
                    options.extend([Some(word), words.next()].into_iter().flatten())
                }
                w if w.starts_with('-') => options.push(word),
                _ => files.push(PathBuf::from(word)),
            }
        }
        tasks.push(Task {
            name: name.to_string(),
            group: match cell("group") {
                "" => group_of(&base.join(name)),
                group => group.to_string(),
            },
            files,
            property: match cell("property") {
                // Boogie and Horn systems say themselves what is checked.
                "" | "assert" | "sat" | "chc" => "unreach-call".into(),
                name => name.to_string(),
            },
            expected: match cell("verdict") {
                "safe" | "true" => Some("safe"),
                "unsafe" | "false" => Some("unsafe"),
                _ => None,
            },
            bits32: cell("bits") == "32",
            options,
        });
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("*.yml", "a.yml") && fits("a?c*", "abcde") && fits("*a*b", "xaxbxab"));
        assert!(!fits("*.yml", "a.yaml") && !fits("a?", "a") && !fits("", "a"));
    }

    #[test]
    fn task_definitions() {
        let text = "format_version: '2.0'\ninput_files: 'x.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  - property_file: ../p/termination.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let tasks = definition(Path::new("c/x.yml"), text).unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!(tasks[0].files, [PathBuf::from("c/x.i")]);
        assert_eq!(
            (tasks[0].expected, tasks[1].expected),
            (Some("unsafe"), None)
        );
        assert_eq!(tasks[0].property_name(), "unreach-call");
        assert!(tasks[0].bits32);
    }

    #[test]
    fn lists() {
        let text = "group,file,property,verdict,bits,args\ng,a.c,no-overflow,safe,32,@/b.c -I @/inc -D X=1\n";
        let tasks = list(Path::new("/l/t.csv"), text).unwrap();
        assert_eq!(
            tasks[0].files,
            [PathBuf::from("/l/a.c"), PathBuf::from("/l/b.c")]
        );
        assert_eq!(tasks[0].options, ["-I", "/l/inc", "-D", "X=1"]);
        assert_eq!((tasks[0].group.as_str(), tasks[0].bits32), ("g", true));
    }
}

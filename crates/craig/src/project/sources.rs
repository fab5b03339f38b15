//! Which C files a project has and how each is preprocessed: from `compile_commands.json` where a
//! build system wrote one, else every `.c` file of the folders that `craig.toml` names.

use super::config::Config;
use crate::{Error, Preprocessor};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// A C file and how it is compiled.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// From the project's folder, with `/`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// How it is preprocessed.
    pub preprocessor: Preprocessor,
}

/// Where build systems leave `compile_commands.json`.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json"];

/// Folders that hold no sources of the project.
const NO_SOURCES: &[&str] = &[".git", ".craig", "CMakeFiles", "node_modules", "target"];

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The C files of the project, by name. `base` is how files are preprocessed if nobody says more.
pub fn find(root: &Path, config: &Config, base: &Preprocessor) -> Result<Vec<SourceFile>, Error> {
    let database = DATABASES.iter().map(|d| root.join(d)).find(|d| d.exists());
    let mut files = match database {
        Some(path) => from_database(root, &path, base)?,
        None => from_folders(root, config, base)?,
    };
    let excluded = |name: &str| {
        config
            .project
            .exclude
            .iter()
            .any(|e| name.contains(e.as_str()))
    };
    files.retain(|f| !excluded(&f.name));
    files.sort_by(|a, b| a.name.cmp(&b.name));
    // A file that is compiled twice (for a static and a shared library) counts once.
    files.dedup_by(|a, b| a.name == b.name);
    Ok(files)
}

fn from_folders(
    root: &Path,
    config: &Config,
    base: &Preprocessor,
) -> Result<Vec<SourceFile>, Error> {
    let mut open: Vec<PathBuf> = match config.project.sources.as_slice() {
        [] => vec![root.to_path_buf()],
        sources => sources.iter().map(|s| root.join(s)).collect(),
    };
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            for entry in entries.flatten() {
                let name = entry.file_name();
                let link = entry.file_type().is_ok_and(|t| t.is_symlink());
                if !link && !NO_SOURCES.iter().any(|n| name == *n) {
                    open.push(entry.path());
                }
            }
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(SourceFile {
                name: shown(root, &path),
                path: plain(&path),
                preprocessor: base.clone(),
            });
        }
    }
    Ok(files)
}

fn from_database(root: &Path, path: &Path, base: &Preprocessor) -> Result<Vec<SourceFile>, Error> {
    let wrong = |e: String| Error::Message(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let mut files = Vec::new();
    let mut seen = BTreeSet::new();
    for entry in entries {
        let path = plain(&entry.directory.join(&entry.file));
        let is_c = path.extension().is_some_and(|e| e == "c" || e == "i");
        if !is_c || !seen.insert(path.clone()) {
            continue;
        }
        let words = match (entry.arguments, &entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shell_words(command),
            (None, None) => Vec::new(),
        };
        let name = shown(root, &path);
        files.push(SourceFile {
            // Inside the project the name is the path from here, and what reports show.
            path: PathBuf::from(&name),
            name,
            preprocessor: flags(base, &entry.directory, &words),
        });
    }
    Ok(files)
}

/// The part of a compiler's command line that the preprocessor and the data model depend on.
fn flags(base: &Preprocessor, directory: &Path, words: &[String]) -> Preprocessor {
    let mut out = base.clone();
    let absolute = |p: &str| plain(&directory.join(p)).display().to_string();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        // The value of a flag, glued to it or the next word.
        let mut value = |flag: &str| match word.strip_prefix(flag) {
            Some("") => words.next().cloned(),
            Some(glued) => Some(glued.to_string()),
            None => None,
        };
        if word.starts_with("-isystem") {
            out.include.extend(value("-isystem").map(|v| absolute(&v)));
        } else if word.starts_with("-iquote") {
            out.include.extend(value("-iquote").map(|v| absolute(&v)));
        } else if word.starts_with("-include") {
            if let Some(file) = value("-include") {
                let here = directory.join(&file);
                let file = if here.exists() { absolute(&file) } else { file };
                out.command += &format!(" -include {file}");
            }
        } else if word.starts_with("-I") {
            out.include.extend(value("-I").map(|v| absolute(&v)));
        } else if word.starts_with("-D") {
            out.define.extend(value("-D"));
        } else if word.starts_with("-U") {
            out.command += &value("-U").map_or_else(String::new, |v| format!(" -U{v}"));
        } else if word.starts_with("-std=") || word == "-ansi" || word == "-pthread" {
            out.command += &format!(" {word}");
        } else if word == "-m32" {
            out.bits32 = true;
        }
    }
    out
}

/// A command line as a POSIX shell splits it, without expansions.
fn shell_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The path without `.` and `..`, as far as its text says.
pub fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The name of a file inside the project; elsewhere its path.
pub fn shown(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).map(Path::to_path_buf).or_else(|_| {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        path.strip_prefix(&root).map(Path::to_path_buf)
    });
    inside
        .unwrap_or_else(|_| path.to_path_buf())
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let words = shell_words("cc -DA='x y' -I ../inc -I/abs \"-DB=\\\"q\\\"\" -std=c99 -c f.c");
        let p = flags(&Preprocessor::default(), Path::new("/p/build"), &words);
        assert_eq!(p.define, ["A=x y", "B=\"q\""]);
        assert_eq!(p.include, ["/p/inc", "/abs"]);
        assert_eq!(p.command, "cc -std=c99");
        assert!(!p.bits32);
    }

    #[test]
    fn paths_without_dots() {
        assert_eq!(plain(Path::new("./a/../b/./c.c")), Path::new("b/c.c"));
        assert_eq!(plain(Path::new("../a.c")), Path::new("../a.c"));
    }
}

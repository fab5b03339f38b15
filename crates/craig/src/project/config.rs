//! `craig.toml`: what a project says of itself. Everything in it is optional; what the command line
//! says comes first. Unknown keys are an error, for a misspelt suppression would be silent.
//!
//! ```toml
//! [project]
//! sources = ["src"]            # where to look for C files without compile_commands.json
//! exclude = ["src/old"]        # parts of paths to leave out
//! options = ["--wrapv"]        # options of `craig check` for every unit
//!
//! [[program]]                  # programs that the link graph would get wrong
//! name = "tool"
//! files = ["src/tool.c", "src/util.c"]
//!
//! [[suppress]]                 # findings that are known; the reason is required
//! property = "no-overflow"
//! file = "src/hash.c"
//! function = "mix"
//! reason = "wraps by design, compiled with -fwrapv"
//! ```

use crate::Error;
use serde::Deserialize;
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "craig.toml";

/// What `craig.toml` says to `craig project`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Config {
    /// Where the sources are and how to read them.
    #[serde(default)]
    pub project: ProjectSection,
    /// Programs named by hand, in place of the link graph.
    #[serde(default, rename = "program")]
    pub programs: Vec<ProgramSection>,
    /// Findings that do not count.
    #[serde(default, rename = "suppress")]
    pub suppressions: Vec<Suppression>,
}

/// Where the sources are and how to read them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectSection {
    /// Folders or files; the whole project if empty.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Paths that contain one of these are left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Options of `craig check`.
    #[serde(default)]
    pub options: Vec<String>,
}

/// A program named by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSection {
    /// What results call it.
    pub name: String,
    /// Its files, from the project's folder.
    pub files: Vec<String>,
    /// The function where execution starts; `main` if not given.
    pub entry: Option<String>,
}

/// A known finding: everything that is given must fit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suppression {
    /// The property's name.
    pub property: Option<String>,
    /// The end of the file's path.
    pub file: Option<String>,
    /// The unit's name, or the function of a function's unit.
    pub function: Option<String>,
    /// A part of the message.
    pub message: Option<String>,
    /// Why it does not count; shown with it.
    pub reason: String,
}

/// Reads `craig.toml` of the folder, if there is one.
pub fn read(root: &Path) -> Result<Config, Error> {
    let path = root.join(FILE);
    if !path.exists() {
        return Ok(Config::default());
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    parse(&text).map_err(|e| Error::Message(format!("{}: {e}", path.display())))
}

fn parse(text: &str) -> Result<Config, String> {
    let config: Config = toml::from_str(text).map_err(|e| e.to_string())?;
    for s in &config.suppressions {
        if s.reason.trim().is_empty() {
            return Err("a suppression needs a reason".into());
        }
        if s.property.is_none() && s.file.is_none() && s.function.is_none() && s.message.is_none() {
            return Err(
                "a suppression without property, file, function or message fits everything".into(),
            );
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::parse;

    #[test]
    fn a_suppression_needs_a_reason_and_something_to_fit() {
        assert!(parse("[[suppress]]\nfile = \"a.c\"\nreason = \" \"").is_err());
        assert!(parse("[[suppress]]\nfile = \"a.c\"").is_err());
        assert!(parse("[[suppress]]\nreason = \"all of them\"").is_err());
        assert!(parse("[[suppress]]\nfiel = \"a.c\"\nreason = \"x\"").is_err());
        let config = parse("[[suppress]]\nfile = \"a.c\"\nreason = \"known\"").unwrap();
        assert_eq!(config.suppressions[0].file.as_deref(), Some("a.c"));
    }
}

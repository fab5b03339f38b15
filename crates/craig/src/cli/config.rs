//! `craig.toml`: options of a project, found beside the program or in a folder above it.
//!
//! ```toml
//! property = "valid-memsafety"
//! include = ["include"]          # relative to this file
//! define = ["NDEBUG", "SIZE=8"]
//! time = 60
//! ```
//! What the command line says comes first, then this file, then the defaults. A key that does not exist
//! is an error, so that a slip of the pen is not silently nothing.

use super::read;
use craig::Error;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "craig.toml";

/// Options of a project.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// As `--property`; a `.prp` file is relative to the configuration.
    pub property: Option<String>,
    /// As `-I`, relative to the configuration.
    pub include: Vec<String>,
    /// As `-D`.
    pub define: Vec<String>,
    /// As `--entry`.
    pub entry: Option<String>,
    /// As `--engine`.
    pub engine: Option<String>,
    /// As `--time`.
    pub time: Option<f64>,
    /// As `--memory`.
    pub memory: Option<u64>,
    /// `ILP32` or `LP64`.
    pub data_model: Option<Model>,
    /// As `--wrapv`.
    pub wrapv: bool,
    /// As `--externs`.
    pub externs: Option<How>,
    /// As `--malloc`.
    pub malloc: Option<Allocation>,
    /// As `--cpp`.
    pub cpp: Option<String>,
    /// Sections of `craig project`, which reads them itself (docs/scale.md).
    pub project: Option<IgnoredAny>,
    /// The same.
    pub program: Option<IgnoredAny>,
    /// The same.
    pub suppress: Option<IgnoredAny>,
    /// Where it was found.
    #[serde(skip)]
    pub found: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Model {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[serde(rename = "LP64")]
    Lp64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    Pure,
    Write,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    Always,
    MayFail,
}

impl Config {
    /// The configuration that goes with these files.
    pub fn of(files: &[PathBuf], named: Option<&Path>, wanted: bool) -> Result<Config, Error> {
        let path = match named {
            Some(path) => Some(path.to_path_buf()),
            None if wanted => files.first().and_then(|f| upwards(f)),
            None => None,
        };
        match path {
            Some(path) => Self::parse(&path, &read(&path)?),
            None => Ok(Config::default()),
        }
    }

    /// Reads the text of a configuration that lies at `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Config, Error> {
        let mut config: Config = toml::from_str(text).map_err(|e| {
            let name = path.display();
            Error::Message(format!("{name}: {}", e.to_string().trim_end()))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let from_here = |name: &str| folder.join(name).display().to_string();
        for dir in &mut config.include {
            *dir = from_here(dir);
        }
        if let Some(property) = config.property.as_mut().filter(|p| p.ends_with(".prp")) {
            *property = from_here(property);
        }
        config.found = Some(path.to_path_buf());
        Ok(config)
    }

    pub fn bits32(&self) -> bool {
        self.data_model == Some(Model::Ilp32)
    }

    pub fn externs_write(&self) -> Option<bool> {
        self.externs.map(|e| e == How::Write)
    }

    pub fn malloc_may_fail(&self) -> bool {
        self.malloc == Some(Allocation::MayFail)
    }
}

/// The nearest `craig.toml` in the folder of the file or above it.
fn upwards(file: &Path) -> Option<PathBuf> {
    let start = match file.as_os_str() == "-" {
        true => std::env::current_dir().ok()?,
        false => std::path::absolute(file).ok()?.parent()?.to_path_buf(),
    };
    let mut folders = start.ancestors().map(|folder| folder.join(FILE));
    folders.find(|f| f.is_file())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn paths_are_those_of_the_file() {
        let text = "property = \"p.prp\"\ninclude = [\"inc\"]\ndata-model = \"ILP32\"\ntime = 5";
        let config = Config::parse(Path::new("/a/craig.toml"), text).unwrap();
        assert_eq!(config.include, ["/a/inc"]);
        assert_eq!(config.property.as_deref(), Some("/a/p.prp"));
        assert!(config.bits32());
        assert_eq!(config.time, Some(5.0));
    }

    #[test]
    fn unknown_keys_are_errors() {
        let wrong = Config::parse(Path::new("craig.toml"), "propertty = \"all\"");
        let Err(Error::Message(text)) = wrong else {
            panic!("accepted");
        };
        assert!(text.contains("propertty"), "{text}");
    }
}

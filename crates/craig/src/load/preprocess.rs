//! Running the C preprocessor on files that need it.

use std::path::Path;
use std::process::Command;

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct Preprocessor {
    /// The command, `cc` by default.
    pub command: String,
    /// Directories of included files.
    pub include: Vec<String>,
    /// Macro definitions, `NAME=V`.
    pub define: Vec<String>,
    /// 32-bit data model (`-m32`).
    pub bits32: bool,
}

impl Default for Preprocessor {
    fn default() -> Self {
        Preprocessor {
            command: "cc".into(),
            include: Vec::new(),
            define: Vec::new(),
            bits32: false,
        }
    }
}

impl Preprocessor {
    /// The text after `cc -E`, with line markers. The error is a message for the user.
    pub fn run(&self, path: &Path) -> Result<String, String> {
        let mut words = self.command.split_whitespace();
        let program = words.next().unwrap_or("cc");
        let mut command = Command::new(program);
        command.args(words).arg("-E");
        if self.bits32 {
            command.arg("-m32");
        }
        for dir in &self.include {
            command.arg("-I").arg(dir);
        }
        for definition in &self.define {
            command.arg(format!("-D{definition}"));
        }
        command.arg("-x").arg("c").arg(path);
        let output = command.output().map_err(|e| {
            format!("cannot run the preprocessor `{program}` ({e}); name another one with --cpp")
        })?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{program} -E` failed:\n{}", errors.trim_end()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

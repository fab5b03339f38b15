//! Running the C preprocessor on files that need it.

use frontend::c::decode;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

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
    /// Keep comments: contracts are written in them.
    pub comments: bool,
}

impl Default for Preprocessor {
    fn default() -> Self {
        Preprocessor {
            command: "cc".into(),
            include: Vec::new(),
            define: Vec::new(),
            bits32: false,
            comments: false,
        }
    }
}

impl Preprocessor {
    /// The text after `cc -E`, with line markers. The error is a message for the user.
    pub fn run(&self, path: &Path) -> Result<String, String> {
        let first = self.output(path, &[])?;
        if first.status.success() {
            return Ok(decode(&first.stdout));
        }
        if self.bits32
            && let Some(text) = self.with_own_stubs(path)
        {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&first.stderr);
        let mut message = format!("`{} -E` failed:\n{}", self.program(), errors.trim_end());
        if self.bits32 && errors.contains("No such file") {
            message.push_str(
                "\nthe headers for 32 bits may be missing: install libc6-dev-i386 (Debian, Ubuntu) \
                 or glibc-devel.i686 (Fedora)",
            );
        }
        Err(message)
    }

    fn program(&self) -> &str {
        self.command.split_whitespace().next().unwrap_or("cc")
    }

    fn output(&self, path: &Path, more: &[OsString]) -> Result<Output, String> {
        let mut command = Command::new(self.program());
        command.args(self.command.split_whitespace().skip(1));
        command.arg("-E");
        if self.comments {
            command.arg("-C");
        }
        if self.bits32 {
            command.arg("-m32");
        }
        for dir in &self.include {
            command.arg("-I").arg(dir);
        }
        for definition in &self.define {
            command.arg(format!("-D{definition}"));
        }
        command.args(more).arg("-x").arg("c").arg(path);
        command.output().map_err(|e| {
            let program = self.program();
            format!("cannot run the preprocessor `{program}` ({e}); name another one with --cpp")
        })
    }

    /// Without 32-bit packages: the headers of the 64-bit library serve both models, but for the
    /// list of functions that the library lacks, which an empty file stands for.
    fn with_own_stubs(&self, path: &Path) -> Option<String> {
        let asked = Command::new(self.program())
            .arg("-print-multiarch")
            .output();
        let triple = String::from_utf8(asked.ok()?.stdout).ok()?;
        let headers = format!("/usr/include/{}", triple.trim());
        let stubs = std::env::temp_dir().join(format!("craig-stubs-{}", std::process::id()));
        std::fs::create_dir_all(stubs.join("gnu")).ok()?;
        std::fs::write(stubs.join("gnu/stubs-32.h"), "").ok()?;
        let after = || OsString::from("-idirafter");
        let more = [after(), headers.into(), after(), stubs.clone().into()];
        let output = self.output(path, &more).ok()?;
        // Left behind at worst: an empty file in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&stubs);
        output.status.success().then(|| decode(&output.stdout))
    }
}

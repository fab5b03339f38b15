//! Running the C preprocessor on files that need it.

use frontend::c::decode;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
    /// The file is standard input where its text is given.
    pub fn run(&self, path: &Path, text: Option<&String>) -> Result<String, String> {
        let first = self.output(path, text, &[])?;
        if first.status.success() {
            return Ok(decode(&first.stdout));
        }
        if self.bits32
            && let Some(text) = self.with_own_stubs(path, text)
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

    fn output(
        &self,
        path: &Path,
        text: Option<&String>,
        more: &[OsString],
    ) -> Result<Output, String> {
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
        let failed = |e: std::io::Error| {
            let program = self.program();
            format!("cannot run the preprocessor `{program}` ({e}); name another one with --cpp")
        };
        let Some(text) = text else {
            return command.output().map_err(failed);
        };
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let mut pipe = child.stdin.take();
        let text = text.clone();
        // Written by a thread: the preprocessor may write before it has read all.
        let writer = std::thread::spawn(move || {
            if let Some(pipe) = &mut pipe {
                let _ = pipe.write_all(text.as_bytes());
            }
        });
        let output = child.wait_with_output().map_err(failed);
        let _ = writer.join();
        output
    }

    /// Without 32-bit packages: the headers of the 64-bit library serve both models, but for the
    /// list of functions that the library lacks, which an empty file stands for.
    fn with_own_stubs(&self, path: &Path, text: Option<&String>) -> Option<String> {
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
        let output = self.output(path, text, &more).ok()?;
        // Left behind at worst: an empty file in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&stubs);
        output.status.success().then(|| decode(&output.stdout))
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A preprocessor on a machine without 32-bit packages: it fails unless `allowed` is among its arguments.
    fn poor_preprocessor(name: &str, allowed: &str) -> (std::path::PathBuf, Preprocessor) {
        let dir = std::env::temp_dir().join(format!("craig-poor-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let script = dir.join("cc");
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *{allowed}*|-print-multiarch) exec cc \"$@\";; esac\n\
             echo 'fatal error: gnu/stubs-32.h: No such file or directory' >&2\nexit 1\n"
        );
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let preprocessor = Preprocessor {
            command: script.to_string_lossy().into_owned(),
            bits32: true,
            ..Preprocessor::default()
        };
        (dir, preprocessor)
    }

    #[test]
    fn headers_for_32_bits_are_replaced_or_their_package_is_named() {
        let text = "#include <stdio.h>\n#include <stdlib.h>\nsize_t x;\n".to_string();
        let (dir, poor) = poor_preprocessor("stubs", "-idirafter");
        let read = poor.run(Path::new("-"), Some(&text)).unwrap();
        assert!(read.contains("typedef unsigned int size_t"), "{read}");
        std::fs::remove_dir_all(dir).unwrap();
        let (dir, poor) = poor_preprocessor("none", "-no-such-option");
        let message = poor.run(Path::new("-"), Some(&text)).unwrap_err();
        assert!(message.contains("libc6-dev-i386"), "{message}");
        std::fs::remove_dir_all(dir).unwrap();
    }
}

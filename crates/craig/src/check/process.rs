//! Solver processes: started with a memory limit, written and read by threads of their own so that
//! neither side of the pipe can block the other, killed when dropped.

use smt::external::{Channel, Launch, Received};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Starts programs of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processes {
    /// Address space of each process in bytes.
    pub memory: Option<u64>,
}

/// The program that a command names, looked up as the shell does.
pub fn find(command: &str) -> Result<PathBuf, String> {
    let is_program = |p: &Path| p.is_file();
    if command.contains('/') {
        let path = PathBuf::from(command);
        return is_program(&path)
            .then_some(path)
            .ok_or_else(|| format!("there is no program `{command}`"));
    }
    let dirs = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&dirs)
        .map(|dir| dir.join(command))
        .find(|p| is_program(p))
        .ok_or_else(|| format!("there is no program `{command}` in any directory of the PATH"))
}

impl Launch for Processes {
    fn start(&self, command: &str, arguments: &[String]) -> Result<Box<dyn Channel>, String> {
        let program = find(command)?;
        let mut starter = match self.memory {
            // The shell sets the limit and becomes the program.
            Some(bytes) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", "ulimit -v \"$0\"; exec \"$@\""]);
                shell.arg((bytes >> 10).to_string()).arg(program);
                shell
            }
            None => Command::new(program),
        };
        let mut child = starter
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot run `{command}`: {e}"))?;
        let (to_child, outgoing) = channel::<String>();
        let (incoming, from_child) = channel::<String>();
        if let Some(mut pipe) = child.stdin.take() {
            std::thread::spawn(move || {
                for text in outgoing {
                    if pipe
                        .write_all(text.as_bytes())
                        .and_then(|()| pipe.flush())
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        if let Some(pipe) = child.stdout.take() {
            std::thread::spawn(move || read_lines(BufReader::new(pipe), &incoming));
        }
        Ok(Box::new(Process {
            child,
            to_child,
            from_child,
        }))
    }
}

fn read_lines(mut pipe: impl BufRead, to: &Sender<String>) {
    let mut line = Vec::new();
    while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        if to.send(text).is_err() {
            return;
        }
        line.clear();
    }
}

struct Process {
    child: Child,
    to_child: Sender<String>,
    from_child: Receiver<String>,
}

impl Channel for Process {
    fn send(&mut self, text: &str) -> Result<(), String> {
        let sent = self.to_child.send(text.to_string());
        sent.map_err(|_| "the process does not read any more".into())
    }

    fn line(&mut self, wait: Duration) -> Received {
        match self.from_child.recv_timeout(wait) {
            Ok(line) => Received::Line(line),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

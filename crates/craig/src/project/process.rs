//! A worker process as the run sees it: started on demand, spoken to in lines, killed when dropped.
//! A worker that ends in the middle of a unit (killed, or by its own watchdog) is started again for
//! the next one.

use super::protocol::{FromWorker, Job, ToWorker};
use super::results::UnitResult;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Beyond its time a worker gets so long to end by itself; its watchdog needs less.
const GRACE: Duration = Duration::from_secs(10);
/// How often a waiting run looks whether it was cancelled.
const TICK: Duration = Duration::from_millis(50);
/// A worker that holds more than this after a unit is started anew, in MiB.
const MOST_KEPT: u64 = 1024;

/// How to start a worker.
#[derive(Clone)]
pub struct Launcher {
    /// This command itself.
    pub program: PathBuf,
    /// `worker` and its options.
    pub arguments: Vec<String>,
}

/// A slot for a worker process.
pub struct Worker<'a> {
    launcher: &'a Launcher,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<FromWorker>,
}

/// What is remembered of a program.
pub enum Known {
    /// Evidence about it, if there is any, and about an earlier version.
    Evidence(Option<serde_json::Value>, Option<serde_json::Value>),
    /// It stayed open with the same options and no smaller limits.
    Open(Box<UnitResult>),
}

/// What the run answers to a worker in the middle of a unit.
pub trait Knows {
    /// What is remembered of the program with this hash, which is that of the job's unit.
    fn known(&self, job: &Job, program: &str) -> Known;
    /// The checker rejected it.
    fn rejected(&self, program: &str);
}

impl<'a> Worker<'a> {
    /// A worker that is started when there is something to do.
    pub fn new(launcher: &'a Launcher) -> Self {
        Worker {
            launcher,
            running: None,
        }
    }

    /// Checks one unit; `None` if the run was cancelled meanwhile.
    pub fn check(
        &mut self,
        job: &Job,
        knows: &dyn Knows,
        cancelled: &AtomicBool,
    ) -> Option<UnitResult> {
        let files: Vec<String> = job.texts.iter().map(|t| t.name.clone()).collect();
        let start = Instant::now();
        let mut answer = self.converse(job, knows, cancelled);
        if answer.is_err() && !cancelled.load(Ordering::Relaxed) {
            // Killed from outside, perhaps: once more with a new one.
            self.stop();
            answer = self.converse(job, knows, cancelled);
        }
        if cancelled.load(Ordering::Relaxed) {
            self.stop();
            return None;
        }
        let result = answer.unwrap_or_else(|why| {
            self.stop();
            let mut result = UnitResult::open(&job.unit, &files, why);
            result.lost = true;
            result.seconds = start.elapsed().as_secs_f64();
            result
        });
        if result.memory_mib > MOST_KEPT {
            self.stop();
        }
        Some(result)
    }

    fn converse(
        &mut self,
        job: &Job,
        knows: &dyn Knows,
        cancelled: &AtomicBool,
    ) -> Result<UnitResult, String> {
        let gone = |r: &mut Running| !matches!(r.child.try_wait(), Ok(None));
        if self.running.as_mut().is_none_or(gone) {
            self.running = Some(Running::start(self.launcher)?);
        }
        let Some(running) = &mut self.running else {
            return Err("no worker".into());
        };
        running.send(&ToWorker::Unit(Box::new(job.clone())))?;
        let latest = Instant::now() + Duration::from_secs_f64(job.time * 1.1) + GRACE;
        loop {
            match running.lines.recv_timeout(TICK) {
                Ok(FromWorker::Program(hash)) => {
                    match knows.known(job, &hash) {
                        Known::Open(result) => {
                            // The worker has the program ready and nothing to do with it.
                            running.send(&ToWorker::Leave)?;
                            return Ok(*result);
                        }
                        Known::Evidence(evidence, earlier) => {
                            running.send(&ToWorker::Known { evidence, earlier })?;
                        }
                    }
                }
                Ok(FromWorker::Rejected(hash)) => knows.rejected(&hash),
                Ok(FromWorker::Result(result)) => return Ok(*result),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = running
                        .child
                        .wait()
                        .map_or_else(|e| e.to_string(), |s| s.to_string());
                    return Err(format!("the worker ended without an answer ({status})"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if cancelled.load(Ordering::Relaxed) {
                        return Err("cancelled".into());
                    }
                    if Instant::now() > latest {
                        return Err(
                            "the time limit passed and the worker did not stop by itself".into(),
                        );
                    }
                }
            }
        }
    }

    fn stop(&mut self) {
        self.running = None;
    }
}

impl Running {
    fn start(launcher: &Launcher) -> Result<Running, String> {
        let mut child = Command::new(&launcher.program)
            .args(&launcher.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is for the run, which keeps what is done and ends its workers itself.
            .process_group(0)
            .spawn()
            .map_err(|e| format!("cannot start a worker: {e}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a worker has no pipes".into());
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else {
                    break;
                };
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Running {
            child,
            input,
            lines,
        })
    }

    fn send(&mut self, message: &ToWorker) -> Result<(), String> {
        let line = serde_json::to_string(message).map_err(|e| e.to_string())? + "\n";
        let sent = self.input.write_all(line.as_bytes());
        sent.and_then(|()| self.input.flush())
            .map_err(|e| format!("the worker does not read any more: {e}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! Running the tasks of a batch, several at a time, each as a process under limits. A task's result
//! is its last line and its exit status, which must agree.

use super::limits::{Fence, GRACE, Limits, cpu_seconds, peak_and_remove};
use super::tasks::Task;
use super::{Category, Row};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How to run tasks.
pub struct Batch {
    /// This command.
    pub program: PathBuf,
    /// Options of `craig check` for every task.
    pub options: Vec<String>,
    /// Limits of a task.
    pub limits: Limits,
    /// Tasks at a time.
    pub jobs: usize,
    /// How limits are enforced.
    pub fence: Fence,
    /// A folder for files that are deleted again.
    pub scratch: PathBuf,
}

const TICK: Duration = Duration::from_millis(10);
/// CPU time may be little on a loaded machine; wall-clock time has an end as well.
const WALL_FACTOR: f64 = 3.0;

/// Runs all tasks; rows are in the order of the tasks, without those a cancelled run did not reach.
pub fn run(
    batch: &Batch,
    tasks: &[Task],
    cancelled: &AtomicBool,
    on_row: &(dyn Fn(&Row) + Sync),
) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..batch.jobs.max(1) {
            scope.spawn(|| {
                while !cancelled.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(number) else { break };
                    let Some(row) = one(batch, task, number, cancelled) else {
                        break;
                    };
                    on_row(&row);
                    if let Ok(mut rows) = rows.lock() {
                        rows.push((number, row));
                    }
                }
            });
        }
    });
    let mut rows = rows
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    rows.sort_by_key(|(number, _)| *number);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The command line of a task.
fn words(batch: &Batch, task: &Task) -> Vec<String> {
    let mut words = vec![batch.program.display().to_string(), "check".into()];
    words.extend(task.files.iter().map(|f| f.display().to_string()));
    words.extend(["--property".into(), task.property.clone()]);
    words.extend(["--time".into(), batch.limits.time.to_string()]);
    words.extend(["--memory".into(), (batch.limits.memory >> 20).to_string()]);
    if task.bits32 {
        words.push("--32".into());
    }
    words.extend(task.options.iter().chain(&batch.options).cloned());
    words
}

fn one(batch: &Batch, task: &Task, number: usize, cancelled: &AtomicBool) -> Option<Row> {
    let file = |what: &str| batch.scratch.join(format!("{number}.{what}"));
    let (times, out) = (file("times"), file("out"));
    let (mut command, group) =
        batch
            .fence
            .around(&words(batch, task), batch.limits, &times, number);
    let start = Instant::now();
    let output = std::fs::File::create(&out).map_or_else(|_| Stdio::null(), Stdio::from);
    let child = command
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null());
    let child = child.process_group(0).spawn();
    let status = child.ok().and_then(|mut c| {
        let latest = start + Duration::from_secs_f64(batch.limits.time * WALL_FACTOR + GRACE);
        wait(&mut c, latest, cancelled)
    });
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    let wall = start.elapsed().as_secs_f64();
    let said = std::fs::read_to_string(&out).unwrap_or_default();
    let cpu = std::fs::read_to_string(&times)
        .ok()
        .and_then(|t| cpu_seconds(&t))
        .unwrap_or(wall);
    let memory_mib = group.as_deref().map_or(0, |g: &Path| peak_and_remove(g));
    for path in [&times, &out] {
        let _ = std::fs::remove_file(path);
    }
    let verdict = verdict(&said, status);
    let expected = task.expected.unwrap_or_default();
    Some(Row {
        group: task.group.clone(),
        task: task.name.clone(),
        property: task.property_name().to_string(),
        expected: expected.to_string(),
        verdict: verdict.to_string(),
        violated: violated(&said),
        category: category(expected, verdict, status, &said, cpu, batch.limits),
        cpu,
        wall,
        memory_mib,
    })
}

/// The exit status; `None` if the task had to be killed.
fn wait(child: &mut Child, latest: Instant, cancelled: &AtomicBool) -> Option<i32> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code(),
            Ok(None) if Instant::now() < latest && !cancelled.load(Ordering::Relaxed) => {
                std::thread::sleep(TICK);
            }
            _ => {
                // The shell and the command below it are one group.
                let group = format!("-{}", child.id());
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

/// The verdict of the last line, if the exit status says the same.
fn verdict(said: &str, status: Option<i32>) -> &'static str {
    let last = said.lines().rfind(|l| l.starts_with("verdict: "));
    match (last, status) {
        (Some("verdict: safe"), Some(0)) => "safe",
        (Some("verdict: unsafe"), Some(1)) => "unsafe",
        _ => "unknown",
    }
}

/// The property that the account names as violated: the last word in parentheses of its line.
fn violated(said: &str) -> String {
    let line = said.lines().find(|l| l.starts_with("Violated: "));
    let word = line
        .and_then(|l| l.rsplit_once('('))
        .and_then(|(_, w)| w.split_once(')'));
    word.map_or_else(String::new, |(w, _)| w.to_string())
}

fn category(
    expected: &str,
    verdict: &str,
    status: Option<i32>,
    said: &str,
    cpu: f64,
    limits: Limits,
) -> Category {
    match (verdict, expected) {
        ("unknown", _) => match status {
            Some(2) if said.contains("time limit") => Category::Timeout,
            Some(2) if said.contains("memory limit") => Category::Memory,
            Some(2) => Category::Unknown,
            _ if cpu >= limits.time => Category::Timeout,
            None => Category::Timeout,
            // 128 and a signal: the kernel ended it.
            Some(137) => Category::Memory,
            _ => Category::Error,
        },
        (_, "") => Category::Unchecked,
        (v, e) if v == e => Category::Correct,
        _ => Category::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_and_status_must_agree() {
        assert_eq!(verdict("x\nverdict: safe\n", Some(0)), "safe");
        assert_eq!(verdict("verdict: safe\n", Some(1)), "unknown");
        assert_eq!(verdict("verdict: safe\n", None), "unknown");
        assert_eq!(
            violated("Violated: f() is called at a.c:1:2 (unreach-call)\n"),
            "unreach-call"
        );
        let limits = Limits {
            time: 10.0,
            memory: 1 << 30,
        };
        let end = |e, v, s, said| category(e, v, s, said, 1.0, limits);
        assert_eq!(end("safe", "unsafe", Some(1), ""), Category::Wrong);
        assert_eq!(end("", "unsafe", Some(1), ""), Category::Unchecked);
        assert_eq!(
            end("safe", "unknown", Some(2), "the time limit passed"),
            Category::Timeout
        );
        assert_eq!(end("safe", "unknown", Some(3), ""), Category::Error);
    }
}

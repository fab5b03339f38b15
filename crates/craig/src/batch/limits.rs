//! Limits around a process from outside: a control group of its own where the system lets us make
//! one, else `ulimit`. The command's own limits come first; these are for what does not keep them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a task may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of CPU time.
    pub time: f64,
    /// Bytes.
    pub memory: u64,
}

/// How limits are enforced and use is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fence {
    /// A control group for each task under this one.
    ControlGroup(PathBuf),
    /// `ulimit` in a shell.
    Shell,
}

/// The time beyond the limit that the command gets to end by itself.
pub const GRACE: f64 = 10.0;

impl Fence {
    /// Control groups where this process may make them with a memory controller, else the shell.
    pub fn find() -> Fence {
        own_group()
            .filter(|g| try_group(g))
            .map_or(Fence::Shell, Fence::ControlGroup)
    }

    /// What tables say of it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Fence::ControlGroup(_) => "control groups",
            Fence::Shell => "ulimit",
        }
    }

    /// The command under the limits; CPU times go to the file `times` as the shell prints them. The
    /// group of the task, if it has one, is to be read and removed afterwards.
    pub fn around(
        &self,
        words: &[String],
        limits: Limits,
        times: &Path,
        number: usize,
    ) -> (Command, Option<PathBuf>) {
        let seconds = (limits.time + GRACE).ceil();
        let mut script = format!("ulimit -t {seconds}; ulimit -c 0; ");
        let mut group = None;
        match self {
            Fence::ControlGroup(parent) => {
                let own = parent.join(format!("craig-{}-{number}", std::process::id()));
                if std::fs::create_dir(&own).is_ok() {
                    let _ = std::fs::write(own.join("memory.max"), limits.memory.to_string());
                    let _ = std::fs::write(own.join("memory.swap.max"), "0");
                    script += "echo $$ > \"$1/cgroup.procs\"; ";
                    group = Some(own);
                }
            }
            // Address space is larger than memory: stacks and arenas are reserved, not used.
            Fence::Shell => {
                script += &format!("ulimit -v {}; ", (limits.memory >> 10) * 2 + (4 << 20))
            }
        }
        script += "t=$0; shift; \"$@\"; s=$?; times > \"$t\"; exit $s";
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(times);
        command.arg(group.clone().unwrap_or_default()).args(words);
        (command, group)
    }
}

/// The control group (version 2) of this process.
fn own_group() -> Option<PathBuf> {
    let text = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = text.lines().find_map(|l| l.strip_prefix("0::"))?;
    let group = Path::new("/sys/fs/cgroup").join(path.trim_start_matches('/'));
    group.is_dir().then_some(group)
}

/// Can groups be made here, with a limit on memory? The kernel makes the files of a group; a folder
/// without them is none.
fn try_group(parent: &Path) -> bool {
    if !parent.join("cgroup.procs").is_file() {
        return false;
    }
    let own = parent.join(format!("craig-{}-try", std::process::id()));
    let made = std::fs::create_dir(&own).is_ok();
    let limit = own.join("memory.max");
    let limited = made && limit.is_file() && std::fs::write(limit, "max").is_ok();
    let _ = std::fs::remove_dir(&own);
    limited
}

/// Most memory that a group held, in MiB; the group is gone afterwards.
pub fn peak_and_remove(group: &Path) -> u64 {
    let peak = std::fs::read_to_string(group.join("memory.peak")).ok();
    let _ = std::fs::remove_dir(group);
    peak.and_then(|p| p.trim().parse::<u64>().ok()).unwrap_or(0) >> 20
}

/// CPU seconds from the shell's `times`: user and system time of the children, on the second line.
pub fn cpu_seconds(text: &str) -> Option<f64> {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    text.lines().nth(1)?.split_whitespace().map(seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::cpu_seconds;

    #[test]
    fn times_of_the_shell() {
        assert_eq!(
            cpu_seconds("0m0.000s 0m0.000s\n1m2.500s 0m0.250000s\n"),
            Some(62.75)
        );
        assert_eq!(cpu_seconds(""), None);
    }
}

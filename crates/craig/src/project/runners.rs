//! Many machines, by engines that exist: Slurm job arrays, or any command that starts a command
//! somewhere else. All machines see the project's folder; each part reads its units from the file of the plan
//! ([`super::plan_file`]) and leaves a file with its results. There is no protocol of our own.

use super::store::{FOLDER, Store};
use super::{Prepared, plan_file, shards};
use crate::Error;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Who starts the parts.
#[derive(Clone, Debug)]
pub enum Runner {
    /// `sbatch` with a job array.
    Slurm {
        /// Options of `sbatch`.
        options: Vec<String>,
    },
    /// A shell command: `{}` stands for the command line of the part (added at the end if missing),
    /// `{k}` for its number.
    Command(String),
}

/// The parts of a run that are to be started elsewhere.
pub struct Parts<'a> {
    /// How many.
    pub count: usize,
    /// The command with everything but the part: `craig project --…`.
    pub command: &'a [String],
    /// Ends the wait when somebody raises it.
    pub cancelled: &'a AtomicBool,
}

/// Stands for the number of a part in the script of a job array.
const PART: &str = "@PART@";
const TICK: Duration = Duration::from_millis(100);

/// What the parts left.
pub struct Left {
    /// Those that ended.
    pub parts: Vec<shards::Part>,
    /// Where their files and logs are.
    pub folder: PathBuf,
}

/// Runs all parts and gives what they left; a part that left nothing, because it failed or the run was cancelled, is
/// missing.
pub fn run(
    runner: &Runner,
    parts: &Parts<'_>,
    prepared: &Prepared,
    store: &mut Store,
) -> Result<Left, Error> {
    let folder = folder()?;
    let plan = folder.join("plan.db");
    plan_file::write(&plan, prepared, store)?;
    let line = |k: &str| {
        let mut words: Vec<String> = parts.command.to_vec();
        words.extend(["--shard".into(), format!("{k}/{}", parts.count)]);
        words.extend(["--results".into(), format!("{}/{k}.json", folder.display())]);
        words.extend(["--plan".into(), plan.display().to_string()]);
        words
    };
    match runner {
        Runner::Slurm { options } => slurm(options, parts, &folder, &line(PART))?,
        Runner::Command(template) => commands(template, parts, &line)?,
    }
    let files = (1..=parts.count).map(|k| folder.join(format!("{k}.json")));
    let read = files.filter(|f| f.exists()).map(|f| shards::read(&f));
    let read: Vec<shards::Part> = read.collect::<Result<_, _>>()?;
    // What failed is told by the parts that are missing; the log of each stays for the reader.
    let _ = std::fs::remove_file(&plan);
    Ok(Left {
        parts: read,
        folder,
    })
}

/// A new folder for the parts, with its whole path: other machines start elsewhere.
fn folder() -> Result<PathBuf, Error> {
    let here = std::env::current_dir().map_err(|e| e.to_string())?;
    for number in 1.. {
        let folder = here.join(FOLDER).join("parts").join(number.to_string());
        let parent = folder.parent().map(std::fs::create_dir_all);
        match (parent, std::fs::create_dir(&folder)) {
            (_, Ok(())) => return Ok(folder),
            (_, Err(e)) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            (_, Err(e)) => return Err(Error::Message(format!("{}: {e}", folder.display()))),
        }
    }
    unreachable!("there is always a next number")
}

/// One job array, and a job behind it that is over when the array is: the wait is Slurm's own.
fn slurm(
    options: &[String],
    parts: &Parts<'_>,
    folder: &Path,
    line: &[String],
) -> Result<(), Error> {
    let word = |w: &String| {
        let pieces: Vec<String> = w
            .split(PART)
            .map(|p| {
                if p.is_empty() {
                    String::new()
                } else {
                    quoted(p)
                }
            })
            .collect();
        match w.is_empty() {
            true => quoted(w),
            false => pieces.join("\"$SLURM_ARRAY_TASK_ID\""),
        }
    };
    let command = line.iter().map(word).collect::<Vec<_>>().join(" ");
    let script = folder.join("part.sh");
    let text = format!("#!/bin/sh\n{command}\n# 0, 1 and 2 are answers\n[ $? -le 2 ]\n");
    std::fs::write(&script, text).map_err(|e| e.to_string())?;
    let mut submit = Command::new("sbatch");
    submit.args(["--parsable", "--job-name=craig"]);
    submit.arg(format!("--array=1-{}", parts.count));
    submit.arg(format!("--output={}/%a.log", folder.display()));
    submit.args(options).arg(&script);
    let output = submit
        .output()
        .map_err(|e| format!("cannot run sbatch: {e}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let id = said
        .trim()
        .split(';')
        .next()
        .unwrap_or_default()
        .to_string();
    if !output.status.success() || id.is_empty() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Message(format!("sbatch: {}", why.trim())));
    }
    let mut wait = Command::new("sbatch");
    wait.args(["--wait", "--job-name=craig-end", "--output=/dev/null"]);
    wait.arg(format!("--dependency=afterany:{id}"))
        .args(options);
    let wait = wait.arg("--wrap=true").stdout(Stdio::null());
    let child = wait.process_group(0).spawn();
    let mut waiting = vec![child.map_err(|e| format!("cannot run sbatch: {e}"))?];
    if !wait_for(&mut waiting, parts.cancelled) {
        let _ = Command::new("scancel").arg(&id).status();
    }
    Ok(())
}

/// One shell command a part, all at once.
fn commands(
    template: &str,
    parts: &Parts<'_>,
    line: &dyn Fn(&str) -> Vec<String>,
) -> Result<(), Error> {
    let mut children = Vec::new();
    for k in 1..=parts.count {
        let words: Vec<String> = line(&k.to_string()).iter().map(|w| quoted(w)).collect();
        let words = words.join(" ");
        let text = template.replace("{k}", &k.to_string());
        let text = match text.contains("{}") {
            true => text.replace("{}", &words),
            false => format!("{text} {words}"),
        };
        let child = Command::new("sh")
            .arg("-c")
            .arg(&text)
            .stdout(Stdio::null())
            // Ctrl-C is for the run, which ends its parts itself.
            .process_group(0)
            .spawn();
        children.push(child.map_err(|e| format!("cannot run `{text}`: {e}"))?);
    }
    wait_for(&mut children, parts.cancelled);
    Ok(())
}

/// Waits for all; when the run is cancelled, ends them with all that they started. Says whether all ended by
/// themselves.
fn wait_for(children: &mut [Child], cancelled: &AtomicBool) -> bool {
    loop {
        let over = children
            .iter_mut()
            .all(|c| !matches!(c.try_wait(), Ok(None)));
        if over {
            return true;
        }
        if cancelled.load(Ordering::Relaxed) {
            for child in children {
                let group = format!("-{}", child.id());
                let mut end = Command::new("kill");
                let _ = end
                    .args(["-TERM", "--", &group])
                    .stderr(Stdio::null())
                    .status();
                let _ = child.kill();
                let _ = child.wait();
            }
            return false;
        }
        std::thread::sleep(TICK);
    }
}

/// A word for a POSIX shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(quoted("-DA=1"), "-DA=1");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}

//! `craig project` and its workers: from arguments to a run, and from its results to what is printed
//! and written.

use super::args::Cli;
use super::config::Config;
use super::project_table::Table;
use super::scale_args::{ProjectArgs, WorkerArgs, WorkerOptions};
use super::{remark, say, write};
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, Parser};
use craig::project::runners::{self, Parts, Runner};
use craig::project::worker::{Settings, serve};
use craig::project::{
    self, Event, Launcher, Prepared, Request, Store, Summary, UnitResult, plan_file, shards,
};
use craig::{Engine, EngineOptions, Error};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Time for a unit if nobody says.
const UNIT_SECONDS: f64 = 60.0;

/// Serves a run; the result is the exit status.
pub fn worker(args: &WorkerArgs) -> Result<u8, Error> {
    let config = shared_config(args)?;
    serve(&Settings {
        source: args.source.options(&config)?,
        engine: engine(args, &config)?,
        engine_options: EngineOptions::default(),
    });
    Ok(0)
}

/// What `craig.toml` says to every command. The current folder is the project's.
fn shared_config(args: &WorkerArgs) -> Result<Config, Error> {
    let here = [PathBuf::from("project")];
    Config::of(&here, args.source.config.as_deref(), !args.source.no_config)
}

/// The engine that the command line names, else the configuration, else the default.
fn engine(args: &WorkerArgs, config: &Config) -> Result<Engine, Error> {
    match (&args.engine, &config.engine) {
        (Some(engine), _) => Ok(engine.clone()),
        (None, Some(name)) => name
            .parse()
            .map_err(|e| Error::Message(format!("craig.toml: {e}"))),
        (None, None) => Ok(Engine::default()),
    }
}

/// Runs the command; the result is the exit status.
pub fn project(mut args: ProjectArgs) -> Result<u8, Error> {
    let start = Instant::now();
    absolute_paths(&mut args)?;
    let forwarded = forwarded();
    std::env::set_current_dir(&args.dir).map_err(|e| format!("{}: {e}", args.dir.display()))?;
    let request = request(&args, &forwarded)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    let _ = ctrlc::set_handler(move || {
        // The first time keeps what is done, the second time ends the process.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
    if args.plan.is_some() && args.shard.is_none() && args.merge.is_empty() {
        return Err(Error::Message("--plan is for --shard and --merge".into()));
    }
    let mut store = match (&args.plan, args.shard, args.fresh) {
        (_, _, true) => Store::none(),
        (Some(plan), Some(_), _) => Store::snapshot(plan),
        // A part leaves the store to the run that it belongs to.
        (None, Some(_), _) => Store::none(),
        (_, None, _) => Store::open(Path::new(".")),
    };
    let prepared = match &args.plan {
        Some(plan) => plan_file::read(plan, &request)?,
        None => project::prepare(&request, &mut store)?,
    };
    if let Some(path) = &args.write_plan {
        plan_file::write(path, &prepared, &mut store)?;
        say(&format!("{} units planned\n", prepared.chosen.len()));
        return Ok(0);
    }
    let results = results(&args, &request, &prepared, &mut store, &cancelled)?;
    if let (Some(shard), Some(path)) = (args.shard, &args.results) {
        let (count, open) = (results.len(), cancelled.load(Ordering::Relaxed));
        if open {
            return Err(Error::Message(
                "cancelled; a part is written whole or not at all".into(),
            ));
        }
        shards::write(path, prepared.hash, shard, results)?;
        say(&format!(
            "{count} units of part {}/{}\n",
            shard.part, shard.of
        ));
        return Ok(0);
    }
    conclude(&args, &request, &prepared, results, &store, start)
}

/// From wherever the results come: files of parts, other machines, or this one.
fn results(
    args: &ProjectArgs,
    request: &Request,
    prepared: &Prepared,
    store: &mut Store,
    cancelled: &AtomicBool,
) -> Result<Vec<UnitResult>, Error> {
    if let Some(runner) = runner(args)? {
        let command = part_command(args)?;
        let parts = Parts {
            count: args.parts.max(1),
            command: &command,
            cancelled,
        };
        let left = runners::run(&runner, &parts, prepared, store)?;
        let (mut merged, missing) = shards::gather(left.parts, parts.count, &prepared.hash)?;
        project::remember(request, prepared, store, &mut merged);
        for k in missing {
            let folder = left.folder.display();
            remark(&format!(
                "part {k}/{} left no results; see {folder}",
                parts.count
            ));
        }
        return Ok(merged);
    }
    if !args.merge.is_empty() {
        let parts = args
            .merge
            .iter()
            .map(|f| shards::read(f))
            .collect::<Result<Vec<_>, _>>()?;
        let mut merged = shards::merge(parts, &prepared.hash)?;
        project::remember(request, prepared, store, &mut merged);
        return Ok(merged);
    }
    let table = Table::new(args.quiet, prepared.mine.len());
    let on_event = |event: &Event<'_>| table.hear(event);
    let results = project::check(request, prepared, store, cancelled, &on_event);
    table.clear();
    Ok(results)
}

/// Prints and writes everything; the exit status.
fn conclude(
    args: &ProjectArgs,
    request: &Request,
    prepared: &Prepared,
    mut results: Vec<UnitResult>,
    store: &Store,
    start: Instant,
) -> Result<u8, Error> {
    let unused = project::accept(request, args.baseline.as_deref(), &mut results)?;
    let problems = &prepared.plan.problems;
    let summary = Summary::new(&results, prepared.chosen.len(), problems.len());
    if let Some(path) = &args.write_baseline {
        write(path, &project::baseline(&results))?;
    }
    if let Some(path) = &args.sarif {
        write(path, &project::sarif(&results))?;
    }
    if let Some(path) = &args.json {
        write(path, &project::json(&results, problems, &summary))?;
    }
    if let Some(folder) = &args.report {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        write(
            &folder.join("index.html"),
            &project::index(&results, problems, &summary, "units"),
        )?;
    }
    let text = project::text(&results, problems, &summary, start.elapsed().as_secs_f64());
    if args.quiet {
        say(text
            .lines()
            .rfind(|l| l.contains(" units: "))
            .unwrap_or_default());
        say("\n");
    } else {
        say(&text);
    }
    for note in unused.iter().map(String::as_str).chain(store.trouble()) {
        remark(note);
    }
    Ok(summary.exit_status())
}

fn request(args: &ProjectArgs, forwarded: &[String]) -> Result<Request, Error> {
    let config = project::config::read(Path::new("."))?;
    let mut options = config.project.options.clone();
    options.extend(forwarded.iter().cloned());
    let words = std::iter::once("craig".to_string()).chain(options.iter().cloned());
    let check = WorkerOptions::try_parse_from(words)
        .map_err(|e| Error::Message(format!("options of craig.toml and the command line: {e}")))?;
    let mut arguments = vec!["worker".to_string()];
    arguments.extend(options);
    let program = std::env::current_exe().map_err(|e| format!("where am I? {e}"))?;
    let shared = shared_config(&check.check)?;
    let time = args.time.or(shared.time).unwrap_or(UNIT_SECONDS);
    Ok(Request {
        config,
        source: check.check.source.options(&shared)?,
        launcher: Launcher { program, arguments },
        jobs: args.jobs.unwrap_or_else(cores),
        time: super::options::seconds(time, "--time")?.as_secs_f64(),
        memory: args
            .memory
            .or(shared.memory)
            .map_or_else(free_memory, |mib| mib << 20),
        programs: true,
        functions: args.functions,
        since: args.since.clone(),
        shard: args.shard,
        pages: args.report.as_ref().map(|r| r.join("units")),
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Three quarters of the memory that nobody uses now.
fn free_memory() -> u64 {
    craig::memory::available().map_or(2 << 30, |bytes| bytes / 4 * 3)
}

/// The options of `check` that were given, to be given to workers. Asking clap keeps this true
/// whatever options there are.
fn forwarded() -> Vec<String> {
    let Ok(matches) = Cli::command().try_get_matches_from(std::env::args_os()) else {
        return Vec::new();
    };
    let Some(("project", matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let options = WorkerArgs::augment_args(clap::Command::new("options"));
    let mut words = Vec::new();
    for arg in options.get_arguments() {
        let id = arg.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let flag = match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => continue,
        };
        if arg.get_action().takes_values() {
            for value in matches.get_raw(id).into_iter().flatten() {
                words.extend([flag.clone(), value.to_string_lossy().into_owned()]);
            }
        } else {
            words.push(flag);
        }
    }
    words
}

fn runner(args: &ProjectArgs) -> Result<Option<Runner>, Error> {
    let words: Vec<&str> = args.on.iter().map(String::as_str).collect();
    let split = |text: &str| text.split_whitespace().map(str::to_string).collect();
    match words.as_slice() {
        [] => Ok(None),
        ["slurm"] => Ok(Some(Runner::Slurm {
            options: args.sbatch.as_deref().map(split).unwrap_or_default(),
        })),
        ["command", text] => Ok(Some(Runner::Command((*text).to_string()))),
        _ => Err(Error::Message(
            "--on takes `slurm`, or `command` and a shell command".into(),
        )),
    }
}

/// The command line of a part, without which part it is.
fn part_command(args: &ProjectArgs) -> Result<Vec<String>, Error> {
    let here = std::env::current_dir().map_err(|e| e.to_string())?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut words = vec![program.display().to_string(), "project".into()];
    words.push(here.display().to_string());
    words.push("--quiet".into());
    if args.functions {
        words.push("--functions".into());
    }
    let given = [
        ("--time", args.time.map(|s| s.to_string())),
        ("--jobs", args.jobs.map(|n| n.to_string())),
        ("--memory", args.memory.map(|n| n.to_string())),
        ("--since", args.since.clone()),
        (
            "--report",
            args.report.as_ref().map(|p| p.display().to_string()),
        ),
    ];
    for (flag, value) in given {
        if let Some(value) = value {
            words.extend([flag.into(), value]);
        }
    }
    words.extend(forwarded());
    Ok(words)
}

/// Files that the command line names, independent of the current folder.
fn absolute_paths(args: &mut ProjectArgs) -> Result<(), Error> {
    let single = [
        &mut args.baseline,
        &mut args.write_baseline,
        &mut args.report,
        &mut args.sarif,
        &mut args.json,
        &mut args.results,
        &mut args.plan,
        &mut args.write_plan,
    ];
    let all: Vec<&mut PathBuf> = single
        .into_iter()
        .flatten()
        .chain(&mut args.merge)
        .collect();
    for path in all.into_iter().filter(|p| p.as_os_str() != "-") {
        *path = std::path::absolute(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options of a project and options of `check` must not share a name.
    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
        WorkerOptions::command().debug_assert();
    }
}

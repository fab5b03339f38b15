//! `craig batch`: from arguments to runs of tasks, and from rows to tables and plots.

use super::scale_args::BatchArgs;
use super::{read, say, write};
use craig::Error;
use craig::batch::{self, Batch, Category, Fence, Limits, Row, Series};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the command; the exit status is 1 if an answer is wrong, 2 if some task has none.
pub fn batch(args: &BatchArgs) -> Result<u8, Error> {
    let tasks = tasks(args)?;
    let limits = Limits {
        time: super::options::seconds(args.time, "--time")?.as_secs_f64(),
        memory: args.memory << 20,
    };
    let fence = Fence::find();
    let scratch = std::env::temp_dir().join(format!("craig-batch-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let run = Batch {
        program: std::env::current_exe().map_err(|e| format!("where am I? {e}"))?,
        options: args.options.clone(),
        limits,
        jobs: args.jobs.max(1),
        fence: fence.clone(),
        scratch: scratch.clone(),
    };
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let rows = batch::run(&run, &tasks, &cancelled, &|row| {
        if !args.quiet {
            say(&line(row));
        }
    });
    let _ = std::fs::remove_dir_all(&scratch);
    say(&batch::text(&rows, limits.time));
    say(&format!(
        "{} of {} tasks; limits by {}\n",
        rows.len(),
        tasks.len(),
        fence.as_str()
    ));
    let status = status(&rows, tasks.len());
    outputs(args, rows, limits)?;
    Ok(status)
}

fn tasks(args: &BatchArgs) -> Result<Vec<batch::Task>, Error> {
    let mut tasks = Vec::new();
    for file in &args.tasks {
        tasks.extend(batch::read(file)?);
    }
    if let Some(property) = &args.property {
        tasks.retain(|t| t.property_name() == property);
    }
    if tasks.is_empty() {
        return Err(Error::Message("no tasks".into()));
    }
    Ok(tasks)
}

fn line(row: &Row) -> String {
    let word = row.category.as_str();
    format!(
        "{word:9} {:8} {:7.2} s  {} [{}]\n",
        row.verdict, row.cpu, row.task, row.property
    )
}

fn status(rows: &[Row], planned: usize) -> u8 {
    let solved = |r: &Row| r.category.solved();
    match rows.iter().any(|r| r.category == Category::Wrong) {
        true => 1,
        false if rows.len() == planned && rows.iter().all(solved) => 0,
        false => 2,
    }
}

fn outputs(args: &BatchArgs, rows: Vec<Row>, limits: Limits) -> Result<(), Error> {
    if let Some(path) = &args.csv {
        write(path, &batch::csv(&rows))?;
    }
    if let Some(path) = &args.xml {
        let date = craig::now().replace('T', " ");
        let date = format!("{} UTC", date.get(..19).unwrap_or_default());
        write(path, &batch::xml(&rows, &args.name, limits, &date))?;
    }
    let mut series = vec![Series {
        name: args.name.clone(),
        rows,
    }];
    for word in &args.beside {
        let (name, file) = word.split_once('=').unwrap_or((word, word));
        let rows = batch::read_csv(&read(Path::new(file))?).map_err(|e| format!("{file}: {e}"))?;
        series.push(Series {
            name: name.into(),
            rows,
        });
    }
    if let Some(path) = &args.html {
        write(path, &batch::html(&series, limits.time))?;
    }
    if let Some(path) = &args.svg {
        write(path, &batch::svg(&series, limits.time))?;
    }
    Ok(())
}

//! What the commands over many programs take: `craig project`, its workers, `craig batch`.

use super::args::SourceArgs;
use clap::{Args, Parser};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Exit status: 0 everything is proved, 1 something is violated, 2 something is open, 3 wrong input.\nSee docs/scale.md."
)]
pub struct ProjectArgs {
    /// The project's folder: compile_commands.json, craig.toml, or just C files; paths in options of
    /// `check` are relative to it
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Every function is a unit too, with any arguments (docs/functions.md), callees first
    #[arg(long)]
    pub functions: bool,
    /// Units checked at a time (default: all cores)
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Time limit for each unit in seconds [default: 60]
    #[arg(long, value_name = "S")]
    pub time: Option<f64>,
    /// Memory for all units at work together in MiB (default: three quarters of what is free)
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Only what a change since this git revision can affect
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Findings of this file do not count
    #[arg(long, value_name = "F")]
    pub baseline: Option<PathBuf>,
    /// Write a file of all findings for --baseline
    #[arg(long, value_name = "F")]
    pub write_baseline: Option<PathBuf>,
    /// Write pages: index.html and one a unit
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write all results as one SARIF file
    #[arg(long, value_name = "F")]
    pub sarif: Option<PathBuf>,
    /// Write all results as JSON
    #[arg(long, value_name = "F")]
    pub json: Option<PathBuf>,
    /// Neither use nor keep remembered results
    #[arg(long)]
    pub fresh: bool,
    /// No progress, and only the last lines
    #[arg(short, long)]
    pub quiet: bool,
    /// Check only part K of N and write its results (--results)
    #[arg(long, value_name = "K/N", requires = "results")]
    pub shard: Option<craig::project::Shard>,
    /// Where a part writes its results
    #[arg(long, value_name = "F", requires = "shard")]
    pub results: Option<PathBuf>,
    /// Only decide what there is to check and write it down, with what is remembered, for --plan
    #[arg(long, value_name = "F", conflicts_with_all = ["shard", "on", "merge", "plan"])]
    pub write_plan: Option<PathBuf>,
    /// Take the units of a part (--shard), or those to merge, from the file of --write-plan
    #[arg(long, value_name = "F", conflicts_with = "on")]
    pub plan: Option<PathBuf>,
    /// Take the results of these parts instead of checking
    #[arg(long, value_name = "F", num_args = 1.., conflicts_with_all = ["shard", "on"])]
    pub merge: Vec<PathBuf>,
    /// Start the parts elsewhere: `slurm`, or `command` and a shell command where {} stands for the
    /// part's command line and {k} for its number, such as `ssh host{k} {}`
    #[arg(long, value_names = ["WHO", "COMMAND"], num_args = 1..=2, conflicts_with = "shard")]
    pub on: Vec<String>,
    /// How many parts --on starts
    #[arg(long, value_name = "N", default_value_t = 2, requires = "on")]
    pub parts: usize,
    /// Options of sbatch, such as `--partition=short --mem=8G`
    #[arg(
        long,
        value_name = "OPTIONS",
        requires = "on",
        allow_hyphen_values = true
    )]
    pub sbatch: Option<String>,
    #[command(flatten)]
    pub check: WorkerArgs,
}

/// Options of `check` that hold for all units; workers get them on their command line.
#[derive(Args)]
pub struct WorkerArgs {
    /// Engine; see `craig engines`
    #[arg(long, value_name = "NAME")]
    pub engine: Option<craig::Engine>,
    #[command(flatten)]
    pub source: SourceArgs,
}

/// The options of a worker, to be read from `craig.toml` and the command line together; what comes
/// later counts.
#[derive(Parser)]
#[command(name = "options of check", args_override_self = true)]
pub struct WorkerOptions {
    #[command(flatten)]
    pub check: WorkerArgs,
}

#[derive(Args)]
#[command(
    after_help = "Exit status: 0 every answer is right, 1 one is wrong, 2 some task has no answer, 3 wrong input.\nExample: craig batch c/loops.set --property unreach-call --time 60 --html loops.html -- --engine impact"
)]
pub struct BatchArgs {
    /// Task definitions (.yml), sets of them (.set), or lists with a head (.csv: file, property,
    /// verdict, bits, group, args)
    #[arg(required = true, value_name = "TASKS")]
    pub tasks: Vec<PathBuf>,
    /// Only tasks with this property
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Time limit for each task in seconds
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub time: f64,
    /// Memory limit for each task in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// What tables and plots call this run
    #[arg(long, value_name = "NAME", default_value = "craig")]
    pub name: String,
    /// Write all rows, for --beside of a later run
    #[arg(long, value_name = "F")]
    pub csv: Option<PathBuf>,
    /// Write a page with tables and the quantile plot
    #[arg(long, value_name = "F")]
    pub html: Option<PathBuf>,
    /// Write the quantile plot
    #[arg(long, value_name = "F")]
    pub svg: Option<PathBuf>,
    /// Write the results for BenchExec's table-generator
    #[arg(long, value_name = "F")]
    pub xml: Option<PathBuf>,
    /// Show the rows of an earlier run beside this one
    #[arg(long, value_name = "NAME=F.csv")]
    pub beside: Vec<String>,
    /// Only the table
    #[arg(short, long)]
    pub quiet: bool,
    /// Options of `craig check` for every task, after `--`
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<String>,
}

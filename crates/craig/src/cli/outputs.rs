//! The files that `craig check` writes: one row an option. Each is made from the same outcome, so
//! none can say another verdict than the last line does.

use super::args::CheckArgs;
use super::{remark, write};
use craig::{Error, Outcome, VerdictKind};
use std::path::Path;

/// One kind of file.
struct Output {
    /// The option that names the file.
    option: &'static str,
    /// Why the verdict may have no such thing.
    without: &'static str,
    /// Where the user wants it.
    file: fn(&CheckArgs) -> Option<&Path>,
    /// What it holds; `None` where the verdict has no such thing.
    text: fn(&mut Outcome, &CheckArgs) -> Option<String>,
}

const OUTPUTS: &[Output] = &[
    Output {
        option: "--certificate",
        without: "only a safe verdict has a proof",
        file: |args| args.certificate.as_deref(),
        text: |outcome, _| outcome.certificate(),
    },
    Output {
        option: "--witness",
        without: "only a definite verdict about C files has a witness",
        file: |args| args.witness.as_deref(),
        text: |outcome, args| outcome.witness(args.witness_version()),
    },
    Output {
        option: "--harness",
        without: "only an unsafe verdict has inputs",
        file: |args| args.harness.as_deref(),
        text: |outcome, _| outcome.harness(),
    },
    Output {
        option: "--json",
        without: "",
        file: |args| args.json.as_deref(),
        text: |outcome, _| Some(outcome.json()),
    },
    Output {
        option: "--sarif",
        without: "",
        file: |args| args.sarif.as_deref(),
        text: |outcome, _| Some(outcome.sarif()),
    },
    Output {
        option: "--report",
        without: "",
        file: |args| args.report.as_deref(),
        text: |outcome, _| Some(outcome.html()),
    },
    Output {
        option: "--log",
        without: "the engine keeps none",
        file: |args| args.log.as_deref(),
        text: |outcome, _| outcome.account.log.clone(),
    },
    Output {
        option: "--precision-out",
        without: "",
        file: |args| args.predabs.precision_out.as_deref(),
        text: |outcome, _| {
            let none = "; no predicates: the answer came before any were needed\n";
            Some(outcome.account.precision.as_deref().unwrap_or(none).into())
        },
    },
    Output {
        option: "--summaries-out",
        without: "only the engine `trace` makes summaries",
        file: |args| args.trace.summaries_out.as_deref(),
        text: |outcome, _| outcome.account.summaries.clone(),
    },
];

/// Has the user been told before the run that such files have no such thing?
fn was_said(args: &CheckArgs, option: &str) -> bool {
    let language = args.files.first().and_then(|f| craig::Language::of(f));
    let other = language.is_some_and(|l| l != craig::Language::C);
    other && matches!(option, "--witness" | "--harness")
}

/// What to say of files that a run which is ended from outside leaves unwritten.
pub fn unwritten(args: &CheckArgs) -> Vec<String> {
    let named = options_of_one_verdict(args).into_iter();
    let text = |o| format!("{o}: not written, the run did not end by itself");
    named.filter(|_| !args.quiet).map(text).collect()
}

/// The options that name a file, with it.
pub fn options_of_one_verdict(args: &CheckArgs) -> Vec<String> {
    let named = OUTPUTS.iter().filter_map(|o| {
        let path = (o.file)(args)?;
        Some(format!("{} {}", o.option, path.display()))
    });
    let folder = args.reproduce.iter();
    let folder = folder.map(|dir| format!("--reproduce {}", dir.display()));
    named.chain(folder).collect()
}

/// Writes the files that the arguments ask for.
pub fn write_all(args: &CheckArgs, outcome: &mut Outcome) -> Result<(), Error> {
    for output in OUTPUTS {
        let Some(path) = (output.file)(args) else {
            continue;
        };
        match (output.text)(outcome, args) {
            Some(text) => {
                write(path, &text)?;
                if text.is_empty() && output.option == "--log" && !args.quiet {
                    let why = "no engine had to refine anything";
                    remark(&format!("--log {}: empty, {why}", path.display()));
                }
            }
            None if args.quiet || was_said(args, output.option) => {}
            None => {
                // An older file of that name is no answer to this run.
                let (option, name, why) = (output.option, path.display(), output.without);
                remark(&format!("{option} {name}: not written, {why}"));
            }
        }
    }
    match &args.reproduce {
        Some(dir) => {
            if outcome.kind() != VerdictKind::Unsafe && !args.quiet {
                let why = "only an unsafe verdict has an execution";
                remark(&format!(
                    "--reproduce {}: not written, {why}",
                    dir.display()
                ));
            }
            write_reproduction(dir, outcome)
        }
        None => Ok(()),
    }
}

/// The folder with what the user can run, if there is an error to see.
fn write_reproduction(dir: &Path, outcome: &Outcome) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::from(format!("{}: {e}", dir.display()));
    for (name, bytes) in craig::reproduce(outcome).into_iter().flatten() {
        let path = dir.join(&name);
        std::fs::create_dir_all(path.parent().unwrap_or(dir)).map_err(failed)?;
        std::fs::write(&path, bytes).map_err(failed)?;
        if name == "run.sh" {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, mode).map_err(failed)?;
        }
    }
    Ok(())
}

//! The files that `craig check` writes: one row an option. Each is made from the same outcome, so
//! none can say another verdict than the last line does.

use super::args::CheckArgs;
use super::write;
use craig::{Error, Outcome};
use std::path::Path;

/// One kind of file.
struct Output {
    /// Where the user wants it.
    file: fn(&CheckArgs) -> Option<&Path>,
    /// What it holds; `None` where the verdict has no such thing.
    text: fn(&mut Outcome, &CheckArgs) -> Option<String>,
}

const OUTPUTS: &[Output] = &[
    Output {
        file: |args| args.certificate.as_deref(),
        text: |outcome, _| outcome.certificate(),
    },
    Output {
        file: |args| args.witness.as_deref(),
        text: |outcome, args| outcome.witness(args.witness_version()),
    },
    Output {
        file: |args| args.harness.as_deref(),
        text: |outcome, _| outcome.harness(),
    },
    Output {
        file: |args| args.json.as_deref(),
        text: |outcome, _| Some(outcome.json()),
    },
    Output {
        file: |args| args.sarif.as_deref(),
        text: |outcome, _| Some(outcome.sarif()),
    },
    Output {
        file: |args| args.report.as_deref(),
        text: |outcome, _| Some(outcome.html()),
    },
    Output {
        file: |args| args.log.as_deref(),
        text: |outcome, _| outcome.account.log.clone(),
    },
    Output {
        file: |args| args.predabs.precision_out.as_deref(),
        text: |outcome, _| {
            let none = "; no predicates: the answer came before any were needed\n";
            Some(outcome.account.precision.as_deref().unwrap_or(none).into())
        },
    },
    Output {
        file: |args| args.trace.summaries_out.as_deref(),
        text: |outcome, _| outcome.account.summaries.clone(),
    },
];

/// Writes the files that the arguments ask for.
pub fn write_all(args: &CheckArgs, outcome: &mut Outcome) -> Result<(), Error> {
    for output in OUTPUTS {
        if let Some(path) = (output.file)(args)
            && let Some(text) = (output.text)(outcome, args)
        {
            write(path, &text)?;
        }
    }
    Ok(())
}

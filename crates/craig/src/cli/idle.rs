//! Options that do nothing with the chosen engine or language, said aloud before the run.

use super::args::CheckArgs;
use craig::{Engine, EngineKind, Language};
use std::collections::BTreeSet;

/// An option and the engines that heed it.
struct OfEngines {
    option: &'static str,
    engines: &'static [EngineKind],
}

use EngineKind::{Bmc, Impact, Kind, Predabs, Split, Trace, Whale};

const OF_ENGINES: &[OfEngines] = &[
    row("order", &[Impact]),
    row("ways", &[Split]),
    row("bound", &[Bmc, Kind]),
    row("jobs", &[Trace]),
    row("interpolation", &[Impact, Predabs, Split, Trace, Whale]),
    row("blocks", &[Impact, Predabs, Split, Whale]),
    row("predicates", &[Predabs]),
    row("calls", &[Predabs]),
    row("traversal", &[Predabs]),
    row("cartesian", &[Predabs]),
    row("precision_in", &[Predabs]),
    row("precision_out", &[Predabs]),
    row("outline", &[Trace]),
    row("summaries_in", &[Trace]),
    row("summaries_out", &[Trace]),
];

const fn row(option: &'static str, engines: &'static [EngineKind]) -> OfEngines {
    OfEngines { option, engines }
}

/// Options that only some languages know, with the languages.
const OF_LANGUAGES: &[(&str, &[Language])] = &[
    ("print_model", &[Language::Horn]),
    ("print_refutation", &[Language::Horn]),
    ("witness", &[Language::C]),
    ("harness", &[Language::C]),
    ("b32", &[Language::C]),
    ("b64", &[Language::C]),
    ("wrapv", &[Language::C]),
    ("externs", &[Language::C]),
    ("malloc", &[Language::C]),
    ("include", &[Language::C]),
    ("define", &[Language::C]),
    ("cpp", &[Language::C]),
];

/// One sentence an option that was given and does nothing.
pub fn sentences(args: &CheckArgs, given: &BTreeSet<String>) -> Vec<String> {
    let mut out = Vec::new();
    let flag = |option: &str| match option {
        "b32" => "--32".to_string(),
        "b64" => "--64".into(),
        "include" => "-I".into(),
        "define" => "-D".into(),
        _ => format!("--{}", option.replace('_', "-")),
    };
    if let Some(Engine::Alone(kind)) = &args.engine {
        for row in OF_ENGINES {
            if given.contains(row.option) && !row.engines.contains(kind) {
                let names: Vec<String> = row.engines.iter().map(|e| e.to_string()).collect();
                let engine = kind.to_string();
                out.push(format!(
                    "{} does nothing with --engine {engine} (only with {})",
                    flag(row.option),
                    names.join(", ")
                ));
            }
        }
    }
    let language = args.files.first().and_then(|f| Language::of(f));
    for (option, languages) in OF_LANGUAGES {
        let fits = language.is_none_or(|l| languages.contains(&l));
        if given.contains(*option) && !fits {
            out.push(format!("{} does nothing with such a file", flag(option)));
        }
    }
    let of_function = ["depth", "sharing"];
    for option in of_function.into_iter().filter(|o| given.contains(*o)) {
        if args.functions.function.is_none() {
            out.push(format!("{} does nothing without --function", flag(option)));
        }
    }
    if args.functions.function.as_deref() == Some("all") {
        let named = super::outputs::options_of_one_verdict(args).into_iter();
        for option in named.filter(|o| !o.starts_with("--json")) {
            let why = "each function has a verdict of its own";
            out.push(format!("{option}: not written with --function all, {why}"));
        }
    }
    if given.contains("solver_time") && args.solver == "native" && args.solver_command.is_none() {
        out.push("--solver-time does nothing with the native solver".into());
    }
    if given.contains("witness_version") && args.witness.is_none() {
        out.push("--witness-version does nothing without --witness".into());
    }
    out
}

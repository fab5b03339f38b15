//! Contracts and functions as entries: one small file each under `tests/contracts`, whose first line says
//! what is expected: `// FUNCTION: VERDICT[, requires …]*[, vacuous]`.

use craig::functions::{End, FunctionCheck};
use craig::{Checker, Properties, SourceOptions, VerdictKind};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    let args = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contracts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the tests is there")
        .map(|e| e.expect("an entry of the folder").path())
        .collect();
    files.sort();
    let trials = files
        .into_iter()
        .map(|f| {
            let name = f
                .file_stem()
                .map_or_else(String::new, |s| s.to_string_lossy().into());
            Trial::test(name, move || run(&f))
        })
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

fn run(file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let head = text
        .lines()
        .next()
        .unwrap_or("")
        .trim_start_matches("//")
        .trim();
    let (function, expected) = head.split_once(": ").ok_or("no expectation")?;
    let check = FunctionCheck {
        checker: Box::new(|| Ok(Checker::new())),
        source: SourceOptions {
            properties: Properties::for_functions(),
            contracts: true,
            ..SourceOptions::default()
        },
        limit: Duration::from_secs(30),
        depth: 2,
        sharing: false,
        vacuity: true,
        plain: false,
    };
    let results = check
        .run(&[file.to_path_buf()], function, |_| {})
        .map_err(|e| e.to_string())?;
    let result = results.first().ok_or("no result")?;
    let mut found = match &result.outcome {
        Err(e) => return Err(format!("{e}").into()),
        Ok(o) => match o.kind() {
            VerdictKind::Safe => "safe".to_string(),
            VerdictKind::Unsafe => "unsafe".to_string(),
            VerdictKind::Unknown => format!("unknown\n{}", o.text()),
        },
    };
    for r in &result.requires {
        found += &format!(", requires {}", r.text());
    }
    if result.end == End::Vacuous {
        found += ", vacuous";
    }
    match found == expected {
        true => Ok(()),
        false => Err(format!("expected {expected}, found {found}").into()),
    }
}

//! What tests over `tests/programs` share: the heads of the programs and the list of them.
#![allow(dead_code)]

use craig::{Properties, SourceOptions};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Expectation {
    pub verdict: String,
    pub engines: String,
    pub property: Option<String>,
    pub options: String,
    pub violated_line: Option<u32>,
    /// Engines whose algorithm alone does not decide the program in time.
    pub alone_unknown: Vec<String>,
}

impl Expectation {
    /// The verdict without what stands behind it.
    pub fn expected(&self) -> &str {
        self.verdict.split_whitespace().next().unwrap_or("")
    }
}

/// A proof needs a relation between its counters.
pub const COUNTERS_SAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  while (x < n) { x++; y += 2; }
  if (n > 0 && y != 2 * x) reach_error();
  return 0;
}
";

pub fn read_head(text: &str) -> Expectation {
    let mut e = Expectation {
        engines: "all".into(),
        ..Default::default()
    };
    for (i, line) in text.lines().enumerate() {
        if let Some((key, value)) = line
            .strip_prefix("//@")
            .or_else(|| line.strip_prefix(";@"))
            .and_then(|rest| rest.split_once(':'))
        {
            let value = value.trim().to_string();
            match key.trim() {
                "verdict" => e.verdict = value,
                "engines" => e.engines = value,
                "property" => e.property = Some(value),
                "options" => e.options = value,
                "no-aids" => {
                    let names = value
                        .strip_prefix("unknown")
                        .expect("no-aids: unknown NAME …");
                    e.alone_unknown = names.split_whitespace().map(String::from).collect();
                }
                other => panic!("unknown key `{other}` in the head of a test program"),
            }
        }
        if line.contains("//~ violated") {
            e.violated_line = Some(i as u32 + 1);
        }
    }
    e
}

/// Engines up to a bound run where they are named, and where there is an error to find.
pub fn runs_on(e: &Expectation, engine: &str) -> bool {
    let list = e.engines.split(':').next().unwrap_or("");
    let has = |names: &str| names.split(',').any(|n| n.trim() == engine);
    let row = engine.parse::<craig::EngineKind>().map(|k| k.entry());
    if row.is_ok_and(|r| r.bounded) && e.verdict != "unsafe" {
        return has(list);
    }
    match list.strip_prefix("all except") {
        Some(names) => !has(names),
        None => list.trim() == "all" || has(list),
    }
}

pub fn source_options(e: &Expectation) -> Result<SourceOptions, Failed> {
    let name = e.property.as_deref().unwrap_or("unreach-call");
    let properties = Properties::from_name(name).ok_or(format!("no property `{name}`"))?;
    let mut options = SourceOptions {
        properties,
        ..Default::default()
    };
    for word in e.options.split_whitespace() {
        match word {
            "--32" => options.bits32 = true,
            "--64" => options.bits32 = false,
            "--wrapv" => options.wrapv = true,
            "--contracts" => options.contracts = true,
            "--malloc=may-fail" => options.malloc_may_fail = true,
            other => return Err(format!("unknown option `{other}`").into()),
        }
    }
    options.preprocessor.bits32 = options.bits32;
    Ok(options)
}

pub fn programs(dir: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            programs(&path, out)?;
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| ["c", "bpl", "iproc", "smt2"].contains(&e))
        {
            out.push(path);
        }
    }
    Ok(())
}

/// The folder of the programs.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

/// Says that a test could not run, and why; `.ci/run` counts what the file that `CRAIG_SKIPPED` names
/// collects.
pub fn skipped(why: &str) {
    eprintln!("skipped: {why}");
    let Some(path) = std::env::var_os("CRAIG_SKIPPED") else {
        return;
    };
    let file = std::fs::OpenOptions::new().append(true).open(path);
    if let Ok(mut file) = file {
        use std::io::Write;
        let _ = writeln!(file, "{why}");
    }
}

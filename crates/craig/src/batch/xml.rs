//! Results as BenchExec writes them, so that its `table-generator` makes tables of them.

use super::{Category, Limits, Row};
use std::fmt::Write;

/// One result file.
pub fn xml(rows: &[Row], name: &str, limits: Limits, date: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 1.18//EN\" \"https://www.sosy-lab.org/benchexec/result-1.18.dtd\">\n\
         <result benchmarkname=\"{0}\" name=\"{0}\" displayName=\"{0}\" block=\"{0}\" date=\"{date}\" starttime=\"{date}\" tool=\"Craig\" toolmodule=\"benchexec_craig.craig\" version=\"{version}\" memlimit=\"{1}B\" timelimit=\"{2}s\">\n\
         <columns><column title=\"status\"/><column title=\"cputime\"/><column title=\"walltime\"/><column title=\"memory\"/></columns>\n",
        escaped(name),
        limits.memory,
        limits.time
    );
    for r in rows {
        let _ = writeln!(
            out,
            "<run name=\"{0}\" files=\"[{0}]\" properties=\"{1}\"{2}>\n\
             <column title=\"status\" value=\"{3}\"/><column title=\"cputime\" value=\"{4}s\"/><column title=\"walltime\" value=\"{5}s\"/>\
             <column title=\"memory\" value=\"{6}B\"/><column hidden=\"true\" title=\"category\" value=\"{7}\"/>\n</run>",
            escaped(&r.task),
            escaped(&r.property),
            match r.expected.as_str() {
                "safe" => " expectedVerdict=\"true\"",
                "unsafe" => " expectedVerdict=\"false\"",
                _ => "",
            },
            status(r),
            r.cpu,
            r.wall,
            r.memory_mib << 20,
            category(r.category),
        );
    }
    out + "</result>\n"
}

fn status(r: &Row) -> String {
    match (r.verdict.as_str(), r.category) {
        ("safe", _) => "true".into(),
        ("unsafe", _) if r.violated.is_empty() => format!("false({})", r.property),
        ("unsafe", _) => format!("false({})", escaped(&r.violated)),
        (_, Category::Timeout) => "TIMEOUT".into(),
        (_, Category::Memory) => "OUT OF MEMORY".into(),
        (_, Category::Error) => "ERROR".into(),
        _ => "unknown".into(),
    }
}

fn category(c: Category) -> &'static str {
    match c {
        Category::Correct => "correct",
        Category::Wrong => "wrong",
        Category::Unchecked => "missing",
        Category::Unknown => "unknown",
        Category::Timeout | Category::Memory | Category::Error => "error",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

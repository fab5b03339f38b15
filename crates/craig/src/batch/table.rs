//! Tables over rows: text for the terminal, CSV that can be read back and compared, one HTML page.

use super::plot::svg;
use super::{Category, Row};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of one run with a name: a line of a plot, a column of a comparison.
#[derive(Clone, Debug)]
pub struct Series {
    /// What plots and tables call it.
    pub name: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// What rows come to.
#[derive(Default)]
struct Sums {
    count: usize,
    by_category: BTreeMap<Category, usize>,
    score: i64,
    cpu: f64,
    penalised: f64,
}

impl Sums {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>, limit: f64) -> Sums {
        let mut sums = Sums::default();
        for row in rows {
            sums.count += 1;
            *sums.by_category.entry(row.category).or_default() += 1;
            sums.score += row.score();
            sums.cpu += row.cpu;
            sums.penalised += if row.category.solved() {
                row.cpu
            } else {
                2.0 * limit
            };
        }
        sums
    }

    /// The mean time, with twice the limit for what is not solved.
    fn par2(&self) -> f64 {
        self.penalised / self.count.max(1) as f64
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.count.to_string()];
        let of = |c| self.by_category.get(&c).copied().unwrap_or(0).to_string();
        cells.extend(Category::ALL.into_iter().map(of));
        cells.extend([
            self.score.to_string(),
            format!("{:.1}", self.cpu),
            format!("{:.2}", self.par2()),
        ]);
        cells
    }
}

fn head() -> Vec<String> {
    let words = Category::ALL.iter().map(|c| c.as_str());
    let all = ["tasks"]
        .into_iter()
        .chain(words)
        .chain(["score", "CPU s", "PAR2"]);
    all.map(str::to_string).collect()
}

/// A line for each group and one for all, with its name first.
fn lines(rows: &[Row], limit: f64) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<&str> = rows.iter().map(|r| r.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut lines: Vec<(String, Vec<String>)> = groups
        .iter()
        .map(|g| {
            let own = rows.iter().filter(|r| r.group == *g);
            ((*g).to_string(), Sums::of(own, limit).cells())
        })
        .collect();
    lines.push(("all".into(), Sums::of(rows.iter(), limit).cells()));
    lines
}

/// The table for a terminal, wrong answers named.
pub fn text(rows: &[Row], limit: f64) -> String {
    let lines = lines(rows, limit);
    let width = lines
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0)
        .max(5);
    let mut out = format!("{:width$}", "group");
    for cell in head() {
        let _ = write!(out, " {cell:>9}");
    }
    for (name, cells) in lines {
        let _ = write!(out, "\n{name:width$}");
        for cell in cells {
            let _ = write!(out, " {cell:>9}");
        }
    }
    out.push('\n');
    for row in rows.iter().filter(|r| r.category == Category::Wrong) {
        let _ = writeln!(
            out,
            "WRONG {} [{}]: {}, expected {}",
            row.task, row.property, row.verdict, row.expected
        );
    }
    out
}

const HEAD: &str = "group,task,property,expected,verdict,category,cpu,wall,memory_mib";

/// All rows, as [`read_csv`] reads them.
pub fn csv(rows: &[Row]) -> String {
    let mut out = format!("{HEAD}\n");
    for r in rows {
        let words =
            [&r.group, &r.task, &r.property, &r.expected, &r.verdict].map(|w| w.replace(',', ";"));
        let _ = writeln!(
            out,
            "{},{},{:.3},{:.3},{}",
            words.join(","),
            r.category.as_str(),
            r.cpu,
            r.wall,
            r.memory_mib
        );
    }
    out
}

/// Rows that [`csv`] wrote.
pub fn read_csv(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("the head is not `{HEAD}`"));
    }
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [
            group,
            task,
            property,
            expected,
            verdict,
            category,
            cpu,
            wall,
            memory,
        ] = cells[..]
        else {
            return None;
        };
        Some(Row {
            group: group.into(),
            task: task.into(),
            property: property.into(),
            expected: expected.into(),
            verdict: verdict.into(),
            violated: String::new(),
            category: Category::of(category)?,
            cpu: cpu.parse().ok()?,
            wall: wall.parse().ok()?,
            memory_mib: memory.parse().ok()?,
        })
    };
    lines
        .map(|l| row(l).ok_or_else(|| format!("cannot read `{l}`")))
        .collect()
}

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:85em;padding:0 1em}\
table{border-collapse:collapse}td,th{padding:.15em .6em;text-align:right;font-variant-numeric:tabular-nums}td:first-child,th:first-child{text-align:left}\
tr:hover{background:#8882}.correct{color:#083}.wrong{color:#fff;background:#c11}.timeout,.memory,.unknown{color:#a60}svg{max-width:60em;width:100%}";

/// One page: groups, plot, all tasks beside each other.
pub fn html(series: &[Series], limit: f64) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Craig: batch</title><style>{STYLE}</style>\n<h1>Results</h1>\n"
    );
    for s in series {
        let _ = write!(out, "<h2>{}</h2>\n<table><tr><th>group", escaped(&s.name));
        for cell in head() {
            let _ = write!(out, "<th>{cell}");
        }
        for (name, cells) in lines(&s.rows, limit) {
            let _ = write!(out, "<tr><td>{}", escaped(&name));
            for cell in cells {
                let _ = write!(out, "<td>{cell}");
            }
        }
        out += "</table>\n";
    }
    let _ = write!(
        out,
        "<h2>Quantiles</h2>\n{}\n<h2>Tasks</h2>\n<table><tr><th>task<th>property<th>expected",
        svg(series, limit)
    );
    for s in series {
        let _ = write!(out, "<th>{}<th>CPU s", escaped(&s.name));
    }
    let mut tasks: BTreeMap<(&str, &str), Vec<Option<&Row>>> = BTreeMap::new();
    for (i, s) in series.iter().enumerate() {
        for row in &s.rows {
            let cells = tasks.entry((&row.task, &row.property)).or_default();
            cells.resize(series.len(), None);
            cells[i] = Some(row);
        }
    }
    for ((task, property), cells) in tasks {
        let expected = cells
            .iter()
            .flatten()
            .next()
            .map_or("", |r| r.expected.as_str());
        let _ = write!(
            out,
            "\n<tr><td>{}<td>{property}<td>{expected}",
            escaped(task)
        );
        for cell in cells {
            let _ = match cell {
                Some(r) => {
                    let word = r.category.as_str();
                    let shown = if r.category.solved() || word == "wrong" {
                        &r.verdict
                    } else {
                        word
                    };
                    write!(out, "<td class=\"{word}\">{shown}<td>{:.2}", r.cpu)
                }
                None => write!(out, "<td><td>"),
            };
        }
    }
    out + "\n</table></html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    pub fn row(task: &str, verdict: &str, category: Category, cpu: f64) -> Row {
        Row {
            group: "g".into(),
            task: task.into(),
            property: "unreach-call".into(),
            expected: "safe".into(),
            verdict: verdict.into(),
            violated: String::new(),
            category,
            cpu,
            wall: cpu,
            memory_mib: 7,
        }
    }

    #[test]
    fn sums_and_files() {
        let rows = [
            row("a", "safe", Category::Correct, 1.0),
            row("b", "unsafe", Category::Wrong, 2.0),
            row("c", "unknown", Category::Timeout, 10.0),
        ];
        let sums = Sums::of(rows.iter(), 10.0);
        assert_eq!((sums.score, sums.count), (2 - 16, 3));
        assert!((sums.par2() - (1.0 + 20.0 + 20.0) / 3.0).abs() < 1e-9);
        assert_eq!(read_csv(&csv(&rows)).unwrap(), rows);
        assert!(text(&rows, 10.0).contains("WRONG b"));
    }
}

//! Quantile plots as SVG: for each run the solved tasks ordered by CPU time; the n-th point says how
//! long the n-th fastest took. Time is logarithmic; a line further right and lower is better.

use super::table::Series;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
const COLOURS: &[&str] = &[
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
];
/// Shorter times are drawn as this.
const LEAST: f64 = 0.01;

/// The plot; one line a series.
pub fn svg(series: &[Series], limit: f64) -> String {
    let most = series
        .iter()
        .map(|s| s.rows.len())
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    let (low, high) = (LEAST.log10(), limit.max(1.0).log10());
    let x = |n: usize| LEFT + n as f64 / most * (WIDTH - LEFT - 10.0);
    let y = |t: f64| {
        let share = (t.max(LEAST).log10() - low) / (high - low);
        HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - BOTTOM - 10.0)
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"quantile plot\">\n"
    );
    let mut tick = LEAST;
    while tick <= limit.max(1.0) * 1.001 {
        let at = y(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#8884\"/><text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"currentColor\">{tick} s</text>",
            LEFT - 6.0,
            at + 4.0
        );
        tick *= 10.0;
    }
    for share in 0..=4_usize {
        let n = (most as usize) * share / 4;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"currentColor\">{n}</text>",
            x(n),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"currentColor\">solved tasks</text>",
        WIDTH / 2.0,
        HEIGHT - 6.0
    );
    for (i, s) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let mut times: Vec<f64> = s
            .rows
            .iter()
            .filter(|r| r.category.solved())
            .map(|r| r.cpu)
            .collect();
        times.sort_by(f64::total_cmp);
        let points: Vec<String> = times
            .iter()
            .enumerate()
            .map(|(n, t)| format!("{:.1},{:.1}", x(n + 1), y(*t)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
        let name = s.name.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name} ({})</text>",
            LEFT + 14.0,
            24.0 + 16.0 * i as f64,
            times.len()
        );
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::super::Category;
    use super::super::table::tests::row;
    use super::*;

    #[test]
    fn only_solved_tasks_are_points() {
        let rows = vec![
            row("a", "safe", Category::Correct, 0.5),
            row("b", "unknown", Category::Timeout, 9.0),
            row("c", "safe", Category::Correct, 0.1),
        ];
        let name = "a & b".to_string();
        let plot = svg(&[Series { name, rows }], 10.0);
        let points = plot
            .split("points=\"")
            .nth(1)
            .and_then(|p| p.split('"').next());
        assert_eq!(points.map(|p| p.split(' ').count()), Some(2));
        assert!(plot.contains("a &amp; b (2)"));
    }
}

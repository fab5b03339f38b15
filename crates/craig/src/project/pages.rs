//! The index page of a run: what it comes to, and a row a unit with a link to its page. One file, no
//! scripts from elsewhere; a few lines of script of its own filter the rows.

use super::accepted::counts;
use super::results::{Answer, Origin, UnitResult};
use super::schedule::page_name;
use super::summary::{Summary, first_line};
use std::fmt::Write;

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em}\
table{border-collapse:collapse;width:100%}td,th{padding:.2em .7em;text-align:left;vertical-align:top}tr:hover{background:#8882}\
td.n{text-align:right;font-variant-numeric:tabular-nums}.bar{display:flex;height:1em;border-radius:.3em;overflow:hidden;margin:1em 0}\
.proved{color:#083}.violated{color:#c11}.accepted{color:#777}.open{color:#a60}.bar .proved{background:#083}.bar .violated{background:#c11}\
.bar .accepted{background:#777}.bar .open{background:#a60}input{font:inherit;padding:.3em .6em;width:20em}";

const SCRIPT: &str = "const q=document.getElementById('q');q.oninput=()=>{for(const r of document.querySelectorAll('tbody tr'))\
r.hidden=!r.textContent.toLowerCase().includes(q.value.toLowerCase())}";

/// The page; `pages` is the folder of the units' pages, as a link from here.
pub fn index(
    results: &[UnitResult],
    problems: &[(String, String)],
    s: &Summary,
    pages: &str,
) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Craig: project</title><style>{STYLE}</style>\n\
         <h1>{} proved, {} violated, {} open</h1>\n<div class=\"bar\">",
        s.proved, s.violated, s.open
    );
    let shares = [
        ("proved", s.proved),
        ("violated", s.violated),
        ("accepted", s.accepted),
        ("open", s.open + s.missing),
    ];
    for (class, count) in shares {
        let _ = write!(
            out,
            "<span class=\"{class}\" style=\"flex:{count}\" title=\"{count} {class}\"></span>"
        );
    }
    let _ = write!(
        out,
        "</div>\n<p>{} units, {:.1} s of work; {} answers of earlier runs checked again, {} open units not tried again.</p>\n",
        results.len(),
        s.seconds,
        s.rechecked,
        s.remembered
    );
    if !problems.is_empty() {
        out += "<h2>Files that are not read</h2>\n<ul>\n";
        for (file, why) in problems {
            let _ = writeln!(
                out,
                "<li><b>{}</b>: {}</li>",
                escaped(file),
                escaped(first_line(why))
            );
        }
        out += "</ul>\n";
    }
    out += "<p><input id=\"q\" type=\"search\" placeholder=\"filter\" aria-label=\"filter\"></p>\n\
            <table><thead><tr><th>unit<th>answer<th>what<th>from<th>s<th>MiB</tr></thead>\n<tbody>\n";
    for r in results {
        row(&mut out, r, pages);
    }
    let _ = write!(out, "</tbody></table>\n<script>{SCRIPT}</script></html>\n");
    out
}

fn row(out: &mut String, r: &UnitResult, pages: &str) {
    let word = match r.verdict {
        Answer::Safe => "proved",
        Answer::Unsafe if counts(r) => "violated",
        Answer::Unsafe => "accepted",
        Answer::Unknown => "open",
    };
    let mut what = String::new();
    for f in &r.findings {
        let _ = write!(
            what,
            "{}:{}: {} [{}]",
            f.file, f.line, f.message, f.property
        );
        let _ = writeln!(
            what,
            "{}",
            f.accepted
                .as_ref()
                .map_or_else(String::new, |a| format!(" ({a})"))
        );
    }
    what += r.reason.as_deref().map_or("", first_line);
    let from = match r.origin {
        Origin::Found => "this run",
        Origin::Adapted => "evidence of an earlier version",
        Origin::Rechecked => "checked again",
        Origin::Remembered => "not tried again",
    };
    let name = escaped(&r.unit);
    let link = match r.program.is_empty() || r.origin == Origin::Remembered {
        true => name,
        false => format!("<a href=\"{pages}/{}\">{name}</a>", page_name(&r.unit)),
    };
    let _ = writeln!(
        out,
        "<tr><td>{link}<td class=\"{word}\">{word}<td>{}<td>{from}<td class=\"n\">{:.2}<td class=\"n\">{}</tr>",
        escaped(what.trim()).replace('\n', "<br>"),
        r.seconds,
        r.memory_mib
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

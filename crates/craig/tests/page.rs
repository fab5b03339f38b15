//! The HTML report in a real browser: Debian's `chromium` through its driver. Keys are pressed as a user presses
//! them, screenshots are compared with stored ones by the colours of a coarse grid (fonts differ between machines),
//! and what is in the document is read. Without the browser or its driver the test says that it is skipped.
//!
//! `CRAIG_BLESS=1` writes the grids of this machine.
#![allow(clippy::unwrap_used)]

#[path = "common/browser.rs"]
mod browser;
mod common;

use browser::Browser;
use common::{COUNTERS_SAFE, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const LIST: &str = "extern void *malloc(unsigned long); extern void free(void *);
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}
int main(void) {
  struct node *head = push(0, 3);
  head = push(head, 4);
  struct node *old = head;
  free(head);
  return old->value;
}
";

fn folder() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("craig-page-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn report(name: &str, program: &str, options: &[&str]) -> PathBuf {
    let dir = folder().join(name);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("p.c"), program).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--quiet", "--time", "60", "--report", "p.html"])
        .args(options)
        .arg("p.c")
        .current_dir(&dir)
        .output()
        .unwrap()
        .status;
    assert!(status.code().is_some_and(|c| c < 2));
    dir.join("p.html")
}

/// Colours may differ so much, on average and in one place of the grid.
const NEAR: (f64, f64) = (9.0, 110.0);

/// Compares what is seen with the stored grid of that name.
fn looks_as_stored(browser: &mut Browser, name: &str) {
    let seen = browser.grid();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pages/{name}.txt"));
    if std::env::var_os("CRAIG_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines = seen.chunks(30).map(|l| l.join(" "));
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    let stored: Vec<&str> = stored.split_whitespace().collect();
    assert_eq!(stored.len(), seen.len(), "{name}");
    let value = |t: &str| u32::from_str_radix(t, 16).unwrap();
    let apart = |a: &str, b: &str| {
        let (a, b) = (value(a), value(b));
        let part = |shift: u32| ((a >> shift & 255) as f64 - (b >> shift & 255) as f64).abs();
        (part(0) + part(8) + part(16)) / 3.0
    };
    let all = stored.iter().zip(&seen).map(|(a, b)| apart(a, b));
    let all: Vec<f64> = all.collect();
    let average = all.iter().sum::<f64>() / all.len() as f64;
    let worst = all.iter().copied().fold(0.0, f64::max);
    assert!(
        average <= NEAR.0 && worst <= NEAR.1,
        "{name} looks otherwise: {average:.1} on average, {worst:.1} at worst"
    );
}

#[test]
fn the_page_in_a_browser() {
    let Some(mut browser) = Browser::start(&folder()) else {
        skipped("there is no chromium with chromedriver to open the page in");
        return;
    };
    steps_values_calls_and_memory(&mut browser);
    light_and_dark(&mut browser);
    proofs_and_checks(&mut browser);
    how_the_search_went(&mut browser);
    large_reports(&mut browser);
    large_programs(&mut browser);
    drop(browser);
    std::fs::remove_dir_all(folder()).unwrap();
}

fn steps_values_calls_and_memory(browser: &mut Browser) {
    let page = report("list", LIST, &["--property", "valid-memsafety"]);
    let text = std::fs::read_to_string(&page).unwrap();
    let links = text.matches("http://").count() + text.matches("https://").count();
    assert_eq!(
        links,
        text.matches("http://www.w3.org/2000/svg").count(),
        "nothing is fetched"
    );
    browser.open(&page);
    assert!(
        browser.text("what").contains("used after free"),
        "the headline says why"
    );
    assert!(
        browser.text("memory").contains("malloc #2") && browser.text("memory").contains("(freed)")
    );
    assert_eq!(
        browser.count("#memory .box.dead"),
        1,
        "the freed object is drawn"
    );
    assert!(browser.count("#memory .arrow") > 1, "pointers are arrows");
    looks_as_stored(browser, "list-end");
    browser.press("Home");
    assert!(browser.text("step").starts_with("step 1 of "));
    browser.press("j");
    browser.press("j");
    assert!(browser.text("step").starts_with("step 3 of "));
    assert!(browser.text("vars").contains("variables of push"));
    assert_eq!(browser.count("#stack .frame"), 2, "push, called by main");
    browser.press("k");
    assert!(browser.text("step").starts_with("step 2 of "));
    browser.press("j");
    browser.press("u");
    assert!(browser.text("vars").contains("variables of main"));
    browser.press("/");
    for key in "free(head)".chars() {
        browser.press(&key.to_string());
    }
    assert!(
        browser.text("hits").starts_with("1 of 2"),
        "in the trace and in the source"
    );
    browser.press("Enter");
    assert!(browser.text("hits").starts_with("2 of 2"));
    browser.press("Escape");
    browser.press("End");
    let (now, all) = (browser.text("step"), browser.number("D.trace.length"));
    assert_eq!(now, format!("step {all} of {all}"));
    assert_eq!(
        browser.number("document.querySelectorAll('#trace .row.now').length"),
        1.0
    );
}

fn light_and_dark(browser: &mut Browser) {
    let light = browser.brightness();
    browser.press("t");
    let dark = browser.brightness();
    let (light, dark) = (light.max(dark), light.min(dark));
    assert!(light > 200.0 && dark < 70.0, "{light} and {dark}");
    browser.press("t");
}

fn proofs_and_checks(browser: &mut Browser) {
    let page = report("safe", COUNTERS_SAFE, &[]);
    browser.open(&page);
    assert!(
        browser.text("source").contains("invariant: "),
        "beside the loop"
    );
    browser.click("tab-checks");
    assert!(browser.text("panel-checks").contains("proved"));
    browser.click("tab-proof");
    let proof = browser.text("panel-proof");
    assert!(
        proof.contains("Loop invariants") && proof.contains("rests on"),
        "{proof}"
    );
    browser.click("tab-graph");
    assert!(browser.count("#panel-graph ellipse") > 3);
    looks_as_stored(browser, "safe-graph");
    browser.click("tab-run");
    assert!(browser.text("panel-run").contains("Statistics"));
}

fn how_the_search_went(browser: &mut Browser) {
    let page = report(
        "search",
        COUNTERS_SAFE,
        &["--engine", "impact", "--no-aids"],
    );
    browser.open(&page);
    browser.click("tab-search");
    assert!(browser.text("panel-search").contains("impact"));
    assert!(
        browser.text("rounds").contains("refuted"),
        "{}",
        browser.text("rounds")
    );
    assert!(browser.number("D.search[0].rounds.length") > 0.0);
    assert!(browser.count("#tree .node") > 2, "the tree is drawn");
    browser.run("document.querySelector('#rounds .row').click()");
    assert_eq!(browser.count("#rounds .row.now"), 1);
    assert!(
        browser.count("#source .row.hit") > 0,
        "its path is marked in the source"
    );
}

/// 10,000 steps and 70,000 lines: only the rows in view are elements, and a key is answered at once.
fn large_reports(browser: &mut Browser) {
    let page = report("large", LIST, &["--property", "valid-memsafety"]);
    let text = std::fs::read_to_string(&page).unwrap();
    let grow = "<script>\n'use strict';\n// The report";
    let more = "<script>{ const d = document.getElementById('data'), x = JSON.parse(d.textContent); \
        x.files[0].text += '\\n// more'.repeat(70000); const r = x.trace; \
        while (x.trace.length < 10000) x.trace = x.trace.concat(r); d.textContent = JSON.stringify(x); }</script>\n";
    assert!(text.contains(grow));
    std::fs::write(&page, text.replace(grow, &format!("{more}{grow}"))).unwrap();
    browser.open(&page);
    let rows = browser.count(".row");
    assert!(rows > 20 && rows < 400, "{rows} rows");
    let cost = "const t = performance.now(); for (let i = 0; i < 50; i++) go(i * 190); return (performance.now() - t) / 50";
    let cost = browser.run(cost).as_f64().unwrap();
    assert!(cost < 1000.0, "a step takes {cost} ms");
    let start = Instant::now();
    browser.press("Home");
    assert!(browser.text("step").starts_with("step 1 of 100"));
    eprintln!(
        "{rows} rows, {cost:.1} ms a step, a key in {:?}",
        start.elapsed()
    );
}

/// The same of a run as it is: a program of 70,000 lines whose error comes after 10,000 steps.
fn large_programs(browser: &mut Browser) {
    let mut program = String::from("extern void reach_error(void);\nint total;\n");
    for i in 0..10_000 {
        program += &format!(
            "/* part {i} */\nstatic int part{i}(int x)\n{{\n  if (x > {i})\n    return x - 1;\n  return x + 1;\n}}\n"
        );
    }
    program +=
        "int main(void)\n{\n  for (int i = 0; i < 5000; i++) {\n    total = total + (i & 3);\n";
    program +=
        "    if (i == 4999)\n      reach_error();\n  }\n  return part1(part9000(total));\n}\n";
    assert!(program.lines().count() > 70_000);
    let page = report("program", &program, &[]);
    let start = Instant::now();
    browser.open(&page);
    let opened = start.elapsed();
    let steps =
        browser.run("return JSON.parse(document.getElementById('data').textContent).trace.length");
    let steps = steps.as_u64().unwrap();
    assert!(steps >= 10_000, "{steps} steps");
    let rows = browser.count(".row");
    assert!(rows > 20 && rows < 400, "{rows} rows");
    let start = Instant::now();
    for key in ["Home", "ArrowDown", "End"] {
        browser.press(key);
    }
    let keys = start.elapsed() / 3;
    assert!(keys.as_secs() < 2, "a key takes {keys:?}");
    let size = std::fs::metadata(&page).unwrap().len();
    eprintln!("{steps} steps, {size} bytes, open in {opened:?}, {rows} rows, a key in {keys:?}");
}

//! The HTML report in a real browser: Debian's `chromium`, without a window. The page tells that it is
//! ready, keys are pressed by a script, and what is then in the document is compared. Without the
//! browser the test says that it is skipped.
#![allow(clippy::unwrap_used)]

mod common;

use common::{COUNTERS_SAFE, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;

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

fn browser() -> Option<&'static str> {
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let found = known
        .into_iter()
        .find(|b| Command::new(b).arg("--version").output().is_ok());
    if found.is_none() {
        skipped("there is no chromium to open the page in");
    }
    found
}

fn report(name: &str, program: &str, property: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("craig-page-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (file, page) = (dir.join("p.c"), dir.join("p.html"));
    std::fs::write(&file, program).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--quiet", "--time", "60", "--property", property])
        .arg("--report")
        .arg(&page)
        .arg(&file)
        .output()
        .unwrap()
        .status;
    assert!(status.code().is_some_and(|c| c < 2));
    page
}

/// The document after the page's script and then ours have run.
fn document(browser: &str, page: &Path, script: &str) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let own = format!(
        "<script>window.onerror = e => document.title = 'failed ' + e;\n{script}</script>\n</body>"
    );
    let with = page.with_extension("driven.html");
    std::fs::write(&with, text.replace("</body>", &own)).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            page.with_extension("profile").display()
        ))
        .args(["--window-size=1200,800", "--virtual-time-budget=3000"])
        .arg(format!("file://{}", with.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        dom.contains("data-ready=\"1\""),
        "the page's script failed:\n{dom}"
    );
    assert!(!dom.contains("<title>failed"), "{dom}");
    dom
}

fn press(key: &str) -> String {
    format!("document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}));\n")
}

#[test]
fn steps_values_calls_and_memory() {
    let Some(browser) = browser() else { return };
    let page = report("list", LIST, "valid-memsafety");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(
        !text.contains("http://")
            || text.matches("http://").count()
                == text.matches("http://www.w3.org/2000/svg").count()
    );
    let end = document(browser, &page, "");
    assert!(
        end.contains("malloc #2") && end.contains("(freed)"),
        "{end}"
    );
    assert!(
        end.contains("class=\"box dead\""),
        "the freed object is drawn"
    );
    let start = document(browser, &page, &press("Home"));
    assert!(start.contains("step 1 of "), "{start}");
    let inside = format!("{}{}{}", press("Home"), press("j"), press("j"));
    let inside = document(browser, &page, &inside);
    assert!(
        inside.contains("step 3 of ") && inside.contains("variables of push"),
        "{inside}"
    );
    let out = document(
        browser,
        &page,
        &format!(
            "{}{}{}{}",
            press("Home"),
            press("j"),
            press("j"),
            press("u")
        ),
    );
    assert!(out.contains("variables of main"), "{out}");
    let found = "const s = document.getElementById('search'); s.value = 'free(head)'; s.dispatchEvent(new Event('input'));";
    let found = document(browser, &page, found);
    assert!(found.contains("1 of 2"), "in the trace and in the source");
    std::fs::remove_dir_all(page.parent().unwrap()).unwrap();
}

#[test]
fn proofs_have_their_invariants_beside_the_loops() {
    let Some(browser) = browser() else { return };
    let page = report("safe", COUNTERS_SAFE, "unreach-call");
    let dom = document(
        browser,
        &page,
        "document.getElementById('tab-checks').click();",
    );
    assert!(
        dom.contains("invariant: ") && dom.contains("proved"),
        "{dom}"
    );
    std::fs::remove_dir_all(page.parent().unwrap()).unwrap();
}

/// 10,000 steps and 70,000 lines: only the rows in view are elements.
#[test]
fn large_reports_draw_what_is_in_view() {
    let Some(browser) = browser() else { return };
    let page = report("large", LIST, "valid-memsafety");
    let text = std::fs::read_to_string(&page).unwrap();
    let grow = "<script>\n'use strict';\n// The report";
    let more = "<script>{ const d = document.getElementById('data'), x = JSON.parse(d.textContent); \
        x.files[0].text += '\\n// more'.repeat(70000); const r = x.trace; \
        while (x.trace.length < 10000) x.trace = x.trace.concat(r); d.textContent = JSON.stringify(x); }</script>\n";
    assert!(text.contains(grow));
    std::fs::write(&page, text.replace(grow, &format!("{more}{grow}"))).unwrap();
    let dom = document(browser, &page, &press("Home").repeat(2));
    let rows = dom.matches("class=\"row").count() + dom.matches(" row\"").count();
    assert!(rows > 20 && rows < 400, "{rows} rows");
    std::fs::remove_dir_all(page.parent().unwrap()).unwrap();
}

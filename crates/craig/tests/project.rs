//! `craig project` from outside, on small projects: what it finds, what it remembers and how little it
//! trusts that, parts, kills, two runs at once.

#![allow(clippy::unwrap_used)]

mod common;

use common::skipped;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const HEADER: &str = "int count(int n); int clamp(int x, int lo, int hi); void reach_error(void);
extern int __VERIFIER_nondet_int(void);\n";
const UTIL: &str = "#include \"util.h\"
extern void abort(void);
void reach_error(void) { abort(); }
int count(int n) { int i = 0; while (i < n) i++; return i; }
int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }\n";
const GOOD: &str = "#include \"util.h\"
int main(void) { int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  if (count(n) != n) reach_error();
  return 0; }\n";
const BAD: &str = "#include \"util.h\"
int main(void) { int n = __VERIFIER_nondet_int();
  if (clamp(n, 0, 10) == 7) reach_error();
  return 0; }\n";
const ALONE: &str = "#include \"util.h\"
extern void abort(void);
int main(void) { int x = 0; while (x < 5) x++; if (x != 5) abort(); return 0; }\n";

/// A folder of its own for each test.
struct Project {
    root: PathBuf,
}

impl Project {
    fn new(test: &str) -> Project {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("project-{test}"));
        let _ = std::fs::remove_dir_all(&root);
        let project = Project { root };
        project.write("inc/util.h", HEADER);
        project.write("src/util.c", UTIL);
        project.write("src/good.c", GOOD);
        project.write("src/bad.c", BAD);
        project.write("src/alone.c", ALONE);
        project.write("craig.toml", "[project]\noptions = [\"-I\", \"inc\"]\n");
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
        command.arg("project").arg(&self.root).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The results by unit, as JSON, with the exit status.
    fn results(&self, arguments: &[&str]) -> (Json, i32) {
        let path = self
            .root
            .join(format!("out-{:?}.json", std::thread::current().id()));
        let mut all = vec!["--json", path.to_str().unwrap()];
        all.extend(arguments);
        let output = self.run(&all);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", shown(&output)));
        std::fs::remove_file(&path).unwrap();
        (
            serde_json::from_str(&text).unwrap(),
            output.status.code().unwrap(),
        )
    }

    fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.root.join(".craig/remembered-v1.db")).unwrap()
    }
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Unit, verdict and fingerprints of findings: what must not depend on how a run went.
fn answers(results: &Json) -> Vec<String> {
    let units = results["units"].as_array().unwrap();
    let answer = |u: &Json| {
        let findings = u["findings"].as_array().unwrap();
        let prints: Vec<&str> = findings
            .iter()
            .map(|f| f["fingerprint"].as_str().unwrap())
            .collect();
        format!(
            "{} {} {} {}",
            u["unit"],
            u["verdict"],
            u["program"],
            prints.join(" ")
        )
    };
    units.iter().map(answer).collect()
}

fn field<'a>(results: &'a Json, unit: &str, name: &str) -> &'a Json {
    let units = results["units"].as_array().unwrap();
    &units.iter().find(|u| u["unit"] == unit).unwrap()[name]
}

#[test]
fn programs_are_found_checked_and_remembered() {
    let p = Project::new("remembered");
    let (first, status) = p.results(&[]);
    assert_eq!(status, 1);
    assert_eq!(first["units"].as_array().unwrap().len(), 3);
    assert_eq!(*field(&first, "src/good.c", "verdict"), "safe");
    assert_eq!(*field(&first, "src/bad.c", "verdict"), "unsafe");
    assert_eq!(field(&first, "src/bad.c", "findings")[0]["line"], 3);
    assert_eq!(
        *field(&first, "src/good.c", "files"),
        serde_json::json!(["src/good.c", "src/util.c"])
    );
    let (second, _) = p.results(&[]);
    assert_eq!(answers(&first), answers(&second));
    for unit in ["src/good.c", "src/bad.c", "src/alone.c"] {
        assert_eq!(*field(&first, unit, "origin"), "found");
        assert_eq!(*field(&second, unit, "origin"), "rechecked", "{unit}");
    }
    // An edit of one function: the units that cannot reach it keep their evidence, places may move.
    p.write(
        "src/util.c",
        &format!("\n\n{}", UTIL.replace("x > hi ? hi", "x >= hi ? hi")),
    );
    let (third, _) = p.results(&[]);
    assert_eq!(*field(&third, "src/bad.c", "origin"), "adapted");
    assert_eq!(*field(&third, "src/good.c", "origin"), "rechecked");
    assert_eq!(*field(&third, "src/alone.c", "origin"), "rechecked");
}

#[test]
fn nothing_remembered_is_trusted() {
    let p = Project::new("trust");
    let (first, _) = p.results(&[]);
    let good = field(&first, "src/good.c", "program")
        .as_str()
        .unwrap()
        .to_string();
    let bad = field(&first, "src/bad.c", "program")
        .as_str()
        .unwrap()
        .to_string();
    let database = p.database();
    let text = |program: &str| -> String {
        let query = "SELECT evidence FROM evidence WHERE program = ?1";
        database.query_row(query, [program], |r| r.get(0)).unwrap()
    };
    let (proof, execution) = (text(&good), text(&bad));
    let set = |program: &str, evidence: &str| {
        let update = "UPDATE evidence SET evidence = ?2 WHERE program = ?1";
        database.execute(update, [program, evidence]).unwrap();
    };
    let lie = r#"{"format":"craig-certificate","version":1,"scope":"inlined","invariants":[],"contracts":[]}"#;
    for (of_good, of_bad) in [
        (execution.as_str(), proof.as_str()),
        (lie, lie),
        ("{", "[]"),
    ] {
        set(&good, of_good);
        set(&bad, of_bad);
        let (again, status) = p.results(&[]);
        assert_eq!(answers(&first), answers(&again));
        assert_eq!(status, 1);
    }
    // A file that is no database is put aside.
    drop(database);
    std::fs::write(
        p.root.join(".craig/remembered-v1.db"),
        "no database ".repeat(1000),
    )
    .unwrap();
    let (again, _) = p.results(&[]);
    assert_eq!(answers(&first), answers(&again));
    let (again, _) = p.results(&[]);
    assert_eq!(*field(&again, "src/good.c", "origin"), "rechecked");
}

/// A store of an older build, with fewer tables, and of another version.
#[test]
fn versions_may_share_a_store() {
    let p = Project::new("versions");
    let (first, _) = p.results(&[]);
    p.write(".craig/remembered-v9.db", "of the future");
    let older = "DROP TABLE latest; UPDATE evidence SET version = '0.0.1'; DELETE FROM symbols;
        UPDATE open SET key = 'of another build';";
    p.database().execute_batch(older).unwrap();
    let (second, _) = p.results(&[]);
    assert_eq!(answers(&first), answers(&second));
    assert_eq!(*field(&second, "src/good.c", "origin"), "rechecked");
    let other = std::fs::read_to_string(p.root.join(".craig/remembered-v9.db")).unwrap();
    assert_eq!(other, "of the future");
}

#[test]
fn an_open_unit_is_tried_again_only_with_more() {
    let p = Project::new("open");
    p.write("src/bad.c", "int main(void) { unsigned long n = 27, k = 0; extern unsigned long __VERIFIER_nondet_ulong(void);
        void reach_error(void); n = __VERIFIER_nondet_ulong();
        while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } if (k == 100000) reach_error(); return 0; }");
    let (first, status) = p.results(&["--time", "1"]);
    assert_eq!(
        (field(&first, "src/bad.c", "verdict"), status),
        (&Json::from("unknown"), 2)
    );
    let (same, _) = p.results(&["--time", "1"]);
    assert_eq!(*field(&same, "src/bad.c", "origin"), "remembered");
    let (more, _) = p.results(&["--time", "2"]);
    assert_eq!(*field(&more, "src/bad.c", "origin"), "found");
    let (less, _) = p.results(&["--time", "1"]);
    assert_eq!(*field(&less, "src/bad.c", "origin"), "remembered");
    let (other, _) = p.results(&["--time", "1", "--wrapv"]);
    assert_eq!(*field(&other, "src/bad.c", "origin"), "found");
    let (back, _) = p.results(&["--time", "1"]);
    assert_eq!(*field(&back, "src/bad.c", "origin"), "remembered");
}

/// What decided the earlier version of a unit is tried first on the new one, and believed no more than anything else.
#[test]
fn an_edit_is_decided_by_what_held_before() {
    let p = Project::new("edit");
    let body = "int i = 0, j = 0; while (i < n) { i++; j += 2; } return j;";
    let twice = format!("int twice(int n) {{ {body} }}\n");
    p.write("src/twice.c", &twice);
    p.write(
        "src/good.c",
        "#include \"util.h\"\nint twice(int n);
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;
          if (twice(n) != 2 * n) reach_error(); return 0; }",
    );
    let (first, _) = p.results(&[]);
    assert_eq!(*field(&first, "src/good.c", "verdict"), "safe");
    // The same invariants hold, and the same inputs reach the error.
    p.write(
        "src/twice.c",
        &twice.replace("j += 2;", "j = j + 2; int t = j; t--;"),
    );
    p.write("src/bad.c", &BAD.replace("return 0", "return n > 3"));
    let (second, _) = p.results(&[]);
    let of = |r: &Json, unit: &str| {
        (
            field(r, unit, "verdict").clone(),
            field(r, unit, "origin").clone(),
        )
    };
    let (safe, unsafe_) = (Json::from("safe"), Json::from("unsafe"));
    assert_eq!(of(&second, "src/good.c"), (safe, "adapted".into()));
    assert_eq!(
        of(&second, "src/bad.c"),
        (unsafe_.clone(), "adapted".into())
    );
    let (third, _) = p.results(&[]);
    assert_eq!(answers(&second), answers(&third));
    assert_eq!(*field(&third, "src/good.c", "origin"), "rechecked");
    // They hold no more: what was proved before does not matter, nor what somebody wrote.
    p.write("src/twice.c", &twice.replace("j += 2", "j += 1 + (i != 7)"));
    let lie = r#"{"scope":"inlined","facts":[["main/twice#0","twice",0,1,["false"]]],"names":{},"contracts":[]}"#;
    for text in [
        "",
        "{",
        "[1]",
        lie,
        r#"{"scope":"executed"}"#,
        r#"{"executions":[[["main",0,[7]]]]}"#,
    ] {
        if !text.is_empty() {
            p.database()
                .execute("UPDATE latest SET earlier = ?1", [text])
                .unwrap();
            p.database().execute("DELETE FROM evidence", []).unwrap();
        }
        let (fourth, _) = p.results(&[]);
        assert_eq!(
            of(&fourth, "src/good.c"),
            (unsafe_.clone(), "found".into()),
            "{text}"
        );
    }
}

#[test]
fn a_function_is_proved_by_what_held_before() {
    let p = Project::new("edited-function");
    let sum = "int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n";
    p.write("lib/f.c", sum);
    let options = ["--functions", "--property", "undefined", "--time", "20"];
    let (first, _) = p.results(&options);
    let requires = |r: &Json| field(r, "lib/f.c:sum", "requires").to_string();
    assert_eq!(requires(&first), "[\"n <= elements of a\"]");
    p.write("lib/f.c", &sum.replace("s ^= a[i]", "s |= a[i]"));
    let (second, _) = p.results(&options);
    assert_eq!(requires(&first), requires(&second));
    assert_eq!(*field(&second, "lib/f.c:sum", "verdict"), "safe");
    assert_eq!(*field(&second, "lib/f.c:sum", "origin"), "adapted");
    // One element too far: the old preconditions are not enough, and no others are.
    p.write("lib/f.c", &sum.replace("i < n", "i <= n"));
    let (third, _) = p.results(&options);
    let old = "[\"n <= elements of a\"]";
    assert!(*field(&third, "lib/f.c:sum", "verdict") != "safe" || requires(&third) != old);
}

const FUNCTIONS: &str = "int first(const int *a) { return a[0]; }
int last(const int *a, int n) { return n > 0 ? a[n - 1] : 0; }
int both(const int *a) { return first(a) + 1; }
static int *wild(int *p) { p[3] = 0; return p; }
int bad(void) { int x = 1; int *p = wild(&x); return *p; }\n";

#[test]
fn functions_are_units() {
    let p = Project::new("functions");
    p.write("lib/f.c", FUNCTIONS);
    let options = ["--functions", "--property", "valid-deref", "--time", "10"];
    let (first, status) = p.results(&options);
    assert_eq!(status, 1);
    let requires = |r: &Json, unit: &str| field(r, unit, "requires").to_string();
    assert_eq!(*field(&first, "lib/f.c:first", "verdict"), "safe");
    assert_eq!(requires(&first, "lib/f.c:first"), "[\"a != NULL\"]");
    assert_eq!(requires(&first, "lib/f.c:both"), "[\"a != NULL\"]");
    assert!(requires(&first, "lib/f.c:last").contains("n <= elements of a"));
    assert_eq!(*field(&first, "lib/f.c:bad", "verdict"), "unsafe");
    // Remembered contracts are judged again, with what they require.
    let (second, _) = p.results(&options);
    assert_eq!(answers(&first), answers(&second));
    for unit in ["first", "last", "both", "bad"] {
        let unit = format!("lib/f.c:{unit}");
        assert_eq!(*field(&second, &unit, "origin"), "rechecked", "{unit}");
        assert_eq!(requires(&first, &unit), requires(&second, &unit));
    }
    // An edit concerns the function and its callers.
    p.write("lib/f.c", &FUNCTIONS.replace("a[0]", "a[1]"));
    let (third, _) = p.results(&options);
    let origin = |unit: &str| field(&third, &format!("lib/f.c:{unit}"), "origin").clone();
    assert_eq!(
        (origin("first"), origin("both")),
        ("found".into(), "found".into())
    );
    assert_eq!(
        (origin("last"), origin("bad")),
        ("rechecked".into(), "rechecked".into())
    );
    // Preconditions that somebody wrote into the store only choose what is judged.
    let weaker = "UPDATE evidence SET evidence = replace(evidence, '[[\"a\"]]', '[]')";
    assert!(p.database().execute(weaker, []).unwrap() > 0);
    let (fourth, _) = p.results(&options);
    assert_eq!(answers(&third), answers(&fourth));
}

#[test]
fn accepted_findings_do_not_count() {
    let p = Project::new("accepted");
    let baseline = p.root.join("baseline.json");
    let baseline = baseline.to_str().unwrap();
    assert_eq!(
        p.run(&["--write-baseline", baseline]).status.code(),
        Some(1)
    );
    assert_eq!(p.run(&["--baseline", baseline]).status.code(), Some(0));
    // Survives an edit elsewhere in the file, not one of the line itself.
    p.write(
        "src/bad.c",
        &BAD.replace("int main", "int other(void) { return 1; }\nint main"),
    );
    assert_eq!(p.run(&["--baseline", baseline]).status.code(), Some(0));
    p.write("src/bad.c", &BAD.replace("== 7", "== 8"));
    assert_eq!(p.run(&["--baseline", baseline]).status.code(), Some(1));
    let options = "[project]\noptions = [\"-I\", \"inc\"]\n";
    let suppress =
        "[[suppress]]\nfile = \"bad.c\"\nproperty = \"unreach-call\"\nreason = \"by design\"\n";
    p.write("craig.toml", &format!("{options}{suppress}"));
    let output = p.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(shown(&output).contains("by design"));
    p.write(
        "craig.toml",
        &format!("{options}{}", suppress.replace("bad.c", "good.c")),
    );
    let output = p.run(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        shown(&output).contains("fits nothing"),
        "{}",
        shown(&output)
    );
}

#[test]
fn parts_make_the_whole() {
    let p = Project::new("parts");
    let (whole, _) = p.results(&["--fresh"]);
    let file = |k: u32| {
        p.root
            .join(format!("{k}.json"))
            .to_str()
            .unwrap()
            .to_string()
    };
    let files: Vec<String> = (1..=2).map(file).collect();
    for (k, file) in files.iter().enumerate() {
        let shard = format!("{}/2", k + 1);
        let output = p.run(&["--shard", &shard, "--results", file]);
        assert!(output.status.success(), "{}", shown(&output));
    }
    let (merged, status) = p.results(&["--merge", &files[1], &files[0]]);
    assert_eq!((answers(&whole), 1), (answers(&merged), status));
    // What other machines found is remembered here.
    let (again, _) = p.results(&[]);
    assert_eq!(*field(&again, "src/good.c", "origin"), "rechecked");
    let (by_command, _) = p.results(&[
        "--on",
        "command",
        "sh -c 'exec \"$@\"' sh {}",
        "--parts",
        "3",
    ]);
    assert_eq!(answers(&whole), answers(&by_command));
    // A part is missing, or of another run.
    assert_eq!(p.run(&["--merge", &files[0]]).status.code(), Some(3));
    p.write("src/alone.c", &ALONE.replace('5', "6"));
    let output = p.run(&["--merge", &files[0], &files[1]]);
    assert_eq!(output.status.code(), Some(3));
    assert!(shown(&output).contains("another run"), "{}", shown(&output));
}

/// A part needs the file of the plan and nothing else: no sources, no preprocessor, no store.
#[test]
fn the_plan_is_made_once() {
    let p = Project::new("plan");
    let (whole, _) = p.results(&[]);
    p.database()
        .execute("INSERT INTO latest VALUES ('src/foreign.c', 'p', '')", [])
        .unwrap();
    let path = |name: &str| p.root.join(name).to_str().unwrap().to_string();
    let (plan, files) = (path("plan.db"), [path("1.json"), path("2.json")]);
    let output = p.run(&["--write-plan", &plan]);
    assert!(
        shown(&output).contains("3 units planned"),
        "{}",
        shown(&output)
    );
    // What is remembered of these units and of no others.
    let database = rusqlite::Connection::open(&plan).unwrap();
    let count = |table: &str| -> u32 {
        let query = format!("SELECT count(*) FROM {table}");
        database.query_row(&query, [], |r| r.get(0)).unwrap()
    };
    assert_eq!(
        (count("units"), count("latest"), count("evidence")),
        (3, 3, 3)
    );
    std::fs::rename(p.root.join("src"), p.root.join("away")).unwrap();
    let part = |k: usize, more: &[&str]| {
        let shard = format!("{k}/2");
        let mut words = vec![
            "--shard",
            &shard,
            "--results",
            &files[k - 1],
            "--plan",
            &plan,
        ];
        words.extend(more);
        p.run(&words)
    };
    for k in [1, 2] {
        let output = part(k, &[]);
        assert!(output.status.success(), "{}", shown(&output));
    }
    let (merged, status) = p.results(&["--plan", &plan, "--merge", &files[0], &files[1]]);
    assert_eq!((answers(&whole), 1), (answers(&merged), status));
    assert_eq!(*field(&merged, "src/good.c", "origin"), "rechecked");
    // Other options, and texts that are not those that were planned.
    assert_eq!(part(1, &["--wrapv"]).status.code(), Some(3));
    let edit = "UPDATE files SET preprocessed = replace(preprocessed, '!=', '==')";
    database.execute(edit, []).unwrap();
    assert_eq!(part(1, &[]).status.code(), Some(3));
    assert_eq!(p.run(&["--plan", &plan]).status.code(), Some(3));
}

/// A part that fails costs its own units only.
#[test]
fn parts_that_fail_are_not_reached() {
    let p = Project::new("failing");
    let command = "[ {k} = 2 ] || {}";
    let options = ["--on", "command", command, "--parts", "3"];
    let output = p.run(&options);
    assert!(
        shown(&output).contains("part 2/3 left no results"),
        "{}",
        shown(&output)
    );
    assert!(shown(&output).contains("2 units:") && shown(&output).contains("1 not reached"));
    let (again, _) = p.results(&[]);
    let origins =
        ["src/alone.c", "src/bad.c", "src/good.c"].map(|u| field(&again, u, "origin").clone());
    assert_eq!(origins.iter().filter(|o| **o == "rechecked").count(), 2);
}

/// A run that is interrupted ends its parts, keeps those that are done, and says what is missing.
#[test]
fn parts_end_with_the_run() {
    let p = Project::new("ended");
    let command = "if [ {k} = 1 ]; then {}; else echo $$ > waiting; sleep 600; fi";
    let options = ["--on", "command", command, "--parts", "2"];
    let child = p
        .command(&options)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for _ in 0..600 {
        let done = ["1.json", "plan.db"].map(|f| p.root.join(".craig/parts/1").join(f).exists());
        if done == [true, true] && p.root.join("waiting").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        shown(&output).contains("part 2/2 left no results"),
        "{}",
        shown(&output)
    );
    assert!(shown(&output).contains("2 units:"), "{}", shown(&output));
    let waiting = std::fs::read_to_string(p.root.join("waiting")).unwrap();
    assert!(!Path::new("/proc").join(waiting.trim()).exists());
}

#[test]
fn a_build_system_says_how_files_are_compiled() {
    let p = Project::new("database");
    p.write("craig.toml", "");
    let main = "#include \"util.h\"\nint main(void) { if (LIMIT != 3) reach_error(); return 0; }\n";
    p.write("src/good.c", main);
    p.write("src/bad.c", main);
    let root = p.root.display();
    let entry = |file: &str, limit: u32| {
        format!(
            "{{\"directory\": \"{root}/src\", \"file\": \"{file}\", \"command\": \"cc -I../inc -DLIMIT={limit} -c {file}\"}}"
        )
    };
    let entries = [entry("good.c", 3), entry("bad.c", 4), entry("util.c", 0)];
    p.write("compile_commands.json", &format!("[{}]", entries.join(",")));
    let (results, status) = p.results(&[]);
    assert_eq!(status, 1);
    assert_eq!(results["units"].as_array().unwrap().len(), 2);
    assert_eq!(*field(&results, "src/good.c", "verdict"), "safe");
    assert_eq!(*field(&results, "src/bad.c", "verdict"), "unsafe");
}

#[test]
fn a_file_that_is_not_read_is_said_aloud() {
    let p = Project::new("unread");
    p.write("src/bad.c", "int main(void) { return nowhere; }");
    let output = p.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("not read  src/bad.c"));
    p.write("craig.toml", "[project]\noptoins = []\n");
    assert_eq!(p.run(&[]).status.code(), Some(3));
}

#[test]
fn only_what_a_change_can_affect() {
    let p = Project::new("since");
    let git = |arguments: &[&str]| {
        let user = ["-c", "user.name=t", "-c", "user.email=t@t"];
        let out = Command::new("git")
            .arg("-C")
            .arg(&p.root)
            .args(user)
            .args(arguments)
            .output();
        out.is_ok_and(|o| o.status.success())
    };
    if !(git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-qm", "first"])) {
        skipped("git does not work here");
        return;
    }
    let units = |results: &Json| results["units"].as_array().unwrap().len();
    assert_eq!(units(&p.results(&["--since", "HEAD"]).0), 0);
    p.write("src/alone.c", &ALONE.replace('5', "6"));
    assert_eq!(units(&p.results(&["--since", "HEAD"]).0), 1);
    p.write("inc/util.h", &format!("{HEADER}int more(void);\n"));
    assert_eq!(units(&p.results(&["--since", "HEAD"]).0), 3);
    assert_eq!(
        p.run(&["--since", "no-such-revision"]).status.code(),
        Some(3)
    );
}

#[test]
fn reports_hold_every_unit() {
    let p = Project::new("reports");
    let sarif = p.root.join("all.sarif");
    let report = p.root.join("report");
    let output = p.run(&[
        "--sarif",
        sarif.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let sarif: Json = serde_json::from_str(&std::fs::read_to_string(sarif).unwrap()).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(
        results
            .iter()
            .any(|r| r["properties"]["units"] == serde_json::json!(["src/bad.c"]))
    );
    let index = std::fs::read_to_string(report.join("index.html")).unwrap();
    for link in index.split("href=\"").skip(1) {
        let page = link.split('"').next().unwrap();
        assert!(report.join(page).exists(), "{page}");
    }
    assert_eq!(index.matches("href=\"units/").count(), 3);
}

/// Kills the run after a while; workers end with it.
fn kill_after(p: &Project, wait: Duration, signal: &str) -> Option<i32> {
    let mut child = p
        .command(&[])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(wait);
    let id = child.id().to_string();
    let _ = Command::new("kill")
        .args([signal, &id])
        .stderr(Stdio::null())
        .status();
    child.wait().unwrap().code()
}

/// `CRAIG_KILLS=50` is the campaign; a few kills are enough for every day.
#[test]
fn kills_lose_nothing_and_make_nothing_wrong() {
    let p = Project::new("kills");
    let (truth, _) = p.results(&["--fresh"]);
    let kills = std::env::var("CRAIG_KILLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(8);
    let mut seen: Vec<String> = Vec::new();
    for i in 0..kills {
        if i % 4 == 3 {
            let _ = std::fs::remove_dir_all(p.root.join(".craig"));
            seen.clear();
        }
        kill_after(&p, Duration::from_millis(20 + (i * 37) % 400), "-KILL");
        if p.root.join(".craig/remembered-v1.db").exists() {
            let database = p.database();
            let sound: String = database
                .query_row("PRAGMA integrity_check", [], |r| r.get(0))
                .unwrap();
            assert_eq!(sound, "ok");
            // What was there stays there.
            let Ok(mut query) = database.prepare("SELECT program FROM evidence ORDER BY program")
            else {
                continue;
            };
            let now: Vec<String> = query
                .query_map([], |r| r.get(0))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            assert!(seen.iter().all(|s| now.contains(s)), "{seen:?} {now:?}");
            seen = now;
        }
    }
    let (end, _) = p.results(&[]);
    assert_eq!(answers(&truth), answers(&end));
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let p = Project::new("interrupt");
    p.write("src/zzz.c", "int main(void) { unsigned long n, k = 0; extern unsigned long __VERIFIER_nondet_ulong(void);
        void reach_error(void); n = __VERIFIER_nondet_ulong();
        while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } if (k == 100000) reach_error(); return 0; }");
    let mut child = p
        .command(&["--jobs", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let database = || {
        let path = p.root.join(".craig/remembered-v1.db");
        let database = path
            .exists()
            .then(|| rusqlite::Connection::open(path).ok())
            .flatten()?;
        database
            .query_row("SELECT count(*) FROM evidence", [], |r| r.get::<_, u32>(0))
            .ok()
    };
    for _ in 0..600 {
        if database() == Some(3) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child
        .wait()
        .map(|_| child.wait_with_output().unwrap())
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(
        shown(&output).contains("3 units:") && shown(&output).contains("1 not reached"),
        "{}",
        shown(&output)
    );
}

#[test]
fn two_runs_at_once_and_a_full_disk() {
    let p = Project::new("two");
    let (truth, _) = p.results(&["--fresh"]);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2).map(|_| scope.spawn(|| p.results(&[]).0)).collect();
        for run in runs {
            assert_eq!(answers(&truth), answers(&run.join().unwrap()));
        }
    });
    let (after, _) = p.results(&[]);
    assert_eq!(*field(&after, "src/good.c", "origin"), "rechecked");
    // No file may grow: the store cannot be written, the answers are the same.
    std::fs::remove_dir_all(p.root.join(".craig")).unwrap();
    let json = "/dev/stdout";
    let mut line = String::from("trap '' XFSZ; ulimit -f 8; exec");
    for word in [
        env!("CARGO_BIN_EXE_craig"),
        "project",
        p.root.to_str().unwrap(),
        "--quiet",
        "--json",
        json,
    ] {
        line += &format!(" '{word}'");
    }
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = text.rfind('}').unwrap();
    let full: Json = serde_json::from_str(&text[..=end]).unwrap();
    assert_eq!(answers(&truth), answers(&full));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("craig: "),
        "the store is not mentioned"
    );
}

/// A run that decides every check remembers every violation.
#[test]
fn all_violations_are_remembered() {
    let p = Project::new("every");
    p.write(
        "src/bad.c",
        "extern int __VERIFIER_nondet_int(void);
        int main(void) { int n = __VERIFIER_nondet_int(), a[3] = {1, 2, 3};
          int big = n + 2147483000;
          int part = 100 / n;
          return a[n & 3] + part + big - big; }",
    );
    let options = ["--property", "undefined"];
    let (first, status) = p.results(&options);
    assert_eq!(status, 1);
    let found = field(&first, "src/bad.c", "findings")
        .as_array()
        .unwrap()
        .len();
    assert!(found >= 2, "{first:#}");
    let (second, _) = p.results(&options);
    assert_eq!(*field(&second, "src/bad.c", "origin"), "rechecked");
    assert_eq!(answers(&first), answers(&second));
}

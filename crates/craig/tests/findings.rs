//! Every check of a program in one run: what is proved, what is violated and why.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Outcome, Properties, SourceOptions, VerdictKind};
use std::time::Duration;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void free(void *);
int __VERIFIER_nondet_int(void);
";

fn check(property: &str, body: &str) -> Outcome {
    let source = SourceOptions {
        properties: Properties::from_names(property).unwrap(),
        ..SourceOptions::default()
    };
    Checker::new()
        .source(source)
        .time(Duration::from_secs(30))
        .check_text("a.c", &format!("{HEAD}{body}"))
        .unwrap()
}

/// Status, property, weakness and reason of every check.
fn table(outcome: &Outcome) -> Vec<(String, &'static str, u32, String)> {
    let subject = outcome.subject();
    let row = |f: report::FindingView<'_>| (f.status.to_string(), f.property.name(), f.cwe, f.why);
    report::findings(&subject).into_iter().map(row).collect()
}

/// The weakness and the reason of the only violation.
fn only(property: &str, body: &str) -> (u32, String) {
    let outcome = check(property, body);
    assert_eq!(outcome.kind(), VerdictKind::Unsafe, "{}", outcome.text());
    let mut found = table(&outcome);
    found.retain(|row| row.0 == "violated");
    let [(_, _, cwe, why)] = found.as_slice() else {
        panic!("one violation: {}", outcome.text());
    };
    (*cwe, why.clone())
}

#[test]
fn several_violations_each_once_and_the_rest_proved() {
    let outcome = check(
        "undefined",
        "int main(void) {
           int n = __VERIFIER_nondet_int(), a[4] = {0};
           if (n == 1) return 5 / (n - 1);
           if (n == 2) return 1 << (n + 40);
           if (n == 3) return a[n + 1];
           for (int i = 0; i < 4; i++) a[i] = i;
           return a[3] / 2;
         }",
    );
    assert_eq!(outcome.kind(), VerdictKind::Unsafe);
    let (proved, violated, undecided) = outcome.findings.counts();
    assert!(proved >= 2, "{}", outcome.text());
    assert_eq!((violated, undecided), (3, 0), "{}", outcome.text());
    let found: Vec<_> = table(&outcome)
        .into_iter()
        .filter(|row| row.0 == "violated")
        .map(|row| (row.1, row.2))
        .collect();
    assert_eq!(
        found,
        [
            ("no-div-by-zero", 369),
            ("no-shift", 1335),
            ("valid-deref", 788)
        ]
    );
    let json: serde_json::Value = serde_json::from_str(&outcome.json()).unwrap();
    let all = json["findings"].as_array().unwrap();
    assert_eq!(all.len(), proved + violated);
    let traces = all.iter().filter(|f| f["violation"]["trace"].is_array());
    assert_eq!(traces.count(), 3);
    let sarif: serde_json::Value = serde_json::from_str(&outcome.sarif()).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[0]["properties"]["cwe"], "CWE-369");
}

#[test]
fn inputs_of_every_violation_are_the_least() {
    let outcome = check(
        "undefined",
        "int main(void) {
           int n = __VERIFIER_nondet_int(), free_choice = __VERIFIER_nondet_int(), a[4] = {0};
           if (n > 20) return a[n];
           if (n > 10) return 5 / (free_choice - free_choice);
           return 0;
         }",
    );
    let json: serde_json::Value = serde_json::from_str(&outcome.json()).unwrap();
    let all = json["findings"].as_array().unwrap();
    let mut inputs: Vec<String> = Vec::new();
    for finding in all.iter().filter(|f| f["status"] == "violated") {
        let list = finding["violation"]["inputs"].as_array().unwrap();
        let values = list.iter().map(|i| i["value"].to_string().replace('"', ""));
        inputs.push(values.collect::<Vec<_>>().join(","));
    }
    inputs.sort();
    assert_eq!(inputs, ["11,0", "21,0"], "{}", outcome.text());
}

/// What a function of the library checks belongs to the user's function that calls it.
#[test]
fn checks_of_the_library_are_the_callers() {
    let outcome = check(
        "memsafety",
        "char *strcpy(char *, const char *);
         static void name(char *to) { strcpy(to, \"abc\"); }
         int main(void) { char a[4]; name(a); return a[3]; }",
    );
    let findings = outcome.findings.list().iter();
    let names: Vec<&str> = findings.map(|f| f.check.name.as_str()).collect();
    let of_copy = names.iter().filter(|n| n.starts_with("name/valid-deref/"));
    assert!(of_copy.count() > 0, "{names:?}");
    assert!(!names.iter().any(|n| n.contains('.')), "{names:?}");
}

#[test]
fn one_property_ends_with_the_first_violation() {
    let body = "int main(void) { int a = __VERIFIER_nondet_int(); a = a + 1; return a * 2; }";
    let outcome = check("no-overflow", body);
    assert_eq!(outcome.findings.counts(), (0, 1, 1));
    assert!(!outcome.text().contains("Checks:"));
    let outcome = check("no-overflow,no-shift", body);
    assert_eq!(outcome.findings.counts(), (0, 2, 0));
    assert!(outcome.text().contains("Checks: 2"));
}

#[test]
fn proofs_do_not_assume_what_they_prove() {
    let body = "int main(void) { int *p = malloc(8); p[1] = 3; int x = p[1]; free(p); return x; }";
    let outcome = check("memsafety", body);
    assert_eq!(outcome.kind(), VerdictKind::Safe, "{}", outcome.text());
    assert!(!outcome.text().contains("are valid"), "{}", outcome.text());
}

#[test]
fn reasons_of_memory_errors() {
    let memory = |body: &str| only("memsafety", &format!("int main(void) {{ {body} }}"));
    let (cwe, why) = memory("int *p = 0; return *p;");
    assert_eq!((cwe, why.as_str()), (476, "a null pointer is dereferenced"));
    let (cwe, why) = memory("int *p = malloc(8); free(p); return *p;");
    assert!(cwe == 416 && why.contains("allocated at a.c:3:") && why.contains("freed at a.c:3:"));
    let (cwe, why) = memory("int *p = malloc(8); p[2] = 1; free(p); return 0;");
    assert_eq!(cwe, 787);
    assert!(
        why.contains("4 bytes are written at offset 8 of the 8 bytes allocated"),
        "{why}"
    );
    let (cwe, why) = memory("int *p = malloc(8); int x = p[-1]; free(p); return x;");
    assert!(cwe == 127 && why.contains("offset -4"), "{why}");
    let (cwe, why) = memory("char *p = malloc(8); free(p); free(p); return 0;");
    assert!(cwe == 415 && why.contains("freed twice"), "{why}");
    let (cwe, why) = memory("char *p = malloc(8); free(p + 1); return 0;");
    assert!(
        cwe == 761 && why.contains("offset 1 of the 8 bytes"),
        "{why}"
    );
    let (cwe, why) = memory("int x; int *p = &x; free(p); return 0;");
    assert!(cwe == 590 && why.contains("`x`"), "{why}");
    let (cwe, why) = memory("int *p; { int x; p = &x; } *p = 1; return 0;");
    assert!(cwe == 825 && why.contains("`x`"), "{why}");
    let (cwe, why) = memory("char *p = malloc(8);\n p = 0;\n return 0;");
    assert_eq!(cwe, 401);
    assert!(
        why.contains("allocated at a.c:3:") && why.contains("lost at a.c:4:"),
        "{why}"
    );
}

#[test]
fn other_undefined_behaviour() {
    let one = |body: &str| only("undefined", body);
    let (cwe, _) = one("int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; return x; }");
    assert_eq!(cwe, 457);
    let (cwe, _) = one("int f(int n) { if (n) return 1; }
                        int main(void) { return f(__VERIFIER_nondet_int()); }");
    assert_eq!(cwe, 758);
    let (cwe, _) =
        one("int main(void) { if (__VERIFIER_nondet_int()) __builtin_unreachable(); return 0; }");
    assert_eq!(cwe, 758);
    let (cwe, _) =
        one("int main(void) { char *p = malloc(8); char *q = p + 9; free(p); return q != 0; }");
    assert_eq!(cwe, 823);
    let (cwe, _) = one(
        "int main(void) { char *p = malloc(8); int *q = (int *)(p + 1); free(p); return q != 0; }",
    );
    assert_eq!(cwe, 758);
    // The inner call ends without a value, which nobody uses; the outer one has a value.
    let outcome = check(
        "no-missing-return,no-shift",
        "int f(int n) { if (n) { f(0); return 1; } } int main(void) { return f(1); }",
    );
    assert_eq!(outcome.kind(), VerdictKind::Safe, "{}", outcome.text());
    let fine = "int f(int n) { if (n) return 1; else return 2; }
         int main(void) { int x; x = f(__VERIFIER_nondet_int()); char *p = malloc(8);
           char *q = p + 8; int *r = (int *)(p + 4); *r = x; free(p); return q != 0; }";
    let outcome = check("undefined", fine);
    assert_eq!(outcome.kind(), VerdictKind::Safe, "{}", outcome.text());
}

#[test]
fn memory_must_be_freed_for_memcleanup_even_if_it_is_reachable() {
    let body = "char *g; int main(void) { g = malloc(8); return 0; }";
    let outcome = check("valid-memcleanup", body);
    assert_eq!(outcome.kind(), VerdictKind::Unsafe, "{}", outcome.text());
    let freed = "char *g; int main(void) { g = malloc(8); free(g); return 0; }";
    assert_eq!(check("valid-memcleanup", freed).kind(), VerdictKind::Safe);
}

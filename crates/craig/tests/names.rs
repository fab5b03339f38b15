//! Nobody reads our own names: programs of all kinds, with every output, and none has a name of a variable that the
//! user did not write, nor an address of the memory model.
#![allow(clippy::unwrap_used)]

mod common;

use common::{read_head, root, skipped, source_options};
use craig::{Checker, EngineOptions, Outcome};
use report::WitnessVersion;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

/// Lists, texts, floats, records, unions, function pointers, arrays, enumerations, recursion, the library, C++, Rust.
const PROGRAMS: &[&str] = &[
    "arguments/first_letter_unsafe.c",
    "arguments/copy_unsafe.c",
    "basics/count_unsafe.c",
    "basics/inputs_unsafe.c",
    "basics/phases_safe.c",
    "bits/wegner_unsafe.c",
    "errors/overflow_unsafe.c",
    "everyday/brackets_unsafe.c",
    "everyday/growing_array_unsafe.c",
    "everyday/hash_chains_unsafe.c",
    "everyday/join_texts_unsafe.c",
    "everyday/linked_stack_unsafe.c",
    "everyday/list_remove_unsafe.c",
    "everyday/matrix_rows_unsafe.c",
    "everyday/ring_buffer_unsafe.c",
    "everyday/tree_sum_unsafe.c",
    "floats/infinity_unsafe.c",
    "floats/square_underflow_unsafe.c",
    "functions/listing1_safe.c",
    "functions/listing1_unsafe.c",
    "functions/recursion_safe.c",
    "heap/doubly_linked_unsafe.c",
    "heap/list_append_safe.c",
    "heap/list_prepend_unsafe.c",
    "heap/node_data_unsafe.c",
    "heap/reverse_string_unsafe.c",
    "heap/string_copy_unsafe.c",
    "heap/tagged_unsafe.c",
    "heap/two_lists_unsafe.c",
    "library/allocated_text_unsafe.c",
    "library/sorting_unsafe.c",
    "library/strings_unsafe.c",
    "library/wide_unsafe.c",
    "memory/all_cells_safe.c",
    "memory/copy_length_unsafe.c",
    "memory/flag_in_memory_safe.c",
    "memory/heap_arrays_unsafe.c",
    "memory/part_of_value_unsafe.c",
    "memory/payload_unsafe.c",
    "memory/stride_safe.c",
    "predabs/lock_loop.c",
    "predabs/lock_loop_unsafe.c",
    "states/computed_state_unsafe.c",
    "traps/by_value_unsafe.c",
    "traps/nested_function_unsafe.c",
    "traps/union_bytes_unsafe.c",
    "traps/const_initialiser_unsafe.c",
    "boogie/maps_unsafe.bpl",
    "cpp/lambda_capture_unsafe.cpp",
    "cpp/virtual_call_unsafe.cpp",
    "cpp/new_array_unsafe.cpp",
    "rust/wrapping_unsafe.rs",
];

/// Numbers from here on are addresses, unless the source has them or they are limits of a type.
const ADDRESSES: u128 = 1 << 40;

fn words(text: &str) -> BTreeSet<&str> {
    let inside = |c: char| c.is_alphanumeric() || "_.~:$@!#%".contains(c);
    let all = text.split(|c: char| !inside(c));
    all.map(|w| w.trim_matches(['.', ':', '!'])).collect()
}

/// The names that the program has and the source has not.
fn internal(outcome: &Outcome, source: &str) -> Vec<String> {
    let written = words(source);
    let vars = outcome.input.program.vars.iter();
    let names = vars.filter(|v| v.source_name.as_deref() != Some(&v.name));
    let functions = outcome.input.program.functions.iter();
    let functions = functions
        .map(|f| f.name.clone())
        .filter(|n| n.contains('.'));
    let names = names.map(|v| v.name.clone()).chain(functions);
    // A name of one word may be a word of a sentence.
    let odd = |n: &String| n.contains(['.', '~', '$', '@', '!', '%']) || n.contains("::");
    names
        .filter(odd)
        .filter(|n| !written.contains(n.as_str()))
        .collect()
}

/// What the page shows beside the source and the counters.
fn shown(page: &str) -> String {
    let data = page.split("type=\"application/json\">").nth(1).unwrap();
    let mut data: Json = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    for key in ["files", "statistics", "log"] {
        data[key] = Json::Null;
    }
    data.to_string()
}

fn outputs(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let mut out = vec![
        ("text", outcome.text()),
        ("sarif", outcome.sarif()),
        ("page", shown(&outcome.html())),
    ];
    let mut json: Json = serde_json::from_str(&outcome.json()).unwrap();
    json["statistics"] = Json::Null;
    out.push(("json", json.to_string()));
    out.extend(
        outcome
            .witness(WitnessVersion::V2_1)
            .map(|w| ("witness", w)),
    );
    out
}

#[test]
fn no_output_has_names_of_ours() {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    let mut troubles = Vec::new();
    for name in PROGRAMS {
        let needs = match name.rsplit('.').next() {
            Some("cpp") => "clang++",
            Some("rs") => "rustc",
            _ => "cc",
        };
        if !has(needs) {
            skipped(&format!("{name} needs {needs}"));
            continue;
        }
        let path = root().join(name);
        let source = std::fs::read_to_string(&path).unwrap();
        let options = source_options(&read_head(&source)).unwrap();
        let log = EngineOptions {
            log: Some(2000),
            ..EngineOptions::default()
        };
        let checker = Checker::new().time(Duration::from_secs(20));
        let checker = checker.source(options).engine_options(log);
        let outcome = match checker.check_file(&path) {
            Ok(outcome) => outcome,
            Err(e) if needs != "cc" => {
                skipped(&format!("{name}: {e}"));
                continue;
            }
            Err(e) => panic!("{name}: {e}"),
        };
        let names = internal(&outcome, &source);
        for (output, text) in outputs(&outcome) {
            let said = words(&text);
            let ours = names.iter().filter(|n| said.contains(n.as_str()));
            troubles.extend(ours.map(|n| format!("{name}: {output} says {n}")));
            for number in text.split(|c: char| !c.is_alphanumeric()) {
                let value = number.parse::<u128>().ok().filter(|n| *n >= ADDRESSES);
                let near = |n: u128| (n + 1).is_power_of_two() || n.is_power_of_two();
                let limit = value.is_some_and(|n| n > 1 << 52 && near(n));
                if value.is_some_and(|n| n < 1 << 64) && !limit && !source.contains(number) {
                    troubles.push(format!("{name}: {output} has the number {number}"));
                }
            }
        }
    }
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

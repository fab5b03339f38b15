//! Random small programs in the text form of `program`: over four values and a Boolean, over
//! functions with loops and errors, over Booleans only.

pub use base::Random;
use std::fmt::Write;

const OPS: [&str; 14] = [
    "(+ A B)",
    "(- A B)",
    "(- 3 A)",
    "(+ A 1)",
    "(- A 1)",
    "(wrap.u2 (+ A B))",
    "(wrap.u2 (* A B))",
    "(bitand A B)",
    "(bitxor A B)",
    "(mod A 2)",
    "(cdiv A 2)",
    "(ite C A B)",
    "(shr A 1)",
    "(select (store m A B) A)",
];

pub fn value(r: &mut Random, vars: &[&str], depth: u32) -> String {
    if depth == 0 || r.below(3) == 0 {
        return match r.below(3) {
            0 => r.pick(&["0", "1", "2", "3"]).into(),
            _ => r.pick(vars).into(),
        };
    }
    let op = r.pick(&OPS[..13]);
    let mut out = String::new();
    for c in op.chars() {
        match c {
            'A' | 'B' => out += &value(r, vars, depth - 1),
            'C' => out += &condition(r, vars, depth - 1),
            c => out.push(c),
        }
    }
    out
}

fn condition(r: &mut Random, vars: &[&str], depth: u32) -> String {
    match r.below(6) {
        0 if depth > 0 => format!(
            "({} {} {})",
            r.pick(&["and", "or"]),
            condition(r, vars, depth - 1),
            condition(r, vars, depth - 1)
        ),
        1 if depth > 0 => format!("(not {})", condition(r, vars, depth - 1)),
        2 => "b".into(),
        _ => format!(
            "({} {} {})",
            r.pick(&["<", "<=", "=", "!=", ">"]),
            value(r, vars, depth),
            value(r, vars, depth)
        ),
    }
}

fn statement(r: &mut Random, vars: &[&str]) -> String {
    match r.below(10) {
        0 => "skip".into(),
        1..=3 => format!("assume {}", condition(r, vars, 2)),
        4 => format!("havoc {}", r.pick(vars)),
        5 => format!("b := {}", condition(r, vars, 2)),
        6 => {
            let (one, other) = (vars[0], vars[1]);
            let (e, f) = (value(r, vars, 1), value(r, vars, 1));
            format!("{one} := {e}, {other} := {f}")
        }
        _ => format!("{} := {}", r.pick(vars), value(r, vars, 2)),
    }
}

fn body(
    r: &mut Random,
    out: &mut String,
    locations: u64,
    edges: u64,
    vars: &[&str],
    calls: &[&str],
) {
    let loc = |i: u64| match i {
        1 => "exit".to_string(),
        2 => "bad".to_string(),
        i => format!("p{i}"),
    };
    for k in 0..edges {
        // A backbone keeps most locations reachable.
        let from = match k {
            0 => 0,
            k if k + 2 < locations => k + 2,
            _ => match r.below(locations - 2) {
                0 => 0,
                i => i + 2,
            },
        };
        let to = match k {
            k if k + 3 < locations => k + 3,
            _ => r.below(locations),
        };
        let mut stmt = statement(r, vars);
        if !calls.is_empty() && r.below(5) == 0 {
            let callee = r.pick(calls);
            let (a, v) = (value(r, vars, 1), r.pick(vars));
            stmt = format!("{v} := call {callee}((wrap.u2 {a}))");
        }
        let _ = writeln!(out, "  {} -> {}: {stmt}", loc(from), loc(to));
    }
}

/// One function over `x, y, z` in 0..3 and a Boolean `b`; `x` and `b` are global.
pub fn single(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut out = String::from(
        "entry main\nglobal x: Int [0, 3], b: Bool\nfn main(y: Int [0, 3]) returns (z: Int [0, 3]) {\n  error bad\n  entry p0\n",
    );
    let locations = 4 + r.below(5);
    let edges = locations + r.below(6);
    body(&mut r, &mut out, locations, edges, &["x", "y", "z"], &[]);
    out += "}\n";
    out
}

/// Three functions that call each other forwards only, or also recursively.
pub fn with_calls(seed: u64, recursive: bool) -> String {
    let mut r = Random::new(seed);
    let mut out = String::from("entry main\nglobal x: Int [0, 3], b: Bool\n");
    let functions = ["main", "f", "g"];
    for (i, name) in functions.into_iter().enumerate() {
        let (p, q, l) = (
            format!("{name}.p"),
            format!("{name}.r"),
            format!("{name}.l"),
        );
        let _ = writeln!(
            out,
            "fn {name}({p}: Int [0, 3]) returns ({q}: Int [0, 3]) {{\n  locals {l}: Int [0, 3]\n  error bad\n  entry p0"
        );
        let calls = if recursive {
            &functions[1..]
        } else {
            &functions[i + 1..]
        };
        let locations = 4 + r.below(3);
        let edges = locations + r.below(3);
        let vars = ["x", p.as_str(), q.as_str(), l.as_str()];
        body(&mut r, &mut out, locations, edges, &vars, calls);
        out += "}\n";
    }
    out
}

fn plain_value(r: &mut Random, vars: &[&str]) -> String {
    let v = r.pick(vars);
    match r.below(6) {
        0 => r.below(4).to_string(),
        1 => format!("(wrap.u2 (+ {v} 1))"),
        2 => format!("(ite (< {v} 2) {v} {})", r.pick(vars)),
        3 => format!("(- 3 {v})"),
        _ => v.into(),
    }
}

fn plain_condition(r: &mut Random, vars: &[&str]) -> String {
    let op = r.pick(&["<", "<=", "=", "!=", ">"]);
    format!("({op} {} {})", plain_value(r, vars), plain_value(r, vars))
}

/// Functions over `x` (global) and parameter, return and local in 0..3, with loops and errors; each
/// calls later ones, or, if `recursive`, any.
pub fn functions(seed: u64, names: &[&str], recursive: bool) -> String {
    let mut r = Random::new(seed + 1);
    let mut out = String::from("entry main\nglobal x: Int [0, 3]\n");
    for (i, name) in names.iter().enumerate() {
        let own = ["p", "r", "l"].map(|v| format!("{name}.{v}"));
        let vars = ["x", &own[0], &own[1], &own[2]];
        let _ = writeln!(
            out,
            "fn {name}({}: Int [0, 3]) returns ({}: Int [0, 3]) {{\n  locals {}: Int [0, 3]\n  error bad\n  entry p0",
            own[0], own[1], own[2]
        );
        let callees = if recursive {
            &names[1..]
        } else {
            &names[i + 1..]
        };
        let steps = 2 + r.below(3);
        for at in 0..steps {
            let to = match at + 1 == steps {
                true => "exit".to_string(),
                false => format!("p{}", at + 1),
            };
            let stmt = match r.below(5) {
                0 if !callees.is_empty() => {
                    let g = r.pick(callees);
                    format!(
                        "{} := call {g}({})",
                        r.pick(&vars),
                        plain_value(&mut r, &vars)
                    )
                }
                1 => format!("havoc {}", r.pick(&vars)),
                2 => format!("assume {}", plain_condition(&mut r, &vars)),
                _ => format!("{} := {}", r.pick(&vars), plain_value(&mut r, &vars)),
            };
            let _ = writeln!(out, "  p{at} -> {to}: {stmt}");
            match r.below(4) {
                0 => {
                    let _ = writeln!(
                        out,
                        "  p{at} -> bad: assume {}",
                        plain_condition(&mut r, &vars)
                    );
                }
                1 => {
                    let back = r.below(at + 1);
                    let (v, e) = (r.pick(&vars), plain_value(&mut r, &vars));
                    let _ = writeln!(out, "  p{at} -> p{back}: {v} := {e}");
                }
                _ => {}
            }
        }
        out += "}\n";
    }
    out
}

fn boolean_condition(r: &mut Random, vars: &[String], depth: u32) -> String {
    match r.below(5) {
        0 if depth > 0 => format!("(not {})", boolean_condition(r, vars, depth - 1)),
        1 | 2 if depth > 0 => {
            let op = ["and", "or", "="][r.below(3) as usize];
            let (a, b) = (
                boolean_condition(r, vars, depth - 1),
                boolean_condition(r, vars, depth - 1),
            );
            format!("({op} {a} {b})")
        }
        _ => r.pick(vars),
    }
}

/// Three functions over Booleans that call each other in any way.
pub fn boolean(seed: u64) -> String {
    let mut r = Random::new(seed);
    // What a run begins with are choices, as front ends have it, so that counterexamples name it.
    let mut out = String::from(
        "entry start\nglobal a: Bool, b: Bool\nfn start() returns (start.r: Bool) {\n  \
         locals start.p: Bool\n  entry s0\n  s0 -> s1: havoc a, b, start.p\n  \
         s1 -> exit: start.r := call main(start.p)\n}\n",
    );
    for name in ["main", "f", "g"] {
        let own = ["p", "r", "l"].map(|v| format!("{name}.{v}"));
        let vars: Vec<String> = own
            .iter()
            .cloned()
            .chain(["a".into(), "b".into()])
            .collect();
        let _ = writeln!(
            out,
            "fn {name}({0}: Bool) returns ({1}: Bool) {{\n  locals {2}: Bool\n  error bad\n  \
             entry in\n  in -> p0: havoc {1}, {2}",
            own[0], own[1], own[2]
        );
        let locations = 3 + r.below(3);
        for k in 0..locations + 2 + r.below(3) {
            let from = if k < locations { k } else { r.below(locations) };
            let to = match r.below(8) {
                0 if name != "main" || r.below(2) == 0 => "bad".into(),
                1 | 2 => "exit".into(),
                _ if k + 1 < locations => format!("p{}", k + 1),
                _ => {
                    ["exit".into(), format!("p{}", r.below(locations))][r.below(2) as usize].clone()
                }
            };
            let target = r.pick(&vars);
            let stmt = match r.below(6) {
                0 => format!("havoc {target}"),
                1 | 2 => format!("assume {}", boolean_condition(&mut r, &vars, 2)),
                3 => {
                    let callee = ["f", "g", "f", "main"][r.below(4) as usize];
                    format!(
                        "{target} := call {callee}({})",
                        boolean_condition(&mut r, &vars, 1)
                    )
                }
                _ => format!("{target} := {}", boolean_condition(&mut r, &vars, 2)),
            };
            let _ = writeln!(out, "  p{from} -> {to}: {stmt}");
        }
        out += "}\n";
    }
    out
}

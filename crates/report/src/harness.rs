//! A C file with the inputs of a counterexample baked in: compiled together with the program by
//! any C compiler it reaches the error.
//!
//! All definitions are weak, so that a program which defines `reach_error` or `__VERIFIER_assume`
//! itself keeps its own. Each input function returns its own values in the order of its calls. So do functions of the
//! program without a body, as long as what they return is no float.

use crate::{Subject, inputs};
use evidence::Verdict;
use logic::Value;
use program::{InputKind, Stmt};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The harness of an `unsafe` verdict.
pub fn harness(subject: &Subject<'_>) -> Option<String> {
    let (Verdict::Unsafe(_), Some(trace)) = (
        subject.verdict.get(),
        subject.verdict.record().trace.as_ref(),
    ) else {
        return None;
    };
    let mut tables: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut externs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for input in inputs(subject, trace) {
        match input.kind {
            InputKind::Nondet { function } => {
                tables.entry(function).or_default().push(input.value);
            }
            InputKind::Extern { function } => {
                externs.entry(function).or_default().push(input.value);
            }
            InputKind::Environment { .. } | InputKind::Unknown | InputKind::Approximation => {}
        }
    }
    // What the execution does not call is linked all the same.
    for edge in subject.program.edges.iter() {
        match &edge.stmt {
            Stmt::Havoc(_, InputKind::Nondet { function }) => {
                tables.entry(function.clone()).or_default();
            }
            Stmt::Havoc(_, InputKind::Extern { function }) => {
                externs.entry(function.clone()).or_default();
            }
            _ => {}
        }
    }
    let mut out = String::from(
        "/* Inputs that violate the property, found by Craig.\n   Compile together with the program: cc program.c harness.c && ./a.out */\n#include <stdio.h>\n#include <stdlib.h>\n\n#define WEAK __attribute__((weak))\n\n",
    );
    // Functions of which only a pointer is known have no name.
    for (function, values) in externs.iter().filter(|(name, _)| *name != "*") {
        let _ = writeln!(out, "/* `{function}` has no body in the program. */");
        numbers(function, "long long", "long long", values, &mut out);
        let _ = writeln!(out, "  return value;\n}}\n");
    }
    for (function, values) in &tables {
        table(function, values, &mut out);
    }
    for name in ["reach_error", "__VERIFIER_error"] {
        let _ = writeln!(
            out,
            "WEAK void {name}(void) {{\n  fprintf(stderr, \"craig: error reached\\n\");\n  abort();\n}}"
        );
    }
    out.push_str("WEAK void __VERIFIER_assume(int condition) {\n  if (!condition) exit(0);\n}\n");
    Some(out)
}

/// The C type that a `__VERIFIER_nondet_…` function returns.
fn return_type(function: &str) -> &'static str {
    match function.strip_prefix("__VERIFIER_nondet_").unwrap_or("int") {
        "bool" | "_Bool" => "_Bool",
        "char" | "int8_t" => "char",
        "uchar" | "unsigned_char" | "u8" | "uint8_t" => "unsigned char",
        "short" | "int16_t" => "short",
        "ushort" | "u16" | "uint16_t" => "unsigned short",
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32_t" => "unsigned int",
        "long" => "long",
        "ulong" | "unsigned_long" | "size_t" => "unsigned long",
        "longlong" | "int64_t" | "loff_t" => "long long",
        "ulonglong" | "u64" | "uint64_t" | "sector_t" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        "pointer" | "charp" | "const_char_pointer" => "void *",
        _ => "int",
    }
}

fn table(function: &str, values: &[Value], out: &mut String) {
    let ty = return_type(function);
    let bits = matches!(ty, "float" | "double");
    // Bit patterns of floats travel as integers.
    let element = match ty {
        "float" => "unsigned int",
        "double" => "unsigned long long",
        "void *" => "unsigned long",
        other => other,
    };
    numbers(function, ty, element, values, out);
    if bits {
        let _ = writeln!(
            out,
            "  union {{ {element} bits; {ty} value; }} u = {{value}};\n  return u.value;\n}}\n"
        );
    } else {
        let _ = writeln!(out, "  return ({ty})value;\n}}\n");
    }
}

/// The first lines of a function that returns these values, one after the other.
fn numbers(function: &str, ty: &str, element: &str, values: &[Value], out: &mut String) {
    let literals: Vec<String> = values.iter().map(literal).collect();
    let _ = write!(
        out,
        "WEAK {ty} {function}(void) {{\n  static const {element} values[] = {{{}}};\n  static unsigned next;\n  {element} value = next < sizeof values / sizeof *values ? values[next++] : 0;\n",
        literals.join(", ")
    );
}

fn literal(value: &Value) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Num(n) => match n.to_i64() {
            Some(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
            Some(i) if i32::try_from(i).is_ok_and(|i| i != i32::MIN) => i.to_string(),
            Some(i) => format!("{i}LL"),
            None => format!("{n}ULL"),
        },
        Value::Array(_) | Value::Element(..) => "0".into(),
    }
}

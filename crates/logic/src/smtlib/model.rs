//! Values and models as SMT-LIB text.

use super::name::print_symbol;
use super::print::{number, print_sort};
use super::words::print_word;
use crate::{FunctionValue, Model, Pool, Sort, SortId, SymbolId, Value};
use std::fmt::Write;

/// A value of a sort as a term of SMT-LIB. Values nest as deep as their sorts.
pub fn print_value(pool: &Pool, value: &Value, sort: SortId) -> String {
    let mut out = String::new();
    write_value(pool, value, sort, &mut out);
    out
}

fn write_value(pool: &Pool, value: &Value, sort: SortId, out: &mut String) {
    match value {
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Num(n) => match pool.shape(sort) {
            Some(shape) => out.push_str(&print_word(n, shape)),
            None => number(n, sort == pool.real_sort(), out),
        },
        Value::Element(s, n) => {
            let name = print_sort(pool, *s);
            // `@…` is SMT-LIB's own spelling of abstract values.
            let element = format!("{}!{n}", name.trim_matches('|'));
            let element = match print_symbol(&element).strip_prefix('|') {
                Some(quoted) => format!("|@{quoted}"),
                None => format!("@{element}"),
            };
            let _ = write!(out, "(as {element} {name})");
        }
        Value::Array(array) => {
            let Sort::Array(index, element) = *pool.sort_kind(sort) else {
                panic!("array values have array sorts");
            };
            for _ in &array.entries {
                out.push_str("(store ");
            }
            let _ = write!(out, "((as const {}) ", print_sort(pool, sort));
            write_value(pool, &array.default, element, out);
            out.push(')');
            for (i, v) in &array.entries {
                out.push(' ');
                write_value(pool, i, index, out);
                out.push(' ');
                write_value(pool, v, element, out);
                out.push(')');
            }
        }
    }
}

/// The `define-fun` that gives a symbol its value in `model` (or the default of its sort).
pub fn print_definition(pool: &Pool, model: &Model, symbol: SymbolId) -> String {
    let data = pool.symbol_data(symbol);
    let mut out = format!("(define-fun {} (", print_symbol(&data.name));
    for (i, &sort) in data.args.iter().enumerate() {
        let space = if i > 0 { " " } else { "" };
        let _ = write!(out, "{space}(x!{i} {})", print_sort(pool, sort));
    }
    let _ = write!(out, ") {} ", print_sort(pool, data.sort));
    match (model.constants.get(&symbol), model.functions.get(&symbol)) {
        (Some(value), _) if data.args.is_empty() => write_value(pool, value, data.sort, &mut out),
        (_, Some(f)) => write_function(pool, f, &data.args, data.sort, &mut out),
        _ => write_value(pool, &pool.default_value(data.sort), data.sort, &mut out),
    }
    out.push(')');
    out
}

fn write_function(
    pool: &Pool,
    function: &FunctionValue,
    args: &[SortId],
    sort: SortId,
    out: &mut String,
) {
    for (point, value) in &function.entries {
        out.push_str("(ite (and");
        for (i, (v, &s)) in point.iter().zip(args).enumerate() {
            let _ = write!(out, " (= x!{i} ");
            write_value(pool, v, s, out);
            out.push(')');
        }
        out.push_str(") ");
        write_value(pool, value, sort, out);
        out.push(' ');
    }
    write_value(pool, &function.default, sort, out);
    out.extend(std::iter::repeat_n(')', function.entries.len()));
}

/// The answer to `get-model`: one definition per symbol, in the order given.
pub fn print_model(pool: &Pool, model: &Model, symbols: &[SymbolId]) -> String {
    let mut out = String::from("(\n");
    for &s in symbols {
        let _ = writeln!(out, "  {}", print_definition(pool, model, s));
    }
    out.push(')');
    out
}

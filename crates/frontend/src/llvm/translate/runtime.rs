//! The runtimes of C++ and Rust: which of their functions are known, names for people.

use super::super::module::{Module, Op, Value};

/// What a function of a runtime does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Memory of as many bytes as the argument says.
    Allocate {
        size: usize,
        zero: bool,
    },
    Free,
    Reallocate,
    /// Ends the program with Rust's own message.
    Panic,
    /// Only executions with a true argument count.
    Assume,
    /// Of no importance; returns zero.
    Nothing,
    /// A static object is to be ended with the program.
    AtExit,
    /// Of a static local: is it made already? `true`: now it is.
    Guard(bool),
    /// `__cxa_throw`
    Throw,
    DynamicCast,
    Exception(Exception),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exception {
    Allocate,
    /// A function of the library that throws.
    Library,
    Begin,
    End,
    Rethrow,
    Terminate,
    Free,
}

pub(super) fn classify(name: &str, defined: bool) -> Option<Known> {
    if defined {
        // Harnesses may define these for native runs.
        return assume(name).then_some(Known::Assume);
    }
    Some(match name {
        "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => Known::Allocate {
            size: 0,
            zero: false,
        },
        _ if name.starts_with("_Znwm") || name.starts_with("_Znam") => Known::Allocate {
            size: 0,
            zero: false,
        },
        _ if name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") => Known::Free,
        "__cxa_throw" => Known::Throw,
        "__dynamic_cast" => Known::DynamicCast,
        _ if super::hierarchy::thrown_by_library(name).is_some() => {
            Known::Exception(Exception::Library)
        }
        "__cxa_allocate_exception" => Known::Exception(Exception::Allocate),
        "__cxa_free_exception" => Known::Exception(Exception::Free),
        "__cxa_begin_catch" => Known::Exception(Exception::Begin),
        "__cxa_end_catch" => Known::Exception(Exception::End),
        "__cxa_rethrow" => Known::Exception(Exception::Rethrow),
        "_ZSt9terminatev" | "__cxa_call_unexpected" | "__cxa_pure_virtual" | "__cxa_bad_cast" => {
            Known::Exception(Exception::Terminate)
        }
        "__cxa_guard_acquire" => Known::Guard(false),
        "__cxa_guard_release" => Known::Guard(true),
        "__cxa_atexit" | "__cxa_thread_atexit" => Known::AtExit,
        "__cxa_guard_abort" => Known::Nothing,
        _ if name.starts_with("_ZNSt8ios_base4Init") => Known::Nothing,
        _ => return rust(name),
    })
}

/// `std::cout` and its like, of GNU's library.
pub(super) fn is_console(name: &str) -> bool {
    matches!(name, "_ZSt4cout" | "_ZSt4cerr" | "_ZSt4clog")
}

/// `std::endl`, `std::flush`, `std::ends`.
pub(super) fn is_manipulator(name: &str) -> bool {
    ["_ZSt4endlI", "_ZSt5flushI", "_ZSt4endsI"]
        .iter()
        .any(|m| name.starts_with(m))
}

/// Functions that write to the stream that is their first argument, and return it.
pub(super) fn writes_to_stream(name: &str) -> bool {
    let known = [
        "_ZNSolsE",
        "_ZNSo3putE",
        "_ZNSo5flushE",
        "_ZNSo5writeE",
        "_ZNSo9_M_insertI",
        "_ZSt16__ostream_insertI",
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_E",
        "_ZStlsIcSt11char_traitsIcE",
    ];
    is_manipulator(name) || known.iter().any(|k| name.starts_with(k))
}

fn assume(name: &str) -> bool {
    let plain = demangle(name);
    matches!(plain.as_str(), "craig::assume" | "kani::assume")
}

fn rust(name: &str) -> Option<Known> {
    if !name.starts_with("_ZN") && !name.starts_with("_R") && !name.starts_with("__rust") {
        return None;
    }
    let plain = demangle(name);
    let last = plain.rsplit("::").next().unwrap_or(&plain);
    Some(match last {
        "__rust_alloc" => Known::Allocate {
            size: 0,
            zero: false,
        },
        "__rust_alloc_zeroed" => Known::Allocate {
            size: 0,
            zero: true,
        },
        "__rust_dealloc" => Known::Free,
        "__rust_realloc" => Known::Reallocate,
        _ if last.starts_with("__rust_no_alloc_shim") => Known::Nothing,
        _ if is_panic(&plain) => Known::Panic,
        _ if matches!(plain.as_str(), "craig::assume" | "kani::assume") => Known::Assume,
        _ => return None,
    })
}

fn is_panic(plain: &str) -> bool {
    const ENDS: &[&str] = &[
        "unwrap_failed",
        "expect_failed",
        "handle_alloc_error",
        "capacity_overflow",
        "handle_error",
        "slice_error_fail",
        "panic_already_borrowed",
        "panic_already_mutably_borrowed",
        "panic_access_error",
        "assert_failed_inner",
        "begin_panic",
        "rust_panic",
    ];
    if plain.starts_with("core::panicking::") || plain.starts_with("std::panicking::begin_panic") {
        return true;
    }
    if plain.starts_with("core::slice::") && (plain.contains("fail") || plain.contains("mismatch"))
    {
        return true;
    }
    if plain.starts_with("alloc::vec::") && plain.contains("assert_failed") {
        return true;
    }
    let last = plain.rsplit("::").next().unwrap_or(plain);
    ENDS.contains(&last)
}

/// What Rust prints at such a panic.
pub(super) fn panic_message(name: &str, text: Option<String>) -> String {
    let plain = demangle(name);
    let last = plain.rsplit("::").next().unwrap_or(&plain);
    let operation = |word: &str| match word {
        "add_overflow" => Some("attempt to add with overflow"),
        "sub_overflow" => Some("attempt to subtract with overflow"),
        "mul_overflow" => Some("attempt to multiply with overflow"),
        "div_overflow" => Some("attempt to divide with overflow"),
        "rem_overflow" => Some("attempt to calculate the remainder with overflow"),
        "neg_overflow" => Some("attempt to negate with overflow"),
        "shl_overflow" => Some("attempt to shift left with overflow"),
        "shr_overflow" => Some("attempt to shift right with overflow"),
        "div_by_zero" => Some("attempt to divide by zero"),
        "rem_by_zero" => Some("attempt to calculate the remainder with a divisor of zero"),
        _ => None,
    };
    if let Some(message) = last.strip_prefix("panic_const_").and_then(operation) {
        return message.into();
    }
    match last {
        "panic_bounds_check" => return "index out of bounds".into(),
        "unwrap_failed" if plain.contains("option") => {
            return "called `Option::unwrap()` on a `None` value".into();
        }
        "unwrap_failed" => return "called `Result::unwrap()` on an `Err` value".into(),
        "panic_already_borrowed" => return "RefCell already borrowed".into(),
        "panic_already_mutably_borrowed" => return "RefCell already mutably borrowed".into(),
        "capacity_overflow" => return "capacity overflow".into(),
        _ => {}
    }
    match text {
        Some(text) => text.lines().next().unwrap_or("").to_string(),
        None => format!("panic ({last})"),
    }
}

/// The name as the language writes it.
pub(super) fn demangle(name: &str) -> String {
    if (name.starts_with("_ZN") || name.starts_with("_R"))
        && let Ok(rust) = rustc_demangle::try_demangle(name)
    {
        return format!("{rust:#}");
    }
    if name.starts_with("_Z")
        && let Ok(symbol) = cpp_demangle::Symbol::new(name)
        && let Ok(text) = symbol.demangle()
    {
        return text;
    }
    name.to_string()
}

/// The name that the library and the entry go by.
pub(super) fn source_name(name: &str) -> String {
    let plain = demangle(name);
    // C++ harnesses that forget `extern "C"`, and harnesses of Rust.
    let bare = plain.split('(').next().unwrap_or(&plain);
    if plain.contains("std::thread::_M_start_thread") || plain.contains("std::sys::thread") {
        return "pthread_create".into();
    }
    if bare.starts_with("__VERIFIER_") || matches!(bare, "reach_error" | "assert_fail") {
        return bare.to_string();
    }
    if let Some(ty) = plain
        .strip_prefix("craig::nondet::<")
        .or_else(|| plain.strip_prefix("kani::any::<"))
    {
        return format!("__VERIFIER_nondet_{}", ty.trim_end_matches('>'));
    }
    plain
}

/// Is it a function of a standard library, not of the user?
pub(super) fn is_outside(name: &str) -> bool {
    let plain = demangle(name);
    let path = plain
        .trim_start_matches('<')
        .trim_start_matches("&mut ")
        .trim_start_matches('&');
    [
        "std::",
        "core::",
        "alloc::",
        "__rust",
        "__cxa",
        "_Unwind",
        "operator ",
    ]
    .iter()
    .any(|p| path.starts_with(p))
        || plain.contains(" as core::")
        || plain.contains(" as std::")
        || plain.contains("std::")
}

/// The user's `main` of a Rust program, which its runtime calls.
pub(super) fn rust_main<'t>(module: &Module<'t>) -> Option<&'t str> {
    let main = module
        .functions
        .iter()
        .find(|f| f.name == "main" && !f.blocks.is_empty())?;
    for inst in main.blocks.iter().flat_map(|b| &b.instructions) {
        if let Op::Call(call) = &inst.op
            && let Value::Global(name) = &call.callee
            && name.contains("lang_start")
            && let Some(Value::Global(user)) = call.args.first().map(|a| &a.value)
        {
            return Some(user);
        }
    }
    None
}

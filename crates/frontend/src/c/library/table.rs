//! The table of the library: one row a function. Sema, points-to, lowering and `run` ask this table what
//! a function without a body is.
//!
//! A function is either **built in** (the rows below: what C cannot say, or says only with a loop) or has a
//! **model**, a C function in `models/*.c`. Rows of models are read off their text: the file is the header, the
//! first line has name and result. So adding a function is adding a C function, and no list can forget it.

use super::models;
pub use super::names::{Alias, canonical};
use base::FxHashMap;
use std::sync::OnceLock;

/// What a function of the library is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: &'static str,
    pub header: &'static str,
    pub returns: Returns,
    pub meaning: Meaning,
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A C function of the models says it.
    Model,
    /// Being called is the error, whether or not the function has a body.
    Error,
    /// A failed assertion.
    Failure,
    /// The program ends here without error.
    End,
    /// Control continues elsewhere: no value approximates that.
    Elsewhere,
    /// The condition holds.
    Assume,
    /// The condition must hold.
    Assert,
    /// Evaluates its arguments only.
    Nothing,
    /// Returns new memory of as many bytes as the product of these arguments.
    Allocate {
        size: &'static [usize],
        zero: bool,
        stack: bool,
    },
    Free,
    /// Copies bytes from the second argument to the first, returns the first.
    CopyBytes {
        apart: bool,
    },
    /// Sets bytes of the first argument, returns it.
    SetBytes,
    /// Output, kept for running.
    Print,
    /// A function of numbers (`numbers.rs`), without effects.
    Number,
    /// Its first argument is the result.
    First,
    /// Arithmetic that says whether it overflows (`numbers.rs`).
    Checked {
        op: Arithmetic,
        stores: bool,
    },
}

impl Meaning {
    /// Does it return, read or write what a pointer points to, in a way that the table knows?
    pub fn is_of_memory(self) -> bool {
        matches!(
            self,
            Meaning::Allocate { .. }
                | Meaning::Free
                | Meaning::CopyBytes { .. }
                | Meaning::SetBytes
                | Meaning::Print
                | Meaning::First
                | Meaning::Checked { .. }
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
}

/// The type of a result, for calls without a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Void,
    Bool,
    Int,
    UShort,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    UInt128,
    Size,
    Float,
    Double,
    LongDouble,
    Pointer,
    Text,
    WideText,
    /// Something that only a declaration can say.
    Declared,
}

const fn row(header: &'static str, name: &'static str, returns: Returns, meaning: Meaning) -> Row {
    Row {
        name,
        header,
        returns,
        meaning,
    }
}

/// New memory of the heap.
const fn heap(size: &'static [usize], zero: bool) -> Meaning {
    let stack = false;
    Meaning::Allocate { size, zero, stack }
}

const STACK: Meaning = Meaning::Allocate {
    size: &[0],
    zero: false,
    stack: true,
};

const fn checked(op: Arithmetic, stores: bool) -> Meaning {
    Meaning::Checked { op, stores }
}

/// What is built in. Names that only the compiler knows have its prefix.
#[rustfmt::skip]
const BUILT_IN: &[Row] = {
    use Arithmetic::{Add, Mul, Sub};
    use Meaning::{Assert, Assume, CopyBytes, Elsewhere, End, Error, Failure, First, Free, Nothing, Number, Print, SetBytes};
    use Returns::{Bool, Double, Float, Int, Long, LongDouble, LongLong, Pointer, Size, Void};
    &[
    row("verifier", "reach_error", Void, Error),
    row("verifier", "__VERIFIER_error", Void, Error),
    row("verifier", "__VERIFIER_assume", Void, Assume),
    row("verifier", "__VERIFIER_assert", Void, Assert),
    row("verifier", "__VERIFIER_check", Void, Assert),
    row("verifier", "__VERIFIER_atomic_begin", Void, Nothing),
    row("verifier", "__VERIFIER_atomic_end", Void, Nothing),

    row("assert.h", "assert", Void, Assert),
    row("assert.h", "__assert_fail", Void, Failure),
    row("assert.h", "__assert", Void, Failure),
    row("assert.h", "__assert_rtn", Void, Failure),
    row("assert.h", "__assert_perror_fail", Void, Failure),
    row("assert.h", "__assert_func", Void, Failure),

    row("stdlib.h", "abort", Void, End),
    row("stdlib.h", "_Exit", Void, End),
    row("stdlib.h", "exit", Void, End),
    row("stdlib.h", "quick_exit", Void, End),
    row("pthread.h", "pthread_exit", Void, End),
    row("threads.h", "thrd_exit", Void, End),
    row("unistd.h", "_exit", Void, End),
    row("gcc", "__builtin_trap", Void, End),
    row("gcc", "__builtin_unreachable", Void, End),

    row("setjmp.h", "setjmp", Int, Elsewhere),
    row("setjmp.h", "_setjmp", Int, Elsewhere),
    row("setjmp.h", "__sigsetjmp", Int, Elsewhere),
    row("setjmp.h", "sigsetjmp", Int, Elsewhere),
    row("setjmp.h", "longjmp", Void, Elsewhere),
    row("setjmp.h", "_longjmp", Void, Elsewhere),
    row("setjmp.h", "siglongjmp", Void, Elsewhere),
    row("gcc", "__builtin_setjmp", Int, Elsewhere),
    row("gcc", "__builtin_longjmp", Void, Elsewhere),
    row("sched.h", "clone", Int, Elsewhere),
    row("pthread.h", "pthread_create", Int, Elsewhere),
    row("threads.h", "thrd_create", Int, Elsewhere),
    row("ucontext.h", "getcontext", Int, Elsewhere),
    row("ucontext.h", "setcontext", Int, Elsewhere),
    row("ucontext.h", "makecontext", Void, Elsewhere),
    row("ucontext.h", "swapcontext", Int, Elsewhere),

    row("stdlib.h", "malloc", Pointer, heap(&[0], false)),
    row("stdlib.h", "valloc", Pointer, heap(&[0], false)),
    row("stdlib.h", "pvalloc", Pointer, heap(&[0], false)),
    row("stdlib.h", "calloc", Pointer, heap(&[0, 1], true)),
    row("stdlib.h", "memalign", Pointer, heap(&[1], false)),
    row("stdlib.h", "aligned_alloc", Pointer, heap(&[1], false)),
    row("stdlib.h", "alloca", Pointer, STACK),
    row("gcc", "__builtin_alloca_with_align", Pointer, STACK),
    row("gcc", "__builtin_alloca_with_align_and_max", Pointer, STACK),
    row("stdlib.h", "free", Void, Free),
    row("stdlib.h", "cfree", Void, Free),
    row("usual", "xmalloc", Pointer, heap(&[0], false)),
    row("usual", "xzalloc", Pointer, heap(&[0], true)),
    row("usual", "xcalloc", Pointer, heap(&[0, 1], true)),
    row("kernel", "kmalloc", Pointer, heap(&[0], false)),
    row("kernel", "__kmalloc", Pointer, heap(&[0], false)),
    row("kernel", "vmalloc", Pointer, heap(&[0], false)),
    row("kernel", "kzalloc", Pointer, heap(&[0], true)),
    row("kernel", "vzalloc", Pointer, heap(&[0], true)),
    row("kernel", "kcalloc", Pointer, heap(&[0, 1], true)),
    row("kernel", "kfree", Void, Free),
    row("kernel", "vfree", Void, Free),

    row("string.h", "memcpy", Pointer, CopyBytes { apart: true }),
    row("string.h", "memmove", Pointer, CopyBytes { apart: false }),
    row("string.h", "memset", Pointer, SetBytes),

    row("stdio.h", "printf", Int, Print),
    row("stdio.h", "fprintf", Int, Print),
    row("stdio.h", "dprintf", Int, Print),
    row("stdio.h", "puts", Int, Print),
    row("stdio.h", "putchar", Int, Print),
    row("stdio.h", "__printf_chk", Int, Print),
    row("stdio.h", "__fprintf_chk", Int, Print),
    row("wchar.h", "wprintf", Int, Print),
    row("wchar.h", "fwprintf", Int, Print),
    row("syslog.h", "syslog", Void, Print),
    row("kernel", "printk", Int, Print),

    row("stdlib.h", "abs", Int, Number),
    row("stdlib.h", "labs", Long, Number),
    row("stdlib.h", "llabs", LongLong, Number),
    row("inttypes.h", "imaxabs", Long, Number),
    row("math.h", "fabs", Double, Number),
    row("math.h", "fabsf", Float, Number),
    row("math.h", "fabsl", LongDouble, Number),
    row("math.h", "sqrt", Double, Number),
    row("math.h", "sqrtf", Float, Number),
    row("math.h", "sqrtl", LongDouble, Number),
    row("math.h", "floor", Double, Number),
    row("math.h", "floorf", Float, Number),
    row("math.h", "floorl", LongDouble, Number),
    row("math.h", "ceil", Double, Number),
    row("math.h", "ceilf", Float, Number),
    row("math.h", "ceill", LongDouble, Number),
    row("math.h", "trunc", Double, Number),
    row("math.h", "truncf", Float, Number),
    row("math.h", "truncl", LongDouble, Number),
    row("math.h", "round", Double, Number),
    row("math.h", "roundf", Float, Number),
    row("math.h", "roundl", LongDouble, Number),
    row("math.h", "fmod", Double, Number),
    row("math.h", "fmodf", Float, Number),
    row("math.h", "fmodl", LongDouble, Number),
    row("math.h", "copysign", Double, Number),
    row("math.h", "copysignf", Float, Number),
    row("math.h", "copysignl", LongDouble, Number),
    row("math.h", "isnan", Int, Number),
    row("math.h", "isnanf", Int, Number),
    row("math.h", "isnanl", Int, Number),
    row("math.h", "__isnan", Int, Number),
    row("math.h", "__isnanf", Int, Number),
    row("math.h", "__isnanl", Int, Number),
    row("math.h", "isinf", Int, Number),
    row("math.h", "isinff", Int, Number),
    row("math.h", "isinfl", Int, Number),
    row("math.h", "__isinf", Int, Number),
    row("math.h", "__isinff", Int, Number),
    row("math.h", "__isinfl", Int, Number),
    row("math.h", "finite", Int, Number),
    row("math.h", "finitef", Int, Number),
    row("math.h", "finitel", Int, Number),
    row("math.h", "__finite", Int, Number),
    row("math.h", "__finitef", Int, Number),
    row("math.h", "__finitel", Int, Number),
    row("math.h", "__signbit", Int, Number),
    row("math.h", "__signbitf", Int, Number),
    row("math.h", "__signbitl", Int, Number),
    row("math.h", "__builtin_signbit", Int, Number),
    row("math.h", "__builtin_signbitf", Int, Number),
    row("math.h", "__builtin_signbitl", Int, Number),
    row("math.h", "__fpclassify", Int, Number),
    row("math.h", "__fpclassifyf", Int, Number),
    row("math.h", "__fpclassifyl", Int, Number),
    row("gcc", "__builtin_fpclassify", Int, Number),
    row("gcc", "__builtin_isinf_sign", Int, Number),
    row("gcc", "__builtin_isfinite", Int, Number),
    row("gcc", "__builtin_isnormal", Int, Number),
    row("gcc", "__builtin_isunordered", Int, Number),
    row("gcc", "__builtin_islessgreater", Int, Number),
    row("gcc", "__builtin_isgreater", Int, Number),
    row("gcc", "__builtin_isgreaterequal", Int, Number),
    row("gcc", "__builtin_isless", Int, Number),
    row("gcc", "__builtin_islessequal", Int, Number),

    row("gcc", "__builtin_expect", Long, First),
    row("gcc", "__builtin_expect_with_probability", Long, First),
    row("gcc", "__builtin_assume_aligned", Pointer, First),
    row("gcc", "__builtin_assume", Void, Assume),
    row("gcc", "__builtin_constant_p", Int, Number),
    row("gcc", "__builtin_object_size", Size, Number),
    row("gcc", "__builtin_dynamic_object_size", Size, Number),
    row("gcc", "__builtin_types_compatible_p", Int, Number),
    row("gcc", "__builtin_prefetch", Void, Nothing),
    row("gcc", "__builtin___clear_cache", Void, Nothing),
    row("gcc", "__clear_cache", Void, Nothing),
    row("gcc", "__builtin_va_start", Void, Nothing),
    row("gcc", "__builtin_va_end", Void, Nothing),
    row("gcc", "__builtin_va_copy", Void, Nothing),
    row("gcc", "__builtin_add_overflow", Bool, checked(Add, true)),
    row("gcc", "__builtin_sub_overflow", Bool, checked(Sub, true)),
    row("gcc", "__builtin_mul_overflow", Bool, checked(Mul, true)),
    row("gcc", "__builtin_add_overflow_p", Bool, checked(Add, false)),
    row("gcc", "__builtin_sub_overflow_p", Bool, checked(Sub, false)),
    row("gcc", "__builtin_mul_overflow_p", Bool, checked(Mul, false)),
    ]
};

fn table() -> &'static FxHashMap<&'static str, Row> {
    static TABLE: OnceLock<FxHashMap<&'static str, Row>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let models = models::functions().iter().map(|r| (r.name, *r));
        models
            .chain(BUILT_IN.iter().map(|r| (r.name, *r)))
            .collect()
    })
}

/// The name of a row, if there is one of just this name.
pub(super) fn known(name: &str) -> Option<&'static str> {
    table().get(name).map(|row| row.name)
}

/// The row of a function, under any name that headers and compilers give it.
pub fn find(name: &str) -> Option<&'static Row> {
    let table = table();
    let (plain, _) = canonical(name);
    let known = |n: &str| table.get(n).filter(|_| !n.starts_with("craig_"));
    known(plain).or_else(|| known(plain.strip_prefix("__builtin_")?))
}

/// What a function does, if the library has it.
pub fn meaning(name: &str) -> Option<Meaning> {
    find(name).map(|r| r.meaning)
}

/// All rows, built in first.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    BUILT_IN.iter().chain(models::functions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_one_row() {
        let mut seen = std::collections::BTreeSet::new();
        for r in rows() {
            assert!(seen.insert(r.name), "`{}` has two rows", r.name);
        }
        assert!(seen.len() > 400, "only {} functions", seen.len());
    }

    #[test]
    fn other_names_lead_to_the_same_row() {
        for (name, plain) in [
            ("__builtin___memcpy_chk", "memcpy"),
            ("__memset_chk", "memset"),
            ("__builtin_strlen", "strlen"),
            ("__isoc99_sscanf", "sscanf"),
            ("__builtin_expect", "__builtin_expect"),
            ("sinf32", "sinf"),
            ("sinf64", "sin"),
            ("sinf32x", "sin"),
            ("sinf64x", "sinl"),
            ("lgammaf32_r", "lgammaf_r"),
            ("strtof64_l", "strtod_l"),
            ("wcstof64x", "wcstold"),
            ("strfromf32", "strfromf"),
        ] {
            let found = find(name).map(|r| r.name);
            assert_eq!(found, Some(plain), "`{name}`");
        }
        assert_eq!(meaning("expect"), None);
        assert_eq!(meaning("strlen"), Some(Meaning::Model));
    }
}

//! What extern functions do to memory, by name: shared by the points-to analysis and the lowering,
//! so that the two cannot disagree.

/// The memory behaviour of a function without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Returns new memory of `size` bytes (product of these arguments), zeroed or not.
    Allocate {
        size: &'static [usize],
        zero: bool,
    },
    /// New memory with the old content.
    Reallocate,
    Free,
    /// Copies bytes from the second argument to the first, returns the first.
    CopyBytes,
    /// Sets bytes of the first argument, returns it.
    SetBytes,
    /// Copies a string from the second argument to the first, returns the first.
    CopyString,
    /// Appends a string.
    AppendString,
    /// Reads strings in its pointer arguments, returns a number.
    ReadString,
    /// Returns a pointer into its first argument.
    PointerIntoFirst,
    /// New memory holding a copy of the string.
    Duplicate,
    /// Writes through all pointer arguments after the first.
    Scan,
    /// Writes characters to its first argument and returns a pointer into it.
    WriteIntoFirst,
    /// Writes through its pointer arguments.
    Write,
    /// Calls functions of the program, or puts pointers where its arguments point.
    Elsewhere,
    /// Output only.
    Print,
    /// Returns any value; memory is not touched.
    Unknown,
}

/// The effect of the function of this name (GNU builtins without their prefix).
pub fn effect(name: &str) -> Effect {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__builtin___").unwrap_or(name);
    let name = name.strip_prefix("__").map_or(name, |n| match n {
        "memcpy" | "memset" | "memmove" | "strcpy" | "strlen" | "kmalloc" | "vmalloc" => n,
        _ => name,
    });
    match name {
        "malloc" | "alloca" | "valloc" | "vmalloc" | "xmalloc" | "alloca_with_align"
        | "kmalloc" | "__kmalloc" => Effect::Allocate {
            size: &[0],
            zero: false,
        },
        "kzalloc" | "vzalloc" | "xzalloc" => Effect::Allocate {
            size: &[0],
            zero: true,
        },
        "calloc" | "kcalloc" | "xcalloc" => Effect::Allocate {
            size: &[0, 1],
            zero: true,
        },
        "memalign" | "aligned_alloc" => Effect::Allocate {
            size: &[1],
            zero: false,
        },
        "realloc" | "xrealloc" | "krealloc" => Effect::Reallocate,
        "free" | "kfree" | "vfree" | "cfree" => Effect::Free,
        "memcpy" | "memmove" | "bcopy_to" => Effect::CopyBytes,
        "memset" => Effect::SetBytes,
        "strcpy" | "strncpy" | "stpcpy" => Effect::CopyString,
        "strcat" | "strncat" => Effect::AppendString,
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "memcmp" | "strcasecmp" | "strncasecmp"
        | "atoi" | "atol" | "atoll" | "atof" | "strspn" | "strcspn" => Effect::ReadString,
        "strchr" | "strrchr" | "strstr" | "memchr" | "strpbrk" | "index" | "rindex"
        | "strchrnul" => Effect::PointerIntoFirst,
        "strdup" | "xstrdup" | "strndup" | "kstrdup" => Effect::Duplicate,
        "scanf" | "fscanf" | "sscanf" | "__isoc99_scanf" | "__isoc99_fscanf"
        | "__isoc99_sscanf" => Effect::Scan,
        "fgets" | "gets" | "fgets_unlocked" | "strtok" | "getcwd" => Effect::WriteIntoFirst,
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "read" | "pread" | "fread" | "recv"
        | "recvfrom" | "time" | "gettimeofday" | "clock_gettime" | "stat" | "fstat" | "lstat"
        | "localtime_r" | "gmtime_r" | "strftime" | "frexp" | "modf" | "pipe" | "bzero"
        | "getrusage" | "sscanf_s" | "strlcpy" | "strlcat" | "swab" => Effect::Write,
        "qsort" | "qsort_r" | "bsearch" | "atexit" | "on_exit" | "at_quick_exit" | "signal"
        | "sigaction" | "lfind" | "lsearch" | "tsearch" | "tfind" | "twalk" | "ftw" | "nftw"
        | "scandir" | "pthread_once" | "call_once" | "strsep" | "strtok_r" | "getline"
        | "getdelim" | "asprintf" | "vasprintf" | "getopt" | "getopt_long" | "mempcpy"
        | "memccpy" | "bcopy" | "posix_memalign" => Effect::Elsewhere,
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold"
        | "strtoimax" | "strtoumax" => Effect::Elsewhere,
        "printf" | "puts" | "putchar" | "fprintf" | "putc" | "fputc" | "fputs" | "printk"
        | "vprintf" | "perror" | "fflush" => Effect::Print,
        _ => Effect::Unknown,
    }
}

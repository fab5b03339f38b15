//! The models of the C library against the real one: programs with random calls are compiled and
//! run, and run by `craig run`; what they print must be the same.
//!
//! Strings and numbers are short and of few different characters, so that calls meet: prefixes,
//! equal strings, empty ones, numbers at the ends of their ranges.
#![allow(clippy::unwrap_used)]

#[path = "library/answers.rs"]
mod answers;
mod common;
#[path = "library/coverage.rs"]
mod coverage;
#[path = "library/inputs.rs"]
mod inputs;
#[path = "library/more.rs"]
mod more;
#[path = "library/preconditions.rs"]
mod preconditions;
#[path = "library/twins.rs"]
mod twins;

use common::skipped;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Calls in one program.
const CALLS: usize = 120;

/// What calls are made of.
struct Random(base::Random);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn text(&mut self, letters: &str, most: u64) -> String {
        let n = self.below(most + 1);
        let all: Vec<char> = letters.chars().collect();
        (0..n)
            .map(|_| all[self.below(all.len() as u64) as usize])
            .collect()
    }

    fn float(&mut self) -> String {
        match self.below(8) {
            0 => "-0.0".into(),
            1 => "1e-7".into(),
            2 => format!("{}.5", self.below(20)),
            3 => format!("-{}.5", self.below(20)),
            4 => "123456789012.0".into(),
            _ => format!("{:.3}", self.below(200_000) as f64 / 997.0 - 100.0),
        }
    }

    /// Numbers with dots between them, most of them what `inet_aton` reads.
    fn address(&mut self) -> String {
        let parts = 1 + self.below(4) + self.below(8) / 7;
        let part = |r: &mut Self| match r.below(9) {
            0 => format!("0x{:x}", r.below(300)),
            1 => format!("0{}", r.text("01789", 3)),
            2 => r.text("x1a ", 2),
            3 => format!("{}", r.below(1 << 33)),
            _ => format!("{}", r.below(270)),
        };
        let all: Vec<String> = (0..parts).map(|_| part(self)).collect();
        let end = ["", "", "", "", "", " ", ".", "x"][self.below(8) as usize];
        all.join(".") + end
    }

    /// Words with colons between them, some of them empty, perhaps four numbers at the end.
    fn long_address(&mut self) -> String {
        let parts = [8, 8, 1 + self.below(9), 1 + self.below(9)][self.below(4) as usize];
        let part = |r: &mut Self| match r.below(8) {
            0 => String::new(),
            1 | 2 => "0".into(),
            3 => "ffff".into(),
            _ => r.text("0019afBg", 4),
        };
        let mut all: Vec<String> = (0..parts).map(|_| part(self)).collect();
        if self.below(4) == 0 {
            all.truncate(6);
            all.push(self.address());
        }
        let start = ["", "", "::", "::", "::ffff:", ":"][self.below(6) as usize];
        start.to_owned() + &all.join(":") + ["", "", "", "::"][self.below(4) as usize]
    }

    fn number(&mut self) -> String {
        match self.below(6) {
            0 => "2147483647".into(),
            1 => "(-2147483647 - 1)".into(),
            2 => "0".into(),
            3 => format!("-{}", self.below(1000)),
            _ => format!("{}", self.below(100_000)),
        }
    }
}

/// Programs of the same seed are the same; `CRAIG_CAMPAIGN=N` runs N of each kind.
fn campaign(usual: u64) -> u64 {
    let more = std::env::var("CRAIG_CAMPAIGN").ok();
    more.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Templates of calls: S and T are strings, D is a number as text, N an int, C a character, K a
/// small length, F a float, E a float as text, A and A6 addresses of the net as texts, W a wide
/// string, V a wide number.
const STRING: &[&str] = &[
    "SIGN(strcmp(S, T))",
    "SIGN(strncmp(S, T, K))",
    "SIGN(strcasecmp(S, T))",
    "SIGN(strncasecmp(S, T, K))",
    "(long)strlen(S)",
    "(long)strnlen(S, K)",
    "(long)strspn(S, T)",
    "(long)strcspn(S, T)",
    "AT(p = S, strchr(p, C))",
    "AT(p = S, strrchr(p, C))",
    "AT(p = S, strstr(p, T))",
    "AT(p = S, strpbrk(p, T))",
    "AT(p = \"abcabcabc\", memchr(p, C, 9))",
    "(strcpy(b, S), strcat(b, T), SHOW)",
    "(memset(b, 'x', 20), b[20] = 0, strncpy(b, S, K), SHOW)",
    "(strcpy(b, S), strncat(b, T, K), SHOW)",
    "(long)(stpcpy(b, S) - b)",
    "(strcpy(b, S), p = strtok(b, \" a\"), p ? (puts(p), 1L) : 0L)",
    "(strcpy(b, S), p = b, q = strsep(&p, \" a\"), puts(q), p ? (long)(p - b) : -1L)",
    "(memset(b, 'x', 20), b[20] = 0, (long)(stpncpy(b, S, K) - b))",
    "AT(p = \"abcabcabc\", memmem(p, 9, T, strlen(T)))",
    "AT(p = \"abcabcabc\", memrchr(p, C, 9))",
    "(memset(b, 0, 20), memccpy(b, \"abcabc\", C, 6), SHOW)",
    "SIGN(memcmp(S \"0000000\", T \"0000000\", K))",
    "(memset(b, 0, 20), swab(\"abcdef\", b, 6), SHOW)",
    "(p = strdup(S), n = strlen(p), free(p), (long)n)",
    "(p = strndup(S, K), puts(p), free(p), 0L)",
    "AT(p = S, strchrnul(p, C))",
    "AT(p = S, strcasestr(p, T))",
    "SIGN(strcoll(S, T))",
    "SIGN(strverscmp(S, T))",
    "(strcpy(b, S), n = strlen(b), memfrob(b, n), b[0] * 7L + b[n / 2])",
    "a64l(S)",
    "(strcpy(b, l64a(N)), SHOW)",
    "(p = malloc(8), strcpy(p, S), p = realloc(p, 8 + K), n = strlen(p), free(p), (long)n)",
    "(strcpy(b, \"aa=5,bb,cc\"), p = b, n = getsubopt(&p, (char *const[]){\"aa\", \"bb\", 0}, &q), n + (q ? *q : 0) + 7L * (p - b))",
    "rpmatch(S)",
];
const CLASS: &[&str] = &[
    "!!isalpha(C)",
    "!!isdigit(C)",
    "!!isalnum(C)",
    "!!isspace(C)",
    "!!isupper(C)",
    "!!islower(C)",
    "!!ispunct(C)",
    "!!isprint(C)",
    "!!isgraph(C)",
    "!!iscntrl(C)",
    "!!isxdigit(C)",
    "!!isblank(C)",
    "toupper(C)",
    "tolower(C)",
];
const CONVERT: &[&str] = &[
    "atoi(D)",
    "atol(D)",
    "strtol(D, 0, 10)",
    "strtol(D, 0, 0)",
    "(long)strtoul(D, 0, 16)",
    "AT(p = D, (strtol(p, &q, 10), q))",
    "abs(N / 2)",
    "ffs(N)",
    "__builtin_popcount(N)",
    "__builtin_clz(N | 1)",
    "__builtin_ctz(N | 4096)",
    "__builtin_parity(N)",
    "(long)__builtin_bswap32(N)",
    "strtoll(D, 0, 10)",
    "(long)strtoull(D, 0, 10)",
    "strtol(D, 0, 36)",
    "ffsl(N)",
    "__builtin_clrsb(N)",
    "(long)__builtin_bswap64(N)",
    "(m = __builtin_add_overflow(N, N, &n), m * 3L + n)",
    "(m = __builtin_sub_overflow(N, N, &n), m * 3L + n)",
    "(m = __builtin_mul_overflow(N, N, &n), m * 3L + n)",
    "(m = __builtin_sadd_overflow(N, N, &n), m * 3L + n)",
    "__builtin_add_overflow_p(N, N, (short)0)",
    "(n = N, __sync_fetch_and_add(&n, 5), (long)n)",
    "(n = N, __atomic_nand_fetch(&n, N, 5) + 0L)",
    "(n = 3, m = N, __sync_val_compare_and_swap(&n, 3, m) + 7L * n)",
    "div(N, 7).rem",
    "ldiv(N, 9).quot",
    "lldiv(N, -3).rem",
    "(a[0] = N, a[1] = N, a[2] = N, a[3] = N, qsort(a, 4, sizeof(int), order), a[0] * 3L + a[2])",
    "(a[0] = 1, a[1] = 5, a[2] = 9, n = K, (long)!!bsearch(&n, a, 3, sizeof(int), order))",
    "(srand(K), rand() + 0L)",
    "(a[0] = K, a[1] = K, root = 0, tsearch(a, &root, order), tsearch(a + 1, &root, order), n = K, p = tfind(&n, &root, order), p ? **(int **)p : -1L)",
    "(long)__builtin_object_size(b + 0, 0) * 0 + (long)__builtin_object_size(&a[1], 1)",
    "wcwidth(C)",
    "(setenv(\"CRAIG_T\", S, 1), (long)strlen(getenv(\"CRAIG_T\")))",
];
const FLOAT: &[&str] = &[
    "(long)floor(F)",
    "(long)ceil(F)",
    "(long)round(F)",
    "(long)trunc(F)",
    "(long)rint(F)",
    "(long)floorf(F)",
    "lround(F)",
    "lrint(F)",
    "(long)(fmod(F, 3.5) * 1000)",
    "(long)(sqrt(fabs(F)) * 1e6)",
    "(long)(sqrtf(fabsf(F)) * 1e3)",
    "!!isnan(F)",
    "!!signbit(F)",
    "!!isfinite(F) + 2 * !!isinf(F) + 4 * !!isnormal(F)",
    "fpclassify(F)",
    "isgreater(F, F) + 2 * isless(F, F) + 4 * isunordered(F, F)",
    "(long)(copysign(F, F) * 100)",
    "(long)(fmax(F, F) * 100)",
    "(long)(fdim(F, F) * 100)",
    "(long)(modf(F, &x) * 1000)",
    "(long)pow(K, K)",
    "(long)pow(-K, K)",
    "(x = frexp(F, &n), (long)(x * 1e9) + n)",
    "(x = frexpf(F, &n), (long)(x * 1e6) + n)",
    "(long)(ldexp(F, K - 3) * 1000)",
    "(ldexp(F, -1000) < 1e-290) + (long)(scalbn(F, K))",
    "(long)(remainder(F, 3.5) * 1000)",
    "(long)(remainder(F, 0.75) * 1000)",
    "(long)roundeven(F)",
    "(sincos(0.0, &x, &y), (long)(x * 3 + y * 5))",
    "(long)(exp(0.0) + log(1.0) + cos(0.0) + cbrt(0.0))",
    "(x = strtod(E, 0), x > -1e9 && x < 1e9 ? (long)(x * 1000) : -1L)",
    "AT(p = E, (strtod(p, &q), q))",
    "(x = atof(E), x > -1e9 && x < 1e9 ? (long)(x * 1e6) : -1L)",
    "(x = strtof(E, 0), x > -1e9 && x < 1e9 ? (long)(x * 100) : -1L)",
    "(n = sscanf(E, \"%lf\", &x), n == 1 && x > -1e9 && x < 1e9 ? (long)(x * 100) : -7L)",
];
const WIDE: &[&str] = &[
    "(long)wcslen(W)",
    "SIGN(wcscmp(W, W))",
    "SIGN(wcsncmp(W, W, K))",
    "(long)wcsspn(W, W)",
    "(wcscpy(w, W), wcscat(w, W), (long)wcslen(w))",
    "(wcsncpy(w, W, 9), w[9] = 0, (long)wcslen(w))",
    "(u = W, v = wcschr(u, C), v ? (long)(v - u) : -1L)",
    "(u = W, v = wcsstr(u, W), v ? (long)(v - u) : -1L)",
    "wcstol(V, 0, 10)",
    "(long)wcstoul(V, 0, 0)",
    "(long)(wcstod(V, 0) * 100)",
    "(swprintf(w, 40, L\"%d|%ls|%5d\", N, W, N), (long)wcslen(w) + w[2])",
    "(wmemset(w, L'x', 8), w[8] = 0, (long)(wcslen(w) + w[7]))",
    "!!iswalpha(C) + 2 * !!iswspace(C) + 4 * !!iswctype(C, wctype(\"punct\"))",
    "(long)towupper(C)",
    "(long)mbstowcs(w, S, 30)",
    "(long)wcstombs(b, W, 30)",
];
const RUN_TIME: &[&str] = &[
    "(put(60, \"%d|%u|%x|%5d|%-6d|\", N, N, N, N, N), SHOW)",
    "(put(60, \"%+d|%08d|%.3d|%#o|% d\", N, N, N, N, N), SHOW)",
    "(put(K, \"%s-%c\", S, 65), K)",
    "put(60, \"%5s|%-5s|%.2s|%*d|%-*d%%\", S, S, S, K, N, K, N)",
    "(put(60, \"%ld|%hhd|%hu|%llx\", (long)N, N, N, (long long)N), SHOW)",
    "(put(120, \"%f|%.2f|%e|%g\", F, F, F, F), SHOW)",
    "(put(120, \"%10.3f|%-12g|%+.1e|%G\", F, F, F, F), SHOW)",
    "(sprintf(b, \"%.3f %g\", F, F), SHOW)",
    "(n = asprintf(&p, \"%s:%d\", S, N), puts(p), free(p), (long)n)",
    "(n = m = 0, b[0] = 0, sscanf(S, \"%9[abc]%n\", b, &n), puts(b), (long)n)",
    "(b[0] = 0, sscanf(S, \" %*[^ab]%8s\", b), SHOW)",
    "(n = 0, sscanf(D, \"%i\", &n), (long)n)",
    "(n = 0, sscanf(D, \"%3d%n\", &m, &n), (long)n)",
    "(n = m = -1, b[0] = 0, scan(S, \"%8[a-c]%n %d\", b, &n, &m) * 100L + n + m)",
    "(n = m = -1, b[0] = b[1] = b[2] = 1, scan(S, \"%3c%n\", b, &n) * 100L + n + b[2])",
    "(n = -1, m = 5, scan(D, \"%i %*d%hhn%hn\", &n, &m, &m), n + m)",
    "(x = 0, n = scan(E, \"%lf\", &x), n == 1 && x > -1e9 && x < 1e9 ? (long)(x * 100) : -7L)",
];
const FORMAT: &[&str] = &[
    "(snprintf(b, 40, \"%d|%u|%x\", N, N, N), SHOW)",
    "(snprintf(b, K, \"%s-%c\", S, C), SHOW)",
    "snprintf(b, K, \"%5d%-6d|%+d\", N, N, N)",
    "(sprintf(b, \"%08d %.3d %o\", N, N, N), SHOW)",
    "(sprintf(b, \"%#x %5s %-5s|\", N, S, T), SHOW)",
    "(sprintf(b, \"%.2s%ld%%\", S, (long)N), SHOW)",
    "(n = m = 0, sscanf(D, \"%d%n\", &n, &m), (long)n)",
    "(n = 0, b[0] = 0, sscanf(S, \"%9s %d\", b, &n) * 100L + n)",
    "(n = m = -1, sprintf(b, \"%d%hhn%hn%d\", N, &n, &m, N), n * 1000L + m)",
    "(n = sscanf(\"99999999999999999999\", \"%d\", &m), n * 10L + m)",
    "(m = 0, n = sscanf(D, \"%u\", &m), n * 10L + m)",
    "(w[1] = 0, n = sscanf(S, \"%3ls\", w), n == 1 ? (long)(w[0] + w[1]) : n)",
    "(b[2] = 7, n = sscanf(S, \"%3c\", b), n + b[2])",
    "(n = sscanf(S, \"%*c%%%d\", &m), (long)n)",
];

fn call(random: &mut Random, template: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let letters = "abcA 1-";
    for c in template.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        match word.as_str() {
            "S" | "T" => {
                let _ = write!(out, "\"{}\"", random.text(letters, 7));
            }
            "D" => {
                let _ = write!(out, "\"{}\"", random.text(" -+0123456789xa", 9));
            }
            "N" => out.push_str(&random.number()),
            "C" => {
                let _ = write!(out, "{}", random.below(128));
            }
            "K" => {
                let _ = write!(out, "{}", random.below(9));
            }
            "F" => out.push_str(&random.float()),
            "E" => {
                let _ = write!(out, "\"{}\"", random.text(" -+0123456789.eE", 8));
            }
            "A" => {
                let _ = write!(out, "\"{}\"", random.address());
            }
            "A6" => {
                let _ = write!(out, "\"{}\"", random.long_address());
            }
            "W" => {
                let _ = write!(out, "L\"{}\"", random.text(letters, 7));
            }
            "V" => {
                let _ = write!(out, "L\"{}\"", random.text(" -0123456789x", 8));
            }
            other => out.push_str(other),
        }
        word.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

/// A program whose `main` does what is said, with what the calls of the templates need.
fn frame(declared: &str, body: &str) -> String {
    let mut out = String::from(
        "#define _GNU_SOURCE\n#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <stdarg.h>\n#include <search.h>\n#include <string.h>\n#include <strings.h>\n#include <unistd.h>\n#include <wchar.h>\n#include <wctype.h>\n",
    );
    out.push_str(declared);
    out.push_str(
        "extern void reach_error(void);\n#define SIGN(x) ((x) < 0 ? -1L : (x) > 0 ? 1L : 0L)\n\
         #define AT(set, found) (set, (q = (char *)(found)) ? (long)(q - p) : -1L)\n\
         #define SHOW (puts(b), 0L)\n\
         static char b[128];\nstatic wchar_t w[64];\nstatic int a[4];\nstatic void *root;\n\
         static int order(const void *p, const void *q) { int x = *(const int *)p, y = *(const int *)q; return x < y ? -1 : x > y; }\n\
         static int put(size_t n, const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vsnprintf(b, n, f, ap); va_end(ap); return r; }\n\
         static int scan(const char *s, const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vsscanf(s, f, ap); va_end(ap); return r; }\n\
         int main(void) {\n  char *p, *q;\n  const wchar_t *u, *v;\n  int n, m;\n  double x, y;\n  p = q = b; n = m = 0; u = v = w; x = y = 0;\n",
    );
    if !declared.is_empty() {
        out.push_str("  loc = newlocale(LC_ALL_MASK, \"C\", 0);\n");
    }
    out.push_str(body);
    out.push_str("  return 0;\n}\n");
    out
}

fn driver(random: &mut Random, templates: &[&str], declared: &str) -> String {
    let mut body = String::new();
    for _ in 0..CALLS {
        let template = templates[random.below(templates.len() as u64) as usize];
        let call = call(random, template);
        let _ = writeln!(body, "  printf(\"%ld\\n\", (long)({call}));");
    }
    frame(declared, &body)
}

/// The first line on which the two outputs differ, with the call.
fn difference(text: &str, real: &str, model: &str) -> Option<String> {
    let (mut a, mut b) = (real.lines(), model.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (a.next(), b.next()) {
            (None, None) => return None,
            (x, y) if x == y => {}
            (x, y) => {
                return Some(format!(
                    "output line {number}: real {x:?}, model {y:?}\n{text}"
                ));
            }
        }
    }
}

fn built(source: &Path, program: &Path) -> bool {
    let built = Command::new("cc")
        .args(["-w", "-fno-builtin", "-o"])
        .arg(program)
        .arg(source)
        .args(["-lm", "-lcrypt", "-lresolv"])
        .status()
        .is_ok_and(|s| s.success());
    if !built {
        skipped("cc cannot build the driver");
    }
    built
}

fn agree(name: &str, templates: &[&str], programs: u64) {
    agree_with(name, templates, programs, "");
}

fn agree_with(name: &str, templates: &[&str], programs: u64, declared: &str) {
    let folder = std::env::temp_dir().join(format!("craig-library-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 0..campaign(programs) {
        let text = driver(
            &mut Random(base::Random::new(seed * 7919 + 1)),
            templates,
            declared,
        );
        let (source, program) = (folder.join("driver.c"), folder.join("driver"));
        std::fs::write(&source, &text).unwrap();
        if !built(&source, &program) {
            return;
        }
        let real = Command::new(&program).output().unwrap();
        let model = Command::new(Path::new(env!("CARGO_BIN_EXE_craig")))
            .arg("run")
            .arg(&source)
            .output()
            .unwrap();
        let shown = |o: &std::process::Output| String::from_utf8_lossy(&o.stdout).into_owned();
        if let Some(found) = difference(&text, &shown(&real), &shown(&model)) {
            let errors = String::from_utf8_lossy(&model.stderr).into_owned();
            panic!("{name}, seed {seed}: {found}\n{errors}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn strings() {
    agree("string", STRING, 6);
}

#[test]
fn classes() {
    agree("ctype", CLASS, 4);
}

#[test]
fn conversions() {
    agree("stdlib", CONVERT, 5);
}

#[test]
fn formats() {
    agree("stdio", FORMAT, 5);
}

#[test]
fn floats() {
    agree("math", FLOAT, 4);
}

#[test]
fn wide_strings() {
    agree("wchar", WIDE, 3);
}

#[test]
fn formats_at_run_time() {
    agree("stdarg", RUN_TIME, 4);
}

#[test]
fn rarer_texts() {
    agree_with("text", more::TEXT, 4, more::DECLARED);
}

#[test]
fn all_floats() {
    let templates = more::reals();
    let templates: Vec<&str> = templates.iter().map(String::as_str).collect();
    agree_with("reals", &templates, 4, more::DECLARED);
}

#[test]
fn one_thread() {
    agree_with("thread", more::ALONE, 2, more::DECLARED);
}

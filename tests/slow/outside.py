#!/usr/bin/env python3
"""Random programs over the C library and the program's inputs, against all their executions: CRAIG COUNT SEED [KINDS [BLOCKS]]

Each program reads a text (command line, environment, standard input, a file) and a number, goes on if they are among a
few, and does what some of twins/blocks.txt say ($X a result, $A $B buffers with strings, $S $T strings, $N 0…7, $E any
number, $C a character). gcc with sanitisers runs it on all of its inputs, so all values of the result are known. KINDS
is a subset of `umo`: the safe twin claims that the result is one of them (u), indexes an array that is just large enough (m),
adds what just fits (o); the unsafe one is off by one. With `r` alone `craig run` must give the same results instead, or say that it does not know. BLOCKS is a pattern for a block that each program has. WRONG verdicts are
printed, counted and kept as /tmp/craig-outside-*.c; unknown is forgiven, and counted for each block."""
import collections, os, random, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """#define _GNU_SOURCE
#include <alloca.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
"""
# Functions that blocks use; a program has those whose name it says.
HELPERS = {
    "by_int": "static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }",
    "by_text": "static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }",
    "pair": "struct pair { int first, second; };",
    "by_first": "static int by_first(const void *a, const void *b) { return ((const struct pair *)a)->first - ((const struct pair *)b)->first; }",
    "swap": "static struct pair swap(struct pair p) { return (struct pair){p.second, p.first}; }",
    "sum_of": "static int sum_of(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s = s * 2 + va_arg(l, int); va_end(l); return s; }",
    "put": "static int put(char *to, size_t n, const char *f, ...) { va_list l; va_start(l, f); int k = vsnprintf(to, n, f, l); va_end(l); return k; }",
    "last_of": "static long walk_of(const char *f, va_list l) { long r = 0; for (; *f; f++) switch (*f) { case 'i': r = va_arg(l, int); break; case 's': r += strlen(va_arg(l, char *)); break; default: r = r * 3 + va_arg(l, long); } return r; }\n"
               "static long last_of(const char *f, ...) { va_list l, m; va_start(l, f); va_copy(m, l); long r = walk_of(f, l); r += va_arg(m, int); va_end(m); va_end(l); return r; }",
    "op_t": "typedef int (*op_t)(int, int);\nstatic int op_add(int a, int b) { return a + b; }\nstatic int op_sub(int a, int b) { return a - b; }\nstatic int op_mul(int a, int b) { return a * b; }",
    "on_signal": "static volatile sig_atomic_t caught;\nstatic void on_signal(int s) { caught = s; }",
    "fib": "static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }",
    "gcd": "static int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }",
}
TEXTS = ["", "a", "b", "ab", "12", "-3", "a=1", "b1-2", " 7", "0x1f", "aab", "1 2", "1.5", "abcabc", "A", "x y z", "99", "-a", "=", "12ab", "ba", "-b"]
NUMBERS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 31, 40, 63, 64, 100, 127, 128, 200, 255, 256, 300, -1, -2, -3, -7, -8, -40, -128, -129]
# How the text comes in: the kind of outside, and C that fills `in` or returns.
READS = [
    ("argv", "if (argc != 2 || strlen(argv[1]) >= sizeof in) return 0;\n  strcpy(in, argv[1]);"),
    ("argv", "for (int i_ = 1; i_ < argc; i_++) if (strlen(argv[i_]) < sizeof in) strcpy(in, argv[i_]);\n  if (argc != 2) return 0;"),
    ("argv", "if (argc < 2) { fprintf(stderr, \"usage: %s text\\n\", argv[0]); return 1; }\n  snprintf(in, sizeof in, \"%s\", argv[1]);"),
    ("env", "char *e_ = getenv(\"CRAIG_X\");\n  if (!e_ || strlen(e_) > 15) return 0;\n  strcpy(in, e_);"),
    ("env", "if (getenv(\"CRAIG_X\") == NULL) return 0;\n  strncpy(in, getenv(\"CRAIG_X\"), sizeof in - 1);\n  in[sizeof in - 1] = '\\0';"),
    ("line", "if (fgets(in, sizeof in, stdin) == NULL) return 0;\n  in[strcspn(in, \"\\n\")] = '\\0';"),
    ("line", "if (!fgets(in, 16, stdin)) return 0;\n  { size_t n_ = strlen(in); if (n_ > 0 && in[n_ - 1] == '\\n') in[n_ - 1] = 0; }"),
    ("line", "int c_; size_t n_ = 0;\n  while ((c_ = getchar()) != EOF && c_ != '\\n' && n_ < sizeof in - 1) in[n_++] = (char)c_;\n  in[n_] = 0;"),
    ("line", "if (scanf(\"%15s\", in) != 1) return 0;"),
    ("line", "if (scanf(\" %15[^\\n]\", in) != 1) return 0;"),
    ("line", "char *l_ = NULL; size_t z_ = 0; ssize_t g_ = getline(&l_, &z_, stdin);\n  if (g_ <= 0 || g_ > 15) { free(l_); return 0; }\n  memcpy(in, l_, g_); free(l_);\n  if (in[g_ - 1] == '\\n') in[g_ - 1] = 0;"),
    ("text", "size_t n_ = fread(in, 1, sizeof in - 1, stdin);\n  in[n_] = '\\0';"),
    ("text", "ssize_t n_ = read(0, in, sizeof in - 1);\n  if (n_ < 0) return 0;\n  in[n_] = '\\0';"),
    ("file", "FILE *f_ = fopen(\"data.txt\", \"r\");\n  if (!f_) return 0;\n  if (!fgets(in, sizeof in, f_)) { fclose(f_); return 0; }\n  fclose(f_);\n  in[strcspn(in, \"\\n\")] = 0;"),
    ("file", "FILE *f_ = fopen(\"data.txt\", \"r\"); int c_; size_t n_ = 0;\n  if (f_ == NULL) { perror(\"data.txt\"); exit(1); }\n  while (n_ < 15 && (c_ = fgetc(f_)) != EOF && c_ != '\\n') in[n_++] = c_;\n  fclose(f_);"),
    ("words", "static const char *const words_[] = {%s};\n  int k_ = __VERIFIER_nondet_int();\n  if (k_ < 0 || k_ >= (int)(sizeof words_ / sizeof *words_)) return 0;\n  strcpy(in, words_[k_]);"),
    ("fixed", "strcpy(in, %s);"),
]
DRIVER = r"""
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
void reach_error(void) { _exit(77); }
int __VERIFIER_nondet_int(void) { static int at; static const char *const names[] = {"V0", "V1", "V2"}; return atoi(getenv(names[at++])); }
"""


def quoted(text):
    return '"' + text + '"'


class Sample:
    """A program before its last statement, its inputs, and how each of them is given to it."""

    def __init__(self, seed, blocks, pattern):
        self.r = r = random.Random(f"outside/{seed}")
        self.way, self.read = r.choice(READS)
        self.texts = r.sample(TEXTS, 1 if self.way == "fixed" else r.randrange(1, 5))
        self.numbers = sorted(r.sample(NUMBERS, r.choice([1, 2, 2, 3])))
        if r.random() < 0.3:
            low = r.choice([0, 0, 1, -2])
            self.numbers = list(range(low, low + r.randrange(2, 6)))
        chosen = [b for b in range(len(blocks)) if re.search(pattern, blocks[b])]
        self.blocks = [r.choice(chosen)] + [r.randrange(len(blocks)) for _ in range(r.choice([0, 1, 1, 2, 3]))]
        r.shuffle(self.blocks)
        self.body = self.main([blocks[b] for b in self.blocks])

    def block(self, text, i):
        r = self.r
        x, other = r.sample(["x", "y"], 2)
        first, second = r.sample(["a", "b"], 2)
        strings = [s for s in ("in", "in", "w", first, second) if not (("$A" in text and s == first) or ("$B" in text and s == second))]
        if "$A" in text:
            strings = [s for s in strings if s != "w"] + ["in"]
        small = [str(r.randrange(8)), f"(int)({x} & 7)", f"(int)({other} & 7)", "(v & 7)", "(int)(strlen(in) & 7)", f"(v < 0 ? 0 : v > 7 ? 7 : v)"]
        any_ = ["v", "v", f"(int)({x} % 500)", f"(int)({other} % 300)", str(r.choice(NUMBERS)), "(int)strlen(in) - 2"]
        letter = ["'a'", "'1'", "'b'", "(in[0] & 127)", "('a' + (v & 3))"]
        parts = {"X": x, "A": first, "B": second, "S": r.choice(strings), "T": r.choice(strings), "N": "n_", "E": "e_", "C": "c_"}
        needs = {"N": f"const int n_ = {r.choice(small)};", "E": f"const int e_ = {r.choice(any_)};", "C": f"const int c_ = {r.choice(letter)};"}
        head = " ".join(needs[k] for k in "NEC" if "$" + k in text)
        text = re.sub(r"\$([A-Z])", lambda m: parts[m.group(1)], text)
        text = re.sub(r"\b(l0_|l1_|free_|out_)\b", rf"\g<1>{i}", text)
        return f"  {{ {head}\n    {text}\n  }}\n" if head else f"  {text}\n"

    def main(self, texts):
        r = self.r
        read = self.read.replace("%s};", ", ".join(map(quoted, self.texts)) + "};").replace("in, %s);", f"in, {quoted(self.texts[0])});")
        test = " && ".join(f"strcmp(in, {quoted(t)})" for t in self.texts)
        if r.random() < 0.3:
            test = " && ".join(f"strcmp(in, {quoted(t)}) != 0" for t in self.texts)
        if self.numbers == list(range(self.numbers[0], self.numbers[-1] + 1)):
            bound = f"v < {self.numbers[0]} || v > {self.numbers[-1]}"
        else:
            bound = " && ".join(f"v != {n}" for n in self.numbers)
        where = "static " if r.random() < 0.3 else "  "
        state = f'{where}char a[16] = "{r.choice(["", "ab", "1", "zz-1"])}", b[16] = "{r.choice(["", "b=2", "aa"])}";\n{where}long x = 1, y = 2;\n'
        w = f"  const char *w = {r.choice(['in', 'a', quoted('ab'), quoted('a=1 12')])};\n"
        code = "".join(self.block(t, i) for i, t in enumerate(texts))
        used = "".join(text + "\n" for name, text in HELPERS.items() if re.search(rf"\b{name}\b", code))
        outer, inner = (state, "") if where == "static " else ("", state)
        self.result = r.choice(["x", "x", "x", "y", "x + y", "(long)strlen(a) * 4 + b[0]", "x * 2 - a[0]"])
        return (f"{HEAD}{used}{outer}int main(int argc, char **argv) {{\n  char in[16] = \"\";\n{inner}  {read}\n  if ({test}) return 0;\n"
                f"  int v = __VERIFIER_nondet_int();\n  if ({bound}) return 0;\n  x += v;\n{w}{code}  (void)w;\n  long r_ = {self.result};\n")

    def outsides(self):
        """Arguments, environment, standard input and the file for each of the inputs."""
        for k, text in enumerate(self.texts):
            for n in self.numbers:
                env, given = {"V0": str(n)}, b""
                if self.way == "env":
                    env["CRAIG_X"] = text
                if self.way == "words":
                    env = {"V0": str(k), "V1": str(n)}
                if self.way in ("line", "text"):
                    given = text.encode() + (b"\n" if self.way == "line" else b"")
                yield [text] if self.way == "argv" else [], env, given, text + "\n" if self.way == "file" else None


NUMBERED = r"""
static int craig_number(void) { static int at; const char *const names[] = {"V0", "V1", "V2"}; return atoi(getenv(names[at++])); }
#define __VERIFIER_nondet_int craig_number
int main(int"""


def differs(folder, sample, craig):
    """An input on which `craig run` and the native program say different things."""
    path, out = os.path.join(folder, "run.c"), os.path.join(folder, "run.out")
    text = sample.body.replace("int main(int", NUMBERED, 1) + '  fprintf(stderr, "=%ld %ld %ld %s %s\\n", r_, x, y, a, b);\n  return 0;\n}\n'
    open(path, "w").write(text)
    subprocess.run(["gcc", "-w", "-std=gnu11", "-o", out, path, "-lm"], check=True)
    for arguments, env, given, file in sample.outsides():
        if file is not None:
            open(os.path.join(folder, "data.txt"), "w").write(file)
        said = []
        for command in ([out, *arguments], [craig, "run", path, "--", *arguments]):
            run = subprocess.run(command, capture_output=True, input=given, timeout=60, env={"PATH": os.environ["PATH"], **env}, cwd=folder)
            said.append((run.returncode, run.stdout, re.sub(rb"usage: \S+", b"usage:", run.stderr)))
        if said[0] != said[1] and b"not modelled" not in said[1][2]:
            return f"{arguments} {env} {given} {said}"
    return None


def native(folder, sample):
    """All values of the result; a sentence if gcc or a sanitiser refuses the program."""
    path, driver, out = (os.path.join(folder, n) for n in ("native.c", "driver.c", "a.out"))
    open(driver, "w").write(DRIVER)
    open(path, "w").write(sample.body + '  fprintf(stderr, "=%ld\\n", r_);\n  return 0;\n}\n')
    flags = ["-w", "-std=gnu11", "-fsanitize=address,undefined", "-fno-builtin", "-ftrivial-auto-var-init=pattern"]
    made = subprocess.run(["gcc", *flags, "-o", out, path, driver, "-lm"], capture_output=True, text=True)
    if made.returncode:
        return "gcc: " + made.stderr[:300]
    values = set()
    for arguments, env, given, file in sample.outsides():
        data = os.path.join(folder, "data.txt")
        if file is not None:
            open(data, "w").write(file)
        elif os.path.exists(data):
            os.remove(data)
        env["ASAN_OPTIONS"] = "detect_stack_use_after_return=1:detect_leaks=1"
        try:
            run = subprocess.run([out, *arguments], capture_output=True, input=given, timeout=20, env=env, cwd=folder)
        except subprocess.TimeoutExpired:
            return "no end"
        said = run.stderr.decode(errors="replace")
        if "Sanitizer" in said or "runtime error" in said or run.returncode < 0:
            return "sanitiser: " + "\n".join(said.strip().split("\n")[:3])
        values.update(int(v) for v in re.findall(r"^=(-?\d+)$", said, re.M))
    return values


def ends(r, kind, values):
    """The last statement of the safe and of the unsafe twin."""
    low, high = min(values), max(values)
    if kind == "u":
        say = lambda vs: "  if (!(" + (" || ".join(f"r_ == {v}" for v in sorted(vs)) or "0") + ")) reach_error();\n"
        return say(values), say(values - {r.choice(sorted(values))})
    if high - low > 3000:
        return None
    if kind == "m":
        where = r.choice(["char t_[%d]; t_[%s] = 1;", "char *t_ = malloc(%d); if (t_) t_[%s] = 1; free(t_);", "static int t_[%d]; t_[%s]++;"])
        index = f"r_ - ({low})" if r.random() < 0.7 else f"{high} - r_"
        return tuple("  { " + where % (k, index) + " }\n" for k in (high - low + 1, high - low)) if high > low or "malloc" in where else None
    return tuple(f"  {{ int z_ = INT_MAX - {k}; z_ += (int)(r_ - ({low})); }}\n" for k in (high - low, high - low - 1) if k >= 0) if high > low else None


PROPERTIES = {"u": "unreach-call", "m": "memsafety", "o": "no-overflow"}


def main():
    craig, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    kinds, pattern = (sys.argv[4:] + ["umo"])[0], (sys.argv[5:] + [""])[0]
    blocks = [b.strip() for b in open(os.path.join(HERE, "twins", "blocks.txt")).read().split("\n\n")]
    counts, unknown, tried = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(seed, seed + count):
            sample = Sample(i, blocks, pattern)
            values = native(folder, sample)
            if isinstance(values, str) or not values:
                counts["refused" if values else "no value"] += 1
                if values:
                    print("refused", i, sample.blocks, values, flush=True)
                continue
            if kinds == "r":
                found = differs(folder, sample, craig)
                counts["WRONG" if found else "ok"] += 1
                if found:
                    os.replace(os.path.join(folder, "run.c"), f"/tmp/craig-outside-{i}-run.c")
                    print("WRONG", f"/tmp/craig-outside-{i}-run.c", sample.way, sample.blocks, found[:600], flush=True)
                continue
            kind = sample.r.choice(kinds)
            twins = ends(sample.r, kind, values)
            for expected, end in zip(("safe", "unsafe"), twins or ()):
                path = os.path.join(folder, f"outside-{i}-{kind}-{expected}.c")
                open(path, "w").write(sample.body + end + "  return 0;\n}\n")
                command = [craig, "check", "--time", os.environ.get("SECONDS_EACH", "5"), "--property", PROPERTIES[kind], path]
                try:
                    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
                    said = (run.stdout.strip().split("\n") or [""])[-1].replace("verdict: ", "")
                except subprocess.TimeoutExpired:
                    said = "did not end"
                answer = "ok" if said == expected else "WRONG" if said in ("safe", "unsafe") else "unknown" if said.startswith("unknown") else "BROKEN"
                counts[answer] += 1
                for b in sample.blocks:
                    tried[b] += 1
                    unknown[b] += answer == "unknown"
                if answer != "ok":
                    kept = f"/tmp/craig-{os.path.basename(path)}"
                    os.replace(path, kept)
                    print(answer, kept, sample.way, sample.blocks, said, flush=True)
    print(dict(counts))
    for b in sorted(unknown, key=lambda b: -unknown[b] / tried[b])[:15]:
        if unknown[b]:
            print(f"{unknown[b]}/{tried[b]} unknown with block {b}: {blocks[b][:90]}")
    sys.exit(1 if counts["WRONG"] + counts["BROKEN"] else 0)


main()

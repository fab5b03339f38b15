#!/usr/bin/env python3
"""Random programs with few inputs in `craig check`, against all their executions: CRAIG [COUNT [SEED [KINDS [BITS]]]]

KINDS is a subset of `uom` (values, overflow, memory). Each input is one of some listed values, so gcc (with sanitisers)
runs the program on all of them. Values: all final states are known; the safe twin claims that the state is one of them, the
unsafe twin leaves one out. Overflow and memory: the verdict is what the sanitisers say. WRONG verdicts are printed,
counted and kept as /tmp/craig-checks-*.c; unknown is forgiven, and counted."""
import itertools, os, random, re, subprocess, sys, tempfile

TYPES = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
         "unsigned long", "long long", "unsigned long long"]
NAMES = {"_Bool": "bool", "char": "char", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort",
         "int": "int", "unsigned": "uint", "long": "long", "unsigned long": "ulong", "long long": "longlong"}
FLOATS = ["float", "double", "long double"]
CORNERS = [0, 1, 2, 3, 5, 7, 8, 15, 31, 32, 63, 64, 100, 127, 128, 129, 200, 255, 256, 1000, 32767, 32768, 65535, 65536,
           2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1]
HEAD = "extern void reach_error(void);\n" + "".join(f"extern {t} __VERIFIER_nondet_{n}(void);\n" for t, n in NAMES.items())
# The outside: every combination of inputs in a process of its own; what it printed, or that it ended badly.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <sys/resource.h>
extern int program(void);
static const long *inputs; static int at;
void reach_error(void) { printf("error\n"); fflush(stdout); _exit(77); }
""" + "".join(f"{t} __VERIFIER_nondet_{n}(void) {{ return ({t})inputs[at++]; }}\n" for t, n in NAMES.items()) + r"""
void clean(void) { volatile char stack[65536]; for (unsigned i = 0; i < sizeof stack; i++) stack[i] = 0; }
static const long table[][4] = {%s};
int main(void) {
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    printf("# "); fflush(stdout);
    int pid = fork(), status = 0;
    if (pid == 0) { struct rlimit two = {2, 2}; setrlimit(RLIMIT_CPU, &two); inputs = table[i]; int r = program(); clean(); fflush(stdout); %s }
    waitpid(pid, &status, 0);
    printf("\n= %%d\n", status); fflush(stdout);
  }
  return 0;
}
"""


def corner(r):
    value = r.choice(CORNERS) if r.random() < 0.8 else r.getrandbits(r.choice([4, 8, 16, 31]))
    return -value if r.random() < 0.35 else value


def literal(value):
    """A C constant with this value, of the type that the number has."""
    if value == -2**63:
        return "(-9223372036854775807-1)"
    text = str(abs(value)) if random.random() < 2 else ""
    return f"({'-' if value < 0 else ''}{text})"


class Inputs:
    """Inputs of a program: a name, a type and the values it has."""

    def __init__(self, r, few):
        self.list = []
        for i in range(r.choice([1, 1, 2, 3] if few else [1, 2])):
            ty = r.choice(list(NAMES))
            wide = {"_Bool": (0, 1), "char": (-128, 127), "unsigned char": (0, 255), "short": (-2**15, 2**15 - 1),
                    "unsigned short": (0, 2**16 - 1), "int": (-2**31, 2**31 - 1), "unsigned": (0, 2**32 - 1)}
            low, high = wide.get(ty, (-2**31, 2**31 - 1) if "unsigned" not in ty else (0, 2**32 - 1))
            style = r.random()
            if style < 0.4:
                start = r.choice([0, 0, 1, -2, low, high - 3])
                values = [v for v in range(start, start + r.randrange(1, 5)) if low <= v <= high] or [low]
                test = f"x{i} < {literal(values[0])} || x{i} > {literal(values[-1])}"
                if values[0] == low and "unsigned" in ty:
                    test = f"x{i} > {literal(values[-1])}"
            else:
                values = sorted({v for v in (corner(r) for _ in range(r.randrange(1, 4))) if low <= v <= high} or {1 if low <= 1 else 0})
                test = " && ".join(f"x{i} != {literal(v)}" for v in values)
            self.list.append((f"x{i}", ty, values, test))

    def text(self):
        return "".join(f"  {ty} {n} = __VERIFIER_nondet_{NAMES[ty]}(); if ({test}) return 0;\n" for n, ty, _, test in self.list)

    def table(self):
        rows = itertools.product(*[values for _, _, values, _ in self.list])
        return ",".join("{" + ",".join(f"{literal(v)}" for v in row) + "}" for row in rows)


class Expressions:
    """Random expressions over readable places of integer type."""

    def __init__(self, r, places, floats=(), calls=()):
        self.r, self.places, self.floats, self.calls = r, places, floats, calls

    def leaf(self):
        r = self.r
        if r.random() < 0.75:
            return r.choice(self.places)
        value = abs(corner(r))
        text = (hex(value) if r.random() < 0.3 else str(value)) + r.choice(["", "", "", "u", "l", "ul", "ll"])
        return r.choice([text, f"(-{text})", "'a'", "'\\xff'", "sizeof(int)"]) if r.random() < 0.3 else text

    def e(self, depth):
        r = self.r
        if depth == 0 or r.random() < 0.12:
            return self.leaf()
        e = lambda: self.e(depth - 1)
        kind = r.randrange(17)
        if kind < 4:
            return f"({e()} {r.choice(['+', '-', '*', '&', '|', '^'])} {e()})"
        if kind == 4:
            return f"({e()} {r.choice(['/', '%'])} (({e()} & {r.choice([3, 15, 255])}) + {r.randrange(1, 9)}))"
        if kind == 5:
            return f"({e()} {r.choice(['<<', '>>'])} ({e()} & {r.choice([3, 7, 15, 31])}))"
        if kind == 6:
            return f"({e()} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {e()})"
        if kind == 7:
            return f"({e()} {r.choice(['&&', '||'])} {e()})"
        if kind == 8:
            return f"({e()} ? {e()} : {e()})"
        if kind == 9:
            return f"(({r.choice(TYPES)}){e()})"
        if kind == 10:
            return f"({r.choice(['-', '~', '!', '+'])}{e()})"
        if kind == 11:
            return f"({e()}, {e()})"
        if kind == 12 and self.calls:
            return r.choice(self.calls)(e)
        if kind == 13 and self.floats:
            return f"((int)({r.choice(self.floats)} {r.choice(['+', '-', '*'])} {r.choice(['0.5', '1', '-3', '0.1f', '2.5L'])}) & 255)" \
                if r.random() < 0.0 else f"({r.choice(self.floats)} {r.choice(['<', '<=', '==', '!=', '>'])} {e()})"
        if kind == 14:
            return r.choice([f"({e()} ?: {e()})", f"(({{ {r.choice(TYPES)} t_ = {e()}; t_ {r.choice(['+', '^', '-'])} {self.leaf()}; }}))",
                             f"_Generic({e()}, int: {e()}, unsigned: {e()}, long: {e()}, default: {self.leaf()})",
                             f"(({r.choice(TYPES)}){{{e()}}})", f"(int)sizeof({e()} + 0)",
                             f"((struct S){{.f1 = {e()}}}).f1", f"((int[3]){{{e()}, [2] = {e()}}})[{e()} & 1]"])
        return f"({e()} {r.choice(['+', '-', '&', '|'])} {e()})"


class Values:
    """A program with much state: fields, unions, arrays, pointers, functions, loops, jumps."""

    def __init__(self, seed, bits):
        self.r = r = random.Random(f"{seed}/{bits}/u")
        self.bits = bits
        self.inputs = Inputs(r, True)
        self.labels = 0
        fields = []
        for i in range(r.randrange(3, 8)):
            ty = r.choice(TYPES)
            size = 1 if ty == "_Bool" else 8 if "char" in ty else 16 if "short" in ty else 32 if ty in ("int", "unsigned") \
                else 64 if "long long" in ty or bits == 64 else 32
            width = f":{r.randrange(1, size + 1)}" if r.random() < 0.5 else ""
            fields.append(f"{ty} f{i}{width};")
            if r.random() < 0.07:
                fields.append(f"{r.choice(['unsigned', 'char', 'long'])} :0;")
        n = sum(1 for f in fields if " f" in f)
        packed = r.choice(["", "", "", "__attribute__((packed)) "])
        self.globals = [(f"g{i}", r.choice(TYPES)) for i in range(4)]
        self.locals = [(f"l{i}", r.choice(TYPES)) for i in range(3)]
        self.floats = [(f"d{i}", r.choice(FLOATS)) for i in range(r.choice([0, 0, 1, 2]))]
        elements = r.choice(TYPES)
        lines = [f"struct {packed}S {{ {' '.join(fields)} }};",
                 f"union U {{ {r.choice(['int', 'unsigned', 'long long'])} i; unsigned short h[2]; signed char b[4]; struct {{ unsigned lo:4, mid:9; int hi:7; }} q; {r.choice(['float f;', 'double f;', 'short s;'])} }};",
                 f"enum E {{ E0, E1 = {r.choice([-1, 5, 100])}, E2, E3 = {r.choice([7, 200, 70000])} }};"]
        for name, ty in self.globals:
            lines.append(f"static {r.choice(['', '', 'volatile '])}{ty} {name} = {corner(r)};")
        lines.append(f"static {elements} a[8] = {r.choice(['{1, 2, 3}', '{[3] = 9, 4, [1] = 7}', '{[2 ... 4] = 6, [7] = 1}', '{0}'])};")
        lines.append(f"static short m[3][4] = {r.choice(['{{1}, {2, 3}}', '{1, 2, 3, 4, 5}', '{[1] = {[2] = 8, 9}}', '{[1][3] = 4, 5}'])};")
        lines.append(f"static struct S s[2]{r.choice([' = {{1, 1}}', ' = {[1] = {.f1 = 1}}', ' = {[1].f0 = 1, 1}', ''])}; static union U u; static struct S *p = &s[1]; static enum E en = E2;")
        places = [n for n, _ in self.globals + self.locals] + [x[0] for x in self.inputs.list]
        places += [f"s[{k}].f{i}" for k in (0, 1) for i in range(n)] + [f"p->f{i}" for i in range(n)]
        places += ["a[1]", "a[6]", "m[1][2]", "m[0][3]", "u.i", "u.h[1]", "u.b[2]", "u.q.mid", "u.q.hi", "en", "E3"]
        index = lambda: r.choice([n for n, _ in self.globals + self.locals] + [x[0] for x in self.inputs.list])
        places += [f"a[{index()} & 7]", f"m[{index()} & 1][{index()} & 3]", f"u.b[{index()} & 3]", f"(&a[2])[{index()} & 3]"]
        self.writable = [p for p in places if p not in ("E3",) and not p.startswith("x")]
        self.state = [n for n, _ in self.globals + self.locals] + [f"s[{k}].f{i}" for k in (0, 1) for i in range(n)]
        self.state += [f"a[{i}]" for i in range(8)] + [f"m[{i}][{j}]" for i in range(3) for j in range(4)] + ["u.i", "en"]
        calls = [lambda e: f"fn0({e()}, {e()})", lambda e: f"fn1({e()}, {e()})", lambda e: f"tab[{e()} & 1]({e()}, {e()})",
                 lambda e: f"va({e()} & 3, (int){e()}, (int){e()}, (int){e()})", lambda e: f"ret({e()}).f1", lambda e: f"rec({e()} & 3, {e()})"]
        if r.random() < 0.5:
            calls += [lambda e: f"by({r.choice(['s[0]', 's[1]', '*p'])}, {e()})"]
        self.ex = Expressions(r, places, [n for n, _ in self.floats], calls)
        plain = Expressions(r, ["a0", "a1", "g0", "g1", "c"], (), ())
        ret = r.choice(TYPES)
        for i in (0, 1):
            result, one, two = (r.choice(TYPES), r.choice(TYPES), r.choice(TYPES)) if i == 0 else (ret, "int", "unsigned char")
            lines.append(f"static {result} fn{i}({one} a0, {two} a1) {{ static {r.choice(TYPES)} c = {r.choice([0, 1, 250])}; c += {r.choice([1, 3, 'a1'])}; g{r.randrange(4)} {r.choice(['+=', '^=', '-='])} a0; return {self.plain(plain)}; }}")
        lines.append(f"static {ret} fn2(int a0, unsigned char a1) {{ return a0 {r.choice('+-^')} a1; }}")
        lines.append(f"static {ret} (*tab[2])(int, unsigned char) = {{fn1, fn2}};")
        lines.append("static long va(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + __builtin_va_arg(l, int); __builtin_va_end(l); return t; }")
        lines.append("static struct S ret(long k) { struct S t = s[0]; t.f0 += k; t.f1 ^= k; return t; }")
        lines.append(f"static int by(struct S t, int k) {{ t.f0 = k; return t.f0 + t.f1; }}")
        lines.append(f"static {r.choice(TYPES)} rec(int n, {r.choice(TYPES)} k) {{ {r.choice(TYPES)} l = k + n; if (n <= 0) return k; l += rec(n - 1, l); return l; }}")
        body = []
        for i, (name, ty) in enumerate(self.locals):
            body.append(f"  {ty} {name} = {r.choice([corner(r), 'x0', 'x0 * 3'])};")
        for name, ty in self.floats:
            body.append(f"  {ty} {name} = {r.choice(['0.1', '0.1f', '1e9', '-0.0', '16777217', '3.5L', 'x0', 'x0 / 3.0', 'x0 * 0.1f'])};")
        for _ in range(r.randrange(2, 9)):
            body += self.statement(2)
        self.lines, self.body = lines, body

    def plain(self, ex):
        return ex.e(2).replace("((struct S)", "((struct S)")

    def statement(self, depth, loop=False):
        r, e = self.r, lambda: self.ex.e(r.choice([1, 2, 2, 3]))
        kind = r.randrange(22)
        place = r.choice(self.writable)
        if kind < 5 or depth == 0 and kind > 9:
            return [f"  {place} = {e()};"]
        if kind < 9:
            return [f"  {place} {r.choice(['+=', '-=', '*=', '&=', '|=', '^='])} {e()};"]
        if kind == 9:
            return [f"  {place} {r.choice(['<<=', '>>='])} {e()} & 7;" if r.random() < 0.5 else f"  {place} {r.choice(['/=', '%='])} ({e()} & 63) + 1;"]
        if kind == 10:
            return [f"  {r.choice(['++' + place, place + '++', '--' + place, place + '--', f'{place} = {r.choice(self.writable)} = {e()}'])};"]
        inner = lambda n=2, loop=loop: [" " + line for _ in range(r.randrange(1, n + 1)) for line in self.statement(depth - 1, loop)]
        if kind in (11, 12):
            return [f"  if ({e()}) {{"] + inner() + (["  } else {"] + inner() if r.random() < 0.5 else []) + ["  }"]
        if kind in (13, 14):
            self.labels += 1
            i = f"i{self.labels}"
            jump = [f"   if ({e()}) {r.choice(['break', 'continue'])};"] if r.random() < 0.4 else []
            head = f"  for ({r.choice(['int', 'unsigned char', 'long'])} {i} = 0; {i} < {r.choice([1, 2, 3])}; {i}++) {{"
            return [head] + inner(2, True) + jump + inner(1, True) + ["  }"]
        if kind == 15:
            self.labels += 1
            i = f"w{self.labels}"
            return [f"  {{ int {i} = {r.choice([0, 1, 2])}; do {{"] + inner(2, True) + ([f"   if ({e()}) continue;"] if r.random() < 0.3 else []) + [f"  }} while ({i}-- > 0 && {e()}); }}"]
        if kind == 16:
            out = [f"  switch ({e()} & {r.choice([1, 3, 7])}) {{"]
            for label in r.sample(["case 0:", "case 1:", "case 2 ... 3:", "case 5:", "default:"], r.randrange(2, 5)):
                out += ["  " + label] + inner(1) + (["   break;"] if r.random() < 0.6 else [])
            return out + ["  }"]
        if kind == 17:
            self.labels += 1
            label = f"L{self.labels}"
            return [f"  if ({e()}) goto {label};"] + inner() + [f"  {label}:;"]
        if kind == 18 and self.floats:
            name = r.choice(self.floats)[0]
            return [f"  {name} {r.choice(['=', '+=', '-=', '*='])} {r.choice(['0.1', '2', '-1.5f', '1e10', e(), '1.0L / 3', r.choice(self.floats)[0]])};"]
        if kind == 19:
            ty = r.choice(TYPES)
            return [f"  {{ {ty} v[(x0 & 3) + 1]; for (int k = 0; k <= (x0 & 3); k++) v[k] = {e()}; {place} = v[x0 & 1 & (x0 & 3)] + sizeof v; }}"]
        if kind == 20:
            return [r.choice([f"  __builtin_memcpy(&u, a, sizeof(short));", "  __builtin_memset(&s[0], 0, sizeof s[0]);", "  s[0] = s[1];", "  *p = ret(x0);",
                              f"  p = &s[{e()} & 1];", "  __builtin_memmove(m[1], m[0], sizeof m[0]);", "  u.i = 0; u.b[1] = -2;",
                              f"  s[1] = (struct S){{ .f1 = {e()} }};", f"  {{ short *q = m[0]; q += {e()} & 3; *q++ = 5; *q = {e()}; }}",
                              f"  {{ static const void *const go[] = {{ &&A{self.labels}, &&B{self.labels} }}; goto *go[{e()} & 1]; A{self.labels}: {place} = 3; B{self.labels}:; }}" if not loop else "  ;"])] if self.bump() else []
        return [f"  {{ {r.choice(TYPES)} *q = 0; {r.choice(TYPES)} t = {e()}; {place} = t; {r.choice(self.writable)} = q == 0; }}"]

    def bump(self):
        self.labels += 1
        return True

    def build(self, claim):
        return HEAD + "\n".join(self.lines) + "\nint main(void) {\n" + self.inputs.text() + "\n".join(self.body) + f"\n  {claim}\n  return 0;\n}}\n"

    def printed(self):
        form = " ".join("%lld" for _ in self.state)
        return f"__builtin_printf(\"{form}\", {', '.join('(long long)' + s for s in self.state)});"


def compile_and_run(folder, text, table, bits, flags, end):
    program, driver, out = (os.path.join(folder, n) for n in ("p.c", "d.c", "a.out"))
    open(program, "w").write(re.sub(r"\bint main\b", "int program", text))
    open(driver, "w").write(DRIVER % (table, end))
    made = subprocess.run(["gcc", "-w", "-std=gnu11", "-O0", f"-m{bits}", *flags, "-o", out, program, driver, "-lm"], capture_output=True, text=True)
    if made.returncode:
        return None, made.stderr[:400]
    said = ""
    # Pointers in frames that have ended hide leaks, so these are looked for in a run of their own.
    for options in ["detect_stack_use_after_return=1:detect_leaks=0", "detect_stack_use_after_return=0:detect_leaks=1"]:
        try:
            run = subprocess.run([out], capture_output=True, text=True, errors="replace", timeout=60, env={"ASAN_OPTIONS": options})
        except subprocess.TimeoutExpired:
            return None, "too long"
        said += run.stderr
        if end == "_exit(0);":
            break
    return run.stdout.split("# ")[1:], said


class Overflow:
    """Arithmetic of many types on inputs at their corners."""

    def __init__(self, seed, bits):
        self.r = r = random.Random(f"{seed}/{bits}/o")
        self.inputs = Inputs(r, True)
        names = [x[0] for x in self.inputs.list]
        fields = "struct S { int f0:5; unsigned f1:7; long long f2:40; short f3; unsigned long long f4:35; };"
        lines = [fields, "static struct S s;", f"static int a[4] = {{1, {corner(r) % 2**31}, 3}};"]
        lines += [f"static {r.choice(TYPES)} g{i} = {corner(r)};" for i in range(2)]
        places = names * 3 + ["g0", "g1", "s.f0", "s.f1", "s.f2", "s.f3", "s.f4", f"a[{r.choice(names)} & 3]", "l0"]
        calls = [lambda e: f"f({e()}, {e()})"]
        ex = Expressions(r, places, (), calls)
        lines.append(f"static {r.choice(TYPES)} f({r.choice(TYPES)} a0, {r.choice(TYPES)} a1) {{ return {Expressions(r, ['a0', 'a1', 'g0']).e(1)}; }}")
        body = [f"  {r.choice(TYPES)} l0 = {r.choice(names)};"]
        for _ in range(r.randrange(1, 4)):
            place, kind = r.choice(["g0", "g1", "s.f0", "s.f2", "s.f3", "l0", "a[1]"]), r.randrange(7)
            if kind < 2:
                body.append(f"  {place} = {ex.e(2)};")
            elif kind < 4:
                body.append(f"  {place} {r.choice(['+=', '-=', '*=', '<<='])} {r.choice(names + ['1', '2', '3'])}{' & 7' if r.random() < 0.2 else ''};".replace("<<= ", "<<= 7 & "))
            elif kind == 4:
                body.append(f"  {r.choice(['++' + place, place + '++', '--' + place, place + '--'])};")
            elif kind == 5:
                body.append(f"  if ({ex.e(1)}) {place} = {ex.e(1)};")
            else:
                body.append(f"  {place} = -{r.choice(names)}; {place} /= (({r.choice(names)} & 1) ? -1 : 3);")
        self.text = HEAD + "\n".join(lines) + "\nint main(void) {\n" + self.inputs.text() + "\n".join(body) + "\n  return 0;\n}\n"


class Memory:
    """Blocks, objects of blocks, strings and copies with lengths and indices from inputs."""

    def __init__(self, seed, bits):
        self.r = r = random.Random(f"{seed}/{bits}/m")
        self.inputs = Inputs(r, False)
        self.inputs.list = [(f"x{i}", ty, list(range(0, 1 + r.randrange(4))), None) for i, ty in
                            enumerate(r.choices(["int", "unsigned char", "short", "unsigned", "long"], k=r.choice([1, 2])))]
        self.inputs.list = [(n, ty, v, f"{n} < 0 || {n} > {v[-1]}") for n, ty, v, _ in self.inputs.list]
        self.names = [x[0] for x in self.inputs.list]
        lines = ["#include <stdlib.h>", "#include <string.h>", "#include <stdio.h>",
                 "struct N { struct N *next; int v; char b[4]; }; struct F { int n; char d[]; };",
                 "static int ga[6]; static char gc[8] = \"abc\"; static char *gp; static const char *lit = \"hello\";",
                 "static void fr(void *p) { free(p); } static void set(char *p, int i) { p[i] = 2; }",
                 "static char *keep(char *p) { return p + 1; } static int len(const char *p) { return strlen(p); }"]
        body = ["  char la[8]; int x = 0; char *p0 = 0, *p1 = 0, *p2 = 0; struct N *h0 = 0, *h1 = 0; struct F *f0 = 0;", "  memset(la, 0, 8);"]
        for _ in range(r.randrange(3, 10)):
            body.append("  " + self.statement())
        if r.random() < 0.6:
            body += [f"  free({p});" for p in r.sample(["p0", "p1", "p2", "h0", "h1", "f0"], r.randrange(1, 5))]
        self.text = HEAD + "\n".join(lines) + "\nint main(void) {\n" + self.inputs.text() + "\n".join(body) + "\n  return x & 0;\n}\n"

    def labelled(self, p, x, n):
        """A jump over a declaration, and perhaps out of its block again."""
        self.labels = getattr(self, "labels", 0) + 1
        k, r = self.labels, self.r
        out = r.choice([f"goto out{k};", f"{p} = 0;", ""])
        return f"if ({x} == {r.choice([0, 1])}) goto in{k}; {{ char s_[{n}]; s_[0] = 0; in{k}: s_[{n} - 1] = 1; {p} = s_; x += {p}[{n} - 1]; {out} }} out{k}: ;"

    def computed(self, p, x, n):
        self.labels = getattr(self, "labels", 0) + 1
        k, r = self.labels, self.r
        return f"{{ static void *const t_[] = {{&&c{k}, &&d{k}}}; {{ char s_[{n}]; s_[0] = 0; {p} = s_; goto *t_[{x} & 1]; c{k}: x += *{p}; {r.choice([p + ' = 0;', ''])} }} d{k}: ; }}"

    def statement(self):
        r = self.r
        p, q, h = r.choice(["p0", "p1", "p2"]), r.choice(["p0", "p1", "p2"]), r.choice(["h0", "h1"])
        x, n = r.choice(self.names), r.choice([1, 2, 3, 4, 5, 8])
        i = r.choice([x, x, f"{x} + {n}", f"{n} - {x}", f"{x} * 2", str(n), f"{x} - 1"])
        return r.choice([
            lambda: f"{p} = malloc({r.choice([n, n + 3, f'{x} + {n}', f'{x} * 2 + 1'])}); if (!{p}) return 0; memset({p}, 0, {r.choice([1, n])});",
            lambda: f"{p} = calloc({n}, {r.choice([1, 2])}); if (!{p}) return 0;",
            lambda: f"free({p});", lambda: f"free({p}); {p} = 0;", lambda: f"{p} = 0;", lambda: f"{p} = {q};",
            lambda: f"{p} = {r.choice(['la', 'gc', '(char *)ga', 'la + 4', 'gc + ' + str(n)])};",
            lambda: f"if ({p}) {p}[{i}] = 1;", lambda: f"if ({p}) x += {p}[{i}];", lambda: f"la[{i}] = 1;", lambda: f"ga[{i}] = 1;",
            lambda: f"x += gc[{i}];", lambda: f"if ({p} && {q} && {p} != {q}) memcpy({p}, {q}, {r.choice(['1', x, str(n)])});",
            lambda: f"if ({p}) memset({p}, 1, {r.choice([x, str(n), f'{x} + {n}'])});", lambda: f"memcpy(la, gc, {i} & 15);",
            lambda: f"{h} = malloc(sizeof *{h}); if (!{h}) return 0; {h}->next = {r.choice(['0', 'h0', 'h1'])}; {h}->v = {x};",
            lambda: f"if ({h}) {h}->b[{i}] = 3;", lambda: f"if ({h} && {h}->next) x += {h}->next->v;", lambda: f"if ({h}) {{ struct N *t = {h}->next; free({h}); {h} = t; }}",
            lambda: f"if ({h}) {h}->next = {r.choice(['h0', 'h1', '0'])};",
            lambda: f"{{ char b[{n}]; memset(b, 0, {n}); {p} = b; x += {p}[{r.choice([0, x])}]; {r.choice([p + ' = 0;', '', ''])} }}",
            lambda: f"{{ char v[{x} + {n}]; v[{i}] = 1; x += v[{i}]; }}", lambda: f"if ({x} == {r.choice([0, 1, 2])}) {{ free({p}); {p} = 0; }}",
            lambda: f"{{ char *t = realloc({p} == la || {p} == gc ? 0 : {p}, {n}); if (!t) return 0; {p} = t; {p}[0] = 0; }}",
            lambda: f"fr({p});", lambda: f"if ({p}) set({p}, {i});", lambda: f"if ({p}) x += *keep({p});", lambda: f"gp = {p};", lambda: f"if (gp) x += gp[{i}];",
            lambda: f"strcpy(la, {r.choice(['lit', 'gc', chr(34) + 'x' * n + chr(34)])});", lambda: f"x += len({r.choice(['lit', 'gc', 'la'])});",
            lambda: f"strncpy(la, lit, {i} & 15);", lambda: f"x += lit[{i}];", lambda: f"snprintf(la, {r.choice([8, 8, 9, n])}, \"%d\", {x});", lambda: f"sprintf(la + {n}, \"%d\", {x} + 98);",
            lambda: f"if (!f0) {{ f0 = malloc(sizeof *f0 + {n}); if (!f0) return 0; f0->n = {n}; memset(f0->d, 0, {n}); }}", lambda: f"if (f0) f0->d[{i}] = 1;",
            lambda: f"strcat(la, \"ab\");", lambda: f"x += memcmp(la, gc, {i} & 15) == 0;", lambda: f"{p} = strdup(gc); if (!{p}) return 0;",
            lambda: f"for (int k = 0; k < {i}; k++) x += la[k];", lambda: f"{{ int (*row)[2] = (int (*)[2])ga; x += row[{x}][{r.choice([0, 1, 2])}]; }}",
            lambda: f"if ({p}) {{ {p} += {r.choice(['1', x])}; }}", lambda: f"while ({h}) {{ struct N *t = {h}->next; free({h}); {h} = t; }}",
            lambda: f"for (char i_ = {n}, j_ = 0; j_ < 2; j_++) {{ {p} = &i_; x += *{p}; {r.choice([p + ' = 0;', '', f'if ({x} == 1) break;'])} }}",
            lambda: f"switch ({x} & 3) {{ char s_[{n}]; case 0: s_[0] = 1; {p} = s_; x += *{p}; {r.choice([p + ' = 0;', '', 'break;'])} default: x++; }}",
            lambda: self.labelled(p, x, n), lambda: self.computed(p, x, n),
            lambda: f"{{ char *c_ = (char[{n}]){{1}}; {p} = c_; x += {p}[{i}]; {r.choice([p + ' = 0;', ''])} }}",
            lambda: f"x += ({{ char e_[{n}] = {{2}}; {r.choice([p + ' = e_;', ';'])} e_[{r.choice(['0', x])}]; }});",
            lambda: f"do {{ char w_ = {n}; {p} = &w_; if ({x} == {r.choice([0, 1])}) break; {p} = 0; }} while (0);",
            lambda: f"for (int k = 0; k < 2; k++) {{ char b_[2] = {{0}}; if (k == {x}) continue; {p} = b_; {r.choice([p + '[1] = 1;', p + ' = 0;'])} }}",
            lambda: f"{{ struct N n_ = {{0, {x}, {{1}}}}; {h} = &n_; x += {h}->b[{i}]; {r.choice([h + ' = 0;', h + ' = n_.next;', ''])} }}",
            lambda: f"{{ struct N *a_[2] = {{h0, h1}}; if (a_[{x} & 1]) a_[{x} & 1]->v = {n}; }}",
            lambda: f"{{ union {{ char *q; long l; }} u_; u_.q = {p}; u_.l += {r.choice(['0', x, '1'])}; {q} = u_.q; }}",
            lambda: f"{{ char t_[sizeof(char *)]; memcpy(t_, &{p}, sizeof t_); memcpy(&{q}, t_, sizeof t_); }}",
            lambda: f"{{ char m_[2][3] = {{{{0}}}}; m_[{x} & 1][{i}] = 1; x += m_[0][0]; }}",
            lambda: f"if ({h}) {{ struct N c_ = *{h}; x += c_.v; }}", lambda: f"if ({h} && {h}->next) *{h} = *{h}->next;",
            lambda: f"{{ void (*f_)(void *) = {x} & 1 ? fr : free; f_({p}); {r.choice([p + ' = 0;', ''])} }}",
            lambda: f"{p} = (char *)&{h};" if r.random() < 0.1 else f"x ^= {n};", lambda: f"if (x == {n}) return 0;", lambda: f"{p} = alloca({n}); memset({p}, 0, {n});",
        ])()


def judge(counts, craig, folder, name, text, expected, options, seconds):
    path = os.path.join(folder, f"{name}.c")
    open(path, "w").write(text)
    try:
        run = subprocess.run([craig, "check", "--time", str(seconds), *options, path], capture_output=True, text=True, timeout=200)
        said = (run.stdout.strip().split("\n") or [""])[-1].replace("verdict: ", "")
    except subprocess.TimeoutExpired:
        said = "hangs"
    refused = said not in ("safe", "unsafe", "unknown")
    kind = "ok" if said == expected else "WRONG" if said in ("safe", "unsafe") else "refused" if refused else "unknown"
    counts[kind] = counts.get(kind, 0) + 1
    if kind in ("WRONG", "refused"):
        kept = f"/tmp/craig-checks-{name}.c"
        os.replace(path, kept)
        print(kind, kept, f"expected {expected}, said {said}", *options, run.stderr[:300] if refused else "", flush=True)


def main():
    craig = os.path.abspath(sys.argv[1])
    count, seed = (int(sys.argv[k]) if len(sys.argv) > k else d for k, d in ((2, 100), (3, 1)))
    kinds = sys.argv[4] if len(sys.argv) > 4 else "uom"
    bits = int(sys.argv[5]) if len(sys.argv) > 5 else 64
    seconds = float(os.environ.get("SECONDS_EACH", "5"))
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for k in range(seed, seed + count):
            for kind in kinds:
                one(counts, craig, folder, k, kind, bits, seconds)
    print(counts)
    sys.exit(1 if counts.get("WRONG") else 0)


def one(counts, craig, folder, k, kind, bits, seconds):
    model = [f"--{bits}"]
    if kind == "u":
        program = Values(k, bits)
        runs, error = compile_and_run(folder, program.build(program.printed()), program.inputs.table(), bits, ["-fwrapv"], "_exit(0);")
        if runs is None or any("= 0" not in run.split("\n") for run in runs):
            counts["left out"] = counts.get("left out", 0) + 1
            if runs is None and "left" in os.environ.get("SHOW", ""):
                print("gcc:", k, error)
            return
        states = sorted({run.split("\n")[0].strip() for run in runs} - {""})
        if not states:
            return
        claim = lambda list: "if (!(" + (" || ".join("(" + " && ".join(f"(long long){p} == {literal(int(v))}" for p, v in zip(program.state, state.split())) + ")" for state in list) or "0") + ")) reach_error();"
        gone = program.r.randrange(len(states))
        judge(counts, craig, folder, f"u{bits}-{k}-safe", program.build(claim(states)), "safe", ["--wrapv", *model], seconds)
        judge(counts, craig, folder, f"u{bits}-{k}-unsafe", program.build(claim(states[:gone] + states[gone + 1:])), "unsafe", ["--wrapv", *model], seconds)
        return
    program = (Overflow if kind == "o" else Memory)(k, bits)
    flags = ["-fsanitize=signed-integer-overflow,shift"] if kind == "o" else ["-fsanitize=address,bounds,null,object-size", "-fno-builtin"]
    runs, error = compile_and_run(folder, program.text, program.inputs.table(), bits, flags, "_exit(r);" if kind == "o" else "exit(r);")
    if runs is None:
        counts["left out"] = counts.get("left out", 0) + 1
        if "left" in os.environ.get("SHOW", ""):
            print("gcc:", k, error)
        return
    bad = "runtime error" in error or "Sanitizer" in error
    if not bad and any("= 0" not in run.split("\n") for run in runs):
        counts["left out"] = counts.get("left out", 0) + 1
        return
    judge(counts, craig, folder, f"{kind}{bits}-{k}", program.text, "unsafe" if bad else "safe",
          ["--property", "no-overflow" if kind == "o" else "memsafety", *model], seconds)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Random expressions in `craig run` against cc: types, operators, conversions, bit-fields, unions, compound assignment.

    expressions.py CRAIG [COUNT [SEED [BITS]]]      e.g. expressions.py target/release/craig 100000 1 32

Every statement assigns a random expression to a random object and prints it; the two outputs must be equal.
Programs have no undefined behaviour but signed overflow, which both sides wrap. A program that differs is kept
as /tmp/craig-expressions-SEED.c. Programs on which cc itself breaks down are left out. Ends with status 1 if one
differed."""
import os, random, subprocess, sys, tempfile

TYPES = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
         "long", "unsigned long", "long long", "unsigned long long"]
FLOATS = ["float", "double", "long double"]
FIELDS = [("int", 3), ("unsigned", 7), ("signed char", 5), ("unsigned short", 11), ("long long", 40),
          ("unsigned long long", 37), ("int", 32), ("unsigned long long", 63), ("_Bool", 1), ("unsigned", 31)]
STATEMENTS = 200


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.objects = [f"v{i}" for i in range(len(TYPES))]
        self.objects += [f"s.f{i}" for i in range(len(FIELDS))]
        self.objects += ["u.c[1]", "u.i", "u.s", "u.l", "a[3]", "a[n & 3]", "p->f1", "p->f5"]

    def constant(self):
        r = self.r
        value = r.choice([0, 1, 2, 7, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1,
                          r.getrandbits(8), r.getrandbits(16), r.getrandbits(31), r.getrandbits(63)])
        suffix = r.choice(["", "u", "l", "ul", "ll", "ull"])
        text = (hex(value) if r.random() < 0.4 else str(value)) + suffix
        return f"({r.choice(['', '-'])}{text})"

    def leaf(self):
        return self.r.choice(self.objects) if self.r.random() < 0.7 else self.constant()

    def expr(self, depth):
        r = self.r
        if depth == 0 or r.random() < 0.1:
            return self.leaf()
        e = lambda: self.expr(depth - 1)
        kind = r.randrange(14)
        if kind < 5:
            return f"({e()} {r.choice(['+', '-', '*', '&', '|', '^'])} {e()})"
        if kind == 5:
            return f"({e()} {r.choice(['/', '%'])} (({e()} & 15) + 1))"
        if kind == 6:
            return f"({e()} {r.choice(['<<', '>>'])} ({e()} & 7))"
        if kind == 7:
            return f"({e()} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {e()})"
        if kind == 8:
            return f"({e()} {r.choice(['&&', '||'])} {e()})"
        if kind == 9:
            return f"({e()} ? {e()} : {e()})"
        if kind == 10:
            return f"(({r.choice(TYPES)}){e()})"
        if kind == 11:
            return f"({r.choice(['-', '~', '!', '+'])}{e()})"
        if kind == 12:
            return f"({e()}, {e()})"
        x, y = r.choice(FLOATS), r.choice(FLOATS)
        op = r.choice(["<", "<=", "==", ">", "!="])
        return f"(({x}){e()} {r.choice(['+', '-', '*'])} ({y}){e()} {op} ({r.choice(FLOATS)}){e()})"

    def statement(self):
        r = self.r
        target = r.choice(self.objects)
        kind = r.randrange(7)
        if kind < 3:
            text = f"{target} = {self.expr(r.randrange(1, 5))}"
        elif kind < 5:
            text = f"{target} {r.choice(['+=', '-=', '*=', '&=', '|=', '^='])} {self.expr(r.randrange(1, 4))}"
        elif kind < 6:
            text = f"{target} {r.choice(['<<=', '>>='])} ({self.expr(2)} & 7)"
        else:
            divisor = f"{r.choice(['', '-1 - '])}(({self.expr(2)} & 15) + 1)"  # neither 0 nor -1 in any width
            text = f"{target} {r.choice(['/=', '%='])} {divisor}"
        return f'  {text}; printf("%llx\\n", (unsigned long long){target}); n++;'

    def text(self):
        objects = "".join(f"{t} v{i} = (({t}){self.constant()});\n" for i, t in enumerate(TYPES))
        fields = " ".join(f"{t} f{i} : {w};" for i, (t, w) in enumerate(FIELDS))
        body = "\n".join(self.statement() for _ in range(STATEMENTS))
        return (f"extern int printf(const char *, ...);\nstruct S {{ {fields} }} s, *p = &s;\n"
                "union { unsigned char c[8]; int i; short s; unsigned long l; } u;\nlong a[4]; int n;\n"
                f"{objects}int main(void) {{\n{body}\n  return 0;\n}}\n")


def outputs(craig, path, exe, bits):
    # Without the x87's excess precision.
    flags = [f"-m{bits}", "-msse2", "-mfpmath=sse", "-w", "-O0", "-fwrapv"]
    build = subprocess.run(["cc", *flags, "-o", exe, path], capture_output=True)
    if b"internal compiler error" in build.stderr:
        return None
    if build.returncode:
        sys.exit(f"{path}: {build.stderr.decode()}")
    native = subprocess.run([exe], capture_output=True, timeout=20)
    ours = subprocess.run([craig, "run", "--wrapv", f"--{bits}", path], capture_output=True, timeout=60)
    return (native.returncode, native.stdout), (ours.returncode, ours.stdout)


def main():
    craig = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    bits = sys.argv[4] if len(sys.argv) > 4 else "64"
    bad = left_out = 0
    programs = -(-count // STATEMENTS)
    with tempfile.TemporaryDirectory() as folder:
        path, exe = os.path.join(folder, "e.c"), os.path.join(folder, "e")
        for seed in range(first, first + programs):
            text = Program(seed).text()
            with open(path, "w") as f:
                f.write(text)
            both = outputs(craig, path, exe, bits)
            if both is None:
                left_out += 1
                continue
            native, ours = both
            if native != ours:
                bad += 1
                kept = f"/tmp/craig-expressions-{seed}.c"
                with open(kept, "w") as f:
                    f.write(text)
                pairs = zip(native[1].splitlines(), ours[1].splitlines())
                line = next((i for i, (a, b) in enumerate(pairs) if a != b), "end")
                print(f"differs: seed {seed}, statement {line}, kept as {kept}", flush=True)
    print(f"{(programs - left_out) * STATEMENTS} expressions, {bad} programs differ, {left_out} left out")
    sys.exit(bad > 0)


main()

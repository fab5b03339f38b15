#!/usr/bin/env python3
"""Whole programs as twins against gcc: CRAIG [PATTERN]

twins/programs.txt has records `### name property options`, then C with parts {{good||bad}}. Properties: u (reach_error),
m (memory), o (overflow). The good twin is safe, the bad one unsafe; gcc with sanitisers on many random inputs says
whether that is so, except for `nogcc`. N is any int. WRONG verdicts are printed and counted; unknown is forgiven,
and printed; a label that no run bears out is left out, and printed.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PART = re.compile(r"\{\{((?:(?!\}\}).)*?\|\|(?:(?!\{\{).)*?)\}\}", re.S)
TYPES = "int:int uint:unsigned char:char uchar:unsigned_char short:short ushort:unsigned_short long:long ulong:unsigned_long bool:_Bool float:float double:double longlong:long_long".split()
HEAD = "extern void reach_error(void);\n" + "".join(
    "extern {1} __VERIFIER_nondet_{0}(void);".format(*t.replace("_l", " l").replace("d_", "d ").split(":"))
    for t in TYPES
).replace("extern _Bool", "extern _Bool") + "\n#define CHECK(c) do{if(!(c))reach_error();}while(0)\n#define N __VERIFIER_nondet_int()\n"
INPUTS = r"""
#include <stdlib.h>
#include <unistd.h>
void reach_error(void) { _exit(77); }
static unsigned long state;
static unsigned long next(void) {
  if (state == 0) state = strtoul(getenv("SEED"), 0, 10) * 2654435761ul + 12345;
  return (state = state * 6364136223846793005ul + 1442695040888963407ul) >> 33;
}
static long pick(void) {
  static const long t[] = {0, 1, -1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 128, -128, 255, 256, -2,
    -3, 32767, -32768, 65535, 2147483647, -2147483648l, 4294967295l, 9223372036854775807l, -9223372036854775807l - 1};
  unsigned long k = next() % 60;
  return k < sizeof t / sizeof *t ? t[k] : k < 50 ? (long)(next() % 20) - 4 : (long)(next() << 33 ^ next() << 10 ^ next());
}
static double real(void) {
  static const double t[] = {0, -0.0, 1, -1, 0.5, 1e300, -1e30, 1 / 0.0, -1 / 0.0, 0 / 0.0, 1e-310, 3e38};
  return next() % 2 ? t[next() % 12] : (double)pick();
}
""" + "".join(
    "{1} __VERIFIER_nondet_{0}(void) {{ return {2}; }}\n".format(
        *t.replace("_l", " l").replace("d_", "d ").split(":"),
        "real()" if t.startswith(("float", "double")) else "next() & 1" if t.startswith("bool") else "pick()",
    )
    for t in TYPES
)
RUNS = 80
OPTIONS = "detect_stack_use_after_return=1:strict_string_checks=1:detect_leaks=1"
PROPERTIES = {"u": "unreach-call", "m": "memsafety", "o": "no-overflow"}


def violated(folder, path, text, kind, options):
    """Does a run of the program show an error? None if gcc refuses it."""
    flags = {"u": [], "m": ["-fsanitize=address,undefined", "-fno-builtin"], "o": ["-fsanitize=undefined"]}[kind]
    flags = flags + (["-fwrapv"] if "--wrapv" in options else [])
    inputs, out = os.path.join(folder, "inputs.c"), os.path.join(folder, "a.out")
    with open(inputs, "w") as f:
        f.write(INPUTS)
    made = subprocess.run(["gcc", "-w", "-std=gnu11", *flags, "-o", out, path, inputs, "-lm"], capture_output=True, text=True)
    if made.returncode:
        print("gcc refuses", path, made.stderr[:300])
        return None
    for seed in range(1, RUNS if "nondet" in text or re.search(r"\bN\b", text) else 2):
        env = {"SEED": str(seed), "ASAN_OPTIONS": OPTIONS}
        try:
            run = subprocess.run([out], capture_output=True, stdin=subprocess.DEVNULL, timeout=10, env=env)
        except subprocess.TimeoutExpired:
            continue
        said = run.stderr
        bounds = b"runtime error" in said and (b"out of bounds" in said or b"null pointer" in said)
        overflow = b"overflow" in said or b"cannot be represented" in said
        if {"u": run.returncode == 77, "m": b"Sanitizer" in said or bounds, "o": overflow}[kind]:
            return True
    return False


def main():
    craig, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    counts = {"ok": 0, "WRONG": 0, "unknown": 0}
    records = re.split(r"^### ", open(os.path.join(HERE, "twins", "programs.txt")).read(), flags=re.M)[1:]
    with tempfile.TemporaryDirectory() as folder:
        for record in records:
            head, body = record.split("\n", 1)
            name, kind, *options = head.split()
            if not re.search(pattern, name):
                continue
            for k, expected in enumerate(("safe", "unsafe")):
                text = HEAD + PART.sub(lambda m: m.group(1).split("||")[k], body)
                path = os.path.join(folder, f"{name}_{expected}.c")
                with open(path, "w") as f:
                    f.write(text)
                if "nogcc" not in options and violated(folder, path, body, kind, options) != (expected == "unsafe"):
                    print("no run bears out the label", name, expected)
                    continue
                given = [o for o in options if o != "nogcc"]
                command = [craig, "check", "--time", "5", "--property", PROPERTIES[kind], "--externs", "pure", *given, path]
                run = subprocess.run(command, capture_output=True, text=True, timeout=60)
                said = (run.stdout.strip().split("\n") or [""])[-1].replace("verdict: ", "")
                answer = "ok" if said == expected else "WRONG" if said in ("safe", "unsafe") else "unknown"
                counts[answer] += 1
                if answer != "ok":
                    print(answer, name, "is", expected, "said", said, flush=True)
    print(counts)
    sys.exit(1 if counts["WRONG"] else 0)


main()

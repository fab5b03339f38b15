#!/usr/bin/env python3
"""Small programs as twins against gcc: CRAIG [PATTERN]

Folder twins/: values.txt and environment.txt have records `name | globals | statements | expression`. gcc says what
the expression is; the twin programs claim that it is that, and that it is not. memory.txt and overflow.txt have records
`name | globals | statements` with parts {{good||bad}}; sanitisers say which is which. Z is an input that is zero, so
that nothing is a constant. WRONG verdicts are printed and counted; unknown is forgiven, and printed.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "twins")
BAR = re.compile(r"\s\|(?=\s)")
PART = re.compile(r"\{\{((?:(?!\}\}).)*?\|\|(?:(?!\{\{).)*?)\}\}", re.S)
NATIVE = "int __VERIFIER_nondet_int(void){return 0;} void reach_error(void){}\n"
HEAD = "\nextern void reach_error(void);extern int __VERIFIER_nondet_int(void);\n"
MAIN = "int main(void){int Z=__VERIFIER_nondet_int(); if(Z!=0) return 0;\n"


def records(name, fields):
    """Records of a file; one may go over several lines, until it has all its fields."""
    text = ""
    for line in open(os.path.join(HERE, name)):
        text += line
        if text.strip() and len(BAR.split(text)) >= fields:
            yield [part.strip("\n") for part in BAR.split(text.rstrip("\n"), maxsplit=fields - 1)]
            text = ""


def native(folder, path, flags):
    """The program compiled and run; None if gcc refuses it."""
    stub, out = os.path.join(folder, "stub.c"), os.path.join(folder, "a.out")
    with open(stub, "w") as f:
        f.write(NATIVE)
    made = subprocess.run(["gcc", "-w", "-O0", *flags, "-o", out, path, stub, "-lm"], capture_output=True, text=True)
    if made.returncode:
        print("gcc refuses", path, made.stderr[:200])
        return None
    options = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1:detect_leaks=1"}
    return subprocess.run([out], capture_output=True, stdin=subprocess.DEVNULL, timeout=20, env=options)


def judge(counts, craig, path, text, expected, options):
    with open(path, "w") as f:
        f.write(text)
    run = subprocess.run([craig, "check", "--time", "5", *options, path], capture_output=True, text=True, timeout=60)
    said = (run.stdout.strip().split("\n") or [""])[-1].replace("verdict: ", "")
    kind = "ok" if said == expected else "WRONG" if said in ("safe", "unsafe") else "unknown"
    counts[kind] += 1
    if kind != "ok":
        print(kind, os.path.basename(path), said)
    if kind == "WRONG":
        print(text)


def values(counts, craig, pattern, folder, name):
    for title, globals_, statements, expression in records(name, 4):
        if not re.search(pattern, title):
            continue
        start = globals_ + HEAD + MAIN + statements + "\n long long V=" + expression + ";\n"
        path = os.path.join(folder, title + ".c")
        with open(path, "w") as f:
            f.write(start + 'extern int printf(const char*,...); printf("VALUE %lld\\n",V); return 0;}\n')
        run = native(folder, path, ["-fsanitize=undefined"])
        value = run and re.search(r"VALUE (-?\d+)", run.stdout.decode(errors="replace"))
        if not value:
            print("no value", title)
            continue
        for expected, operator in (("safe", "!="), ("unsafe", "==")):
            end = f" if(V{operator}{value.group(1)}LL) reach_error();\n return 0;}}\n"
            judge(counts, craig, path, start + end, expected, [])


def memory(counts, craig, pattern, folder, name, checked):
    for title, globals_, statements in records(name, 3):
        if not re.search(pattern, title):
            continue
        for k, expected in enumerate(("safe", "unsafe")):
            parts = [PART.sub(lambda m: m.group(1).split("||")[k], t) for t in (globals_, statements)]
            text = parts[0] + HEAD + MAIN + parts[1] + "\n return 0;}\n"
            path = os.path.join(folder, f"{title}_{expected}.c")
            with open(path, "w") as f:
                f.write(text)
            run = native(folder, path, ["-fsanitize=address,undefined", "-fno-builtin"])
            if run is None:
                continue
            bad = run.returncode != 0 or b"runtime error" in run.stderr
            if bad != (expected == "unsafe"):
                print("the sanitisers do not agree with the label", title, expected)
                continue
            judge(counts, craig, path, text, expected, ["--property", checked])


def main():
    craig, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    counts = {"ok": 0, "WRONG": 0, "unknown": 0}
    with tempfile.TemporaryDirectory() as folder:
        values(counts, craig, pattern, folder, "values.txt")
        values(counts, craig, pattern, folder, "environment.txt")
        memory(counts, craig, pattern, folder, "memory.txt", "memsafety")
        memory(counts, craig, pattern, folder, "overflow.txt", "no-overflow")
    print(counts)
    sys.exit(1 if counts["WRONG"] else 0)


main()

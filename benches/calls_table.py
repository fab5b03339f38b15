#!/usr/bin/env python3
"""Families of calls, for benches/calls.md: how solver calls grow with the program.

  chain    f1 -> f2 -> ... -> fn, each calls the next once
  wide     one callee, called k times from main
  diamond  each function calls the next twice: inlining makes 2^n copies

usage: benches/calls_table.py [CRAIG] [--time S]
Needs a release build: cargo build --release -p craig
"""
import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

HEAD = """extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
"""


def chain(n, twice=False):
    """Each function adds one (or two calls of the next add two halves); the sum is bounded below."""
    out = [HEAD]
    out.append(f"int f{n}(int x) {{ if (x < 0) reach_error(); return x < 1000 ? x + 1 : x; }}")
    for i in range(n - 1, 0, -1):
        if twice:
            body = f"int y = f{i + 1}(x); return f{i + 1}(y);"
        else:
            body = f"int y = f{i + 1}(x); return y;"
        out.append(f"int f{i}(int x) {{ {body} }}")
    out.append("""int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) return 0;
  int y = f1(x);
  if (y < x) reach_error();
  return 0;
}""")
    return "\n".join(out)


def diamond(n):
    return chain(n, twice=True)


def wide(k):
    out = [HEAD, "int f(int x) { if (x < 0) reach_error(); return x < 1000 ? x + 1 : x; }"]
    out.append("int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x < 0) return 0;\n  int y = x;")
    out += ["  y = f(y);"] * k
    out.append("  if (y < x) reach_error();\n  return 0;\n}")
    return "\n".join(out)


FAMILIES = [
    ("chain", chain, [2, 5, 10, 15, 20, 25, 30]),
    ("wide", wide, [2, 5, 10, 15, 20, 25, 30]),
    ("diamond", diamond, [2, 5, 10, 12, 15, 20, 25, 30]),
]
COUNTED = ["query", "interpolation problems", "trace checks", "hoare triple checks"]


def run(craig, engine, path, limit):
    command = [craig, "check", "--engine", engine, "--time", str(limit), "--stats", str(path)]
    start = time.time()
    text = subprocess.run(command, capture_output=True, text=True).stdout
    seconds = time.time() - start
    verdict = re.search(r"^verdict: (\w+)", text, re.M)
    stats = {m[1]: int(m[2]) for m in re.finditer(r"^  (.+): (\d+)$", text, re.M)}
    return verdict[1] if verdict else "none", seconds, stats


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("craig", nargs="?", default="target/release/craig")
    parser.add_argument("--time", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, make, sizes in FAMILIES:
            print(f"\n### {name}\n")
            print("| n | trace | seconds | queries | solver calls | impact (inlines) | seconds |")
            print("|--:|---|--:|--:|--:|---|--:|")
            for n in sizes:
                path = Path(folder) / f"{name}{n}.c"
                path.write_text(make(n))
                verdict, seconds, stats = run(options.craig, "trace", path, options.time)
                calls = sum(stats.get(c, 0) for c in COUNTED[1:])
                other, inlined, _ = run(options.craig, "impact", path, options.time)
                print(
                    f"| {n} | {verdict} | {seconds:.2f} | {stats.get('queries', 0)} | {calls} "
                    f"| {other} | {inlined:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

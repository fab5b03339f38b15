#!/usr/bin/env python3
"""Every C test program through clang and the LLVM front end: the verdict must be that of its head.

usage: llvm.py CRAIG [--time SECONDS] [--engine NAME] [--only TEXT] [--level 0|1|2]
Prints what differs; a wrong verdict makes the exit status 1. Needs clang.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

COMPILERS_DIFFER = (
    "wide_bit_field", "wide_field", "bit_field_promotion", "order_of_evaluation", "computed_goto_ends", "over_declaration",
    "longjmp_block", "negative_length",
)

parser = argparse.ArgumentParser()
parser.add_argument("craig")
parser.add_argument("--time", type=int, default=10)
parser.add_argument("--engine", default=None)
parser.add_argument("--only", default="")
parser.add_argument("--level", default="raw")
parser.add_argument("--every", type=int, default=1)
args = parser.parse_args()

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../programs")
files = sorted(
    os.path.join(d, f) for d, _, names in os.walk(root) for f in names if f.endswith(".c")
)
files = [f for f in files if args.only in f][:: args.every]
counts = {"same": 0, "unknown": 0, "wrong": 0, "refused": 0, "skipped": 0}
with tempfile.TemporaryDirectory() as tmp:
    for path in files:
        text = open(path, errors="replace").read()
        tags = dict(re.findall(r"//@ ([a-z-]+): *(.*)", text))
        expected = tags.get("verdict", "").split()[:1]
        expected = expected[0] if expected else ""
        # gcc and clang give these different meanings (crates/craig/tests/llvm.rs says which).
        differ = any(name in path for name in COMPILERS_DIFFER)
        if differ or expected not in ("safe", "unsafe"):
            counts["skipped"] += 1
            continue
        options = tags.get("options", "").split()
        clang = ["clang", "-w", "-S", "-emit-llvm", "-g", "-fno-discard-value-names"]
        clang += ["-std=gnu17", "-Wno-everything"]
        if args.level == "raw":
            clang += ["-O1", "-Xclang", "-disable-llvm-passes"]
        else:
            clang += ["-O" + args.level]
        if "--32" in options:
            clang.append("-m32")
        if "--wrapv" in options:
            clang.append("-fwrapv")
        out = os.path.join(tmp, "x.ll")
        done = subprocess.run(clang + [path, "-o", out], capture_output=True, text=True)
        if done.returncode:
            counts["skipped"] += 1
            continue
        command = [args.craig, "check", "--time", str(args.time)]
        command += [o for o in options if o not in ("--32",)]
        if "property" in tags:
            command += ["--property", tags["property"].strip()]
        if args.engine:
            command += ["--engine", args.engine]
        try:
            run = subprocess.run(command + [out], capture_output=True, text=True, timeout=args.time + 30)
            lines = run.stdout.strip().splitlines()
            last = lines[-1] if lines else ""
            error = run.stderr.strip().splitlines()
        except subprocess.TimeoutExpired:
            last, error = "verdict: unknown", []
        got = last.replace("verdict: ", "").split()[:1]
        got = got[0] if got else "refused"
        if got == expected:
            counts["same"] += 1
            continue
        kind = "refused" if got not in ("safe", "unsafe", "unknown") else "unknown" if got == "unknown" else "wrong"
        counts[kind] += 1
        detail = " ".join(error[:2])[:160] if kind == "refused" else ""
        print(f"{kind}: {os.path.relpath(path, root)}: {got}, expected {expected} {detail}", flush=True)
print(counts)
sys.exit(1 if counts["wrong"] else 0)

#!/usr/bin/env python3
"""Tasks of a benchmark list both ways: read as C, and through clang as LLVM assembly. How many verdicts stay?

usage: llvm_tasks.py CRAIG TASKS.csv [--group core] [--time 30] [--every N] [--first N] [--out F.csv]
The list has the columns group, file, property, verdict, bits; files are beside it. Prints what differs and the sums: of the
verdicts that the C front end gives, how many the other way gives too. A verdict that contradicts the list makes the exit status 1. Needs clang.
"""
import argparse, csv, os, re, resource, subprocess, sys, tempfile

parser = argparse.ArgumentParser()
parser.add_argument("craig")
parser.add_argument("tasks")
parser.add_argument("--group", default="core")
parser.add_argument("--time", type=int, default=30)
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--out")
args = parser.parse_args()
root = os.path.dirname(os.path.abspath(args.tasks))
with open(args.tasks) as f:
    rows = [r for r in csv.DictReader(f) if r["group"] == args.group and r["file"].endswith((".c", ".i"))]
rows = rows[args.first :: args.every]


def check(path, options):
    """The verdict, and the seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([args.craig, "check", "--time", str(args.time), *options, path], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(r"^verdict: (\w+)", done.stdout, re.M)
    return found[-1] if found else "refused", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


out, wrong, given, same, more = [], 0, 0, 0, 0
with tempfile.TemporaryDirectory() as folder:
    for r in rows:
        path, module = os.path.join(root, r["file"]), os.path.join(folder, "x.ll")
        bits = r["bits"] or "64"
        options = ["--property", r["property"], "--" + bits]
        clang = ["clang", "-w", "-S", "-emit-llvm", "-g", "-fno-discard-value-names", "-std=gnu17", "-O1", "-Xclang", "-disable-llvm-passes", "-fbracket-depth=4096"]
        # These programs are preprocessed already, whatever their names end in.
        made = subprocess.run(clang + (["-m32"] if bits == "32" else []) + [path, "-o", module], capture_output=True, text=True)
        plain, seconds = check(path, options)
        other, others = ("no module", 0.0) if made.returncode else check(module, options)
        given += plain in ("safe", "unsafe")
        same += plain == other and plain in ("safe", "unsafe")
        more += plain not in ("safe", "unsafe") and other in ("safe", "unsafe")
        bad = any(v in ("safe", "unsafe") and v != r["verdict"] for v in (plain, other))
        wrong += bad
        if plain != other or bad:
            print(f"{r['file']}: {plain} as C ({seconds:.1f} s), {other} through clang ({others:.1f} s){' WRONG' if bad else ''}", flush=True)
        out.append((r["file"], r["verdict"], plain, f"{seconds:.2f}", other, f"{others:.2f}"))
print(f"{len(rows)} tasks: {given} verdicts as C, {same} of them the same through clang ({100 * same / max(given, 1):.0f} %), {more} through clang only, {wrong} wrong")
if args.out:
    with open(args.out, "w", newline="") as f:
        csv.writer(f).writerows([("file", "expected", "c", "seconds", "llvm", "seconds"), *out])
sys.exit(1 if wrong else 0)

#!/usr/bin/env python3
"""Slow tier: the Horn clauses of C programs (`craig show --as chc`), solved by z3's Spacer.

    benches/chc_agree.py --craig target/release/craig --tasks smoke.csv [--time 30]

`tasks` has the columns group, file, property, verdict, lines, bits; files are beside it. Wherever
z3 answers, `sat` must be a safe program and `unsat` an unsafe one. Programs with notes on what is
over-approximated may be `unsat` although they are safe: such an answer is counted, not blamed.
"""
import argparse
import csv
import pathlib
import subprocess
import sys


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--craig", default="target/release/craig")
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--time", type=int, default=30)
    args = ap.parse_args()
    root = pathlib.Path(args.tasks).parent
    counts = {"agrees": 0, "no answer": 0, "over-approximated": 0, "DISAGREES": 0}
    for row in csv.DictReader(open(args.tasks)):
        if not row["file"].endswith((".c", ".i")):
            continue
        file = root / row["file"]
        cmd = [args.craig, "show", "--as", "chc", "--property", row["property"]]
        cmd += ["--32" if row["bits"] == "32" else "--64", str(file)]
        shown = subprocess.run(cmd, capture_output=True, text=True)
        if shown.returncode != 0:
            kind, answer = "DISAGREES", "no clauses: " + shown.stderr[:200]
        else:
            z3 = ["z3", "-in", f"-T:{args.time}"]
            run = subprocess.run(z3, input=shown.stdout, capture_output=True, text=True)
            answer = (run.stdout.split("\n") or [""])[0]
            expected = {"safe": "sat", "unsafe": "unsat"}[row["verdict"]]
            if answer == expected:
                kind = "agrees"
            elif answer not in ("sat", "unsat"):
                kind = "no answer" if not answer.startswith("(error") else "DISAGREES"
            elif answer == "unsat" and "; over-approximated:" in shown.stdout:
                kind = "over-approximated"
            else:
                kind = "DISAGREES"
        counts[kind] += 1
        print(f"{kind:18} {answer:8} {row['verdict']:7} {row['file']}", flush=True)
    print(", ".join(f"{k}: {n}" for k, n in counts.items()))
    sys.exit(1 if counts["DISAGREES"] else 0)


main()

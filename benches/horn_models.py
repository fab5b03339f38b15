#!/usr/bin/env python3
"""Slow tier: models that `craig check --print-model` gives for Horn systems, judged by z3.

    benches/horn_models.py --craig target/release/craig [--time 10] [--engine NAME] FILE.smt2...

Every assertion of a system must be valid with the predicates defined as the model says; every
unsafe system must get a derivation (`--print-refutation`). Ends with status 1 if a model is wrong
or a derivation is missing; a verdict without a model (the proof could not be mapped) is counted.
"""
import argparse
import subprocess
import sys


def commands(text):
    """The top-level s-expressions of a script."""
    out, depth, start, i = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c == ";":
            i = text.find("\n", i)
            if i < 0:
                break
        elif c in '|"':
            i = text.find(c, i + 1)
        elif c == "(":
            if depth == 0:
                start = i
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                out.append(text[start : i + 1])
        i += 1
    return out


def judge(system, model, seconds):
    """z3's answers, one for each assertion."""
    script = ["\n".join(commands(model.strip()[1:-1]))]
    count = 0
    for c in commands(system):
        word = c[1:].split(None, 1)[0]
        if word == "assert":
            body = c[1:-1].strip()[len("assert") :]
            script.append(f"(push)(assert (not {body}))(check-sat)(pop)")
            count += 1
        elif word in ("define-fun", "define-sort", "declare-sort"):
            script.insert(0, c)
    text = "\n".join(script)
    run = subprocess.run(["z3", "-in", f"-T:{seconds}"], input=text, capture_output=True, text=True)
    answers = run.stdout.split("\n")[:count]
    bad = [f"assertion {i + 1}: {a}" for i, a in enumerate(answers) if a not in ("unsat", "timeout", "unknown")]
    undecided = count - sum(a == "unsat" for a in answers) - len(bad)
    return bad, undecided


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--craig", default="target/release/craig")
    ap.add_argument("--time", type=int, default=10)
    ap.add_argument("--engine")
    ap.add_argument("files", nargs="+")
    args = ap.parse_args()
    counts = {"accepted": 0, "undecided": 0, "WRONG": 0, "no model": 0, "derivation": 0, "no derivation": 0, "unknown": 0}
    for file in args.files:
        cmd = [args.craig, "check", "--quiet", "--print-model", "--print-refutation", "--time", str(args.time)]
        if args.engine:
            cmd += ["--engine", args.engine]
        out = subprocess.run(cmd + [file], capture_output=True, text=True).stdout
        body, _, verdict = out.rstrip("\n").rpartition("\n")
        verdict = verdict.removeprefix("verdict: ")
        if verdict == "unsafe":
            kind = "derivation" if ". false  by the clause" in body else "no derivation"
            note = "" if kind == "derivation" else body
        elif verdict == "safe" and body.lstrip().startswith("("):
            bad, undecided = judge(open(file).read(), body, 60)
            kind = "WRONG" if bad else "undecided" if undecided else "accepted"
            note = "; ".join(bad[:3])
        elif verdict == "safe":
            kind, note = "no model", body
        else:
            kind, note = "unknown", ""
        counts[kind] += 1
        print(f"{kind:14} {file} {note}", flush=True)
    print(", ".join(f"{k}: {n}" for k, n in counts.items()))
    sys.exit(1 if counts["WRONG"] or counts["no derivation"] else 0)


main()

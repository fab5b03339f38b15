#!/usr/bin/env python3
"""Random contradictory scripts over bit-vectors: are the interpolants of `craig smt` valid, and in terms of words?

z3 judges each step of a sequence, and the symbols. An interpolant that asks a single bit of a word (`(_ extract k k)`) is not in
terms of words; what share of scripts has one is counted.

    tests/slow/words_interpolants.py --kind path|random --from 0 --count 100 [--craig target/release/craig] [--verbose]

`path` has definitions in single assignment with conditions between, `random` any operators. Needs the Python package z3-solver.
"""
import argparse
import random
import re
import subprocess
import sys

import z3

from interpolants import answers, split

SINGLE_BIT = re.compile(r"\(\(_ extract (\d+) (\d+)\)")


def path(r):
    """Declarations, and the parts of a path: a start, steps, and two conditions at its end."""
    width, laps, names = r.choice([8, 16, 32]), r.randint(2, 5), [f"x{j}" for j in range(r.randint(2, 3))]
    declarations = [f"(declare-fun {v}_{t} () (_ BitVec {width}))" for t in range(laps + 1) for v in names + ["c"]]

    def number(n):
        return f"(_ bv{n % (1 << width)} {width})"

    def term(t, depth=2):
        if depth == 0 or r.random() < 0.35:
            return r.choice([f"{r.choice(names)}_{t}", f"{r.choice(names)}_{t}", number(r.choice([0, 1, 2, 3, 7, 8, 15, 255])), f"c_{t}"])
        op = r.choice(["bvadd", "bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvmul"])
        left = term(t, depth - 1)
        if op in ("bvshl", "bvlshr"):
            return f"({op} {left} {number(r.randint(0, 4))})"
        return f"({op} {left} {number(r.choice([2, 3, 5])) if op == 'bvmul' else term(t, depth - 1)})"

    def condition(t):
        c = f"({r.choice(['bvult', 'bvule', 'bvslt', 'bvsle', '='])} {term(t, 1)} {term(t, 1)})"
        return c if r.random() < 0.7 else f"(not {c})"

    def start(v):
        exact = r.random() < 0.7
        return f"(= {v}_0 {number(r.choice([0, 0, 1, 2, 5]))})" if exact else f"(bvult {v}_0 {number(r.choice([4, 10, 100]))})"

    parts = [" ".join(start(v) for v in names)]
    for t in range(laps):
        changed = r.choice(names)
        steps = [f"(= {v}_{t + 1} {term(t) if v == changed or r.random() < 0.3 else f'{v}_{t}'})" for v in names]
        parts.append(" ".join(([condition(t)] if r.random() < 0.6 else []) + steps))
    parts.append(f"{condition(laps)} {condition(laps)}")
    return declarations, parts


def at_random(r):
    """Declarations, and two or three parts that share half of their constants."""
    width, count = r.choice([4, 8, 16]), r.randint(2, 3)
    declarations = [f"(declare-fun {v} () (_ BitVec {width}))" for v in "abcdefgh"]
    scopes = ["abcd", "cdef", "efgh"]
    ops = ["bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvmul", "bvshl", "bvlshr", "bvashr", "bvudiv", "bvurem", "bvneg", "bvnot"]

    def term(k, depth):
        if depth == 0 or r.random() < 0.3:
            return r.choice([*scopes[k]] * 2 + [f"(_ bv{r.randint(0, 20) % (1 << width)} {width})"])
        op = r.choice(ops)
        if op in ("bvneg", "bvnot"):
            return f"({op} {term(k, depth - 1)})"
        return f"({op} {term(k, depth - 1)} {term(k, depth - 1)})"

    def formula(k):
        c = f"({r.choice(['bvult', 'bvule', 'bvslt', 'bvsle', '=', '=', '='])} {term(k, 2)} {term(k, 1)})"
        c = c if r.random() < 0.7 else f"(not {c})"
        return c if r.random() < 0.7 else f"(or {c} {formula(k)})"

    return declarations, [" ".join(formula(k) for _ in range(r.randint(2, 4))) for k in range(count)]


def constants(formulas):
    return set(re.findall(r"\b(?:x\d_\d+|c_\d+|[a-h])\b", " ".join(formulas)))


def judge(declarations, parts, list_):
    """What is wrong with the interpolants of a sequence, or None."""
    if len(list_) != len(parts) - 1:
        return f"{len(list_)} interpolants"
    for k in range(len(parts)):
        claims = [f"(and true {parts[k]})"] + ([list_[k - 1]] if k > 0 else [])
        claims += [f"(not {list_[k]})"] if k < len(list_) else []
        solver = z3.Solver()
        solver.set("timeout", 10_000)
        solver.from_string("\n".join(declarations + [f"(assert {c})" for c in claims]))
        result = solver.check()
        if result != z3.unsat:
            return f"step {k}: {result}"
        if k < len(list_):
            strange = constants([list_[k]]) - (constants(parts[: k + 1]) & constants(parts[k + 1 :]))
            if strange:
                return f"{strange} in {k}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["path", "random"], default="path")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="contradictory scripts")
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    counts = {"in words": 0, "with bits": 0, "none": 0, "INVALID": 0, "time": 0}
    seed, size = args.first, 0
    while sum(counts.values()) < args.count:
        short = "rand" if args.kind == "random" else args.kind
        declarations, parts = (path if args.kind == "path" else at_random)(random.Random(f"{short} {seed}"))
        seed += 1
        lines = ["(set-option :produce-interpolants true)", "(set-logic QF_BV)", *declarations]
        lines += [f"(assert (! (and true {p}) :named P{k}))" for k, p in enumerate(parts)]
        lines += ["(check-sat)", f"(get-interpolants {' '.join(f'P{k}' for k in range(len(parts)))})"]
        try:
            out = subprocess.run([args.craig, "smt", "-"], input="\n".join(lines), capture_output=True, text=True, timeout=60).stdout
        except subprocess.TimeoutExpired:
            counts["time"] += 1
            continue
        if not out.startswith("unsat"):
            continue
        answer = answers(out)[1]
        if answer.startswith("(error"):
            kind = "none"
        else:
            wrong = judge(declarations, parts, split(answer))
            bits = any(a == b for a, b in SINGLE_BIT.findall(answer))
            kind = "INVALID" if wrong else "with bits" if bits else "in words"
            size += len(answer)
        counts[kind] += 1
        if kind in ("none", "INVALID") or args.verbose and kind == "with bits":
            print(f"{seed - 1}: {kind}: {answer[:300]}", flush=True)
    print(f"{args.kind} seeds {args.first} to {seed - 1}:", ", ".join(f"{n} {k}" for k, n in counts.items()) + f"; {size / args.count:.0f} characters a script")
    return 1 if counts["INVALID"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random contradictory scripts over arrays, functions and integers: z3 judges the interpolants of `craig smt`.

Every unsat answer must come with interpolants, of a sequence and of a tree, each implied by its parts (and the
interpolants below), the last one contradictory, and in the symbols that both sides have.

    tests/slow/interpolants.py --kind ax|auflia --from 0 --count 1000 [--no-constants] [--craig target/release/craig]

`ax` has sorts without numbers for indices and elements, `auflia` integers and a function. Both have constant arrays. Needs
the Python package z3-solver. The seeds decide the scripts; z3 chooses the contradictory ones first.
"""
import argparse
import random
import re
import subprocess
import sys

import z3


class Script:
    """Parts of a path or tree; a symbol belongs to one part, to two neighbours, or to all."""

    def __init__(self, rng, kind, constants):
        self.r, self.kind, self.constants = rng, kind, constants
        self.index, self.element = ("Int", "Int") if kind == "auflia" else ("I", "E")
        self.n = rng.choice([2, 2, 2, 3, 4])
        self.parts = [[self.formula(k, 2) for _ in range(rng.randint(1, 3))] for k in range(self.n)]

    def scope(self, kind, k):
        """The constants of a sort that part k may use."""
        own = [f"{kind}own{k}"]
        border = [f"{kind}{b}" for b in (k, k + 1) if 0 < b < self.n]
        return own + 2 * border + ([f"{kind}all"] if kind != "a" else [])

    def declarations(self):
        out = []
        if self.kind == "ax":
            out += ["(declare-sort I 0)", "(declare-sort E 0)"]
        sorts = {"a": f"(Array {self.index} {self.element})", "i": self.index, "e": self.element}
        for kind, sort in sorts.items():
            names = [f"{kind}own{k}" for k in range(self.n)] + [f"{kind}{b}" for b in range(1, self.n)] + [f"{kind}all"]
            out += [f"(declare-fun {x} () {sort})" for x in names]
        out.append(f"(declare-fun f ({self.element}) {self.element})")
        arrays = sorts["a"]
        out.append(f"(declare-fun difference ({arrays} {arrays}) {self.index})")
        return out

    def place(self, k):
        if self.kind == "auflia" and self.r.random() < 0.2:
            return self.r.choice(["0", "1", f"(+ {self.r.choice(self.scope('i', k))} 1)"])
        return self.r.choice(self.scope("i", k))

    def value(self, k, d):
        c = self.r.random()
        if d > 0 and c < 0.35:
            return f"(select {self.array(k, d - 1)} {self.place(k)})"
        if d > 0 and c < 0.45:
            return f"(f {self.value(k, d - 1)})"
        if self.kind == "auflia" and c < 0.6:
            return self.r.choice(["0", "1", f"(+ {self.r.choice(self.scope('e', k))} 1)"])
        return self.r.choice(self.scope("e", k))

    def array(self, k, d):
        c = self.r.random()
        if d > 0 and c < 0.45:
            return f"(store {self.array(k, d - 1)} {self.place(k)} {self.value(k, d - 1)})"
        if self.constants and c < 0.7:
            return f"((as const (Array {self.index} {self.element})) {self.value(k, 0)})"
        return self.r.choice(self.scope("a", k))

    def formula(self, k, d):
        r, c = self.r, self.r.random()
        if c < 0.5:
            left, right = r.choice(self.scope("a", k)), self.array(k, d)
            return f"(= {left} {right})"
        if c < 0.6:
            return f"(or {self.formula(k, d - 1)} {self.formula(k, d - 1)})" if d > 1 else f"(= {self.value(k, d)} {self.value(k, d)})"
        if c < 0.75:
            return f"(not (= {self.place(k)} {self.place(k)}))"
        if c < 0.8:
            return f"(= {self.place(k)} {self.place(k)})"
        if self.kind == "auflia" and c < 0.87:
            return f"(< {self.value(k, d)} {self.value(k, d)})"
        relation = f"(= {self.value(k, d)} {self.value(k, d)})"
        return relation if r.random() < 0.3 else f"(not {relation})"

    def text(self, tree):
        lines = ["(set-option :produce-interpolants true)", "(set-logic ALL)", *self.declarations()[:-1]]
        for k, p in enumerate(self.parts):
            lines.append(f"(assert (! (and true {' '.join(p)}) :named P{k}))")
        lines += ["(check-sat)"]
        names = [f"P{k}" for k in range(self.n)]
        lines.append(f"(get-interpolants {' '.join(names)})")
        if tree:
            # The first parts are leaves, the last is the root.
            leaves = [names[0]] + [f"({x})" for x in names[1:-1]]
            lines.append(f"(get-interpolants {' '.join(leaves)} {names[-1]})")
        return "\n".join(lines)


def differences(formulas):
    """What the places where arrays differ mean, for each that is mentioned."""
    seen, stack, out = set(), list(formulas), []
    while stack:
        t = stack.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        stack += t.children()
        if z3.is_app(t) and t.decl().name() == "difference":
            a, b = t.children()
            out.append(z3.Or(a == b, a[t] != b[t]))
    return out


def refuted(formulas, declarations, limit=10_000):
    solver = z3.Solver()
    solver.set("timeout", limit)
    text = "\n".join(declarations + [f"(assert {f})" for f in formulas])
    solver.from_string(text)
    solver.add(differences(solver.assertions()))
    return solver.check()


def split(answer):
    """The formulas of an answer `(f g ...)`."""
    out, depth, start = [], 0, None
    body = answer.strip()[1:-1]
    for at, c in enumerate(body):
        if c == "(":
            if depth == 0 and start is None:
                start = at
            depth += 1
        elif c == ")":
            depth -= 1
        if depth == 0:
            if c.isspace():
                if start is not None:
                    out.append(body[start:at])
                start = None
            elif start is None:
                start = at
    if start is not None:
        out.append(body[start:])
    return [f.strip() for f in out if f.strip()]


def answers(text):
    """The lines of an output as balanced expressions."""
    out, depth, start = [], 0, 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "\n" and depth == 0:
            if text[start:at].strip():
                out.append(text[start:at].strip())
            start = at + 1
    return out


SYMBOL = re.compile(r"\b[aie](?:own)?\d*(?:all)?\b|\b[aie]all\b")


def symbols(texts):
    return set(SYMBOL.findall(" ".join(texts))) - {"as"}


def judge(script, list_, tree):
    """What is wrong with interpolants, or None."""
    n, parts = script.n, [f"(and true {' '.join(p)})" for p in script.parts]
    list_ = [re.sub(r"\|?array-diff![^\s()|]*\|?|array-diff", "difference", f) for f in list_]
    if len(list_) != n - 1:
        return f"{len(list_)} interpolants"
    declarations = script.declarations()
    for k in range(n):
        below = [] if k == 0 else [list_[k - 1]]
        if tree:
            below = list_ if k == n - 1 else []
        claim = [f"(not {list_[k]})"] if k < n - 1 else []
        result = refuted([parts[k], *below, *claim], declarations)
        if result == z3.sat:
            return f"step {k} does not hold"
        if result != z3.unsat:
            return f"undecided {k}"
        if k < n - 1:
            inside = [k] if tree else range(k + 1)
            outside = [j for j in range(n) if j not in inside]
            shared = symbols(parts[j] for j in inside) & symbols(parts[j] for j in outside)
            strange = symbols([list_[k]]) - shared
            if strange:
                return f"{strange} in {k}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["ax", "auflia"], default="auflia")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000, help="contradictory scripts")
    parser.add_argument("--no-constants", action="store_true")
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("--keep", help="a folder for scripts without interpolants")
    args = parser.parse_args()
    seed, done, counts = args.first, 0, {"valid": 0, "none": 0, "INVALID": 0, "undecided": 0, "WRONG": 0, "time": 0}
    while done < args.count:
        script = Script(random.Random(f"{args.kind} {seed}"), args.kind, not args.no_constants)
        seed += 1
        everything = [f for p in script.parts for f in p]
        if refuted(everything, script.declarations(), 500) != z3.unsat:
            continue
        if any(refuted(p, script.declarations(), 500) == z3.unsat for p in script.parts):
            continue
        done += 1
        text = script.text(script.n > 2)
        try:
            out = subprocess.run([args.craig, "smt", "-"], input=text, capture_output=True, text=True, timeout=args.time).stdout
        except subprocess.TimeoutExpired:
            counts["time"] += 1
            print(f"{seed - 1}: no answer in time")
            continue
        lines = answers(out)
        problem = None
        if not lines or lines[0] != "unsat":
            kind, problem = ("WRONG" if lines and lines[0] == "sat" else "none"), lines
        else:
            kind = "valid"
            for tree, answer in zip([False, True], lines[1:]):
                if answer.startswith("(error"):
                    kind, problem = "none", answer
                    continue
                wrong = judge(script, split(answer), tree)
                if wrong:
                    kind, problem = ("undecided" if wrong.startswith("undecided") else "INVALID"), (wrong, answer)
                    break
        counts[kind] += 1
        if problem:
            print(f"{seed - 1}: {kind}: {str(problem)[:300]}", flush=True)
            if args.keep:
                open(f"{args.keep}/{args.kind}-{seed - 1}.smt2", "w").write(text + "\n")
    print(f"{args.kind} seeds {args.first} to {seed - 1}: {done} contradictory scripts:", ", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["INVALID"] or counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())

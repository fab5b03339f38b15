#!/usr/bin/env python3
"""Random contradictory scripts over arrays, functions and numbers: z3 judges the interpolants of `craig smt`.

Every unsat answer must come with interpolants, of a sequence and of a tree, each implied by its parts (and the
interpolants below), the last one contradictory, and in the symbols that both sides have.

    tests/slow/interpolants.py --kind ax|axi|auflia|uflia|uflra --from 0 --count 1000 [--no-constants] [--driven] [--craig target/release/craig]

`ax` has sorts without numbers for indices and elements, `axi` integers as indices that are only compared, `auflia` integers and a
function; all have constant arrays. `uflia` and `uflra` have functions between integers or reals and a sort without numbers, and
literals that mix parts. Two constant arrays that a few writes connect bound the size of a sort without numbers; z3 takes such scripts
for contradictory too if they only have models in which the sort is small. Those craig leaves `unknown`.

Needs the Python package z3-solver. The seeds decide the scripts (and the version of z3, with --driven); z3 chooses the contradictory
ones first.
"""
import argparse
import itertools
import random
import re
import subprocess
import sys

import z3


MOST, TRIES = 18, 12  # formulas of a driven script, and how many are looked at for each


class Script:
    """Parts of a path, and of a tree; a symbol belongs to one part, to two neighbours, to a part and its parent, or to all."""

    def __init__(self, rng, kind, constants):
        self.r, self.kind, self.constants = rng, kind, constants
        self.index, self.element = {"auflia": ("Int", "Int"), "axi": ("Int", "E")}.get(kind, ("I", "E"))
        self.arrays = kind in ("ax", "axi", "auflia")
        self.number = "Real" if kind == "uflra" else "Int"
        self.n = rng.choice([2, 2, 2, 3, 4, 5])
        self.parent = tree(rng, self.n)
        self.make = self.formula if self.arrays else self.arithmetic
        self.parts = [[] for _ in range(self.n)]

    def at_random(self):
        """Formulas as they come."""
        self.parts = [[self.make(k, 2) for _ in range(self.r.randint(1, 3))] for k in range(self.n)]
        return self

    def driven(self):
        """Each formula is false in a model of those before it, until there is none: all sides are needed more often."""
        declarations, solver = "\n".join(self.declarations()), z3.Solver()
        solver.set("timeout", 300)
        for _ in range(MOST):
            if solver.check() != z3.sat:
                break
            model = solver.model()
            for _ in range(TRIES):
                k = self.r.randrange(self.n)
                f = self.make(k, 2)
                read = z3.parse_smt2_string(f"{declarations}\n(assert {f})")
                if len(read) and not z3.is_true(z3.simplify(model.eval(z3.And(*read), model_completion=True))):
                    break
            self.parts[k].append(f)
            solver.add(read)
        return self

    def borders(self, k):
        """Places where symbols are shared by two parts."""
        path = [f"{b}" for b in (k, k + 1) if 0 < b < self.n]
        down = [f"t{j}" for j in range(self.n - 1) if k in (j, self.parent[j]) and self.parent[j] != j + 1]
        return path + down

    def scope(self, kind, k):
        """The constants of a sort that part k may use."""
        return [f"{kind}own{k}"] + 2 * [f"{kind}{b}" for b in self.borders(k)] + ([f"{kind}all"] if kind != "a" else [])

    def declarations(self):
        out = []
        if self.kind in ("ax", "axi"):
            out += ["(declare-sort I 0)", "(declare-sort E 0)"]
        if self.arrays:
            sorts = {"a": f"(Array {self.index} {self.element})", "i": self.index, "e": self.element}
        else:
            sorts = {"e": self.number, "u": "U"}
            out += ["(declare-sort U 0)"]
        for kind, sort in sorts.items():
            names = [f"{kind}own{k}" for k in range(self.n)] + [f"{kind}all"]
            names += sorted({f"{kind}{b}" for k in range(self.n) for b in self.borders(k)})
            out += [f"(declare-fun {x} () {sort})" for x in names]
        if not self.arrays:
            n = self.number
            return out + [f"(declare-fun f ({n}) {n})", f"(declare-fun g ({n} {n}) {n})", f"(declare-fun h ({n}) U)",
                          f"(declare-fun k (U) {n})", f"(declare-fun p ({n}) Bool)"]
        out.append(f"(declare-fun f ({self.element}) {self.element})")
        arrays = sorts["a"]
        out.append(f"(declare-fun difference ({arrays} {arrays}) {self.index})")
        if self.index == "I":
            # Of arrays that interpolants count the sort's elements with.
            counts = "(Array I Int)"
            out.append(f"(declare-fun difference2 ({counts} {counts}) I)")
        return out

    def term(self, k, d):
        """A number, of functions and sums."""
        c = self.r.random()
        if d > 0 and c < 0.3:
            return f"(f {self.term(k, d - 1)})"
        if d > 0 and c < 0.38:
            return f"(g {self.term(k, d - 1)} {self.term(k, d - 1)})"
        if d > 0 and c < 0.43:
            return f"(k {self.thing(k, d - 1)})"
        if d > 0 and c < 0.58:
            return f"(+ {self.term(k, d - 1)} {self.term(k, d - 1)})"
        if d > 0 and c < 0.65:
            return f"(- {self.term(k, d - 1)} {self.term(k, d - 1)})"
        if d > 0 and c < 0.7:
            return f"(* {self.r.choice([2, 3, '(- 2)'])} {self.term(k, d - 1)})"
        return self.r.choice(["0", "1"]) if c > 0.95 else self.r.choice(self.scope("e", k))

    def thing(self, k, d):
        return f"(h {self.term(k, d - 1)})" if d > 0 and self.r.random() < 0.5 else self.r.choice(self.scope("u", k))

    def arithmetic(self, k, d):
        r, c = self.r, self.r.random()
        if c < 0.12 and d > 1:
            return f"(or {self.arithmetic(k, d - 1)} {self.arithmetic(k, d - 1)})"
        if c < 0.3:
            return f"(= {self.term(k, d)} {self.term(k, d)})"
        if c < 0.36:
            return f"(= {self.thing(k, d)} {self.thing(k, d)})"
        if c < 0.4:
            return f"(not (= {self.thing(k, d)} {self.thing(k, d)}))"
        if c < 0.46:
            return r.choice(["(p {})", "(not (p {}))"]).format(self.term(k, d - 1))
        if c < 0.58:
            return f"(not (= {self.term(k, d)} {self.term(k, d)}))"
        return f"({r.choice(['<=', '<=', '<='  , '<', '>='])} {self.term(k, d - r.randint(0, 1))} {self.term(k, d - r.randint(0, 1))})"

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

    def shape(self, node):
        """A subtree as `get-interpolants` wants it: the first child as it is, the others in parentheses."""
        children = [self.shape(j) for j in range(node) if self.parent[j] == node]
        return " ".join(children[:1] + [f"({c})" for c in children[1:]] + [f"P{node}"])

    def text(self):
        lines = ["(set-option :produce-interpolants true)", "(set-logic ALL)"]
        lines += [d for d in self.declarations() if "(declare-fun difference" not in d]
        for k, p in enumerate(self.parts):
            lines.append(f"(assert (! (and true {' '.join(p)}) :named P{k}))")
        lines += ["(check-sat)"]
        names = [f"P{k}" for k in range(self.n)]
        lines.append(f"(get-interpolants {' '.join(names)})")
        if self.n > 2:
            lines.append(f"(get-interpolants {self.shape(self.n - 1)})")
        return "\n".join(lines)


def tree(rng, n):
    """The parents of the nodes of a random tree in postorder; the root is its own."""
    parent, at = [0] * n, [0]

    def subtree(size):
        size -= 1
        children = []
        while size > 0:
            below = rng.randint(1, size)
            children.append(subtree(below))
            size -= below
        node = at[0]
        at[0] += 1
        for c in children:
            parent[c] = node
        return node

    parent[subtree(n)] = n - 1
    return parent


def differences(formulas):
    """What the places where arrays differ mean, for each that is mentioned."""
    seen, stack, out = set(), list(formulas), []
    while stack:
        t = stack.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        stack += t.children()
        if z3.is_app(t) and t.decl().name() in ("difference", "difference2"):
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


SYMBOL = re.compile(r"\b[aieu](?:own\d+|all|t?\d+)\b|\b[fghkp]\b")


def symbols(texts):
    return set(SYMBOL.findall(" ".join(texts)))


def named(list_, declarations):
    """Interpolants with the names that `declarations` have for places where arrays differ: one for each sort of arrays."""
    pattern = r"\|?array-diff!?[^\s()|]*\|?"
    names = sorted({n for f in list_ for n in re.findall(pattern, f)})
    for choice in itertools.product(["difference", "difference2"], repeat=len(names)):
        meant = dict(zip(names, choice))
        list_as_meant = [re.sub(pattern, lambda m: meant[m.group(0)], f) for f in list_]
        try:
            z3.parse_smt2_string("\n".join(declarations + [f"(assert {f})" for f in list_as_meant]))
            return list_as_meant
        except z3.Z3Exception:
            pass
    return list_


def judge(script, list_, parent):
    """What is wrong with interpolants of a tree, or None."""
    n, parts = script.n, [f"(and true {' '.join(p)})" for p in script.parts]
    list_ = named(list_, script.declarations())
    if len(list_) != n - 1:
        return f"{len(list_)} interpolants"
    declarations = script.declarations()
    inside = [{j} for j in range(n)]
    for j in range(n - 1):
        inside[parent[j]] |= inside[j]
    for k in range(n):
        below = [list_[j] for j in range(k) if parent[j] == k]
        claim = [f"(not {list_[k]})"] if k < n - 1 else []
        result = refuted([parts[k], *below, *claim], declarations)
        if result == z3.sat:
            return f"step {k} does not hold"
        if result != z3.unsat:
            return f"undecided {k}"
        if k < n - 1:
            shared = symbols(parts[j] for j in inside[k]) & symbols(parts[j] for j in range(n) if j not in inside[k])
            strange = symbols([list_[k]]) - shared
            if strange:
                return f"{strange} in {k}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["ax", "axi", "auflia", "uflia", "uflra"], default="auflia")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000, help="contradictory scripts")
    parser.add_argument("--no-constants", action="store_true")
    parser.add_argument("--driven", action="store_true", help="formulas that exclude models of those before them")
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("--keep", help="a folder for scripts without interpolants")
    args = parser.parse_args()
    seed, done, counts = args.first, 0, {"valid": 0, "none": 0, "INVALID": 0, "undecided": 0, "WRONG": 0, "time": 0}
    while done < args.count:
        script = Script(random.Random(f"{args.kind} {seed}"), args.kind, not args.no_constants)
        script = script.driven() if args.driven else script.at_random()
        seed += 1
        everything = [f for p in script.parts for f in p]
        if refuted(everything, script.declarations(), 500) != z3.unsat:
            continue
        if any(refuted(p, script.declarations(), 500) == z3.unsat for p in script.parts):
            continue
        done += 1
        text = script.text()
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
            path = [min(k + 1, script.n - 1) for k in range(script.n)]
            for parent, answer in zip([path, script.parent], lines[1:]):
                if answer.startswith("(error"):
                    kind, problem = "none", answer
                    continue
                wrong = judge(script, split(answer), parent)
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

#!/usr/bin/env python3
"""Writes SMT-LIB problems that look like those of a software model checker.

    benches/smt_families.py DIR [--small]

Names are FAMILY-SIZE.smt2. Files `*.itp.smt2` ask for sequence interpolants of the same parts.
Nothing is random except by a fixed seed, so every run writes the same bytes.
"""
import argparse
import random
from pathlib import Path


class Problem:
    """Declarations and the parts of a path, in order."""

    def __init__(self, name, status, logic="QF_UFLIA"):
        self.name, self.status, self.logic = name, status, logic
        self.declarations, self.parts, self.known = [], [], set()

    def declare(self, name, sort="Int", args=""):
        if name not in self.known:
            self.known.add(name)
            self.declarations.append(f"(declare-fun {name} ({args}) {sort})")
        return name

    def add(self, *conjuncts):
        self.parts.append(conjuncts[0] if len(conjuncts) == 1 else f"(and {' '.join(conjuncts)})")

    def write(self, folder, interpolate=True):
        head = [f"(set-info :status {self.status})", f"(set-logic {self.logic})", *self.declarations]
        plain = head + [f"(assert {p})" for p in self.parts] + ["(check-sat)"]
        (folder / f"{self.name}.smt2").write_text("\n".join(plain) + "\n")
        if not interpolate or self.status != "unsat":
            return
        named = ["(set-option :produce-interpolants true)", *head]
        named += [f"(assert (! {p} :named P{k}))" for k, p in enumerate(self.parts)]
        names = " ".join(f"P{k}" for k in range(len(self.parts)))
        named += ["(check-sat)", f"(get-interpolants {names})"]
        (folder / f"{self.name}.itp.smt2").write_text("\n".join(named) + "\n")


def neg(n):
    return f"(- {-n})" if n < 0 else str(n)


def path(n):
    """A loop unrolled: i counts, s sums, m is a maximum; the claim at the end is wrong."""
    p = Problem(f"path-{n}", "unsat")
    for k in range(n + 1):
        for v in "ism":
            p.declare(f"{v}{k}")
    p.declare("n")
    p.add("(= i0 0)", "(= s0 0)", "(= m0 0)", "(> n 0)")
    for k in range(n):
        p.add(f"(< i{k} n)", f"(= i{k+1} (+ i{k} 1))", f"(= s{k+1} (+ s{k} i{k}))",
              f"(= m{k+1} (ite (< m{k} s{k}) s{k} m{k}))")
    p.add(f"(>= i{n} n)", f"(or (< s{n} i{n-1}) (< m{n} 0) (not (= i{n} n)))")
    return p


def path_sat(n):
    p = path(n)
    p.name, p.status = f"pathsat-{n}", "sat"
    p.parts[-1] = f"(and (>= i{n} n) (> s{n} i{n-1}))"
    if n < 4:
        p.parts[-1] = f"(>= i{n} n)"
    return p


def diamonds(n):
    """Branches in a row: x grows by 1 or 2 each time; after n it is at most 2n."""
    p = Problem(f"diamonds-{n}", "unsat")
    for k in range(n + 1):
        p.declare(f"x{k}")
    p.add("(= x0 0)")
    for k in range(n):
        p.declare(f"c{k}")
        p.add(f"(or (and (> c{k} 0) (= x{k+1} (+ x{k} 1))) (and (<= c{k} 0) (= x{k+1} (+ x{k} 2))))")
    p.add(f"(or (> x{n} {2*n}) (< x{n} {n}))")
    return p


def diamonds_two(n):
    """Two variables that move together through branches."""
    p = Problem(f"twins-{n}", "unsat")
    for k in range(n + 1):
        p.declare(f"x{k}"), p.declare(f"y{k}")
    p.add("(= x0 y0)")
    for k in range(n):
        p.declare(f"c{k}", "Bool")
        p.add(f"(ite c{k} (and (= x{k+1} (+ x{k} 1)) (= y{k+1} (+ y{k} 1))) "
              f"(and (= x{k+1} (- x{k} 3)) (= y{k+1} (- y{k} 3))))")
    p.add(f"(not (= x{n} y{n}))")
    return p


def locks(n, rounds):
    """n locks taken where p is set and released where p is still set, as one block a round."""
    p = Problem(f"locks-{n}x{rounds}", "unsat")
    for i in range(n):
        p.declare(f"l{i}_0")
    p.add(*[f"(= l{i}_0 0)" for i in range(n)])
    for r in range(rounds):
        block = []
        bad = []
        for i in range(n):
            q, a, m, z = (p.declare(f"{v}{i}_{r+d}") for v, d in (("p", 0), ("l", 0), ("m", 0), ("l", 1)))
            block.append(f"(or (and (not (= {q} 0)) (= {m} 1)) (and (= {q} 0) (= {m} {a})))")
            block.append(f"(or (and (not (= {q} 0)) (= {m} 1) (= {z} 0)) (and (= {q} 0) (= {z} {m})))")
            bad.append(f"(and (not (= {q} 0)) (not (= {m} 1)))")
        p.add(*block)
    bad += [f"(not (= l{i}_{rounds} 0))" for i in range(n)]
    p.add(f"(or {' '.join(bad)})")
    return p


def machine(n):
    """A dispatcher over states, as in protocol code: large blocks, n rounds."""
    p = Problem(f"machine-{n}", "unsat")
    states = [8464 + 16 * k for k in range(14)]
    for k in range(n + 1):
        p.declare(f"s{k}"), p.declare(f"b{k}")
    p.add(f"(= s0 {states[0]})", "(= b0 0)")
    for k in range(n):
        p.declare(f"h{k}"), p.declare(f"t{k}")
        cases = []
        for j, s in enumerate(states):
            to = states[(j + 1) % len(states)]
            other = states[(j * 5 + 3) % len(states)]
            blast = f"(= b{k+1} (ite (= b{k} {j % 4}) {(j + 1) % 4} b{k}))"
            cases.append(f"(and (= s{k} {s}) (ite (= h{k} 0) (= s{k+1} {to}) (and (> t{k} h{k}) (= s{k+1} {other}))) {blast})")
        p.add(f"(or {' '.join(cases)})")
    p.add(f"(or (> b{n} 3) (< s{n} {states[0]}))")
    return p


def counter(n):
    """An n-bit counter with carries; after 2^k steps of one bit group it wraps."""
    steps = 2 * n
    p = Problem(f"counter-{n}", "unsat")
    for k in range(steps + 1):
        for b in range(n):
            p.declare(f"b{b}_{k}", "Bool")
        p.declare(f"v{k}")
    p.add(*[f"(not b{b}_0)" for b in range(n)], "(= v0 0)")
    for k in range(steps):
        carry, conj = "true", []
        for b in range(n):
            conj.append(f"(= b{b}_{k+1} (xor b{b}_{k} {carry}))")
            carry = f"(and {carry} b{b}_{k})"
        conj.append(f"(= v{k+1} (+ v{k} 1))")
        p.add(*conj)
    value = "(+ " + " ".join(f"(ite b{b}_{steps} {2**b} 0)" for b in range(n)) + " 0)"
    p.add(f"(not (= {value} v{steps}))" if steps < 2**n else f"(< {value} 0)")
    return p


def memory(n):
    """Reads and writes through pointers: uninterpreted loads with frame conditions."""
    p = Problem(f"memory-{n}", "unsat")
    p.declare("load", "Int", "Int Int")
    for v in "pqr":
        p.declare(v)
    p.declare("m0"), p.declare("x0")
    p.add("(not (= p q))", "(not (= q r))", "(not (= p r))", "(= (load m0 p) 0)", "(= (load m0 q) 7)")
    for k in range(n):
        p.declare(f"m{k+1}"), p.declare(f"x{k+1}")
        p.add(f"(= x{k+1} (+ (load m{k} p) 1))", f"(= (load m{k+1} p) x{k+1})",
              f"(= (load m{k+1} q) (load m{k} q))", f"(= (load m{k+1} r) (load m{k} p))")
    p.add(f"(or (not (= (load m{n} q) 7)) (not (= (load m{n} p) {n})))")
    return p


def arrays(n):
    """The same with arrays and stores."""
    p = Problem(f"arrays-{n}", "unsat", "QF_AUFLIA")
    p.declare("i"), p.declare("j")
    p.declare("a0", "(Array Int Int)")
    p.add("(not (= i j))", "(= (select a0 i) 0)", "(= (select a0 j) 5)")
    for k in range(n):
        p.declare(f"a{k+1}", "(Array Int Int)")
        p.add(f"(= a{k+1} (store a{k} i (+ (select a{k} i) 1)))")
    p.add(f"(or (not (= (select a{n} j) 5)) (not (= (select a{n} i) {n})))")
    return p


def chain(n, seed):
    """Difference constraints with choices; a negative cycle closes it."""
    rng = random.Random(seed)
    p = Problem(f"chain-{n}", "unsat", "QF_IDL")
    for k in range(n + 1):
        p.declare(f"x{k}")
    for k in range(n):
        a, b = rng.randint(1, 9), rng.randint(1, 9)
        p.add(f"(or (<= (- x{k} x{k+1}) {neg(-a)}) (<= (- x{k} x{k+1}) {neg(-b)}))")
    p.add(f"(<= (- x{n} x0) {neg(n - 1)})")
    return p


def parity(n):
    """Sums of even numbers are even."""
    p = Problem(f"parity-{n}", "unsat", "QF_LIA")
    p.declare("x0"), p.declare("y0")
    p.add("(= x0 (* 2 y0))")
    for k in range(n):
        p.declare(f"x{k+1}"), p.declare(f"z{k}")
        p.add(f"(= x{k+1} (+ x{k} (* {2 * (k % 3 + 1)} z{k})))")
    p.declare("w")
    p.add(f"(= x{n} (+ (* 2 w) 1))")
    return p


def divisible(n):
    """mod and div along a path."""
    p = Problem(f"divmod-{n}", "unsat", "QF_LIA")
    p.declare("x0")
    p.add("(= (mod x0 4) 1)")
    for k in range(n):
        p.declare(f"x{k+1}")
        p.add(f"(= x{k+1} (+ x{k} 4))")
    p.add(f"(not (= (mod x{n} 2) 1))")
    return p


def knapsack(n):
    """Bounded integer combinations that only cuts refute quickly."""
    p = Problem(f"knapsack-{n}", "unsat", "QF_LIA")
    conj = []
    for k in range(n):
        p.declare(f"x{k}")
        conj.append(f"(<= 0 x{k} 1)")
    p.add(*conj)
    total = "(+ " + " ".join(f"(* 2 x{k})" for k in range(n)) + ")"
    p.declare("y")
    p.add(f"(<= {n - 1 if n % 2 else n + 1} {total})", f"(<= {total} {n - 1 if n % 2 == 0 else n})" )
    odd = n if n % 2 else n + 1
    p.parts[-1] = f"(and (>= {total} {odd}) (<= {total} {odd}))"
    return p


def triangle(n):
    """0 < 3x - 3y < 3 style strips, unbounded."""
    p = Problem(f"strip-{n}", "unsat", "QF_LIA")
    for k in range(n):
        p.declare(f"x{k}"), p.declare(f"y{k}")
        p.add(f"(< 0 (- (* {k+2} x{k}) (* {k+2} y{k})))" if k else "(< 0 (- (* 3 x0) (* 3 y0)))",
              f"(< (- (* {k+3} x{k}) (* {k+3} y{k})) {k+3})")
    return p


def pigeons(n):
    p = Problem(f"pigeons-{n}", "unsat", "QF_UF")
    for i in range(n + 1):
        for j in range(n):
            p.declare(f"p{i}_{j}", "Bool")
    for i in range(n + 1):
        p.add(f"(or {' '.join(f'p{i}_{j}' for j in range(n))})")
    for j in range(n):
        pairs = [f"(not (and p{i}_{j} p{k}_{j}))" for i in range(n + 1) for k in range(i)]
        p.add(*pairs)
    return p


def incremental(n):
    """Tiny queries on one solver: Hoare triples over a block."""
    out = ["(set-logic QF_LIA)"]
    out += [f"(declare-fun {v} () Int)" for v in ("x", "y", "x1", "y1")]
    for k in range(n):
        c, d = k % 100, k % 37
        out += ["(push 1)", f"(assert (and (<= x {c}) (<= y {d})))",
                "(assert (and (= x1 (+ x 1)) (= y1 (ite (<= x y) y x))))",
                f"(assert (not (and (<= x1 {c}) (<= y1 {c}))))", "(check-sat)", "(pop 1)"]
    return "\n".join(out) + "\n"


def problems(small):
    sizes = lambda *s: s[:2] if small else s
    yield from (path(n) for n in sizes(10, 50, 100, 200, 500))
    yield from (path_sat(n) for n in sizes(10, 50, 200))
    yield from (diamonds(n) for n in sizes(10, 20, 40, 80))
    yield from (diamonds_two(n) for n in sizes(5, 10, 20, 40))
    yield from (locks(n, r) for n, r in sizes((5, 2), (10, 3), (15, 4), (20, 6)))
    yield from (machine(n) for n in sizes(5, 10, 20))
    yield from (counter(n) for n in sizes(4, 8, 12))
    yield from (memory(n) for n in sizes(10, 50, 100))
    yield from (arrays(n) for n in sizes(5, 20, 50))
    yield from (chain(n, n) for n in sizes(20, 100, 300))
    yield from (parity(n) for n in sizes(10, 50, 200))
    yield from (divisible(n) for n in sizes(5, 20, 50))
    yield from (knapsack(n) for n in sizes(6, 10, 20))
    yield from (triangle(n) for n in sizes(2, 6))
    yield from (pigeons(n) for n in sizes(5, 6, 7, 8))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--small", action="store_true", help="the two smallest of each family")
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    for p in problems(args.small):
        p.write(args.dir)
    (args.dir / "incremental-10000.smt2").write_text(incremental(1000 if args.small else 10000))


if __name__ == "__main__":
    main()

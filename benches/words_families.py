#!/usr/bin/env python3
"""Writes QF_BV problems that look like paths through programs with machine words.

    benches/words_families.py DIR [--small]

Names are FAMILY-SIZE.smt2. Every run writes the same bytes. `words_table.py` runs solvers on them.
"""
import argparse
from pathlib import Path


class Problem:
    """Declarations and the statements of a path, in order."""

    def __init__(self, name, status):
        self.name, self.status = name, status
        self.lines, self.known = [], {}

    def var(self, name, width=32):
        if name not in self.known:
            self.known[name] = width
            self.lines.append(f"(declare-const {name} (_ BitVec {width}))")
        return name

    def let(self, name, width, term):
        """A statement `name = term`, in the form of static single assignment."""
        self.var(name, width)
        self.lines.append(f"(assert (= {name} {term}))")
        return name

    def assume(self, formula):
        self.lines.append(f"(assert {formula})")

    def write(self, folder):
        head = [f"(set-info :status {self.status})", "(set-logic QF_BV)"]
        (folder / f"{self.name}.smt2").write_text("\n".join(head + self.lines + ["(check-sat)"]) + "\n")


def num(value, width=32):
    return f"(_ bv{value % (1 << width)} {width})"


def zext(x, by):
    return f"((_ zero_extend {by}) {x})"


def sext(x, by):
    return f"((_ sign_extend {by}) {x})"


def cut(x, high, low):
    return f"((_ extract {high} {low}) {x})"


def bit(x, k):
    return f"(= ((_ extract {k} {k}) {x}) #b1)"


def loop(n, wrong):
    """i counts to a bound, s sums up, m is a maximum, all signed words."""
    p = Problem(f"loop-{n}{'s' if wrong else ''}", "sat" if wrong else "unsat")
    p.var("n")
    i, s, m = p.let("i0", 32, num(0)), p.let("s0", 32, num(0)), p.let("m0", 32, num(0))
    p.assume(f"(bvsgt n {num(0)})")
    for k in range(n):
        p.assume(f"(bvslt {i} n)")
        x = p.var(f"x{k}")
        p.assume(f"(and (bvsle {num(0)} {x}) (bvslt {x} {num(1000)}))")
        m = p.let(f"m{k+1}", 32, f"(ite (bvslt {m} {x}) {x} {m})")
        s = p.let(f"s{k+1}", 32, f"(bvadd {s} {x})")
        i = p.let(f"i{k+1}", 32, f"(bvadd {i} {num(1)})")
    p.assume(f"(not (bvslt {i} n))")
    bound = num(1000 * n - n) if not wrong else num(900 * n)
    p.assume(f"(or (bvsgt {s} {bound}) (bvsgt {m} {num(999)}))")
    return p


def diamonds(n):
    """Rows of branches that keep two words the same distance apart."""
    p = Problem(f"diamonds-{n}", "unsat")
    a, b = p.var("a0"), p.var("b0")
    p.assume(f"(= (bvsub {b} {a}) {num(8)})")
    for k in range(n):
        c = p.var(f"c{k}", 8)
        step = f"(ite (= {c} #x00) {num(4)} (ite (bvult {c} #x10) {num(12)} {num(1)}))"
        a, b = p.let(f"a{k+1}", 32, f"(bvadd {a} {step})"), p.let(f"b{k+1}", 32, f"(bvadd {b} {step})")
    p.assume(f"(not (= (bvsub {b} {a}) {num(8)}))")
    return p


def flags(n):
    """Bits of a state word that are set, tested and cleared."""
    p = Problem(f"flags-{n}", "unsat")
    w = p.let("w0", 32, num(0))
    for k in range(n):
        r = p.var(f"r{k}", 32)
        b = k % 16
        p.assume(f"(= (bvand {r} {num(1)}) {num(1)})")
        set_bit = f"(bvor {w} (bvshl {num(1)} {num(b)}))"
        w = p.let(f"w{k+1}", 32, f"(ite (= (bvand {r} {num(6)}) {num(6)}) (bvand {set_bit} (bvnot {num(1 << 20)})) {set_bit})")
    low = (1 << min(n, 16)) - 1
    p.assume(f"(not (= (bvand {w} {num(low)}) {num(low)}))")
    return p


def bytes_(n):
    """Words stored byte by byte and loaded again, with sums in between."""
    p = Problem(f"bytes-{n}", "unsat")
    x = p.var("x0")
    first = x
    for k in range(n):
        parts = [p.let(f"b{k}_{j}", 8, cut(x, 8 * j + 7, 8 * j)) for j in range(4)]
        wide = [p.let(f"v{k}_{j}", 32, f"(bvshl {zext(b, 24)} {num(8 * j)})") for j, b in enumerate(parts)]
        y = p.let(f"y{k}", 32, f"(bvor (bvor {wide[0]} {wide[1]}) (bvadd {wide[2]} {wide[3]}))")
        x = p.let(f"x{k+1}", 32, f"(bvadd {y} {num(k + 1)})")
    p.assume(f"(not (= {x} (bvadd {first} {num(n * (n + 1) // 2)})))")
    return p


def byte_add(n):
    """Addition byte by byte with a carry, against addition."""
    p = Problem(f"byteadd-{8 * n}", "unsat")
    w = 8 * n
    a, b = p.var("a", w), p.var("b", w)
    carry, out = num(0, 16), []
    for j in range(n):
        x, y = zext(cut(a, 8 * j + 7, 8 * j), 8), zext(cut(b, 8 * j + 7, 8 * j), 8)
        s = p.let(f"s{j}", 16, f"(bvadd (bvadd {x} {y}) {carry})")
        over = f"(bvugt {s} {num(255, 16)})"
        low = p.let(f"l{j}", 16, f"(ite {over} (bvand {s} {num(255, 16)}) {s})")
        carry = p.let(f"k{j}", 16, f"(ite {over} {num(1, 16)} {num(0, 16)})")
        out.append(cut(low, 7, 0))
    total = out[0]
    for o in out[1:]:
        total = f"(concat {o} {total})"
    p.assume(f"(not (= {total} (bvadd {a} {b})))")
    return p


def popcount(n):
    """Bits counted one by one and in parallel."""
    p = Problem(f"popcount-{n}", "unsat")
    x = p.var("x", n)
    c = p.let("c0", n, num(0, n))
    v = x
    for k in range(n):
        c = p.let(f"c{k+1}", n, f"(bvadd {c} (bvand {v} {num(1, n)}))")
        v = p.let(f"v{k+1}", n, f"(bvlshr {v} {num(1, n)})")
    full = (1 << n) - 1
    y, step = x, 1
    while step < n:
        mask = num(sum(((1 << step) - 1) << s for s in range(0, n, 2 * step)) & full, n)
        y = p.let(f"y{step}", n, f"(bvadd (bvand {y} {mask}) (bvand (bvlshr {y} {num(step, n)}) {mask}))")
        step *= 2
    p.assume(f"(not (= {c} {y}))")
    return p


def parity(n):
    """Parity by a loop that clears the lowest bit, and by folding; some laps only."""
    p = Problem(f"parity-{n}", "unsat")
    x = p.var("x", 32)
    v, q = x, p.let("q0", 32, num(0))
    for k in range(n):
        p.assume(f"(not (= {v} {num(0)}))")
        q = p.let(f"q{k+1}", 32, f"(bvxor {q} {num(1)})")
        v = p.let(f"v{k+1}", 32, f"(bvand {v} (bvsub {v} {num(1)}))")
    p.assume(f"(= {v} {num(0)})")
    f = x
    for s in (16, 8, 4, 2, 1):
        f = p.let(f"f{s}", 32, f"(bvxor {f} (bvlshr {f} {num(s)}))")
    p.assume(f"(not (= (bvand {f} {num(1)}) {q}))")
    return p


def casts(n, wrong):
    """Values through char, short and int, signed and not."""
    p = Problem(f"casts-{n}{'s' if wrong else ''}", "sat" if wrong else "unsat")
    x = p.var("x0")
    p.assume(f"(and (bvsle {num(-100)} {x}) (bvsle {x} {num(100)}))")
    for k in range(n):
        c = p.let(f"c{k}", 8, cut(x, 7, 0))
        h = p.let(f"h{k}", 16, sext(c, 8))
        u = p.let(f"u{k}", 16, zext(c, 8))
        e = p.let(f"e{k}", 32, sext(h, 16))
        d = p.let(f"d{k}", 32, f"(bvsub {e} {sext(u, 16)})")
        limit = 0 if not wrong else 256
        p.assume(f"(or (= {d} {num(0)}) (= {d} {num(-256)}) (= {d} {num(limit)}))")
        y = p.var(f"y{k}")
        x = p.let(f"x{k+1}", 32, f"(ite (bvslt {y} {e}) (bvashr {e} {num(1)}) {e})")
    last = f"(bvsgt {x} {num(100)})" if not wrong else f"(bvslt {x} {num(-30)})"
    p.assume(last)
    return p


def hash_(n, wrong):
    """A checksum of n bytes that has a given value, or two that must agree."""
    p = Problem(f"hash-{n}{'s' if wrong else ''}", "sat" if wrong else "unsat")
    g, h = p.let("g0", 32, num(5381)), p.let("h0", 32, num(5381))
    for k in range(n):
        b = p.var(f"b{k}", 8)
        g = p.let(f"g{k+1}", 32, f"(bvadd (bvmul {g} {num(33)}) {zext(b, 24)})")
        h = p.let(f"h{k+1}", 32, f"(bvadd (bvadd (bvshl {h} {num(5)}) {h}) {zext(b, 24)})")
    if wrong:
        p.assume(f"(and (= (bvand {g} {num(0xffff)}) {num(0x1234)}) (= {g} {h}))")
    else:
        p.assume(f"(not (= {g} {h}))")
    return p


def overflow(n):
    """Bounds that keep sums and scaled indices inside a buffer."""
    p = Problem(f"overflow-{n}", "unsat")
    size = p.var("size")
    p.assume(f"(bvule {size} {num(1 << 20)})")
    i = p.let("i0", 32, num(0))
    for k in range(n):
        d = p.var(f"d{k}")
        p.assume(f"(bvult {i} {size})")
        p.assume(f"(bvule {d} (bvsub {size} {i}))")
        i = p.let(f"i{k+1}", 32, f"(bvadd {i} {d})")
    at = p.let("at", 32, f"(bvadd (bvmul {i} {num(12)}) {num(8)})")
    p.assume(f"(bvugt {at} (bvadd (bvmul {size} {num(12)}) {num(8)}))")
    return p


def division(w, d):
    """Quotient and remainder by a constant."""
    p = Problem(f"division-{w}-{d}", "unsat")
    x = p.var("x", w)
    q, r = p.let("q", w, f"(bvudiv {x} {num(d, w)})"), p.let("r", w, f"(bvurem {x} {num(d, w)})")
    p.assume(f"(or (bvuge {r} {num(d, w)}) (bvugt {q} {x}) (not (= (bvadd (bvmul {q} {num(d, w)}) {r}) {x})))")
    return p


def digits(n, wrong):
    """A number written digit by digit and read again."""
    p = Problem(f"digits-{n}{'s' if wrong else ''}", "sat" if wrong else "unsat")
    value = p.let("v0", 32, num(0))
    for k in range(n):
        c = p.var(f"c{k}", 8)
        p.assume(f"(and (bvuge {c} {num(48, 8)}) (bvule {c} {num(57, 8)}))")
        value = p.let(f"v{k+1}", 32, f"(bvadd (bvmul {value} {num(10)}) (bvsub {zext(c, 24)} {num(48)}))")
    top = 10 ** n - (1 if not wrong else 5)
    p.assume(f"(bvugt {value} {num(top)})")
    return p


def square(w):
    """Squares are 0, 1 or 4 modulo 8."""
    p = Problem(f"square-{w}", "unsat")
    x = p.var("x", w)
    s = p.let("s", w, f"(bvmul {x} {x})")
    r = p.let("r", w, f"(bvand {s} {num(7, w)})")
    p.assume(f"(not (or (= {r} {num(0, w)}) (= {r} {num(1, w)}) (= {r} {num(4, w)})))")
    return p


def product(w, wrong):
    """A factor is looked for, or a product distributes over a sum."""
    p = Problem(f"product-{w}{'s' if wrong else ''}", "sat" if wrong else "unsat")
    x, y = p.var("x", w), p.var("y", w)
    if wrong:
        half = num(1 << (w // 2), w)
        p.assume(f"(and (bvult {x} {half}) (bvult {y} {half}) (bvugt {x} {num(1, w)}) (bvugt {y} {num(1, w)}))")
        p.assume(f"(= (bvmul {x} {y}) {num(11 * 13 if w < 12 else 211 * 113 if w < 20 else 4801 * 6007, w)})")
    else:
        p.assume(f"(not (= (bvmul (bvadd {x} {num(1, w)}) {y}) (bvadd (bvmul {x} {y}) {y})))")
    return p


def machine(n):
    """A state machine in the low bits of a word, with a counter above them."""
    p = Problem(f"machine-{n}", "unsat")
    s = p.let("s0", 32, num(0))
    for k in range(n):
        e = p.var(f"e{k}", 8)
        state = p.let(f"t{k}", 32, f"(bvand {s} {num(3)})")
        nxt = (f"(ite (= {state} {num(0)}) (ite (bvult {e} #x80) {num(1)} {num(0)}) "
               f"(ite (= {state} {num(1)}) (ite (= {e} #x05) {num(2)} {num(0)}) {num(0)}))")
        count = f"(bvadd (bvand {s} (bvnot {num(3)})) (ite (= {state} {num(2)}) {num(4)} {num(0)}))"
        s = p.let(f"s{k+1}", 32, f"(bvor {nxt} {count})")
    p.assume(f"(or (= (bvand {s} {num(3)}) {num(3)}) (bvugt (bvlshr {s} {num(2)}) {num(n // 3 + 1)}))")
    return p


def hacks(w):
    """Tricks with bits against what they mean."""
    p = Problem(f"hacks-{w}", "unsat")
    x, y = p.var("x", w), p.var("y", w)
    sign = p.let("sign", w, f"(bvashr {x} {num(w - 1, w)})")
    absolute = p.let("absolute", w, f"(bvsub (bvxor {x} {sign}) {sign})")
    less = f"(bvneg (ite (bvslt {x} {y}) {num(1, w)} {num(0, w)}))"
    least = p.let("least", w, f"(bvxor {y} (bvand (bvxor {x} {y}) {less}))")
    mean = p.let("mean", w, f"(bvadd (bvand {x} {y}) (bvlshr (bvxor {x} {y}) {num(1, w)}))")
    wide = f"(bvlshr (bvadd {zext(x, 1)} {zext(y, 1)}) {num(1, w + 1)})"
    p.assume(f"(or (not (= {absolute} (ite (bvslt {x} {num(0, w)}) (bvneg {x}) {x})))"
             f" (not (= {least} (ite (bvslt {x} {y}) {x} {y})))"
             f" (not (= {mean} {cut(wide, w - 1, 0)})))")
    return p


def shifts(n):
    """Shifts by amounts of the input, there and back."""
    p = Problem(f"shifts-{n}", "unsat")
    x = p.var("x0")
    p.assume(f"(bvult {x} {num(1 << 8)})")
    first = x
    for k in range(n):
        s = p.var(f"s{k}")
        p.assume(f"(bvult {s} {num(24)})")
        up = p.let(f"u{k}", 32, f"(bvshl {x} {s})")
        x = p.let(f"x{k+1}", 32, f"(bvlshr {up} {s})")
    p.assume(f"(not (= {x} {first}))")
    return p


def problems(small):
    most = (lambda *sizes: sizes[:2]) if small else (lambda *sizes: sizes)
    for n in most(5, 10, 20, 40):
        yield loop(n, False)
        yield loop(n, True)
    for n in most(5, 10, 20, 40):
        yield diamonds(n)
        yield machine(n)
        yield flags(n)
        yield bytes_(n)
    for n in most(2, 4, 8):
        yield byte_add(n)
    for n in most(1, 2, 3, 4):
        yield parity(n)
    for n in most(1, 2):
        yield shifts(n)
    for n in most(8, 16, 32):
        yield popcount(n)
        yield square(n)
        yield hacks(n)
    for n in most(4, 10, 20):
        yield casts(n, False)
        yield casts(n, True)
        yield hash_(n, True)
    for n in most(1, 2, 3):
        yield hash_(n, False)
        yield overflow(n)
    for n in most(2, 4, 6):
        yield digits(n, False)
        yield digits(n, True)
    for w, d in most((8, 3), (16, 10), (32, 8), (32, 10)):
        yield division(w, d)
    for w in most(6, 8):
        yield product(w, False)
    for w in most(8, 16, 32):
        yield product(w, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    for problem in problems(args.small):
        problem.write(args.dir)


if __name__ == "__main__":
    main()

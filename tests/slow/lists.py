#!/usr/bin/env python3
"""Random programs over linked lists: no `safe` that an execution contradicts.

    lists.py CRAIG COUNT SEED [SECONDS]

Programs are put together from loops that build, walk, change and free lists (single, double, circular), and
most are then broken at random: a statement dropped or moved, a variable or field exchanged, a condition turned
around. Each is executed here many times with random choices, on a memory that knows what is allocated, and checked by
`CRAIG check --property valid-deref,valid-free,valid-memcleanup`. An execution with an error against `safe` is WRONG; so is `unsafe`
where the program is one of those left whole. Prints what is wrong, and the counts."""
import copy, os, random, subprocess, sys, tempfile
from collections import Counter

VARS, FIELDS = ["h", "t", "p", "q", "r"], ["n", "b"]
NULL, LOST = 0, -1


class Error(Exception):
    pass


class Long(Exception):
    pass


# Templates. Statements are lists, so that they can be changed in place.
def new(p, double):
    more = [["st", p, "b", None]] if double else []
    return [["new", p], ["st", p, "n", None], *more, ["data", p, random.randrange(3)]]


def prepend(double):
    back = [["if", ["nn", "h"], [["st", "h", "b", "p"]], []]] if double else []
    return [["while", ["any"], [*new("p", double), ["st", "p", "n", "h"], *back, ["cp", "h", "p"]]]]


def append(double):
    back = [["st", "p", "b", "t"]] if double else []
    link = ["if", ["nn", "t"], [["st", "t", "n", "p"]], [["cp", "h", "p"]]]
    body = [*new("p", double), *back, link, ["cp", "t", "p"]]
    # From the last object on.
    last = [["cp", "t", "h"], ["while", ["fnn", "t", "n"], [["ld", "t", "t", "n"]]]]
    return [["null", "t"], ["if", ["nn", "h"], last, []], ["while", ["any"], body]]


def walk(double):
    look = random.choice([[["data", "p", 1]], [["if", ["deq", "p", 1], [["data", "p", 2]], []]], []])
    return [["cp", "p", "h"], ["while", ["nn", "p"], [*look, ["ld", "p", "p", "n"]]]]


def remove_first(double):
    back = [["if", ["nn", "h"], [["st", "h", "b", None]], []]] if double else []
    return [["if", ["nn", "h"], [["cp", "p", "h"], ["ld", "h", "h", "n"], *back, ["free", "p"]], []]]


def remove_some(double):
    back = [["if", ["nn", "r"], [["st", "r", "b", "q"]], []]] if double else []
    out = [["ld", "r", "p", "n"], ["if", ["nn", "q"], [["st", "q", "n", "r"]], [["cp", "h", "r"]]], *back,
           ["free", "p"], ["cp", "p", "r"]]
    step = [["cp", "q", "p"], ["ld", "p", "p", "n"]]
    choice = random.choice([["any"], ["deq", "p", 1]])
    return [["null", "q"], ["cp", "p", "h"], ["while", ["nn", "p"], [["if", choice, out, step]]]]


def reverse(double):
    back = [["st", "h", "b", "p"]] if double else []
    return [["null", "q"], ["while", ["nn", "h"], [["ld", "p", "h", "n"], ["st", "h", "n", "q"], *back, ["cp", "q", "h"], ["cp", "h", "p"]]],
            ["cp", "h", "q"]]


def insert(double):
    back = [["st", "q", "b", "p"], ["ld", "r", "q", "n"], ["if", ["nn", "r"], [["st", "r", "b", "q"]], []]] if double else []
    body = [["cp", "p", "h"], ["while", ["fnn", "p", "n"], [["if", ["any"], [["break"]], []], ["ld", "p", "p", "n"]]],
            *new("q", double), ["ld", "r", "p", "n"], ["st", "q", "n", "r"], ["st", "p", "n", "q"], *back]
    return [["if", ["nn", "h"], body, []]]


def free_all(double):
    return [["while", ["nn", "h"], [["cp", "p", "h"], ["ld", "h", "h", "n"], ["free", "p"]]]]


def ring():
    build = [*new("h", False), ["st", "h", "n", "h"],
             ["while", ["any"], [*new("p", False), ["ld", "q", "h", "n"], ["st", "p", "n", "q"], ["st", "h", "n", "p"]]]]
    look = [["ld", "p", "h", "n"], ["while", ["ne", "p", "h"], [["data", "p", 1], ["ld", "p", "p", "n"]]]]
    end = [["ld", "p", "h", "n"], ["while", ["ne", "p", "h"], [["ld", "q", "p", "n"], ["free", "p"], ["cp", "p", "q"]]], ["free", "h"]]
    return build + random.choice([look, []]) + end


def whole():
    if random.random() < 0.12:
        return ring()
    double = random.random() < 0.4
    parts = [random.choice([prepend, append])(double)]
    for _ in range(random.randrange(3)):
        parts.append(random.choice([walk, remove_first, remove_some, reverse, insert, prepend, append])(double))
    if double:
        parts = [p for p in parts]
    return [["null", "h"]] + [s for p in parts for s in p] + free_all(double)


def blocks(body):
    """All lists of statements."""
    yield body
    for s in body:
        for part in s[2:]:
            if isinstance(part, list) and (not part or isinstance(part[0], list)):
                yield from blocks(part)


def mutate(program):
    program = copy.deepcopy(program)
    for _ in range(random.choice([1, 1, 2])):
        block = random.choice([b for b in blocks(program) if b])
        at = random.randrange(len(block))
        s = block[at]
        kind = random.randrange(5)
        if kind == 0:
            del block[at]
        elif kind == 1 and at + 1 < len(block):
            block[at], block[at + 1] = block[at + 1], block[at]
        elif kind == 2:
            spots = [i for i, x in enumerate(s) if i and x in VARS]
            if spots:
                s[random.choice(spots)] = random.choice(VARS)
        elif kind == 3 and s[0] in ("ld", "st") :
            i = s.index("n") if "n" in s else s.index("b")
            s[i] = random.choice(FIELDS)
        elif kind == 4 and s[0] in ("if", "while"):
            turned = {"nn": "isnull", "ne": "eq", "eq": "ne", "isnull": "nn"}
            s[1] = [turned.get(s[1][0], s[1][0]), *s[1][1:]]
    return program


# As C.
def condition(c):
    return {"any": lambda: "__VERIFIER_nondet_int()", "nn": lambda p: p, "isnull": lambda p: f"!{p}", "eq": lambda p, q: f"{p} == {q}",
            "ne": lambda p, q: f"{p} != {q}", "fnn": lambda p, f: f"{p}->{f}", "deq": lambda p, k: f"{p}->d == {k}"}[c[0]](*c[1:])


def text(body, deep=1):
    pad = "  " * deep
    out = ""
    for s in body:
        match s:
            case ["new", p]: out += f"{pad}{p} = malloc(sizeof *{p});\n"
            case ["null", p]: out += f"{pad}{p} = NULL;\n"
            case ["cp", p, q]: out += f"{pad}{p} = {q};\n"
            case ["ld", p, q, f]: out += f"{pad}{p} = {q}->{f};\n"
            case ["st", p, f, q]: out += f"{pad}{p}->{f} = {q or 'NULL'};\n"
            case ["data", p, k]: out += f"{pad}{p}->d = {k};\n"
            case ["free", p]: out += f"{pad}free({p});\n"
            case ["break"]: out += f"{pad}break;\n"
            case ["if", c, yes, no]:
                out += f"{pad}if ({condition(c)}) {{\n{text(yes, deep + 1)}{pad}}}"
                out += f" else {{\n{text(no, deep + 1)}{pad}}}\n" if no else "\n"
            case ["while", c, body]: out += f"{pad}while ({condition(c)}) {{\n{text(body, deep + 1)}{pad}}}\n"
    return out


def as_c(program):
    return ("#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
            "struct node { int d; struct node *n, *b; };\n"
            "int main(void) {\n  struct node *h = NULL, *t = NULL, *p = NULL, *q = NULL, *r = NULL;\n"
            f"{text(program)}  return 0;\n}}\n")


# Executed: `LOST` is a value that was never set.
class Run:
    def __init__(self, chance):
        self.v = dict.fromkeys(VARS, NULL)
        self.heap, self.next, self.chance, self.steps = {}, 1, chance, 0

    def at(self, p):
        if self.v[p] not in self.heap:
            raise Error("dereference")
        return self.heap[self.v[p]]

    def value(self, x):
        return random.choice([NULL, LOST]) if x == LOST else x

    def test(self, c):
        match c:
            case ["any"]: return random.random() < self.chance
            case ["nn", p]: return self.value(self.v[p]) != NULL
            case ["isnull", p]: return self.value(self.v[p]) == NULL
            case ["eq", p, q]: return self.v[p] == self.v[q]
            case ["ne", p, q]: return self.v[p] != self.v[q]
            case ["fnn", p, f]: return self.value(self.at(p)[f]) != NULL
            case ["deq", p, k]: return self.at(p)["d"] == k

    def body(self, body):
        for s in body:
            self.steps += 1
            if self.steps > 600:
                raise Long
            match s:
                case ["new", p]:
                    self.v[p] = self.next
                    self.heap[self.next] = {"d": LOST, "n": LOST, "b": LOST}
                    self.next += 1
                case ["null", p]: self.v[p] = NULL
                case ["cp", p, q]: self.v[p] = self.v[q]
                case ["ld", p, q, f]: self.v[p] = self.at(q)[f]
                case ["st", p, f, q]: self.at(p)[f] = self.v[q] if q else NULL
                case ["data", p, k]: self.at(p)["d"] = k
                case ["free", p]:
                    if self.v[p] != NULL and self.heap.pop(self.v[p], None) is None:
                        raise Error("free")
                case ["break"]: return True
                case ["if", c, yes, no]:
                    if self.body(yes if self.test(c) else no):
                        return True
                case ["while", c, inner]:
                    while self.test(c):
                        self.steps += 1
                        if self.steps > 600:
                            raise Long
                        if self.body(inner):
                            break
        return False


def executed(program):
    """An error that some execution has."""
    for i in range(400):
        run = Run([0.3, 0.5, 0.7, 0.85][i % 4])
        try:
            run.body(program)
            if run.heap:
                return "leak"
        except Error as e:
            return str(e)
        except Long:
            pass
    return None


def main():
    craig, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seconds = sys.argv[4] if len(sys.argv) > 4 else "5"
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(seed, seed + count):
            random.seed(i)
            program = whole()
            broken = random.random() < 0.75
            if broken:
                program = mutate(program)
            error = executed(program)
            name = os.path.join(folder, f"lists{i}.c")
            with open(name, "w") as f:
                f.write(as_c(program))
            command = [craig, "check", "--time", seconds, "--property", "valid-deref,valid-free,valid-memcleanup", name]
            out = subprocess.run(command, capture_output=True, text=True)
            answer = out.stdout.rsplit("verdict: ", 1)[-1].strip()
            wrong = answer == "safe" and error or answer == "unsafe" and not broken and not error
            kind = "WRONG" if wrong else answer
            counts[f"{kind}, {'error seen' if error else 'no error seen'}"] += 1
            if wrong or "panicked" in out.stderr:
                print(f"WRONG: program {i} is {answer}, executed: {error}\n{as_c(program)}")
                if wrong:
                    print(out.stdout[-1500:])
    print("; ".join(f"{n} {k}" for k, n in sorted(counts.items())))
    sys.exit(1 if any(k.startswith("WRONG") for k in counts) else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Random scripts over bit-vectors, arrays of them and floats: `craig smt` against z3 and bitwuzla.

Every answer must agree; every model of ours is put back into the script and must be one for another solver; of an
unsat script with names the core must be unsat, and interpolants must be implied and contradict.

    tests/slow/words.py --kind bv|abv|ufbv|fp --from 0 --count 1000 [--craig target/release/craig] [--time 10]

Needs the Python packages z3-solver and bitwuzla (either may be missing; bitwuzla is asked with --bitwuzla). The seeds
and --widths decide the scripts. A campaign of many scripts: --bitwuzla --small --widths 8,12,16,24,32,48,64 --time 1.
"""
import argparse
import multiprocessing
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

BINARY = "bvand bvor bvxor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvnand bvnor bvxnor".split()
COMPARE = "bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge".split()
OVERFLOW = "bvuaddo bvsaddo bvusubo bvssubo bvumulo bvsmulo bvsdivo".split()
MODES = "RNE RNA RTP RTN RTZ".split()
BATCH = 25  # scripts a process of ours
MEMORY = 3 << 30  # of each other solver, in bytes


class Bits:
    """Terms over bit-vectors, and with arrays or functions on request."""

    def __init__(self, rng, kind, widths, small):
        self.r = rng
        self.kind = kind
        self.width = rng.choice(widths)
        self.depth = rng.choice([2, 2, 3] if small else [2, 3, 3, 4])
        self.vars = [f"x{i}" for i in range(rng.randint(1, 4))]
        self.costly = (1 if small else 2) if self.width > 16 else 6 if not small else 2
        self.index = rng.choice([2, 3, 8, 32])

    def declarations(self):
        out = [f"(declare-const {v} (_ BitVec {self.width}))" for v in self.vars]
        out.append("(declare-const p Bool)")
        if self.kind == "abv":
            sort = f"(Array (_ BitVec {self.index}) (_ BitVec {self.width}))"
            out += [f"(declare-const {a} {sort})" for a in "ab"]
            out += [f"(declare-const {i} (_ BitVec {self.index}))" for i in "ij"]
        if self.kind == "ufbv":
            out.append(f"(declare-fun f ((_ BitVec {self.width})) (_ BitVec {self.width}))")
            out.append(f"(declare-fun g ((_ BitVec {self.width}) (_ BitVec {self.width})) Bool)")
        return out

    def literal(self, n):
        value = self.r.choice([0, 1, (1 << n) - 1, 1 << (n - 1), self.r.getrandbits(n), self.r.getrandbits(3) % (1 << n)])
        return f"(_ bv{value} {n})" if self.r.random() < 0.5 else "#b" + format(value, f"0{n}b")

    def array(self, d):
        c = self.r.random()
        if d <= 0 or c < 0.4:
            return self.r.choice("ab")
        if c < 0.9:
            return f"(store {self.array(d - 1)} {self.place(d - 1)} {self.term(self.width, d - 1)})"
        return f"(ite {self.formula(d - 1)} {self.array(d - 1)} {self.array(d - 1)})"

    def place(self, d):
        if d <= 0 or self.r.random() < 0.5:
            return self.r.choice(["i", "j", self.literal(self.index)])
        return f"(bvadd {self.place(d - 1)} {self.place(d - 1)})"

    def term(self, n, d):
        r = self.r
        if d <= 0 or r.random() < 0.1:
            if r.random() < 0.25:
                return self.literal(n)
            if n == self.width:
                return r.choice(self.vars)
            x = r.choice(self.vars)
            if n < self.width:
                low = r.randint(0, self.width - n)
                return f"((_ extract {low + n - 1} {low}) {x})"
            return f"((_ {r.choice(['zero', 'sign'])}_extend {n - self.width}) {x})"
        if n == self.width and self.kind == "abv" and r.random() < 0.3:
            return f"(select {self.array(d)} {self.place(d)})"
        if n == self.width and self.kind == "ufbv" and r.random() < 0.3:
            return f"(f {self.term(n, d - 1)})"
        c = r.randint(0, 9)
        if c <= 4:
            op = r.choice(BINARY)
            if op in ("bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"):
                if self.costly <= 0:
                    op = "bvadd"
                self.costly -= 1
            return f"({op} {self.term(n, d - 1)} {self.term(n, d - 1)})"
        if c == 5:
            return f"({r.choice(['bvnot', 'bvneg'])} {self.term(n, d - 1)})"
        if c == 6 and n > 1:
            k = r.randint(1, n - 1)
            return f"(concat {self.term(k, d - 1)} {self.term(n - k, d - 1)})"
        if c == 7:
            return f"((_ rotate_{r.choice(['left', 'right'])} {r.randint(0, 2 * n)}) {self.term(n, d - 1)})"
        if c == 8:
            k = r.randint(1, n)
            if n % k == 0 and r.random() < 0.5:
                return f"((_ repeat {n // k}) {self.term(k, d - 1)})"
            return f"((_ {r.choice(['zero', 'sign'])}_extend {n - k}) {self.term(k, d - 1)})"
        if n == 1:
            return f"(bvcomp {self.term(self.width, d - 1)} {self.term(self.width, d - 1)})"
        return f"(ite {self.formula(d - 1)} {self.term(n, d - 1)} {self.term(n, d - 1)})"

    def formula(self, d):
        r = self.r
        if d <= 0:
            return r.choice(["p", f"({r.choice(COMPARE)} {r.choice(self.vars)} {self.literal(self.width)})"])
        c = r.randint(0, 12)
        if c == 0:
            return f"(not {self.formula(d - 1)})"
        if c <= 3:
            return f"({r.choice(['and', 'or', 'xor', '=>'])} {self.formula(d - 1)} {self.formula(d - 1)})"
        n = r.choice([self.width, self.width, r.randint(1, self.width + 4)])
        if c <= 6:
            return f"({r.choice(['=', 'distinct'])} {self.term(n, d - 1)} {self.term(n, d - 1)})"
        if c == 7 and self.costly > 0:
            op = r.choice(OVERFLOW)
            if op in ("bvumulo", "bvsmulo"):
                self.costly -= 2
            return f"({op} {self.term(n, d - 1)} {self.term(n, d - 1)})"
        if c == 8:
            return f"(bvnego {self.term(n, d - 1)})"
        if c == 9 and self.kind == "abv":
            return f"({r.choice(['=', 'distinct'])} {self.array(d - 1)} {self.array(d - 1)})"
        if c == 9 and self.kind == "ufbv":
            return f"(g {self.term(self.width, d - 1)} {self.term(self.width, d - 1)})"
        return f"({r.choice(COMPARE)} {self.term(n, d - 1)} {self.term(n, d - 1)})"

    def script(self):
        return [self.formula(self.depth) for _ in range(self.r.randint(1, 5))]


class Floats:
    """Terms over floats of one format and a bit-vector or two."""

    def __init__(self, rng, kind):
        self.r = rng
        self.format = rng.choice([(3, 4), (3, 5), (4, 4), (5, 11), (5, 11), (8, 24)])
        self.small = sum(self.format) <= 9
        self.vars = [f"x{i}" for i in range(rng.randint(1, 3))]
        self.depth = rng.choice([2, 2, 3] if self.small else [1, 2, 2])
        self.budget = 4 if self.small else 2

    def declarations(self):
        e, s = self.format
        out = [f"(declare-const {v} (_ FloatingPoint {e} {s}))" for v in self.vars]
        return out + ["(declare-const m RoundingMode)", "(declare-const b (_ BitVec 8))", "(declare-const p Bool)"]

    def mode(self):
        return self.r.choice(MODES + ["m", "roundTowardZero"])

    def literal(self):
        e, s = self.format
        c = self.r.randint(0, 8)
        special = ["+oo", "-oo", "NaN", "+zero", "-zero"]
        if c < 5:
            return f"(_ {special[c]} {e} {s})"
        if c == 5:
            return f"((_ to_fp {e} {s}) {self.mode()} {self.r.choice(['0.1', '1.0', '(/ 1.0 3.0)', '(- 2.5)', '1000.0', '0.001'])})"
        bits = lambda n: "#b" + format(self.r.getrandbits(n), f"0{n}b")
        return f"(fp {bits(1)} {bits(e)} {bits(s - 1)})"

    def term(self, d):
        r = self.r
        e, s = self.format
        if d <= 0 or r.random() < 0.1:
            return self.literal() if r.random() < 0.3 else r.choice(self.vars)
        c = r.randint(0, 13)
        t = lambda: self.term(d - 1)
        if c in (2, 3, 4, 5, 6) or c == 9:
            if self.budget <= 0:
                c = 0
            self.budget -= 1
        if c == 0:
            return f"(fp.{r.choice(['neg', 'abs'])} {t()})"
        if c <= 2:
            return f"(fp.{r.choice(['add', 'sub'])} {self.mode()} {t()} {t()})"
        if c == 3:
            return f"(fp.mul {self.mode()} {t()} {t()})"
        if c == 4:
            return f"(fp.div {self.mode()} {t()} {t()})"
        if c == 5:
            return f"(fp.fma {self.mode()} {t()} {t()} {t()})"
        if c == 6:
            return f"(fp.sqrt {self.mode()} {t()})"
        if c == 7:
            return f"(fp.roundToIntegral {self.mode()} {t()})"
        if c == 8:
            return f"(fp.{r.choice(['min', 'max'])} {t()} {t()})"
        if c == 9 and self.small:
            return f"(fp.rem {t()} {t()})"
        if c == 10:
            return f"((_ to_fp{r.choice(['', '_unsigned'])} {e} {s}) {self.mode()} {self.bits(d - 1)})"
        if c == 11:
            other = r.choice([(3, 5), (5, 11), (4, 3), (8, 24)])
            return f"((_ to_fp {e} {s}) {self.mode()} ((_ to_fp {other[0]} {other[1]}) {self.mode()} {t()}))"
        if c == 12:
            n = e + s
            k = self.bits(d - 1)
            fit = f"((_ extract {n - 1} 0) ((_ zero_extend {n}) {k}))"
            return f"((_ to_fp {e} {s}) {fit})"
        return f"(ite {self.formula(d - 1)} {t()} {t()})"

    def bits(self, d):
        if d <= 0 or self.r.random() < 0.5:
            return "b"
        sign = self.r.choice("us")
        return f"((_ fp.to_{sign}bv 8) {self.mode()} {self.term(d - 1)})"

    def formula(self, d):
        r = self.r
        c = r.randint(0, 9)
        if d <= 0 or c == 0:
            kind = r.choice("Normal Subnormal Zero Infinite NaN Negative Positive".split())
            return f"(fp.is{kind} {self.term(d - 1)})"
        if c <= 2:
            return f"({r.choice(['and', 'or', 'xor'])} {self.formula(d - 1)} {self.formula(d - 1)})"
        if c == 3:
            return f"(not {self.formula(d - 1)})"
        if c == 4:
            return f"(bvult {self.bits(d)} {self.bits(d)})"
        if c <= 6:
            return f"({r.choice(['=', 'distinct'])} {self.term(d)} {self.term(d)})"
        return f"(fp.{r.choice(['lt', 'leq', 'gt', 'geq', 'eq'])} {self.term(d)} {self.term(d)})"

    def script(self):
        return [self.formula(self.depth) for _ in range(self.r.randint(1, 4))]


def run_craig(craig, text, seconds):
    start = time.time()
    try:
        done = subprocess.run([craig, "smt", "-", "--time", str(seconds)], input=text, capture_output=True, text=True, timeout=seconds + 5)
        return done.stdout + done.stderr, time.time() - start
    except subprocess.TimeoutExpired:
        return "HANGS", time.time() - start


def run_batch(craig, texts, seconds):
    """Answers to many scripts by one process; those it has no time for are asked alone."""
    with tempfile.TemporaryDirectory(prefix="craig-words-") as folder:
        names = []
        for k, text in enumerate(texts):
            names.append(os.path.join(folder, f"{k}.smt2"))
            with open(names[-1], "w") as f:
                f.write(f'(echo "script {k}")\n{text}(echo "end")\n')
        command = [craig, "smt", *names, "--time", str(4 * seconds)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=4 * seconds + 5)
            out = done.stdout
        except subprocess.TimeoutExpired:
            out = ""
    parts = re.split(r'^"?script (\d+)"?\n', out, flags=re.M)
    found = dict(zip(map(int, parts[1::2]), parts[2::2]))
    answers = []
    for k, text in enumerate(texts):
        ended = re.search(r'^"?end"?$', found.get(k, ""), re.M)
        answer = found[k][:ended.start()] if ended else ""
        fine = ended and not answer.startswith("unknown")
        answers.append((answer, 0.0) if fine else run_craig(craig, text, seconds))
    return answers


class Judge:
    """Another solver in a process of its own for many scripts: started anew when it does not keep to its time or memory."""

    def __init__(self, ask):
        self.ask, self.process = ask, None

    def __call__(self, text, seconds):
        if self.process is None:
            self.pipe, there = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=self.serve, args=(there,), daemon=True)
            self.process.start()
            there.close()
        try:
            self.pipe.send((text, seconds))
            if self.pipe.poll(seconds + 1):
                return self.pipe.recv()
        except (EOFError, OSError):
            pass
        self.process.kill()
        self.process.join()
        self.process = None
        return "unknown"

    def serve(self, pipe):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        while True:
            try:
                text, seconds = pipe.recv()
            except EOFError:
                return
            pipe.send(self.ask(text, seconds))


def ask_z3(text, seconds):
    try:
        import z3
    except ImportError:
        return None
    plain = "(Array" not in text and "FloatingPoint" not in text and "declare-fun f" not in text
    solver = z3.SolverFor("QF_BV") if plain else z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception as error:
        return "unknown" if "memory" in str(error) else f"error: {error}"


def ask_bitwuzla(text, seconds):
    try:
        import bitwuzla as bw
    except ImportError:
        return None
    options = bw.Options()
    options.set(bw.Option.TIME_LIMIT_PER, int(seconds * 1000))
    parser = bw.Parser(bw.TermManager(), options)
    try:
        parser.parse(text, True, False)
        return str(parser.bitwuzla().check_sat()).lower()
    except Exception as error:  # bitwuzla has its own exceptions for faulty scripts
        return "unknown" if isinstance(error, MemoryError) else f"error: {str(error)[:200]}"


z3_answer, bitwuzla_answer = Judge(ask_z3), Judge(ask_bitwuzla)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["bv", "abv", "ufbv", "fp"], default="bv")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--bitwuzla", action="store_true", help="ask bitwuzla too")
    parser.add_argument("--small", action="store_true", help="smaller scripts of bit-vectors, for campaigns of many")
    parser.add_argument("--widths", default="4,5,8,8,8,12,16,16,32,32,64", help="of bit-vectors, in bits")
    options = parser.parse_args()
    widths = [int(n) for n in options.widths.split(",")]
    tally = {}
    wrong = 0
    slow = []
    last = options.first + options.count
    jobs = []
    for seed in range(options.first, last):
        jobs.append(make(options, widths, seed))
        if len(jobs) < BATCH and seed + 1 < last:
            continue
        answers = run_batch(options.craig, [j.asked for j in jobs], options.time)
        for job, (text, seconds) in zip(jobs, answers):
            problem = judge(options, job, text, seconds, tally, slow)
            if problem:
                wrong += 1
                print(f"seed {job.seed}: {problem}", flush=True)
                with open(f"/tmp/words-{options.kind}-{job.seed}.smt2", "w") as f:
                    f.write(job.asked)
        jobs = []
        if (seed + 1 - options.first) % 1000 == 0:
            print(f"to seed {seed}: {tally}; wrong {wrong}", flush=True)
    print(f"{options.count} scripts of kind {options.kind}: {tally}; wrong {wrong}; slow {slow}")
    return 1 if wrong else 0


class Job:
    """A script: declarations, formulas, and the text that is asked."""

    def __init__(self, seed, head, formulas):
        self.seed, self.head, self.formulas = seed, head, formulas
        self.base = "(set-logic ALL)\n" + "\n".join(head) + "\n"
        body = [f"(assert (! {f} :named n{i}))" for i, f in enumerate(formulas)]
        script = self.base + "\n".join(body) + "\n(check-sat)\n"
        self.cores = seed % 2 == 1
        self.interpolants = len(formulas) > 1 and seed % 4 == 2
        asked = "(get-model)\n"
        if self.cores:
            asked += "(get-unsat-core)\n"
        if self.interpolants:
            parts = " ".join(f"n{i}" for i in range(len(formulas)))
            asked += f"(get-interpolants {parts})\n"
        self.plain = self.of(formulas)
        self.asked = ("(set-option :produce-unsat-cores true)\n" if self.cores else "") + script + asked

    def of(self, formulas):
        return self.base + "\n".join(f"(assert {f})" for f in formulas)


def make(options, widths, seed):
    rng = random.Random(f"{options.kind} {seed}")
    maker = Floats(rng, options.kind) if options.kind == "fp" else Bits(rng, options.kind, widths, options.small)
    return Job(seed, maker.declarations(), maker.script())


def judge(options, job, text, seconds, tally, slow):
    """What is wrong with the answer to a script, or None."""
    ours = text.split()[0] if text.split() else "nothing"
    theirs = z3_answer(job.plain, options.time)
    third = bitwuzla_answer(job.plain, options.time) if options.bitwuzla else None
    tally[ours] = tally.get(ours, 0) + 1
    for name, answer in (("z3", theirs), ("bitwuzla", third)):
        if answer and answer not in ("sat", "unsat"):
            key = f"{name} {answer.split(':')[0]}"
            tally[key] = tally.get(key, 0) + 1
    if ours == "unknown" or seconds > options.time / 2:
        slow.append((job.seed, ours, theirs, round(seconds, 1)))
    decided = {a for a in (ours, theirs, third) if a in ("sat", "unsat")}
    if len(decided) > 1 or ours not in ("sat", "unsat", "unknown"):
        return f"craig {ours}, z3 {theirs}, bitwuzla {third}"
    # Models, cores and interpolants are judged by bitwuzla if it is there: it is faster.
    other = bitwuzla_answer if options.bitwuzla and options.kind == "bv" else z3_answer
    if ours == "sat":
        definitions = {m.group(1): m.group(0) for m in re.finditer(r"\(define-fun (\S+) [^\n]*", text)}
        lines = [definitions.get(line.split()[1], line) for line in job.head]
        claims = [f"(assert {f})" for f in job.formulas]
        checked = other("\n".join(["(set-logic ALL)", *lines, *claims]), options.time)
        if checked == "unsat" or (checked or "").startswith("error"):
            return f"the model is none: {checked}"
    elif ours == "unsat" and job.cores:
        core = re.search(r"^\(([n\d ]*)\)$", text, re.M)
        names = core.group(1).split() if core else []
        again = other(job.of([job.formulas[int(n[1:])] for n in names]), options.time)
        if again not in ("unsat", "unknown", None):
            return f"the core {names} is {again}"
    elif ours == "unsat" and job.interpolants:
        return check_interpolants(other, job.base, job.formulas, text, options.time, tally)
    return None


def check_interpolants(other, base, formulas, text, seconds, tally):
    """Each interpolant is implied by what came before and the next part, the last contradicts."""
    start = text.find("\n(", text.find("unsat"))
    body = text[start:] if start >= 0 else ""
    found = None
    for m in re.finditer(r"^\((?!error)", body, re.M):
        found = body[m.start():]
    if found is None or "no interpolants" in text:
        tally["no interpolants"] = tally.get("no interpolants", 0) + 1
        return None
    items = split_list(found)
    if len(items) != len(formulas) - 1:
        return f"{len(items)} interpolants for {len(formulas)} parts: {found[:200]}"
    before = "true"
    for f, item in zip(formulas, items + ["false"]):
        answer = other(base + f"(assert {before})\n(assert {f})\n(assert (not {item}))", seconds)
        if answer not in ("unsat", "unknown", None):
            return f"an interpolant is not implied ({answer}): {item[:200]}"
        before = item
    tally["interpolants"] = tally.get("interpolants", 0) + 1
    return None


def split_list(text):
    """The elements of the list at the start of a text."""
    items, depth, start, quoted = [], 0, None, False
    for k, c in enumerate(text):
        if c == "|":
            quoted = not quoted
        if quoted:
            continue
        if c == "(":
            depth += 1
            if depth == 2:
                start = k
        elif c == ")":
            depth -= 1
            if depth == 1 and start is not None:
                items.append(text[start:k + 1])
                start = None
            elif depth == 0:
                if start is not None:
                    items.append(text[start:k])
                break
        elif depth == 1:
            if c.isspace():
                if start is not None:
                    items.append(text[start:k])
                    start = None
            elif start is None:
                start = k
    return items


if __name__ == "__main__":
    sys.exit(main())

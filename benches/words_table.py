#!/usr/bin/env python3
"""Side-by-side table of `craig smt`, z3 and bitwuzla on a folder of QF_BV problems.

    benches/words_table.py DIR [--craig PATH] [--time S]

CPU seconds without the start of the process; the least of three runs where they are short. z3 is the program,
bitwuzla the Python package, run in a forked process. Ratios are geometric means with a floor of 1 ms. An
answer that contradicts another one, or the file's :status, makes the exit status 1.
"""
import argparse, math, os, re, resource, shutil, subprocess, sys, tempfile, time
from pathlib import Path

try:
    import bitwuzla
except ImportError:
    bitwuzla = None


def spawn(command, path, limit):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        out = subprocess.run(command + [str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit).stdout
    except subprocess.TimeoutExpired:
        out = "timeout"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return next((w for w in out.split() if w in ("sat", "unsat", "unknown", "timeout")), "error"), cpu


def forked(path, limit):
    """bitwuzla in a process of its own, which has it loaded already."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(writer, 1)
        os.dup2(null, 2)
        terms = bitwuzla.TermManager()
        bitwuzla.Parser(terms, bitwuzla.Options()).parse(str(path), False)
        os._exit(0)
    os.close(writer)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    deadline = time.monotonic() + limit
    answer = None
    while True:
        done, _ = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(child, 9)
            os.waitpid(child, 0)
            answer = "timeout"
            break
        time.sleep(0.001)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = os.read(reader, 1000).decode()
    os.close(reader)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return answer or next((w for w in out.split() if w in ("sat", "unsat", "unknown")), "error"), cpu


def best(run, path, limit):
    first = run(path, limit)
    if first[1] > 0.3 or first[0] == "timeout":
        return first
    return min([first, run(path, limit), run(path, limit)], key=lambda r: r[1])


def mean(pairs):
    logs = [math.log(max(a, 1e-3) / max(b, 1e-3)) for a, b in pairs]
    return math.exp(sum(logs) / len(logs)) if logs else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=float, default=20)
    args = parser.parse_args()
    runs = {"craig": lambda p, t: spawn([args.craig, "smt"], p, t)}
    if shutil.which("z3"):
        runs["z3"] = lambda p, t: spawn(["z3", "-smt2"], p, t)
    if bitwuzla:
        runs["bitwuzla"] = forked
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as temp:
        empty = Path(temp) / "empty.smt2"
        empty.write_text("(set-logic QF_BV)\n(check-sat)\n")
        start = {n: min(r(empty, args.time)[1] for _ in range(5)) for n, r in runs.items()}
        for file in sorted(args.dir.glob("*.smt2")):
            answers = set(re.findall(r":status (sat|unsat)", file.read_text()))
            row = {"file": file.stem}
            for name, run in runs.items():
                answer, cpu = best(run, file, args.time)
                answers |= {answer} & {"sat", "unsat"}
                row[name], row[name + " s"] = answer, max(cpu - start[name], 0)
            wrong += len(answers) > 1
            rows.append(row)
            print(f"{row['file']:<20}" + "".join(f"{row[n]:>9} {row[n + ' s']:8.3f}" for n in runs)
                  + ("  CONTRADICTION" if len(answers) > 1 else ""), flush=True)
    others = [n for n in runs if n != "craig"]
    print("\n| family | problems | craig: solved, s | " + " | ".join(f"{o}: solved, s, ratio" for o in others) + " |")
    print("|---" * (3 + len(others)) + "|")
    for family in [*dict.fromkeys(r["file"].split("-")[0] for r in rows), "all"]:
        some = [r for r in rows if family == "all" or r["file"].split("-")[0] == family]
        solved = lambda n: sum(r[n] in ("sat", "unsat") for r in some)
        total = lambda n: sum(r[n + " s"] for r in some)
        cells = [f"{solved('craig')}, {total('craig'):.2f}"]
        cells += [f"{solved(o)}, {total(o):.2f}, {mean([(r['craig s'], r[o + ' s']) for r in some]):.2f}" for o in others]
        print(f"| {family} | {len(some)} | " + " | ".join(cells) + " |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

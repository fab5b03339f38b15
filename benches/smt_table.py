#!/usr/bin/env python3
"""Side-by-side table of solvers on the problems that `craig check --smt-out DIR` wrote.

    benches/smt_table.py DIR [--solver NAME=COMMAND]... [--limit N] [--time S] [--csv F]

Each file goes to each solver in a process of its own, with the file's name as last argument. CPU
time is that of the process (start included: see the row `empty`). An answer that contradicts the
file's :status, or another solver's answer, is marked and makes the exit status 1.
"""
import argparse, csv, math, os, re, resource, shutil, subprocess, sys, tempfile, time
from pathlib import Path

KNOWN = {
    "craig": "craig smt",
    "z3": "z3 -smt2",
    "cvc5": "cvc5 --lang=smt2",
    "opensmt": "opensmt",
    "smtinterpol": "smtinterpol -q",
    "mathsat": "mathsat -input=smt2",
    "yices": "yices-smt2",
}
INTERPOLATES = {"craig", "opensmt", "smtinterpol"}


def run(command, path, limit):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    try:
        done = subprocess.run(command.split() + [str(path)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=limit)
        out = done.stdout
    except subprocess.TimeoutExpired:
        out = "timeout"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [l.strip() for l in out.splitlines() if l.strip()]
    answer = next((l for l in lines if l in ("sat", "unsat", "unknown", "timeout")), "error")
    rest = "\n".join(l for l in lines if l != answer)
    size = len(re.findall(r"[^\s()]+", rest)) if rest and "error" not in rest else 0
    return answer, cpu, size, time.monotonic() - start


def best(command, path, limit):
    """Short runs are repeated: the least of three."""
    first = run(command, path, limit)
    if first[1] > 0.3 or first[0] == "timeout":
        return first
    return min([first, *(run(command, path, limit) for _ in range(2))], key=lambda r: r[1])


def geometric(values):
    values = [max(v, 1e-4) for v in values]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def family_table(rows, solvers):
    """CPU time by family as a Markdown table; ratios are geometric means with a floor of 1 ms."""
    first, others = solvers[0], solvers[1:]
    def ratio(some, other):
        pairs = [(r[first + " s"], r[other + " s"]) for r in some]
        return geometric([max(a, 1e-3) / max(b, 1e-3) for a, b in pairs])
    def cost(some):
        """What interpolation with its checks adds, over the check without a proof log."""
        pairs = [(r[first + " itp s"], r[first + " s"]) for r in some if first + " itp s" in r]
        return geometric([max(a - b, 1e-3) / max(b, 1e-3) for a, b in pairs])
    print(f"\n| family | problems | {first}: solved, s | " + " | ".join(f"{o}: solved, s, ratio" for o in others)
          + " | interpolation / check |")
    print("|---" * (len(others) + 4) + "|")
    families = dict.fromkeys(r["file"].split("-")[0] for r in rows)
    for family in [*families, "all"]:
        some = [r for r in rows if family == "all" or r["file"].startswith(family + "-")]
        done = lambda n: sum(r[n] in ("sat", "unsat") for r in some)
        total = lambda n: sum(r[n + " s"] for r in some)
        cells = [f"{done(first)}, {total(first):.2f}"]
        cells += [f"{done(o)}, {total(o):.2f}, {ratio(some, o):.2f}" for o in others]
        print(f"| {family} | {len(some)} | " + " | ".join(cells) + f" | {cost(some):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--solver", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--limit", type=int, default=200, help="most files to take, evenly spread")
    parser.add_argument("--time", type=float, default=20)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--families", action="store_true", help="a table by the part of the name before `-`")
    args = parser.parse_args()
    solvers = dict(s.split("=", 1) for s in args.solver)
    for name, command in KNOWN.items():
        if shutil.which(command.split()[0]):
            solvers.setdefault(name, command)
        elif name not in solvers:
            print(f"skipped: {name} is not installed", file=sys.stderr)
    files = sorted(args.dir.glob("**/*.smt2"))
    if len(files) > args.limit:
        files = [files[i * len(files) // args.limit] for i in range(args.limit)]
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as temp:
        empty = Path(temp) / "empty.smt2"
        empty.write_text("(set-logic ALL)\n(check-sat)\n")
        start = {n: min(run(c, empty, args.time)[1] for _ in range(3)) for n, c in solvers.items()}
        for file in files:
            text = file.read_text()
            status = re.search(r":status (\w+)", text)
            status = status.group(1) if status else "unknown"
            plain = Path(temp) / "plain.smt2"
            bare = re.sub(r"\(get-interpolants.*\)\n", "", text)
            plain.write_text(bare.replace("(set-option :produce-interpolants true)\n", ""))
            row = {"file": str(file.relative_to(args.dir)), "status": status}
            answers = set([status]) - {"unknown"}
            for name, command in solvers.items():
                answer, cpu, _, _ = best(command, plain, args.time)
                row[name], row[name + " s"] = answer, max(cpu - start[name], 0)
                answers |= {answer} & {"sat", "unsat"}
                if "get-interpolants" in text and name in INTERPOLATES:
                    _, cpu, size, _ = best(command, file, args.time)
                    row[name + " itp s"], row[name + " itp size"] = max(cpu - start[name], 0), size
            row["contradiction"] = len(answers) > 1
            wrong += len(answers) > 1
            rows.append(row)
    head = f"{'file':<40} {'status':<8}" + "".join(f"{n:>20}" for n in solvers)
    print(head)
    for row in rows:
        cells = "".join(f"{row[n]:>10} {row[n + ' s']:>8.3f}s" for n in solvers)
        print(f"{row['file'][-40:]:<40} {row['status']:<8}{cells}{'  CONTRADICTION' if row['contradiction'] else ''}")
    print(f"\n{len(rows)} problems; CPU seconds without start (start subtracted: "
          + ", ".join(f"{n} {s:.3f}" for n, s in start.items()) + ")")
    for name in solvers:
        times = [r[name + " s"] for r in rows]
        solved = sum(r[name] in ("sat", "unsat") for r in rows)
        itp = [r[name + " itp s"] for r in rows if name + " itp s" in r]
        sizes = [r[name + " itp size"] for r in rows if r.get(name + " itp size")]
        line = f"{name:<12} solved {solved:>4}  geometric mean {geometric(times):.4f} s  total {sum(times):.2f} s"
        if itp:
            line += f"  interpolation: {len(sizes)} of {len(itp)}, {geometric(itp):.4f} s, mean size {sum(sizes) / max(len(sizes), 1):.0f}"
        print(line)
    if args.families:
        family_table(rows, list(solvers))
    if args.csv:
        keys = list(dict.fromkeys(k for r in rows for k in r))
        with args.csv.open("w", newline="") as out:
            writer = csv.DictWriter(out, keys)
            writer.writeheader()
            writer.writerows(rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

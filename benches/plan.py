#!/usr/bin/env python3
"""Learns the table by which the portfolio chooses who works (crates/craig/src/check/plan.txt).

    benches/plan.py measure --craig target/release/craig --tasks tasks.csv --groups core,wide --every 2 --out runs.jsonl
    benches/plan.py learn runs.jsonl                     # the table, to standard output
    benches/plan.py compare runs.jsonl --table OLD --table NEW
    benches/plan.py validate runs.jsonl                  # on tasks that a table was not learned from

`measure` runs each worker alone (`craig check --portfolio "impact 1"`) on each task of a list as the bench has them (CSV
with group, file, property, verdict, bits, args) and writes what the program is like, who answered and with how much
work. Work is counted in ticks, so that a busy machine measures the same; `--cpu` seconds end a run.

`learn` grows a decision tree over the features: each leaf has an order of workers and a weight each, found by
descent on the work that the portfolio would need with turns as `portfolio.rs` grants them (each half as long again as
the one before), unsolved tasks counted with twice the limit. A split is kept if it saves work on tasks that it
was not learned from (four folds). Deterministic: no choice is random.
"""
import argparse, csv, itertools, json, os, resource, shlex, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

WORKERS = ["impact", "predabs", "trace", "split", "whale", "bmc", "kind", "sites", "unrolled", "tables", "runs"]
# As analysis/features.rs has them.
FEATURES = ["recursive", "large", "functions", "callsites", "edges", "branches", "loops", "nested", "inputs", "arrays",
            "blocks", "bits", "floats", "products"]
FIRST, GROWTH, HEAD = 500, 1.5, 700  # thousand ticks; as PortfolioLimits has them
LIMIT = 10_000  # thousand ticks: what counts as in time
WEIGHTS = [0.5, 0.7, 1, 1.5, 2]  # further apart they say more of the tasks than of their kinds
LEAST = 12  # tasks in a leaf


# Measuring.

def command(craig, root, task, plan, seconds):
    options = shlex.split((task.get("args") or "").replace("@/", root + "/"))
    if task["file"].endswith((".c", ".i")):
        specification = os.path.join(root, "c/properties", task["property"] + ".prp")
        options += ["--property", specification] if os.path.exists(specification) else []
        options += [f"--{task['bits']}"] if task["bits"] else []
    return [craig, "check", "--stats", "--quiet", "--json", "-", "--time", str(3 * seconds), "--portfolio", f"{plan} 1",
            *options, os.path.join(root, task["file"])]


def run(craig, root, task, plan, seconds):
    """Verdict, work and features of one worker on one task; nothing of work if another form of execution answered."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run(command(craig, root, task, plan, seconds), capture_output=True, text=True, preexec_fn=limit)
    verdict, stats = "none", {}
    for line in done.stdout.splitlines():
        if line.startswith("verdict:"):
            verdict = line.split()[1]
    start, end = done.stdout.find("{"), done.stdout.rfind("}")
    try:
        stats = json.loads(done.stdout[start : end + 1]).get("statistics", {})
    except ValueError:
        pass
    features = {name: stats[name] for name in FEATURES if name in stats}
    return verdict, stats.get("turns in thousand ticks"), features


def measure(args):
    root = args.root or os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks, newline="") as file:
        tasks = [t for t in csv.DictReader(file) if t["group"] in args.groups.split(",")][:: args.every]
    rows = []

    def one(task):
        features, works = {}, {}
        for worker in args.workers.split(","):
            verdict, work, seen = run(args.craig, root, task, worker, args.cpu)
            features = seen or features
            if verdict in ("safe", "unsafe") and not seen:
                return None  # decided before anybody of the plan worked
            works[worker] = work if verdict == task["verdict"] else None
        return {"group": task["group"], "features": features, "works": works}

    with ThreadPoolExecutor(args.jobs) as pool, open(args.out, "w") as out:
        for task, row in zip(tasks, pool.map(one, tasks)):
            if row and row["features"]:
                out.write(json.dumps(row, sort_keys=True) + "\n")
                out.flush()


# The portfolio, played.

def play(plan, works):
    """The work until somebody of the plan has answered, in thousand ticks; twice the limit if nobody has in time."""
    spent, had, open_ = 0, {who: 0 for who, _ in plan}, [who for who, _ in plan]
    weights, turns = dict(plan), 0
    first = next((who for who, _ in plan if who in WORKERS[:7]), None)
    while True:
        for who in open_:
            turn = FIRST * weights[who] * GROWTH**turns + (HEAD if who == first and turns == 0 else 0)
            needs = works.get(who)
            if needs is not None and had[who] + turn >= needs:
                spent += needs - had[who]
                return spent if spent <= LIMIT else 2 * LIMIT
            had[who] += turn
            spent += turn
            if spent > LIMIT:
                return 2 * LIMIT
        turns += 1


def cost(plan, rows):
    return sum(play(plan, row["works"]) for row in rows)


def best_plan(rows, plan):
    """Descent from a plan: another weight, another place, one less, one more."""
    least = cost(plan, rows)
    while True:
        better = None
        for other in neighbours(plan):
            now = cost(other, rows)
            if now < least * 0.998:
                least, better = now, other
        if better is None:
            return plan, least
        plan = better


def neighbours(plan):
    for n, (who, weight) in enumerate(plan):
        for other in WEIGHTS:
            if other != weight:
                yield plan[:n] + [(who, other)] + plan[n + 1 :]
        if n > 0:
            yield [plan[n]] + plan[:n] + plan[n + 1 :]
            yield plan[: n - 1] + [plan[n], plan[n - 1]] + plan[n + 1 :]
    for who in WORKERS:
        if who not in dict(plan):
            yield plan + [(who, 0.5)]


# The tree.

def sides(rows, name, bound):
    over = [r for r in rows if r["features"].get(name, 0) > bound]
    return over, [r for r in rows if r["features"].get(name, 0) <= bound]


def questions(rows):
    for name in sorted(rows[0]["features"]):
        values = sorted({r["features"].get(name, 0) for r in rows})
        for low in {values[int(len(values) * q / 6)] for q in range(6)}:
            over, under = sides(rows, name, low)
            if len(over) >= LEAST and len(under) >= LEAST:
                yield name, low


def held_out(rows, question, plan):
    """What the split costs on a fold when it is learned from the others, over all folds; and without it."""
    split = whole = 0
    for fold in range(4):
        train = [r for n, r in enumerate(rows) if n % 4 != fold]
        test = [r for n, r in enumerate(rows) if n % 4 == fold]
        whole += cost(best_plan(train, plan)[0], test)
        for part, tested in zip(sides(train, *question), sides(test, *question)):
            split += cost(best_plan(part, plan)[0] if part else plan, tested)
    return split, whole


def grow(rows, plan, when, depth):
    plan, least = best_plan(rows, plan)
    # All questions are ranked by what they save where they are learned; only the best few are tried on folds.
    ranked = []
    for question in questions(rows) if depth else []:
        parts = sum(best_plan(part, plan)[1] for part in sides(rows, *question))
        ranked.append((parts, question))
    for parts, question in sorted(ranked)[:2]:
        split, whole = held_out(rows, question, plan)
        if split < whole * 0.98:
            name, bound = question
            over, under = sides(rows, *question)
            return grow(over, plan, when + [f"{name} > {bound}"], depth - 1) + grow(
                under, plan, when + [f"{name} <= {bound}"], depth - 1
            )
    return [(when, plan, len(rows), least)]


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def table(path):
    """The rows of a table: conditions and plan."""
    with open(path) as file:
        lines = [l.rstrip("\n").split("|") for l in file if not l.startswith("#")]
    pair = lambda text: (text.split()[0], float(text.split()[1]))
    return [([c.strip() for c in when.split(",") if c.strip()], [pair(p) for p in plan.split(",")]) for when, plan in lines]


def chosen(rows, features):
    def holds(condition):
        name, sign, bound = condition.split()
        return (features.get(name, 0) > int(bound)) == (sign == ">")

    return next(plan for when, plan in rows if all(holds(c) for c in when))


# What no plan changes: whether bodies can be copied, and whether accesses to memory are checked.
KINDS = [["recursive > 0"], ["large > 0"], ["blocks > 0"], []]


def kind(row):
    return chosen([(when, n) for n, when in enumerate(KINDS)], row["features"])


def learn(args):
    rows = [r for path in args.runs for r in read(path)]
    out = []
    for n, when in enumerate(KINDS):
        mine = [r for r in rows if kind(r) == n]
        if len(mine) < LEAST:
            known = next((plan for conditions, plan in table(args.table) if conditions == when), None)
            out.append((when, known or table(args.table)[-1][1], len(mine), 0))
            continue
        start = chosen(table(args.table), mine[0]["features"])
        out += grow(mine, start, when, args.depth)
    # The last row has no condition: whatever is left.
    print("# Who of the portfolio works on which programs (see plan.rs). Learned by benches/plan.py from", sum(r[2] for r in out), "tasks.")
    print("# when | who, with which weight")
    for n, (when, plan, *_) in enumerate(out):
        when = ", ".join(when) if n + 1 < len(out) else ""
        print(f"{when} | ".lstrip(" ") + ", ".join(f"{who} {weight:g}" for who, weight in plan))


def compare(args):
    rows = [r for path in args.runs for r in read(path)]
    for path in args.tables:
        plans = table(path)
        spent = [play(chosen(plans, r["features"]), r["works"]) for r in rows]
        solved = [s for s in spent if s <= LIMIT]
        print(f"{path}: {len(solved)}/{len(rows)} solved, {sum(solved) / 1000:.1f} million ticks on them, {sum(spent) / 1000:.1f} in all")
    best = [min((w for w in r["works"].values() if w is not None), default=2 * LIMIT) for r in rows]
    print(f"the best worker of each: {sum(b <= LIMIT for b in best)}/{len(rows)} solved, {sum(best) / 1000:.1f} in all")


def validate(args):
    """Plans learned on five parts of six and played on the other, against what the table says."""
    rows = [r for path in args.runs for r in read(path)]
    known = table(args.table)
    spent = {"the table": [], "learned": []}
    for fold, n in itertools.product(range(6), range(len(KINDS))):
        train = [r for at, r in enumerate(rows) if at % 6 != fold and kind(r) == n]
        test = [r for at, r in enumerate(rows) if at % 6 == fold and kind(r) == n]
        if not train or not test:
            continue
        new, _ = best_plan(train, chosen(known, train[0]["features"]))
        spent["the table"] += [play(chosen(known, r["features"]), r["works"]) for r in test]
        spent["learned"] += [play(new, r["works"]) for r in test]
    for name, all_ in spent.items():
        print(f"{name}: {sum(s <= LIMIT for s in all_)}/{len(all_)} solved, {sum(all_) / 1000:.1f} million ticks in all")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.add_argument("--craig", default="target/release/craig")
    one.add_argument("--tasks", required=True)
    one.add_argument("--root", help="folder the files are relative to (default: beside the list)")
    one.add_argument("--groups", default="core")
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--cpu", type=int, default=10)
    one.add_argument("--jobs", type=int, default=1)
    one.add_argument("--workers", default=",".join(WORKERS))
    one.add_argument("--out", required=True)
    one.set_defaults(act=measure)
    two = commands.add_parser("learn")
    two.add_argument("runs", nargs="+")
    two.add_argument("--depth", type=int, default=3)
    two.add_argument("--table", default="crates/craig/src/check/plan.txt", help="what to begin from")
    two.set_defaults(act=learn)
    three = commands.add_parser("compare")
    three.add_argument("runs", nargs="+")
    three.add_argument("--table", dest="tables", action="append", required=True)
    three.set_defaults(act=compare)
    four = commands.add_parser("validate")
    four.add_argument("runs", nargs="+")
    four.add_argument("--table", default="crates/craig/src/check/plan.txt")
    four.set_defaults(act=validate)
    args = parser.parse_args()
    args.act(args)


if __name__ == "__main__":
    main()

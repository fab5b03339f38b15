#!/usr/bin/env python3
"""Cost against size: families of generated C programs, measured for one engine or several and drawn.

    benches/growth.py --craig target/release/craig --time 30 --out docs/scaling.csv --plot docs/scaling.svg
    benches/growth.py --engine portfolio --engine impact … # the others beside it
    benches/growth.py --draw docs/scaling.csv --plot docs/scaling.svg # draws what was measured
    benches/growth.py --print calls 40            # one program, to standard output

Families: `calls` (a chain of functions, each adds one), `loops` (loops one after the other, each with a bound
of its own on one counter), `locks` (flags taken and given back, each checked), `writes` (constant writes to an
array, then one read), `branches` (choices one after the other that add one or two), `nodes` (a list of so many
nodes on the heap is built, walked and freed), `lines` (assignments without branches). Every program is safe. One
line a program goes to --out: engine, family, parts, verdict, CPU seconds, peak memory; the exponent of a family is
the slope of log time over log size between the largest two sizes that were decided and took more than 0.05 s.
"""
import argparse, csv, math, os, resource, subprocess, sys, tempfile

SIZES = [10, 40, 160, 640, 2560]
HEAD = "extern void abort(void);\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) { abort(); }\n"


def calls(n):
    """A chain of functions: each counts on a global, calls the last and adds one where its argument is positive."""
    out = [HEAD, "int depth;\nint f0(int x) { return x; }"]
    out += [f"int f{i}(int x) {{ depth++; if (x <= 0) return x; return f{i - 1}(x) + 1; }}" for i in range(1, n + 1)]
    out.append(f"int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  if (x < 0 || x > 1000) return 0;")
    out.append(f"  if (f{n}(x) < x || depth < 1) reach_error();\n  return 0;\n}}")
    return "\n".join(out)


def loops(n):
    """Loops one after the other, each with another bound on a shared counter."""
    out = [HEAD, "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x < 0 || x > 5) return 0;"]
    out += [f"  while (x < {10 * i + 7}) x++;" for i in range(1, n + 1)]
    out.append(f"  if (x != {10 * n + 7}) reach_error();\n  return 0;\n}}")
    return "\n".join(out)


def locks(n):
    """Flags that are taken under a condition and given back under the same one."""
    out = [HEAD, "int main(void) {"]
    out += [f"  int p{i} = __VERIFIER_nondet_int(), l{i};" for i in range(n)]
    out.append("  while (1) {\n    if (__VERIFIER_nondet_int() == 0) return 0;")
    out += [f"    l{i} = 0;" for i in range(n)]
    out += [f"    if (p{i} != 0) l{i} = 1;" for i in range(n)]
    out += [f"    if (p{i} != 0) {{ if (l{i} != 1) reach_error(); l{i} = 0; }}" for i in range(n)]
    out.append("  }\n}")
    return "\n".join(out)


def writes(n):
    """Constant writes to an array, then one read."""
    out = [HEAD, f"int a[{n}];\nint main(void) {{"]
    out += [f"  a[{i}] = {3 * i + 1};" for i in range(n)]
    out.append(f"  int k = __VERIFIER_nondet_int();\n  if (k < 0 || k >= {n}) return 0;")
    out.append(f"  if (a[k] < 1) reach_error();\n  return 0;\n}}")
    return "\n".join(out)


def branches(n):
    """Choices one after the other: what they add up to is at least their number."""
    out = [HEAD, "int main(void) {\n  int x = 0;"]
    out += ["  if (__VERIFIER_nondet_int()) x++; else x += 2;"] * n
    out.append(f"  if (x < {n} || x > {2 * n}) reach_error();\n  return 0;\n}}")
    return "\n".join(out)


def nodes(n):
    """A list on the heap whose nodes hold digits: their sum is bounded by their number."""
    return HEAD + f"""void *malloc(unsigned long);
void free(void *);
struct node {{ int digit; struct node *next; }};
int main(void) {{
  struct node *list = 0;
  for (int i = 0; i < {n}; i++) {{
    struct node *new = malloc(sizeof *new);
    if (new == 0) return 0;
    int digit = __VERIFIER_nondet_int();
    new->digit = digit < 0 || digit > 9 ? 0 : digit;
    new->next = list;
    list = new;
  }}
  int sum = 0;
  while (list != 0) {{
    struct node *next = list->next;
    sum += list->digit;
    free(list);
    list = next;
  }}
  if (sum < 0 || sum > {9 * n}) reach_error();
  return 0;
}}
"""


def lines(n):
    """Assignments without branches: each variable is one above the one before."""
    out = [HEAD, "int main(void) {\n  int v0 = __VERIFIER_nondet_int();\n  if (v0 < 0 || v0 > 9) return 0;"]
    out += [f"  int v{i} = v{i - 1} + 1;" for i in range(1, n + 1)]
    out.append(f"  if (v{n} < {n} || v{n} > {n + 9}) reach_error();\n  return 0;\n}}")
    return "\n".join(out)


FAMILIES = {
    "calls": calls,
    "loops": loops,
    "locks": locks,
    "writes": writes,
    "branches": branches,
    "nodes": nodes,
    "lines": lines,
}
COLOURS = ["#222222", "#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d"]


def measure(craig, options, text, seconds):
    """Verdict, CPU seconds and peak memory (MiB) of one run."""
    with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as file:
        file.write(text)
    command = [craig, "check", "--time", str(seconds), *options, file.name]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        said.seek(0)
        lines = [l for l in said if l.startswith("verdict:")]
    os.unlink(file.name)
    verdict = lines[-1].split()[1] if lines else "none"
    return verdict, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def exponent(points):
    points = [(n, t) for n, t in points if t > 0.05][-2:]
    if len(points) < 2:
        return None
    (n, t), (m, u) = points
    return math.log(u / t) / math.log(m / n)


def panel(rows, family, colours, x0, y0):
    """One family, log-log: a line an engine."""
    width, height, low, high = 210, 170, -2.0, math.log10(60)
    first, last = math.log10(SIZES[0]), math.log10(SIZES[-1])

    def at(n, t):
        x = x0 + (math.log10(n) - first) / (last - first) * width
        y = y0 + (high - math.log10(max(t, 0.01))) / (high - low) * height
        return round(x, 1), round(y, 1)

    out = [f'<text x="{x0}" y="{y0 - 8}" font-weight="bold">{family}</text>']
    for t in (0.01, 0.1, 1, 10, 60):
        _, y = at(SIZES[0], t)
        out.append(f'<line x1="{x0}" y1="{y}" x2="{x0 + width}" y2="{y}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 - 6}" y="{y + 4}" text-anchor="end">{t} s</text>')
    for n in SIZES:
        out.append(f'<text x="{at(n, 1)[0]}" y="{y0 + height + 16}" text-anchor="middle">{n}</text>')
    for engine, colour in colours.items():
        mine = [r for r in rows if (r["engine"], r["family"], r["verdict"]) == (engine, family, "safe")]
        points = [at(int(r["parts"]), float(r["cpu"])) for r in mine]
        line = " ".join(f"{x},{y}" for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in points[-1:]]
    return out


def plot(rows, path):
    """A panel a family, three beside each other, and the names of the engines."""
    engines = list(dict.fromkeys(r["engine"] for r in rows))
    families = [f for f in FAMILIES if any(r["family"] == f for r in rows)]
    colours = dict(zip(engines, COLOURS))
    across, down = 280, 230
    width, height = 3 * across, (len(families) + 3) // 3 * down + 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">']
    out.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for n, family in enumerate(families):
        out += panel(rows, family, colours, 45 + n % 3 * across, 30 + n // 3 * down)
    x, y = 45 + len(families) % 3 * across, 40 + len(families) // 3 * down
    for n, (engine, colour) in enumerate(colours.items()):
        out.append(f'<text x="{x}" y="{y + 18 * n}" fill="{colour}" font-weight="bold">{engine}</text>')
    out.append("</svg>\n")
    with open(path, "w") as file:
        file.write("\n".join(out))


def grow(args, engine, family):
    """Larger and larger programs of a family until the engine gives none an answer."""
    rows = []
    for n in args.sizes:
        options = ["--engine", engine, *args.option]
        verdict, cpu, memory = measure(args.craig, options, FAMILIES[family](n), args.time)
        figures = {"verdict": verdict, "cpu": f"{cpu:.2f}", "mib": f"{memory:.0f}"}
        rows.append({"engine": engine, "family": family, "parts": n} | figures)
        print(*rows[-1].values(), flush=True)
        if verdict != "safe":
            break
    solved = [(r["parts"], float(r["cpu"])) for r in rows if r["verdict"] == "safe"]
    slope = exponent(solved)
    print(engine, family, "exponent", "-" if slope is None else f"{slope:.2f}", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=int, default=30)
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument("--engine", action="append", help="as craig check has them; several are measured in turn")
    parser.add_argument("--sizes", type=lambda s: [int(n) for n in s.split(",")], default=SIZES)
    parser.add_argument("--option", action="append", default=[], help="passed on to craig check")
    parser.add_argument("--out")
    parser.add_argument("--plot")
    parser.add_argument("--draw", metavar="CSV", help="measures nothing: draws what this file says")
    parser.add_argument("--print", nargs=2, metavar=("FAMILY", "PARTS"))
    args = parser.parse_args()
    if args.print:
        print(FAMILIES[args.print[0]](int(args.print[1])))
        return
    if args.draw:
        with open(args.draw, newline="") as file:
            plot(list(csv.DictReader(file)), args.plot)
        return
    rows = []
    for engine in args.engine or ["portfolio"]:
        for family in args.family or FAMILIES:
            rows += grow(args, engine, family)
    if args.out:
        with open(args.out, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    if args.plot:
        plot(rows, args.plot)


if __name__ == "__main__":
    main()

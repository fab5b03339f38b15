#!/usr/bin/env python3
"""Cost against size: four families of generated C programs, measured and drawn.

    benches/growth.py --craig target/release/craig --time 30 --out docs/scaling.csv --plot docs/scaling.svg
    benches/growth.py --print calls 40            # one program, to standard output

Families: `calls` (a chain of functions, each adds one), `loops` (loops one after the other, each with a bound
of its own on one counter), `locks` (flags taken and given back, each checked), `writes` (constant writes to an
array, then one read). Every program is safe. One line a program goes to --out: family, parts, verdict, CPU
seconds, peak memory; the exponent of a family is the slope of log time over log size between the largest two
sizes that were decided and took more than 0.05 s.
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


FAMILIES = {"calls": calls, "loops": loops, "locks": locks, "writes": writes}


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


def plot(rows, path):
    """Log-log: one line a family."""
    width, height, left, bottom = 560, 380, 60, 40
    xs = [math.log10(s) for s in (SIZES[0], SIZES[-1])]
    ys = [-2.0, 1.5]
    def at(n, t):
        x = left + (math.log10(n) - xs[0]) / (xs[1] - xs[0]) * (width - left - 90)
        y = 10 + (ys[1] - math.log10(max(t, 0.01))) / (ys[1] - ys[0]) * (height - bottom - 10)
        return round(x, 1), round(y, 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">']
    out.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for t in (0.01, 0.1, 1, 10, 30):
        (x0, y), (x1, _) = at(SIZES[0], t), at(SIZES[-1], t)
        out.append(f'<line x1="{x0}" y1="{y}" x2="{x1}" y2="{y}" stroke="#ddd"/><text x="{x0 - 8}" y="{y + 4}" text-anchor="end">{t} s</text>')
    for n in SIZES:
        x, y = at(n, 0.01)
        out.append(f'<text x="{x}" y="{y + 20}" text-anchor="middle">{n}</text>')
    for colour, family in zip(("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad"), FAMILIES):
        points = [at(int(r["parts"]), float(r["cpu"])) for r in rows if r["family"] == family and r["verdict"] == "safe"]
        if not points:
            continue
        line = " ".join(f"{x},{y}" for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = points[-1]
        out.append(f'<text x="{x + 6}" y="{y + 4}" fill="{colour}">{family}</text>')
    out.append("</svg>\n")
    with open(path, "w") as file:
        file.write("\n".join(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--time", type=int, default=30)
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument("--sizes", type=lambda s: [int(n) for n in s.split(",")], default=SIZES)
    parser.add_argument("--option", action="append", default=[], help="passed on to craig check")
    parser.add_argument("--out")
    parser.add_argument("--plot")
    parser.add_argument("--print", nargs=2, metavar=("FAMILY", "PARTS"))
    args = parser.parse_args()
    if args.print:
        print(FAMILIES[args.print[0]](int(args.print[1])))
        return
    rows = []
    for family in args.family or FAMILIES:
        for n in args.sizes:
            verdict, cpu, memory = measure(args.craig, args.option, FAMILIES[family](n), args.time)
            rows.append({"family": family, "parts": n, "verdict": verdict, "cpu": f"{cpu:.2f}", "mib": f"{memory:.0f}"})
            print(*rows[-1].values(), flush=True)
            if verdict != "safe":
                break
        solved = [(r["parts"], float(r["cpu"])) for r in rows if r["family"] == family and r["verdict"] == "safe"]
        slope = exponent(solved)
        print(family, "exponent", "-" if slope is None else f"{slope:.2f}")
    if args.out:
        with open(args.out, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    if args.plot:
        plot(rows, args.plot)


if __name__ == "__main__":
    main()

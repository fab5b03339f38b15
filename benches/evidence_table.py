#!/usr/bin/env python3
"""What the evidence costs: time from start to verdict on a small program, and the checker's share
of whole runs.

  python3 benches/evidence_table.py --craig target/release/craig [--tasks tasks.csv --every 40]

Without --tasks the programs under tests/programs are run. `check_milliseconds` of `--stats` is the
time of the checker; runs below 20 ms are left out of the share, as rounding would decide it.
"""
import argparse
import csv
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SMALL = """extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  int sum = 0;
  if (n < 0 || n > 1000) {
    return 0;
  }
  while (i < n) {
    i++;
    sum = sum + 2;
  }
  if (sum != 2 * n) {
    reach_error();
  }
  return 0;
}
"""


def run(command, limit):
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 10)
        text = done.stdout
    except subprocess.TimeoutExpired:
        text = "verdict: unknown"
    return time.perf_counter() - begin, text


def figure(text, name):
    found = re.search(rf"^\s*{name}: ([0-9.]+)", text, re.M)
    return float(found.group(1)) if found else 0.0


def start_up(craig, repeat):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.c")
        with open(path, "w") as out:
            out.write(SMALL)
        times, processor = [], []
        for _ in range(repeat):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds, text = run([craig, "check", path], 30)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if "verdict: safe" not in text:
                sys.exit(f"the small program is safe:\n{text}")
            times.append(seconds * 1000)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            processor.append(used * 1000)
    return min(times), statistics.median(times), statistics.median(processor)


def own_programs():
    here = os.path.join(os.path.dirname(__file__), "..", "tests", "programs")
    for folder, _, names in sorted(os.walk(here)):
        for name in sorted(n for n in names if n.endswith(".c")):
            path = os.path.join(folder, name)
            with open(path) as source:
                head = source.read()
            found = re.search(r"//@ property: (\S+)", head)
            options = re.search(r"//@ options: (.*)", head)
            arguments = ["--property", found.group(1)] if found else []
            yield path, arguments + (options.group(1).split() if options else [])


def tasks(path, every):
    base = os.path.dirname(os.path.abspath(path))
    with open(path) as source:
        for row in list(csv.DictReader(source))[::every]:
            file = os.path.join(base, row.get("file") or row.get("path") or "")
            if os.path.exists(file):
                arguments = ["--32"] if row.get("bits") == "32" else []
                if file.endswith((".c", ".i")):
                    arguments += ["--property", row["property"]]
                yield file, arguments


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--craig", default="target/release/craig")
    parser.add_argument("--tasks")
    parser.add_argument("--every", type=int, default=40)
    parser.add_argument("--time", type=float, default=5)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    best, median, processor = start_up(options.craig, options.repeat)
    print("| what | measured | aim |\n|---|---|---|")
    print(f"| 20-line program, start to verdict | {best:.0f} ms best, {median:.0f} ms median, {processor:.0f} ms of processor | < 30 ms |")
    shares, check, whole, runs, verdicts = [], 0.0, 0.0, 0, {}
    chosen = tasks(options.tasks, options.every) if options.tasks else own_programs()
    for file, arguments in chosen:
        command = [options.craig, "check", "--stats", "--time", str(options.time), *arguments, file]
        _, text = run(command, options.time)
        verdict = text.rsplit("verdict: ", 1)[-1].strip()
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        if verdict not in ("safe", "unsafe"):
            continue
        runs += 1
        spent, seconds = figure(text, "check_milliseconds"), figure(text, "seconds") * 1000
        check, whole = check + spent, whole + seconds
        if seconds >= 20:
            shares.append(spent / seconds)
    mean = 100 * statistics.mean(shares) if shares else 0
    total = 100 * check / whole if whole else 0
    print(f"| checker's share, mean over {len(shares)} runs of 20 ms and more | {mean:.1f} % | < 20 % |")
    print(f"| checker's share of all {runs} runs together | {total:.1f} % | < 20 % |")
    print("verdicts:", ", ".join(f"{k} {v}" for k, v in sorted(verdicts.items())))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Callees asked one after the other and in threads (IPROC, section 8): writes docs/parallel-callees.md.

    benches/parallel_callees.py [path of craig]        LIMIT seconds a run, RUNS runs of which the fastest counts

A generated family in which callees dominate: main calls K functions, each a loop over N ifs, and asserts a bound of
the sum of what they return. Runs with one and with two jobs take turns, so that both see the same machine.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LIMIT = int(os.environ.get("LIMIT", "60"))
RUNS = int(os.environ.get("RUNS", "3"))
SIZES = [(2, 10), (2, 20), (2, 40), (4, 20), (4, 40)]


def program(callees, ifs):
    """The program of the family with so many callees of so many ifs each."""
    names = range(callees)
    lines = ["proc main() returns (n) {", "  assume(m >= 1);"]
    lines += [f"  a{i} = f{i}(m);" for i in names]
    lines += [f"  assert({' + '.join(f'a{i}' for i in names)} >= {callees});", "}"]
    for i in names:
        lines += [f"proc f{i}(x) returns (r) {{", "  r = 1; i = 0;", "  while (i < x)"]
        lines += [f"    if (c{j} >= {j}) r = r + {i + 1}; else r = r + {j + 1}; endif;" for j in range(ifs)]
        lines += ["    i = i + 1;", "  endwhile;", "}"]
    return "\n".join(lines) + "\n"


def run(craig, path, jobs):
    """Verdict, wall-clock seconds, processor seconds."""
    command = [craig, "check", "--engine", "trace", "--method", "paper", "--jobs", str(jobs), "--time", str(LIMIT), path]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    verdict = re.search(r"^verdict: (\w+)", output, re.M)
    return (verdict.group(1) if verdict else "none", wall, after.ru_utime - before.ru_utime)


def main():
    craig = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target/release/craig")
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for callees, ifs in SIZES:
            path = os.path.join(work, f"par_{callees}_{ifs}.iproc")
            with open(path, "w", encoding="utf-8") as f:
                f.write(program(callees, ifs))
            best = {}
            for _ in range(RUNS):
                for jobs in (1, 2):
                    found = run(craig, path, jobs)
                    if jobs not in best or found[1] < best[jobs][1]:
                        best[jobs] = found
            (one, wall1, cpu1), (two, wall2, cpu2) = best[1], best[2]
            rows.append(
                f"| {callees} | {ifs} | {one} | {wall1:.2f} | {cpu1:.2f} | {two} | {wall2:.2f} | {cpu2:.2f} | {wall1 / wall2:.2f} |"
            )
            print(rows[-1])
    load = os.getloadavg()[0]
    with open(os.path.join(ROOT, "docs/parallel-callees.md"), "w", encoding="utf-8") as f:
        f.write(f"""# Callees asked in parallel

Section 8 of Cassez, Müller, Burnett, "Summary-Based Inter-Procedural Analysis via Modular Trace Refinement" (FSTTCS 2014): the
calls of a feasible trace can be checked concurrently. A generated family in which callees dominate: `main` calls so many
functions, each a loop over so many ifs, and asserts a bound of the sum of their results. Made by
`benches/parallel_callees.py` (`trace --method paper`), at most {LIMIT} s a run, the fastest of {RUNS} runs by the wall clock;
{os.cpu_count()} cores, load {load:.0f} at the end. Speed-up is wall-clock time of one job over that of two: on a machine with
other work it says how two threads share it, not how well they run alone; processor seconds say what the threads cost.

| callees | ifs | 1 job | wall s | cpu s | 2 jobs | wall s | cpu s | speed-up |
|--:|--:|---|--:|--:|---|--:|--:|--:|
""")
        f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()

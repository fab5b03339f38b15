#!/usr/bin/env python3
"""What reports cost beside a run without them: at most ten per cent of the processor's time, all runs together.

    reports.py CRAIG [FILE.c…] [--options "--time 10 …"] [--worst N]

Without files those of tests/programs/{basics,traps,memory} are taken. Each file is checked without outputs, with --report, and with
all of --report --witness --sarif --json; the least time of three runs counts. Runs below 50 ms are counted together only. Prints the sums and the files
where it costs most; exit status 1 if the sum grows by more than ten per cent.
"""
import argparse, glob, os, resource, shlex, subprocess, sys, tempfile

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("craig")
ap.add_argument("files", nargs="*")
ap.add_argument("--options", default="--time 10")
ap.add_argument("--worst", type=int, default=8)
ap.add_argument("--every", type=int, default=1)
a = ap.parse_intermixed_args()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
files = a.files or sorted(f for t in ("basics", "traps", "memory") for f in glob.glob(f"{root}/tests/programs/{t}/*.c"))
folder = tempfile.mkdtemp()
OUTPUTS = {
    "plain": [],
    "report": ["--report", f"{folder}/r.html"],
    "all": ["--report", f"{folder}/r.html", "--witness", f"{folder}/w.yml", "--sarif", f"{folder}/s.sarif", "--json", f"{folder}/j.json"],
}


def seconds(file, extra):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([a.craig, "check", *shlex.split(a.options), *extra, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout.decode(errors="replace").strip().splitlines()
    verdict = text[-1] if text else ""
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, verdict


sums, rows = {k: 0.0 for k in OUTPUTS}, []
for file in files[:: a.every]:
    runs = {k: min(seconds(file, extra) for _ in range(3)) for k, extra in OUTPUTS.items()}
    if "unknown" in runs["plain"][1]:
        continue
    for k, (t, _) in runs.items():
        sums[k] += t
    rows.append((runs["all"][0] - runs["plain"][0], runs["plain"][0], runs["report"][0], runs["all"][0], os.path.relpath(file), runs["plain"][1]))
rows.sort(reverse=True)
for more, plain, report, every, file, verdict in rows[: a.worst]:
    print(f"+{more:.3f} s  plain {plain:.3f} s, report {report:.3f} s, all {every:.3f} s  {file} ({verdict})")
print(f"{len(rows)} runs with an answer: {sums['plain']:.1f} s of a processor without outputs, {sums['report']:.1f} s with --report "
      f"({100 * (sums['report'] / sums['plain'] - 1):+.1f} %), {sums['all']:.1f} s with all ({100 * (sums['all'] / sums['plain'] - 1):+.1f} %)")
sys.exit(1 if sums["report"] > 1.1 * sums["plain"] else 0)

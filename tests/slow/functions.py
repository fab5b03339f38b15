#!/usr/bin/env python3
"""Each function of real libraries as an entry of its own has a result in time (docs/functions.md).

    functions.py CRAIG [FOLDER] [--time 10] [--only NAME] [--leave NAME]… [--every N] [--out FILE.csv]

Clones the libraries of the table below into FOLDER (nothing of them is part of this repository) and runs
`craig check --function all` on each file. Prints a line a file and a table of the verdicts, and shows every alarm. A crash, a
panic, a file that is not read, and functions that took longer than their time are failures; one that the watchdog ended in
time has its result, and is counted. `--every N` takes every Nth function only, by `--function NAME`.
"""
import argparse, csv, glob, os, re, subprocess, sys, tempfile, time

# Name, where it is, files, options.
LIBRARIES = [
    ("cJSON", "https://github.com/DaveGamble/cJSON", ["cJSON.c", "cJSON_Utils.c"], []),
    ("jsmn", "https://github.com/zserge/jsmn", ["example/*.c"], []),
    ("inih", "https://github.com/benhoyt/inih", ["ini.c"], []),
    ("Ring-Buffer", "https://github.com/AndersKaloer/Ring-Buffer", ["ringbuffer.c"], []),
    ("zlib", "https://github.com/madler/zlib", ["*.c"], []),
    ("jansson", "https://github.com/akheron/jansson", ["src/*.c"], ["-I", "src", "-D", "HAVE_STDINT_H=1"]),
    ("libyaml", "https://github.com/yaml/libyaml", ["src/*.c"],
     ["-I", "include", "-D", "YAML_VERSION_MAJOR=0", "-D", "YAML_VERSION_MINOR=2", "-D", "YAML_VERSION_PATCH=5",
      "-D", 'YAML_VERSION_STRING="0.2.5"']),
    ("lz4", "https://github.com/lz4/lz4", ["lib/*.c"], []),
    ("sds", "https://github.com/antirez/sds", ["sds.c"], []),
    ("miniz", "https://github.com/richgel999/miniz", ["miniz.c", "miniz_t*.c", "miniz_zip.c"], []),
]
# What a configure script would have written.
MADE = {
    "jansson/src/jansson_config.h": "#define JSON_INLINE inline\n#define JSON_INTEGER_IS_LONG_LONG 1\n"
    "#define JSON_HAVE_LOCALECONV 1\n#define JSON_HAVE_ATOMIC_BUILTINS 1\n#define JSON_PARSER_MAX_DEPTH 2048\n",
    "miniz/miniz_export.h": "#define MINIZ_EXPORT\n",
}
LINE = re.compile(r"^function (\S+): (safe|unsafe|unknown)( \(vacuous\))?", re.M)
# Seconds beyond the limit: a process starts, and reads the file.
GRACE = 5


def fetch(folder):
    os.makedirs(folder, exist_ok=True)
    for name, url, _, _ in LIBRARIES:
        if not os.path.isdir(os.path.join(folder, name)):
            subprocess.run(["git", "clone", "-q", "--depth", "1", url, os.path.join(folder, name)], check=True)
    for path, text in MADE.items():
        path = os.path.join(folder, path)
        if not os.path.exists(path):
            with open(path, "w") as f:
                f.write(text)


def run(craig, folder, file, options, which, limit):
    """The results of the functions of a file, and what the command said."""
    start = time.time()
    command = [craig, "check", "--function", which, "--time", str(limit), file] + options
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    parts = re.split(r"^(?=function )", text, flags=re.M)
    found = []
    for part in parts:
        m = LINE.match(part)
        if m:
            seconds = re.search(r"\[([0-9.]+) s\]", part.split("\n")[0])
            took = float(seconds.group(1)) if seconds else time.time() - start if which != "all" else 0.0
            found.append((m.group(1), m.group(2), took, part))
    return found, text, time.time() - start


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("craig")
    ap.add_argument("folder", nargs="?")
    ap.add_argument("--time", type=int, default=10)
    ap.add_argument("--only", help="a library, or a part of a file's name")
    ap.add_argument("--leave", action="append", default=[], help="library/file to leave out")
    ap.add_argument("--every", type=int, default=1)
    ap.add_argument("--out")
    a = ap.parse_args()
    craig = os.path.realpath(a.craig)
    folder = os.path.abspath(a.folder or tempfile.mkdtemp())
    fetch(folder)
    rows, bad, files, ended = [], 0, 0, 0
    for name, _, patterns, options in LIBRARIES:
        root = os.path.join(folder, name)
        paths = sorted(p for pattern in patterns for p in glob.glob(os.path.join(root, pattern)))
        for path in paths:
            file = os.path.relpath(path, root)
            if a.only and a.only not in f"{name}/{file}":
                continue
            if f"{name}/{file}" in a.leave:
                continue
            files += 1
            if a.every > 1:
                names, text, _ = run(craig, root, file, options, "all", 0)
                found, seconds = [], 0.0
                for function, *_ in names[:: a.every]:
                    one, text, more = run(craig, root, file, options, function, a.time)
                    found, seconds = found + one, seconds + more
            else:
                found, text, seconds = run(craig, root, file, options, "all", a.time)
            count = {k: sum(f[1] == k for f in found) for k in ("safe", "unsafe", "unknown")}
            print(f"{name}/{file}: {len(found)} functions, {count['safe']} safe, {count['unsafe']} alarms, "
                  f"{count['unknown']} unknown ({seconds:.0f} s)", flush=True)
            if seconds > len(found) * (a.time + GRACE) + GRACE:
                bad += 1
                print("  LATE: longer than its functions have time for")
            if not found and "error" in text:
                bad += 1
                print(f"  not read: {text.strip()[-400:]}")
            for function, verdict, took, part in found:
                why = " ".join(part.split())
                late = took > a.time + GRACE
                ended += "did not stop" in part
                crash = "panicked" in part or "internal error" in part or "signal" in part
                if late or crash:
                    bad += 1
                if late or crash or verdict == "unsafe":
                    print(f"  {function}: {verdict} {'LATE ' if late else ''}{'CRASH ' if crash else ''}{why[:300]}", flush=True)
                rows.append((name, file, function, verdict, took, why[:2000]))
    count = {k: sum(r[3] == k for r in rows) for k in ("safe", "unsafe", "unknown")}
    print(f"{files} files, {len(rows)} functions: {count['safe']} safe, {count['unsafe']} alarms, {count['unknown']} unknown "
          f"({ended} ended by the watchdog); {bad} failures")
    if a.out:
        with open(a.out, "w", newline="") as f:
            csv.writer(f).writerows([("library", "file", "function", "verdict", "seconds", "said"), *rows])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

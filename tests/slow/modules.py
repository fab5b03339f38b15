#!/usr/bin/env python3
"""Modules of real code for the reader of LLVM assembly: Debian packages through clang, crates through cargo.

usage: modules.py READ_LLVM FOLDER [--clang NAME,NAME…] [--each N] [--packages NAME,NAME…] [--no-rust] [--keep]
READ_LLVM is the example of crate craig-frontend (`cargo build --release -p craig-frontend --example read_llvm`).
Sources are fetched with apt-get into FOLDER (a package list of its own: nothing of the machine is changed) and
compiled file by file, twice: as clang writes without passes and with -O2, with the compilers of --clang in turn (every
compiler makes --each of the combinations). Files that clang refuses (no configuration, other systems) are passed over.
The crates are the dependencies of this project, in debug and in release mode. Every module is parsed and translated;
prints the refusals, and in the end how many were read and how fast. Exit status 1 if one was refused.
"""
import argparse
import os
import re
import subprocess
import sys

PACKAGES = """mbedtls libzstd brotli libsodium libtomcrypt libtommath lua5.4 zlib bzip2 lz4 cjson tinyxml2 pugixml
double-conversion libjsoncpp yaml-cpp re2 fmtlib leveldb snappy abseil""".split()
CRATES = "clap_builder hashbrown indexmap logos memchr petgraph smallvec regex serde_json ariadne".split()
LEVELS = [["-O1", "-Xclang", "-disable-llvm-passes", "-g"], ["-O2", "-g"], ["-O0"], ["-O3", "-march=haswell"]]

parser = argparse.ArgumentParser()
parser.add_argument("read_llvm")
parser.add_argument("folder")
parser.add_argument("--clang", default="clang")
parser.add_argument("--each", type=int, default=2)
parser.add_argument("--packages", default="")
parser.add_argument("--no-rust", action="store_true")
parser.add_argument("--keep", action="store_true")
args = parser.parse_args()
reader = os.path.abspath(args.read_llvm)
project = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
os.makedirs(args.folder, exist_ok=True)
os.chdir(args.folder)
totals = {"read": 0, "refused": 0, "bytes": 0, "seconds": 0.0}


def apt():
    """The options for an own list of source packages."""
    here = os.getcwd()
    for sub in ("lists/partial", "cache/archives/partial", "tar", "src"):
        os.makedirs(sub, exist_ok=True)
    with open("src.sources", "w") as out:
        out.write("Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: bookworm\nComponents: main\n"
                  "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n")
    options = ["-o", f"Dir::Etc::sourcelist={here}/src.sources", "-o", "Dir::Etc::sourceparts=/dev/null"]
    return options + ["-o", f"Dir::State::lists={here}/lists", "-o", f"Dir::Cache={here}/cache"]


def fetch(package, options):
    if os.path.isdir(f"src/{package}"):
        return True
    command = ["apt-get", *options, "source", "--download-only", "--tar-only", "-q", package]
    subprocess.run(command, cwd="tar", capture_output=True)
    found = [t for t in os.listdir("tar") if t.startswith(package + "_") and ".orig.tar" in t]
    if not found:
        return False
    os.makedirs(f"src/{package}")
    return subprocess.run(["tar", "xf", f"tar/{found[0]}", "-C", f"src/{package}", "--strip-components=1"]).returncode == 0


def sources(folder):
    for where, below, names in os.walk(folder):
        below[:] = sorted(d for d in below if not re.search(r"test|bench|fuzz|example|contrib|demo", d))
        for name in sorted(names):
            if re.search(r"\.(c|cc|cpp|cxx)$", name) and not re.search(r"test|bench", name):
                yield os.path.join(where, name)


def includes(folder):
    found = [folder]
    for where, below, _ in os.walk(folder):
        found += [os.path.join(where, d) for d in below if d in ("include", "src", "headers", "lib", "common", "sodium")]
    return ["-I" + d for d in found]


def read(paths):
    """Runs the reader on the modules and adds up what it says."""
    done = subprocess.run([reader, "--translate", *paths], capture_output=True, text=True)
    *lines, last = done.stdout.strip().splitlines() or [""]
    for line in lines:
        print(line, flush=True)
    m = re.match(r"(\d+) read, (\d+) refused, .* \((\d+) bytes, ([\d.]+) s\)", last)
    if not m:
        print(f"the reader failed on {' '.join(paths)}: {done.stderr[-300:]}", flush=True)
        totals["refused"] += 1
        return
    totals["read"] += int(m[1])
    totals["refused"] += int(m[2])
    totals["bytes"] += int(m[3])
    totals["seconds"] += float(m[4])


def clang_modules():
    options = apt()
    subprocess.run(["apt-get", *options, "update", "-q"], capture_output=True)
    compilers = args.clang.split(",")
    turn = 0
    for package in args.packages.split(",") if args.packages else PACKAGES:
        if not fetch(package, options):
            print(f"skipped: no source of {package}")
            continue
        flags, count = includes(f"src/{package}"), 0
        for path in sources(f"src/{package}"):
            made = []
            for _ in range(args.each):
                clang, level = compilers[turn % len(compilers)], LEVELS[turn // len(compilers) % len(LEVELS)]
                turn += 1
                out = f"module{len(made)}.ll" if not args.keep else f"{package}-{turn}.ll"
                language = [] if path.endswith(".c") else ["-x", "c++", "-std=c++17"]
                command = [clang, "-w", "-S", "-emit-llvm", *level, *language, *flags, path, "-o", out]
                if subprocess.run(command, capture_output=True).returncode == 0:
                    made.append(out)
            if made:
                count += len(made)
                before = totals["refused"]
                read(made)
                if totals["refused"] > before:
                    print(f"  of {path}", flush=True)
        print(f"{package}: {count} modules", flush=True)


def rust_modules():
    for mode in ([], ["--release"]):
        command = ["cargo", "build", "--offline", "--target-dir", os.path.abspath("rust"), *mode]
        known = open(f"{project}/Cargo.lock").read()
        for name in CRATES:
            if f'name = "{name}"' in known:
                command += ["-p", name]
        env = {**os.environ, "RUSTFLAGS": "--emit=llvm-ir -Awarnings"}
        if subprocess.run(command, cwd=project, env=env, capture_output=True).returncode:
            print("skipped: cargo does not build the crates")
        for where, _, names in os.walk("rust"):
            found = [os.path.join(where, n) for n in names if n.endswith(".ll")]
            for path in found:
                read([path])
                if not args.keep:
                    os.remove(path)


clang_modules()
if not args.no_rust:
    rust_modules()
speed = totals["bytes"] / 1e6 / max(totals["seconds"], 1e-9)
print(f"{totals['read']} modules read, {totals['refused']} refused, {totals['bytes'] / 1e6:.0f} MB, {speed:.1f} MB/s")
sys.exit(1 if totals["refused"] else 0)

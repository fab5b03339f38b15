#!/usr/bin/env python3
"""The C++ and Rust twins as native programs: a safe one never fails, an unsafe one fails on some inputs.

usage: native.py [--runs N] [--only TEXT]
Inputs are random, with small and extreme values preferred; the seed is the number of the run. A failure is any exit
status but 0; where an assumption does not hold, the run ends with 0. Needs clang++ and rustc. A safe program that fails
makes the exit status 1; an unsafe one that no run shows is named.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

CPP = r"""
#include <cstdlib>
static unsigned long long state = 0;
static long long next() {
  if (!state) state = strtoull(getenv("SEED"), nullptr, 10) * 6364136223846793005ULL + 1442695040888963407ULL;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  unsigned long long draw = state >> 20;
  switch ((state >> 60) & 3) {
  case 0: return (long long)(draw % 12) - 3;
  case 1: return (long long)(draw % 300) - 40;
  case 2: return (draw & 1) ? 2147483647LL : -2147483648LL;
  default: return (long long)draw;
  }
}
extern "C" int __VERIFIER_nondet_int() { return (int)next(); }
extern "C" unsigned __VERIFIER_nondet_uint() { return (unsigned)next(); }
"""

RUST = r"""
use std::cell::Cell;
thread_local!(static STATE: Cell<u64> = Cell::new(0));
fn next() -> u64 {
    STATE.with(|s| {
        if s.get() == 0 {
            let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
            s.set(seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        }
        s.set(s.get().wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        let draw = s.get() >> 20;
        match (s.get() >> 60) & 3 {
            0 => (draw % 12).wrapping_sub(3),
            1 => (draw % 300).wrapping_sub(40),
            2 => if draw & 1 == 1 { i64::MAX as u64 } else { i64::MIN as u64 },
            _ => draw,
        }
    })
}
pub trait Any { fn draw() -> Self; }
macro_rules! numbers { ($($t:ty)*) => { $(impl Any for $t { fn draw() -> $t {
    let n = next();
    if n == i64::MAX as u64 { <$t>::MAX } else if n == i64::MIN as u64 { <$t>::MIN } else { n as $t }
} })* } }
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
impl Any for bool { fn draw() -> bool { next() & 1 == 1 } }
impl Any for char { fn draw() -> char { char::from_u32(next() as u32 % 0x11_0000).unwrap_or('a') } }
pub fn nondet<T: Any>() -> T { T::draw() }
pub fn any<T: Any>() -> T { T::draw() }
pub fn assume(condition: bool) { if !condition { std::process::exit(0) } }
"""

parser = argparse.ArgumentParser()
parser.add_argument("--runs", type=int, default=200)
parser.add_argument("--only", default="")
args = parser.parse_args()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../programs")


def build(path, tmp):
    """The program as a command; None if it does not compile."""
    out = os.path.join(tmp, "program")
    if path.endswith(".cpp"):
        command = ["clang++", "-w", "-std=c++17", path, os.path.join(tmp, "inputs.cpp"), "-o", out]
    else:
        command = ["rustc", "--edition=2021", "-Awarnings", "-Coverflow-checks=on", "-L", tmp, path, "-o", out]
        for name in ("craig", "kani"):
            if name + "::" in open(path).read():
                command += ["--extern", f"{name}={tmp}/lib{name}.rlib"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"not compiled: {path}\n{done.stderr[:400]}")
        return None
    return out


def main():
    counts = {"safe": 0, "shown": 0, "not shown": 0, "WRONG": 0, "not compiled": 0}
    with tempfile.TemporaryDirectory() as tmp:
        open(os.path.join(tmp, "inputs.cpp"), "w").write(CPP)
        for name in ("craig", "kani"):
            source = os.path.join(tmp, name + ".rs")
            open(source, "w").write(RUST)
            subprocess.run(["rustc", "--edition=2021", "-Awarnings", "--crate-type=rlib", "--out-dir", tmp, source], check=True)
        for folder, ending in (("cpp", ".cpp"), ("rust", ".rs")):
            for file in sorted(os.listdir(os.path.join(root, folder))):
                if not file.endswith(ending) or args.only not in file:
                    continue
                path = os.path.join(root, folder, file)
                unsafe = re.search(r"//@ verdict: unsafe", open(path).read())
                program = build(path, tmp)
                if program is None:
                    counts["not compiled"] += 1
                    continue
                failed = None
                for seed in range(1, args.runs + 1):
                    done = subprocess.run([program], capture_output=True, env={**os.environ, "SEED": str(seed)}, timeout=60)
                    if done.returncode:
                        failed = seed
                        break
                if unsafe:
                    counts["shown" if failed else "not shown"] += 1
                    if not failed:
                        print(f"not shown by {args.runs} runs: {file}")
                else:
                    counts["WRONG" if failed else "safe"] += 1
                    if failed:
                        print(f"WRONG: {file} is said to be safe and fails with SEED={failed}")
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["WRONG"] or counts["not compiled"] else 0


sys.exit(main())

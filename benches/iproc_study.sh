#!/bin/bash
# A study like section 6 of the IPROC paper (array bounds and null, encoded with integers): writes docs/iproc-study.md.
#
#   benches/iproc_study.sh [path of craig]        LIMIT seconds a run
#
# Every program runs on `trace` as in the paper (--method paper) and as users run it.
set -eu
cd "$(dirname "$0")/.."
craig=${1:-${CARGO_TARGET_DIR:-target}/release/craig}
limit=${LIMIT:-20}
out=docs/iproc-study.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run METHOD FILE: verdict and processor seconds.
run() {
    { time -p "$craig" check --engine trace --method "$1" --stats --time "$limit" "$2" \
        >"$work/out" 2>/dev/null || true; } 2>"$work/time"
    verdict=$(sed -n 's/^verdict: //p' "$work/out")
    seconds=$(awk '/^user|^sys/ { s += $2 } END { printf "%.2f", s }' "$work/time")
}

# The value of a counter, or nothing counted.
counter() {
    sed -n "s/^  $1: //p" "$work/out" | grep . || echo 0
}

cat >"$out" <<HEAD
# Array bounds and null, by modular trace refinement

A study like that of section 6 of Cassez, Müller, Burnett, "Summary-Based Inter-Procedural Analysis via Modular Trace
Refinement" (FSTTCS 2014): small programs of several functions whose accesses to arrays and pointers are encoded with
integers (an index and its bound, 0 for null). The paper does not print its programs; these are ours (\`tests/papers/iproc\`,
\`tests/programs/iproc\`), each also with an error. Made by
\`benches/iproc_study.sh\`, at most $limit s a run; times are processor seconds. Queries, traces, summaries: how often Hoare₂
was called, traces that no automaton accepted, triples that joined the context.

| program | paper | s | queries | traces | summaries | full | s |
|---|---|--:|--:|--:|--:|---|--:|
HEAD
for file in tests/programs/iproc/*.iproc tests/papers/iproc/*.iproc; do
    run paper "$file"
    line="| $(basename "$file" .iproc) | ${verdict:-none} | $seconds |"
    line="$line $(counter query) | $(counter trace) | $(counter summary) |"
    run full "$file"
    echo "$line ${verdict:-none} | $seconds |" >>"$out"
done

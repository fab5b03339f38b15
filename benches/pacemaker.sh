#!/bin/bash
# The pacemaker study of the WHALE paper (Fig. 4) with our engines: writes docs/pacemaker-table.md.
#
#   benches/pacemaker.sh [path of craig]        TIME=30 CPU seconds a run
#
# One model (benches/pacemaker/ddd.c), four properties that hold and five seeded errors; every engine
# runs without aids (--no-aids: no random runs and no guesses from the text), in one go, and `whale` once more as in
# its paper (--method paper).
set -eu
cd "$(dirname "$0")/.."
craig=${1:-${CARGO_TARGET_DIR:-target}/release/craig}
time=${TIME:-30}
out=docs/pacemaker-table.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
engines="whale impact predabs split trace"
TIMEFORMAT='%U %S'

# once ENGINE PROPERTY ERROR: one run; leaves the verdict and the CPU seconds it took. The limit is on CPU
# seconds, so that a busy machine makes no difference.
once() {
    how="--no-aids --engine $1"
    if [ "$1" = paper ]; then how="--method paper --stats --engine whale"; fi
    { time (
        ulimit -t "$time"
        # shellcheck disable=SC2086
        timeout $((time * 10)) "$craig" check --time $((time * 10)) $how \
            -D PROPERTY="$2" -D ERROR="$3" benches/pacemaker/ddd.c >"$work/run" 2>&1
    ) || true; } 2>"$work/time"
    seconds=$(awk 'NF == 2 { printf "%.2f", $1 + $2 }' "$work/time")
    verdict=$(sed -n 's/^verdict: //p' "$work/run")
    if grep -q 'time limit' "$work/run"; then verdict=timeout; fi
}

# cell ENGINE PROPERTY ERROR: verdict and seconds; the median of five runs where they are short.
cell() {
    once "$@"
    if awk "BEGIN { exit !($seconds < 1) }"; then
        echo "$seconds" >"$work/all"
        for _ in 1 2 3 4; do once "$@"; echo "$seconds" >>"$work/all"; done
        seconds=$(sort -n "$work/all" | sed -n 3p)
    fi
    echo "${verdict:-timeout} | $seconds"
}

# counter NAME: its value in the last run, or a dash.
counter() {
    sed -n "s/^  $1: //p" "$work/run" | grep . || echo -
}

cat >"$out" <<HEAD
# A pacemaker, by all engines

A study like Fig. 4 of Albarghouthi, Gurfinkel, Chechik, "Whale" (VMCAI 2012). The model of mode DDD is
our own (\`benches/pacemaker/ddd.c\`, $(wc -l <benches/pacemaker/ddd.c) lines, after the public
description of the pacemaker challenge): functions for the periods of a cardiac cycle, each with a loop, and
modes that run several cycles. The properties are about when the sensors are switched on and off:

- ddd1, ddd2: the atrial (ventricular) sensor is never switched to the state it is in;
- ddd3: the sensors are switched in the order of a cycle;
- ddd4: timing, the ventricular sensor is never off for longer than ten ticks;
- ddd1err, ddd2err, ddd1err', ddd3err, ddd4err: the same with an error seeded; that of ddd3err shows only after six
  premature beats in a row, some hundred steps deep.

Made by \`benches/pacemaker.sh\`: $time CPU seconds a run, without aids; times are CPU
seconds, below one second the median of five runs. The last columns are WHALE as in its paper (\`--method paper\`), with the
paper's figures: ARGs that were unwound, and refinements.

How to read it: on the safe programs \`whale\` summarises each function once by the values of the sensors and of
the monitor; the engines that inline do the same on every copy of it, and their proofs have four times the
obligations. Errors are found in a call tree that grows along models, so most of the functions are never
expanded. The deep error is out of the tree's reach; the queries that take turns with it find it.
\`predabs\` finds it as fast in program order (\`--traversal program\`, 2.3 s), but not breadth first, its default. \`whale\` divides its time by the wall clock, so that its
CPU seconds on that one program depend on what else the machine does.

HEAD
{
    line='| program |'; rule='|---|'
    for e in $engines; do line="$line $e | s |"; rule="$rule---|---|"; done
    line="$line paper | s | #ARGs | #Refine |"; rule="$rule---|---|---|---|"
    echo "$line"; echo "$rule"
} >>"$out"
row() {
    line="| $1 |"
    for e in $engines; do line="$line $(cell "$e" "$2" "$3") |"; done
    line="$line $(cell paper "$2" "$3") | $(counter ARGs) | $(counter Refine) |"
    echo "$line" | tee -a "$out"
}
row ddd1 1 0
row ddd2 2 0
row ddd3 3 0
row ddd4 4 0
row ddd1err 1 1
row ddd2err 2 2
row "ddd1err'" 1 3
row ddd3err 3 4
row ddd4err 4 5

#!/bin/sh
# Table 1 of "Splitting via Interpolants" with our engines: writes docs/split-table.md.
#
#   benches/split_table.sh [path of craig]        TIME=30 CPU seconds a run
#
# Limits and times are CPU seconds, so that a loaded machine gives the same table. Needs python3.
# Every program runs on `split` and `impact`, with large blocks and with those of WOLVERINE's paper, as in the papers
# (--method paper) and once more as users run `split`. The counters of 4,
# 8, 16 and 32 bits are generated here.
set -eu
cd "$(dirname "$0")/.."
craig=${1:-${CARGO_TARGET_DIR:-target}/release/craig}
time=${TIME:-30}
out=docs/split-table.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# counter BITS: one if-then-else a bit in a single loop; the variables stay bits.
counter() {
    echo 'extern int __VERIFIER_nondet_int(void);'
    echo 'extern void abort(void);'
    echo 'void reach_error(void) { abort(); }'
    echo 'int main(void) {'
    i=0; while [ $i -lt "$1" ]; do echo "  int b$i = 0;"; i=$((i + 1)); done
    echo '  while (__VERIFIER_nondet_int()) {'
    echo '    int carry = 1;'
    i=0; while [ $i -lt "$1" ]; do
        echo "    if (carry) { if (b$i == 0) { b$i = 1; carry = 0; } else { b$i = 0; } }"
        i=$((i + 1))
    done
    echo '  }'
    i=0; while [ $i -lt "$1" ]; do
        echo "  if (b$i != 0 && b$i != 1) reach_error();"
        i=$((i + 1))
    done
    echo '  return 0; }'
}

# run FILE ARGS...: verdict, then what the statistics say and the CPU time, in $work/run.
run() {
    file=$1; shift
    python3 - "$time" "$craig" check --time $((time * 40)) --stats "$@" "$file" >"$work/run" 2>&1 <<'LIMIT'
import resource, subprocess, sys
cpu = int(sys.argv[1])
limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
done = subprocess.run(sys.argv[2:], capture_output=True, text=True, preexec_fn=limit)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.stdout)
if done.returncode < 0:
    print("verdict: timeout")
print(f"  cpu: {used.ru_utime + used.ru_stime:.2f}")
LIMIT
}

# stat NAME: the counter of the last run, a dash if it has none or did not end.
stat() {
    sed -n "s/^  $1: //p" "$work/run" | head -n 1 | grep . || echo -
}

# cell: verdict of the last run, or why there is none.
cell() {
    verdict=$(sed -n 's/^verdict: //p' "$work/run")
    echo "${verdict:-none}"
}

# row NUMBER NAME FILE
row() {
    line="| $1 | $2 |"
    run "$3" --engine split --method paper --blocks large
    line="$line $(cell) | $(stat iterations) | $(stat split) | $(stat 'solver calls') | $(stat cpu) |"
    run "$3" --engine split --method paper --blocks basic
    line="$line $(cell) | $(stat cpu) |"
    run "$3" --engine impact --method paper --blocks large
    calls=-
    if [ "$(stat 'hoare checks')" != - ]; then
        problems=$(stat 'interpolation problems')
        if [ "$problems" = - ]; then problems=0; fi
        calls=$(($(stat 'hoare checks') + problems))
    fi
    line="$line $(cell) | $(stat refinements) | $(stat node) | $calls | $(stat cpu) |"
    run "$3" --engine impact --method paper --blocks basic
    line="$line $(cell) | $(stat cpu) |"
    run "$3" --engine split
    line="$line $(cell) | $(stat cpu) |"
    echo "$line" | tee -a "$out"
}

for bits in 4 8 16 32; do counter $bits >"$work/counter$bits.c"; done

cat >"$out" <<HEAD
# Splitting and unwinding side by side

Table 1 of Ermis, Hoenicke, Podelski, "Splitting via Interpolants" (VMCAI 2012), with our \`split\` and
\`impact\`. The programs are ours, written after the paper's descriptions (it does not print them, the
example of section 2 apart). Made by \`benches/split_table.sh\`, at most $time
CPU seconds a run.

"Large" and "basic" are the sizes of blocks (\`--blocks\`; large ones are ULTIMATE's, basic ones WOLVERINE's: assignments in a
row, and conditions by themselves, with covering at every location). All columns but the last are \`--method paper\`: the
algorithms of the papers and nothing else. The last column is \`craig check --engine split\` as it is.

| no. | program | split large | iterations | splits | solver calls | s | split basic | s | impact large | refinements | nodes | solver calls | s | impact basic | s | split, aids | s |
|---|---|---|--:|--:|--:|--:|---|--:|---|--:|--:|--:|--:|---|--:|---|--:|
HEAD
p=tests/programs/split
row 01 "nested 4-bit counter, highest bit" $p/nested_counter.c
row 02 "lock, single loop" $p/lock.c
row 03 "two loops" $p/two_loops.c
row 03b "two loops with branches" $p/two_branching_loops.c
row 04 "gripper" $p/gripper.c
row 05 "gripper with a bug" $p/gripper_bug.c
row 06 "three-way transfer (section 2)" $p/transfer.c
row 07 "4-bit counter" "$work/counter4.c"
row 08 "8-bit counter" "$work/counter8.c"
row 09 "16-bit counter" "$work/counter16.c"
row 10 "32-bit counter" "$work/counter32.c"

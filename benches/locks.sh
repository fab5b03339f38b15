#!/bin/bash
# Cost against locality: Figure 1 of "Abstractions from Proofs" with n conditions, blocks of single
# statements, no guessing. Prints a table in Markdown: predicates tracked where they are needed,
# and, as far as the time limit lets it, everywhere.
#
#   benches/locks.sh path/to/craig [n ...]
set -eu
craig=$1
shift
[ $# -gt 0 ] || set -- 1 2 4 8 16 32 60
limit=${LIMIT:-30}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

program() {
    cat <<'C'
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int lock = 0;
void acquire(void) { if (lock) reach_error(); lock = 1; }
void release(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
C
    i=1
    while [ "$i" -le "$1" ]; do
        echo "    int p$i = __VERIFIER_nondet_int();"
        i=$((i + 1))
    done
    i=1
    while [ "$i" -le "$1" ]; do
        echo "    if (p$i) acquire();"
        echo "    if (p$i) release();"
        i=$((i + 1))
    done
    echo "    return 0;"
    echo "}"
}

# The value of a counter, or a dash.
counter() {
    sed -n "s/^  $1: //p" "$dir/out" | grep . || echo -
}

echo "| n | tracked | verdict | predicates | max | abstract states | all-sat calls | processor seconds |"
echo "|---|---|---|---|---|---|---|---|"
for where in location global; do
    for n in "$@"; do
        program "$n" > "$dir/locks.c"
        { time -p "$craig" check --engine predabs --blocks single --no-aids --predicates "$where" \
            --stats --time "$limit" "$dir/locks.c" > "$dir/out" 2> /dev/null || true; } 2> "$dir/time"
        seconds=$(awk '/^user|^sys/ { s += $2 } END { printf "%.2f", s }' "$dir/time")
        verdict=$(sed -n 's/^verdict: //p' "$dir/out")
        echo "| $n | $where | $verdict | $(counter predicates) | $(counter 'predicates per location, maximum') | $(counter 'abstract states') | $(counter 'all-sat solver calls') | $seconds |"
        [ "$verdict" = safe ] || break
    done
done

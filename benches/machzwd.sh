#!/bin/bash
# A table like Fig. 2 of the WOLVERINE paper: the driver machzwd of DDVERIFY, its IO assertions (a) and its accesses to
# memory (b), by `impact` (the paper's method and all that helps) and `predabs` (predicate abstraction, as SATABS).
#
#   benches/machzwd.sh path/to/craig FILE.i ...        (LIMIT seconds each)
set -eu
craig=$1
shift
limit=${LIMIT:-20}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# cell OPTIONS...: verdict and processor seconds of a run on $file.
cell() {
    { time -p "$craig" check --32 --time "$limit" "$@" "$file" > "$dir/out" 2> /dev/null || true; } 2> "$dir/time"
    verdict=$(sed -n 's/^verdict: //p' "$dir/out")
    seconds=$(awk '/^user|^sys/ { s += $2 } END { printf "%.2f", s }' "$dir/time")
    echo " ${verdict:-none} | $seconds |"
}

for property in unreach-call valid-deref; do
    echo
    echo "| $property | impact, paper | s | impact | s | predabs, paper | s | predabs | s |"
    echo "|---|---|--:|---|--:|---|--:|---|--:|"
    for file in "$@"; do
        line="| $(basename "$file" .i) |"
        for how in "impact --method paper" "impact" "predabs --method paper" "predabs"; do
            # shellcheck disable=SC2086
            line="$line$(cell --property "$property" --engine $how)"
        done
        echo "$line"
    done
done

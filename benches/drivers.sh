#!/bin/bash
# A table like Table 1 of "Abstractions from Proofs": for each program the predicates that were
# found, how many a location tracks, the time to find them, and the time given all of them.
#
#   benches/drivers.sh path/to/craig FILE.c ...        (LIMIT seconds each; OPTIONS for craig)
set -eu
craig=$1
shift
limit=${LIMIT:-60}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The value of a counter, or a dash.
counter() {
    sed -n "s/^  $1: //p" "$dir/out" | grep . || echo -
}

# Runs craig with further options on a file; its processor seconds are in $seconds.
run() {
    # shellcheck disable=SC2086
    { time -p "$craig" check --engine predabs --32 --stats --time "$limit" \
        ${OPTIONS:-} "$@" > "$dir/out" 2> /dev/null || true; } 2> "$dir/time"
    verdict=$(sed -n 's/^verdict: //p' "$dir/out")
    seconds=$(awk '/^user|^sys/ { s += $2 } END { printf "%.2f", s }' "$dir/time")
}

echo "| program | lines | verdict | discovery, s | given all, s | refinements | predicates | average | maximum |"
echo "|---|---|---|---|---|---|---|---|---|"
for file in "$@"; do
    rm -f "$dir/precision"
    run --precision-out "$dir/precision" "$file"
    first=$verdict
    discovery=$seconds
    average=$(counter 'predicates per location, average of 100' | awk '{ printf "%.1f", $1 / 100 }')
    figures="$(counter refinements) | $(counter predicates) | $average | $(counter 'predicates per location, maximum')"
    run --precision-in "$dir/precision" "$file"
    [ "$verdict" = "$first" ] || first="$first, then $verdict"
    lines=$(wc -l < "$file")
    echo "| $(basename "$file") | $lines | $first | $discovery | $seconds | $figures |"
done

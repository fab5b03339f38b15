#!/usr/bin/env bash
# Random programs of csmith (Debian: csmith, libcsmith-dev, gcc-multilib) in `craig run` and compiled by cc:
# same output, same exit status. Usage: csmith.sh FIRST LAST [64 32]; prints every difference, and
# a count at the end. Programs that run longer than two seconds natively are skipped.
set -uo pipefail
first=${1:-1} last=${2:-500}
shift $(($# < 2 ? $# : 2))
models=("${@:-64}")
craig=${CRAIG:-$(dirname "$0")/../../target/release/craig}
include=${CSMITH_INCLUDE:-$(dirname "$(find /usr/include -name csmith.h 2>/dev/null | head -1)")}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
equal=0 differ=0 skipped=0
for seed in $(seq "$first" "$last"); do
  for bits in "${models[@]}"; do
    csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --max-expr-complexity 5 >"$dir/p.c" || continue
    if ! cc "-m$bits" -w -O0 -fwrapv -I "$include" -o "$dir/p" "$dir/p.c" 2>"$dir/err"; then
      skipped=$((skipped + 1))
      continue
    fi
    native=$(timeout 2 "$dir/p" 2>/dev/null; echo "exit $?")
    if [[ $native == *"exit 124" ]]; then
      skipped=$((skipped + 1))
      continue
    fi
    cc "-m$bits" -w -E -P -I "$include" -o "$dir/p.i" "$dir/p.c"
    ours=$(timeout 120 "$craig" run --wrapv "--$bits" "$dir/p.i" 2>"$dir/err"; echo "exit $?")
    if [[ $native == "$ours" ]]; then
      equal=$((equal + 1))
    elif [[ $ours == *"exit 124" ]]; then
      skipped=$((skipped + 1))
    else
      differ=$((differ + 1))
      echo "seed $seed, $bits bits: cc: $native craig: $ours $(head -3 "$dir/err")"
    fi
  done
done
echo "equal $equal, different $differ, skipped $skipped"
[[ $differ == 0 ]]

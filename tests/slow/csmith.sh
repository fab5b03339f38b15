#!/usr/bin/env bash
# Random programs of csmith (Debian: csmith, libcsmith-dev, gcc-multilib) in `craig run` and compiled by cc:
# same output, same exit status (or a word that a value is not modelled).
# Usage: csmith.sh FIRST LAST [64 32]; prints every difference, and a count at the end.
# Programs that run longer than two seconds natively are skipped, and others take their place
# (seeds LAST + 1, …), so that LAST - FIRST + 1 programs a data model are compared.
set -uo pipefail
first=${1:-1} last=${2:-500}
shift $(($# < 2 ? $# : 2))
models=("${@:-64}")
craig=${CRAIG:-$(dirname "$0")/../../target/release/craig}
include=${CSMITH_INCLUDE:-$(dirname "$(find /usr/include -name csmith.h 2>/dev/null | head -1)")}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
wanted=$((last - first + 1)) differ=0 skipped=0 open=0
declare -A equal
for bits in "${models[@]}"; do
  equal[$bits]=0
  seed=$((first - 1))
  while ((equal[$bits] + differ < wanted && seed < last + wanted)); do
    seed=$((seed + 1))
    (cd "$dir" && csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --max-expr-complexity 5 >p.c) || continue
    # Once through the preprocessor, for both.
    if ! cc "-m$bits" -w -E -P -I "$include" -o "$dir/p.i" "$dir/p.c" ||
      ! cc "-m$bits" -w -O0 -fwrapv -o "$dir/p" "$dir/p.i" 2>"$dir/err"; then
      skipped=$((skipped + 1))
      continue
    fi
    native=$(timeout 2 "$dir/p" 2>/dev/null; echo "exit $?")
    if [[ $native == *"exit 124" ]]; then
      skipped=$((skipped + 1))
      continue
    fi
    ours=$(timeout 120 "$craig" run --wrapv "--$bits" "$dir/p.i" 2>"$dir/err"; echo "exit $?")
    if [[ $native == "$ours" ]]; then
      equal[$bits]=$((equal[$bits] + 1))
    elif [[ $ours == *"exit 124" ]]; then
      skipped=$((skipped + 1))
    elif grep -q 'not modelled was needed' "$dir/err"; then
      # The run says itself that it stands for no execution.
      open=$((open + 1))
      echo "seed $seed, $bits bits: not modelled: $(head -3 "$dir/err")"
    else
      differ=$((differ + 1))
      echo "seed $seed, $bits bits: cc: $native craig: $ours $(head -3 "$dir/err")"
    fi
  done
  echo "$bits bits: equal ${equal[$bits]} up to seed $seed, different $differ, not modelled $open, skipped $skipped"
done
[[ $differ == 0 ]]

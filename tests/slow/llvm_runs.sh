#!/usr/bin/env bash
# Random programs of csmith through clang: `craig run` of the LLVM assembly against the native program, output and exit
# status. Usage: llvm_runs.sh FIRST LAST [LEVEL…], e.g. llvm_runs.sh 1 100 0 2; levels are 0, 1, 2, 3, s and raw (no
# passes). CLANG names another compiler. Prints every difference, and a count at the end. Needs csmith, libcsmith-dev.
set -uo pipefail
first=${1:-1} last=${2:-100}
shift $(($# < 2 ? $# : 2))
levels=("${@:-0}")
clang=${CLANG:-clang}
craig=${CRAIG:-$(dirname "$0")/../../target/release/craig}
include=${CSMITH_INCLUDE:-$(dirname "$(find /usr/include -name csmith.h 2>/dev/null | head -1)")}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
equal=0 differ=0 skipped=0
for seed in $(seq "$first" "$last"); do
  (cd "$dir" && csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --max-expr-complexity 5 >p.c) || continue
  for level in "${levels[@]}"; do
    options=("-O$level")
    [[ $level == raw ]] && options=(-O1 -Xclang -disable-llvm-passes)
    if ! "$clang" -w "${options[@]}" -fwrapv -I "$include" -S -emit-llvm -o "$dir/p.ll" "$dir/p.c" 2>"$dir/err" ||
      ! "$clang" -w "$dir/p.ll" -o "$dir/p" 2>"$dir/err"; then
      skipped=$((skipped + 1))
      continue
    fi
    native=$(timeout 2 "$dir/p" 2>/dev/null; echo "exit $?")
    if [[ $native == *"exit 124" ]]; then
      skipped=$((skipped + 1))
      continue
    fi
    ours=$(timeout 120 "$craig" run --wrapv "$dir/p.ll" 2>"$dir/err"; echo "exit $?")
    if [[ $native == "$ours" ]]; then
      equal=$((equal + 1))
    elif [[ $ours == *"exit 124" ]]; then
      skipped=$((skipped + 1))
    else
      differ=$((differ + 1))
      echo "seed $seed, -O$level: native: $native craig: $ours $(head -3 "$dir/err")"
    fi
  done
done
echo "equal $equal, different $differ, skipped $skipped"
[[ $differ == 0 ]]

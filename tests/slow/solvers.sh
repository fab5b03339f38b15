#!/usr/bin/env bash
# All test programs on all engines, with z3 and cvc5 as solvers; installs them from PyPI where they are missing.
# About ten minutes on two cores; what failed is listed again at the end.
# Usage: solvers.sh [SOLVER...] [-- FILTER], for example: solvers.sh z3 -- basics
set -euo pipefail
cd "$(dirname "$0")/../.."
solvers=() filter=()
while (($#)); do
  if [[ $1 == -- ]]; then
    shift
    filter=("$@")
    break
  fi
  solvers+=("$1")
  shift
done
((${#solvers[@]})) || solvers=(z3 cvc5)
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
failed=0
for solver in "${solvers[@]}"; do
  if ! command -v "$solver" >/dev/null; then
    case $solver in
    z3) pip install z3-solver ;;
    *) pip install "$solver" ;;
    esac
  fi
  echo "== $solver"
  CRAIG_TEST_SOLVER=$solver cargo test --release -p craig --test programs -- "${filter[@]}" |
    tee "$log/$solver" || failed=1
done
echo "== summary"
for solver in "${solvers[@]}"; do
  echo "$solver: $(grep '^test result' "$log/$solver" || echo 'no result')"
  grep '\.\.\. FAILED' "$log/$solver" || true
done
exit $failed

#!/bin/sh
# What Craig writes and reads as ACSL is ACSL to Frama-C (Debian: frama-c-base): the contracts that
# `--contracts-out` writes, and the annotated files of tests/contracts.
#
#   tests/slow/frama.sh CRAIG [FILE.c…]
#
# Ends with `written: N accepted of M, read: N accepted of M`; a refusal is shown and is a failure.
set -u
craig=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- "$here"/tests/contracts/*.c
command -v frama-c > /dev/null || { echo "skipped: frama-c is not installed" >&2; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
written=0 accepted=0 read=0 understood=0
for file; do
  if grep -q '^ *\(/\*@\|//@\)' "$file" && ! grep -q __CPROVER "$file"; then
    read=$((read + 1))
    if frama-c -no-autoload-plugins -print "$file" > "$folder/said" 2>&1; then
      understood=$((understood + 1))
    else
      echo "read, $file:"; grep -A3 -i 'error' "$folder/said"
    fi
  fi
  rm -f "$folder/found.c"
  "$craig" check --function all --time 5 --quiet --contracts-out "$folder/found.c" "$file" > /dev/null 2>&1
  [ -s "$folder/found.c" ] || continue
  written=$((written + 1))
  if frama-c -no-autoload-plugins -print "$folder/found.c" > "$folder/said" 2>&1; then
    accepted=$((accepted + 1))
  else
    echo "written, $file:"; grep -A3 -i 'error' "$folder/said"; cat "$folder/found.c"
  fi
done
echo "written: $accepted accepted of $written, read: $understood accepted of $read"
[ "$accepted" = "$written" ] && [ "$understood" = "$read" ]

#!/bin/sh
# GitHub's code scanning takes the SARIF that Craig writes: Microsoft's validator, with the rules of GitHub, finds no error.
#
#   tests/slow/sarif.sh CRAIG [FOLDER]
#
# FOLDER is where npm puts `@microsoft/sarif-multitool`, if it is not there yet. Ends with the number of files; an error is shown
# and is a failure.
set -eu
craig=$(realpath "$1")
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=${2:-$(mktemp -d)}
tool=$folder/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
command -v npm > /dev/null || { echo "skipped: npm is not installed" >&2; exit 0; }
mkdir -p "$folder/written"
[ -s "$tool" ] || (cd "$folder" && npm install --silent @microsoft/sarif-multitool)
chmod +x "$tool"
cd "$here/tests/programs"
for file in basics/count_safe.c basics/count_unsafe.c errors/overflow_unsafe.c everyday/linked_stack_unsafe.c heap/string_copy_unsafe.c \
  library/strings_unsafe.c memory/heap_arrays_unsafe.c traps/union_bytes_unsafe.c; do
  name=$(echo "$file" | tr / -)
  for property in unreach-call memsafety; do
    "$craig" check --quiet --time 20 --property "$property" --sarif "$folder/written/$name-$property.sarif" "$file" > /dev/null 2>&1 || true
  done
done
# Without a list of languages the tool does not start on small systems.
DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$tool" validate --rule-kind "Sarif;GHAS" "$folder"/written/*.sarif \
  --output "$folder/said.sarif" --log ForceOverwrite > "$folder/said.txt" 2>&1 || true
grep -q 'Analysis completed successfully' "$folder/said.txt" || { cat "$folder/said.txt"; exit 1; }
if grep ': error ' "$folder/said.txt"; then exit 1; fi
echo "$(ls "$folder/written" | wc -l) files without an error"

#!/usr/bin/env bash
# benchexec.sh CRAIG: the tool-info module under the real BenchExec, and its table-generator on what
# `craig batch --xml` writes. Needs pip; `benchexec` itself also needs control groups and says so.
set -euo pipefail
craig=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
# shellcheck disable=SC1091
. "$work/venv/bin/activate"
cp -r "$root/benchexec" "$work/package"
pip install --quiet "$work/package"

mkdir -p "$work/bin" "$work/tasks"
cp "$craig" "$work/bin/craig"
cd "$work/tasks"
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' > unreach-call.prp
head='extern void abort(void); void reach_error(void) { abort(); } extern int __VERIFIER_nondet_int(void);'
echo "$head int main(void) { int x = 0; while (x < 5) x++; if (x != 5) reach_error(); return 0; }" > safe.c
echo "$head int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }" > unsafe.c
for task in safe:true unsafe:false; do
    cat > "${task%%:*}.yml" << END
format_version: '2.0'
input_files: ${task%%:*}.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: ${task##*:}
options: { language: C, data_model: LP64 }
END
done
echo '*.yml' > all.set

echo "== the tool-info module"
PATH="$work/bin:$PATH" python3 -m benchexec.test_tool_info benchexec_craig.craig --no-container 2>&1 | tee "$work/info"
grep -q 'Craig' "$work/info"

echo "== craig batch and table-generator"
"$craig" batch all.set --time 20 --xml "$work/craig.results.xml" --html "$work/table.html"
table-generator --quiet --outputpath "$work" "$work/craig.results.xml"
ls "$work"/craig.results*.html
grep -q 'correct' "$work"/craig.results*.csv || grep -q 'true' "$work"/craig.results*.csv

echo "== benchexec"
cat > "$work/bench.xml" << END
<?xml version="1.0"?>
<benchmark tool="benchexec_craig.craig" timelimit="20 s" memlimit="2 GB">
  <rundefinition/>
  <tasks><includesfile>tasks/all.set</includesfile><propertyfile>tasks/unreach-call.prp</propertyfile></tasks>
</benchmark>
END
if python3 -m benchexec.check_cgroups > "$work/cgroups" 2>&1; then
    cd "$work"
    PATH="$work/bin:$PATH" benchexec --no-container --outputpath "$work/results/" bench.xml
    table-generator --quiet "$work"/results/*.xml.bz2
    bzcat "$work"/results/*.xml.bz2 | grep -c 'value="correct"' | grep -qx 2
else
    echo "skipped: benchexec, for control groups: $(tail -1 "$work/cgroups")"
fi
echo "all well"

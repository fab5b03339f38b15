#!/bin/sh
# Ways to install: from the sources with the profile `dist`, twice in two folders, which must give the same file; and from
# package files of `cargo package`, without a registry. Says how large the binary is and how long it took.
#
# usage: install.sh [FOLDER] [--once] [--no-package] [-j N]      (some ten minutes of a processor for each build)
#
# Takes what is committed. --once leaves the second build and the comparison out, --no-package the package files.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder="" twice=1 package=1 jobs=2
while [ $# -gt 0 ]; do
  case $1 in
    --once) twice=0 ;;
    --no-package) package=0 ;;
    -j) shift; jobs=$1 ;;
    *) folder=$1 ;;
  esac
  shift
done
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
# Both builds are of this commit, whatever is committed meanwhile.
commit=$(cd "$here" && git rev-parse HEAD)
# What a developer's shell sets must not change the binary.
unset CARGO_TARGET_DIR CARGO_PROFILE_RELEASE_INCREMENTAL CARGO_PROFILE_RELEASE_DEBUG CARGO_PROFILE_RELEASE_CODEGEN_UNITS RUSTFLAGS || true
program=tests/programs/basics/count_safe.c

# $1: name; the rest: arguments of `cargo install`.
install() {
  name=$1
  shift
  start=$(date +%s)
  cargo install -q --locked -j "$jobs" --root "$folder/$name-root" "$@"
  end=$(date +%s)
  binary="$folder/$name-root/bin/craig"
  "$binary" check "$here/$program" | grep -q '^verdict: safe$' || { echo "$name: the binary does not work"; exit 1; }
  test "$(ls "$folder/$name-root/bin")" = craig || { echo "$name: more than one file"; exit 1; }
  echo "$name: $(wc -c < "$binary") bytes, $((end - start)) s, sha256 $(sha256sum "$binary" | cut -c1-16)"
}

sources() {
  rm -rf "${folder:?}/$1"
  mkdir -p "$folder/$1"
  (cd "$here" && git archive "$commit") | tar x -C "$folder/$1"
}

if [ $package = 1 ]; then
  sources packed
  (cd "$folder/packed" && cargo package -q --workspace --exclude craig-testkit --no-verify --allow-dirty --target-dir "$folder/packages" 2> /dev/null)
  mkdir -p "$folder/unpacked"
  patches=""
  for file in "$folder"/packages/package/*.crate; do
    tar xzf "$file" -C "$folder/unpacked"
    crate=$(basename "$file" .crate)
    name=${crate%-0.1.0}
    test "$name" = craig || patches="$patches --config patch.crates-io.$name.path=\"$folder/unpacked/$crate\""
  done
  # shellcheck disable=SC2086
  install package --debug --path "$folder/unpacked/craig-0.1.0" --target-dir "$folder/package-target" $patches
fi
sources first
install first --profile dist --path "$folder/first/crates/craig"
if [ $twice = 1 ]; then
  sources second
  install second --profile dist --path "$folder/second/crates/craig"
  cmp "$folder/first-root/bin/craig" "$folder/second-root/bin/craig" || { echo "the two builds differ"; exit 1; }
  echo "the two builds are the same, byte for byte"
fi

#!/usr/bin/env bash
# packages.sh CRAIG [FOLDER]: first and second runs of `craig project` on Debian source packages (docs/scale.md).
# Fetches them from deb.debian.org; nothing of them is part of this repository. LIMIT (10) is the time a unit.
set -euo pipefail
craig=$(realpath "$1")
work=${2:-$(mktemp -d)}
limit=${LIMIT:-10}
mkdir -p "$work" && cd "$work"
pool=http://deb.debian.org/debian/pool/main
fetch() { # NAME URL
    [ -d "$1" ] && return
    mkdir "$1" && curl -fsSL "$2" -o "$1.tar" && tar xf "$1.tar" -C "$1" --strip-components=1
}
fetch bzip2 "$pool/b/bzip2/bzip2_1.0.8.orig.tar.gz"
fetch zlib "$pool/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2"
printf '[project]\nexclude = ["contrib/", "old/", "doc/"]\n' > zlib/craig.toml
for package in bzip2 zlib; do
    rm -rf "$package/.craig"
    for run in first second; do
        start=$(date +%s.%N)
        last=$("$craig" project "$package" -I . --property no-overflow --time "$limit" --quiet) || true
        end=$(date +%s.%N)
        echo "$package $run: $last ($(echo "$end - $start" | bc) s wall)"
    done
    du -sh "$package/.craig"
done

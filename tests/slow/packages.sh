#!/usr/bin/env bash
# packages.sh CRAIG [FOLDER] [PACKAGE…]: first, second and edited runs of `craig project` on Debian source packages
# (docs/scale.md). Fetches them from deb.debian.org; nothing of them is part of this repository. JOBS (2) units at a
# time; LIMIT is the time a unit (5 for libyaml, 1 for mbedtls, 10 for programs).
set -euo pipefail
craig=$(realpath "$1")
work=${2:-$(mktemp -d)}
shift $(($# > 1 ? 2 : 1))
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(bzip2 zlib libyaml mbedtls)
jobs=${JOBS:-2}
mkdir -p "$work" && cd "$work"
pool=http://deb.debian.org/debian/pool/main
fetch() { # NAME URL
    [ -d "$1" ] && return
    mkdir "$1" && curl -fsSL "$2" -o "$1.tar" && tar xf "$1.tar" -C "$1" --strip-components=1
}
# The last lines of a run with its wall-clock and CPU time, and the most memory of one of its processes.
measured() { # LABEL COMMAND…
    python3 - "$@" << 'END'
import os, resource, subprocess, sys, time
start = time.time()
run = subprocess.run(sys.argv[2:], capture_output=True, text=True)
wall, used = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
if run.returncode > 2:
    sys.exit(run.stderr)
last = [l for l in run.stdout.splitlines() if " units: " in l or l.startswith("remembered: ")]
print(f"{sys.argv[1]}: {'; '.join(last)}\n  {wall:.1f} s wall, {used.ru_utime + used.ru_stime:.1f} s CPU, "
      f"{used.ru_maxrss >> 10} MiB, load {os.getloadavg()[0]:.1f}")
END
}
# Every program and, with --functions, every function: first, again, and after an edit of one leaf function.
campaign() { # NAME FILE FROM TO OPTIONS…
    local name=$1 file=$2 from=$3 to=$4
    shift 4
    local run=("$craig" project "$name" --jobs "$jobs" "$@")
    rm -rf "$name/.craig" "$name/.git"
    (cd "$name" && git init -q && git add -A . && git -c user.name=t -c user.email=t@t commit -qm first)
    echo "== $name: $(find "$name" -name '*.c' -not -path '*/contrib/*' -exec cat {} + | wc -l) lines in C files"
    measured "first" "${run[@]}"
    measured "second" "${run[@]}"
    sed -i "s/$from/$to/" "$name/$file"
    (cd "$name" && ! git diff --quiet) || { echo "the edit changed nothing"; exit 1; }
    measured "edited" "${run[@]}"
    (cd "$name" && git -c user.name=t -c user.email=t@t commit -qam edited)
    measured "edited, --since" "${run[@]}" --since HEAD~
    (cd "$name" && git checkout -q HEAD~ -- "$file" && git -c user.name=t -c user.email=t@t commit -qm back)
    du -sh "$name/.craig"
}
for package in "${packages[@]}"; do
    case $package in
        bzip2)
            fetch bzip2 "$pool/b/bzip2/bzip2_1.0.8.orig.tar.gz"
            campaign bzip2 randtable.c '619, 720' '620, 720' -I . --property no-overflow --time "${LIMIT:-10}"
            ;;
        zlib)
            fetch zlib "$pool/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2"
            printf '[project]\nexclude = ["contrib/", "old/", "doc/"]\n' > zlib/craig.toml
            campaign zlib adler32.c 'if (len == 1)' 'if (len < 2)' -I . --property no-overflow --time "${LIMIT:-10}"
            ;;
        libyaml)
            fetch libyaml "$pool/liby/libyaml/libyaml_0.2.5.orig.tar.gz"
            cat > libyaml/craig.toml << 'END'
[project]
sources = ["src"]
options = ["-I", "include", "-D", "YAML_VERSION_MAJOR=0", "-D", "YAML_VERSION_MINOR=2", "-D", "YAML_VERSION_PATCH=5",
  "-D", "YAML_VERSION_STRING=\"0.2.5\""]
END
            campaign libyaml src/api.c 'document->nodes.top != document->nodes.start)' 'document->nodes.start != document->nodes.top)' \
                --functions --property undefined --time "${LIMIT:-5}"
            ;;
        mbedtls)
            fetch mbedtls "$pool/m/mbedtls/mbedtls_2.28.3.orig.tar.gz"
            cat > mbedtls/craig.toml << 'END'
[project]
sources = ["library", "programs", "tests", "3rdparty"]
options = ["-I", "include", "-I", "library", "-I", "tests/include", "-I", "3rdparty/everest/include",
  "-I", "3rdparty/everest/include/everest", "-I", "3rdparty/everest/include/everest/kremlib"]
END
            campaign mbedtls library/base64.c 'if (slen == 0)' 'if (slen < 1)' \
                --functions --property undefined --time "${LIMIT:-1}"
            ;;
    esac
done

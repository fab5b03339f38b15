#!/usr/bin/env bash
# slurm.sh CRAIG: `craig project --on slurm` on a real controller and node on this machine gives the same
# answers as a run without it. Needs root and Debian's slurm-wlm, which it installs if it may.
set -euo pipefail
craig=$(realpath "$1")
if ! command -v slurmctld > /dev/null; then
    [ "$(id -u)" = 0 ] || { echo "skipped: slurm-wlm is not installed and this is not root"; exit 0; }
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurm-wlm munge > /dev/null
fi
work=$(mktemp -d)
chmod 755 "$work"
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
    wait 2> /dev/null || true
    rm -rf "$work"
}
trap finish EXIT
mkdir -p /run/munge && chown munge: /run/munge
if [ ! -s /etc/munge/munge.key ]; then
    dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2> /dev/null
    chown munge: /etc/munge/munge.key && chmod 400 /etc/munge/munge.key
fi
pgrep -x munged > /dev/null || { runuser -u munge -- munged --foreground & pids+=($!); }
host=$(hostname -s)
mkdir -p "$work/state" "$work/spool"
cat > "$work/slurm.conf" << END
ClusterName=craig
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
sleep 1
slurmctld -D & pids+=($!)
slurmd -D & pids+=($!)
for _ in $(seq 60); do sinfo -h -o %t 2> /dev/null | grep -q idle && break; sleep 1; done
sinfo -h -o %t | grep -q idle || { tail -5 "$work"/slurm*.log; echo "the node is not idle"; exit 1; }

mkdir -p "$work/project" && cd "$work/project"
head='extern void abort(void); void reach_error(void) { abort(); } extern int __VERIFIER_nondet_int(void);'
for i in 1 2 3 4 5 6 7; do
    echo "$head int main(void) { int n = __VERIFIER_nondet_int(), x = 0; while (x < $i) x++; if (x + (n == $i && $i % 2) != $i) reach_error(); return 0; }" > "p$i.c"
done
echo 'int last(const int *a, int n) { return n > 0 ? a[n - 1] : 0; } int both(const int *a) { return last(a, 1) + 1; }' > lib.c
answers() { python3 -c 'import json,sys; print([(u["unit"],u["verdict"],[f["fingerprint"] for f in u["findings"]]) for u in json.load(open(sys.argv[1]))["units"]])' "$1"; }
options=(--functions --property valid-deref,unreach-call --quiet)
"$craig" project . --fresh "${options[@]}" --json "$work/local.json" || true
"$craig" project . --on slurm --parts 3 "${options[@]}" --json "$work/slurm.json" || true
answers "$work/local.json"
[ "$(answers "$work/local.json")" = "$(answers "$work/slurm.json")" ]
# What the parts found is remembered, and goes back to them with the next plan.
"$craig" project . --on slurm --parts 2 "${options[@]}" --json "$work/again.json" || true
[ "$(answers "$work/local.json")" = "$(answers "$work/again.json")" ]
[ "$(grep -c '"origin": "rechecked"' "$work/again.json")" = "$(grep -c '"unit":' "$work/again.json")" ]
echo "all well: --on slurm gives the same results"

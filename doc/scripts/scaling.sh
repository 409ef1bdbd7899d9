#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# How the optimization scales over the GPUs of one machine: strong (8.2 and 65.5 million elements in all) and weak (1.0 and 8.2
# million for each GPU), by NCCL, through each other's memory, and staged through the host. The tables of doc/studies/many-gpus.md come from here.
#
#   doc/scripts/scaling.sh OUTPUT_FOLDER [N_GPUS]...       (default: 1 2 4 8, as far as there are so many)
#
# OUTPUT_FOLDER/scaling.csv gets one line for each run: medians over the designs but the first. The label, the history, the
# sections of time and the log of each run are beside it. Runs that are there already are not made again.
#
# From the environment:
#   STRUT_BUILD   folder with the program strut (build)
#   STUDIES       which of strong-8m, strong-65m, weak-1m, weak-8m ("strong-8m weak-1m weak-8m strong-65m")
#   WAYS          transports for more than one GPU ("nccl peer staged")
#   DESIGNS       design iterations ("20")
#   LIMIT         seconds of a run ("300")
#   TRIAL         small boxes on the CPU: try the script
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[[ $# -ge 1 ]] || {
  sed -n 's/^# \{0,1\}//; 4,9p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
out=$(realpath -m "$1")
shift
strut=$(realpath "${STRUT_BUILD:-$root/build}")/strut
read -ra studies <<< "${STUDIES:-strong-8m weak-1m weak-8m strong-65m}"
read -ra ways <<< "${WAYS:-nccl peer staged}"
backend=cuda divisor=1
[[ -z ${TRIAL:-} ]] || backend=cpu divisor=20 ways=(auto)
[[ $# -gt 0 ]] || set -- 1 2 4 8
n_gpus=$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')
[[ -z ${TRIAL:-} ]] || n_gpus=2
mkdir -p "$out"
cd "$root" || exit 1
table=$out/scaling.csv
[[ -s $table ]] || echo 'study,gpus,way,elements,designs,seconds_per_design,pcg_per_design,wall,setup,output,status' > "$table"

# box STUDY N: elements along x, y, z; for weak scaling doubled in turn
box() {
  local x=160 y=80 z=80
  case $1 in
    strong-8m | weak-8m) x=320 y=160 z=160 ;;
    strong-65m) x=640 y=320 z=320 ;;
  esac
  [[ $1 != weak-* || $2 -lt 2 ]] || x=$((2 * x))
  [[ $1 != weak-* || $2 -lt 4 ]] || y=$((2 * y))
  [[ $1 != weak-* || $2 -lt 8 ]] || z=$((2 * z))
  echo "$((x / divisor)), $((y / divisor)), $((z / divisor))"
}

# median COLUMN FILE: over the lines but the first design
median() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i } NR > 2 { print $c }' "$2" | sort -g |
    awk '{ v[NR] = $1 } END { if (NR > 0) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# section NAME FILE: seconds of the sections that begin so; a name may have a comma
section() {
  awk -F, -v name="$1" 'index($1, name) == 1 { s += $NF } END { print s + 0 }' "$2"
}

failed=0
for study in "${studies[@]}"; do
  for n in "$@"; do
    ((n <= n_gpus)) || continue
    for way in "${ways[@]}"; do
      ((n > 1)) || [[ $way == "${ways[0]}" ]] || continue
      name=$study-$n-$way folder=$out/work-$study-$n-$way status=ok
      ! grep -q "^$study,$n,$way,.*,ok$" "$table" || continue
      elements=$(box "$study" "$n")
      begin=$EPOCHREALTIME
      timeout "${LIMIT:-300}" mpirun -n "$n" "$strut" prm/multigrid/cb8m.prm --output "$folder" --set "Backend = $backend" \
        --set "Communication = $([[ $n -gt 1 ]] && echo "$way" || echo auto)" --set "Mesh / Box / Elements = $elements" \
        --set "Mesh / Box / Size = $elements" --set "Optimization / Maximum iterations = ${DESIGNS:-20}" \
        --set "Optimization / Stopping criterion = none" --set 'Output / Checkpoint every = 0' > "$out/$name.log" 2>&1
      code=$?
      wall=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
      if [[ $code -eq 0 || $code -eq 3 ]]; then
        cp "$folder/history.csv" "$out/$name.history.csv"
        cp "$folder/timing.csv" "$out/$name.timing.csv"
        row="$(median seconds "$folder/history.csv"),$(median solver_iterations "$folder/history.csv"),$wall"
        row+=",$(section 'set-up' "$folder/timing.csv"),$(section output "$folder/timing.csv")"
      else
        status="exit code $code" row=",,$wall,," failed=1
      fi
      rm -rf "$folder"
      echo "$study,$n,$way,$(awk -F', ' '{ print $1 * $2 * $3 }' <<< "$elements"),${DESIGNS:-20},$row,$status" | tee -a "$table"
    done
  done
done
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The study of matrix generation (doc/studies/assembly.md) on this machine: strut-assemble on hollow cylinders of
# HEX20, TET4 and TET10, connecting rods and a box, each in several sizes, on the GPU and on the CPU.
#
#   doc/scripts/assembly_study.sh BUILD OUT
#
# BUILD holds strut-assemble; into OUT go, for assembly_study_plots.py to draw:
#   <run>.assembly.csv, <run>.memory.csv, <run>.assembly.md      of each run: gpu-<mesh>-<size>, cpu-<mesh>-<size>
#   decks/, logs/                                              the decks that ran, and their output
#
# From the environment:
#   STEPS          which of box, gpu, cpu ("box gpu cpu"). box: a million hexahedra, the target of the value update;
#                  gpu: all variants, in both precisions; cpu: the sizes CPU_SIZES of each mesh in double, with 1 thread
#                  and with all, deal.II and Trilinos beside
#   KINDS          which meshes ("hex20 tet4 tet10 rod")
#   SIZES          which of the four of each mesh ("1 2 3 4")
#   CPU_SIZES      likewise, on the CPU ("1 3")
#   RUNS, CPU_RUNS timed runs of the GPU ("5") and of the CPU ("3")
#   JOBS           GPU runs that make their meshes at the same time ("6"); they measure one after the other
#   TIME_LIMIT     seconds after which no new run is begun (none)
#
# A run that fails does not stop the others; the exit code is then 1 (2: the call was wrong). The largest sizes come
# first.
set -uo pipefail

if [[ $# -ne 2 ]]; then
  sed -n 's/^# \{0,1\}//; 4,7p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
assemble=$(realpath -m "$1")/strut-assemble
out=$(realpath -m "$2")
[[ -x $assemble ]] || {
  printf 'assembly_study.sh: there is no program %s\n' "$assemble" >&2
  exit 2
}
read -ra steps <<< "${STEPS:-box gpu cpu}"
read -ra kinds <<< "${KINDS:-hex20 tet4 tet10 rod}"
read -ra sizes <<< "${SIZES:-1 2 3 4}"
read -ra cpu_sizes <<< "${CPU_SIZES:-1 3}"
for step in "${steps[@]}"; do
  [[ $step =~ ^(gpu|cpu|box)$ ]] || {
    printf "assembly_study.sh: STEPS holds '%s'; choose from box, gpu, cpu\n" "$step" >&2
    exit 2
  }
done
for kind in "${kinds[@]}"; do
  [[ $kind =~ ^(hex20|tet4|tet10|rod)$ ]] || {
    printf "assembly_study.sh: KINDS holds '%s'; choose from hex20, tet4, tet10, rod\n" "$kind" >&2
    exit 2
  }
done
for size in "${sizes[@]}" "${cpu_sizes[@]}"; do
  [[ $size =~ ^[1-4]$ ]] || {
    printf "assembly_study.sh: SIZES or CPU_SIZES holds '%s'; there are 1, 2, 3, 4\n" "$size" >&2
    exit 2
  }
done
mkdir -p "$out/decks" "$out/logs" || exit 2
cd "$root" || exit 2 # labels name the decks by their place in the project

# Elements through the wall, around and along the axis: degrees of freedom in millions.
hex20=('' '10 94 40' '13 122 52' '16 150 64' '19 176 74') # 0.5, 1.1, 2.0, 3.1
tet4=('' '9 88 39' '12 112 48' '15 140 60' '19 174 74')   # 0.4, 0.8, 1.6, 3.0
tet10=('' '5 46 20' '6 60 28' '8 74 32' '9 88 38')        # 0.5, 1.0, 1.9, 3.0
# Of the rod: across, upper ring, upper field, lower ring, lower field, between, layers; nodes in millions.
rod=('' '64 8 24 8 16 32 12' '96 12 36 12 24 48 16' '128 16 48 16 32 64 16' '128 16 48 16 32 64 29') # 0.2, 0.6, 1.1, 2.0

# mesh KIND SIZE: subsection Mesh and the element types.
mesh() {
  local n
  local -n counts=$1
  read -ra n <<< "${counts[$2]}"
  if [[ $1 == rod ]]; then
    cat << DECK
include $root/prm/assembly/connecting-rod.prm
subsection Mesh
  subsection Connecting rod
    set Elements across      = ${n[0]}
    set Elements upper ring  = ${n[1]}
    set Elements upper field = ${n[2]}
    set Elements lower ring  = ${n[3]}
    set Elements lower field = ${n[4]}
    set Elements between     = ${n[5]}
    set Layers               = ${n[6]}
  end
end
DECK
  else
    cat << DECK
include $root/prm/assembly/hollow-cylinder.prm
subsection Mesh
  subsection Hollow cylinder
    set Elements radial          = ${n[0]}
    set Elements circumferential = ${n[1]}
    set Elements axial           = ${n[2]}
  end
end
subsection Assembly
  set Element types = $1
end
DECK
  fi
}

on_gpu="set Backends = cuda
subsection Assembly
  set Runs = ${RUNS:-5}
end"
on_cpu="set Backends = cpu
set Threads  = 1, all
subsection Assembly
  set Precisions = double
  set Formats    = CSR
  set Methods    = same kernel, gather
  set Libraries  = deal.II, Trilinos
  set Runs       = ${CPU_RUNS:-3}
end"

# run NAME [OPTION...], the deck on standard input
run() {
  local name=$1 begin=$SECONDS status=0 deck=$out/decks/$1.prm log=$out/logs/$1.log
  shift
  cat > "$deck"
  rm -f "$out/$name".{assembly.csv,memory.csv,assembly.md} "$out/logs/$name.failed" # of an earlier run
  if ((SECONDS >= ${TIME_LIMIT:-1000000})); then
    touch "$out/logs/$name.failed"
    printf '[%5d s] %s: left out, the time is over\n' "$SECONDS" "$name"
    return
  fi
  "$assemble" "$deck" --output "$out" "$@" > "$log" 2>&1 || status=$?
  if ((status != 0)); then
    touch "$out/logs/$name.failed"
    printf '[%5d s] %s: FAILED with exit code %d; the end of %s:\n' "$SECONDS" "$name" "$status" "$log"
    tail -n 6 "$log" | sed 's/^/             /'
  else
    # without the paths of this machine
    sed -i "s|$out/decks|decks|" "$out/$name".{assembly.csv,memory.csv,assembly.md}
    printf '[%5d s] %s: done in %d s\n' "$SECONDS" "$name" $((SECONDS - begin))
  fi
}

# run_gpu NAME: the same beside others.
run_gpu() {
  while (($(jobs -rp | wc -l) >= ${JOBS:-6})); do
    wait -n
  done
  run "$1" --lock "$out/logs/gpu.lock" <&0 & # or it would have no standard input
}

rm -f "$out"/logs/*.failed
for step in "${steps[@]}"; do
  case $step in
    box) run_gpu gpu-box < <(echo "include $root/prm/assembly/box.prm" && echo "$on_gpu") ;;
    gpu)
      for ((k = ${#sizes[@]} - 1; k >= 0; --k)); do
        for kind in "${kinds[@]}"; do
          run_gpu "gpu-$kind-${sizes[k]}" < <(mesh "$kind" "${sizes[k]}" && echo "$on_gpu")
        done
      done
      ;;
    cpu)
      wait # the CPU for each run alone
      for size in "${cpu_sizes[@]}"; do
        for kind in "${kinds[@]}"; do
          run "cpu-$kind-$size" < <(mesh "$kind" "$size" && echo "$on_cpu")
        done
      done
      ;;
  esac
done
wait

mapfile -t failed < <(find "$out/logs" -name '*.failed' -exec basename {} .failed \; | sort)
if ((${#failed[@]} > 0)); then
  printf '[%5d s] failed: %s\n' "$SECONDS" "${failed[*]}"
  exit 1
fi
printf '[%5d s] all done; draw with doc/scripts/assembly_study_plots.py %s -o FOLDER\n' "$SECONDS" "$out"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The study of the thesis, Ratnakar (2022), on this machine, one example (cb, lb, mc or cr) per call: every operator on the decks
# prm/thesis/EXAMPLE1.prm to EXAMPLE5.prm, PCG solves with each, and 50 design iterations.
#
#   doc/scripts/thesis_study.sh EXAMPLE [OUTPUT_FOLDER]        (default: results/thesis)
#
# Into OUTPUT_FOLDER, for thesis_figures.py to draw:
#   <deck>.operators.csv, <deck>.solves.csv      GPU operators; in cpu/ the CPU ones
#   <deck>.history.csv, <deck>.timing.csv, <deck>.parameters.prm      the optimization; its VTU in <deck>/
#   logs/                                        the output of the programs
#
# From the environment:
#   STRUT_BUILD           folder with the programs strut and strut-compare (build)
#   SIZES                 which of the five ("1 2 3 4 5")
#   STEPS                 which of gpu, cpu, ranks, optimize, zero ("gpu cpu optimize"); zero is optimize with every
#                         solve from zero, for the iterations of Table 3.6, into <deck>-zero.*; ranks is the CPU
#                         operators on RANKS processes, into ranks/: what deal.II's and Trilinos' need for all cores
#   RANKS                 of the step ranks (all cores)
#   OPERATORS, THREADS    of the comparisons on one process: names, separated by commas (all); of the CPU ("1,all")
#   SOLVE_SECONDS, CPU_SOLVE_SECONDS             limit of each PCG solve of the comparisons (120, 30)
#   OPERATOR, PRECISION, BACKEND, ITERATIONS     of the optimization (ebeSym, double, cuda, 50)
#   ENTRIES               more of the optimization, one per line, as strut --set takes them: Solver / Tolerance = 1e-9
#   STOP                  criterion that may end it earlier ("none"); the thesis: "compliance change", with ITERATIONS=150
#
# Needs the programs, prm/ and doc/scripts/, nothing else. A step that fails does not stop the others; the exit code
# is then 1 (2: the call was wrong, 130: interrupted).
#
# How long it takes, one H200 and 16 cores, minutes per example: gpu 2.7 to 3.5, optimize or zero 1.6 to 3.2 (float),
# cpu about 8 for the sizes 1, 3 and 5 with CPU_SOLVE_SECONDS=6 (doc/studies/thesis.md).
set -uo pipefail

usage() {
  sed -n 's/^# \{0,1\}//; 4,7p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

refuse() {
  printf 'thesis_study.sh: %s\n' "$1" >&2
  exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[[ $# -ge 1 && $# -le 2 ]] || usage
example=$1
case $example in
  cb | lb | mc | cr) ;;
  *) refuse "there is no example '$example'; choose cb, lb, mc or cr" ;;
esac
out=$(realpath -m "${2:-$root/results/thesis}")
build=$(realpath -m "${STRUT_BUILD:-$root/build}")
read -ra sizes <<< "${SIZES:-1 2 3 4 5}"
read -ra steps <<< "${STEPS:-gpu cpu optimize}"
solve_seconds=${SOLVE_SECONDS:-120}
cpu_solve_seconds=${CPU_SOLVE_SECONDS:-30}
iterations=${ITERATIONS:-50}

for step in "${steps[@]}"; do
  case $step in
    gpu | cpu | ranks) program=strut-compare ;;
    optimize | zero) program=strut ;;
    *) refuse "STEPS holds '$step'; choose from gpu, cpu, ranks, optimize, zero" ;;
  esac
  [[ -x $build/$program ]] || refuse "there is no program $build/$program; build it, or set STRUT_BUILD to its folder"
done
for size in "${sizes[@]}"; do
  [[ -f $root/prm/thesis/$example$size.prm ]] ||
    refuse "SIZES holds '$size'; there is no $root/prm/thesis/$example$size.prm"
done
mkdir -p "$out/cpu" "$out/ranks" "$out/logs" || exit 2
cd "$root" || exit 2 # labels name the decks as prm/thesis/..., whatever the machine
trap 'printf "\ninterrupted\n" >&2; exit 130' INT TERM

failed=()
say() {
  printf '[%6d s] %s\n' "$SECONDS" "$1"
}

# attempt DECK STEP COMMAND...: run it with its output in a log, say how it ended.
attempt() {
  local name=$1.$2 log=$out/logs/$1.$2.log begin=$SECONDS status=0
  say "$1, $2: begins"
  shift 2
  "$@" > "$log" 2>&1 || status=$?
  if ((status == 130)); then
    say "$name: interrupted"
    exit 130
  elif ((status != 0)); then
    failed+=("$name")
    say "$name: FAILED with exit code $status after $((SECONDS - begin)) s; the end of $log:"
    tail -n 6 "$log" | sed 's/^/             /'
  else
    say "$name: done in $((SECONDS - begin)) s"
  fi
}

launcher=()
# on_ranks COMMAND...: the same, by mpirun.
on_ranks() {
  local launcher=(mpirun -n "${RANKS:-$(nproc)}" --bind-to none)
  "$@"
}

# compare DECK BACKEND FOLDER SECONDS [OPTION...]
compare() {
  local deck=$1 backend=$2 folder=$3 seconds=$4
  shift 4
  # what an earlier run left must not pass for the result of this one
  rm -f "$folder/$deck".{operators.csv,solves.csv,md,tex}
  "${launcher[@]}" "$build/strut-compare" "prm/thesis/$deck.prm" --backends "$backend" --precisions double,float --baseline ebe \
    --solve-seconds "$seconds" --output "$folder" ${OPERATORS:+--operators "$OPERATORS"} "$@"
}

# optimize DECK NAME INITIAL_GUESS: the design iterations; files NAME.*, results in NAME/. An entry of a deck
# replaces that of the decks it includes.
optimize() {
  local deck=$1 name=$2 initial_guess=$3 file
  mkdir -p "$out/decks"
  cat > "$out/decks/$name.prm" << DECK
include $root/prm/thesis/$deck.prm
set Backend   = ${BACKEND:-cuda}
set Operator  = ${OPERATOR:-ebeSym}
set Precision = ${PRECISION:-double}
subsection Solver
  set Initial guess      = $initial_guess
  set Maximum iterations = 100000
end
subsection Optimization
  set Stopping criterion = ${STOP:-none}
  set Maximum iterations = $iterations
end
subsection Output
  set Output directory = $out/$name
  set Results every    = 0
  set Checkpoint every = 0
end
DECK
  rm -f "$out/$name/"{history.csv,timing.csv,parameters.prm} "$out/$name".{history.csv,timing.csv,parameters.prm}
  local entry sets=()
  while IFS= read -r entry; do
    [[ -z $entry ]] || sets+=(--set "$entry")
  done <<< "${ENTRIES:-}"
  "$build/strut" "$out/decks/$name.prm" "${sets[@]}" || return
  rm -f "$out/$name/"checkpoint*.strut # the program writes one at the end: nobody goes on from here
  for file in history.csv timing.csv; do
    cp "$out/$name/$file" "$out/$name.$file" || return
  done
  # without the paths of this machine
  grep -vE '^# +deck|set Output directory' "$out/$name/parameters.prm" > "$out/$name.parameters.prm"
}

say "$example: sizes ${sizes[*]}; steps ${steps[*]}; programs of $build; results in $out"
for size in "${sizes[@]}"; do
  deck=$example$size
  for step in "${steps[@]}"; do
    case $step in
      gpu) attempt "$deck" gpu compare "$deck" cuda "$out" "$solve_seconds" ;;
      cpu) attempt "$deck" cpu compare "$deck" cpu "$out/cpu" "$cpu_solve_seconds" --threads "${THREADS:-1,all}" ;;
      ranks) attempt "$deck" ranks on_ranks compare "$deck" cpu "$out/ranks" "$cpu_solve_seconds" --threads 1 ;;
      optimize) attempt "$deck" optimize optimize "$deck" "$deck" previous ;;
      zero) attempt "$deck" zero optimize "$deck" "$deck-zero" zero ;;
    esac
  done
done

if ((${#failed[@]} > 0)); then
  say "$example: failed: ${failed[*]}"
  exit 1
fi
say "$example: all done; draw with doc/scripts/thesis_figures.py $out -o FOLDER"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Everything that a machine with a GPU has to show, in one go: the core tests with the CUDA backend,
# compute-sanitizer on the small ones, decks on GPU and CPU with the same histories, two ranks on one
# GPU and on two, a restart. Writes a summary for doc/results/gpu-verification.md.
#
#   tests/gpu_verification.sh BUILD_DIR OUTPUT_DIR [PART]...
#
# BUILD_DIR holds `strut` and `tests/strut_core_tests`. Run from the root of the checkout. PART: tests, memcheck,
# racecheck, sanitized-ranks, decks, ranks, determinism, evolutions; all of them, one after the other, without one. Or `at-once`: all of them,
# several at a time, each in a folder of its own. From the environment: SHARDS, processes that share the tests under
# compute-sanitizer ("4"); LIMIT, seconds of each ("400"). HALF, "cuda" or "cpu": the half of each pair of decks that this
# machine runs; HISTORIES, then: the folder of the part `decks` of another machine, which ran the other half.
set -uo pipefail
build=$(realpath "${1:?usage: gpu_verification.sh BUILD_DIR OUTPUT_DIR [PART]...}")
out=$(realpath -m "${2:?usage: gpu_verification.sh BUILD_DIR OUTPUT_DIR [PART]...}")
parts=" ${*:3} "
resume=
shards=${SHARDS:-4}
limit=${LIMIT:-400}
half=${HALF:-}
version=$("$build/strut" --version) || exit 1 # a library that is missing would fail every check, an hour later
mkdir -p "$out"
summary=$out/summary.md
all_parts='tests memcheck racecheck sanitized-ranks decks ranks determinism evolutions'

# at_once: all parts as clients of CUDA's Multi-Process Service, where processes need not take turns on a GPU: memcheck's
# 1,900 tests by 16 processes take 105 to 204 s with it; without it 110 of them took 165 s. memcheck begins when `ranks` and
# `tests` have left it the cores.
# A fault on a GPU ends all clients: then the first one that failed is the culprit, and parts can run by themselves.
at_once() {
  local part rc=0 cores
  declare -A process=()
  cores=$(nproc)
  CUDA_MPS_PIPE_DIRECTORY=$(mktemp -d)
  export CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY=$CUDA_MPS_PIPE_DIRECTORY LIMIT=${LIMIT:-1500}
  # begin PART [SHARDS]
  begin() {
    SHARDS=${2:-1} bash "${BASH_SOURCE[0]}" "$build" "$out/$1" "$1" > "$out/$1.out" 2>&1 &
    process[$1]=$!
  }
  end() {
    for part; do
      wait "${process[$part]}" || rc=1
    done
  }
  nvidia-cuda-mps-control -d || exit 1
  for part in ranks determinism evolutions; do
    begin $part
  done
  begin racecheck 10
  begin tests $((cores > 4 ? cores - 2 : 2))
  OMP_NUM_THREADS=$((cores > 4 ? cores / 4 : 1)) begin decks
  end ranks tests
  begin memcheck $cores
  end determinism evolutions racecheck memcheck
  begin sanitized-ranks
  end decks sanitized-ranks
  echo quit | nvidia-cuda-mps-control
  rm -rf "$CUDA_MPS_PIPE_DIRECTORY"
  sed '/^## /,$d' "$out/tests/summary.md" > "$summary"
  for part in $all_parts; do
    sed -n '/^## /,$p' "$out/$part/summary.md"
    echo
  done >> "$summary"
  exit $rc
}
[[ $parts != ' at-once ' ]] || at_once
for part in $parts; do
  [[ " $all_parts " == *" $part "* ]] || {
    printf 'gpu_verification.sh: there is no part "%s": %s, or at-once\n' "$part" "$all_parts" >&2
    exit 1
  }
done
failed=0
gpus=${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader 2> /dev/null | paste -sd,)} # "0" or "0,1"
[[ -n $gpus || $half == cpu ]] || {
  echo 'gpu_verification.sh: there is no GPU here' >&2
  exit 1
}
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# wanted PART
wanted() { [[ $parts == '  ' || $parts == *" $1 "* ]]; }

# check NAME COMMAND...: run it, note how it ended, keep its output.
check() {
  local name=$1 log rc=0
  shift
  log=$out/$(tr -c 'a-zA-Z0-9\n' '-' <<< "$name").log
  "$@" > "$log" 2>&1 || rc=$?
  if [[ $rc -eq 0 ]]; then
    printf -- '- passed: %s\n' "$name" | tee -a "$summary"
  else
    printf -- '- FAILED (exit code %s): %s\n' "$rc" "$name" | tee -a "$summary"
    tail -n 15 "$log"
    failed=1
  fi
}

# run_deck NAME DECK BACKEND [ENTRY=VALUE]... [-- LAUNCHER...]: results in $out/NAME
run_deck() {
  local name=$1 deck=$2 backend=$3 copy
  shift 3
  copy=$(dirname "$deck")/check-$name.prm # beside the original; what is included may be set again
  {
    printf 'include %s\nset Backend = %s\n' "$(basename "$deck")" "$backend"
    while [[ $# -gt 0 && $1 != -- ]]; do
      case $1 in
        */*) printf 'subsection %s\n  set %s\nend\n' "${1%%/*}" "${1#*/}" ;;
        *) printf 'set %s\n' "$1" ;;
      esac
      shift
    done
    printf 'subsection Output\n  set Output directory = %s\nend\n' "$out/$name"
  } > "$copy"
  [[ ${1:-} != -- ]] || shift
  "$@" "$build/strut" ${resume:+--resume} "$copy"
  local rc=$?
  rm -f "$copy"
  [[ $rc -ne 3 ]] || rc=0 # a deck that is cut short need not have come to its limits
  return $rc
}

# compare A B TOLERANCE: largest relative difference of the objectives over the designs, and of what constraints bound: they are
# between the passes of the dual problem and the iterations of the solver
compare() {
  paste -d, "$out/$1/history.csv" "$out/$2/history.csv" | awk -F, -v tolerance="$3" '
    NR == 1 {
      width = NF / 2
      wanted[2]
      for (i = 1; i <= width && $i != "solver_iterations"; ++i) {
        if (bounded) wanted[i]
        if ($i == "dual_passes") bounded = 1
      }
      next
    }
    { ++n
      for (i in wanted) {
        if ($i == "" || $(i + width) == "") missing = 1
        d = $i - $(i + width)
        if ($i != 0) d /= $i
        if (d < 0) d = -d
        if (d > worst) worst = d
      } }
    END { printf "%d iterations, largest relative difference %.2e\n", n, worst
          exit !(n > 0 && !missing && worst <= tolerance) }'
}

# same_bits A B: the histories but for the seconds, and the final densities, are the same to the last digit
same_bits() {
  compare "$1" "$2" 0 || return
  local a b
  a=$(sed 's/,[^,]*$//' "$out/$1/history.csv" | md5sum)
  b=$(sed 's/,[^,]*$//' "$out/$2/history.csv" | md5sum)
  [[ $a == "$b" ]] || {
    echo "the histories differ"
    return 1
  }
  # but for the remarks before the XML, which name the deck
  a=$(LC_ALL=C sed '1,/^-->$/d' "$out/$1"/*-0010.vtu | md5sum)
  b=$(LC_ALL=C sed '1,/^-->$/d' "$out/$2"/*-0010.vtu | md5sum)
  [[ $a == "$b" ]] || {
    echo "the final fields differ"
    return 1
  }
}

{
  printf '# Verification on a GPU\n\nMade by `tests/gpu_verification.sh`.\n\n'
  printf -- '- commit: %s\n' "$version"
  printf -- '- GPU and driver: %s\n' "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  printf -- '- CUDA: %s\n' "$(nvcc --version | sed -n 's/.*release //p')"
  printf -- '- CPU: %s, %s cores\n' "$(sed -n 's/model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)"
  printf -- '- date: %s\n' "$(date -u +%F)"
} > "$summary"
cat "$summary"

# shared_out FILTER PROGRAM COMMAND...: the tests of PROGRAM by COMMAND, shared out among SHARDS processes, of which none is
# without a test: compute-sanitizer may call it an error if a program makes no call of CUDA
shared_out() {
  local filter=$1 program=$2 pids=() rc=0 shard pid tests shards=$shards devices
  shift 2
  IFS=, read -ra devices <<< "$gpus" # the processes take turns on them
  tests=$("$build/tests/$program" --gtest_filter="$filter" --gtest_list_tests | grep -c '^  ')
  ((tests > 0)) || {
    printf 'no test is called %s\n' "$filter"
    return 1
  }
  ((shards <= tests)) || shards=$tests
  rm -f "$out"/shard-*.log # of an earlier run
  for ((shard = 0; shard < shards; ++shard)); do
    CUDA_VISIBLE_DEVICES=${devices[shard % ${#devices[@]}]} \
      GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard timeout "$limit" "$@" "$build/tests/$program" --gtest_filter="$filter" \
      > "$out/shard-$shard.log" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || rc=$?
  done
  cat "$out"/shard-*.log
  rm -f "$out"/shard-*.log
  return "$rc"
}

# (1) The core tests but those of the CPU backend, which run wherever strut is built, and the CUDA ones of small sizes under
# compute-sanitizer.
# tests NAME PROGRAM [FILTER]
tests() {
  local name=$1 log
  log=$out/$(tr -c 'a-zA-Z0-9\n' '-' <<< "$name").log
  [[ -x $build/tests/$2 ]] || return 0
  check "$name" shared_out "${3:-*}" "$2"
  awk '/^\[  (PASSED|SKIPPED|FAILED) *\] [0-9]+ test/ { n[$2] += $4 }
       END { for (how in n) printf "    [  %s  ] %d tests.\n", how, n[how] }' "$log" | sort | tee -a "$summary"
  awk '/: Skipped$/ && getline { n[$0]++ }
       END { for (why in n) printf "    skipped %d times: %s\n", n[why], why }' "$log" | sort -rn -k2,2 | tee -a "$summary"
}
if wanted tests; then
  printf '\n## Tests\n\n' | tee -a "$summary"
  tests 'core tests, without those of the CPU backend' strut_core_tests '*:-*/cpu*'
  tests 'tests of the comparators of benchmarks' strut_comparators_tests
  tests 'tests of the plugin: operator for applications, generated matrices' strut_plugin_tests '*Stiffness*:*GeneratedMatrix*:*DeviceVector*:*Tied*'
fi
# racecheck is slow: the kernels once each, on small sizes.
cuda_small='Core/*cuda*:-*PCG*:Core/SimpTest*:Core/GradientTest*:Core/Manufactured*:Core/ConjugateGradient*:Core/StateSolver*:*Iterat*'
# Nor those that take more than a minute each there.
too_long=(
  EndsWithJacobi BoundTheGalerkinOperatorWhatever EveryResponseThroughEveryChain ResponseValuesTest.Frequency
  ResponseValuesTest.ComplianceAnd ResponseValuesTest.FilterAnd ResponseValuesTest.SeveralMaterials
  ResponseValuesTest.VonMises VibrationTest.PairsOfABar VibrationTest.BeginsWith VibrationTest.HangingNodes
  VibrationTest.ManyModes RobustBlueprintTest RobustFieldsTest.FieldsWithout RobustFieldsTest.GradientsEqual
  RobustFieldsTest.ConvergesWith RobustFieldsTest.BlueprintHas StressLimitTest.GradientEquals
  StressLimitTest.OptimizationRestores SpringsTest.GradientsHold SelfWeightTest.GradientEquals
  DensityMapTest.ProjectionMakes DensityMapTest.RestoresBitwise SeveralMaterialsTest.ModesSolve
  SeveralMaterialsTest.GradientOfEvery PoissonRatiosTest.WithMultigrid LayerSweepTest.NothingIsPrinted
  SolverFailureTest.NoticesAPiece StiffnessSolverTest.GoesToDoubleWhereItStagnates MemoryPlanTest.OfTheState
  AggregationCycleTest.RandomStructures MultigridTest.TakesNearly BesoTest.LimitsWhat
  BesoTest.RespectsNonDesign BesoTest.ElementsHaveMaterial BesoTest.KeepsTheElements
  ElementFields.GradientsEqual ElementFields.EvolutionsLeave ElementFields.AreCut ElementTypesTest.OptimalityCriteria
)
cuda_small+=$(printf ':*%s*' "${too_long[@]}")
# Nor whole evolutions: parts, load paths and three analyses show their kernels.
cuda_small+=':Core/IsoStressTest.OutsideElements*:Core/IsoStressTest.Keeps*:Core/IsoStressTest.Respects*:Core/IsoStressTest.Ends*:Core/IsoStressTest.GoesOn*'
cuda_kernels='Core/ElementOperatorTest.IsSymmetric/cuda*:Core/ElementOperatorTest.DiagonalIs*/cuda*:Core/ElementOperatorTest.Energies*/cuda*'
cuda_kernels+=':Core/KrylovUpdates*cuda*:Core/VectorOperationsTest.Dot/cuda*:Core/VectorOperationsTest.Max*/cuda*'
cuda_kernels+=':Core/DesignOperations*cuda*:Core/Neighbourhood*cuda*:Core/MmaOperations*cuda*'
cuda_kernels+=':Core/ElementTypesTest.RigidMotions*cuda_on_the_fly*'
cuda_assembly='Core/NeighboursTest*cuda*:Core/PatternTest*cuda*:Core/ValuesTest.EqualTheDense*cuda_hex8*double'
cuda_assembly+=':Core/ValuesTest.EqualTheDense*cuda_tet10_gather_double:Core/LongRowsTest*cuda*gather*double'
cuda_multigrid='Core/MultigridTest.CycleIs*cuda*:Core/GalerkinTest.Product*cuda*:Core/CoarseSolver*cuda*'
# sanitize TOOL WHAT FILTER [OPTION]...
sanitize() {
  local name="compute-sanitizer $1, $2" log
  log=$out/$(tr -c 'a-zA-Z0-9\n' '-' <<< "$name").log
  check "$name" shared_out "$3" strut_core_tests compute-sanitizer --error-exitcode 9 --tool "$1" "${@:4}"
  {
    awk '/^\[  PASSED/ { n += $4 } END { printf "[  PASSED  ] %d tests.\n", n }' "$log"
    grep SUMMARY "$log" | sort -u
  } | sed 's/^/    /' | tee -a "$summary"
}
# sanitize_two TOOL TRANSPORT [OPTION]...: products, cycles and exchanges of two ranks, a GPU each
sanitize_two() {
  check "compute-sanitizer $1, two ranks by $2" env STRUT_TEST_COMMUNICATION="$2" mpirun -n 2 compute-sanitizer \
    --error-exitcode 9 --tool "$1" "${@:3}" "$build/tests/strut_core_tests" \
    --gtest_filter='Parallel/DistributedMultigridTest*cuda*:Parallel/HaloTest*cuda*'
}
if wanted memcheck; then
  printf '\n## compute-sanitizer, memcheck\n\n' | tee -a "$summary"
  # An allocation that must fail, and does, is one of the tests: no error of the API is.
  sanitize memcheck 'small tests' "$cuda_small" --report-api-errors no --leak-check full
fi
if wanted racecheck; then
  printf '\n## compute-sanitizer, racecheck\n\n' | tee -a "$summary"
  sanitize racecheck 'operators and vectors' "$cuda_kernels"
  sanitize racecheck 'assembly' "$cuda_assembly"
  sanitize racecheck 'multigrid' "$cuda_multigrid"
fi
if wanted sanitized-ranks; then
  printf '\n## compute-sanitizer, two ranks\n\n' | tee -a "$summary"
  if [[ $gpus == *,* ]]; then
    sanitize_two memcheck nccl --report-api-errors no
    sanitize_two memcheck peer --report-api-errors no
    sanitize_two racecheck peer
  else
    printf -- '- skipped: two GPUs, there is one; two ranks share it, which NCCL and peer refuse\n' | tee -a "$summary"
    sanitize_two memcheck staged --report-api-errors no
  fi
fi

# (2) Decks on the GPU and on the CPU.
pair() {
  local name=$1 deck=$2 tolerance=$3
  shift 3
  [[ $half == cpu ]] || check "$name on the GPU" run_deck "$name-cuda" "$deck" cuda "$@"
  [[ $half == cuda ]] || check "$name on the CPU" run_deck "$name-cpu" "$deck" cpu "$@"
  [[ -z $half || -n ${HISTORIES:-} ]] || return
  [[ $half != cpu ]] || cp -r "$HISTORIES/$name-cuda" "$out"
  [[ $half != cuda ]] || cp -r "$HISTORIES/$name-cpu" "$out"
  check "$name: histories agree to $tolerance" compare "$name-cuda" "$name-cpu" "$tolerance"
  sed 's/^/    /' "$out/$(tr -c 'a-zA-Z0-9\n' '-' <<< "$name: histories agree to $tolerance").log" | tee -a "$summary"
}
if wanted decks; then
  printf '\n## Decks: the same history of the responses on GPU and CPU\n\n' | tee -a "$summary"
  # Solved tightly: at 1e-5 a rounding error may decide on one iteration more or less, and the designs
  # drift apart by about that much.
  exact='Solver/Tolerance = 1e-10'
  pair uniform prm/verification/uniform-32x16x16.prm 1e-8
  pair connecting-rod prm/connecting-rod.prm 1e-6 "$exact"
  pair michell prm/michell.prm 1e-6 "$exact"
  pair cb1 prm/thesis/cb1.prm 1e-6 "$exact" 'Optimization/Maximum iterations = 50' 'Optimization/Stopping criterion = none'
  pair cb1-thesis prm/thesis/cb1.prm 1e-3 'Optimization/Maximum iterations = 50' 'Optimization/Stopping criterion = none'
  for name in mc1 cr1; do
    pair $name prm/thesis/$name.prm 1e-3 'Optimization/Maximum iterations = 50' 'Optimization/Stopping criterion = none'
  done
  for name in least-mass worst-case l-bracket robust-inverter largest-member two-materials orthotropic bell-crank wheel; do
    pair $name prm/designers/$name.prm 1e-4 "$exact" 'Optimization/Maximum iterations = 30'
  done
  for type in tet4 tet10 hex20 hex27; do
    pair michell-$type prm/michell.prm 1e-6 "$exact" "Mesh/Element type = $type" 'Optimization/Maximum iterations = 5'
  done
fi
if wanted decks && [[ $half != cpu ]]; then
  check 'lb1 on the GPU, 50 iterations' run_deck lb1-cuda prm/thesis/lb1.prm cuda 'Optimization/Maximum iterations = 50'
  zero=('Solver/Initial guess = zero' 'Optimization/Stopping criterion = none')
  check 'cb1 from zero' run_deck cb1-zero prm/thesis/cb1.prm cuda "${zero[@]}" 'Optimization/Maximum iterations = 50'
  check 'cb1 from zero, float' run_deck cb1-zero-float prm/thesis/cb1.prm cuda "${zero[@]}" 'Precision = float'
fi

# (3) Two ranks on one GPU and on two, where there are two; operators, preconditioners and precisions against each other.
if wanted ranks; then
  printf '\n## Ranks, operators, precisions\n\n' | tee -a "$summary"
  tight=('Solver/Tolerance = 1e-10' 'Optimization/Maximum iterations = 10')
  deck=prm/cantilever.prm
  operators='ebe nbn ebe8 ebe24 ebe64 ebeSym dbd slices on_the_fly_ordered assembled assembled_ell'
  check 'one rank' run_deck rank1 $deck cuda "${tight[@]}"
  check 'two ranks on one GPU' run_deck rank2 $deck cuda "${tight[@]}" 'Communication = staged' -- env CUDA_VISIBLE_DEVICES="${gpus%%,*}" mpirun -n 2
  check 'two ranks: the same history to 1e-8' compare rank1 rank2 1e-8
  if [[ $gpus == *,* ]]; then
    for way in nccl peer staged; do
      check "the tests of several ranks on two GPUs by $way" env STRUT_TEST_COMMUNICATION="$way" mpirun -n 2 \
        "$build/tests/strut_core_tests" --gtest_filter='Parallel*cuda*'
      check "two GPUs by $way" run_deck "gpus-$way" $deck cuda "${tight[@]}" "Communication = $way" -- mpirun -n 2
      check "two GPUs by $way: the same history to 1e-8" compare rank1 "gpus-$way" 1e-8
    done
  else
    printf -- '- skipped: two GPUs, there is one\n' | tee -a "$summary"
    check 'the tests of several ranks on one GPU by staged' env STRUT_TEST_COMMUNICATION=staged mpirun -n 2 \
      "$build/tests/strut_core_tests" --gtest_filter='Parallel*cuda*'
  fi
  check 'float' run_deck float $deck cuda 'Optimization/Maximum iterations = 10' 'Precision = float'
  check 'float: the history of double to 1e-3' compare rank1 float 1e-3
  for strategy in $operators; do
    check "operator $strategy" run_deck "operator-$strategy" $deck cuda "${tight[@]}" "Operator = $strategy"
    check "operator $strategy: the history of on_the_fly to 1e-8" compare rank1 "operator-$strategy" 1e-8
  done
  check 'Jacobi' run_deck jacobi $deck cuda "${tight[@]}" 'Solver/Preconditioner = jacobi'
  check 'Jacobi: the history of multigrid to 1e-8' compare rank1 jacobi 1e-8
  check 'Galerkin levels' run_deck galerkin $deck cuda "${tight[@]}" 'Solver/Coarse operators = galerkin'
  check 'Galerkin levels: the history of rediscretised ones to 1e-8' compare rank1 galerkin 1e-8
  check 'aggregation' run_deck aggregation $deck cuda "${tight[@]}" 'Solver/Coarse operators = aggregation'
  check 'aggregation: the history of rediscretised levels to 1e-8' compare rank1 aggregation 1e-8
  check 'rigid pieces' run_deck pieces $deck cuda "${tight[@]}" 'Solver/Rigid pieces = yes'
  check 'rigid pieces: the history without them to 1e-8' compare rank1 pieces 1e-8
  check 'mixed' run_deck mixed $deck cuda "${tight[@]}" 'Precision = mixed'
  check 'mixed: the history of double to 1e-8' compare rank1 mixed 1e-8
fi

# (4) Every deterministic strategy twice and restarted.
if wanted determinism; then
  printf '\n## Determinism and restarts\n\n' | tee -a "$summary"
  deck=prm/cantilever.prm
  refused() {
    ! run_deck refused $deck cuda 'Deterministic = true' 'Operator = ebe'
  }
  check 'Deterministic refuses ebe' refused
  for strategy in nbn ebeSym dbd slices on_the_fly_ordered assembled assembled_ell; do
    for precision in double float; do
      same=("Operator = $strategy" "Precision = $precision" 'Deterministic = true')
      ten=("${same[@]}" 'Optimization/Maximum iterations = 10')
      name=$strategy-$precision
      check "$name" run_deck "$name-1" $deck cuda "${ten[@]}"
      check "$name again" run_deck "$name-2" $deck cuda "${ten[@]}"
      check "$name twice: the same bits" same_bits "$name-1" "$name-2"
      check "$name, stopped after 5" run_deck "$name-3" $deck cuda "${same[@]}" 'Optimization/Maximum iterations = 5'
      resume=yes check "$name, gone on to 10" run_deck "$name-3" $deck cuda "${ten[@]}"
      check "$name, stopped and gone on: the same bits" same_bits "$name-1" "$name-3"
    done
  done
fi

# (5) The checks of the evolutions that no test on the CPU runs at their size, by their numbers in
# doc/studies/evolutionary-checks.md. Times are printed, not judged.
if wanted evolutions; then
  printf '\n## Checks of the evolutions\n\n' | tee -a "$summary"
  box=prm/verification/uniform-32x16x16.prm
  to_the_end='Optimization / Stopping criterion = none'
  # study NAME DECK ["SECTION / ENTRY = VALUE"]...: results in $out/NAME; a limit that is missed is for judge()
  study() {
    local name=$1 deck=$2 entry sets=()
    shift 2
    for entry in "$@"; do sets+=(--set "$entry"); done
    check "$name" study_run "$deck" "${sets[@]}" --output "$out/$name"
  }
  study_run() {
    local rc=0
    "$build/strut" "$@" || rc=$?
    ((rc == 0 || rc == 3))
  }
  # objective NAME, volume NAME: of the last design; the objective's column has the name of what it is
  objective() { tail -n 1 "$out/$1/history.csv" | cut -d, -f2; }
  volume() { tail -n 1 "$out/$1/history.csv" | cut -d, -f3; }
  # judge TEXT A LOW HIGH: A is a number between the two
  judge() {
    check "$1" awk -v a="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(a != "" && a + 0 >= low + 0 && a + 0 <= high + 0) }'
    printf '    %s\n' "$2" | tee -a "$summary"
  }
  ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f", a / b }'; }
  # per_call NAME SECTION: milliseconds
  per_call() { awk -F, -v section="$2" '$1 == section { printf "%.4f", 1e3 * $3 / $2 }' "$out/$1/timing.csv"; }

  study check-18 prm/evolutionary/mast.prm 'Optimization / Iso stress / Solid elements = none' \
    'Optimization / Iso stress / Level = redistribution factor' \
    'Supports / feet / Expression = z < tol && abs(x - 2.5) < tol && (y < tol || y > 5 - tol)' \
    'Loads / line / Expression = abs(z - 20) < 0.085 && abs(x - 19/3) < 0.01 && abs(y - 2.5) < 0.02'
  judge '18: the last design but one of the mast on points is above 3 %' \
    "$(tail -n 2 "$out/check-18/history.csv" | head -n 1 | cut -d, -f3)" 0.03 0.033
  judge '18: the last one is not' "$(volume check-18)" 0.027 0.03
  judge '18: its compliance is finite and positive' "$(objective check-18)" 0.05 0.08

  study check-19 $box 'Optimization / Method = iso stress' 'Optimization / Iso stress / Level = redistribution factor' \
    'Optimization / Iso stress / Stress to cut = last' 'Optimization / Iso stress / Solid elements = none' \
    'Optimization / Volume fraction = 0.03' 'Optimization / Maximum iterations = 600' 'Solver / Tolerance = 1e-6'
  judge '19: the cantilever to 3 % ends with a finite design' "$(objective check-19)" 1e4 1e6

  printf 'subsection Non-design regions\n  subsection rest\n    set Expression = x > 9\n    set Density = void\n  end\nend\n' |
    cat <(printf 'include one-shot.prm\n') - > prm/evolutionary/check-25.prm
  study check-25-whole prm/evolutionary/one-shot.prm 'Optimization / Method = iso stress'
  study check-25-layer prm/evolutionary/check-25.prm 'Optimization / Method = iso stress'
  rm -f prm/evolutionary/check-25.prm
  whole=$(per_call check-25-whole operator) layer=$(per_call check-25-layer operator)
  printf -- '- 25: product on the whole box %s ms, on 5 %% of it %s ms, ratio %s\n' "$whole" "$layer" "$(ratio "$layer" "$whole")" |
    tee -a "$summary"

  few=('Optimization / Filter = sensitivity' 'Optimization / Interpolation = modified simp' 'Optimization / Maximum iterations = 100'
    "$to_the_end" 'Solver / Tolerance = 1e-5')
  study check-29-converged $box "${few[@]}" 'Solver / Preconditioner = multigrid'
  study check-29 $box "${few[@]}" 'Solver / Preconditioner = jacobi' 'Solver / Maximum iterations = 50' 'Solver / At limit = accept'
  study check-30 $box "${few[@]}" 'Solver / Preconditioner = multigrid' 'Solver / Maximum iterations = 1' 'Solver / At limit = accept'
  converged=$(objective check-29-converged)
  judge '29: 50 iterations per design end within 3 % of the converged compliance' "$(ratio "$(objective check-29)" "$converged")" 0.97 1.03
  judge '30: one cycle per design ends within 2 %' "$(ratio "$(objective check-30)" "$converged")" 0.98 1.02
  large=('Optimization / Maximum iterations = 100' "$to_the_end")
  study check-30-cb5-converged prm/multigrid/cb5.prm "${large[@]}"
  study check-30-cb5 prm/multigrid/cb5.prm "${large[@]}" 'Solver / Maximum iterations = 1' 'Solver / At limit = accept'
  judge '30: so does cb5' "$(ratio "$(objective check-30-cb5)" "$(objective check-30-cb5-converged)")" 0.98 1.02

  for precision in double float; do
    study "check-31-$precision" prm/evolutionary/one-shot.prm "Precision = $precision"
    printf -- '- 31: 1,000 iterations in %s: %s s\n' $precision \
      "$(awk -F, '$1 == "operator" || $1 == "PCG vectors" || $1 == "preconditioner" { s += $3 / $2 } END { printf "%.2f", 1e3 * s }' \
        "$out/check-31-$precision/timing.csv")" | tee -a "$summary"
  done

  beso=('Optimization / Method = beso' 'Optimization / Filter radius = 3' 'Optimization / Maximum iterations = 300' 'Solver / Tolerance = 1e-6')
  study check-35-coarse $box "${beso[@]}"
  study check-35-fine $box "${beso[@]}" 'Mesh / Box / Elements = 64, 32, 32' 'Loads / lower edge / Type = total force' \
    'Loads / lower edge / Value = 0, 0, -17'
  judge '35: BESO at two resolutions: compliances within 1 %' \
    "$(ratio "$(objective check-35-fine)" "$(objective check-35-coarse)")" 0.99 1.01
fi
exit $failed

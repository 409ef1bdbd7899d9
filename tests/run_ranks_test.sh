#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs of the program on several ranks, on small decks.
#
#   run_ranks_test.sh STRUT MPIEXEC CASE
#   run_ranks_test.sh --list                names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder with copies of the decks and a link to the
# meshes, and prints what is wrong.
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# solver_iterations of the designs, in a line
counts() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "solver_iterations") c = i; next } { printf "%s ", $c }' \
    "output/$1/history.csv"
}

# counts_within MOST A B: no design of B took more than so many iterations more or less than in A
counts_within() {
  paste <(counts "$2" | tr ' ' '\n') <(counts "$3" | tr ' ' '\n') |
    awk -v most="$1" '{ d = $1 - $2; if (d < 0) d = -d; if (d > most || NF == 1) bad = 1 } END { exit bad }'
}

# At a tolerance of 1e-10 rounding in cycles in float decides on one iteration more or less.
case_ranks_give_the_same_history() {
  local precision tolerance n name first
  while read -r precision tolerance; do
    for n in 1 2 3 7; do
      name=ranks-$precision-$tolerance-$n first=ranks-$precision-$tolerance-1
      deck "$name" "set Precision = $precision" 'subsection Solver' "  set Tolerance = $tolerance" 'end'
      must_run mpi $n "$name.prm"
      must_say log "ranks      $n"
      same_history "$first" "$name" "$([[ $precision == double ]] && echo 1e-8 || echo 1e-6)"
      counts_within "$([[ $precision$tolerance == mixed1e-10 ]] && echo 1 || echo 0)" "$first" "$name" ||
        wrong "other PCG counts on $n ranks in $precision, tolerance $tolerance: $(counts "$name"), not $(counts "$first")"
    done
  done <<< $'double 1e-10\nmixed 1e-10\ndouble 1e-5\nmixed 1e-5'
}

# Open MPI binds two ranks to a core each; strut gives each its share of all, but not where that was asked for.
case_a_rank_has_its_share_of_the_cores() {
  local cores n
  cores=$(nproc)
  for n in 1 2; do
    deck share-$n 'set Threads = 0
subsection Optimization
  set Maximum iterations = 1
end'
    must_run mpi $n share-$n.prm
    must_say output/share-$n/summary.json "\"threads per rank\": $((cores / n > 1 ? cores / n : 1))"
  done
  deck bound 'set Threads = 0
subsection Optimization
  set Maximum iterations = 1
end'
  OMPI_MCA_hwloc_base_binding_policy=core must_run mpi 1 bound.prm
  must_say output/bound/summary.json '"threads per rank": 1'
}

case_communication_of_gpus_is_refused_on_the_cpu() {
  local way
  deck alone 'set Backend = cpu' 'set Communication = nccl' 'subsection Optimization' '  set Maximum iterations = 1' 'end'
  must_run mpi 1 alone.prm
  for way in nccl peer staged; do
    deck "$way" 'set Backend = cpu' "set Communication = $way"
    run mpi 2 "$way.prm"
    ((code == 1)) || wrong "exit code $code with Communication = $way"
    must_say log "Communication = $way"
    must_say log 'here the CPU computes (as the deck asks), whose ranks exchange by MPI.'
  done
}

# Two elements for three ranks: one has nothing.
case_empty_ranks_do_no_harm() {
  local n two='subsection Mesh
  subsection Box
    set Size     = 2, 1, 1
    set Elements = 2, 1, 1
  end
end
subsection Optimization
  set Maximum iterations = 4
end'
  for n in 1 3; do
    deck empty-$n "$two"
    must_run mpi $n empty-$n.prm
  done
  same_history empty-1 empty-3 1e-8
  deck whole "${two/= 4/= 6}"
  must_run whole.prm
  deck empty-3 "${two/= 4/= 6}"
  must_run mpi 3 --resume empty-3.prm
  must_say log 'going on after iteration 4'
  same_history whole empty-3 1e-8
}

case_an_error_on_several_ranks_is_said_once() {
  cp "$here"/decks/failing/{contradictory-supports,displacements-do-not-fit,no-load}.prm .
  local deck
  for deck in contradictory-supports displacements-do-not-fit no-load; do
    run mpi 3 $deck.prm
    ((code == 1)) || wrong "exit code $code of $deck, not 1"
    (($(grep -c 'strut: error:' log) == 1)) || {
      wrong "$deck is not said once"
      cat log
    }
  done
}

case_a_wrong_limit_of_waits_is_refused() {
  deck wrong
  STRUT_WAIT_SECONDS=soon run mpi 2 wrong.prm
  ((code == 1)) || wrong "exit code $code"
  must_say log "STRUT_WAIT_SECONDS in the environment is 'soon'"
}

# A rank that is stopped in the middle of a solve: the other one says so, ends the run, and the run can be gone on with.
case_a_stopped_rank_ends_the_run() {
  local rank n
  deck stopped 'subsection Mesh
  subsection Box
    set Elements = 32, 16, 16
  end
end
subsection Optimization
  set Maximum iterations = 500
  set Stopping criterion = none
end
subsection Output
  set Checkpoint every = 1
end'
  STRUT_WAIT_SECONDS=2 timeout -k 5 100 "$mpiexec" -n 2 "$strut" stopped.prm > log 2>&1 &
  local launcher=$!
  for n in $(seq 300); do
    [[ ! -f output/stopped/checkpoint.strut ]] || break
    sleep 0.1
  done
  rank=$(pgrep -f "$strut stopped.prm" | tail -1)
  kill -STOP "$rank"
  n=$SECONDS
  wait "$launcher" && wrong 'exit code 0 with a rank that was stopped'
  kill -CONT "$rank" 2> /dev/null && kill -9 "$rank" 2> /dev/null
  ((SECONDS - n < 60)) || wrong "it took $((SECONDS - n)) s to notice"
  must_say log 'of 2 has waited'
  must_say log 'The last checkpoint is in output/stopped/checkpoint.strut'
  must_run --resume stopped.prm --set 'Optimization / Maximum iterations = 1'
}

run_the_case

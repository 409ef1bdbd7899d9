#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs, compared two by two.
#
#   run_compared_test.sh STRUT-COMPARE-RUNS MPIEXEC CASE
#   run_compared_test.sh --list                names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=${program%/*}/strut
. "$here/strut_runs.sh"

# compare CODE OPTIONS...: the exit code; the output is in log. No line of the tables has more than 100 columns.
compare() {
  local expected=$1 found=0
  shift
  "$program" "$@" > log 2>&1 || found=$?
  ((found == expected)) || {
    wrong "exit code $found, not $expected, of: $*"
    cat log
  }
  ((found != 0)) || ! grep -nE '^.{101}' log || wrong 'a line has more than 100 columns'
}

# must_match PATTERN...: lines of log, with one blank for several.
must_match() {
  local pattern
  for pattern in "$@"; do
    sed 's/  */ /g' log | grep -qE -- "$pattern" || {
      wrong "\"$pattern\" is not in the output:"
      cat log
    }
  done
}

# The same deck on other numbers of ranks: the same curves and designs.
case_runs_on_other_ranks_agree() {
  deck one 'set Backend = cpu'
  must_run one.prm
  local n
  for n in 1 2 3; do
    must_run mpi $n one.prm --output output/ranks
    compare 0 output/one output/ranks/ --tolerance 1e-7
    must_match '^ ranks 1 '$n '^The decks: no entry differs' '^ Both are on one mesh of 192 elements' \
      '^ largest .A - B. ([0-9.]+e-|0$|0,)' '^Curves and last designs agree to the tolerance of 1e-07'
  done
}

# Another volume, mesh, method and objective; an interrupted run; the files.
case_runs_that_differ_are_told_apart() {
  deck one 'set Backend = cpu' 'subsection Optimization' '  set Maximum iterations = 8' 'end'
  must_run one.prm
  # more NAME [OPTIONS...]: another run of the deck
  more() {
    local output=$1
    shift
    run one.prm --output "output/$output" "$@"
    ((code == 0 || code == 3)) || wrong "exit code $code of $output"
  }
  more volume --set 'Optimization / Volume fraction = 0.45' --set 'Optimization / Maximum iterations = 6'
  compare 0 output/one output/volume --output difference.vtu --page page.html
  must_match '^ Optimization / Volume fraction [0-9.]+ 0.45 \*$' '^ volume_fraction A .* [0-9.]+ % [1-8]$' \
    'NOTE: A has 8 designs and B has 6; the table is of the 6 that both have' ' written: difference.vtu' '^ solid in B alone [0-9.]+ %'
  [[ -s difference.vtu ]] || wrong 'no file of the difference'
  ! grep -qE '(src|href)="?https?:|\{\{' page.html || wrong 'the page needs a network, or is not filled'
  must_say page.html 'volume_fraction'
  compare 1 output/one output/volume --tolerance 1e-3
  must_match '^DIFFERENT: [a-z_]+ of design 1: A has [0-9.]+, B has [0-9.]+, a relative difference of '
  compare 1 output/volume output/one --tolerance 10
  must_match '^DIFFERENT: the number of designs: A has 6, B has 8; the first 6 agree'

  more fine --set 'Mesh / Box / Elements = 24, 8, 8'
  compare 0 output/one output/fine
  must_match "^ The meshes are not the same: B's design was brought onto A's mesh of 192" '^ elements 192 1536 87.5 %'
  more beso --set 'Optimization / Method = beso'
  compare 0 output/one output/beso
  must_match '^ method simp beso \*' 'NOTE: B alone has threshold, added_volume' 'NOTE: A alone has density_change'
  deck mass 'set Backend = cpu' 'subsection Optimization' '  set Maximum iterations = 8' '  set Minimise = mass' '  set Update = mma' \
    '  set Filter = density' 'end' 'subsection Constraints' '  subsection stiff' '    set Response = compliance' \
    '    set At most = 1000' '  end' 'end'
  must_run mass.prm
  compare 0 output/one output/mass
  must_match '^ objective compliance mass \*' '^ constraint stiff - ' 'NOTE: the objectives are of other kinds' \
    '^ Constraints / stiff / At most - 1000 \*'
  compare 1 output/one output/mass --tolerance 10
  must_match '^DIFFERENT: the objectives are of other kinds: compliance \| mass'
}

# The page draws its curves: two for each column that both have.
case_the_page_opens_in_a_browser() {
  local browser dom
  browser=$(command -v chromium) || {
    echo 'skipped: no chromium here'
    exit 77
  }
  deck one 'set Backend = cpu'
  must_run one.prm
  must_run one.prm --output output/other --set 'Optimization / Volume fraction = 0.5' --set 'Optimization / Maximum iterations = 5'
  compare 0 output/one output/other --page page.html
  dom=$("$browser" --headless=new --no-sandbox --disable-gpu --dump-dom "file://$folder/page.html" 2> /dev/null)
  [[ $(grep -o '<path class="curve"[^>]*d="M[^>]*L' <<< "$dom" | wc -l) == 12 ]] || wrong 'not two curves of six columns'
  grep -q 'Optimization / Volume fraction</td>' <<< "$dom" || wrong 'no entry of the deck'
}

# A run that a signal stopped has its results.
case_an_interrupted_run_can_be_compared() {
  deck long 'set Backend = cpu' 'subsection Optimization' '  set Stopping tolerance = 1e-30' '  set Maximum iterations = 100000' 'end'
  local pid
  "$strut" long.prm > /dev/null 2>&1 &
  pid=$!
  until [[ -s output/long/history.csv ]]; do sleep 0.1; done
  kill -USR1 $pid
  wait $pid || true
  must_run long.prm --output output/short --set 'Optimization / Maximum iterations = 3'
  compare 0 output/long output/short
  must_match '^ ended interrupted iteration limit \*'
}

# Runs that have not ended, that failed, and what is no run.
case_what_is_no_run_is_refused() {
  deck one 'set Backend = cpu' 'subsection Output' '  set Results every = 1' 'end'
  must_run one.prm
  run one.prm --output output/failed --set 'Solver / Maximum iterations = 1'
  compare 1 output/one output/failed
  must_say log 'has not converged'

  "$strut" one.prm --output output/killed --set 'Optimization / Stopping tolerance = 1e-30' \
    --set 'Optimization / Maximum iterations = 100000' > /dev/null 2>&1 &
  local pid=$!
  until [[ -s output/killed/history.csv ]]; do sleep 0.1; done
  kill -KILL $pid
  wait $pid 2> /dev/null || true
  compare 1 output/killed output/one
  must_say log "The run 'output/killed' has not ended"
  must_say log 'strut --resume one.prm'

  compare 1 output/one output/none
  must_say log "There is no folder 'output/none'"
  must_say log 'output/one'
  compare 1 output/one one.prm
  compare 1 output/one meshes
  must_say log 'has no summary.json'
  compare 1 output/one output/one --tolerance -1
  compare 1 output/one output/one --page output/none/page.html
  must_say log "There is no folder 'output/none'"
  compare 1 output/one output/one --output page.html
  must_say log 'does not end in .vtu'
  compare 1 output/one
  cp -r output/one output/cut
  local results=(output/cut/one-0*.vtu)
  truncate -s 3000 "${results[-1]}"
  compare 1 output/one output/cut
  must_say log 'is damaged'
  ! "$mpiexec" -n 2 "$program" output/one output/one > log 2>&1 || wrong 'two ranks compare'
  must_say log 'Start the program without mpirun'
}

run_the_case

# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Runs of strut and their histories: for the run_*_test.sh that source it, after whole_runs.sh and with $strut set.

# run [mpi N] OPTIONS...: exit code in $code, output in NAME.log.
run() {
  local command=("$strut")
  if [[ ${1-} == mpi ]]; then
    command=("$mpiexec" -n "$2" "$strut")
    shift 2
  fi
  code=0
  "${command[@]}" "$@" > log 2>&1 || code=$?
}

must_run() {
  run "$@"
  ((code == 0)) || {
    wrong "exit code $code of: $*"
    cat log
  }
}

n_iterations() {
  tail -n +2 "output/$1/history.csv" | wc -l
}

# same_history A B [TOLERANCE]: same compliances and volumes, relative; without a tolerance the same text, but for the seconds.
same_history() {
  local a=output/$1/history.csv b=output/$2/history.csv
  if [[ ! -s $a || ! -s $b ]]; then
    wrong "no history of $1 or $2"
  elif (($# == 2)); then
    diff <(cut -d, -f1-7,9- "$a") <(cut -d, -f1-7,9- "$b") || wrong "the histories of $1 and $2 differ"
  else
    paste -d, "$a" "$b" | awk -F, -v tolerance="$3" '
      function abs(x) { return x < 0 ? -x : x }
      NR == 1 { next }
      NR == 2 { n = NF / 2 }
      NF != 2 * n || n < 8 { print "line " NR " is in one of them only"; wrong = 1; next }
      abs($2 - $(n + 2)) > tolerance * abs($2) || abs($3 - $(n + 3)) > tolerance { print "iteration " $1 ": " $2 " and " $(n + 2); wrong = 1 }
      END { exit wrong || NR < 2 }' || wrong "the histories of $1 and $2 differ by more than $3"
  fi
}

# same_results A B: the last designs are the same bytes, but for the remarks before the XML, which name the deck.
same_results() {
  local name files=()
  for name in "$@"; do
    files+=("$(find "output/$name" -name '*.vtu' | sort | tail -n 1)")
    [[ -s ${files[-1]} ]] || wrong "no results of $name"
    LC_ALL=C sed '1,/^-->$/d' "${files[-1]}" > "$name.without_remarks"
  done
  [[ -s $1.without_remarks ]] && cmp "$1.without_remarks" "$2.without_remarks" || wrong "the results of $1 and $2 differ"
}

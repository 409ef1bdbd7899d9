#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Runs that other programs drive, and results that strut takes up again.
#
#   run_driven_test.sh STRUT MPIEXEC CASE
#   run_driven_test.sh --list                names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# The design of a result has the compliance that its run had, on any number of ranks, and nearly the same on another mesh.
case_a_result_can_be_analysed() {
  local n found
  deck analysed 'set Backend = cpu' 'subsection Solver' '  set Tolerance = 1e-10' 'end'
  must_run analysed.prm
  local result=(output/analysed/*.vtu) compliance
  compliance=$(tail -n 1 output/analysed/history.csv | cut -d, -f2)
  # near VALUE TOLERANCE
  near() {
    found=$(awk '$1 == "grey" { print $4 }' log)
    awk -v a="$found" -v b="$1" -v tolerance="$2" 'BEGIN { d = a / b - 1; exit !(a > 0 && d * d <= tolerance * tolerance) }' ||
      wrong "compliance $found, not $1"
  }
  for n in 1 2 3; do
    "$mpiexec" -n $n "$program" analysed.prm --analyse "${result[0]}" > log 2>&1 || wrong "the analysis on $n ranks fails"
    near "$compliance" 1e-6
    grep -q '^  solid ' log || wrong 'no solid design'
  done
  "$program" analysed.prm --analyse "${result[0]}" --set 'Mesh / Box / Elements = 24, 8, 8' > log 2>&1 || wrong 'another mesh'
  near "$compliance" 0.3
  ! "$program" analysed.prm --analyse analysed.prm > log 2>&1 || wrong 'a deck is no result'
  must_say log 'analysed.prm cannot be read'
}

# What programs read: lines of JSON on standard output with the numbers of history.csv, the log on standard error; facts of a
# deck, of a refused one too.
case_programs_can_follow() {
  deck followed 'set Backend = cpu'
  local n
  for n in 1 2; do
    "$mpiexec" -n $n "$program" followed.prm --progress json > lines 2> log || wrong "the run on $n ranks fails"
    must_say log 'Results in output/followed'
    python3 - << 'CHECK' || wrong "the lines of $n ranks"
import csv, json
events = [json.loads(line) for line in open("lines")]
rows = list(csv.DictReader(open("output/followed/history.csv")))
designs = events[1:-1]
assert [e["event"] for e in events] == ["begin"] + len(rows) * ["design"] + ["end"], events
assert events[0]["elements"] == 192 and events[-1]["exit code"] == 0 and events[-1]["error"] is None
for design, row in zip(designs, rows):
    assert design["iteration"] == int(row["iteration"]) and design["objective"] == float(row[events[0]["objective"]])
CHECK
  done
  ! "$program" followed.prm --progress json --set 'Solver / Maximum iterations = 1' > lines 2> log || wrong 'a solve that fails does not'
  must_say log 'has not converged'
  tail -n 1 lines | python3 -c 'import json; e = json.load(open(0)); assert e["status"] == "failed" and "converged" in e["error"] and e["exit code"] == 1' ||
    wrong 'the last line of a failed run'

  "$program" --validate --json followed.prm > facts 2> log || wrong 'the facts of a deck'
  must_say log 'The deck is valid'
  python3 -c 'import json; f = json.load(open("facts")); assert f["valid"] and f["mesh"]["elements"] == 192 and f["memory in bytes"]["cpu"]["host"] > 1e5 and len(f["mesh"]["boundary ids"]) == 6' ||
    wrong 'facts are missing'
  ! "$program" --validate --json followed.prm --set 'Precision = none' > facts 2> log || wrong 'a wrong entry is valid'
  python3 -c 'import json; f = json.load(open("facts")); assert not f["valid"] and "Precision" in f["error"]' || wrong 'why a deck is refused'
}

run_the_case

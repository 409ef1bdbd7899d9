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
  python3 -c 'import json; f = json.load(open("facts")); assert f["valid"] and f["mesh"]["elements"] == 192 and f["memory in bytes"]["cpu"]["host"] > 1e5 and abs(sum(f["memory in bytes"]["cpu"]["parts"].values()) / f["memory in bytes"]["cpu"]["host"] - 1) < 1e-3 and len(f["mesh"]["boundary ids"]) == 6' ||
    wrong 'facts are missing'
  ! "$program" --validate --json followed.prm --set 'Precision = none' > facts 2> log || wrong 'a wrong entry is valid'
  python3 -c 'import json; f = json.load(open("facts")); assert not f["valid"] and "Precision" in f["error"]' || wrong 'why a deck is refused'
}

# A picture and a file of the problem, and of the place where something is wrong, on any number of ranks.
case_pictures_show_problems_and_faults() {
  local n name
  is_png() {
    [[ $(head -c 8 "$1" | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || wrong "$1 is no PNG"
  }
  deck shown 'set Backend = cpu' 'subsection Non-design regions' '  subsection the core' '    set Expression = x < 2' '  end' 'end'
  for n in 1 2; do
    rm -rf output
    "$mpiexec" -n $n "$program" --validate shown.prm > log 2>&1 || wrong "validation on $n ranks"
    must_say log 'light: to design; dark: solid; green spots: held in x, y and z; red arrows: loads'
    is_png output/shown/shown-problem.png
    for name in region_the_core support_wall nodal_force_1 design_flag prescribed_displacement; do
      grep -aq "Name=\"$name\"" output/shown/shown-problem.vtu || wrong "no array $name on $n ranks"
    done
    grep -aq 'NumberOfPoints="325" NumberOfCells="192"' output/shown/shown-problem.vtu || wrong "the mesh of $n ranks"
    ! "$mpiexec" -n $n "$program" shown.prm --set 'Solver / Maximum iterations = 1' > log 2>&1 || wrong 'the solve does not fail'
    must_say log 'where it is: output/shown/shown-where.png'
    is_png output/shown/shown-where.png
    "$mpiexec" -n $n "$program" shown.prm > log 2>&1 || wrong "the run on $n ranks"
    [[ ! -e output/shown/shown-where.png ]] || wrong 'the place of an earlier failure stays'
  done
  # where nothing can be written, a deck is as valid as before
  rm -rf output
  touch output
  "$program" --validate shown.prm > log 2>&1 || wrong 'no folder, no validation'
  must_say log 'NOTE: no file and no picture'
}

# What is measured on the last design.
case_summaries_have_measured_values() {
  deck measured 'set Backend = cpu'
  local n
  for n in 1 2 3; do
    "$mpiexec" -n $n "$program" measured.prm > log 2>&1 || wrong "the run on $n ranks fails"
    "$program" measured.prm --analyse output/measured/measured-0*.vtu > analysis 2>&1 || wrong 'the analysis fails'
    python3 - << 'CHECK' || wrong "measured values on $n ranks"
import json
run = json.load(open("output/measured/summary.json"))
case, surface = run["load cases"][0], run["surface"]
grey = next(line.split() for line in open("analysis") if line.startswith("  grey"))
assert abs(case["largest von Mises stress"] / float(grey[4]) - 1) < 1e-3, (case, grey)
assert abs(case["largest displacement"] / float(grey[5]) - 1) < 1e-3, (case, grey)
assert surface["closed"] and 0.2 < surface["thinnest wall"]["least"] <= surface["thinnest wall"]["one per cent is thinner than"] < 4, surface
CHECK
  done
}

# A run begins where another one ended, on its mesh or on another, with the volume that is asked for.
case_a_run_begins_with_the_design_of_another() {
  local n
  deck before 'set Backend = cpu' 'subsection Solver' '  set Tolerance = 1e-10' 'end'
  must_run before.prm
  local result=(output/before/before-0*.vtu) compliance
  compliance=$(tail -n 1 output/before/history.csv | cut -d, -f2)
  # first ENTRY...: runs a few designs, and prints compliance and volume of the first one
  first() {
    local options=() entry
    for entry in "$@" "Optimization / Initial design = ${result[0]}" 'Optimization / Maximum iterations = 3'; do
      options+=(--set "$entry")
    done
    "$mpiexec" -n $n "$program" before.prm "${options[@]}" --output output/after > log 2>&1 || wrong "the run on $n ranks fails"
    must_say log "initial design: ${result[0]}, volume fraction"
    sed -n 2p output/after/history.csv | cut -d, -f2,3
  }
  # near A B TOLERANCE
  near() {
    awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN { exit !(a / b - 1 <= tolerance && b / a - 1 <= tolerance) }' || wrong "$1 is not $2"
  }
  local found
  for n in 1 2 3; do
    found=$(first)
    near "${found%,*}" "$compliance" 1e-5 # results are in single precision
    near "${found#*,}" 0.4 1e-6
    found=$(first 'Mesh / Box / Elements = 18, 6, 6')
    near "${found%,*}" "$compliance" 0.35
    near "${found#*,}" 0.4 1e-6
    found=$(first 'Optimization / Volume fraction = 0.3' 'Optimization / Filter = density')
    near "${found#*,}" 0.3 1e-6
  done
  ! "$program" before.prm --set "Optimization / Initial design = ${result[0]}" > log 2>&1 || wrong 'a run may replace its first design'
  must_say log 'is in the output directory, whose results this run replaces'
  ! "$program" before.prm --set "Optimization / Initial design = ${result[0]}" --set 'Optimization / Method = beso' --output output/after > log 2>&1 ||
    wrong 'beso begins with any design'
  must_say log "The method 'beso' begins with a design of its own"
  ! "$program" before.prm --set 'Optimization / Initial design = none.vtu' --output output/after > log 2>&1 || wrong 'a missing file'
  must_say log 'there is no such file; tried "none.vtu" from the working directory'
  ! "$program" before.prm --set 'Optimization / Initial design = before.prm' --output output/after > log 2>&1 || wrong 'a deck is no result'
  must_say log 'before.prm cannot be read'
}

# The best design is kept where it is not the last: after a stop, a resume and a failure, too. Its file has its objective.
case_the_best_design_is_kept() {
  local n
  deck best 'set Backend = cpu' 'subsection Optimization' '  set Update = mma' '  set Filter = density' '  set Move limit = 1' \
    '  set Stopping criterion = none' '  set Maximum iterations = 54' 'end' 'subsection Output' '  set Best design = true' 'end' \
    'subsection Solver' '  set Tolerance = 1e-10' 'end'
  # is_best: the least compliance of history.csv is that of "best" and of its file
  is_best() {
    python3 - << 'CHECK' > best-file || wrong "the best design: $1"
import csv, json
best = json.load(open("output/best/summary.json"))["best"]
rows = [r for r in csv.DictReader(open("output/best/history.csv")) if float(r["volume_fraction"]) <= 0.4 * 1.001]
least = min(rows, key=lambda r: float(r["compliance"]))
assert best["iteration"] == int(least["iteration"]) and best["objective"] == float(least["compliance"]), (best, least)
print("output/best/" + best["file"], best["objective"])
CHECK
    local file objective found
    read -r file objective < best-file
    "$program" best.prm --analyse "$file" > log 2>&1 || wrong "the analysis of $file: $1"
    found=$(awk '$1 == "grey" { print $4 }' log)
    awk -v a="$found" -v b="$objective" 'BEGIN { d = a / b - 1; exit !(a > 0 && d * d < 1e-10) }' || wrong "$file has $found, not $objective: $1"
  }
  for n in 1 2; do
    "$mpiexec" -n $n "$program" best.prm > log 2>&1 || wrong "the run on $n ranks fails"
    is_best "$n ranks"
  done
  must_run best.prm --resume --set 'Optimization / Maximum iterations = 57'
  is_best 'resumed'
  ! "$program" best.prm --set 'Solver / Maximum iterations = 30' > log 2>&1 || return 0 # no solve failed
  [[ -e output/best/best.pvd ]] && is_best 'failed'
  ! "$program" best.prm --set 'Optimization / Method = beso' > log 2>&1 || wrong 'an evolution keeps a best design'
}

run_the_case

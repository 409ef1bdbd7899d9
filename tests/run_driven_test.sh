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

# Void regions have their density's stiffness in the analysis as in the run, also under a force on the void, however small it is.
# A force that the solid design leaves hanging in void is a NOTE.
case_void_regions_are_analysed_as_in_the_run() {
  local interpolation least compliance found
  deck hollow 'set Backend = cpu' 'subsection Loads' '  subsection weight' '    set Expression = everywhere' '    set Type = body force' \
    '    set Value = 0, 0, -0.001' '  end' 'end' 'subsection Non-design regions' '  subsection hole' \
    '    set Expression = abs(x - xmax / 2) < xmax / 6 && z < zmax / 2' '    set Density = void' '  end' '  subsection rim' \
    '    set Expression = z > zmax - 0.6' '  end' 'end' 'subsection Optimization' '  set Maximum iterations = 6' 'end' \
    'subsection Solver' '  set Tolerance = 1e-10' 'end'
  for interpolation in simp 'modified simp'; do
    for least in 0.01 5e-4; do
      must_run hollow.prm --set "Optimization / Interpolation = $interpolation" --set "Optimization / Minimum density = $least"
      local result=(output/hollow/*.vtu)
      compliance=$(tail -n 1 output/hollow/history.csv | cut -d, -f2)
      "$program" hollow.prm --set "Optimization / Interpolation = $interpolation" --set "Optimization / Minimum density = $least" \
        --analyse "${result[-1]}" > log 2>&1 || wrong 'the analysis fails'
      found=$(awk '$1 == "grey" { print $4 }' log)
      awk -v a="$found" -v b="$compliance" 'BEGIN { d = a / b - 1; exit !(a > 0 && d * d < 4e-12) }' ||
        wrong "$interpolation, $least: compliance $found, not $compliance"
      must_say log '% of the forces act on nodes without solid elements, so its row '
    done
  done
}

# Far from the origin a run has results, surfaces, parts and a log with places that are told apart, which strut takes up again.
case_results_far_from_the_origin_are_those_of_the_run() {
  local n compliance found
  python3 - << 'MESH' > far.msh
nx, ny, nz, h = 12, 3, 4, 0.3
node = lambda i, j, k: 1 + i + (nx + 1) * (j + (ny + 1) * k)
print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"wall\"\n2 2 \"pull\"\n3 100 \"body\"\n$EndPhysicalNames\n$Nodes")
print((nx + 1) * (ny + 1) * (nz + 1))
for k in range(nz + 1):
    for j in range(ny + 1):
        for i in range(nx + 1):
            print(node(i, j, k), *map(repr, (615850 + h * i, 5846925 + h * j, 758 + h * k)))
faces = [(group, [node(i, j, k), node(i, j + 1, k), node(i, j + 1, k + 1), node(i, j, k + 1)])
         for group, i in ((1, 0), (2, nx)) for j in range(ny) for k in range(nz)]
cells = [[node(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
         for i in range(nx) for j in range(ny) for k in range(nz)]
print("$EndNodes\n$Elements")
print(len(faces) + len(cells))
for number, (group, corners) in enumerate(faces, 1):
    print(number, 3, 2, group, group, *corners)
for number, corners in enumerate(cells, 1 + len(faces)):
    print(number, 5, 2, 100, 100, *corners)
print("$EndElements")
MESH
  printf '%s\n' 'set Backend = cpu' 'subsection Mesh' '  set Type = file' '  subsection File' '    set File name = far.msh' '  end' 'end' \
    'subsection Supports' '  subsection wall' '    set Boundary ids = wall' '  end' 'end' 'subsection Loads' '  subsection pull' \
    '    set Boundary ids = pull' '    set Type = total force' '    set Value = 0, 0, -1' '  end' 'end' 'subsection Optimization' \
    '  set Volume fraction = 0.75' '  set Maximum iterations = 12' '  set Filter radius = 0.3' 'end' 'subsection Solver' \
    '  set Tolerance = 1e-10' 'end' 'subsection Output' '  set Surface = true' 'end' 'subsection Export' '  set Formats = stl, ply, 3mf, obj' \
    'end' > far.prm
  for n in 1 2; do
    rm -rf output
    "$mpiexec" -n $n "$program" far.prm > log 2>&1 || wrong "the run on $n ranks fails"
    must_say log '[615850, 615850] x [5846925, 5846925.9] x [758, 759.2]  wall'
    must_say log '[615853.6, 615853.6] x [5846925, 5846925.9] x [758, 759.2]  pull'
    must_say log '; h = 0.3 is the cube root'
    must_say log 'their places count from (615852 5846925 759)'
    must_say log 'places count from (615852, 5846925, 759) of the deck'
    python3 - << 'CHECK' || wrong "the surfaces of $n ranks"
import collections, glob, json, struct
summary = json.load(open("output/far/summary.json"))
assert summary["surface"]["closed"] and not summary["part"]["warnings"], summary
assert any("places count from" in note for note in summary["notes"])
def volume_of(file):
    data = open(file, "rb").read()
    edges, volume = collections.Counter(), 0
    for t in range(struct.unpack_from("<I", data, 80)[0]):
        p = [struct.unpack_from("<3f", data, 84 + 50 * t + 12 * (1 + i)) for i in range(3)]
        assert len(set(p)) == 3
        edges.update((p[i], p[(i + 1) % 3]) for i in range(3))
        (a, b, c), (d, e, f), (g, h, i) = p
        volume += (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)) / 6
    assert edges and all(m == 1 and edges[b, a] == 1 for (a, b), m in edges.items()), file
    return volume
assert abs(volume_of("output/far/far-part.stl") / summary["part"]["volume"] - 1) < 1e-4
assert abs(volume_of(sorted(glob.glob("output/far/far-0*.stl"))[-1]) / summary["part"]["volume of the design"] - 1) < 2e-3
CHECK
    compliance=$(tail -n 1 output/far/history.csv | cut -d, -f2)
    "$program" far.prm --analyse output/far/far-0012.vtu > log 2>&1 || wrong 'the analysis fails'
    found=$(awk '$1 == "grey" { print $4 }' log)
    awk -v a="$found" -v b="$compliance" 'BEGIN { d = a / b - 1; exit !(a > 0 && d * d < 1e-12) }' || wrong "compliance $found, not $compliance"
  done
  cp -r output/far first
  "${program%/*}/strut-export" first/far-0012.vtu --output again.stl > log 2>&1 || wrong 'strut-export fails'
  must_say log 'again.stl: closed'
  must_run far.prm --set 'Optimization / Initial design = first/far-0012.vtu' --set 'Optimization / Maximum iterations = 1'
  ! grep -q 'are outside' log || wrong 'a part of the initial design is not found'
  "${program%/*}/strut-compare-runs" first first > log 2>&1 || wrong 'strut-compare-runs fails'
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

# A page and a file of the problem, and of the place where something is wrong, on any number of ranks.
case_pages_show_problems_and_faults() {
  local n name
  # shows PAGE PATTERN: its surfaces with their kinds and numbers of triangles, its supports and its loads
  shows() {
    local text
    text=$(python3 - "$1" << 'PAGE'
import base64, json, re, sys
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
part, of = data["part"], lambda s: f"{s['name']} {s['nodes']}"
print("; ".join([f"{s['name']} ({s['kind']}) {len(base64.b64decode(s['corners'])) * 8 // (3 * s['bits'])}" for s in data["surfaces"]] +
                [of(s) for s in part["supports"] + part["names"]] + [f"loads {load['name']}" for load in part["loads"] if load["arrows"]]))
PAGE
    ) || wrong "$1 is no page"
    # shellcheck disable=SC2053
    [[ $text == $2 ]] || wrong "$1 shows $text"
  }
  deck shown 'set Backend = cpu' 'subsection Non-design regions' '  subsection the core' '    set Expression = x < 2' '  end' 'end'
  for n in 1 2; do
    rm -rf output
    "$mpiexec" -n $n "$program" --validate shown.prm > log 2>&1 || wrong "validation on $n ranks"
    must_say log 'to look at: output/shown/shown-problem.html, in a browser'
    shows output/shown/shown-problem.html 'to design (design) 352; solid: the core (solid) 96; held in x, y and z 25; support wall 25; loads 1'
    for name in region_the_core support_wall nodal_force_1 design_flag prescribed_displacement; do
      grep -aq "Name=\"$name\"" output/shown/shown-problem.vtu || wrong "no array $name on $n ranks"
    done
    grep -aq 'NumberOfPoints="325" NumberOfCells="192"' output/shown/shown-problem.vtu || wrong "the mesh of $n ranks"
    ! "$mpiexec" -n $n "$program" shown.prm --set 'Solver / Maximum iterations = 1' > log 2>&1 || wrong 'the solve does not fail'
    must_say log 'where it is: output/shown/shown-where.html'
    shows output/shown/shown-where.html 'the place (faulty) [1-9]*; the other elements (others) [1-9]*'
    "$mpiexec" -n $n "$program" shown.prm > log 2>&1 || wrong "the run on $n ranks"
    [[ ! -e output/shown/shown-where.html ]] || wrong 'the place of an earlier failure stays'
  done
  # where nothing can be written, a deck is as valid as before
  rm -rf output
  touch output
  "$program" --validate shown.prm > log 2>&1 || wrong 'no folder, no validation'
  must_say log 'NOTE: no file and no page'
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
for name, value in zip(("largest von Mises stress at corners", "largest von Mises stress at centres", "largest displacement"), grey[4:]):
    assert abs(case[name] / float(value) - 1) < 1e-3, (case, grey)
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

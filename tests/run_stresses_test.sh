#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Stresses at nodes, safety factors and named points, in whole runs: NAFEMS' benchmarks, and what the log, summary.json and
# results say of a design.
#
#   run_stresses_test.sh STRUT MPIEXEC CASE
#   run_stresses_test.sh --list           names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# has_stress POINT COMPONENT TARGET PERCENT: in the log.
has_stress() {
  local found
  found=$(sed -n "s/^Point '$1' .* $2 \([-+.e0-9]*\).*/\1/p" log)
  echo "$2 at $1: $found of $3"
  awk -v found="$found" -v target="$3" -v percent="$4" \
    'BEGIN { d = found / target - 1; exit !(found != "" && d < percent / 100 && d > -percent / 100) }' ||
    wrong "the stress $2 at $1 is '$found', and not within $4 % of $3"
}

# benchmark NAME TYPE N: the solid body of a benchmark.
benchmark() {
  python3 "$here/../doc/scripts/nafems.py" "$1" "$2" "$3"
  must_run --validate --solid "$1.prm"
}

case_le10_hex20() {
  benchmark le10 hex20 4
  has_stress D yy -5.38 2
}

case_le10_hex27() {
  benchmark le10 hex27 4
  has_stress D yy -5.38 2
}

case_le10_tet10() {
  benchmark le10 tet10 4
  has_stress D yy -5.38 2
}

case_le11_hex20() {
  benchmark le11 hex20 3
  has_stress A zz -105 2
}

case_le11_hex27() {
  benchmark le11 hex27 3
  has_stress A zz -105 2
}

case_le11_tet10() {
  benchmark le11 tet10 3
  has_stress A zz -105 2
}

wanted='subsection Optimization
  set Volume fraction = 0.7
end
subsection Material
  set Strength = 50
end
subsection Output
  set Nodal stress = true
  set Points       = tip: 12, 2, 2; far: 6, 4, 4
end'

# The values of the summary, in nodes-N; they agree with each other.
summary_check='import json, sys
case = json.load(open("output/wanted/summary.json"))["load cases"][0]
nodes = {name: value["value"] for name, value in case["at nodes"].items()}
largest = nodes["largest von Mises stress"]
assert 0.5 < largest / case["largest von Mises stress at corners"] < 1.5
assert abs(nodes["least safety factor"] * largest / 50 - 1) < 1e-12
assert nodes["least principal stress"] < 0 < nodes["largest principal stress"]
assert [point["name"] for point in case["points"]] == ["far", "tip"]
assert len(case["points"][1]["displacement"]) == 3
print(*nodes.values(), file=open("nodes-" + sys.argv[1], "w"))'

# Log, summary and results of a run agree, on one rank and on several; and --analyse says it of the grey design.
case_designs_have_stresses_at_nodes() {
  local n lines field
  deck wanted "$wanted"
  for n in 1 3; do
    must_run mpi $n --set "Optimization / Maximum iterations = 12" wanted.prm
    must_say log 'Stresses at nodes: von Mises up to '
    must_say log 'Least safety factor, strength over von Mises stress: '
    must_say log "Point 'tip' at (12, 2, 2): displacement ("
    lines=$(grep -c "^Point '" log)
    ((lines == 2)) || wrong "$lines points and not 2"
    python3 -c "$summary_check" $n || wrong "summary.json on $n ranks"
  done
  paste nodes-1 nodes-3 | awk '{ for (i = 1; i <= NF / 2; ++i) if (($i - $(i + NF / 2))^2 > 1e-10 * $i^2) exit 1 }' ||
    wrong "one rank and three have other stresses: $(cat nodes-1 nodes-3)"
  for field in stress_at_nodes principal_stresses von_mises_at_nodes; do
    grep -qa "Name=\"$field\"" output/wanted/wanted-0012.vtu || wrong "the result has no $field"
  done
  must_run --analyse output/wanted/wanted-0012.vtu wanted.prm
  must_say log ", grey, load case '1'"
  must_say log ", solid, load case '1'"
  deck plain
  must_run --set "Optimization / Maximum iterations = 2" --set "Optimization / Volume fraction = 0.7" plain.prm
  if grep -qa 'Name="stress_at_nodes"' output/plain/plain-0002.vtu; then
    wrong 'a result has stresses at nodes without the entry'
  fi
}

case_what_does_not_go_together_is_refused() {
  deck wanted "$wanted"
  run --set 'Output / Fields = density' wanted.prm
  must_say log "With 'Fields = density' results have densities alone, and no stress."
  run --validate --set 'Output / Points = far: 12, 2, 5' wanted.prm
  ((code == 1)) || wrong "exit code $code of a point outside of the mesh"
  must_say log "The point 'far' at (12, 2, 5) is outside of the mesh. The nearest node is at (12, 2, 4)."
  run --validate --set 'Output / Points = far' wanted.prm
  ((code == 1)) || wrong "exit code $code of a point without a place"
}

run_the_case

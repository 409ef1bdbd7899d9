#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs of strut-assemble on small decks.
#
#   run_assembly_test.sh STRUT_ASSEMBLE MPIEXEC CASE
#   run_assembly_test.sh --list                names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder with copies of the decks and links to meshes, and
# prints what is wrong.
base=assembly
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
assemble=$program

# run OPTIONS...: must succeed; output in log.
run() {
  code=0
  "$assemble" "$@" > log 2>&1 || code=$?
  ((code == 0)) || wrong "exit code $code: $(cat log)"
}

# compliances NAME: of all its solves
compliances() {
  awk -F, '/^#/ { next } !at { for (i = 1; i <= NF; ++i) if ($i == "compliance") at = i; next } { print $at }' "output/$1/$1.solve.csv"
}

# rows FILE CONDITION: how many lines fulfil an awk condition over the columns by name, as in c["stage"] == "3 values".
rows() {
  grep -v '^#' "$1" | awk -F, "NR == 1 { for (i = 1; i <= NF; ++i) at[\$i] = i; n_columns = NF; next }
    { for (name in at) c[name] = \$at[name]; if (NF != n_columns) print \"another number of columns: \" \$0 }
    $2 { ++n } END { print n + 0 }"
}

# expect FILE CONDITION NUMBER
expect() {
  local found
  found=$(rows "$1" "$2")
  [[ $found == "$3" ]] || {
    wrong "$found lines of $1, not $3, fulfil: $2"
    cat "$1"
  }
}

# Sums over cells less interior faces plus interior edges less interior vertices, of the squares of the numbers of nodes, are
# the pairs of neighbours; 9 non-zeros each.
case_counts_of_a_box() {
  deck box 'subsection Assembly' '  set Element types = hex8, hex20, hex20-14, hex27, tet4, tet10' '  set Libraries =' 'end'
  run box.prm
  local out=output/box/box.assembly.csv counts
  while read -r counts; do
    expect $out "c[\"element\"] \",\" c[\"elements\"] \",\" c[\"nodes\"] \",\" c[\"dofs\"] \",\" c[\"nonzeros\"] == \"$counts\" &&
      c[\"step\"] == \"all\" && c[\"status\"] == \"ok\"" 34
  done << 'COUNTS'
hex8,24,60,180,8190
hex20,24,193,579,62199
hex20-14,24,193,579,62199
hex27,24,315,945,126225
tet4,576,158,474,16488
tet10,576,995,2985,220905
COUNTS
  # 1 stage 1, 3 formats; 3 formats x 2 precisions x 3 methods, two of which have matrices of elements to prepare
  expect $out 'c["stage"] == "1 neighbours" && c["step"] == "all"' 6
  expect $out 'c["stage"] == "2 indices"' 18
  expect $out 'c["stage"] == "3 preparation"' 72
  expect $out 'c["stage"] == "3 values" && c["status"] == "ok"' 108
  # bytes of COO, CSR and ELL in double; the longest row has 27 neighbours
  expect output/box/box.memory.csv 'c["element"] == "hex8" && c["format"] == "COO" && c["precision"] == "double" &&
    c["estimated_bytes"] == 8190 * 16' 1
  expect output/box/box.memory.csv 'c["element"] == "hex8" && c["format"] == "CSR" && c["precision"] == "float" &&
    c["estimated_bytes"] == 8190 * 8 + 181 * 8' 1
  expect output/box/box.memory.csv 'c["element"] == "hex8" && c["format"] == "ELL" && c["precision"] == "double" &&
    c["longest_row"] == 81 && c["estimated_bytes"] == 180 * 81 * 12' 1
  expect output/box/box.memory.csv 'c["estimated_bytes"] == c["measured_bytes"]' 36
  must_say output/box/box.assembly.md '| element'
}

# The values have the norm of those that deal.II and Trilinos assemble, on one thread and on two.
case_libraries_give_the_same_matrix() {
  deck all 'set Threads = 1, 2' 'subsection Assembly' '  set Element types = hex8, hex27, tet4, tet10, hex20' \
    '  set Libraries = deal.II, Trilinos' '  set Runs = 2' 'end'
  run all.prm --output tables
  expect tables/all.assembly.csv 'c["method"] == "deal.II" && c["stage"] == "3 values" && c["status"] == "ok"' 8
  expect tables/all.assembly.csv 'c["method"] == "Trilinos" && c["stage"] == "3 values" && c["status"] == "ok"' 4
  expect tables/all.assembly.csv 'c["status"] !~ /^(ok|refused)/' 0
  # no serendipity element, and one thread; SharedNZ in two precisions
  expect tables/all.assembly.csv 'c["method"] == "deal.II" && c["status"] ~ /^refused/ && c["element"] == "hex20"' 2
  expect tables/all.assembly.csv 'c["method"] == "Trilinos" && c["status"] ~ /^refused/' 6
  expect tables/all.assembly.csv 'c["method"] == "SharedNZ" && c["status"] ~ /^refused/' 20
  expect tables/all.assembly.csv 'c["status"] ~ /^refused/' 28
  expect tables/all.assembly.csv 'c["step"] == "all" && c["status"] == "ok" && c["runs"] != 2' 0
  expect tables/all.assembly.csv 'c["step"] == "all" && c["status"] == "ok" && (c["min_s"] > c["median_s"] || c["median_s"] > c["max_s"])' 0
}

# Every generator; curved cells cut into tetrahedra; a file of tetrahedra.
case_meshes() {
  local types='set Element types = hex8, hex20, tet4, tet10'
  deck cylinder 'subsection Mesh' '  set Type = hollow cylinder' '  subsection Hollow cylinder' '    set Elements radial = 2' \
    '    set Elements circumferential = 16' '    set Elements axial = 2' '  end' 'end' 'subsection Assembly' "  $types" 'end'
  run cylinder.prm
  # 3 x 16 x 3 nodes; each hexahedron becomes 24 tetrahedra
  expect output/cylinder/cylinder.assembly.csv 'c["element"] == "hex8" && c["nodes"] == 144 && c["stage"] == "1 neighbours" && c["step"] == "all"' 1
  expect output/cylinder/cylinder.assembly.csv 'c["element"] == "tet10" && c["elements"] == 64 * 24 && c["stage"] == "1 neighbours" && c["step"] == "all"' 1
  deck rod 'subsection Mesh' '  set Type = connecting rod' '  subsection Connecting rod' '    set Elements across = 8' \
    '    set Elements upper ring = 1' '    set Elements upper field = 3' '    set Elements lower ring = 1' \
    '    set Elements lower field = 3' '    set Elements between = 3' '    set Layers = 1' '  end' 'end' \
    'subsection Assembly' "  $types" 'end'
  run rod.prm
  deck gmsh 'subsection Mesh' '  set Type = file' '  subsection File' '    set File name = meshes/tetrahedra.msh' '  end' 'end' \
    'subsection Assembly' '  set Element types = tet4, tet10' 'end'
  run gmsh.prm
  expect output/gmsh/gmsh.assembly.csv 'c["elements"] == 36 && c["stage"] == "1 neighbours" && c["step"] == "all"' 2
}

# deal.II solves with its own matrix and forces: the same displacements, in every format; the share of generation is told.
# On curved lines deal.II's tet10 has another shape: the rod's tet10 is left out.
case_solutions_are_those_of_deal_ii() {
  local solve='subsection Solve
  set Solve             = true
  set Fixed boundaries  = 6
  set Loaded boundaries = 7
  set Force             = 0.3, 1, -0.2
  set Tolerance         = 1e-11
end'
  deck rod 'subsection Mesh' '  set Type = connecting rod' '  subsection Connecting rod' '    set Elements across = 8' \
    '    set Elements upper ring = 1' '    set Elements upper field = 3' '    set Elements lower ring = 1' \
    '    set Elements lower field = 3' '    set Elements between = 3' '    set Layers = 1' '  end' 'end' \
    'subsection Assembly' '  set Element types = hex8, hex20, tet4' 'end' "$solve"
  run rod.prm
  deck box 'subsection Assembly' '  set Element types = hex8, hex27, tet4, tet10' 'end' \
    "$(sed 's/boundaries  = 6/boundaries  = 0/; s/boundaries = 7/boundaries = 1/' <<< "$solve")"
  run box.prm
  local name
  for name in rod box; do
    expect output/$name/$name.solve.csv 'c["format"] == "deal.II" && c["status"] == "ok"' "$([[ $name == rod ]] && echo 2 || echo 4)"
    expect output/$name/$name.solve.csv 'c["format"] != "deal.II" && c["element"] != "hex20" &&
      c["difference_from_deal_ii"] >= 0 && c["difference_from_deal_ii"] < 1e-8' "$([[ $name == rod ]] && echo 6 || echo 12)"
    expect output/$name/$name.solve.csv 'c["percent_of_generation"] > 0 && c["percent_of_generation"] < 100' \
      "$([[ $name == rod ]] && echo 11 || echo 16)"
    [[ -s output/$name/$name.hex8.cpu.vtk ]] || wrong "no displacement of $name"
  done
}

# Boundaries by the names of the mesh file are those by its numbers; a name that is not there is refused.
case_boundaries_have_names() {
  local of_file='subsection Mesh
  set Type = file
  subsection File
    set File name = meshes/box-msh41.msh
  end
end
subsection Assembly
  set Element types = hex8
end
subsection Solve
  set Solve             = true
  set Fixed boundaries  = %s
  set Loaded boundaries = %s
end'
  # shellcheck disable=SC2059
  deck numbers "$(printf "$of_file" 1 2)"
  # shellcheck disable=SC2059
  deck names "$(printf "$of_file" left right)"
  run numbers.prm
  run names.prm
  [[ $(compliances numbers) == "$(compliances names)" ]] || wrong 'other compliances by names'
  # shellcheck disable=SC2059
  deck wrong "$(printf "$of_file" lef right)"
  if "$assemble" wrong.prm > log 2>&1; then
    wrong 'a name that is not there is taken'
  fi
  grep -q "no boundary of the name 'lef'" log || wrong "$(cat log)"
}

# The decks that come along, but for their sizes.
case_decks_of_the_study() {
  local deck
  for deck in box hollow-cylinder connecting-rod; do
    cat > small.prm << DECK
include $here/../prm/assembly/$deck.prm
set Backends = cpu
subsection Mesh
  subsection Box
    set Elements = 2, 2, 2
  end
  subsection Hollow cylinder
    set Elements radial = 1
    set Elements circumferential = 8
    set Elements axial = 1
  end
  subsection Connecting rod
    set Elements across      = 8
    set Elements upper ring  = 1
    set Elements upper field = 3
    set Elements lower ring  = 1
    set Elements lower field = 3
    set Elements between     = 3
    set Layers               = 1
  end
end
DECK
    run small.prm
  done
}

case_refuses_ranks() {
  deck box
  code=0
  "$mpiexec" -n 2 "$assemble" box.prm > log 2>&1 || code=$?
  ((code != 0)) || wrong 'it runs on two ranks'
  must_say log 'Matrices are generated on one process, and there are 2.'
  [[ ! -e output ]] || wrong 'something was written'
}

run_the_case

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The rules of the house that a program can check.
#
#   architecture_test.sh [TREE]          check a tree (default: the one this file is in)
#   architecture_test.sh --self-test     break each rule in a small tree, and see that the check notices
#
# Rules: only plugin/ includes deal.II; only cuda/ includes CUDA, Thrust, CUB; a folder includes those of the floors
# below it alone, see the table; a file is in the folder of the interface that it implements; headers that applications
# include need nothing that is not installed, and are few; numbers of nodes come from the type of the elements; texts of the core name no entry of a deck; every file says its licence; no paths of one machine.
set -euo pipefail

cuda_includes='#[[:space:]]*include[[:space:]]*(<cuda/|[<"](cuda[^/]|thrust|cub|cooperative_groups|cusparse|cublas|cusolver|nv/|device_launch|vector_types))'
deal_ii_includes='#[[:space:]]*include[[:space:]]*[<"]deal\.II/'
n_violations=0

# violation RULE FILES: report the files, one per line, if there are any.
violation() {
  [[ -n $2 ]] || return 0
  printf 'VIOLATION: %s\n' "$1"
  printf '%s\n' "$2" | sed 's/^/  /'
  n_violations=$((n_violations + 1))
}

# The project's own files below the named folders: not what was built, not what runs left behind.
files_in() {
  local folder
  for folder in "$@"; do
    folder=./${folder#.}
    [[ ! -e $folder ]] ||
      find "${folder%/}" -type d \( -path './build*' -o -path ./output -o -path ./results -o -path ./.git -o -path ./.gpu \
        -o -name __pycache__ \) -prune -o -type f -print
  done | sed 's|^\./||' | sort
}

code_in() {
  files_in "$@" | grep -E '\.(h|cc|cu|cuh|in)$' || true
}

# matches PATTERN: those of the files named on standard input that have a line like it.
matches() {
  xargs -r -d '\n' grep -lE "$1" -- || true
}

check_includes() {
  violation 'deal.II is included outside plugin/ and tests/plugin/' \
    "$(code_in . | grep -vE '^(tests/)?plugin/' | matches "$deal_ii_includes")"
  violation 'CUDA, Thrust or CUB is included outside cuda/' \
    "$(code_in . | grep -v '^cuda/' | matches "$cuda_includes")"
  violation 'the core includes a file of plugin/' \
    "$(code_in include source cuda | matches '#[[:space:]]*include[[:space:]]*("plugin/|<strut/[a-z_]*\.h>)')"
  violation 'the room of comparisons, without which strut is whole, is included outside of it and of its study' \
    "$(code_in include source cuda plugin | grep -vE '^(source|cuda)/comparison/|^plugin/studies/assembly/' |
      matches '#[[:space:]]*include[[:space:]]*"(source|cuda)/comparison/')"
  violation 'a header that applications include needs one that is not installed' \
    "$(code_in plugin/include | matches '#[[:space:]]*include[[:space:]]*"')"
  violation 'an interface in include/ includes a file of source/ or cuda/' \
    "$(code_in include | matches '#[[:space:]]*include[[:space:]]*"(source|cuda)/')"
}

# Numbers of nodes and degrees of freedom of an element come from its type (source/element/elements.h). Files that have those of a
# hexahedron of eight nodes, and why: patterns, as in `case`, then the reason.
literal_nodes='
source/element/*|source/operators/*|cuda/operators/on_the_fly*|cuda/element/* hex8: its own products, formulations and matrices
source/backend/mass_loops.h|source/backend/nodal_field_loops.h|source/solvers/consistent_mass.*|source/solvers/state/von_mises.cc hex8: kernels of its own, beside those of all other types
source/mesh/identical_elements.*|source/mesh/affine_element.h|source/mesh/patches.*|source/mesh/structured_box.cc|cuda/backend/element_eigenvalue.cu hex8: elements of one shape, patches and bounds
source/mesh/connected_by_faces.cc|source/mesh/node_to_element.cc|source/optimization/maps/* hex8: lattices and equal boxes, and entries of a given length
include/strut/mesh/hierarchy.h|source/mesh/macro_*|source/mesh/transfer_arrays.cc|source/mesh/cell_vertices.h|plugin/element_mesh/* refinement: eight children, and their parents
source/mesh/background_cells.*|source/parallel/*|source/solvers/multigrid/*|source/solvers/coarse/*|source/backend/multigrid_* background cells are boxes
source/backend/galerkin_matrices.cc|cuda/backend/galerkin_*|source/backend/filter_* levels and lattices of boxes
plugin/deck/mesh/*|plugin/deck/problem/*|plugin/base/faulty_elements.h hexahedra of generators and files, before they get a type, and their drawings
plugin/deck/output/*|plugin/deck/run/* surfaces are cut from hexahedra_of_vertices(); bytes of files
plugin/application/* levels of refined meshes, and samples of cells
source/comparison/*|cuda/comparison/*|plugin/studies/*|plugin/examples/* comparisons and examples, of hexahedra alone
cuda/backend/staged_copy.h|plugin/base/json.cc bytes
'
check_literal_nodes() {
  violation 'a file has a number of nodes that does not come from the type of the elements: take it from there, or name the file with its reason' \
    "$(files_with_literal_nodes)"
}
files_with_literal_nodes() {
  local file patterns reason found
  shopt -s extglob
  while read -r file; do
    found=
    while read -r patterns reason; do
      [[ -n $patterns ]] || continue
      if [[ $file == @($patterns) ]]; then found=yes; fi
    done <<< "$literal_nodes"
    [[ -n $found ]] || printf '%s\n' "$file"
  done < <(code_in include source cuda plugin | while read -r file; do
    sed 's|//.*||' "$file" | grep -qE '\[(8|24)\]|< (8|24);|\b24 \* 24\b|\b8 \* (mesh\.)?n_elements' && printf '%s\n' "$file"
  done)
}

# Each public header is a promise to applications and run-time libraries. What they do not need is in a folder of source/ or
# plugin/, and public headers declare its classes without an include.
most_public_headers=60
check_public_headers() {
  local n
  n=$(files_in include plugin/include | grep -c '\.h$' || true)
  ((n <= most_public_headers)) ||
    violation "there are $n public headers, and at most $most_public_headers are allowed: put those that no user needs into source/ or plugin/" \
      "$(files_in include plugin/include | grep '\.h$')"
}

# The floors: each folder, and those above it in this table that it may include: so there are no circles. A folder of include/strut, of source and of cuda is one room:
# so backends (backend, operators) know no algorithm (parallel, solvers, optimization). Folders of plugin/ may
# include the core. A header in plugin/include is on the floor of its body, the file in plugin/ that is called like it, or
# on the floor plugin/include if it has none.
floors='
base:
mesh: base
element/types: base
element: base mesh element/types
design: base mesh
surface: base mesh
backend: base element element/types mesh design
operators: base element element/types mesh backend
parallel: base mesh backend
solvers/constraints: base element element/types mesh backend parallel
solvers: base element element/types mesh backend parallel solvers/constraints
solvers/krylov: base element element/types mesh backend parallel solvers
solvers/coarse: base element element/types mesh backend parallel solvers
solvers/multigrid: base element element/types mesh backend parallel solvers/constraints solvers solvers/krylov solvers/coarse
solvers/eigen: base backend
solvers/state: base element element/types mesh backend parallel solvers/constraints solvers solvers/krylov solvers/eigen
optimization/maps: base element element/types mesh design backend parallel solvers solvers/krylov
optimization/responses: base mesh element element/types design backend parallel solvers solvers/state optimization/maps
optimization/problem: base mesh design backend optimization/responses
optimization/updates: base mesh design backend optimization/maps optimization/problem
optimization: base mesh design backend parallel solvers solvers/krylov solvers/state optimization/maps optimization/responses optimization/problem optimization/updates
comparison/assembly: base element element/types mesh backend
comparison/operators: base element element/types mesh backend operators comparison/assembly
comparison/comparators: base element element/types mesh backend operators comparison/assembly comparison/operators
comparison/solvers: base backend solvers solvers/krylov solvers/state comparison/assembly

plugin/include:
plugin/base: plugin/include
plugin/element_mesh: plugin/include plugin/base
plugin/application: plugin/include plugin/base plugin/element_mesh
plugin/deck/parameters: plugin/include plugin/base
plugin/deck/mesh: plugin/include plugin/base plugin/element_mesh
plugin/deck/model: plugin/include plugin/base plugin/deck/mesh
plugin/deck/problem: plugin/include plugin/base plugin/element_mesh plugin/deck/parameters plugin/deck/mesh
plugin/deck/output: plugin/include plugin/base
plugin/deck/part: plugin/include plugin/base plugin/deck/output
plugin/deck/page: plugin/include plugin/base plugin/deck/output
plugin/deck/run: plugin/include plugin/base plugin/element_mesh plugin/deck/parameters plugin/deck/problem plugin/deck/output plugin/deck/part plugin/deck/page
plugin/studies/comparators: plugin/include plugin/base
plugin/studies/report: plugin/include plugin/base
plugin/studies/comparison: plugin/include plugin/base plugin/deck/parameters plugin/deck/run plugin/studies/comparators plugin/studies/report
plugin/studies/assembly: plugin/include plugin/base plugin/element_mesh plugin/deck/parameters plugin/deck/mesh plugin/deck/problem plugin/deck/run plugin/studies/report
plugin/studies/runs: plugin/include plugin/base plugin/deck/parameters plugin/deck/output plugin/deck/page plugin/studies/report
plugin/programs: plugin/base plugin/deck/parameters plugin/deck/mesh plugin/deck/model plugin/deck/output plugin/deck/part plugin/deck/run plugin/studies/comparators plugin/studies/comparison plugin/studies/report plugin/studies/assembly plugin/studies/runs
'

# Folders that the table allows to include one that is not above them in it, as `folder -> folder`.
unordered_floors() {
  awk -F '[: ]+' '{ for (i = 2; i <= NF; ++i) if ($i != "" && !($i in above)) print $1 " -> " $i; above[$1] = 1 }' <<< "$floors"
}

# Includes that the table does not allow, as `file: folder -> folder`.
climbing_includes() {
  local bodies
  bodies=$(code_in plugin | grep -E '\.cc$' | grep -vE '^plugin/(examples|cmake)/' | tr '\n' ' ')
  code_in include source cuda plugin | grep -vE '^plugin/(examples|cmake)/' |
    xargs -r -d '\n' grep -HoE '#[[:space:]]*include[[:space:]]*["<][^">]+' -- | awk -v floors="$floors" -v bodies="$bodies" '
      # the folder of a file in the table, or nothing
      function room(path) {
        if (path ~ /^plugin\/include\//) {
          name = path
          sub(/.*\//, "", name)
          sub(/\.h$/, "", name)
          if (!(name in body)) name = name "_types" # a list
          if (!(name in body)) return "plugin/include"
          path = body[name]
        }
        if (path !~ /^plugin\//) sub(/^(include\/strut|source|cuda)\//, "", path)
        if (path !~ /\//) return ""
        sub(/\/[^\/]*$/, "", path)
        sub(/^plugin\/deck\/problem\/.*/, "plugin/deck/problem", path)
        return path
      }
      BEGIN {
        n = split(bodies, files, " ")
        for (i = 1; i <= n; ++i) {
          name = files[i]
          sub(/.*\//, "", name)
          sub(/\.cc$/, "", name)
          body[name] = files[i]
        }
        n = split(floors, lines, "\n")
        for (i = 1; i <= n; ++i) {
          if (lines[i] == "") continue
          split(lines[i], parts, ":")
          known[parts[1]] = 1
          m = split(parts[2], below, " ")
          for (k = 1; k <= m; ++k) allowed[parts[1], below[k]] = 1
        }
      }
      {
        file = substr($0, 1, index($0, ":") - 1)
        included = $0
        sub(/^[^"<]*["<]/, "", included)
        if ($0 ~ /include[[:space:]]*</) {
          if (included !~ /^strut\//) next
          included = included ~ /^strut\/[^\/]*$/ ? "plugin/include/" included : "include/" included
        } else if (included !~ /^(plugin|source|cuda)\//) {
          folder = file
          sub(/[^\/]*$/, "", folder)
          included = folder included
          while (included ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", included)
        }
        from = room(file)
        to = room(included)
        if (from == "" || to == "" || from == to) next
        if (!(from in known)) print file ": " from " is not in the table of floors"
        else if (to ~ /^plugin\//) { if (!((from, to) in allowed)) print file ": " from " -> " to }
        else if (from !~ /^plugin\// && !((from, to) in allowed)) print file ": " from " -> " to
      }' | sort -u
}

check_floors() {
  violation 'the table of floors lists a folder below one that may include it' "$(unordered_floors)"
  violation 'a folder includes one that is not below it (the table of floors)' "$(climbing_includes)"
}

# An error of the core is a reason and a Remedy; front ends word it. So no string of the core has `set A = b`, a subsection,
# `'A = b'`, or an entry of two words in quotes, and nothing there throws an EntryError.
check_remedies() {
  local entry="'set |set [A-Z][A-Za-z ]*=|subsection [A-Z]|in subsection|'[A-Z][A-Za-z ]* = |'[A-Z][a-z]+( [a-z]+)+'"
  violation 'a text of the core names an entry of the deck: throw an Error with a Remedy' \
    "$(code_in include source cuda | matches "\"([^\"]*[^[:alnum:]\"])?($entry)")"
  violation 'the core throws an EntryError: throw an Error with a Remedy' \
    "$(code_in source cuda | matches 'EntryError')"
}

check_places() {
  local file folder lost=''
  while IFS= read -r file; do
    folder=${file#source/} folder=${folder#cuda/} folder=${folder#include/strut/}
    grep -q "^${folder%/*}:" <<< "$floors" || lost+="$file"$'\n'
  done < <(code_in include source cuda)
  violation "the same thing has the same place: the core has the rooms of the table of floors" "${lost%$'\n'}"
  violation 'CUDA sources (.cu, .cuh) are in cuda/, and in examples of applications' \
    "$(files_in . | grep -E '\.(cu|cuh)$' | grep -vE '^(cuda|plugin/examples)/' || true)"
}

# Texts with a format of their own (Markdown, licence, meshes) and data need no licence lines.
check_licence() {
  local file unlicensed=''
  while IFS= read -r file; do
    { head -n 5 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0' &&
      head -n 5 "$file" | grep -q 'SPDX-FileCopyrightText: The strut authors'; } || unlicensed+="$file"$'\n'
  done < <(files_in . | grep -E '\.(h|cc|cu|cuh|cmake|sh|py)$|CMakeLists\.txt$|^\.ci/' || true)
  violation 'the first five lines hold SPDX-License-Identifier and SPDX-FileCopyrightText' "${unlicensed%$'\n'}"
}

# /usr/local/cuda is the toolkit's folder by convention; home directories and the like are somebody's.
check_paths() {
  local pattern='(^|[^[:alnum:]_./-])/(root|home|work|Users|mnt|media|scratch|farm|data)/[[:alnum:]._-]'
  violation 'an absolute path of one machine' \
    "$(files_in . | grep -vE '\.(png|msh|inp|vtu|pvd|jpg)$' | grep -v '^tests/architecture_test\.sh$' | matches "$pattern")"
}

check_tree() {
  cd "$1"
  check_includes
  check_public_headers
  check_literal_nodes
  check_floors
  check_remedies
  check_places
  check_licence
  check_paths
  if ((n_violations > 0)); then
    printf '%d rules broken in %s\n' "$n_violations" "$1"
    return 1
  fi
  printf 'the house is in order: %d files\n' "$(files_in . | wc -l)"
}

# breaks NAME EXPECTED: run the commands on standard input in a fresh copy; the check must fail and say EXPECTED.
breaks() {
  local name=$1 expected=$2 commands report
  commands=$(cat)
  rm -rf "$copy/tree"
  cp -r "$copy/sound" "$copy/tree"
  (cd "$copy/tree" && eval "$commands")
  if report=$("$self" "$copy/tree"); then
    printf 'NOT NOTICED: %s\n' "$name"
    n_violations=$((n_violations + 1))
  elif ! grep -qF "$expected" <<< "$report"; then
    printf 'NOT NAMED: %s; expected "%s" in\n%s\n' "$name" "$expected" "$report"
    n_violations=$((n_violations + 1))
  else
    printf 'noticed: %s\n' "$name"
  fi
}

# In a copy of the folders with a sound file each, so that it does not depend on today's tree.
self_test() {
  local folder licence='// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: The strut authors\n'
  self=$(readlink -f "${BASH_SOURCE[0]}")
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  mkdir -p "$copy/sound"
  for folder in include/strut/base source/base cuda/base plugin/deck/mesh plugin/deck/run plugin/include/strut tests/plugin; do
    mkdir -p "$copy/sound/$folder"
  done
  # shellcheck disable=SC2059
  {
    printf "$licence" > "$copy/sound/include/strut/base/a.h"
    printf "$licence" > "$copy/sound/source/base/a.cc"
    printf "$licence#include <cuda_runtime.h>\n#include <thrust/sort.h>\n" > "$copy/sound/cuda/base/a.cu"
    printf "$licence#include <deal.II/grid/tria.h>\n" > "$copy/sound/plugin/deck/mesh/a.cc"
    printf "$licence#include <strut/base/a.h>\n" > "$copy/sound/plugin/include/strut/a.h"
    printf "$licence#include <deal.II/grid/tria.h>\n" > "$copy/sound/tests/plugin/a.cc"
  }
  "$self" "$copy/sound"

  breaks 'deal.II in an interface' include/strut/base/a.h <<< 'echo "#include <deal.II/base/point.h>" >> include/strut/base/a.h'
  breaks 'deal.II in source/' source/base/a.cc <<< 'echo "#  include <deal.II/base/point.h>" >> source/base/a.cc'
  breaks 'deal.II in cuda/' cuda/base/a.cu <<< 'echo "#include <deal.II/base/point.h>" >> cuda/base/a.cu'
  breaks 'deal.II in a test of the core' tests/base/a.cc <<< 'mkdir tests/base; cp plugin/deck/mesh/a.cc tests/base/a.cc'
  breaks 'CUDA in source/' source/base/a.cc <<< 'echo "#include <cuda_runtime.h>" >> source/base/a.cc'
  breaks 'Thrust in an interface' include/strut/base/a.h <<< 'echo "#include <thrust/sort.h>" >> include/strut/base/a.h'
  breaks 'Thrust in source/' source/base/a.cc <<< 'echo "#include <thrust/sort.h>" >> source/base/a.cc'
  breaks 'Thrust in plugin/' plugin/deck/mesh/a.cc <<< 'echo "#  include <thrust/sort.h>" >> plugin/deck/mesh/a.cc'
  breaks 'Thrust in a test of the core' tests/base/a.cc <<< 'mkdir tests/base; sed "\$ a #include <thrust/sort.h>" source/base/a.cc > tests/base/a.cc'
  breaks 'CUB in plugin/deck/output/' plugin/deck/output/a.cc <<< 'mkdir plugin/deck/output; sed "\$ a #include <cub/cub.cuh>" source/base/a.cc > plugin/deck/output/a.cc'
  breaks 'CUB in plugin/' plugin/deck/mesh/a.cc <<< 'echo "#include <cub/cub.cuh>" >> plugin/deck/mesh/a.cc'
  breaks 'plugin/ in source/' source/base/a.cc <<< 'echo "#include \"plugin/deck/mesh/a.h\"" >> source/base/a.cc'
  breaks 'a header of plugin/ in source/' source/base/a.cc <<< 'echo "#include <strut/a.h>" >> source/base/a.cc'
  breaks 'a private header for applications' plugin/include/strut/a.h <<< 'echo "#include \"plugin/deck/mesh/a.h\"" >> plugin/include/strut/a.h'
  breaks 'many public headers' 'there are 62 public headers' <<< 'for i in {1..60}; do cp source/base/a.cc include/strut/base/a$i.h; done'
  breaks 'eight nodes of an element' plugin/deck/mesh2.cc <<< 'sed "\$ a double x[8];" source/base/a.cc > plugin/deck/mesh2.cc'
  breaks 'cuda/ in an interface' include/strut/base/a.h <<< 'echo "#include \"cuda/base/a.cuh\"" >> include/strut/base/a.h'
  breaks 'the room of comparisons in strut' 'without which strut is whole' <<< 'echo "#include \"source/comparison/assembly/a.h\"" >> plugin/deck/mesh/a.cc'
  breaks 'an algorithm in a backend' 'cuda/operators/a.cu: operators -> solvers' <<< 'mkdir -p cuda/operators include/strut/operators; sed "\$ a #include <strut/solvers/a.h>" source/base/a.cc > cuda/operators/a.cu'
  breaks 'an upper floor in an interface' 'include/strut/base/a.h: base -> mesh' <<< 'echo "#include <strut/mesh/a.h>" >> include/strut/base/a.h'
  breaks 'an upper floor by a relative path' 'source/base/a.cc: base -> solvers' <<< 'echo "#include \"../solvers/a.h\"" >> source/base/a.cc'
  breaks 'an upper floor in plugin/' 'plugin/deck/mesh/a.cc: plugin/deck/mesh -> plugin/deck/run' <<< 'echo "#include \"plugin/deck/run/a.h\"" >> plugin/deck/mesh/a.cc'
  breaks 'a public header of an upper floor' 'plugin/deck/mesh/a.cc: plugin/deck/mesh -> plugin/deck/run' <<< 'cp source/base/a.cc plugin/deck/run/b.cc; echo "#include <strut/b.h>" >> plugin/deck/mesh/a.cc'
  breaks 'a folder that is not in the table' 'plugin/new/a.cc: plugin/new is not in the table' <<< 'mkdir plugin/new; sed "\$ a #include \"plugin/base/a.h\"" source/base/a.cc > plugin/new/a.cc'
  # the table itself: in a copy of this file
  local sound=$self
  self=$copy/circle.sh
  sed 's/^base:$/base: mesh/' "$sound" > "$self"
  chmod +x "$self"
  breaks 'a circle in the table of floors' 'base -> mesh' <<< ':'
  self=$sound
  breaks 'a deck entry in source/' source/base/a.cc <<< 'echo "text << \"Use less: set Precision = float.\";" >> source/base/a.cc'
  breaks 'a quoted entry in cuda/' cuda/base/a.cu <<< 'printf "text << \"Raise \x27Maximum iterations\x27.\";\n" >> cuda/base/a.cu'
  breaks 'a value of an entry in an interface' include/strut/base/a.h <<< 'printf "text = \"with \x27Precision = float\x27 try double\";\n" >> include/strut/base/a.h'
  breaks 'a subsection in cuda/' cuda/base/a.cu <<< 'echo "text << \"Raise it in subsection Solver.\";" >> cuda/base/a.cu'
  breaks 'an EntryError in source/' source/base/a.cc <<< 'echo "throw EntryError({}, \"Threads\", text);" >> source/base/a.cc'
  breaks 'a folder of its own in cuda/' cuda/kernels/a.cu <<< 'mkdir cuda/kernels; cp cuda/base/a.cu cuda/kernels/'
  breaks 'a folder of its own in source/' source/utilities/a.cc <<< 'mkdir source/utilities; cp source/base/a.cc source/utilities/'
  breaks 'a kernel in plugin/' plugin/deck/mesh/a.cu <<< 'cp source/base/a.cc plugin/deck/mesh/a.cu'
  breaks 'no licence' source/base/b.cc <<< 'echo "int a;" > source/base/b.cc'
  breaks 'half a licence' source/base/a.cc <<< 'sed -i 2d source/base/a.cc'
  breaks 'a path of one machine' README.md <<< 'echo "see /""home/somebody/strut" > README.md'
  if ((n_violations > 0)); then
    printf '%d breaches went by\n' "$n_violations"
    return 1
  fi
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ${1:-} == --self-test ]]; then
  self_test
else
  check_tree "${1:-$root}"
fi

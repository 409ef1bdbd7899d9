#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs of the program with libraries that decks load.
#
#   run_library_test.sh STRUT MPIEXEC CASE
#   run_library_test.sh --list                names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder with copies of the decks and a link to the
# meshes, and prints what is wrong. STRUT_TEST_LIBRARIES: folder of the shared libraries of the tests.
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# An operator, a filter, an objective and a load from a library, which are strut's own under other names.
case_a_library_adds_what_a_deck_may_name() {
  local lines='subsection Loads
  subsection tip
    set Expression = x > 3
    set Type       = %s
  end
end
set Operator = %s
subsection Optimization
  set %s
  set Minimise = %s
end
'
  ln -s "$STRUT_TEST_LIBRARIES" libraries
  # shellcheck disable=SC2059
  deck built-in 'set Backend = cpu' "$(printf "$lines" 'body force' ebe 'Filter = density' compliance)"
  # shellcheck disable=SC2059
  deck library 'set Backend = cpu' 'set Additional shared libraries = libraries/libeverything.so' \
    "$(printf "$lines" 'my weight' 'my operator' 'Maps = my map' 'my work')"
  must_run built-in.prm
  must_run library.prm
  must_say log 'libraries/libeverything.so'
  must_say output/library/history.csv iteration,my_work,
  same_history built-in library 1e-6
  must_run mpi 2 library.prm
  same_history built-in library 1e-6
  # parts of a run, with the second solve that the objective takes
  deck library-parts "$(cat library.prm)" 'subsection Optimization' '  set Maximum iterations = 4' 'end'
  must_run library-parts.prm
  must_run library.prm
  sed -i 's/= 4$/= 8/' library-parts.prm
  must_run --resume library-parts.prm
  same_history library library-parts
}

# The derivative of this response has sums over elements of several ranks at their common nodes.
case_a_response_of_a_library_sums_over_ranks() {
  local n
  ln -s "$STRUT_TEST_LIBRARIES" libraries
  for n in 1 2 3; do
    deck "squares-$n" 'set Backend = cpu' 'set Additional shared libraries = libraries/libeverything.so' \
      'subsection Optimization' '  set Minimise = my squares' '  set Maximum iterations = 4' 'end'
    must_run mpi $n "squares-$n.prm"
    must_say log "ranks      $n"
    must_say "output/squares-$n/history.csv" iteration,my_squares,
    same_history squares-1 "squares-$n" 1e-6
  done
}

# A load and an operator from libraries with entries of their own. On a wall of 4 x 8 with water up to 7 of weight 0.01, the
# force is 0.01 * 4 * 7^2 / 2.
case_loads_and_operators_of_a_library_have_entries_of_their_own() {
  ln -s "$STRUT_TEST_LIBRARIES" libraries
  local dam='set Additional shared libraries = libraries/libdam.so
set Backend = cpu
subsection Mesh
  set Type = box
  subsection Box
    set Size     = 6, 4, 8
    set Elements = 6, 4, 8
  end
end
subsection Supports
  subsection ground
    set Boundary ids = 4
  end
end
subsection Loads
  subsection water
    set Boundary ids = 0
    set Type         = %s
%s
    subsection Hydrostatic pressure
      set Specific weight = 0.01
      set %s = 7
    end
  end
end
subsection Optimization
  set Minimise = sway
  set Maps     = density, projection
  set Update   = mma
end
subsection Constraints
  subsection stiffness
    set Response = compliance
    set At most  = 1
  end
end
'
  # shellcheck disable=SC2059
  printf "$dam" 'hydrostatic pressure' '' Level > dam.prm
  must_run dam.prm --validate
  must_say log '(0.98, 0, 0)'
  must_run dam.prm --check-gradients
  (($(grep -cE '^  (sway|stiffness) +0 +[0-9]+ ' log) == 12)) || wrong "not 12 derivatives: $(cat log)"
  must_run mpi 2 dam.prm --check-gradients
  (($(grep -cE '^  (sway|stiffness) +[01] +[0-9]+ ' log) == 24)) || wrong "not 24 derivatives: $(cat log)"

  # refused: a name that is none, the entries of another type, Value beside them
  refused() {
    run "$1"
    ((code == 1)) || wrong "exit code $code"
    must_say log "$2"
  }
  # shellcheck disable=SC2059
  printf "$dam" 'hydrostatic pressure' '' Levels > wrong.prm
  refused wrong.prm "Did you mean 'Level'"
  # shellcheck disable=SC2059
  printf "$dam" pressure '    set Value = 1, 0, 0' Level > wrong.prm
  refused wrong.prm "The load has the type 'pressure', which knows no such entry."
  # shellcheck disable=SC2059
  printf "$dam" 'hydrostatic pressure' '    set Value = 1, 0, 0' Level > wrong.prm
  refused wrong.prm 'A hydrostatic pressure has entries of its own.'

  local block
  for block in 8 13 65; do
    deck "block-$block" 'set Additional shared libraries = libraries/libeverything.so' 'set Operator = my operator' \
      'subsection My operator' "  set Block = $block" 'end'
  done
  must_run block-8.prm
  refused block-13.prm 'A block of 13 elements is unlucky.'
  refused block-65.prm 'Block'
}

# A preconditioner and a map from a library, each with two entries of its own: they count, their bounds are checked,
# and the preconditioner leads to the same result, on several ranks too.
case_parts_of_a_library_have_entries_of_their_own() {
  local library='set Additional shared libraries = libraries/libeverything.so'
  local solver='subsection Solver
  set Preconditioner = my preconditioner
  set Tolerance      = 1e-9
  subsection My preconditioner
    set Damping = 0.4
    set Sweeps  = %s
  end
end
'
  local map='subsection Optimization
  set Maps = my map
  subsection My map
    set Stretch = %s
    set Passes  = %s
  end
end
'
  ln -s "$STRUT_TEST_LIBRARIES" libraries
  deck jacobi "$library" 'subsection Solver' 'set Preconditioner = jacobi' 'set Tolerance = 1e-9' 'end'
  deck density "$library" 'subsection Solver' 'set Tolerance = 1e-9' 'end' 'subsection Optimization' 'set Filter = density' 'end'
  # shellcheck disable=SC2059
  deck one "$library" "$(printf "$solver" 1)"
  # shellcheck disable=SC2059
  deck four "$library" "$(printf "$solver" 4)" "$(printf "$map" 1 1)"
  # shellcheck disable=SC2059
  deck filtered "$library" "$(printf "$map" 2 3)"
  for name in jacobi density one four filtered; do must_run $name.prm; done
  must_say log 'preconditioner: multigrid' # that of the last one
  same_history jacobi one 1e-6
  same_history density four 1e-6
  must_run mpi 2 four.prm
  must_say log 'preconditioner: my preconditioner'
  same_history density four 1e-6
  ! diff <(cut -d, -f2 output/density/history.csv) <(cut -d, -f2 output/filtered/history.csv) > /dev/null ||
    wrong 'the parameters of the map do not count'
  local one four
  one=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "solver_iterations") c = i } NR == 2 { print $c }' output/one/history.csv)
  four=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "solver_iterations") c = i } NR == 2 { print $c }' output/four/history.csv)
  ((four < one)) || wrong "four sweeps take $four iterations, one takes $one"
  # shellcheck disable=SC2059
  deck wrong "$library" "$(printf "$solver" 0)"
  run wrong.prm
  ((code == 1)) || wrong "exit code $code"
  must_say log 'Sweeps'
  deck mixed "$library" 'set Precision = mixed' "$(printf "$solver" 1)"
  run mixed.prm
  ((code == 1)) || wrong "exit code $code"
  must_say log 'Mixed precision means'
}

run_the_case

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs of strut-compare on small decks.
#
#   run_comparison_test.sh STRUT_COMPARE MPIEXEC CASE
#   run_comparison_test.sh --list                names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder with copies of the decks and a link to the
# meshes, and prints what is wrong.
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
compare=$program

# compare OPTIONS...: exit code in $code, output in log.
compare() {
  code=0
  "$compare" "$@" --apply-seconds 0.01 > log 2>&1 || code=$?
}

# The number of columns is the same on every line that is no label.
has_columns() {
  grep -v '^#' "$1" | awk -F, -v n="$2" 'NF != n { bad = 1 } END { exit bad }' || {
    wrong "$1 has not $2 columns everywhere:"
    cat "$1"
  }
}

case_all_operators_of_the_cpu() {
  deck small 'set Precision = float'
  compare small.prm --backends cpu --threads 1,2 --baseline cpu:nbn --output tables
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  local file operators
  for file in operators.csv solves.csv md tex; do
    [[ -s tables/small.$file ]] || wrong "no tables/small.$file"
  done
  has_columns tables/small.operators.csv 24
  has_columns tables/small.solves.csv 17
  operators=$(grep -v '^#' tables/small.operators.csv | tail -n +2)
  # ebe and nbn at least, in two precisions, with 1 and 2 threads, all of them right
  (($(grep -cE ',(ebe|nbn),(double|float),[12],yes,ok,' <<< "$operators") == 8)) ||
    wrong "not eight right products of ebe and nbn: $operators"
  # nbn is its own baseline
  grep -qE ',nbn,double,1,yes,ok,.*,1,[0-9.e+-]+$' <<< "$operators" || wrong "no speed-up of 1: $operators"
  # one solve each, to the tolerance of the deck, with the same number of iterations but for rounding
  awk -F, '!/^#/ && $7 == "double" && $6 ~ /^(ebe|nbn)$/ { if ($9 != "ok" || (n && ($10 - n)^2 > 4)) bad = 1; n = $10 }
    END { exit bad || !n }' tables/small.solves.csv || {
    wrong "the solves differ:"
    cat tables/small.solves.csv
  }
  must_say tables/small.md '| backend'
  must_say tables/small.tex '\toprule'
}

case_without_memory_is_a_line() {
  deck small 'set Memory limit = 0.5'
  compare small.prm --backends cpu --threads 1 --operators ebe
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  must_say log 'does not fit: needs'
  must_say output/small-comparison/small.operators.csv ',ebe,double,1,yes,does not fit: needs'
  has_columns output/small-comparison/small.operators.csv 24
}

# Matrices of Trilinos and its multigrid take elements of any type, too.
case_all_operators_take_other_elements() {
  deck small
  compare small.prm --set 'Mesh / Element type = tet10' --backends cpu --threads 1 --precisions double --no-solves
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  for operator in ebe nbn on_the_fly dealii_matrix_free trilinos_csr; do
    must_say output/small-comparison/small.operators.csv ",$operator,double,1,yes,ok,"
  done
  must_say output/small-comparison/small.md 'of type tet10'
  for type in tet4 hex20; do
    compare small.prm --set "Mesh / Element type = $type" --backends cpu --threads 1 --precisions double --solvers multigrid,ml --output $type
    ((code == 0)) || wrong "exit code $code: $(cat log)"
    must_say $type/small.solvers.csv 'frame,cpu,ml,double,1,1,ok,'
  done
}

# deal.II has no such element: a line says so, and the others are measured.
case_an_operator_that_does_not_take_the_elements_is_a_line() {
  deck small
  compare small.prm --set 'Mesh / Element type = hex20' --backends cpu --threads 1 --operators on_the_fly,dealii_matrix_free --no-solves
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  must_say output/small-comparison/small.operators.csv ',dealii_matrix_free,double,1,yes,refused: '
  must_say output/small-comparison/small.operators.csv ',on_the_fly,double,1,yes,ok,'
}

case_refuses_what_it_does_not_know() {
  deck small
  compare small.prm --operators ebe,ebeSimm
  ((code == 1)) || wrong "exit code $code"
  must_say log "no 'ebeSimm' for --operators"
  must_say log 'There are: ebe'
  compare small.prm --threads 0
  ((code == 1)) || wrong "exit code $code"
  must_say log "'0' is no number of threads"
  compare small.prm --baseline gpu:ebe
  ((code == 1)) || wrong "exit code $code"
  must_say log "no 'gpu' for the backend of --baseline"
  compare small.prm --backends cpu --operators trilinos_csr --precisions float
  ((code == 1)) || wrong "exit code $code"
  must_say log 'nothing to compare'
  touch file
  compare small.prm --backends cpu --output file
  ((code == 1)) || wrong "exit code $code"
  [[ ! -e output ]] || wrong "something was written"
}

# Chosen columns in all files; those of .tex fit a page if none are chosen; a wrong name is refused before anything is measured.
case_columns() {
  deck small
  compare small.prm --backends cpu --threads 1 --operators ebe,nbn --precisions double --columns operator,median_s,iterations,speedup,lanes
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  local at=output/small-comparison/small
  must_say $at.operators.csv 'operator,median_s,speedup,lanes'
  must_say $at.solves.csv 'operator,iterations,speedup'
  grep -qE '^ebe,[0-9.e-]+,1,[248]$' $at.operators.csv || wrong "no lanes: $(cat $at.operators.csv)"
  must_say $at.md '| operator |'
  must_say $at.tex 'begin{tabular}{lrrr}'
  must_say $at.tex 'begin{tabular}{lrr}'
  ! grep -q 'GFLOP/s &' $at.tex || wrong 'columns that were not chosen'
  ! grep -q 'plot_comparison' log || wrong 'a bar chart of columns that are not there'

  # A table without any of them is left out.
  compare small.prm --backends cpu --threads 1 --operators ebe --precisions double --columns iterations
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  ! grep -qv '^#' $at.operators.csv || wrong "not the label alone: $(cat $at.operators.csv)"
  (($(grep -vc '^#' $at.solves.csv) == 2)) || wrong "no solve: $(cat $at.solves.csv)"
  ! grep -q 'One application' log $at.md || wrong 'an empty table'
  (($(grep -c 'begin{tabular}' $at.tex) == 1)) || wrong "not one table: $(cat $at.tex)"

  compare small.prm --backends cpu --threads 1 --operators ebe --precisions double
  must_say $at.tex 'columns: those that fit a width of 16 cm at 10 pt; all are in small.md'
  must_say $at.tex 'begin{tabular}{lllrrrrr}'
  must_say $at.md 'GFLOP/s'
  must_say log 'plot_comparison.py'
  compare small.prm --backends cpu --threads 1 --operators ebe --precisions double \
    --columns deck,backend,operator,precision,threads,status,median_s,range,percent_of_copy
  must_say log 'plot_comparison.py'

  rm -r output
  compare small.prm --columns operator,speed-ups
  ((code == 1)) || wrong "exit code $code"
  must_say log "no 'speed-ups' for --columns. Did you mean 'speedup'?"
  must_say log 'There are: deck, elements'
  compare small.prm --solvers jacobi --columns operator
  ((code == 1)) || wrong "exit code $code"
  must_say log "no 'operator' for --columns."
  [[ ! -e output ]] || wrong "something was written"
}

case_options_may_stand_before_the_deck() {
  deck small
  compare --operators nbn --backends cpu --threads 1 --precisions double --no-solves small.prm
  ((code == 0)) || wrong "exit code $code: $(cat log)"
  must_say log "baseline 'ebe' was not measured"
  (($(grep -vc '^#' output/small-comparison/small.solves.csv) == 1)) || wrong "there are solves"
  deck larger 'subsection Mesh
  subsection Box
    set Elements = 36, 12, 12
  end
end'
  compare larger.prm --backends cpu --operators ebe --threads 1 --precisions double --solve-seconds 0.003
  must_say output/larger-comparison/larger.solves.csv 'stopped after'
}

case_two_ranks_and_the_gmsh_rod() {
  cat > rod.prm << 'DECK'
subsection Mesh
  set Type = file
  subsection File
    set File name = prm-meshes/connecting-rod.msh
  end
end
subsection Supports
  subsection foot
    set Expression = y < 10
  end
end
subsection Loads
  subsection top
    set Expression = y > ymax - 10
    set Type       = total force
    set Value      = 0, 1, 0
  end
end
DECK
  local ranks
  for ranks in 1 2; do
    code=0
    "$mpiexec" -n $ranks "$compare" rod.prm --backends cpu --threads 1 --operators ebe,nbn --precisions double \
      --apply-seconds 0.01 --output tables-$ranks > log 2>&1 || code=$?
    ((code == 0)) || wrong "exit code $code on $ranks ranks: $(cat log)"
    (($(grep -cE ',(ebe|nbn),double,1,yes,ok,' tables-$ranks/rod.operators.csv) == 2)) ||
      wrong "not two right products on $ranks ranks: $(cat log)"
  done
  # as many iterations on one rank as on two, but for rounding
  awk -F, '!/^#/ && $6 == "ebe" { if (n && ($10 - n)^2 > 100) bad = 1; n = $10 } END { exit bad || !n }' \
    tables-1/rod.solves.csv tables-2/rod.solves.csv || wrong "the solves differ: $(cat tables-?/rod.solves.csv)"
}

# The same solutions on one rank and on two, by every solver; the tables beside those of the operators.
case_solvers_on_1_and_2_ranks() {
  deck small 'subsection Solver' '  set Tolerance = 1e-6' 'end'
  local ranks rows
  for ranks in 1 2; do
    code=0
    "$mpiexec" -n $ranks "$compare" small.prm --solvers all --designs uniform,frame,2 --contrast 1e-6 \
      --backends cpu --threads 1 --output tables-$ranks > log 2>&1 || code=$?
    ((code == 0)) || wrong "exit code $code on $ranks ranks: $(cat log)"
    [[ ! -e tables-$ranks/small.operators.csv ]] || wrong "operators were compared as well"
    for rows in csv md tex; do
      [[ -s tables-$ranks/small.solvers.$rows ]] || wrong "no tables-$ranks/small.solvers.$rows"
    done
    has_columns tables-$ranks/small.solvers.csv 21
    rows=$(grep -cE "^small,192,325,975,(uniform|frame|2),cpu,(ml|multigrid|jacobi),(double|mixed),$ranks,1,ok," \
      tables-$ranks/small.solvers.csv || true)
    ((rows == 12)) || wrong "$rows right rows instead of 12 on $ranks ranks: $(cat log)"
    must_say tables-$ranks/small.solvers.md '| design'
    must_say tables-$ranks/small.solvers.tex '\toprule'
  done
  # compliances of a design agree, whoever computed them and on how many ranks
  awk -F, '/^small/ { if (($5 in c) && (($19 - c[$5]) / c[$5]) ^ 2 > 1e-8) bad = 1; c[$5] = $19; n++ }
    END { exit bad || n != 24 }' tables-?/small.solvers.csv ||
    wrong "the solutions differ: $(cat tables-?/small.solvers.csv)"
}

case_solvers_refuse_what_they_do_not_know() {
  deck small
  compare small.prm --solvers multigrid,mueLu
  ((code == 1)) || wrong "exit code $code"
  must_say log "no 'mueLu' for --solvers"
  compare small.prm --solvers ml --designs frames
  ((code == 1)) || wrong "exit code $code"
  must_say log "'frames' is no design"
  [[ ! -e output ]] || wrong "something was written"
}

run_the_case

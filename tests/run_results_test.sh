#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The results of a run for ParaView, read by VTK: whole runs on small decks. Exit code 77, skipped: there is no VTK for Python.
#
#   run_results_test.sh STRUT MPIEXEC CASE
#   run_results_test.sh --list                names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"

# A python3 that is first on PATH may not be the one that Debian's VTK and NumPy are installed for.
python=python3
modules='import numpy, vtk'
"$python" -c "$modules" 2> /dev/null || python=/usr/bin/python3
"$python" -c "$modules" 2> /dev/null || {
  echo 'skipped: there is no VTK for Python with NumPy (Debian: python3-vtk9 python3-numpy)'
  exit 77
}

every_four='subsection Optimization
  set Penalization = 4
end
subsection Output
  set Results every    = 4
  set Von Mises stress = true
end'
side='subsection Loads
  subsection side
    set Boundary ids = 1
    set Type         = total force
    set Value        = 0, 0.5, 0
    set Load case    = from the side
  end
end'

# on N NAME ARGUMENTS: run the deck on so many ranks; what filters_test.py says to its results.
on() {
  local n=$1 name=$2
  "$mpiexec" -n "$n" "$program" "$name.prm" > log 2>&1 || {
    wrong "$name on $n ranks fails"
    cat log
  }
  "$python" "$here/filters_test.py" "output/$name/$name.pvd" "${@:3}" || wrong "the results of $name on $n ranks"
}

# 12 x 4 x 4 cubes: 13 x 5 x 5 nodes, 2 (48 + 48 + 16) faces outside.
case_filters_work_on_one_rank() {
  deck one "$every_four" "${side/from the side/1}"
  on 1 one 192 325 192 224 1
}

case_filters_work_on_several_ranks() {
  local n
  for n in 2 3; do
    deck several-$n "$every_four" "$side"
    on $n several-$n 192 325 192 224 1 from_the_side
  done
}

# 192 of volume, a fraction of 0.4 of it. Without the entry there is no surface; results of an earlier run go.
case_surfaces_are_closed() {
  local n
  deck surfaced "$every_four" 'subsection Output' '  set Surface = true' 'end'
  for n in 1 2 3; do
    "$mpiexec" -n "$n" "$program" surfaced.prm > log 2>&1 || {
      wrong "the run on $n ranks fails"
      cat log
    }
    local files=(output/surfaced/*.stl) results=(output/surfaced/*.vtu)
    ((${#files[@]} == 2 && ${#results[@]} == 2)) || wrong "on $n ranks: ${files[*]} beside ${results[*]}"
    for file in "${files[@]}"; do
      "$python" "$here/surface_test.py" "$file" 76.8 || wrong "$file of $n ranks"
    done
    must_say log "${files[1]##*/} (surface)"
  done
  "$program" surfaced.prm --set 'Output / Surface = false' > log
  ! compgen -G 'output/surfaced/*.stl' || wrong 'surfaces of an earlier run, or none was asked for'
}

# Files of the surface have the cells that VTK finds at the surface of those from 0.5; files of densities all cells.
case_fields_are_fewer() {
  local n fields
  deck fewer "$every_four"
  "$program" fewer.prm --output all > log || wrong 'the run with all fields fails'
  for n in 1 2 3; do
    for fields in surface density; do
      "$mpiexec" -n "$n" "$program" fewer.prm --output $fields-$n --set "Output / Fields = $fields" \
        --set "Output / Von Mises stress = false" > log 2>&1 || {
        wrong "the run with $fields on $n ranks fails"
        cat log
      }
      "$python" "$here/fewer_fields_test.py" $fields all $fields-$n || wrong "$fields of $n ranks"
    done
  done
  ! "$program" fewer.prm --set "Optimization / Initial design = $(compgen -G 'surface-1/*.vtu' | tail -1)" > log 2>&1 ||
    wrong 'a run begins with a surface'
  must_say log "Output / Fields = surface"
  "${program%/*}/strut-export" "$(compgen -G 'density-1/*.vtu' | tail -1)" --keep-islands --output part.stl > log 2>&1 ||
    wrong 'strut-export refuses densities alone'
  must_say log 'rounded by up to 1/8192'
  "${program%/*}/strut-compare-runs" all density-1 > log 2>&1 || wrong 'strut-compare-runs refuses densities alone'
  must_say log 'rounded by up to 1/8192'
  "${program%/*}/strut-compare-runs" all all > log 2>&1 || wrong 'strut-compare-runs fails'
  ! grep -q 'rounded by' log || wrong 'a NOTE of rounding where there is none'
}

# The last design as a part, with its unit, on any number of ranks; strut-export makes the same of the result.
case_parts_are_closed() {
  local n export=${program%/*}/strut-export
  deck parted "$every_four" 'subsection Export' '  set Formats = 3mf, stl' '  set Unit = inch' '  set Keep islands = true' 'end'
  for n in 1 2 3; do
    "$mpiexec" -n "$n" "$program" parted.prm > log 2>&1 || {
      wrong "the run on $n ranks fails"
      cat log
    }
    must_say log 'parted-part.3mf: closed, 304.8 x 101.6 x 101.6 mm in a slicer'
    # in millimeters
    "$python" "$here/surface_test.py" output/parted/parted-part.stl 1258526.5 || wrong "the part of $n ranks"
    "$python" "$here/part_test.py" output/parted/parted-part.3mf inch || wrong "the 3MF of $n ranks"
  done
  local result=(output/parted/*.vtu)
  "$export" "${result[-1]}" --keep-islands --output part.stl > log || wrong 'strut-export fails'
  must_say log 'written: part.stl'
  "$python" "$here/surface_test.py" part.stl 76.8 || wrong 'the part of strut-export'
  "$export" "${result[-1]}" --keep-islands --mirror z=0 --output both.stl > log || wrong 'no mirror image'
  "$python" "$here/surface_test.py" both.stl 153.6 || wrong 'the part with its mirror image'
  # the design is in four pieces
  "$export" "${result[-1]}" --output one.stl > log || wrong 'strut-export fails without islands'
  must_say log 'islands taken away: 3, volume 39.1'
  must_say log 'WARNING: the islands have 51 %'
  "$python" "$here/surface_test.py" one.stl 37.69 || wrong 'the part without islands'
  # a part that cannot be written: the run has ended all the same, and its files say so
  rm output/parted/parted-part.3mf
  mkdir -p output/parted/parted-part.3mf/in-the-way
  ! "$program" parted.prm > log 2>&1 || wrong 'a part that cannot be written is no error'
  must_say output/parted/summary.json '"status": "failed"'
  must_say log 'Results in '
  rm -r output/parted/parted-part.3mf
  # another format of a run that goes on
  "$program" parted.prm --resume --set 'Export / Formats = obj' --set 'Optimization / Maximum iterations = 9' > log 2>&1 || wrong 'no other format'
  [[ -s output/parted/parted-part.obj ]] || wrong 'no part of the run that went on'
  local refused
  for refused in "none.vtu" "parted.prm" "${result[-1]} --output part.step" "${result[-1]} --output part" \
    "${result[-1]} --mirror w=1" "${result[-1]} --unit mile"; do
    ! "$export" $refused > log 2>&1 || wrong "strut-export $refused goes on"
    [[ -s log ]] || wrong "strut-export $refused says nothing"
  done
}

case_pictures_are_drawn() {
  deck drawn "$every_four"
  "$program" drawn.prm > log
  PYTHONPATH= "$python" "$here/../plugin/tools/render_design.py" output/drawn/drawn.pvd -o drawn.png --conditions --size 320x200 > log 2>&1 || {
    grep -q 'no display' log && {
      cat log
      exit 77
    }
    wrong 'no picture'
    cat log
  }
  [[ $(head -c 4 drawn.png | tail -c 3) == PNG ]] || wrong 'the picture is no PNG'
}

run_the_case

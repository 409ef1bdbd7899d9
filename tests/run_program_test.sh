#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whole runs of the program on small decks, held against each other by their history.csv.
#
#   run_program_test.sh STRUT MPIEXEC CASE
#   run_program_test.sh --list                names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder with copies of the decks and a link to the
# meshes, and prints what is wrong.
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# Rigid pieces are found on one rank: --validate knows the ranks, and says the same as the run.
case_validate_refuses_rigid_pieces_on_several_ranks() {
  local option
  deck pieces 'subsection Solver' '  set Rigid pieces = yes' 'end'
  for option in --validate --quiet; do
    run mpi 2 $option pieces.prm
    ((code == 1)) || wrong "exit code $code of $option, not 1"
    must_say log 'strut: error: pieces.prm:3: Solver / Rigid pieces = yes'
    must_say log 'Rigid pieces of solid are found on one rank, and there are 2: use one rank, or do without them.'
  done
  must_run --validate pieces.prm
}

case_validate_prints_tables_and_solves_nothing() {
  must_run --validate cantilever.prm
  must_say log '192 elements, 325 nodes, 975 degrees of freedom'
  must_say log '     1         16          16   [12, 12] x [0, 4] x [0, 4]'
  must_say log '     0        192         192   [0, 12] x [0, 4] x [0, 4]'
  must_say log "support 'wall': x = 0, y = 0, z = 0 on 25 nodes (boundary ids 0)"
  must_say log "load 'tip', case '1': total force (0, 0, -1) on 5 nodes (where x > xmax - tol && z < zmin + tol); force in all (0, 0, -1)"
  must_say log "memory estimate, operator 'on_the_fly', precision double:"
  must_say log ' bytes per element: operator '
  must_say log 'preconditioner: multigrid, 2 levels: 192, 24 elements'
  must_say log 'disk estimate: 1 result of about '
  must_say log 'PCG iterations take '
  must_say log 'The deck is valid'
  [[ $(cd output/cantilever && echo *) == 'cantilever-problem.html cantilever-problem.vtu' ]] || wrong 'it wrote something else'
}

case_a_written_deck_is_valid_and_runs() {
  must_run --write-deck my.prm
  must_run --validate my.prm
  # and so are its examples, which are comments
  awk '/^subsection (Materials|Springs|Masses|Non-design regions|Constraints)$/ { inside = 1 } /^end/ { inside = 0 }
    inside { sub(/^  # /, "  ") } { print }' my.prm > examples.prm
  must_run --validate examples.prm --set 'Optimization / Update = mma' --set 'Optimization / Filter = density'
  must_say log "material 'lower half' on"
  must_say log "spring 'ground'"
  must_say log "mass 'motor': 1 on "
  must_say log "non-design region 'plate'"
  must_say log 'sag: displacement <= 1000'
  run --write-deck my.prm
  ((code == 1)) || wrong "exit code $code, not 1, for a deck that exists"
  must_say log 'strut: error: The file my.prm exists; it was not overwritten.'
  sed -i 's/set \(Elements\|Size\) *= .*,.*,.*/set \1 = 8, 4, 4/; s/set Threads .*/set Threads = 1/' my.prm
  awk '/subsection Optimization/ { inside = 1 } inside && /set Maximum iterations/ { $0 = "set Maximum iterations = 2" } /^end/ { inside = 0 } { print }' my.prm > short.prm
  must_run short.prm
  (($(n_iterations short) == 2)) || wrong 'it did not make 2 iterations'
  # the parameters that a run writes are a deck too
  cp output/short/parameters.prm again.prm
  must_run again.prm
  same_history short again
}

case_options() {
  must_run --version
  must_say log 'strut 1.'
  must_say log 'deal.II'
  must_run --help
  must_say log '--validate'
  must_say log 'Exit codes: 0 done, 1 error, 3 done, but the design is not what was asked for (a WARNING says why), 130 stopped'
  local arguments
  for arguments in '' 'no-such.prm' '.' 'beam.prm cantilever.prm' '--valdate beam.prm' '--write-deck' \
    'beam.prm --check-gradients --resume' 'beam.prm --analyse a.vtu --resume=auto'; do
    # shellcheck disable=SC2086
    "$strut" $arguments > stdout 2> stderr && code=0 || code=$?
    ((code == 1)) || wrong "exit code $code, not 1, of: strut $arguments"
    if [[ -z $arguments ]]; then
      must_say stdout '--validate'
    elif [[ $arguments == *--resume* ]]; then
      must_say stderr 'excludes'
      must_say stderr '--resume'
    elif [[ $arguments == no-such.prm ]]; then
      must_say stderr 'strut: error: '
      must_say stderr 'no-such.prm'
    fi
    if grep -nEi 'terminate called|stack ?trace|abort' stderr; then
      wrong "stderr of: strut $arguments"
    fi
  done
}

# A processor that lacks what the core was compiled for gets a message in place of SIGILL: before any other code of the library.
case_an_older_processor_gets_a_message() {
  if ! command -v qemu-x86_64 > /dev/null || [[ $(uname -m) != x86_64 ]]; then
    echo 'skipped: there is no qemu-x86_64 (package qemu-user), or no x86-64 processor'
    exit 77
  fi
  if ldd "$strut" | grep -E 'lib(asan|tsan|ubsan)'; then
    echo 'skipped: sanitizers need more of a processor than qemu has'
    exit 77
  fi
  qemu-x86_64 -cpu Nehalem "$strut" --version > stdout 2> stderr && code=0 || code=$?
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say stderr 'strut: error: this processor, Intel Core i7 9xx (Nehalem Class Core i7), lacks instructions that this strut uses: AVX, AVX2, FMA, BMI, BMI2'
  must_say stderr '  This strut was compiled with -march='
  must_say stderr '  or build strut on this machine: ./run.sh in its source.'
  [[ ! -s stdout ]] || wrong 'it says more than the message'
}

# Where MPI cannot start, here for want of a component, what needs no MPI works.
case_what_needs_no_mpi_starts_none() {
  export OMPI_MCA_pml=no-such-component
  run --validate cantilever.prm
  ((code != 0)) || { # another MPI than Open MPI
    echo 'skipped: MPI starts all the same'
    return
  }
  must_run --version
  must_run --help
  must_run --write-deck my.prm
  must_run --write-reference reference.md
  run --no-such-option
  ((code == 1)) || wrong "exit code $code, not 1"
  run
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log '--validate'
  run --write-deck my.prm
  ((code == 1)) || wrong "exit code $code, not 1, for a deck that exists"
  must_say log 'strut: error: The file my.prm exists'
}

# --set counts as a line of the deck, in a run and when the run is continued.
case_options_set_entries() {
  local set=(--set 'Optimization / Penalization = 2' --set 'Loads/tip/Value = 0, 0, -2' --threads 1)
  deck in-the-deck 'subsection Optimization' '  set Penalization = 2' 'end' 'subsection Loads' '  subsection tip' \
    '    set Value = 0, 0, -2' '  end' 'end'
  must_run in-the-deck.prm
  must_run cantilever.prm "${set[@]}" --output output/at-once
  must_say log '--set      Optimization / Penalization = 2'
  must_say output/at-once/original.prm '# on the command line, --set: Loads/tip/Value = 0, 0, -2'
  same_history in-the-deck at-once
  must_run mpi 2 cantilever.prm "${set[@]}" --output output/parts --set 'Optimization/Maximum iterations = 4'
  (($(n_iterations parts) == 4)) || wrong 'the first part has not 4 iterations'
  run cantilever.prm --resume --output output/parts
  ((code == 1)) || wrong "exit code $code, not 1, without --set"
  must_say log '  Optimization/Penalization: was "2" (--set), is now "3"'
  run cantilever.prm --resume --output output/parts "${set[@]/= 2/= 4}"
  must_say log '  Optimization/Penalization: was "2" (--set), is now "4" (--set)'
  must_run cantilever.prm --resume --output output/parts "${set[@]}"
  same_history in-the-deck parts 1e-8
  # the parameters that a run writes are the whole problem
  cp output/at-once/parameters.prm again.prm
  must_run again.prm --output output/again
  same_history in-the-deck again
}

case_precisions_and_operators_agree() {
  deck double-ebe
  deck double-nbn 'set Operator = nbn'
  deck float-ebe 'set Precision = float' 'subsection Solver' '  set Tolerance = 1e-5' 'end'
  local one
  for one in double-ebe double-nbn float-ebe; do
    must_run $one.prm
  done
  must_say log 'precision  float'
  same_history double-ebe double-nbn 1e-8
  same_history double-ebe float-ebe 1e-3
}

# More elements than one block of a sum has, or there is nothing to reorder.
case_deterministic_runs_give_the_same_bits() {
  local larger='set Deterministic = true
subsection Mesh
  subsection Box
    set Elements = 24, 12, 12
  end
end
subsection Solver
  set Tolerance = 1e-4
end
subsection Optimization
  set Maximum iterations = 2
end' operator
  for operator in on_the_fly ebe nbn; do
    deck first "set Operator = $operator" 'set Threads = 3' "$larger"
    cp first.prm second.prm
    must_run first.prm
    must_run second.prm
    same_history first second
  done
  # nbn, Jacobi and all sums do not even depend on the number of threads
  local jacobi=$'subsection Solver\n  set Preconditioner = jacobi\nend'
  deck first 'set Operator = nbn' 'set Threads = 3' "$larger" "$jacobi"
  must_run first.prm
  deck single 'set Operator = nbn' 'set Threads = 1' "$larger" "$jacobi"
  must_run single.prm
  same_history first single
}

case_a_summary_says_how_a_run_ended() {
  must_run cantilever.prm --set 'Optimization/Maximum iterations = 2'
  must_say output/cantilever/summary.json '"status": "iteration limit"'
  must_say output/cantilever/summary.json '"iterations": 2,'
  must_say output/cantilever/summary.json '"elements": 192'
  must_say output/cantilever/summary.json "\"value\": $(tail -n 1 output/cantilever/history.csv | cut -d, -f2)"
  must_run mpi 2 cantilever.prm --set 'Optimization/Stopping criterion = density change' --set 'Optimization/Stopping tolerance = 0.5' \
    --set 'Optimization/Volume fraction = 0.8' --output output/loose
  must_say output/loose/summary.json '"status": "converged"'
  must_say output/loose/summary.json '"ranks": 2'
  must_say output/loose/summary.json '--output Output / Output directory = output/loose'
  # a solve that fails, on several ranks too: what stderr says
  local n
  for n in 1 2; do
    run mpi $n cantilever.prm --set 'Solver/Maximum iterations = 1' --set 'Solver/Tolerance = 1e-12' --output output/failed-$n
    ((code == 1)) || wrong "exit code $code of a solve that fails, not 1"
    must_say output/failed-$n/summary.json '"status": "failed"'
    must_say output/failed-$n/summary.json 'not converged after 1 iterations'
    must_say output/failed-$n/summary.json '"value": null'
  done
  # a deck that fails before it runs leaves that of the earlier run
  run cantilever.prm --set 'Optimization/Penalization = 0'
  must_say output/cantilever/summary.json '"status": "iteration limit"'
}

# Notes, and the last line.
case_a_quiet_run_says_what_counts() {
  local two='Optimization/Maximum iterations = 2'
  "$strut" --quiet cantilever.prm --set "$two" --set 'Optimization/Volume fraction = 0.8' > log 2> errors || wrong "exit code $?"
  (($(wc -l < log) == 1)) || wrong "more than one line: $(< log)"
  must_say log 'Limit of iterations reached after iteration 2: compliance '
  "$strut" --quiet cantilever.prm --set "$two" --set 'Optimization/Filter radius = 0.1' > log 2>> errors || wrong "exit code $?"
  must_say log '  NOTE: the radius is below the shortest edge, so it filters nothing'
  must_say output/cantilever/summary.json '    "the radius is below the shortest edge, so it filters nothing"'
  [[ ! -s errors ]] || wrong "stderr: $(< errors)"
  run --quiet --validate cantilever.prm
  (($(wc -l < log) == 2)) || wrong "more than two lines: $(< log)"
  run --quiet cantilever.prm --set 'Optimization/Penalization = 0'
  must_say log 'strut: error: --set: Optimization / Penalization = 0'
}

# Supports that end between the nodes of coarser meshes: multigrid goes through, in few iterations, to the compliances of
# Jacobi's preconditioner. Each of these decks once ended with "the preconditioner is not positive definite".
case_multigrid_holds_on_any_supports() {
  local deck one most
  for deck in "$here"/decks/supports/*.prm; do
    one=$(basename "$deck" .prm)
    local options=(--threads 2 --set 'Optimization/Maximum iterations = 2' --set 'Solver/Tolerance = 1e-8')
    must_run "$deck" "${options[@]}" --output "output/$one"
    must_say log 'multigrid'
    if grep -n 'from here on' log; then
      wrong "$one went on with another preconditioner"
    fi
    most=$(tail -n +2 "output/$one/history.csv" | cut -d, -f6 | sort -n | tail -n 1)
    ((most <= 60)) || wrong "$one: $most iterations"
    must_run "$deck" "${options[@]}" --output "output/$one-jacobi" --set 'Solver/Preconditioner = jacobi'
    same_history "$one" "$one-jacobi" 1e-6
  done
}

# Decks that people brought and that once ended with an error: each runs, and says what `# says:` in it expects.
case_accepted_decks_say_what_they_select() {
  local deck one text
  for deck in "$here"/decks/accepted/*.prm; do
    one=$(basename "$deck" .prm)
    must_run "$deck" --set 'Optimization/Maximum iterations = 2' --output "output/$one"
    while read -r text; do
      must_say log "$text"
    done < <(sed -n 's/^# says: *//p' "$deck")
    (($(wc -l < "output/$one/history.csv") == 3)) || wrong "$one: not two designs"
  done
}

# Parts that are tied are connected for every method: none of them is an island.
case_tied_parts_are_one_for_every_method() {
  local method expected
  cp "$here"/decks/failing/touching-parts.prm .
  for method in simp 'iso stress' beso; do
    run touching-parts.prm --set 'Mesh/File/Tie touching faces = true' --set "Optimization/Method = $method" \
      --set 'Optimization/Maximum iterations = 3' --output output/tied
    expected=3 # three designs of an evolution are far from the volume
    [[ $method != simp ]] || expected=0
    ((code == expected)) || wrong "exit code $code of $method"
    must_say log 'tied faces: 12 nodes of one side follow'
    [[ $method != simp ]] || {
      run touching-parts.prm --set 'Mesh/File/Tie touching faces = true' --set 'Optimization / Volume fraction = 0.9' \
        --set 'Optimization/Maximum iterations = 3' --output output/tied --set 'Export / Formats = ply'
      must_say log 'the part has a body on each side'
      ! grep -n 'islands taken away' log || wrong 'the part lacks a tied side'
    }
    if grep -n 'was taken away' log; then
      wrong "$method takes a tied part for an island"
    fi
  done
}

# Meshes of files, whose coarse cells p4est sorts: ids and names select the same on any number of ranks.
case_regions_are_the_same_on_any_number_of_ranks() {
  local deck n
  for deck in "$here"/../prm/{connecting-rod,from-cad/*,evolutionary/mast-gmsh}.prm "$here"/decks/accepted/*.prm; do
    for n in 1 3; do
      must_run mpi $n --validate "$deck" --threads 1
      sed -n '/boundary ids:/,/memory estimate/p' log | sed '/NOTE: on several ranks/d; s/e-1[0-9]/e-1x/' > regions-$n
    done
    [[ -s regions-1 ]] || wrong "no regions of $deck"
    diff regions-1 regions-3 || wrong "$deck: other regions on three ranks"
  done
}

# Runs of one user side by side, as in a study of parameters: none removes what another one needs.
case_many_runs_side_by_side() {
  local k pids=() pid
  for k in {1..24}; do
    "$strut" --validate --threads 1 cantilever.prm > log-"$k" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || wrong "one of the runs ended with exit code $?: $(grep -h -m 3 -e error -e Error log-*)"
  done
}

case_every_mesh_runs() {
  local two='set Backend = cpu
set Threads = 1
subsection Optimization
  set Volume fraction    = 0.5
  set Maximum iterations = 2
end
subsection Supports
  subsection foot
    set Expression = SUPPORT
  end
end
subsection Loads
  subsection top
    set Expression = LOAD
    set Type       = total force
    set Value      = 1, 1, 0
  end
end'
  mesh() {
    local name=$1 text=$2 support=$3 load=$4
    { printf '%s\n' "$text" && sed "s/SUPPORT/$support/; s/LOAD/$load/" <<< "$two"; } > "$name.prm"
    must_run "$name.prm"
    (($(n_iterations "$name") == 2)) || wrong "$name did not make 2 iterations"
    [[ -s output/$name/$name.pvd ]] || wrong "$name has no results"
  }
  mesh box 'subsection Mesh
  set Type = box
  subsection Box
    set Elements = 8, 4, 4
  end
end' 'x < tol' 'x > xmax - tol'
  mesh l-beam 'subsection Mesh
  set Type = l beam
  subsection L beam
    set Cells per fifth = 2
    set Layers = 1
  end
end' 'y > ymax - tol' 'x > xmax - tol'
  mesh michell 'subsection Mesh
  set Type = michell
  subsection Michell
    set Elements along arc = 16
    set Elements from arc = 4
    set Elements to far side = 6
    set Layers = 1
  end
end' 'sqrt(x*x + y*y) < 1 + tol' 'x > xmax - tol \&\& abs(y) < tol'
  mesh connecting-rod 'subsection Mesh
  set Type = connecting rod
  subsection Connecting rod
    set Elements across = 8
    set Elements upper ring = 1
    set Elements upper field = 3
    set Elements lower ring = 1
    set Elements lower field = 3
    set Elements between = 3
    set Layers = 1
  end
end' 'y < tol' 'y > ymax - tol'
  mesh hollow-cylinder 'subsection Mesh
  set Type = hollow cylinder
  subsection Hollow cylinder
    set Elements radial = 2
    set Elements circumferential = 16
    set Elements axial = 4
  end
end' 'z < tol' 'z > zmax - tol'
  mesh gmsh-rod 'subsection Mesh
  set Type = file
  subsection File
    set File name = prm-meshes/connecting-rod.msh
  end
end' 'y < 10' 'y > ymax - 10'
}

# In the log of the run and of --validate: regions of responses, entries that nothing reads, elements that are no cubes.
case_what_a_deck_asks_for_is_told() {
  local command
  deck asked 'subsection Mesh
  subsection Box
    set Size = 12, 4, 6
  end
end
subsection Optimization
  set Maps   = density, overhang
  set Update = mma
  set Maximum iterations = 1
  subsection Extrusion
    set Direction = 0, 0, 1
  end
end
subsection Constraints
  subsection left
    set Response = mass
    set At most  = 200
    subsection Mass
      set Expression = x < 6
    end
    subsection Volume
      set Expression = x < 3
    end
  end
  subsection tip
    set Response = displacement
    set At least = -1e9
    subsection Displacement
      set Boundary ids = 1
    end
  end
end'
  for command in '--validate' ''; do
    must_run $command asked.prm
    must_say log "constraint 'left': 96 elements (where x < 6)"
    must_say log '50 % of the volume, in [0, 6] x [0, 4] x [0, 6]'
    must_say log "constraint 'tip': 25 nodes (boundary ids 1)"
    must_say log "NOTE: asked.prm:11: nothing reads 'Optimization / Extrusion': 'Maps' is 'density, overhang'"
    must_say log "NOTE: asked.prm:22: nothing reads 'Constraints / left / Volume': 'Response' is 'mass'"
    must_say log "NOTE: the map 'overhang' works on a grid of cubes, and the elements have edges of 1 to 1.5"
  done
  must_say output/asked/summary.json "nothing reads 'Optimization / Extrusion'"
  for maps in helmholtz projection; do
    deck unfiltered 'subsection Optimization' "  set Maps = $maps" '  set Filter weights = count' 'end'
    must_run --validate unfiltered.prm
    must_say log "nothing reads 'Optimization / Filter weights': no filter and no map takes them"
  done
}

# What the log of the first start has noted stays in the summary, which that of the second one would replace.
case_notes_of_an_earlier_start_stay() {
  deck parts 'subsection Optimization' '  set Maximum iterations = 4' 'end'
  must_run parts.prm --set 'Export / Unit = meter'
  must_say output/parts/summary.json "nothing reads 'Export / Unit'"
  deck parts
  must_run --resume parts.prm
  must_say output/parts/summary.json "nothing reads 'Export / Unit'"
}

run_the_case

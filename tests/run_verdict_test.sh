#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Runs that end with a design that nobody asked for: empty, solid, apart from its load, worse than before. Each ends with a
# WARNING and exit code 3.
#
#   run_verdict_test.sh STRUT MPIEXEC CASE
#   run_verdict_test.sh --list           names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# must_fall_short NAME TEXT OPTIONS...: exit code 3, a WARNING with this text in the log and in summary.json, and no part.
must_fall_short() {
  local name=$1 text=$2
  shift 2
  run "$@"
  ((code == 3)) || wrong "exit code $code, not 3, of: $*"
  must_say log 'WARNING: '
  must_say log "$text"
  must_say "output/$name/summary.json" "$text"
  if compgen -G "output/$name/*.stl" > /dev/null; then
    wrong "$name has a part or a surface"
  fi
}

parts='subsection Export
  set Formats = stl
end
subsection Output
  set Surface = true
end'

lightest='subsection Optimization
  set Minimise           = mass
  set Update             = mma
  set Filter             = density
  set Volume fraction    = 0.6
  set Maximum iterations = 40
  set Stopping criterion = density change
end'

# A limit of the wrong sign: void keeps it. strut-export says that there is nothing to export.
case_a_limit_of_the_wrong_sign_ends_empty() {
  local n result
  deck wrong-sign "$lightest" "$parts" 'subsection Constraints
  subsection deflection
    set Response = displacement
    set At most  = 150
    subsection Displacement
      set Expression = x > xmax - tol && z < zmin + tol
    end
  end
end'
  for n in 1 3; do
    must_fall_short wrong-sign 'the design is empty: no element to design has a density from 0.5 on' mpi $n wrong-sign.prm
    must_say log "NOTE: the constraint 'deflection' was never near its limit, 150: the nearest value was -"
    must_say log 'NOTE: no part is made of this design'
    must_say output/wrong-sign/report.html 'No part is drawn: the design is empty'
  done
  result=$(find output/wrong-sign -name '*.vtu' | sort | tail -n 1)
  if "${strut%/*}/strut-export" "$result" --output part.stl > export.log 2>&1; then
    wrong 'strut-export makes a part of nothing'
  fi
  must_say export.log 'no element of the design has a density from 0.5, the largest is 0.01'
}

# Nothing but a frequency is asked for: the least of all bodies keeps it, however light it is.
case_the_lightest_for_a_frequency_ends_empty() {
  deck frequency "$lightest" "$parts" 'subsection Constraints
  subsection f1
    set Response = frequency
    set At least = 0.001
    subsection Frequency
      set Modes = 1
    end
  end
end'
  must_fall_short frequency 'A frequency needs a solid region or a mass that has to move' frequency.prm
}

# Printed from the top down no material comes to the load.
case_a_part_without_its_load_is_told() {
  local n
  base=beam
  deck printed "$parts" 'subsection Mesh
  set Type = l beam
  subsection L beam
    set Cells per fifth = 4
    set Layers          = 4
  end
end
subsection Supports
  subsection wall
    set Boundary ids = 3
  end
end
subsection Loads
  subsection tip
    set Boundary ids = 1
    set Type         = total force
    set Value        = 0, -1, 0
  end
end
subsection Optimization
  set Filter             = none
  set Maps               = density, overhang, projection
  set Maximum iterations = 80
  subsection Overhang
    set Direction = 0, -1, 0
  end
  subsection Projection
    set Iterations per sharpness = 12
  end
end'
  for n in 1 2; do
    must_fall_short printed 'joins a load and a support' mpi $n printed.prm
  done
  # the other way round it is a part
  must_run printed.prm --set 'Optimization/Overhang/Direction = 0, 1, 0'
  [[ -s output/printed/printed-part.stl ]] || wrong 'the design that can be printed has no part'
}

# A limit that only the solid keeps saves nothing.
case_a_solid_design_is_told() {
  deck full "$lightest" "$parts" 'subsection Constraints
  subsection deflection
    set Response = displacement norm
    set At most  = 1e-3
  end
end'
  must_fall_short full 'all elements to design are solid: nothing was saved' full.prm
}

# It ends at once, since the first design keeps the limit but for a tenth of a per cent, and no other one does.
case_a_solid_design_at_once_is_told() {
  deck full-at-once "${lightest/= 0.6/= 1}" "$parts" 'subsection Constraints
  subsection stiff
    set Response = compliance
    set At most  = 28.2
  end
end'
  must_fall_short full-at-once 'all elements to design are solid: nothing was saved' full-at-once.prm
}

# A stress that nothing limits between the region of the limit and the support: said before the run, and by --validate.
case_stress_limits_with_gaps_are_told() {
  deck gaps "$lightest" 'subsection Constraints
  subsection stress
    set Response = von mises
    set At most  = 50
    subsection Von mises
      set Expression = x > 2 && x < 6
    end
  end
end'
  run gaps.prm --validate
  must_say log "NOTE: constraint 'stress': "
  must_say log 'elements to design next to loads, supports or solid regions are outside of its region'
}

# Large steps: design 25 is the best one, 26 has a compliance of 134 in the place of 123.
case_a_last_design_that_is_worse_is_told() {
  local best
  deck leap 'subsection Optimization
  set Update             = mma
  set Filter             = projection
  set Volume fraction    = 0.3
  set Move limit         = 0.9
  set Maximum iterations = 25
  subsection Projection
    set Sharpness         = 16
    set Maximum sharpness = 16
  end
end'
  must_run leap.prm
  run leap.prm --set 'Optimization/Maximum iterations = 26'
  ((code == 3)) || wrong "exit code $code, not 3, of a last design that is worse"
  best=$(awk -F, 'NR > 1 && $3 < 0.3003 && (!n || $2 < least) { least = $2; n = $1 } END { print n }' output/leap/history.csv)
  must_say log "WARNING: the last design is worse than that of iteration $best, which meets volume and constraints: compliance "
  must_say log "'Output / Best design = true' keeps it"
  run leap.prm --set 'Optimization/Maximum iterations = 26' --set 'Output/Best design = true'
  ((code == 3)) || wrong "exit code $code, not 3, where the best design is kept"
  must_say log "It is in leap-$(printf %04d "$best").vtu"
}

# What the end of a run says of its design as solid elements is what --analyse finds of the result, to one per cent, since void has
# the least density here and less there; a limit that they break is a WARNING, with a limit that leaves room.
case_limits_are_judged_in_solid_elements() {
  local coarse options of_run of_analysis
  coarse='subsection Mesh
  subsection Box
    set Size     = 32, 16, 16
    set Elements = 16, 8, 8
  end
end
subsection Optimization
  set Update             = mma
  set Filter             = projection
  set Volume fraction    = 0.6
  set Filter radius      = 3
  set Maximum iterations = 40
  subsection Projection
    set Maximum sharpness        = 8
    set Iterations per sharpness = 10
  end
end'
  deck kept "$coarse" 'subsection Optimization
  set Minimise = mass
end
subsection Constraints
  subsection stress
    set Response = von mises
    set At most  = 0.25
  end
end'
  # The second run accepts unconverged solves, but the last values are those of a converged one.
  for options in '' 'Solver / At limit = accept'; do
    run kept.prm ${options:+--set "$options" --set 'Solver / Maximum iterations = 4'}
    must_say log 'Limits, and what the design has as solid elements of the same volume'
    if grep 'as solid elements of the same volume the design breaks' log; then
      wrong 'a limit that the solid elements keep is complained of'
    fi
    of_run=$(awk '/^Limits, and what the design has as solid elements/ { getline; print $NF }' log)
    run kept.prm --analyse "$(find output/kept -name '*.vtu' | sort | tail -n 1)"
    of_analysis=$(awk '$1 == "solid" && NF == 8 { print $6 }' log)
    awk -v a="$of_run" -v b="$of_analysis" 'BEGIN { exit !(a > 0 && (a - b)^2 < 1e-4 * b^2) }' ||
      wrong "as solid elements the run has a stress of '$of_run', and --analyse '$of_analysis'"
  done

  deck broken "$coarse" 'subsection Optimization
  set Minimise = mass with stress limits
  subsection Mass with stress limits
    set Limit = 0.35
  end
end
subsection Output
  set Checkpoint every = 40
end'
  run broken.prm
  ((code == 3)) || wrong "exit code $code, not 3, where the solid elements break a limit"
  must_say log "WARNING: as solid elements of the same volume the design breaks the limit of 'mass with stress limits': 0.4"
  must_say log "set the limit of 'mass with stress limits' to 0.2"
  must_say output/broken/summary.json '"as solid elements"'
  # A restart that has nothing to do says it again, also after one that was killed.
  for of_run in 'iteration limit' running; do
    sed -i "s/\"status\": \"iteration limit\"/\"status\": \"$of_run\"/" output/broken/summary.json
    run --resume broken.prm
    ((code == 3)) || wrong "exit code $code, not 3, where the design of an earlier start breaks a limit"
    must_say log 'Nothing left to do'
    must_say log "WARNING: as solid elements of the same volume the design breaks the limit of 'mass with stress limits': 0.4"
    must_say output/broken/summary.json '"status": "iteration limit"'
  done
}

# One design is an analysis, and no verdict is passed on it.
case_an_analysis_has_no_verdict() {
  deck uniform 'subsection Optimization' '  set Volume fraction = 0.3' '  set Maximum iterations = 1' 'end'
  must_run uniform.prm
  if grep WARNING log; then
    wrong 'the uniform design is complained of'
  fi
}

run_the_case

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Optimizations, in whole runs on small decks: loads, load cases, filters, the volume, meshes.
#
#   run_optimization_test.sh STRUT MPIEXEC CASE
#   run_optimization_test.sh --list           names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# Filters that change densities: what is resumed, what ranks and outputs have, is the design before them and the
# densities behind them. The sharpness changes between the parts.
case_densities_behind_a_filter() {
  local n filter lines='subsection Non-design regions
  subsection pad
    set Expression = x > xmax - 2
  end
  subsection hole
    set Expression = x < 2 && y < 2
    set Density    = void
  end
end
subsection Optimization
  set Filter = FILTER
  subsection Projection
    set Iterations per sharpness = 2
  end
end'
  for filter in density projection; do
    for n in 1 3; do
      deck $filter-$n "${lines/FILTER/$filter}"
      must_run mpi $n $filter-$n.prm
    done
    same_history $filter-1 $filter-3 1e-6
    deck $filter-parts "${lines/FILTER/$filter}" 'subsection Optimization' '  set Maximum iterations = 4' 'end'
    must_run $filter-parts.prm
    sed -i 's/Maximum iterations = 4/Maximum iterations = 8/' $filter-parts.prm
    must_run --resume $filter-parts.prm
    same_history $filter-1 $filter-parts
    awk -F, 'NR > 1 && ($3 < 0.4 - 4e-7 || $3 > 0.4 + 4e-7) { exit 1 }' output/$filter-1/history.csv ||
      wrong "the volume of $filter is not what was asked"
    if grep -E 'WARNING|asked' log; then
      wrong "a volume that holds is complained of"
    fi
  done
}

# The settings of decks.md, "Optimization", with a traction on all of the end: with moves of 0.2 all the way designs alternated by
# a factor of three. Each two-cycle is told and answered, and at the end neighbours differ by less than half a per cent.
case_designs_that_alternate_come_to_rest() {
  deck alternating 'subsection Mesh
  subsection Box
    set Size     = 16, 8, 8
    set Elements = 16, 8, 8
  end
end
subsection Loads
  subsection tip
    set Type       = traction
    set Value      = 0, 0, -0.01
    set Expression = x > xmax - tol
  end
end
subsection Optimization
  set Volume fraction    = 0.3
  set Filter             = projection
  set Filter radius      = 2
  set Maximum iterations = 140
  subsection Projection
    set Sharpness                = 1
    set Iterations per sharpness = 20
    set Maximum sharpness        = 16
  end
end'
  must_run alternating.prm
  must_say log 'NOTE: designs alternate between two, with objectives'
  must_say log 'from now on densities move by at most 0.05'
  if grep WARNING log; then
    wrong 'designs alternate at the end'
  fi
  awk -F, 'NR > 1 { c[++n] = $2; if (n == 1 || $2 < least) least = $2 }
    END {
      for (i = n - 9; i <= n; ++i)
        if (c[i] > 1.005 * least)
          exit 1
      exit n != 140
    }' output/alternating/history.csv || {
    wrong 'the last designs alternate'
    tail -n 12 output/alternating/history.csv
  }
}

# The weight of the uniform design is that of a body force of 0.4 of it; the log says which of them follows the
# density. Ranks and a restart change nothing; the volume is not exceeded.
case_self_weight_follows_the_density() {
  local n lines='subsection Loads
  subsection tip
    set Type       = %s
    set Value      = 0, 0, %s
    set Expression = x > 2
  end
end
subsection Optimization
  set Filter             = density
  set Maximum iterations = %s
end
'
  # shellcheck disable=SC2059
  deck body "$(printf "$lines" 'body force' -0.4 1)"
  # shellcheck disable=SC2059
  deck uniform "$(printf "$lines" 'self weight' -1 1)"
  must_run body.prm
  must_say log "body force (0, 0, -0.4) on 160 elements (where x > 2); force in all (0, 0, -64), whatever the density"
  must_run uniform.prm
  must_say log "self weight (0, 0, -1) on 160 elements (where x > 2); force in all (0, 0, -160) if all of it is solid; times the density"
  same_history body uniform 1e-8
  for n in 1 3; do
    # shellcheck disable=SC2059
    deck weight-$n "$(printf "$lines" 'self weight' -1 8)"
    must_run mpi $n weight-$n.prm
  done
  same_history weight-1 weight-3 1e-6
  awk -F, 'NR > 1 && $3 > 0.4 + 4e-7 { exit 1 }' output/weight-1/history.csv || wrong 'the volume is exceeded'
  # shellcheck disable=SC2059
  deck weight-parts "$(printf "$lines" 'self weight' -1 4)"
  must_run weight-parts.prm
  # shellcheck disable=SC2059
  deck weight-parts "$(printf "$lines" 'self weight' -1 8)"
  must_run --resume weight-parts.prm
  same_history weight-1 weight-parts
}

# Loads that vary within elements and follow the density or the stiffness: ranks and a restart change nothing.
case_rotation_and_expansion_follow_the_design() {
  local load n rotation expansion steps='subsection Optimization
  set Filter             = density
  set Update             = mma
  set Maximum iterations = %s
end
'
  rotation='subsection Loads
  subsection tip
    set Type       = rotation
    set Value      = 0.1, 0, 0.3
    set Expression = x > 2
    subsection Rotation
      set Point   = 0, 1, 0
      set Density = 0.5
    end
  end
end
'
  expansion='subsection Loads
  subsection heat
    set Type       = thermal expansion
    set Expression = x > 2
    subsection Thermal expansion
      set Coefficient            = 0.01
      set Temperature difference = 5 + x * z
    end
  end
end
'
  for load in rotation expansion; do
    for n in 1 2 3; do
      # shellcheck disable=SC2059
      deck $load-$n "${!load}$(printf "$steps" 8)"
      must_run mpi $n $load-$n.prm
    done
    same_history $load-1 $load-2 1e-6
    same_history $load-1 $load-3 1e-6
    # shellcheck disable=SC2059
    deck $load-parts "${!load}$(printf "$steps" 4)"
    must_run $load-parts.prm
    # shellcheck disable=SC2059
    deck $load-parts "${!load}$(printf "$steps" 8)"
    must_run --resume $load-parts.prm
    same_history $load-1 $load-parts 0
  done
}

# A solve that solves nothing leaves no sensitivities: the volume is lost, and said to be.
case_a_missed_volume_is_said() {
  deck missed 'subsection Solver' '  set Preconditioner = jacobi' '  set Stopping criterion = absolute' \
    '  set Tolerance = 1e30' 'end'
  run missed.prm
  ((code == 3)) || wrong "exit code $code, not 3, of a volume that is missed"
  must_say log 'NOTE: volume fraction 0.4 asked, 0.01 got in 5 designs in a row.'
  must_say log 'WARNING: the design misses the volume: volume fraction 0.4 asked, 0.01 got.'
}

# A frequency is lowest in the blueprint here, and the two ends keep to a limit that it breaks. The run tells that, also one with
# nothing left to do; a run that analyses all three fields has the same value.
case_a_blueprint_that_breaks_a_constraint_is_said() {
  local of_three of_ends limit n
  last_tone() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "tone") c = i } END { print $c }' "output/$1/history.csv"
  }
  deck ends 'subsection Optimization' '  set Update = mma' '  set Filter = projection' '  set Volume fraction = 0.1' \
    '  set Maximum iterations = 1' '  subsection Robust' '    set Fields = eroded and dilated' \
    '    set Threshold distance = 0.3' '  end' '  subsection Projection' '    set Sharpness = 2' '  end' 'end' 'subsection Constraints' '  subsection tone' \
    '    set Response = frequency' '    set At least = 1e-9' '  end' 'end'
  must_run ends.prm --output output/free
  must_run ends.prm --output output/three --set 'Optimization / Robust / Fields = worst case'
  of_three=$(last_tone three)
  of_ends=$(last_tone free)
  limit=$(awk "BEGIN { print ($of_three + $of_ends) / 2 }")
  awk "BEGIN { exit !($of_ends > 1.05 * $of_three) }" || wrong "tones: $of_ends of the ends, $of_three of all"
  for n in 1 2; do
    run mpi $n ends.prm --output output/ends-$n --set "Constraints / tone / At least = $limit"
    ((code == 3)) || wrong "exit code $code, not 3, on $n ranks"
    must_say log "WARNING: the design breaks the constraint 'tone' in the blueprint: "
    grep -A9 '"name": "blueprint"' output/ends-$n/summary.json | grep '"tone"' | tr -d ',' |
      awk -v tone="$of_three" '{ d = $NF / tone - 1; found = d < 1e-6 && -d < 1e-6 } END { exit !found }' || {
      wrong "the blueprint has no tone of $of_three in the summary on $n ranks"
      grep -B2 -A12 '"fields"' output/ends-$n/summary.json
    }
  done
  run --resume ends.prm --output output/ends-1 --set "Constraints / tone / At least = $limit"
  ((code == 3)) || wrong "exit code $code, not 3, with nothing left to do"
  must_say log "WARNING: the design breaks the constraint 'tone' in the blueprint: "
}

# Eight designs of two load cases, and second solves for those that the constraint counts; by two fields, and once more for the
# displacements in the last result.
case_second_solves_are_in_the_estimate_of_time() {
  local cases fields n
  while IFS=, read -r cases fields n; do
    deck solves 'subsection Loads' '  subsection side' '    set Expression = x > xmax - tol && z < zmin + tol' \
      '    set Type = total force' '    set Value = 0, 1, 0' '    set Load case = side' '  end' 'end' \
      'subsection Optimization' '  set Update = mma' '  set Filter = projection' '  subsection Robust' \
      "    set Fields = $fields" '  end' 'end' 'subsection Constraints' '  subsection dip' \
      '    set Response = displacement norm' '    set At most = 1000' "    set Load cases = $cases" '  end' 'end'
    must_run --validate solves.prm
    must_say log "time estimate: $n solves of "
  done << 'END'
,none,32
side,none,24
side,eroded and dilated,50
END
}

# Fewer designs of the deck with a largest member: no member is thicker than its balls, and without the constraint some are.
case_members_do_not_get_too_thick() {
  local limit
  for limit in 0.9 1.5; do
    must_run "$here/../prm/designers/largest-member.prm" --output output/thick-$limit --set 'Backend = cpu' \
      --set 'Optimization / Maximum iterations = 40' --set 'Optimization / Projection / Iterations per sharpness = 8' \
      --set "Constraints / thickness / At most = $limit"
    grep -A1 '"largest member"' output/thick-$limit/summary.json | awk -v limit=$limit '
      /"most"/ { most = $2 + 0 } END { exit !(most > 0 && (limit < 1 ? most <= 10 : most > 14)) }' || {
      wrong "the largest member with the limit $limit"
      grep 'largest member' log
    }
  done
}

# An evolution that has no time to come down to its volume.
case_an_evolution_that_misses_its_volume_is_said() {
  local method
  for method in 'iso stress' beso; do
    run cantilever.prm --set "Optimization/Method = $method" --set 'Optimization/Maximum iterations = 2' \
      --output output/missed
    ((code == 3)) || wrong "exit code $code, not 3, of $method"
    must_say log 'WARNING: the limit of iterations came first: its volume fraction is'
    must_say output/missed/summary.json 'the limit of iterations came first'
  done
}

# Members break here on the way; a design whose load hangs on the supports by edges alone is refused. The run ends with
# another one, far from good, and the exit code says so.
case_an_evolution_that_parts_a_load_is_no_result() {
  cat > broken.prm << 'END'
set Backend = cpu
set Threads = 1
subsection Mesh
  set Type = l beam
  subsection L beam
    set Cells per fifth = 4
    set Layers          = 2
  end
end
subsection Supports
  subsection top
    set Expression = y > ymax - 2.1
  end
end
subsection Loads
  subsection end
    set Expression = x > xmax - 2.1
    set Type       = body force
    set Value      = -0.53, -0.26, 0.71
  end
end
subsection Non-design regions
  subsection slot
    set Expression = x < 4 and y > 9 and y < 12 and x > 1
    set Density    = void
  end
end
subsection Optimization
  set Method             = beso
  set Volume fraction    = 0.338
  set Maximum iterations = 150
  set Filter radius      = 2.85
end
END
  run broken.prm --output output/broken
  ((code == 3)) || wrong "exit code $code, not 3"
  must_say log 'was refused: it parts a load from the supports: no path leads through faces of elements'
}

# Cuts at the last stress alternate here between compliances of 21.2 and 23.1, once the volume is reached.
case_an_evolution_that_alternates_comes_to_rest() {
  cat > two.prm << 'END'
set Backend = cpu
set Threads = 1
subsection Mesh
  set Type = box
  subsection Box
    set Size     = 40, 40, 20
    set Elements = 16, 16, 8
  end
end
subsection Symmetry
  set Planes         = y = 40
  set Mirror filters = false
end
subsection Supports
  subsection hold
    set Boundary ids = 0
  end
end
subsection Loads
  subsection pull
    set Boundary ids = 1
    set Expression   = z < 5 + tol
    set Type         = traction
    set Value        = 1.225715242e-3, 1.842570576e-3, -6.391810705e-5
  end
  subsection push
    set Boundary ids = 5
    set Expression   = x > xmax - 5 - tol
    set Type         = total force
    set Value        = -6.918007688, -1.571492937, -1.82192458
    set Load case    = 2
  end
end
subsection Optimization
  set Method             = iso stress
  set Volume fraction    = 0.2
  set Maximum iterations = 200
  subsection Iso stress
    set Stress to cut = last
  end
end
END
  must_run two.prm
  must_say output/two/summary.json '"status": "converged"'
  grep -q 'alternate' log && wrong 'the designs alternate at the end'
  return 0
}

# Conjugate gradients that the limit ends far from equilibrium are told of; if the last design cannot be solved to the
# tolerance, it is there all the same.
case_a_last_design_that_is_not_solved_is_kept() {
  deck slender 'subsection Mesh' '  subsection Box' '    set Size     = 2000, 1, 1' '    set Elements = 2000, 1, 1' '  end' 'end' \
    'subsection Solver' '  set Preconditioner     = jacobi' '  set Maximum iterations = 20' '  set At limit           = accept' \
    '  set Tolerance          = 1e-3' 'end' 'subsection Optimization' '  set Maximum iterations = 2' '  set Filter = none' 'end'
  run slender.prm
  ((code == 1)) || wrong "exit code $code, not 1, of a last solve that failed"
  must_say log 'further from equilibrium than none at all'
  must_say log 'The last design is in output/slender, not solved to the tolerance'
  [[ -s output/slender/slender-0002.vtu ]] || wrong 'the last design is lost'
  must_say output/slender/summary.json '"status": "failed"'
}

case_load_cases_add_up() {
  local second='subsection Loads
  subsection side
    set Boundary ids = 1
    set Type         = total force
    set Value        = 0, 0.5, 0
    set Load case    = 2
  end
end' analysis='subsection Optimization
  set Maximum iterations = 1
end'
  deck one "$analysis"
  deck both "$second" "$analysis"
  deck weighted "$second" "$analysis" 'subsection Load cases' '  set Weights = 1: 3, 2: 0.5' 'end'
  deck optimized "$second"
  local c
  for c in one both weighted optimized; do
    must_run $c.prm
  done
  awk -F, 'FNR == 2 { c[++n] = $2 } END { d = 3 * c[1] + 0.5 * (c[2] - c[1]) - c[3]; exit !(c[2] > c[1] && d < 1e-8 * c[3] && -d < 1e-8 * c[3]) }' \
    output/{one,both,weighted}/history.csv || wrong 'the weighted sum of the compliances is another'
  must_run mpi 2 optimized.prm

  # each case has its column, and keeps it when a run is gone on with
  must_run weighted.prm --set 'Optimization/Maximum iterations = 4' --output output/whole
  must_say log "load cases: 2; the column 'compliance' is the sum of weight times compliance over them"
  must_say output/whole/history.csv ',seconds,compliance_1,compliance_2'
  awk -F, 'FNR > 1 { d = 3 * $9 + 0.5 * $10 - $2; if (!($9 > 0 && $10 > 0 && d < 1e-12 * $2 && -d < 1e-12 * $2)) wrong = 1 } END { exit wrong || NR != 5 }' \
    output/whole/history.csv || wrong 'the columns of the cases do not add up'
  must_run weighted.prm --set 'Optimization/Maximum iterations = 2' --output output/parts
  must_run weighted.prm --set 'Optimization/Maximum iterations = 4' --output output/parts --resume
  same_history whole parts
}

# The lightest beam whose edge goes down by no more than a limit comes to that limit; a limit that no design holds is told.
case_a_limit_of_a_displacement_is_reached() {
  local problem='subsection Optimization
  set Minimise           = mass
  set Update             = mma
  set Filter             = density
  set Maximum iterations = 40
end
subsection Constraints
  subsection deflection
    set Response = displacement
    set At least = -150
    subsection Displacement
      set Expression = x > xmax - tol && z < zmin + tol
    end
  end
end'
  # The design keeps the limit, but grey elements carry its load: a part of it would not, and that is the only WARNING.
  deck light "$problem"
  run light.prm
  ((code == 3)) || wrong "exit code $code, not 3, of a grey design whose solid elements do not carry the load"
  must_say log "WARNING: as solid elements of the same volume the design breaks the limit of 'deflection'"
  must_say log 'minimise: mass'
  must_say log 'constraint deflection: displacement >= -150'
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } END { u = $column["deflection"] / -150; exit !(u > 0.999 && u < 1.001) }' \
    output/light/history.csv || wrong 'the displacement is not at its limit'
  run mpi 2 light.prm --output output/ranks
  must_say log "WARNING: as solid elements of the same volume the design breaks the limit of 'deflection'"
  same_history light ranks 1e-4
  run light.prm --set 'Constraints / deflection / At least = -1' --output output/none
  ((code == 3)) || wrong "exit code $code, not 3, of a limit that nothing holds"
  must_say log "WARNING: the design breaks the constraint 'deflection'"
}

# The value of the solid body is that of a design of volume fraction 1; a frequency that it lacks is a NOTE.
case_limits_are_beside_what_the_solid_body_has() {
  local solid values
  deck limits 'subsection Optimization' '  set Update = mma' '  set Filter = density' '  set Maximum iterations = 1' 'end' \
    'subsection Constraints' '  subsection stiff' '    set Response = compliance' '    set At most = 1e6' '  end' \
    '  subsection tone' '    set Response = frequency' '    set At least = 1' '  end' 'end'
  must_run --validate --solid limits.prm
  must_say log "NOTE: the solid body breaks the limit 'tone': its frequency is "
  run limits.prm --output output/full --set 'Optimization / Volume fraction = 1'
  solid=$(tail -n 1 output/full/history.csv | cut -d, -f2)
  run limits.prm
  must_say log '  limits, and what the solid body has:'
  values=$(grep -A12 '"solid body"' output/limits/summary.json)
  must_say <(echo "$values") '"at most": 1000000'
  must_say <(echo "$values") '"at least": 1'
  echo "$values" | grep '"value"' | head -n 1 | tr -d ',' |
    awk -v solid="$solid" '{ d = $NF / solid - 1; found = d < 1e-9 && -d < 1e-9 } END { exit !found }' ||
    wrong "the solid body has $solid, and the summary: $values"
}

# Two loads, of which one is worse for any sum of them: the worst case makes both alike.
case_a_worst_case_is_balanced() {
  deck worst 'subsection Loads
  subsection side
    set Expression = x > xmax - tol && z > zmax - tol
    set Type       = total force
    set Value      = 0, 1.3, 0
    set Load case  = side
  end
end
subsection Optimization
  set Over load cases    = worst
  set Update             = gcmma
  set Filter             = density
  set Maximum iterations = 40
end'
  run worst.prm
  ((code == 0 || code == 3)) || wrong "exit code $code" # grey: no piece from 0.5 on need join the loads
  must_say log "the column 'compliance' is the largest of weight times compliance"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } END { a = $column["compliance_1"]; b = $column["compliance_side"]; d = (a - b) / b; exit !(d < 0.01 && d > -0.01) }' \
    output/worst/history.csv || wrong 'the two compliances differ'
}

# Pushed by u the structure is pushed back by f u / C: the compliance is -u^2 C' with C' that of the force 1.
case_a_displacement_may_act_instead_of_a_force() {
  local held='subsection Supports
  subsection pushed
    set Boundary ids = 1
    set Components   = z
    set Displacement = -0.1
  end
end'
  { echo 'include beam.prm' && sed -n '/subsection Supports/,/^end/p' cantilever.prm && echo "$held"; } > pushed.prm
  must_run pushed.prm
  must_say log 'Limit of iterations reached after iteration 8'
  must_run mpi 2 pushed.prm
  # stiffer with every iteration: what holds the displacement grows
  awk -F, 'NR == 2 { first = $2 } { last = $2 } END { exit !(first < 0 && last < first) }' output/pushed/history.csv ||
    wrong 'the optimization does not make the structure stiffer against the displacement'
}

# The T of the mast, unstructured from Gmsh on two ranks, and in boxes of the same size, most of them void: the designs
# have the same volume and, to 3 %, the same compliance.
case_a_t_from_gmsh_is_a_t_of_boxes() {
  local prm=$here/../prm/evolutionary
  local options=(--set 'Optimization / Volume fraction = 0.4' --set 'Optimization / Iso stress / Evolution rate = 0.06')
  must_run mpi 2 "$prm/mast-gmsh.prm" --output output/gmsh "${options[@]}" --set 'Mesh / File / Refinements = 1' \
    --set 'Supports / feet / Expression = everywhere' --set 'Loads / line / Expression = everywhere'
  must_say log 'Converged after iteration'
  must_run "$prm/mast.prm" --output output/boxes "${options[@]}" --set 'Mesh / Box / Elements = 20, 10, 50' \
    --set 'Supports / feet / Expression = z < tol && x > 2 - tol && x < 2.5 + tol' \
    --set 'Loads / line / Expression = abs(z - 20) < tol && x > 6 - tol && x < 6.5 + tol'
  must_say log 'Converged after iteration'
  tail -q -n 1 output/{gmsh,boxes}/history.csv | tee last | awk -F, '
    { c[NR] = $2; v[NR] = $3 }
    END { d = c[1] / c[2] - 1; e = v[1] - v[2]; exit !(NR == 2 && d < 0.03 && -d < 0.03 && e < 4e-6 && -e < 4e-6) }' || {
    wrong 'the last designs are not alike'
    cat last
  }
}

# A bar cut into tetrahedra, from a file of Gmsh: the same designs on one rank and on three, by both operators; its result
# can be analysed; entries that know hexahedra alone are refused by name.
case_tetrahedra_are_designed_on_any_number_of_ranks() {
  local operator
  awk 'BEGIN {
    n[0] = 8; n[1] = 3; n[2] = 4
    print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" 9 * 4 * 5
    for (k = 0; k < 5; ++k) for (j = 0; j < 4; ++j) for (i = 0; i < 9; ++i)
      print node(i, j, k), i + 0.2 * sin(2 * j + k), j, k + 0.1 * cos(3 * i)
    print "$EndNodes\n$Elements\n" 8 * 3 * 4 * 6
    split("012 021 102 120 201 210", orders, " ")
    for (k = 0; k < 4; ++k) for (j = 0; j < 3; ++j) for (i = 0; i < 8; ++i) for (p = 1; p <= 6; ++p) {
      x[0] = i; x[1] = j; x[2] = k; v[0] = node(i, j, k)
      for (s = 1; s <= 3; ++s) { ++x[substr(orders[p], s, 1)]; v[s] = node(x[0], x[1], x[2]) }
      if (p == 2 || p == 3 || p == 6) { t = v[1]; v[1] = v[2]; v[2] = t }
      print ++e, 4, 2, 1, 1, v[0], v[1], v[2], v[3]
    }
    print "$EndElements"
  }
  function node(i, j, k) { return 1 + i + 9 * (j + 4 * k) }' > bar.msh
  cat > bar.prm << 'END'
set Operator = ebe
set Precision = double
subsection Mesh
  set Type = file
  subsection File
    set File name = bar.msh
  end
end
subsection Supports
  subsection wall
    set Expression = x < xmin + 0.45
  end
end
subsection Loads
  subsection tip
    set Boundary ids = 0
    set Expression   = x > 7.5 && abs(x - 8) < 0.3
    set Type         = total force
    set Value        = 0, 0, -1
  end
end
subsection Solver
  set Tolerance = 1e-10
end
subsection Optimization
  set Volume fraction    = 0.4
  set Filter radius      = 1.8
  set Maximum iterations = 6
  set Stopping criterion = none
end
END
  must_run bar.prm --output output/one
  must_say log 'preconditioner: multigrid, 2 levels: 576,'
  must_run mpi 3 bar.prm --output output/three
  same_history one three 1e-8
  for operator in nbn on_the_fly; do
    must_run mpi 2 bar.prm --output output/$operator --set "Operator = $operator"
    same_history one $operator 1e-8
  done
  must_run bar.prm --output output/stopped --set 'Optimization / Maximum iterations = 3' --set 'Output / Checkpoint every = 1'
  must_run mpi 2 bar.prm --output output/stopped --resume
  same_history one stopped 1e-8
  must_run bar.prm --output output/pde --set 'Optimization / Maps = helmholtz'
  must_run mpi 3 bar.prm --output output/pde-three --set 'Optimization / Maps = helmholtz'
  same_history pde pde-three 1e-8
  must_run bar.prm --analyse output/one/bar-0006.vtu
  awk -F, 'END { print $2 }' output/one/history.csv > compliance
  awk -v c="$(cat compliance)" '$1 == "grey" { found = 1; d = $4 / c - 1; wrong = d > 1e-5 || -d > 1e-5 } END { exit wrong || !found }' log ||
    wrong "the result does not have the compliance $(cat compliance)"
  for entry in 'Mesh / File / Refinements = 1' 'Material / Element = incompatible modes' 'Solver / Coarse operators = galerkin' \
    'Mesh / File / Tie touching faces = true'; do
    run bar.prm --output output/refused --set "$entry"
    ((code == 1)) || wrong "exit code $code of --set '$entry'"
    must_say log 'tet'
    grep -qi hex log || wrong "--set '$entry' does not say which elements it knows"
  done
}

# A cantilever in every type of element, by the generator: the same design on one rank and on three, with a closed part.
case_generated_elements_of_every_type() {
  local type n name
  for type in hex20 hex27 tet4 tet10; do
    for n in 1 3; do
      deck $type-$n 'subsection Mesh' "  set Element type = $type" '  subsection Box' '    set Size     = 16, 8, 8' \
        '    set Elements = 8, 4, 4' '  end' 'end' 'subsection Solver' '  set Tolerance = 1e-10' 'end' \
        'subsection Optimization' '  set Filter radius      = 3' '  set Maximum iterations = 5' 'end' \
        'subsection Output' '  set Surface = true' 'end' 'subsection Export' '  set Formats = stl, 3mf' 'end'
      must_run mpi $n $type-$n.prm
      must_say log 'operator: on_the_fly'
      for name in stl 3mf; do
        must_say log "$type-$n-part.$name: closed"
      done
      test -s output/$type-$n/$type-$n-0005.stl || wrong "$type-$n has no surface"
    done
    same_history $type-1 $type-3 1e-8
    # What a run leaves is a deck, of the operator that it took.
    must_run output/$type-1/parameters.prm --output output/$type-again
    same_history $type-1 $type-again 1e-12
  done
}

# Modes of a half, with half of a mass at its tip, are those of the whole; on two ranks, too.
case_a_half_has_the_frequencies_of_the_whole() {
  local mass=('subsection Masses' '  subsection motor' '    set Expression = x > xmax - tol' '    set Mass = 40' '  end' 'end')
  local tone=('subsection Optimization' '  set Maximise = frequency' '  set Update = mma' '  set Filter = density' '  set Maximum iterations = 2' '  set Volume fraction = 1'
    '  subsection Frequency' '    set Modes = 4' '    set Tolerance = 1e-9' '  end' 'end')
  deck whole "${tone[@]}" "${mass[@]}" 'subsection Mesh' '  subsection Box' '    set Size = 16, 4, 8' '    set Elements = 16, 4, 8' '  end' 'end'
  deck half "${tone[@]}" "${mass[@]/40/20}" 'subsection Mesh' '  subsection Box' '    set Size = 16, 2, 8' '    set Elements = 16, 2, 8' '  end' 'end' \
    'subsection Symmetry' '  set Planes = y = ymin' 'end'
  must_run whole.prm
  must_run half.prm
  must_say log 'modes of vibration: the lowest of 2 kinds, which keep or change their sign at y = ymin'
  must_say log "mass 'motor': 20, of the part that is meshed, on 27 nodes"
  same_history whole half 1e-8
  must_run mpi 2 half.prm --output output/ranks
  same_history half ranks 1e-8
  must_run half.prm --set 'Optimization/Frequency/Modes at planes = symmetric' --output output/symmetric
  local all symmetric
  all=$(awk -F, 'NR == 2 { print $2 }' output/half/history.csv)
  symmetric=$(awk -F, 'NR == 2 { print $2 }' output/symmetric/history.csv)
  awk "BEGIN { exit !($symmetric > 1.2 * $all) }" || wrong 'symmetric modes are as low as all'
}

run_the_case

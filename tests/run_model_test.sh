#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Decks that strut makes of models of Abaqus and CalculiX: what they say, and what strut computes with them.
#
#   run_model_test.sh STRUT MPIEXEC CASE
#   run_model_test.sh --list                  names of the cases
#
# A case is a function case_NAME below. It runs in an empty folder, and prints what is wrong.
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"

# bar: the mesh of a bar of 6 x 2 x 2 unit cubes in the dialect of CalculiX, with sets of its ends.
bar() {
  awk 'BEGIN {
    nx = 6; ny = nz = 2
    print "*NODE, NSET=Nall"
    for (k = 0; k <= nz; ++k) for (j = 0; j <= ny; ++j) for (i = 0; i <= nx; ++i) {
      print n(i, j, k) ", " i ", " j ", " k
      if (i == 0) fix = fix n(i, j, k) ",\n"
      if (i == nx) tip = tip n(i, j, k) ",\n"
    }
    print "*ELEMENT, TYPE=C3D8, ELSET=Eall"
    for (k = 0; k < nz; ++k) for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) {
      print ++e ", " n(i, j, k) ", " n(i + 1, j, k) ", " n(i + 1, j + 1, k) ", " n(i, j + 1, k) ", " \
        n(i, j, k + 1) ", " n(i + 1, j, k + 1) ", " n(i + 1, j + 1, k + 1) ", " n(i, j + 1, k + 1)
      if (i == nx - 1) last = last e ", S4\n"
      if (i < nx / 2) left = left e ",\n"
    }
    printf "*NSET, NSET=FIX\n%s*NSET, NSET=TIP\n%s*ELSET, ELSET=LEFT\n%s*SURFACE, NAME=END\n%s", fix, tip, left, last
    print "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000, 0.3\n*DENSITY\n7.8e-9\n*SOLID SECTION, ELSET=Eall, MATERIAL=STEEL"
  }
  function n(i, j, k) { return 1 + i + 7 * (j + 3 * k) }'
}

# model NAME [LINE ...]: NAME.inp is the bar, held at FIX, with these lines behind it.
model() {
  local file=$1.inp
  shift
  { bar && printf '%s\n' '*BOUNDARY' 'FIX, 1, 3' "$@"; } > "$file"
}

# converts NAME CODE: makes NAME.prm, which must end with the code, and then be valid.
converts() {
  run --from "$1.inp"
  ((code == $2)) || {
    wrong "exit code $code of --from $1.inp, not $2"
    cat log
  }
  mv log report
  must_run --validate "$1.prm"
}

# converts_badly NAME TEXT: makes NAME.prm with a warning.
converts_badly() {
  run --from "$1.inp"
  ((code == 3)) || wrong "exit code $code of --from $1.inp, not 3"
  must_say log "$2"
}

case_forces_on_sets_and_on_nodes() {
  model forces '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -2.' '7, 2, 5' '14, 2, 5.' '*END STEP'
  converts forces 0
  must_say log "support 'FIX': x = 0, y = 0, z = 0 on 9 nodes (boundary ids FIX)"
  must_say log "force per node (0, 0, -2) on 9 nodes (boundary ids TIP); force in all (0, 0, -18)"
  must_say log "force per node (0, 5, 0) on 2 nodes"
  must_say forces-sets.inp '*INCLUDE, INPUT="forces.inp"'
  must_say report 'Check it: strut --validate forces.prm'
}

# The deck computes what the same deck by hand does.
case_a_deck_of_a_model_is_as_one_by_hand() {
  model bar '*STEP' '*STATIC' '*DSLOAD' 'END, P, -3.' '*DLOAD' 'Eall, GRAV, 9810., 0., 0., -1.' '*END STEP'
  converts bar 0
  cat > hand.prm <<'DECK'
subsection Mesh
  set Type = file
  subsection File
    set File name = bar.inp
  end
end
subsection Material
  set Young's modulus = 210000
end
subsection Supports
  subsection wall
    set Expression = x < tol
  end
end
subsection Loads
  subsection pull
    set Expression = x > xmax - tol
    set Type       = traction
    set Value      = 3, 0, 0
  end
  subsection weight
    set Expression = everywhere
    set Type       = self weight
    set Value      = 0, 0, -7.6518e-5
  end
end
DECK
  must_run bar.prm --set 'Optimization / Maximum iterations = 2' --set 'Optimization / Volume fraction = 0.6'
  must_run hand.prm --set 'Optimization / Maximum iterations = 2' --set 'Optimization / Volume fraction = 0.6'
  same_history bar hand 1e-9
}

# Pressures on faces of elements, in the dialect of FreeCAD; 24 elements, 2 x 2 of them at the end.
case_pressures_on_faces_of_elements() {
  model faces '*STEP' '*STATIC' '*DLOAD' '6, P4, 10' '12, P4, 10' '18,P4,10' '24,P4,10' '*END STEP'
  converts faces 0
  must_say log 'pressure (10, 0, 0) on 4 faces of area 4'
  must_say log 'force in all (-40, 0, 0)'
  model more '*STEP' '*STATIC' '*DSLOAD' 'LEFT, P4, 10' '*END STEP'
  sed -i 's/^\*ELSET, ELSET=LEFT/*ELSET, ELSET=LAST\n6, 12, 18, 24\n&/; s/^LEFT, P4/LAST, P4/' more.inp
  converts more 0
  must_say log 'force in all (-40, 0, 0)'
}

# Many forces that differ, as those of a load on a curved face, keep their sum and their moment.
case_forces_that_differ_keep_sum_and_moment() {
  local nodes=(7 14 21 28 35 42 49 56 63) lines=() i
  for i in "${!nodes[@]}"; do lines+=("${nodes[i]}, 3, -$((i + 1)).") ; done
  model various '*STEP' '*STATIC' '*CLOAD' "${lines[@]}" '*END STEP'
  converts various 0
  must_say log 'force in all (0, 0, -45)'
  # sum of y f_z - z f_y about the middle of the end: forces 1 to 9 in rows along y
  must_say various.prm 'set Moment = -6, 0, 0'
  must_say report 'different forces: one remote force with their sum'
}

# Loads go on in later steps, until these replace or forget them.
case_steps_are_load_cases() {
  model steps '*STEP, NAME=down' '*STATIC' '*CLOAD' 'TIP, 3, -1.' '*END STEP' \
    '*STEP, NAME=both' '*STATIC' '*CLOAD' 'TIP, 2, 2.' '*END STEP' \
    '*STEP, NAME=less' '*STATIC' '*CLOAD' 'TIP, 3, -0.5' '*END STEP' \
    '*STEP, NAME=new' '*STATIC' '*CLOAD, OP=NEW' 'TIP, 1, 4.' '*END STEP' \
    '*STEP, NAME=modes' '*FREQUENCY' '5' '*END STEP'
  converts steps 0
  must_say log "case 'down': force per node (0, 0, -1) on 9 nodes"
  must_say log "case 'both': force per node (0, 0, -1) on 9 nodes"
  must_say log "case 'both': force per node (0, 2, 0) on 9 nodes"
  must_say log "case 'less': force per node (0, 2, 0) on 9 nodes"
  must_say log "case 'less': force per node (0, 0, -0.5) on 9 nodes"
  must_say log "case 'new': force per node (4, 0, 0) on 9 nodes"
  (($(grep -c "case 'new'" log) == 1)) || wrong 'the step forgets no loads'
  must_say report "step 'modes' is *FREQUENCY, not *STATIC"
}

# holds NAME SUM [CASE]: the forces of the loads of NAME.prm, of a load case at most, add up to a vector.
holds() {
  must_run --validate "$1.prm"
  local sum
  sum=$(grep "${3:+case '$3': }" log | sed -n 's/.*force in all (\([^)]*\)).*/\1/p' |
    awk -F', ' '{ for (d = 1; d <= 3; ++d) s[d] += $d } END { print s[1] + 0 ", " s[2] + 0 ", " s[3] + 0 }')
  [[ $sum == "$2" ]] || {
    wrong "the forces of $1.prm ${3:+in the case $3 }are ($sum), not ($2)"
    cat log
  }
}

# A node has a force of each of its names.
case_forces_on_one_node_add_up() {
  local nodes=(7 14 21 28 35 42 49 56 63) lines=() i
  for i in "${!nodes[@]}"; do lines+=("${nodes[i]}, 3, $((i + 1)).") ; done
  model spread '*NSET, NSET=CORNER' '7,' '*STEP' '*STATIC' '*CLOAD' "${lines[@]}" 'CORNER, 3, 100.' '*END STEP'
  converts spread 0
  holds spread '0, 0, 145'
  model twice '*NSET, NSET=CORNER' '7,' '*STEP' '*STATIC' '*CLOAD' 'CORNER, 1, 100.' '7, 1, 100.' 'TIP, 1, 1.' '*END STEP'
  converts twice 0
  holds twice '209, 0, 0'
}

case_forces_against_each_other_are_no_remote_force() {
  local i lines=()
  for i in 1 2 3 4 5 6 7; do lines+=("$i, 3, $i." "$((i + 42)), 3, -$i.") ; done
  model clamp '*STEP' '*STATIC' '*CLOAD' "${lines[@]}" '23, 3, 0.5' '24, 3, 0.7' '25, 3, 0.9' '*END STEP'
  converts_badly clamp 'different forces against each other'
}

# Pressures on a face add up: of the same set, of sets that overlap, and of an element in a set.
case_pressures_on_one_face_add_up() {
  model same '*ELSET, ELSET=LAST' '6, 12, 18, 24' '*STEP' '*STATIC' '*DLOAD' 'LAST, P4, 1.' 'LAST, P4, 1.' '*END STEP'
  converts same 0
  holds same '-8, 0, 0'
  model part '*ELSET, ELSET=LAST' '6, 12, 18, 24' '*STEP' '*STATIC' '*DLOAD' 'LAST, P4, 1.' '6, P4, 1.' '*END STEP'
  converts part 0
  holds part '-5, 0, 0'
  model none '*ELSET, ELSET=NO' '*STEP' '*STATIC' '*DLOAD' '6, P4, 1.' 'NO, P4, 1.' '*END STEP'
  converts none 3
  holds none '-1, 0, 0'
}

# Later steps replace loads of nodes and elements, by whatever name.
case_later_steps_replace_parts_of_loads() {
  model parts '*ELSET, ELSET=LAST' '6, 12, 18, 24' '*STEP, NAME=A' '*STATIC' '*CLOAD' 'TIP, 1, 1.' '*END STEP' \
    '*STEP, NAME=B' '*STATIC' '*CLOAD' '7, 1, 7.' '*END STEP' \
    '*STEP, NAME=C' '*STATIC' '*CLOAD' 'TIP, 1, 2.' '*DLOAD' 'LAST, P4, 3.' '*END STEP' \
    '*STEP, NAME=D' '*STATIC' '*DLOAD' '6, P4, 5.' '*END STEP' \
    '*STEP, NAME=E' '*STATIC' '*DLOAD, OP=NEW' 'Eall, GRAV, 1e9, 1., 0., 0.' '*CLOAD, OP=NEW' '*END STEP' \
    '*STEP, NAME=F' '*STATIC' '*DLOAD' 'LEFT, GRAV, 2e9, 1., 0., 0.' '*END STEP'
  converts parts 0
  holds parts '9, 0, 0' A
  holds parts '15, 0, 0' B
  holds parts '6, 0, 0' C
  holds parts '4, 0, 0' D
  holds parts '187.2, 0, 0' E
  holds parts '280.8, 0, 0' F
  must_say report 'the load on LEFT replaces that on Eall there'
  model across '*NSET, NSET=EDGE' '6, 7' '*STEP' '*STATIC' '*CLOAD' 'TIP, 1, 1.' '*END STEP' '*STEP' '*STATIC' '*CLOAD' 'EDGE, 1, 7.' '*END STEP'
  converts across 3
  must_say report "step '2': the load on EDGE replaces a part of that on TIP of an earlier step"
  holds across '14, 0, 0' 2
}

case_displacements_of_steps() {
  local step=('*STEP' '*STATIC' '*BOUNDARY')
  model drives "${step[@]}" 'TIP, 1, 1, 0.1' '*END STEP' "${step[@]}" 'TIP, 1, 1, 0.3' '*END STEP'
  converts drives 3
  must_say drives.prm 'set Displacement = 0.1'
  must_say report "displacements of step '2' differ from those of step '1'"
  model force "${step[@]}" 'TIP, 1, 1, 0.1' '*END STEP' '*STEP' '*STATIC' '*BOUNDARY, OP=NEW' 'FIX, 1, 3' '*CLOAD' '7, 1, 7.' '*END STEP'
  converts force 3
  must_say report "step '1' has displacements and no loads"
  ! grep -q 'Displacement' force.prm || wrong 'the load case has displacements of another step'
  # those of a perturbation do not go on
  model small '*STEP, PERTURBATION' '*STATIC' '*BOUNDARY' 'TIP, 3, 3, 0.1' '*END STEP' '*STEP' '*STATIC' '*CLOAD' '7, 2, 1.' '*END STEP'
  converts small 3
  ! grep -q 'subsection TIP' small.prm || wrong 'displacements of a perturbation go on'
}

case_names_and_ends_of_steps() {
  model names '*STEP, NAME="a, b/c"' '*STATIC' '*CLOAD' '7, 1, 1.' '*STEP, NAME=X' '*STATIC' '*CLOAD' '7, 1, 2.' '*END STEP' \
    '*STEP, NAME=x' '*STATIC' '*CLOAD' '7, 1, 3.' '*END STEP'
  converts names 0
  holds names '1, 0, 0' 'a- b-c'
  holds names '2, 0, 0' X
  holds names '3, 0, 0' 'x 2'
}

case_nodes_of_reference_that_are_shared() {
  { bar && printf '%s\n' '*NODE' '900, 8., 1., 1.' '*SURFACE, NAME=WALL, TYPE=NODE' 'FIX,' '*COUPLING, CONSTRAINT NAME=c, REF NODE=900, SURFACE=END' \
    '*KINEMATIC' '*COUPLING, CONSTRAINT NAME=d, REF NODE=900, SURFACE=WALL' '*KINEMATIC' '*NSET, NSET=MIX' '1, 900' '*BOUNDARY' '900, 1, 6' \
    '*STEP' '*STATIC' '*CLOAD' '12, 3, 1.' 'MIX, 3, 5.' '*END STEP'; } > shared.inp
  converts shared 3
  must_say report '*KINEMATIC: its node of reference is that of the region in line'
  must_say report '*CLOAD MIX: the set has nodes of reference among others'
}

# Parts have orientations and sets of their own, and instances turn their axes.
case_instances_that_are_turned() {
  local part
  { for part in 1 2; do
    echo "*PART, NAME=P$part" && bar | sed '/^\*MATERIAL/,$d' && if ((part == 2)); then printf '%s\n' '*NSET, NSET=ROOT' '7, 14, 21'; fi && printf '%s\n' '*ORIENTATION, NAME=Ori-1' "$((part == 1)), $((part == 2)), 0, 0, 0, 1" '3, 0.' \
      '*SOLID SECTION, ELSET=Eall, MATERIAL=PLY, ORIENTATION=Ori-1' ',' '*END PART'
  done
    printf '%s\n' '*ASSEMBLY, NAME=A' '*INSTANCE, NAME=I1, PART=P1' '0., 0., 0.' '5., 0., 0., 5., 0., 1., 90.' '*END INSTANCE' \
      '*INSTANCE, NAME=I2, PART=P2' '20., 0., 0.' '*END INSTANCE' '*NSET, NSET=ROOT, INTERNAL, INSTANCE=I2' '1, 2, 3, 22' '*END ASSEMBLY' \
      '*MATERIAL, NAME=PLY' '*ELASTIC, TYPE=ENGINEERING CONSTANTS' '135000, 10000, 10000, 0.3, 0.3, 0.45, 5000, 5000,' '3450' \
      '*BOUNDARY' 'I1.FIX, 1, 3' 'ROOT, 1, 3' '*STEP' '*STATIC' '*CLOAD' 'I1.TIP, 3, 1.' '*END STEP'; } > turned.inp
  converts turned 0
  (($(grep -c 'First axis *= 0, 1, 0$' turned.prm) == 2)) || wrong 'the axes are not those of the instances'
  must_say log 'on 4 nodes' # the set of the assembly, not that of the part
  holds turned '0, 0, 9'
}

case_supports_of_later_steps_are_missed() {
  model later '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -1.' '*END STEP' \
    '*STEP' '*STATIC' '*BOUNDARY' 'TIP, 2, 2, 0.1' '*END STEP'
  converts later 3
  must_say report "WARNING"
  must_say report "supports of step '2' differ from those of step '1'"
  must_say later.prm "# WARNING"
}

# A rigid end with a force at its node of reference, in the dialects of Abaqus and of CalculiX.
case_couplings_and_rigid_bodies() {
  { bar && printf '%s\n' '*NODE' '900, 8., 1., 1.' '901, 8., 1., 1.' '*BOUNDARY' 'FIX, ENCASTRE' \
    '*COUPLING, CONSTRAINT NAME=c, REF NODE=900, SURFACE=END' '*KINEMATIC' '1, 3' \
    '*BOUNDARY' '900, 1, 1' '900, 5, 5, 0.01' '*STEP' '*STATIC' '*CLOAD' '900, 3, -7' '900, 4, 2.5' '*END STEP'; } > kinematic.inp
  converts kinematic 0
  must_say log "coupling 'END': rigid, along x = 0, about y = 0.01"
  must_say log 'from the point (8, 1, 1) with the moment (2.5, 0, 0)'
  must_say log 'force in all (0, 0, -7)'
  sed 's/^\*KINEMATIC/*DISTRIBUTING/; /^900, [15], [15]/d; /^\*BOUNDARY$/{N; /900/d}' kinematic.inp > distributing.inp
  converts distributing 0
  must_say log 'from the point (8, 1, 1) with the moment (2.5, 0, 0)'
  ! grep -q '^coupling' log || wrong 'the mean of a region is rigid'
  { bar && printf '%s\n' '*NODE' '900, 8., 1., 1.' '901, 8., 1., 1.' '*BOUNDARY' 'FIX, 1, 3' \
    '*RIGID BODY, NSET=TIP, REF NODE=900, ROT NODE=901' '*STEP' '*STATIC' '*BOUNDARY' '901, 2' '*CLOAD' '901, 1, 2.5' '*END STEP'; } > body.inp
  converts body 0
  must_say log "coupling 'TIP': rigid, about y = 0"
  must_say log 'with the moment (2.5, 0, 0)'
}

case_materials_and_orientations() {
  { bar | sed '/^\*SOLID/d' && printf '%s\n' '*ORIENTATION, NAME=o' '0, 1, 0, -1, 0, 0' '*MATERIAL, NAME=PLY' \
    '*ELASTIC, TYPE=ENGINEERING CONSTANTS' '135000, 10000, 10000, 0.3, 0.3, 0.45, 5000, 5000,' '3450' \
    '*SOLID SECTION, ELSET=Eall, MATERIAL=STEEL' '*SOLID SECTION, ELSET=LEFT, MATERIAL=PLY, ORIENTATION=o' \
    '*BOUNDARY' 'FIX, PINNED' '*STEP' '*STATIC' '*DSLOAD' 'END, TRVEC, 5., 0., 0., 2.' '*END STEP'; } > ply.inp
  converts ply 0
  must_say ply.prm 'set Operator = ebe'
  must_say ply.prm 'First axis       = 0, 1, 0'
  must_say log "material 'PLY' on 12 elements"
  must_say log 'force in all (0, 0, 20)'
}

# A uniform rise of the temperature; a coefficient without one is of no effect.
case_temperatures_expand_solids() {
  { bar | sed 's/^\*DENSITY/*EXPANSION\n1e-5\n&/' && printf '%s\n' '*INITIAL CONDITIONS, TYPE=TEMPERATURE' 'Nall, 20.' '*BOUNDARY' 'FIX, 1, 3' \
    '*STEP' '*STATIC' '*TEMPERATURE' 'Nall, 120.' '*END STEP'; } > heat.inp
  converts heat 0
  must_say log 'strains of a free expansion from 0.001 to 0.001'
  sed 's/^Nall, 120./TIP, 120./' heat.inp > uneven.inp
  converts_badly uneven 'temperatures of *MATERIAL STEEL that are not uniform'
}

# Symmetry that the model names is a plane of the deck, if the set is all of it.
case_symmetry_is_a_plane() {
  model half '*NSET, NSET=SIDE' '1, 2, 3, 4, 5, 6, 7' '22, 23, 24, 25, 26, 27, 28' '43, 44, 45, 46, 47, 48, 49' '*NSET, NSET=PART' '1, 2, 3' \
    '*BOUNDARY' 'SIDE, YSYMM' 'PART, ZSYMM' '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -2.' '*END STEP'
  converts half 0
  must_say log 'symmetry plane y = 0: 21 nodes'
  must_say log "support 'PART': z = 0 on 3 nodes"
}

# Masses and springs are left out, of the mesh too.
case_masses_and_springs_are_missed() {
  model loose '*ELEMENT, TYPE=MASS, ELSET=M' '900, 7' '*MASS, ELSET=M' '2.' '*ELEMENT, TYPE=SPRINGA, ELSET=S' '901, 7, 14' '*SPRING, ELSET=S' '' '10.' \
    '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -2.' '*END STEP'
  converts loose 3
  must_say report '*SPRING: strut has no springs between nodes'
  must_say report "*MASS: 'Masses' of a deck hold regions"
  must_say log 'NOTE: the file has elements beside its hexahedra that may carry load, and strut leaves them out: 1 MASS'
}

# Keywords that change what holds or loads the body are missed.
case_keywords_without_counterpart_are_missed() {
  local text
  model strange '*BASE MOTION, DOF=1' '*SUBMODEL' 'FIX' '*FOUNDATION' 'Eall, F1, 100.' '*WONDER' '1, 2' '*STEP' '*STATIC' '*INERTIA RELIEF' \
    '*CLOAD' 'TIP, 3, -1.' '*DSLOAD' 'END, TRVEC, 1., 0., 0., 0.' '*END STEP'
  converts strange 3
  sed -n '/^WARNING/,/^Taken/p' report > warnings
  for text in '*BASE MOTION' '*SUBMODEL' '*FOUNDATION' '*WONDER' '*INERTIA RELIEF' '*DSLOAD END, TRVEC: a traction without a direction'; do
    must_say warnings "$text"
  done
  model bare '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -1.' '*END STEP'
  sed -i 's/^\*SOLID SECTION, ELSET=Eall/*SOLID SECTION, ELSET=LEFT/' bare.inp
  converts bare 3
  must_say report '12 solids have no *SOLID SECTION'
  { bar | sed 's/^\*DENSITY/*EXPANSION\n1e-5\n&/' && printf '%s\n' '*INITIAL CONDITIONS, TYPE=TEMPERATURE, FILE=old.odb' '*BOUNDARY' 'FIX, 1, 3' \
    '*STEP' '*STATIC' '*TEMPERATURE' 'Nall, 120.' '*END STEP'; } > old.inp
  converts_badly old '*INITIAL CONDITIONS: temperatures of another file'
  must_say log '*TEMPERATURE: the initial temperatures are in another file'
}

# All that has no counterpart is named with its line.
case_nothing_is_left_out_silently() {
  model rest '*INITIAL CONDITIONS, TYPE=TEMPERATURE' 'Nall, 20.' '*EQUATION' '2' '7, 1, 1., 14, 1, -1.' '*WONDER' '1, 2' \
    '*AMPLITUDE, NAME=a' '0., 0., 1., 1.' '*STEP, NLGEOM' '*STATIC' '*CLOAD, AMPLITUDE=a' 'TIP, 3, -1.' '*DLOAD' 'LEFT, HP1, 1.' \
    '*TEMPERATURE' 'Nall, 120.' '*NODE FILE' 'U' '*EL FILE' 'S' '*CLOAD' 'TIP, 5, 3.' '990, 1, 1.' '*END STEP'
  converts rest 3
  local text
  for text in '*TEMPERATURE: no material' '*EQUATION: equations' '*WONDER: unknown' '*AMPLITUDE: no part' '*STEP: NLGEOM' \
    '*CLOAD: the amplitude a' '*DLOAD LEFT, HP1: loads' 'requests of output: *NODE FILE (line' '*EL FILE (line' \
    '*CLOAD TIP: moments' '*CLOAD 990: there is no node 990'; do
    must_say report "$text"
    must_say rest.prm "$text"
  done
  must_say report "line $(grep -n '^\*WONDER' rest.inp | cut -d: -f1): *WONDER"
}

# Parts, instances and sets without names of their own, in the dialect of Abaqus/CAE.
case_assemblies_of_abaqus() {
  { printf '%s\n' '*Heading' '*Part, name=Bar' && bar | sed '/^\*NSET/,$d' && printf '%s\n' '*Elset, elset=_PickedSet2, internal, generate' '1, 24, 1' \
    '*Solid Section, elset=_PickedSet2, material=Steel' ',' '*End Part' '*Assembly, name=Assembly' '*Instance, name=Bar-1, part=Bar' '10., 0., 0.' \
    '*End Instance' '*Nset, nset=_PickedSet4, internal, instance=Bar-1' '1, 8, 15, 22, 29, 36, 43, 50, 57' \
    '*Elset, elset=__PickedSurf5_S4, internal, instance=Bar-1' '6, 12, 18, 24' '*Surface, type=ELEMENT, name=_PickedSurf5, internal' '__PickedSurf5_S4, S4' \
    '*End Assembly' '*Material, name=Steel' '*Elastic' '200000., 0.25' '*Boundary' '_PickedSet4, ENCASTRE' '*Step, name=Step-1, nlgeom=NO' '*Static' \
    '1., 1., 1e-05, 1.' '*Dsload' '_PickedSurf5, P, 2.' '*Restart, write, frequency=0' '*End Step'; } > cae.inp
  converts cae 0
  must_say cae.prm "set Young's modulus = 200000"
  must_say log 'on 9 nodes'
  must_say log 'force in all (-8, 0, 0)'
}

# *INCLUDE is followed where it stands; messages name the file and its line.
case_included_files() {
  mkdir parts
  bar > parts/bar.inp
  printf '%s\n' '6, P4, 10' 'no, P4, 10' > parts/loads.dlo
  printf '%s\n' '*HEADING' '*INCLUDE, INPUT=parts/bar.inp' '*BOUNDARY,' 'FIX, 1, 3' '*STEP' '*STATIC' '*DLOAD,' '*INCLUDE, INPUT=parts/loads.dlo' '*END STEP' > whole.inp
  run --from whole.inp
  must_say log "line 7: *DLOAD"
  sed -i 's/^no/12/' parts/loads.dlo
  rm -f whole.prm
  converts whole 0
  must_say log 'on 2 faces of area 2'
  # the mesh does without what only loads include
  mv parts/loads.dlo parts/away.dlo
  must_run --validate whole.prm --set 'Mesh / File / File name = whole.inp' --set 'Loads / dload-'"$(sed -n 's/ *subsection dload-//p' whole.prm)"' / Boundary ids = END'
  sed -i 's/^2, 1, 0, 0/2, one, 0, 0/' parts/bar.inp
  run --validate whole.prm
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log 'line 3 of "parts/bar.inp"'
  printf '%s\n' '*INCLUDE, INPUT=circle.inp' > circle.inp
  run --from circle.inp
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log 'line 1: "circle.inp" includes itself'
}

case_files_and_names() {
  model sound '*STEP' '*STATIC' '*CLOAD' 'TIP, 3, -2.' '*END STEP'
  mkdir decks
  must_run --from sound.inp --write-deck decks/other.prm
  must_run --validate decks/other.prm
  converts sound 0
  run --from sound.inp
  ((code == 1)) || wrong "exit code $code, not 1, for a deck that exists"
  must_say log 'The file sound.prm exists; it was not overwritten.'
  run --from sound.inp --write-deck decks/third.prm --validate
  ((code == 1)) || wrong "exit code $code, not 1, for --from with --validate"
  cp sound.inp 'a#b.inp'
  run --from 'a#b.inp'
  must_say log "has '#' in its name"
  run --from no-such.inp
  ((code == 1)) || wrong "exit code $code, not 1, for no file"
  echo 'SOL 101' > other.bdf
  run --from other.bdf
  must_say log 'does not begin as a model of Abaqus or CalculiX'
  bar | sed 's/C3D8/C3D6/; s/\(\(, [0-9]*\)\{6\}\), [0-9]*, [0-9]*$/\1/' > wedges.inp
  run --from wedges.inp
  must_say log 'solids of one kind are needed'
}

run_the_case

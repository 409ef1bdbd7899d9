#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Runs that end before their time, that go on, and that find the files of another one.
#
#   run_restart_test.sh STRUT MPIEXEC CASE
#   run_restart_test.sh --list                names of the cases
#
# A case is a function case_NAME below, as in run_program_test.sh.
base=joined
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"
strut=$program
. "$here/strut_runs.sh"
children=()
trap '((${#children[@]} == 0)) || kill -9 "${children[@]}" 2> /dev/null || true; rm -rf "$folder"' EXIT

# A file that begins to exist and is not a half-written one (they are renamed); gives up with the process.
wait_for() {
  until [[ -e $1 ]]; do
    kill -0 "$2" 2> /dev/null || return 1
    sleep 0.02
  done
}

# Four iterations and four more equal eight.
case_a_resumed_run_equals_an_uninterrupted_one() {
  local n
  for n in 1 2; do
    deck whole-$n
    deck parts-$n 'subsection Optimization' '  set Maximum iterations = 4' 'end'
    must_run mpi $n whole-$n.prm
    must_run mpi $n parts-$n.prm
    (($(n_iterations parts-$n) == 4)) || wrong 'the first part has not 4 iterations'
    deck parts-$n
    must_run mpi $n --resume parts-$n.prm
    must_say log 'going on after iteration 4'
    same_history whole-$n parts-$n
    same_results whole-$n parts-$n
  done
  # nothing left to do: says so, changes nothing
  must_run --resume parts-1.prm
  must_say log 'Nothing left to do after iteration 8'
  same_history whole-1 parts-1
  # on another number of ranks, but for rounding
  deck parts-2 'subsection Optimization' '  set Maximum iterations = 10' 'end'
  deck whole-3 'subsection Optimization' '  set Maximum iterations = 10' 'end'
  must_run mpi 3 --resume parts-2.prm
  must_run whole-3.prm
  same_history whole-3 parts-2 1e-8
}

# without_seconds NAME: its history, but for the column of the wall time
without_seconds() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "seconds") column = i } { $column = ""; print }' "output/$1/history.csv"
}

case_every_method_resumes() {
  local method n
  for method in 'iso stress' beso; do
    for n in 1 2; do
      local options=(--set "Optimization/Method = $method" --set 'Optimization/Volume fraction = 0.7')
      deck whole
      rm -rf output
      run mpi $n whole.prm "${options[@]}" --output output/whole --set 'Optimization/Maximum iterations = 7'
      ((code == 3)) || wrong "$method: exit code $code, not 3: the volume is not reached yet"
      run mpi $n whole.prm "${options[@]}" --output output/parts --set 'Optimization/Maximum iterations = 3'
      ((code == 3)) || wrong "$method: exit code $code, not 3: the volume is not reached yet"
      run mpi $n --resume whole.prm "${options[@]}" --output output/parts --set 'Optimization/Maximum iterations = 7'
      ((code == 3)) || wrong "$method: exit code $code, not 3: the volume is not reached yet"
      must_say log 'going on after iteration 3'
      (($(n_iterations parts) == 7)) || wrong "$method: not 7 iterations"
      diff <(without_seconds whole) <(without_seconds parts) || wrong "$method on $n ranks: the histories differ"
    done
  done
}

# The moving asymptotes go on with the designs before; trials leave nothing behind.
case_every_update_resumes() {
  local update n
  for update in 'optimality criteria' mma gcmma; do
    for n in 1 2; do
      local options=(--set "Optimization/Update = $update" --set 'Optimization/Filter = projection')
      deck whole
      rm -rf output
      must_run mpi $n whole.prm "${options[@]}" --output output/whole --set 'Optimization/Maximum iterations = 7'
      must_run mpi $n whole.prm "${options[@]}" --output output/parts --set 'Optimization/Maximum iterations = 3'
      must_run mpi $n --resume whole.prm "${options[@]}" --output output/parts --set 'Optimization/Maximum iterations = 7'
      must_say log 'going on after iteration 3'
      diff <(without_seconds whole) <(without_seconds parts) || wrong "$update on $n ranks: the histories differ"
    done
  done
}

# Solves that fail at the first design, or at a trial of a later one, leave the state before: nothing of the update has moved.
case_a_failed_first_design_is_gone_on_from() {
  local update
  for update in mma gcmma; do
    local options=(--set "Optimization/Update = $update" --set 'Optimization/Filter = density')
    deck whole
    rm -rf output
    must_run whole.prm "${options[@]}" --output output/whole
    run whole.prm "${options[@]}" --output output/parts --set 'Solver/Maximum iterations = 3'
    ((code == 1)) || wrong "exit code $code, not 1"
    must_run --resume whole.prm "${options[@]}" --output output/parts
    diff <(without_seconds whole) <(without_seconds parts) || wrong "$update: the histories differ"
  done
}

# Meshes of files: begun on one number of ranks, ended on another.
case_a_file_mesh_resumes_on_other_ranks() {
  local tight='Solver/Tolerance = 1e-10' mesh from to
  for mesh in prm/from-cad/angle prm/michell; do
    must_run "$here/../$mesh.prm" --output output/whole --set "$tight" --set 'Optimization/Maximum iterations = 3'
    for from in 1 2; do
      to=$((3 - from))
      rm -rf output/parts
      must_run mpi $from "$here/../$mesh.prm" --output output/parts --set "$tight" --set 'Optimization/Maximum iterations = 2'
      must_run mpi $to --resume "$here/../$mesh.prm" --output output/parts --set "$tight" --set 'Optimization/Maximum iterations = 3'
      must_say log 'going on after iteration 2'
      same_history whole parts 1e-8
    done
  done
}

# A run without end, ended by a signal; then some iterations more, and the same number in one go.
interrupted_by() {
  local signal=$1 expected=$2 name=interrupted-$1 n
  deck $name 'subsection Optimization' '  set Maximum iterations = 1000000' 'end'
  # a shell's background process ignores SIGINT until strut catches it; under nohup, SIGHUP would be ignored, too
  env --default-signal=HUP "$strut" $name.prm > log 2>&1 &
  local process=$!
  children=("$process")
  wait_for output/$name/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  kill "-$signal" "$process"
  # a terminal that is closed sends it twice, its shell and the system: again once the first has been caught
  if [[ $signal == HUP ]]; then
    while grep -q '^SigCgt:.*[13579bdf]$' "/proc/$process/status" 2> /dev/null; do :; done
    kill -HUP "$process" || wrong 'the first SIGHUP ended the run at once'
  fi
  code=0
  wait "$process" || code=$?
  children=()
  ((code == expected)) || {
    wrong "exit code $code after SIG$signal, not $expected"
    cat log
  }
  if [[ $signal != KILL ]]; then
    must_say log 'Stopped by a signal after iteration'
    must_say log "Go on with: strut --resume $name.prm"
    [[ -s output/$name/$name.pvd ]] || wrong 'no results were written'
    must_say output/$name/summary.json '"status": "interrupted"'
  else
    must_say output/$name/summary.json '"status": "running"'
  fi

  n=$(($(n_iterations $name) + 3))
  deck $name 'subsection Optimization' "  set Maximum iterations = $n" 'end'
  deck whole 'subsection Optimization' "  set Maximum iterations = $n" 'end'
  must_run --resume $name.prm
  must_run whole.prm
  same_history whole $name
}

case_a_killed_run_can_be_resumed() {
  interrupted_by KILL 137
}

case_ctrl_c_stops_in_order() {
  interrupted_by INT 130
}

case_sigterm_stops_in_order() {
  interrupted_by TERM 130
}

case_a_closed_terminal_stops_in_order() {
  interrupted_by HUP 130
}

# Results and checkpoints of every iteration, and a kill at any time: the series names whole files only, and the run
# goes on to the same results as without the kill.
case_a_kill_leaves_whole_results() {
  local n=12 i text name
  deck whole 'subsection Output' '  set Results every = 1' '  set Checkpoint every = 1' 'end' \
    'set Deterministic = true' 'subsection Optimization' "  set Maximum iterations = $n" 'end'
  cp whole.prm killed.prm
  must_run whole.prm
  for i in 1 2 3 4 5; do
    "$strut" --resume=auto killed.prm > log 2>&1 &
    local process=$!
    children=("$process")
    name=output/killed/killed-$(printf '%04d' $((2 * i))).vtu
    wait_for "$name" "$process" || wrong "no $name"
    kill -KILL "$process" || wrong 'the run has ended'
    wait "$process" || true
    children=()
    for text in $(sed -n 's/.*file="\([^"]*\)".*/\1/p' output/killed/killed.pvd); do
      [[ $(tail -c 28 "output/killed/$text") == *'</VTKFile>' ]] || wrong "$text is not whole"
    done
  done
  must_run --resume killed.prm
  same_history whole killed
  for i in $(seq "$n"); do
    printf -v text '%04d' "$i"
    for name in whole killed; do
      LC_ALL=C sed '1,/^-->$/d' "output/$name/$name-$text.vtu" > "$name.without_remarks"
    done
    cmp whole.without_remarks killed.without_remarks || wrong "the results of iteration $i differ"
  done
  diff output/whole/whole.pvd <(sed s/killed/whole/ output/killed/killed.pvd) || wrong 'the series differ'
}

# Of the results that a checkpoint lists, a power loss may leave none or empty ones: the series goes on without them.
case_lost_results_leave_the_series() {
  local n n_left
  deck parts 'subsection Output' '  set Results every = 1' 'end' 'subsection Optimization' '  set Maximum iterations = 3' 'end'
  must_run parts.prm
  rm output/parts/parts-0001.vtu
  : > output/parts/parts-0002.vtu
  cp -r output/parts before
  for n in 1 2; do
    rm -r output/parts
    cp -r before output/parts
    must_run mpi $n --resume parts.prm --set 'Optimization / Maximum iterations = 4'
    must_say log 'missing or empty: output/parts/parts-0001.vtu, output/parts/parts-0002.vtu'
    ! grep -E 'parts-000[12]' output/parts/parts.pvd || wrong 'the series names what is lost'
    for n_left in 3 4; do
      grep "parts-000$n_left.vtu" output/parts/parts.pvd > /dev/null || wrong "the series lacks result $n_left"
    done
  done
}

# A folder that is away for a while costs no iteration: the run says so, and writes again when it is back.
case_a_folder_that_vanishes_costs_no_iteration() {
  deck away 'subsection Optimization' '  set Maximum iterations = 1000000' 'end' \
    'subsection Output' '  set Checkpoint every = 1' '  set Results every = 1' 'end'
  "$strut" away.prm > log 2>&1 &
  local process=$!
  children=("$process")
  wait_for output/away/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  mv output/away elsewhere
  until grep -q 'The run goes on, and will try again' log || ! kill -0 "$process" 2> /dev/null; do sleep 0.02; done
  mv elsewhere output/away
  rm output/away/checkpoint.strut
  wait_for output/away/checkpoint.strut "$process" || wrong 'nothing is written where the folder is back'
  kill -TERM "$process" || wrong 'the run has ended'
  code=0
  wait "$process" || code=$?
  children=()
  ((code == 130)) || wrong "exit code $code, not 130"
  must_say log 'Cannot write "output/away/'
  local text
  for text in $(sed -n 's/.*file="\([^"]*\)".*/\1/p' output/away/away.pvd); do
    [[ -s output/away/$text ]] || wrong "the series names $text, which is not there"
  done
  deck away 'subsection Optimization' "  set Maximum iterations = $(($(n_iterations away) + 2))" 'end'
  must_run --resume away.prm
}

# No file may be larger than 110 kB, as on a full disk: all iterations run, and the end says what is missing.
case_a_full_disk_costs_no_iteration() {
  deck full 'subsection Mesh' '  subsection Box' '    set Elements = 16, 12, 12' '  end' 'end' \
    'subsection Output' '  set Checkpoint every = 1' '  set Results every = 2' 'end'
  code=0
  (
    trap '' XFSZ
    ulimit -f 110 # more than a result or the page, less than a checkpoint
    "$strut" full.prm > log 2> stderr
  ) || code=$?
  ((code == 1)) || wrong "exit code $code, not 1"
  (($(n_iterations full) == 8)) || wrong 'not all iterations have run'
  must_say log 'Cannot write "output/full/checkpoint.strut": File too large'
  must_say log 'The run goes on, and will try again'
  # once, and at the end the names of the files
  (($(grep -c 'Cannot write' log) == 1)) || wrong "not said once: $(grep 'Cannot write' log)"
  must_say log 'file that was due could not be written: output/full/checkpoint.strut'
  must_say stderr 'Cannot write "output/full/'
  [[ -z $(find output/full -name '*.tmp*') ]] || wrong "unfinished files: $(ls output/full)"
}

# nohup has the signal ignored; a run that nobody reads any more goes on to its results.
case_a_closed_terminal_does_not_stop_what_nohup_started() {
  deck nohup 'subsection Optimization' '  set Maximum iterations = 1000000' 'end'
  nohup "$strut" nohup.prm > log 2>&1 &
  local process=$! before
  children=("$process")
  wait_for output/nohup/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  kill -HUP "$process"
  before=$(n_iterations nohup)
  until (($(n_iterations nohup) > before + 2)) || ! kill -0 "$process" 2> /dev/null; do sleep 0.02; done
  kill -TERM "$process" || wrong 'SIGHUP ended a run under nohup'
  wait "$process" || true
  children=()
}

case_what_the_log_went_to_may_be_gone_with_the_terminal() {
  deck gone 'subsection Optimization' '  set Maximum iterations = 1000000' 'end'
  mkfifo pipe
  env --default-signal=HUP "$strut" gone.prm > pipe 2> stderr & # also if the tests run under nohup
  local process=$! reader
  children=("$process")
  cat pipe > /dev/null &
  reader=$!
  wait_for output/gone/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  kill -HUP "$process"
  kill "$reader"
  code=0
  wait "$process" || code=$?
  children=()
  # the line of the iteration may be on its way when the reader goes
  ((code == 130 || code == 141)) || wrong "exit code $code, not 130"
  ((code == 141)) || [[ -s output/gone/gone.pvd ]] || wrong 'no results were written'
}

# Entries that decide how the problem is solved may change, and the log names those that did.
case_entries_of_the_solver_may_change() {
  local lines=('subsection Optimization' '  set Maximum iterations = 10' 'end' 'set Threads = 1' 'set Operator = ebe' 'set Precision = mixed'
    'set Deterministic = false' 'subsection Solver' '  set Smoothing steps = 2' '  set Tolerance = 1e-9' '  set Coarse operators = galerkin'
    '  set Initial guess = zero' '  set Maximum iterations = 3000' '  set Stopping criterion = relative' 'end')
  deck changed
  must_run changed.prm
  deck changed "${lines[@]}"
  deck whole "${lines[@]}"
  must_run --resume changed.prm
  must_say log 'going on after iteration 8 of output/changed/checkpoint.strut'
  must_say log '  changed since then  Solver/Coarse operators: was "rediscretised", is now "galerkin"'
  must_say log '  changed since then  Operator: was "on_the_fly", is now "ebe"'
  must_say log '  changed since then  Optimization/Maximum iterations: was "8", is now "10"'
  must_run whole.prm
  same_history whole changed 1e-6
}

case_resume_auto_starts_or_goes_on() {
  deck whole
  deck parts 'subsection Optimization' '  set Maximum iterations = 4' 'end'
  must_run whole.prm
  must_run --resume=auto parts.prm
  must_say log 'NOTE: there is no checkpoint output/parts/checkpoint.strut to go on from, so this run starts from the beginning'
  deck parts
  must_run mpi 2 --resume=auto parts.prm
  must_say log 'going on after iteration 4'
  same_history whole parts 1e-8
  run --resume=yes parts.prm
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log '--resume'
}

# A checkpoint that is damaged costs the iterations since the one before, and no more.
case_a_damaged_checkpoint_costs_one_interval() {
  local n
  deck whole
  must_run whole.prm
  for n in 1 2; do
    deck parts 'subsection Optimization' '  set Maximum iterations = 5' 'end'
    must_run mpi "$n" parts.prm
    printf 'damage' | dd of=output/parts/checkpoint.strut bs=1 seek=1000 conv=notrunc status=none
    deck parts
    must_run mpi "$n" --resume parts.prm
    must_say log 'NOTE: Cannot go on from the checkpoint "output/parts/checkpoint.strut": the file is damaged'
    must_say log 'So the run goes on from the one before, output/parts/checkpoint.before-last.strut.'
    # advice that the run does not need
    ! grep -q 'Take a copy' log || wrong 'it says what to do, and does something else'
    must_say log 'going on after iteration 4 of output/parts/checkpoint.before-last.strut'
    same_history whole parts 1e-8
  done
  # not where both are
  printf 'damage' | tee output/parts/checkpoint.strut > output/parts/checkpoint.before-last.strut
  run --resume parts.prm
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log 'Cannot go on from the checkpoint "output/parts/checkpoint.strut"'
  must_say log 'or start from the beginning.'
}

# Two starts of one deck: the second ends with its reason, the first does not notice.
case_two_runs_do_not_share_a_folder() {
  local n
  deck twice 'subsection Optimization' '  set Maximum iterations = 1000000' 'end'
  "$strut" twice.prm > first.log 2>&1 &
  local process=$!
  children=("$process")
  wait_for output/twice/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  for n in 1 2; do
    run mpi $n twice.prm
    ((code == 1)) || wrong "exit code $code, not 1"
    must_say log "Another run writes to \"output/twice\": process $process on $(hostname), since 2"
    must_say log 'twice.prm: Output / Output directory'
    (($(grep -c 'strut: error:' log) == 1)) || wrong 'it is not said once'
  done
  run --resume twice.prm
  must_say log "Another run writes to \"output/twice\": process $process on"
  kill -TERM "$process"
  code=0
  wait "$process" || code=$?
  children=()
  ((code == 130)) || wrong "exit code $code of the first run, not 130"
  [[ -s output/twice/twice.pvd ]] || wrong 'the first run wrote no results'
  [[ ! -e output/twice/strut.lock ]] || wrong 'the lock stays'
}

case_a_killed_run_leaves_no_lock() {
  deck killed 'subsection Optimization' '  set Maximum iterations = 1000000' 'end'
  "$strut" killed.prm > log 2>&1 &
  local process=$!
  children=("$process")
  wait_for output/killed/checkpoint.strut "$process" || wrong 'no checkpoint was written'
  kill -KILL "$process"
  wait "$process" || true
  children=()
  [[ -e output/killed/strut.lock ]] || wrong 'the killed run held no lock'
  deck killed
  must_run killed.prm
}

# A shorter run in the folder of a longer one.
case_results_of_an_earlier_run_are_removed() {
  deck again 'subsection Output' '  set Results every = 2' 'end'
  must_run mpi 2 again.prm
  [[ -e output/again/again.pvd ]] || wrong 'no results'
  touch output/again/{notes.txt,again-0006.png,other-0006.vtu}
  deck again 'subsection Optimization' '  set Maximum iterations = 3' 'end'
  must_run again.prm
  must_say log 'NOTE: output/again holds an earlier run, whose results are replaced ('
  must_say log 'its checkpoint is kept as output/again/checkpoint.previous.strut'
  diff <(cd output/again && ls) <(printf '%s\n' again-0003.vtu again-0006.png again.pvd checkpoint.before-last.strut checkpoint.previous.strut checkpoint.strut \
    history.csv notes.txt original.prm other-0006.vtu parameters.prm report.html summary.json timing.csv | sort) || wrong 'other files than these'
  # a run that goes on keeps what is there
  deck again 'subsection Output' '  set Results every = 1' 'end' 'subsection Optimization' '  set Maximum iterations = 4' 'end'
  must_run --resume again.prm
  [[ -e output/again/again-0003.vtu && -e output/again/again-0004.vtu ]] || wrong 'results were removed on --resume'
  # another deck in this folder says so
  deck other 'subsection Optimization' '  set Maximum iterations = 1' 'end'
  must_run other.prm --output output/again
  must_say log "NOTE: output/again holds results of the deck 'again', too, and its history.csv"
}

# As an ordinary user: root may write everywhere.
case_a_folder_that_cannot_be_written_to_is_named() {
  local as=()
  deck sealed
  must_run sealed.prm
  if ((EUID == 0)); then
    as=(setpriv --reuid 65534 --clear-groups)
    chmod a+rx . && "${as[@]}" test -x "$strut" || return 0
  fi
  chmod a-w output/sealed
  local option
  for option in '' --resume; do
    # shellcheck disable=SC2086
    "${as[@]}" env HOME=/tmp "$strut" $option sealed.prm > stdout 2> log && code=0 || code=$?
    ((code == 1)) || wrong "exit code $code, not 1"
    must_say log 'Cannot write "output/sealed/strut.lock": Permission denied. Name a folder that you may write to.'
  done
  chmod u+w output/sealed
}

case_an_output_path_that_cannot_be_looked_at_is_named() {
  ln -s loop loop
  deck looped
  local option
  for option in --quiet --resume=auto; do
    run "$option" --output loop looped.prm
    ((code == 1)) || wrong "exit code $code, not 1"
    must_say log 'Cannot create the folder "loop": Too many levels of symbolic links. Check the path, or name another folder.'
  done
}

# Modes are in the checkpoint; solves of the solid body and of a blueprint leave nothing behind.
case_frequencies_resume_with_the_same_bits() {
  local n fields=('' none 'eroded and dilated') planes=('' 'y = ymin' '')
  deck whole 'subsection Optimization' '  set Update = mma' '  set Filter = projection' 'end' 'subsection Constraints' '  subsection tone' \
    '    set Response = frequency' '    set At least = 0.001' '  end' 'end'
  for n in 1 2; do
    local options=(whole.prm --set "Optimization/Robust/Fields = ${fields[n]}" --set "Symmetry/Planes = ${planes[n]}")
    must_run mpi $n "${options[@]}" --output output/parts --set 'Optimization/Maximum iterations = 4'
    must_run mpi $n --resume "${options[@]}" --output output/parts
    must_run mpi $n "${options[@]}" --output output/whole
    diff <(without_seconds whole) <(without_seconds parts) || wrong "the histories differ on $n ranks"
  done
  must_say log "NOTE: on several ranks sums are rounded in another order, and the response 'frequency' may let"
}

case_a_changed_deck_is_not_resumed() {
  deck changed
  must_run changed.prm
  cp -r output/changed before
  deck changed 'subsection Optimization' '  set Penalization = 4' 'end'
  run --resume changed.prm
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log 'strut: error: The deck is not the one of the checkpoint "output/changed/checkpoint.strut". These entries differ:'
  must_say log '  Optimization/Penalization: was "3", is now "4"'
  diff -r before output/changed || wrong 'what the earlier run wrote was touched'
}

case_a_checkpoint_of_another_mesh_is_not_resumed() {
  deck changed
  must_run changed.prm
  deck changed 'subsection Mesh' '  subsection Box' '    set Elements = 10, 4, 4' '  end' 'end'
  run --resume changed.prm
  ((code == 1)) || wrong "exit code $code, not 1"
  must_say log 'strut: error: The deck is not the one of the checkpoint "output/changed/checkpoint.strut"'
  must_say log 'Mesh/Box/Elements: was "12, 4, 4", is now "10, 4, 4"'
}

run_the_case

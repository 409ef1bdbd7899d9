#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# report.html of whole runs. Exit code 77, skipped: a case opens the page, and there is no Chromium.
#
#   run_report_test.sh STRUT MPIEXEC CASE
#   run_report_test.sh --list                names of the cases
base=cantilever
. "$(dirname "${BASH_SOURCE[0]}")/whole_runs.sh"

# opens PAGE [OPTIONS]
opens() {
  local code=0
  "$here/report_page_test.py" "$@" > page.log 2>&1 || code=$?
  ((code != 77)) || {
    cat page.log
    exit 77
  }
  ((code == 0)) || {
    wrong "$1 in Chromium"
    cat page.log
  }
}

case_pages_open_in_a_browser() {
  local n
  for n in 1 2; do
    deck paged-$n
    "$mpiexec" -n $n "$program" paged-$n.prm > log 2>&1 || wrong "the run on $n ranks fails"
    must_say log 'report.html (in a browser)'
    opens output/paged-$n/report.html
  done
  "$program" --validate paged-1.prm > log 2>&1 || wrong 'the validation fails'
  opens output/paged-1/paged-1-problem.html --part-alone
  ! "$program" paged-1.prm --set 'Solver / Maximum iterations = 1' > log 2>&1 || wrong 'the run does not fail'
  opens output/paged-1/paged-1-where.html --part-alone
}

case_a_failed_run_has_its_page() {
  deck failed 'subsection Solver' '  set Maximum iterations = 1' 'end'
  ! "$program" failed.prm > log 2>&1 || wrong 'the run does not fail'
  must_say output/failed/report.html '"status": "failed"'
  must_say output/failed/report.html 'has not converged after 1 iterations'
  opens output/failed/report.html
}

case_the_page_can_be_left_out() {
  deck without 'subsection Output' '  set Report = false' 'end'
  "$program" without.prm > log 2>&1 || wrong 'the run fails'
  [[ ! -e output/without/report.html ]] || wrong 'there is a page'
  ! grep -q report log || wrong 'the log speaks of it'
}

run_the_case

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# From a fresh Debian 12 to the first result: install, build, run a deck, draw its design.
#
#   ./run.sh                     prm/cantilever.prm
#   ./run.sh DECK [OPTION...]    another deck; options go to the program
#
# STRUT_BUILD_DIR: where to build (default: build).
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
. plugin/cmake/bootstrap.sh

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n 's/^# \{0,1\}//; 4,9p' "${BASH_SOURCE[0]##*/}"
  exit 0
fi
build=${STRUT_BUILD_DIR:-build}
deck=${1:-prm/cantilever.prm}
if [[ ! -f $deck && -f $called_from/$deck ]]; then
  deck=$called_from/$deck
fi
if [[ ! -f $deck ]]; then
  strut_say "there is no deck '$deck'. Those that come along:" >&2
  find prm -name '*.prm' | sort | sed 's/^/  /' >&2
  exit 1
fi

strut_report_machine
strut_install "${strut_build_packages[@]}"

strut_say "building into $build/"
strut_configure -B "$build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(strut_jobs)" --target strut strut-compare strut-assemble strut-export strut-compare-runs

strut_say "running $deck"
"$build/strut" "$deck" "${@:2}"

# Where the deck said that its results go, or the program's default: output/<name of the deck>.
name=$(basename "$deck" .prm)
output=$(sed -n 's/^[[:space:]]*set[[:space:]]\{1,\}Output directory[[:space:]]*=[[:space:]]*\([^#]*\).*/\1/p' "$deck" |
  tail -n 1 | sed 's/[[:space:]]*$//')
for ((i = 2; i <= $#; ++i)); do # --output on the command line has the last word
  case ${!i} in
    --output=*) output=${!i#--output=} ;;
    --output)
      next=$((i + 1))
      output=${!next}
      ;;
  esac
done
output=${output:-output/$name}
result=
if [[ -d $output ]]; then
  result=$(find "$output" -maxdepth 1 -name '*.pvd' -print -quit)
fi

picture=$output/design.png
if [[ -n $result ]] && strut_install "${strut_picture_packages[@]}"; then
  # A python3 that is first on PATH may not be the one that Debian's VTK is installed for.
  python=python3
  python3 -c 'import vtkmodules' 2> /dev/null || python=/usr/bin/python3
  "$python" plugin/tools/render_design.py "$result" -o "$picture" --title "$name"
else
  picture="none: no $output/*.pvd, or no packages to draw it with"
fi

printf '\nResults of %s\n  picture  %s\n  fields   %s  (ParaView: Open, Apply, then filter Threshold on "density")\n  history  %s\n' \
  "$deck" "$picture" "${result:-none}" "$output/history.csv"

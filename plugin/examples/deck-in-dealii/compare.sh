#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# A deck by strut and its problem by deck-in-dealii, 20 designs each: the histories must agree to 1e-8.
#
#   compare.sh STRUT PROGRAM [cantilever|cantilever-density|connecting-rod|bracket]...      default: all four
set -euo pipefail
strut=$(realpath "$1")
program=$(realpath "$2")
shift 2
(($# > 0)) || set -- cantilever cantilever-density connecting-rod bracket

# The decks: beside this folder where strut is installed, else in the sources.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prm=$(realpath "$here/../../prm" 2> /dev/null || true)
[[ -d $prm ]] || prm=$(realpath "$here/../../../prm")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

n_wrong=0
for case in "$@"; do
  deck=$case.prm name=$case filter=sensitivity
  settings=('Backend = cpu' 'Precision = double' 'Solver / Tolerance = 1e-12' 'Optimization / Maximum iterations = 20'
    'Optimization / Stopping criterion = none')
  case $case in
    cantilever*)
      deck=cantilever.prm name=cantilever
      [[ $case == cantilever ]] || filter=density
      settings+=('Mesh / Box / Size = 24, 12, 12' 'Mesh / Box / Elements = 24, 12, 12' 'Loads / tip / Expression = x > xmax - tol')
      ;;
    connecting-rod) ;;
    bracket)
      deck=from-cad/bracket.prm
      settings+=('Mesh / File / Refinements = 0')
      ;;
    *)
      echo "there is no case '$case'"
      exit 1
      ;;
  esac
  options=(--set "Optimization / Filter = $filter")
  for setting in "${settings[@]}"; do
    options+=(--set "$setting")
  done
  "$strut" "$prm/$deck" --output "$case" "${options[@]}" > log 2>&1 || {
    echo "exit code $? of strut:"
    cat log
    exit 1
  }
  "$program" "$name" --meshes "$prm/meshes" --filter "$filter" --compare "$case/history.csv" || n_wrong=$((n_wrong + 1))
done
((n_wrong == 0))

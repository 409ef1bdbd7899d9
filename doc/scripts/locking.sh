#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The table of doc/studies/locking.md: a thick tube under pressure, its radial displacement relative to the exact one, and
# PCG iterations.
#
#   locking.sh [STRUT [OPTION...]]     options of strut, for example --set 'Solver / Smoothing steps = 10'
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
strut=${1:-$here/build/strut}
[[ $# -eq 0 ]] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '| nu | refined | full: u / exact | PCG | mean: u / exact | PCG |\n|---|---:|---:|---:|---:|---:|\n'
for nu in 0.3 0.49 0.499 0.4999; do
  for times in 0 1 2; do
    line="| $nu | $times |"
    for integration in full mean; do
      "$strut" "$here/prm/verification/thick-cylinder.prm" --quiet --output "$folder/run" \
        --set "Material / Poisson's ratio = $nu" --set "Material / Volumetric integration = $integration" \
        --set "Mesh / Additional refinements = $times" "$@" > "$folder/log"
      line+=$(tail -1 "$folder/run/history.csv" | awk -F, -v nu="$nu" '{
        exact = 3.14159265358979 * (1 + nu) * ((1 - 2 * nu) + 4) / 3
        printf " %.4f | %d |", $2 / exact, $6 }')
      rm -rf "$folder/run"
    done
    echo "$line"
  done
done

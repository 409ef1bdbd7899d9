#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
#
# The runs behind the multigrid tables of doc/studies/tuning.md.
#
#   doc/scripts/multigrid_study.sh STRUT OUT CASE...
#
# STRUT: the program. OUT: a folder for the results. A CASE is DECK:CONTRAST:GUESS[:PRECISION], for example
# cb5:1e-9:previous: the deck prm/multigrid/DECK.prm; contrast 1e-9 (modified SIMP) or 1e-6 (rho^3, rho >= 1e-2);
# displacements from the previous design or from zero. A DECK cbN with a number N (a multiple of 16) is the cantilever of
# 2N x N x N elements.
# Leaves OUT/DECK-CONTRAST-GUESS-PRECISION.{history.csv,timing.csv,log} and prints a line for each case.
set -e
strut=$(realpath "$1")
out=$2
shift 2
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
out=$(realpath "$out")

printf '%-34s %9s %6s %6s %8s %9s %10s\n' case elements mean most ms/iter 'B/element' compliance
for case in "$@"; do
  IFS=: read -r deck contrast guess precision <<< "$case"
  precision=${precision:-mixed}
  name=$deck-$contrast-$guess-$precision
  work=$(mktemp -d)
  cp "$source_dir"/prm/multigrid/*.prm "$work"
  if [ ! -e "$work/$deck.prm" ]; then
    n=${deck#cb}
    sed "s/160, 80, 80/$((2 * n)), $n, $n/" "$work/cb5.prm" > "$work/$deck.prm"
  fi
  sed -i "s/Initial guess .*/Initial guess = $guess/; s/^set Precision .*/set Precision = $precision/" "$work/common.prm"
  if [ "$contrast" = 1e-6 ]; then
    sed -i 's/Interpolation .*/Interpolation = simp/; s/Minimum density .*/Minimum density = 1e-2/; /Minimum stiffness/d' \
      "$work/common.prm"
  fi
  printf 'subsection Output\n  set Output directory = %s\n  set Checkpoint every = 0\nend\n' "$work/output" \
    >> "$work/common.prm"
  if ! "$strut" "$work/$deck.prm" > "$out/$name.log" 2>&1; then
    echo "$name failed:"
    tail -n 5 "$out/$name.log"
    continue
  fi
  cp "$work/output/history.csv" "$out/$name.history.csv"
  cp "$work/output/timing.csv" "$out/$name.timing.csv"
  rm -rf "$work"
  python3 - "$out/$name" << 'PYTHON'
import csv, re, sys
name = sys.argv[1]
rows = list(csv.DictReader(open(name + ".history.csv")))
log = open(name + ".log").read()
elements = int(re.search(r"(\d+) elements, \d+ nodes", log).group(1))
number, unit = re.search(r"Memory of the backend: ([\d.]+) (MB|GB)", log).groups()
bytes_ = float(number) * {"MB": 1e6, "GB": 1e9}[unit]
def column(word):
    return [float(row[next(key for key in row if word in key)]) for row in rows]
iterations, seconds = column("iterations"), column("seconds")
print("%-34s %9d %6.1f %6d %8.2f %9.0f %10.6g" % (name.split("/")[-1], elements,
      sum(iterations) / len(rows), max(iterations), 1e3 * sum(seconds) / len(rows), bytes_ / elements,
      column("compliance")[-1]))
PYTHON
done

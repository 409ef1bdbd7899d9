#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Counters of the kernels of stage 3 of the matrix generation (doc/studies/assembly.md): Nsight Compute on
# strut_values_benchmark, boxes of hex8, hex20 and tet4 in both precisions.
#
#   doc/scripts/assembly_counters.sh BUILD OUT      writes OUT/counters-<element>-<precision>.csv
#
# BUILD: `ninja strut-assemble strut_values_benchmark` was called there. Of each kernel the third call, with one thread
# an element, and the eighth, with a team, where there are two ways. assembly_counters.py names the counters.
set -euo pipefail
if [[ $# -ne 2 ]]; then
  sed -n 's/^# \{0,1\}//; 4,7p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
here=$(dirname "${BASH_SOURCE[0]}")
for program in "$1/strut-assemble" "$1/tests/benchmarks/strut_values_benchmark"; do
  [[ -x $program ]] || {
    printf 'assembly_counters.sh: there is no program %s; build strut-assemble and strut_values_benchmark\n' "$program" >&2
    exit 2
  }
done
mkdir -p "$2"

kernels='(integrate_and_add_kernel|add_kernel|gather_kernel|shared_nz_kernel)'
for box in 'hex8 64' 'hex20 32' 'tet4 36'; do
  read -r element n <<< "$box"
  for precision in double float; do
    file=$2/counters-$element-$precision.csv
    {
      printf '# program: %s\n' "$("$1/strut-assemble" --version)"
      printf '# GPU and driver: %s\n' "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
      ncu --clock-control none --kernel-id "::regex:^$kernels\$:^(3|8)\$" --csv --page raw --print-units base \
        --metrics "$("$here/assembly_counters.py" --metrics)" \
        "$1/tests/benchmarks/strut_values_benchmark" --element="$element" --n="$n" --precision="$precision" |
        "$here/assembly_counters.py"
    } > "$file.tmp"
    n_kernels=$(($(wc -l < "$file.tmp") - 3))
    ((n_kernels > 0)) || {
      printf 'assembly_counters.sh: ncu found no kernel of %s, %s\n' "$element" "$precision" >&2
      exit 1
    }
    mv "$file.tmp" "$file"
    printf '%s, %s: %s kernels\n' "$element" "$precision" "$n_kernels"
  done
done

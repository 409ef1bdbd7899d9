#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Counters of the kernels of stage 3 of the matrix generation (doc/assembly-study.md): Nsight Compute on
# strut_values_benchmark, boxes of hex8, hex20 and tet4 in both precisions.
#
#   doc/scripts/assembly_counters.sh BUILD OUT      writes OUT/counters-<element>-<precision>.csv
#
# BUILD: `ninja strut_values_benchmark` was called there. Of each kernel the third call, with one thread an element, and
# the eighth, with a team, where there are two ways.
set -euo pipefail
if [[ $# -ne 2 ]]; then
  sed -n 's/^# \{0,1\}//; 4,9p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
benchmark=$1/tests/benchmarks/strut_values_benchmark
[[ -x $benchmark ]] || {
  printf 'assembly_counters.sh: there is no program %s; build strut_values_benchmark\n' "$benchmark" >&2
  exit 2
}
mkdir -p "$2"

metrics=gpu__time_duration.sum                                             # ns
metrics+=,dram__bytes.sum                                                  # read and written
metrics+=,dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,lts__throughput.avg.pct_of_peak_sustained_elapsed               # L2
metrics+=,lts__t_sectors_op_red.sum                                        # sectors of atomics
metrics+=,l1tex__m_xbar2l1tex_read_sectors.sum                             # 32 bytes each, from L2 to the threads
metrics+=,l1tex__throughput.avg.pct_of_peak_sustained_active
metrics+=,sm__warps_active.avg.pct_of_peak_sustained_active
metrics+=,smsp__issue_active.avg.pct_of_peak_sustained_active             # issue slots taken
metrics+=,smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio # cycles of waiting for loads
metrics+=,smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio     # for the queue of the memory unit

kernels='(integrate_and_add_kernel|add_kernel|gather_kernel|shared_nz_kernel)'
for box in 'hex8 64' 'hex20 32' 'tet4 36'; do
  read -r element n <<< "$box"
  for precision in double float; do
    ncu --clock-control none --kernel-id "::regex:^$kernels\$:^(3|8)\$" --csv --page raw --print-units base \
      --metrics "$metrics" "$benchmark" --element="$element" --n="$n" --precision="$precision" |
      grep '^"' > "$2/counters-$element-$precision.csv"
    printf '%s, %s: %s kernels\n' "$element" "$precision" "$(($(wc -l < "$2/counters-$element-$precision.csv") - 2))"
  done
done

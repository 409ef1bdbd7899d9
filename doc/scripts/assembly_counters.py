#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Counters of Nsight Compute that assembly_counters.sh asks for: their names, and what ncu prints as rows of few columns.

  assembly_counters.py --metrics                      the names, for ncu --metrics
  ncu --csv --page raw --print-units base ... | assembly_counters.py > counters-hex8-double.csv
"""
import csv
import re
import sys

# column: name at ncu, factor
COUNTERS = {
    "seconds": ("gpu__time_duration.sum", 1e-9),
    "dram_bytes": ("dram__bytes.sum", 1),  # read and written
    "dram_percent": ("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "l2_percent": ("lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "atomic_sectors": ("lts__t_sectors_op_red.sum", 1),
    "l2_to_threads_bytes": ("l1tex__m_xbar2l1tex_read_sectors.sum", 32),
    "l1_percent": ("l1tex__throughput.avg.pct_of_peak_sustained_active", 1),
    "warps_percent": ("sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "issue_percent": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1),  # slots taken
    # cycles of waiting for loads and for the queue of the memory unit, an instruction
    "wait_loads": ("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 1),
    "wait_queue": ("smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", 1),
}


def kernel(signature):
    """'void (anonymous)::add_kernel<double>(MeshView, ...)' -> 'add_kernel<double>'"""
    return re.search(r"(\w+_kernel(<[^(]*>)?)\(", signature)[1]


def columns(lines):
    """Rows of ncu's CSV, of which the second has the units."""
    for row in list(csv.DictReader(line for line in lines if line.startswith('"')))[1:]:
        yield {"kernel": kernel(row["Kernel Name"]),
               **{name: f"{factor * float(row[metric].replace(',', '')):.6g}" for name, (metric, factor) in COUNTERS.items()}}


if __name__ == "__main__":
    if sys.argv[1:] == ["--metrics"]:
        print(",".join(metric for metric, _ in COUNTERS.values()))
    else:
        writer = csv.DictWriter(sys.stdout, ["kernel", *COUNTERS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(columns(sys.stdin))

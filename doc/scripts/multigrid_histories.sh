#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
#
# The same optimization with Jacobi and with multigrid: how far compliance histories and final designs part.
#
#   doc/scripts/multigrid_histories.sh STRUT OUT
#
# STRUT: the program. OUT: a folder for the results. Decks cb1 (48 x 24 x 24 elements, since 50 x 25 x 25 has no coarser mesh),
# mc1 and cr1 of prm/thesis/, 50 design iterations, |r| <= 1e-8 |b|; Jacobi in double, multigrid with cycles in float. Leaves
# OUT/DECK-PRECONDITIONER.history.csv and prints a line for each deck.
set -e
strut=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
source_dir=$(cd "$(dirname "$0")/../.." && pwd)

for deck in cb1 mc1 cr1; do
  for preconditioner in jacobi multigrid; do
    work=$(mktemp -d)
    cp "$source_dir"/prm/thesis/*.prm "$work"
    sed -i 's/50, 25, 25/48, 24, 24/' "$work/cb1.prm"
    sed -i "s/set Operator .*/set Operator = on_the_fly/; s/Preconditioner .*/Preconditioner = $preconditioner/
      s/Stopping criterion = absolute.*/Stopping criterion = relative/; s/set Tolerance .*/set Tolerance = 1e-8/
      s/Stopping criterion = compliance change/Stopping criterion = none/; s/Maximum iterations .*/Maximum iterations = 50/
      s/set Stopping tolerance .*//" "$work/common.prm"
    [ $preconditioner = jacobi ] || sed -i '1i set Precision = mixed' "$work/common.prm"
    printf 'subsection Output\n  set Output directory = %s\n  set Checkpoint every = 0\nend\n' "$work/output" >> "$work/common.prm"
    "$strut" "$work/$deck.prm" > "$out/$deck-$preconditioner.log" 2>&1 || tail -n 5 "$out/$deck-$preconditioner.log"
    cp "$work/output/history.csv" "$out/$deck-$preconditioner.history.csv"
    cp "$work"/output/*.vtu "$out/$deck-$preconditioner.vtu"
    rm -rf "$work"
  done
  python3 - "$out/$deck" << 'PYTHON'
import csv, re, struct, sys, zlib
def rows(name):
    return [(float(row["compliance"]), int(row["solver_iterations"])) for row in csv.DictReader(open(name))]
def density(name):
    """Of a VTU of strut: blocks of zlib, behind 8-byte numbers: blocks, size of one, of the last one, after compression."""
    data = open(name, "rb").read()
    head, body = data.split(b'<AppendedData encoding="raw">\n_', 1)
    at = int(re.search(rb' Name="density"[^>]* offset="(\d+)"', head).group(1))
    n_blocks = struct.unpack_from("<Q", body, at)[0]
    sizes = struct.unpack_from("<%dQ" % n_blocks, body, at + 24)
    values, at = b"", at + 24 + 8 * n_blocks
    for size in sizes:
        values += zlib.decompress(body[at:at + size])
        at += size
    return struct.unpack("<%df" % (len(values) // 4), values)
name = sys.argv[1]
jacobi, multigrid = (rows(name + "-%s.history.csv" % p) for p in ("jacobi", "multigrid"))
worst = max(abs(a[0] - b[0]) / abs(a[0]) for a, b in zip(jacobi, multigrid))
line = "%s: %d designs, compliance apart by at most %.1e; iterations %d with Jacobi, %d with multigrid" % (
    name.split("/")[-1], len(jacobi), worst, sum(a[1] for a in jacobi), sum(b[1] for b in multigrid))
apart = [abs(a - b) for a, b in zip(*(density(name + "-%s.vtu" % p) for p in ("jacobi", "multigrid")))]
print(line + "; densities apart by at most %.1e, %.1e on average" % (max(apart), sum(apart) / len(apart)))
PYTHON
done

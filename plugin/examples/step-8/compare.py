#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Whether two programs of this folder find the same displacements in each cycle.

    compare.py ORIGINAL OTHER   run both in folders of their names, and compare

Prints a row of Markdown per cycle. The exit code is 1 if the displacements of a cycle differ by
more than 1e-10, relative, in the maximum norm.
"""
import array
import pathlib
import re
import subprocess
import sys

TOLERANCE = 1e-10


def run(program):
    """The output of the program: pairs of iterations and seconds, one per cycle; and its folder."""
    folder = pathlib.Path(pathlib.Path(program).name + ".output")
    folder.mkdir(exist_ok=True)
    for file in folder.glob("solution-*"):
        file.unlink()
    output = subprocess.run([pathlib.Path(program).resolve()], cwd=folder, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"iterations: *(\d+)\s+Seconds: *(\S+)", output), folder


def vector(path):
    """The numbers that dealii::Vector<double>::block_write() wrote: `n\\n[n doubles]`."""
    size, _, contents = path.read_bytes().partition(b"\n[")
    if contents[-1:] != b"]" or len(contents) != 8 * int(size) + 1:
        sys.exit(f"{path}: not a vector of {int(size)} numbers")
    return array.array("d", contents[:-1])


def main():
    (first, first_folder), (second, second_folder) = run(sys.argv[1]), run(sys.argv[2])
    if not first or len(first) != len(second):
        sys.exit(f"{len(first)} and {len(second)} cycles")
    print("| cycle | degrees of freedom | largest difference | original: iterations | seconds "
          "| strut: iterations | seconds |\n|" + "---:|" * 7)
    worst = 0.
    for cycle, (one, other) in enumerate(zip(first, second)):
        name = f"solution-{cycle}.vector"
        u, v = vector(first_folder / name), vector(second_folder / name)
        if len(u) != len(v):
            sys.exit(f"cycle {cycle}: {len(u)} and {len(v)} degrees of freedom; the meshes differ")
        largest = max(map(abs, u))
        if not 0. < largest < float("inf"):
            sys.exit(f"cycle {cycle}: the largest displacement of the original is {largest}")
        difference = max(abs(a - b) if a == a and b == b else float("inf") for a, b in zip(u, v))
        worst = max(worst, difference / largest)
        print(f"| {cycle} | {len(u):,} | {difference / largest:.1e} | {one[0]} | {float(one[1]):.3f} "
              f"| {other[0]} | {float(other[1]):.3f} |")
    if worst > TOLERANCE:
        sys.exit(f"the displacements differ by {worst:.1e}; allowed is {TOLERANCE:.0e}")


if __name__ == "__main__":
    main()

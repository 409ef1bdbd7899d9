#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Matrices of meshes with as many nodes as those of Sanfui and Sharma (2020), generated and solved with on the GPU.

    doc/scripts/assembly_source.py BUILD OUT [--only NAME ...] [--time-limit SECONDS]
    doc/scripts/assembly_source.py --list

writes OUT/source-<name>.{assembly,memory,solve}.csv, and begins no new mesh after the time limit. sources_tables.py puts
them beside the paper's figures (doc/results/sources/generation-*.csv).
"""

import argparse
import pathlib
import subprocess
import sys
import time

# name: (element type, mesh, its counts, nodes in the paper). Boxes: elements along an edge; cylinders: radial,
# circumferential, axial; rods: across, upper ring, upper field, lower ring, lower field, between, layers.
MESHES = {f"box-{n}": ("hex8", "box", [n], (n + 1)**3) for n in (40, 50, 60, 70, 80, 90, 100)}
MESHES |= {
    "cylinder-0": ("hex20", "hollow cylinder", [5, 42, 30], 30000),
    "tet4-1": ("tet4", "hollow cylinder", [5, 44, 18], 17434),
    "tet4-2": ("tet4", "hollow cylinder", [7, 66, 28], 57082),
    "tet4-3": ("tet4", "hollow cylinder", [9, 88, 39], 130884),
    "tet4-4": ("tet4", "hollow cylinder", [12, 112, 49], 275913),
    "tet10": ("tet10", "hollow cylinder", [9, 88, 39], 1012919),
    "hex20": ("hex20", "hollow cylinder", [17, 155, 67], 742677),
    "rod-0": ("hex20", "connecting rod", [16, 2, 5, 2, 4, 7, 3], 15318),
    "rod-1": ("hex20", "connecting rod", [16, 2, 6, 2, 5, 9, 4], 22374),
    "rod-2": ("hex20", "connecting rod", [20, 3, 8, 3, 6, 11, 4], 36326),
    "rod-3": ("hex20", "connecting rod", [24, 3, 10, 3, 7, 13, 5], 60186),
    "rod-4": ("hex20", "connecting rod", [28, 4, 10, 4, 7, 14, 5], 76396),
    "rod-5": ("hex20", "connecting rod", [28, 4, 10, 4, 7, 14, 6], 88872),
    "rod-6": ("hex20", "connecting rod", [32, 4, 12, 4, 8, 16, 6], 113503),
    "rod-7": ("hex20", "connecting rod", [80, 10, 30, 10, 20, 40, 19], 2020284),
}
ENTRIES = {
    "hollow cylinder": ["radial", "circumferential", "axial"],
    "connecting rod": ["across", "upper ring", "upper field", "lower ring", "lower field", "between"],
}
# held and loaded boundaries, and the force: the end of a box, the top of a cylinder, the lower half of the lower bore and
# the upper half of the upper one
LOADS = {"box": (0, 1, "0, 0, -1"), "hollow cylinder": (2, 3, "0, 0, -1"), "connecting rod": (3, 0, "0, 1, 0")}


def deck(name):
    element, mesh, counts, _ = MESHES[name]
    lines = ["set Backends = cuda", "subsection Mesh", f"  set Type = {mesh}"]
    if mesh == "box":
        lines += ["  subsection Box", "    set Size = 1, 1, 1", "    set Elements = " + ", ".join(3 * [str(counts[0])])]
    else:
        lines.append(f"  subsection {mesh.capitalize()}")
        lines += [f"    set Elements {entry} = {n}" for entry, n in zip(ENTRIES[mesh], counts)]
        if mesh == "connecting rod":
            lines.append(f"    set Layers = {counts[-1]}")
    held, loaded, force = LOADS[mesh]
    lines += ["  end", "end", "subsection Material", "  set Poisson's ratio = 0.3", "end", "subsection Assembly",
              f"  set Element types = {element}", "  set Precisions = double", "  set Formats = ELL, CSR", "  set Libraries =",
              "end", "subsection Solve", f"  set Fixed boundaries = {held}", f"  set Loaded boundaries = {loaded}",
              f"  set Force = {force}", "end"]
    return "\n".join(lines) + "\n"


def run(build, out, names, limit):
    begin, failed = time.monotonic(), False
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        if limit and time.monotonic() - begin > limit:
            print(f"not begun: {name}")
            continue
        file = out / f"source-{name}.prm"
        file.write_text(deck(name))
        start = time.monotonic()
        log = subprocess.run([build / "strut-assemble", file, "--solve", "--output", out], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        file.unlink()
        for picture in out.glob(f"source-{name}.*.vtk"):
            picture.unlink()
        print(f"{name}: exit code {log.returncode}, {time.monotonic() - start:.1f} s", flush=True)
        if log.returncode:
            print(log.stdout[-1500:])
            failed = True
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("out", nargs="?", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", choices=MESHES, default=list(MESHES), metavar="NAME")
    parser.add_argument("--time-limit", type=float, default=0., metavar="SECONDS")
    given = parser.parse_args()
    if given.list:
        print("\n".join(MESHES))
        return
    if given.out is None:
        parser.error("BUILD and OUT are missing")
    sys.exit(run(given.build.resolve(), given.out.resolve(), given.only, given.time_limit))


if __name__ == "__main__":
    main()

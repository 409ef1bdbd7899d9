#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The tables of Sanfui and Sharma (2020) beside ours: matrices of meshes with as many nodes, generated and solved with.

    doc/scripts/assembly_source.py run BUILD OUT [--only NAME ...] [--time-limit SECONDS]
    doc/scripts/assembly_source.py tables OUT > OUT/source-tables.md

`run` writes OUT/source-<name>.{assembly,memory,solve}.csv. It begins no new mesh after the time limit. `--list` in place of
BUILD and OUT prints the names. `tables` writes what is there; the figures of the paper are in doc/results/sources/s2-*.csv.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import time

import assembly_data

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "doc" / "results" / "sources"

# name: (element type, mesh, its counts, nodes in the paper). Boxes: elements along an edge; cylinders: radial,
# circumferential, axial; rods: across, upper ring, upper field, lower ring, lower field, between, layers.
MESHES = {f"box-{n}": ("hex8", "box", [n], (n + 1)**3) for n in (40, 50, 60, 70, 80, 90, 100)}
MESHES |= {
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


def source(file):
    lines = [line for line in (SOURCES / file).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


class Run:
    """What strut measured on one mesh."""

    def __init__(self, folder, name):
        self.steps, self.label = assembly_data.read(folder / f"source-{name}.assembly.csv")
        self.solves, _ = assembly_data.read(folder / f"source-{name}.solve.csv")
        self.nodes, self.elements = self.steps[0]["nodes"], self.steps[0]["elements"]
        self.memory = {row["format"]: row for row in assembly_data.read(folder / f"source-{name}.memory.csv")[0]}

    def ms(self, stage, step="all", **wanted):
        """Milliseconds of the fastest variant."""
        times = [row["median_s"] for row in self.steps
                 if row["stage"] == stage and row["step"] == step and all(row[key] == word for key, word in wanted.items())]
        return 1e3 * min(times) if times else None

    def values(self, method, fmt, **wanted):
        """Preparation and values: one generation."""
        values = self.ms(assembly_data.VALUES, format=fmt, method=method, **wanted)
        return None if values is None else values + (
            self.ms(assembly_data.PREPARATION, format=fmt, method=method, **wanted) or 0.)


def table(title, head, rows):
    print(f"\n## {title}\n\n| " + " | ".join(head) + " |")
    print("|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| " + " | ".join("-" if cell is None else f"{cell:,}" if isinstance(cell, int) else
                                f"{cell:.3g}" if isinstance(cell, float) and cell < 100 else
                                f"{cell:.0f}" if isinstance(cell, float) else cell for cell in row) + " |")


def tables(folder):
    ours = {name: Run(folder, name) for name in MESHES if (folder / f"source-{name}.solve.csv").exists()}
    if not ours:
        sys.exit(f"assembly_source.py: no source-*.solve.csv in {folder}")
    by_nodes = {MESHES[name][3]: found for name, found in ours.items()}
    print("# The paper's tables beside ours\n\nWritten by `doc/scripts/assembly_source.py tables`. Paper: Tesla K40c, seconds. Ours, ms:\n")
    print("\n".join(f"- {line}" for line in next(iter(ours.values())).label if not line.startswith("deck:")))

    rows = source("s2-generation.csv")
    table("Table 1: neighbours", ["paper's element", "nodes, paper", "nodes, ours", "paper, s", "a thread's sort, ms", "warps, ms", "paper / warps"],
          [[r["element"], int(r["nodes"]), run.nodes, float(r["neighbours_s"]), run.ms(assembly_data.NEIGHBOURS, method="sequential sort"),
            run.ms(assembly_data.NEIGHBOURS, method="warp sort"), 1e3 * float(r["neighbours_s"]) / run.ms(assembly_data.NEIGHBOURS)]
           for r in rows if r["table"] == "1" and (run := by_nodes.get(int(r["nodes"])))])
    for number, title in (("3", "Table 3: hollow cylinder"), ("5", "Table 5: connecting rod")):
        table(f"{title}, format ELL", ["paper's / our element", "nodes, paper", "nodes, ours", "1, 2, 3 of the paper, s", "1, ms", "2, ms",
                                       "3 same kernel, a thread", "a team", "3 separate, atomics", "3 gather", "all, fastest", "paper / ours",
                                       "MB, paper", "MB of the values, ours"],
              [[f"{r['element']} / {run.steps[0]['element']}", int(r["nodes"]), run.nodes,
                f"{r['neighbours_s']}, {r['indices_s']}, {r['values_s']}", run.ms(assembly_data.NEIGHBOURS),
                run.ms(assembly_data.INDICES, format="ELL"),
                run.values("same kernel", "ELL", integration="one thread"), run.values("same kernel", "ELL", integration="team"),
                run.values("separate kernels", "ELL"), run.values("gather", "ELL"), total := run.ms(assembly_data.NEIGHBOURS) +
                run.ms(assembly_data.INDICES, format="ELL") + min(run.values(m, "ELL") for m in ("same kernel", "separate kernels", "gather")),
                1e3 * sum(float(r[s]) for s in ("neighbours_s", "indices_s", "values_s")) / total, float(r["memory_mb"]),
                run.memory["ELL"]["measured_bytes"] * 8 / 12 / 1e6]
               for r in rows if r["table"] == number and (run := by_nodes.get(int(r["nodes"])))])
    table("Tables 2 and 4: steps of the neighbours", ["table", "nodes, paper", "nodes, ours", "paper: lists of elements, s", "ours, ms",
                                                      "paper: lists of nodes and their sort, s", "a thread's sort, ms", "warps, ms"],
          [[r["table"], int(r["nodes"]), run.nodes, sum(float(r[k]) for k in ("countElemNum", "scan_1", "fillElemNum")),
            run.ms(assembly_data.NEIGHBOURS, "element lists"),
            sum(float(r[k]) for k in ("scan_2", "initializeNodeNum", "fillNodeNum", "thrustDynamicSort", "scan_3"))] +
           [run.ms(assembly_data.NEIGHBOURS, method=m) - run.ms(assembly_data.NEIGHBOURS, "element lists", method=m)
            for m in ("sequential sort", "warp sort")]
           for r in source("s2-neighbours.csv") if (run := nearest(int(r["nodes"]), by_nodes))])
    table("Solves: conjugate gradients with the diagonal, to 1e-8", ["mesh", "element", "nodes", "format", "iterations", "generation, ms", "solve, ms",
                                                                     "generation, %"],
          [[name, s["element"], s["nodes"], s["format"], int(s["iterations"]), 1e3 * s["generation_s"], 1e3 * s["solve_s"],
            s["percent_of_generation"]] for name, run in ours.items() for s in run.solves])


def nearest(nodes, by_nodes):
    """The run whose mesh has within 5 % as many nodes."""
    found = min(by_nodes, key=lambda n: abs(n - nodes))
    return by_nodes[found] if abs(found - nodes) < 0.05 * nodes else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "tables", "list"))
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=MESHES, default=list(MESHES), metavar="NAME")
    parser.add_argument("--time-limit", type=float, default=0., metavar="SECONDS")
    given = parser.parse_args()
    if len(given.folders) != {"run": 2, "tables": 1, "list": 0}[given.action]:
        parser.error("run takes BUILD and OUT, tables takes OUT")
    if given.action == "list":
        print("\n".join(MESHES))
    elif given.action == "tables":
        tables(given.folders[0])
    else:
        sys.exit(run(given.folders[0].resolve(), given.folders[1].resolve(), given.only, given.time_limit))


if __name__ == "__main__":
    main()

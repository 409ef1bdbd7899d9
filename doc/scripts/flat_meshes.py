#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""PCG iterations on flat meshes: the rows of doc/studies/flat-meshes.md.

    python3 doc/scripts/flat_meshes.py FOLDER [ROW...] [--strut build/strut] [--designs 25] [--seconds] [--set ENTRY=VALUE]

Writes meshes and decks into FOLDER, runs each row, starts every solve from zero, and prints one line per row: PCG
iterations of the uniform design, of the design after that many steps, and the most of all. Rows: all without names.
`--seconds` adds the set-up of the solver, a new design and its solve on average, and the whole run.
Needs numpy, and gmsh on the path for the rods.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parents[2]
VERTICES = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])


def write(path, points, hexahedra):
    """A file of Gmsh, version 2.2; hexahedra in Gmsh's order of vertices."""
    with open(path, "w") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" % len(points))
        for i, p in enumerate(points):
            out.write("%d %.17g %.17g %.17g\n" % (i + 1, *p))
        out.write("$EndNodes\n$Elements\n%d\n" % len(hexahedra))
        for e, h in enumerate(hexahedra):
            out.write("%d 5 2 1 1 %s\n" % (e + 1, " ".join(str(v + 1) for v in h)))
        out.write("$EndElements\n")


def lattice(n, exists=lambda i, j, k: True, split=lambda place, cell: 0, size=(1.0, 1.0, 1.0)):
    """Cubes of a lattice that exist. `split(place, cell)` tells nodes at one place apart that are not one."""
    nodes, hexahedra = {}, []
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                if exists(i, j, k):
                    cell = numpy.array([i, j, k])
                    hexahedra.append([nodes.setdefault((*(cell + v), split(cell + v, cell)), len(nodes))
                                      for v in VERTICES])
    points = numpy.array([key[:3] for key in nodes], float) * size
    return points, hexahedra


def distorted(points, n, by=0.2, seed=0):
    """Nodes inside of the box moved at random by at most so much along each axis."""
    inside = ((points > 0) & (points < n)).all(axis=1)
    moved = points.copy()
    moved[inside] += numpy.random.default_rng(seed).uniform(-by, by, (inside.sum(), 3))
    return moved


def box(n, noise=0.0, size=(1.0, 1.0, 1.0)):
    points, hexahedra = lattice(n)
    return (distorted(points, n, noise) if noise else points) * size, hexahedra


def bars(n, gap):
    """Two bars, held at x = 0 and joined at the loaded end: this layer of elements is missing."""
    return lattice(n, lambda i, j, k: k != gap or i >= n[0] - 3)


def comb(width, length=41, n=4):
    """n x n bars with gaps of one element, held at x = 0 and joined at the loaded end."""
    pitch = width + 1
    total = n * pitch - 1
    return lattice((length, total, total),
                   lambda i, j, k: i >= length - 3 or (j % pitch < width and k % pitch < width))


def frame(cells, cell, width):
    """Bars of some width along the edges of cubic cells of some size."""
    return lattice([cell * c + width for c in cells], lambda *at: sum(index % cell < width for index in at) >= 2)


def slit(n=(51, 9, 9)):
    """A box cut by a slit without width in the middle plane, but for its first tenth."""
    middle, closed = n[2] // 2, n[0] // 10
    return lattice(n, split=lambda place, cell: int(place[2] == middle and place[0] > closed and cell[2] >= middle))


CANTILEVER = """
subsection Supports
  subsection wall
    set Expression = x < xmin + tol
  end
end
subsection Loads
  subsection tip
    set Expression = x > xmax - tol && z < zmin + tol
    set Type = total force
    set Value = 0, 0, -1
  end
end
"""

# name: (mesh, volume fraction, filter radius)
ROWS = {
    "box 25x13x13, distorted": (lambda: box((25, 13, 13), 0.2), 0.3, 1.5),
    "box 51x25x25, distorted": (lambda: box((51, 25, 25), 0.2), 0.3, 1.5),
    "two bars 49x9x2, gap of one element": (lambda: bars((49, 9, 5), 2), 1.0, 0),
    "two bars 49x9x4, gap of one element": (lambda: bars((49, 9, 9), 4), 1.0, 0),
    "two bars 49x9x4, with designs": (lambda: bars((49, 9, 9), 4), 0.3, 1.5),
    "slit with doubled nodes 51x9x9": (slit, 1.0, 0),
    "slit, with designs": (slit, 0.3, 1.5),
    "comb of bars 1 wide": (lambda: comb(1), 1.0, 0),
    "comb of bars 2 wide": (lambda: comb(2), 1.0, 0),
    "box 25x13x13, elements 4:1": (lambda: box((25, 13, 13), 0.0, (1.0, 1.0, 0.25)), 0.3, 1.5),
    "comb of bars 2 wide, 81 long": (lambda: comb(2, 81), 1.0, 0),
    "comb 81 long, with designs": (lambda: comb(2, 81), 0.5, 1.5),
    "lattice of 5x2x2 cells": (lambda: frame((5, 2, 2), 8, 1), 1.0, 0),
    "lattice of 6x3x3 cells": (lambda: frame((6, 3, 3), 8, 2), 1.0, 0),
    "lattice of 6x3x3 cells, with designs": (lambda: frame((6, 3, 3), 8, 2), 0.5, 1.5),
    "lattice of 20x8x8 cells": (lambda: frame((20, 8, 8), 4, 1), 1.0, 0),
    "lattice of 20x8x8 cells, with designs": (lambda: frame((20, 8, 8), 4, 1), 0.5, 1.5),
}
RODS = {"rod": 0, "rod split once": 1, "rod split twice": 2}


def make(folder, name):
    """@return the deck of a row"""
    stem = folder / name.replace(" ", "-").replace(",", "").replace(":", "-")
    mesh = stem.with_suffix(".msh")
    if name in RODS:
        deck = (HERE / "prm/connecting-rod.prm").read_text()
        refinements = RODS[name]
        source = HERE / "prm/meshes/connecting-rod.msh"
        for k in range(refinements):
            target = mesh if k + 1 == refinements else stem.with_suffix(".%d.msh" % k)
            subprocess.run(["gmsh", "-refine", str(source), "-o", str(target), "-format", "msh22", "-v", "1"],
                           check=True, stdout=subprocess.DEVNULL)
            source = target
        deck = deck.replace("meshes/connecting-rod.msh", str(source))
        deck = deck.replace("set Filter radius      = 12", "set Filter radius = %g" % (12 / 2 ** refinements))
    else:
        shape, volume, radius = ROWS[name]
        write(mesh, *shape())
        deck = "subsection Mesh\n  set Type = file\n  subsection File\n    set File name = %s\n  end\nend\n" % mesh
        deck += "subsection Material\n  set Poisson's ratio = 0.3\nend\n" + CANTILEVER
        deck += "subsection Optimization\n  set Volume fraction = %g\n" % volume
        deck += "  set Filter = %s\n" % ("sensitivity" if radius else "none")
        deck += ("  set Filter radius = %g\n  set Filter weights = count\n" % radius if radius else "") + "end\n"
    path = stem.with_suffix(".prm")
    path.write_text(deck)
    return path


def run(deck, options):
    output = deck.with_suffix("")
    command = [options.strut, str(deck), "--set", "Solver/Initial guess = zero", "--set",
               "Optimization/Maximum iterations = %d" % (options.designs + 1), "--set", "Optimization/Stopping criterion = none", "--set",
               "Optimization/Minimum density = 0.001",
               "--output", str(output)]
    for entry in options.set:
        command += ["--set", entry]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    (deck.with_suffix(".log")).write_text(done.stdout)
    if done.returncode not in (0, 3):  # 3: the run judges the design
        return "exit code %d: %s" % (done.returncode, done.stdout.strip().splitlines()[-1] if done.stdout else "")
    history = (output / "history.csv").read_text().splitlines()
    head = history[0].split(",")
    column = next(i for i, word in enumerate(head) if "PCG" in word or "iterations" in word.lower() and i > 0)
    counts = [int(float(line.split(",")[column])) for line in history[1:]]
    return counts


def seconds(output, n):
    """@return the cells of --seconds, from the table of timing of a run with n analyses"""
    of = {name: float(value) for name, _, value in (line.split(",") for line in (output / "timing.csv").read_text().splitlines()[1:])}
    solve = sum(of.get(name, 0.) for name in ("operator", "PCG vectors", "preconditioner"))
    whole = of.get("total", sum(of.values()))
    return " %.3f | %.3f | %.3f | %.2f |" % (of["set-up: solver and filter"], of["stiffness update"] / n, solve / n, whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--strut", default=str(HERE / "build/strut"))
    parser.add_argument("--designs", type=int, default=25)
    parser.add_argument("--seconds", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = options.rows or list(RODS) + list(ROWS)
    for name in names:
        if name not in RODS and name not in ROWS:
            sys.exit("There is no row '%s'. Rows: %s." % (name, "; ".join(list(RODS) + list(ROWS))))
    print("| case | uniform | after %d designs | most |" % options.designs
          + (" set-up, s | new design, s | solve, s | whole run, s |" if options.seconds else ""))
    print("|---|---:|---:|---:|" + ("---:|---:|---:|---:|" if options.seconds else ""))
    for name in names:
        deck = make(options.folder.resolve(), name)
        counts = run(deck, options)
        if isinstance(counts, str):
            print("| %s | %s | | |" % (name, counts), flush=True)
        else:
            print("| %s | %d | %d | %d |" % (name, counts[0], counts[-1], max(counts))
                  + (seconds(deck.with_suffix(""), len(counts)) if options.seconds else ""), flush=True)


if __name__ == "__main__":
    main()

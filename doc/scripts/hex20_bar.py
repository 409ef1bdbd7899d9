#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The hex20 of prm/assembly/bar.prm in a second program, since deal.II has no serendipity element: element matrices,
consistent forces and a banded Cholesky factor of its own, in Python alone. It shares nothing with strut but the mesh.

    build/strut-assemble prm/assembly/bar.prm --solve
    doc/scripts/hex20_bar.py output/bar

Compares compliance and largest displacement of bar.solve.csv, for each backend and format, to 1e-8, and all
displacements of the VTK files, which have single precision, to 1e-7 of the largest. Prints both; exit code 1 if one
differs by more.
"""

import csv
import itertools
import pathlib
import sys

import calculix_bar

FORCE = (0., 0., -1.)  # in all, at the end of the bar
POISSON = 0.3
# VTK's quadratic hexahedron: corners, then midpoints of edges
NODES = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1),
         (0, -1, -1), (1, 0, -1), (0, 1, -1), (-1, 0, -1), (0, -1, 1), (1, 0, 1), (0, 1, 1), (-1, 0, 1),
         (-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
GAUSS = [(-0.6**0.5, 5 / 9), (0., 8 / 9), (0.6**0.5, 5 / 9)]


def shape(node, at):
    """Serendipity function of a node (Zienkiewicz): value and gradient by the reference coordinates."""
    factors = [1 + n * x if n else 1 - x * x for n, x in zip(node, at)]
    slopes = [n if n else -2 * x for n, x in zip(node, at)]
    product = factors[0] * factors[1] * factors[2]
    gradient = [slopes[d] * factors[(d + 1) % 3] * factors[(d + 2) % 3] for d in range(3)]
    if 0 in node:
        return product / 4, [g / 4 for g in gradient]
    bracket = sum(n * x for n, x in zip(node, at)) - 2
    return product * bracket / 8, [(g * bracket + product * n) / 8 for g, n in zip(gradient, node)]


def element_matrix(size):
    """Of a box with E = 1: 60 x 60, degree of freedom 3 a + i."""
    mu, lame = 1 / (2 * (1 + POISSON)), POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    volume = size[0] * size[1] * size[2] / 8
    matrix = [[0.] * 60 for _ in range(60)]
    for (x, u), (y, v), (z, w) in itertools.product(GAUSS, repeat=3):
        gradients = [[2 * g / h for g, h in zip(shape(node, (x, y, z))[1], size)] for node in NODES]
        weight = u * v * w * volume
        for (a, p), (b, q) in itertools.product(enumerate(gradients), repeat=2):
            dot = sum(s * t for s, t in zip(p, q))
            for i, j in itertools.product(range(3), repeat=2):
                entry = lame * p[i] * q[j] + mu * p[j] * q[i] + (mu * dot if i == j else 0.)
                matrix[3 * a + i][3 * b + j] += weight * entry
    return matrix


def forces_at_end(points, cells, end):
    """Of FORCE, spread over the faces x = end."""
    f, area = [0.] * (3 * len(points)), 0.
    for cell in cells:
        if max(points[n][0] for n in cell) != end:
            continue
        size = [max(points[n][d] for n in cell) - min(points[n][d] for n in cell) for d in range(3)]
        area += size[1] * size[2]
        for (y, v), (z, w) in itertools.product(GAUSS, repeat=2):
            for node, number in zip(NODES, cell):
                for i in range(3):
                    f[3 * number + i] += FORCE[i] * shape(node, (1., y, z))[0] * v * w * size[1] * size[2] / 4
    return [value / area for value in f]


def solve_banded(rows, right):
    """L D L^T of a symmetric matrix, whose rows are {column: value}, up to the diagonal."""
    first = [min(row) for row in rows]
    lower, diagonal, x = [], [], list(right)
    for i, row in enumerate(rows):
        line = [row.get(j, 0.) for j in range(first[i], i + 1)]
        for j in range(first[i], i):
            begin = max(first[i], first[j])
            known = zip(line[begin - first[i]:j - first[i]], lower[j][begin - first[j]:])
            line[j - first[i]] -= sum(s * t for s, t in known)
        pivot = line.pop()
        scaled = [value / d for value, d in zip(line, diagonal[first[i]:i])]
        diagonal.append(pivot - sum(s * t for s, t in zip(line, scaled)))
        lower.append(scaled)
        x[i] -= sum(s * t for s, t in zip(scaled, x[first[i]:i]))
    x = [value / d for value, d in zip(x, diagonal)]
    for i in reversed(range(len(rows))):
        for j, factor in zip(range(first[i], i), lower[i]):
            x[j] -= factor * x[i]
    return x


def solve(points, cells):
    """Forces and displacements by degree of freedom; the bar is held at x = 0."""
    held = {3 * n + i for n, p in enumerate(points) if p[0] == 0. for i in range(3)}
    order = sorted(range(len(points)), key=lambda n: points[n])
    place = {3 * n + i: 3 * k + i for k, n in enumerate(order) for i in range(3)}
    free = sorted((place[dof], dof) for dof in place if dof not in held)
    index = {dof: k for k, (_, dof) in enumerate(free)}
    rows = [{} for _ in free]
    matrices = {}
    for cell in cells:
        size = tuple(max(points[n][d] for n in cell) - min(points[n][d] for n in cell) for d in range(3))
        if size not in matrices:
            matrices[size] = element_matrix(size)
        dofs = [3 * n + i for n in cell for i in range(3)]
        for (r, i), (c, j) in itertools.product(enumerate(dofs), repeat=2):
            if i in index and j in index and index[j] <= index[i]:
                row = rows[index[i]]
                row[index[j]] = row.get(index[j], 0.) + matrices[size][r][c]
    f = forces_at_end(points, cells, max(p[0] for p in points))
    x = solve_banded(rows, [f[dof] for _, dof in free])
    return f, [x[index[dof]] if dof in index else 0. for dof in range(len(f))]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, is_same = pathlib.Path(sys.argv[1]), True
    for path in sorted(folder.glob("*.hex20.*.vtk")):
        points, cells, _, displacements = calculix_bar.read_vtk(path)
        f, u = solve(points, cells)
        largest = max(sum(u[i + d]**2 for d in range(3))**0.5 for i in range(0, len(u), 3))
        expected = {"compliance": sum(a * b for a, b in zip(f, u)), "largest_displacement": largest}
        difference = max(abs(a - b) for a, b in zip(itertools.chain(*displacements), u)) / largest
        is_same = is_same and difference < 1e-7
        print(f"{path.name}: displacements differ by {difference:.1e}")
        backend = path.name.split(".")[-2]
        with open(next(folder.glob("*.solve.csv")), encoding="utf-8") as lines:
            for row in csv.DictReader(line for line in lines if not line.startswith("#")):
                if row["element"] == "hex20" and row["backend"] == backend:
                    for key, value in expected.items():
                        is_same = is_same and abs(float(row[key]) - value) < 1e-8 * value
                        print(f"  {row['format']}: {key} {row[key]}, here {value:.12g}")
    sys.exit(not is_same)


if __name__ == "__main__":
    main()

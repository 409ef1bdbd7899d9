#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The elements of a result from a density on, as a mesh (VTK) for a second analysis: the part that would be made.

    doc/scripts/part_mesh.py output/l-bracket/l-bracket-0300.vtu -o part.vtk

Where elements were taken away, the nodes of the new surface move along an edge to where the density, as a mean at the nodes,
has this value: else the surface has steps, and the stress a peak at each. Nodes on the boundary of the whole mesh stay on it.
Needs Python's vtk and numpy (Debian: python3-vtk9).
"""
import argparse

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

# Of VTK's hexahedron: faces, edges, and corners with the ends of their edges
FACES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
CORNERS = ((0, 1, 3, 4), (1, 2, 0, 5), (2, 3, 1, 6), (3, 0, 2, 7), (4, 7, 5, 0), (5, 4, 6, 1), (6, 5, 7, 2), (7, 6, 4, 3))
MOST = 0.45  # of an edge that a node may move along it
LEAST = 0.25  # determinant of the unit vectors along the edges at a corner, 1 in a cube: flatter cells are pulled back
OUT_OF_PLANE = 0.2  # sine of the angle between an edge and the boundary that it is not on


def boundary_faces(cells):
    """Faces of one cell alone, `[n][4]`."""
    faces = np.concatenate([cells[:, face] for face in FACES])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def is_sound(points, cells):
    """Whether no corner of a cell is nearly flat."""
    worst = np.full(len(cells), np.inf)
    for corner, *ends in CORNERS:
        a, b, c = (points[cells[:, end]] - points[cells[:, corner]] for end in ends)
        size = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) * np.linalg.norm(c, axis=1)
        worst = np.minimum(worst, np.einsum("ni,ni->n", np.cross(a, b), c) / size)
    return worst >= LEAST


def on_level(points, all_cells, density, cells, level):
    """The points, those of the new faces of a part where the density has the level."""
    sums, counts = np.zeros(len(points)), np.zeros(len(points))
    np.add.at(sums, all_cells, density[:, None])
    np.add.at(counts, all_cells, 1.0)
    value = sums / np.maximum(counts, 1.0)

    old = boundary_faces(all_cells)
    is_old = {tuple(face) for face in np.sort(old, axis=1)}
    new = [face for face in boundary_faces(cells) if tuple(sorted(face)) not in is_old]
    is_new = np.zeros(len(points), bool)
    is_new[np.array(new, int).ravel()] = True
    normals = {}  # of the old boundary at the nodes of new faces
    for face in old[is_new[old].any(axis=1)]:
        normal = np.cross(points[face[2]] - points[face[0]], points[face[3]] - points[face[1]])
        for node in face:
            normals.setdefault(node, []).append(normal / np.linalg.norm(normal))

    edges = np.unique(np.sort(np.concatenate([all_cells[:, edge] for edge in EDGES]), axis=1), axis=0)
    edges = np.concatenate([edges, edges[:, ::-1]])
    edges = edges[is_new[edges[:, 0]] & (value[edges[:, 0]] != value[edges[:, 1]])]
    share = (level - value[edges[:, 0]]) / (value[edges[:, 1]] - value[edges[:, 0]])
    way = points[edges[:, 1]] - points[edges[:, 0]]
    length = np.linalg.norm(way, axis=1)
    moved, shortest = points.copy(), np.full(len(points), np.inf)
    for k in np.flatnonzero((share >= 0) & (share <= 1)):
        node = edges[k, 0]
        leaves = any(abs(normal @ way[k]) > OUT_OF_PLANE * length[k] for normal in normals.get(node, ()))
        if not leaves and share[k] * length[k] < shortest[node]:
            shortest[node] = share[k] * length[k]
            moved[node] = points[node] + min(share[k], MOST) * way[k]

    was_sound = is_sound(points, cells)
    for _ in range(20):
        flat = np.unique(cells[was_sound & ~is_sound(moved, cells)])
        if len(flat) == 0:
            return moved
        moved[flat] = 0.5 * (moved[flat] + points[flat])
    return points


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help=".vtu of strut")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--density", type=float, default=0.5, help="least density of an element of the part (0.5)")
    parser.add_argument("--steps", action="store_true", help="leave the surface with the steps of the mesh")
    arguments = parser.parse_args()

    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(arguments.result)
    reader.Update()
    grid = reader.GetOutput()
    points = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)
    all_cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 8)
    density = vtk_to_numpy(grid.GetCellData().GetArray("density"))
    cells = all_cells[density >= arguments.density]
    if not arguments.steps:
        points = on_level(points, all_cells, density, cells, arguments.density)
    used, numbers = np.unique(cells, return_inverse=True)
    cells = numbers.reshape(-1, 8)
    with open(arguments.output, "w", encoding="ascii") as file:
        file.write("# vtk DataFile Version 3.0\npart\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(used)} double\n")
        np.savetxt(file, points[used], fmt="%.9g")
        file.write(f"CELLS {len(cells)} {9 * len(cells)}\n")
        np.savetxt(file, np.hstack([np.full((len(cells), 1), 8), cells]), fmt="%d")
        file.write(f"CELL_TYPES {len(cells)}\n" + "12\n" * len(cells))
    print(f"{len(cells)} elements, {len(used)} nodes")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The elements of a result from a density on, as a mesh (VTK) for a second analysis: the part that would be made.

    doc/scripts/part_mesh.py output/l-bracket/l-bracket-0250.vtu -o part.vtk
"""
import argparse

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help=".vtu of strut")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--density", type=float, default=0.5, help="least density of an element of the part (0.5)")
    arguments = parser.parse_args()

    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(arguments.result)
    reader.Update()
    grid = reader.GetOutput()
    points = vtk_to_numpy(grid.GetPoints().GetData())
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 8)
    cells = cells[vtk_to_numpy(grid.GetCellData().GetArray("density")) >= arguments.density]
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

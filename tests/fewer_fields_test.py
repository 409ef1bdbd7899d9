#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Results with fewer fields beside those with all: fewer_fields_test.py surface|density FOLDER-WITH-ALL FOLDER"""

import glob
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy


def read(file):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(file)
    reader.Update()
    return reader.GetOutput()


def of_cells(grid, cells, name):
    """The values of an array by the centres of cells."""
    values = vtk_to_numpy(grid.GetCellData().GetArray(name))
    places = []
    for i in cells:
        bounds = grid.GetCell(i).GetBounds()
        places.append(tuple(round(bounds[2 * d] + bounds[2 * d + 1], 4) for d in range(3)))
    return {place: values[i] for place, i in zip(places, cells)}


def outer_cells(grid):
    """Cells with a density from 0.5 that VTK finds at the surface of all of these."""
    grid.GetCellData().AddArray(numbers(grid))
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(grid)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "density")
    threshold.SetLowerThreshold(0.5)
    threshold.SetUpperThreshold(2.0)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputConnection(threshold.GetOutputPort())
    surface.Update()
    return sorted(set(vtk_to_numpy(surface.GetOutput().GetCellData().GetArray("number"))))


def numbers(grid):
    array = vtk.vtkIdTypeArray()
    array.SetName("number")
    for i in range(grid.GetNumberOfCells()):
        array.InsertNextValue(i)
    return array


kind, folder_of_all, folder = sys.argv[1:]
files = sorted(glob.glob(folder + "/*.vtu"))
assert files, "no results"
for file in files:
    grid, whole = read(file), read(file.replace(folder, folder_of_all, 1))
    expected = outer_cells(whole) if kind == "surface" else range(whole.GetNumberOfCells())
    assert len(expected) > 0, "nothing to compare"
    found = of_cells(grid, range(grid.GetNumberOfCells()), "density")
    expected = of_cells(whole, expected, "density")
    assert found.keys() == expected.keys(), (len(found), len(expected))
    step = 1e-5 if kind == "surface" else 0.5 / 4096 + 1e-5
    for place, value in found.items():
        assert abs(value - expected[place]) <= step, (place, value, expected[place])
    has_displacement = grid.GetPointData().HasArray("displacement") == 1
    assert has_displacement == (kind == "surface")

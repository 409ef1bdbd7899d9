#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What VTK's filters make of the results of a run, as in ParaView: held against counts made without them.

  filters_test.py RESULT.pvd N_ELEMENTS N_NODES VOLUME N_OUTER_FACES [CASE ...]

Prints what is wrong; exit code 0 if nothing is.
"""
import collections
import os
import sys
import xml.etree.ElementTree as ElementTree

import vtk

# Around the faces of VTK's hexahedron.
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
n_wrong = 0


def check(condition, text):
    global n_wrong
    if not condition:
        print("WRONG:", text)
        n_wrong += 1


def equal(found, expected, what, tolerance=0.0):
    check(abs(found - expected) <= tolerance, f"{what}: {found}, not {expected}")


def output_of(filter_, source):
    filter_.SetInputData(source)
    filter_.Update()
    return filter_.GetOutput()


def read(pvd):
    """The grids of a series, read by VTK."""
    grids = []
    for entry in ElementTree.parse(pvd).getroot().iter("DataSet"):
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(os.path.join(os.path.dirname(pvd), entry.get("file")))
        check(reader.CanReadFile(reader.GetFileName()), f"VTK cannot read {reader.GetFileName()}")
        reader.Update()
        grid = reader.GetOutput()
        equal(number(grid, "iteration"), float(entry.get("timestep")), "iteration in the file and in the series")
        equal(number(grid, "TimeValue"), float(entry.get("timestep")), "time in the file and in the series")
        grids.append(grid)
    return grids


def number(grid, name):
    array = grid.GetFieldData().GetArray(name)
    check(array is not None, f"no field data {name}")
    return array.GetTuple1(0) if array else float("nan")


def values(array):
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]


def points_of(grid, cell):
    ids = grid.GetCell(cell).GetPointIds()
    return [ids.GetId(i) for i in range(ids.GetNumberOfIds())]


def places_of_faces(grid, cells):
    """How many of the cells are at each face; faces by the places of their points, not by the points."""
    n_cells = collections.Counter()
    for cell in cells:
        points = points_of(grid, cell)
        for face in FACES:
            n_cells[frozenset(grid.GetPoint(points[i]) for i in face)] += 1
    return n_cells


def n_connected(grid, cells):
    """Sets of cells that are connected, by the places of their points."""
    parent = {}

    def root(node):
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for cell in cells:
        places = [grid.GetPoint(i) for i in points_of(grid, cell)]
        for place in places[1:]:
            parent[root(place)] = root(places[0])
    return len({root(place) for place in parent})


def check_mesh(grid, n_elements, n_nodes, volume, n_outer_faces):
    equal(grid.GetNumberOfCells(), n_elements, "elements")
    equal(grid.GetNumberOfPoints(), n_nodes, "nodes")
    equal(len({grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())}), n_nodes, "places of nodes")
    sizes = values(output_of(vtk.vtkCellSizeFilter(), grid).GetCellData().GetArray("Volume"))
    check(min(sizes)[0] > 0, "a cell has no positive volume")
    equal(sum(size for size, in sizes), volume, "volume", 1e-5 * volume)
    hull = output_of(vtk.vtkDataSetSurfaceFilter(), grid)
    equal(hull.GetNumberOfCells(), n_outer_faces, "faces of Extract Surface")


def check_fields(grid, cases):
    ends = [f"_{case}" for case in cases] if len(cases) > 1 else [""]
    cell_fields = ["density", "design_flag", "material_id"] + [f"von_mises{end}" for end in ends]
    point_fields = ["density_at_nodes", "support"] + [
        f"{name}{end}" for name in ("displacement", "nodal_force") for end in ends]
    for data, names, n, where in (
        (grid.GetCellData(), cell_fields, grid.GetNumberOfCells(), "cell"),
        (grid.GetPointData(), point_fields, grid.GetNumberOfPoints(), "point"),
    ):
        found = sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays()))
        check(found == sorted(names), f"{where} data: {found}, not {sorted(names)}")
        for name in found:
            equal(data.GetArray(name).GetNumberOfTuples(), n, f"values of {name}")
    check(grid.GetCellData().GetScalars().GetName() == "density", "density is not what a reader shows")
    equal(number(grid, "volume_fraction"), 0.4, "volume fraction", 1e-3)
    check(number(grid, "objective") > 0, "no objective")
    for end in ends:
        force = [sum(value) for value in zip(*values(grid.GetPointData().GetArray("nodal_force" + end)))]
        check(max(abs(component) for component in force) > 0.1, f"no force{end}: {force}")
    # Supported nodes stay where they are.
    held = values(grid.GetPointData().GetArray("support"))
    check(sum(map(sum, held)) > 0, "nothing is held")
    for end in ends:
        for codes, moved in zip(held, values(grid.GetPointData().GetArray("displacement" + end))):
            if any(code == 1 and component != 0 for code, component in zip(codes, moved)):
                check(False, f"a held component moves: {codes}, {moved}")


def check_design(grid):
    """Threshold, Connectivity, Extract Surface, Contour and Clip of the design."""
    density = [value for value, in values(grid.GetCellData().GetArray("density"))]
    dense = [cell for cell, value in enumerate(density) if value >= 0.5]
    threshold = vtk.vtkThreshold()
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "density")
    threshold.SetUpperThreshold(0.5)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_UPPER)
    part = output_of(threshold, grid)
    equal(part.GetNumberOfCells(), len(dense), "cells of Threshold")
    check(0 < len(dense) < len(density), f"{len(dense)} of {len(density)} cells are dense")

    connectivity = vtk.vtkConnectivityFilter()
    connectivity.SetExtractionModeToAllRegions()
    output_of(connectivity, part)
    equal(connectivity.GetNumberOfExtractedRegions(), n_connected(grid, dense), "regions of Connectivity")
    equal(connectivity.GetNumberOfExtractedRegions(), 1, "regions of a design that hangs together")
    n_outer = sum(n == 1 for n in places_of_faces(grid, dense).values())
    equal(output_of(vtk.vtkDataSetSurfaceFilter(), part).GetNumberOfCells(), n_outer, "faces of Extract Surface")

    contour = vtk.vtkContourFilter()
    contour.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "density_at_nodes")
    contour.SetValue(0, 0.5)
    surface = output_of(contour, grid)
    check(surface.GetNumberOfCells() > 0, "Contour gives nothing")

    clip = vtk.vtkTableBasedClipDataSet()
    clip.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "density_at_nodes")
    clip.SetValue(0.5)
    clipped = output_of(clip, grid)
    check(clipped.GetNumberOfCells() > 0, "Clip gives nothing")
    # The clipped body is closed: its surface has no edge with one face.
    edges = vtk.vtkFeatureEdges()
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.ManifoldEdgesOff()
    triangles = output_of(vtk.vtkTriangleFilter(), output_of(vtk.vtkDataSetSurfaceFilter(), clipped))
    open_edges = output_of(edges, output_of(vtk.vtkCleanPolyData(), triangles))
    equal(open_edges.GetNumberOfCells(), 0, "open edges of the clipped body")


def main(pvd, n_elements, n_nodes, volume, n_outer_faces, *cases):
    grids = read(pvd)
    equal(len(grids), 2, "files of the series")
    for grid in grids:
        check_mesh(grid, int(n_elements), int(n_nodes), float(volume), int(n_outer_faces))
        check_fields(grid, cases)
    check_design(grids[-1])
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

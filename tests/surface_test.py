#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The surface of a design, read by VTK: closed, outward, with the volume of the design.

  surface_test.py SURFACE.stl VOLUME

Prints what is wrong; exit code 0 if nothing is.
"""
import sys

import vtk


def main(stl, volume):
    reader = vtk.vtkSTLReader()
    reader.SetFileName(stl)
    reader.Update()
    surface = reader.GetOutput()
    edges = vtk.vtkFeatureEdges()
    edges.BoundaryEdgesOn()
    edges.NonManifoldEdgesOn()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.SetInputData(surface)
    edges.Update()
    size = vtk.vtkMassProperties()
    size.SetInputData(surface)
    size.Update()
    # Outward triangles stay as they are.
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(surface)
    normals.ConsistencyOn()
    normals.AutoOrientNormalsOn()
    normals.SplittingOff()
    normals.Update()
    turned = sum(
        sorted(points(surface, i)) == sorted(points(normals.GetOutput(), i)) and
        not is_rotation(points(surface, i), points(normals.GetOutput(), i))
        for i in range(surface.GetNumberOfCells()))
    wrong = []
    if surface.GetNumberOfCells() == 0:
        wrong.append("no triangles")
    if edges.GetOutput().GetNumberOfCells() > 0:
        wrong.append(f"{edges.GetOutput().GetNumberOfCells()} edges of one triangle, or of more than two")
    if abs(size.GetVolume() - float(volume)) > 2e-3 * float(volume):
        wrong.append(f"volume {size.GetVolume()}, not {volume}")
    if turned > 0:
        wrong.append(f"{turned} of {surface.GetNumberOfCells()} triangles are inside out")
    for text in wrong:
        print("WRONG:", text)
    return len(wrong) > 0


def points(surface, cell):
    ids = surface.GetCell(cell).GetPointIds()
    return [ids.GetId(i) for i in range(3)]


def is_rotation(a, b):
    return b in (a, a[1:] + a[:1], a[2:] + a[:2])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

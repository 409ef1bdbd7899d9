#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A picture of the displacements that strut-assemble has written: the warped surface, coloured by their size.

  doc/scripts/displacement_picture.py output/DECK/DECK.ELEMENT.BACKEND.vtk -o picture.png

Needs Python's vtk (Debian: python3-vtk9) and a display (without one: xvfb-run).
"""
import argparse
from pathlib import Path

import vtk


def surface_of(file_name, share):
    """The outside of the mesh, moved so that the largest displacement is this share of the size of the body."""
    reader = vtk.vtkUnstructuredGridReader()
    reader.SetFileName(str(file_name))
    reader.ReadAllVectorsOn()
    reader.Update()
    grid = reader.GetOutput()
    vectors = grid.GetPointData().GetVectors()
    largest = vectors.GetMaxNorm()
    grid.GetPointData().SetActiveVectors(vectors.GetName())
    warp = vtk.vtkWarpVector()
    warp.SetInputData(grid)
    warp.SetScaleFactor(share * grid.GetLength() / largest if largest > 0 else 0)
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputConnection(warp.GetOutputPort())
    return surface, vectors.GetName(), largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="legacy VTK file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="PNG file")
    parser.add_argument("--share", type=float, default=0.08, help="of the body's diagonal that the largest displacement is drawn as")
    options = parser.parse_args()

    surface, name, largest = surface_of(options.file, options.share)
    colours = vtk.vtkLookupTable()
    colours.SetHueRange(0.62, 0.02)
    colours.SetVectorModeToMagnitude()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(surface.GetOutputPort())
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(name)
    mapper.SetLookupTable(colours)
    mapper.SetScalarRange(0, largest)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(colours)
    bar.SetTitle("|u|")
    bar.SetNumberOfLabels(4)
    bar.SetPosition(0.9, 0.3)
    bar.SetWidth(0.07)
    bar.SetHeight(0.4)
    bar.UnconstrainedFontSizeOn()
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetColor(0, 0, 0)
        text.SetFontSize(18)
        text.ItalicOff()
        text.BoldOff()
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    renderer.AddActor(actor)
    renderer.AddActor2D(bar)
    renderer.GetActiveCamera().SetPosition(-1, -1.2, 1.6)
    renderer.GetActiveCamera().SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    renderer.GetActiveCamera().Zoom(1.15)
    window = vtk.vtkRenderWindow()
    window.OffScreenRenderingOn()
    window.SetSize(1200, 700)
    window.AddRenderer(renderer)
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(options.output))
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()
    print(f"{options.output}: largest displacement {largest:.4g}")


if __name__ == "__main__":
    main()

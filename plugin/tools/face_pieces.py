# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The pieces of a design: elements that are connected by faces. For render_design.py."""
import numpy
import vtk
from vtk.util import numpy_support

# By the number of faces, the vertices around each face of VTK's hexahedron and tetrahedron.
FACES = {6: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
         4: ((0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3))}


def describe_pieces(dense):
    """In how many pieces a grid of cells of one type is, hexahedra or tetrahedra of any order. Empty if there is one, or none."""
    n = dense.GetNumberOfCells()
    if n == 0:
        return ""
    nodes = numpy_support.vtk_to_numpy(dense.GetCells().GetConnectivityArray()).reshape(n, -1)
    faces_of_cell = FACES[dense.GetCell(0).GetNumberOfFaces()]
    faces = numpy.sort(numpy.concatenate([nodes[:, face] for face in faces_of_cell]), axis=1)
    order = numpy.lexsort(faces.T)
    faces = faces[order]
    same = numpy.flatnonzero((faces[1:] == faces[:-1]).all(axis=1))
    # A graph with the elements as points: VTK finds its connected parts.
    lines = numpy.stack([numpy.full(len(same), 2), order[same] % n, order[same + 1] % n], axis=1)
    cells = vtk.vtkCellArray()
    cells.ImportLegacyFormat(numpy_support.numpy_to_vtkIdTypeArray(
        numpy.concatenate([lines.ravel(), numpy.stack([numpy.ones(n), numpy.arange(n)], axis=1).ravel()])
        .astype(numpy.int64), deep=True))
    points = vtk.vtkPoints()
    points.SetNumberOfPoints(n)
    graph = vtk.vtkUnstructuredGrid()
    graph.SetPoints(points)
    graph.SetCells([vtk.VTK_LINE] * len(same) + [vtk.VTK_VERTEX] * n, cells)
    connectivity = vtk.vtkConnectivityFilter()
    connectivity.SetInputData(graph)
    connectivity.SetExtractionModeToAllRegions()
    connectivity.ColorRegionsOn()
    connectivity.Update()
    piece = numpy_support.vtk_to_numpy(connectivity.GetOutput().GetCellData().GetArray("RegionId"))[len(same):]
    sizes = numpy.bincount(piece)
    if len(sizes) == 1:
        return ""
    return (f"{len(sizes)} pieces that share no face; "
            f"the largest has {100 * sizes.max() / n:.3g} % of the elements")

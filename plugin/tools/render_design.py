#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the design in a result of strut: what is denser than a threshold, as a lit surface.

Reads .vtu, or .pvd (the last time step), or the surface of a design alone, .stl; needs VTK and NumPy for Python (Debian: python3-vtk9, python3-numpy). Without a
display it starts itself again under xvfb-run.

  render_design.py output/cantilever/cantilever.pvd -o design.png
  render_design.py result.vtu -o half.png --mirror y --view front --surface cells
"""
import argparse
import csv
import math
import os
import shutil
import sys
import xml.etree.ElementTree as ElementTree

DENSITY = "density"
FLAG = "design_flag"
SOLID = 1  # DesignFlag::solid

# The axis that points up, and the one that points right when seen from the front.
RIGHT_OF = {"z": "x", "y": "x", "x": "y"}
# View: azimuth about the axis that points up (positive: from the right), and elevation, in degrees.
VIEWS = {
    "iso": (32.0, 22.0),
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "left": (-90.0, 0.0),
    "right": (90.0, 0.0),
    "top": (0.0, 89.9),
    "bottom": (0.0, -89.9),
}

DESIGN_COLOUR = (0.36, 0.56, 0.75)
SUPPORT_COLOUR = (0.25, 0.27, 0.30)
FORCE_COLOUR = (0.75, 0.15, 0.15)
SOLID_COLOUR = (0.88, 0.52, 0.20)
OUTLINE_COLOUR = (0.55, 0.58, 0.62)
TEXT_COLOUR = (0.13, 0.15, 0.18)


class RenderError(Exception):
    """Something that the caller can mend; the text says how."""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("result", help=".pvd (last time step), .vtu or .stl")
    parser.add_argument("-o", "--output", default="design.png", help="the PNG (default: design.png)")
    parser.add_argument("--threshold", type=float, default=0.5, help="density that counts as material")
    parser.add_argument(
        "--surface",
        choices=("smooth", "cells"),
        default="smooth",
        help="iso-surface of the density averaged at nodes, or the cells above the threshold as they are",
    )
    parser.add_argument("--view", choices=VIEWS, default="iso")
    parser.add_argument("--azimuth", type=float, help="degrees about the axis that points up")
    parser.add_argument("--elevation", type=float, help="degrees")
    parser.add_argument("--up", choices=("auto", "x", "y", "z"), default="auto",
                        help="axis that points up (auto: y for what is thinnest along z, else z)")
    parser.add_argument("--mirror", default="", metavar="AXES",
                        help="reflect at the lower end of these axes, for models of a half or a quarter: x, yz")
    parser.add_argument("--conditions", action="store_true",
                        help="also draw the nodes that are held (dark) and the forces on nodes (red), not mirrored")
    parser.add_argument("--title", help="default: the name of the file")
    parser.add_argument("--subtitle", help="default: the last line of history.csv beside the result")
    parser.add_argument("--size", default="1600x1000", help="pixels, WIDTHxHEIGHT")
    options = parser.parse_args(arguments)
    try:
        options.size = tuple(int(number) for number in options.size.split("x"))
        if len(options.size) != 2 or min(options.size) < 64:
            raise ValueError
    except ValueError:
        parser.error("--size wants WIDTHxHEIGHT in pixels, both at least 64: 1600x1000")
    if set(options.mirror) - set("xyz"):
        parser.error(f"--mirror wants letters of x, y, z; got '{options.mirror}'")
    return options


def find_display():
    """VTK draws on an X server: start again on a virtual one if there is none."""
    if os.environ.get("DISPLAY"):
        return
    xvfb_run = shutil.which("xvfb-run")
    if xvfb_run is None:
        raise RenderError("no display, and no xvfb-run to make one (Debian: apt-get install xvfb xauth)")
    os.execv(
        xvfb_run,
        [xvfb_run, "-a", "-s", "-screen 0 1920x1200x24", sys.executable, os.path.abspath(__file__)]
        + sys.argv[1:],
    )


def file_of_last_step(pvd):
    """What a .pvd lists for its greatest time."""
    steps = {float(entry.get("timestep", 0)): entry.get("file")
             for entry in ElementTree.parse(pvd).getroot().iter("DataSet")}
    if not steps:
        raise RenderError(f"{pvd} lists no file")
    return os.path.join(os.path.dirname(pvd), steps[max(steps)])


def read_mesh(file_name):
    """The grid, whose cells share their nodes, with the two fields that a picture needs."""
    if not os.path.exists(file_name):
        raise RenderError(f"there is no file {file_name}")
    file = file_of_last_step(file_name) if file_name.endswith(".pvd") else file_name
    if not os.path.exists(file):
        raise RenderError(f"{file_name} names {file}, which does not exist")
    reader = vtk.vtkXMLUnstructuredGridReader()
    if not reader.CanReadFile(file):
        raise RenderError(f"{file} is no .vtu file")
    reader.SetFileName(file)
    reader.Update()
    grid = reader.GetOutput()
    if grid.GetNumberOfCells() == 0:
        raise RenderError(f"{file} has no cells")
    data = grid.GetCellData()
    present = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    for name in (DENSITY, FLAG):
        if name not in present:
            raise RenderError(f"no cell data '{name}' in {file}; it has: {', '.join(present) or 'none'}")
    return grid


def read_surface(file_name):
    if not os.path.exists(file_name):
        raise RenderError(f"there is no file {file_name}")
    reader = vtk.vtkSTLReader()
    reader.SetFileName(file_name)
    reader.Update()
    return reader.GetOutput()


def cells_between(grid, name, low, high):
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(grid)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, name)
    threshold.SetLowerThreshold(low)
    threshold.SetUpperThreshold(high)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    threshold.Update()
    return threshold.GetOutput()


def denser_than(grid, threshold, surface):
    """The part of the grid that counts as material."""
    if surface == "cells":
        return cells_between(grid, DENSITY, threshold, math.inf)
    average = vtk.vtkCellDataToPointData()
    average.SetInputData(grid)
    average.Update()
    clip = vtk.vtkTableBasedClipDataSet()
    clip.SetInputConnection(average.GetOutputPort())
    clip.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, DENSITY)
    clip.SetValue(threshold)
    clip.Update()
    return clip.GetOutput()


def hull(grid):
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.Update()
    return surface.GetOutput()


def mirrored(poly, axes, bounds):
    """The surface and its images in the planes through the lower end of each axis."""
    for axis in axes:
        index = "xyz".index(axis)
        transform = vtk.vtkTransform()
        scale = [1, 1, 1]
        scale[index] = -1
        shift = [0, 0, 0]
        shift[index] = 2 * bounds[2 * index]
        transform.Translate(shift)
        transform.Scale(scale)
        image = vtk.vtkTransformPolyDataFilter()
        image.SetInputData(poly)
        image.SetTransform(transform)
        turned = vtk.vtkReverseSense()
        turned.SetInputConnection(image.GetOutputPort())
        both = vtk.vtkAppendPolyData()
        both.AddInputData(poly)
        both.AddInputConnection(turned.GetOutputPort())
        both.Update()
        poly = both.GetOutput()
    return poly


def surface_actor(poly, colour):
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(poly)
    normals.SetFeatureAngle(35)
    normals.SplittingOn()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(normals.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetColor(colour)
    look.SetInterpolationToPhong()
    look.SetAmbient(0.22)
    look.SetDiffuse(0.78)
    look.SetSpecular(0.18)
    look.SetSpecularPower(25)
    return actor


def outline_actor(poly):
    """The sharp edges of the whole domain."""
    merged = vtk.vtkCleanPolyData()  # after mirroring, the faces in the plane meet
    merged.SetInputData(poly)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputConnection(merged.GetOutputPort())
    edges.SetFeatureAngle(25)
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOn()
    edges.NonManifoldEdgesOff()
    edges.ManifoldEdgesOff()
    edges.ColoringOff()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(edges.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(OUTLINE_COLOUR)
    actor.GetProperty().SetLineWidth(1.5)
    actor.GetProperty().LightingOff()
    return actor


def glyphs(grid, shape, colour, size, array=None):
    """The shape at the points of a grid, so large; with an array of vectors along these, the longest so large."""
    glyph = vtk.vtkGlyph3D()
    glyph.SetInputData(grid)
    glyph.SetSourceConnection(shape.GetOutputPort())
    if array:
        glyph.SetInputArrayToProcess(1, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, array)
        glyph.SetVectorModeToUseVector()
        glyph.SetScaleModeToScaleByVector()
        size /= grid.GetPointData().GetArray(array).GetMaxNorm()
    else:
        glyph.SetScaleModeToDataScalingOff()
    glyph.SetScaleFactor(size)
    glyph.Update()
    return surface_actor(glyph.GetOutput(), colour)


def condition_actors(grid):
    """Held nodes as balls, forces on nodes as arrows that end there."""
    actors = []
    data = grid.GetPointData()
    held = data.GetArray("support")
    if held:
        points = vtk.vtkPoints()
        for i in range(grid.GetNumberOfPoints()):
            if any(held.GetTuple(i)):
                points.InsertNextPoint(grid.GetPoint(i))
        nodes = vtk.vtkPolyData()
        nodes.SetPoints(points)
        if points.GetNumberOfPoints() > 0:
            ball = vtk.vtkSphereSource()
            ball.SetThetaResolution(8)
            ball.SetPhiResolution(6)
            actors.append(glyphs(nodes, ball, SUPPORT_COLOUR, 0.006 * grid.GetLength()))
    arrow = vtk.vtkArrowSource()
    tip_at_node = vtk.vtkTransformPolyDataFilter()
    shift = vtk.vtkTransform()
    shift.Translate(-1, 0, 0)
    tip_at_node.SetTransform(shift)
    tip_at_node.SetInputConnection(arrow.GetOutputPort())
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    for name in names:
        if name.startswith("nodal_force") and data.GetArray(name).GetMaxNorm() > 0:
            actors.append(glyphs(grid, tip_at_node, FORCE_COLOUR, 0.12 * grid.GetLength(), name))
    return actors


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def place_camera(renderer, options):
    azimuth, elevation = VIEWS[options.view]
    azimuth = math.radians(azimuth if options.azimuth is None else options.azimuth)
    elevation = math.radians(elevation if options.elevation is None else options.elevation)
    up = [float(axis == options.up) for axis in "xyz"]
    right = [float(axis == RIGHT_OF[options.up]) for axis in "xyz"]
    front = cross(right, up)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0, 0, 0)
    camera.SetPosition([
        math.cos(elevation) * (math.sin(azimuth) * right[i] + math.cos(azimuth) * front[i])
        + math.sin(elevation) * up[i]
        for i in range(3)
    ])
    camera.SetViewUp(up)
    camera.SetViewAngle(18)
    renderer.ResetCamera()
    fill_frame(renderer, options.size)
    renderer.ResetCameraClippingRange()


def fill_frame(renderer, size):
    """Zoom and shift until the box of the model fills the picture below the title; ResetCamera leaves room for
    a sphere."""
    camera = renderer.GetActiveCamera()
    bounds = renderer.ComputeVisiblePropBounds()
    matrix = camera.GetCompositeProjectionTransformMatrix(size[0] / size[1], 0, 1)
    images = []
    for corner in range(8):
        image = matrix.MultiplyPoint([bounds[2 * axis + ((corner >> axis) & 1)] for axis in range(3)] + [1.0])
        images.append([image[0] / image[3], image[1] / image[3]])
    low = [min(image[i] for image in images) for i in range(2)]
    high = [max(image[i] for image in images) for i in range(2)]
    frame_low, frame_high = (-0.92, -0.92), (0.92, 0.76)
    zoom = min((frame_high[i] - frame_low[i]) / (high[i] - low[i]) for i in range(2))
    camera.Zoom(zoom)
    camera.SetWindowCenter(*(
        zoom * (low[i] + high[i]) / 2 - (frame_low[i] + frame_high[i]) / 2 for i in range(2)
    ))


def triad(camera, size):
    """Renderer with the coordinate axes, in the lower left corner."""
    axes = vtk.vtkAxesActor()
    axes.SetShaftTypeToCylinder()
    axes.SetCylinderRadius(0.035)
    axes.SetConeRadius(0.28)
    axes.SetNormalizedTipLength(0.25, 0.25, 0.25)
    axes.SetNormalizedShaftLength(0.75, 0.75, 0.75)
    axes.SetNormalizedLabelPosition(1.25, 1.25, 1.25)
    for caption in (axes.GetXAxisCaptionActor2D(), axes.GetYAxisCaptionActor2D(), axes.GetZAxisCaptionActor2D()):
        caption.GetTextActor().SetTextScaleModeToNone()
        text = caption.GetCaptionTextProperty()
        text.SetFontSize(int(0.022 * size[1]))
        text.SetColor(TEXT_COLOUR)
        text.ShadowOff()
        text.ItalicOff()
        text.BoldOff()
        text.SetJustificationToCentered()
        text.SetVerticalJustificationToCentered()
    axes.SetXAxisLabelText("x")
    axes.SetYAxisLabelText("y")
    axes.SetZAxisLabelText("z")
    renderer = vtk.vtkRenderer()
    renderer.SetViewport(0.0, 0.0, 0.2 * size[1] / size[0], 0.2)
    renderer.SetLayer(1)
    renderer.AddActor(axes)
    own = renderer.GetActiveCamera()
    own.SetFocalPoint(0, 0, 0)
    own.SetPosition([p - f for p, f in zip(camera.GetPosition(), camera.GetFocalPoint())])
    own.SetViewUp(camera.GetViewUp())
    own.ParallelProjectionOn()
    renderer.ResetCamera(-1, 1, -1, 1, -1, 1)
    own.SetParallelScale(1.6)
    return renderer


def text_actor(text, size, height):
    actor = vtk.vtkTextActor()
    actor.SetInput(text)
    look = actor.GetTextProperty()
    look.SetFontFamilyToArial()
    look.SetFontSize(size)
    look.SetColor(TEXT_COLOUR)
    look.SetVerticalJustificationToTop()
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(0.025, height)
    return actor


def shade_crevices(renderer, length):
    """Ambient occlusion: what lies deep between members gets darker."""
    occlusion = vtk.vtkSSAOPass()
    occlusion.SetRadius(0.06 * length)
    occlusion.SetBias(0.002 * length)
    occlusion.SetKernelSize(128)
    occlusion.BlurOn()
    occlusion.SetDelegatePass(vtk.vtkRenderStepsPass())
    renderer.SetPass(occlusion)


def history_line(result):
    """What the last line of history.csv beside the result says, as far as its columns have known names."""
    file_name = os.path.join(os.path.dirname(os.path.abspath(result)), "history.csv")
    try:
        with open(file_name, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    except OSError:
        return ""
    if not rows:
        return ""
    last = {(key or "").strip().lower(): (value or "").strip() for key, value in rows[-1].items() if isinstance(value, str)}
    parts = []
    for key in ("iteration", "compliance", "volume fraction", "volume_fraction", "volume"):
        if last.get(key):
            try:
                parts.append(f"{key.replace('_', ' ')} {float(last[key]):.5g}")
            except ValueError:
                pass
    return ",  ".join(parts)


def parts_of(grid, options):
    """What counts as material, free and solid elements apart, each with its colour."""
    # The free elements by themselves: averaged with solid neighbours, they would show a film on these.
    free = cells_between(grid, FLAG, 0, SOLID - 0.5)
    solid = cells_between(grid, FLAG, SOLID, SOLID)
    parts = [(denser_than(free, options.threshold, options.surface), DESIGN_COLOUR), (solid, SOLID_COLOUR)]
    if sum(part.GetNumberOfCells() for part, _ in parts) == 0:
        low, high = grid.GetCellData().GetArray(DENSITY).GetRange()
        raise RenderError(
            f"nothing is denser than {options.threshold:g}: the densities lie in [{low:.4g}, {high:.4g}]"
        )
    return parts


def render(options):
    is_surface = options.result.endswith(".stl")
    if is_surface and options.conditions:
        raise RenderError("--conditions wants the .pvd or .vtu: an .stl holds no supports and forces")
    grid = (read_surface if is_surface else read_mesh)(options.result)
    bounds = grid.GetBounds()
    parts = [(grid, DESIGN_COLOUR)] if is_surface else parts_of(grid, options)

    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    if not is_surface:
        renderer.AddActor(outline_actor(mirrored(hull(grid), options.mirror, bounds)))
    for part, colour in parts:
        if part.GetNumberOfCells() > 0:
            renderer.AddActor(surface_actor(mirrored(hull(part), options.mirror, bounds), colour))
    if options.up == "auto":
        bounds = renderer.ComputeVisiblePropBounds()
        lengths = [bounds[2 * axis + 1] - bounds[2 * axis] for axis in range(3)]
        options.up = "y" if lengths[2] < 0.99 * min(lengths[:2]) else "z"
    if options.conditions:
        for actor in condition_actors(grid):
            renderer.AddActor(actor)
    lights = vtk.vtkLightKit()
    lights.SetKeyLightIntensity(0.95)
    lights.SetKeyLightWarmth(0.52)
    lights.SetKeyToFillRatio(2.6)
    lights.AddLightsToRenderer(renderer)
    shade_crevices(renderer, grid.GetLength())
    place_camera(renderer, options)

    title = options.title or os.path.splitext(os.path.basename(options.result))[0]
    subtitle = history_line(options.result) if options.subtitle is None else options.subtitle
    pieces = "" if is_surface else describe_pieces(cells_between(grid, DENSITY, options.threshold, math.inf))
    if pieces:
        print(f"note: the elements denser than {options.threshold:g} are in {pieces}")
    scale = options.size[1] / 1000
    renderer.AddActor2D(text_actor(title, int(34 * scale), 0.965))
    renderer.AddActor2D(text_actor(subtitle, int(23 * scale), 0.915))
    renderer.AddActor2D(text_actor(pieces, int(23 * scale), 0.88))

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(*options.size)
    window.SetNumberOfLayers(2)
    window.AddRenderer(renderer)
    window.AddRenderer(triad(renderer.GetActiveCamera(), options.size))
    window.Render()
    picture = vtk.vtkWindowToImageFilter()
    picture.SetInput(window)
    picture.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(options.output)
    writer.SetInputConnection(picture.GetOutputPort())
    writer.Write()
    if not os.path.exists(options.output):
        raise RenderError(f"could not write {options.output}")
    print(f"wrote {options.output}")


if __name__ == "__main__":
    try:
        choices = parse_arguments(sys.argv[1:])
        find_display()
        try:
            import vtk
            from face_pieces import describe_pieces
        except ImportError as error:
            raise RenderError(f"VTK or NumPy for this Python is missing ({error}; "
                              "Debian: apt-get install python3-vtk9 python3-numpy)")
        render(choices)
    except RenderError as error:
        sys.exit(f"render_design.py: {error}")

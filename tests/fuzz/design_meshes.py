# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Small meshes of hexahedra, each with its subsection of a deck: points, cells, boundary and material ids."""
import itertools
import math

import numpy as np

import design_fem


class Mesh:
    def __init__(self, points, cells, entries, boundaries, sites):
        """`boundaries`: (id, function of places) in the order in which they count; `sites`: where supports and loads may be."""
        self.points, self.cells, self.entries, self.boundaries, self.sites = points, cells, entries, boundaries, sites
        self.boundary_names, self.material_names = {}, {}
        self.material_of = lambda places: np.zeros(len(places), int)
        self.file = None  # name and text of a mesh file
        self.is_grid = self.is_cubes = False
        self.edge = 1.

    def boundary_ids(self, places):
        result = np.full(len(places), -1)
        for number, holds in reversed(self.boundaries):
            result[holds(places)] = number
        return result

    def material_ids(self, places):
        return self.material_of(places)


def grid(counts, sizes, keep=None):
    """Points and cells of a box of equal elements from the origin on; `keep` says of centres which are there."""
    axes = [np.linspace(0, s, n + 1) for n, s in zip(counts, sizes)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    first = np.stack(np.meshgrid(*[np.arange(n) for n in counts], indexing="ij"), axis=-1).reshape(-1, 3)
    steps = ((design_fem.CORNERS + 1) / 2).astype(int)
    index = first[:, None, :] + steps[None]
    strides = np.array([(counts[1] + 1) * (counts[2] + 1), counts[2] + 1, 1])
    cells = index @ strides
    if keep is not None:
        cells = cells[keep(points[cells].mean(axis=1))]
        used, cells = np.unique(cells, return_inverse=True)
        points, cells = points[used], cells.reshape(-1, 8)
    return points, cells


def planes(low, high, ids=range(6)):
    """The six sides of a box as boundaries."""
    room = 1e-6 * (high - low).max()
    result = []
    for number, (d, upper) in zip(ids, itertools.product(range(3), (False, True))):
        at = (high if upper else low)[d]
        result.append((number, lambda p, d=d, at=at: np.abs(p[:, d] - at) < room))
    return result


def box_sites(low, high, ids=range(6)):
    """Supports by regions, and where loads may act beside them."""
    left, right, front, back, bottom, top = ids
    x = "x > xmax - tol"
    far = {"face": {"Boundary ids": right}, "edge": {"Expression": f"{x} and z < zmin + tol"},
           "patch": {"Boundary ids": top, "Expression": f"x > {low[0] + 0.7 * (high[0] - low[0]):.6g}"},
           "body": {"Expression": "everywhere"}, "side": {"Boundary ids": back}}
    wall = [{"Boundary ids": left}]
    thirds = f"{low[0] + 0.34 * (high[0] - low[0]):.6g}", f"{low[0] + 0.66 * (high[0] - low[0]):.6g}"
    middle = {"face": {"Boundary ids": top}, "edge": {"Expression": f"z > zmax - tol and x > {thirds[0]} and x < {thirds[1]}"},
              "patch": {"Boundary ids": top, "Expression": f"x > {thirds[0]} and x < {thirds[1]}"},
              "body": {"Expression": "everywhere"}, "side": {"Boundary ids": front}}
    ends = [{"Expression": "z < zmin + tol and x < xmin + tol"},
            {"Expression": "z < zmin + tol and x > xmax - tol", "Components": "y, z"}]
    return [(wall, far), (wall, far), (ends, middle)]


def box(random):
    counts = random.choice([(12, 6, 8), (16, 4, 8), (16, 8, 8), (20, 4, 10), (12, 12, 6), (24, 4, 12), (10, 6, 10)])
    edges = (1., 1., 1.)
    if random.random() < 0.25:
        edges = tuple(random.choice((0.5, 1., 1.5)) for _ in range(3))
    sizes = [n * e for n, e in zip(counts, edges)]
    points, cells = grid(counts, sizes)
    entries = {"Type": "box", "Box": {"Size": ", ".join(map(str, sizes)), "Elements": ", ".join(map(str, counts))}}
    low, high = points.min(axis=0), points.max(axis=0)
    mesh = Mesh(points, cells, entries, planes(low, high), box_sites(low, high))
    mesh.edge, mesh.is_grid, mesh.is_cubes = np.prod(edges)**(1 / 3), True, len(set(edges)) == 1
    return mesh


def l_beam(random):
    n, layers = random.choice([(2, 6), (2, 8), (3, 4), (3, 6), (4, 3), (4, 4)])
    size = random.choice((1., 1., 0.5, 2.))
    side, thickness = 5 * n * size, layers * size
    points, cells = grid((5 * n, 5 * n, layers), (side, side, thickness),
                         lambda c: (c[:, 0] < 0.4 * side) | (c[:, 1] < 0.4 * side))
    entries = {"Type": "l beam", "L beam": {"Cells per fifth": n, "Layers": layers, "Element size": size}}
    low, high = points.min(axis=0), points.max(axis=0)
    notch, room = 0.4 * side, 1e-6 * side
    boundaries = planes(low, high) + [(6, lambda p: np.abs(p[:, 0] - notch) < room), (7, lambda p: np.abs(p[:, 1] - notch) < room)]
    far = {"face": {"Boundary ids": 1}, "edge": {"Expression": f"x > xmax - tol and y > {0.4 * side:.6g} - tol"},
           "patch": {"Boundary ids": 7, "Expression": f"x > {0.8 * side:.6g}"}, "body": {"Expression": "everywhere"},
           "side": {"Boundary ids": 4, "Expression": f"x > {0.7 * side:.6g}"}}
    mesh = Mesh(points, cells, entries, boundaries, [([{"Boundary ids": 3}], far)])
    mesh.edge, mesh.is_cubes = size, True
    return mesh


def hollow_cylinder(random):
    around, across, along = random.choice([(16, 2, 10), (24, 3, 6), (20, 3, 10), (24, 2, 12)])
    inner, outer = 2., 3. + random.choice((0., 1.))
    length = float(random.choice((4, 6, 8)))
    flat, cells = grid((across, around, along), (outer - inner, 2 * math.pi, length))
    radius = inner + flat[:, 0]
    points = np.stack([radius * np.cos(flat[:, 1]), radius * np.sin(flat[:, 1]), flat[:, 2]], axis=1)
    start = np.round(flat[:, 1] / (2 * math.pi) * around).astype(int) == around  # the seam
    partner = np.arange(len(points))
    partner[start] = partner[start] - around * (along + 1)
    cells = partner[cells]
    used, cells = np.unique(cells, return_inverse=True)
    points, cells = points[used], cells.reshape(-1, 8)
    entries = {"Type": "hollow cylinder", "Hollow cylinder": {
        "Inner radius": inner, "Outer radius": outer, "Length": length, "Elements radial": across,
        "Elements circumferential": around, "Elements axial": along}}
    room = 1e-6 * length
    boundaries = [(2, lambda p: np.abs(p[:, 2]) < room), (3, lambda p: np.abs(p[:, 2] - length) < room),
                  (0, lambda p: np.hypot(p[:, 0], p[:, 1]) < (inner + outer) / 2), (1, lambda p: p[:, 2] > -1)]
    far = {"face": {"Boundary ids": 3}, "edge": {"Expression": f"z > zmax - tol and x > {0.9 * outer:.6g}"},
           "patch": {"Boundary ids": 0}, "body": {"Expression": "everywhere"},
           "side": {"Boundary ids": 1, "Expression": f"x > {0.7 * inner:.6g} and z > {0.5 * length + 0.01:.6g}"}}
    mesh = Mesh(points, cells, entries, boundaries, [([{"Boundary ids": 2}], far)])
    mesh.edge = ((outer**2 - inner**2) * math.pi * length / len(cells))**(1 / 3)
    return mesh


def gmsh(random):
    """A box whose inner nodes are moved, with two volumes and six surfaces of names, somewhere in space."""
    counts = random.choice([(10, 5, 6), (12, 6, 6), (14, 4, 8), (10, 6, 8)])
    points, cells = grid(counts, counts)
    high = np.array(counts, float)
    moved = points.copy()
    for d in range(3):
        inside = (points[:, d] > 1e-9) & (points[:, d] < high[d] - 1e-9)
        noise = np.array([random.uniform(-0.2, 0.2) for _ in range(len(points))])
        moved[inside, d] += noise[inside]
    origin = np.array([random.choice((0., 0., 5., -20.)) for _ in range(3)])
    points = np.round(moved + origin, 9)
    low, high = points.min(axis=0), points.max(axis=0)
    tags = random.sample(range(1, 60), 8)
    names = ["left", "right", "front", "back", "bottom", "top", "near", "far"]
    boundaries = planes(low, high, tags[:6])
    mesh = Mesh(points, cells, {"Type": "file", "File": {"File name": "mesh.msh"}}, boundaries, box_sites(low, high, tags[:6]))
    middle = low[0] + 0.55 * (high[0] - low[0])
    mesh.material_of = lambda p: np.where(p[:, 0] < middle, tags[6], tags[7])
    mesh.boundary_names = dict(zip(names[:6], map(str, tags[:6])))
    mesh.material_names = dict(zip(names[6:], map(str, tags[6:])))
    body = design_fem.Body(points, cells)
    ids, materials = mesh.boundary_ids(body.face_centres), mesh.material_ids(body.centres)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "8"]
    lines += [f'{3 if k > 5 else 2} {tag} "{name}"' for k, (name, tag) in enumerate(zip(names, tags))]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(points))]
    order = list(range(len(points)))
    random.shuffle(order)
    number = np.empty(len(points), int)
    for k, node in enumerate(order):
        number[node] = 10 + 3 * k
        lines.append(f"{number[node]} " + " ".join(f"{x:.9f}" for x in points[node]))
    lines += ["$EndNodes", "$Elements", str(len(body.faces) + len(cells))]
    for k, (face, tag) in enumerate(zip(body.faces, ids)):
        lines.append(f"{k + 1} 3 2 {tag} {tag} " + " ".join(str(number[node]) for node in face))
    for k, (cell, tag) in enumerate(zip(cells, materials)):
        lines.append(f"{len(body.faces) + k + 1} 5 2 {tag} {tag} " + " ".join(str(number[node]) for node in cell))
    mesh.file = ("mesh.msh", "\n".join(lines + ["$EndElements"]) + "\n")
    return mesh


KINDS = {"box": box, "l beam": l_beam, "hollow cylinder": hollow_cylinder, "gmsh": gmsh}

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A part, judged by other people's programs: closed, oriented, two-manifold, its volume, its distance from another surface.

  judge_part.py PART.3mf [SURFACE.stl [SIZE]]

Needs trimesh, manifold3d, pymeshlab, scipy, networkx, lxml and rtree (PyPI). SURFACE.stl is the same design by
`strut-export --smoothing 0 --error 0`; SIZE is the edge of an element, in which the distance is told. Prints one line of
a Markdown table.
"""
import sys

import manifold3d
import numpy as np
import pymeshlab
import trimesh


def main(part, surface=None, size=1.0):
    mesh = trimesh.load(part, force="mesh", process=False)
    if part.endswith(".stl"):
        mesh.merge_vertices()
    solid = manifold3d.Manifold(manifold3d.Mesh(np.asarray(mesh.vertices, dtype=np.float32),
                                                np.asarray(mesh.faces, dtype=np.uint32)))
    judge = pymeshlab.MeshSet()
    judge.add_mesh(pymeshlab.Mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces)))
    topology = judge.get_topological_measures()
    bodies = sum(piece.volume > 0 for piece in mesh.split(only_watertight=False))
    distance = ""
    if surface:
        other = trimesh.load(surface)
        steps = np.linspace(0, len(mesh.vertices) - 1, min(20000, len(mesh.vertices))).astype(int)
        far = trimesh.proximity.closest_point(other, mesh.vertices[steps])[1].max() / float(size)
        distance = f"{far:.3f}"
    print(f"| {part.split('/')[-1]} | {len(mesh.faces):,} | {'yes' if mesh.is_watertight else 'NO'} "
          f"| {'yes' if mesh.is_winding_consistent else 'NO'} | {'yes' if topology['is_mesh_two_manifold'] else 'NO'} "
          f"| {solid.status().name} | {bodies} | {mesh.volume:.6g} | {distance} |")


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A 3MF file of a part: an archive that Python reads, XML, its unit, triangles whose edges are in pairs.

  part_test.py PART.3mf UNIT

Prints what is wrong; exit code 0 if nothing is.
"""
import collections
import sys
import xml.etree.ElementTree
import zipfile

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def main(part, unit):
    wrong = []
    with zipfile.ZipFile(part) as archive:
        if archive.testzip() is not None:
            wrong.append(f"{archive.testzip()} is damaged")
        names = set(archive.namelist())
        for name in ("[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"):
            if name not in names:
                wrong.append(f"no {name}")
            else:
                root = xml.etree.ElementTree.fromstring(archive.read(name))
    if root.get("unit") != unit:
        wrong.append(f"unit {root.get('unit')}")
    n_vertices = len(root.findall(f".//{CORE}vertex"))
    edges = collections.Counter()
    for triangle in root.iter(f"{CORE}triangle"):
        v = [int(triangle.get(name)) for name in ("v1", "v2", "v3")]
        if max(v) >= n_vertices or len(set(v)) < 3:
            wrong.append(f"a triangle of {v}")
        edges.update((v[i], v[(i + 1) % 3]) for i in range(3))
    if not edges:
        wrong.append("no triangles")
    if any(n > 1 or edges[b, a] != 1 for (a, b), n in list(edges.items())):
        wrong.append("edges that are not in pairs")
    for text in wrong:
        print("WRONG:", text)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

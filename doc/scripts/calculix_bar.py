#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The bar of prm/assembly/bar.prm in a second program: CalculiX (Debian: calculix-ccx) solves on the meshes that
strut-assemble has written, with supports and consistent forces of its own, and the displacements are compared.

    build/strut-assemble prm/assembly/bar.prm --solve
    doc/scripts/calculix_bar.py output/bar

Elements: hex20 as C3D20, tet4 as C3D4, tet10 as C3D10, all with the same quadrature. (C3D8 is another element than
hex8: its volumetric strain is averaged.) Prints, for each file, compliances and the largest difference of a
displacement relative to the largest displacement; exit code 1 beyond 2e-6. CalculiX prints seven digits.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

# VTK's cell type: CalculiX's element; its faces as (corners, midpoints)
TYPES = {
    10: ("C3D4", [((0, 1, 2), ()), ((0, 1, 3), ()), ((1, 2, 3), ()), ((0, 2, 3), ())]),
    24: ("C3D10", [((0, 1, 2), (4, 5, 6)), ((0, 1, 3), (4, 8, 7)), ((1, 2, 3), (5, 9, 8)), ((0, 2, 3), (6, 9, 7))]),
    25: ("C3D20", [((0, 1, 2, 3), (8, 9, 10, 11)), ((4, 5, 6, 7), (12, 13, 14, 15)), ((0, 1, 5, 4), (8, 17, 12, 16)),
                   ((1, 2, 6, 5), (9, 18, 13, 17)), ((2, 3, 7, 6), (10, 19, 14, 18)), ((3, 0, 4, 7), (11, 16, 15, 19))]),
}


def read_vtk(path):
    """Points, cells, VTK's type of the cells, displacements of a binary legacy file."""
    data = path.read_bytes()

    def block(keyword, kind, width):
        """Numbers behind the line that begins with a keyword, and the words of that line."""
        begin = data.index(b"\n" + keyword + b" ") + 1
        end = data.index(b"\n", begin)
        words = data[begin:end].split()
        n = int(words[2]) if keyword == b"CELLS" else int(words[1]) * width
        return words, struct.unpack(f">{n}{kind}", data[end + 1:end + 1 + n * struct.calcsize(kind)])

    _, x = block(b"POINTS", "f", 3)
    points = [x[i:i + 3] for i in range(0, len(x), 3)]
    _, numbers = block(b"CELLS", "i", 1)
    _, types = block(b"CELL_TYPES", "i", 1)
    size = numbers[0]
    cells = [numbers[i + 1:i + 1 + size] for i in range(0, len(numbers), size + 1)]
    begin = data.index(b"\nVECTORS displacement ") + 1
    begin = data.index(b"\n", begin) + 1
    kind = "d" if b" double" in data[begin - 40:begin] else "f"
    n = 3 * len(points)
    u = struct.unpack(f">{n}{kind}", data[begin:begin + n * struct.calcsize(kind)])
    return points, cells, types[0], [u[i:i + 3] for i in range(0, n, 3)]


def consistent_forces(points, cells, faces, x_of_face):
    """Of a unit traction on the faces at the end, by node: faces are flat, their lines straight."""
    def area(corners):
        p = [points[c] for c in corners]
        total = 0.0
        for i in range(1, len(p) - 1):
            a = [p[i][d] - p[0][d] for d in range(3)]
            b = [p[i + 1][d] - p[0][d] for d in range(3)]
            n = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
            total += 0.5 * sum(c * c for c in n) ** 0.5
        return total

    forces = {}
    for cell in cells:
        for corners, middles in faces:
            c, m = [cell[i] for i in corners], [cell[i] for i in middles]
            if any(abs(points[i][0] - x_of_face) > 1e-6 for i in c):
                continue
            if not m:
                shares = [(i, 1 / len(c)) for i in c]
            else:
                shares = [(i, 1 / 3) for i in m] + [(i, -1 / 12 if len(c) == 4 else 0.0) for i in c]
            for i, share in shares:
                forces[i] = forces.get(i, 0.0) + share * area(c)
    return forces


def solve(points, cells, kind, faces):
    """Displacements by CalculiX, and its forces: E = 1, nu = 0.3, held at x = 0, (0, 0, -1) in all at the other end."""
    end = max(p[0] for p in points)
    forces = consistent_forces(points, cells, faces, end)
    lines = ["*NODE, NSET=ALL"]
    lines += ["%d, %.9g, %.9g, %.9g" % (i + 1, *p) for i, p in enumerate(points)]
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=BAR")
    for e, cell in enumerate(cells):
        numbers = [str(e + 1)] + [str(i + 1) for i in cell]
        lines += [", ".join(numbers[i:i + 12]) + ("," if i + 12 < len(numbers) else "") for i in range(0, len(numbers), 12)]
    lines += ["*BOUNDARY"] + [f"{i + 1}, 1, 3" for i, p in enumerate(points) if abs(p[0]) < 1e-6]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "1., 0.3", "*SOLID SECTION, ELSET=BAR, MATERIAL=M", "*STEP", "*STATIC", "*CLOAD"]
    lines += ["%d, 3, %.12g" % (i + 1, -f) for i, f in forces.items() if f]
    lines += ["*NODE PRINT, NSET=ALL", "U", "*END STEP"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bar.inp").write_text("\n".join(lines) + "\n")
        run = subprocess.run(["ccx", "bar"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        printed = pathlib.Path(folder, "bar.dat")
        if run.returncode or not printed.exists():
            sys.exit("calculix_bar.py: ccx failed:\n" + run.stdout[-2000:])
        rows = [line.split() for line in printed.read_text().splitlines()]
    u = {int(row[0]): [float(v) for v in row[1:]] for row in rows if len(row) == 4 and row[0].isdigit()}
    return [u[i + 1] for i in range(len(points))], forces


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = sorted(f for f in pathlib.Path(sys.argv[1]).glob("*.vtk") if ".hex8." not in f.name)
    if not files:
        sys.exit(f"calculix_bar.py: {sys.argv[1]} holds no .vtk of strut-assemble --solve")
    wrong = False
    for file in files:
        points, cells, vtk_type, u = read_vtk(file)
        kind, faces = TYPES[vtk_type]
        other, forces = solve(points, cells, kind, faces)
        largest = max(sum(c * c for c in v) ** 0.5 for v in other)
        difference = max(abs(a - b) for v, w in zip(u, other) for a, b in zip(v, w)) / largest
        ours, theirs = (sum(-f * field[i][2] for i, f in forces.items()) for field in (u, other))
        print(f"{file.name}: compliance {ours:.6f}, {kind} of CalculiX {theirs:.6f}; displacements differ by {difference:.1e}")
        wrong = wrong or not difference < 2e-6
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

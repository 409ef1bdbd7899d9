#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Whole, half and quarter models of one part give one design: compliances in the ratio 4, 2, 1.

  symmetry_test.py STRUT [--designs N] [--scale K] [--method NAME] [--ranks N] [--mpiexec PROGRAM]

The beam has two planes of symmetry: clamped at both ends, pressed down in the middle of its top; as a box, and as a
distorted mesh in a file. Prints the largest difference for each method and filter; exit code 0 if all are below 1e-6.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

# The smooth maximum of 'casting' is softer than that of decks, which lets the rounding of solves grow a thousand times.
METHODS = {
    "sensitivity": "set Filter = sensitivity\n set Filter radius = 2.3",
    "density": "set Filter = density\n set Filter radius = 3.5",
    "projection": "set Filter = projection\n set Filter radius = 2.3\n subsection Projection\n"
                  " set Maximum sharpness = 4\n set Iterations per sharpness = 5\n end",
    "overhang": "set Filter = none\n set Maps = density, overhang\n set Filter radius = 2.3",
    "casting": "set Filter = none\n set Maps = density, casting\n set Filter radius = 2.3\n subsection Casting\n"
               " set Draft angle = 45\n set Exponent = 50\n end",
    "beso": "set Method = beso\n set Filter radius = 1.6",
    "iso stress": "set Method = iso stress",
}
HEX = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))


def write_mesh(path, counts, length, width):
    """The first `counts` elements of a beam of `length` x `width`, stretched smoothly, symmetric about its middle."""
    def place(i, j, k):
        def stretched(t, n):
            half = n / 2.0
            s = min(t, n - t) / half
            x = half * (s + 0.15 * s * (1.0 - s))
            return x if t <= half else n - x
        x, y = stretched(i, length), stretched(j, width)
        bulge = 0.1 * min(i, length - i) / (length / 2.0)
        return x, y, k * (1.0 + bulge)

    nodes, lines = {}, []
    for k in range(counts[2]):
        for j in range(counts[1]):
            for i in range(counts[0]):
                corners = [nodes.setdefault((i + a, j + b, k + c), len(nodes) + 1) for a, b, c in HEX]
                lines.append(f"{len(lines) + 1} 5 2 0 1 " + " ".join(map(str, corners)))
    with open(path, "w", encoding="utf-8") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" % len(nodes))
        for (i, j, k), number in nodes.items():
            out.write("%d %.17g %.17g %.17g\n" % (number, *place(i, j, k)))
        out.write("$EndNodes\n$Elements\n%d\n%s\n$EndElements\n" % (len(lines), "\n".join(lines)))


def deck(folder, name, counts, scale, from_file, method, designs):
    """Of the whole (2, 2), a half (1, 2) or a quarter (1, 1) of the length and the width."""
    length, width, height = 16 * scale, 6 * scale, 6 * scale
    n = (length * counts[0] // 2, width * counts[1] // 2, height)
    if from_file:
        write_mesh(os.path.join(folder, name + ".msh"), n, length, width)
        mesh = f"set Type = file\n subsection File\n set File name = {name}.msh\n end"
    else:
        size = ", ".join(map(str, n))
        mesh = f"set Type = box\n subsection Box\n set Size = {size}\n set Elements = {size}\n end"
    planes = ", ".join(f"{'xy'[d]} = {'xy'[d]}max" for d in range(2) if counts[d] == 1)
    far_end = f" || x > {length} - tol" if counts[0] == 2 else ""
    reach = 2 * scale + 0.01
    middle = (f"z > {height} - tol && abs(x - {length / 2}) < {reach} && abs(y - {width / 2}) < {reach}")
    # One force for the nodes inside, half of it on a plane, a quarter where two meet: as the elements share them.
    loads = ""
    for on_x in (False, True):
        for on_y in (False, True):
            where = middle
            where += f" && x {'>' if on_x else '<'} {length / 2} - tol" if counts[0] == 1 else ""
            where += f" && y {'>' if on_y else '<'} {width / 2} - tol" if counts[1] == 1 else ""
            if (on_x and counts[0] == 2) or (on_y and counts[1] == 2):
                continue
            force = -(0.5 if on_x else 1.0) * (0.5 if on_y else 1.0)
            loads += (f" subsection patch {int(on_x)}{int(on_y)}\n set Expression = {where}\n"
                      f" set Type = force per node\n set Value = 0, 0, {force}\n end\n")
    with open(os.path.join(folder, name + ".prm"), "w", encoding="utf-8") as out:
        out.write(f"""subsection Mesh
 {mesh}
end
subsection Symmetry
 set Planes = {planes}
end
subsection Supports
 subsection ends
 set Expression = x < tol{far_end}
 end
end
subsection Loads
{loads}end
subsection Solver
 set Tolerance = 1e-10
end
subsection Optimization
 set Volume fraction = 0.4
 set Maximum iterations = {designs}
 set Stopping criterion = none
 {method}
end
""".replace("tol", "1e-6").replace(f"{height} - 1e-6", f"{height - 0.5}"))
    return os.path.join(folder, name + ".prm")


def compliances(options, path, name, folder):
    command = [options.strut, path, "--output", os.path.join(folder, name)]
    if options.ranks > 1:
        command = [options.mpiexec, "-n", str(options.ranks), *command]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    history = os.path.join(folder, name, "history.csv")
    if not os.path.exists(history):
        sys.exit(f"{name}: no history:\n{done.stdout}")
    with open(history, encoding="utf-8") as lines:
        return [float(row["compliance"]) for row in csv.DictReader(lines)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strut")
    parser.add_argument("--designs", type=int, default=20)
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--method", choices=METHODS)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--mpiexec", default="mpirun")
    options = parser.parse_args()
    options.strut = os.path.abspath(options.strut)

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for method, lines in METHODS.items():
            if options.method not in (None, method):
                continue
            for from_file in (False, True):
                histories = {}
                for parts, counts in ((1, (2, 2)), (2, (1, 2)), (4, (1, 1))):
                    name = f"{method.replace(' ', '-')}-{'file' if from_file else 'box'}-{parts}"
                    path = deck(folder, name, counts, options.scale, from_file, lines, options.designs)
                    histories[parts] = compliances(options, path, name, folder)
                whole = histories[1]
                for parts in (2, 4):
                    part = histories[parts]
                    difference = max(abs(parts * b / a - 1.0) for a, b in zip(whole, part))
                    is_right = len(part) == len(whole) and difference < 1e-6
                    wrong += not is_right
                    print(f"{method:12} {'file' if from_file else 'box':5} 1/{parts}: {len(whole)} and {len(part)} designs, "
                          f"compliance {whole[-1]:.8g}, largest difference {difference:.1e}"
                          f"{'' if is_right else '   WRONG'}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

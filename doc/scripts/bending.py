#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Tables of doc/meshes.md, "Bending of walls": the plate, MacNeal's slender beam with inclined edges, and the bracket of
prm/from-cad, with trilinear elements and with incompatible modes.

  bending.py build/strut [FOLDER]    from the root of the repository; FOLDER keeps what the runs write
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

KINDS = ("trilinear", "incompatible modes")


def compliance(strut, folder, deck, *settings):
    """Of the solid body."""
    settings = [*settings, "Optimization / Volume fraction = 1", "Optimization / Maximum iterations = 1"]
    command = [strut, deck, "--output", str(folder)] + [word for s in settings for word in ("--set", s)]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads((folder / "summary.json").read_text())["objective"]["value"]


def beam(folder, degrees):
    """6 x 0.2 x 0.1 in six elements, whose inner edges lean by turns: a mesh of Abaqus, and a deck with a load of 1 at the end."""
    lean = 0.1 * math.tan(math.radians(degrees))
    nodes = []
    for i in range(7):
        shift = 0.0 if i in (0, 6) else lean * (-1) ** i
        for y, sign in ((0.0, 1), (0.2, -1)):
            nodes += [(i + sign * shift, y, z) for z in (0.0, 0.1)]
    text = "*NODE\n" + "".join(f"{n + 1}, {x}, {y}, {z}\n" for n, (x, y, z) in enumerate(nodes))
    text += "*ELEMENT, TYPE=C3D8, ELSET=beam\n"
    for e in range(6):
        a = 4 * e + 1  # (y, z) = (0, 0), (0, 0.1), (0.2, 0), (0.2, 0.1)
        text += f"{e + 1}, {a}, {a + 4}, {a + 6}, {a + 2}, {a + 1}, {a + 5}, {a + 7}, {a + 3}\n"
    (folder / "beam.inp").write_text(text)
    deck = folder / "beam.prm"
    deck.write_text("""
subsection Mesh
  set Type = file
  subsection File
    set File name = beam.inp
  end
end
subsection Material
  set Young's modulus = 1e7
  set Poisson's ratio = 0.3
end
subsection Supports
  subsection wall
    set Expression = x < xmin + tol
  end
end
subsection Loads
  subsection tip
    set Expression = x > xmax - tol
    set Type       = total force
    set Value      = 0, 1, 0
  end
end
subsection Solver
  set Tolerance = 1e-8
end
""")
    return str(deck)


def main():
    strut = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else scratch)
        folder.mkdir(parents=True, exist_ok=True)
        run = folder / "run"
        print("| beam 6 x 0.2 x 0.1, 6 elements | trilinear / theory | incompatible modes / theory |\n|---|---:|---:|")
        theory = 0.1081  # of the tip, MacNeal and Harder (1985)
        for degrees in (0, 5, 15, 27, 45):
            deck = beam(folder, degrees)
            found = [compliance(strut, run, deck, f"Material / Element = {kind}") / theory for kind in KINDS]
            print(f"| edges inclined by {degrees} degrees | {found[0]:.3f} | {found[1]:.3f} |")
        print("\n| bracket, elements | trilinear | incompatible modes |\n|---|---:|---:|")
        for refinements in (0, 1, 2):
            found = [compliance(strut, run, "prm/from-cad/bracket.prm", f"Material / Element = {kind}",
                                f"Mesh / File / Refinements = {refinements}") for kind in KINDS]
            elements = json.loads((run / "summary.json").read_text())["sizes"]["elements"]
            print(f"| {elements} | {found[0]:.5g} | {found[1]:.5g} |")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Mutates small mesh files and has `strut --validate` read them: each must be accepted or refused with a message.

  tests/fuzz/meshes.py build/strut --mutants 1000 --jobs 2

A mutant that is accepted must have the volume of its elements: no mesh of a file here has more than its box.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import campaign  # noqa: E402
import limits  # noqa: E402

MESHES = pathlib.Path(__file__).resolve().parent.parent / "plugin" / "meshes"
SEEDS = ["box-msh22.msh", "box-msh41.msh", "two-volumes.msh", "assembly.inp", "box.inp", "box-gmsh.inp",
         "interior-face.inp", "box.vtk", "box-gmsh.vtk", "box-v5.vtk"]
BINARY = ["text-and-binary/box-22-binary.msh", "text-and-binary/box-41-binary.msh",
          "text-and-binary/second-order-22-binary.msh", "text-and-binary/tetrahedra-41-binary.msh"]

DECK = """set Threads = 1
subsection Mesh
  set Type = file
  subsection File
    set File name   = {mesh}
    set Merge nodes = {merge}
    set Refinements = {refinements}
  end
end
subsection Supports
  subsection wall
    set Expression = x < xmin + tol
  end
end
subsection Loads
  subsection tip
    set Expression = x > xmax - tol
    set Type = total force
    set Value = 0, 0, -1
  end
end
"""

STRANGE = ["nan", "inf", "-inf", "1e308", "-1", "0", "99999999999999999999", "2147483648", "4294967295", "-9223372036854775808",
           "1e-320", "", "-", "$", "*", ",", "\0", "\xff", "x" * 3000, "0x10", "1,5", "\"", "*END", "$End", "1 1", "1.5", "+3", "CELLS",
           "hex", "#"]


def mutate(lines, random):
    """Changes some of the lines: numbers, words, characters, order, and where the file ends."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        if not lines:
            return lines
        i = random.randrange(len(lines))
        kind = random.randrange(11)
        if kind == 0:  # a number slightly off, or very
            words = re.split(r"(-?\d+(?:\.\d*)?(?:e-?\d+)?)", lines[i])
            numbers = [k for k in range(1, len(words), 2)]
            if numbers:
                k = random.choice(numbers)
                value = float(words[k]) if words[k] not in ("", "-") else 0.0
                words[k] = random.choice([f"{value + 1:g}", f"{value - 1:g}", f"{-value:g}", f"{value * 10:g}", "0",
                                          f"{value + random.uniform(-1, 1):g}", random.choice(STRANGE)])
                lines[i] = "".join(words)
        elif kind == 1:  # a word replaced
            words = re.split(r"([ ,=]+)", lines[i])
            words[random.randrange(len(words))] = random.choice(STRANGE)
            lines[i] = "".join(words)
        elif kind == 2:
            del lines[i]
        elif kind == 3:
            lines.insert(random.randrange(len(lines) + 1), lines[i])
        elif kind == 4:
            j = random.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 5:  # cut off, perhaps within a line
            del lines[i + 1:]
            lines[i] = lines[i][:random.randrange(len(lines[i]) + 1)]
        elif kind == 6 and lines[i]:  # one character
            k = random.randrange(len(lines[i]))
            lines[i] = lines[i][:k] + chr(random.randrange(256)) + lines[i][k + random.randrange(2):]
        elif kind == 7:  # a block twice, or away
            n = random.randrange(1, 12)
            block = lines[i:i + n]
            if random.random() < 0.5:
                del lines[i:i + n]
            else:
                lines[i:i] = block
        elif kind == 8:  # fields in another order
            fields = re.split(r"([ ,]+)", lines[i])
            order = fields[::2]
            random.shuffle(order)
            fields[::2] = order
            lines[i] = "".join(fields)
        elif kind == 9:  # a field twice, or away
            fields = lines[i].split()
            if fields:
                k = random.randrange(len(fields))
                fields[k:k + 1] = random.choice([[], [fields[k], fields[k]]])
                lines[i] = " ".join(fields)
        else:  # a line of another place in the middle of this one
            k = random.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:k] + random.choice(lines) + lines[i][k:]
    return lines


def mutate_bytes(text, random):
    """Changes some bytes of a file, a number of its counts most likely, or cuts it off."""
    data = bytearray(text, "latin-1")
    for _ in range(random.choice([1, 1, 2, 5])):
        k = random.randrange(len(data))
        data[k:k + 1] = random.choice([bytes([random.randrange(256)]), bytes([data[k] ^ 1]), b"\xff" * 4, b"\0" * 4, b""])
    return (data[:random.randrange(len(data))] if random.random() < 0.1 else data).decode("latin-1")


def nonsense(output):
    """What is wrong with an accepted mesh: the material ids say cells, volume and box."""
    rows = re.findall(r"^ *(\d+) +(\d+) +(\S+)   \[(\S+), (\S+)\] x \[(\S+), (\S+)\] x \[(\S+), (\S+)\]", output, re.M)
    if not rows:
        return "no table of the mesh"
    for row in rows:
        measure = float(row[2])
        if not measure > 0:
            return f"a measure of {row[2]}"
        sides = [float(row[k + 1]) - float(row[k]) for k in (3, 5, 7)]
        if any(side != side or side in (float("inf"), float("-inf")) for side in sides):
            return "a box without size"
    materials = output.split("material ids:")[-1].split("support ")[0]
    for row in re.findall(r"^ *(\d+) +(\d+) +(\S+)   \[(\S+), (\S+)\] x \[(\S+), (\S+)\] x \[(\S+), (\S+)\]", materials, re.M):
        box = 1.0
        for k in (3, 5, 7):
            box *= float(row[k + 1]) - float(row[k])
        if float(row[2]) > box * 1.001:
            return f"volume {row[2]} in a box of {box:g}"
    return ""


def try_mutant(program, folder, random):
    path = MESHES / random.choice(SEEDS + BINARY)
    text, seed = path.read_bytes().decode("latin-1"), path.name
    if "binary" in seed and random.random() < 0.7:
        text = mutate_bytes(text, random)
    else:
        text = "\n".join(mutate(text.split("\n"), random))
    (folder / seed).write_bytes(text.encode("latin-1", errors="replace"))
    (folder / "deck.prm").write_text(DECK.format(
        mesh=seed, merge=random.choice(["true", "false"]), refinements=random.choice([0, 0, 0, 1])))
    ended = limits.run([str(program), "--validate", "deck.prm"], folder)
    if ended.how == "accepted" and nonsense(ended.output):
        ended.how, ended.message = "nonsense", nonsense(ended.output) + "\n" + ended.output
    return ended


if __name__ == "__main__":
    campaign.main(__doc__, try_mutant)

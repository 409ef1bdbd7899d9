#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A run of prm/designers/robust-inverter.prm has three fields of one topology, and lengths as asked for.

  robust_test.py STRUT DECK [--fields FIELDS] [--ranks N] [--mpiexec PROGRAM] [--length L] [--iterations N]

Counts the pieces of solid and of void of each field in the last result, on the grid of the box: solid elements that share a face,
void elements that share a face. Compares the members and gaps of the summary with L. Then the same run, stopped half-way and gone
on with, has the same history to its digits. Prints what is wrong; exit code 0 if nothing is.
"""
import argparse
import base64
import csv
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from array import array


def read_arrays(path):
    """The arrays of a result, by their names: compressed blocks behind the XML."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.index(b"_", data.index(b"<AppendedData")) + 1
    is_raw = b'encoding="raw"' in data[:begin]
    types = {"Float32": "f", "Float64": "d", "Int32": "i", "Int8": "b", "UInt8": "B"}
    arrays = {}
    for tag in re.findall(rb"<DataArray [^>]*format=\"appended\"[^>]*>", data[:begin]):
        field = dict(re.findall(r'(\w+)="([^"]*)"', tag.decode()))
        at = begin + int(field["offset"])

        def take(n, at=at):
            """The first bytes of what is at a place."""
            return data[at:at + n] if is_raw else base64.b64decode(data[at:at + (n + 2) // 3 * 4])[:n]

        n_blocks = struct.unpack("<Q", take(8))[0]
        size_of_head = 8 * (3 + n_blocks)
        sizes = struct.unpack(f"<{3 + n_blocks}Q", take(size_of_head))[3:]
        after = at + (size_of_head if is_raw else (size_of_head + 2) // 3 * 4)
        packed = take(sum(sizes), after)
        values, place = array(types[field["type"]]), 0
        for size in sizes:
            values.frombytes(zlib.decompress(packed[place:place + size]))
            place += size
        arrays[field["Name"]] = values
    return arrays


def pieces(cells):
    """How many pieces a set of cells (i, j, k) has that share faces."""
    left, n = set(cells), 0
    while left:
        n += 1
        front = [left.pop()]
        while front:
            cell = front.pop()
            for axis in range(3):
                for step in (-1, 1):
                    other = tuple(x + step * (d == axis) for d, x in enumerate(cell))
                    if other in left:
                        left.remove(other)
                        front.append(other)
    return n


def topology(arrays, name):
    """Pieces of solid and of void of a density, on a grid of unit cubes."""
    points, nodes = arrays["Points"], arrays["connectivity"]
    solid, void = [], []
    for e, density in enumerate(arrays[name]):
        first = [min(points[3 * node + d] for node in nodes[8 * e:8 * e + 8]) for d in range(3)]
        (solid if density >= 0.5 else void).append(tuple(round(x) for x in first))
    return pieces(solid), pieces(void)


def history(folder):
    with open(os.path.join(folder, "history.csv"), encoding="utf-8") as file:
        return [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strut")
    parser.add_argument("deck")
    parser.add_argument("--fields", default="worst case")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--length", type=float, default=2.2)
    parser.add_argument("--iterations", type=int, default=150)
    options = parser.parse_args()
    wrong = []

    def run(folder, *more):
        command = [options.strut, options.deck, "--output", folder, "--set", "Backend = cpu",
                   "--set", f"Optimization / Robust / Fields = {options.fields}",
                   "--set", "Optimization / Stopping criterion = none", *more]
        if options.ranks > 1:
            command = [options.mpiexec, "-n", str(options.ranks), *command]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")

    def limit(n):
        return "--set", f"Optimization / Maximum iterations = {n}"

    with tempfile.TemporaryDirectory() as folder:
        whole, parts = os.path.join(folder, "whole"), os.path.join(folder, "parts")
        n = options.iterations
        run(whole, *limit(n))
        name = os.path.splitext(os.path.basename(options.deck))[0]
        arrays = read_arrays(os.path.join(whole, f"{name}-{n:04d}.vtu"))
        found = {field: topology(arrays, field) for field in ("density_eroded", "density", "density_dilated")}
        print("pieces of solid and of void:", found)
        if len(set(found.values())) != 1:
            wrong.append(f"the topologies differ: {found}")
        with open(os.path.join(whole, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        lengths = summary["measured lengths"]
        for kind in ("smallest member", "smallest gap"):
            least = lengths[kind]["least"] if lengths[kind] else None
            print(kind, least)
            if least is not None and least < options.length:
                wrong.append(f"the {kind} is {least}, less than {options.length}")
        volumes = {field["name"]: field["volume fraction"] for field in summary["fields"]}
        if not volumes["eroded"] < volumes["blueprint"] < volumes["dilated"]:
            wrong.append(f"volumes of the fields: {volumes}")
        asked = summary["volume fraction"]["asked"]
        if abs(volumes["blueprint"] - asked) > 2e-3 * asked:
            wrong.append(f"the blueprint has a volume fraction of {volumes['blueprint']}, and {asked} was asked for")

        half = 25 # between two renewals of the limit on the volume
        run(parts, *limit(half))
        run(parts, *limit(2 * half), "--resume")
        whole_rows, rows = history(whole)[:2 * half], history(parts)
        if rows != whole_rows:
            wrong.append("a run that was gone on with has another history: " +
                         str(next((a, b) for a, b in zip(rows, whole_rows) if a != b)))
    for text in wrong:
        print("WRONG:", text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The pictures and numbers of the last section of doc/tutorial.md: runs its decks of prm/designers/, and draws their designs.

  doc/scripts/designers.py build/strut                       all decks, one after the other, into output/<deck>
  doc/scripts/designers.py build/strut mbb plate             some of them
  doc/scripts/designers.py build/strut --draw                no runs: pictures and numbers of the results that are there

Run from the root of the checkout. Prints a row of numbers for each deck, from its summary.json. Needs Debian's python3-vtk9, and
xvfb where there is no display. Exit code 1 if a run or a picture fails.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

# deck: options of plugin/tools/render_design.py
FRONT = ["--azimuth", "18", "--elevation", "22"]
VIEWS = {
    "mbb": ["--mirror", "xz", *FRONT],
    "bell-crank": ["--azimuth", "200", "--elevation", "20"],
    "bridge-cells": ["--mirror", "z", *FRONT],
    "cast": ["--azimuth", "145", "--elevation", "25"],
    "inverter": ["--mirror", "yz", *FRONT],
    "l-bracket": ["--mirror", "z", *FRONT],
    "least-mass": ["--up", "y"],
    "plate": ["--azimuth", "25", "--elevation", "45", "--up", "z"],
    "printed": [],
    "robust-inverter": ["--mirror", "yz", *FRONT],
    "two-materials": ["--mirror", "z", *FRONT],
    "wheel": ["--azimuth", "20", "--elevation", "70", "--up", "z"],
    "worst-case": ["--mirror", "z", *FRONT],
}


def draw(name, pictures):
    """A small picture of the last design, with few colours so that the file is small."""
    file = pictures / f"{name}.png"
    tool = ["/usr/bin/python3", "plugin/tools/render_design.py", f"output/{name}/{name}.pvd", "-o", str(file)]
    subprocess.run([*tool, "--threshold", "0.5", "--size", "720x450", "--subtitle", "", *VIEWS[name]], check=True)
    subprocess.run(["/usr/bin/python3", "-c", FEWER_COLOURS, str(file)], check=True)


FEWER_COLOURS = """
import sys
import vtk
from vtk.util.numpy_support import vtk_to_numpy

reader = vtk.vtkPNGReader()
reader.SetFileName(sys.argv[1])
reader.Update()
pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
pixels |= 7
writer = vtk.vtkPNGWriter()
writer.SetInputData(reader.GetOutput())
writer.SetCompressionLevel(9)
writer.SetFileName(sys.argv[1])
writer.Write()
"""


def numbers(name):
    """A row of Markdown: what summary.json says of a run."""
    with open(f"output/{name}/summary.json", encoding="utf-8") as file:
        run = json.load(file)
    lengths = run.get("measured lengths") or {}

    def least(kind):
        return f"{lengths[kind]['least']:.3g}" if lengths.get(kind) else "-"

    def text(value):
        return "-" if value is None else f"{value:.5g}"

    constraints = "; ".join(f"{key} {value}" for key, value in (run.get("constraints") or {}).items())
    return (f"| {name} | {run['sizes']['elements']} | {run['iterations']} | {run['status']} "
            f"| {run['objective']['name']} {text(run['objective']['value'])} | {text(run['volume fraction']['got'])} "
            f"| {text(run['greyness'])} | {run['pieces']['number'] if run['pieces'] else '-'} | {least('smallest member')} "
            f"| {least('smallest gap')} | {constraints} | {run['seconds']['total'] if 'total' in run['seconds'] else '-'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strut", help="the program")
    parser.add_argument("decks", nargs="*", metavar="DECK", help=f"of {', '.join(VIEWS)}; none: all")
    parser.add_argument("--draw", action="store_true", help="make no runs")
    parser.add_argument("-o", "--output", type=Path, default=Path("doc/pictures/designers"), help="folder of the pictures")
    options = parser.parse_intermixed_args()
    unknown = set(options.decks) - set(VIEWS)
    if unknown:
        parser.error(f"there is no deck {', '.join(sorted(unknown))}; choose from {', '.join(VIEWS)}")

    options.output.mkdir(parents=True, exist_ok=True)
    rows, failed = [], False
    for name in options.decks or VIEWS:
        try:
            if not options.draw:
                done = subprocess.run([options.strut, f"prm/designers/{name}.prm", "--output", f"output/{name}"], check=False)
                if done.returncode not in (0, 3):  # 3: the last design breaks a limit, and the log says which
                    raise subprocess.CalledProcessError(done.returncode, done.args)
            draw(name, options.output)
            rows.append(numbers(name))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"FAILED: {name}: {error}")
            failed = True
    print("| deck | elements | designs | end | objective | volume fraction | grey | pieces | least member | least gap | constraints | s |")
    print("|---" * 12 + "|")
    print("\n".join(rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

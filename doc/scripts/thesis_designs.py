#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the designs on the way of the thesis's four examples (figures 3.11 to 3.14 of Ratnakar 2022).

  doc/scripts/thesis_designs.py build/strut -o doc/pictures/thesis-study

evolution-EXAMPLE.png   the deck prm/thesis/EXAMPLE1.prm after 5, 10, 15, 20, 30 and 50 iterations, what is denser than 0.9

Runs on the CPU, some minutes each. Needs matplotlib, and what plugin/tools/render_design.py needs.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plugin" / "tools"))
import comparison_data as data  # noqa: E402  (its folder has to be on the path first)

ITERATIONS = (5, 10, 15, 20, 30, 50)
THRESHOLD = 0.9  # the thesis's
SIZE = "640x440"


def run(strut, example, folder):
    deck = ROOT / "prm" / "thesis" / f"{example}1.prm"
    entries = {"Backend": "cpu", "Optimization / Maximum iterations": ITERATIONS[-1], "Optimization / Stopping criterion": "none",
               "Output / Results every": 5, "Output / Fields": "density"}
    sets = [word for name, value in entries.items() for word in ("--set", f"{name} = {value}")]
    code = subprocess.run([strut, deck, "--output", folder, *sets], stdout=subprocess.DEVNULL).returncode
    if code not in (0, 3):
        sys.exit(f"{deck}: exit code {code}")


def draw(pyplot, example, folder, file_name):
    figure, panels = pyplot.subplots(2, 3, figsize=(9, 4.4), constrained_layout=True)
    for axes, iteration, letter in zip(panels.flat, ITERATIONS, "abcdef"):
        result = next(folder.glob(f"*-{iteration:04d}.vtu"))
        picture = folder / f"{iteration}.png"
        subprocess.run([sys.executable, ROOT / "plugin" / "tools" / "render_design.py", result, "-o", picture,
                        "--threshold", str(THRESHOLD), "--surface", "cells", "--size", SIZE, "--title", " ", "--subtitle", " "], check=True,
                       stdout=subprocess.DEVNULL)
        axes.imshow(pyplot.imread(picture))
        axes.set_title(f"({letter}) {iteration} iterations", fontsize="small")
        axes.set_axis_off()
    figure.suptitle(f"{example.upper()}1", fontsize="medium")
    data.save_png(figure, file_name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strut", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("figures"), help="folder for the PNGs (default: figures)")
    parser.add_argument("--examples", default="cb,lb,mc,cr")
    options = parser.parse_args()
    pyplot = data.import_pyplot()
    options.output.mkdir(parents=True, exist_ok=True)
    for example in options.examples.split(","):
        with tempfile.TemporaryDirectory() as folder:
            run(options.strut.resolve(), example, Path(folder) / "out")
            draw(pyplot, example, Path(folder) / "out", options.output / f"evolution-{example}.png")
            print(options.output / f"evolution-{example}.png", flush=True)


if __name__ == "__main__":
    main()

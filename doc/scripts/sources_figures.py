#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the curves of the evolutions from the runs of sources_study.py in doc/results/.

  doc/scripts/sources_figures.py -o doc/pictures/evolutionary

iterations-PROBLEM.png   PCG iterations over the analyses, each solver, with and without outside elements (figure 12 of
                         Martinez-Frutos and Herrero-Perez 2017)
residuals-PROBLEM.png    the residual of the first analysis over iterations and over seconds (figure 11)

A picture whose data are not there is left out, and named.
"""
import argparse
import sys
from pathlib import Path

from sources_data import RESULTS, Run, runs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugin" / "tools"))
import comparison_data as data  # noqa: E402  (its folder has to be on the path first)

PROBLEMS = ("mast", "bridge", "mbb")
COLOURS = {"jacobi": "#D55E00", "multigrid": "#0072B2", "multigrid of the source": "#009E73"}
LINES = {"exclude": "-", "include": "--"}


def draw_iterations(pyplot, problem, file_name):
    found = {name: run for name, run in runs("evolutionary").items()
             if name.startswith(f"{problem}-") and name.endswith(("-1e-5", "-source"))}
    if not found:
        return False
    figure, axes = pyplot.subplots(figsize=(7, 3.6), constrained_layout=True)
    title = f"{problem}, |r| / |f| = 1e-5"
    for name, run in found.items():
        _, solver, outside, tolerance = name.split("-", 3)
        if name.endswith("-source"):
            solver = "multigrid of the source"
            title = f"{problem}, |r| / |f| = 1e-5; the source's: sqrt(r.z) = {float(tolerance.removesuffix('-source')) ** 0.5:.0e}"
        axes.semilogy([row["iteration"] for row in run.rows], [row["solver_iterations"] for row in run.rows],
                      LINES[outside], color=COLOURS[solver], linewidth=1.3, label=f"{solver}, outside elements: {outside}")
    axes.set(xlabel="analysis", ylabel="PCG iterations", title=title)
    axes.legend()
    data.save_png(figure, file_name)
    return True


def draw_residuals(pyplot, problem, file_name):
    files = {solver: RESULTS / "evolutionary" / f"{problem}-{solver}-residuals.csv" for solver in COLOURS}
    files = {solver: file for solver, file in files.items() if file.is_file()}
    if not files:
        return False
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True, constrained_layout=True)
    for axes, column, text in zip(panels, ("iterations", "seconds"), ("PCG iterations", "seconds of the analysis")):
        for solver, file in files.items():
            rows = Run(file).rows
            axes.loglog([row[column] for row in rows], [row["residual"] for row in rows], "o-", color=COLOURS[solver],
                        markersize=4, linewidth=1.3, label=solver)
        axes.set_xlabel(text)
    panels[0].set(ylabel="|r| / |f|", title=f"{problem}, first analysis")
    panels[0].legend()
    data.save_png(figure, file_name)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("figures"), help="folder for the PNGs (default: figures)")
    options = parser.parse_args()
    pyplot = data.import_pyplot()
    options.output.mkdir(parents=True, exist_ok=True)
    for what, draw in (("iterations", draw_iterations), ("residuals", draw_residuals)):
        for problem in PROBLEMS:
            name = options.output / f"{what}-{problem}.png"
            print(f"{name}: {'drawn' if draw(pyplot, problem, name) else 'no data'}")


if __name__ == "__main__":
    main()

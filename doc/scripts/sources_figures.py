#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the curves of the evolutions from the runs of sources_study.py in doc/results/.

  doc/scripts/sources_figures.py -o doc/pictures/evolutionary

iterations-PROBLEM.png   PCG iterations over the analyses, each solver, with and without outside elements (figure 12 of
                         Martinez-Frutos and Herrero-Perez 2017)
times-PROBLEM.png        seconds per PCG iteration over the analyses, and how many times as long the CPU takes (figure 13)
stages.png               how many times as long the CPU takes for each stage (figure 14)
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


def below(axes):
    """The legend below the axes, where it hides no curve."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2, fontsize="small", frameon=False)


def draw_iterations(pyplot, problem, file_name):
    found = {name: run for name, run in runs("evolutionary", untimed="*-*-*clude-*").items()
             if name.startswith(f"{problem}-") and name.endswith(("-1e-5", "-source-0.4"))}
    if not found:
        return False
    figure, axes = pyplot.subplots(figsize=(7, 3.6), constrained_layout=True)
    title = f"{problem}, |r| / |f| = 1e-5"
    for name, run in found.items():
        _, solver, outside, tolerance = name.split("-", 3)
        if "-source-" in name:
            solver = "multigrid of the source"
            title = f"{problem}, |r| / |f| = 1e-5; the source's: sqrt(r.z) / |f| = {tolerance.removesuffix('-source-0.4')}"
        axes.semilogy([row["iteration"] for row in run.rows], [row["solver_iterations"] for row in run.rows],
                      LINES[outside], color=COLOURS[solver], linewidth=1.3, label=f"{solver}, outside elements: {outside}")
    axes.set(xlabel="analysis", ylabel="PCG iterations", title=title)
    below(axes)
    data.save_png(figure, file_name)
    return True


def per_iteration(run):
    """Seconds of each analysis per PCG iteration."""
    return [row["seconds"] / row["solver_iterations"] for row in run.rows]


def draw_times(pyplot, problem, file_name):
    """An analysis has its stresses, volume and output besides, which are of no account but with few iterations."""
    every = runs("evolutionary")
    found = {(solver, outside): every[name] for solver in COLOURS for outside in LINES
             if (name := f"{problem}-{solver}-{outside}-1e-5") in every}
    if not found:
        return False
    figure, (times, ratios) = pyplot.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    for (solver, outside), run in found.items():
        times.semilogy([row["iteration"] for row in run.rows], [1e3 * value for value in per_iteration(run)], LINES[outside],
                       color=COLOURS[solver], linewidth=1.2, label=f"{solver}, outside: {outside}")
        for place, text, marker in (("cpu1", "one thread", "o"), ("cpuall", "all cores", "s")):
            cpu = every.get(f"{problem}-{solver}-{outside}-1e-5-{place}")
            if cpu is not None:
                ratios.semilogy([row["iteration"] for row in cpu.rows],
                                [ours / other for ours, other in zip(per_iteration(cpu), per_iteration(run))], "-" + marker,
                                color=COLOURS[solver], markersize=4, linewidth=1.2, label=f"{solver}, {text}")
    times.set(xlabel="analysis", ylabel="ms per PCG iteration on the GPU", title=f"{problem}, |r| / |f| = 1e-5")
    ratios.set(xlabel="analysis", ylabel="time on the CPU / time on the GPU", title="the analyses that ran on the CPU")
    if not ratios.lines:
        ratios.remove()
    for axes in figure.axes:
        axes.grid(True, which="both", linewidth=0.3, alpha=0.5)
        below(axes)
    data.save_png(figure, file_name)
    return True


STAGES = {"solve": ("operator", "PCG vectors", "preconditioner"), "stress": ("stress",), "volume": ("volume fractions",)}


def draw_stages(pyplot, file_name):
    """The solve by PCG iterations, the others by analyses."""
    every = runs("evolutionary")
    labels, bars = [], []
    for problem in PROBLEMS:
        for solver in COLOURS:
            gpu = every.get(f"{problem}-{solver}-exclude-1e-5")
            for place, text in (("cpu1", "one thread"), ("cpuall", "all cores")):
                cpu = every.get(f"{problem}-{solver}-exclude-1e-5-{place}")
                if gpu is None or cpu is None or not cpu.seconds:
                    continue
                labels.append(f"{problem}, {solver}\n{text}")
                bars.append([sum(cpu.seconds.get(section, 0.) for section in sections) / n_of(cpu) /
                             (sum(gpu.seconds.get(section, 0.) for section in sections) / n_of(gpu))
                             for sections, n_of in zip(STAGES.values(), (lambda run: run.iterations,) + 2 * (lambda run: len(run.rows),))])
    if not bars:
        return False
    figure, axes = pyplot.subplots(figsize=(9, 3.8), constrained_layout=True)
    for i, (stage, colour) in enumerate(zip(STAGES, ("#0072B2", "#E69F00", "#009E73"))):
        axes.bar([place + 0.27 * (i - 1) for place in range(len(bars))], [bar[i] for bar in bars], 0.27, color=colour, label=stage)
    axes.set_yscale("log")
    axes.set_xticks(range(len(labels)), labels, fontsize="small")
    axes.set(ylabel="time on the CPU / time on the GPU")
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
    for what, draw in (("iterations", draw_iterations), ("times", draw_times), ("residuals", draw_residuals)):
        for problem in PROBLEMS:
            name = options.output / f"{what}-{problem}.png"
            print(f"{name}: {'drawn' if draw(pyplot, problem, name) else 'no data'}")
    name = options.output / "stages.png"
    print(f"{name}: {'drawn' if draw_stages(pyplot, name) else 'no data'}")


if __name__ == "__main__":
    main()

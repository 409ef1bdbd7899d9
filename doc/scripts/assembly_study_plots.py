#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the files of assembly_study.sh, and write their tables.

  assembly_study_plots.py results/assembly -o doc/pictures/assembly-study

stages.png      time of each stage over the DoFs, both kernel versions (figures 9, 10 and 14 of Sanfui and Sharma 2020)
speed-ups.png   whole generation: times the GPU is faster than the CPU, deal.II, Trilinos (9 to 12 too)
sorts.png       the sorts of stage 1
bandwidth.png   effective bandwidth of each stage over the DoFs (14)
formats.png     COO, CSR and ELL: memory, time of indices and values (15)
kernels.png     stage 3: same and separate kernels, gather, SharedNZ (17)

and tables.md beside the data. What is missing is left out.
"""
import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

from assembly_data import FORMATS, INDICES, KINDS, LIBRARIES, MESHES, NEIGHBOURS, VALUES, Study, variant
from assembly_tables import all_tables

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A8A8A"]
MARKERS = "osD^vP*X"
ONE = "one thread"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data_folder", help="the output folder of assembly_study.sh")
    parser.add_argument("-o", "--output", default="figures", help="folder for the PNGs (default: figures)")
    parser.add_argument("--tables", metavar="FILE", help="(default: tables.md in the data folder)")
    return parser.parse_args()


def panels(title, rows=1):
    figure, axes = pyplot.subplots(rows, len(KINDS), figsize=(13, 3.4 * rows + 0.8), constrained_layout=True,
                                   squeeze=False, sharey="row")
    for kind, top in zip(KINDS, axes[0]):
        top.set_title(MESHES[kind], fontsize=10, loc="left")
    for axis in axes[-1]:
        axis.set_xlabel("DoFs [million]")
    for axis in axes.flat:
        axis.grid(alpha=0.3)
    figure.title_text = title
    return figure, axes


def line(axis, points, index, label, **style):
    points = [(x / 1e6, y) for x, y in points if y == y]
    if points:
        axis.plot(*zip(*points), color=COLOURS[index % len(COLOURS)], marker=MARKERS[index % len(MARKERS)],
                  markersize=5, linewidth=1.5, label=label, **style)


def logarithmic(axis):
    if axis.lines or axis.patches:
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        axis.yaxis.set_minor_locator(ticker.NullLocator())


def finish(figure, axes, study, file_name, machine="gpu"):
    handles = {}
    for axis in axes.flat:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    if handles:
        # below the title, whose blank lines keep the place
        title, n_columns, inches = figure.title_text, 5, figure.get_size_inches()[1]
        figure.suptitle(title + "\n" * (1 - -len(handles) // n_columns), x=0.005, ha="left", fontsize=11)
        figure.legend(handles.values(), handles.keys(), loc="upper left", fontsize=8, frameon=False, ncol=n_columns,
                      bbox_to_anchor=(0, 1 - (0.06 + 0.18 * len(title.splitlines())) / inches))
        figure.savefig(file_name, dpi=100, metadata={"Description": "; ".join(study.label(machine))})
        print(f"  {file_name.name}")
    pyplot.close(figure)


def over_sizes(study, kind, value):
    return [(dofs, value({"kind": kind, "size": size, "backend": "cuda"})) for size, dofs in study.sizes(kind)]


def draw_stages(study, file_name):
    figure, axes = panels("Time of the stages on the GPU, CSR\ntop: double, bottom: float", 2)
    for row, precision in zip(axes, ("double", "float")):
        for kind, axis in zip(KINDS, row):
            values = {"precision": precision, "format": "CSR", "integration": ONE}
            cases = [("neighbours, fastest sort", lambda w: study.median(stage=NEIGHBOURS, **w)),
                     ("indices", lambda w: study.median(stage=INDICES, format="CSR", **w)),
                     ("values, same kernel", lambda w: study.median(stage=VALUES, method="same kernel", **values, **w)),
                     ("values, separate kernels", lambda w: study.median(stage=VALUES, method="separate kernels", **values, **w)
                      + study.once(method="separate kernels", **values, **w)),
                     ("values, gather by teams", lambda w: study.generation("gather", "team", precision=precision, **w)
                      - study.median(stage=NEIGHBOURS, **w) - study.median(stage=INDICES, format="CSR", **w))]
            for index, (label, value) in enumerate(cases):
                line(axis, over_sizes(study, kind, lambda w, v=value: 1e3 * v(w)), index, label)
            logarithmic(axis)
        row[0].set_ylabel("ms")
    finish(figure, axes, study, file_name)


def draw_speed_ups(study, file_name):
    """Bars: a group for each mesh that was generated on both."""
    groups = [(kind, size, dofs) for kind in KINDS for size, dofs in study.sizes(kind, "cpu") if (size, dofs) in study.sizes(kind)]
    if not groups:
        return
    bars = {}
    for place, (kind, size, _) in enumerate(groups):
        gpu = study.fastest(kind, size, "cuda")[0]
        where = {"kind": kind, "size": size, "backend": "cpu"}
        for n_threads in sorted({row["threads"] for row in study.rows(**where)}):
            threads = f"{n_threads} thread{'s' if n_threads > 1 else ''}"
            bars.setdefault(f"strut on the CPU, {threads}", {})[place] = study.fastest(kind, size, "cpu", n_threads)[0] / gpu
            for library in LIBRARIES:
                ratio = study.generation(library, threads=n_threads, **where) / gpu
                if ratio == ratio:
                    bars.setdefault(f"{library}, {threads}", {})[place] = ratio
    figure, axis = pyplot.subplots(figsize=(11, 4.6), constrained_layout=True)
    width = 0.85 / len(bars)
    for index, (label, heights) in enumerate(bars.items()):
        axis.bar([place + (index - (len(bars) - 1) / 2) * width for place in heights], heights.values(), width,
                 color=COLOURS[index % len(COLOURS)], label=label)
    logarithmic(axis)
    axis.set_ylim(bottom=1)
    axis.set_xticks(range(len(groups)))
    axis.set_xticklabels([f"{MESHES[kind]}\n{dofs / 1e6:.2g}M DoFs" for kind, _, dofs in groups], fontsize=7.5)
    axis.set_ylabel("times the GPU's time")
    axis.set_title("All stages, double, CSR: time on the CPU over the fastest of the GPU", loc="left", fontsize=11)
    axis.grid(axis="y", alpha=0.3)
    axis.legend(fontsize=8, frameon=False, ncol=3)
    figure.savefig(file_name, dpi=100, metadata={"Description": "; ".join(study.label("cpu"))})
    pyplot.close(figure)
    print(f"  {file_name.name}")


def draw_sorts(study, file_name):
    figure, axes = panels("Stage 1 on the GPU: neighbours by each sort")
    for kind, axis in zip(KINDS, axes[0]):
        for index, sort in enumerate(("sequential sort", "segmented sort", "warp sort", "pair sort")):
            line(axis, over_sizes(study, kind, lambda w, s=sort: 1e3 * study.median(stage=NEIGHBOURS, method=s, **w)), index, sort)
        logarithmic(axis)
    axes[0][0].set_ylabel("ms")
    finish(figure, axes, study, file_name)


def draw_bandwidth(study, file_name):
    figure, axes = panels("Effective bandwidth on the GPU, double: compulsory bytes over time, per cent of the copy of the same run")
    cases = [("neighbours, warp sort", {"stage": NEIGHBOURS, "method": "warp sort"})]
    cases += [(f"indices, {fmt}", {"stage": INDICES, "format": fmt}) for fmt in FORMATS]
    values = {"stage": VALUES, "precision": "double", "format": "CSR"}
    cases += [("values, same kernel, CSR", {"method": "same kernel", "integration": ONE, **values}),
              ("values, separate kernels, CSR", {"method": "separate kernels", "integration": ONE, **values}),
              ("values, gather, CSR", {"method": "gather", "integration": "team", **values}),
              ("values, SharedNZ, CSR", {"method": "SharedNZ", **values})]
    for kind, axis in zip(KINDS, axes[0]):
        for index, (label, wanted) in enumerate(cases):
            def percent(where, wanted=wanted):
                found = study.rows(**wanted, **where)
                return found[0]["percent_of_copy"] if found else float("nan")
            line(axis, over_sizes(study, kind, percent), index, label)
        axis.set_ylim(bottom=0)
    axes[0][0].set_ylabel("% of the copy bandwidth")
    finish(figure, axes, study, file_name)


def draw_formats(study, file_name):
    figure, axes = panels("COO, CSR, ELL on the GPU, double\ntop: memory of the matrix, middle: indices, bottom: values", 3)
    for column, kind in enumerate(KINDS):
        for index, fmt in enumerate(FORMATS):
            memory = sorted((row["dofs"], 1e-9 * row["measured_bytes"]) for row in study.memory
                            if (row["kind"], row["format"], row["precision"], row["backend"]) == (kind, fmt, "double", "cuda"))
            line(axes[0][column], memory, index, fmt)
            line(axes[1][column], over_sizes(study, kind, lambda w, f=fmt: 1e3 * study.median(stage=INDICES, format=f, **w)), index, fmt)
            for method, integration, style in (("same kernel", ONE, "-"), ("gather", "team", "--")):
                line(axes[2][column], over_sizes(study, kind, lambda w, f=fmt, m=method, i=integration: 1e3 * study.median(
                    stage=VALUES, format=f, method=m, integration=i, precision="double", **w)), index,
                     f"{fmt}, {variant(method, integration)}", linestyle=style)
        logarithmic(axes[2][column])
    for axis, label in zip(axes[:, 0], ("GB", "indices, ms", "values, ms")):
        axis.set_ylabel(label)
    finish(figure, axes, study, file_name)


def draw_kernels(study, file_name):
    figure, axes = panels("Stage 3 on the GPU, CSR: solid with what is done once, dashed the update of the values alone\n"
                          "top: double, bottom: float", 2)
    cases = [("same kernel", ONE), ("same kernel", "team"), ("separate kernels", ONE), ("gather", "team"), ("SharedNZ", "-")]
    for row, precision in zip(axes, ("double", "float")):
        for kind, axis in zip(KINDS, row):
            for index, (method, integration) in enumerate(cases):
                values = {"method": method, "integration": integration, "precision": precision, "format": "CSR"}
                update = over_sizes(study, kind, lambda w, v=values: 1e3 * study.median(stage=VALUES, **v, **w))
                line(axis, over_sizes(study, kind, lambda w, v=values: 1e3 * (study.once(**v, **w)
                                      + study.median(stage=VALUES, **v, **w))), index, variant(method, integration))
                if method in ("separate kernels", "gather"):
                    line(axis, update, index, None, linestyle="--")
            logarithmic(axis)
        row[0].set_ylabel("ms")
    finish(figure, axes, study, file_name)


def main():
    arguments = parse_arguments()
    study = Study(arguments.data_folder)
    if not study.steps:
        raise SystemExit(f"no files of assembly_study.sh in {arguments.data_folder}")
    if not any(row["backend"] == "cuda" for row in study.steps):
        print("  no runs on a GPU: no pictures; the tables have the CPU's")
    output = Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    for draw, name in ((draw_stages, "stages"), (draw_speed_ups, "speed-ups"), (draw_sorts, "sorts"),
                       (draw_bandwidth, "bandwidth"), (draw_formats, "formats"), (draw_kernels, "kernels")):
        draw(study, output / f"{name}.png")
    tables = Path(arguments.tables or Path(arguments.data_folder) / "tables.md")
    tables.write_text(all_tables(study), encoding="utf-8")
    print(f"  {tables}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Redraw the figures and tables of the thesis, Ratnakar (2022), from the files of thesis_study.sh.

  thesis_figures.py results/thesis -o doc/pictures/thesis

strategies-EXAMPLE-PRECISION.png   time per apply, PCG solve, speed-up over ebe, memory of all GPU strategies over
                                   the DoFs (figures 3.15, 4.5 to 4.8, 5.5, 5.7 of the thesis); those of the thesis
                                   with solid lines, newer ones with dashed lines and hatched bars
processors-PRECISION.png           CPU operators at one and all threads, beside the fastest GPU strategy of the thesis
                                   and the fastest newer one
shares.png                         share of wall time of each step of an optimization (figures 3.16, 4.9, 5.6)

and tables.md beside the data: Table 3.6, times, memory, speed-ups. What is missing is named and left out.
"""
import argparse
import math
import sys
import textwrap
from pathlib import Path

from thesis_data import EXAMPLES, PRECISIONS, SECTIONS, SIZES, THESIS_STRATEGIES, Study, data
from thesis_tables import all_tables

SECTION_COLOURS = {
    "operator": "#0072B2", "PCG vectors": "#56B4E9", "stiffness update": "#009E73", "sensitivity": "#F0E442",
    "filter": "#E69F00", "design update": "#D55E00", "set-up": "#CC79A7", "output": "#8A8A8A", "other": "#D9D9D9",
}


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data_folder", help="the output folder of thesis_study.sh")
    parser.add_argument("-o", "--output", default="figures", help="folder for the PNGs (default: figures)")
    parser.add_argument("--tables", metavar="FILE", help="'-': the screen (default: tables.md in the data folder)")
    return parser.parse_args(arguments)


def logarithmic(axis):
    """Ticks at 1, 2, 5 with plain numbers."""
    from matplotlib import ticker

    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(ticker.NullLocator())


def thin_out(axes):
    """Where the times span several decades, one tick a decade."""
    from matplotlib import ticker

    low, high = axes.get_ylim()
    if high > 300 * low:
        axes.yaxis.set_major_locator(ticker.LogLocator())


def not_measured(axes):
    axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", color=data.NOTE_COLOUR)
    axes.tick_params(bottom=False, labelbottom=False)
    axes.grid(False)


def draw_line(axes, points, operator, **style):
    """A line over DoFs; points are (DoFs, value, whether extrapolated), the latter with hollow markers."""
    points = [point for point in points if not math.isnan(point[1])]
    if not points:
        return None
    colour = data.colour(operator)
    style = {"linewidth": 1.6, **style}
    line, = axes.plot([p[0] / 1e6 for p in points], [p[1] for p in points], color=colour, **style)
    for extrapolated, face in ((False, colour), (True, "white")):
        chosen = [p for p in points if p[2] == extrapolated]
        axes.plot([p[0] / 1e6 for p in chosen], [p[1] for p in chosen], linestyle="none", marker=data.marker(operator),
                  markersize=5.5, markerfacecolor=face, markeredgecolor=colour, markeredgewidth=1.1)
    return line


def finish(figure, file_name, label, notes=(), width=180):
    lines = [line for part in (*notes, label) for line in part.splitlines()]
    text = "\n".join(textwrap.fill(line, width) for line in lines)
    figure.supxlabel(text, fontsize=6.5, color=data.NOTE_COLOUR, x=0.01, ha="left")
    data.save_png(figure, file_name, dpi=100)
    print(f"  {file_name.name}  {file_name.stat().st_size / 1e3:.0f} kB")


def strategy_style(operator):
    """Strategies that are not the thesis's stand out from them; so does the fastest."""
    if operator in THESIS_STRATEGIES:
        return {"linewidth": 1.4}
    return {"linewidth": 2.6 if operator == "on_the_fly" else 1.6, "linestyle": (0, (4, 1.5))}


def legend_row(figure, heading, names, y):
    """One row of a legend at the top right."""
    from matplotlib.lines import Line2D

    if names:
        handles = [Line2D([], [], linestyle="none", label=heading)]
        handles += [legend_entry(name, **strategy_style(name)) for name in names]
        figure.legend(handles=handles, loc="upper right", bbox_to_anchor=(1, y), ncol=len(handles), columnspacing=1.1,
                      handlelength=2.4, handletextpad=0.5, fontsize=8.5, borderaxespad=0)


def legend_entry(operator, label=None, **style):
    from matplotlib.lines import Line2D

    return Line2D([], [], color=data.colour(operator), marker=data.marker(operator), markersize=5.5,
                  label=label or operator, **{"linewidth": 1.6, **style})


def draw_strategies(pyplot, study, example, precision, file_name):
    names = study.strategies("cuda", precision, example)
    decks = study.decks(example)
    if not names:
        return False
    figure, ((apply, solve), (speed_up, memory)) = pyplot.subplots(2, 2, figsize=(9, 7), constrained_layout=True)
    extrapolated = False
    for name in names:
        keys = [(study.size_of(deck), (deck, "cuda", name, precision, 1)) for deck in decks]
        base = [(deck, "cuda", "ebe", precision, 1) for deck in decks]
        style = strategy_style(name)
        draw_line(apply, [(n, 1e3 * study.apply_seconds(*key), False) for n, key in keys], name, **style)
        solves = [(n, *study.solve_seconds(*key)) for n, key in keys]
        extrapolated = extrapolated or any(point[2] for point in solves)
        draw_line(solve, solves, name, **style)
        draw_line(speed_up, [(n, study.apply_seconds(*ebe) / study.apply_seconds(*key), False)
                             for (n, key), ebe in zip(keys, base)], name, **style)
    draw_memory(memory, study, names, decks, precision)

    for axes, title, y_label in ((apply, "one apply", "time [ms]"), (solve, "PCG solve, uniform design", "time [s]"),
                                 (speed_up, "speed-up of an apply over ebe", "times as fast as ebe")):
        axes.set_title(title, loc="left")
        axes.set_ylabel(y_label)
        axes.set_xlabel("DoFs [million]")
        if not axes.lines:
            not_measured(axes)
            continue
        axes.set_xscale("log")
        logarithmic(axes.xaxis)
        axes.set_yscale("log")
        logarithmic(axes.yaxis)
        thin_out(axes)
    legend_row(figure, "thesis:", [name for name in names if name in THESIS_STRATEGIES], 0.995)
    legend_row(figure, "others:", [name for name in names if name not in THESIS_STRATEGIES], 0.965)
    figure.suptitle(f"{EXAMPLES[example]}\n{PRECISIONS[precision]}\n", fontsize=10.5, x=0.01, ha="left")
    note = "Hollow: met the limit of time; seconds per iteration times the iterations of the complete solves."
    finish(figure, file_name, study.label(decks, ("",)), [note] if extrapolated else [])
    pyplot.close(figure)
    return True


def draw_memory(axes, study, names, decks, precision):
    """Bars, since several strategies take the same. The shortest is a hundredth of the longest."""
    width = 0.88 / len(names)
    for i, name in enumerate(names):
        heights = [1e-9 * study.memory(deck, "cuda", name, precision, 1) for deck in decks]
        axes.bar([j + (i - (len(names) - 1) / 2) * width for j in range(len(decks))],
                 [0 if math.isnan(height) else height for height in heights], width, color=data.colour(name),
                 hatch="" if name in THESIS_STRATEGIES else "/////", edgecolor="white", linewidth=0)
    axes.set_yscale("log")
    logarithmic(axes.yaxis)
    thin_out(axes)
    axes.set_xticks(range(len(decks)))
    axes.set_xticklabels([f"{study.size_of(deck) / 1e6:.2g}" for deck in decks])
    axes.grid(False, axis="x")
    axes.set_title("memory of the operator", loc="left")
    axes.set_xlabel("DoFs [million]")
    axes.set_ylabel("memory [GB]")


def draw_processors(pyplot, study, precision, file_name):
    """One column per example; above the apply, below the solve."""
    processors = study.processors(precision)
    if not processors:
        return False
    figure, panels = pyplot.subplots(2, len(EXAMPLES), figsize=(11.5, 6), sharey="row", constrained_layout=True)
    quantities = (("time per apply [ms]", lambda *key: (1e3 * study.apply_seconds(*key), False)),
                  ("PCG solve [s]", study.solve_seconds))
    measured = study.strategies("cuda", precision)
    groups = [[name for name in measured if (name in THESIS_STRATEGIES) == of_thesis] for of_thesis in (True, False)]
    gpu_names, extrapolated = set(), False
    for column, example in enumerate(EXAMPLES):
        decks = study.decks(example)
        gpu = [name for group in groups if (name := study.fastest(example, precision, group))]
        gpu_names.update(gpu)
        lines = [("cuda", name, 1) for name in gpu] + [("cpu", name, n) for name, n in processors]
        for axes, (y_label, seconds) in zip(panels[:, column], quantities):
            for backend, name, n in lines:
                points = [(study.size_of(deck), *seconds(deck, backend, name, precision, n)) for deck in decks]
                extrapolated = extrapolated or any(point[2] and not math.isnan(point[1]) for point in points)
                draw_line(axes, points, name, **line_style(backend, n))
            if axes.lines:
                axes.set_xscale("log")
                logarithmic(axes.xaxis)
            else:
                not_measured(axes)
            if column == 0:
                axes.set_ylabel(y_label)
        panels[0][column].set_title(EXAMPLES[example], loc="left")
        panels[1][column].set_xlabel("DoFs [million]")
    for axes in panels[:, 0]:
        axes.set_yscale("log")
        logarithmic(axes.yaxis)
        thin_out(axes)

    handles = [legend_entry(name, f"{name}, {n} thread{'s' if n > 1 else ''}", **line_style("cpu", n))
               for name, n in processors]
    handles += [legend_entry(name, f"{name}, GPU", **line_style("cuda", 1))
                for name in sorted(gpu_names, key=data.rank)]
    n_columns = math.ceil(len(handles) / 2)
    figure.legend(handles=handles, loc="upper right", ncol=n_columns, columnspacing=1.2, fontsize=8, handlelength=2.6)
    figure.suptitle(f"CPU and GPU\n{PRECISIONS[precision]}\n", fontsize=10.5, x=0.01, ha="left")
    note = "Hollow: met the limit of time; seconds per iteration times the iterations of complete solves."
    decks = [deck for example in EXAMPLES for deck in study.decks(example)]
    labels = [f"{what} runs: {text}" for what, place in (("GPU", ""), ("CPU", "cpu/"))
              if (text := study.label(decks, (place,)))]
    finish(figure, file_name, "\n".join(labels),
           [note] if extrapolated else [], 240)
    pyplot.close(figure)
    return True


def line_style(backend, n_threads):
    if backend == "cuda":
        return {"linewidth": 2.4}
    return {"linewidth": 1.2, "linestyle": (0, (4, 2)) if n_threads == 1 else "-"}


def draw_shares(pyplot, study, file_name):
    from matplotlib.patches import Patch

    names = [f"{example}{size}" for example in EXAMPLES for size in SIZES]
    if not any(study.shares(name) for name in names):
        return False
    figure, panels = pyplot.subplots(1, len(EXAMPLES), figsize=(10.7, 4.6), sharey=True, constrained_layout=True)
    for axes, example in zip(panels, EXAMPLES):
        decks = [f"{example}{size}" for size in SIZES if study.shares(f"{example}{size}")]
        for x, deck in enumerate(decks):
            seconds, bottom = study.shares(deck), 0.0
            for section in SECTIONS:
                share = 100 * seconds[section] / seconds["total"]
                axes.bar(x, share, 0.76, bottom=bottom, color=SECTION_COLOURS[section])
                if share >= 5:
                    axes.text(x, bottom + share / 2, f"{share:.0f}", ha="center", va="center", fontsize=7.5,
                              color="white" if section == "operator" else "black")
                bottom += share
            axes.text(x, 101.5, f"{seconds['total']:.3g} s", ha="center", fontsize=7)
        axes.set_title(EXAMPLES[example], loc="left", pad=14)
        if not decks:
            not_measured(axes)
            continue
        axes.set_xticks(range(len(decks)))
        axes.set_xticklabels([deck.upper() for deck in decks], fontsize=8)
        axes.set_ylim(0, 100)
        axes.grid(False, axis="x")
        axes.tick_params(axis="x", length=0)
    panels[0].set_ylabel("share of wall time [%]")
    handles = [Patch(color=SECTION_COLOURS[section], label=section) for section in reversed(SECTIONS)]
    panels[-1].legend(handles=handles, loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)
    names += [f"{name}-zero" for name in names]
    counts = sorted({study.average_iterations(name)[1] for name in names} - {0})
    figure.suptitle("Optimization" + (f", {counts[0]} design iterations" if len(counts) == 1 else ""), fontsize=10.5,
                    x=0.01, ha="left")
    headers = [study.headers.get(name, {}) for name in names]
    label = " · ".join(" | ".join(sorted({h[key] for h in headers if key in h}))
                       for key in ("program", "device", "operator", "precision") if any(key in h for h in headers))
    finish(figure, file_name, label, ["Above the bars: wall time in all."], 210)
    pyplot.close(figure)
    return True


def main(arguments):
    options = parse_arguments(arguments)
    pyplot = data.import_pyplot()
    try:
        study = Study(options.data_folder)
        folder = Path(options.output)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"figures in {folder}:")
        for example in EXAMPLES:
            for precision in PRECISIONS:
                file_name = folder / f"strategies-{example}-{precision}.png"
                if not draw_strategies(pyplot, study, example, precision, file_name):
                    study.notes.append(f"no figure: GPU strategies of {example} in {PRECISIONS[precision]}")
        for precision in PRECISIONS:
            if not draw_processors(pyplot, study, precision, folder / f"processors-{precision}.png"):
                study.notes.append(f"no figure: CPU operators in {PRECISIONS[precision]}")
        if not draw_shares(pyplot, study, folder / "shares.png"):
            study.notes.append("no figure: share of wall time")

        text = all_tables(study)
        if options.tables == "-":
            print(text)
        else:
            tables = Path(options.tables or study.folder / "tables.md")
            tables.write_text(text, encoding="utf-8")
            print(f"tables in {tables}")
        for note in study.notes:
            print(f"note: {note}", file=sys.stderr)
    except (data.DataError, OSError) as error:
        sys.exit(f"thesis_figures.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])

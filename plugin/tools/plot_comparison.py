#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Draw the table of operators that strut-compare writes: time per apply, as bars on a logarithmic axis.

One panel per precision, GPU operators above CPU ones, each with its share of the measured copy bandwidth.
Whiskers reach from the smallest to the largest time. An operator that was not measured says why.
Several files of one deck (one with the GPU operators, one with the CPU ones) go into one picture.

  plot_comparison.py output/cb5.operators.csv -o cb5.png
  plot_comparison.py gpu/cb5.operators.csv cpu/cb5.operators.csv -o cb5.png
"""
import argparse
import math
import sys
import textwrap

import comparison_data as data

COLUMNS = ("deck", "backend", "operator", "precision", "threads", "status", "median_s", "min_s", "max_s",
           "percent_of_copy")
PRECISIONS = {"double": "double precision", "float": "single precision"}


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", metavar="CSV", help="DECK.operators.csv of strut-compare")
    parser.add_argument("-o", "--output", default="comparison.png", help="the PNG (default: comparison.png)")
    parser.add_argument("--title", help="default: name and size of the deck")
    return parser.parse_args(arguments)


def read_all(file_names):
    """Rows of all files, and the different labels."""
    rows, labels = [], []
    for file_name in file_names:
        label, more = data.read_table(file_name, COLUMNS)
        if not more:
            raise data.DataError(f"{file_name}: no rows below the header")
        rows += more
        text = data.label_text(label)
        if text and text not in labels:
            labels.append(text)
    decks = sorted({row["deck"] for row in rows})
    if len(decks) > 1:
        raise data.DataError(f"one picture shows one deck; the files hold {', '.join(decks)}")
    return rows, labels


def group_name(row):
    if row["backend"] == "cuda":
        return "GPU"
    if math.isnan(row["threads"]):
        return "CPU"
    return "CPU, 1 thread" if row["threads"] == 1 else f"CPU, {row['threads']:.0f} threads"


def arrange(rows):
    """Vertical places of the bars: a list of (name of the group, [(operator, y), ...]), from top to bottom."""
    groups = {}
    for row in sorted(rows, key=lambda r: (r["backend"] != "cuda", -r["threads"], data.rank(r["operator"]))):
        operators = groups.setdefault(group_name(row), [])
        if row["operator"] not in operators:
            operators.append(row["operator"])
    y, places = 0.0, []
    for name, operators in groups.items():
        places.append((name, [(operator, y + i) for i, operator in enumerate(operators)]))
        y += len(operators) + 0.9
    return places


def digits(value):
    """Three significant digits, without an exponent."""
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def draw_bar(axes, y, row, left):
    """One row of the table; `left` is the beginning of the axis in ms."""
    time = 1e3 * row["median_s"]
    if math.isnan(time):
        axes.text(left * 1.05, y, textwrap.shorten(row["status"], 64), va="center", fontsize=7.5, style="italic",
                  color=data.NOTE_COLOUR)
        return
    axes.barh(y, time - left, left=left, height=0.72, color=data.colour(row["operator"]))
    low, high = 1e3 * row["min_s"], 1e3 * row["max_s"]
    if not math.isnan(low + high):
        axes.errorbar(time, y, xerr=[[max(0, time - low)], [max(0, high - time)]], color=data.NOTE_COLOUR,
                      elinewidth=1, capsize=2.5, capthick=1)
    text = f"{digits(time)} ms"
    if not math.isnan(row["percent_of_copy"]):
        text += f", {row['percent_of_copy']:.0f} %"
    if row["status"] != "ok":
        text += f" ({textwrap.shorten(row['status'], 32)})"
    axes.annotate(text, (high if high > time else time, y), (5, 0), textcoords="offset points", va="center",
                  fontsize=7.5)


def draw(rows, labels, title, file_name):
    pyplot = data.import_pyplot()
    precisions = [p for p in PRECISIONS if any(row["precision"] == p for row in rows)]
    precisions += sorted({row["precision"] for row in rows} - set(PRECISIONS))
    places = arrange(rows)
    n_bars = sum(len(operators) for _, operators in places)

    times = [1e3 * row[key] for row in rows for key in ("median_s", "min_s", "max_s") if row[key] > 0]
    if not times:
        raise data.DataError("no operator was measured; the column 'status' says why")
    left = min(times) / 2.5
    right = left * (max(times) / left) ** 1.4  # room for the text behind the longest bar

    label = "\n".join(textwrap.fill(text, 90 * max(1, len(precisions))) for text in labels)
    height = 1.5 + 0.27 * n_bars + 0.3 * len(places) + 0.14 * (label.count("\n") + 1)
    figure, panels = pyplot.subplots(1, len(precisions), figsize=(1.2 + 4.3 * len(precisions), height), sharey=True,
                                     squeeze=False, constrained_layout=True)
    lookup = {(group_name(r), r["operator"], r["precision"]): r for r in rows}
    for axes, precision in zip(panels[0], precisions):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter("")
        axes.set_xlim(left, right)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.grid(False, axis="y")
        axes.set_title(PRECISIONS.get(precision, precision), loc="left")
        axes.set_xlabel("time per apply [ms]")
        for group, operators in places:
            for operator, y in operators:
                row = lookup.get((group, operator, precision))
                if row is not None:
                    draw_bar(axes, y, row, left)
            if axes is panels[0][0]:
                axes.text(-0.02, operators[0][1] - 0.8, group, transform=axes.get_yaxis_transform(), ha="right",
                          va="center", fontweight="bold", fontsize=8.5)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    panels[0][0].set_yticks([y for _, operators in places for _, y in operators])
    panels[0][0].set_yticklabels([operator for _, operators in places for operator, _ in operators])
    panels[0][0].set_ylim(places[-1][1][-1][1] + 0.6, -1.2)
    figure.suptitle(title, fontsize=11, x=0.01, ha="left")
    label = "Per cent: of the measured copy bandwidth. Whiskers: smallest to largest time.\n" + label
    # constrained_layout counts supxlabel, so the label never covers an axis
    figure.supxlabel(label, fontsize=6.5, color=data.NOTE_COLOUR, x=0.01, ha="left")
    data.save_png(figure, file_name)


def default_title(row):
    text = row["deck"]
    if not math.isnan(row.get("elements", math.nan)):
        text += f": {row['elements']:,.0f} elements, {row['dofs']:,.0f} DoFs"
    return text


def main(arguments):
    options = parse_arguments(arguments)
    try:
        rows, labels = read_all(options.tables)
        draw(rows, labels, options.title or default_title(rows[0]), options.output)
    except (data.DataError, OSError) as error:
        sys.exit(f"plot_comparison.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What scripts that draw the files of strut-compare have in common: reading, colours, small PNGs.

One colour and one marker per strategy in all pictures, from the palettes of Okabe and Ito and of Tol,
which colour-blind readers can tell apart.
"""
import csv
import io
import math
import sys

# Strategy: colour, marker. The order is that of bars and legends.
STRATEGIES = {
    "ebe": ("#000000", "o"),
    "nbn": ("#8A8A8A", "s"),
    "ebe8": ("#E69F00", "^"),
    "ebe24": ("#56B4E9", "v"),
    "ebe64": ("#009E73", "D"),
    "ebeSym": ("#D55E00", "P"),
    "dbd": ("#0072B2", "X"),
    "slices": ("#44AA99", "d"),
    "on_the_fly": ("#882255", "*"),
    "on_the_fly_ordered": ("#D9738C", "p"),
    "assembled": ("#332288", "h"),
    "assembled_ell": ("#A58AE0", "d"),
    "dealii_matrix_free": ("#CC79A7", "<"),
    "trilinos_csr": ("#7A5C2E", ">"),
}
OTHERS = ("#999933", "H")  # a strategy that this file does not know yet

TEXT_COLOUR = "#21262D"
NOTE_COLOUR = "#6A737D"
GRID_COLOUR = "#DDE1E5"

# Lines of the label that say what was asked for, which the picture shows anyway.
NO_LABEL = ("deck", "degrees of freedom", "baseline", "ranks")

TEXT_COLUMNS = {"deck", "backend", "operator", "precision", "deterministic", "status"}


class DataError(Exception):
    """A file that cannot be used; the text says which one and why."""


def colour(operator):
    return STRATEGIES.get(operator, OTHERS)[0]


def marker(operator):
    return STRATEGIES.get(operator, OTHERS)[1]


def rank(operator):
    """Place of a strategy in bars and legends."""
    names = list(STRATEGIES)
    return names.index(operator) if operator in names else len(names)


def number(text):
    """The number in a cell; not a number (nan) if it was not measured."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def read_table(file_name, required=()):
    """Read a CSV with label lines '# key: value' before its header.

    Returns (label, rows): a dictionary of strings, and one dictionary per row, where every column that
    is not a text holds a float, nan if it was not measured.
    """
    label, lines = {}, []
    try:
        with open(file_name, encoding="utf-8", newline="") as stream:
            for line in stream:
                if line.startswith("#"):
                    key, colon, value = line[1:].partition(":")
                    if colon:
                        label[key.strip()] = value.strip()
                elif line.strip():
                    lines.append(line)
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file_name}: cannot be read: {error}") from error

    reader = csv.DictReader(lines)
    missing = [name for name in required if name not in (reader.fieldnames or ())]
    if missing:
        raise DataError(
            f"{file_name}: no column '{missing[0]}'; found: {', '.join(reader.fieldnames or ['nothing'])}"
        )
    rows = []
    for row in reader:
        rows.append({
            key: (value or "").strip() if key in TEXT_COLUMNS else number(value)
            for key, value in row.items() if key is not None
        })
    return label, rows


def label_text(label):
    """The label on one line."""
    return " · ".join(f"{key}: {value}" for key, value in label.items() if value and key not in NO_LABEL)


def merge_labels(labels):
    """One label for a picture of many runs: for each key the values that occur, without measured rates, which differ
    from run to run and follow a semicolon."""
    merged = {}
    for label in labels:
        for key, value in label.items():
            values = merged.setdefault(key, [])
            value = value.partition(";")[0]
            if value and value not in values:
                values.append(value)
    return {key: " | ".join(values) for key, values in merged.items()}


def import_pyplot():
    """matplotlib.pyplot, set up for all pictures; without it, say what to install and end."""
    try:
        import matplotlib
    except ImportError:
        sys.exit(
            "matplotlib is missing for this Python. Debian: apt-get install python3-matplotlib, then start the "
            "script with /usr/bin/python3; elsewhere: pip install matplotlib"
        )
    matplotlib.use("Agg")
    matplotlib.rcParams.update({
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.labelsize": 9,
        "axes.edgecolor": NOTE_COLOUR,
        "axes.labelcolor": TEXT_COLOUR,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": GRID_COLOUR,
        "grid.linewidth": 0.7,
        "xtick.color": TEXT_COLOUR,
        "ytick.color": TEXT_COLOUR,
        "text.color": TEXT_COLOUR,
        "legend.frameon": False,
        "hatch.linewidth": 0.6,
    })
    from matplotlib import pyplot

    return pyplot


def save_png(figure, file_name, dpi=110):
    """Write a picture with a palette of 64 colours: a third of the bytes, for pictures that go into git."""
    from PIL import Image  # matplotlib itself needs Pillow

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    buffer.seek(0)
    picture = Image.open(buffer).convert("RGB")
    picture.quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file_name, "PNG", optimize=True)

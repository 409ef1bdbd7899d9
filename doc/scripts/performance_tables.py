# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The tables of doc/performance.md, from what performance.py left in doc/results/performance/; sources_tables.py draws them."""
import json
import re

from sources_data import RESULTS, table

FOLDER = RESULTS / "performance"
NAMES = {"cb5": "`prm/multigrid/cb5.prm`", "mc": "`prm/multigrid/mc.prm`", "cr": "`prm/multigrid/cr.prm`",
         "cb8m": "`prm/multigrid/cb8m.prm`", "65m": "the same, 640 x 320 x 320, R = 10", "268m": "the same, 1024 x 512 x 512, R = 3",
         "537m": "the same, 1280 x 640 x 656, R = 3"}
OPERATORS = ("on_the_fly", "on_the_fly_ordered", "ebeSym", "ebe", "assembled")


def data(piece):
    path = FOLDER / f"{piece}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def label():
    """The one line that all numbers of the page share."""
    found = {(of["label"]["strut"], of["label"]["commit"], of["label"]["device"], of["label"]["date"][:10], of["label"]["cores"])
             for of in map(data, ("whole", "large", "objectives")) if of}
    return "\n".join(f"strut {strut} (commit {commit}), {date}; {device}; {cores} cores of the host."
                     for strut, commit, device, date, cores in sorted(found))


def whole():
    rows = []
    for piece in ("whole", "large"):
        for name, run in (data(piece) or {"data": {}})["data"].items():
            low, high = run["seconds per design, least and most"]
            mean, most = run["iterations, mean and most"]
            rows.append([NAMES[name], f"{run['elements']:,}", str(run["designs"]), f"{run['wall']:.1f}", f"{run['outside']:.1f}",
                         f"{run['set-up']:.1f}", f"{run['loop']:.2f}", f"{run['output']:.1f}",
                         f"{1e3 * run['seconds per design']:.3g} ({1e3 * low:.3g} to {1e3 * high:.3g})", f"{mean:.1f} ({most})",
                         f"{run['bytes of the backend'] / run['elements']:.0f}", f"{run['bytes of the host'] / 1e9:.1f}"])
    return rows and table(["deck", "elements", "designs", "whole, s", "start, end", "set-up", "loop", "output", "ms per design (least to most)",
                           "PCG iterations, mean (most)", "bytes per element, GPU", "GB of the host"], rows)


def objectives():
    of = data("objectives")
    if not of:
        return ""
    rows = []
    for name, run in of["data"].items():
        low, high = run["seconds per design, least and most"]
        rows.append([name, str(run["designs"]), f"{run['seconds per design']:.3f}", f"{low:.3f} to {high:.3f}",
                     f"{1e3 * run['filter per call']:.2g}" if run["filter per call"] else ""])
    return table(["objective", "designs", "s per design, median", "least to most", "filter, ms per call"], rows)


def copy_rate(lines):
    return next((found[1] for line in lines if (found := re.search(r"copy ([\d.e+]+) GB/s", line))), "")


def operators():
    of = data("operators")
    if not of:
        return ""
    rows = []
    for deck, compared in of["data"].items():
        found = {(row["operator"], row["precision"]): row for row in compared["rows"] if row["status"] == "ok"}
        for operator in OPERATORS:
            pair = [found.get((operator, precision)) for precision in ("double", "float")]
            if not any(pair):
                continue
            cells = [f"{1e3 * float(row['median_s']):.3f} ({float(row['gdofs_per_s']):.1f})" if row else "" for row in pair]
            share = [f"{float(row['percent_of_copy']):.0f}" if row else "" for row in pair]
            rows.append([f"`{deck}`", f"`{operator}`", *cells, " / ".join(share), next(row for row in pair if row)["deterministic"]])
    rates = ", ".join(f"{copy_rate(compared['label'])} GB/s ({deck})" for deck, compared in of["data"].items())
    return table(["deck", "operator", "double, ms (GDoF/s)", "single, ms (GDoF/s)", "% of copy", "same bits"], rows) + f"\n\nCopy: {rates}."


def on_ranks():
    of = data("ranks")
    if not of:
        return ""
    rows = [[f"`{row['operator']}`", f"{1e3 * float(row['median_s']):.1f}", f"{float(row['memory_bytes']) / 1e6:,.0f}"]
            for row in of["data"]["operators"]["rows"] if row["status"] == "ok"]
    return table(["operator, one rank per core", "ms", "MB of a rank"], rows)


def solvers():
    rows = []
    for piece, where in (("solvers", "GPU"), ("ranks", "CPU, one rank per core")):
        of = data(piece)
        found = (of["data"]["rows"] if piece == "solvers" else of["data"]["solvers"]["rows"]) if of else []
        for row in found:
            if row["status"] == "ok" and row["precision"] in ("mixed", "double") and (row["solver"] == "ml" or row["precision"] == "mixed"):
                rows.append([row["design"], "ML" if row["solver"] == "ml" else "multigrid, mixed", where, row["iterations"],
                             f"{float(row['new_design_s']):.2g}", f"{float(row['solve_s']):.3g}",
                             f"{float(row['memory_bytes']) / 1e6:,.0f}"])
    rows.sort(key=lambda row: (row[0] != "uniform", row[1] != "ML"))
    return rows and table(["design", "solver", "where", "iterations", "new design, s", "solve, s", "memory, MB"], rows)


TABLES = {"performance-label": label, "performance-whole": whole, "performance-objectives": objectives,
          "performance-operators": operators, "performance-ranks": on_ranks, "performance-solvers": solvers}

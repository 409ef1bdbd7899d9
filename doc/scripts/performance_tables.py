# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The tables of doc/performance.md, from what performance.py left in doc/results/performance/; sources_tables.py draws them.

Two tables have other data: tangents are of strut_operators_benchmark in doc/results/thesis-study/comparators/, several GPUs of the
runs in doc/results/many-gpus/.
"""
import csv
import json
import re
import statistics

from sources_data import RESULTS, lines_of, table

FOLDER = RESULTS / "performance"
NAMES = {"cb5": "`prm/multigrid/cb5.prm`", "mc": "`prm/multigrid/mc.prm`", "cr": "`prm/multigrid/cr.prm`",
         "cb8m": "`prm/multigrid/cb8m.prm`", "65m": "the same, 640 x 320 x 320, R = 10", "268m": "the same, 1024 x 512 x 512, R = 3",
         "537m": "the same, 1280 x 640 x 656, R = 3"}
OPERATORS = ("on_the_fly", "on_the_fly_ordered", "ebeSym", "assembled")


def data(piece):
    path = FOLDER / f"{piece}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def milliseconds(seconds):
    """Three digits, and no exponent."""
    return f"{1e3 * seconds:,.0f}" if seconds >= 0.1 else f"{1e3 * seconds:#.3g}"


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
            between = f" ({min(run['walls']):.1f} to {max(run['walls']):.1f})" if len(run["walls"]) > 1 else ""
            rows.append([NAMES[name], f"{run['elements']:,}", str(run["designs"]), f"{run['wall']:.1f}{between}", f"{run['outside']:.1f}",
                         f"{run['set-up']:.1f}", f"{run['loop']:.2f}", f"{run['output']:.1f}",
                         f"{milliseconds(run['seconds per design'])} ({milliseconds(low)} to {milliseconds(high)})", f"{mean:.1f} ({most})",
                         f"{run['bytes of the backend'] / run['elements']:.0f}", f"{run['bytes of the host'] / 1e9:.1f}"])
    return rows and table(["deck", "elements", "designs", "whole, s (least to most)", "start, end", "set-up", "loop", "output",
                           "ms per design (least to most)", "PCG iterations, mean (most)", "bytes per element, GPU", "GB of the host"], rows)


def objectives():
    of = data("objectives")
    if not of:
        return ""
    rows = []
    for name, run in of["data"].items():
        low, high = run["seconds per design, least and most"]
        rows.append([name, str(run["designs"]), f"{run['seconds per design']:.3f}", f"{low:.3f} to {high:.3f}",
                     f"{1e3 * run['filter per call']:#.2g}" if run["filter per call"] else "", f"{run['bytes of the backend'] / 1e9:.1f}"])
    return table(["objective", "designs", "s per design, median", "least to most", "filter, ms per call", "GB of the GPU"], rows)


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
    rows = [[f"`{row['operator']}`", row["lanes"], f"{1e3 * float(row['median_s']):.1f}", f"{float(row['memory_bytes']) / 1e6:,.0f}"]
            for row in of["data"]["operators"]["rows"] if row["status"] == "ok"]
    return table(["operator, one rank per core", "SIMD lanes", "ms", "memory, MB"], rows)


def solvers():
    rows = []
    for piece, where in (("solvers", "GPU"), ("ranks", "CPU, one rank per core")):
        of = data(piece)
        found = (of["data"]["rows"] if piece == "solvers" else of["data"]["solvers"]["rows"]) if of else []
        for row in found:
            if row["status"] == "ok" and row["precision"] in ("mixed", "double") and (row["solver"] == "ml" or row["precision"] == "mixed"):
                rows.append([row["design"], "ML" if row["solver"] == "ml" else "multigrid, mixed", where, row["iterations"],
                             f"{float(row['new_design_s']):#.2g}", f"{float(row['solve_s']):.3g}",
                             f"{float(row['memory_bytes']) / 1e6:,.0f}"])
    rows.sort(key=lambda row: (row[0] != "uniform", row[1] != "ML"))
    return rows and table(["design", "solver", "where", "iterations", "new design, s", "solve, s", "memory, MB"], rows)


def works_of(precision):
    """Rows of `on_the_fly` in the table of strut_operators_benchmark, by what was timed."""
    path = RESULTS / "thesis-study" / "comparators" / f"operators-100-{precision}.md"
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in path.read_text(encoding="utf-8").splitlines()
             if line.startswith("| on_the_fly |")]
    return {row[2]: row for row in cells}


def tangents():
    found = {precision: works_of(precision) for precision in ("double", "float")}
    rows = []
    for work, name in (("apply", "a material and factors"), ("apply, tangents of elements", "tangents of elements"),
                       ("apply, tangents of points", "tangents of Gauss points")):
        row = [name]
        for of in found.values():
            time, first = float(of[work][3]), float(of["apply"][3])
            row += [f"{time:.3f} ({float(of[work][5]):.1f})", f"{time / first:.2f}"]
        rows.append(row)
    return table(["`on_the_fly` with", "double, ms (GDoF/s)", "over the first", "single, ms (GDoF/s)", "over the first"], rows)


def rows_of(name):
    return list(csv.DictReader(lines_of(RESULTS / "many-gpus" / name)[1]))


def beside_one(times):
    """Times of one GPU and of more, and how many times as fast these are."""
    return [milliseconds(times[0]), *(f"{milliseconds(time)} ({times[0] / time:.2f})" for time in times[1:])]


def several_gpus():
    rows = []
    for run, name in (("cb5", NAMES["cb5"]), ("cb8m", NAMES["cb8m"]), ("cb8m 640x320x320 R=10", NAMES["65m"])):
        of = [[row for row in rows_of("cycle.csv") if row["commit"] == "5735a7b72" and row["run"] == run and row["gpus"] == gpus]
              for gpus in ("1", "2")]
        times = [statistics.median(float(row["median_ms"]) for row in found) / 1e3 for found in of]
        walls = [f"{statistics.median(float(row['wall']) for row in found):.1f}" for found in of]
        rows.append([name, of[0][0]["designs"], "5735a7b72", *beside_one(times), "", ", ".join(walls)])
    for elements, name in ((8192000, NAMES["cb8m"]), (65536000, "the same, 640 x 320 x 320")):
        of = {row["gpus"]: float(row["seconds_per_design"]) for row in rows_of("four-gpus.csv")
              if row["study"].startswith("strong") and int(row["elements"]) == elements and (row["way"] == "peer" or row["gpus"] == "1")}
        rows.append([name, "20", "f8ab3fc3a", *beside_one([of[gpus] for gpus in ("1", "2", "4")]), ""])
    return table(["deck", "designs", "commit", "one GPU, ms per design", "two (times)", "four (times)", "whole, s, one and two"], rows)


TABLES = {"performance-label": label, "performance-whole": whole, "performance-objectives": objectives,
          "performance-operators": operators, "performance-ranks": on_ranks, "performance-solvers": solvers,
          "performance-tangents": tangents, "performance-gpus": several_gpus}

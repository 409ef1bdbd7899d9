# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Tables with the figures of the thesis, Ratnakar (2022), beside ours; sources_tables.py puts them into pages."""
import math

from sources_data import RESULTS, number, source, span, table
from thesis_data import EXAMPLES, PRECISIONS, SIZES, Study

TOLERANCE = 1e-5  # of the thesis and of its decks
FOLDER = RESULTS / "thesis-study"
STEPS = {"preComp": ("set-up",), "PCG": ("operator", "PCG vectors"), "sensitivity": ("sensitivity",), "filter": ("filter",),
         "update": ("design update",), "postProcess": ("output",)}
DESIGNS = 50


def study_of(folder=FOLDER):
    """The runs of a folder; None if there is none."""
    return Study(folder) if folder.is_dir() else None


def sizes():
    """Elements and degrees of freedom of both."""
    study, thesis = study_of(), {row["deck"]: row for row in source("thesis-meshes")}
    rows = []
    for example in EXAMPLES:
        decks = [f"{example}{size}" for size in SIZES]
        for what, text in (("elements", "elements"), ("dofs", "degrees of freedom")):
            theirs = [int(thesis[deck][what]) for deck in decks]
            ours = [int(study.size_of(deck, what)) for deck in decks]
            if what == "elements" and theirs == ours:
                continue
            rows.append([f"{example.upper()}, {text}, thesis"] + [f"{value:,}" for value in theirs])
            rows.append([f"{example.upper()}, {text}, strut"] + [f"{value:,}" for value in ours])
            if what == "dofs" and example in ("mc", "cr"):
                rows.append([f"{example.upper()}: fewer"] + [f"{100 - 100 * b / a:.0f} %" for a, b in zip(theirs, ours)])
    return table(["", *map(str, SIZES)], rows)


def by_operator(study):
    """The averages of a folder by what ran: {"`ebeSym`, double": [(iterations, number of designs) of each example and size]}."""
    found = {}
    for name in study.histories if study else ():
        header = study.headers[name]
        found.setdefault(f"`{header.get('operator')}`, {header.get('precision')}", {})[name] = study.average_iterations(name)
    return found


def iterations():
    """Table 3.6."""
    studies = [(text + end, averages) for folder, end in ((FOLDER, ""), (FOLDER / "double", ""),
                                                          (FOLDER / "stop", ", to the thesis's stop (designs)"))
               for text, averages in by_operator(study_of(folder)).items()]
    rows = []
    for row in source("thesis-iterations"):
        example = row["example"]
        rows.append([f"{example.upper()}, thesis"] + [row[str(size)] for size in SIZES])
        for text, averages in studies:
            found = [averages.get(f"{example}{size}-zero", (math.nan, 0)) for size in SIZES]
            if any(n for _, n in found):
                rows.append([f"{example.upper()}, {text}"]
                            + [("" if not n else f"{mean:.0f}") + (f" ({n})" if n not in (0, DESIGNS) else "") for mean, n in found])
    return table(["", *map(str, SIZES)], rows)


def causes():
    """What each named cause does to the iterations of MC and CR, as multiples of those of 50 designs."""
    base = study_of(FOLDER / "double")
    experiments = {"to the thesis's stop": "stop", "100 times the loads": "loads-100", "10,000 times the loads": "loads-10000",
                   "three layers": "layers"}
    studies, rows = {text: study_of(FOLDER / folder) for text, folder in experiments.items()}, []
    for row in source("thesis-iterations"):
        example, product = row["example"], dict.fromkeys(SIZES, 1.)
        if example not in ("mc", "cr"):
            continue
        ours = {size: base.average_iterations(f"{example}{size}-zero")[0] for size in SIZES}
        rows.append([f"{example.upper()}, 50 designs", *(f"{ours[size]:.0f}" for size in SIZES)])
        for text, study in studies.items():
            means = {size: study.average_iterations(f"{example}{size}-zero")[0] if study else math.nan for size in SIZES}
            rows.append([f"{example.upper()}, {text}"]
                        + ["" if math.isnan(mean) else f"{mean:.0f} (x {mean / ours[size]:.2f})" for size, mean in means.items()])
            if text != "100 times the loads":
                product = {size: product[size] * mean / ours[size] for size, mean in means.items()}
        rows.append([f"{example.upper()}, stop, 10,000 times the loads and layers, multiplied"]
                    + ["" if math.isnan(product[size]) else f"x {product[size]:.2f}" for size in SIZES])
        rows.append([f"{example.upper()}, thesis"] + [f"{row[str(size)]} (x {float(row[str(size)]) / ours[size]:.1f})" for size in SIZES])
    return table(["", *map(str, SIZES)], rows)


def missed_designs():
    """How many of the designs end above the criterion, in float."""
    study, rows = study_of(), []
    for example in EXAMPLES:
        cells = []
        for size in SIZES:
            history = study.histories.get(f"{example}{size}-zero")
            missed = [row["residual"] for row in history or () if row["residual"] > TOLERANCE]
            cells.append(("0" if history else "") if not missed else f"{len(missed)} (to {max(missed):.1e})")
        rows.append([example.upper(), *cells])
    return table(["", *map(str, SIZES)], rows)


def missed_strategies():
    """On which decks the solve of the uniform design ends above the criterion, in float."""
    study, rows = study_of(), []
    for name in study.strategies("cuda", "float"):
        solves = {key[0]: row for key, row in study.solves.items() if key[1:4] == ("cuda", name, "float")}
        missed = [deck for deck in solves if solves[deck]["status"].startswith("residual")]
        cells = [" ".join(deck[2:] for deck in missed if deck.startswith(example)) for example in EXAMPLES]
        rows.append([f"`{name}`", f"{len(missed)} of {len(solves)}", *cells])
    return table(["strategy", "decks that miss", *(f"{example.upper()}, sizes" for example in EXAMPLES)], rows)


def one_thread():
    """PCG solves on one CPU thread over those on the GPU, the same strategy."""
    thesis, rows = source("thesis-speed-ups"), []
    study = study_of(FOLDER / "one-thread") or study_of()
    for strategy in ("ebe", "nbn"):
        figures = {(row["example"], row["mesh"]): span([float(row["lowest"]), float(row["highest"])])
                   for row in thesis if (row["strategy"], row["over"]) == (strategy, "cpu")}
        for example in EXAMPLES:
            cells = [figures["all", "1"], figures[example, "best"]]
            for precision in PRECISIONS:
                for size in (1, 3, 5):
                    cpu, guess = study.solve_seconds(f"{example}{size}", "cpu", strategy, precision, 1)
                    gpu = study.solve_seconds(f"{example}{size}", "cuda", strategy, precision, 1)[0]
                    cells.append(("~" if guess and cpu / gpu == cpu / gpu else "") + number(cpu / gpu))
            rows.append([f"`{strategy}`, {example.upper()}", *cells])
    headers = ["", "thesis, size 1, all examples", "thesis, highest"]
    headers += [f"{precision}, size {size}" for precision in PRECISIONS for size in (1, 3, 5)]
    return table(headers, rows)


def speed_ups():
    """PCG solves over ebe, and ebeSym over ebe8."""
    study, rows = study_of(), []
    for row in source("thesis-speed-ups"):
        if row["over"] == "cpu":
            continue
        examples = list(EXAMPLES) if row["example"] == "all" else [row["example"]]
        chosen = [int(row["mesh"])] if row["mesh"].isdigit() else list(SIZES)
        cells = []
        for precision in PRECISIONS:
            ratios = [study.solve_seconds(f"{example}{size}", "cuda", row["over"], precision, 1)[0]
                      / study.solve_seconds(f"{example}{size}", "cuda", row["strategy"], precision, 1)[0]
                      for example in examples for size in chosen]
            ratios = [ratio for ratio in ratios if not math.isnan(ratio)]
            cells.append(number(max(ratios)) if row["mesh"] == "best" else span(ratios))
        where = "all examples" if row["example"] == "all" else row["example"].upper()
        where += {"best": ", the highest", "all": ", all sizes"}.get(row["mesh"], row["mesh"])
        rows.append([f"`{row['strategy']}` over `{row['over']}`", where, row["section"],
                     span([float(row["lowest"]), float(row["highest"])]), *cells])
    return table(["", "meshes", "section", "thesis", *(f"strut, {precision}" for precision in PRECISIONS)], rows, 2)


def memory():
    """Figure 5.7."""
    study, rows = study_of(), []
    for row in source("thesis-memory"):
        ours = [study.memory(row["deck"], "cuda", name, "float", 1) for name in ("ebe8", "ebeSym")]
        rows.append([row["deck"].upper(), row["ebe8_mb"], row["ebeSym_mb"], row["ratio"],
                     *(number(1e-6 * value) for value in ours), f"{ours[0] / ours[1]:.2f}"])
    return table(["", "thesis: `ebe8`, MB", "`ebeSym`, MB", "ratio", "strut: `ebe8`, MB", "`ebeSym`, MB", "ratio"], rows)


def share(seconds, n_designs, step):
    """Per cent of the wall time of 50 designs: set-up and output once, the rest in proportion to the designs that ran."""
    factor = {section: 1 if section in ("set-up", "output", "other") else DESIGNS / n_designs for section in seconds}
    total = sum(factor[section] * value for section, value in seconds.items() if section != "total")
    return 100 * sum(factor[section] * seconds[section] for section in STEPS[step]) / total


def thesis_share(strategy, step, meshes):
    """The figures of the thesis for these meshes, else for all."""
    figures = {row["meshes"]: span([float(row["lowest"]), float(row["highest"])]) for row in source("thesis-shares")
               if (row["strategy"], row["step"]) == (strategy, step)}
    return figures.get(meshes, figures.get("all", ""))


def shares_of(study, step, sizes_of):
    """The range of a step over the examples and these sizes, in per cent; nothing if there are no runs."""
    names = [f"{example}{size}-zero" for example in EXAMPLES for size in sizes_of]
    return span([round(share(study.seconds[name], len(study.histories[name]), step), 2) for name in names
                 if name in study.seconds and name in study.histories], 2)


def shares():
    """Figures 4.9 and 5.6: the ranges over the examples, at sizes 3 and 5."""
    rows = []
    folders = {path.name: path for path in (FOLDER / "shares").glob("*") if path.name not in ("ebe", "nbn")}
    for strategy, folder in sorted(folders.items(), key=lambda item: len(item[0])):
        study = study_of(folder)
        for step in STEPS:
            cells = [shares_of(study, step, (size,)) for size in (3, 5)]
            rows.append([f"`{strategy}`", step, *cells, thesis_share(strategy, step, "largest")])
    for step in STEPS:
        rows.append(["`ebeSym`, 50 designs", step, *(shares_of(study_of(), step, (size,)) for size in (3, 5)),
                     thesis_share("ebeSym", step, "largest")])
    return table(["strategy", "step", "strut, size 3, %", "strut, size 5, %", "thesis, largest, %"], rows, 2)


def shares_by_size():
    """Figure 3.16: ebe and nbn at all sizes."""
    rows = []
    for strategy in ("ebe", "nbn"):
        study = study_of(FOLDER / "shares" / strategy)
        for step in STEPS:
            rows.append([f"`{strategy}`", step, thesis_share(strategy, step, "smallest"),
                         *(shares_of(study, step, (size,)) for size in SIZES), thesis_share(strategy, step, "largest")])
    return table(["strategy", "step", "thesis, smallest, %", *(f"strut, {size}" for size in SIZES), "thesis, largest, %"], rows, 2)


def comparison(kind):
    """Files of a benchmark: [(first lines, precision, {work or strategy: cells})], by size and precision."""
    found = []
    for file in sorted((FOLDER / "comparators").glob(f"{kind}-*.md")):
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        names = rows[0]
        cells = {}
        for row in rows[2:]:
            row = dict(zip(names, row))
            cells.setdefault(row.get("strategy", row.get("work")), row)
        size = next(line for line in lines if " elements" in line)
        found.append((size, file.stem.rsplit("-", 1)[1], cells))
    return found


def reverse_connectivity():
    """nbn with C_rev in three ways."""
    rows = []
    for size, precision, cells in comparison("operators"):
        names = ("nbn", "nbn (table)", "nbn (columns)", "ebe")
        times = [float(cells[name]["ms"]) for name in names]
        rows.append([f"{int(size.split()[0]):,}", precision, number(times[0], 4),
                     *(f"{number(time, 4)} (x {time / times[0]:.2f})" for time in times[1:3]), number(times[3], 4),
                     *(f"{int(cells[name]['MB']):,}" for name in names[:2])])
    headers = ["elements", "precision", "compressed rows (ours), ms", "17 numbers per node, ms", "the same by columns, ms", "`ebe`, ms",
               "rows, MB", "17 numbers, MB"]
    return table(headers, rows, 2)


def vectors():
    """The vector work of PCG by strut's kernels and by Thrust."""
    rows = []
    for size, precision, cells in comparison("solver"):
        ours, theirs, whole = (float(cells[name]["us"]) for name in ("all three, sums read", "all of them by Thrust (z stored)",
                                                                     "iteration with ebeSym"))
        moved = [float(cells[name]["MB, compulsory"]) for name in ("all three, sums read", "all of them by Thrust (z stored)")]
        unknowns = int(size.split(",")[1].split()[0])
        rows.append([f"{unknowns:,}", precision, number(ours), number(theirs), f"{theirs / ours:.2f}", f"{moved[1] / moved[0]:.2f}",
                     number(whole), f"{100 * (theirs - ours) / whole:.0f} %"])
    headers = ["unknowns", "precision", "strut's kernels, us", "Thrust, us", "ratio", "ratio of the bytes", "PCG iteration, `ebeSym`, us",
               "longer with Thrust by"]
    return table(headers, rows, 2)


TABLES = {"thesis-sizes": sizes, "thesis-iterations": iterations, "thesis-causes": causes, "thesis-missed-designs": missed_designs,
          "thesis-missed-strategies": missed_strategies, "thesis-one-thread": one_thread, "thesis-speed-ups": speed_ups,
          "thesis-memory": memory, "thesis-shares": shares, "thesis-shares-by-size": shares_by_size,
          "thesis-reverse-connectivity": reverse_connectivity, "thesis-vectors": vectors}

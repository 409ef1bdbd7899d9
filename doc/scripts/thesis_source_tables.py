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


def iterations():
    """Table 3.6."""
    studies = {"`ebeSym`, float": study_of(), "`on_the_fly`, double": study_of(FOLDER / "double"),
               "`on_the_fly`, double, to the thesis's stop (designs)": study_of(FOLDER / "stop")}
    rows = []
    for row in source("thesis-iterations"):
        example = row["example"]
        rows.append([f"{example.upper()}, thesis"] + [row[str(size)] for size in SIZES])
        for text, study in studies.items():
            found = [study.average_iterations(f"{example}{size}-zero") if study else (math.nan, 0) for size in SIZES]
            if any(n for _, n in found):
                rows.append([f"{example.upper()}, {text}"]
                            + [("" if not n else f"{mean:.0f}") + (f" ({n})" if n not in (0, DESIGNS) else "") for mean, n in found])
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


def shares():
    """Figures 3.16, 4.9, 5.6: the ranges over the examples and meshes."""
    thesis, rows = source("thesis-shares"), []
    folders = {"ebeSym": (FOLDER, SIZES)}
    for path in sorted((FOLDER / "shares").glob("*")):
        folders.setdefault(path.name, (path, (3,)))
    folders = dict(sorted(folders.items(), key=lambda item: len(item[0])))
    for strategy, (folder, chosen) in folders.items():
        study = study_of(folder)
        for step in STEPS:
            ours = [share(study.seconds[name], len(study.histories[name]), step) for example in EXAMPLES for size in chosen
                    for name in [f"{example}{size}-zero"] if name in study.seconds and name in study.histories]
            theirs = "; ".join(f"{row['meshes']}: {span([float(row['lowest']), float(row['highest'])])}" for row in thesis
                               if (row["strategy"], row["step"]) == (strategy, step))
            if ours:
                text = span([round(value, 2) for value in ours], 2)
                rows.append([f"`{strategy}`", step, theirs, text, "3" if chosen == (3,) else "1 to 5"])
    return table(["strategy", "step", "thesis, %", "strut, %", "sizes of strut"], rows, 2)


TABLES = {"thesis-sizes": sizes, "thesis-iterations": iterations, "thesis-missed-designs": missed_designs,
          "thesis-missed-strategies": missed_strategies, "thesis-one-thread": one_thread, "thesis-speed-ups": speed_ups,
          "thesis-memory": memory, "thesis-shares": shares}

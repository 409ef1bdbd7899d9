# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The tables of the study of the thesis, Ratnakar (2022), as Markdown; thesis_figures.py writes them."""
import math

from sources_data import source
from thesis_data import EXAMPLES, PRECISIONS, SECTIONS, SIZES, value

def digits(value):
    """Three significant digits without an exponent; '-' for what is unknown."""
    if math.isnan(value):
        return "-"
    if value == 0:
        return "0"
    value = float(f"{value:.3g}")
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def markdown(title, headers, rows, note=""):
    """A table with the first column to the left, the others to the right; nothing if it has no rows."""
    if not rows:
        return ""
    lines = [f"## {title}", "", "| " + " | ".join(headers) + " |", "|---|" + "---:|" * (len(headers) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines + (["", note] if note else []) + [""])


def all_decks(study):
    return [deck for example in EXAMPLES for deck in study.decks(example)]


def iteration_table(study):
    names = [f"{example}{size}" for example in EXAMPLES for size in SIZES]
    thesis = {f"{row['example']}{size}": row[str(size)] for row in source("thesis-iterations") for size in SIZES}
    with_zero = any(f"{name}-zero" in study.histories for name in names)
    headers = ["deck", "thesis, table 3.6", "strut, start from the last displacement", "design iterations"]
    if with_zero:
        headers += ["strut, each solve from zero", "design iterations"]
    rows = []
    for name in names:
        row = [name, thesis[name]]
        for run in (name, f"{name}-zero") if with_zero else (name,):
            average, n = study.average_iterations(run)
            row += ["-" if math.isnan(average) else f"{average:.0f}", str(n) if n else "-"]
        if any(name in study.histories for name in (name, f"{name}-zero")):
            rows.append(row)
    runs = sorted({f"`{h['operator']}`, {h['precision']}" for h in study.headers.values()
                   if "operator" in h and "precision" in h})
    note = f"Operator and precision of strut: {'; '.join(runs)}." if runs else ""
    return markdown("PCG iterations per design iteration, on average", headers, rows, note)


def remarks(study, rows, wanted):
    """Why cells are empty, or what is doubtful about them: one line per strategy and reason."""
    reasons = {}
    for key, row in rows.items():
        if wanted(key) and row["status"] not in ("", "ok") and not row["status"].startswith("stopped"):
            # the first sentence: what follows names an element of this deck
            decks = reasons.setdefault((key[2], row["status"].partition(". ")[0]), [])
            if key[0] not in decks:
                decks.append(key[0])
    n_decks = len(all_decks(study))
    return "\n".join(f"- `{operator}`, {' '.join(decks) if len(decks) < n_decks else 'all decks'}: {status}"
                     for (operator, status), decks in reasons.items())


def with_ratio(value, base, approximate=False):
    """'0.73 (1.66)': a time and how many times faster than the base it is."""
    if math.isnan(value):
        return "-"
    text = ("~" if approximate else "") + digits(value)
    return text if math.isnan(base) else f"{text} ({base / value:.2f})"


def strategy_tables(study, precision):
    names = study.strategies("cuda", precision)
    if not names:
        return []

    def table(title, rows_of, cell, extra=None, note=""):
        rows = []
        for deck in all_decks(study):
            cells = [cell((deck, "cuda", name, precision, 1), (deck, "cuda", "ebe", precision, 1)) for name in names]
            if any(text != "-" for text in cells):
                rows.append([deck, f"{study.size_of(deck):,.0f}"] + ([extra(deck)] if extra else []) + cells)
        headers = ["deck", "DoFs"] + (["iterations"] if extra else []) + [f"`{name}`" for name in names]
        reasons = remarks(study, rows_of, lambda key: key[1] == "cuda" and key[3] == precision)
        return markdown(f"{title}, {PRECISIONS[precision]}", headers, rows, "\n\n".join(filter(None, (note, reasons))))

    def apply(key, base):
        return with_ratio(1e3 * study.apply_seconds(*key), 1e3 * study.apply_seconds(*base))

    def solve(key, base):
        seconds, approximate = study.solve_seconds(*key)
        return with_ratio(seconds, study.solve_seconds(*base)[0], approximate)

    def memory(key, base):
        return with_ratio(1e-6 * study.memory(*key), math.nan)

    return [
        table("GPU: ms per apply (speed-up over `ebe`)", study.operators, apply),
        table("GPU: seconds per PCG solve (speed-up over `ebe`)", study.solves, solve,
              lambda deck: digits_or_count(study.solve_iterations(deck, precision)),
              "Uniform design, from zero. `~`: the solve met its limit of time; seconds per iteration times the "
              "iterations of the complete ones (`-` if there are none)."),
        table("GPU: memory of the operator in MB", study.operators, memory),
    ]


def largest_table(study, example):
    """Everything about the GPU strategies on one deck: the largest of an example, in both precisions."""
    deck = study.decks(example)[-1] if study.decks(example) else ""

    def numbers(name, precision):
        key, base = (deck, "cuda", name, precision, 1), (deck, "cuda", "ebe", precision, 1)
        row, solve = study.operators.get(key), study.solves.get(key)
        return [with_ratio(1e3 * study.apply_seconds(*key), 1e3 * study.apply_seconds(*base)),
                digits(value(row, "percent_of_copy")), digits(1e-9 * value(row, "dofs") / study.apply_seconds(*key)),
                digits(1e-6 * study.memory(*key)), digits(study.solve_seconds(*key)[0]),
                digits(100 * value(solve, "vectors_s") / value(solve, "seconds"))]

    rows = []
    for name in study.strategies("cuda", "double", example):
        row = study.operators[deck, "cuda", name, "double", 1]
        rows.append([f"`{name}`", row["deterministic"]] + numbers(name, "double") + numbers(name, "float"))
    headers = ["strategy", "same bits"] + [
        f"{precision}: {what}" for precision in ("double", "single")
        for what in ("ms (over `ebe`)", "% of copy", "GDoF/s", "MB", "PCG s", "vectors in it %")]
    return markdown(f"GPU: all strategies on {deck}", headers, rows)


def solve_iteration_table(study, precision):
    """PCG iterations by strategy: rounding makes them differ."""
    names = study.strategies("cuda", precision)
    rows = []
    for deck in all_decks(study):
        solves = [study.solves.get((deck, "cuda", name, precision, 1)) for name in names]
        if any(solves):
            # a dagger: the criterion was not met
            rows.append([deck] + ["-" if row is None else f"{row['iterations']:.0f}" +
                                  ("†" if row["status"].startswith("residual") else "") for row in solves])
    return markdown(f"GPU: iterations of the PCG solve, {PRECISIONS[precision]}",
                    ["deck"] + [f"`{name}`" for name in names], rows,
                    "†: residual above the tolerance; the precision gives no smaller one."
                    if any("†" in cell for row in rows for cell in row) else "")


def digits_or_count(iterations):
    return "-" if math.isnan(iterations) else f"{iterations:.0f}"


def processor_tables(study, precision):
    """CPU operators beside the fastest on the GPU."""
    columns = study.processors(precision)
    if not columns:
        return []
    gpu_names = study.strategies("cuda", precision)
    tables = []
    for title, source, seconds, scale in (
            ("ms per apply", study.operators, lambda *key: (study.apply_seconds(*key), False), 1e3),
            ("seconds per PCG solve", study.solves, study.solve_seconds, 1.0)):
        rows = []
        for deck in all_decks(study):
            cpu = [seconds(deck, "cpu", name, precision, n) for name, n in columns]
            gpu = [(seconds(deck, "cuda", name, precision, 1)[0], name) for name in gpu_names]
            gpu = min((pair for pair in gpu if not math.isnan(pair[0])), default=(math.nan, ""))
            known = [value for value, _ in cpu if not math.isnan(value)]
            if not known:
                continue
            cells = [with_ratio(scale * value, math.nan, approximate) for value, approximate in cpu]
            cells.append("-" if math.isnan(gpu[0]) else f"{digits(scale * gpu[0])} `{gpu[1]}`")
            cells.append(digits(min(known) / gpu[0]))
            rows.append([deck, f"{study.size_of(deck):,.0f}"] + cells)
        headers = ["deck", "DoFs"] + [f"`{name}`, {n} thread{'s' if n > 1 else ''}" for name, n in columns]
        reasons = remarks(study, source, lambda key: key[1] == "cpu" and key[3] == precision)
        tables.append(markdown(f"CPU: {title}, {PRECISIONS[precision]}",
                               headers + ["fastest on the GPU", "fastest CPU / GPU"], rows, reasons))
    return tables


def share_table(study):
    rows = []
    for example in EXAMPLES:
        for size in SIZES:
            seconds = study.shares(f"{example}{size}")
            if seconds:
                shares = [f"{100 * seconds[section] / seconds['total']:.1f}" for section in SECTIONS]
                rows.append([f"{example}{size}", digits(seconds["total"])] + shares)
    headers = ["deck", "seconds in all"] + [f"{section} %" for section in SECTIONS]
    return markdown("Share of wall time of the steps of an optimization", headers, rows)


def all_tables(study):
    """The whole document."""
    parts = ["# The thesis study: tables\n\nWritten by `doc/scripts/thesis_figures.py`.\n"]
    for what, places in (("GPU runs", ("",)), ("CPU runs", ("cpu/",))):
        label = study.label(all_decks(study), places)
        if label:
            parts.append(f"{what}: {label}\n")
    parts.append(iteration_table(study))
    parts += [largest_table(study, example) for example in EXAMPLES]
    for precision in PRECISIONS:
        parts += strategy_tables(study, precision)
        parts.append(solve_iteration_table(study, precision))
    for precision in PRECISIONS:
        parts += processor_tables(study, precision)
    parts.append(share_table(study))
    return "\n".join(part for part in parts if part)

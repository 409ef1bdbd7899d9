# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The figures of the sources, doc/results/sources/, and the runs of sources_study.py, as rows and objects."""
import csv
import fnmatch
import re
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"


def lines_of(file_name):
    """(lines of the label without '#', other lines)"""
    lines = Path(file_name).read_text(encoding="utf-8").splitlines()
    return [line[1:] for line in lines if line.startswith("#")], [line for line in lines if not line.startswith("#")]


def source(name):
    """Rows of a file of figures, as text."""
    return list(csv.DictReader(lines_of(RESULTS / "sources" / f"{name}.csv")[1]))


class Run:
    """A file that sources_study.py wrote: `label` by key, `rows` of its history as numbers, `seconds` and `calls` by
    section."""

    def __init__(self, file_name):
        label, lines = lines_of(file_name)
        self.name = Path(file_name).stem
        self.label, self.memory = {"program": label[0].strip()}, {}
        for line in label[1:]:
            key, _, value = line.strip().partition(" ")
            value = value.strip()
            if key == "memory":
                place, _, number = value.partition(": ")
                self.memory[place] = float(number)
            elif key != "program":
                self.label[key] = value
            else:
                self.program_seconds = float(value.split()[0])
        self.rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]
        self.seconds, self.calls = {}, {}
        timing = Path(file_name).with_name(f"{self.name}.timing.csv")
        if timing.is_file():
            for line in timing.read_text(encoding="utf-8").splitlines()[1:]:
                section, calls, seconds = line.rsplit(",", 2)
                self.seconds[section] = float(seconds)
                self.calls[section] = int(calls or 0)

    @property
    def solve_seconds(self):
        """Of all solves; without the stiffness update."""
        return sum(self.seconds.get(section, 0) for section in ("operator", "PCG vectors", "preconditioner"))

    @property
    def iterations(self):
        return sum(row["solver_iterations"] for row in self.rows)

    @property
    def loop_seconds(self):
        """Without set-up and output."""
        return self.seconds["total"] - sum(value for section, value in self.seconds.items()
                                           if section.startswith(("set-up", "output")))


def runs(folder, untimed="-"):
    """Runs of a folder of results that have their times, and those of this pattern that have none, by name."""
    files = sorted(file for file in (RESULTS / folder).glob("*.csv") if not file.name.endswith(".timing.csv"))
    return {file.stem: Run(file) for file in files
            if file.with_name(f"{file.stem}.timing.csv").is_file() or fnmatch.fnmatchcase(file.stem, untimed)}


def card_of(run):
    """'H200', 'H100'; nothing for a CPU."""
    found = re.search(r"NVIDIA (\w+)", run.label.get("device", ""))
    return found[1] if found else ""


def mark_of(run):
    """What figures carry that are not of the card of most tables."""
    return " †" if card_of(run) == "H100" else ""


def label_of(found, text):
    """One line for these runs: program and commit, date, device; and what marks in their table say."""
    labels = set()
    for run in found:
        program = re.sub(r", deal.*", "", run.label["program"])
        device = re.sub(r", (compute|CUDA runtime).*?(?=, driver|$)|\(device \d\)", "", run.label.get("device", ""))
        labels.add("; ".join(text for text in (program, run.label.get("date", ""), device) if text))
    marks = " †: on the H100." if "†" in text else ""
    return "Label: " + " | ".join(sorted(labels)) + "." + marks


def table(headers, rows, n_left=1):
    """Markdown, the first columns to the left, the others to the right; nothing if there are no rows."""
    if not rows:
        return ""
    lines = ["| " + " | ".join(headers) + " |", "|" + "---|" * n_left + "---:|" * (len(headers) - n_left)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def number(value, digits=3):
    """Significant digits without an exponent; nothing for what is unknown."""
    if value is None or value != value:
        return ""
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e" in text or abs(value) >= 1000 else text


def span(values, digits=3):
    """'1.2 to 3.4', or one number; nothing if there are none."""
    values = [value for value in values if value == value]
    if not values:
        return ""
    low, high = number(min(values), digits), number(max(values), digits)
    return low if low == high else f"{low} to {high}"

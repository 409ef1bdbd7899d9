# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The files of thesis_study.sh, read into one object; used by thesis_figures.py and thesis_tables.py."""
import math
import re
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugin" / "tools"))
import comparison_data as data  # noqa: E402  (its folder has to be on the path first)

EXAMPLES = {"cb": "cantilever (CB)", "lb": "L-beam (LB)", "mc": "Michell (MC)", "cr": "connecting rod (CR)"}
SIZES = (1, 2, 3, 4, 5)
PRECISIONS = {"double": "double precision", "float": "single precision"}

# Sections of the table of times, in the order of the bars; sections that are not named here count as "other".
SECTIONS = ("operator", "PCG vectors", "stiffness update", "sensitivity", "filter", "design update", "set-up", "output",
            "other")
OLD_NAMES = {"update": "design update"}

# The strategies of the thesis, Ratnakar (2022); dbd is of Martinez-Frutos and Herrero-Perez (2017), the others newer.
THESIS_STRATEGIES = ("ebe", "nbn", "ebe8", "ebe24", "ebe64", "ebeSym")

# Folders of the comparisons: those on the GPU, those on the CPU.
PLACES = ("", "cpu/")

CASE = ("deck", "elements", "nodes", "dofs", "backend", "operator", "precision", "threads", "status")


class Study:
    """operators, solves: rows of strut-compare by (deck, backend, operator, precision, threads); histories, seconds,
    headers: by deck, or by "<deck>-zero" for solves from zero. `notes` lists what is missing, in sentences."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.operators, self.solves = {}, {}
        self.histories, self.seconds, self.headers = {}, {}, {}
        self.notes = []
        self._missing = {}  # what: decks
        self._labels = {}  # by (deck, folder)
        if not self.folder.is_dir():
            raise data.DataError(f"{folder}: there is no such folder")
        for example in EXAMPLES:
            for size in SIZES:
                self._read_deck(f"{example}{size}")
        self.notes += [f"missing: {what} of {' '.join(decks)}" for what, decks in self._missing.items()]
        if not self.operators and not self.histories and not self.seconds:
            raise data.DataError(f"{folder}: no files of thesis_study.sh in it, such as cb1.operators.csv")

    def _miss(self, deck, what):
        self._missing.setdefault(what, []).append(deck)

    def _table(self, deck, what, columns):
        """Label and rows; an empty table, with a note, if the file is missing or cannot be used."""
        file_name = self.folder / what.replace("DECK", deck)
        if not file_name.is_file():
            self._miss(deck, what)
            return {}, []
        try:
            return data.read_table(file_name, columns)
        except data.DataError as error:
            self.notes.append(f"skipped: {error}")
            return {}, []

    def _read_deck(self, deck):
        for place in PLACES:
            for kind, rows in (("operators", self.operators), ("solves", self.solves)):
                time = "median_s" if kind == "operators" else "seconds"
                label, table = self._table(deck, f"{place}DECK.{kind}.csv", CASE + (time,))
                for row in table:
                    threads = 1 if math.isnan(row["threads"]) else int(row["threads"])
                    rows[row["deck"], row["backend"], row["operator"], row["precision"], threads] = row
                if label:
                    self._labels[deck, place] = label
        present = [name for name in (deck, f"{deck}-zero") if (self.folder / f"{name}.history.csv").is_file()]
        for name in present or [deck]:  # either will do: from the last displacement, from zero
            _, history = self._table(name, "DECK.history.csv", ("iteration", "solver_iterations"))
            if history:
                self.histories[name] = history
            seconds = self._sections(name)
            if seconds:
                self.seconds[name] = seconds
            self.headers[name] = read_header(self.folder / f"{name}.parameters.prm")

    def shares(self, deck):
        """Seconds by section of the optimization, of the one from zero if that is all there is."""
        return self.seconds.get(deck) or self.seconds.get(f"{deck}-zero")

    def _sections(self, name):
        """Seconds by section, with "total"; empty if there are none."""
        file_name = self.folder / f"{name}.timing.csv"
        if not file_name.is_file():
            self._miss(name, "DECK.timing.csv")
            return {}
        seconds = dict.fromkeys(SECTIONS, 0.0)
        total = None
        for line in file_name.read_text(encoding="utf-8").splitlines()[1:]:
            section, _, rest = line.partition(",")
            section = section.partition(":")[0]  # as in "set-up: solver and filter"
            section = OLD_NAMES.get(section, section)
            time = data.number(rest.rpartition(",")[2])
            if math.isnan(time):
                continue
            if section == "total":
                total = time
            else:
                seconds[section if section in seconds else "other"] += time
        seconds["total"] = sum(seconds.values()) if total is None else total
        if not seconds["total"] > 0:
            self.notes.append(f"skipped: {file_name.name}: no times in it")
            return {}
        return seconds

    # -- what figures and tables ask for

    def decks(self, example):
        """Decks of an example with rows, by size."""
        known = {key[0] for key in self.operators} | {key[0] for key in self.solves}
        return [f"{example}{size}" for size in SIZES if f"{example}{size}" in known]

    def size_of(self, deck, what="dofs"):
        return next((row[what] for rows in (self.operators, self.solves) for key, row in rows.items()
                     if key[0] == deck), math.nan)

    def strategies(self, backend, precision, example=""):
        """Names of the operators that were measured somewhere, in the order of legends."""
        names = {key[2] for key, row in self.operators.items()
                 if key[0].startswith(example) and key[1] == backend and key[3] == precision
                 and usable(row, "median_s")}
        return sorted(names, key=lambda name: (data.rank(name), name))

    def fastest(self, example, precision, names):
        """The GPU strategy of these with the shortest apply on the largest deck that has any; "" if none has."""
        for deck in reversed(self.decks(example)):
            times = [(self.apply_seconds(deck, "cuda", name, precision, 1), name) for name in names]
            times = [pair for pair in times if not math.isnan(pair[0])]
            if times:
                return min(times)[1]
        return ""

    def threads(self):
        """Numbers of threads of the CPU runs: [1, all]."""
        return sorted({key[4] for key in self.operators if key[1] == "cpu"})

    def processors(self, precision):
        """(operator, number of threads) that were measured on the CPU: some operators have one thread only."""
        return [(name, n) for name in self.strategies("cpu", precision) for n in self.threads()
                if any(key[1:] == ("cpu", name, precision, n) and usable(row, "median_s")
                       for key, row in self.operators.items())]

    def apply_seconds(self, *key):
        return value(self.operators.get(key), "median_s")

    def memory(self, *key):
        return value(self.operators.get(key), "memory_bytes")

    def solve_seconds(self, *key):
        """(seconds of the whole solve, whether extrapolated); nan if unknown.

        A solve that met its limit of time counts with its seconds per iteration times the iterations that complete
        solves of the same deck and precision took: in exact arithmetic all operators take the same."""
        row = self.solves.get(key)
        seconds = value(row, "seconds")
        if math.isnan(seconds) or not row["status"].startswith("stopped"):
            return seconds, False
        return seconds / row["iterations"] * self.solve_iterations(key[0], key[3]), True

    def solve_iterations(self, deck, precision):
        complete = [row["iterations"] for key, row in self.solves.items()
                    if key[0] == deck and key[3] == precision and usable(row, "seconds")
                    and not row["status"].startswith("stopped")]
        return statistics.median(complete) if complete else math.nan

    def average_iterations(self, name):
        """(PCG iterations per solve on average, number of design iterations)"""
        history = self.histories.get(name)
        if not history:
            return math.nan, 0
        return statistics.fmean(row["solver_iterations"] for row in history), len(history)

    def label(self, decks, places):
        """One line for all these runs."""
        labels = [self._labels[deck, place] for deck in decks for place in places if (deck, place) in self._labels]
        return data.label_text(data.merge_labels(labels))


def usable(row, column):
    return not math.isnan(value(row, column))


def value(row, column):
    """A cell; nan also where the operator was found to be wrong."""
    if row is None or row["status"].startswith("WRONG"):
        return math.nan
    return row.get(column, math.nan)


def read_header(file_name):
    """What the log's first lines say, from the comment that begins parameters.prm: program, device, operator, ..."""
    header = {}
    if file_name.is_file():
        for line in file_name.read_text(encoding="utf-8").splitlines():
            if not line.startswith("# "):
                break
            entry = re.match(r"#\s{2,}(\w+)\s{2,}(.*)", line)
            if entry:
                header[entry[1]] = entry[2].strip()
            else:
                header.setdefault("program", line[1:].strip())
    return header

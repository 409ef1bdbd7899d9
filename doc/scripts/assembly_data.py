# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The files of assembly_study.sh as rows and as tables."""
import csv
import re
from pathlib import Path

MESHES = {"box": "box, hex8", "hex20": "hollow cylinder, hex20", "tet4": "hollow cylinder, tet4",
          "tet10": "hollow cylinder, tet10", "rod": "connecting rod, hex8"}
KINDS = ["hex20", "tet4", "tet10", "rod"]
FORMATS = ["COO", "CSR", "ELL"]
UPLOAD, NEIGHBOURS, INDICES, PREPARATION, VALUES, PATTERN = (
    "0 upload", "1 neighbours", "2 indices", "3 preparation", "3 values", "1+2 pattern")
LIBRARIES = ["deal.II", "Trilinos"]
NUMBERS = {"elements": int, "nodes": int, "dofs": int, "nonzeros": int, "threads": int, "longest_row": int}
WORDS = {"deck", "element", "backend", "stage", "precision", "format", "method", "integration", "step", "status", "kernel"}


def read(file_name):
    """Rows as dictionaries, numbers as numbers, NaN where there is none; and the label."""
    label, lines = [], []
    for line in Path(file_name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            label.append(line[2:])
        else:
            lines.append(line)
    rows = []
    for row in csv.DictReader(lines):
        for key, text in row.items():
            if key not in WORDS:
                row[key] = NUMBERS.get(key, float)(text) if text else float("nan")
        rows.append(row)
    return rows, label


class Study:
    """All runs in a folder: rows of steps and of memory, each with `kind` and `size` of its mesh; and of counters, by
    (element, precision)."""

    def __init__(self, folder):
        self.steps, self.memory, self.labels = [], [], {}
        self.counters = {tuple(path.stem.split("-")[1:]): read(path)[0] for path in sorted(Path(folder).glob("counters-*.csv"))}
        for name, target in (("assembly", self.steps), ("memory", self.memory)):
            for path in sorted(Path(folder).glob(f"*.{name}.csv")):
                match = re.fullmatch(r"(gpu|cpu)-(\w+?)(?:-(\d))?", path.name.split(".")[0])
                if match is None:
                    continue
                rows, label = read(path)
                for row in rows:
                    row["kind"], row["size"] = match[2], int(match[3] or 0)
                target += rows
                self.labels[match[1]] = label

    def rows(self, **wanted):
        """Sums of stages ("all") unless a step is asked for, of what ran and was right."""
        wanted.setdefault("step", "all")
        wanted.setdefault("status", "ok")
        return [row for row in self.steps if all(row[key] == value for key, value in wanted.items())]

    def median(self, **wanted):
        """Seconds, of the fastest if several rows are meant; NaN if none is."""
        times = [row["median_s"] for row in self.rows(**wanted) if row["median_s"] == row["median_s"]]
        return min(times, default=float("nan"))

    def sizes(self, kind, backend="cuda"):
        """(size, DoFs) of the runs, ascending."""
        return sorted({(row["size"], row["dofs"]) for row in self.rows(kind=kind, backend=backend)})

    def once(self, **where):
        """Seconds of a preparation; 0 where a method has none."""
        seconds = self.median(stage=PREPARATION, **where)
        return 0.0 if seconds != seconds else seconds

    def generation(self, method, integration="-", fmt="CSR", precision="double", **where):
        """Seconds of all stages: fastest sort, indices, preparation, values."""
        values = {"method": method, "integration": integration, "format": fmt, "precision": precision}
        if method in LIBRARIES:
            return (self.median(stage=PATTERN, method=method, **where) + self.once(method=method, **where)
                    + self.median(stage=VALUES, **values, **where))
        return (self.median(stage=NEIGHBOURS, **where) + self.median(stage=INDICES, format=fmt, **where)
                + self.once(**values, **where) + self.median(stage=VALUES, **values, **where))

    def fastest(self, kind, size, backend, n_threads=None):
        """Method, integration and seconds of the fastest generation of our own in double, CSR."""
        where = {"kind": kind, "size": size, "backend": backend}
        if n_threads is not None:
            where["threads"] = n_threads
        found = {(row["method"], row["integration"])
                 for row in self.rows(stage=VALUES, precision="double", format="CSR", **where)} - {
                     (library, "-") for library in LIBRARIES}
        times = [(self.generation(method, integration, **where), method, integration) for method, integration in found]
        return min((t for t in times if t[0] == t[0]), default=(float("nan"), "-", "-"))

    def label(self, machine):
        return [line for line in self.labels.get(machine, []) if not line.startswith("deck")]


def number(value, digits=3):
    """Significant digits without an exponent; a dash for what was not measured."""
    if value != value:
        return "-"
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text else text


def markdown(headers, rows, n_left=1):
    lines = ["| " + " | ".join(headers) + " |",
             "|" + "|".join(["---"] * n_left + ["---:"] * (len(headers) - n_left)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def variant(method, integration):
    return method if integration == "-" else f"{method}, {integration}"

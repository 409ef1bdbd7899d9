# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Tables with the figures of Sanfui and Sharma (2020) beside ours; sources_tables.py puts them into pages."""
import assembly_data
from assembly_source import MESHES
from sources_data import RESULTS, number, source, table

FOLDER = RESULTS / "assembly"
COMMAND = "    doc/scripts/assembly_source.py build doc/results/assembly"


class Run:
    """What strut measured on one mesh: milliseconds of the fastest variant."""

    def __init__(self, name):
        self.steps, self.label = assembly_data.read(FOLDER / f"source-{name}.assembly.csv")
        self.solves, _ = assembly_data.read(FOLDER / f"source-{name}.solve.csv")
        self.memory, _ = assembly_data.read(FOLDER / f"source-{name}.memory.csv")
        self.nodes, self.element = self.steps[0]["nodes"], self.steps[0]["element"]

    def ms(self, stage, step="all", **wanted):
        times = [row["median_s"] for row in self.steps
                 if row["stage"] == stage and row["step"] == step and all(row[key] == word for key, word in wanted.items())]
        return 1e3 * min(times) if times else float("nan")

    def neighbours(self, sort="warp", step="all"):
        return self.ms(assembly_data.NEIGHBOURS, step, method=f"{sort} sort")

    def indices(self):
        return self.ms(assembly_data.INDICES, format="ELL")

    def values(self, method, integration=None):
        """One generation: what is made once for a mesh, and the values."""
        ways = [integration] if integration else ["one thread", "team"]
        sums = []
        for way in ways:
            wanted = {"format": "ELL", "method": method, "integration": way}
            once = self.ms(assembly_data.PREPARATION, **wanted)
            sums.append(self.ms(assembly_data.VALUES, **wanted) + (once if once == once else 0.))
        sums = [value for value in sums if value == value]
        return min(sums) if sums else float("nan")

    def fastest(self):
        return self.neighbours() + self.indices() + min(
            self.values(method) for method in ("same kernel", "separate kernels", "gather"))

    def megabytes_of_values(self):
        """ELL has 8 bytes of value and 4 of column for each entry."""
        return next(row["measured_bytes"] for row in self.memory if row["format"] == "ELL") * 8 / 12 / 1e6


def found():
    """Runs by the number of nodes in the paper."""
    return {nodes: Run(name) for name, (_, _, _, nodes) in MESHES.items()
            if (FOLDER / f"source-{name}.solve.csv").is_file()}


def with_label(text, of):
    if not text:
        return ""
    label = [line for line in of.label if not line.startswith(("deck", "libraries", "norm"))]
    return f"{COMMAND}\n\n{text}\n\nLabel: " + "; ".join(label) + ". The paper's: Tesla K40c."


def nearest(nodes, ours):
    """The run whose mesh has within 5 % as many nodes."""
    best = min(ours, key=lambda n: abs(n - nodes), default=None)
    return ours[best] if best is not None and abs(best - nodes) < 0.05 * nodes else None


def stage_1():
    """Table 1."""
    ours, rows, used = found(), [], None
    for row in source("generation-times"):
        run = ours.get(int(row["nodes"])) if row["table"] == "1" else None
        if run:
            used = run
            paper = 1e3 * float(row["neighbours_s"])
            rows.append([row["element"], f"{int(row['nodes']):,}", f"{run.nodes:,}", number(paper), number(run.neighbours("sequential")),
                         number(run.neighbours()), number(paper / run.neighbours())])
    headers = ["element", "nodes, paper", "ours", "paper, ms", "sort by one thread per node, ms", "by warps, ms", "paper / warps"]
    return with_label(table(headers, rows), used)


FUNCTIONS = ("countElemNum", "scan_1", "fillElemNum", "scan_2", "initializeNodeNum", "fillNodeNum", "thrustDynamicSort", "scan_3")
# Our steps, each in the column of the last function of the paper that it does the work of.
STEPS = {"fillElemNum": "element lists", "fillNodeNum": "node lists", "thrustDynamicSort": "sort and unique", "scan_3": "scan"}


def steps():
    """Tables 2 and 4, the eight functions of the paper one by one."""
    ours, rows, used = found(), [], None
    for row in source("generation-neighbours"):
        run = nearest(int(row["nodes"]), ours)
        if run:
            used = run
            rows.append([row["table"], f"{int(row['nodes']):,}", "paper"] + [number(1e3 * float(row[key])) for key in FUNCTIONS] +
                        ["", number(1e3 * sum(float(row[key]) for key in FUNCTIONS))])
            for sort, words in (("sequential", "a thread sorts"), ("warp", "a warp sorts")):
                cells = [number(run.neighbours(sort, STEPS[key])) if key in STEPS else "" for key in FUNCTIONS]
                rows.append(["", f"{run.nodes:,} {run.element}", words] + cells +
                            [number(run.neighbours(sort, "rows")), number(run.neighbours(sort))])
    headers = ["table", "nodes", "ms"] + [f"`{key}`" if not key.startswith("scan") else "scan" for key in FUNCTIONS] + ["rows", "all"]
    return with_label(table(headers, rows), used)


def upload():
    """The mesh's way to the device beside all stages."""
    rows, used = [], None
    for run in found().values():
        copy = run.ms(assembly_data.UPLOAD)
        if copy == copy:
            used = run
            rows.append([run.element, f"{run.nodes:,}", number(copy), number(run.fastest()), number(100 * copy / (copy + run.fastest()), 2)])
    return with_label(table(["element", "nodes", "upload, ms", "all stages, ms", "upload, % of both"], rows), used) if rows else ""


def stages(number_of_table):
    """Tables 3 and 5."""
    ours, rows, used = found(), [], None
    for row in source("generation-times"):
        run = ours.get(int(row["nodes"])) if row["table"] == number_of_table else None
        if run:
            used = run
            paper = [1e3 * float(row[key]) for key in ("neighbours_s", "indices_s", "values_s")]
            rows.append([f"{row['element']}; {run.element}", f"{int(row['nodes']):,}; {run.nodes:,}", ", ".join(map(number, paper)),
                         number(run.neighbours()), number(run.indices()), number(run.values("same kernel", "one thread")),
                         number(run.values("same kernel", "team")), number(run.values("separate kernels")), number(run.values("gather")),
                         number(run.fastest()), number(sum(paper) / run.fastest()), row["memory_mb"], number(run.megabytes_of_values())])
    headers = ["element, paper; ours", "nodes, paper; ours", "stages 1, 2, 3, paper, ms", "1, ms", "2, ms", "3: same kernel, a thread",
               "a team", "separate, atomics", "`gather`", "all, fastest", "paper / ours", "MB, paper", "of the values, ours"]
    return with_label(table(headers, rows), used)


def solves():
    """Figure 16(b)."""
    rows, used = [], None
    for run in found().values():
        used = run
        of = {row["format"]: row for row in run.solves}
        rows.append([run.element, f"{run.nodes:,}", f"{int(of['CSR']['iterations']):,}"] +
                    [text for fmt in ("CSR", "ELL") for text in (number(1e3 * of[fmt]["generation_s"]), number(1e3 * of[fmt]["solve_s"]),
                                                                 number(of[fmt]["percent_of_generation"], 2))])
    headers = ["element", "nodes", "iterations", "CSR: generation, ms", "solve, ms", "generation, %", "ELL: generation, ms", "solve, ms",
               "generation, %"]
    return with_label(table(headers, rows), used)


TABLES = {"generation-1": stage_1, "generation-2-4": steps, "generation-3": lambda: stages("3"),
          "generation-5": lambda: stages("5"), "generation-solves": solves, "generation-upload": upload}

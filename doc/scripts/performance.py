#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The runs behind doc/performance.md, on a machine with one GPU; all of its numbers are of one commit.

  doc/scripts/performance.py --list
  doc/scripts/performance.py --build build --output OUT [PIECE...]     run them, or all; about six minutes in all on an H200

A piece leaves OUT/PIECE.json, with the label of the program and the GPU; copied to doc/results/performance/ they are what
sources_tables.py draws the tables of the page from. A whole program runs as often as --repeat says; its times are medians.
Without a GPU (--trial) each run has two designs of a small mesh, to see that the script works.
"""
import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOX = ("Mesh / Box / Elements", "Mesh / Box / Size")
STREAMED = {"Output / Fields": "density", "Output / Checkpoint every": 0}


def box(n, **more):
    return {entry: f"{2 * n}, {n}, {n}" for entry in BOX} | more


# Whole programs: deck, entries that differ from it, repetitions at most.
WHOLE = {
    "cb5": ("multigrid/cb5", {}, 3),
    "mc": ("multigrid/mc", {}, 3),
    "cr": ("multigrid/cr", {}, 3),
    "cb8m": ("multigrid/cb8m", {}, 3),
    "65m": ("multigrid/cb8m", box(320) | {"Optimization / Filter radius": 10, "Optimization / Maximum iterations": 10}, 1),
    "268m": ("multigrid/cb8m", box(512) | STREAMED | {"Optimization / Filter radius": 3, "Optimization / Maximum iterations": 3}, 1),
    "537m": ("multigrid/cb8m", {entry: "1280, 640, 656" for entry in BOX} | STREAMED
             | {"Optimization / Filter radius": 3, "Optimization / Maximum iterations": 3}, 1),
}
MMA = {"Optimization / Update": "mma", "Optimization / Filter": "projection", "Optimization / Maximum iterations": 15}
DENSITY = MMA | {"Optimization / Filter": "density"}
# What a design costs: entries of cb8m.
OBJECTIVES = {
    "compliance, optimality criteria": {"Optimization / Maximum iterations": 15},
    "compliance, `mma`, `projection`": MMA,
    "the same, `Robust / Fields = eroded`": MMA | {"Optimization / Robust / Fields": "eroded"},
    "the same, `Robust / Fields = worst case`": MMA | {"Optimization / Robust / Fields": "worst case"},
    "compliance, `mma`, `density`": DENSITY,
    "frequency, three modes": DENSITY | {"Optimization / Maximise": "frequency", "Optimization / Frequency / Tolerance": "1e-5",
                                        "Optimization / Volume fraction": 0.5, "Optimization / Move limit": 0.05},
    "compliance, `Maps = helmholtz`": {"Optimization / Maximum iterations": 15, "Optimization / Filter": "none",
                                       "Optimization / Maps": "helmholtz"},
}
SMALL = {BOX[0]: "16, 8, 8", BOX[1]: "16, 8, 8", "Optimization / Maximum iterations": 2, "Optimization / Filter radius": 1.5}


class Runner:
    def __init__(self, options):
        self.build, self.out, self.trial, self.repeat = options.build.resolve(), options.output.resolve(), options.trial, options.repeat
        self.work = self.out / "work"
        self.work.mkdir(parents=True, exist_ok=True)

    def run(self, command, good=(0,)):
        begin = time.monotonic()
        done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in good:
            raise RuntimeError(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout[-500:]}{done.stderr[-1500:]}")
        return time.monotonic() - begin

    def strut(self, deck, entries):
        """One run: wall seconds, seconds by part, seconds and iterations per design, memory."""
        folder = self.work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        if self.trial:
            entries = {name: value for name, value in {**entries, **SMALL}.items() if "Michell" not in name}
        sets = [part for name, value in entries.items() for part in ("--set", f"{name} = {value}")]
        deck = "multigrid/cb5" if self.trial else deck
        wall = self.run([self.build / "strut", f"prm/{deck}.prm", "--output", folder, *sets], good=(0, 3))
        summary = json.loads((folder / "summary.json").read_text())
        with open(folder / "history.csv", encoding="utf-8") as file:
            history = list(csv.DictReader(file))
        seconds = summary["seconds"]
        parts = {"set-up": 0., "output": 0., "loop": 0.}
        for name, value in seconds.items():
            if name != "total":
                parts[name.split(":")[0] if ":" in name else "loop"] += value
        designs = [float(row["seconds"]) for row in history[1:]]
        iterations = [int(row["solver_iterations"]) for row in history]
        found = {"elements": summary["sizes"]["elements"], "designs": len(history), "wall": wall, "outside": wall - seconds["total"],
                 **parts, "filter per call": None, "seconds per design": statistics.median(designs),
                 "seconds per design, least and most": [min(designs), max(designs)],
                 "iterations, mean and most": [statistics.mean(iterations), max(iterations)],
                 "bytes of the backend": summary["peak memory in bytes"]["backend"],
                 "bytes of the host": summary["peak memory in bytes"]["host"]}
        with open(folder / "timing.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["section"] == "filter":
                    found["filter per call"] = float(row["seconds"]) / int(row["calls"])
        self.label = {**summary["label"], "cores": len(os.sched_getaffinity(0))}
        shutil.rmtree(folder, ignore_errors=True)
        return found

    def compare(self, deck, *options, launcher=()):
        """Rows of strut-compare, with the lines of its label."""
        folder = self.work / "compare"
        shutil.rmtree(folder, ignore_errors=True)
        sets = [part for name, value in SMALL.items() for part in ("--set", f"{name} = {value}")] if self.trial else []
        self.run([*launcher, self.build / "strut-compare", f"prm/{'multigrid/cb5' if self.trial else deck}.prm", "--output", folder,
                  *options, *sets])
        rows, labels = [], []
        for path in sorted(folder.glob("*.operators.csv")) + sorted(folder.glob("*.solvers.csv")):
            lines = path.read_text(encoding="utf-8").splitlines()
            labels += [line[2:] for line in lines if line.startswith("# ")]
            rows += list(csv.DictReader(line for line in lines if not line.startswith("#")))
        return {"label": labels, "rows": rows}


def whole(names):
    def piece(runner):
        found = {}
        for name in names:
            deck, entries, most = WHOLE[name]
            runs = [runner.strut(deck, entries) for _ in range(1 if runner.trial else min(most, runner.repeat))]
            runs.sort(key=lambda run: run["wall"])
            found[name] = {**runs[len(runs) // 2], "walls": [run["wall"] for run in runs]}
        return found
    return piece


def objectives(runner):
    return {name: runner.strut("multigrid/cb8m", entries) for name, entries in OBJECTIVES.items()}


def operators(runner):
    here = ("--backends", "cpu", "--threads", "1") if runner.trial else ("--backends", "cuda")
    few = ("--operators", "on_the_fly,ebe" if runner.trial else "on_the_fly,on_the_fly_ordered,ebeSym,ebe,assembled", "--no-solves",
           "--baseline", "ebe", "--apply-seconds", "0.3")
    return {deck: runner.compare(f"thesis/{deck}", *here, *few) for deck in ("cb5", "mc5")}


def ranks(runner):
    """Operators and solvers on all cores, one rank each, beside deal.II and Trilinos."""
    launcher = ("mpirun", "-n", "2" if runner.trial else str(min(16, os.cpu_count())), "--bind-to", "core")
    return {"operators": runner.compare("multigrid/cb5", "--precisions", "double", "--backends", "cpu", "--threads", "1", "--no-solves",
                                        "--operators", "on_the_fly,dealii_matrix_free,trilinos_csr", "--baseline", "on_the_fly",
                                        launcher=launcher),
            "solvers": runner.compare("multigrid/cb5", "--solvers", "multigrid,ml", "--designs", "uniform,frame", "--backends", "cpu",
                                      "--threads", "1", launcher=launcher)}


def solvers(runner):
    here = ("--backends", "cpu", "--threads", "1") if runner.trial else ("--backends", "cuda")
    return runner.compare("multigrid/cb5", "--solvers", "multigrid", "--designs", "uniform,frame", *here)


PIECES = {  # name: (expected seconds on an H200 with 16 cores, function)
    "whole": (90, whole(("cb5", "mc", "cr", "cb8m", "65m"))),
    "large": (170, whole(("268m", "537m"))),
    "objectives": (70, objectives),
    "operators": (30, operators),
    "solvers": (15, solvers),
    "ranks": (150, ranks),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join(PIECES))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--output", type=Path, default=ROOT / "results/performance")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--trial", action="store_true")
    options = parser.parse_args()
    unknown = set(options.pieces) - set(PIECES)
    if unknown:
        parser.error(f"there is no piece {', '.join(sorted(unknown))}; choose from {', '.join(PIECES)}")
    if options.list:
        for name, (seconds, _) in PIECES.items():
            print(f"{name:12s} {seconds:4d} s")
        return 0
    runner, failed = Runner(options), 0
    for name in options.pieces or PIECES:
        begin = time.monotonic()
        try:
            found = PIECES[name][1](runner)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            print(f"{name}: FAILED: {error}", flush=True)
            failed = 1
            continue
        text = json.dumps({"label": getattr(runner, "label", None), "data": found}, indent=1)
        (runner.out / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)
    shutil.rmtree(runner.work, ignore_errors=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

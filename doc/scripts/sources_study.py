#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The runs behind the tables that compare strut with its sources, piece by piece, on a machine with one GPU.

  doc/scripts/sources_study.py --list ['PATTERN' ...]
  doc/scripts/sources_study.py --build build --output results/sources 'evolution-mast-*' slides-line

A piece is one line of --list: a name and the seconds that we expect on an H200 with 16 cores. Patterns are those of a
shell; --list adds up what they select. It runs strut, and thesis_study.sh for the thesis; they need prm/ and doc/scripts/,
nothing else. A piece that fails, or meets --limit, does not stop the next; the exit code is then 1. With --resume, an evolution
that met the limit goes on where it was, and its seconds in all are those of its sections. Pieces on one thread may run beside
those on the GPU: start the script twice.

Into the output folder go, to be copied to doc/results/ and drawn by sources_tables.py:
  thesis-study/      files of thesis_study.sh, also in double/, stop/, loads-*/, layers/, shares/STRATEGY/, one-thread/
  evolutionary/CASE.csv, one-shot/CASE.csv      the history below the label of the run; CASE.timing.csv: its sections
  logs/                                         the output of the programs
  work/, or the folder of --work                designs and their surfaces, of those with a picture alone
"""
import argparse
import csv
import fnmatch
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
STRATEGIES = ("ebe", "nbn", "ebe8", "ebe24", "ebe64", "ebeSym", "on_the_fly")
GRACE_SECONDS = 30  # for a program that was interrupted to write its results


def without_descriptions(parameters):
    """parameters.prm with the label that begins it and its entries, without the descriptions of the entries."""
    kept, is_label = [], True
    for line in parameters.splitlines():
        is_comment = line.lstrip().startswith("#")
        is_label = is_label and is_comment and (not kept or line.startswith("#   "))
        if is_label or (line.strip() and not is_comment):
            kept.append(line)
    return "\n".join(kept) + "\n"


class Piece(NamedTuple):
    name: str
    seconds: float  # expected
    what: str
    run: Callable


class Runner:
    """Runs the programs and collects their files."""

    def __init__(self, options):
        self.build, self.out, self.trial = options.build.resolve(), options.output.resolve(), options.trial
        self.work = (options.work or options.output / "work").resolve()
        self.limit, self.analyses, self.resume = options.limit, options.analyses, options.resume
        self.launcher = shlex.split(options.launcher)
        self.deadline = None

    def call(self, name, command, environment=None, good=(0,)):
        """Run with the output in a log, interrupted at the limit of the piece. @return whether it ended by itself, well"""
        log = self.out / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "w", encoding="utf-8") as stream:
            process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=stream, stderr=subprocess.STDOUT,
                                       env={**os.environ, **(environment or {})}, start_new_session=True)
            try:
                status = process.wait(None if self.deadline is None else max(1.0, self.deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)  # strut ends after the analysis, and writes its results
                try:
                    process.wait(GRACE_SECONDS)
                except subprocess.TimeoutExpired:
                    pass
                print(f"  {name}: stopped at the limit of {self.limit:g} s", flush=True)
                return False
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        if status not in good:
            print(f"  {name}: FAILED with exit code {status}; the end of {log}:", flush=True)
            print("\n".join("    " + line for line in log.read_text(encoding="utf-8").splitlines()[-6:]), flush=True)
        return status in good

    def strut(self, folder, case, deck, entries, threads=None, keep=False):
        """One deck; its history with a label, and its times. A run that was interrupted leaves those of its designs."""
        work = self.work / case
        if not self.resume:
            shutil.rmtree(work, ignore_errors=True)
        command = [*self.launcher, self.build / "strut", f"prm/evolutionary/{deck}.prm", "--output", work]
        command += ["--resume=auto"] if self.resume else []
        for entry, value in {**entries, "Output / Checkpoint every": 20 if self.resume else 0}.items():
            command += ["--set", f"{entry} = {value}"]
        begin = time.monotonic()
        # 3: done, but the design misses its volume, as after the first analyses of an evolution
        well = self.call(case, command + (["--threads", threads] if threads else []), good=(0, 3))
        if (work / "history.csv").is_file() and (work / "parameters.prm").is_file():
            self.collect(self.out / folder / case, work, time.monotonic() - begin)
        if not keep and (well or not self.resume):
            shutil.rmtree(work, ignore_errors=True)
        return well

    def collect(self, target, work, seconds):
        target.parent.mkdir(parents=True, exist_ok=True)
        label = []
        for line in (work / "parameters.prm").read_text(encoding="utf-8").splitlines():
            if not line.startswith("#") or (label and not line.startswith("#   ")):
                break
            if "Output directory" not in line:  # a path of this machine
                label.append(line)
        label.append(f"#   program    {seconds:.2f} s in all")
        if (work / "summary.json").is_file():
            summary = json.loads((work / "summary.json").read_text(encoding="utf-8"))
            label += [f"#   status     {summary['status']}", f"#   date       {summary['label']['date'][:10]}",
                      f"#   elements   {summary['sizes']['elements']}", f"#   unknowns   {summary['sizes']['degrees of freedom']}"]
            label += [f"#   memory     {place}: {number}" for place, number in summary["peak memory in bytes"].items()]
        history = (work / "history.csv").read_text(encoding="utf-8")
        target.with_name(target.name + ".csv").write_text("\n".join(label) + "\n" + history, encoding="utf-8")
        if (work / "timing.csv").is_file():
            shutil.copy(work / "timing.csv", target.with_name(target.name + ".timing.csv"))

    def thesis(self, example, step, folder, **environment):
        """thesis_study.sh on one example."""
        environment = {"STRUT_BUILD": str(self.build), "STEPS": step, **environment}
        if self.trial:
            environment.update(SIZES="1", ITERATIONS="2", BACKEND="cpu", OPERATOR="ebe", SOLVE_SECONDS="1", CPU_SOLVE_SECONDS="1")
            environment["STEPS"] = step.replace("gpu", "").strip()
        name = f"{folder.replace('/', '-')}-{example}"
        work = self.work / folder
        well = self.call(name, [ROOT / "doc/scripts/thesis_study.sh", example, work], environment)
        for pattern in ("*.csv", "cpu/*.csv", "*.parameters.prm"):
            for file in work.glob(pattern):
                target = self.out / folder / file.relative_to(work)
                target.parent.mkdir(parents=True, exist_ok=True)
                if file.suffix == ".prm":
                    target.write_text(without_descriptions(file.read_text(encoding="utf-8")), encoding="utf-8")
                else:
                    shutil.copy(file, target)
        shutil.rmtree(work, ignore_errors=True)
        return well


# Elements of the decks, and fewer of them for --trial.
BOXES = {"mast": ("60, 28, 148", "20, 8, 40"), "bridge": ("184, 40, 96", "92, 20, 48"), "mbb": ("432, 144, 144", "36, 12, 12"),
         "one-shot-designs": ("179, 179, 359", "19, 19, 39"), "one-shot-line": ("79, 79, 159", "19, 19, 39")}


def box(runner, deck):
    return {"Mesh / Box / Elements": BOXES[deck][1]} if runner.trial else {}


def evolution(runner, deck, solver, outside, tolerance, analyses=None, place="gpu", more=None, suffix=""):
    """An evolution, or its first analyses. The designs of whole ones are kept as surfaces."""
    analyses = runner.analyses or analyses
    entries = {**box(runner, deck), "Backend": "cuda" if place == "gpu" and not runner.trial else "cpu",
               "Solver / Preconditioner": solver, "Solver / Tolerance": tolerance, "Solver / Maximum iterations": 100000,
               "Optimization / Iso stress / Outside elements": outside, **(more or {})}
    if analyses:
        entries["Optimization / Maximum iterations"] = analyses
    keep = (analyses, solver, outside, tolerance, suffix) == (None, "multigrid", "exclude", "1e-5", "")
    if keep:
        entries["Output / Surface"] = "true"
    case = f"{deck}-{solver}-{outside}-{tolerance}{suffix}" + ("" if place == "gpu" else f"-{place}")
    return runner.strut("evolutionary", case, deck, entries, threads=1 if place == "cpu1" else None, keep=keep)


def source_cycle(runner, deck, damping, tolerance, outside):
    """The evolution by the cycle and the criterion of the source: V(1,1), damped Jacobi, Galerkin, sqrt(r.z) <= tolerance |f|."""
    cycle = {"Solver / Smoother": "damped jacobi", "Solver / Damping": damping, "Solver / Smoothing steps": 1,
             "Solver / Coarse operators": "galerkin", "Solver / Stopping criterion": "preconditioned"}
    return evolution(runner, deck, "multigrid", outside, tolerance, more=cycle, suffix=f"-source-{damping}")


def residuals(runner, deck, solver):
    """The first analysis to one tolerance after the other: points of the residual over iterations and seconds."""
    rows, label = [], []
    for tolerance in ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10"):
        entries = {**box(runner, deck), "Backend": "cpu" if runner.trial else "cuda", "Solver / Preconditioner": solver,
                   "Solver / Tolerance": tolerance, "Solver / Maximum iterations": 100000, "Optimization / Maximum iterations": 1}
        case = f"{deck}-{solver}-residuals"
        if not runner.strut("evolutionary", case, deck, entries):
            return False
        file = runner.out / "evolutionary" / f"{case}.csv"
        lines = file.read_text(encoding="utf-8").splitlines()
        label = [line for line in lines if line.startswith("#") and "Tolerance" not in line and "program " not in line]
        row = next(csv.DictReader(line for line in lines if not line.startswith("#")))
        rows.append(f"{tolerance},{row['solver_iterations']},{row['residual']},{row['seconds']}")
        file.with_name(f"{case}.timing.csv").unlink()
    file.write_text("\n".join(label + ["tolerance,iterations,residual,seconds"] + rows) + "\n", encoding="utf-8")
    return True


def gradients(runner, operator, precision, place="gpu"):
    """Iterations of conjugate gradients on the first design: 1,000 on the GPU, some on the CPU; sections have their time."""
    on_gpu = place == "gpu"
    entries = {**box(runner, "one-shot-designs"), "Backend": "cuda" if on_gpu and not runner.trial else "cpu",
               "Solver / Preconditioner": "jacobi",
               "Operator": operator if on_gpu and not runner.trial else "on_the_fly", "Precision": precision,
               "Solver / Maximum iterations": 1000 if on_gpu else 50, "Solver / Tolerance": 1e-2 if on_gpu else 0.2,
               "Optimization / Maximum iterations": 1}
    case = f"cg-{operator}-{precision}-{place}"
    return runner.strut("one-shot", case, "one-shot-designs", entries, threads=1 if place == "cpu1" else None)


def designs(runner, deck, solver, iterations):
    """One hundred designs of a few iterations each."""
    entries = {**box(runner, deck), "Backend": "cpu" if runner.trial else "cuda", "Output / Surface": "true",
               "Solver / Preconditioner": solver, "Solver / Maximum iterations": iterations}
    if runner.trial:
        entries["Optimization / Maximum iterations"] = 3
    return runner.strut("one-shot", f"{deck}-{solver}-{iterations}", deck, entries, keep=True)


def pieces():
    """All pieces. Expected seconds are those of doc/studies/ and of the data behind them, or times per iteration and element
    there times iterations; where nothing was measured, the ratio of the source."""
    found = []

    def add(name, seconds, what, function, *arguments, **options):
        found.append(Piece(name, seconds, what, lambda runner: function(runner, *arguments, **options)))

    for example, seconds, double, stop, shares, ratios in (("cb", 101, 52, 300, 75, 75), ("lb", 189, 90, 400, 105, 80),
                                                           ("mc", 91, 52, 270, 85, 85), ("cr", 152, 78, 300, 100, 85)):
        add(f"thesis-iterations-{example}", seconds, "table 3.6: 50 designs, each solve from zero, ebeSym, float, five sizes",
            Runner.thesis, example, "zero", "thesis-study", PRECISION="float")
        add(f"thesis-double-{example}", double, "the same with on_the_fly in double, where every solve meets the criterion",
            Runner.thesis, example, "zero", "thesis-study/double", OPERATOR="on_the_fly", PRECISION="double")
        add(f"thesis-stop-{example}", stop, "ebeSym in double, until the thesis's criterion or 150 designs, five sizes",
            Runner.thesis, example, "zero", "thesis-study/stop", OPERATOR="ebeSym", PRECISION="double", ITERATIONS="150",
            STOP="compliance change")
        add(f"thesis-shares-{example}", shares, "share of each step, 5 designs, float: ebe, nbn at all sizes, others at 3 and 5",
            thesis_shares, example)
        add(f"thesis-ratios-{example}", ratios, "ebe, nbn on the GPU and on one CPU thread: sizes 1, 3, 5",
            Runner.thesis, example, "gpu cpu", "thesis-study/one-thread", OPERATORS="ebe,nbn", THREADS="1", SIZES="1 3 5",
            SOLVE_SECONDS="20", CPU_SOLVE_SECONDS="6")
    for example in LAYERS:
        for factor in (100, 10000):
            add(f"thesis-loads-{example}-{factor}", 60, f"iterations under {factor} times the loads: the criterion / {factor}^2, sizes 1 to 3",
                Runner.thesis, example, "zero", f"thesis-study/loads-{factor}", OPERATOR="on_the_fly", PRECISION="double", SIZES="1 2 3",
                ENTRIES=f"Solver / Tolerance = {1e-5 / factor**2:g}")
        add(f"thesis-layers-{example}", 40, "iterations on meshes of three layers, with the thesis's numbers of unknowns: sizes 1 and 3",
            thesis_layers, example)
    whole = {("mast", "jacobi", "exclude"): (7, 9), ("mast", "jacobi", "include"): (25, 30), ("mast", "multigrid", "exclude"): (4, 5),
             ("mast", "multigrid", "include"): (6, 8), ("bridge", "jacobi", "exclude"): (67, 85),
             ("bridge", "jacobi", "include"): (195, 250), ("bridge", "multigrid", "exclude"): (11, 13),
             ("bridge", "multigrid", "include"): (15, 18)}
    for (deck, solver, outside), seconds in whole.items():
        for tolerance, expected in zip(("1e-5", "3e-7"), seconds):
            add(f"evolution-{deck}-{solver}-{outside}-{tolerance}", expected, f"outside elements: {outside}; all analyses",
                evolution, deck, solver, outside, tolerance)
    for deck, solver, one, every in (("mast", "multigrid", 30, 8), ("mast", "jacobi", 100, 25), ("bridge", "multigrid", 200, 40),
                                     ("bridge", "jacobi", 1200, 180)):
        for place, expected in (("cpu1", one), ("cpuall", every)):
            add(f"evolution-{deck}-{solver}-{place}", expected, f"the first 20 analyses on {'one thread' if place == 'cpu1' else 'all cores'}",
                evolution, deck, solver, "exclude", "1e-5", 20, place)
    for deck, damping, tolerance, expected in (("mast", 0.4, "1e-12", 9), ("bridge", 0.4, "1e-12", 45), ("bridge", 0.6, "1e-12", 45),
                                               ("mbb", 0.4, "1e-8", 300)):
        for outside in ("exclude", "include"):
            add(f"evolution-{deck}-source-{damping}-{outside}", expected,
                f"cycle and stopping rule of the source, damped by {damping}; outside elements: {outside}", source_cycle, deck, damping,
                tolerance, outside)
    for outside in ("exclude", "include"):
        add(f"evolution-mbb-multigrid-{outside}", 100, f"all analyses; outside elements: {outside}", evolution, "mbb", "multigrid", outside,
            "1e-5")
    add("evolution-mbb-factor", 250, "all analyses by the redistribution factor", evolution, "mbb", "multigrid", "exclude", "1e-5",
        more={"Optimization / Iso stress / Level": "redistribution factor"}, suffix="-factor")
    add("evolution-mbb-jacobi", 1200, "all analyses", evolution, "mbb", "jacobi", "exclude", "1e-5")
    for deck, expected in (("mast", 12), ("bridge", 20)):
        for solver in ("jacobi", "multigrid"):
            add(f"evolution-{deck}-residuals-{solver}", expected, "the residual of the first analysis", residuals, deck, solver)
    for operator, precision, expected in (("on_the_fly", "double", 17), ("on_the_fly", "float", 15), ("slices", "double", 27)):
        add(f"slides-cg-{operator}-{precision}", expected, "1,000 iterations on 180 x 180 x 360 nodes", gradients, operator, precision)
    add("slides-cg-cpuall", 60, "the time of an iteration there on all cores", gradients, "on_the_fly", "double", "cpuall")
    add("slides-cg-cpu1", 150, "the time of an iteration there on one thread", gradients, "on_the_fly", "double", "cpu1")
    for solver, iterations, expected, line in (("multigrid", 3, 60, 8), ("jacobi", 50, 60, 5)):
        few = f"100 designs of {iterations} iterations with {solver}"
        add(f"slides-designs-{solver}", expected, f"{few} there", designs, "one-shot-designs", solver, iterations)
        add(f"slides-line-{solver}", line, f"{few} on 80 x 80 x 160 nodes, loaded along the length", designs, "one-shot-line", solver,
            iterations)
    return found


def thesis_shares(runner, example):
    results = [runner.thesis(example, "zero", f"thesis-study/shares/{strategy}", OPERATOR=strategy, PRECISION="float",
                             SIZES="1 2 3 4 5" if strategy in ("ebe", "nbn") else "3 5", ITERATIONS="5")
               for strategy in (STRATEGIES[:2] if runner.trial else STRATEGIES)]
    return all(results)


# Meshes of three layers with as many elements as the decks, by example and size.
LAYERS = {
    "mc": ("Michell", ("Elements along arc", "Elements from arc", "Elements to far side"),
           {"1": (156, 46, 72), "3": (332, 102, 166)}),
    "cr": ("Connecting rod", ("Elements across", "Elements upper ring", "Elements upper field", "Elements lower ring",
                              "Elements lower field", "Elements between"),
           {"1": (52, 6, 20, 6, 14, 26), "3": (130, 10, 46, 10, 36, 64)}),
}


def thesis_layers(runner, example):
    section, names, sizes = LAYERS[example]
    results = []
    for size, numbers in sizes.items():
        entries = [f"Mesh / {section} / {name} = {number}" for name, number in (*zip(names, numbers), ("Layers", 3))]
        results.append(runner.thesis(example, "zero", "thesis-study/layers", OPERATOR="on_the_fly", PRECISION="double", SIZES=size,
                                     ENTRIES="\n".join(entries)))
    return all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", help="names of pieces, or patterns of them (default with --list: all)")
    parser.add_argument("--list", action="store_true", help="print the pieces with the seconds expected; run nothing")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder with strut and strut-compare")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "sources", help="folder of the results")
    parser.add_argument("--work", type=Path, help="folder of designs for ParaView (default: work in that of the results)")
    parser.add_argument("--limit", type=float, help="seconds for each piece; it is then interrupted, and keeps what it has")
    parser.add_argument("--resume", action="store_true", help="go on with evolutions that met the limit")
    parser.add_argument("--launcher", default="", metavar="COMMAND", help="runs evolutions on several ranks: 'mpirun -n 2'")
    parser.add_argument("--analyses", type=int, help="the first analyses of evolutions alone")
    parser.add_argument("--trial", action="store_true", help="small meshes and few designs on the CPU: try the script")
    options = parser.parse_args()

    known = pieces()
    chosen = [p for p in known if any(fnmatch.fnmatchcase(p.name, pattern) for pattern in options.patterns or ["*"])]
    unknown = [pattern for pattern in options.patterns if not fnmatch.filter([p.name for p in known], pattern)]
    if unknown or not (options.patterns or options.list):
        parser.error(f"no piece is called {', '.join(unknown)}; see --list" if unknown else "name pieces; see --list")
    if options.list:
        for piece in chosen:
            print(f"{piece.name:42} {piece.seconds:6.0f} s   {piece.what}")
        print(f"{len(chosen)} pieces: {sum(piece.seconds for piece in chosen):.0f} s expected on an H200 with 16 cores")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the program in progress ends too
    runner, failed = Runner(options), []
    for piece in chosen:
        begin = time.monotonic()
        runner.deadline = begin + options.limit if options.limit else None
        print(f"{piece.name}: begins, some {piece.seconds:.0f} s expected", flush=True)
        if not piece.run(runner):
            failed.append(piece.name)
        print(f"{piece.name}: {'not whole' if piece.name in failed else 'done'} after {time.monotonic() - begin:.1f} s", flush=True)
    if failed:
        print("not whole: " + " ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

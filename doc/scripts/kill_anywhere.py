#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Kill a run at random moments, and go on each time on a random number of ranks.

    doc/scripts/kill_anywhere.py build/strut --kills 50 --ranks 1,2,3 --seed 1

Results and checkpoints are written on every iteration. After each kill every file that the series names must be
whole. When all kills are done the run goes on to its end, and its history must be that of a run that nobody killed:
the same text on one rank, else to 1e-6 (sums of several ranks are rounded in another order).
"""
import argparse
import csv
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("strut", type=pathlib.Path)
parser.add_argument("--deck", type=pathlib.Path, default=pathlib.Path("prm/cantilever.prm"))
parser.add_argument("--kills", type=int, default=50)
parser.add_argument("--ranks", default="1", help="numbers of ranks to choose from, with commas")
parser.add_argument("--iterations", type=int, default=100000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--set", action="append", default=[], help="as strut's")
options = parser.parse_args()
ranks = [int(n) for n in options.ranks.split(",")]
draw = random.Random(options.seed)
folder = pathlib.Path(tempfile.mkdtemp())


def command(name, n, iterations):
    entries = [f"Output / Output directory = {folder / name}", "Output / Results every = 1",
               "Output / Checkpoint every = 1", "Deterministic = true", "Backend = cpu", "Threads = 1",
               f"Optimization / Maximum iterations = {iterations}",
               "Optimization / Stopping criterion = none"] + options.set
    words = [str(options.strut.resolve()), str(options.deck), "--resume=auto"]
    for entry in entries:
        words += ["--set", entry]
    return words if n == 1 else ["mpirun", "--oversubscribe", "-n", str(n)] + words


def history(name):
    with open(folder / name / "history.csv") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def check_series(name):
    for series in (folder / name).glob("*.pvd"):
        for file in re.findall(r'file="([^"]*)"', series.read_text()):
            if not (folder / name / file).read_bytes().endswith(b"</VTKFile>\n"):
                sys.exit(f"{file} is not whole")


n_done = 0
begin = time.time()
for kill in range(options.kills):
    n = draw.choice(ranks)
    log = open(folder / "log", "w")
    process = subprocess.Popen(command("killed", n, options.iterations), stdout=log, stderr=log,
                               start_new_session=True)
    time.sleep(0.3 + 1.2 * draw.random() + (0.3 * n if n > 1 else 0))
    ended = process.poll()
    # the ranks have sessions of their own: find them by their command line
    os.killpg(process.pid, signal.SIGKILL) if ended is None else None
    subprocess.run(["pkill", "-KILL", "-f", str(folder / "killed")], check=False)
    process.wait()
    if ended not in (None, 0):
        sys.exit(f"exit code {ended}:\n" + (folder / "log").read_text())
    check_series("killed")
    n_done = len(history("killed")) if (folder / "killed" / "history.csv").exists() else 0
    print(f"kill {kill + 1}: {n} ranks, {n_done} iterations in the history", flush=True)
total = n_done + 3
for name in "killed", "whole":
    subprocess.run(command(name, ranks[0], total), check=True, stdout=subprocess.DEVNULL)
killed, whole = history("killed"), history("whole")
assert len(killed) == len(whole) == total, (len(killed), len(whole), total)
largest = 0.
for a, b in zip(killed, whole):
    if ranks == [1] and a != b:
        sys.exit(f"other history:\n{a}\n{b}")
    c, d = float(a["compliance"]), float(b["compliance"])
    largest = max(largest, abs(c - d) / abs(d))
if largest > 1e-6:
    sys.exit(f"compliances differ by {largest}")
print(f"{options.kills} kills in {time.time() - begin:.0f} s, {total} iterations: largest relative difference {largest:.2g}")
shutil.rmtree(folder)

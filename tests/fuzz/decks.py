#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Mutated decks: strut validates or refuses each, and never crashes, hangs, or fills the screen.

    tests/fuzz/decks.py build/strut --mutants 10000 --keep failures

A mutant is one of the decks of this repository, changed at one to four places. Some that are valid are run as well,
for two iterations: their history must be of finite numbers, and their volume the one that was asked for.
"""
import csv
import math
import pathlib
import re

import campaign
import limits
import mutations

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = ["tests/fuzz/every-entry.prm", "tests/decks/cantilever.prm"]
SHIPPED = ["prm/cantilever.prm", "prm/michell.prm", "prm/connecting-rod.prm", "prm/thesis/cb1.prm",
           "prm/thesis/lb1.prm", "prm/thesis/mc1.prm", "prm/thesis/cr1.prm"]
RUN = ["--threads", "1", "--set", "Optimization / Maximum iterations = 2", "--set",
       "Solver / Maximum iterations = 300", "--output", "results"]


def flat(path):
    """The text of a deck with what it includes."""
    lines = []
    for line in path.read_text().splitlines():
        if line.strip().startswith("include "):
            lines += flat(path.parent / line.split()[1])
        else:
            lines.append(line)
    return lines


def elements_of(text):
    """About how many elements a deck asks for."""
    product, refined = 1, 0
    for name, value in re.findall(r"set\s+([^=\n]*)=([^#\n]*)", text):
        numbers = [int(n) for n in re.findall(r"(?<![\w.])\d{1,18}(?![\w.])", value)]
        if "efinements" in name:
            refined += min(sum(numbers), 20)
        elif re.search(r"lements|ayers|ells|ircumferential|xial", name):
            product *= max(1, math.prod(numbers))
    return product * 8**refined


def mutant(random):
    """The text of a mutant. Meshes that are large, but fit the memory, are left out: they take minutes."""
    base = random.choice(SMALL if random.random() < 0.8 else SHIPPED)
    original = flat(ROOT / base)
    while True:
        lines = list(original)
        for _ in range(random.choice((1, 1, 2, 4))):
            lines = random.choice(mutations.ALL)(lines, random)
        text = "\n".join(lines) + "\n"
        if not 60000 < elements_of(text) < 1e11:
            return text


def nonsense(folder, text):
    """What is wrong with the history of a run that ended well; empty if nothing is."""
    with open(folder / "results" / "history.csv", newline="") as file:
        rows = list(csv.reader(file))
    asked = re.search(r"set Volume fraction\s*=\s*([^\s#]+)", (folder / "results" / "parameters.prm").read_text())
    for row in rows[1:]:
        numbers = [float(number) for number in row if number]
        if not all(math.isfinite(number) for number in numbers):
            return f"not finite: {row}"
        volume = float(row[rows[0].index("volume_fraction")])
        if abs(volume - float(asked[1])) > 1e-3 * float(asked[1]) and "volume" not in text.lower():
            return f"a volume fraction of {volume}, not {asked[1]}"
    return ""


def try_mutant(program, folder, random):
    # bytes: some mutants are no UTF-8
    (folder / "deck.prm").write_bytes(mutant(random).encode("utf-8", "surrogateescape"))
    (folder / "meshes").symlink_to(ROOT / "prm" / "meshes")
    ended = limits.run([program, "--validate", "deck.prm"], folder)
    if ended.how != "accepted" or random.random() > 0.3:
        return ended
    ended = limits.run([program, "deck.prm", *RUN], folder, limits.Limits(cpu_seconds=60))
    if ended.how == "accepted":
        notes = "\n".join(line for line in ended.output.splitlines() if "NOTE" in line or "WARNING" in line)
        if wrong := nonsense(folder, notes):
            ended.how, ended.message = "nonsense", wrong
    return ended


if __name__ == "__main__":
    campaign.main(__doc__.splitlines()[0], try_mutant)

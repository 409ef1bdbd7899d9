#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Random decks of whole optimizations, each result checked by a program of its own (design_fem.py, design_model.py).

    tests/fuzz/designs.py build/strut --first 0 --decks 200 --keep failures

A deck is its number: the same number makes the same deck. Prints a line for each deck, then a table: what there was, and what
failed with what. Exit code 0 if nothing failed and at most a third was refused, 77 without numpy or scipy. Needs some seconds
for each deck.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import traceback

try:
    import numpy  # noqa: F401
    import scipy  # noqa: F401
except ImportError as missing:
    # A python3 that is first on PATH may not be the one that Debian's packages are installed for.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print(f"fuzz.designs needs numpy and scipy (python3-numpy, python3-scipy): {missing}")
    sys.exit(77)

import design_checks
import design_decks
import limits

# of a refusal: the file with a line, or with the path of an entry
PLACE = re.compile(r"strut: error: \S+\.(prm|msh)(:\d+)?: \S")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program strut", type=pathlib.Path)
    parser.add_argument("--decks", type=int, default=20, help="how many (default %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first deck (default %(default)s)")
    parser.add_argument("--only", help="some numbers, separated by commas, in the place of these")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (default %(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the folders of failures here")
    parser.add_argument("--mpiexec", default="mpirun", help="for decks of several ranks; empty: one rank for all")
    parser.add_argument("--seconds", type=int, default=120, help="of the processor for each rank (default %(default)s)")
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


class Tried:
    """How a deck went."""

    def __init__(self, deck):
        self.deck, self.how, self.wrong, self.facts, self.seconds, self.designs = deck, "", [], [], 0., 0
        self.differences = []

    def line(self):
        d = self.deck
        text = f"{d.number:6d}  {d.mesh.entries['Type']:15s} {len(d.mesh.cells):5d}  {d.n_ranks}  {d.kind:32s}"
        text += f" {self.how:12s} {self.designs:3d} designs {self.seconds:6.1f} s"
        text += "".join(f"  {fact}" for fact in self.facts)
        return text + "".join(f"\n          {what.upper()}: {why}" for what, why in self.wrong)


def run(options, deck, folder, more=()):
    (folder / "deck.prm").write_text(design_decks.text_of(deck.entries) + "\n")
    if deck.mesh.file:
        (folder / deck.mesh.file[0]).write_text(deck.mesh.file[1])
    command = [str(options.program), "deck.prm", "--output", "results", *more]
    if deck.n_ranks > 1 and options.mpiexec:
        command = [options.mpiexec, "--oversubscribe", "-n", str(deck.n_ranks)] + command
    return limits.run(command, folder, limits.Limits(cpu_seconds=options.seconds, wall_seconds=10 * options.seconds))


def judge(options, deck, folder, tried):
    os.environ.setdefault("STRUT_WAIT_SECONDS", "300")  # ranks of a busy machine wait long for each other
    started = time.time()
    ended = run(options, deck, folder)
    tried.seconds = time.time() - started
    (folder / "log").write_text(ended.output + ended.message)
    if ended.how in ("hang", "endless output", "signal", "long message", "inside shown") or ended.code not in (0, 1, 3):
        tried.how = "crashed"
        tried.wrong.append((ended.how, f"exit code {ended.code}: {ended.message[-500:]}"))
    elif ended.code == 1:
        message = ended.message[ended.message.find("strut: error"):].strip()
        tried.how = "refused"
        tried.facts.append(message.split("\n")[0][:150])
        if not PLACE.search(message):
            tried.wrong.append(("error", f"names no file and entry: {message[:300]}"))
        elif run(options, deck, folder, ("--validate", "--solid")).code == 0:
            tried.wrong.append(("validate", f"takes what a run refuses: {message[:300]}"))
    else:
        tried.how = "ended, 3" if ended.code else "ended"
        check = design_checks.Check(deck, folder / "results", ended.code)
        tried.designs = check.summary["iterations"]
        tried.wrong += check.all()
        tried.facts += getattr(check, "facts", [])
        tried.differences = check.differences


def one(options, number):
    deck = design_decks.make(number)
    tried = Tried(deck)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"deck-{number}-"))
    try:
        judge(options, deck, folder, tried)
    except Exception:  # pylint: disable=broad-except
        tried.wrong.append(("check", traceback.format_exc()))
    if tried.wrong and options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, options.keep / str(number), dirs_exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return tried


def table(all_tried):
    counts = collections.Counter(t.how for t in all_tried)
    print(f"\n{len(all_tried)} decks: " + ", ".join(f"{n} {how}" for how, n in sorted(counts.items())))
    differences = sorted(x for t in all_tried for x in t.differences)
    if differences:
        print(f"{len(differences)} numbers beside those of the check: median difference {differences[len(differences) // 2]:.1e}, "
              f"{sum(x > 1e-5 for x in differences)} above 1e-5")
    for fact in ("empty", "full", "parted", "case parted"):
        of_fact = [t for t in all_tried if fact in t.facts]
        print(f"{fact}: {len(of_fact)}, of these {sum(t.how == 'ended, 3' for t in of_fact)} with exit code 3")
    rows = collections.defaultdict(lambda: [0, 0, 0, 0, collections.Counter()])
    for t in all_tried:
        for name in ["all", t.deck.kind + " (goal)"] + t.deck.traits:
            row = rows[name]
            row[0] += 1
            row[1] += t.how == "refused"
            row[2] += t.how == "ended, 3"
            row[3] += bool(t.wrong)
            row[4].update({what for what, _ in t.wrong})
    print(f"\n{'':36s} decks  refused  code 3  failed  with")
    for name, (n, refused, short, failed, causes) in sorted(rows.items()):
        what = ", ".join(f"{k} {v}" for k, v in causes.most_common())
        print(f"{name:36s} {n:5d}  {refused:7d}  {short:6d}  {failed:6d}  {what}")
    failures = [t.deck.number for t in all_tried if t.wrong]
    print(f"\nfailed: {', '.join(map(str, failures)) or 'none'}")
    too_many = 3 * counts["refused"] > len(all_tried)
    if too_many:
        print("more than a third was refused")
    return 1 if failures or too_many else 0


def main():
    options = arguments()
    numbers = range(options.first, options.first + options.decks)
    if options.only:
        numbers = [int(n) for n in options.only.split(",")]
    all_tried = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for tried in pool.map(lambda n: one(options, n), numbers):
            print(tried.line(), flush=True)
            all_tried.append(tried)
    return table(all_tried)


if __name__ == "__main__":
    sys.exit(main())

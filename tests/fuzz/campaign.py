# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What the fuzzers have in common: mutants by number, counts of how they ended, and the failures kept.

A mutant is its number: the same number gives the same mutant on every machine (random.Random(number)).
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import shutil
import sys
import tempfile


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program", help="the program strut", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=100, help="how many (default %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (default %(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the folders of failures here")
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


def one(options, number, try_mutant):
    """Calls try_mutant(program, folder, random) -> limits.Ended in an empty folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"mutant-{number}-"))
    try:
        ended = try_mutant(options.program, folder, random.Random(number))
        if not ended.good and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            shutil.copytree(folder, options.keep / f"{number}-{ended.how.replace(' ', '-')}", dirs_exist_ok=True)
        return ended
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def campaign(options, try_mutant):
    """Tries the mutants, prints how they ended, and returns the exit code."""
    counts = collections.Counter()
    numbers = range(options.first, options.first + options.mutants)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, ended in zip(numbers, pool.map(lambda n: one(options, n, try_mutant), numbers)):
            counts[ended.how] += 1
            if not ended.good:
                print(f"mutant {number}: {ended.how}, exit code {ended.code}\n{ended.message[:1500]}\n", flush=True)
            if (number - options.first + 1) % 500 == 0:
                print(f"after {number - options.first + 1}: {dict(counts)}", flush=True)
    print(f"{options.mutants} mutants from number {options.first}: " +
          ", ".join(f"{count} {how}" for how, count in sorted(counts.items())))
    return 0 if set(counts) <= {"accepted", "refused"} else 1


def main(description, try_mutant):
    sys.exit(campaign(arguments(description), try_mutant))

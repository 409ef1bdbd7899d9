#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Counts questions about the law and the formulation of elements in the code, by file: comparisons with a law, and calls such as
has_mean_dilatation(). Comments, texts and tests do not count. A law or a formulation costs as much as there are such places.

    doc/scripts/law_questions.py [--at COMMIT]      in the repository
"""
import argparse
import re
import subprocess

QUESTION = re.compile(
    r"(?:==|!=)\s*Law::\w+|Law::\w+\s*(?:==|!=)|\btakes\(Law::"
    r"|\bhas_(?:lame|tangents|solids|mean_dilatation|incompatible_modes|poisson_ratios|anisotropic_solids)\("
    r"|\b(?:lame|tangents|lambda)_\.(?:empty|has_value)\("
    # before the law was a value
    r"|\b(?:lame|tangent)_operator_\s*(?:==|!=)|\bdynamic_cast<[^>]*(?:Lame|Tangent)Elements|(?:==|!=)\s*(?:Element)?Parameters::\w+"
    r"|\b(?:any_solid|memory_with_lame|n_tangent_points)\b")
FOLDERS = ("include", "source", "cuda", "plugin")


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", metavar="COMMIT", default="HEAD")
    at = parser.parse_args().at
    counts = {}
    for name in git("ls-tree", "-r", "--name-only", at, "--", *FOLDERS).splitlines():
        if name.endswith((".h", ".cc", ".cu", ".cuh", ".in")):
            code = re.sub(r"//[^\n]*", "", git("show", f"{at}:{name}"))
            if number := len(QUESTION.findall(re.sub(r'"(\\.|[^"\\\n])*"', '""', code))):
                counts[name] = number
    for name, number in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        print(f"{number:4d} {name}")
    print(f"{sum(counts.values())} questions in {len(counts)} files at {at}")


if __name__ == "__main__":
    main()

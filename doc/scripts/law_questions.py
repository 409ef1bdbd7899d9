#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Counts questions about the law and the formulation of elements in the code, by file: comparisons with a law or a formulation,
switches over formulations (one each), and calls such as has_mean_dilatation() or reads of members that stand for a formulation.
Comments, texts and tests do not count. A law or a formulation costs as much as there are such places.

    doc/scripts/law_questions.py [--at COMMIT]      in the repository
"""
import argparse
import re
import subprocess

QUESTION = re.compile(
    r"(?:==|!=)\s*Law::\w+|Law::\w+\s*(?:==|!=)|\btakes\(Law::"
    r"|\bhas_(?:lame|tangents|solids|mean_dilatation|incompatible_modes|poisson_ratios|anisotropic_solids)\("
    r"|\b(?:lame|tangents|lambda)_\.(?:empty|has_value)\("
    # the formulation: comparisons, switches, and flags of tables by formulation
    r"|(?:==|!=)\s*Formulation::\w+|Formulation::\w+\s*(?:==|!=)|(?:==|!=)\s*formulation\b|\bformulation\s*(?:==|!=)\s*(?!Formulation)"
    r"|\bswitch\s*\([^{;]*formulation[^{;]*\)|\.bends_boxes\b"
    # before the formulation was a value of the material
    r"|(?:==|!=)\s*(?:VolumetricIntegration|ElementKind)::\w+"
    # before the law was a value
    r"|\b(?:lame|tangent)_operator_\s*(?:==|!=)|\bdynamic_cast<[^>]*(?:Lame|Tangent)Elements|(?:==|!=)\s*(?:Element)?Parameters::\w+"
    r"|\b(?:any_solid|memory_with_lame|n_tangent_points)\b")
FORMULATION = re.compile(r"[Ff]ormulation|has_mean_dilatation|has_incompatible|bends_boxes|VolumetricIntegration|ElementKind")
FOLDERS = ("include", "source", "cuda", "plugin")


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", metavar="COMMIT", default="HEAD")
    at = parser.parse_args().at
    counts, formulations = {}, 0
    for name in git("ls-tree", "-r", "--name-only", at, "--", *FOLDERS).splitlines():
        if name.endswith((".h", ".cc", ".cu", ".cuh", ".in")):
            code = re.sub(r"//[^\n]*", "", git("show", f"{at}:{name}"))
            found = QUESTION.findall(re.sub(r'"(\\.|[^"\\\n])*"', '""', code))
            if found:
                counts[name] = len(found)
            formulations += sum(bool(FORMULATION.search(question)) for question in found)
    for name, number in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        print(f"{number:4d} {name}")
    print(f"{sum(counts.values())} questions in {len(counts)} files at {at}, {formulations} of them about the formulation")


if __name__ == "__main__":
    main()

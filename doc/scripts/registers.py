#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Registers, spilled bytes and shared memory of the kernels of a file, as the compiler of the toolkit reports them.

    doc/scripts/registers.py [--build build] [--arch sm_90] cuda/operators/on_the_fly.cu [FILE...]

Two outputs, from two commits, are compared by diff. It takes the flags of the build, and needs no GPU.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def flags_of(build):
    """Include directories, definitions and language options of the first CUDA file in the build."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if entry["file"].endswith((".cu", ".cu.cxx")):
            words = shlex.split(entry["command"])
            keep = [word for word in words if re.match(r"-I|-D|-std=|--expt|--extended|-isystem=|--options-file", word)]
            keep += [part for k, word in enumerate(words) if word == "-isystem" for part in words[k:k + 2]]
            return keep + [word for word in words if word.endswith("nvcc")][:1]
    sys.exit(f"{build} has no CUDA file: configure it with a CUDA toolkit.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    *flags, nvcc = flags_of(options.build)
    for file in options.files:
        said = subprocess.run([nvcc, f"-arch={options.arch}", "-Xptxas", "-v", "-O3", *flags, "-c", str(file), "-o", "/dev/null"],
                              cwd=ROOT, capture_output=True, text=True, check=False)
        if said.returncode != 0:
            sys.exit(said.stderr)
        rows = re.findall(r"Compiling entry function '(\w+)'.*?\n.*?\n?.*?(\d+) bytes spill stores.*?Used (\d+) registers([^\n]*)",
                          said.stderr, re.S)
        names = subprocess.run(["c++filt"], input="\n".join(row[0] for row in rows), capture_output=True,
                               text=True, check=True).stdout.splitlines()
        print(f"{file}: {len(rows)} kernels\nregisters spilled shared kernel")
        for (_, spilled, registers, rest), name in sorted(zip(rows, names), key=lambda pair: pair[1]):
            shared = re.search(r"(\d+) bytes smem", rest)
            name = re.sub(r"strut::(cuda::)?|\(anonymous namespace\)::|void ", "", name.split("(")[0] if "<" not in name else name)
            print(f"{registers:>9} {spilled:>7} {shared[1] if shared else 0:>6} {name[:150]}")


if __name__ == "__main__":
    main()

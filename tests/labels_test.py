#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Every commit that a page or a data file of doc/ names is in the history: labels_test.py FOLDER | --self-test

A number whose commit nobody can check out cannot be made again. Exit code 77: skipped, where there is no whole history.
"""

import pathlib
import re
import subprocess
import sys

# A hexadecimal word that is no part of a number, a path or a checksum.
HASH = re.compile(r"(?<![\w.+/#-])([0-9a-f]{7,12})(-dirty)?(?![\w+/-]|\.\w)")
TEXTS = {".md", ".csv", ".txt", ".tex", ".prm", ".json"}


def hashes_in(text):
    """Pairs of a commit and whether it is `-dirty`."""
    for found in HASH.finditer(text):
        word = found.group(1)
        if re.search("[a-f]", word) and re.search("[0-9]", word):
            yield word, found.group(2) is not None


def is_known(root, commit):
    return subprocess.run(["git", "-C", root, "cat-file", "-e", commit + "^{commit}"], stderr=subprocess.DEVNULL).returncode == 0


def breaches(root):
    known = {}
    for path in sorted(root.glob("doc/**/*")):
        if path.suffix not in TEXTS or not path.is_file():
            continue
        name = path.relative_to(root)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for commit, dirty in hashes_in(line):
                if commit not in known:
                    known[commit] = is_known(root, commit)
                if not known[commit]:
                    yield f"{name}:{number}: the commit {commit} is not in the history. Say what is known instead."
                elif dirty:
                    yield f"{name}:{number}: {commit}-dirty is no commit. Make the data again from a clean one."


def self_test():
    assert list(hashes_in("# strut 0.1.0 (commit e01383e83), deal.II")) == [("e01383e83", False)]
    assert list(hashes_in("at 909eb93bb: `cb5.prm`, 1024000 elements, 9.89115922e+01, 12345678")) == [("909eb93bb", False)]
    assert list(hashes_in("(commit d7dcf165f-dirty)")) == [("d7dcf165f", True)]
    assert list(hashes_in("It was at e01383e83.")) == [("e01383e83", False)]
    assert not list(hashes_in("https://doi.org/10.1/abcdef12 1.23456e78 acceded 1234567"))
    root = pathlib.Path(__file__).resolve().parents[1]
    assert not is_known(root, "0123456789ab")


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit(0)
folder = pathlib.Path(sys.argv[1]).resolve()
history = subprocess.run(["git", "-C", folder, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True)
if history.returncode != 0 or history.stdout.strip() != "false":
    print("skipped: the history of the repository is not here")
    sys.exit(77)
messages = list(breaches(folder))
print(*messages, sep="\n")
sys.exit(1 if messages else 0)

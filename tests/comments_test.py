#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The rules for comments that a program can check.

    tests/comments_test.py [FILE or FOLDER...]   check them (default: all code of the repository)
    tests/comments_test.py --count [...]         the number of violations by folder
    tests/comments_test.py --self-test           break each rule, and see that the check notices

Rules:
- A line with a comment has at most 100 columns.
- A doc comment (`///`, `///<`) begins as a sentence does, or with a noun: not with a word that
  refers to the middle of another sentence, such as "Of", "Those", "The same", "What".
- A sentence has at most 30 words. Code in backquotes is one word; lines that are indented by four
  blanks or more, formulas and tables do not count.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_COLUMNS, MAX_WORDS = 100, 30
SUFFIXES = (".h", ".cc", ".cu", ".cuh", ".in")
FRAGMENTS = re.compile(
    r"(of|those|that|the same|the other|the others|the one|the ones|what|who|whose|which|by|at|as|from|to|on|into|onto|"
    r"out of|than|so|such|but|and|or|nor|not|also|likewise|else|too|none|both|they|them|it|its|their|theirs|he|she|this|"
    r"these|here|there|otherwise)\b(?! is\b)(?!-)", re.IGNORECASE)
COMMENT = re.compile(r"(?:^|\s)(///<|///|//)(?!/)(.*)$")
TAG = re.compile(r"[@\\](?:param(?:\[\w+\])?\s+[\w, ]*?|tparam\s+\w+|returns?|throws?)(?:\s\s+|\s|$)")


def comments(text):
    """Yields (kind, first line's number, [lines' texts]) of each comment; what follows in the next line belongs to it."""
    block, last = None, 0
    for number, line in enumerate(text.split("\n"), 1):
        found = COMMENT.search(re.sub(r'"(?:\\.|[^"\\])*"', lambda quoted: "_" * len(quoted.group()), line))
        if not found:
            continue
        words = line[found.start(2):]
        alone = line[:found.start(1)].strip() == ""
        kind = found.group(1)
        if block and alone and number == last + 1 and (kind == block[0] or (block[0] == "///<" and kind == "///")):
            block[2].append(words)
        else:
            if block:
                yield block
            block = (kind, number, [words])
        last = number
    if block:
        yield block


def sentences(lines):
    """The sentences of a comment as lists of words, without formulas, tables and code."""
    kept, in_formula = [], False
    for line in lines:
        if line.strip().startswith("```"):
            in_formula = not in_formula
            kept.append(".")
        elif in_formula or re.match(r"\s{4,}\S", line) or line.strip().startswith("|") or not line.strip():
            kept.append(" . ")
        else:
            kept.append(re.sub(r"^\s*(?:[-*]|\(?\w\)|\d+\.)\s", " . ", line))
    text = re.sub(r"`[^`]*`", "code", " ".join(kept))
    text = re.sub(r"\[[^\]]*\]|\([^()]*\)", lambda inner: inner.group() if len(inner.group()) > 40 else " ", text)
    text = TAG.sub(" . ", text)
    for sentence in re.split(r"[.!?](?=\s|$)|\s\.\s|[@\\]f\[", text):
        words = [word for word in sentence.split() if re.search(r"[A-Za-z]", word)]
        if words:
            yield words


def violations(text):
    """Yields (line, what is wrong) of the text of a file."""
    lines = text.split("\n")
    for kind, first, block in comments(text):
        for i in range(len(block)):
            line = lines[first - 1 + i]
            if len(line) > MAX_COLUMNS:
                yield first + i, f"{len(line)} columns, at most {MAX_COLUMNS}"
        if kind != "//":
            begin = re.sub(r"^\s+", "", " ".join(block))
            if FRAGMENTS.match(begin):
                yield first, f"begins in the middle of a sentence: '{begin[:60]}'"
        for words in sentences(block):
            if len(words) > MAX_WORDS:
                yield first, f"a sentence of {len(words)} words, at most {MAX_WORDS}: '{' '.join(words[:8])} ...'"


def files(names):
    tracked = subprocess.run(["git", "-C", str(ROOT), "ls-files", *names], capture_output=True, text=True, check=False)
    found = tracked.stdout.split() if tracked.returncode == 0 else [
        str(path.relative_to(ROOT)) for folder in ("include", "source", "cuda", "plugin", "tests")
        for path in sorted((ROOT / folder).rglob("*"))]
    return [name for name in found if name.endswith(SUFFIXES)]


def self_test():
    broken = {
        "/// Of a free vertex its neighbours.\nint a;": "begins",
        "int a; ///< those of the rim": "begins",
        "/// The same with it.\nint a;": "begins",
        "// " + "x" * 98: "columns",
        "// " + "word " * 16 + "\n// " + "word " * 16 + ".": "sentence",
        "/// Good.\n/// @param a  " + "word " * 31: "sentence",
    }
    sound = [
        "/// Neighbours of a free vertex.\nint a; ///< number of them",
        'const char *text = "// ' + "x" * 98 + '";',
        "/// Sum:\n///\n///     " + "a " * 32 + "\n///\n/// over all nodes.",
        "/// - one " + "word " * 17 + "\n/// - two " + "word " * 17,
    ]
    wrong = [text for text, what in broken.items() if not any(what in said for _, said in violations(text))]
    wrong += [text for text in sound if list(violations(text))]
    for text in wrong:
        print(f"NOT JUDGED RIGHTLY:\n{text}\n{list(violations(text))}")
    return 1 if wrong else 0


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    counts = {}
    only_counts = "--count" in arguments
    for name in files([argument for argument in arguments if argument != "--count"]):
        folder = "/".join(name.split("/")[:2])
        for line, what in violations((ROOT / name).read_text(encoding="utf-8")):
            counts.setdefault(folder, []).append(what)
            if not only_counts:
                print(f"{name}:{line}: {what}")
    if only_counts:
        for folder, found in sorted(counts.items()):
            print(f"{len(found):5d}  {folder}: {sum('begins' in w for w in found)} fragments, "
                  f"{sum('columns' in w for w in found)} long lines, {sum('sentence of' in w for w in found)} long sentences")
    print(f"{sum(map(len, counts.values()))} violations")
    return 1 if counts else 0


sys.exit(main())

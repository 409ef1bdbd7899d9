#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A file as Doxygen reads it (FILTER_PATTERNS of doc/Doxyfile.in). Line numbers stay.

Headers: what is in a folder belongs to the group of its name, which doc/groups.dox describes. So a new header is in its
group without a word in it.
Pages: formulas `$...$` as Doxygen writes them; pictures, and links to files that are no pages, become their text.
"""
import os
import re
import sys

DOC = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = [name for name in os.listdir(DOC) if name.endswith(".md") and name != "README.md"]


def group_of(path):
    folder = re.search(r"include/strut/(?:(.*)/)?[^/]*$", path).group(1) or "plugin"
    return "group_" + folder.replace("/", "_")


def header(path, text):
    group = group_of(path)
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.startswith("namespace strut")), None)
    if first is None:
        return text
    last = max(i for i, line in enumerate(lines) if line.startswith("} // namespace strut"))
    lines[first + 1] += f" /** @addtogroup {group} */ /** @{{ */"
    lines[last] = "/** @} */ " + lines[last]
    return "\n".join(lines)


def name_of(path):
    return "page_" + os.path.basename(path)[:-3].replace("-", "_")


def link(match, path):
    is_picture, text, target = match.groups()
    if target.startswith("http"):
        return match.group(0)
    target = target.split("#")[0] or path
    if os.path.basename(target) in PAGES:
        return f"[{text}](@ref {name_of(target)})"
    return "" if is_picture else text


def prose(lines):
    """Lines between two blank ones: formulas may go over the end of a line."""
    parts = re.split(r"(`[^`]*`)", "\n".join(lines))
    parts[::2] = [re.sub(r"(?<!\\)\$([^$]+)\$", r"\\f$\1\\f$", part) for part in parts[::2]]
    return "".join(parts).split("\n")


def page(path, text):
    lines, result, paragraph, fence = text.split("\n"), [], [], ""
    lines[0] += f" {{#{name_of(path)}}}"
    for line in lines:
        is_fence = line.lstrip().startswith("```")
        if not is_fence and not fence and line.strip() and not line.startswith("    "):
            paragraph.append(line)
            continue
        result += prose(paragraph) if paragraph else []
        paragraph = []
        if is_fence:
            opened, fence = fence, "" if fence else line.strip()
            line = "\\f[" if fence == "```math" else "\\f]" if opened == "```math" else line
        result.append(line)
    result += prose(paragraph) if paragraph else []
    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", lambda match: link(match, path), "\n".join(result))


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sys.stdout.write(page(path, text) if path.endswith(".md") else header(path, text))


if __name__ == "__main__":
    main()

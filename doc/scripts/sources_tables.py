#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Redraw the tables of pages that have the figures of our sources beside ours, and those of doc/performance.md, from doc/results/.

  doc/scripts/sources_tables.py doc/performance.md doc/studies/*.md

A table is what a page has between the lines '<!-- table: NAME -->' and '<!-- end of table -->'. Rows whose data are not
there are left out. --check changes nothing, and exits with 1 if a table is not that of the data.
"""
import argparse
import re
import sys
from pathlib import Path

import assembly_source_tables
import evolution_source_tables
import performance_tables
import thesis_source_tables

TABLES = {**thesis_source_tables.TABLES, **assembly_source_tables.TABLES, **evolution_source_tables.TABLES,
          **performance_tables.TABLES}
PLACE = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def redraw(page):
    def draw(match):
        if match[2] not in TABLES:
            sys.exit(f"sources_tables.py: there is no table '{match[2]}'; choose from {', '.join(TABLES)}")
        text = TABLES[match[2]]()
        return match[1] + (text + "\n" if text else "") + match[3]

    return PLACE.sub(draw, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a table is not that of the data")
    options = parser.parse_args()
    stale = []
    for page in options.pages:
        old = page.read_text(encoding="utf-8")
        new = redraw(old)
        if new != old:
            stale.append(str(page))
            if not options.check:
                page.write_text(new, encoding="utf-8")
    if stale:
        print(("not those of the data: " if options.check else "redrawn: ") + " ".join(stale))
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())

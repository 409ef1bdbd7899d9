#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The reference of the API: no warnings, a main page, every page of doc/, and every class of a public header in a group.
#
#   doxygen_test.sh DOXYGEN DOXYFILE HTML TREE
set -euo pipefail

n_wrong=0
wrong() {
  printf 'WRONG: %s\n' "$1"
  n_wrong=$((n_wrong + 1))
}

"$1" "$2" || wrong 'doxygen has warnings'
html=$3
tree=$4

grep -q 'Matrix-free' "$html/index.html" || wrong 'the main page is not the README'
for page in "$tree"/doc/*.md; do
  page=$(basename "$page" .md)
  [[ $page == README || -s $html/page_${page//-/_}.html ]] || wrong "no page of doc/$page.md"
done

names=$(find "$tree/include" "$tree/plugin/include" -name '*.h' -print0 |
  xargs -0 sed -nE 's/^(class|struct) ([A-Za-z0-9_]+)( final)?( :.*)?$/\2/p' | sort -u)
(($(wc -w <<< "$names") > 95)) || wrong 'there are hardly any classes'
groups=$(cat "$html"/group__group__*.html)
for name in $names; do
  grep -qE "strut::(plugin::)?(internal::)?$name(<|&lt;)" <<< "$groups" || wrong "$name is in no group"
done
exit $((n_wrong > 0))

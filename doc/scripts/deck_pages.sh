#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The pages of all decks, opened in a browser: no error in the console, the part turns, the curves are there.
#
#   doc/scripts/deck_pages.sh BUILD_DIR FOLDER [ITERATIONS [DECK...]]
#
# Run from the root of the checkout. Each deck makes ITERATIONS designs (10), its page and pictures of it at two widths
# are in FOLDER/<deck>. Prints a row of a table for each. Exit code 1 if a run or a page fails.
set -uo pipefail
build=${1:?usage: deck_pages.sh BUILD_DIR FOLDER [ITERATIONS [DECK...]]}
out=${2:?usage: deck_pages.sh BUILD_DIR FOLDER [ITERATIONS [DECK...]]}
iterations=${3:-10}
decks=("${@:4}")
if ((${#decks[@]} == 0)); then
  mapfile -t decks < <(find prm -name '*.prm' ! -name common.prm ! -path '*/assembly/*' | sort)
fi
failed=0
mkdir -p "$out"
for deck in "${decks[@]}"; do
  name=$(basename "$deck" .prm)
  folder=$out/$(basename "$(dirname "$deck")")-$name
  "$build/strut" "$deck" --set "Optimization / Maximum iterations = $iterations" --output "$folder" > "$folder.log" 2>&1
  code=$?
  case $code in 0 | 3) result=ran ;; *) result="exit code $code" failed=1 ;; esac # 3: the design is not finished
  options=()
  grep -q '"without part"' "$folder/report.html" 2> /dev/null && options=(--no-part)
  if tests/report_page_test.py "$folder/report.html" --pictures "$folder" "${options[@]}" > "$folder.page.log" 2>&1; then
    page=opens
  else
    page='does not open' failed=1
  fi
  elements=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["sizes"]["elements"])' "$folder/summary.json" 2> /dev/null)
  printf '| `%s` | %s | %s | %s | %s kB |\n' "$deck" "${elements:-?}" "$result" "$page" "$(($(stat -c %s "$folder/report.html" 2> /dev/null || echo 0) / 1000))"
  rm -f "$folder"/*.vtu "$folder"/*.strut
done
exit $failed

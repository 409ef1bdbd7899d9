#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Whether every relative link of the documentation leads somewhere: the file exists, and the heading in it.
#
#   links_test.sh [TREE]
set -euo pipefail

cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
n_wrong=0

# The anchors that GitHub gives to the headings of a page.
anchors() {
  sed -n '/^```/,/^```/d; s/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

while IFS=: read -r page link; do
  target=${link%%#*}
  file=$page
  [[ -z $target ]] || file=$(dirname "$page")/$target
  if [[ ! -e $file ]]; then
    printf 'WRONG: %s: there is no %s\n' "$page" "$link"
    n_wrong=$((n_wrong + 1))
  elif [[ $link == *'#'* ]] && ! anchors "$file" | grep -xF -- "${link#*#}" > /dev/null; then
    printf 'WRONG: %s: %s has no heading for %s\n' "$page" "$file" "$link"
    n_wrong=$((n_wrong + 1))
  fi
done < <(find . -path './build*' -prune -o -path ./output -prune -o -path ./.git -prune -o -name '*.md' -print | sort |
  xargs grep -oE '\]\([^) ]+\)' | sed 's/](\(.*\))$/\1/' | grep -vE ':(https?|mailto):')

((n_wrong == 0))

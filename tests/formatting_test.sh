#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Names the files that clang-format would change. Other versions than Debian 12's, 14, break lines elsewhere:
# without that one the test counts as skipped (exit code 77).
#
#   formatting_test.sh [TREE]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

formatter=
for candidate in clang-format-14 clang-format; do
  if "$candidate" --version 2> /dev/null | grep -q 'version 14\.'; then
    formatter=$candidate
    break
  fi
done
if [[ -z $formatter ]]; then
  echo 'skipped: no clang-format 14 here (Debian 12: apt-get install clang-format)'
  exit 77
fi

violations=$(find include source cuda plugin tests -name '*.h' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' | sort |
  while IFS= read -r file; do
    "$formatter" --dry-run --Werror "$file" 2> /dev/null || printf '%s\n' "$file"
  done)
if [[ -n $violations ]]; then
  printf 'not formatted; mend with: %s -i %s\n' "$formatter" "$(tr '\n' ' ' <<< "$violations")"
  exit 1
fi

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

# Many files at once: a start of the program takes longer than a file. It names the lines that it would change.
violations=$(find include source cuda plugin tests -name '*.h' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' | sort |
  { xargs -r -d '\n' -n 50 -P 2 "$formatter" --dry-run --Werror 2>&1 || true; } |
  sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/\1/p' | sort -u)
if [[ -n $violations ]]; then
  printf 'not formatted; mend with: %s -i %s\n' "$formatter" "$(tr '\n' ' ' <<< "$violations")"
  exit 1
fi

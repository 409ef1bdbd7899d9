#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Compares doc/parameters.md with the output of `strut --write-reference`, without the comparators' texts about the
# installed deal.II and Trilinos. Exit code 77: skipped, since a build without CUDA does not know the
# operators of CUDA that the reference lists.
#
#   reference_test.sh STRUT doc/parameters.md HAS_CUDA(0 or 1)
set -euo pipefail
export HWLOC_HIDE_ERRORS=2 # stderr is for strut: where there is no /sys, hwloc has something to say

if [[ $3 != 1 ]]; then
  echo 'skipped: the reference lists the operators of CUDA, and this is a build without'
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

without_comparators() {
  sed -E 's/\. dealii_matrix_free: .* On the GPU:/. On the GPU:/; /^\| `(dealii_matrix_free|trilinos_csr)`/d' "$1"
}

"$1" --write-reference "$folder/parameters.md"
if ! diff -u --label "$2" --label 'the output of the program' \
  <(without_comparators "$2") <(without_comparators "$folder/parameters.md"); then
  printf '\n%s is stale. Renew it, and read what changed:\n  build/strut --write-reference doc/parameters.md\n' "$2"
  exit 1
fi

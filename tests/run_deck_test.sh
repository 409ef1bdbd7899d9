#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# A deck that must fail, for strut or another program: exit code 1, and on stderr exactly the text beside the deck,
# NAME.expected. `<...>` in that text matches anything (once per line): numbers that rounding decides, lists that
# differ between builds. Exit code 77: skipped.
#
#   run_deck_test.sh PROGRAM failing/NAME.prm            compare
#   run_deck_test.sh --renew PROGRAM failing/NAME.prm    write NAME.expected anew; read it, and put <...> back
#
# The deck runs in an empty folder with copies of the decks beside and above it, and links to the meshes and to the
# shared libraries of the tests, which are built in STRUT_TEST_LIBRARIES. Comments in it:
# `# run with: OPTIONS` adds options, `# only without a GPU` skips it where there is one.
set -euo pipefail
export HWLOC_HIDE_ERRORS=2 # stderr is for strut: where there is no /sys, hwloc has something to say

renew=false
if [[ $1 == --renew ]]; then
  renew=true
  shift
fi
strut=$(realpath "$1")
deck=$(realpath "$2")
name=${deck##*/}
expected=${deck%.prm}.expected
decks=$(cd "$(dirname "${BASH_SOURCE[0]}")/decks" && pwd)

if grep -q '^# only without a GPU' "$deck" && [[ -e /dev/nvidiactl ]]; then
  echo 'skipped: there is a GPU here'
  exit 77
fi
read -ra options < <(sed -n 's/^# run with: *//p' "$deck") || true

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$decks"/*.prm "${deck%/*}"/*.prm "$folder"
ln -s "$decks/../plugin/meshes" "$folder/meshes"
[[ -z ${STRUT_TEST_LIBRARIES:-} ]] || ln -s "$STRUT_TEST_LIBRARIES" "$folder/libraries"
cd "$folder"

code=0
"$strut" ${options[@]+"${options[@]}"} "$name" > stdout 2> stderr || code=$?
sed -i "s|$(pwd -P)|WORKING-DIRECTORY|g" stderr

if $renew; then
  cp stderr "$expected"
  cat stderr
  exit 0
fi

n_wrong=0
wrong() {
  printf 'WRONG: %s\n' "$1"
  n_wrong=$((n_wrong + 1))
}

((code == 1)) || wrong "the exit code is $code, not 1"
if grep -nEi 'terminate called|stacktrace|stack trace|backtrace|segmentation|abort|exception' stderr; then
  wrong 'stderr speaks of the inside of the program'
fi

# Line by line, so that a failure shows the first line that differs.
mapfile -t want < "$expected"
mapfile -t got < stderr
for ((i = 0; i < ${#want[@]} || i < ${#got[@]}; ++i)); do
  w=${want[i]-(no such line)} g=${got[i]-(no such line)}
  if [[ $w == *'<...>'* ]]; then
    [[ $g == "${w%%'<...>'*}"*"${w##*'<...>'}" ]] && continue
  elif [[ $w == "$g" ]]; then
    continue
  fi
  wrong "line $((i + 1)) of stderr"
  printf '  expected: %s\n  found:    %s\n' "$w" "$g"
  break
done

if ((n_wrong > 0)); then
  printf '\nThe whole of stderr (exit code %s):\n%s\n' "$code" "$(< stderr)"
  exit 1
fi

# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The frame of run_*_test.sh, which source it: the cases, an empty folder for one, its errors.
#
#   base=cantilever                       the deck that deck() builds on
#   . whole_runs.sh                       $1 program, $2 mpiexec, $3 case; or --list: names of the cases, and exit;
#                                         or --list-of-ranks: of those that start several ranks
#   case_NAME() { ... wrong 'this'; }     any number
#   run_the_case
#
# Sets $program, $mpiexec, $folder, which is the working directory: with copies of the decks and links to the meshes.
set -euo pipefail
export HWLOC_HIDE_ERRORS=2 # stderr is for strut: where there is no /sys, hwloc has something to say

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ $1 == --list ]]; then
  sed -n 's/^case_\([a-z0-9_]*\)() .*/\1/p' "${BASH_SOURCE[1]}"
  exit 0
fi
if [[ $1 == --list-of-ranks ]]; then
  awk '/^case_/ { name = substr($1, 6); sub(/\(\)/, "", name) }
       /(^|[^a-z_])mpi [0-9$]|"\$mpiexec"/ { if (name != "" && name != last) print last = name }
       /^}/ { name = "" }' "${BASH_SOURCE[1]}"
  exit 0
fi
program=$(realpath "$1")
mpiexec=$2
name=$3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here"/decks/*.prm "$folder"
ln -s "$here/plugin/meshes" "$folder/meshes"
ln -s "$here/../prm/meshes" "$folder/prm-meshes"
cd "$folder"

n_wrong=0
wrong() {
  printf 'WRONG: %s\n' "$1"
  n_wrong=$((n_wrong + 1))
}

# deck NAME [LINE ...]: NAME.prm is the base with these lines behind it.
deck() {
  local file=$1.prm
  shift
  { echo "include $base.prm" && printf '%s\n' "$@"; } > "$file"
}

# must_say FILE TEXT
must_say() {
  grep -qF -- "$2" "$1" || {
    wrong "\"$2\" is not in $1:"
    cat "$1"
  }
}

run_the_case() {
  if ! declare -F "case_$name" > /dev/null; then
    echo "there is no case '$name'"
    exit 1
  fi
  "case_$name"
  ((n_wrong == 0))
}

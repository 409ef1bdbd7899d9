#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# From a fresh Debian 12 to the result of every test; the last lines are ctest's summary.
#
#   ./test.sh                 everything
#   ./test.sh -R restart      options go to ctest
#
# STRUT_BUILD_DIR: where to build (default: build; the build without CUDA beside it).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. plugin/cmake/bootstrap.sh

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n 's/^# \{0,1\}//; 4,9p' "${BASH_SOURCE[0]##*/}"
  exit 0
fi
build=${STRUT_BUILD_DIR:-build}
jobs=$(strut_jobs)

strut_report_machine
strut_install "${strut_build_packages[@]}" "${strut_test_packages[@]}"
strut_take_step_8 "$build"

# Without a GPU nothing of CUDA runs: PTX for one architecture, not optimized, shows that it compiles, in half of the time.
architectures=()
if ! nvidia-smi -L 2> /dev/null | grep -q '^GPU 0'; then
  architectures=(-DCMAKE_CUDA_ARCHITECTURES=90-virtual "-DCMAKE_CUDA_FLAGS=-Xcicc -O0")
fi

test_build() {
  local directory=$1
  shift
  strut_configure -B "$directory" -DCMAKE_BUILD_TYPE=Release -DSTRUT_WARNINGS_AS_ERRORS=ON -DBUILD_TESTING=ON \
    "${architectures[@]}" "$@"
  cmake --build "$directory" --parallel "$jobs"
}

# Where there is a toolkit, first the core without it, as a machine without CUDA compiles and links it. Its objects are those of
# the build below, which runs their tests: here two ranks show that it starts.
if [[ -n $(strut_find_nvcc) ]]; then
  strut_say "the core without CUDA and deal.II, in $build-core/"
  test_build "$build-core" -DSTRUT_WITH_CUDA=OFF -DSTRUT_WITH_DEAL_II=OFF
  ctest --test-dir "$build-core" --no-tests=error --output-on-failure -R '^core\.2_ranks$'
fi

strut_say "everything, in $build/"
test_build "$build"
# One more at once than there are cores: many wait for files, ranks or a sleeping process.
ctest --test-dir "$build" --parallel "$((jobs + 1))" --no-tests=error --output-on-failure "$@"

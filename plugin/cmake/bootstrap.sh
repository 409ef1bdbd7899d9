# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The common part of run.sh and test.sh: the packages of this machine, those it still needs, how many cores to use.
# To be sourced; the caller sets -euo pipefail, and its working directory is the repository root.

# The packages of the build. deal.II brings p4est, Trilinos and MPI's headers along.
strut_build_packages=(g++ make cmake ninja-build python3 libdeal.ii-dev libcli11-dev libgtest-dev libeigen3-dev libmeshoptimizer-dev
  libdeflate-dev openmpi-bin ccache doxygen file)
# More packages for the tests: VTK for Python reads the results as ParaView does, with NumPy; SciPy solves what random decks ask
# for; dpkg-dev finds the dependencies of a package, which lintian checks; qemu-user has an older processor; git looks up
# the commits of labels; patch changes deal.II's step-8.
# tests/other_machines_test.py compares them with the imports and the programs of the tests.
strut_test_packages=(python3-vtk9 python3-numpy python3-scipy dpkg-dev lintian qemu-user git patch)
# Packages for the picture: VTK draws through OpenGL, here Mesa's on a virtual X server.
strut_picture_packages=(python3-vtk9 python3-numpy xvfb xauth libgl1-mesa-dri)

strut_say() {
  printf '%s\n' "strut: $*"
}

# The nvcc that CMake will take: the same order as in StrutCuda.cmake.
strut_find_nvcc() {
  if [[ -n ${CUDACXX:-} ]]; then
    command -v "$CUDACXX" || true
  elif command -v nvcc; then
    :
  elif [[ -x /usr/local/cuda/bin/nvcc ]]; then
    printf '%s\n' /usr/local/cuda/bin/nvcc
  fi
}

# Say which toolkit and which GPU this machine has: the first two lines of every log.
strut_report_machine() {
  local nvcc version gpus
  nvcc=$(strut_find_nvcc)
  if [[ -n $nvcc ]]; then
    version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    printf 'CUDA toolkit: %s at %s\n' "${version:-unknown version}" "$(dirname "$(dirname "$(readlink -f "$nvcc")")")"
  else
    printf 'CUDA toolkit: none: CPU backend only\n'
  fi
  gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2> /dev/null | sort | uniq -c |
    awk '{n = $1; $1 = ""; sub(/^ /, ""); printf "%s%s%s", sep, (n > 1 ? n " x " : ""), $0; sep = ", "}') || gpus=
  printf 'GPU: %s\n' "${gpus:-none}"
}

# Those of the named packages that are not installed.
strut_missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

# Install those of the named packages that are missing. Fails, and says what to do, if it cannot.
strut_install() {
  local missing as_root=()
  if ! command -v dpkg-query > /dev/null; then
    strut_say "this is no Debian; taking for granted that it has the equivalent of: $*"
    return 0
  fi
  mapfile -t missing < <(strut_missing_packages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    return 0
  fi
  strut_say "installing ${missing[*]}"
  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo > /dev/null; then
      strut_say "neither root nor sudo. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  # Old lists name packages that are gone: update them first.
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 "${missing[@]}" > /dev/null
}

# strut_take_step_8 FOLDER: put deal.II's step-8.cc there, for the test package.step_8. Debian's libdeal.ii-doc has it, which takes
# 590 MB installed; many containers install nothing below /usr/share/doc. So the file is taken out of the package, 260 MB that
# are removed again. Without it that test is skipped.
strut_take_step_8() {
  local file=./usr/share/doc/libdeal.ii-doc/examples/step-8/step-8.cc downloads
  if [[ -e $1/step-8.cc || -e ${file#.} ]] || ! command -v apt-get > /dev/null; then
    return 0
  fi
  strut_say "taking step-8.cc out of Debian's package libdeal.ii-doc, 260 MB"
  downloads=$(mktemp -d)
  mkdir -p "$1"
  if (cd "$downloads" && apt-get download -qq libdeal.ii-doc) > "$downloads/log" 2>&1; then
    # tar ends at this file, and dpkg-deb says then that its pipe is broken.
    dpkg-deb --fsys-tarfile "$downloads"/*.deb 2> /dev/null | tar -xO --occurrence=1 "$file" > "$downloads/step-8.cc" || true
  fi
  if [[ -s $downloads/step-8.cc ]]; then
    mv "$downloads/step-8.cc" "$1"
  else
    strut_say "without it, the test package.step_8 is skipped: $(grep -v '^W:' "$downloads/log" | head -n 1)"
  fi
  rm -rf "$downloads"
}

# How many compilers at once: the cores, but no more than one for each 2 GB of memory, which a
# file with deal.II's headers takes.
strut_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 2097152)}' /proc/meminfo 2> /dev/null || true)
  memory=${memory:-$cores}
  ((memory > 0)) || memory=1
  printf '%s\n' "$((cores < memory ? cores : memory))"
}

# Options for every configuration: Ninja, plugin/ and the tests in batches since nothing is there yet, and ccache where there is
# one: the second of two builds takes the objects of the core and of its tests from the first. For that, both call
# their files the same, relative to the folder of the build.
strut_configure() {
  local options=(-G Ninja -DSTRUT_IN_BATCHES=ON)
  if command -v ccache > /dev/null; then
    export CCACHE_BASEDIR=$PWD
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S . "${options[@]}" "$@"
}

# OpenMPI refuses to start for root, the usual user inside a container, unless it is told twice.
if [[ $(id -u) -eq 0 ]]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

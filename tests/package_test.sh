#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The forms in which others get strut: the install tree, the build tree, the Debian package.
#
#   package_test.sh BUILD TYPE install          install; build and test every project in plugin/examples with it
#   package_test.sh BUILD TYPE build_tree       configure such a project with the build tree itself
#   package_test.sh BUILD TYPE debian_package   make the package, and look into it
#   package_test.sh BUILD TYPE step_8           patch, build and run deal.II's step-8 with the build tree itself
#
# BUILD is a finished build of CMAKE_BUILD_TYPE TYPE. CXX and CMAKE_CXX_COMPILER_LAUNCHER may name compilers.
set -euo pipefail

build=$(realpath "$1")
type=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$(realpath "$here/../plugin/examples")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

n_wrong=0
wrong() {
  printf 'WRONG: %s\n' "$1"
  n_wrong=$((n_wrong + 1))
}

# quietly COMMAND...: its output only if it fails.
quietly() {
  "$@" > "$folder/log" 2>&1 || {
    wrong "exit code $? of: $*"
    cat "$folder/log"
    return 1
  }
}

# refused TEXT OPTION...: configuring the project in $folder/refused-project with these options must fail with this text.
refused() {
  local text=$1
  shift
  rm -rf "$folder/refused"
  if cmake -S "$folder/refused-project" -B "$folder/refused" "$@" > "$folder/log" 2>&1; then
    wrong "configured with $*"
  elif ! tr -s ' \n' ' ' < "$folder/log" | grep -F "$text" > /dev/null; then
    wrong "\"$text\" is not what it says with $*:"
    cat "$folder/log"
  fi
}

# refusals OPTION...: what a project is told that wants the other kind of build, or a version to come.
refusals() {
  cp -r "$examples/runtime-plugin" "$folder/refused-project"
  if [[ $type == Debug ]]; then
    refused 'was built with Debug only' "$@" -DCMAKE_BUILD_TYPE=Release
  else
    refused "only. deal.II's debug library, which Debug means, does not mix" "$@" -DCMAKE_BUILD_TYPE=Debug
  fi
  sed -i 's/find_package(strut [0-9.]*/find_package(strut 99.0/' "$folder/refused-project/CMakeLists.txt"
  refused 'compatible with requested version "99.0"' "$@" -DCMAKE_BUILD_TYPE="$type"
}

# components CONFIG OPTION...: the backends as components of the strut that CONFIG, a strutConfig.cmake, describes.
components() {
  local config=$1 cuda
  shift
  rm -rf "$folder/refused-project"
  mkdir -p "$folder/refused-project" "$folder/no-cuda"
  cat > "$folder/refused-project/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.22)
project(components LANGUAGES CXX)
find_package(strut 1.0 ${request})
message(STATUS "strut ${strut_FOUND}, cpu ${strut_cpu_FOUND}, cuda ${strut_cuda_FOUND}.")
EOF
  # found TEXT OPTION...: it must be configured, and say this.
  found() {
    local text=$1
    shift
    rm -rf "$folder/refused"
    quietly cmake -S "$folder/refused-project" -B "$folder/refused" "$@" -DCMAKE_BUILD_TYPE="$type" || return 0
    grep -iF -- "-- $text." "$folder/log" > /dev/null || wrong "\"$text\" is not what it says with $*"
  }
  cuda=$(sed -n 's/^set(STRUT_WITH_CUDA \(.*\))$/\1/p' "${config%/*}/strutBackends-${type,,}.cmake")
  found "strut 1, cpu TRUE, cuda $cuda" "$@" '-Drequest=REQUIRED'
  found "strut 1, cpu TRUE, cuda $cuda" "$@" '-Drequest=REQUIRED;COMPONENTS;cpu;OPTIONAL_COMPONENTS;cuda;gpu'
  if [[ $cuda == ON ]]; then
    found 'strut 1, cpu TRUE, cuda ON' "$@" '-Drequest=REQUIRED;COMPONENTS;cuda;cpu'
  fi
  refused '"gpu" is no component of strut. Allowed are "cpu" and "cuda".' "$@" '-Drequest=REQUIRED;COMPONENTS;cpu;gpu'
  found 'strut 0, cpu TRUE, cuda '"$cuda" "$@" '-Drequest=QUIET;COMPONENTS;gpu'

  # the same without CUDA
  cp "${config%/*}"/strut*.cmake "$folder/no-cuda"
  echo 'set(STRUT_WITH_CUDA OFF)' > "$folder/no-cuda/strutBackends-${type,,}.cmake"
  refused 'The component "cuda" is missing' -Dstrut_DIR="$folder/no-cuda" '-Drequest=REQUIRED;COMPONENTS;cpu;cuda'
  refused 'Build strut with -DSTRUT_WITH_CUDA=ON, or' -Dstrut_DIR="$folder/no-cuda" '-Drequest=REQUIRED;COMPONENTS;cuda'
  found 'strut 0, cpu TRUE, cuda OFF' -Dstrut_DIR="$folder/no-cuda" '-Drequest=QUIET;COMPONENTS;cuda'

  # another build type beside it, with other backends: each has its own
  local other=debug
  [[ ${type,,} != debug ]] || other=release
  echo 'set(STRUT_WITH_CUDA ON)' > "$folder/no-cuda/strutBackends-$other.cmake"
  found 'strut 0, cpu TRUE, cuda OFF' -Dstrut_DIR="$folder/no-cuda" '-Drequest=QUIET;COMPONENTS;cuda'
}

# alone OPTION...: target_link_libraries(... strut::strut) is all that an application needs, and stiffness_operator.h the
# only header: it brings deal.II's of the right kind, vectors and strut's errors. The other kind of build is refused.
alone() {
  rm -rf "$folder/refused-project"
  mkdir "$folder/refused-project"
  cat > "$folder/refused-project/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.22)
project(alone LANGUAGES CXX)
find_package(strut 1.0 REQUIRED)
add_executable(alone alone.cc)
target_compile_options(alone PRIVATE -Wall -Wextra -Werror)
target_link_libraries(alone PRIVATE strut::strut)
file(GENERATE OUTPUT library.txt CONTENT "$<TARGET_FILE_NAME:strut::strut>")
EOF
  cat > "$folder/refused-project/alone.cc" << 'EOF'
#include <strut/stiffness_operator.h>

int main()
{
#ifdef DEBUG // deal.II's word, which decides about the layout of its classes
  const bool is_debug = true;
#else
  const bool is_debug = false;
#endif
  if (is_debug != IS_DEBUG)
    return 1;
  const strut::StiffnessOperator<double> empty;
  dealii::Vector<double> x(3), y(3);
  try
    {
      empty.vmult(y, x);
    }
  catch (const strut::SolverFailure &)
    {
      return 2;
    }
  catch (const strut::Error &error)
    {
      return std::string(error.what()).empty() ? 3 : 0;
    }
  return 4;
}
EOF
  local types=Debug other=Release is_debug=true g='\.g' a_type
  [[ $type == Debug ]] || types='Release RelWithDebInfo' other=Debug is_debug=false g=
  for a_type in $types; do
    rm -rf "$folder/alone"
    quietly cmake -S "$folder/refused-project" -B "$folder/alone" "$@" -DCMAKE_BUILD_TYPE="$a_type" \
      -DCMAKE_CXX_FLAGS="-DIS_DEBUG=$is_debug" || continue
    grep -q "^libstrut$g\.so" "$folder/alone/library.txt" || wrong "$a_type takes $(cat "$folder/alone/library.txt")"
  done
  quietly cmake --build "$folder/alone" && quietly "$folder/alone/alone" || return 0
  (($(ldd "$folder/alone/alone" | grep -cE 'libdeal[._]ii') == 1)) || wrong 'it takes deal.II for Debug and for Release'
  refused_calls "$folder/alone"
  refused "deal.II's debug library, which Debug means, does not mix with its release library." "$@" -DCMAKE_BUILD_TYPE=$other
}

# refused_calls BUILD: what the compiler says of calls that an operator does not take, in the project that was built there.
refused_calls() {
  local text
  cat > "$folder/refused-project/alone.cc" << 'EOF'
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <strut/stiffness_operator.h>

#include <complex>

int main()
{
  strut::StiffnessOperator<double> K;
  const strut::StiffnessOperator<std::complex<double>> of_complex_numbers;
  const strut::DeviceVector<int> of_integers;
  dealii::Vector<double> x;
  const dealii::Vector<float> y;
  K.vmult(x, y);
  K.set_tangents([](const auto &, unsigned int) { return dealii::Tensor<4, 3>(); });
  const dealii::Triangulation<2, 3> surface;
  const dealii::DoFHandler<2, 3> dof_handler(surface);
  K.reinit(dof_handler, dealii::AffineConstraints<double>());
}
EOF
  if cmake --build "$1" > "$folder/log" 2>&1; then
    wrong 'calls that an operator does not take compile'
  fi
  for text in 'StiffnessOperator<Number> takes double and float' 'DeviceVector<Number> takes double and float' \
    'must be of one type' 'functions that return SymmetricTensor<4, 3>' 'takes DoFHandler<3>'; do
    grep -F "$text" "$folder/log" > /dev/null || wrong "\"$text\" is not what the compiler says: $(cat "$folder/log")"
  done
}

# both_types PREFIX: Debug and Release in one place, one of them with CUDA. The other type is configured only, and empty files
# take the places of its libraries and programs.
both_types() {
  local both=$folder/both other=Debug from=$folder/other to file name
  [[ $type != Debug ]] || other=Release
  cp -r "$1" "$both"
  to=$(dirname "$(find "$both" -name strutConfig.cmake)")
  cmake -S "$here/.." -B "$from" -DCMAKE_BUILD_TYPE=$other -DBUILD_TESTING=OFF -DSTRUT_WITH_CUDA=OFF \
    -Ddeal.II_DIR="$(sed -n 's/^deal.II_DIR:PATH=//p' "$build/CMakeCache.txt")" > "$folder/log" 2>&1 || {
    grep -q "needs deal.II's debug library" "$folder/log" || wrong "not configured as $other: $(cat "$folder/log")"
    return 0
  }
  # Where the file of targets differs from the installed one, CMake removes what that one has about other types.
  file=$(find "$from" -path '*/Export/*' -name strutTargets.cmake)
  cp "$file" "$from"
  for name in strutTargets.cmake strutConfig.cmake strutConfigVersion.cmake strut_setup_target.cmake; do
    cmp "$from/$name" "$to/$name" || wrong "$other and $type install different files $name"
  done
  cp "${file%.cmake}-${other,,}.cmake" "$from/strutBackends-${other,,}.cmake" "$to"
  while read -r name; do
    [[ ! -e $both/$name ]] || wrong "$other and $type both install $name"
    touch "$both/$name"
  done < <(sed -n 's|.*IMPORTED_LOCATION_[A-Z]* "${_IMPORT_PREFIX}/\(.*\)"|\1|p' "$to/strutTargets-${other,,}.cmake")
  echo 'set(STRUT_WITH_CUDA ON)' > "$to/strutBackends-${type,,}.cmake"

  rm -rf "$folder/refused-project"
  mkdir "$folder/refused-project"
  cat > "$folder/refused-project/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.22)
project(both LANGUAGES CXX)
find_package(strut 1.0 REQUIRED ${request})
file(GENERATE OUTPUT library.txt CONTENT "$<TARGET_FILE_NAME:strut::strut>")
EOF
  # takes TYPE OPTION...: the library of a project of this type
  takes() {
    rm -rf "$folder/both-project"
    quietly cmake -S "$folder/refused-project" -B "$folder/both-project" -DCMAKE_PREFIX_PATH="$both" \
      -DCMAKE_BUILD_TYPE="$1" "${@:2}" || return 0
    grep -q "^libstrut$([[ $1 != Debug ]] || echo '\.g')\.so" "$folder/both-project/library.txt" ||
      wrong "$1 takes $(cat "$folder/both-project/library.txt")"
  }
  takes "$type" '-Drequest=COMPONENTS;cuda'
  takes "$other"
  refused 'The component "cuda" is missing' -DCMAKE_PREFIX_PATH="$both" -DCMAKE_BUILD_TYPE=$other '-Drequest=COMPONENTS;cuda'
}

test_install() {
  local prefix=$folder/prefix example name program
  quietly cmake --install "$build" --prefix "$prefix"
  # where it was built must not be needed
  if grep -rlF "$build" "$prefix" --include='*.cmake' --include='*.h'; then
    wrong 'these installed files name the folder that strut was built in'
  fi
  program=$(find "$prefix/bin" -name 'strut' -o -name 'strut.g' | head -n 1)
  quietly env -u LD_LIBRARY_PATH "$program" --version
  if ldd "$program" | grep -F "$build"; then
    wrong 'the installed program takes libraries from the folder that it was built in'
  fi
  refusals -DCMAKE_PREFIX_PATH="$prefix"
  components "$(find "$prefix" -name strutConfig.cmake)" -DCMAKE_PREFIX_PATH="$prefix"

  alone -DCMAKE_PREFIX_PATH="$prefix"
  both_types "$prefix"

  for example in "$examples"/*/CMakeLists.txt; do
    example=${example%/CMakeLists.txt}
    name=${example##*/}
    [[ $name != step-8 ]] || continue # the test step_8
    printf 'example %s\n' "$name"
    quietly cmake -S "$example" -B "$folder/$name" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE="$type" &&
      quietly cmake --build "$folder/$name" --parallel 2 &&
      quietly ctest --test-dir "$folder/$name" --no-tests=error --output-on-failure || true
  done
}

test_build_tree() {
  quietly cmake -S "$examples/runtime-plugin" -B "$folder/example" -Dstrut_DIR="$build" -DCMAKE_BUILD_TYPE="$type" || true
  refusals -Dstrut_DIR="$build"
  components "$build/strutConfig.cmake" -Dstrut_DIR="$build"
  alone -Dstrut_DIR="$build"
}

# made_from_help USR: each program has a manual page and a completion with all options of its --help.
made_from_help() {
  local program option page
  for program in strut strut-compare strut-assemble strut-export strut-compare-runs; do
    page=$1/share/man/man1/$program.1.gz
    bash -n "$1/share/bash-completion/completions/$program" || wrong "bash cannot read the completion of $program"
    while read -r option; do
      # hyphens have a backslash in a page
      zcat "$page" | grep -qF -- "\\fB${option//-/\\-}\\fR" || wrong "no $option in $page"
      grep -qE -- "[' ]$option[' ]" "$1/share/bash-completion/completions/$program" || wrong "$program: no completion of $option"
    done < <("$(find "$build" -maxdepth 1 -name "$program" -o -maxdepth 1 -name "$program.g")" --help | sed -nE 's/^  (-h,)?(--[a-z-]+).*/\2/p')
  done
}

test_debian_package() {
  local package field
  if ! command -v dpkg-deb > /dev/null || ! command -v dpkg-shlibdeps > /dev/null; then
    echo 'skipped: there is no dpkg, or no dpkg-dev, here'
    exit 77
  fi
  quietly cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder"
  package=$(find "$folder" -maxdepth 1 -name '*.deb')
  dpkg-deb --info "$package" | tee "$folder/info" # a file: grep -q leaves a pipe before its writer is done
  for field in 'Package: strut$' 'Version: [0-9]' 'Section: science$' 'Depends: .*libdeal.ii' 'Depends: .*openmpi-bin' \
    'Maintainer: The strut authors' 'Description: .*elasticity'; do
    grep -q "^ $field" "$folder/info" || wrong "no field $field"
  done
  dpkg-deb --contents "$package" > "$folder/contents"
  for file in bin/strut bin/strut-compare bin/strut-assemble bin/strut-export bin/strut-compare-runs 'lib/[^ ]*libstrut\.so\.' include/strut/load.h 'lib/[^ ]*strutConfig\.cmake' \
    share/strut/prm/cantilever.prm share/doc/strut/copyright share/doc/strut/changelog.gz; do
    grep -q "\./usr/$file" "$folder/contents" || wrong "no $file in the package"
  done
  ! grep -q '^ Recommends:' "$folder/info" || wrong 'apt-get installs what it recommends, too'
  dpkg-deb --extract "$package" "$folder/package"
  made_from_help "$folder/package/usr"
  # the runtime of CUDA is linked in
  while read -r file; do
    ! ldd "$file" | grep -iE 'cudart|cusparse' || wrong "$file needs a library of CUDA's toolkit"
  done < <(find "$folder/package/usr" -path '*/bin/*' -o -name 'libstrut*.so.*' -type f)
  if command -v lintian > /dev/null; then
    quietly lintian --allow-root --fail-on error "$package" || true
  fi
}

# deal.II's step-8 in three dimensions, with a matrix and with the operator. Its source is that of the Debian package, or the
# file that test.sh took out of it. First, without it: the page prints the whole patch.
test_step_8() {
  local patch version source=/usr/share/doc/libdeal.ii-doc/examples/step-8/step-8.cc reason=''
  patch=$(< "$examples/step-8/stiffness-operator.patch")
  [[ $(< "$here/../doc/application.md") == *$'\n```diff\n'"$patch"$'\n```\n'* ]] ||
    wrong 'doc/application.md does not print plugin/examples/step-8/stiffness-operator.patch'
  version=$(sed -n 's/^set(STRUT_DEAL_II_VERSION \(.*\))$/\1/p' "$build/strutConfig.cmake")
  [[ ! -e $build/step-8.cc ]] || source=$build/step-8.cc
  if [[ $version != 9.4.* ]]; then
    reason="the patches are for the step-8.cc of deal.II 9.4, and this is deal.II $version"
  elif ! command -v patch > /dev/null; then
    reason='there is no program patch here'
  elif [[ ! -e $source ]]; then
    reason="there is no step-8.cc of deal.II's examples here; ./test.sh takes it out of Debian's libdeal.ii-doc"
  fi
  if [[ -n $reason ]]; then
    printf 'skipped: %s\n' "$reason"
    ((n_wrong > 0)) || exit 77
    return 0
  fi
  quietly cmake -S "$examples/step-8" -B "$folder/step-8" -Dstrut_DIR="$build" -DSTEP_8="$source" -DCMAKE_BUILD_TYPE="$type" &&
    quietly cmake --build "$folder/step-8" &&
    quietly ctest --test-dir "$folder/step-8" --no-tests=error --verbose &&
    grep '|' "$folder/log" || true
}

"test_$3"
exit $((n_wrong > 0))

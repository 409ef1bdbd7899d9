#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# run.sh, test.sh and the Debian package on a bare Debian 12, as a new machine has them: debootstrap into a folder, a clone of
# HEAD or the package in it, no package but sudo. Takes root, some 15 GB (a package: 5 GB), and the time of cold builds. Not a
# part of the tests: before every release.
#
#   tests/fresh_machine.sh [OPTION...]
#   --user root|ordinary|both      who calls the commands; `ordinary` has sudo (default: both)
#   --command run|test|both        ./run.sh, ./test.sh (default: both). Each starts on a machine of its own
#   --command package              installs --package by apt-get, runs a deck of it, exports the part
#   --package FILE                 the package, strut_1.0.0_amd64.deb (doc/running.md says how to make it)
#   --toolkit DIR                  a CUDA toolkit, which the machine sees at /usr/local/cuda (default: none)
#   --sys                          mount /sys (default: the machine has none, as in some containers)
#   --keep                         keep the machines
#   --folder DIR                   where to make them (default: a new one in ${TMPDIR:-/var/tmp}); logs stay there
# For a quick trial, which proves nothing:
#   --trial TARGET                 instead of the commands: install, configure, build this target
#   --ccache DIR                   a compiler cache that the machines share, outside of them
#
# The mirror, proxies and certificates are those of this machine, read at run time. What is not committed is not tested.
# All mounts are made in a mount namespace that ends with the processes of the machine, however they end: outside of it
# the folder has never anything mounted in it, so that removing it can reach nothing else.
set -euo pipefail

suite=bookworm
path_of_a_login=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
repository=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)

usage() {
  sed -n 's/^# \{0,1\}//; 4,23p' "${BASH_SOURCE[0]}"
}

fail() {
  printf 'fresh_machine.sh: %s\n' "$*" >&2
  exit 1
}

users=(root ordinary)
commands=(run test)
toolkit=
with_sys=false
keep=false
folder=
trial=
cache=
package=
while (($# > 0)); do
  case $1 in
    --user | --command | --package | --toolkit | --folder | --trial | --ccache)
      (($# > 1)) || fail "$1 needs a value; see --help"
      ;;&
    --user)
      case $2 in
        root | ordinary) users=("$2") ;;
        both) ;;
        *) fail "--user $2: root, ordinary or both" ;;
      esac
      shift
      ;;
    --command)
      case $2 in
        run | test | package) commands=("$2") ;;
        both) ;;
        *) fail "--command $2: run, test, both or package" ;;
      esac
      shift
      ;;
    --package)
      [[ -f $2 && $2 == *.deb ]] || fail "--package $2: this is no package; name the file strut_VERSION_amd64.deb that cpack made"
      package=$(realpath "$2")
      shift
      ;;
    --toolkit)
      toolkit=$(realpath "$2")
      [[ -x $toolkit/bin/nvcc ]] || fail "--toolkit $2: there is no bin/nvcc in it"
      shift
      ;;
    --folder)
      mkdir -p "$2"
      folder=$(realpath "$2")
      shift
      ;;
    --trial)
      trial=$2
      shift
      ;;
    --ccache)
      mkdir -p "$2"
      chmod a+rwxt "$2" # for the users of the machines, too
      cache=$(realpath "$2")
      shift
      ;;
    --sys) with_sys=true ;;
    --keep) keep=true ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail "there is no option '$1'; see --help" ;;
  esac
  shift
done
[[ -z $trial ]] || commands=(trial)
[[ ${commands[*]} != package || -n $package ]] || fail '--command package needs the package: --package FILE; doc/running.md says how to make it'

[[ $(id -u) -eq 0 ]] || fail 'only root can make a machine: sudo tests/fresh_machine.sh'
for program in debootstrap git unshare chroot; do
  command -v $program > /dev/null || fail "$program is missing: apt-get install debootstrap git util-linux coreutils"
done
[[ -n $folder ]] || folder=$(mktemp -d "${TMPDIR:-/var/tmp}/strut-fresh-machine.XXXXXX")
logs=$folder/logs
mkdir -p "$logs" "$folder/archives/partial"

# remove FOLDER: never through a mount, whoever made it.
remove() {
  if awk -v folder="$1" '$5 == folder || index($5, folder "/") == 1 { found = 1 } END { exit !found }' /proc/self/mountinfo; then
    fail "something is mounted in $1; it is left as it is"
  fi
  rm -rf --one-file-system "$1"
}

machine_process=
finish() {
  local code=$?
  trap - EXIT
  if [[ -n $machine_process ]]; then
    kill -9 "$machine_process" 2> /dev/null || true # its processes and mounts end with it
    wait "$machine_process" 2> /dev/null || true
  fi
  if ! $keep; then
    remove "$folder/bare"
    remove "$folder/archives"
    find "$folder" -maxdepth 1 -name 'machine-*' -print0 | while IFS= read -r -d '' machine; do
      remove "$machine"
    done
  fi
  exit $code
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The archive that this machine's apt takes Debian from.
mirror() {
  local found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2> /dev/null | sed 's/#.*//' |
    grep -oE 'https?://[^] ]+/debian/?([[:space:]]|$)' | head -n 1 | tr -d '[:space:]' || true)
  printf '%s\n' "${found:-http://deb.debian.org/debian}"
}

# A bare Debian 12 in $1, which reaches the archive as this machine does.
make_bare() {
  local bare=$1 file sources
  debootstrap --variant=minbase --include=sudo,ca-certificates $suite "$bare" "$(mirror)"
  printf 'deb %s %s main\n' "$(mirror)" $suite > "$bare/etc/apt/sources.list"
  # what says how to fetch, not what to do with packages
  sources=$(grep -lE '^[[:space:]]*Acquire::' /etc/apt/apt.conf.d/* 2> /dev/null || true)
  for file in $sources; do
    grep -q 'Post-Invoke\|Pre-Invoke\|Pre-Install' "$file" || cp "$file" "$bare/etc/apt/apt.conf.d/"
  done
  [[ ! -d /etc/apt/auth.conf.d ]] || cp -r /etc/apt/auth.conf.d "$bare/etc/apt/"
  [[ -z ${http_proxy:-} ]] || printf 'Acquire::http::Proxy "%s";\n' "$http_proxy" >> "$bare/etc/apt/apt.conf.d/99proxy"
  [[ -z ${https_proxy:-} ]] || printf 'Acquire::https::Proxy "%s";\n' "$https_proxy" >> "$bare/etc/apt/apt.conf.d/99proxy"
  cp -rL /etc/ssl/certs/. "$bare/etc/ssl/certs/" 2> /dev/null || true
  cp -L /etc/resolv.conf /etc/hosts "$bare/etc/"
  # as in Debian's images for containers: hundreds of packages, each file of which would be waited for
  echo force-unsafe-io > "$bare/etc/dpkg/dpkg.cfg.d/unsafe-io"
  hostname > "$bare/etc/hostname"
  printf '127.0.0.1 %s\n' "$(hostname)" >> "$bare/etc/hosts"
  chroot "$bare" useradd --create-home --shell /bin/bash builder
  echo 'builder ALL=(ALL) NOPASSWD: ALL' > "$bare/etc/sudoers.d/builder"
}

# In the namespaces of the machine: mount, and become the user. Arguments: machine, user, home, command, then the mounts.
inside() {
  local machine=$1 user=$2 home=$3 command=$4
  mount -t proc proc "$machine/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$machine/dev/shm"
  mount --bind "$folder/archives" "$machine/var/cache/apt/archives"
  if $with_sys; then
    mount -t sysfs -o ro sysfs "$machine/sys"
  fi
  if [[ -n $toolkit ]]; then
    mount --bind "$toolkit" "$machine/usr/local/cuda"
    mount -o remount,ro,bind "$machine/usr/local/cuda"
  fi
  local variables=("HOME=$home" "USER=$user" "LOGNAME=$user" "PATH=$path_of_a_login" LANG=C.UTF-8 TERM=dumb)
  if [[ -n $cache ]]; then
    mount --bind "$cache" "$machine/ccache"
    variables+=(CCACHE_DIR=/ccache CCACHE_UMASK=000)
  fi
  exec chroot --userspec="$user" --groups="$(chroot "$machine" id -G "$user" | tr ' ' ,)" "$machine" \
    env -i "${variables[@]}" bash -c "cd ~/strut && $command"
}

# on_a_machine NAME USER COMMAND: a new machine, with the log in $logs/NAME.log.
on_a_machine() {
  local name=$1 user=$2 command=$3 home code=0 machine=$folder/machine-$1
  home=$(chroot "$folder/bare" getent passwd "$user" | cut -d: -f6)
  cp -a "$folder/bare" "$machine"
  [[ -z $toolkit ]] || mkdir -p "$machine/usr/local/cuda"
  [[ -z $cache ]] || mkdir -p "$machine/ccache"
  if [[ ${name%-*} == package ]]; then
    mkdir "$machine$home/strut"
    cp "$package" "$machine$home/strut"
  else
    git clone --quiet --no-hardlinks "$repository" "$machine$home/strut"
  fi
  chroot "$machine" chown -R "$user:" "$home/strut"
  export -f inside
  export folder toolkit with_sys cache path_of_a_login
  unshare --mount --propagation private --pid --fork --kill-child \
    bash -euc 'inside "$@"' inside "$machine" "$user" "$home" "$command" < /dev/null > "$logs/$name.log" 2>&1 &
  machine_process=$!
  wait "$machine_process" || code=$?
  machine_process=
  $keep || remove "$machine"
  return $code
}

# What a user of the package calls, in a folder with nothing but the package. The deck, its part, and its page, which shows the
# design in a browser.
try_package() {
  local start as_root=()
  set -euo pipefail
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  start=$SECONDS
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 "./$(ls)"
  printf 'seconds of apt-get install: %s\n' $((SECONDS - start))
  for compiler in cc c++ gcc g++ clang nvcc; do
    ! command -v $compiler || {
      printf 'WRONG: the package brought a compiler\n'
      return 1
    }
  done
  strut --version
  strut /usr/share/strut/prm/cantilever.prm
  grep -q '<canvas id="part"' output/cantilever/report.html
  printf 'seconds from apt-get install to output/cantilever/report.html: %s\n' $((SECONDS - start))
  strut-export output/cantilever/cantilever-0040.vtu --output part.3mf --output part.stl
  [[ -s part.3mf && -s part.stl ]]
  mpirun --oversubscribe --allow-run-as-root -n 2 strut /usr/share/strut/prm/cantilever.prm --output two-ranks --quiet
  strut-compare-runs output/cantilever two-ranks
  ls -l part.3mf part.stl /usr/share/man/man1/strut*.1.gz /usr/share/bash-completion/completions/strut* || true
}

# The line that a command prints when all went well, beside exit code 0.
went_well() {
  case $1 in
    run) grep -q '^  picture .*design\.png$' "$2" ;;
    test) grep -q '^100% tests passed, 0 tests failed' "$2" ;;
    package) grep '^seconds from apt-get install to ' "$2" ;;
    trial) true ;;
  esac
}

commit=$(git -C "$repository" rev-parse --short HEAD)
printf 'strut %s on a bare Debian 12 (%s) in %s\n' "$commit" "$suite" "$folder"
[[ -z $(git -C "$repository" status --porcelain --untracked-files=no) ]] || echo 'NOTE: changes that are not committed are not tested'
[[ -z $cache ]] || echo 'NOTE: with a compiler cache of outside: a quick trial, no proof'
if [[ ! -d $folder/bare ]]; then
  make_bare "$folder/bare" > "$logs/debootstrap.log" 2>&1 || {
    tail -n 20 "$logs/debootstrap.log"
    fail "no bare Debian: $logs/debootstrap.log"
  }
fi

declare -A command_of=([run]='./run.sh' [test]='./test.sh' [package]="$(declare -f try_package); try_package"
  [trial]=". plugin/cmake/bootstrap.sh && set -euo pipefail && strut_install \"\${strut_build_packages[@]}\" && \
strut_configure -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel \"\$(strut_jobs)\" --target $trial")
n_failed=0
report=
[[ -z $package ]] || printf 'package %s, sha256 %s\n' "$package" "$(sha256sum "$package" | cut -c 1-16)"
for user in "${users[@]}"; do
  for command in "${commands[@]}"; do
    name=$command-$user
    login=$user
    [[ $user == root ]] || login=builder
    printf '%s as %s ... ' "$command" "$user"
    start=$SECONDS
    result=passed
    on_a_machine "$name" "$login" "${command_of[$command]}" && went_well "$command" "$logs/$name.log" || result=FAILED
    line=$(printf '%-8s %-9s %s  %3d min  %s' "$command" "$user" "$result" $(((SECONDS - start + 30) / 60)) "$logs/$name.log")
    echo "$result"
    report+=$line$'\n'
    if [[ $result == FAILED ]]; then
      n_failed=$((n_failed + 1))
      tail -n 30 "$logs/$name.log" | sed 's/^/    /'
    fi
  done
done

printf '\nstrut %s, bare Debian 12, %s, %s\n%s' "$commit" \
  "$([[ -n $toolkit ]] && echo "CUDA toolkit of $toolkit" || echo 'no CUDA toolkit')" \
  "$($with_sys && echo 'with /sys' || echo 'without /sys')" "$report"
((n_failed == 0))

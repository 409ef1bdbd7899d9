#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# What libstrut shows to the programs that link to it: strut's public names, and nothing of the templates of deal.II,
# boost, Eigen, Thrust, CUB and the standard library that were compiled into it.
#
#   symbols_test.sh LIBRARY WHOLE [MODULE...]
#
# LIBRARY is libstrut, WHOLE the same that hides nothing. MODULE: libraries that use public headers only.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
library=$1
whole=$2
shift 2
n_wrong=0
wrong() {
  printf 'WRONG: %s\n' "$1"
  n_wrong=$((n_wrong + 1))
}

shown_by() {
  nm -D --defined-only "$1" | awk '{print $NF}' | sort -u
}
# Those on standard input that are no members, tables or type information of namespace strut, and not deal.II's set_zero_all() of
# its vectors, which AffineConstraints::set_zero() finds in deal.II's namespace alone.
foreign() {
  grep -vE '^_Z(N|NK|T[VIST]N|TCN|T[hv][n0-9_]*NK?|GVN|GVZNK?|ZNK?)5strut|^_ZN6dealii8internal[0-9]+[A-Za-z]*12set_zero_allIN5strut' || true
}

n_shown=$(shown_by "$library" | wc -l)
n_whole=$(shown_by "$whole" | wc -l)
strangers=$(shown_by "$library" | foreign | c++filt)
printf 'libstrut shows %d of %d symbols\n' "$n_shown" "$n_whole"
[[ -z $strangers ]] || wrong "these are not strut's:"$'\n'"$strangers"
# The rule sees what it looks for.
(($(shown_by "$whole" | foreign | wc -l) > 1000)) || wrong 'the library that hides nothing has no foreign symbols either'
# Strut's own parts are hidden, too: what the public headers declare is far less.
((2 * n_shown < $(shown_by "$whole" | grep -c '5strut'))) || wrong 'more than half of what is in strut is public'
own=$(shown_by "$library" | grep -E '^_ZNK?5strut(9Multigrid|3cpu|4cuda)' | c++filt || true)
[[ -z $own ]] || wrong "no public header has these:"$'\n'"$own"

# Functions at the start of a line in an installed header, whatever they return. Inline ones may be in no library.
declared() {
  local name
  { grep -rhE --include='*.h' '^[A-Za-z][^(/]*\(' "$here/../include/strut" "$here/../plugin/include" || true; } |
    sed -nE 's/^([^(]*[ &*>])?([A-Za-z_][A-Za-z_0-9]*)\(.*/\2/p' | sort -u |
    while read -r name; do
      printf '^_ZN5strut%d%s[EI]\n' ${#name} "$name"
    done
}
patterns=$(declared)
hidden=$(comm -13 <(shown_by "$library") <(shown_by "$whole" | grep -E -f <(printf '%s\n' "$patterns")) | c++filt)
[[ -z $hidden ]] || wrong "public headers declare these, and they are hidden:"$'\n'"$hidden"
# The rule sees functions that return classes, and operators.
for name in 'strut::add_by_displacements(' 'strut::check_gradient(' 'strut::choose_preconditioner(' 'strut::size_of(' \
  'strut::operator<<(std::ostream&, strut::Transfers const&)'; do
  shown_by "$library" | c++filt | sed 's/std::basic_ostream<char, std::char_traits<char> >/std::ostream/; s/\[abi:[^]]*\]//' |
    grep -F "$name" > /dev/null || wrong "$name is hidden"
done

# Users find what they need.
for module in "$@"; do
  missing=$(comm -23 <(nm -D --undefined-only "$module" | awk '{print $NF}' | grep -E '^_Z[A-Z]*N?K?5strut' | sort -u) <(shown_by "$library"))
  [[ -z $missing ]] || wrong "$module needs what is hidden: $(c++filt <<< "$missing")"
done
exit $((n_wrong > 0))

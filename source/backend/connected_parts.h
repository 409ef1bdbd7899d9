// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// Where the nodes of a mesh are, and the elements around them.
struct NodesAndElements
{
  std::size_t n_nodes, n_elements;
  const double *coordinates;
  const LocalIndex *connectivity, *begin, *entries; ///< the last two as in NodeToElement
};

/// The number of whatever is connected, by a forest whose trees grow from their lowest number: parent <= child.
/// Threads unite trees at the same time without locks (Jaiganesh and Burtscher 2018); the roots that are left do not
/// depend on who came first.
namespace connected
{
/// *p becomes `desired` if it is `expected`. @return what it was
STRUT_HOST_DEVICE inline LocalIndex
exchange(LocalIndex *const p, LocalIndex expected, const LocalIndex desired)
{
#ifdef __CUDA_ARCH__
  return atomicCAS(p, expected, desired);
#else
  __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
#endif
}

STRUT_HOST_DEVICE inline LocalIndex load(const LocalIndex *const p)
{
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile LocalIndex *>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}

/// The root of i; the way there is halved for those who come after.
STRUT_HOST_DEVICE inline LocalIndex root(LocalIndex *const parent, LocalIndex i)
{
  LocalIndex p = load(parent + i);
  while (p != i)
    {
      const LocalIndex grandparent = load(parent + p);
      if (grandparent != p)
        exchange(parent + i, p, grandparent);
      i = p;
      p = grandparent;
    }
  return i;
}

STRUT_HOST_DEVICE inline void unite(LocalIndex *const parent, LocalIndex a, LocalIndex b)
{
  while (true)
    {
      a = root(parent, a);
      b = root(parent, b);
      if (a == b)
        return;
      const LocalIndex upper = a < b ? b : a;
      if (exchange(parent + upper, upper, a < b ? a : b) == upper)
        return;
    }
}
} // namespace connected

/// NodalFields::label_parts(): a thread per node, then per element, then per node. Bytes: 4 per node and the
/// connectivity; trees are low, since neighbours have close numbers.
template <typename Loops>
void label_connected_parts(const Loops &loops,
                           const NodesAndElements &mesh,
                           const double *const density,
                           LocalIndex *const label)
{
  const LocalIndex none = static_cast<LocalIndex>(mesh.n_nodes);
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    label[n] = none;
    for (LocalIndex k = mesh.begin[n]; k < mesh.begin[n + 1]; ++k)
      if (density[mesh.entries[k] / 8] > 0.)
        label[n] = static_cast<LocalIndex>(n);
  });
  loops.for_each(mesh.n_elements, [=] STRUT_BODY(const std::size_t e) {
    if (density[e] > 0.)
      for (int v = 1; v < 8; ++v)
        connected::unite(label, mesh.connectivity[e], mesh.connectivity[v * mesh.n_elements + e]);
  });
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    if (label[n] != none)
      label[n] = connected::root(label, static_cast<LocalIndex>(n));
  });
}
} // namespace strut

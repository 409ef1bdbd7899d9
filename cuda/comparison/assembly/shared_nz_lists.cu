// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/shared_nz_lists.h"

#include "source/base/text.h"
#include "source/element/elements.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <string>

namespace strut::cuda
{
namespace
{
/// Returns twice the place of block (a, b) of an element among its pairs (element_integration.cuh),
/// plus 1 if it is the transpose of the block there.
std::uint32_t pair_code(const std::size_t npe, const std::size_t a, const std::size_t b)
{
  const std::size_t distance = (b + npe - a) % npe;
  const bool made            = 2 * distance < npe || (2 * distance == npe && a < npe / 2);
  const std::size_t pair     = made ? distance * npe + a : (npe - distance) * npe + b;
  return static_cast<std::uint32_t>(2 * pair + (made ? 0 : 1));
}

/// A text about the types whose matrices are smaller, or none.
std::string smaller_types(const std::size_t npe)
{
  std::string names;
  for (const ElementType &type : element_types())
    if (type.n_nodes < npe)
      add_to_list(names, type.name);
  return names.empty() ? names : ", and more elements of the types " + names;
}
} // namespace

SharedNzLists::SharedNzLists(const Mesh &mesh, const std::size_t capacity)
  : first_node(1, 0), first_element(1, 0), first_contribution(1, 0)
{
  constexpr std::uint32_t absent = ~std::uint32_t(0);
  const std::size_t npe          = mesh.type.n_nodes;
  const std::size_t n_pairs      = npe * (npe + 1) / 2;
  std::vector<std::uint32_t> place(mesh.n_elements, absent); // Place in the current group.
  std::vector<std::vector<std::uint32_t>> of_slot;
  rows.reserve(mesh.neighbours.size());
  contributions.reserve(npe * mesh.incidences.size());

  const auto close_group = [&](const std::size_t end) {
    for (std::uint64_t k = first_element.back(); k < elements.size(); ++k)
      place[elements[k]] = absent;
    first_node.push_back(static_cast<LocalIndex>(end));
    first_element.push_back(elements.size());
  };
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      const auto first = mesh.incidences.begin() + mesh.incidence_begin[node];
      const auto last  = mesh.incidences.begin() + mesh.incidence_begin[node + 1];
      const auto n_new = std::count_if(first, last, [&](const LocalIndex incidence) {
        return place[incidence / npe] == absent;
      });
      if (static_cast<std::size_t>(last - first) > capacity)
        throw Error("Matrix generation: node " + std::to_string(node) + " has " +
                      std::to_string(last - first) + " elements of type " + mesh.type.name +
                      ", and with 'SharedNZ' the shared memory of a block holds the matrices of " +
                      std::to_string(capacity) + ".\n  It holds more in single precision" +
                      smaller_types(npe) + ".",
                    Remedy::use_other_method);
      if (elements.size() - first_element.back() + static_cast<std::size_t>(n_new) > capacity)
        close_group(node);

      const auto row_begin =
        mesh.neighbours.begin() + static_cast<std::ptrdiff_t>(mesh.begin[node]);
      const auto row_end =
        mesh.neighbours.begin() + static_cast<std::ptrdiff_t>(mesh.begin[node + 1]);
      of_slot.resize(std::max(of_slot.size(), static_cast<std::size_t>(row_end - row_begin)));
      for (auto incidence = first; incidence != last; ++incidence)
        {
          const std::size_t e = *incidence / npe, a = *incidence % npe;
          if (place[e] == absent)
            {
              place[e] = static_cast<std::uint32_t>(elements.size() - first_element.back());
              elements.push_back(static_cast<LocalIndex>(e));
            }
          for (std::size_t b = 0; b < npe; ++b)
            {
              const LocalIndex other = mesh.nodes[b * mesh.n_elements + e];
              const auto slot        = std::lower_bound(row_begin, row_end, other) - row_begin;
              of_slot[static_cast<std::size_t>(slot)].push_back(
                static_cast<std::uint32_t>(2 * n_pairs) * place[e] + pair_code(npe, a, b));
            }
        }
      for (std::size_t slot = 0; slot < static_cast<std::size_t>(row_end - row_begin); ++slot)
        {
          contributions.insert(contributions.end(), of_slot[slot].begin(), of_slot[slot].end());
          of_slot[slot].clear();
          rows.push_back(static_cast<LocalIndex>(node));
          first_contribution.push_back(contributions.size());
        }
    }
  close_group(mesh.n_nodes);
}
} // namespace strut::cuda

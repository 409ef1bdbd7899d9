// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/gathered_elements.h"
#include "source/mesh/constrained_components.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>

namespace strut
{
std::vector<GatheredElement>
gather_elements(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);

  const std::vector<std::uint8_t> constrained =
    constrained_components(mesh.constrained_dofs, mesh.n_nodes, mesh.n_components);

  std::vector<double> own;
  own.reserve(40 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto node = [&](const std::size_t v) {
        return std::size_t(mesh.connectivity[v * mesh.n_elements + e]);
      };
      for (std::size_t v = 0; v < 8; ++v)
        own.push_back(numbers[node(v)]);
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t v = 0; v < 8; ++v)
          own.push_back(mesh.coordinates[d * mesh.n_nodes + node(v)]);
      for (std::size_t v = 0; v < 8; ++v)
        own.push_back(constrained[node(v)]);
    }
  const std::vector<double> all = communicator.gather(own);
  std::vector<GatheredElement> elements(all.size() / 40);
  std::copy(all.begin(), all.end(), reinterpret_cast<double *>(elements.data()));
  return elements;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/mean_value_rows.h"

#include "source/mesh/affine_rows.h"

namespace strut
{
std::vector<std::size_t> mean_value_rows(const Communicator &communicator, const ElementMesh &mesh)
{
  const AffineRows &rows = mesh.dependent;
  for (const std::size_t most_masters : {8, 16, 32, 64, 128})
    {
      std::vector<std::size_t> result;
      std::size_t n_owned = 0;
      for (std::size_t k = 0; k < rows.dofs.size(); ++k)
        if (rows.offsets[k + 1] - rows.offsets[k] > most_masters)
          {
            result.push_back(k);
            n_owned += rows.dofs[k] < mesh.n_owned_dofs() ? 1 : 0;
          }
      if (communicator.sum(n_owned) <= most_mean_values)
        return result;
    }
  return {};
}

std::unique_ptr<ElementMesh> without_mean_values(const Communicator &communicator,
                                                 const ElementMesh &mesh)
{
  const std::vector<std::size_t> mean_values = mean_value_rows(communicator, mesh);
  if (!communicator.any(!mean_values.empty()))
    return nullptr;
  auto result       = std::make_unique<ElementMesh>(mesh);
  result->dependent = {};
  result->dependent.offsets.push_back(0);
  auto next = mean_values.begin();
  for (std::size_t k = 0; k < mesh.dependent.dofs.size(); ++k)
    if (next != mean_values.end() && *next == k)
      ++next;
    else
      append_row(mesh.dependent, k, result->dependent);
  if (result->dependent.empty())
    result->dependent = {};
  return result;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/transfer_arrays.h"

#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"

namespace strut
{
TransferArrays::TransferArrays(const CoarseLevel &coarse, const int n_threads) : coarse_(coarse)
{
  if (!coarse.transfer.is_in_order)
    return;
  const ElementMesh &mesh = coarse.mesh;
  const std::size_t n     = mesh.n_elements;
  in_order_               = coarse.transfer;
  in_order_.octants       = cpu::filled_vector<std::uint8_t>(n_threads, 8 * n);
  in_order_.parents       = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
  in_order_.parent_nodes  = cpu::filled_vector<std::array<LocalIndex, 8>>(n_threads, n);
  in_order_.children      = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t c = 0; c < 8; ++c)
      {
        in_order_.octants[8 * e + c]  = static_cast<std::uint8_t>(c);
        in_order_.parents[8 * e + c]  = static_cast<LocalIndex>(e);
        in_order_.children[c * n + e] = static_cast<LocalIndex>(8 * e + c);
        in_order_.parent_nodes[e][c]  = mesh.connectivity[c * n + e];
      }
  });
}
} // namespace strut

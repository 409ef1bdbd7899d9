// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/surface.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
/// Gathers values of all ranks on rank 0 as bytes. deal.II's gather() packs them first, which takes
/// longer than making the surface.
template <typename T>
std::vector<std::vector<T>> gather(MPI_Comm communicator, const std::vector<T> &values)
{
  static_assert(std::is_trivially_copyable<T>::value, "these travel as bytes");
  // A message counts bytes in an int.
  constexpr std::size_t most = (std::size_t(1) << 30) / sizeof(T);
  const auto sizes           = dealii::Utilities::MPI::gather(communicator, values.size());
  const auto for_pieces      = [&](const std::size_t n, const auto &body) {
    for (std::size_t first = 0; first < n; first += most)
      body(first, static_cast<int>(sizeof(T) * std::min(most, n - first)));
  };
  if (dealii::Utilities::MPI::this_mpi_process(communicator) != 0)
    {
      for_pieces(values.size(), [&](const std::size_t first, const int n_bytes) {
        MPI_Send(values.data() + first, n_bytes, MPI_BYTE, 0, 0, communicator);
      });
      return {};
    }
  std::vector<std::vector<T>> all{values};
  for (std::size_t rank = 1; rank < sizes.size(); ++rank)
    {
      all.emplace_back(sizes[rank]);
      for_pieces(sizes[rank], [&](const std::size_t first, const int n_bytes) {
        MPI_Recv(all[rank].data() + first,
                 n_bytes,
                 MPI_BYTE,
                 static_cast<int>(rank),
                 0,
                 communicator,
                 MPI_STATUS_IGNORE);
      });
    }
  return all;
}

struct KeyHash
{
  std::size_t operator()(const Surface::Key &key) const
  {
    // 2^64 divided by the golden ratio: spreads consecutive numbers
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    const std::uint64_t mixed   = (key[0] * odd ^ key[1]) * odd;
    return mixed ^ mixed >> 32;
  }
};
} // namespace

CutSurface whole_surface(MPI_Comm communicator, Surface surface)
{
  if (dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
    return {{std::move(surface.vertices), std::move(surface.triangles)},
            std::move(surface.sizes),
            std::move(surface.is_on_face)};
  const auto vertices  = gather(communicator, surface.vertices);
  const auto keys      = gather(communicator, surface.keys);
  const auto sizes     = gather(communicator, surface.sizes);
  const auto triangles = gather(communicator, surface.triangles);
  const auto on_faces  = gather(communicator, surface.is_on_face);
  CutSurface whole;
  std::unordered_map<Surface::Key, std::uint32_t, KeyHash> known; // vertices of previous ranks
  known.reserve(std::accumulate(
    keys.begin(), keys.end(), std::size_t(0), [](const std::size_t n, const auto &of_rank) {
      return n + of_rank.size();
    }));
  for (std::size_t rank = 0; rank < vertices.size(); ++rank)
    {
      std::vector<std::uint32_t> number; // numbers in the whole surface
      for (std::size_t v = 0; v < vertices[rank].size(); ++v)
        {
          const auto next  = static_cast<std::uint32_t>(whole.mesh.vertices.size());
          const auto index = known.emplace(keys[rank][v], next).first->second;
          if (index == next)
            {
              whole.mesh.vertices.push_back(vertices[rank][v]);
              whole.sizes.push_back(sizes[rank][v]);
            }
          number.push_back(index);
        }
      for (const auto &triangle : triangles[rank])
        whole.mesh.triangles.push_back(
          {{number[triangle[0]], number[triangle[1]], number[triangle[2]]}});
      whole.is_kept.insert(whole.is_kept.end(), on_faces[rank].begin(), on_faces[rank].end());
    }
  return whole;
}
} // namespace strut

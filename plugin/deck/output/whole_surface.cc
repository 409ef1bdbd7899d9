// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/whole_surface.h"

#include <deal.II/base/mpi.h>

#include <map>
#include <vector>

namespace strut::plugin
{
namespace
{
/// Of all ranks on rank 0. Of one rank alone nothing is packed for a message, which would take longer than the surface itself.
template <typename T>
std::vector<std::vector<T>> gather(MPI_Comm communicator, const std::vector<T> &values)
{
  if (dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
    return {values};
  return dealii::Utilities::MPI::gather(communicator, values);
}
} // namespace

CutSurface whole_surface(MPI_Comm communicator, const Surface &surface)
{
  const auto vertices  = gather(communicator, surface.vertices);
  const auto keys      = gather(communicator, surface.keys);
  const auto sizes     = gather(communicator, surface.sizes);
  const auto triangles = gather(communicator, surface.triangles);
  const auto on_faces  = gather(communicator, surface.is_on_face);
  CutSurface whole;
  std::map<Surface::Key, std::uint32_t> known; // those of ranks before
  for (std::size_t rank = 0; rank < vertices.size(); ++rank)
    {
      std::vector<std::uint32_t> number; // in the whole
      for (std::size_t v = 0; v < vertices[rank].size(); ++v)
        {
          auto index = static_cast<std::uint32_t>(whole.mesh.vertices.size());
          if (vertices.size() > 1)
            index = known.emplace(keys[rank][v], index).first->second;
          if (index == whole.mesh.vertices.size())
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
} // namespace strut::plugin

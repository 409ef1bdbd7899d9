// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/parallel/neighbourhood_halo.h"
#include "source/base/filled_vector.h"
#include "source/mesh/bounding_box.h"
#include "source/mesh/numbers_where.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace strut
{
namespace
{
bool is_empty(const Box &box)
{
  return box[0] > box[3];
}

/// Whether the box, extended by the radius, contains the point.
bool reaches(const Box &box, const std::array<double, 3> &point, const double radius)
{
  for (int d = 0; d < 3; ++d)
    if (point[d] < box[d] - radius || point[d] > box[3 + d] + radius)
      return false;
  return true;
}

std::array<double, 3>
point(const std::vector<double> &points, const std::size_t n, const std::size_t p)
{
  return {{points[p], points[n + p], points[2 * n + p]}};
}
} // namespace

NeighbourhoodHalo NeighbourhoodHalo::build(const Communicator &communicator,
                                           std::vector<double> own_points,
                                           const std::size_t n_own,
                                           const double radius)
{
  NeighbourhoodHalo halo;
  halo.n_points = n_own;
  if (communicator.size() == 1)
    {
      halo.points = std::move(own_points);
      return halo;
    }

  // (1) Gather the boxes of all ranks.
  const Box own_box = bounding_box(own_points, n_own);
  std::vector<Box> boxes(communicator.size());
  MPI_Allgather(own_box.data(), 6, MPI_DOUBLE, boxes[0].data(), 6, MPI_DOUBLE, communicator.mpi());

  // (2) The elements to send to each rank. Two ranks communicate if their extended boxes overlap,
  // which both ranks see alike.
  for (int rank = 0; rank < communicator.size(); ++rank)
    {
      if (rank == communicator.rank() || is_empty(boxes[rank]) || is_empty(own_box))
        continue;
      bool meet = true;
      for (int d = 0; d < 3; ++d)
        meet = meet && own_box[d] <= boxes[rank][3 + d] + radius &&
               boxes[rank][d] <= own_box[3 + d] + radius;
      if (!meet)
        continue;
      HaloPattern::Neighbour neighbour;
      neighbour.rank = rank;
      neighbour.send = numbers_where(n_own, [&](const std::size_t p) {
        return reaches(boxes[rank], point(own_points, n_own, p), radius);
      });
      halo.pattern.neighbours.push_back(std::move(neighbour));
    }

  // (3) Exchange the counts, then the coordinates.
  const std::size_t n_neighbours = halo.pattern.neighbours.size();
  std::vector<unsigned long long> n_send(n_neighbours), n_receive(n_neighbours);
  std::vector<std::vector<double>> send(n_neighbours), receive(n_neighbours);
  std::vector<MPI_Request> requests(2 * n_neighbours);
  const auto wait = [&]() {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  };
  for (std::size_t k = 0; k < n_neighbours; ++k)
    {
      const HaloPattern::Neighbour &neighbour = halo.pattern.neighbours[k];
      n_send[k]                               = neighbour.send.size();
      MPI_Irecv(&n_receive[k],
                1,
                MPI_UNSIGNED_LONG_LONG,
                neighbour.rank,
                1,
                communicator.mpi(),
                &requests[2 * k]);
      MPI_Isend(&n_send[k],
                1,
                MPI_UNSIGNED_LONG_LONG,
                neighbour.rank,
                1,
                communicator.mpi(),
                &requests[2 * k + 1]);
    }
  wait();
  for (std::size_t k = 0; k < n_neighbours; ++k)
    {
      HaloPattern::Neighbour &neighbour = halo.pattern.neighbours[k];
      for (const std::uint32_t p : neighbour.send)
        for (const double coordinate : point(own_points, n_own, p))
          send[k].push_back(coordinate);
      receive[k].resize(3 * n_receive[k]);
      neighbour.ghosts_begin = static_cast<std::uint32_t>(halo.n_points);
      halo.n_points += n_receive[k];
      neighbour.ghosts_end = static_cast<std::uint32_t>(halo.n_points);
      MPI_Irecv(receive[k].data(),
                static_cast<int>(receive[k].size()),
                MPI_DOUBLE,
                neighbour.rank,
                2,
                communicator.mpi(),
                &requests[2 * k]);
      MPI_Isend(send[k].data(),
                static_cast<int>(send[k].size()),
                MPI_DOUBLE,
                neighbour.rank,
                2,
                communicator.mpi(),
                &requests[2 * k + 1]);
    }
  wait();

  // (4) Own points, then the ghosts.
  const int n_threads = cpu::default_n_threads();
  halo.points         = cpu::filled_vector<double>(n_threads, 3 * halo.n_points);
  for (std::size_t d = 0; d < 3; ++d)
    {
      cpu::parallel_for(n_threads, n_own, [&](const std::size_t p) {
        halo.points[d * halo.n_points + p] = own_points[d * n_own + p];
      });
      std::size_t p = d * halo.n_points + n_own;
      for (const std::vector<double> &ghosts : receive)
        for (std::size_t g = d; g < ghosts.size(); g += 3)
          halo.points[p++] = ghosts[g];
    }
  return halo;
}
} // namespace strut

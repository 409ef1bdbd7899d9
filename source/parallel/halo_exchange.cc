// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/parallel/halo_exchange.h>

namespace strut
{
namespace
{
constexpr int halo_tag = 4711;
}

template <typename Number>
HaloExchange<Number>::HaloExchange(Backend &backend,
                                   const Communicator &communicator,
                                   const HaloPattern &pattern,
                                   const unsigned int n_components)
  : backend_(backend), communicator_(communicator)
{
  for (const HaloPattern::Neighbour &source : pattern.neighbours)
    {
      std::vector<std::uint32_t> entries;
      entries.reserve(source.send.size() * n_components);
      for (const std::uint32_t entity : source.send)
        for (unsigned int c = 0; c < n_components; ++c)
          entries.push_back(entity * n_components + c);

      Neighbour neighbour;
      neighbour.rank   = source.rank;
      neighbour.send   = Array<std::uint32_t>(backend.memory(), entries);
      neighbour.packed = Array<Number>(backend.memory(), entries.size());
      neighbour.owned_side.resize(entries.size());
      neighbour.ghost_side.resize((source.ghosts_end - source.ghosts_begin) * n_components);
      neighbour.ghosts_begin = std::size_t(source.ghosts_begin) * n_components;
      neighbours_.push_back(std::move(neighbour));
    }
}

template <typename Number>
void HaloExchange<Number>::exchange(const bool to_ghosts)
{
  std::vector<MPI_Request> requests(2 * neighbours_.size());
  std::size_t k = 0;
  for (Neighbour &neighbour : neighbours_)
    {
      std::vector<Number> &in  = to_ghosts ? neighbour.ghost_side : neighbour.owned_side;
      std::vector<Number> &out = to_ghosts ? neighbour.owned_side : neighbour.ghost_side;
      MPI_Irecv(in.data(),
                static_cast<int>(in.size() * sizeof(Number)),
                MPI_BYTE,
                neighbour.rank,
                halo_tag,
                communicator_.mpi(),
                &requests[k++]);
      MPI_Isend(out.data(),
                static_cast<int>(out.size() * sizeof(Number)),
                MPI_BYTE,
                neighbour.rank,
                halo_tag,
                communicator_.mpi(),
                &requests[k++]);
    }
  MPI_Waitall(static_cast<int>(k), requests.data(), MPI_STATUSES_IGNORE);
}

template <typename Number>
void HaloExchange<Number>::update_ghosts(Array<Number> &values)
{
  if (neighbours_.empty())
    return;
  const auto &vectors = backend_.vector_operations<Number>();
  for (Neighbour &neighbour : neighbours_)
    if (!neighbour.owned_side.empty())
      {
        vectors.gather(neighbour.send, values, neighbour.packed);
        backend_.memory().copy_to_host(neighbour.owned_side.data(),
                                       neighbour.packed.data(),
                                       neighbour.owned_side.size() * sizeof(Number));
      }
  exchange(true);
  for (const Neighbour &neighbour : neighbours_)
    if (!neighbour.ghost_side.empty())
      backend_.memory().copy_from_host(values.data() + neighbour.ghosts_begin,
                                       neighbour.ghost_side.data(),
                                       neighbour.ghost_side.size() * sizeof(Number));
}

template <typename Number>
void HaloExchange<Number>::add_to_owners(Array<Number> &values)
{
  if (neighbours_.empty())
    return;
  for (Neighbour &neighbour : neighbours_)
    if (!neighbour.ghost_side.empty())
      backend_.memory().copy_to_host(neighbour.ghost_side.data(),
                                     values.data() + neighbour.ghosts_begin,
                                     neighbour.ghost_side.size() * sizeof(Number));
  exchange(false);
  const auto &vectors = backend_.vector_operations<Number>();
  for (Neighbour &neighbour : neighbours_)
    if (!neighbour.owned_side.empty())
      {
        backend_.memory().copy_from_host(neighbour.packed.data(),
                                         neighbour.owned_side.data(),
                                         neighbour.owned_side.size() * sizeof(Number));
        vectors.scatter_add(neighbour.send, neighbour.packed, values);
      }
}

template class HaloExchange<double>;
template class HaloExchange<float>;
} // namespace strut

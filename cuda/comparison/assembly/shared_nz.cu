// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/element_integration.cuh"
#include "cuda/comparison/assembly/shared_nz_lists.h"
#include "cuda/comparison/assembly/value_methods.h"
#include "source/comparison/assembly/constraint_view.h"

namespace strut::cuda
{
namespace
{
/// The lists as the kernel sees them, passed by value.
template <typename Number>
struct SharedNzView
{
  MeshView mesh;
  NeighbourView neighbours;
  EntryPlaces places;
  ConstraintView constraints;
  const LocalIndex *__restrict__ first_node;
  const std::uint64_t *__restrict__ first_element;
  const LocalIndex *__restrict__ elements;
  const LocalIndex *__restrict__ rows;
  const std::uint64_t *__restrict__ first_contribution;
  const std::uint32_t *__restrict__ contributions;
  const double *__restrict__ factors;
  Number *__restrict__ values;
};

/// Formula:   each entry = sum over the elements that have both nodes of E_e (K0_e).
/// Layout:    lists as in SharedNz; in shared memory, behind the scratch of the teams, the blocks
///            of the pairs of each element, `[elements of the group][n_pairs][3][3]`.
/// Threads:   one block per group; first a team per element, then one thread per non-zero.
/// Bytes:     per element and group, connectivity and coordinates; per non-zero, its list (one
///            number per contribution to nine non-zeros) and one number written.
/// Flops:     the integration of each element, once for each of its groups.
/// Determinism: one thread per entry, contributions in the order of the lists.
template <typename Element, typename Number, int team>
__global__ void __launch_bounds__(integration_block_size)
  shared_nz_kernel(const SharedNzView<Number> view, const Number lambda, const Number mu)
{
  extern __shared__ double shared[];
  Number *const blocks = reinterpret_cast<Number *>(reinterpret_cast<char *>(shared) +
                                                    TeamPlace<Element, Number, team>::shared_bytes);

  // (1) Compute the matrices of the group.
  const std::uint64_t first = view.first_element[blockIdx.x];
  const int n_elements      = static_cast<int>(view.first_element[blockIdx.x + 1] - first);
  const int lane            = static_cast<int>(threadIdx.x) % team;
  with_scratch<Element, Number, team>([&](ElementScratch<Element, Number> &scratch) {
    constexpr int n_teams = integration_block_size / team;
    for (int round = 0; round < n_elements; round += n_teams)
      {
        const int wanted    = round + static_cast<int>(threadIdx.x) / team;
        const int local     = min(wanted, n_elements - 1);
        const std::size_t e = view.elements[first + local];
        const Number factor = static_cast<Number>(view.factors[e]);
        if (team > 1)
          __syncwarp(); // Other threads of the team may still use the last element.
        integrate<Element, Number, team>(view.mesh,
                                         e,
                                         lane,
                                         lambda,
                                         mu,
                                         scratch,
                                         [&](const int a, const int b, const Number(&block)[3][3]) {
                                           constexpr int n = Element::n_nodes;
                                           const int pair  = (b - a + n) % n * n + a;
                                           Number *const here =
                                             blocks + 9 * (n_pairs<Element> * local + pair);
                                           if (wanted == local)
                                             for (int i = 0; i < 3; ++i)
                                               for (int j = 0; j < 3; ++j)
                                                 here[3 * i + j] = factor * block[i][j];
                                         });
      }
  });
  __syncthreads();

  // (2) Sum the non-zeros of its rows.
  const std::uint64_t first_pair = view.neighbours.begin[view.first_node[blockIdx.x]];
  const std::uint64_t end_pair   = view.neighbours.begin[view.first_node[blockIdx.x + 1]];
  for (std::uint64_t t = threadIdx.x; t < 9 * (end_pair - first_pair); t += blockDim.x)
    {
      const std::uint64_t pair = first_pair + t / 9;
      const int i = static_cast<int>(t % 9) / 3, j = static_cast<int>(t % 9) % 3;
      Number sum = 0;
      for (std::uint64_t k = view.first_contribution[pair]; k < view.first_contribution[pair + 1];
           ++k)
        {
          const std::uint32_t code = view.contributions[k];
          sum += blocks[9 * (code / 2) + ((code & 1) != 0 ? 3 * j + i : 3 * i + j)];
        }
      const LocalIndex row = view.rows[pair], column = view.neighbours.nodes[pair];
      if (!view.constraints.takes(
            view.constraints.of_node(row), i, view.constraints.of_node(column), j, row == column))
        sum = row == column && i == j ? Number(1) : Number(0);
      view.values[view.places.block(row, pair - view.neighbours.begin[row]) +
                  i * view.places.row_stride(row) + j * view.places.column_stride()] = sum;
    }
}

/// Shared memory of a block, and the number of elements that it holds.
struct Capacity
{
  std::size_t bytes, n_elements;
};

/// Returns the capacity with two blocks on a multiprocessor, if that has room for `needed`
/// elements, else with one.
template <typename Element, typename Number>
Capacity capacity_of(const Context &context, const std::size_t needed)
{
  constexpr std::size_t scratch     = TeamPlace<Element, Number, team_size<Element>>::shared_bytes;
  constexpr std::size_t per_element = 9 * n_pairs<Element> * sizeof(Number);
  constexpr std::size_t reserved    = 1024; // The system reserves these bytes of each block.
  int of_processor                  = 0;
  STRUT_CUDA_CHECK(cudaDeviceGetAttribute(&of_processor,
                                          cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                                          context.device()));
  const auto fitting = [=](const std::size_t bytes) -> Capacity {
    const std::size_t n = bytes > scratch ? (bytes - scratch) / per_element : 0;
    return {scratch + n * per_element, n};
  };
  const Capacity half = fitting(static_cast<std::size_t>(of_processor) / 2 - reserved);
  return half.n_elements >= 2 * needed ? half : fitting(largest_shared_block(context));
}
} // namespace

template <typename Number>
SharedNz<Number>::SharedNz(const Context &context, Memory &memory, const ValueProblem &problem)
  : context_(context), problem_(problem)
{
  const ConnectivityArrays &connectivity = problem.mesh.connectivity;
  const NeighbourMatrix &neighbours      = problem.neighbours;
  if (neighbours.n_pairs == 0)
    return;
  const SharedNzLists::Mesh on_host = {problem.mesh.type,
                                       connectivity.n_nodes,
                                       connectivity.n_elements,
                                       connectivity.nodes.to_host(),
                                       neighbours.begin.to_host(),
                                       neighbours.nodes.to_host(),
                                       neighbours.incidence_begin.to_host(),
                                       neighbours.incidences.to_host()};
  std::size_t most_elements         = 0; // Largest number of elements around a node.
  for (std::size_t node = 0; node < on_host.n_nodes; ++node)
    most_elements =
      std::max<std::size_t>(most_elements,
                            on_host.incidence_begin[node + 1] - on_host.incidence_begin[node]);
  const Capacity capacity = with_element(problem.mesh.type, [&](const auto element) {
    return capacity_of<std::decay_t<decltype(element)>, Number>(context, most_elements);
  });
  const SharedNzLists lists(on_host, capacity.n_elements);
  shared_bytes_       = capacity.bytes;
  n_groups_           = lists.first_node.size() - 1;
  first_node_         = Array<LocalIndex>(memory, lists.first_node);
  first_element_      = Array<std::uint64_t>(memory, lists.first_element);
  elements_           = Array<LocalIndex>(memory, lists.elements);
  rows_               = Array<LocalIndex>(memory, lists.rows);
  first_contribution_ = Array<std::uint64_t>(memory, lists.first_contribution);
  contributions_      = Array<std::uint32_t>(memory, lists.contributions);
}

template <typename Number>
void SharedNz<Number>::assemble(const double *const factors, Number *const values) const
{
  const cudaStream_t stream = context_.activate();
  if (problem_.pattern.format == MatrixFormat::ell) // The padding of ELL is zero.
    STRUT_CUDA_CHECK(
      cudaMemsetAsync(values, 0, problem_.pattern.n_stored * sizeof(Number), stream));
  if (n_groups_ == 0)
    return;
  const SharedNzView<Number> view = {MeshView(problem_.mesh),
                                     problem_.neighbours.view(),
                                     problem_.pattern.places(problem_.neighbours),
                                     ConstraintView(problem_.mesh, problem_.options.diagonal),
                                     first_node_.data(),
                                     first_element_.data(),
                                     elements_.data(),
                                     rows_.data(),
                                     first_contribution_.data(),
                                     contributions_.data(),
                                     factors,
                                     values};
  with_element(problem_.mesh.type, [&](const auto element) {
    using Element     = std::decay_t<decltype(element)>;
    const auto kernel = shared_nz_kernel<Element, Number, team_size<Element>>;
    allow_shared(kernel, shared_bytes_);
    kernel<<<static_cast<unsigned int>(n_groups_), integration_block_size, shared_bytes_, stream>>>(
      view,
      static_cast<Number>(problem_.material.lambda()),
      static_cast<Number>(problem_.material.mu()));
    STRUT_CUDA_CHECK_LAUNCH("shared_nz_kernel");
  });
}

template <typename Number>
double SharedNz<Number>::memory_bytes() const
{
  return static_cast<double>(
    sizeof(LocalIndex) * (first_node_.size() + elements_.size() + rows_.size()) +
    sizeof(std::uint64_t) * (first_element_.size() + first_contribution_.size()) +
    sizeof(std::uint32_t) * contributions_.size());
}

template class SharedNz<double>;
template class SharedNz<float>;
} // namespace strut::cuda

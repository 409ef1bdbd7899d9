// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/element_matrices.cuh"

/// The common part of the strategies with several threads per element. A `Team` has these members:
///
///     launch                       "launch of" its kernel, for the message if CUDA refuses
///     extra_flops                  per element, beyond those of a plain product
///     n_threads                    threads of an element
///     n_elements                   elements of a block
///     row(thread, entry), column(thread, entry)   row and column in K0_e of an entry of the thread
///     layout(n)                    matrices[entry][element][thread], as strides
namespace strut::cuda
{
/// Number of threads of a block.
template <typename Team>
constexpr int team_block_size = Team::n_threads *Team::n_elements;

/// Number of entries of K0_e that each thread reads.
template <typename Team>
constexpr int team_entries = 576 / Team::n_threads;

/// The elements of a block in shared memory: their node numbers and their values of x.
template <typename Number, typename Team>
struct StagedElements
{
  LocalIndex nodes[8][Team::n_elements];
  /// Values of x. The length is one more than 24, so words that several elements read at the same
  /// time are in different banks.
  Number x[Team::n_elements][25];

  /// Load the data by all threads of the block; ends with a barrier. Consecutive threads read one
  /// vertex of consecutive elements, then consecutive components of x.
  __device__ void load(const ElementsView<Number> &elements,
                       const std::size_t first,
                       const Number *__restrict__ global_x)
  {
    const std::size_t left = elements.n_elements - first;
    const int n            = left < Team::n_elements ? static_cast<int>(left) : Team::n_elements;
    for (int t = threadIdx.x; t < 8 * Team::n_elements; t += team_block_size<Team>)
      {
        const int vertex = t / Team::n_elements, local = t % Team::n_elements;
        if (local < n)
          nodes[vertex][local] =
            elements.connectivity[vertex * elements.n_elements + first + local];
      }
    __syncthreads();
    for (int t = threadIdx.x; t < 24 * n; t += team_block_size<Team>)
      {
        const int local = t / 24, dof = t % 24;
        x[local][dof] = global_x[3 * std::size_t(nodes[dof / 3][local]) + dof % 3];
      }
    __syncthreads();
  }
};

/// The place of a thread in its team.
template <typename Team>
struct TeamThread
{
  std::size_t first = std::size_t(blockIdx.x) * Team::n_elements; ///< first element of the block
  int local         = threadIdx.x / Team::n_threads;              ///< element within the block
  int thread        = threadIdx.x % Team::n_threads;              ///< thread within the element
  std::size_t e     = first + local;

  /// Address of entry 0 of this thread; the others follow at the distance `entry_stride`.
  template <typename Number>
  __device__ const Number *entries(const ElementsView<Number> &elements) const
  {
    return elements.matrices + (e * Team::n_threads + thread);
  }

  template <typename Number>
  __device__ static std::size_t entry_stride(const ElementsView<Number> &elements)
  {
    return Team::n_threads * elements.n_elements;
  }
};

/// Formula:   c_e = u_e^T K0_e u_e.
/// Layout:    matrices[entry][element][thread]: coalesced; connectivity and u in shared memory.
/// Threads:   the team of the element, each the entries that it also has in the product.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, 24 of u, 8 bytes written.
/// Flops:     per element, 1728 in double, for any Number.
/// Determinism: the parts of the threads are added in the order of the threads.
template <typename Number, typename Team>
__global__ void __launch_bounds__(team_block_size<Team>)
  team_energy_kernel(const ElementsView<Number> elements,
                     const Number *__restrict__ u,
                     double *__restrict__ c)
{
  __shared__ StagedElements<Number, Team> staged;
  __shared__ double parts[team_block_size<Team>];
  const TeamThread<Team> at;
  staged.load(elements, at.first, u);

  double sum = 0.;
  if (at.e < elements.n_elements)
    {
      const Number *const entries = at.entries(elements);
      const std::size_t stride    = at.entry_stride(elements);
#pragma unroll
      for (int k = 0; k < team_entries<Team>; ++k)
        sum += static_cast<double>(entries[k * stride]) *
               static_cast<double>(staged.x[at.local][Team::row(at.thread, k)]) *
               static_cast<double>(staged.x[at.local][Team::column(at.thread, k)]);
    }
  parts[threadIdx.x] = sum;
  __syncthreads();

  const std::size_t mine = at.first + threadIdx.x;
  if (threadIdx.x < Team::n_elements && mine < elements.n_elements)
    {
      double energy = 0.;
      for (int t = 0; t < Team::n_threads; ++t)
        energy += parts[Team::n_threads * threadIdx.x + t];
      c[mine] = energy;
    }
}

/// Operator with a team of threads per element.
/// @tparam kernel  adds the product to y
template <typename Number,
          typename Team,
          void (*kernel)(ElementsView<Number>, const Number *, Number *)>
class TeamOperator : public StoredMatricesOperator<Number>
{
public:
  TeamOperator(Backend &backend, const ElementMesh &mesh, const Material &material)
    : StoredMatricesOperator<Number>(backend, mesh, material, Team::layout(mesh.n_elements))
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    y.set_zero();
    if (this->n_elements_ == 0)
      return;
    kernel<<<n_team_blocks(), team_block_size<Team>, 0, this->context_.activate()>>>(
      this->elements(), x.data(), y.data());
    check(cudaGetLastError(), Team::launch, __FILE__, __LINE__);
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (this->n_elements_ == 0)
      return;
    team_energy_kernel<Number, Team>
      <<<n_team_blocks(), team_block_size<Team>, 0, this->context_.activate()>>>(this->elements(),
                                                                                 u.data(),
                                                                                 c.data());
    STRUT_CUDA_CHECK_LAUNCH("team_energy_kernel");
  }

  OperatorCost cost() const override
  {
    OperatorCost cost = StoredMatricesOperator<Number>::cost();
    cost.flops_per_apply += Team::extra_flops * static_cast<double>(this->n_elements_);
    return cost;
  }

private:
  unsigned int n_team_blocks() const
  {
    return n_blocks(this->n_elements_, Team::n_elements);
  }
};
} // namespace strut::cuda

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/backend/multigrid_loops.h"
#include "source/base/parallel_loop.h"
#include "source/element/packed_block.h"

namespace strut::cpu
{
namespace
{
template <typename Number>
using BlockWord = typename StoredBlock<Number>::Word;

/// Computes z = a B r of node n.
template <typename Number, int n_components>
void scaled_product(const BlockWord<Number> *const B,
                    const std::size_t n,
                    const Number a,
                    const Number *const r,
                    Number (&z)[n_components])
{
  constexpr std::size_t n_words = StoredBlock<Number>::n_words(n_components);
  InverseBlock<Number, n_components> block;
  for (std::size_t k = 0; k < n_words; ++k)
    block.entry[k] = B[n_words * n + k];
  Number scaled[n_components];
  for (std::size_t c = 0; c < n_components; ++c)
    scaled[c] = a * r[n_components * n + c];
  block.multiply(scaled, z);
}

/// MultigridOperations on threads of the host.
template <typename Number, int n_components>
class CpuMultigridOperations : public MultigridLoops<Number, Loops, n_components>
{
public:
  using MultigridLoops<Number, Loops, n_components>::MultigridLoops;

  using MultigridOperations<Number>::invert_blocks;

  void invert_blocks(const std::size_t n_nodes,
                     const Array<std::uint8_t> &constrained,
                     const Array<Number> &blocks,
                     StoredBlocks<Number> &inverse) const override
  {
    const std::uint8_t *const flags = constrained.data();
    const Number *const from        = blocks.data();
    BlockWord<Number> *const to     = inverse.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      constexpr std::size_t n_words = StoredBlock<Number>::n_words(n_components);
      NodalBlock<Number, n_components> block;
      for (std::size_t k = 0; k < block.size; ++k)
        block.entry[k] = from[block.size * n + k];
      const auto stored = inverse_block(block, flags[n]);
      for (std::size_t k = 0; k < n_words; ++k)
        to[n_words * n + k] = stored.entry[k];
    });
  }

  void smooth_from_zero(const std::size_t n_nodes,
                        const StoredBlocks<Number> &B,
                        const Number a,
                        const Array<Number> &r,
                        Array<Number> &d,
                        Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const rs            = r.data();
    Number *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      Number z[n_components];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < n_components; ++c)
        xs[n_components * n + c] = ds[n_components * n + c] = z[c];
    });
  }

  void smooth_first(const std::size_t n_nodes,
                    const StoredBlocks<Number> &B,
                    const Number a,
                    const Array<Number> &q,
                    Array<Number> &r,
                    Array<Number> &d,
                    Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const qs            = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      if (qs != nullptr)
        for (std::size_t c = 0; c < n_components; ++c)
          rs[n_components * n + c] -= qs[n_components * n + c];
      Number z[n_components];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < n_components; ++c)
        {
          xs[n_components * n + c] += ds[n_components * n + c] + z[c];
          ds[n_components * n + c] = z[c];
        }
    });
  }

  void smooth_next(const std::size_t n_nodes,
                   const StoredBlocks<Number> &B,
                   const Number a,
                   const Number b,
                   const Array<Number> &q,
                   Array<Number> &r,
                   Array<Number> &d,
                   Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const qs            = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      if (qs != nullptr)
        for (std::size_t c = 0; c < n_components; ++c)
          rs[n_components * n + c] -= qs[n_components * n + c];
      Number z[n_components];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < n_components; ++c)
        xs[n_components * n + c] += ds[n_components * n + c] = b * ds[n_components * n + c] + z[c];
    });
  }

  std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &memory, const GalerkinElements &elements) const override
  {
    if constexpr (n_components != 3)
      return MultigridOperations<Number>::make_galerkin_matrices(memory, elements);
    else
      return cpu::make_galerkin_matrices<Number>(memory, elements, this->loops_.n_threads);
  }
};
} // namespace

template <typename Number, int n_components>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(const int n_threads)
{
  return std::make_unique<CpuMultigridOperations<Number, n_components>>(Loops{n_threads});
}

template decltype(make_multigrid_operations<double, 3>) make_multigrid_operations<double, 3>;
template decltype(make_multigrid_operations<float, 3>) make_multigrid_operations<float, 3>;
template decltype(make_multigrid_operations<double, 1>) make_multigrid_operations<double, 1>;
template decltype(make_multigrid_operations<float, 1>) make_multigrid_operations<float, 1>;
} // namespace strut::cpu

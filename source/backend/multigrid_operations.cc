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
template <typename Number>
void scaled_product(const BlockWord<Number> *const B,
                    const std::size_t n,
                    const Number a,
                    const Number *const r,
                    Number (&z)[3])
{
  InverseBlock<Number> block;
  for (std::size_t k = 0; k < StoredBlock<Number>::n_words; ++k)
    block.entry[k] = B[StoredBlock<Number>::n_words * n + k];
  const Number scaled[3] = {a * r[3 * n], a * r[3 * n + 1], a * r[3 * n + 2]};
  block.multiply(scaled, z);
}

/// MultigridOperations on threads of the host.
template <typename Number>
class CpuMultigridOperations : public MultigridLoops<Number, Loops>
{
public:
  using MultigridLoops<Number, Loops>::MultigridLoops;

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
      NodalBlock<Number> block;
      for (std::size_t k = 0; k < 6; ++k)
        block.entry[k] = from[6 * n + k];
      const auto stored = inverse_block(block, flags[n]);
      for (std::size_t k = 0; k < StoredBlock<Number>::n_words; ++k)
        to[StoredBlock<Number>::n_words * n + k] = stored.entry[k];
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
      Number z[3];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < 3; ++c)
        xs[3 * n + c] = ds[3 * n + c] = z[c];
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
        for (std::size_t c = 0; c < 3; ++c)
          rs[3 * n + c] -= qs[3 * n + c];
      Number z[3];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < 3; ++c)
        {
          xs[3 * n + c] += ds[3 * n + c] + z[c];
          ds[3 * n + c] = z[c];
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
        for (std::size_t c = 0; c < 3; ++c)
          rs[3 * n + c] -= qs[3 * n + c];
      Number z[3];
      scaled_product(Bs, n, a, rs, z);
      for (std::size_t c = 0; c < 3; ++c)
        xs[3 * n + c] += ds[3 * n + c] = b * ds[3 * n + c] + z[c];
    });
  }

  std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &memory, const GalerkinElements &elements) const override
  {
    return cpu::make_galerkin_matrices<Number>(memory, elements, this->loops_.n_threads);
  }
};
} // namespace

template <typename Number>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(const int n_threads)
{
  return std::make_unique<CpuMultigridOperations<Number>>(Loops{n_threads});
}

template decltype(make_multigrid_operations<double>) make_multigrid_operations<double>;
template decltype(make_multigrid_operations<float>) make_multigrid_operations<float>;
} // namespace strut::cpu

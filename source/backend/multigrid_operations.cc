// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/backend/multigrid_loops.h"
#include "source/base/parallel_loop.h"
#include "source/element/nodal_block.h"

namespace strut::cpu
{
namespace
{
/// z = a B r of one node.
template <typename Number>
void scaled_product(const Number *const B, const Number a, const Number *const r, Number (&z)[3])
{
  NodalBlock<Number> block;
  for (int k = 0; k < 6; ++k)
    block.entry[k] = B[k];
  const Number scaled[3] = {a * r[0], a * r[1], a * r[2]};
  block.multiply(scaled, z);
}

/// MultigridOperations on threads of the host.
template <typename Number>
class CpuMultigridOperations : public MultigridLoops<Number, Loops>
{
public:
  using MultigridLoops<Number, Loops>::MultigridLoops;

  void invert_blocks(const std::size_t n_nodes,
                     const Array<std::uint8_t> &constrained,
                     Array<Number> &blocks) const override
  {
    const std::uint8_t *const flags = constrained.data();
    Number *const all               = blocks.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      NodalBlock<Number> block;
      for (int k = 0; k < 6; ++k)
        block.entry[k] = all[6 * n + k];
      block = block.inverse_of_free_part(flags[n]);
      for (int k = 0; k < 6; ++k)
        all[6 * n + k] = block.entry[k];
    });
  }

  void smooth_from_zero(const std::size_t n_nodes,
                        const Array<Number> &B,
                        const Number a,
                        const Array<Number> &r,
                        Array<Number> &d,
                        Array<Number> &x) const override
  {
    const Number *const Bs = B.data(), *const rs = r.data();
    Number *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      Number z[3];
      scaled_product(Bs + 6 * n, a, rs + 3 * n, z);
      for (std::size_t c = 0; c < 3; ++c)
        xs[3 * n + c] = ds[3 * n + c] = z[c];
    });
  }

  void smooth_first(const std::size_t n_nodes,
                    const Array<Number> &B,
                    const Number a,
                    const Array<Number> &q,
                    Array<Number> &r,
                    Array<Number> &d,
                    Array<Number> &x) const override
  {
    const Number *const Bs = B.data(), *const qs = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      if (qs != nullptr)
        for (std::size_t c = 0; c < 3; ++c)
          rs[3 * n + c] -= qs[3 * n + c];
      Number z[3];
      scaled_product(Bs + 6 * n, a, rs + 3 * n, z);
      for (std::size_t c = 0; c < 3; ++c)
        {
          xs[3 * n + c] += ds[3 * n + c] + z[c];
          ds[3 * n + c] = z[c];
        }
    });
  }

  void smooth_next(const std::size_t n_nodes,
                   const Array<Number> &B,
                   const Number a,
                   const Number b,
                   const Array<Number> &q,
                   Array<Number> &r,
                   Array<Number> &d,
                   Array<Number> &x) const override
  {
    const Number *const Bs = B.data(), *const qs = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=](const std::size_t n) {
      if (qs != nullptr)
        for (std::size_t c = 0; c < 3; ++c)
          rs[3 * n + c] -= qs[3 * n + c];
      Number z[3];
      scaled_product(Bs + 6 * n, a, rs + 3 * n, z);
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

template std::unique_ptr<MultigridOperations<double>> make_multigrid_operations(int);
template std::unique_ptr<MultigridOperations<float>> make_multigrid_operations(int);
} // namespace strut::cpu

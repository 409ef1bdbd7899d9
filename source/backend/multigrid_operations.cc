// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "multigrid_operations.h"

#include "../base/parallel_loop.h"
#include "galerkin_matrices.h"

#include <strut/element/nodal_block.h>

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
} // namespace

template <typename Number>
void CpuMultigridOperations<Number>::invert_blocks(const std::size_t n_nodes,
                                                   const Array<std::uint8_t> &constrained,
                                                   Array<Number> &blocks) const
{
  const std::uint8_t *const flags = constrained.data();
  Number *const all               = blocks.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
    NodalBlock<Number> block;
    for (int k = 0; k < 6; ++k)
      block.entry[k] = all[6 * n + k];
    block = block.inverse_of_free_part(flags[n]);
    for (int k = 0; k < 6; ++k)
      all[6 * n + k] = block.entry[k];
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::support_stiffness(const std::size_t n_nodes,
                                                       const Array<std::uint8_t> &constrained,
                                                       const Array<Number> &blocks,
                                                       const Array<Number> &springs,
                                                       Array<Number> &stiffness) const
{
  const std::uint8_t *const flags = constrained.data();
  const Number *const all         = blocks.data();
  const Number *const own         = springs.empty() ? nullptr : springs.data();
  Number *const out               = stiffness.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
    const Number diagonal[3] = {all[6 * n], all[6 * n + 3], all[6 * n + 5]};
    for (std::size_t c = 0; c < 3; ++c)
      {
        const Number spring = own == nullptr ? Number(0) : own[3 * n + c];
        out[3 * n + c]      = (flags[n] >> c & 1u) != 0 ? diagonal[c] : spring;
      }
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::add_to_blocks(const std::size_t n_nodes,
                                                   const Array<Number> &springs,
                                                   Array<Number> &blocks) const
{
  const Number *const s = springs.data();
  Number *const all     = blocks.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
    all[6 * n] += s[3 * n];
    all[6 * n + 3] += s[3 * n + 1];
    all[6 * n + 5] += s[3 * n + 2];
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::add_springs(const std::size_t n,
                                                 const Array<Number> &s,
                                                 const Array<Number> &x,
                                                 Array<Number> &y) const
{
  const Number *const ss = s.data(), *const xs = x.data();
  Number *const ys = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] += ss[i] * xs[i]; });
}

template <typename Number>
void CpuMultigridOperations<Number>::smooth_from_zero(const std::size_t n_nodes,
                                                      const Array<Number> &B,
                                                      const Number a,
                                                      const Array<Number> &r,
                                                      Array<Number> &d,
                                                      Array<Number> &x) const
{
  const Number *const Bs = B.data(), *const rs = r.data();
  Number *const ds = d.data(), *const xs = x.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
    Number z[3];
    scaled_product(Bs + 6 * n, a, rs + 3 * n, z);
    for (std::size_t c = 0; c < 3; ++c)
      xs[3 * n + c] = ds[3 * n + c] = z[c];
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::smooth_first(const std::size_t n_nodes,
                                                  const Array<Number> &B,
                                                  const Number a,
                                                  const Array<Number> &q,
                                                  Array<Number> &r,
                                                  Array<Number> &d,
                                                  Array<Number> &x) const
{
  const Number *const Bs = B.data(), *const qs = q.data();
  Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
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

template <typename Number>
void CpuMultigridOperations<Number>::smooth_next(const std::size_t n_nodes,
                                                 const Array<Number> &B,
                                                 const Number a,
                                                 const Number b,
                                                 const Array<Number> &q,
                                                 Array<Number> &r,
                                                 Array<Number> &d,
                                                 Array<Number> &x) const
{
  const Number *const Bs = B.data(), *const qs = q.data();
  Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
  parallel_for(n_threads_, n_nodes, [=](const std::size_t n) {
    for (std::size_t c = 0; c < 3; ++c)
      rs[3 * n + c] -= qs[3 * n + c];
    Number z[3];
    scaled_product(Bs + 6 * n, a, rs + 3 * n, z);
    for (std::size_t c = 0; c < 3; ++c)
      xs[3 * n + c] += ds[3 * n + c] = b * ds[3 * n + c] + z[c];
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::prolongate(const NodeInterpolation &P,
                                                const Array<Number> &coarse,
                                                Array<Number> &fine) const
{
  const std::uint32_t *const places   = P.places.data();
  const std::uint32_t *const elements = P.elements.data();
  const Number *const from            = coarse.data();
  Number *const to                    = fine.data();
  parallel_for(n_threads_, P.n_fine, [=](const std::size_t n) {
    Number mean[3];
    NodeInterpolation::mean_of_parents(places[n], elements, from, mean);
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * n + c] = mean[c];
  });
}

template <typename Number>
void CpuMultigridOperations<Number>::restrict_to_parents(const NodeInterpolation &P,
                                                         const Array<Number> &fine,
                                                         Array<Number> &coarse) const
{
  const std::uint32_t *const begin    = P.children_begin.data();
  const std::uint32_t *const children = P.children.data();
  const Number *const from            = fine.data();
  Number *const to                    = coarse.data();
  parallel_for(n_threads_, P.n_coarse, [=](const std::size_t n) {
    Number sum[3] = {};
    for (std::uint32_t k = begin[n]; k < begin[n + 1]; ++k)
      {
        const std::size_t child = children[k] >> 2;
        const Number weight     = Number(1) / static_cast<Number>(1u << (children[k] & 3u));
        for (std::size_t c = 0; c < 3; ++c)
          sum[c] += weight * from[3 * child + c];
      }
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * n + c] = sum[c];
  });
}

template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
CpuMultigridOperations<Number>::make_galerkin_matrices(Memory &memory,
                                                       const GalerkinElements &elements) const
{
  return cpu::make_galerkin_matrices<Number>(memory, elements, n_threads_);
}

template class CpuMultigridOperations<double>;
template class CpuMultigridOperations<float>;

void CpuLevelOperations::convert(const std::size_t n, const Array<double> &x, Array<float> &y) const
{
  const double *const xs = x.data();
  float *const ys        = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] = static_cast<float>(xs[i]); });
}

void CpuLevelOperations::convert(const std::size_t n, const Array<float> &x, Array<double> &y) const
{
  const float *const xs = x.data();
  double *const ys      = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] = static_cast<double>(xs[i]); });
}

void CpuLevelOperations::mean_of_children(const std::size_t n_parents,
                                          const Array<std::uint32_t> &children,
                                          const Array<double> &fine,
                                          Array<double> &parent) const
{
  const std::uint32_t *const child = children.data();
  const double *const from         = fine.data();
  double *const to                 = parent.data();
  parallel_for(n_threads_, n_parents, [=](const std::size_t e) {
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c)
      sum += from[child[c * n_parents + e]];
    to[e] = sum / 8.;
  });
}
} // namespace strut::cpu

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "multigrid_operations.h"

#include "../base/parallel_loop.cuh"
#include "galerkin_matrices.h"

#include <strut/element/nodal_block.h>

namespace strut::cuda
{
namespace
{
/// Three numbers of a node, in registers.
template <typename Number>
struct Triple
{
  Number value[3];

  __device__ static Triple load(const Number *const from, const std::size_t node)
  {
    return {{from[3 * node], from[3 * node + 1], from[3 * node + 2]}};
  }

  __device__ void store(Number *const to, const std::size_t node) const
  {
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * node + c] = value[c];
  }
};

/// A block as three pairs: 2 numbers a load.
template <typename Number>
__device__ NodalBlock<Number> load_block(const Number *const blocks, const std::size_t node)
{
  struct alignas(2 * sizeof(Number)) Pair
  {
    Number first, second;
  };
  const Pair *const pairs = reinterpret_cast<const Pair *>(blocks) + 3 * node;
  const Pair a = pairs[0], b = pairs[1], c = pairs[2];
  return {{a.first, a.second, b.first, b.second, c.first, c.second}};
}

/// z = a B r of one node.
template <typename Number>
__device__ Triple<Number>
scaled_product(const NodalBlock<Number> &B, const Number a, const Triple<Number> &r)
{
  Triple<Number> z;
  B.multiply(r.value, z.value);
  for (Number &value : z.value)
    value *= a;
  return z;
}

template <typename Number>
__device__ Triple<Number> difference(const Triple<Number> &a, const Triple<Number> &b)
{
  return {{a.value[0] - b.value[0], a.value[1] - b.value[1], a.value[2] - b.value[2]}};
}

template <typename Number>
__device__ Triple<Number> plus(const Triple<Number> &a, const Number b, const Triple<Number> &c)
{
  return {{a.value[0] + b * c.value[0], a.value[1] + b * c.value[1], a.value[2] + b * c.value[2]}};
}
} // namespace

template <typename Number>
void CudaMultigridOperations<Number>::invert_blocks(const std::size_t n_nodes,
                                                    const Array<std::uint8_t> &constrained,
                                                    Array<Number> &blocks) const
{
  const std::uint8_t *const flags = constrained.data();
  Number *const all               = blocks.data();
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    const NodalBlock<Number> inverse = load_block(all, n).inverse_of_free_part(flags[n]);
    for (int k = 0; k < 6; ++k)
      all[6 * n + k] = inverse.entry[k];
  });
}

template <typename Number>
void CudaMultigridOperations<Number>::support_stiffness(const std::size_t n_nodes,
                                                        const Array<std::uint8_t> &constrained,
                                                        const Array<Number> &blocks,
                                                        const Array<Number> &springs,
                                                        Array<Number> &stiffness) const
{
  const std::uint8_t *const flags = constrained.data();
  const Number *const all         = blocks.data();
  const Number *const own         = springs.empty() ? nullptr : springs.data();
  Number *const out               = stiffness.data();
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    const Number diagonal[3] = {all[6 * n], all[6 * n + 3], all[6 * n + 5]};
    for (std::size_t c = 0; c < 3; ++c)
      {
        const Number spring = own == nullptr ? Number(0) : own[3 * n + c];
        out[3 * n + c]      = (flags[n] >> c & 1u) != 0 ? diagonal[c] : spring;
      }
  });
}

template <typename Number>
void CudaMultigridOperations<Number>::add_to_blocks(const std::size_t n_nodes,
                                                    const Array<Number> &springs,
                                                    Array<Number> &blocks) const
{
  const Number *const s = springs.data();
  Number *const all     = blocks.data();
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    all[6 * n] += s[3 * n];
    all[6 * n + 3] += s[3 * n + 1];
    all[6 * n + 5] += s[3 * n + 2];
  });
}

template <typename Number>
void CudaMultigridOperations<Number>::add_springs(const std::size_t n,
                                                  const Array<Number> &s,
                                                  const Array<Number> &x,
                                                  Array<Number> &y) const
{
  const Number *const ss = s.data(), *const xs = x.data();
  Number *const ys = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { ys[i] += ss[i] * xs[i]; });
}

// The three steps below: one thread per node; in float, 9 + 6 numbers read and written from zero,
// 18 + 9 otherwise.

template <typename Number>
void CudaMultigridOperations<Number>::smooth_from_zero(const std::size_t n_nodes,
                                                       const Array<Number> &B,
                                                       const Number a,
                                                       const Array<Number> &r,
                                                       Array<Number> &d,
                                                       Array<Number> &x) const
{
  const Number *const Bs = B.data(), *const rs = r.data();
  Number *const ds = d.data(), *const xs = x.data();
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    const auto z = scaled_product(load_block(Bs, n), a, Triple<Number>::load(rs, n));
    z.store(ds, n);
    z.store(xs, n);
  });
}

template <typename Number>
void CudaMultigridOperations<Number>::smooth_first(const std::size_t n_nodes,
                                                   const Array<Number> &B,
                                                   const Number a,
                                                   const Array<Number> &q,
                                                   Array<Number> &r,
                                                   Array<Number> &d,
                                                   Array<Number> &x) const
{
  const Number *const Bs = B.data(), *const qs = q.data();
  Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    const auto residual = difference(Triple<Number>::load(rs, n), Triple<Number>::load(qs, n));
    const auto corrected =
      plus(Triple<Number>::load(xs, n), Number(1), Triple<Number>::load(ds, n));
    const auto z = scaled_product(load_block(Bs, n), a, residual);
    residual.store(rs, n);
    z.store(ds, n);
    plus(corrected, Number(1), z).store(xs, n);
  });
}

template <typename Number>
void CudaMultigridOperations<Number>::smooth_next(const std::size_t n_nodes,
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
  parallel_for(context_, n_nodes, [=] __device__(const std::size_t n) {
    const auto residual = difference(Triple<Number>::load(rs, n), Triple<Number>::load(qs, n));
    const auto old_d = Triple<Number>::load(ds, n), old_x = Triple<Number>::load(xs, n);
    const auto z = plus(scaled_product(load_block(Bs, n), a, residual), b, old_d);
    residual.store(rs, n);
    z.store(ds, n);
    plus(old_x, Number(1), z).store(xs, n);
  });
}

/// Threads: one per fine node. Bytes: per node 4 and 3 numbers written; per coarse element 32; the coarse
/// vector.
template <typename Number>
void CudaMultigridOperations<Number>::prolongate(const NodeInterpolation &P,
                                                 const Array<Number> &coarse,
                                                 Array<Number> &fine) const
{
  const std::uint32_t *const places   = P.places.data();
  const std::uint32_t *const elements = P.elements.data();
  const Number *const from            = coarse.data();
  Number *const to                    = fine.data();
  parallel_for(context_, P.n_fine, [=] __device__(const std::size_t n) {
    Triple<Number> mean;
    NodeInterpolation::mean_of_parents(places[n], elements, from, mean.value);
    mean.store(to, n);
  });
}

/// Threads: one per coarse node. Bytes: 4 for each child and node, 3 numbers written, the fine vector
/// (a fine node is read by up to 8 coarse ones, mostly from the caches).
template <typename Number>
void CudaMultigridOperations<Number>::restrict_to_parents(const NodeInterpolation &P,
                                                          const Array<Number> &fine,
                                                          Array<Number> &coarse) const
{
  const std::uint32_t *const begin    = P.children_begin.data();
  const std::uint32_t *const children = P.children.data();
  const Number *const from            = fine.data();
  Number *const to                    = coarse.data();
  parallel_for(context_, P.n_coarse, [=] __device__(const std::size_t n) {
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
CudaMultigridOperations<Number>::make_galerkin_matrices(Memory &memory,
                                                        const GalerkinElements &elements) const
{
  return cuda::make_galerkin_matrices<Number>(context_, memory, elements);
}

template class CudaMultigridOperations<double>;
template class CudaMultigridOperations<float>;

void CudaLevelOperations::convert(const std::size_t n,
                                  const Array<double> &x,
                                  Array<float> &y) const
{
  const double *const xs = x.data();
  float *const ys        = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) {
    ys[i] = static_cast<float>(xs[i]);
  });
}

void CudaLevelOperations::convert(const std::size_t n,
                                  const Array<float> &x,
                                  Array<double> &y) const
{
  const float *const xs = x.data();
  double *const ys      = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) {
    ys[i] = static_cast<double>(xs[i]);
  });
}

void CudaLevelOperations::mean_of_children(const std::size_t n_parents,
                                           const Array<std::uint32_t> &children,
                                           const Array<double> &fine,
                                           Array<double> &parent) const
{
  const std::uint32_t *const child = children.data();
  const double *const from         = fine.data();
  double *const to                 = parent.data();
  parallel_for(context_, n_parents, [=] __device__(const std::size_t e) {
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c)
      sum += from[child[c * n_parents + e]];
    to[e] = sum / 8.;
  });
}
} // namespace strut::cuda

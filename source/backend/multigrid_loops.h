// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/multigrid_operations.h"
#include "source/element/components.h"
#include "source/element/nodal_block.h"

namespace strut
{
/// MultigridOperations for both backends, except for the inverse of the blocks and the smoother,
/// which load blocks in the way that suits the hardware.
///
/// @tparam Loops  see VectorLoops
/// @tparam n_components  components per node
template <typename Number, typename Loops, int n_components>
class MultigridLoops : public MultigridOperations<Number>
{
public:
  explicit MultigridLoops(const Loops &loops) : loops_(loops)
  {}

  void support_stiffness(const std::size_t n_nodes,
                         const Array<std::uint8_t> &constrained,
                         const Array<Number> &blocks,
                         const Array<Number> &springs,
                         Array<Number> &stiffness) const override
  {
    const std::uint8_t *const flags = constrained.data();
    const Number *const all         = blocks.data();
    const Number *const own         = springs.empty() ? nullptr : springs.data();
    Number *const out               = stiffness.data();
    loops_.for_each(n_nodes, [=] STRUT_BODY(const std::size_t n) {
      Number diagonal[n_components]; // load all before writing any
      for (int c = 0; c < n_components; ++c)
        diagonal[c] = all[Block::size * n + Block::index(c, c)];
      for (std::size_t c = 0; c < n_components; ++c)
        {
          const Number spring       = own == nullptr ? Number(0) : own[n_components * n + c];
          out[n_components * n + c] = (flags[n] >> c & 1u) != 0 ? diagonal[c] : spring;
        }
    });
  }

  void add_to_blocks(const std::size_t n_nodes,
                     const Array<Number> &springs,
                     Array<Number> &blocks) const override
  {
    const Number *const s = springs.data();
    Number *const all     = blocks.data();
    loops_.for_each(n_nodes, [=] STRUT_BODY(const std::size_t n) {
      for (int c = 0; c < n_components; ++c)
        all[Block::size * n + Block::index(c, c)] += s[n_components * n + c];
    });
  }

  /// Threads: one per node. Bytes: 3 numbers written for three components.
  void keep_diagonals(const std::size_t n_nodes, Array<Number> &blocks) const override
  {
    Number *const all = blocks.data();
    loops_.for_each(n_nodes, [=] STRUT_BODY(const std::size_t n) {
      for (int i = 0; i < n_components; ++i)
        for (int j = i + 1; j < n_components; ++j)
          all[Block::size * n + Block::index(i, j)] = Number(0);
    });
  }

  void add_springs(const std::size_t n,
                   const Array<Number> &s,
                   const Array<Number> &x,
                   Array<Number> &y) const override
  {
    const Number *const ss = s.data(), *const xs = x.data();
    Number *const ys = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] += ss[i] * xs[i]; });
  }

  /// Threads: one per node. Bytes: 1, 6 numbers read, 3 written.
  void subtract_free(const std::size_t n_nodes,
                     const Array<std::uint8_t> &held,
                     const Array<Number> &q,
                     Array<Number> &r) const override
  {
    const std::uint8_t *const flags = held.data();
    const Number *const qs          = q.data();
    Number *const rs                = r.data();
    loops_.for_each(n_nodes, [=] STRUT_BODY(const std::size_t n) {
      const std::uint8_t flag = flags[n];
      Number difference[n_components]; // load all before writing any
      for (std::size_t c = 0; c < n_components; ++c)
        difference[c] = rs[n_components * n + c] - qs[n_components * n + c];
      for (std::size_t c = 0; c < n_components; ++c)
        rs[n_components * n + c] = (flag >> c & 1u) != 0 ? Number(0) : difference[c];
    });
  }

  /// Threads: one per fine node. Bytes: per node 5 and 3 numbers written; per coarse element 8; the
  /// coarse vector; patterns, mostly from the caches.
  void prolongate(const NodeInterpolation &P,
                  const Array<Number> &coarse,
                  const Array<std::uint8_t> &held,
                  Array<Number> &fine) const override
  {
    const std::uint8_t *const flags   = held.empty() ? nullptr : held.data();
    const std::uint32_t *const places = P.places.data();
    const NodeLists::View elements    = P.elements.view();
    const Number *const from          = coarse.data();
    Number *const to                  = fine.data();
    loops_.for_each(P.n_fine, [=] STRUT_BODY(const std::size_t n) {
      const unsigned int held_here = held_components(flags, n);
      Number mean[n_components];
      NodeInterpolation::mean_of_parents(places[n], elements, from, mean);
      for (std::size_t c = 0; c < n_components; ++c)
        to[n_components * n + c] = (held_here >> c & 1u) != 0 ? Number(0) : mean[c];
    });
  }

  /// Threads: one per coarse node. Bytes: 8 per node, 3 numbers written, and the fine vector. A
  /// fine node is read by up to 8 coarse ones, mostly from the caches. The 27 words of a pattern
  /// are cached, too, where many nodes share it.
  void restrict_to_parents(const NodeInterpolation &P,
                           const Array<Number> &fine,
                           Array<Number> &coarse) const override
  {
    const NodeLists::View children = P.children.view();
    const Number *const from       = fine.data();
    Number *const to               = coarse.data();
    loops_.for_each(P.n_coarse, [=] STRUT_BODY(const std::size_t n) {
      Number sum[n_components]       = {};
      const auto [base, pattern]     = children[n];
      const std::uint32_t n_children = pattern[0];
      for (std::uint32_t k = 1; k <= n_children; ++k)
        {
          const std::size_t child = base + (pattern[k] >> 2);
          const auto weight       = LatticePlace::weight<Number>(pattern[k] & 3u);
          for (std::size_t c = 0; c < n_components; ++c)
            sum[c] += weight * from[n_components * child + c];
        }
      for (std::size_t c = 0; c < n_components; ++c)
        to[n_components * n + c] = sum[c];
    });
  }

  /// Threads: one per number. Bytes: 16 per number, and the factors.
  void scale_matrices(const Array<double> &solid,
                      const Array<double> &factors,
                      const double outside,
                      Array<double> &matrices) const override
  {
    const double *const K0 = solid.data(), *const E = factors.data();
    double *const out = matrices.data();
    loops_.for_each(matrices.size(), [=] STRUT_BODY(const std::size_t k) {
      const double factor = E[k / n_packed];
      out[k]              = (factor != 0. ? factor : outside) * K0[k];
    });
  }

  /// Threads: one per number; a zero makes it search the matrix for a nonzero entry. Bytes: 8 and a
  /// Number per number, 8 more where all are zero.
  void complete_matrices(const Array<double> &solid,
                         const Array<Number> &packed,
                         const double outside,
                         Array<double> &matrices) const override
  {
    const double *const K0   = solid.data();
    const Number *const from = packed.data();
    double *const out        = matrices.data();
    loops_.for_each(matrices.size(), [=] STRUT_BODY(const std::size_t k) {
      const std::size_t first = k / n_packed * n_packed;
      bool is_outside         = from[k] == Number(0);
      for (std::size_t l = first; is_outside && l < first + n_packed; ++l)
        is_outside = from[l] == Number(0);
      out[k] = is_outside ? outside * K0[k] : static_cast<double>(from[k]);
    });
  }

  /// fine_n = sum_v w_v(place of n) coarse(vertex v of the element of n). Threads: one per fine
  /// node. Bytes: per node 5, and 6 numbers; per coarse element 32; the coarse vector. Flops: 72
  /// per node. Deterministic: each result is written by one thread.
  void prolongate(const PlaceInterpolation<Number> &P,
                  const Array<Number> &coarse,
                  const Array<std::uint8_t> &held,
                  Array<Number> &fine) const override
  {
    const std::uint8_t *const flags     = held.empty() ? nullptr : held.data();
    const std::uint32_t *const elements = P.elements.data();
    const std::uint32_t *const nodes    = P.element_nodes.data();
    const Number *const places          = P.places.data();
    const Number *const from            = coarse.data();
    Number *const to                    = fine.data();
    loops_.for_each(P.n_fine, [=] STRUT_BODY(const std::size_t n) {
      const unsigned int held_here = held_components(flags, n);
      Number sum[n_components]     = {};
      const std::size_t e          = elements[n];
      const Number *const place    = places + 3 * n;
      for (std::uint32_t v = 0; v < 8; ++v)
        {
          const std::size_t node = nodes[8 * e + v];
          const Number weight    = PlaceInterpolation<Number>::weight(v, place);
          for (std::size_t c = 0; c < n_components; ++c)
            sum[c] += weight * from[n_components * node + c];
        }
      for (std::size_t c = 0; c < n_components; ++c)
        to[n_components * n + c] = (held_here >> c & 1u) != 0 ? Number(0) : sum[c];
    });
  }

  /// coarse_I = sum of w_v(place of n) fine_n over the fine nodes n of the elements whose vertex v
  /// is I. Threads: one per coarse node. Bytes: 4 per element around it, 4 and 6 numbers per fine
  /// node there, 3 numbers written. A fine node is read by 8 coarse ones, mostly from the caches.
  /// Flops: 9 per pair of a fine and a coarse node. Deterministic: a thread sums in the order of
  /// its lists.
  void restrict_to_parents(const PlaceInterpolation<Number> &P,
                           const Array<Number> &fine,
                           Array<Number> &coarse) const override
  {
    const std::uint32_t *const around_begin = P.around_begin.data();
    const std::uint32_t *const around       = P.around.data();
    const std::uint32_t *const fine_begin   = P.fine_begin.data();
    const std::uint32_t *const fine_nodes   = P.fine.data();
    const Number *const places              = P.places.data();
    const Number *const from                = fine.data();
    Number *const to                        = coarse.data();
    loops_.for_each(P.n_coarse, [=] STRUT_BODY(const std::size_t n) {
      Number sum[n_components] = {};
      for (std::uint32_t k = around_begin[n]; k < around_begin[n + 1]; ++k)
        {
          const std::uint32_t e = around[k] >> 3, v = around[k] & 7u;
          for (std::uint32_t i = fine_begin[e]; i < fine_begin[e + 1]; ++i)
            {
              const std::size_t node = fine_nodes[i];
              const Number weight    = PlaceInterpolation<Number>::weight(v, places + 3 * node);
              for (std::size_t c = 0; c < n_components; ++c)
                sum[c] += weight * from[n_components * node + c];
            }
        }
      for (std::size_t c = 0; c < n_components; ++c)
        to[n_components * n + c] = sum[c];
    });
  }

protected:
  using Block                           = NodalBlock<Number, n_components>;
  static constexpr std::size_t n_packed = packed_matrix_size(n_components);

  /// Bits of the held components of the node: bit c for component c.
  ///
  /// @param flags  null: none are held
  STRUT_HOST_DEVICE static unsigned int held_components(const std::uint8_t *const flags,
                                                        const std::size_t node)
  {
    return flags != nullptr ? flags[node] : 0u;
  }

  const Loops loops_;
};

/// LevelOperations for both backends.
template <typename Loops>
class LevelLoops : public LevelOperations
{
public:
  explicit LevelLoops(const Loops &loops) : loops_(loops)
  {}

  void convert(const std::size_t n, const Array<double> &x, Array<float> &y) const override
  {
    const double *const xs = x.data();
    float *const ys        = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] = static_cast<float>(xs[i]); });
  }

  void convert(const std::size_t n, const Array<float> &x, Array<double> &y) const override
  {
    const float *const xs = x.data();
    double *const ys      = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] = static_cast<double>(xs[i]); });
  }

  void mean_of_children(const std::size_t n_parents,
                        const Array<std::uint32_t> &children,
                        const Array<double> &fine,
                        Array<double> &parent) const override
  {
    const std::uint32_t *const child = children.data();
    const double *const from         = fine.data();
    double *const to                 = parent.data();
    loops_.for_each(n_parents, [=] STRUT_BODY(const std::size_t e) {
      double sum = 0;
      for (std::size_t c = 0; c < 8; ++c)
        sum += from[child == nullptr ? 8 * e + c : child[c * n_parents + e]];
      to[e] = sum / 8.;
    });
  }

  /// Threads: one per coarse element. Bytes: 8 per share, 8 for each fine and coarse element.
  void weighted_sums(const std::size_t n_coarse,
                     const Array<std::uint32_t> &begin,
                     const Array<std::uint32_t> &elements,
                     const Array<float> &weights,
                     const Array<double> &fine,
                     Array<double> &coarse) const override
  {
    const std::uint32_t *const first = begin.data();
    const std::uint32_t *const of    = elements.data();
    const float *const weight        = weights.data();
    const double *const from         = fine.data();
    double *const to                 = coarse.data();
    loops_.for_each(n_coarse, [=] STRUT_BODY(const std::size_t e) {
      double sum = 0;
      for (std::uint32_t k = first[e]; k < first[e + 1]; ++k)
        sum += static_cast<double>(weight[k]) * from[of[k]];
      to[e] = sum;
    });
  }

protected:
  const Loops loops_;
};
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/base/parallel_loop.h"
#include "source/element/galerkin.h"
#include "source/element/lanczos.h"
#include "source/mesh/node_to_element.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace strut::cpu
{
namespace
{
namespace galerkin = hexahedron::galerkin;

/// The matrix of one element, in double.
using ElementMatrix = double[24][24];

/// Computes K = E K0 of an element with vertices X.
void stiffness(const double (&X)[3][8], const Material &material, const double E, ElementMatrix &K)
{
  // (1) T_ab = int grad N_a (x) grad N_b, stored in block (a, b), a <= b.
  for (double(&row)[24] : K)
    std::fill(row, row + 24, 0.);
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = hexahedron::gradients(X, q, G);
      double vertex[24];
      for (int b = 0; b < 8; ++b)
        for (int j = 0; j < 3; ++j)
          vertex[3 * b + j] = G[j][b];
      for (int a = 0; a < 8; ++a)
        for (int i = 0; i < 3; ++i)
          for (int column = 3 * a; column < 24; ++column)
            K[3 * a + i][column] += dx * G[i][a] * vertex[column];
    }

  // (2) The blocks and their transposes.
  for (int a = 0; a < 8; ++a)
    for (int b = a; b < 8; ++b)
      {
        double block[3][3];
        for (int i = 0; i < 3; ++i)
          std::copy(K[3 * a + i] + 3 * b, K[3 * a + i] + 3 * b + 3, block[i]);
        galerkin::stiffness_block(material.lambda(), material.mu(), E, block);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            K[3 * a + i][3 * b + j] = K[3 * b + j][3 * a + i] = block[i][j];
      }
}

/// Zeros the rows and columns of the DoFs `3 * vertex + component` whose bit is set.
void hold(const unsigned int dofs, ElementMatrix &K)
{
  for (int i = 0; i < 24; ++i)
    if ((dofs >> i & 1u) != 0)
      for (int j = 0; j < 24; ++j)
        K[i][j] = K[j][i] = 0.;
}

/// Computes K = P^T K P for the child at this octant.
void restrict_to_parent(const int octant, ElementMatrix &K)
{
  for (int d = 0; d < 3; ++d)
    for (int low = 0; low < 8; ++low)
      {
        if ((low >> d & 1) != 0)
          continue;
        const int high    = low | 1 << d;
        const bool at_low = (octant >> d & 1) == 0;
        for (int c = 0; c < 3; ++c)
          {
            const int i = 3 * low + c, j = 3 * high + c;
            for (int k = 0; k < 24; ++k)
              {
                const double first = K[i][k], second = K[j][k];
                K[i][k] = galerkin::restricted(first, second, at_low);
                K[j][k] = galerkin::restricted(second, first, !at_low);
              }
            for (double(&row)[24] : K)
              {
                const double first = row[i], second = row[j];
                row[i] = galerkin::restricted(first, second, at_low);
                row[j] = galerkin::restricted(second, first, !at_low);
              }
          }
      }
}

/// Rounds the matrix for storage in float. Off-diagonal blocks are rounded to one grid of the
/// element. Diagonal blocks are rounded to that grid such that the sums of rows stay the same: zero
/// for a free element.
void round_to_float(ElementMatrix &K)
{
  double largest = 0.;
  for (int i = 0; i < 24; ++i)
    largest = std::max(largest, K[i][i]);
  if (!(largest > 0.))
    return;
  const double step = galerkin::grid_step(largest);

  // errors[a]: error of rounding in the row of blocks a
  double errors[8][3][3] = {};
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          {
            double &entry        = K[3 * a + i][3 * b + j];
            const double rounded = step * std::rint(entry / step);
            errors[a][i][j] += rounded - entry;
            errors[b][j][i] += rounded - K[3 * b + j][3 * a + i];
            entry = K[3 * b + j][3 * a + i] = rounded;
          }
  for (int a = 0; a < 8; ++a)
    {
      double block[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          block[i][j] = step * std::rint((K[3 * a + i][3 * a + j] - errors[a][i][j]) / step);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          K[3 * a + i][3 * a + j] = 0.5 * (block[i][j] + block[j][i]);
    }
}

constexpr std::size_t n_lanes = 8; ///< elements that are processed together, one per SIMD lane

/// Element products on the CPU:
///
///     f_e = K_e P_e x,   y_n = sum of the f_e around node n
///
/// Layout: upper triangles by columns, `[n_packs][300][n_lanes]`: elements in packs, so that all
/// loops vectorise over elements; `f[n_elements][24]`; the elements around each node in compressed
/// rows. Bytes: per element, 300 numbers, 16 node and element numbers, f twice. Flops: per element,
/// 1,152. Each sum has one thread and a fixed order: deterministic for any number of threads.
template <typename Number>
class CpuGalerkinMatrices : public GalerkinMatrices<Number>
{
public:
  using GalerkinMatrices<Number>::n_packed;

  CpuGalerkinMatrices(Memory &memory, const GalerkinElements &elements, const int n_threads)
    : n_threads_(n_threads)
    , n_elements_(elements.n_elements)
    , n_nodes_(elements.n_nodes)
    , connectivity_(memory, elements.connectivity)
    , constrained_(memory, elements.constrained)
    , matrices_(memory, (elements.n_stored + n_lanes - 1) / n_lanes * n_lanes * n_packed)
    , forces_(memory, 24 * elements.n_elements)
  {
    const auto around = NodeToElement::build(n_nodes_, elements.connectivity);
    around_begin_     = Array<LocalIndex>(memory, around.begin);
    around_           = Array<LocalIndex>(memory, around.entries);
  }

  void set_from_geometry(const SubdividedElements &elements,
                         const Material &material,
                         const Array<double> &factors) override
  {
    set([&](const std::size_t e, const int octant, ElementMatrix &K) {
      double X[3][8];
      unsigned int held = 0;
      for (int v = 0; v < 8; ++v)
        {
          const std::size_t place =
            static_cast<std::size_t>(galerkin::lattice_place(octant, v)) * n_elements_ + e;
          const std::size_t node = elements.lattice.data()[place];
          for (int d = 0; d < 3; ++d)
            X[d][v] = elements.coordinates.data()[3 * node + static_cast<std::size_t>(d)];
          held |= static_cast<unsigned int>(elements.constrained.data()[node]) << 3 * v;
        }
      const std::size_t child =
        elements.children.data()[static_cast<std::size_t>(octant) * n_elements_ + e];
      stiffness(X, material, factors.data()[child], K);
      hold(held, K);
    });
  }

  void set_from_children(const Array<LocalIndex> &children,
                         const GalerkinMatrices<Number> &finer) override
  {
    const auto &fine = static_cast<const CpuGalerkinMatrices &>(finer);
    set([&](const std::size_t e, const int octant, ElementMatrix &K) {
      fine.get(children.data()[static_cast<std::size_t>(octant) * n_elements_ + e], K);
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    Number *const f        = forces_.data();
    parallel_for(n_threads_, (n_elements_ + n_lanes - 1) / n_lanes, [=](const std::size_t pack) {
      product(pack, xs, f);
    });
    const LocalIndex *const begin = around_begin_.data(), *const around = around_.data();
    Number *const ys = y.data();
    parallel_for(n_threads_, n_nodes_, [=](const std::size_t node) {
      Number sum[3] = {};
      for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
        for (std::size_t c = 0; c < 3; ++c)
          sum[c] += f[3 * std::size_t(around[k]) + c];
      for (std::size_t c = 0; c < 3; ++c)
        ys[3 * node + c] = sum[c];
    });
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    const LocalIndex *const begin = around_begin_.data(), *const around = around_.data();
    Number *const all = blocks.data();
    parallel_for(n_threads_, n_nodes_, [=](const std::size_t node) {
      Number sum[6] = {};
      for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
        {
          const std::size_t e = around[k] / 8, first = 3 * (around[k] % 8);
          for (std::size_t i = 0, n = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j, ++n)
              sum[n] += matrices_.data()[place(e, first + i, first + j)];
        }
      for (std::size_t n = 0; n < 6; ++n)
        all[6 * node + n] = sum[n];
    });
  }

  double smoother_bound() const override
  {
    const auto of_element = [&](const std::size_t e) {
      ElementMatrix K;
      get(e, K);
      return lanczos::largest_eigenvalue(K);
    };
    return lanczos::margin * parallel_max(n_threads_, n_elements_, of_element);
  }

  void pack(Array<Number> &packed) const override
  {
    for (std::size_t e = 0; e < n_elements_; ++e)
      for (std::size_t k = 0; k < n_packed; ++k)
        packed.data()[n_packed * e + k] = matrices_.data()[place(e, k)];
  }

  void unpack_others(const Array<Number> &packed) override
  {
    for (std::size_t e = n_elements_; e < packed.size() / n_packed; ++e)
      for (std::size_t k = 0; k < n_packed; ++k)
        matrices_.data()[place(e, k)] = packed.data()[n_packed * e + k];
  }

private:
  /// The position of entry k of the upper triangle of element e.
  static std::size_t place(const std::size_t e, const std::size_t k)
  {
    return (e / n_lanes * n_packed + k) * n_lanes + e % n_lanes;
  }
  static std::size_t place(const std::size_t e, const std::size_t i, const std::size_t j)
  {
    return i <= j ? place(e, j * (j + 1) / 2 + i) : place(e, j, i);
  }

  void get(const std::size_t e, ElementMatrix &K) const
  {
    for (std::size_t j = 0; j < 24; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        K[i][j] = K[j][i] = static_cast<double>(matrices_.data()[place(e, i, j)]);
  }

  /// Computes K_e = Z (sum over children P_c^T K_c P_c) Z, with `get_child(e, octant, K_c)`.
  template <typename GetChild>
  void set(const GetChild &get_child)
  {
    parallel_for_long(n_threads_, n_elements_, [&](const std::size_t e) {
      ElementMatrix sum = {}, K;
      for (int octant = 0; octant < 8; ++octant)
        {
          get_child(e, octant, K);
          restrict_to_parent(octant, K);
          for (int i = 0; i < 24; ++i)
            for (int j = 0; j < 24; ++j)
              sum[i][j] += K[i][j];
        }
      unsigned int held = 0;
      for (std::size_t v = 0; v < 8; ++v)
        held |= static_cast<unsigned int>(constrained_.data()[connectivity_.data()[8 * e + v]])
                << 3 * v;
      hold(held, sum);
      if (std::is_same<Number, float>::value)
        round_to_float(sum);
      for (std::size_t j = 0; j < 24; ++j)
        for (std::size_t i = 0; i <= j; ++i)
          matrices_.data()[place(e, i, j)] = static_cast<Number>(sum[i][j]);
    });
  }

  /// Computes f of the elements of a pack; lanes behind the last element repeat it.
  void product(const std::size_t pack, const Number *const x, Number *const f) const
  {
    alignas(64) Number in[24][n_lanes];
    alignas(64) Number out[24][n_lanes] = {};
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const std::size_t e           = std::min(n_lanes * pack + lane, n_elements_ - 1);
        const LocalIndex *const nodes = connectivity_.data() + 8 * e;
        for (std::size_t v = 0; v < 8; ++v)
          for (std::size_t c = 0; c < 3; ++c)
            in[3 * v + c][lane] = x[3 * std::size_t(nodes[v]) + c];
      }
    const Number *K = matrices_.data() + pack * n_packed * n_lanes;
    for (int j = 0; j < 24; ++j)
      {
        Number sum[n_lanes] = {};
        for (int i = 0; i < j; ++i, K += n_lanes)
          for (std::size_t lane = 0; lane < n_lanes; ++lane)
            {
              out[i][lane] += K[lane] * in[j][lane];
              sum[lane] += K[lane] * in[i][lane];
            }
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
          out[j][lane] += sum[lane] + K[lane] * in[j][lane];
        K += n_lanes;
      }
    const std::size_t n = std::min(n_lanes, n_elements_ - n_lanes * pack);
    for (std::size_t lane = 0; lane < n; ++lane)
      for (std::size_t i = 0; i < 24; ++i)
        f[24 * (n_lanes * pack + lane) + i] = out[i][lane];
  }

  const int n_threads_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  Array<LocalIndex> connectivity_;  ///< `[n_elements][8]`
  Array<std::uint8_t> constrained_; ///< `[n_nodes]`
  Array<LocalIndex> around_begin_;  ///< `[n_nodes + 1]`
  Array<LocalIndex> around_;        ///< `8 * element + vertex`, `[8 n_elements]`
  Array<Number> matrices_;
  mutable Array<Number> forces_; ///< f
};
} // namespace

template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(Memory &memory, const GalerkinElements &elements, const int n_threads)
{
  return std::make_unique<CpuGalerkinMatrices<Number>>(memory, elements, n_threads);
}

template decltype(make_galerkin_matrices<double>) make_galerkin_matrices<double>;
template decltype(make_galerkin_matrices<float>) make_galerkin_matrices<float>;
} // namespace strut::cpu

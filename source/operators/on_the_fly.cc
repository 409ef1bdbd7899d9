// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/element/box_stiffness.h"
#include "source/element/element_product.h"
#include "source/element/tangent_product.h"
#include "source/element/volumetric_part.h"
#include "source/mesh/colouring.h"
#include "source/mesh/identical_elements.h"
#include "source/operators/packed_tangents.h"
#include "source/operators/parts_of_elements.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

#include <experimental/simd>

#include <algorithm>
#include <numeric>
#include <optional>

namespace strut::cpu
{
namespace
{
/// Element products on the CPU without stored matrices:
///
///     y = sum_e P_e^T E_e K0_e P_e x,   K0_e P_e x by hexahedron::on_the_fly::apply_stiffness
///
/// Layout: connectivity `[n_elements][8]`, coordinates `[n_nodes][3]` in double. A pack of
/// elements, one per SIMD lane, is gathered, computed, and added to y lane by lane. One thread
/// walks the elements in their order; several share the elements of one colour at a time, as in
/// ebe. Coordinates are relative to a vertex of the element before rounding: float coordinates of a
/// large mesh would not resolve an element. The product includes Lame's parameters of elements, if
/// set; E_e is then 1, or 0 where both are 0. It also includes tangents, with E_e = 1.
/// Bytes: per element, 8 node numbers and the factor, or three numbers, or 21 numbers of each
/// tangent; per node, 3 coordinates, x once, y once.
/// Flops: per element, about 1,850, with tangents 2,370. If all elements are scaled copies of one
/// box, 280 (with Lame's parameters 470), without coordinates: see hexahedron::BoxStiffness.
/// Deterministic for a given number of threads and lanes.
template <typename Number>
class OnTheFly : public ElementOperator<Number>
{
public:
  OnTheFly(Backend &backend, const ElementMesh &mesh, const Material &material)
    : memory_(backend.memory())
    , n_threads_(static_cast<int>(backend.n_threads()))
    , n_elements_(mesh.n_elements)
    , n_nodes_(mesh.n_nodes)
    , material_(material)
    , coordinates_(backend.memory(), 3 * mesh.n_nodes)
    , connectivity_(backend.memory(), 8 * mesh.n_elements)
    , order_(backend.memory(), mesh.n_elements)
    , stiffness_(backend.memory(), std::vector<Number>(mesh.n_elements, Number(1)))
  {
    for (std::size_t node = 0; node < n_nodes_; ++node)
      for (std::size_t d = 0; d < 3; ++d)
        coordinates_.data()[3 * node + d] = mesh.coordinates[d * n_nodes_ + node];

    std::vector<LocalIndex> order(n_elements_);
    std::iota(order.begin(), order.end(), LocalIndex(0));
    ranges_ = {0, n_elements_};
    if (n_threads_ > 1)
      {
        const Colouring colouring = Colouring::greedy(mesh);
        order                     = colouring.elements;
        ranges_.assign(colouring.begin.begin(), colouring.begin.end());
      }
    order_.copy_from_host(order);
    double X[3][8];
    if (const auto sizes = sizes_of_similar_elements(mesh); sizes.has_value())
      if (shape_of(mesh, 0, X); hexahedron::is_box(X))
        {
          box_ = hexahedron::box_stiffness(material, X);
          for (std::size_t s = 0; s < n_elements_ && !sizes->empty(); ++s)
            sizes_.push_back(static_cast<Number>((*sizes)[order[s]]));
        }
    for (std::size_t s = 0; s < n_elements_; ++s)
      for (std::size_t v = 0; v < 8; ++v)
        connectivity_.data()[8 * s + v] = mesh.connectivity[v * n_elements_ + order[s]];
  }

  void set_stiffness(const Array<double> &factors) override
  {
    parallel_for(n_threads_, n_elements_, [&](const std::size_t s) {
      stiffness_.data()[s] = static_cast<Number>(factors.data()[order_.data()[s]]);
    });
  }

  bool tells_factors() const override
  {
    return true;
  }

  void factors(Array<double> &factors) const override
  {
    parallel_for(n_threads_, n_elements_, [&](const std::size_t s) {
      factors.data()[order_.data()[s]] = static_cast<double>(stiffness_.data()[s]);
    });
  }

  static std::vector<Law> laws()
  {
    return {Law::factor, Law::lame, Law::tangents};
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override
  {
    Array<double> work;
    if (stiffness.law() == Law::lame)
      take_lame(mesh, stiffness.component(0, 0, work), stiffness.component(0, 1, work));
    else if (stiffness.law() == Law::tangents)
      take_tangents(stiffness);
    else
      ElementOperator<Number>::set(mesh, stiffness);
  }

  void take_lame(const ElementMesh &mesh, const Array<double> &lambda, const Array<double> &mu)
  {
    if (box_ && !box_of_mu_)
      {
        double X[3][8];
        shape_of(mesh, 0, X);
        box_of_lambda_ =
          hexahedron::box_stiffness(volumetric_part(material_.volumetric_integration), X);
        box_of_mu_ = hexahedron::box_stiffness(Material::deviatoric(), X);
      }
    lame_ = in_storage_order(lambda, mu);
    parallel_for(n_threads_, n_elements_, [&](const std::size_t s) {
      stiffness_.data()[s] = Number(lame()[s].lambda == 0 && lame()[s].mu == 0 ? 0 : 1);
    });
  }

  void take_tangents(const Stiffness &stiffness)
  {
    std::size_t n_packs = 0;
    for (std::size_t range = 0; range + 1 < ranges_.size(); ++range)
      n_packs += packs_of(range);
    tangents_.set(memory_, n_elements_, n_packs, stiffness, [&](const auto &body) {
      for_each_pack([&](const std::size_t first, const std::size_t n, const std::size_t pack) {
        body(pack, [&](const std::size_t lane) { return order_.data()[element(first, n, lane)]; });
      });
    });
  }

  void mean_component(const unsigned int component,
                      const unsigned int first_point,
                      const unsigned int n_points,
                      Array<double> &values) const override
  {
    double *const out = values.data();
    for_each_pack([&](const std::size_t first, const std::size_t n, const std::size_t pack) {
      for (std::size_t lane = 0; lane < n; ++lane)
        out[order_.data()[first + lane]] =
          tangents_.mean(pack, lane, component, first_point, n_points);
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    y.set_zero();
    add_product(x, Number(1), y);
  }

  bool takes_float() const override
  {
    return true;
  }

  void apply_to_float(const Array<float> &x, Array<Number> &y) const override
  {
    y.set_zero();
    add_product(x, Number(1), y);
  }

  bool can_subtract() const override
  {
    return true;
  }

  void subtract(const Array<Number> &x, Array<Number> &y) const override
  {
    add_product(x, Number(-1), y);
  }

  void diagonal(Array<Number> &d) const override
  {
    add_of_vertices<3>(d, [](const auto &solid, const auto &X, auto &values) {
      hexahedron::on_the_fly::stiffness_diagonal(solid, X, values);
    });
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    add_of_vertices<6>(blocks, [](const auto &solid, const auto &X, auto &values) {
      hexahedron::on_the_fly::stiffness_blocks(solid, X, values);
    });
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    find_energies(nullptr, u, c);
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    Array<double> work;
    const std::vector<Lame> lame =
      in_storage_order(stiffness.component(0, 0, work), stiffness.component(0, 1, work));
    find_energies(lame.data(), u, c);
  }

  OperatorCost cost() const override
  {
    const double n = static_cast<double>(n_elements_), n_nodes = static_cast<double>(n_nodes_);
    OperatorCost cost;
    const double of_lame     = lame_.has_value() ? 1. : 0.;
    const double of_tangents = tangents_.bytes();
    cost.bytes_per_apply =
      n * (8 * sizeof(LocalIndex) + (1. + 2. * of_lame) * sizeof(Number)) + of_tangents +
      n_nodes * ((box_ && tangents_.empty() ? 0 : 3 * sizeof(double)) + 6 * sizeof(Number));
    cost.flops_per_apply = // 24 products with the factor
      n * ((!tangents_.empty() ? hexahedron::on_the_fly::tangent_flops
            : box_             ? hexahedron::box_flops + of_lame * (2. * 57. + 3. * 24.)
                               : hexahedron::on_the_fly::flops_of(material_)) +
           24);
    cost.memory_bytes =
      memory_estimate(n_elements_, n_nodes_) + 2. * of_lame * n * sizeof(Number) + of_tangents;
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return static_cast<double>(n_elements) * (9 * sizeof(LocalIndex) + sizeof(Number)) +
           static_cast<double>(n_nodes) * 3 * sizeof(double);
  }

private:
  using Pack                           = std::experimental::native_simd<Number>;
  static constexpr std::size_t n_lanes = Pack::size();

  /// Lame's parameters of an element.
  struct Lame
  {
    Number lambda, mu;
  };

  std::vector<Lame> in_storage_order(const Array<double> &lambda, const Array<double> &mu) const
  {
    std::vector<Lame> result(n_elements_);
    parallel_for(n_threads_, n_elements_, [&](const std::size_t s) {
      const LocalIndex e = order_.data()[s];
      result[s] = {static_cast<Number>(lambda.data()[e]), static_cast<Number>(mu.data()[e])};
    });
    return result;
  }

  /// Lame's parameters of take_lame(), or null.
  const Lame *lame() const
  {
    return lame_.has_value() ? lame_->data() : nullptr;
  }

  void find_energies(const Lame *const lame, const Array<Number> &u, Array<double> &c) const
  {
    const Number *const us = u.data();
    double *const cs       = c.data();
    for_each_pack([&](const std::size_t first, const std::size_t n, const std::size_t pack) {
      Pack f[3][8];
      product(first, n, pack, lame, us, f);
      for (std::size_t lane = 0; lane < n; ++lane)
        {
          double energy                 = 0;
          const LocalIndex *const nodes = connectivity_.data() + 8 * (first + lane);
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < 3; ++i)
              energy += static_cast<double>(us[3 * std::size_t(nodes[v]) + i]) *
                        static_cast<double>(f[i][v][lane]);
          cs[order_.data()[first + lane]] = energy;
        }
    });
  }

  /// Adds to out[node][n] the sum over the elements around the node of E_e times the value of
  /// `of_element` for the vertex, `[n][8]`, in double.
  template <int n, typename OfElement>
  void add_of_vertices(Array<Number> &out, const OfElement &of_element) const
  {
    out.set_zero();
    Number *const sums = out.data();
    for_each_pack([&](const std::size_t first, const std::size_t size, const std::size_t pack) {
      for (std::size_t s = first; s < first + size; ++s)
        {
          const LocalIndex *const nodes = connectivity_.data() + 8 * s;
          double X[3][8], values[n][8];
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < 3; ++i)
              X[i][v] = coordinates_.data()[3 * std::size_t(nodes[v]) + i];
          if (!tangents_.empty())
            {
              const auto tangent = [&](const int q, const int k) {
                return tangents_.get(pack, q, k)[s - first];
              };
              of_element(hexahedron::on_the_fly::TangentSolid<decltype(tangent)>{tangent},
                         X,
                         values);
            }
          else if (lame_.has_value())
            of_element(hexahedron::on_the_fly::LameSolid{static_cast<double>(lame()[s].lambda),
                                                         static_cast<double>(lame()[s].mu),
                                                         material_.has_mean_dilatation()},
                       X,
                       values);
          else
            of_element(material_, X, values);
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < n; ++i)
              sums[n * std::size_t(nodes[v]) + i] +=
                stiffness_.data()[s] * static_cast<Number>(values[i][v]);
        }
    });
  }

  /// Adds sign K x to y.
  template <typename Input>
  void add_product(const Array<Input> &x, const Number sign, Array<Number> &y) const
  {
    for_each_pack([&](const std::size_t first, const std::size_t n, const std::size_t pack) {
      const Number *const factors = stiffness_.data() + first;
      if (std::all_of(factors, factors + n, [](const Number factor) { return factor == 0; }))
        return; // not in the structure
      Pack f[3][8];
      product(first, n, pack, lame(), x.data(), f);
      scatter(first, n, f, sign, y.data());
    });
  }

  std::size_t packs_of(const std::size_t range) const
  {
    return (ranges_[range + 1] - ranges_[range] + n_lanes - 1) / n_lanes;
  }

  /// Calls body(first, n, pack) for packs of n elements from first on; concurrent ones share no
  /// node.
  template <typename Body>
  void for_each_pack(const Body &body) const
  {
    std::size_t first_pack = 0;
    for (std::size_t range = 0; range + 1 < ranges_.size(); ++range)
      {
        const std::size_t begin = ranges_[range], end = ranges_[range + 1];
        const std::size_t n_packs = packs_of(range);
        const int n_parts         = parts_of_elements(n_threads_, n_elements_, end - begin);
        parallel_for_long(n_parts, n_packs, [&](const std::size_t pack) {
          const std::size_t first = begin + pack * n_lanes;
          body(first, std::min(n_lanes, end - first), first_pack + pack);
        });
        first_pack += n_packs;
      }
  }

  /// The element of a lane; lanes behind the last element repeat it.
  std::size_t element(const std::size_t first, const std::size_t n, const std::size_t lane) const
  {
    return first + std::min(lane, n - 1);
  }

  void gather_coordinates(const std::size_t first, const std::size_t n, Pack (&X)[3][8]) const
  {
    alignas(64) Number values[3][8][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + 8 * element(first, n, lane);
        const double *const origin    = coordinates_.data() + 3 * std::size_t(nodes[0]);
        for (std::size_t v = 0; v < 8; ++v)
          for (std::size_t i = 0; i < 3; ++i)
            values[i][v][lane] =
              static_cast<Number>(coordinates_.data()[3 * std::size_t(nodes[v]) + i] - origin[i]);
      }
    for (int i = 0; i < 3; ++i)
      for (int v = 0; v < 8; ++v)
        X[i][v].copy_from(values[i][v], std::experimental::overaligned<alignof(Pack)>);
  }

  /// Computes f = K0_e P_e x of a pack; lame: parameters of the elements, or null for the material.
  template <typename Input>
  void product(const std::size_t first,
               const std::size_t n,
               const std::size_t pack,
               const Lame *const lame,
               const Input *const x,
               Pack (&f)[3][8]) const
  {
    Pack u[3][8];
    const Input *of_vertex[8][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + 8 * element(first, n, lane);
        for (std::size_t v = 0; v < 8; ++v)
          of_vertex[v][lane] = x + 3 * std::size_t(nodes[v]);
      }
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t i = 0; i < 3; ++i)
        u[i][v] = Pack([&](const auto lane) { return static_cast<Number>(of_vertex[v][lane][i]); });
    if (!tangents_.empty())
      {
        Pack X[3][8];
        gather_coordinates(first, n, X);
        return hexahedron::on_the_fly::apply_tangents(
          [&](const int q, const int k) {
            return Pack(tangents_.get(pack, q, k), std::experimental::element_aligned);
          },
          X,
          u,
          f);
      }
    Pack lambda(Number(0)), mu(Number(0));
    if (lame != nullptr)
      {
        const auto of_lane = [&](const auto lane) -> const Lame & {
          return lame[element(first, n, lane)];
        };
        lambda = Pack([&](const auto lane) { return of_lane(lane).lambda; });
        mu     = Pack([&](const auto lane) { return of_lane(lane).mu; });
      }
    if (box_)
      {
        if (lame != nullptr)
          hexahedron::apply_stiffness(*box_of_lambda_, *box_of_mu_, lambda, mu, u, f);
        else
          hexahedron::apply_stiffness(*box_, u, f);
        if (sizes_.empty())
          return;
        const Pack size([&](const auto lane) { return sizes_[element(first, n, lane)]; });
        for (auto &component : f)
          for (Pack &force : component)
            force *= size;
        return;
      }
    Pack X[3][8];
    gather_coordinates(first, n, X);
    using Weighted    = hexahedron::on_the_fly::WeightedMaterial<Pack>;
    const auto weight = static_cast<Number>(Weighted::weight());
    const Weighted weighted =
      lame != nullptr ? Weighted(lambda * weight, mu * weight) : Weighted(material_);
    hexahedron::on_the_fly::with_formulation(material_, [&](const auto formulation) {
      hexahedron::on_the_fly::element_product<formulation.value>(weighted, Pack(1), X, u, f);
    });
  }

  /// Adds P_e^T E_e f to y, lane by lane: elements of a pack may share nodes.
  void scatter(const std::size_t first,
               const std::size_t n,
               const Pack (&f)[3][8],
               const Number sign,
               Number *const y) const
  {
    alignas(64) Number values[3][8][n_lanes];
    for (int i = 0; i < 3; ++i)
      for (int v = 0; v < 8; ++v)
        f[i][v].copy_to(values[i][v], std::experimental::overaligned<alignof(Pack)>);
    for (std::size_t lane = 0; lane < n; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + 8 * (first + lane);
        const Number factor           = sign * stiffness_.data()[first + lane];
        for (std::size_t v = 0; v < 8; ++v)
          for (std::size_t i = 0; i < 3; ++i)
            y[3 * std::size_t(nodes[v]) + i] += factor * values[i][v][lane];
      }
  }

  Memory &memory_;
  const int n_threads_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const Material material_;
  std::optional<hexahedron::BoxStiffness>
    box_; ///< stiffness of the first element, if all are copies of this box
  std::optional<hexahedron::BoxStiffness> box_of_lambda_, box_of_mu_; ///< set by take_lame()
  std::vector<Number> sizes_;             ///< scales of the copies, as stored; empty if all are 1
  Array<double> coordinates_;             ///< `[n_nodes][3]`
  Array<LocalIndex> connectivity_;        ///< `[n_elements][8]`, as stored
  Array<LocalIndex> order_;               ///< number in the mesh, `[n_elements]`
  Array<Number> stiffness_;               ///< E_e, as stored
  std::optional<std::vector<Lame>> lame_; ///< in the order of storage
  PackedTangents<Number, n_lanes> tangents_;
  std::vector<std::size_t> ranges_; ///< elements that one loop may share out: all, or a colour
};
} // namespace

/// The strategy `on_the_fly`: element products from the vertex coordinates, one element per
/// SIMD lane.
StrategyPair on_the_fly()
{
  StrategyPair pair = strategy_pair<OnTheFly>(
    "on_the_fly",
    "from vertex coordinates, sum factorisation, one element per SIMD lane, no stored matrices",
    true);
  pair.in_double.subtracts = pair.in_double.tells_factors = true;
  pair.in_float.subtracts = pair.in_float.tells_factors = true;
  pair.in_double.takes_float = pair.in_float.takes_float = true;
  return pair;
}
} // namespace strut::cpu

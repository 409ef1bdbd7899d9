// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/element/box_stiffness.h"
#include "source/element/element_product.h"
#include "source/element/tangent_product.h"
#include "source/mesh/colouring.h"
#include "source/mesh/identical_elements.h"
#include "source/operators/on_the_fly_of_type.h"
#include "source/operators/packed_tangents.h"
#include "source/operators/parts_of_elements.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

#include <experimental/simd>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <variant>

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
/// large mesh would not resolve an element.
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
          boxes_ = {{hexahedron::box_stiffness(material, X),
                     hexahedron::box_stiffness(Material::volumetric(material.formulation), X),
                     hexahedron::box_stiffness(Material::deviatoric(), X)}};
          for (std::size_t s = 0; s < n_elements_ && !sizes->empty(); ++s)
            sizes_.push_back(static_cast<Number>((*sizes)[order[s]]));
        }
    for (std::size_t s = 0; s < n_elements_; ++s)
      for (std::size_t v = 0; v < 8; ++v)
        connectivity_.data()[8 * s + v] = mesh.connectivity[v * n_elements_ + order[s]];
    of_law_.flops_per_apply =
      boxes_ ? hexahedron::box_flops : hexahedron::on_the_fly::flops_of(material);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    parallel_for(n_threads_, n_elements_, [&](const std::size_t s) {
      stiffness_.data()[s] = static_cast<Number>(factors.data()[order_.data()[s]]);
    });
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
    if (stiffness.law() == Law::lame)
      of_law_ = law_.template emplace<Lame>(*this, stiffness).set(*this);
    else if (stiffness.law() == Law::tangents)
      {
        if (!std::holds_alternative<Tangents>(law_)) // otherwise it keeps its memory
          law_.template emplace<Tangents>();
        of_law_ = std::get<Tangents>(law_).set(*this, stiffness);
      }
    else
      ElementOperator<Number>::set(mesh, stiffness);
  }

  void mean_component(const unsigned int component,
                      const unsigned int first_point,
                      const unsigned int n_points,
                      Array<double> &values) const override
  {
    const auto &numbers = std::get<Tangents>(law_).numbers;
    for_each_pack([&](const Elements &pack) {
      for (std::size_t lane = 0; lane < pack.n; ++lane)
        values.data()[order_.data()[pack.first + lane]] =
          numbers.mean(pack.number, lane, component, first_point, n_points);
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    y.set_zero();
    add_product(x, Number(1), y);
  }

  void apply_to_float(const Array<float> &x, Array<Number> &y) const override
  {
    y.set_zero();
    add_product(x, Number(1), y);
  }

  void subtract(const Array<Number> &x, Array<Number> &y) const override
  {
    add_product(x, Number(-1), y);
  }

  void diagonal(Array<Number> &d) const override
  {
    add_of_vertices<3>(d, [](auto &&...a) { hexahedron::on_the_fly::stiffness_diagonal(a...); });
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    add_of_vertices<6>(blocks, [](auto &&...a) { hexahedron::on_the_fly::stiffness_blocks(a...); });
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    std::visit([&](const auto &law) { find_energies(law, u, c); }, law_);
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    find_energies(Lame(*this, stiffness), u, c);
  }

  OperatorCost cost() const override
  {
    const double n = static_cast<double>(n_elements_), n_nodes = static_cast<double>(n_nodes_);
    OperatorCost cost = of_law_;
    cost.bytes_per_apply += n * (8 * sizeof(LocalIndex) + sizeof(Number)) +
                            n_nodes * ((boxes_ ? 0 : 3 * sizeof(double)) + 6 * sizeof(Number));
    cost.flops_per_apply = n * (cost.flops_per_apply + 24); // 24 products with the factor
    cost.memory_bytes += memory_estimate(n_elements_, n_nodes_);
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
  using Values                         = Pack[3][8]; ///< vectors of a pack
  using Weighted                       = hexahedron::on_the_fly::WeightedMaterial<Pack>;

  /// A pack of n elements from `first` on, as stored, one in each lane.
  struct Elements
  {
    std::size_t first, n, number;

    /// The element of a lane; lanes behind the last element repeat it.
    std::size_t operator[](const std::size_t lane) const
    {
      return first + std::min(lane, n - 1);
    }
  };

  // A struct for each law. It has the numbers, computes f = K0_e u of a pack, and gives the solid
  // of an element. set() returns bytes beyond those of the factors, and the flops of an element.

  /// Law::factor, by E_e.
  struct Factors
  {
    void product(const OnTheFly &K, const Elements &pack, const Values &u, Values &f) const
    {
      K.isotropic_product(pack, Weighted(K.material_), u, f, [&](const auto &boxes) {
        hexahedron::apply_stiffness(boxes[0], u, f);
      });
    }
    const Material &solid(const OnTheFly &K, const Elements &, std::size_t) const
    {
      return K.material_;
    }
  };

  /// Law::lame. E_e is 0 where both are 0, else 1.
  struct Lame
  {
    std::vector<std::array<Number, 2>> numbers; ///< lambda and mu, as stored

    Lame(const OnTheFly &K, const Stiffness &stiffness) : numbers(K.n_elements_)
    {
      Array<double> work;
      const double *const lambda = stiffness.component(0, 0, work).data();
      const double *const mu     = stiffness.component(0, 1, work).data();
      parallel_for(K.n_threads_, K.n_elements_, [&](const std::size_t s) {
        const LocalIndex e = K.order_.data()[s];
        numbers[s]         = {static_cast<Number>(lambda[e]), static_cast<Number>(mu[e])};
      });
    }
    OperatorCost set(OnTheFly &K) const
    {
      parallel_for(K.n_threads_, K.n_elements_, [&](const std::size_t s) {
        K.stiffness_.data()[s] = Number(numbers[s][0] == 0 && numbers[s][1] == 0 ? 0 : 1);
      });
      const auto bytes   = static_cast<double>(numbers.size() * sizeof(numbers[0]));
      const double flops = K.boxes_ ? hexahedron::box_flops + 2. * 57. + 3. * 24.
                                    : hexahedron::on_the_fly::flops_of(K.material_);
      return {bytes, flops, bytes};
    }
    void product(const OnTheFly &K, const Elements &pack, const Values &u, Values &f) const
    {
      const Pack lambda([&](const auto lane) { return numbers[pack[lane]][0]; });
      const Pack mu([&](const auto lane) { return numbers[pack[lane]][1]; });
      const Weighted weighted = Weighted(lambda, mu).times(static_cast<Number>(Weighted::weight()));
      K.isotropic_product(pack, weighted, u, f, [&](const auto &boxes) {
        hexahedron::apply_stiffness(boxes[1], boxes[2], lambda, mu, u, f);
      });
    }
    auto solid(const OnTheFly &K, const Elements &pack, const std::size_t lane) const
    {
      const auto [lambda, mu] = numbers[pack.first + lane];
      return hexahedron::on_the_fly::LameSolid{lambda, mu, K.material_.formulation};
    }
  };

  /// Law::tangents. E_e is 1.
  struct Tangents
  {
    PackedTangents<Number, n_lanes> numbers;

    OperatorCost set(OnTheFly &K, const Stiffness &stiffness)
    {
      const std::size_t n_packs = K.for_each_pack([](const Elements &) {});
      numbers.set(K.memory_, K.n_elements_, n_packs, stiffness, [&](const auto &body) {
        K.for_each_pack([&](const Elements &pack) {
          body(pack.number, [&](const std::size_t lane) { return K.order_.data()[pack[lane]]; });
        });
      });
      const double bytes          = numbers.bytes();
      const double of_coordinates = K.boxes_ ? 3. * sizeof(double) * double(K.n_nodes_) : 0.;
      return {bytes + of_coordinates, hexahedron::on_the_fly::tangent_flops, bytes};
    }
    [[gnu::noinline]] void // so that apply_tangents() has one caller, and is inlined
    product(const OnTheFly &K, const Elements &pack, const Values &u, Values &f) const
    {
      Values X;
      K.gather_coordinates(pack, X);
      const auto tangent = [&](const int q, const int k) {
        return Pack(numbers.get(pack.number, q, k), std::experimental::element_aligned);
      };
      hexahedron::on_the_fly::apply_tangents(tangent, X, u, f);
    }
    auto solid(const OnTheFly &, const Elements &pack, const std::size_t lane) const
    {
      const auto tangent = [=](const int q, const int k) {
        return numbers.get(pack.number, q, k)[lane];
      };
      return hexahedron::on_the_fly::TangentSolid<decltype(tangent)>{tangent};
    }
  };

  template <typename OfLaw>
  void find_energies(const OfLaw &law, const Array<Number> &u, Array<double> &c) const
  {
    for_each_pack([&](const Elements &pack) {
      Values f;
      product(law, pack, u.data(), f);
      for (std::size_t lane = 0; lane < pack.n; ++lane)
        {
          double energy                 = 0;
          const LocalIndex *const nodes = connectivity_.data() + 8 * (pack.first + lane);
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < 3; ++i)
              energy += static_cast<double>(u.data()[3 * std::size_t(nodes[v]) + i]) *
                        static_cast<double>(f[i][v][lane]);
          c.data()[order_.data()[pack.first + lane]] = energy;
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
    for_each_pack_by_law([&](const auto &law, const Elements &pack) {
      for (std::size_t s = pack.first; s < pack.first + pack.n; ++s)
        {
          const LocalIndex *const nodes = connectivity_.data() + 8 * s;
          double X[3][8], values[n][8];
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < 3; ++i)
              X[i][v] = coordinates_.data()[3 * std::size_t(nodes[v]) + i];
          of_element(law.solid(*this, pack, s - pack.first), X, values);
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
    for_each_pack_by_law([&](const auto &law, const Elements &pack) {
      const Number *const factors = stiffness_.data() + pack.first;
      if (std::all_of(factors, factors + pack.n, [](const Number factor) { return factor == 0; }))
        return; // not in the structure
      Values f;
      product(law, pack, x.data(), f);
      alignas(64) Number values[3][8][n_lanes];
      for (int i = 0; i < 3; ++i)
        for (int v = 0; v < 8; ++v)
          f[i][v].copy_to(values[i][v], std::experimental::overaligned<alignof(Pack)>);
      for (std::size_t lane = 0; lane < pack.n; ++lane) // elements of a pack may share nodes
        {
          const LocalIndex *const nodes = connectivity_.data() + 8 * (pack.first + lane);
          const Number factor           = sign * factors[lane];
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t i = 0; i < 3; ++i)
              y.data()[3 * std::size_t(nodes[v]) + i] += factor * values[i][v][lane];
        }
    });
  }

  /// Calls body(pack) for all packs and returns their number; concurrent ones share no node.
  template <typename Body>
  std::size_t for_each_pack(const Body &body) const
  {
    std::size_t first_pack = 0;
    for (std::size_t range = 0; range + 1 < ranges_.size(); ++range)
      {
        const std::size_t begin = ranges_[range], end = ranges_[range + 1];
        const std::size_t n_packs = (end - begin + n_lanes - 1) / n_lanes;
        const int n_parts         = parts_of_elements(n_threads_, n_elements_, end - begin);
        parallel_for_long(n_parts, n_packs, [&](const std::size_t pack) {
          const std::size_t first = begin + pack * n_lanes;
          body(Elements{first, std::min(n_lanes, end - first), first_pack + pack});
        });
        first_pack += n_packs;
      }
    return first_pack;
  }

  /// Calls body(law, pack) for packs of elements, with the law in force.
  template <typename Body>
  void for_each_pack_by_law(const Body &body) const
  {
    std::visit(
      [&](const auto &law) { for_each_pack([&](const Elements &pack) { body(law, pack); }); },
      law_);
  }

  void gather_coordinates(const Elements &pack, Values &X) const
  {
    alignas(64) Number values[3][8][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + 8 * pack[lane];
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

  /// Computes f = K0_e P_e x of a pack.
  template <typename OfLaw, typename Input>
  void product(const OfLaw &law, const Elements &pack, const Input *const x, Values &f) const
  {
    Values u;
    const Input *of_vertex[8][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + 8 * pack[lane];
        for (std::size_t v = 0; v < 8; ++v)
          of_vertex[v][lane] = x + 3 * std::size_t(nodes[v]);
      }
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t i = 0; i < 3; ++i)
        u[i][v] = Pack([&](const auto lane) { return static_cast<Number>(of_vertex[v][lane][i]); });
    law.product(*this, pack, u, f);
  }

  /// Computes f = K0_e u of isotropic solids: from coordinates, or by_box(), times the sizes.
  template <typename ByBox>
  void isotropic_product(const Elements &pack,
                         const Weighted &weighted,
                         const Values &u,
                         Values &f,
                         const ByBox &by_box) const
  {
    if (!boxes_)
      {
        Values X;
        gather_coordinates(pack, X);
        return with_formulation(material_.formulation, [&](const auto formulation) {
          hexahedron::on_the_fly::element_product<formulation.value>(weighted, Pack(1), X, u, f);
        });
      }
    by_box(*boxes_);
    if (sizes_.empty())
      return;
    const Pack size([&](const auto lane) { return sizes_[pack[lane]]; });
    for (auto &component : f)
      for (Pack &force : component)
        force *= size;
  }

  Memory &memory_;
  const int n_threads_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const Material material_;
  /// The material's stiffness, and the parts of lambda and mu, if all elements are copies of a box.
  std::optional<std::array<hexahedron::BoxStiffness, 3>> boxes_;
  std::vector<Number> sizes_;      ///< scales of the copies, as stored; empty if all are 1
  Array<double> coordinates_;      ///< `[n_nodes][3]`
  Array<LocalIndex> connectivity_; ///< `[n_elements][8]`, as stored
  Array<LocalIndex> order_;        ///< number in the mesh, `[n_elements]`
  Array<Number> stiffness_;        ///< E_e, as stored
  std::variant<Factors, Lame, Tangents> law_;
  OperatorCost of_law_;             ///< bytes and flops of the law
  std::vector<std::size_t> ranges_; ///< elements that one loop may share out: all, or a colour
};
/// Lets a strategy for hex8 make operators of other types, too.
template <typename Number>
void take_types(Strategy<Number> &strategy)
{
  strategy.takes_types     = true;
  strategy.laws_of_types   = {Law::factor, Law::lame};
  strategy.memory_estimate = [](const OperatorSize &size) {
    return size.type == ElementType() ? memory_of<OnTheFly<Number>>(size)
                                      : memory_of_on_the_fly_of_type<Number>(size);
  };
  strategy.make = [](Backend &backend, const ElementMesh &mesh, const Material &material) {
    return mesh.type == ElementType() ? make_operator<OnTheFly, Number>(backend, mesh, material)
                                      : make_on_the_fly_of_type<Number>(backend, mesh, material);
  };
}
} // namespace

/// The strategy `on_the_fly`: element products from the vertex coordinates, one element per
/// SIMD lane.
StrategyPair on_the_fly()
{
  StrategyPair pair = strategy_pair<OnTheFly>(
    "on_the_fly",
    "from vertex coordinates, sum factorisation, one element per SIMD lane, no stored matrices",
    true);
  take_types(pair.in_double);
  take_types(pair.in_float);
  pair.in_double.subtracts = pair.in_double.tells_factors = true;
  pair.in_float.subtracts = pair.in_float.tells_factors = true;
  pair.in_double.takes_float = pair.in_float.takes_float = true;
  return pair;
}
} // namespace strut::cpu

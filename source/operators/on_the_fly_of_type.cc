// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/operators/on_the_fly_of_type.h"
#include "source/base/parallel_loop.h"
#include "source/element/element_stiffness.h"
#include "source/element/type_product.h"
#include "source/operators/parts_of_elements.h"

#include <strut/backend/backend.h>
#include <strut/operators/element_matrices.h>

#include <experimental/simd>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace strut::cpu
{
namespace
{
/// Element products without stored matrices, for elements of one type:
///
///     y = sum_e P_e^T E_e K0_e P_e x,   K_e P_e x by Product::apply
///
/// Layout: connectivity `[n_elements][n_nodes]`, coordinates `[n_nodes][3]` in double. One element
/// per SIMD lane, as in `on_the_fly` of hex8, whose rounding of coordinates this one has. Threads
/// share the elements of one colour at a time.
/// Bytes: per element, its node numbers and one number or two; per node, 3 coordinates, x and y.
/// Deterministic for a given number of threads and lanes.
template <typename Number, typename Element, typename Product>
class OnTheFlyOfType : public ElementOperator<Number>
{
public:
  OnTheFlyOfType(Backend &backend, const ElementMesh &mesh, const Material &material)
    : n_threads_(static_cast<int>(backend.n_threads()))
    , n_elements_(mesh.n_elements)
    , n_nodes_(mesh.n_nodes)
    , material_(material)
    , coordinates_(backend.memory(), 3 * mesh.n_nodes)
    , connectivity_(backend.memory(), n * mesh.n_elements)
    , stiffness_(backend.memory(), std::vector<Number>(n_elements_, Number(1)))
    , loop_(mesh, n_threads_)
  {
    for (std::size_t node = 0; node < n_nodes_; ++node)
      for (std::size_t d = 0; d < 3; ++d)
        coordinates_.data()[3 * node + d] = mesh.coordinates[d * n_nodes_ + node];
    for (std::size_t e = 0; e < n_elements_; ++e)
      for (std::size_t a = 0; a < n; ++a)
        connectivity_.data()[n * e + a] = mesh.node(e, a);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    parallel_for(n_threads_, n_elements_, [&](const std::size_t e) {
      stiffness_.data()[e] = static_cast<Number>(factors.data()[e]);
    });
  }

  void factors(Array<double> &factors) const override
  {
    parallel_for(n_threads_, n_elements_, [&](const std::size_t e) {
      factors.data()[e] = static_cast<double>(stiffness_.data()[e]);
    });
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override
  {
    if (stiffness.law() != Law::lame)
      return ElementOperator<Number>::set(mesh, stiffness);
    lame_.resize(n_elements_);
    Array<double> of_lambda, of_mu;
    const double *const lambda = stiffness.component(0, 0, of_lambda).data();
    const double *const mu     = stiffness.component(0, 1, of_mu).data();
    parallel_for(n_threads_, n_elements_, [&](const std::size_t e) {
      lame_[e] = {static_cast<Number>(lambda[e]), static_cast<Number>(mu[e])};
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
    add_blocks(d, 3, [](const double(&block)[3][3], Number *const at) {
      for (int i = 0; i < 3; ++i)
        at[i] += static_cast<Number>(block[i][i]);
    });
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    add_blocks(blocks, 6, [](const double(&block)[3][3], Number *const at) {
      for (int i = 0, k = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++k)
          at[k] += static_cast<Number>(block[i][j]);
    });
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    find_energies(u, c, [&](const Elements &) { return times(Pack(1)); });
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    Array<double> of_lambda, of_mu;
    const double *const lambda = stiffness.component(0, 0, of_lambda).data();
    const double *const mu     = stiffness.component(0, 1, of_mu).data();
    find_energies(u, c, [&](const Elements &pack) {
      return Lame{Pack([&](const auto lane) { return static_cast<Number>(lambda[pack[lane]]); }),
                  Pack([&](const auto lane) { return static_cast<Number>(mu[pack[lane]]); })};
    });
  }

  OperatorCost cost() const override
  {
    const auto elements = static_cast<double>(n_elements_), nodes = static_cast<double>(n_nodes_);
    OperatorCost cost;
    cost.bytes_per_apply = elements * (n * sizeof(LocalIndex) + 2 * sizeof(Number)) +
                           nodes * (3 * sizeof(double) + 6 * sizeof(Number));
    cost.flops_per_apply = elements * Product::flops;
    cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return static_cast<double>(n_elements) * (n * sizeof(LocalIndex) + 2 * sizeof(Number)) +
           static_cast<double>(n_nodes) * 3 * sizeof(double);
  }

private:
  static constexpr std::size_t n       = Element::n_nodes;
  using Pack                           = std::experimental::native_simd<Number>;
  static constexpr std::size_t n_lanes = Pack::size();
  using Values                         = Pack[3][n];
  using Lame                           = type_product::Lame<Pack>;

  /// Elements that are computed together; lanes behind the last element repeat it.
  struct Elements
  {
    const LocalIndex *elements;
    std::size_t n;

    LocalIndex operator[](const std::size_t lane) const
    {
      return elements[std::min(lane, n - 1)];
    }
  };

  /// The material times a factor.
  Lame times(const Pack &factor) const
  {
    return {factor * static_cast<Number>(material_.lambda()),
            factor * static_cast<Number>(material_.mu())};
  }

  Lame solid_of(const Elements &pack) const
  {
    if (lame_.empty())
      return times(Pack([&](const auto lane) { return stiffness_.data()[pack[lane]]; }));
    return {Pack([&](const auto lane) { return lame_[pack[lane]].lambda; }),
            Pack([&](const auto lane) { return lame_[pack[lane]].mu; })};
  }

  template <typename Body>
  void for_each_pack(const Body &body) const
  {
    loop_.run([&](const LocalIndex *const elements, const std::size_t count) {
      for (std::size_t k = 0; k < count; k += n_lanes)
        body(Elements{elements + k, std::min(n_lanes, count - k)});
    });
  }

  /// Computes f = K u for the solids of a pack, with u from x.
  template <typename Input>
  void product(const Elements &pack, const Lame &solid, const Input *const x, Values &f) const
  {
    constexpr std::size_t n_coordinates = Product::n_coordinates;
    alignas(64) Number places[3][n_coordinates][n_lanes], values[3][n][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      {
        const LocalIndex *const nodes = connectivity_.data() + n * pack[lane];
        const double *const origin    = coordinates_.data() + 3 * std::size_t(nodes[0]);
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t i = 0; i < 3; ++i)
            {
              const std::size_t at = 3 * std::size_t(nodes[a]) + i;
              values[i][a][lane]   = static_cast<Number>(x[at]);
              if (a < n_coordinates)
                places[i][a][lane] = static_cast<Number>(coordinates_.data()[at] - origin[i]);
            }
      }
    Values u;
    Pack X[3][n_coordinates];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t a = 0; a < n; ++a)
        {
          u[i][a].copy_from(values[i][a], std::experimental::overaligned<alignof(Pack)>);
          if (a < n_coordinates)
            X[i][a].copy_from(places[i][a], std::experimental::overaligned<alignof(Pack)>);
        }
    Product::apply(solid, X, u, f);
  }

  /// Adds sign K x to y.
  template <typename Input>
  void add_product(const Array<Input> &x, const Number sign, Array<Number> &y) const
  {
    for_each_pack([&](const Elements &pack) {
      const Lame solid = solid_of(pack);
      if (std::experimental::all_of(solid.lambda == Number(0)) &&
          std::experimental::all_of(solid.mu == Number(0)))
        return; // not in the structure
      Values f;
      product(pack, solid, x.data(), f);
      alignas(64) Number values[3][n][n_lanes];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t a = 0; a < n; ++a)
          f[i][a].copy_to(values[i][a], std::experimental::overaligned<alignof(Pack)>);
      for (std::size_t lane = 0; lane < pack.n; ++lane) // elements of a pack may share nodes
        {
          const LocalIndex *const nodes = connectivity_.data() + n * pack[lane];
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t i = 0; i < 3; ++i)
              y.data()[3 * std::size_t(nodes[a]) + i] += sign * values[i][a][lane];
        }
    });
  }

  template <typename SolidOf>
  void find_energies(const Array<Number> &u, Array<double> &c, const SolidOf &solid_of) const
  {
    for_each_pack([&](const Elements &pack) {
      Values f;
      product(pack, solid_of(pack), u.data(), f);
      for (std::size_t lane = 0; lane < pack.n; ++lane)
        {
          const LocalIndex *const nodes = connectivity_.data() + n * pack[lane];
          double energy                 = 0;
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t i = 0; i < 3; ++i)
              energy += static_cast<double>(u.data()[3 * std::size_t(nodes[a]) + i]) *
                        static_cast<double>(f[i][a][lane]);
          c.data()[pack[lane]] = energy;
        }
    });
  }

  /// Calls add(block, at) for the block of each node of each element, in double, with its place in
  /// `out`, `[n_nodes][n_numbers]`.
  template <typename Add>
  void add_blocks(Array<Number> &out, const std::size_t n_numbers, const Add &add) const
  {
    out.set_zero();
    Number *const sums = out.data();
    loop_.run([&](const LocalIndex *const elements, const std::size_t count) {
      for (std::size_t k = 0; k < count; ++k)
        {
          const std::size_t e           = elements[k];
          const LocalIndex *const nodes = connectivity_.data() + n * e;
          double X[3][n];
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t i = 0; i < 3; ++i)
              X[i][a] = coordinates_.data()[3 * std::size_t(nodes[a]) + i];
          const double factor = static_cast<double>(stiffness_.data()[e]);
          const double lambda =
            lame_.empty() ? factor * material_.lambda() : double(lame_[e].lambda);
          const double mu        = lame_.empty() ? factor * material_.mu() : double(lame_[e].mu);
          double blocks[n][3][3] = {};
          for (int q = 0; q < Element::n_quadrature_points; ++q)
            {
              double inverse[3][3], g[3];
              const double dx = element_stiffness::jacobian<Element>(X, q, inverse);
              for (std::size_t a = 0; a < n; ++a)
                {
                  element_stiffness::gradient<Element>(inverse, static_cast<int>(a), q, g);
                  element_stiffness::add_block(g, g, dx, lambda, mu, blocks[a]);
                }
            }
          for (std::size_t a = 0; a < n; ++a)
            add(blocks[a], sums + n_numbers * nodes[a]);
        }
    });
  }

  const int n_threads_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const Material material_;
  Array<double> coordinates_;      ///< `[n_nodes][3]`
  Array<LocalIndex> connectivity_; ///< `[n_elements][n]`
  Array<Number> stiffness_;        ///< E_e, `[n_elements]`
  /// Lame's parameters, `[n_elements]`, with Law::lame in the place of E_e; else empty.
  std::vector<type_product::Lame<Number>> lame_;
  ElementLoop loop_;
};
} // namespace

template <typename Number>
std::unique_ptr<ElementOperator<Number>>
make_on_the_fly_of_type(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  return type_product::with_product(
    mesh.type,
    type_product::is_curved(mesh),
    [&](const auto element, const auto product) -> std::unique_ptr<ElementOperator<Number>> {
      using Element = std::decay_t<decltype(element)>;
      using Product = std::decay_t<decltype(product)>;
      if constexpr (std::is_same_v<Element, Hex8>)
        throw Error("Elements of type hex8 have an operator of their own.");
      else
        return std::make_unique<OnTheFlyOfType<Number, Element, Product>>(backend, mesh, material);
    });
}

template <typename Number>
double memory_of_on_the_fly_of_type(const OperatorSize &size)
{
  return with_element(size.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    return OnTheFlyOfType<Number, Element, type_product::Product<Element>>::memory_estimate(
      size.n_elements, size.n_nodes);
  });
}

template std::unique_ptr<ElementOperator<double>>
make_on_the_fly_of_type<double>(Backend &, const ElementMesh &, const Material &);
template std::unique_ptr<ElementOperator<float>>
make_on_the_fly_of_type<float>(Backend &, const ElementMesh &, const Material &);
template double memory_of_on_the_fly_of_type<double>(const OperatorSize &);
template double memory_of_on_the_fly_of_type<float>(const OperatorSize &);
} // namespace strut::cpu

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/filter_operations.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/helmholtz_matrices.h"
#include "source/optimization/maps/lattice_halo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace strut
{
namespace
{
/// The elements of a rank on a lattice, on the host; names as in FilterLattice.
struct CellsOfLattice
{
  std::array<std::int32_t, 3> n{};
  std::array<double, 3> spacing{};
  std::vector<std::uint32_t> elements, place; ///< place: of each node
  std::vector<std::uint8_t> around;           ///< the bits of its corners, `[n_nodes]`

  /// None if an element is not a cell, or has one with another.
  static std::optional<CellsOfLattice> find(const ElementMesh &mesh)
  {
    CellsOfLattice cells;
    if (mesh.n_nodes == 0)
      return cells;
    const auto points = PointLattice::find(mesh.coordinates, mesh.n_nodes, 0.);
    if (!points || has_hanging_nodes(mesh))
      return {};
    cells.n       = points->n;
    cells.spacing = points->spacing;
    cells.elements.assign(points->points.size(), FilterLattice::nothing);
    cells.place.resize(mesh.n_nodes);
    cells.around.assign(mesh.n_nodes, 0);
    for (std::size_t place = 0; place < points->points.size(); ++place)
      if (points->points[place] != PointLattice::nothing)
        cells.place[points->points[place]] = static_cast<std::uint32_t>(place);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (!cells.add(mesh, e))
        return {};
    return cells;
  }

private:
  bool add(const ElementMesh &mesh, const std::size_t e)
  {
    const auto n0 = static_cast<std::uint32_t>(n[0]), n1 = static_cast<std::uint32_t>(n[1]);
    std::uint32_t cell = FilterLattice::nothing;
    for (std::size_t v = 0; v < 8; ++v)
      cell = std::min(cell, place[mesh.connectivity[v * mesh.n_elements + e]]);
    const std::array<std::uint32_t, 3> at{{cell % n0, cell / n0 % n1, cell / n0 / n1}};
    for (std::size_t d = 0; d < 3; ++d)
      if (at[d] + 1 >= static_cast<std::uint32_t>(n[d]))
        return false;
    if (elements[cell] != FilterLattice::nothing)
      return false;
    elements[cell]       = static_cast<std::uint32_t>(e);
    unsigned int corners = 0;
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex node      = mesh.connectivity[v * mesh.n_elements + e];
        const std::uint32_t beyond = place[node] - cell;
        for (unsigned int a = 0; a < 8; ++a)
          if (beyond == (a & 1) + n0 * ((a >> 1 & 1) + n1 * (a >> 2)))
            {
              around[node] = static_cast<std::uint8_t>(around[node] | 1u << a);
              corners |= 1u << a;
            }
      }
    return corners == 0xff;
  }
};

/// A box with these edges: `int grad N_a . grad N_b` by a xor b, from the matrices of lines `[1 -1; -1 1] / h` and
/// `[2 1; 1 2] h / 6`.
std::array<double, 8> stiffness_of_box(const std::array<double, 3> &edges)
{
  std::array<double, 8> stiffness{};
  for (std::size_t s = 0; s < 8; ++s)
    for (std::size_t d = 0; d < 3; ++d)
      {
        double product = 1.;
        for (std::size_t c = 0; c < 3; ++c)
          {
            const bool is_other = (s >> c & 1) != 0;
            product *=
              c == d ? (is_other ? -1. : 1.) / edges[c] : (is_other ? 1. : 2.) * edges[c] / 6.;
          }
        stiffness[s] += product;
      }
  return stiffness;
}

/// The largest eigenvalue of a matrix with the entries m_(a xor b): the eigenvectors are products of (1, 1) and (1, -1).
double largest_eigenvalue(const std::array<double, 8> &m)
{
  double largest = 0.;
  for (unsigned int mode = 0; mode < 8; ++mode)
    {
      double sum = 0.;
      for (unsigned int s = 0; s < 8; ++s)
        {
          const unsigned int both = mode & s;
          const bool is_odd       = ((both ^ both >> 1 ^ both >> 2) & 1u) != 0;
          sum += is_odd ? -m[s] : m[s];
        }
      largest = std::max(largest, sum);
    }
  return largest;
}

/// A fixed number of steps `x <- x + b (x - before) + a B^-1 (f - A x)`.
struct ChebyshevSteps
{
  std::vector<double> a, b;
};

/// Chebyshev's iteration for eigenvalues from 1 to `largest` (Saad 2003, algorithm 12.1), with as many steps as bring the error of
/// a solution that begins with the right-hand side, which is `1 - 1 / eigenvalue` at most, below the tolerance.
ChebyshevSteps chebyshev_steps(const double largest, const double tolerance)
{
  ChebyshevSteps steps;
  const double reduction = (1. - 1. / largest) / tolerance;
  if (!(reduction > 1.))
    return steps;
  const double centre = (largest + 1.) / 2., half = (largest - 1.) / 2., sigma = centre / half;
  const double n = std::ceil(std::acosh(reduction) / std::acosh(sigma));
  double rho     = 1. / sigma;
  steps.a.push_back(1. / centre);
  steps.b.push_back(0.);
  for (int k = 1; k < n; ++k)
    {
      const double before = rho;
      rho                 = 1. / (2. * sigma - before);
      steps.a.push_back(2. * rho / half);
      steps.b.push_back(rho * before);
    }
  return steps;
}

/// A = K + B with the lumped mass B, that of the boundary included. Element by element, x^T K x is at most
/// r^2 lambda(K_e) / m_e times x^T B x, so the eigenvalues of B^-1 A are between 1 and one more than that: Chebyshev's iteration
/// has a fixed number of steps, the same on every rank. What it does is a polynomial in B^-1 K times B^-1, so
/// it is symmetric but for rounding. It begins with B^-1 f, which for constants is the solution: these and the volume stay.
class LatticeFilter : public HelmholtzFilter
{
public:
  LatticeFilter(Backend &backend,
                const Communicator &communicator,
                const ElementMesh &mesh,
                const CellsOfLattice &cells,
                const double r,
                const std::vector<double> &m)
    : backend_(backend)
    , operations_(backend.filter_operations())
    , halo_(backend, communicator, mesh, cells.place)
    , f_(backend.memory(), cells.elements.size())
    , x_(backend.memory(), cells.elements.size())
    , before_(backend.memory(), cells.elements.size())
  {
    Memory &memory    = backend.memory();
    lattice_.n        = cells.n;
    lattice_.share    = share_of(cells);
    lattice_.elements = Array<std::uint32_t>(memory, cells.elements);

    double largest = 0.;
    if (mesh.n_elements > 0)
      {
        lattice_.stiffness = stiffness_of_box(cells.spacing);
        for (double &entry : lattice_.stiffness)
          entry *= r * r;
        largest = largest_eigenvalue(lattice_.stiffness) / lattice_.share;
      }
    steps_ = chebyshev_steps(1. + communicator.max(largest), 1e-12);

    HaloExchange<double> of_nodes(backend, communicator, mesh.node_halo, 1);
    const auto sum_over_ranks = [&](const std::vector<double> &values) {
      Array<double> all(memory, values);
      of_nodes.add_to_owners(all);
      of_nodes.update_ghosts(all);
      return all.to_host();
    };
    std::vector<double> counts(mesh.n_nodes, 0.);
    for (std::size_t i = 0; i < mesh.n_nodes; ++i)
      for (unsigned int a = 0; a < 8; ++a)
        counts[i] += cells.around[i] >> a & 1;
    counts = sum_over_ranks(counts);
    std::vector<std::uint16_t> nodes(cells.elements.size(), 0);
    for (std::size_t i = 0; i < mesh.n_nodes; ++i)
      nodes[cells.place[i]] = static_cast<std::uint16_t>(
        cells.around[i] | static_cast<unsigned int>(counts[i]) << FilterLattice::count_at |
        (i < mesh.n_owned_nodes ? 0u : FilterLattice::ghost_bit));
    lattice_.nodes = Array<std::uint16_t>(memory, nodes);
    if (m.empty())
      return;
    const std::vector<double> of_all = sum_over_ranks(m);
    std::vector<double> boundary(cells.elements.size(), 0.);
    for (std::size_t i = 0; i < mesh.n_nodes; ++i)
      boundary[cells.place[i]] = of_all[i];
    lattice_.boundary = Array<double>(memory, boundary);
  }

  void apply(const Array<double> &in, Array<double> &out) override
  {
    operations_.to_nodes(lattice_, in, f_);
    halo_.add_to_owners(f_);
    const auto &vectors = backend_.vector_operations<double>();
    vectors.fill(x_.size(), 0., x_);
    vectors.fill(before_.size(), 0., before_);
    step(1., 0.); // B^-1 f
    for (std::size_t k = 0; k < steps_.a.size(); ++k)
      step(steps_.a[k], steps_.b[k]);
    operations_.to_elements(lattice_, x_, out);
  }

  static double share_of(const CellsOfLattice &cells)
  {
    return cells.spacing[0] * cells.spacing[1] * cells.spacing[2] / 8.;
  }

private:
  void step(const double a, const double b)
  {
    operations_.step(lattice_, a, b, f_, x_, before_);
    x_.swap(before_);
    halo_.add_to_owners(x_);
    halo_.update_ghosts(x_);
  }

  Backend &backend_;
  const FilterOperations &operations_;
  FilterLattice lattice_;
  LatticeHalo halo_;
  ChebyshevSteps steps_;
  Array<double> f_, x_, before_; ///< at the places
};
} // namespace

double bytes_of_filter(const ElementMesh &mesh)
{
  const auto cells = CellsOfLattice::find(mesh);
  if (cells) // f, x, before; elements and nodes
    return (3. * sizeof(double) + sizeof(std::uint32_t) + sizeof(std::uint16_t)) *
           static_cast<double>(cells->elements.size());
  constexpr double entry = sizeof(double) + sizeof(std::uint32_t);
  // A, T, b, t, conjugate gradients, the inverse diagonal; the transpose
  return ((27. + 8.) * entry + 5. * sizeof(double) + sizeof(float)) *
           static_cast<double>(mesh.n_nodes) +
         8. * entry * static_cast<double>(mesh.n_elements);
}

std::unique_ptr<HelmholtzFilter> make_lattice_filter(Backend &backend,
                                                     const Communicator &communicator,
                                                     const ElementMesh &mesh,
                                                     const double r,
                                                     const std::vector<double> &m)
{
  const auto cells = CellsOfLattice::find(mesh);
  if (communicator.any(!cells))
    return nullptr;
  // The lumped mass counts elements, whoever's they are.
  const bool is_empty   = mesh.n_nodes == 0;
  const double infinity = std::numeric_limits<double>::infinity();
  const double share    = LatticeFilter::share_of(*cells);
  const double least    = communicator.min(is_empty ? infinity : share),
               most     = communicator.max(is_empty ? -infinity : share);
  if (most - least > 1e-10 * most)
    return nullptr;
  return std::make_unique<LatticeFilter>(backend, communicator, mesh, *cells, r, m);
}
} // namespace strut

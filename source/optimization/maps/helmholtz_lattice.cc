// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/filter_operations.h"
#include "source/backend/neighbourhood.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/helmholtz_matrices.h"
#include "source/solvers/host_threads.h"
#include <strut/parallel/halo_exchange.h>

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cmath>
#include <limits>

namespace strut
{
namespace
{
/// The elements of a rank as cells of a lattice of its nodes, on the host. Names and layout are
/// those of FilterLattice.
struct LatticeCells
{
  /// Find the cells of a mesh whose elements are boxes of a lattice on every rank, each in a cell
  /// of its own. All boxes must have the same volume, and no node may hang; a rank may have no
  /// elements. Returns no value on every rank for other meshes. Collective.
  static std::optional<LatticeCells>
  find(const Communicator &communicator, const ElementMesh &mesh, int n_threads);

  /// int N_a of an element, length^3. Not for a rank without elements.
  double share() const
  {
    return spacing[0] * spacing[1] * spacing[2] / 8.;
  }

  /// Elements around a place: bit a is set if there is an element whose corner a is there.
  unsigned int elements_around(std::size_t at) const;

  std::array<std::int32_t, 3> n{};
  std::array<double, 3> spacing{};
  /// `[n2][n1][n0]`: the element in a cell, or FilterLattice::nothing.
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> place; ///< place of each node, `[n_nodes]`
};

/// Returns the cell whose corners are the nodes of an element, or FilterLattice::nothing.
std::uint32_t cell_of(const LatticeCells &cells, const ElementMesh &mesh, const std::size_t e)
{
  std::array<std::uint32_t, 8> places;
  for (std::size_t v = 0; v < 8; ++v)
    places[v] = cells.place[mesh.connectivity[v * mesh.n_elements + e]];
  const std::uint32_t cell = *std::min_element(places.begin(), places.end());
  const auto n0            = static_cast<std::uint32_t>(cells.n[0]),
             n1            = static_cast<std::uint32_t>(cells.n[1]);
  if (cell % n0 + 1 == n0 || cell / n0 % n1 + 1 == n1)
    return FilterLattice::nothing;
  unsigned int corners = 0;
  for (const std::uint32_t place : places)
    {
      std::uint32_t beyond = place - cell;
      const bool is_above  = beyond >= n0 * n1;
      beyond -= is_above ? n0 * n1 : 0;
      const bool is_behind = beyond >= n0;
      beyond -= is_behind ? n0 : 0;
      if (beyond > 1)
        return FilterLattice::nothing;
      corners |= 1u << (beyond + 2 * is_behind + 4 * is_above);
    }
  return corners == 0xff ? cell : FilterLattice::nothing;
}

/// Finds the cells of one rank.
std::optional<LatticeCells> find_here(const ElementMesh &mesh, const int n_threads)
{
  LatticeCells cells;
  if (mesh.n_nodes == 0)
    return cells;
  if (has_hanging_nodes(mesh))
    return {};
  const auto points = PointLattice::find(mesh.coordinates, mesh.n_nodes, 0.);
  if (!points)
    return {};
  const std::size_t n_places = points->points.size();
  cells.n                    = points->n;
  cells.spacing              = points->spacing;
  cells.place.resize(mesh.n_nodes);
  cpu::parallel_for(n_threads, n_places, [&](const std::size_t at) {
    if (points->points[at] != PointLattice::nothing)
      cells.place[points->points[at]] = static_cast<std::uint32_t>(at);
  });
  cells.elements.assign(n_places, FilterLattice::nothing);
  std::atomic<bool> all_fit{true};
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    const std::uint32_t cell = cell_of(cells, mesh, e);
    if (cell == FilterLattice::nothing)
      all_fit.store(false, std::memory_order_relaxed);
    else // Another element may be in this cell.
      __atomic_store_n(&cells.elements[cell], static_cast<std::uint32_t>(e), __ATOMIC_RELAXED);
  });
  const double n_taken = cpu::parallel_sum(n_threads, n_places, [&](const std::size_t at) {
    return cells.elements[at] == FilterLattice::nothing ? 0. : 1.;
  });
  if (!all_fit || n_taken < static_cast<double>(mesh.n_elements))
    return {};
  return cells;
}

std::optional<LatticeCells>
LatticeCells::find(const Communicator &communicator, const ElementMesh &mesh, const int n_threads)
{
  if (mesh.type != ElementType())
    return {};
  auto cells = find_here(mesh, n_threads);
  if (communicator.any(!cells))
    return {};
  // The lumped mass of a node counts the elements of all ranks.
  const bool is_empty   = mesh.n_elements == 0;
  const double infinity = std::numeric_limits<double>::infinity();
  const double least    = communicator.min(is_empty ? infinity : cells->share()),
               most     = communicator.max(is_empty ? -infinity : cells->share());
  if (most - least > 1e-10 * most)
    return {};
  return cells;
}

unsigned int LatticeCells::elements_around(const std::size_t at) const
{
  // The place after the last node of a row belongs to another row, and no cell is there.
  unsigned int around = 0;
  for (unsigned int a = 0; a < 8; ++a)
    {
      const std::size_t offset =
        (a & 1) +
        static_cast<std::size_t>(n[0]) * ((a >> 1 & 1) + static_cast<std::size_t>(n[1]) * (a >> 2));
      if (offset <= at && elements[at - offset] != FilterLattice::nothing)
        around |= 1u << a;
    }
  return around;
}

/// HaloExchange for nodes whose values are at places of a lattice. It goes by way of an array of
/// the values that other ranks have as well.
class LatticeHalo
{
public:
  /// Collective.
  /// @param place  place of each node
  LatticeHalo(Backend &backend,
              const Communicator &communicator,
              const ElementMesh &mesh,
              const std::vector<std::uint32_t> &place)
    : LatticeHalo(backend, communicator, mesh, place, shared_nodes(mesh))
  {}

  void update_ghosts(Array<double> &at_places)
  {
    exchange(at_places, &HaloExchange<double>::update_ghosts);
  }
  void add_to_owners(Array<double> &at_places)
  {
    exchange(at_places, &HaloExchange<double>::add_to_owners);
  }

private:
  LatticeHalo(Backend &backend,
              const Communicator &communicator,
              const ElementMesh &mesh,
              const std::vector<std::uint32_t> &place,
              const std::vector<std::uint32_t> &owned)
    : backend_(backend)
    , is_alone_(communicator.size() == 1)
    , halo_(backend, communicator, renumbered(mesh, owned), 1)
  {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t node : owned)
      places.push_back(place[node]);
    places.insert(places.end(),
                  place.begin() + static_cast<std::ptrdiff_t>(mesh.n_owned_nodes),
                  place.end());
    places_ = Array<std::uint32_t>(backend.memory(), places);
    values_ = Array<double>(backend.memory(), places.size());
  }

  /// Owned nodes that other ranks have as well, ascending.
  static std::vector<std::uint32_t> shared_nodes(const ElementMesh &mesh)
  {
    std::vector<std::uint32_t> nodes;
    for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
      nodes.insert(nodes.end(), neighbour.send.begin(), neighbour.send.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  /// The halo pattern of an array of the shared nodes and the ghosts.
  static HaloPattern renumbered(const ElementMesh &mesh, const std::vector<std::uint32_t> &owned)
  {
    HaloPattern pattern = mesh.node_halo;
    for (HaloPattern::Neighbour &neighbour : pattern.neighbours)
      {
        for (std::uint32_t &node : neighbour.send)
          node = static_cast<std::uint32_t>(std::lower_bound(owned.begin(), owned.end(), node) -
                                            owned.begin());
        const auto shift = static_cast<std::uint32_t>(mesh.n_owned_nodes - owned.size());
        neighbour.ghosts_begin -= shift;
        neighbour.ghosts_end -= shift;
      }
    return pattern;
  }

  void exchange(Array<double> &at_places, void (HaloExchange<double>::*way)(Array<double> &))
  {
    if (is_alone_)
      return;
    const auto &vectors = backend_.vector_operations<double>();
    vectors.gather(places_, at_places, values_);
    (halo_.*way)(values_);
    vectors.scatter(places_, values_, at_places);
  }

  Backend &backend_;
  bool is_alone_;
  HaloExchange<double> halo_;
  Array<std::uint32_t> places_;
  Array<double> values_;
};

/// A fixed number of steps `x <- x + b (x - before) + a B^-1 (f - A x)`.
struct ChebyshevSteps
{
  std::vector<double> a, b;
};

/// Chebyshev's iteration for eigenvalues from 1 to `largest` (Saad 2003, algorithm 12.1). It begins
/// with the right-hand side, whose error is at most `1 - 1 / eigenvalue`. The number of steps
/// brings the error of the solution below the tolerance.
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

/// Stiffness of a box with these edges: `int grad N_a . grad N_b` by a xor b, from the matrices of
/// lines `[1 -1; -1 1] / h` and `[2 1; 1 2] h / 6`.
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

/// The largest eigenvalue of a matrix with the entries m_(a xor b), whose eigenvectors are products
/// of (1, 1) and (1, -1).
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

/// Filter on a lattice with A = K + B, where B is the lumped mass, that of the boundary included.
///
/// Element by element, x^T K x is at most r^2 lambda(K_e) / m_e times x^T B x. So the eigenvalues
/// of B^-1 A are between 1 and one more than that factor. Chebyshev's iteration therefore has a
/// fixed number of steps, the same on every rank.
///
/// The result is a polynomial in B^-1 K times B^-1, so it is symmetric but for rounding. The
/// iteration begins with B^-1 f, which is the solution for constants. So constants and the volume
/// are kept.
class LatticeFilter : public HelmholtzFilter
{
public:
  LatticeFilter(Backend &backend,
                const Communicator &communicator,
                const ElementMesh &mesh,
                const LatticeCells &cells,
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
    lattice_.share    = cells.share();
    lattice_.elements = Array<std::uint32_t>(memory, cells.elements);

    double largest = 0.;
    if (mesh.n_elements > 0)
      {
        lattice_.stiffness = stiffness_of_box(cells.spacing);
        for (double &entry : lattice_.stiffness)
          entry *= r * r;
        largest = largest_eigenvalue(lattice_.stiffness) / lattice_.share;
      }
    steps_ = chebyshev_steps(1. + communicator.max(largest), 1e-11);

    HaloExchange<double> of_nodes(backend, communicator, mesh.node_halo, 1);
    const auto sum_over_ranks = [&](const std::vector<double> &values) {
      Array<double> all(memory, values);
      of_nodes.add_to_owners(all);
      of_nodes.update_ghosts(all);
      return all.to_host();
    };
    const int n_threads  = host_threads(backend);
    const auto for_nodes = [&](const auto &action) {
      cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t i) {
        action(i, cells.place[i]);
      });
    };
    std::vector<double> counts(mesh.n_nodes);
    for_nodes([&](const std::size_t i, const std::size_t at) {
      counts[i] = static_cast<double>(std::bitset<8>(cells.elements_around(at)).count());
    });
    counts = sum_over_ranks(counts);
    std::vector<std::uint16_t> nodes(cells.elements.size(), 0);
    for_nodes([&](const std::size_t i, const std::size_t at) {
      nodes[at] = FilterLattice::node(cells.elements_around(at),
                                      static_cast<unsigned int>(counts[i]),
                                      i >= mesh.n_owned_nodes);
    });
    lattice_.nodes = Array<std::uint16_t>(memory, nodes);
    if (m.empty())
      return;
    const std::vector<double> of_all = sum_over_ranks(m);
    std::vector<double> boundary(cells.elements.size(), 0.);
    for_nodes([&](const std::size_t i, const std::size_t at) { boundary[at] = of_all[i]; });
    lattice_.boundary = Array<double>(memory, boundary);
  }

  void apply(const Array<double> &in, Array<double> &out) override
  {
    operations_.to_nodes(lattice_, in, f_);
    halo_.add_to_owners(f_);
    const auto &vectors = backend_.vector_operations<double>();
    vectors.fill(x_.size(), 0., x_);
    vectors.fill(before_.size(), 0., before_);
    step(1., 0.); // The first step gives B^-1 f.
    for (std::size_t k = 0; k < steps_.a.size(); ++k)
      step(steps_.a[k], steps_.b[k]);
    operations_.to_elements(lattice_, x_, out);
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
  Array<double> f_, x_, before_; ///< values at the places of the lattice
};
} // namespace

std::optional<double> bytes_of_lattice_filter(const Communicator &communicator,
                                              const ElementMesh &mesh,
                                              const bool has_boundary)
{
  const auto cells = LatticeCells::find(communicator, mesh, cpu::default_n_threads());
  if (!cells)
    return {};
  // f, x and before; numbers of elements and nodes.
  const double per_place = 3. * sizeof(double) + sizeof(std::uint32_t) + sizeof(std::uint16_t) +
                           (has_boundary ? sizeof(double) : 0.);
  return per_place * static_cast<double>(cells->elements.size());
}

std::unique_ptr<HelmholtzFilter> make_lattice_filter(Backend &backend,
                                                     const Communicator &communicator,
                                                     const ElementMesh &mesh,
                                                     const double r,
                                                     const std::vector<double> &m)
{
  const auto cells = LatticeCells::find(communicator, mesh, host_threads(backend));
  return cells ? std::make_unique<LatticeFilter>(backend, communicator, mesh, *cells, r, m)
               : nullptr;
}
} // namespace strut

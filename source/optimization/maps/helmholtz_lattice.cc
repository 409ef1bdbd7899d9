// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/filter_operations.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/maps/chebyshev_steps.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/lattice_cells.h"
#include "source/optimization/maps/lattice_halo.h"
#include "source/solvers/host_threads.h"

#include <algorithm>
#include <bitset>

namespace strut
{
namespace
{
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

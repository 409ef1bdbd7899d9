// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/design_pieces.h"

#include <deal.II/base/mpi.h>

#include <strut/backend/backend.h>

#include <map>
#include <set>
#include <tuple>

#include "distributed_problem.h"
#include "plugin/deck/output/piece_text.h"
#include "source/element/iso_cell.h"
#include "source/optimization/load_nodes.h"

namespace strut
{
namespace
{
/// A number that identifies a place, the same on all ranks.
double place_of(const ElementMesh &mesh, const LocalIndex n)
{
  return std::round(1e6 * (mesh.coordinates[n] + 1e-3 * mesh.coordinates[mesh.n_nodes + n] +
                           M_PI * mesh.coordinates[2 * mesh.n_nodes + n]));
}

using Sizes = std::multiset<std::tuple<std::size_t, bool, bool>>;

struct Counted
{
  Sizes pieces;
  /// Whether some loaded node has elements, all of which are in pieces without support.
  bool parts_load = false;
};

/// Finds the pieces from all elements on every rank, by the places of their nodes. Numbers spread
/// through faces until none changes.
Counted brute_force(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const std::set<double> &loaded,
                    const std::set<double> &held,
                    const std::set<double> &sprung)
{
  std::vector<double> ours;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (densities[e] >= 0.5)
      for (std::size_t v = 0; v < 8; ++v)
        ours.push_back(place_of(mesh, mesh.connectivity[v * mesh.n_elements + e]));
  std::vector<double> all;
  for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator, ours))
    all.insert(all.end(), of_rank.begin(), of_rank.end());

  const std::size_t n = all.size() / 8;
  std::map<std::set<double>, std::vector<std::size_t>> at_face;
  for (std::size_t e = 0; e < n; ++e)
    for (int f = 0; f < 6; ++f)
      {
        std::set<double> face;
        for (int k = 0; k < 4; ++k)
          face.insert(all[8 * e + static_cast<std::size_t>(face_corner(f, k))]);
        at_face[face].push_back(e);
      }
  std::vector<std::size_t> number(n);
  for (std::size_t e = 0; e < n; ++e)
    number[e] = e;
  for (bool changes = true; changes;)
    {
      changes = false;
      for (const auto &[face, elements] : at_face)
        if (elements.size() == 2 && number[elements[0]] != number[elements[1]])
          {
            number[elements[0]] = number[elements[1]] =
              std::min(number[elements[0]], number[elements[1]]);
            changes = true;
          }
    }
  std::map<std::size_t, std::tuple<std::size_t, bool, bool>> pieces; // springs are supports
  std::map<std::size_t, bool> is_held;                               // without springs
  for (std::size_t e = 0; e < n; ++e)
    {
      auto &[size, has_load, has_support] = pieces[number[e]];
      ++size;
      for (std::size_t v = 0; v < 8; ++v)
        {
          has_load         = has_load || loaded.count(all[8 * e + v]) > 0;
          const bool holds = held.count(all[8 * e + v]) > 0;
          has_support      = has_support || holds || sprung.count(all[8 * e + v]) > 0;
          is_held[number[e]] |= holds;
        }
    }
  Counted counted;
  for (const auto &[e, piece] : pieces)
    counted.pieces.insert(piece);
  for (const double place : loaded)
    {
      std::size_t n_around = 0, n_held = 0;
      for (std::size_t e = 0; e < n; ++e)
        if (std::count(&all[8 * e], &all[8 * e] + 8, place) > 0)
          {
            ++n_around;
            n_held += is_held.at(number[e]) ? 1 : 0;
          }
      counted.parts_load = counted.parts_load || (n_around > 0 && n_held == 0);
    }
  return counted;
}

void check_random_designs(DistributedProblem &problem)
{
  ElementMesh &mesh = problem.mesh;
  const Communicator communicator(problem.communicator);
  const auto backend = make_cpu_backend(2);
  std::vector<double> forces(3 * mesh.n_owned_nodes, 0.), loaded_places, held_places, sprung_places;
  for (LocalIndex n = 0; n < mesh.n_nodes; ++n)
    {
      const double draw = noise(mesh.coordinates[n],
                                mesh.coordinates[mesh.n_nodes + n],
                                mesh.coordinates[2 * mesh.n_nodes + n]);
      if (draw > 0.98)
        {
          mesh.constrained_dofs.push_back(3 * n + 1);
          mesh.constrained_values.push_back(0.);
          held_places.push_back(place_of(mesh, n));
        }
      else if (draw > 0.96 && n < mesh.n_owned_nodes)
        {
          forces[3 * n + 2] = 1.;
          loaded_places.push_back(place_of(mesh, n));
        }
      else if (draw < 0.01 && n < mesh.n_owned_nodes)
        {
          mesh.spring_dofs.push_back(3 * n);
          mesh.spring_stiffness.push_back(1.);
          sprung_places.push_back(place_of(mesh, n));
        }
    }
  const auto of_all_ranks = [&](const std::vector<double> &places) {
    std::set<double> all;
    for (const auto &of_rank : dealii::Utilities::MPI::all_gather(problem.communicator, places))
      all.insert(of_rank.begin(), of_rank.end());
    return all;
  };
  LoadNodes nodes(communicator, mesh, {});
  nodes.add(LoadCase{"", 1., NodalForces(forces)});
  unsigned int n_parted = 0;
  for (const double share : {0.1, 0.3, 0.6, 0.97, 1.})
    {
      const auto densities =
        problem.element_field([&](const double x, const double y, const double z) {
          return noise(z, x, y) < share ? 0.5 : 0.499;
        });
      double volume = 0.;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        volume += densities[e] >= 0.5 ? mesh.volumes[e] : 0.;
      Sizes sizes;
      double volume_of_pieces = 0., last = HUGE_VAL;
      for (const DesignPiece &piece :
           find_design_pieces(*backend, communicator, mesh, densities, nodes, false))
        {
          sizes.emplace(piece.n_elements, piece.has_load, piece.has_support);
          volume_of_pieces += piece.volume;
          EXPECT_LE(piece.volume, last);
          last = piece.volume;
        }
      const Counted expected = brute_force(problem.communicator,
                                           mesh,
                                           densities,
                                           of_all_ranks(loaded_places),
                                           of_all_ranks(held_places),
                                           of_all_ranks(sprung_places));
      EXPECT_EQ(sizes, expected.pieces);
      const bool parts_load =
        parts_load_from_supports(*backend, communicator, mesh, densities, nodes, 0.5);
      EXPECT_EQ(parts_load, expected.parts_load);
      n_parted += parts_load ? 1 : 0;
      volume = communicator.sum(volume);
      EXPECT_NEAR(volume_of_pieces, volume, 1e-12 * volume);
    }
  EXPECT_GT(n_parted, 0u);
  EXPECT_LT(n_parted, 5u);
}

TEST(OutputPieces, OfRandomDesignsAreThoseOfABruteForceCount)
{
  DistributedProblem boxes(MPI_COMM_WORLD, 2, box(3, 2, 2));
  check_random_designs(boxes);
  DistributedProblem round(MPI_COMM_WORLD, 1, ball());
  check_random_designs(round);
}

// A third of a bar at the plane of symmetry x = 0, away from the support at the other end. The
// plane holds it only against loads along x. A prescribed displacement that loads a piece does not
// hold it.
TEST(OutputPieces, PlanesHoldLoadsAlongTheirNormals)
{
  DistributedProblem problem(MPI_COMM_WORLD, 1, box(3, 2, 2));
  ElementMesh &mesh = problem.mesh;
  const Communicator communicator(problem.communicator);
  const auto backend  = make_cpu_backend(1);
  const double length = communicator.max(
    *std::max_element(mesh.coordinates.begin(),
                      mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(mesh.n_nodes)));
  const auto density = problem.element_field([&](const double x, double, double) {
    return x > length / 3. && x < 2. * length / 3. ? 0. : 1.;
  });
  std::vector<std::uint8_t> mirrors(mesh.n_nodes, 0);
  for (LocalIndex n = 0; n < mesh.n_nodes; ++n)
    {
      const double x = mesh.coordinates[n];
      mirrors[n]     = x == 0. ? 1 : 0;
      if (x == 0. || x == length)
        {
          mesh.constrained_dofs.push_back(3 * n + (x == 0. ? 0 : 1));
          mesh.constrained_values.push_back(0.);
        }
    }
  for (const unsigned int component : {0u, 1u})
    {
      std::vector<double> forces(3 * mesh.n_owned_nodes, 0.);
      for (LocalIndex n = 0; n < mesh.n_owned_nodes; ++n)
        if (std::abs(mesh.coordinates[n] - length / 3.) < 1e-9 * length)
          forces[3 * n + component] = 1.;
      LoadNodes nodes(communicator, mesh, mirrors);
      nodes.add(LoadCase{"", 1., NodalForces(forces)});
      EXPECT_EQ(parts_load_from_supports(*backend, communicator, mesh, density, nodes, 0.5),
                component == 1);
    }
  for (double &value : mesh.constrained_values)
    value = 1.;
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    if (mesh.constrained_dofs[i] % 3 == 0)
      mesh.constrained_values[i] = 0.; // a DoF of the plane
  LoadNodes nodes(communicator, mesh, mirrors);
  EXPECT_TRUE(parts_load_from_supports(*backend, communicator, mesh, density, nodes, 0.5));
}

// All ranks count; solid and void regions do not.
TEST(DesignElementsTest, AreThoseThatMayChange)
{
  ElementMesh mesh;
  mesh.n_elements = 4;
  mesh.flags      = {DesignFlag::design, DesignFlag::solid, DesignFlag::empty, DesignFlag::design};
  const std::vector<double> densities = {0.2, 1., 0., 0.4};
  const Communicator communicator(MPI_COMM_WORLD);
  const DesignElements design = measure_design_elements(communicator, mesh, densities);
  EXPECT_EQ(design.n, 2u * static_cast<std::size_t>(communicator.size()));
  EXPECT_EQ(design.least, 0.2);
  EXPECT_EQ(design.most, 0.4);
  EXPECT_EQ(
    describe_emptiness(design),
    "the design is empty: no element to design has a density from 0.5 on, the largest has 0.4");
  EXPECT_EQ(describe_emptiness({2, 0.2, 0.5}), "");
  EXPECT_EQ(describe_emptiness({}), "");
}

TEST(OutputPieces, AreDescribedWithLoadsAndSupports)
{
  EXPECT_EQ(describe_pieces({{12, 6., true, true}}),
            "Pieces connected by faces, of elements with a density from 0.5: 1\n");
  std::vector<DesignPiece> pieces = {{12, 6., true, true}, {1, 2., false, true}};
  EXPECT_EQ(describe_pieces(pieces),
            "Pieces connected by faces, of elements with a density from 0.5: 2\n"
            "NOTE: the design is in 2 pieces that share no face.\n"
            "  The largest has 12 elements, 75 % of the volume, with a load and a support.\n"
            "  The next: 1 element, 25 % of the volume, with a support.\n");
  for (unsigned int i = 0; i < 6; ++i)
    pieces.push_back({1, 2., i > 3, false});
  const std::string text = describe_pieces(pieces);
  EXPECT_CONTAINS(text,
                  "  The other 2 together: 2 elements, 20 % of the volume; 2 with a load, 0 "
                  "with a support.\n");
}
} // namespace
} // namespace strut

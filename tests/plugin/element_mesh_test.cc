// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Conversion of a DoFHandler to the flat arrays. The operator on them equals deal.II's, for any
// mesh, numbering of its DoFs and number of ranks.
#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/mesh_measures.h"
#include <strut/parallel/halo_exchange.h>

#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <random>
#include <tuple>

namespace strut
{
namespace
{
using Vector = dealii::LinearAlgebra::distributed::Vector<double>;

const Material material{2.5, 0.3};

/// A numbering of the DoFs. deal.II's functions of some renumber across ranks.
struct Numbering
{
  std::string name;
  bool is_across_ranks;
  std::function<void(dealii::DoFHandler<3> &)> renumber;
};

const std::vector<Numbering> numberings = {
  {"of_deal_ii", false, [](auto &) {}},
  {"cuthill_mckee", false, [](auto &dofs) { dealii::DoFRenumbering::Cuthill_McKee(dofs); }},
  {"by_component", true, [](auto &dofs) { dealii::DoFRenumbering::component_wise(dofs); }},
  {"random", true, [](auto &dofs) { dealii::DoFRenumbering::random(dofs); }}};

struct SourceCase
{
  std::string name;
  std::string source;
  test::Entries entries;

  friend void PrintTo(const SourceCase &c, std::ostream *out)
  {
    *out << c.name;
  }
};

const std::vector<SourceCase> source_cases = {
  {"box", "box", {{"Size", "3,2,1"}, {"Elements", "3,2,2"}}},
  {"one_cell", "box", {{"Size", "1,2,3"}, {"Elements", "1,1,1"}}},
  {"hollow_cylinder",
   "hollow cylinder",
   {{"Elements radial", "1"}, {"Elements circumferential", "8"}, {"Elements axial", "2"}}},
  {"l_beam", "l beam", {{"Cells per fifth", "1"}, {"Layers", "1"}}},
  {"michell",
   "michell",
   {{"Elements along arc", "8"},
    {"Elements from arc", "2"},
    {"Elements to far side", "2"},
    {"Layers", "1"}}},
  {"connecting_rod", "connecting rod", test::entries_of_rod("8")},
  {"gmsh_rod", "file", {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}}},
};

/// Parameters: a generator's mesh on all ranks, and a numbering.
class ProblemElementMesh : public testing::TestWithParam<std::tuple<SourceCase, Numbering>>
{
protected:
  void SetUp() override
  {
    // see NodesThatAreTornApartAreRefused
    if (std::get<1>(GetParam()).is_across_ranks &&
        dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
      GTEST_SKIP() << "deal.II deals out the DoFs anew";
    const SourceCase &mesh_case = std::get<0>(GetParam());
    triangulation_.refine_global(
      test::create_mesh(mesh_case.source, mesh_case.entries, triangulation_));
    dof_handler_.distribute_dofs(fe_);
    std::get<1>(GetParam()).renumber(dof_handler_);
    mesh_ = build_element_mesh(dof_handler_, MPI_COMM_WORLD);

    std::mt19937 random(7 + rank_in(MPI_COMM_WORLD));
    std::uniform_real_distribution<double> between(0.1, 1.);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      stiffness_.push_back(between(random));
  }

  /// The owned cells in the order of deal.II's iterator.
  std::vector<dealii::DoFHandler<3>::active_cell_iterator> cells() const
  {
    std::vector<dealii::DoFHandler<3>::active_cell_iterator> result;
    for (const auto &cell : dof_handler_.active_cell_iterators())
      if (cell->is_locally_owned())
        result.push_back(cell);
    return result;
  }

  Vector make_vector() const
  {
    dealii::IndexSet relevant;
    dealii::DoFTools::extract_locally_relevant_dofs(dof_handler_, relevant);
    return Vector(dof_handler_.locally_owned_dofs(), relevant, MPI_COMM_WORLD);
  }

  /// deal.II's matrices of the owned elements: integral of lambda div v div u + 2 mu eps(v) :
  /// eps(u).
  std::vector<dealii::FullMatrix<double>> matrices_of_deal_ii() const
  {
    const dealii::QGauss<3> quadrature(2);
    dealii::FEValues<3> values(fe_,
                               quadrature,
                               dealii::update_gradients | dealii::update_JxW_values);
    const dealii::FEValuesExtractors::Vector u(0);
    std::vector<dealii::FullMatrix<double>> matrices;
    for (const auto &cell : cells())
      {
        values.reinit(cell);
        dealii::FullMatrix<double> matrix(24, 24);
        for (const unsigned int q : values.quadrature_point_indices())
          for (unsigned int i = 0; i < 24; ++i)
            for (unsigned int j = 0; j < 24; ++j)
              matrix(i, j) +=
                (material.lambda() * values[u].divergence(i, q) * values[u].divergence(j, q) +
                 2. * material.mu() *
                   (values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q))) *
                values.JxW(q);
        matrices.push_back(matrix);
      }
    return matrices;
  }

  /// Computes y = K x with these matrices.
  Vector multiply(const std::vector<dealii::FullMatrix<double>> &matrices, Vector &x) const
  {
    x.update_ghost_values();
    Vector y         = make_vector();
    const auto owned = cells();
    std::vector<std::size_t> element_of(owned.size());
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      element_of[mesh_.element_to_cell[e]] = e;
    dealii::Vector<double> local_x(24), local_y(24);
    std::vector<dealii::types::global_dof_index> dofs(24);
    for (std::size_t c = 0; c < owned.size(); ++c)
      {
        owned[c]->get_dof_indices(dofs);
        for (unsigned int i = 0; i < 24; ++i)
          local_x(i) = x(dofs[i]);
        matrices[c].vmult(local_y, local_x);
        for (unsigned int i = 0; i < 24; ++i)
          y(dofs[i]) += stiffness_[element_of[c]] * local_y(i);
      }
    y.compress(dealii::VectorOperation::add);
    x.zero_out_ghost_values();
    return y;
  }

  dealii::parallel::distributed::Triangulation<3> triangulation_{MPI_COMM_WORLD};
  dealii::FESystem<3> fe_{dealii::FE_Q<3>(1), 3};
  dealii::DoFHandler<3> dof_handler_{triangulation_};
  ElementMesh mesh_;
  std::vector<double> stiffness_;
};

TEST_P(ProblemElementMesh, EveryOperatorOfTheCpuIsTheMatrixThatDealIIAssembles)
{
  const auto matrices = matrices_of_deal_ii();
  double largest      = 0;
  for (const auto &matrix : matrices)
    largest = std::max(largest, matrix.linfty_norm());
  largest = dealii::Utilities::MPI::max(largest, MPI_COMM_WORLD);

  const auto backend = make_cpu_backend(1);
  std::vector<std::unique_ptr<ElasticityOperator<double>>> operators;
  for (const Strategy<double> &strategy : cpu_strategies<double>())
    {
      operators.push_back(std::make_unique<ElasticityOperator<double>>(
        *backend, Communicator(MPI_COMM_WORLD), mesh_, material, strategy.name));
      operators.back()->set(Array<double>(backend->memory(), stiffness_));
    }

  // The columns of the matrix, some 60 of them where there are many, then random vectors.
  const auto n = static_cast<unsigned int>(dof_handler_.n_dofs());
  std::vector<Vector> xs;
  for (unsigned int j = 0; j < n; j += 1 + n / 60)
    {
      xs.push_back(make_vector());
      if (xs.back().in_local_range(j))
        xs.back()(j) = 1.;
    }
  for (const unsigned int seed : {1u, 2u, 3u})
    {
      xs.push_back(make_vector());
      std::mt19937 random(seed + 10 * rank_in(MPI_COMM_WORLD));
      std::uniform_real_distribution<double> between(-1., 1.);
      for (double &x : xs.back())
        x = between(random);
    }

  for (Vector &x : xs)
    {
      const Vector expected = multiply(matrices, x);
      std::vector<double> values(mesh_.n_dofs(), 0.);
      for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
        values[i] = x(mesh_.dof_indices[i]);
      for (std::size_t s = 0; s < operators.size(); ++s)
        {
          Array<double> input(backend->memory(), values);
          Array<double> output(backend->memory(), mesh_.n_dofs());
          operators[s]->apply_unconstrained(input, output);
          const std::vector<double> y = output.to_host();
          double difference           = 0;
          for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
            difference = std::max(difference, std::abs(y[i] - expected(mesh_.dof_indices[i])));
          EXPECT_LE(difference, 1e-13 * largest) << cpu_strategies<double>()[s].name;
        }
    }
}

TEST_P(ProblemElementMesh, ConnectivityIsInTheOrderOfDealIIsVertices)
{
  const auto owned = cells();
  ASSERT_EQ(mesh_.n_elements, owned.size());
  std::vector<bool> seen(owned.size(), false);
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    {
      const auto &cell = owned[mesh_.element_to_cell[e]];
      EXPECT_FALSE(seen[mesh_.element_to_cell[e]]);
      seen[mesh_.element_to_cell[e]] = true;
      for (unsigned int v = 0; v < 8; ++v)
        {
          const std::size_t node = mesh_.connectivity[v * mesh_.n_elements + e];
          for (unsigned int d = 0; d < 3; ++d)
            {
              ASSERT_EQ(mesh_.coordinates[d * mesh_.n_nodes + node], cell->vertex(v)[d]);
              ASSERT_EQ(mesh_.dof_indices[3 * node + d], cell->vertex_dof_index(v, d));
            }
        }
    }
}

TEST_P(ProblemElementMesh, VolumesAreThoseOfTheCells)
{
  const auto owned = cells();
  double sum = 0, expected = 0;
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    {
      const double volume = owned[mesh_.element_to_cell[e]]->measure();
      EXPECT_NEAR(mesh_.volumes[e], volume, 1e-12 * volume);
      sum += mesh_.volumes[e];
    }
  for (const auto &cell : dof_handler_.active_cell_iterators())
    if (cell->is_locally_owned())
      expected += cell->measure();
  EXPECT_NEAR(sum, expected, 1e-12 * expected);
}

TEST_P(ProblemElementMesh, NodesAreOwnedOnceAndGhostsAreGroupedByOwner)
{
  EXPECT_EQ(3 * mesh_.n_owned_nodes, dof_handler_.n_locally_owned_dofs());
  const auto owned_by =
    dealii::Utilities::MPI::all_gather(MPI_COMM_WORLD, dof_handler_.locally_owned_dofs());
  std::size_t next = mesh_.n_owned_nodes;
  int last_rank    = -1;
  for (const HaloPattern::Neighbour &neighbour : mesh_.node_halo.neighbours)
    {
      EXPECT_GT(neighbour.rank, last_rank);
      EXPECT_NE(neighbour.rank, static_cast<int>(rank_in(MPI_COMM_WORLD)));
      last_rank = neighbour.rank;
      if (neighbour.ghosts_begin == neighbour.ghosts_end)
        continue; // this rank only asks
      EXPECT_EQ(neighbour.ghosts_begin, next);
      next = neighbour.ghosts_end;
      for (std::size_t g = neighbour.ghosts_begin; g < neighbour.ghosts_end; ++g)
        EXPECT_TRUE(owned_by[neighbour.rank].is_element(mesh_.dof_indices[3 * g]));
    }
  EXPECT_EQ(next, mesh_.n_nodes);
}

TEST_P(ProblemElementMesh, AHaloGivesGhostsTheirValueAndOwnersTheirSum)
{
  const auto backend = make_cpu_backend(1);
  HaloExchange<double> halo(*backend, Communicator(MPI_COMM_WORLD), mesh_.node_halo, 3);
  std::vector<double> values(mesh_.n_dofs(), -1.);
  for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
    values[i] = static_cast<double>(mesh_.dof_indices[i]);
  Array<double> array(backend->memory(), values);
  halo.update_ghosts(array);
  values = array.to_host();
  for (std::size_t i = 0; i < mesh_.n_dofs(); ++i)
    ASSERT_EQ(values[i], static_cast<double>(mesh_.dof_indices[i]));

  // every copy of a DoF adds its number to the owner's
  halo.add_to_owners(array);
  values            = array.to_host();
  Vector copies     = make_vector();
  double difference = 0;
  for (const std::uint64_t dof : mesh_.dof_indices)
    copies(dof) += 1.;
  copies.compress(dealii::VectorOperation::add);
  for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
    {
      const auto dof = mesh_.dof_indices[i];
      difference =
        std::max(difference, std::abs(values[i] - copies(dof) * static_cast<double>(dof)));
    }
  EXPECT_EQ(difference, 0.);
}

INSTANTIATE_TEST_SUITE_P(Meshes,
                         ProblemElementMesh,
                         testing::Combine(testing::ValuesIn(source_cases),
                                          testing::Values(numberings[0])),
                         [](const auto &info) { return std::get<0>(info.param).name; });

INSTANTIATE_TEST_SUITE_P(Numberings,
                         ProblemElementMesh,
                         testing::Combine(testing::Values(source_cases[2], source_cases[5]),
                                          testing::ValuesIn(numberings.begin() + 1,
                                                            numberings.end())),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

TEST(ProblemElementMeshErrors, NodesThatAreTornApartAreRefused)
{
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "needs several ranks";
  dealii::parallel::distributed::Triangulation<3> triangulation(MPI_COMM_WORLD);
  dealii::GridGenerator::hyper_cube(triangulation);
  triangulation.refine_global(2);
  const dealii::FESystem<3> fe(dealii::FE_Q<3>(1), 3);
  dealii::DoFHandler<3> dof_handler(triangulation);
  dof_handler.distribute_dofs(fe);
  dealii::DoFRenumbering::random(dof_handler);
  EXPECT_CONTAINS(message_of<Error>([&] { build_element_mesh(dof_handler, MPI_COMM_WORLD); }),
                  "the three of a node belong to several ranks");
}

TEST(ProblemElementMeshErrors, InvertedElementsAreCountedAndRefused)
{
  dealii::parallel::distributed::Triangulation<3> triangulation(MPI_COMM_WORLD);
  dealii::GridGenerator::subdivided_hyper_rectangle(triangulation,
                                                    {2, 1, 1},
                                                    dealii::Point<3>(),
                                                    dealii::Point<3>(2, 1, 1));
  // push the first cell's left face beyond its right one
  std::vector<bool> moved(triangulation.n_vertices(), false);
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      if (cell->vertex(v)[0] < 0.5 && !moved[cell->vertex_index(v)])
        {
          cell->vertex(v)[0]           = 1.5;
          moved[cell->vertex_index(v)] = true;
        }
  const dealii::FESystem<3> fe(dealii::FE_Q<3>(1), 3);
  dealii::DoFHandler<3> dof_handler(triangulation);
  dof_handler.distribute_dofs(fe);
  EXPECT_CONTAINS(message_of<Error>([&] { build_element_mesh(dof_handler, MPI_COMM_WORLD); }),
                  "1 inverted or degenerate elements");
}
} // namespace
} // namespace strut

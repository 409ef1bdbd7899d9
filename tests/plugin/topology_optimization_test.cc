// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/topology_optimization.h>

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <strut/compat.h>

#include <cmath>
#include <vector>

#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
using namespace dealii;
using Cell = TopologyOptimization::Cell;

/// A box of 8 x 4 x 4 cells. In place of an analysis it has energies that fall with the factors,
/// and with the distance from a corner.
struct Box
{
  explicit Box(Triangulation<3> &triangulation) : triangulation(triangulation), dofs(triangulation)
  {
    GridGenerator::subdivided_hyper_rectangle(triangulation,
                                              {2, 1, 1},
                                              dealii::Point<3>(),
                                              dealii::Point<3>(2., 1., 1.));
    triangulation.refine_global(2);
    dofs.distribute_dofs(FESystem<3>(FE_Q<3>(1), 3));
  }

  TopologyOptimization::Analysis analysis() const
  {
    return [this](const Vector<double> &factors, Vector<double> &energies) {
      double sum = 0.;
      for (const auto &cell : triangulation.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            const unsigned int i = cell->active_cell_index();
            const double size    = std::exp(-cell->center().norm()) / factors(i);
            energies(i)          = size * size;
            sum += factors(i) * energies(i);
          }
      return Utilities::MPI::sum(sum, compat::mpi_communicator(triangulation));
    };
  }

  Triangulation<3> &triangulation;
  DoFHandler<3> dofs;
};

TopologyOptions options_with(const std::string &filter)
{
  TopologyOptions options;
  options.filter         = filter;
  options.filter_radius  = filter == "none" ? 0. : 0.4;
  options.max_iterations = 6;
  options.backend        = "cpu";
  return options;
}

bool is_solid(const Cell &cell)
{
  return cell->center()[0] > 1.8;
}

DesignFlag flag_of(const Cell &cell)
{
  return is_solid(cell)            ? DesignFlag::solid
         : cell->center()[1] > 0.8 ? DesignFlag::empty
                                   : DesignFlag::design;
}

std::vector<TopologyRecord> run(const Box &box, const std::string &filter)
{
  TopologyOptimization optimization(box.dofs, options_with(filter), box.analysis(), &flag_of);
  std::vector<TopologyRecord> history;
  while (!optimization.finished())
    history.push_back(optimization.iterate());
  const Vector<double> densities = optimization.densities();
  EXPECT_EQ(densities.size(), box.triangulation.n_active_cells());
  for (const auto &cell : box.triangulation.active_cell_iterators())
    if (cell->is_locally_owned() && flag_of(cell) != DesignFlag::design)
      {
        EXPECT_EQ(densities(cell->active_cell_index()), is_solid(cell) ? 1. : 0.01);
      }
  return history;
}

/// Several ranks find the designs of one.
TEST(TopologyProblem, RanksFindTheDesignOfOne)
{
  Triangulation<3> serial;
  parallel::distributed::Triangulation<3> distributed(MPI_COMM_WORLD);
  const Box on_one(serial), on_all(distributed);
  for (const std::string filter : {"none", "sensitivity", "density"})
    {
      const std::vector<TopologyRecord> one = run(on_one, filter), all = run(on_all, filter);
      ASSERT_EQ(one.size(), all.size()) << filter;
      ASSERT_EQ(one.size(), 6u) << filter;
      for (std::size_t i = 0; i < one.size(); ++i)
        {
          EXPECT_EQ(one[i].iteration, i + 1);
          EXPECT_NEAR(one[i].objective, all[i].objective, 1e-9 * one[i].objective) << filter;
          EXPECT_NEAR(one[i].volume_fraction, 0.3, 1e-6) << filter;
          EXPECT_NEAR(one[i].density_change, all[i].density_change, 1e-9) << filter;
        }
      if (filter == std::string("none")) // the filter's sensitivities are no gradient
        {
          EXPECT_LT(one.back().objective, one.front().objective);
        }
    }
}

std::string refusal(const Box &box,
                    const TopologyOptions &options,
                    const TopologyOptimization::Analysis &analysis)
{
  return message_of<Error>([&] {
    TopologyOptimization optimization(box.dofs, options, analysis);
    optimization.iterate();
  });
}

TEST(TopologyOptimizationTest, WhatCannotBeIsRefused)
{
  Triangulation<3> triangulation;
  const Box box(triangulation);
  EXPECT_CONTAINS(refusal(box, options_with("cone"), box.analysis()), "no filter 'cone'");
  TopologyOptions unweighted = options_with("density");
  unweighted.filter_weights  = "none";
  EXPECT_CONTAINS(refusal(box, unweighted, box.analysis()), "no filter_weights 'none'");
  EXPECT_CONTAINS(refusal(box, options_with("none"), {}), "no analysis");
  TopologyOptions options = options_with("density");
  options.filter_radius   = 0.;
  EXPECT_CONTAINS(refusal(box, options, box.analysis()), "positive filter_radius");
  options                 = options_with("none");
  options.volume_fraction = 0.01;
  EXPECT_CONTAINS(refusal(box, options, box.analysis()), "volume fraction must lie");
  options                     = options_with("none");
  options.criteria.move_limit = 0.;
  EXPECT_CONTAINS(refusal(box, options, box.analysis()), "Move limit");
  options                            = options_with("none");
  options.interpolation.penalization = 0.5;
  EXPECT_CONTAINS(refusal(box, options, box.analysis()), "penalization");
  options                = options_with("none");
  options.max_iterations = 0;
  EXPECT_CONTAINS(refusal(box, options, box.analysis()), "limit of iterations");
  EXPECT_CONTAINS(refusal(box,
                          options_with("none"),
                          [](const Vector<double> &, Vector<double> &energies) {
                            energies.reinit(3);
                            return 1.;
                          }),
                  "The analysis leaves 3 energies");
  EXPECT_EQ(refusal(box, options_with("none"), box.analysis()), "");
}
} // namespace
} // namespace strut

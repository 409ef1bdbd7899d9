// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid on elements of any type: linear levels, background cells, combined cycles.
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "../fixtures/solve.h"
#include "../fixtures/typed_bodies.h"
#include "source/base/registry.h"
#include "source/solvers/multigrid/linear_level.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using TypeMultigridTest = PlaceTest;

const char *const types[] = {"tet4", "tet10", "hex20", "hex27", "hex8"};

template <typename Number, typename CycleNumber>
unsigned int iterations(Backend &backend, const TypedBox &c, const std::vector<double> &factors)
{
  const Structure structure{c.box.mesh, Material(), c.coarser};
  ElasticityOperator<Number> K(backend, Communicator(), c.box.mesh, Material(), "nbn");
  const auto M = make_multigrid<Number, CycleNumber>(backend, structure);
  return solve_from_zero(backend, K, *M, factors, c.load(), to_tolerance(1e-5, 200)).iterations();
}

// The linear level has the vertices. The interpolation from it is linear, and exact at all nodes,
// for these are at the means of vertices.
TEST_P(TypeMultigridTest, LinearLevelInterpolates)
{
  for (const char *const type : types)
    {
      SCOPED_TRACE(type);
      const TypedBox c(type, {{4, 2, 3}});
      const ElementMesh &mesh = c.box.mesh;
      EXPECT_EQ(has_linear_level(Communicator(), mesh), mesh.type.n_nodes > mesh.type.n_vertices);
      if (!has_linear_level(Communicator(), mesh))
        continue;
      const CoarseLevel level   = linear_level(Communicator(), mesh);
      const ElementMesh &linear = level.mesh;
      EXPECT_EQ(linear.n_nodes, 5u * 3u * 4u);
      EXPECT_EQ(linear.n_elements, mesh.n_elements);
      with_both_numbers([&](const auto tag) {
        using Number        = decltype(number_of(tag));
        const auto transfer = make_grid_transfer<Number>(backend(), Communicator(), mesh, level);
        const auto places   = [](const ElementMesh &of) {
          std::vector<Number> values;
          for (std::size_t node = 0; node < of.n_nodes; ++node)
            for (std::size_t d = 0; d < 3; ++d)
              values.push_back(static_cast<Number>(of.coordinates[d * of.n_nodes + node]));
          return values;
        };
        Array<Number> on_mesh(memory(), mesh.n_dofs());
        transfer->prolongate(Array<Number>(memory(), places(linear)), on_mesh);
        EXPECT_LT(relative_difference(on_mesh.to_host(), to_double(places(mesh))),
                  10. * rounding<Number>());
        const auto u = random_vector<Number>(mesh.n_dofs(), 1);
        const auto v = random_vector<Number>(linear.n_dofs(), 2);
        Array<Number> Pv(memory(), mesh.n_dofs()), PTu(memory(), linear.n_dofs());
        transfer->prolongate(Array<Number>(memory(), v), Pv);
        transfer->restrict_to_parents(Array<Number>(memory(), u), PTu);
        EXPECT_NEAR(dot(u, Pv.to_host()), dot(PTu.to_host(), v), 1e3 * rounding<Number>());
      });
    }
}

// 0 < r . M^-1 r, and z . M^-1 r = r . M^-1 z; the cycle gives 0 where the mesh is held.
TEST_P(TypeMultigridTest, CycleIsSymmetricAndPositiveDefinite)
{
  for (const char *const type : types)
    {
      SCOPED_TRACE(type);
      const TypedBox c(type, {{8, 4, 4}});
      const ElementMesh &mesh = c.box.mesh;
      MultigridSettings settings;
      settings.direct_dofs = 0;
      const Array<double> factors(memory(), c.frame(1e-6));
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "nbn");
      K.set(factors);
      Multigrid<double> multigrid(backend(),
                                  Communicator(),
                                  {mesh, Material(), c.coarser},
                                  settings);
      multigrid.set(factors);
      EXPECT_GT(multigrid.n_levels(), mesh.type.n_nodes > 8 ? 3u : 2u);
      expect_symmetric_positive(memory(), K, multigrid, mesh, 6, false);
    }
}

// Later cycles equal the first, although a device replays a recording, for one stiffness after
// another, by factors and by Lame's parameters.
TEST_P(TypeMultigridTest, RepeatedCyclesDoTheSame)
{
  const TypedBox c("tet10", {{6, 3, 3}});
  const ElementMesh &mesh = c.box.mesh;
  MultigridSettings settings;
  settings.direct_dofs = 0;
  const auto make      = [&]() {
    return std::make_unique<Multigrid<double>>(backend(),
                                               Communicator(),
                                               Structure{mesh, Material(), c.coarser},
                                               settings);
  };
  const std::vector<double> r = random_free_vector(mesh, 3);
  const auto again            = make();
  const Array<double> ones(memory(), c.frame(1.)), of_frame(memory(), c.frame(1e-6));
  for (const Stiffness &stiffness :
       std::vector<Stiffness>{ones, of_frame, Stiffness::of_lame(ones, of_frame), ones})
    {
      const auto once = make();
      once->set(stiffness);
      again->set(stiffness);
      const auto expected = correction_of(*once, r);
      for (int repetition = 0; repetition < 3; ++repetition)
        EXPECT_LT(relative_difference(correction_of(*again, r), expected), 1e-9);
    }
}

// Conjugate gradients take few iterations for frames in void, and as many with the cycle in float;
// few for a bracket with windows and a truss in void, too. The counts are of one computer, and
// another may need one more.
TEST_P(TypeMultigridTest, IterationsAreFew)
{
  struct Most
  {
    const char *type;
    unsigned int frame, bracket, truss;
  };
  const std::vector<TypedBody> bodies = typed_bodies();
  for (const Most &most : {Most{"tet4", 10, 9, 13},
                           {"tet10", 17, 12, 18},
                           {"hex20", 13, 9, 11},
                           {"hex27", 10, 9, 10},
                           {"hex8", 15, 9, 16}})
    {
      SCOPED_TRACE(most.type);
      const std::size_t n = type_called(most.type).n_nodes > 8 ? 3 : 6;
      const TypedBox c(most.type, {{2 * n, n, n}});
      const auto factors       = c.frame(1e-9);
      const unsigned int count = iterations<double, double>(backend(), c, factors);
      EXPECT_LE(count, most.frame + 1);
      EXPECT_LE((iterations<double, float>(backend(), c, factors)), count + 1);
      for (const TypedBody &body : bodies)
        {
          const bool is_truss = body.name == std::string("truss");
          if (!is_truss && body.name != std::string("bracket"))
            continue;
          const TypedBox mesh = body.mesh(most.type, 1);
          EXPECT_LE((iterations<double, double>(backend(), mesh, body.factors(mesh, 1, 1e-9))),
                    (is_truss ? most.truss : most.bracket) + 1);
        }
    }
}

// The memory of the cycle, with its level of linear elements, is planned.
TEST_P(TypeMultigridTest, MemoryIsPlanned)
{
  for (const char *const type : {"tet4", "tet10", "hex20", "hex27"})
    {
      SCOPED_TRACE(type);
      const std::size_t n = type_called(type).n_nodes > 8 ? 6 : 12;
      const TypedBox c(type, {{2 * n, n, n}});
      const Structure structure{c.box.mesh, Material(), c.coarser};
      with_both_numbers([&](const auto tag) {
        using Number           = decltype(number_of(tag));
        const auto &strategies = backend().strategies<Number>();
        const MultigridSettings settings;
        const double planned =
          multigrid_memory_estimate(find_named(strategies, settings.strategy, "strategy"),
                                    settings.coarse_operators,
                                    size_of(Communicator(), structure, !memory().is_host()));
        const std::size_t before = memory().in_use();
        Multigrid<Number> multigrid(backend(), Communicator(), structure, settings);
        multigrid.set(Array<double>(memory(), std::vector<double>(c.box.mesh.n_elements, 1.)));
        multigrid.residual().set_zero(); // makes the vectors of the cycle
        multigrid.cycle();
        const auto used    = static_cast<double>(memory().in_use() - before);
        const double slack = memory().is_host() ? 0. : 1.5e6; // partial sums
        EXPECT_GT(planned + slack, 0.9 * used);
        EXPECT_LT(planned, 1.1 * used + slack);
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Core, TypeMultigridTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test

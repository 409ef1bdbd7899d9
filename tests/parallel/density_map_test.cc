// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The maps from design to densities across the boundaries of ranks.
#include "../fixtures/adapted_box.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/flat_structure.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/ranks_test.h"
#include "source/optimization/maps/helmholtz_filter.h"

#include <map>
#include <utility>

namespace strut::test
{
namespace
{
const double least_density = 1e-2;

class DistributedMapTest : public RanksTest
{
protected:
  /// A box with solid and void elements, and a design on it.
  DistributedMapTest() : box_(make_box(BoxOptions::wild({{8, 3, 2}}, 4)))
  {
    hold_left_face(box_);
    design_ = random_vector(box_.mesh.n_elements, 3, 0.2, 0.9);
    for (std::size_t e = 0; e < design_.size(); ++e)
      if (e % 7 == 0)
        {
          box_.mesh.flags[e] = e % 2 == 0 ? DesignFlag::solid : DesignFlag::empty;
          design_[e]         = e % 2 == 0 ? 1. : least_density;
        }
  }

  DesignChain make_chain(const std::string &filter, const Part &part, const double radius)
  {
    return make_design_chain(maps_of(filter),
                             backend(),
                             part.communicator,
                             part.mesh,
                             {radius, least_density},
                             {{"projection", {{"Sharpness", 4.}}},
                              {"helmholtz", {{"Boundary", "robin"}}}});
  }

  /// A force and the weight of the elements.
  std::vector<LoadCase> loads_of(const Part &part) const
  {
    const auto forces  = edge_load(box_);
    const auto weights = random_vector(3 * box_.mesh.n_elements, 6, -2., 1.);
    return part.of_loads({{"down", 1., forces}, {"weight", 2., forces, weights, true}});
  }

  BoxMesh box_;
  std::vector<double> design_;
};

// Densities and both sensitivities, so the transpose is, too.
TEST_P(DistributedMapTest, EqualsTheSerialOne)
{
  const auto dJ = random_vector(box_.mesh.n_elements, 2, -3., 1.);
  for (const std::string name : {"density", "projection", "helmholtz"})
    for (const double radius : {0.1, 0.4, 3.})
      {
        SCOPED_TRACE(::testing::Message() << name << ", radius " << radius);
        expect_serial_fields(box_, [&](const Part &part) {
          DesignChain map = make_chain(name, part, radius);
          const Array<double> design(memory(), part.of_elements(design_));
          Array<double> rho(memory(), poison<double>(part.mesh.n_elements)),
            dC(memory(), part.of_elements(dJ)), dV(memory(), part.mesh.volumes);
          map.forward(design, rho);
          map.backward(design, dC);
          map.backward(design, dV);
          return std::vector<std::vector<double>>{rho.to_host(), dC.to_host(), dV.to_host()};
        });
      }
}

// Equal boxes, some left out: every rank has a separate lattice, with directions in a different
// order.
TEST_P(DistributedMapTest, PdeFilterOnALatticeEqualsTheSerialOne)
{
  BoxOptions options      = BoxOptions::regular({{9, 6, 5}}, {{1.1, 0.8, 0.5}}).shuffled();
  options.rotate_elements = true;
  BoxMesh box             = make_box(options);
  leave_out(box, [](const CellIndices &at) { return at[1] > 3 && at[2] > 1 && at[0] != 4; });
  const auto x = random_vector(box.mesh.n_elements, 1, 0., 1.);
  for (const double radius : {0.1, 0.4, 3.})
    for (const std::string boundary : {"neumann", "robin"})
      {
        SCOPED_TRACE(::testing::Message() << boundary << ", radius " << radius);
        expect_serial_fields(box, [&](const Part &part) {
          const auto &[all, mesh] = std::tie(part.communicator, part.mesh);
          EXPECT_NE(make_lattice_filter(backend(), all, mesh, radius, {}), nullptr);
          DesignChain map = make_design_chain({"helmholtz"},
                                              backend(),
                                              all,
                                              mesh,
                                              {radius, least_density},
                                              {{"helmholtz", {{"Boundary", boundary}}}});
          const Array<double> design(memory(), part.of_elements(x));
          Array<double> rho(memory(), poison<double>(mesh.n_elements)),
            dC(memory(), part.of_elements(x));
          map.forward(design, rho);
          map.backward(design, dC);
          return std::vector<std::vector<double>>{rho.to_host(), dC.to_host()};
        });
      }
}

/// A rank's part of a box in which some cubes are cut into eight. Parts follow x, so that a rank
/// with a hanging node also has the nodes that it depends on.
Part part_with_hanging_nodes(const AdaptedBox &box, const std::size_t n, const Communicator &world)
{
  BoxMesh whole;
  whole.mesh      = box.mesh;
  whole.options.n = {{n, n, n}};
  for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
    whole.element_at.push_back({{static_cast<std::size_t>(box.mesh.centre(e)[0]), 0, 0}});
  Part part = take_part(whole, Partition::slabs, world.size(), world.rank());
  std::map<LocalIndex, LocalIndex> local;
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    local[part.nodes[i]] = static_cast<LocalIndex>(i);
  const AffineRows &all = box.mesh.dependent;
  AffineRows &rows      = part.mesh.dependent;
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    for (std::size_t k = 0; k < all.dofs.size(); ++k)
      if (all.dofs[k] / 3 == part.nodes[i])
        {
          if (rows.offsets.empty())
            rows.offsets.push_back(0);
          rows.dofs.push_back(static_cast<LocalIndex>(3 * i + all.dofs[k] % 3));
          rows.values.push_back(0.);
          for (std::uint32_t j = all.offsets[k]; j < all.offsets[k + 1]; ++j)
            {
              rows.masters.push_back(3 * local.at(all.masters[j] / 3) + all.masters[j] % 3);
              rows.weights.push_back(all.weights[j]);
            }
          rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
        }
  return part;
}

// Some ranks have a lattice, and others have none or one of other boxes. All then use the stored
// matrices, and plan memory for these.
TEST_P(DistributedMapTest, PdeFilterIsTheSameWayOnAllRanks)
{
  BoxMesh stretched = make_box(BoxOptions::regular({{12, 8, 8}}, {{12., 8., 8.}}));
  for (std::size_t node = 0; node < stretched.mesh.n_nodes; ++node)
    if (double &x = stretched.mesh.coordinates[node]; x > 6.)
      x += x - 6.;
  measure(stretched.mesh);
  AdaptedBox adapted(8, [](const double x, double, double) { return x > 6.; });
  adapted.mesh.flags.assign(adapted.mesh.n_elements, DesignFlag::design);

  std::vector<std::pair<const ElementMesh *, Part>> tested;
  tested.emplace_back(&stretched.mesh, part_of(stretched, Partition::slabs));
  tested.emplace_back(&adapted.mesh, part_with_hanging_nodes(adapted, 8, world_));
  for (const auto &[whole, part] : tested)
    for (const std::string boundary : {"neumann", "robin"})
      {
        const ValuesOfMaps values = {{"helmholtz", {{"Boundary", boundary}}}};
        const auto filter         = [&](const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &x) {
          const Array<double> design(memory(), x);
          Array<double> rho(memory(), poison<double>(x.size()));
          const std::size_t before = memory().in_use();
          DesignChain map          = make_design_chain(
            {"helmholtz"}, backend(), communicator, mesh, {1.7, least_density}, values);
          map.forward(design, rho);
          const double others  = 2. * sizeof(double) * static_cast<double>(x.size()),
                       used    = static_cast<double>(memory().in_use() - before) + others,
                       planned = chain_memory_estimate(
                         {"helmholtz"}, communicator, mesh, !memory().is_host(), values),
                       slack = memory().is_host() ? 0. : 1e6;
          EXPECT_NEAR(planned, used, 0.15 * used + slack) << boundary; // without halos
          return rho.to_host();
        };
        const auto x = random_vector(whole->n_elements, 4, 0., 1.);
        EXPECT_EQ(make_lattice_filter(backend(), world_, part.mesh, 1.7, {}), nullptr);
        EXPECT_LE(relative_difference(filter(world_, part.mesh, part.of_elements(x)),
                                      part.of_elements(filter(Communicator(), *whole, x))),
                  1e-12)
          << boundary;
      }
}

// The compliance under a load and self weight, through interpolation, projection and filter, for
// any owner of the element. Its value is that of one rank.
TEST_P(DistributedMapTest, GradientEqualsDifferences)
{
  const Part whole = whole_of(box_);
  const auto alone = make_response("compliance", {backend(), {}, whole.mesh});
  DesignChain map  = make_chain("projection", whole, 0.5);
  const double expected =
    FunctionOfDesign(backend(), whole.mesh, loads_of(whole), {3., 1e-4}, *alone, &map)
      .value(design_);
  with_parts(box_, [&](const Part &part) {
    const auto compliance = make_response("compliance", {backend(), world_, part.mesh});
    DesignChain map       = make_chain("projection", part, 0.5);
    FunctionOfDesign function(
      backend(), part.mesh, loads_of(part), {3., 1e-4}, *compliance, &map, world_);
    auto x = design_;
    std::vector<double> local;
    EXPECT_NEAR(function.value(part.of_elements(x), &local), expected, 1e-9 * expected);
    const auto gradient = sum_over_ranks(part.elements_to_global(local, x.size()));
    for (std::size_t e = 0; e < x.size(); e += 5)
      {
        if (box_.mesh.flags[e] != DesignFlag::design)
          continue;
        const auto slope = [&](const double h) {
          const double middle = x[e];
          x[e]                = middle + h;
          const double plus   = function.value(part.of_elements(x));
          x[e]                = middle - h;
          const double minus  = function.value(part.of_elements(x));
          x[e]                = middle;
          return (plus - minus) / (2. * h);
        };
        EXPECT_NEAR(gradient[e], (4. * slope(5e-4) - slope(1e-3)) / 3., 2e-6 * max_norm(gradient))
          << "element " << e;
      }
  });
}

// DensityMapTest.EveryResponseThroughEveryChain compares the gradients with differences.
TEST_P(DistributedMapTest, EveryResponseThroughEveryChainEqualsTheSerialOne)
{
  for (const ResponseEntry &entry : responses())
    for (const auto &names : chains_for(entry.name))
      {
        SCOPED_TRACE(entry.name + " through " + std::to_string(names.size()) + " maps");
        const auto evaluate = [&, &entry = entry](const Part &part) {
          const auto &[all, mesh] = std::tie(part.communicator, part.mesh);
          const ResponseContext context{backend(), all, mesh, {}, nullptr, values_for(entry.name)};
          const auto response = make_response(entry.name, context);
          DesignChain map = make_design_chain(names, backend(), all, mesh, {0.5, least_density});
          FunctionOfDesign function(backend(),
                                    mesh,
                                    loads_of(part),
                                    {3., 1e-4},
                                    problem_of(*response, entry.by_load_case),
                                    &map,
                                    all);
          std::pair<double, std::vector<double>> result;
          result.first = function.value(part.of_elements(design_), &result.second);
          return result;
        };
        with_serial(box_, evaluate, [&](const Part &part, const auto &found, const auto &alone) {
          EXPECT_NEAR(found.first, alone.first, 1e-9 * std::abs(alone.first));
          const auto gradient =
            sum_over_ranks(part.elements_to_global(found.second, design_.size()));
          EXPECT_LE(relative_difference(gradient, alone.second), 1e-8);
        });
      }
}

// The same history and design as on one rank, and the volume in every iteration.
TEST_P(DistributedMapTest, OptimizationEqualsTheSerialOne)
{
  SmallCantilever cantilever(std::array<std::size_t, 3>{{8, 4, 2}});
  for (std::size_t e = 0; e < cantilever.box.mesh.n_elements; e += 5)
    cantilever.box.mesh.flags[e] = e % 2 == 0 ? DesignFlag::solid : DesignFlag::empty;
  cantilever.options.tolerance = 1e-8;
  for (const std::string name : {"density", "projection"})
    {
      cantilever.options.maps = maps_of(name);
      if (name == "projection")
        cantilever.options.projection = {{"Iterations per sharpness", 2.}};
      DesignProblem serial(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
      const auto expected = serial.run(6);
      const auto design   = serial.simp().analysed_densities();
      with_parts(cantilever.box, [&](const Part &part) {
        DesignProblem problem(
          backend(), part.mesh, part.of_loads(cantilever.loads), cantilever.options, world_);
        EXPECT_LE(relative_difference(problem.run(6), expected), 1e-6);
        EXPECT_LE(relative_difference(problem.simp().analysed_densities(),
                                      part.of_elements(design)),
                  1e-5);
        for (const auto &record : problem.simp().history())
          EXPECT_NEAR(record.volume_fraction, 0.4, 4e-7);
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedMapTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test

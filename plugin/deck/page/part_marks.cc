// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/part_marks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
constexpr std::size_t most_places = 400;  ///< nodes with the same support
constexpr std::size_t most_arrows = 60;   ///< arrows of a load case
constexpr std::size_t all_arrows  = 2000; ///< arrows of all load cases, except one for each
constexpr std::size_t n_cells     = 6;    ///< cells along each direction in which forces are summed

Point place_of(const ElementMesh &mesh, const std::size_t node)
{
  return {{mesh.coordinates[node],
           mesh.coordinates[mesh.n_nodes + node],
           mesh.coordinates[2 * mesh.n_nodes + node]}};
}

/// The box around the boxes of all ranks. Collective.
AxisBox united(const Communicator &communicator, AxisBox box)
{
  for (std::size_t d = 0; d < 3; ++d)
    {
      box.low[d]  = communicator.min(box.low[d]);
      box.high[d] = communicator.max(box.high[d]);
    }
  return box;
}

std::vector<PartMarks::Supports> all_supports(const Communicator &communicator,
                                              const ElementMesh &mesh)
{
  // For each owned node, the numbers of its held components and of those that are moved.
  std::map<std::size_t, std::array<int, 2>> held;
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    if (mesh.constrained_dofs[i] < mesh.n_owned_dofs())
      {
        auto &[n_held, n_moved] = held[mesh.constrained_dofs[i] / 3];
        ++n_held;
        n_moved += mesh.constrained_values[i] != 0. ? 1 : 0;
      }
  std::vector<std::size_t> whole, partly, moved;
  for (const auto &[node, numbers] : held)
    (numbers[1] > 0 ? moved : numbers[0] == 3 ? whole : partly).push_back(node);
  std::set<std::size_t> springs;
  for (const LocalIndex dof : mesh.spring_dofs)
    springs.insert(dof / 3);
  std::vector<PartMarks::Supports> all;
  const auto add = [&](const std::string &name, const std::vector<std::size_t> &nodes) {
    PartMarks::Supports supports = some_places(communicator, mesh, name, nodes);
    if (supports.n_nodes > 0)
      all.push_back(std::move(supports));
  };
  add("held in x, y and z", whole);
  add("held in one or two directions, or by symmetry", partly);
  add("moved by a given displacement", moved);
  add("on springs", {springs.begin(), springs.end()});
  return all;
}

/// The forces summed in the cells of a grid over the loaded nodes.
class ForceGrid
{
public:
  explicit ForceGrid(const AxisBox &box)
    : box_(box), sums_(n_cells * n_cells * n_cells * n_numbers, 0.)
  {}

  void add(const Point &place, const Point &force)
  {
    std::size_t cell = 0;
    for (std::size_t d = 3; d-- > 0;)
      {
        const double size  = box_.high[d] - box_.low[d];
        const double share = size > 0. ? (place[d] - box_.low[d]) / size : 0.;
        cell = n_cells * cell + std::min(n_cells - 1, static_cast<std::size_t>(share * n_cells));
      }
    double *const sums = &sums_[n_numbers * cell];
    const double size  = std::hypot(force[0], force[1], force[2]);
    for (std::size_t d = 0; d < 3; ++d)
      {
        sums[d] += force[d];
        sums[3 + d] += size * place[d];
      }
    sums[6] += size;
  }

  /// Returns the largest forces. Collective.
  std::vector<PartMarks::Arrow> arrows(const Communicator &communicator, const std::size_t most)
  {
    communicator.sum(sums_.data(), sums_.size());
    std::vector<std::pair<double, PartMarks::Arrow>> found;
    for (std::size_t cell = 0; cell < sums_.size(); cell += n_numbers)
      {
        const double *const sums = &sums_[cell];
        const double size        = std::hypot(sums[0], sums[1], sums[2]);
        if (size > 1e-6 * sums[6]) // otherwise the forces in the cell balance
          {
            PartMarks::Arrow arrow;
            for (std::size_t d = 0; d < 3; ++d)
              {
                arrow.place[d] = sums[3 + d] / sums[6];
                arrow.force[d] = sums[d];
              }
            found.emplace_back(-size, arrow);
          }
      }
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
      return a.first < b.first;
    });
    std::vector<PartMarks::Arrow> arrows;
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i)
      arrows.push_back(found[i].second);
    return arrows;
  }

private:
  static constexpr std::size_t n_numbers = 7; ///< force, place times size, size
  AxisBox box_;
  std::vector<double> sums_;
};

PartMarks::Loads loads_of(const Communicator &communicator,
                          const ElementMesh &mesh,
                          const LoadCase &load_case,
                          const std::size_t most)
{
  const auto force_on = [&](const std::size_t node) {
    return Point{
      {load_case.forces[3 * node], load_case.forces[3 * node + 1], load_case.forces[3 * node + 2]}};
  };
  std::vector<std::size_t> loaded;
  AxisBox box;
  load_case.forces.for_each([&](const std::size_t dof, double) { // in ascending order
    const std::size_t node = dof / 3;
    if (node < mesh.n_owned_nodes && (loaded.empty() || loaded.back() != node))
      {
        loaded.push_back(node);
        box.add(place_of(mesh, node));
      }
  });
  ForceGrid grid(united(communicator, box));
  for (const std::size_t node : loaded)
    grid.add(place_of(mesh, node), force_on(node));
  PartMarks::Loads loads{load_case.name, grid.arrows(communicator, most)};
  if (load_case.has_weight)
    {
      ForceGrid whole{AxisBox()}; // one cell for all elements
      for (std::size_t e = 0; e < mesh.n_elements && !load_case.weights.empty(); ++e)
        {
          Point weight{};
          for (std::size_t d = 0; d < 3; ++d)
            weight[d] = mesh.volumes[e] * load_case.weights[d * mesh.n_elements + e];
          whole.add(mesh.centre(e), weight);
        }
      for (PartMarks::Arrow arrow : whole.arrows(communicator, 1))
        {
          arrow.is_weight = true;
          loads.arrows.push_back(arrow);
        }
    }
  return loads;
}
} // namespace

PartMarks::Supports some_places(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::string &name,
                                const std::vector<std::size_t> &nodes)
{
  PartMarks::Supports supports{name, communicator.sum(nodes.size()), {}};
  const std::size_t step = supports.n_nodes / most_places + 1;
  std::vector<double> places;
  for (std::size_t i = 0; i < nodes.size(); i += step)
    {
      const Point place = place_of(mesh, nodes[i]);
      places.insert(places.end(), place.begin(), place.end());
    }
  places = communicator.gather(places);
  for (std::size_t i = 0; i < places.size(); i += 3)
    supports.places.push_back({{places[i], places[i + 1], places[i + 2]}});
  return supports;
}

PartMarks marks_on_part(const Communicator &communicator,
                        const ElementMesh &mesh,
                        const std::vector<const LoadCase *> &load_cases)
{
  AxisBox box;
  const auto box_of = [&](const std::size_t begin, const std::size_t end) {
    AxisBox of_nodes;
    for (std::size_t node = begin; node < end; ++node)
      of_nodes.add(place_of(mesh, node));
    return of_nodes;
  };
  for (const AxisBox &of_block :
       cpu::values_of_blocks(cpu::default_n_threads(), mesh.n_owned_nodes, box_of))
    {
      box.add(of_block.low);
      box.add(of_block.high);
    }
  PartMarks marks{united(communicator, box), all_supports(communicator, mesh), {}};
  const std::size_t share =
    load_cases.empty() ? 1 : std::max<std::size_t>(1, all_arrows / load_cases.size());
  for (const LoadCase *const load_case : load_cases)
    marks.loads.push_back(loads_of(communicator, mesh, *load_case, std::min(most_arrows, share)));
  return marks;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/layer_sweep.h"
#include "source/mesh/element_centres.h"
#include "source/parallel/neighbourhood_halo.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut
{
namespace
{
using Point3 = std::array<double, 3>;

/// Of a box of cubes an element has its neighbours at multiples of the edge: angles and heights are as long as that.
constexpr double rounding = 1e-5;

/// How far behind an element its cone goes, in edges.
constexpr double nearest = 0.5, farthest = 1.5;

/// The centres of own elements, ghosts and images behind planes of symmetry, to search in.
class Surroundings
{
public:
  Surroundings(const NeighbourhoodHalo &halo, const ElementMesh &mesh, const double radius)
    : grid_(CellGrid::build(halo.points, halo.n_points, radius, mesh.symmetry_planes))
  {}

  /// visit(element, centre - p) for all that may be within the radius of p.
  template <typename Visit>
  void around(const Point3 &p, const Visit &visit) const
  {
    std::array<CellGrid::Run, 3> runs;
    for (int d = 0; d < 3; ++d)
      {
        const auto i = static_cast<std::size_t>(d);
        runs[i]      = CellGrid::cells_around(
          CellGrid::place_of(p[i], grid_.origin[i], grid_.cell_size, grid_.n[i]),
          grid_.reach,
          grid_.n[i]);
      }
    const std::size_t n = grid_.points.size();
    for (std::int32_t k = runs[2].first; k <= runs[2].last; ++k)
      for (std::int32_t j = runs[1].first; j <= runs[1].last; ++j)
        {
          const std::size_t row =
            static_cast<std::size_t>(grid_.n[0]) *
            (static_cast<std::size_t>(j) +
             static_cast<std::size_t>(grid_.n[1]) * static_cast<std::size_t>(k));
          for (std::size_t s = grid_.cell_begin[row + static_cast<std::size_t>(runs[0].first)];
               s < grid_.cell_begin[row + static_cast<std::size_t>(runs[0].last) + 1];
               ++s)
            visit(CellGrid::value_index(grid_.points[s]),
                  Point3{{grid_.coordinates[s] - p[0],
                          grid_.coordinates[n + s] - p[1],
                          grid_.coordinates[2 * n + s] - p[2]}});
        }
  }

private:
  CellGrid grid_;
};

/// The points that elements look at, as they are made.
struct Points
{
  std::vector<std::uint32_t> points_begin{0}, entries_begin{0}, columns;
  std::vector<double> weights;

  void add(const std::uint32_t element, const double weight)
  {
    columns.push_back(element);
    weights.push_back(weight);
  }
  void end_point()
  {
    entries_begin.push_back(static_cast<std::uint32_t>(columns.size()));
  }
};

/// The points of one element.
void add_points(const Surroundings &surroundings,
                const LayerSweepSettings &settings,
                const Frame &frame,
                const Point3 &centre,
                const double h,
                Points &points)
{
  struct Candidate
  {
    std::uint32_t element;
    Point3 at; ///< along first, second, and behind, in edges
  };
  std::vector<Candidate> behind;
  surroundings.around(centre, [&](const std::uint32_t element, const Point3 &difference) {
    const Point3 at{{dot(difference, frame.first) / h,
                     dot(difference, frame.second) / h,
                     -dot(difference, frame.axis) / h}};
    if (at[2] > nearest + rounding && at[2] < farthest + settings.tangent + 1.)
      behind.push_back({element, at});
  });
  std::sort(behind.begin(), behind.end(), [](const auto &a, const auto &b) {
    return a.at < b.at;
  }); // whatever the numbering is

  for (const Candidate &candidate : behind)
    if (candidate.at[2] <= farthest + rounding &&
        std::hypot(candidate.at[0], candidate.at[1]) <=
          std::max(settings.tangent * candidate.at[2], settings.least_reach) + rounding)
      {
        points.add(candidate.element, 1.);
        points.end_point();
      }
  for (unsigned int k = 0; k < settings.n_samples; ++k)
    {
      const double angle = 8. * std::atan(1.) * k / settings.n_samples;
      const Point3 sample{
        {settings.tangent * std::cos(angle), settings.tangent * std::sin(angle), 1.}};
      const std::size_t begin = points.weights.size();
      double sum              = 0;
      for (const Candidate &candidate : behind)
        {
          double weight = 1.;
          for (std::size_t d = 0; d < 3; ++d)
            weight *= std::max(0., 1. - std::abs(candidate.at[d] - sample[d]));
          if (weight < rounding)
            continue;
          points.add(candidate.element, weight);
          sum += weight;
        }
      if (sum == 0.)
        continue;
      if (sum > 1.)
        std::for_each(points.weights.begin() + static_cast<std::ptrdiff_t>(begin),
                      points.weights.end(),
                      [sum](double &weight) { weight /= sum; });
      points.end_point();
    }
}
} // namespace

LayerSweep::LayerSweep(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const LayerSweepSettings &settings)
  : backend_(backend), rule_(settings.rule), n_elements_(mesh.n_elements)
{
  const Frame frame(settings.direction);

  // (1) Edges; where the mesh begins.
  double least = std::numeric_limits<double>::max(), most = 0., start = least;
  std::vector<double> edges(n_elements_);
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      edges[e] = std::cbrt(mesh.volumes[e]);
      least    = std::min(least, edges[e]);
      most     = std::max(most, edges[e]);
    }
  const auto height_of_node = [&](const std::size_t node) {
    double height = 0;
    for (std::size_t d = 0; d < 3; ++d)
      height += mesh.coordinates[d * mesh.n_nodes + node] * frame.axis[d];
    return height;
  };
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    start = std::min(start, height_of_node(node));
  least = communicator.min(least);
  most  = communicator.max(most);
  start = communicator.min(start);
  if (!(most > 0.))
    {
      begin_ = {0};
      return;
    }

  // (2) Elements and ghosts by layers.
  const double rim    = settings.tangent + 1.;
  const double radius = most *
                        std::max({std::hypot(rim, 2.),
                                  farthest * std::hypot(1., settings.tangent),
                                  std::hypot(settings.least_reach, farthest)}) *
                        (1. + rounding);
  const NeighbourhoodHalo halo =
    NeighbourhoodHalo::build(communicator, element_centres(mesh), n_elements_, radius);
  n_all_ = halo.n_points;
  if (communicator.size() > 1)
    halo_ = std::make_unique<HaloExchange<double>>(backend, communicator, halo.pattern, 1);
  const Surroundings surroundings(halo, mesh, radius);
  const double thickness = nearest * least;
  std::vector<std::size_t> layer_of(n_all_);
  std::size_t n_layers = 0;
  for (std::size_t e = 0; e < n_all_; ++e)
    {
      const Point3 centre{{halo.points[e], halo.points[n_all_ + e], halo.points[2 * n_all_ + e]}};
      layer_of[e] =
        static_cast<std::size_t>(std::max(0., (dot(centre, frame.axis) - start) / thickness));
      n_layers = std::max(n_layers, layer_of[e] + 1);
    }
  n_layers = static_cast<std::size_t>(communicator.max(static_cast<double>(n_layers)));
  std::vector<double> counts(n_layers, 0.);
  for (std::size_t e = 0; e < n_elements_; ++e)
    counts[layer_of[e]] += 1.;
  communicator.sum(counts.data(), n_layers);
  std::vector<std::size_t> number(n_layers); // of the layers that have elements
  std::size_t n_filled = 0;
  for (std::size_t l = 0; l < n_layers; ++l)
    number[l] = counts[l] > 0. ? n_filled++ : n_filled;
  std::vector<std::vector<std::uint32_t>> own(n_filled), ghosts(n_filled);
  for (std::size_t e = 0; e < n_all_; ++e)
    (e < n_elements_ ? own : ghosts)[number[layer_of[e]]].push_back(static_cast<std::uint32_t>(e));

  // (3) What each element looks at.
  Points points;
  std::vector<std::uint32_t> positions;
  std::vector<double> given;
  begin_ = {0};
  for (const std::vector<std::uint32_t> &layer : own)
    {
      for (const std::uint32_t e : layer)
        {
          double lowest = std::numeric_limits<double>::max();
          for (std::size_t v = 0; v < 8; ++v)
            lowest = std::min(lowest, height_of_node(mesh.connectivity[v * n_elements_ + e]));
          const bool is_first = lowest < start + rounding * edges[e];
          const bool is_free  = mesh.flags[e] == DesignFlag::design;
          if (is_free && !is_first)
            add_points(surroundings, settings, frame, mesh.centre(e), edges[e], points);
          points.points_begin.push_back(
            static_cast<std::uint32_t>(points.entries_begin.size() - 1));
          given.push_back(!is_free ? -1. : is_first ? settings.given_at_start : 0.);
          positions.push_back(e);
        }
      begin_.push_back(positions.size());
    }

  // (4) The way back.
  std::vector<std::vector<std::uint32_t>> entries_of(n_all_);
  for (std::size_t j = 0; j < points.columns.size(); ++j)
    entries_of[points.columns[j]].push_back(static_cast<std::uint32_t>(j));
  Memory &memory = backend.memory();
  for (std::size_t l = 0; l < n_filled; ++l)
    {
      std::vector<std::uint32_t> elements, offsets{0}, places;
      for (const auto &part : {own[l], ghosts[l]})
        for (const std::uint32_t e : part)
          if (!entries_of[e].empty())
            {
              elements.push_back(e);
              places.push_back(VectorOperations<double>::itself);
              places.insert(places.end(), entries_of[e].begin(), entries_of[e].end());
              offsets.push_back(static_cast<std::uint32_t>(places.size()));
            }
      returns_.push_back({Array<std::uint32_t>(memory, elements),
                          Array<std::uint32_t>(memory, offsets),
                          Array<std::uint32_t>(memory, places),
                          Array<std::uint32_t>(memory, ghosts[l])});
    }
  elements_   = {Array<std::uint32_t>(memory, positions),
                 Array<std::uint32_t>(memory, points.points_begin),
                 Array<std::uint32_t>(memory, points.entries_begin),
                 Array<std::uint32_t>(memory, points.columns),
                 Array<double>(memory, points.weights),
                 Array<double>(memory, given)};
  y_          = Array<double>(memory, n_all_);
  s_          = Array<double>(memory, n_all_);
  by_entries_ = Array<double>(memory, points.columns.size());
}

void LayerSweep::forward(const Array<double> &x, Array<double> &y)
{
  for (std::size_t l = 0; l + 1 < begin_.size(); ++l)
    {
      backend_.design_operations().sweep_layer(rule_, elements_, begin_[l], begin_[l + 1], x, y_);
      if (halo_ != nullptr)
        halo_->update_ghosts(y_);
    }
  backend_.vector_operations<double>().copy(n_elements_, y_, y);
}

void LayerSweep::backward(const Array<double> &x, Array<double> &s)
{
  const auto &vectors = backend_.vector_operations<double>();
  s_.set_zero();
  vectors.copy(n_elements_, s, s_);
  for (std::size_t l = returns_.size(); l-- > 0;)
    {
      const Returns &returns = returns_[l];
      vectors.sum_rows(returns.elements, returns.offsets, returns.places, by_entries_, s_);
      if (halo_ != nullptr)
        {
          halo_->add_to_owners(s_);
          vectors.set(returns.ghosts, 0., s_);
        }
      backend_.design_operations().sweep_layer_back(
        rule_, elements_, begin_[l], begin_[l + 1], x, y_, by_entries_, s_);
    }
  vectors.copy(n_elements_, s_, s);
}
} // namespace strut

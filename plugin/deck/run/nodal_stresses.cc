// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/nodal_stresses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/host_halo.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/element/principal_stresses.h"

namespace strut
{
namespace
{
/// The largest value over the nodes of all ranks.
class Largest
{
public:
  void add(const double value, const std::size_t node)
  {
    if (value > value_)
      {
        value_ = value;
        node_  = node;
      }
  }

  /// Adds the largest value of nodes that follow.
  void add(const Largest &next)
  {
    add(next.value_, next.node_);
  }

  /// Returns the value and its place, or nothing if there is no node. Collective.
  /// @param sign  factor of the result, -1 for the least value
  std::optional<RunSummary::ValueAt>
  find(const Communicator &communicator, const ElementMesh &mesh, const double sign = 1.) const
  {
    const double largest = communicator.max(value_);
    if (largest == none)
      return {};
    const double rank  = communicator.rank();
    const double owner = communicator.min(value_ == largest ? rank : communicator.size());
    RunSummary::ValueAt result{sign * largest, {}};
    for (std::size_t d = 0; d < 3; ++d)
      result.place[d] = owner == rank ? mesh.coordinates[d * mesh.n_nodes + node_] : 0.;
    communicator.sum(result.place.data(), 3);
    return result;
  }

private:
  static constexpr double none = -std::numeric_limits<double>::infinity();

  double value_     = none;
  std::size_t node_ = 0;
};

/// Values of the stresses at nodes.
struct Extremes
{
  void add(const Extremes &next)
  {
    von_mises.add(next.von_mises);
    principal.add(next.principal);
    compression.add(next.compression);
    inverse_safety.add(next.inverse_safety);
  }

  Largest von_mises, principal, compression, inverse_safety;
};

/// Returns "5.2 at (1, 0, 2)".
std::string text_of(const RunSummary::ValueAt &value)
{
  std::ostringstream text;
  text << value.value << " at " << place_text(value.place);
  return text.str();
}
} // namespace

NodalStresses measure_nodal_stresses(const Communicator &communicator,
                                     const Problem &problem,
                                     const StressFields &fields,
                                     const std::vector<NamedPoint> &points,
                                     const bool wants_field,
                                     const int n_threads)
{
  const ElementMesh &mesh                       = fields.mesh;
  const std::vector<double> &strengths          = problem.strengths();
  const std::vector<std::uint32_t> &material_of = problem.material_numbers();
  NodalStresses result;
  for (const NamedPoint &point : points)
    {
      RunSummary::PointValue value{point.name, {}, {}, {}};
      for (unsigned int d = 0; d < 3; ++d)
        {
          value.place[d] = point.place[d];
          for (std::size_t a = 0; a < point.weights.size(); ++a)
            value.displacement[d] +=
              point.weights[a] *
              fields.displacement[3 * std::size_t(mesh.node(point.element, a)) + d];
        }
      communicator.sum(value.displacement.data(), 3);
      result.points.push_back(value);
    }
  if (wants_field)
    result.field.assign(6 * mesh.n_owned_nodes, 0.f);
  std::vector<float> of_field(wants_field ? mesh.n_owned_nodes : 0, -1.f);
  Extremes extremes;
  std::vector<double> sums;
  for (std::size_t m = 0; m < strengths.size(); ++m)
    {
      const auto counts = [&](const std::size_t e) {
        return fields.stiffness[e] > 0. && (material_of.empty() || material_of[e] == m);
      };
      std::vector<double>().swap(sums); // before the next ones need the memory
      sums = cpu::filled_vector<double>(n_threads, n_stress_sums * mesh.n_nodes);
      add_stresses_at_nodes(fields, counts, n_threads, sums);
      add_to_owners(communicator.mpi(), mesh, sums);
      const auto mean_at = [&](const std::size_t node) {
        Stress mean;
        const double *const sum = &sums[n_stress_sums * node];
        for (std::size_t k = 0; k < 6; ++k)
          mean.component[k] = sum[k] / sum[6];
        return mean;
      };
      const auto of_block = [&](const std::size_t begin, const std::size_t end) {
        Extremes of_these;
        for (std::size_t node = begin; node < end; ++node)
          {
            if (!(sums[n_stress_sums * node + 6] > 0.))
              continue;
            const Stress mean                      = mean_at(node);
            const double equivalent                = von_mises(mean);
            const std::array<double, 3> principals = principal_stresses(mean);
            of_these.von_mises.add(equivalent, node);
            of_these.principal.add(principals[0], node);
            of_these.compression.add(-principals[2], node);
            if (strengths[m] > 0.)
              of_these.inverse_safety.add(equivalent / strengths[m], node);
            if (wants_field && static_cast<float>(equivalent) > of_field[node])
              {
                of_field[node] = static_cast<float>(equivalent);
                for (std::size_t k = 0; k < 6; ++k)
                  result.field[6 * node + k] = static_cast<float>(mean.component[k]);
              }
          }
        return of_these;
      };
      for (const Extremes &of_these :
           cpu::values_of_blocks(n_threads, mesh.n_owned_nodes, of_block))
        extremes.add(of_these);
      if (points.empty())
        continue;
      update_ghosts(communicator.mpi(), mesh, sums);
      for (std::size_t p = 0; p < points.size(); ++p)
        {
          std::array<double, 7> stress{}; // the last is 1 if the material is there
          if (!points[p].weights.empty() && counts(points[p].element))
            {
              stress[6] = 1.;
              for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
                {
                  const Stress mean = mean_at(mesh.node(points[p].element, a));
                  for (std::size_t k = 0; k < 6; ++k)
                    stress[k] += points[p].weights[a] * mean.component[k];
                }
            }
          communicator.sum(stress.data(), stress.size());
          if (stress[6] > 0.)
            {
              std::array<double, 6> &of_point = result.points[p].stress.emplace();
              std::copy_n(stress.begin(), 6, of_point.begin());
            }
        }
    }
  result.largest.von_mises         = extremes.von_mises.find(communicator, mesh);
  result.largest.largest_principal = extremes.principal.find(communicator, mesh);
  result.largest.least_principal   = extremes.compression.find(communicator, mesh, -1.);
  if (const auto inverse = extremes.inverse_safety.find(communicator, mesh);
      inverse && inverse->value > 0.)
    result.largest.safety_factor = {1. / inverse->value, inverse->place};
  return result;
}

std::string describe(const RunSummary::NodalStresses &stresses, const std::string &of_case)
{
  if (!stresses.von_mises)
    return "";
  std::string text = "Stresses at nodes: von Mises up to " + text_of(*stresses.von_mises) +
                     "; principal from " + text_of(*stresses.least_principal) + " to " +
                     text_of(*stresses.largest_principal) + of_case + '\n';
  if (stresses.safety_factor)
    text +=
      "Least safety factor, strength over von Mises stress: " + text_of(*stresses.safety_factor) +
      of_case + '\n';
  return text;
}

std::string describe(const std::vector<RunSummary::PointValue> &points, const std::string &of_case)
{
  std::ostringstream text;
  for (const RunSummary::PointValue &point : points)
    {
      const auto &u = point.displacement;
      text << "Point '" << point.name << "' at " << place_text(point.place) << ": displacement ("
           << u[0] << ", " << u[1] << ", " << u[2] << ')';
      constexpr const char *names[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
      for (std::size_t k = 0; point.stress && k < 6; ++k)
        text << (k == 0 ? "; stress " : ", ") << names[k] << ' ' << (*point.stress)[k];
      text << of_case << '\n';
    }
  return text.str();
}
} // namespace strut

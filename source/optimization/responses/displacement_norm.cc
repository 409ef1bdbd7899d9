// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/responses/shares_of_nodes.h"

#include <strut/optimization/responses/response.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut
{
namespace
{
struct Settings
{
  double exponent = 8.;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add(
      "Exponent",
      exponent,
      {2., 1000.},
      "2: the root mean square of the displacements; the larger, the nearer to the largest one.");
    region.declare(list);
  }
};

/// `R = (1/W sum_n w_n |u_n|^P)^(1/P)` over the nodes of the region, with w_n of shares_of_nodes()
/// and their sum W; `dR/du_n = w_n / W (|u_n| / R)^(P-2) u_n / R`.
class DisplacementNorm : public DisplacementResponse
{
public:
  DisplacementNorm(const ResponseContext &context, const Settings &settings)
    : communicator_(context.communicator)
    , nodes_(nodes_of(settings.region, context.regions, context.mesh))
    , n_owned_dofs_(context.mesh.n_owned_dofs())
    , shares_(shares_of_nodes(nodes_, communicator_, context.mesh))
    , all_(communicator_.sum(std::accumulate(shares_.begin(), shares_.end(), 0.)))
    , exponent_(settings.exponent)
  {}

  double value(const LoadCase &, const std::vector<double> &u) override
  {
    // Relative to the largest length, so that no power overflows.
    double largest = 0;
    for (const LocalIndex node : nodes_)
      largest = std::max(largest, length(u, node));
    largest = communicator_.max(largest);
    if (largest == 0.)
      return last_ = 0.;
    double sum = 0;
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      sum += shares_[k] * std::pow(length(u, nodes_[k]) / largest, exponent_);
    return last_ = largest * std::pow(communicator_.sum(sum) / all_, 1. / exponent_);
  }

  std::vector<double> derivative(const LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(n_owned_dofs_, 0.);
    if (last_ > 0.)
      for (std::size_t k = 0; k < nodes_.size(); ++k)
        {
          const LocalIndex node = nodes_[k];
          const double factor =
            shares_[k] * std::pow(length(u, node) / last_, exponent_ - 2.) / (all_ * last_);
          for (std::size_t c = 0; c < 3; ++c)
            result[3 * node + c] = factor * u[3 * node + c];
        }
    return result;
  }

private:
  static double length(const std::vector<double> &u, const std::size_t node)
  {
    return std::hypot(u[3 * node], u[3 * node + 1], u[3 * node + 2]);
  }

  Communicator communicator_;
  std::vector<LocalIndex> nodes_; ///< owned nodes of the region
  std::size_t n_owned_dofs_;
  std::vector<double> shares_; ///< w_n of the nodes
  double all_;                 ///< W, over all ranks
  double exponent_;
  double last_ = 0; ///< last value of R
};
} // namespace

ResponseEntry displacement_norm()
{
  ResponseEntry entry;
  entry.name       = "displacement norm";
  entry.summary    = "the p-norm of the displacements of a region, a smooth largest one";
  entry.parameters = parameters_of<Settings>();
  entry.make       = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<DisplacementNorm>(context, settings_from<Settings>(context.values));
  };
  return entry;
}
} // namespace strut

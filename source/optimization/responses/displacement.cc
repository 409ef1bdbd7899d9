// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/frame.h"
#include "source/optimization/responses/shares_of_nodes.h"

#include <strut/optimization/responses/response.h>

#include <numeric>

namespace strut
{
namespace
{
struct Settings
{
  std::vector<double> direction = {0., 0., 1.};
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add("Direction",
             direction,
             {-1e300, 1e300},
             "Three numbers, of any length: displacements count along it.");
    region.declare(list);
  }
};

/// `R = 1/W sum_n w_n d . u_n` over the nodes of the region, with the unit vector d, w_n of
/// shares_of_nodes() and their sum W.
class MeanDisplacement : public DisplacementResponse
{
public:
  MeanDisplacement(const ResponseContext &context, const Settings &settings)
    : communicator_(context.communicator)
    , nodes_(nodes_of(settings.region, context.regions, context.mesh))
    , gradient_(context.mesh.n_owned_dofs(), 0.)
  {
    const std::array<double, 3> d =
      unit_vector(settings.direction, "The direction of a displacement");
    const std::vector<double> shares = shares_of_nodes(nodes_, communicator_, context.mesh);
    const double all = communicator_.sum(std::accumulate(shares.begin(), shares.end(), 0.));
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c)
        gradient_[3 * nodes_[k] + c] = shares[k] * d[c] / all;
  }

  double value(const LoadCase &, const std::vector<double> &u) override
  {
    double sum = 0;
    for (const LocalIndex node : nodes_)
      for (std::size_t c = 0; c < 3; ++c)
        sum += gradient_[3 * node + c] * u[3 * node + c];
    return communicator_.sum(sum);
  }

  std::vector<double> derivative(const LoadCase &, const std::vector<double> &) override
  {
    return gradient_;
  }

  /// Throws Error if supports prescribe all displacements that count. Collective.
  void require_motion(const ElementMesh &mesh) const
  {
    std::vector<bool> is_held(mesh.n_dofs(), false);
    for (const LocalIndex dof : mesh.constrained_dofs)
      is_held[dof] = true;
    bool moves = false;
    for (std::size_t dof = 0; dof < gradient_.size(); ++dof)
      moves = moves || (gradient_[dof] != 0. && !is_held[dof]);
    if (!communicator_.any(moves))
      throw Error(
        "Supports prescribe the displacements of all nodes of the region along the direction, so no design changes them. "
        "Take nodes that can move, or another direction.");
  }

private:
  Communicator communicator_;
  std::vector<LocalIndex> nodes_; ///< owned nodes of the region
  std::vector<double> gradient_;  ///< dR/du, `[3 * n_owned_nodes]`
};
} // namespace

ResponseEntry displacement()
{
  ResponseEntry entry;
  entry.name       = "displacement";
  entry.summary    = "the mean displacement of the nodes of a region in a direction";
  entry.parameters = parameters_of<Settings>();
  entry.make       = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    auto response =
      std::make_unique<MeanDisplacement>(context, settings_from<Settings>(context.values));
    response->require_motion(context.mesh);
    return response;
  };
  return entry;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <cmath>

#include "dam.h"

namespace dam
{
namespace
{
struct Settings
{
  std::vector<double> direction = {1., 0., 0.};

  void declare(strut::ParameterList &list)
  {
    list.add("Direction",
             direction,
             {-1e300, 1e300},
             "Three components; the length does not matter.");
  }
};

/// Response `J = sqrt(1/N sum_n (d.u_n)^2)` over the N nodes, the root mean square of the
/// displacement along the unit vector d. Its gradient is `dJ/du_n = (d.u_n) d / (N J)`.
class Sway : public strut::DisplacementResponse
{
public:
  Sway(const strut::ResponseContext &context, const std::vector<double> &direction)
    : communicator_(context.communicator)
    , n_owned_(context.mesh.n_owned_nodes)
    , n_(communicator_.sum(static_cast<double>(n_owned_)))
  {
    const double length =
      direction.size() == 3 ? std::hypot(direction[0], direction[1], direction[2]) : 0.;
    if (length == 0.)
      throw strut::Error(
        "The response 'sway' needs a 'Direction' of three components, not all zero.");
    for (std::size_t c = 0; c < 3; ++c)
      d_[c] = direction[c] / length;
  }

  double value(const strut::LoadCase &, const std::vector<double> &u) override
  {
    double sum = 0;
    for (std::size_t n = 0; n < n_owned_; ++n)
      sum += std::pow(along(u, n), 2);
    return J_ = std::sqrt(communicator_.sum(sum) / n_);
  }

  std::vector<double> derivative(const strut::LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(3 * n_owned_, 0.);
    if (J_ > 0.)
      for (std::size_t n = 0; n < n_owned_; ++n)
        for (std::size_t c = 0; c < 3; ++c)
          result[3 * n + c] = along(u, n) * d_[c] / (n_ * J_);
    return result;
  }

private:
  double along(const std::vector<double> &u, const std::size_t n) const
  {
    return d_[0] * u[3 * n] + d_[1] * u[3 * n + 1] + d_[2] * u[3 * n + 2];
  }

  strut::Communicator communicator_;
  std::size_t n_owned_; ///< nodes of this rank
  double n_;            ///< nodes of all ranks
  double d_[3];
  double J_ = 0; ///< the last value
};
} // namespace

strut::ResponseEntry sway()
{
  strut::ResponseEntry entry;
  entry.name       = "sway";
  entry.summary    = "the root mean square of the displacement in a direction, see subsection Sway";
  entry.parameters = strut::parameters_of<Settings>();
  entry.make       = [](const strut::ResponseContext &context) -> std::unique_ptr<strut::Response> {
    return std::make_unique<Sway>(context,
                                  strut::settings_from<Settings>(context.values).direction);
  };
  return entry;
}
} // namespace dam

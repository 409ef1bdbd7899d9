// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <cmath>

#include "dam.h"

namespace dam
{
namespace
{
/// `J = (1/N sum_n |u_n|^p)^(1/p)` over the N nodes: for large p the largest displacement.
/// `dJ/du_n = 1/N (|u_n| / J)^(p-2) u_n / J`.
class PeakDisplacement : public strut::DisplacementResponse
{
public:
  PeakDisplacement(const strut::Communicator &communicator,
                   const std::size_t n_owned_nodes,
                   const double p)
    : communicator_(communicator)
    , n_owned_(n_owned_nodes)
    , n_(communicator.sum(static_cast<double>(n_owned_nodes)))
    , p_(p)
  {}

  double value(const strut::LoadCase &, const std::vector<double> &u) override
  {
    // relative to the largest one, so that no power overflows
    double largest = 0;
    for (std::size_t n = 0; n < n_owned_; ++n)
      largest = std::max(largest, length(u, n));
    largest = communicator_.max(largest);
    if (largest == 0.)
      return J_ = 0.;
    double sum = 0;
    for (std::size_t n = 0; n < n_owned_; ++n)
      sum += std::pow(length(u, n) / largest, p_);
    return J_ = largest * std::pow(communicator_.sum(sum) / n_, 1. / p_);
  }

  std::vector<double> derivative(const strut::LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(3 * n_owned_, 0.);
    if (J_ > 0.)
      for (std::size_t n = 0; n < n_owned_; ++n)
        {
          const double factor = std::pow(length(u, n) / J_, p_ - 2.) / (n_ * J_);
          for (std::size_t c = 0; c < 3; ++c)
            result[3 * n + c] = factor * u[3 * n + c];
        }
    return result;
  }

private:
  static double length(const std::vector<double> &u, const std::size_t n)
  {
    return std::hypot(u[3 * n], u[3 * n + 1], u[3 * n + 2]);
  }

  strut::Communicator communicator_;
  std::size_t n_owned_; ///< nodes of this rank
  double n_;            ///< nodes of all ranks
  double p_;
  double J_ = 0; ///< the last value
};

struct Settings
{
  double p = 8.;

  void declare(strut::ParameterList &list)
  {
    list.add(
      "Exponent",
      p,
      {2., 1000.},
      "2: the root mean square of the displacements; the larger, the nearer to the largest one.");
  }
};
} // namespace

strut::ResponseEntry peak_displacement()
{
  strut::ResponseEntry entry;
  entry.name       = "peak displacement";
  entry.summary    = "a smooth largest displacement, see subsection Peak displacement";
  entry.parameters = strut::parameters_of<Settings>();
  entry.make       = [](const strut::ResponseContext &context) -> std::unique_ptr<strut::Response> {
    const double p = strut::settings_from<Settings>(context.values).p;
    return std::make_unique<PeakDisplacement>(context.communicator, context.mesh.n_owned_nodes, p);
  };
  return entry;
}
} // namespace dam

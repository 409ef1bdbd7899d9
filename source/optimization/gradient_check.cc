// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/design_operations.h>
#include <strut/optimization/gradient_check.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut
{
namespace
{
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// J of given densities, and its derivative on demand.
class CheckedFunction
{
public:
  CheckedFunction(Backend &backend,
                  StateSolver &state,
                  const Interpolation &interpolation,
                  Response &response,
                  const GradientCheckSettings &settings)
    : backend_(backend)
    , state_(state)
    , interpolation_(interpolation)
    , response_(response)
    , cases_(settings.cases)
    , by_load_case_(settings.by_load_case)
  {
    if (cases_.empty())
      for (std::size_t l = 0; l < state.n_load_cases(); ++l)
        cases_.push_back(l);
  }

  double value(const std::vector<double> &rho, Array<double> *derivative = nullptr)
  {
    Memory &memory = backend_.memory();
    const Array<double> densities(memory, rho);
    Array<double> stiffness(memory, rho.size()), work(memory, rho.size());
    backend_.design_operations().interpolate(interpolation_, densities, stiffness);
    state_.set_stiffness(stiffness);
    state_.set_densities(densities);
    const AnalysedDesign design{densities, interpolation_, state_};
    const auto add = [&](const std::size_t l, const double weight) {
      if (derivative == nullptr)
        return weight * response_.evaluate(design, l, nullptr).value;
      Derivative sum(backend_, interpolation_, densities, weight, work, *derivative);
      return weight * response_.evaluate(design, l, &sum).value;
    };
    if (!by_load_case_)
      return add(0, 1.);
    double J = 0.;
    for (const std::size_t l : cases_)
      {
        state_.solve(l);
        J += add(l, state_.load_case(l).weight);
      }
    return J;
  }

private:
  Backend &backend_;
  StateSolver &state_;
  Interpolation interpolation_;
  Response &response_;
  std::vector<std::size_t> cases_;
  bool by_load_case_;
};
} // namespace

double GradientCheck::largest_error() const
{
  double error = 0., scale = size;
  if (!std::isfinite(size))
    return unbounded;
  for (const Row &row : rows)
    {
      if (!std::isfinite(row.error()))
        return unbounded;
      error = std::max(error, row.error());
      scale = std::max(scale, std::abs(row.difference));
    }
  return error > 0. ? error / scale : 0.;
}

GradientCheck check_gradient(Backend &backend,
                             const Communicator &communicator,
                             StateSolver &state,
                             const Interpolation &interpolation,
                             Response &response,
                             const std::vector<double> &densities,
                             const GradientCheckSettings &settings)
{
  CheckedFunction J(backend, state, interpolation, response, settings);
  GradientCheck check;
  Array<double> sum(backend.memory(), densities.size());
  response.begin_design();
  check.value                      = J.value(densities, &sum);
  const std::vector<double> slopes = sum.to_host();
  for (const double slope : slopes)
    check.size = std::max(check.size, std::isfinite(slope) ? std::abs(slope) : unbounded);
  check.size = communicator.max(check.size);

  // One element after the other, of one rank after the other, since all ranks solve together.
  std::vector<double> rho = densities;
  for (int rank = 0; rank < communicator.size(); ++rank)
    {
      const bool is_mine      = rank == communicator.rank();
      const std::size_t n     = densities.size();
      const std::size_t n_all = communicator.sum(is_mine ? std::min(settings.n_elements, n) : 0);
      for (std::size_t i = 0; i < n_all; ++i)
        {
          const std::size_t e = is_mine ? (2 * i + 1) * n / (2 * n_all) : 0;
          const auto moved    = [&](const double by) {
            if (is_mine)
              rho[e] = densities[e] + by;
            return J.value(rho);
          };
          const auto slope = [&](const double h) { return (moved(h) - moved(-h)) / (2. * h); };
          const double h   = settings.step;
          GradientCheck::Row row;
          row.rank       = rank;
          row.element    = communicator.sum(is_mine ? e : 0);
          row.derivative = communicator.sum(is_mine ? slopes[e] : 0.);
          row.difference = (4. * slope(h) - slope(2. * h)) / 3.;
          if (is_mine)
            rho[e] = densities[e];
          check.rows.push_back(row);
        }
    }
  return check;
}
} // namespace strut

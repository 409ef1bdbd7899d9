// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/stress_operations.h"
#include "source/design/stress_limit.h"
#include "source/optimization/responses/solid_stress.h"

#include <strut/backend/design_operations.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
struct LimitSettings
{
  double limit          = 0.; ///< 0 if it is not set
  double penalty        = 10.;
  double growth         = 1.1;
  double most           = 1e4;
  unsigned int interval = 5;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add(
      "Limit",
      limit,
      {0., 1e300},
      "Largest von Mises stress of an element of the region, in each load case. Has to be set.");
    list.add("Penalty", penalty, {1e-6, 1e12}, "Of stresses above the limit, in the first design.");
    list.add("Penalty growth", growth, {1., 10.}, "Factor of the penalty at each renewal.");
    list.add("Largest penalty", most, {1e-6, 1e12}, "Where it stops to grow.");
    list.add(
      "Designs per renewal",
      interval,
      {1, 1000},
      "The multipliers of all elements and the penalty are renewed with every so many designs.");
    region.declare(list);
  }
};

/// The mass, with a limit of the stress in each element of a region. The limits are in an augmented
/// Lagrangian function (Senhora, Giraldo-Londono, Menezes and Paulino 2020):
///
///     sum_l w_l R_l = M + sum_l sum_e v_e / V phi(g_le, lambda_le),
///     M             = sum_e m_e rho_e / sum_e m_e,
///
/// with the term phi of StressLimit for each load case l, independent of its weight w_l. M counts
/// all elements but void ones, with the masses m_e of their solids. V is the volume of the region:
/// on a mesh of equal elements v_e / V is the 1 / N of the paper. The sum of the forces of all
/// elements is one right-hand side, so there is one adjoint solve per load case.
///
/// After every interval of designs the multipliers become `lambda = max(0, lambda + mu g)`, at the
/// stresses of the next design, with g limited to 1000. Then mu grows. lambda is 0 in elements
/// whose solid has less than half of the limit. So a first step that was too long leaves no
/// multipliers that no later design needs.
class MassWithStressLimits : public Response
{
public:
  MassWithStressLimits(const ResponseContext &context, const LimitSettings &settings)
    : backend_(context.backend)
    , communicator_(context.communicator)
    , settings_(settings)
    , masses_(masses_of(context))
    , weights_(SolidStress::weights_of(settings.region, context))
    , solid_(context)
  {
    if (!(settings.limit > 0.))
      throw Error(
        "The response 'mass with stress limits' has no limit: say which von Mises stress an "
        "element may have at most, a positive number.");
  }

  void begin_design() override
  {
    std::fill(ratios_.begin(), ratios_.end(), not_known);
    for (Case &of_case : cases_)
      of_case.is_new = false;
  }

  void abandon_design() override
  {
    for (Case &of_case : cases_)
      {
        if (!of_case.is_new)
          continue;
        of_case.is_new = false;
        --of_case.n_designs;
        if (renews(of_case))
          of_case.multipliers.swap(of_case.last_multipliers);
      }
  }

  Value
  evaluate(const AnalysedDesign &design, const std::size_t l, Derivative *const derivative) override
  {
    const StressOperations &operations = backend_.stress_operations();
    const auto &vectors                = backend_.vector_operations<double>();
    const std::size_t n                = weights_.size();
    Array<double> &stress              = solid_.solve(design, l);
    if (stiffness_.size() != n)
      stiffness_ = Array<double>(backend_.memory(), n);
    backend_.design_operations().interpolate(design.interpolation, design.densities, stiffness_);
    while (cases_.size() <= l)
      cases_.push_back({0, Array<double>(backend_.memory(), n), {}, false});
    if (ratios_.size() <= l)
      ratios_.resize(l + 1, not_known);
    // Stress of the present material, E vM: in grey elements it is less than the stress that the
    // limit applies to. Trials do not count.
    if (ratios_[l] == not_known)
      ratios_[l] = communicator_.max(operations.largest({1., 1.}, weights_, stiffness_, stress)) /
                   settings_.limit;
    Case &of_case = cases_[l];
    if (derivative != nullptr) // Only designs with derivatives count.
      {
        if (renews(of_case))
          {
            if (of_case.last_multipliers.empty())
              of_case.last_multipliers = Array<double>(backend_.memory(), n);
            of_case.last_multipliers.copy_from(of_case.multipliers);
            operations.renew_multipliers(limit_of(of_case),
                                         stiffness_,
                                         stress,
                                         of_case.multipliers);
          }
        ++of_case.n_designs;
        of_case.is_new = true;
      }
    const StressLimit limit = limit_of(of_case);
    const auto n_cases      = static_cast<double>(design.state.n_load_cases());
    const double weight     = design.state.load_case(l).weight;
    const double sums       = communicator_.sum(
      vectors.dot(n, masses_, design.densities) / n_cases +
      operations.limit_terms(limit, weights_, stiffness_, stress, of_case.multipliers));
    if (derivative == nullptr)
      return {sums / weight};

    Array<double> &work = derivative->work();
    work.set_zero();
    vectors.axpy(n, 1. / (n_cases * weight), masses_, work);
    derivative->add_by_density(work);
    operations.limit_slopes(
      limit, 1. / weight, weights_, stiffness_, of_case.multipliers, stress, work);
    derivative->add_by_stiffness(work);
    return {sums / weight, solid_.add_derivative(design, l, *derivative)};
  }

  ResponseFault fault() const override
  {
    constexpr double tolerance = 1e-2, most = 2e-2; // relative to the limit
    if (ratios_.empty())
      return {};
    const double worst = *std::max_element(ratios_.begin(), ratios_.end());
    ResponseFault fault;
    fault.largest = worst * settings_.limit;
    fault.limit   = settings_.limit;
    std::ostringstream text;
    if (worst < far_below)
      {
        text << "the limit of the stresses is far from the design: the largest is " << worst
             << " times it";
        fault.note = text.str();
      }
    else if (worst > 1. + tolerance)
      {
        text
          << "the largest stress is " << worst
          << " times its limit. This is the stress of the present material, that of the solid times its share of the stiffness";
        fault.text        = text.str();
        fault.falls_short = worst > 1. + most;
      }
    return fault;
  }

  ResponseState state() const override
  {
    ResponseState state;
    state.numbers.push_back(static_cast<double>(cases_.size()));
    for (std::size_t l = 0; l < cases_.size(); ++l)
      {
        state.numbers.push_back(cases_[l].n_designs);
        state.numbers.push_back(ratios_[l]);
        state.element_fields.push_back(cases_[l].multipliers.to_host());
      }
    return state;
  }

  void restore(const ResponseState &state) override
  {
    cases_.clear();
    ratios_.clear();
    for (std::size_t l = 0; l < state.element_fields.size(); ++l)
      {
        cases_.push_back({static_cast<unsigned int>(state.numbers.at(2 * l + 1)),
                          Array<double>(backend_.memory(), state.element_fields[l]),
                          {},
                          false});
        ratios_.push_back(state.numbers.at(2 * l + 2));
      }
  }

private:
  struct Case
  {
    unsigned int n_designs; ///< designs whose derivative was computed
    Array<double> multipliers;
    Array<double> last_multipliers; ///< multipliers before the last renewal, once there was one
    bool is_new; ///< whether the design since begin_design() is already counted here
  };

  /// A largest stress below this share of the limit gets a note.
  static constexpr double far_below = 0.5;

  /// Value of a largest stress that is not yet known.
  static constexpr double not_known = -1.;

  /// Whether the multipliers are renewed with the next design.
  bool renews(const Case &of_case) const
  {
    return of_case.n_designs > 0 && of_case.n_designs % settings_.interval == 0;
  }

  /// Returns `v_e r_e / sum_e v_e r_e` over all elements but void ones, with the ratios r of their
  /// masses. Collective.
  static Array<double> masses_of(const ResponseContext &context)
  {
    const ElementMesh &mesh = context.mesh;
    double mass             = 0.;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      mass += mesh.flags[e] == DesignFlag::empty ? 0. : mesh.volumes[e] * context.solids.mass_of(e);
    mass = context.communicator.sum(mass);
    std::vector<double> masses;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      masses.push_back(mesh.flags[e] == DesignFlag::empty
                         ? 0.
                         : mesh.volumes[e] * context.solids.mass_of(e) / mass);
    return Array<double>(context.backend.memory(), masses);
  }

  /// The stress limit with the penalty of the last design.
  StressLimit limit_of(const Case &of_case) const
  {
    const unsigned int n_renewals =
      of_case.n_designs == 0 ? 0 : (of_case.n_designs - 1) / settings_.interval;
    const double grown = settings_.penalty * std::pow(settings_.growth, n_renewals);
    return {settings_.limit, std::max(settings_.penalty, std::min(grown, settings_.most))};
  }

  Backend &backend_;
  Communicator communicator_;
  const LimitSettings settings_;
  Array<double> masses_;    ///< m_e over the sum of all, `[n_elements]`
  Array<double> weights_;   ///< v_e / V, 0 outside of the region, `[n_elements]`
  Array<double> stiffness_; ///< factors of the evaluated design, `[n_elements]`
  SolidStress solid_;
  std::vector<Case> cases_;
  /// Largest stress over the limit, for each load case of the last design.
  std::vector<double> ratios_;
};
} // namespace

ResponseEntry mass_with_stress_limits()
{
  ResponseEntry entry;
  entry.name = "mass with stress limits";
  entry.summary =
    "the mass as a share of the solid's, and a penalty on each element whose von Mises stress is "
    "above its limit, by the augmented Lagrangian function";
  entry.is_amount         = true;
  entry.only_minimised    = true;
  entry.takes_stresses    = true;
  entry.parameters        = parameters_of<LimitSettings>();
  entry.bytes_of_type     = &SolidStress::bytes_of_type;
  entry.bytes_per_element = SolidStress::bytes_per_element + // The masses are those of `amount`.
                            sizeof(double);                  // Factors.
  entry.bytes_per_node      = SolidStress::bytes_per_node;
  entry.bytes_per_load_case = 2 * sizeof(double);
  entry.fields_in_state     = 1;
  entry.make                = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<MassWithStressLimits>(context,
                                                  settings_from<LimitSettings>(context.values));
  };
  return entry;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/mass_matrix.h"
#include "source/solvers/state/vibration.h"

#include <strut/optimization/responses/response.h>

#include <cmath>

namespace strut
{
namespace
{
struct Settings
{
  unsigned int n_modes        = 3;
  double exponent             = 8.;
  double density              = 1.;
  MassKind kind               = MassKind::consistent;
  bool soft_end               = true;
  bool counts_all             = true;
  double tolerance            = 1e-6;
  unsigned int max_iterations = 1000;

  void declare(ParameterList &list)
  {
    list.add("Modes", n_modes, {1, 50}, "How many of the lowest frequencies count.");
    list.add(
      "Exponent",
      exponent,
      {1., 100.},
      "P of the mean of their squares, which is below the lowest one and near to it: the larger P, the nearer.");
    list.add("Density", density, {1e-300, 1e300}, "Of the solid, mass per volume.");
    list.add<MassKind>(
      "Mass",
      kind,
      {{"consistent", MassKind::consistent}, {"lumped", MassKind::lumped}},
      "consistent: of the shape functions; lumped: its rows summed up on the diagonal.");
    list.add<bool>(
      "Mass of low densities",
      soft_end,
      {{"reduced", true}, {"linear", false}},
      "reduced: below a density of 0.1 mass falls as its sixth power, so that no mode lives in void, but not below the "
      "stiffness factor; linear: mass is density, everywhere.");
    list.add<bool>(
      "Modes at planes",
      counts_all,
      {{"all", true}, {"symmetric", false}},
      "all: the lowest of the whole body count, which keep or change their sign at planes of 'Symmetry'; each plane doubles "
      "solves and memory of modes. symmetric: those alone that keep it.");
    list.add(
      "Tolerance",
      tolerance,
      {1e-14, 1e-2},
      "Of the error of each mode in energy, as the preconditioner measures it; an eigenvalue has about the square of it.");
    list.add("Maximum iterations", max_iterations, {1, 100000}, "Of the eigenvalue solver.");
  }
};

/// A mean of the n lowest frequencies, in cycles per time:
///
///     R = sqrt(lambda) / (2 pi),   lambda = (sum_i lambda_i^-P)^(-1/P),
///     K phi_i = lambda_i M phi_i,
///     dlambda_i/drho_e = E'(rho_e) phi_i.K0_e phi_i - lambda_i m'(rho_e) phi_i.M0_e phi_i.
///
/// K0 and M0 are those of the solid of the element; M has Structure::masses, too. As a symmetric
/// function of the frequencies the mean is smooth where they cross or coincide; a single frequency
/// is not (Seyranian, Lund and Olhoff 1994).
class Frequency : public Response
{
public:
  Frequency(const ResponseContext &context, const Settings &settings)
    : backend_(context.backend)
    , settings_(settings)
    , mass_(backend_.make_mass_matrix(context.mesh, settings.kind))
    , factors_(backend_.memory(), context.mesh.n_elements)
    , sum_(backend_.memory(), context.mesh.n_elements)
    , ratios_(backend_.memory(), context.solids.mass)
  {}

  Value evaluate(const AnalysedDesign &design, std::size_t, Derivative *const derivative) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    const std::size_t n = factors_.size();
    const MassInterpolation interpolation{settings_.soft_end, design.interpolation};
    mass_->interpolate(interpolation, design.densities, factors_);
    multiply_by_ratios(factors_);
    const VibrationReport report = design.state.solve_vibration(*mass_,
                                                                factors_,
                                                                {settings_.n_modes,
                                                                 settings_.tolerance,
                                                                 settings_.max_iterations,
                                                                 settings_.counts_all,
                                                                 1. / settings_.density});
    SolverReport found; // The residual of the eigenvalue solver is not a residual of displacements.
    found.iterations    = report.iterations;
    const double lowest = report.eigenvalues.front();
    double sum          = 0.; // Relative to the lowest eigenvalue, so that no power overflows.
    for (const double value : report.eigenvalues)
      sum += std::pow(value / lowest, -settings_.exponent);
    const double mean  = lowest * std::pow(sum, -1. / settings_.exponent);
    const double value = std::sqrt(mean / settings_.density) / (2. * M_PI);
    if (derivative == nullptr)
      return {value, found};

    // dR = R / (2 lambda) sum_i w_i dlambda_i
    Array<double> &energies = derivative->work();
    const auto weight       = [&](const std::size_t i) {
      return 0.5 * value / mean * std::pow(mean / report.eigenvalues[i], settings_.exponent + 1.);
    };
    sum_.set_zero();
    for (std::size_t i = 0; i < report.eigenvalues.size(); ++i)
      {
        design.state.mode_energies(i, energies);
        vectors.axpy(n, -weight(i), energies, sum_);
      }
    derivative->add_by_stiffness(sum_);
    sum_.set_zero();
    for (std::size_t i = 0; i < report.eigenvalues.size(); ++i)
      {
        mass_->energies(design.state.mode(i), energies);
        multiply_by_ratios(energies);
        mass_->add_sensitivities(
          interpolation, -weight(i) * report.eigenvalues[i], design.densities, energies, sum_);
      }
    derivative->add_by_density(sum_);
    return {value, found};
  }

private:
  /// Multiply x_e by r_e, where there are several solids.
  void multiply_by_ratios(Array<double> &x) const
  {
    if (!ratios_.empty())
      backend_.vector_operations<double>().multiply(ratios_.size(), ratios_, x, x);
  }

  Backend &backend_;
  const Settings settings_;
  std::unique_ptr<MassMatrix> mass_;
  Array<double> factors_, sum_;
  Array<double> ratios_; ///< r, `[n_elements]`; empty with one solid
};
} // namespace

ResponseEntry frequency()
{
  ResponseEntry entry;
  entry.name         = "frequency";
  entry.summary      = "a mean of the lowest frequencies of vibration, at most the lowest one";
  entry.second_solve = false;
  entry.by_load_case = false;
  entry.parameters   = parameters_of<Settings>();
  entry.n_modes      = [](const ParameterValues &values) {
    return static_cast<std::size_t>(settings_from<Settings>(values).n_modes);
  };
  entry.counts_all_modes = [](const ParameterValues &values) {
    return settings_from<Settings>(values).counts_all;
  };
  entry.bytes_per_element = 2. * sizeof(double);
  entry.bytes_per_node    = MassMatrix::bytes_per_node;
  entry.bytes_of_type     = &MassMatrix::bytes_per_element;
  entry.make              = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<Frequency>(context, settings_from<Settings>(context.values));
  };
  return entry;
}
} // namespace strut

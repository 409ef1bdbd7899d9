// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/packed_values.h>
#include <strut/solvers/state/nodal_forces.h>
#include <strut/solvers/state/stiffness_solver.h>
#include <strut/solvers/state/vibration.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
class ElementStress;
class MassMatrix;
class NodalFields;

/// One set of forces, and how much its compliance counts.
struct LoadCase
{
  std::string name;
  double weight = 1.;
  NodalForces forces; ///< `[3 * n_owned_nodes]`, force on each owned DoF

  /// Self weight: force per volume of solid material, `[3][n_elements]`, on every rank or on none; times the
  /// density it adds to `forces`. Empty if none.
  std::vector<double> weights = {};

  /// Whether forces follow the densities; a rank without elements has no weights, but knows.
  bool has_weight = false;
};

/// The tolerance of adjoint solves, which decide on derivatives alone: by the relative criterion ten times that of the displacements,
/// at most 1e-3 unless theirs is larger (doc/theory.md, section 4). The absolute criterion knows no such size.
inline double adjoint_tolerance(const SolverControl &control)
{
  constexpr double factor = 10., most = 1e-3;
  return control.criterion == SolverControl::Criterion::relative
           ? std::max(control.tolerance, std::min(factor * control.tolerance, most))
           : control.tolerance;
}

/// The displacements of all load cases for a given distribution of stiffness, and what the
/// optimization needs of them. Hides the precision; design fields are double.
///
/// With the MaterialRatios of the Structure, s, factors and energies are those of a design in one solid: an element gets the
/// stiffness `E_e s_e K0_e` for the factor E_e, and its energies are those of `s_e K0_e`. So sums of factors times energies,
/// and derivatives by the factors, are right without a look at the ratios. Where Poisson's ratios differ, s_e K0_e means
/// `lambda_e K_lambda,e + mu_e K_mu,e`, at twice the memory and the time of the operator's products; then an element is
/// trilinear, with full integration: else an Error is thrown.
class StateSolver
{
public:
  virtual ~StateSolver() = default;

  /// Element stiffness factors, `[n_elements]`, on the backend.
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// The densities of the elements, `[n_elements]`, for the forces of load cases with self weight: before
  /// solve(). Until the first call they are 1. Collective.
  virtual void set_densities(const Array<double> &densities) = 0;

  virtual std::size_t n_load_cases() const               = 0;
  virtual const LoadCase &load_case(std::size_t l) const = 0;

  /// Solve `K u = f` for one load case, prescribed displacements and springs included. Throws SolverFailure.
  virtual SolverReport solve(std::size_t l) = 0;

  /// The same from the current displacement on, to the tolerance, if SolverControl::accepts_limit made solve() end
  /// before. Throws SolverFailure.
  virtual SolverReport solve_to_tolerance(std::size_t l) = 0;

  /// f . u of the current displacement, over all ranks. Collective.
  virtual double work_of_loads(std::size_t l) = 0;

  /// u . S u of the current displacement, S the springs of the mesh, over all ranks. Collective.
  virtual double work_of_springs(std::size_t l) = 0;

  /// c_e = u_e^T K0_e u_e of the current displacement, `[n_elements]`.
  virtual void energies(std::size_t l, Array<double> &energies) = 0;

  /// NodalFields::sum_stresses() of the current displacement: stresses at the nodes, summed over the elements of this
  /// rank. Collective.
  /// @param sums  `[n_nodes][NodalFields::n_sums]`; overwritten
  virtual void sum_stresses(std::size_t l,
                            const NodalFields &fields,
                            const Array<double> &factors,
                            Array<double> &sums) = 0;

  /// ElementStress::von_mises() of the current displacement in the elements' solids, `[n_elements]`. Collective.
  virtual void von_mises(std::size_t l, const ElementStress &stresses, Array<double> &stress) = 0;

  /// ElementStress::add_up_slopes() of the current displacement, as the last von_mises() of the same load case left it.
  /// @param g  `[3 * n_nodes]`, with partial sums on ghosts; overwritten
  virtual void add_up_stress_slopes(std::size_t l,
                                    ElementStress &stresses,
                                    const Array<double> &factors,
                                    Array<double> &g) = 0;

  /// The next adjoint_energies() begins with the solution that was kept under this number, if there is one, and its own is kept
  /// there. For numbers that stand for one response, load case and field, whose solutions change little. With InitialGuess::zero
  /// nothing is kept.
  virtual void select_adjoint(std::size_t number) = 0;

  /// The numbers under which solutions are kept, ascending, the same on all ranks; and each of these on the host, `[3 * n_nodes]`,
  /// anything on ghosts. From these in set_adjoint() a restart goes on as the uninterrupted run.
  virtual std::vector<std::size_t> adjoints() const                               = 0;
  virtual std::vector<double> adjoint(std::size_t number) const                   = 0;
  virtual void set_adjoint(std::size_t number, const std::vector<double> &values) = 0;

  /// Solve `K lambda = g` on the free DoFs, with lambda = 0 on the others, to adjoint_tolerance(), from zero unless
  /// select_adjoint() was called. Then `w_e = lambda_e^T K0_e u_e` with the current displacement, `[n_elements]`.
  /// Throws SolverFailure. Collective.
  /// @param g  the first `3 * n_owned_nodes` entries count, but for those on constrained DoFs
  virtual SolverReport
  adjoint_energies(std::size_t l, const Array<double> &g, Array<double> &w) = 0;

  /// By how much the work of the loads on the current displacement grows with the density of an element:
  /// the product of u and df / drho_e, for a load case with self weight. `[n_elements]`. Collective.
  virtual void work_of_weight(std::size_t l, Array<double> &w) = 0;

  /// The same with the lambda of the last adjoint_energies(), which was for the same load case. Collective.
  virtual void adjoint_work_of_weight(std::size_t l, Array<double> &w) = 0;

  /// The lowest modes of vibration, of the stiffness and the springs of now; begins with those of the last call. Throws SolverFailure, and Error for displacements in
  /// float. Collective.
  /// @param factors  of the mass, `[n_elements]`, with the ratios of mass in them
  virtual VibrationReport solve_vibration(const MassMatrix &mass,
                                          const Array<double> &factors,
                                          const VibrationControl &control) = 0;

  /// Mode i of the last solve_vibration(), `[3 * n_nodes]`, ghosts included, with `phi . M phi = 1`.
  virtual const Array<double> &mode(std::size_t i) = 0;

  /// phi_e^T K0_e phi_e of the same mode, `[n_elements]`. Collective.
  virtual void mode_energies(std::size_t i, Array<double> &energies) = 0;

  /// The current displacement on the host, `[3 * n_nodes]`, ghosts included. Collective.
  virtual std::vector<double> displacement(std::size_t l) = 0;
  /// The same in float, without an array of doubles on the host. Collective.
  virtual std::vector<float> displacement_in_float(std::size_t l) = 0;

  /// Whether solve() extrapolates from the current displacement and the one before it. The same on all ranks.
  virtual bool extrapolates() const = 0;

  /// The displacement before the current one on the host, `[3 * n_owned_nodes]`, zero on constrained DoFs; empty unless
  /// extrapolates().
  virtual PackedValues displacement_before(std::size_t l) = 0;

  /// Set the current displacement, `[3 * n_nodes]`, and in a restart that before it, as displacement_before() gave it,
  /// zero on constrained DoFs.
  virtual void set_displacement(std::size_t l,
                                const std::vector<double> &values,
                                const PackedValues &before = {}) = 0;

  /// Take up another set of displacements: each is kept for a stiffness of its own, where solves begin. The functions above
  /// mean those of the set. Set 0 is there from the start; others begin at zero. Nothing is copied.
  virtual void select_displacements(std::size_t set) = 0;

  /// Return to the preconditioner that was asked for, if solves have fallen back on another: the design that needed it was
  /// given up. Before set_stiffness(). Collective.
  virtual void begin_again() = 0;

  /// Warnings since the last call, empty if there are none; clears them.
  virtual std::string take_warnings() = 0;
};

/// With Precision::mixed displacements, operator and residual are in double, and the preconditioner computes
/// in float. If such a solve stagnates, it goes on in double from there on, and a warning says so.
///
/// @throws Error for unknown names, and for a preconditioner that cannot be made for the structure or the
/// precision: choose_preconditioner() finds one that can
std::unique_ptr<StateSolver> make_state_solver(const Execution &execution,
                                               const Structure &structure,
                                               std::vector<LoadCase> load_cases,
                                               const StateSettings &settings);

/// Whether it keeps a vector of all forces of a load case: where they change with the design, where some go to other nodes, and
/// where the entries alone would take half as much memory or more.
/// @param has_dependent  whether some DoF, on any rank, depends on others
bool keeps_whole_vector(bool has_dependent, const LoadCase &load_case);

/// What decides how much memory the forces take.
struct PlannedLoads
{
  std::size_t n_cases   = 1;
  std::size_t n_whole   = 0; ///< cases of keeps_whole_vector()
  std::size_t n_entries = 0; ///< of the other ones, together
};

PlannedLoads planned_loads(bool has_dependent, const std::vector<LoadCase> &load_cases);

/// The memory that it will keep, once it has solved. Throws Error for unknown names.
/// @param lifted  whether displacements are prescribed
/// @param n_adjoints  how many numbers select_adjoint() will be called with, or 1 for adjoint_energies() without
/// @param n_modes  the most that solve_vibration() will be asked for
/// @param n_sets  of displacements
/// @param has_ratios  whether the structure has ratios of stiffness
void plan_state_solver(MemoryPlan &plan,
                       const StateSettings &settings,
                       const StrategyLists &strategies,
                       const MeshSize &size,
                       const PlannedLoads &loads,
                       bool lifted,
                       std::size_t n_adjoints,
                       std::size_t n_modes = 0,
                       std::size_t n_sets  = 1,
                       bool has_ratios     = false);
} // namespace strut

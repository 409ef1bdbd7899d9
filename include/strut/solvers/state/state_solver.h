// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>
#include <strut/solvers/krylov/solver_control.h>
#include <strut/solvers/state/nodal_forces.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
class ElementStress;
class MassMatrix;
class NodalFields;
struct PackedValues;
struct VibrationControl;
struct VibrationReport;

/// The initial guess of a solve for displacements.
enum class InitialGuess
{
  zero,
  previous, ///< the last displacement

  /// The last displacement, extrapolated along its last change.
  extrapolated
};

/// The method that computes the displacements.
struct StateSettings
{
  std::string strategy = "on_the_fly"; ///< name of the operator strategy
  SolverControl control;
  InitialGuess initial_guess = InitialGuess::extrapolated;

  Precision precision = Precision::fp64;
  PreconditionerSettings preconditioner;
};

/// One set of forces, and the weight of its compliance.
struct LoadCase
{
  std::string name;
  double weight = 1.;
  NodalForces forces; ///< `[3 * n_owned_nodes]`, force on each owned DoF

  /// Self weight: force per volume of solid material, `[3][n_elements]`, on every rank or on none.
  /// Multiplied by the density it is added to `forces`. Empty if none.
  std::vector<double> weights = {};

  /// Whether forces depend on the densities. It is also set on a rank without elements, whose
  /// weights are empty.
  bool has_weight = false;

  /// The rest of a force per volume g_c that varies within elements, of which `weights` has the
  /// means: forces on the nodes of elements, `int N_v (g_c - mean) dx`. The layout is
  /// `[3 * n_nodes of an element][n_elements]`, with the row 3 v + c. Empty if none.
  std::vector<double> uneven_weights = {};

  /// Forces on the nodes of solid elements that stretch them by a strain like that of a
  /// temperature, in the same layout. Multiplied by the factor of the stiffness they are added to
  /// `forces`. The strain is the same along all axes, with no von Mises stress. Empty if none.
  std::vector<double> expansion = {};

  /// Whether forces depend on the stiffness; also set on a rank without elements.
  bool has_expansion = false;

  /// Whether forces depend on the design.
  bool follows_design() const
  {
    return has_weight || has_expansion;
  }
};

/// The tolerance of adjoint solves, which only affect derivatives. By the relative criterion it is
/// ten times that of the displacements, at most 1e-3 unless theirs is larger (doc/theory.md,
/// section 4). With other criteria it is the same, since they have no relative size.
inline double adjoint_tolerance(const SolverControl &control)
{
  constexpr double factor = 10., most = 1e-3;
  return control.criterion == SolverControl::Criterion::relative
           ? std::max(control.tolerance, std::min(factor * control.tolerance, most))
           : control.tolerance;
}

/// The displacements of all load cases for a given distribution of stiffness, and derived
/// quantities for the optimization. The interface hides the precision; design fields are double.
///
/// With the Solids of the Structure, s, factors and energies are those of a design in one
/// solid. An element has the stiffness `E_e s_e K0_e` for the factor E_e, and its energies are
/// those of `s_e K0_e`. So sums of factors times energies, and derivatives by the factors, need not
/// read the ratios.
///
/// Where Poisson's ratios differ, s_e K0_e means `lambda_e K_lambda,e + mu_e K_mu,e`, at twice the
/// memory and time of the operator's products. Elements must then be trilinear, with full
/// integration; otherwise an Error is thrown.
class StateSolver
{
public:
  virtual ~StateSolver() = default;

  /// Sets the element stiffness factors, `[n_elements]`, on the backend.
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// Sets the densities of the elements, `[n_elements]`, for load cases with self weight. They must
  /// be set before solve(). Until the first call they are 1. Collective.
  virtual void set_densities(const Array<double> &densities) = 0;

  virtual std::size_t n_load_cases() const               = 0;
  virtual const LoadCase &load_case(std::size_t l) const = 0;

  /// Solves `K u = f` for one load case, including prescribed displacements and springs. Throws
  /// SolverFailure.
  virtual SolverReport solve(std::size_t l) = 0;

  /// Continues from the current displacement to the tolerance, if SolverControl::accepts_limit
  /// ended solve() early. Throws SolverFailure.
  virtual SolverReport solve_to_tolerance(std::size_t l) = 0;

  /// Returns `K u - f` of the current displacement, `[3 * n_owned_nodes]`, with springs in K: the
  /// forces of supports and of other conditions on the body, and the residual elsewhere. The result
  /// is empty if the solver does not know them. Collective.
  virtual std::vector<double> reactions(std::size_t /* l */)
  {
    return {};
  }

  /// Returns f . u of the current displacement, over all ranks. Collective.
  virtual double work_of_loads(std::size_t l) = 0;

  /// Returns u . S u of the current displacement over all ranks, with the springs S of the mesh.
  /// Collective.
  virtual double work_of_springs(std::size_t l) = 0;

  /// Computes c_e = u_e^T K0_e u_e of the current displacement, `[n_elements]`.
  virtual void energies(std::size_t l, Array<double> &energies) = 0;

  /// Computes NodalFields::sum_stresses() of the current displacement: stresses at the nodes,
  /// summed over the elements of this rank. Collective.
  ///
  /// @param sums  `[n_nodes][NodalFields::n_sums]`; overwritten
  virtual void sum_stresses(std::size_t l,
                            const NodalFields &fields,
                            const Array<double> &factors,
                            Array<double> &sums) = 0;

  /// Computes ElementStress::von_mises() of the current displacement in the elements' solids,
  /// `[n_elements]`. Collective.
  virtual void von_mises(std::size_t l, const ElementStress &stresses, Array<double> &stress) = 0;

  /// Computes ElementStress::add_up_slopes() of the current displacement. It requires the last
  /// von_mises() to be for the same load case.
  ///
  /// @param g  `[3 * n_nodes]`, with partial sums on ghosts; overwritten
  virtual void add_up_stress_slopes(std::size_t l,
                                    ElementStress &stresses,
                                    const Array<double> &factors,
                                    Array<double> &g) = 0;

  /// Selects a stored solution for the next adjoint_energies(). It starts from the solution with
  /// this number, if there is one, and replaces it by its own. Use one number for each response,
  /// load case and field, whose solutions change little. With InitialGuess::zero nothing is stored.
  virtual void select_adjoint(std::size_t number) = 0;

  /// The numbers of stored adjoint solutions, ascending, the same on all ranks; and each solution
  /// on the host, `[3 * n_nodes]`, undefined on ghosts. A restart passes these to set_adjoint() to
  /// continue like the uninterrupted run.
  virtual std::vector<std::size_t> adjoints() const                               = 0;
  virtual std::vector<double> adjoint(std::size_t number) const                   = 0;
  virtual void set_adjoint(std::size_t number, const std::vector<double> &values) = 0;

  /// Solves `K lambda = g` on the free DoFs, with lambda = 0 on the others, to adjoint_tolerance().
  /// It starts from zero unless select_adjoint() was called. Then it computes
  /// `w_e = lambda_e^T (K0_e u_e - t_e)`, `[n_elements]`, with the current displacement and the
  /// forces t_e of LoadCase::expansion. Throws SolverFailure. Collective.
  ///
  /// @param g  the first `3 * n_owned_nodes` entries are used, except for those on constrained DoFs
  virtual SolverReport
  adjoint_energies(std::size_t l, const Array<double> &g, Array<double> &w) = 0;

  /// The derivative of the work of the loads on the current displacement by the density of an
  /// element, `[n_elements]`. It is the product of u and df / drho_e, for a load case with self
  /// weight. Collective.
  virtual void work_of_weight(std::size_t l, Array<double> &w) = 0;

  /// The product of u and df / dE_e with the factor E_e of the stiffness, `[n_elements]`. It is the
  /// product of u and t_e, for a load case with expansion. Collective.
  virtual void work_of_expansion(std::size_t l, Array<double> &w) = 0;

  /// The product of lambda and df / drho_e, with the lambda of the last adjoint_energies(), which
  /// must be for the same load case. Collective.
  virtual void adjoint_work_of_weight(std::size_t l, Array<double> &w) = 0;

  /// Computes the lowest modes of vibration of the current stiffness and springs, starting from
  /// those of the last call: of the mesh, and with Structure::supports_of_modes if the control says
  /// so. Throws SolverFailure, and Error for displacements in float. Collective.
  ///
  /// @param factors  factors of the mass, `[n_elements]`, including the ratios of mass
  virtual VibrationReport solve_vibration(const MassMatrix &mass,
                                          const Array<double> &factors,
                                          const VibrationControl &control) = 0;

  /// Mode i of the last solve_vibration(), `[3 * n_nodes]`, ghosts included.
  /// It is scaled to phi . M phi = 1, where M has Structure::masses, too.
  virtual const Array<double> &mode(std::size_t i) = 0;

  /// Computes phi_e^T K0_e phi_e of mode i, `[n_elements]`. Collective.
  virtual void mode_energies(std::size_t i, Array<double> &energies) = 0;

  /// The current displacement on the host, `[3 * n_nodes]`, ghosts included. Collective.
  virtual std::vector<double> displacement(std::size_t l) = 0;
  /// Returns the current displacement in float, without an array of doubles on the host.
  /// Collective.
  virtual std::vector<float> displacement_in_float(std::size_t l) = 0;

  /// Whether solve() extrapolates from the current displacement and the one before it. The same on
  /// all ranks.
  virtual bool extrapolates() const = 0;

  /// The previous displacement on the host, `[3 * n_owned_nodes]`, zero on constrained DoFs; empty
  /// unless extrapolates().
  virtual PackedValues displacement_before(std::size_t l) = 0;

  /// Sets the current displacement, `[3 * n_nodes]`, and in a restart also the previous one, as
  /// returned by displacement_before(). That is zero on constrained DoFs; empty: there is none.
  virtual void set_displacement(std::size_t l,
                                const std::vector<double> &values,
                                const PackedValues &before) = 0;

  /// Sets the current displacement, `[3 * n_nodes]`, and forgets the previous one.
  void set_displacement(std::size_t l, const std::vector<double> &values);

  /// Selects another set of displacements for the functions above. Each set belongs to a stiffness
  /// of its own, and is the start of its solves. Set 0 always exists; others begin at zero. Nothing
  /// is copied.
  virtual void select_displacements(std::size_t set) = 0;

  /// Returns to the requested preconditioner, if solves have fallen back on another because of a
  /// design that was given up. Call it before set_stiffness(). Collective.
  virtual void begin_again() = 0;

  /// Returns the warnings since the last call, empty if there are none, and clears them.
  virtual std::string take_warnings() = 0;
};

/// Makes a solver. With Precision::mixed displacements, operator and residual are in double, and
/// the preconditioner computes in float. If such a solve stagnates, it continues in double, and a
/// warning says so.
///
/// @throws Error for unknown names, and for a preconditioner that cannot be made for the structure
///   or the precision: choose_preconditioner() finds one that can
std::unique_ptr<StateSolver> make_state_solver(const Execution &execution,
                                               const Structure &structure,
                                               std::vector<LoadCase> load_cases,
                                               const StateSettings &settings);

/// Whether the solver keeps a vector of all forces of a load case. It does where they depend on the
/// design, where some are moved to other nodes, and where sparse storage would save less than half
/// of the memory.
///
/// @param has_dependent  whether some DoF, on any rank, depends on others
bool keeps_whole_vector(bool has_dependent, const LoadCase &load_case);

/// The properties of load cases that determine the memory for forces.
struct PlannedLoads
{
  std::size_t n_cases   = 1;
  std::size_t n_whole   = 0; ///< cases of keeps_whole_vector()
  std::size_t n_entries = 0; ///< stored entries of all other cases together
};

PlannedLoads planned_loads(bool has_dependent, const std::vector<LoadCase> &load_cases);

/// Adds the memory that the solver keeps after its first solve. Throws Error for unknown names.
///
/// @param lifted  whether displacements are prescribed
/// @param n_adjoints  number of different arguments of select_adjoint(), or 1 for
///   adjoint_energies() without it
/// @param n_modes  the most modes of solve_vibration()
/// @param n_other_supports  number of Structure::supports_of_modes
/// @param has_masses  whether there are Structure::masses
/// @param n_sets  number of sets of displacements
/// @param has_ratios  whether the structure has ratios of stiffness
void plan_state_solver(MemoryPlan &plan,
                       const StateSettings &settings,
                       const StrategyLists &strategies,
                       const MeshSize &size,
                       const PlannedLoads &loads,
                       bool lifted,
                       std::size_t n_adjoints,
                       std::size_t n_modes          = 0,
                       std::size_t n_sets           = 1,
                       bool has_ratios              = false,
                       std::size_t n_other_supports = 0,
                       bool has_masses              = false);
} // namespace strut

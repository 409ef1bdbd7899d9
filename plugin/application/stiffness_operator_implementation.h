// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/partitioner.h>

#include <deal.II/dofs/dof_handler.h>

#include <strut/backend/timing.h>
#include <strut/mesh/hierarchy.h>
#include <strut/plugin/device_vector.h>
#include <strut/plugin/stiffness_operator.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/stiffness_solver.h>

#include <mpi.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/application/control_monitor.h"
#include "plugin/application/dependent_diagonal.h"
#include "plugin/application/mesh_guard.h"
#include "plugin/application/option_remedies.h"
#include "plugin/application/vector_exchange.h"
#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"
#include "plugin/element_mesh/constraint_lines.h"
#include "source/solvers/consistent_mass.h"

namespace strut::plugin
{
/// The contents of a StiffnessOperator: the mesh as flat arrays, the operator on the backend, and
/// the way there and back. Knows vectors by their owned entries, `[n_owned]`.
template <typename Number>
class StiffnessOperator<Number>::Implementation
{
public:
  Implementation(const dealii::DoFHandler<3, 3> &dof_handler,
                 const ConstraintLines &lines,
                 const Material &material,
                 const StiffnessOptions &options,
                 double density,
                 MassKind mass);

  /// @param factors  `[n owned active cells]`, in the order of the iterator. Collective.
  void set_factors(const std::vector<double> &factors);

  /// Other values of the same constraints. Collective.
  void set_prescribed(const ConstraintLines &lines);

  /// As set_factors().
  void set_lame(const std::vector<double> &lambda, const std::vector<double> &mu);

  /// @param numbers  of the tangents of the owned cells on the host, `[n owned cells][n_points][21]`. Collective.
  void set_tangents_by_cells(unsigned int n_points, const double *numbers);
  /// @param bytes_of_cell  that the backend needs for a while
  /// @param of_point  their numbers at Gauss point q, `[21][n owned cells]`, in the memory of the backend until the next call
  /// @param look  throws Error where this rank's numbers are refused; may work on the backend, in the room of `bytes_of_cell`
  void set_tangents(
    unsigned int n_points,
    std::size_t bytes_of_cell,
    const std::function<const double *(unsigned int q)> &of_point,
    const std::function<void()> &look = []() {});

  void set_shift(double shift); ///< collective

  /// @param densities  as for set_factors()
  void set_density(const std::vector<double> &densities);

  using Entries = OwnedEntries<Number>;

  void multiply(const Entries &dst, const Entries &src, bool add);
  void multiply_mass(const Entries &dst, const Entries &src);
  void multiply_mass_unconstrained(const Entries &dst, const Entries &src);
  void make_preconditioner();                                ///< if there is none. Collective.
  void precondition(const Entries &dst, const Entries &src); ///< by that one
  void lift(const Entries &rhs);
  SolveReport solve(const Entries &x, const Entries &forces, ControlMonitor &monitor);
  void compute_diagonal();

  /// Throw Error unless compute_diagonal() was called.
  void require_diagonal(const char *who) const;

  /// Of this rank alone: throw Error if the mesh or the DoFs have changed since construction.
  void require_unchanged() const
  {
    guard_.require_unchanged();
  }

  /// That of now.
  const std::string &preconditioner_name() const
  {
    return solver_ == nullptr ? preconditioner_ : solver_->preconditioner();
  }
  /// Throw Error if an entry is NaN or infinite. Of this rank alone.
  void require_finite(const Entries &entries, const std::string &name) const;
  void require_finite_guess(const Entries &x) const ///< the same, where solve() begins with x
  {
    if (options_.initial_guess)
      require_finite(x, "initial guess");
  }

  std::string describe() const;
  std::size_t host_memory() const; ///< bytes

  const compat::ObserverPointer<const dealii::DoFHandler<3, 3>> dof_handler;
  const MPI_Comm mpi;
  const Communicator communicator;
  const dealii::IndexSet owned;
  const dealii::types::global_dof_index n_dofs;
  /// Null if the owned DoFs of some rank are no contiguous range.
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> partitioner;
  std::vector<unsigned int> owned_cells; ///< active_cell_index() of the owned active cells

  /// dst_i = omega src_i / A_ii on the backend. @throws Error as require_diagonal()
  void scale_by_inverse_diagonal_there(DeviceVector<Number> &dst,
                                       const DeviceVector<Number> &src,
                                       Number omega);

  /// The vector becomes one of zeros on the backend.
  void initialize(DeviceVector<Number> &vector) const;

  /// What lets deal.II's pool of DeviceVectors go, so that neither memory nor the backend outlive this object there.
  void (*release_pool)() = nullptr;
  ~Implementation();

  std::vector<Number> diagonal; ///< `[n_owned]`, in the application's order, if there is one
  bool has_diagonal = false;

  const ChosenBackend chosen;

private:
  /// Throws Error where another thread is in a member that has one too.
  class InUse
  {
  public:
    explicit InUse(std::atomic_flag &occupied);
    ~InUse();

  private:
    std::atomic_flag &occupied_;
  };

  std::vector<double> of_elements(const std::vector<double> &of_cells) const;
  /// Let preconditioner and diagonal follow what `set` does to the matrix. Collective.
  template <typename Set>
  void follow(const Set &set);

  void find_diagonal();
  void find_masses();
  void apply_shift(); ///< to the matrix; preconditioner and diagonal follow. Collective.
  void add_shift_to_masters(std::vector<double> &diagonal) const;
  void add_tangents_to_masters(std::vector<double> &diagonal) const;
  /// Look whether there is room for tangents. Collective.
  void require_room_for_tangents(unsigned int n_points, std::size_t bytes_of_cell);
  /// With so many tangents of an element, or with what is in force if there are none. Collective.
  MeshSize size_of_mesh(unsigned int n_tangent_points) const;
  MemoryPlan plan_of_solver(const MeshSize &size) const;
  StateSettings settings_of_solver() const;
  /// Throw if StiffnessOptions give a parameter of the preconditioner a value that does not go together with the operator.
  void require_no_conflict() const;
  void require_solvable() const; ///< no free rigid motion, no cell without shear, no negative shift
  /// Set a member that require_solvable() reads; where there is a solver, only if that allows it. Collective.
  template <typename Value>
  void set_if_solvable(Value &member, Value value);
  SolverControl control() const; ///< of the options
  void provide_solver();
  /// The preconditioner follows the stiffness: that of the options, even where it has fallen back on another one. Collective.
  void update(StiffnessSolver<Number> &solver);
  /// What multigrid takes its smoothing steps from: where the mean dilatation meets Lame's parameters, the solid of all cells
  /// that resists changes of volume most beside those of shape.
  Material material_of_solver() const;
  /// Whether the solver was made for other solids than those of now.
  bool has_outgrown_solver() const;
  void choose_preconditioner();
  Precision solver_precision() const;

  std::atomic_flag occupied_ = ATOMIC_FLAG_INIT;
  MeshGuard guard_; ///< signals write to it
  const StiffnessOptions options_;
  const Material material_;
  ElementMesh mesh_;
  MeshHierarchy coarser_;
  std::size_t n_elements_;                 ///< of all ranks
  ConstraintLines constraints_;            ///< of owned DoFs, resolved
  std::vector<std::uint32_t> constrained_; ///< which of the rank's DoFs they are
  /// Times the host_factors_; with Lame's parameters those of each.
  std::vector<DependentDiagonal> diagonals_, lambda_diagonals_, mu_diagonals_;
  std::vector<DependentDiagonal> mass_diagonals_; ///< of the consistent mass, times density
  std::unique_ptr<ElasticityOperator<Number>> matrix_;

public:
  std::unique_ptr<VectorExchange<Number>> exchange;

private:
  DeviceVector<Number>
    inverse_diagonal_there_;         ///< empty until it is needed, and again with another diagonal
  Array<Number> x_, y_;              ///< work, `[3 * n_nodes]`
  Array<double> factors_;            ///< of the elements
  std::vector<double> host_factors_; ///< the same, for dependent DoFs only
  std::vector<double> host_lambda_, host_mu_; ///< likewise

  bool has_tangents_ = false; ///< in force

  std::vector<double> densities_; ///< of the elements, mass per volume
  double shift_ = 0.;
  std::optional<std::size_t>
    n_without_shear_; ///< cells of all ranks with mu = 0; none: factors are in force
  double largest_ratio_ =
    0.; ///< lambda / mu, of the Lame parameters in force with the mean dilatation
  bool has_masses_ = false;
  std::vector<double> masses_; ///< of owned DoFs, once they are needed
  Array<Number> mass_;         ///< the same with zeros on ghosts, `[3 * n_nodes]`
  const MassKind mass_kind_;
  std::shared_ptr<const ConsistentMass<Number>> consistent_mass_; ///< likewise, of that kind

  std::string preconditioner_, preconditioner_text_; ///< once there was a solve
  TimingTable timing_;
  mutable std::optional<std::string> free_pieces_; ///< describe_free_pieces(), once it is needed
  /// For the vectors that share them, once there is one.
  mutable std::shared_ptr<const dealii::IndexSet> owned_of_vectors_;
  Material solver_material_; ///< material_of_solver() when the solver was made
  std::unique_ptr<StiffnessSolver<Number>> solver_;
};

template <typename Number>
template <typename Value>
void StiffnessOperator<Number>::Implementation::set_if_solvable(Value &member, const Value value)
{
  const Value old = std::exchange(member, value);
  try
    {
      if (solver_ != nullptr)
        require_solvable();
    }
  catch (const Error &)
    {
      member = old;
      throw;
    }
}

template <typename Number>
template <typename Set>
void StiffnessOperator<Number>::Implementation::follow(const Set &set)
{
  const bool had_diagonal = std::exchange(has_diagonal, false); // none is left behind if this fails
  set();
  if (auto solver = std::move(solver_); solver != nullptr) // nor a solver
    {
      if (has_outgrown_solver())
        {
          solver.reset(); // its memory first
          provide_solver();
        }
      else
        {
          update(*solver);
          solver_ = std::move(solver);
        }
    }
  if (had_diagonal)
    find_diagonal();
}
} // namespace strut::plugin

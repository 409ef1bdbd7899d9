// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/partitioner.h>

#include <deal.II/dofs/dof_handler.h>

#include <strut/backend/timing.h>
#include <strut/device_vector.h>
#include <strut/mesh/hierarchy.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/stiffness_operator.h>

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
#include "source/solvers/state/stiffness_solver.h"

namespace strut
{
/// The contents of a StiffnessOperator: the mesh as flat arrays, the operator on the backend, and
/// the exchange of vectors with it. It takes vectors as their owned entries, `[n_owned]`.
template <typename Number>
class StiffnessOperator<Number>::Implementation
{
public:
  /// @param mapping  places the nodes of quadratic elements; null for straight lines
  Implementation(const dealii::DoFHandler<3, 3> &dof_handler,
                 const dealii::Mapping<3, 3> *mapping,
                 const ConstraintLines &lines,
                 const Material &material,
                 const StiffnessOptions &options,
                 double density,
                 MassKind mass);

  /// @param factors  `[n owned active cells]`, in the order of deal.II's iterator. Collective.
  void set_factors(const std::vector<double> &factors);

  /// Sets other values of the same constraints. Collective.
  void set_prescribed(const ConstraintLines &lines);

  /// Sets Lame's parameters; arguments as for set_factors().
  void set_lame(const std::vector<double> &lambda, const std::vector<double> &mu);

  /// @param numbers  tangents of the owned cells on the host, `[n owned cells][n_points][21]`.
  /// Collective.
  void set_tangents_by_cells(unsigned int n_points, const double *numbers);
  /// @param bytes_of_cell  bytes that the backend needs for each cell during the call
  /// @param of_point  gives the numbers at Gauss point q, `[21][n owned cells]`, in the memory of
  /// the backend; valid until its next call
  /// @param look  throws Error if this rank's numbers are refused; may use `bytes_of_cell` on the
  /// backend
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
  /// Makes it if there is none; collective.
  void make_preconditioner();
  void precondition(const Entries &dst, const Entries &src); ///< applies the preconditioner
  void lift(const Entries &rhs);
  SolveReport solve(const Entries &x, const Entries &forces, ControlMonitor &monitor);
  void compute_diagonal();

  /// Throws Error unless compute_diagonal() was called.
  void require_diagonal(const char *caller) const;

  /// Throws Error if the mesh or the DoFs have changed since construction. Checks this rank only.
  void require_unchanged() const
  {
    guard_.require_unchanged();
  }

  /// Name of the preconditioner in use.
  const std::string &preconditioner_name() const
  {
    return solver_ == nullptr ? preconditioner_ : solver_->preconditioner();
  }
  /// Throws Error if an entry is NaN or infinite. Checks this rank only.
  void require_finite(const Entries &entries, const std::string &name) const;
  void require_finite_guess(const Entries &x) const ///< does so if solve() begins with x
  {
    if (options_.initial_guess)
      require_finite(x, "initial guess");
  }

  /// Throws Error unless the elements take tangents: trilinear hexahedra alone do.
  void require_tangents_taken() const;

  const Material &material() const
  {
    return material_;
  }
  std::string describe() const;
  std::size_t host_memory() const; ///< bytes

  const compat::ObserverPointer<const dealii::DoFHandler<3, 3>> dof_handler;
  const MPI_Comm mpi;
  const Communicator communicator;
  const dealii::IndexSet owned;
  const dealii::types::global_dof_index n_dofs;
  /// Null if the owned DoFs of some rank are not a contiguous range.
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> partitioner;
  std::vector<unsigned int> owned_cells; ///< active_cell_index() of the owned active cells

  /// Computes dst_i = omega src_i / A_ii on the backend. @throws Error as require_diagonal()
  void scale_by_inverse_diagonal_there(DeviceVector<Number> &dst,
                                       const DeviceVector<Number> &src,
                                       Number omega);

  /// Makes a vector of zeros on the backend.
  void initialize(DeviceVector<Number> &vector) const;

  /// Empties deal.II's pool of DeviceVectors, so that neither memory nor the backend outlives this
  /// object there.
  void (*release_pool)() = nullptr;
  ~Implementation();

  /// `[n_owned]`, in the application's order; empty if there is none.
  std::vector<Number> diagonal;
  bool has_diagonal = false;

  const ChosenBackend chosen;

private:
  /// Marks a member as running; throws Error if another thread is in such a member.
  class InUse
  {
  public:
    explicit InUse(std::atomic_flag &occupied);
    ~InUse();

  private:
    std::atomic_flag &occupied_;
  };

  struct LawInForce
  {
    Law law                     = Law::factor;
    std::size_t n_without_shear = 0; ///< cells of all ranks with Lame's parameter mu = 0
  };

  std::vector<double> of_elements(const std::vector<double> &of_cells) const;
  /// Runs `set`, which changes the matrix, and updates preconditioner and diagonal. If it fails,
  /// the stiffness is lost on all ranks or on none. Collective.
  /// @param before  in_force_ before the call of the application
  template <typename Set>
  void follow(const LawInForce &before, const Set &set);

  /// Throws Error if both are one vector. @param user  "a product" @param like  "matrices"
  void require_two_vectors(const Entries &dst,
                           const Entries &src,
                           const char *const user,
                           const char *const like) const
  {
    if (dst == src && !owned.is_empty())
      throw Error(std::string("The two vectors of ") + user +
                  " are one.\n  They must differ, as for deal.II's " + like + ".");
  }

  void find_diagonal();
  void find_masses();
  /// Applies the shift to the matrix; preconditioner and diagonal are updated. Collective.
  void apply_shift();
  void add_shift_to_masters(std::vector<double> &diagonal) const;
  void add_stiffness_to_masters(std::vector<double> &diagonal);
  /// Checks that there is room for tangents. Collective.
  void require_room_for_tangents(unsigned int n_points, std::size_t bytes_of_cell);
  /// Size of the mesh with such a stiffness. Collective.
  MeshSize size_of_mesh(const StiffnessLayout &layout) const;
  MemoryPlan plan_of_solver(const MeshSize &size) const;
  StateSettings settings_of_solver() const;
  /// Throws if StiffnessOptions give a parameter of the preconditioner a value that is incompatible
  /// with the operator.
  void require_no_conflict() const;
  /// Throws Error for a free rigid motion, a cell without shear stiffness, or a negative shift.
  void require_solvable() const;
  /// Sets a member that require_solvable() reads; throws if there is a solver and the new value
  /// makes the system unsolvable. Collective.
  template <typename Value>
  void set_if_solvable(Value &member, Value value);
  SolverControl control() const; ///< control from the options
  void provide_solver();
  /// Updates the preconditioner for a new stiffness. It is the one of the options, even if the last
  /// solve fell back on another one. Collective.
  void update(StiffnessSolver<Number> &solver);
  /// The material that determines multigrid's smoothing steps. With mean dilatation and Lame's
  /// parameters it is that of the cell with the largest ratio of bulk to shear stiffness.
  Material material_of_solver() const;
  /// Whether the solver was made for a material that differs too much from material_of_solver().
  bool has_outgrown_solver() const;
  void choose_preconditioner();
  Precision solver_precision() const;

  std::atomic_flag occupied_ = ATOMIC_FLAG_INIT;
  MeshGuard guard_; ///< the triangulation's signals change it
  const StiffnessOptions options_;
  const Material material_;
  ElementMesh mesh_;
  MeshHierarchy coarser_;
  std::size_t n_elements_;      ///< over all ranks
  ConstraintLines constraints_; ///< resolved constraints of the owned DoFs
  /// Indices of the constrained DoFs among those of the rank.
  std::vector<std::uint32_t> constrained_;
  /// Corrections of the diagonal for dependent DoFs, for each component of diagonals_law_ as if it
  /// were 1 and the others 0.
  std::vector<std::vector<DependentDiagonal>> diagonals_;
  Law diagonals_law_ = Law::factor;
  /// Corrections for the consistent mass, times density.
  std::vector<DependentDiagonal> mass_diagonals_;
  std::unique_ptr<ElasticityOperator<Number>> matrix_;

public:
  std::unique_ptr<VectorExchange<Number>> exchange;

private:
  /// Empty until it is needed, and after each change of the diagonal.
  DeviceVector<Number> inverse_diagonal_there_;
  Array<Number> x_, y_;   ///< work vectors, `[3 * n_nodes]`
  Array<double> factors_; ///< one value per element
  LawInForce in_force_;

  std::vector<double> densities_; ///< mass per volume, by element
  double shift_ = 0.;
  /// Largest lambda / mu of the Lame parameters in force with the mean dilatation.
  double largest_ratio_ = 0.;
  bool has_masses_      = false;
  std::vector<double> masses_; ///< masses of the owned DoFs, empty until they are needed
  Array<Number> mass_;         ///< masses with zeros on ghosts, `[3 * n_nodes]`
  const MassKind mass_kind_;
  /// Mass of that kind, null until it is needed.
  std::shared_ptr<const ConsistentMass<Number>> consistent_mass_;

  std::string preconditioner_, preconditioner_text_; ///< set by the first solve
  TimingTable timing_;
  /// Result of describe_free_pieces(), once it is needed.
  mutable std::optional<std::string> free_pieces_;
  /// Shared by the DeviceVectors; null until the first is made.
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
void StiffnessOperator<Number>::Implementation::follow(const LawInForce &before, const Set &set)
{
  const auto set_all = [&]() {
    // a failure below leaves no diagonal behind
    const bool had_diagonal = std::exchange(has_diagonal, false);
    set();
    // a failure below leaves no solver behind
    if (auto solver = std::move(solver_); solver != nullptr)
      {
        if (has_outgrown_solver())
          {
            solver.reset(); // frees its memory first
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
  };
  try
    {
      attempt_or_abort(communicator, set_all);
    }
  catch (...)
    {
      if (communicator.any(matrix_->is_lost())) // may have happened on one rank alone
        matrix_->lose();
      in_force_     = before;
      in_force_.law = matrix_->law();
      throw;
    }
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/array_view.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/types.h>

#include <deal.II/lac/diagonal_matrix.h>

#include <strut/base/exceptions.h>
#include <strut/element/mass_kind.h>
#include <strut/element/material.h>
#include <strut/plugin/device_vector.h>
#include <strut/plugin/refused_calls.h>
#include <strut/plugin/stiffness_options.h>
#include <strut/plugin/taken_vectors.h>
#include <strut/plugin/transfers.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace strut::plugin
{
/// The stiffness of linear elasticity, `K = sum_e E_e K0_e`, as an operator of a deal.II application: matrix-free, on a GPU
/// or on the CPU. E_e is a factor of each cell, K0_e the stiffness of an isotropic material on trilinear hexahedra, 2x2x2
/// Gauss points: as `FESystem<3>(FE_Q<3>(1), 3)`, `QGauss<3>(2)` and `MappingQ1` give.
///
/// **Two ways to use it.** vmult() with deal.II's solvers: each product uploads one vector and
/// downloads one. solve(): conjugate gradients on the backend, one upload and one download in all.
///
/// **DoFs** may be numbered in any way that leaves the three of a node to one rank. Meshes: any
/// hexahedra, refined locally too, on one rank or dealt out to several.
///
/// **Constraints** prescribe values of DoFs (Dirichlet), zero or not, or make them depend on others (hanging nodes,
/// periodicity, no normal flux, mean values). With P the projection that zeroes the constrained DoFs, and C the matrix that
/// gives the dependent ones from the others, the operator is `A = P C^T K C P + (1 - P)`: columns of constrained DoFs are
/// dropped, their rows are those of the identity (`dst = src` there), as MatrixFreeOperators do. So A is symmetric and the
/// diagonal is 1 there. The effect of the prescribed values on the free DoFs is a matter of the right-hand side:
/// ```
/// K.lift(rhs);                       // rhs = C^T (rhs - K g) on free DoFs; 0 on constrained ones
/// cg.solve(K, u, rhs, preconditioner);
/// constraints.distribute(u);         // u = g on constrained DoFs
/// ```
/// solve() does all of that by itself, distribute() too: its x does not go into products as it is. For energies and
/// inverse iterations set StiffnessOptions::constrained_entries to "zero", or call `constraints.set_zero(x)`.
///
/// **Vectors**: LinearAlgebra::distributed::Vector<Number>; DeviceVector<Number>, which stays where the operator
/// computes; on one rank also dealii::Vector<Number>;
/// with Number = double also TrilinosWrappers::MPI::Vector and PETScWrappers::MPI::Vector; the block vectors of
/// these, of one block. Only owned entries are read and written; ghosts of written vectors are left at zero.
///
/// Members that take part in MPI communication ("Collective") must be called on all ranks. One thread at a time:
/// products share their work vectors, and a second thread gets an Error.
///
/// Errors are strut::Error, with the whole message as text: what was found, what is allowed, what to do. Collective members
/// throw on all ranks if they throw on one, with its message, and leave none waiting. There are two exceptions. Products,
/// lift() and compute_diagonal() check nothing together: where a vector does not fit on one rank, that rank alone throws.
/// And where the preconditioner or solve() runs out of memory on one rank alone, against the estimate that is looked at
/// before, the others wait for that rank inside of MPI: it prints its message and ends the program (MPI_Abort).
template <typename Number>
class StiffnessOperator : public compat::Subscriptor, private internal::RefusedCalls<Number>
{
public:
  using internal::RefusedCalls<Number>::reinit;
  using internal::RefusedCalls<Number>::set_tangents;
  using internal::RefusedCalls<Number>::vmult;
  using value_type        = Number;
  using size_type         = dealii::types::global_dof_index;
  using DistributedVector = dealii::LinearAlgebra::distributed::Vector<Number>;
  using Cell              = dealii::TriaActiveIterator<dealii::CellAccessor<3, 3>>;

  /// What reinit() takes besides DoFs and constraints.
  struct AdditionalData
  {
    Material material        = {}; ///< E and nu, E in the units of the application
    StiffnessOptions options = {};
    /// Degree of the MappingQ that the application assembles with. The operator has straight edges: reinit() throws
    /// Error for another one than 1. The overloads that take the mapping look for themselves.
    unsigned int mapping_degree = 1;
    /// Mass per volume of the cells, for set_shift() and mass_vmult(); see set_density().
    double density = 1.;
    MassKind mass  = MassKind::lumped; ///< likewise
  };

  class Preconditioner;

  /// An empty operator, for members of a class and for MGLevelObject: reinit() fills it.
  StiffnessOperator();

  /// Moves leave an empty operator behind. Preconditioners stay with the contents.
  StiffnessOperator(StiffnessOperator &&other) noexcept;
  StiffnessOperator &operator=(StiffnessOperator &&other) noexcept;
  StiffnessOperator(const StiffnessOperator &)            = delete;
  StiffnessOperator &operator=(const StiffnessOperator &) = delete;

  /// As the constructor, for an operator that was empty or had another mesh. Preconditioners from before keep the
  /// old contents until their own end. Where it throws, the operator is empty. Collective.
  template <typename ConstraintNumber>
  void reinit(const dealii::DoFHandler<3, 3> &dof_handler,
              const dealii::AffineConstraints<ConstraintNumber> &constraints,
              const AdditionalData &data = {});

  /// The same, with the mapping that the application assembles with: any under which the owned cells have straight edges
  /// between their vertices. No DoFHandler knows it, so that it must be given to be checked. Takes as long as a loop of FEValues,
  /// and nothing for MappingQ1. Collective.
  /// @throws Error, with its degree, for one that bends cells at a curved boundary or moves vertices
  template <typename ConstraintNumber>
  void reinit(const dealii::Mapping<3, 3> &mapping,
              const dealii::DoFHandler<3, 3> &dof_handler,
              const dealii::AffineConstraints<ConstraintNumber> &constraints,
              const AdditionalData &data = {})
  {
    clear();
    require_straight_edges(mapping, dof_handler);
    reinit(dof_handler, constraints, data);
  }

  /// For programs with dim as a parameter: compile for 1 and 2, and throw Error.
  template <int dim, typename ConstraintNumber>
  void reinit(const dealii::DoFHandler<dim, dim> &,
              const dealii::AffineConstraints<ConstraintNumber> &,
              const AdditionalData & = {})
  {
    throw_other_dimension(dim);
  }
  template <int dim, typename ConstraintNumber>
  void reinit(const dealii::Mapping<dim, dim> &,
              const dealii::DoFHandler<dim, dim> &,
              const dealii::AffineConstraints<ConstraintNumber> &,
              const AdditionalData & = {})
  {
    throw_other_dimension(dim);
  }

  /// Leave an empty operator.
  void clear();

  /// Collective. All factors are 1.
  ///
  /// @param dof_handler  of `FESystem<3>(FE_Q<3>(1), 3)`; must outlive this object, and stay as it is,
  /// with its mesh: if not, all members throw Error. deal.II signals most changes. New numberings and vertices moved
  /// by hand are looked for in 500 cells of a rank; in 16 by products, lift(), compute_diagonal() and preconditioners
  /// @param constraints  closed; on several ranks they must know the owned DoFs; copied. Number or
  /// double.
  /// @param material  E and nu, E in the units of the application
  /// @throws Error for hanging nodes that no constraint holds; for another finite element; for cells that are
  /// no hexahedra, or inverted; for the three DoFs of a node on several ranks; for a backend or
  /// strategy that is not there
  /// @throws OutOfMemory
  template <typename ConstraintNumber>
  StiffnessOperator(const dealii::DoFHandler<3, 3> &dof_handler,
                    const dealii::AffineConstraints<ConstraintNumber> &constraints,
                    const Material &material        = {},
                    const StiffnessOptions &options = {});

  /// The same, with the mapping that the application assembles with: see reinit().
  template <typename ConstraintNumber>
  StiffnessOperator(const dealii::Mapping<3, 3> &mapping,
                    const dealii::DoFHandler<3, 3> &dof_handler,
                    const dealii::AffineConstraints<ConstraintNumber> &constraints,
                    const Material &material        = {},
                    const StiffnessOptions &options = {})
  {
    reinit(mapping, dof_handler, constraints, {material, options});
  }
  ~StiffnessOperator();

  /// E_e by `cell->active_cell_index()`, `[triangulation.n_active_cells()]`: as the cellwise vectors
  /// of deal.II. Entries of cells that this rank does not own are not looked at. Preconditioner and
  /// diagonal follow, if they exist. Collective. @throws Error unless all are positive and finite
  void set_factors(const dealii::Vector<double> &factors);
  void set_factors(const dealii::Vector<float> &factors);

  /// E_e as a function of the cell, asked once for each owned one.
  void set_factors(const std::function<double(const Cell &)> &factor);

  /// Lame's parameters of each cell, in place of the material and the factors, until set_factors(): by
  /// `cell->active_cell_index()`, `[triangulation.n_active_cells()]` each, or as a function of the cell that gives
  /// (lambda, mu). Products take as long as with factors, and twice as long with other strategies than `on_the_fly`; the
  /// first call makes another element operator, or two. Preconditioner and diagonal follow, if they exist. Not with
  /// ElementKind::incompatible_modes. Collective.
  /// @throws Error unless all are finite, mu >= 0 and 3 lambda + 2 mu > 0; where mu is 0 in a cell, which resists no
  /// shear, and the preconditioner exists without a positive shift: products alone take that
  void set_lame(const dealii::Vector<double> &lambda, const dealii::Vector<double> &mu);
  void set_lame(const std::function<std::pair<double, double>(const Cell &)> &lame);

  /// Moduli of each Gauss point of QGauss<3>(2) of each cell, in place of the material and the factors, until set_factors()
  /// or set_lame(): stress = C : strain, in units of E, as the consistent tangent of plasticity. K is Newton's tangent then, of
  /// small strain. For the strategies `on_the_fly`; other ones, mean dilatation and incompatible modes are refused. Products
  /// read 168 numbers of each cell, and take several times as long. Multigrid takes the mean of each cell on coarser levels.
  /// Preconditioner and diagonal follow, if they exist. Collective.
  /// @param tangent  asked once for each point of each owned cell, by one thread, in their order
  /// @throws Error unless all are finite and symmetric, C_ijkl = C_klij to 1e-8 of the largest entry; positive
  /// definite they need not be for products, and solve() finds out
  void set_tangents(
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int q)> &tangent);

  /// One for all points of a cell: 21 numbers of each cell.
  void set_tangents(const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &tangent);

  /// The same from an array, `[n owned active cells][8][21]` by points or `[n owned active cells][21]`, cells by
  /// active_cell_index(). The numbers are the upper triangle of C in Voigt's notation, row by row: C_IJ = C_ijkl
  /// with I, J = xx, yy, zz, yz, xz, xy; first C_xxxx, C_xxyy, C_xxzz, C_xxyz, C_xxxz, C_xxxy, C_yyyy, last C_xyxy.
  /// Takes all threads: the fastest way from the host.
  void set_tangents(const dealii::ArrayView<const double> &tangents);

  /// The same from the memory where the operator computes, a device pointer on a GPU, without a copy through the host:
  /// `[n_points][21][n owned active cells]`, so that a kernel with one thread for each cell writes next to its neighbours. Cells
  /// and numbers are in the order of the array above: entry c is that of the owned active cell number c, on one rank the
  /// one with active_cell_index() c. The array is read in stream order (DeviceVector::stream()): what fills it is submitted
  /// to that stream before, or done; what is submitted to it later may write there again.
  /// @param n_points  8 for tangents of points, 1 for those of cells; on all ranks the same
  /// @throws Error as above, and for memory of the host in place of a GPU's. Numbers are symmetric by themselves.
  void set_device_tangents(const double *tangents, unsigned int n_points);

  /// Other prescribed values of the same DoFs: load steps. Takes time for each constraint, little for
  /// each DoF. Collective. @throws Error if other DoFs are constrained than at construction
  template <typename ConstraintNumber>
  void set_prescribed_values(const dealii::AffineConstraints<ConstraintNumber> &constraints);

  /// From now on `K + shift M` takes the place of K, in all members: steps of implicit dynamics, shifted eigenvalue
  /// problems. M is the mass matrix that AdditionalData asks for, lumped or consistent; its density is that of
  /// AdditionalData or set_density(), whatever the factors are. Multigrid takes the lumped one in place of the consistent
  /// one. Preconditioner and diagonal follow, if they exist. With a positive shift
  /// solve() needs no supports. 0 is the operator without it. Collective.
  ///
  /// @throws Error unless the shift is finite; unless it is positive, where the preconditioner exists and the
  /// constraints leave a rigid motion free; for a negative one where the preconditioner exists
  void set_shift(double shift);

  /// Mass per volume of each cell, in place of that of AdditionalData: by `cell->active_cell_index()`,
  /// `[triangulation.n_active_cells()]`, or as a function of the cell. Products with M, the shift, preconditioner and
  /// diagonal follow. Collective. @throws Error unless all are positive and finite
  void set_density(const dealii::Vector<double> &density);
  void set_density(const dealii::Vector<float> &density);
  void set_density(const std::function<double(const Cell &)> &density);

  // The operator concept of deal.II. Products are collective.

  /// dst = A src
  template <class Vector>
  void vmult(Vector &dst, const Vector &src) const
  {
    multiply(entries(dst), entries(src), false);
    finish_writing(dst);
  }

  /// dst = A^T src = A src
  template <class Vector>
  void Tvmult(Vector &dst, const Vector &src) const
  {
    vmult(dst, src);
  }

  /// dst += A src
  template <class Vector>
  void vmult_add(Vector &dst, const Vector &src) const
  {
    multiply(entries(dst), entries(src), true);
    finish_writing(dst);
  }

  /// dst += A^T src = dst + A src
  template <class Vector>
  void Tvmult_add(Vector &dst, const Vector &src) const
  {
    vmult_add(dst, src);
  }

  /// dst = P C^T M C P src, M as for set_shift(): 0 on constrained DoFs. For eigenvalue problems: what src has on
  /// constrained DoFs counts for nothing.
  template <class Vector>
  void mass_vmult(Vector &dst, const Vector &src) const
  {
    multiply_mass(entries(dst), entries(src));
    finish_writing(dst);
  }

  /// dst = M src on all DoFs, without the constraints: forces of inertia for solve() and lift(), which condense them.
  /// src must be a whole motion, constrained DoFs included, as solve() leaves it.
  template <class Vector>
  void mass_vmult_unconstrained(Vector &dst, const Vector &src) const
  {
    multiply_mass_unconstrained(entries(dst), entries(src));
    finish_writing(dst);
  }

  size_type m() const; ///< rows: all DoFs of all ranks
  size_type n() const; ///< columns, as many

  /// A_ii of an owned DoF, after compute_diagonal(). @throws Error if i is not j
  Number el(size_type i, size_type j) const;

  /// A vector of the right size, zero: owned and locally relevant DoFs.
  template <class Vector>
  void initialize_dof_vector(Vector &vector) const
  {
    initialize_any(contents(), vector);
    if constexpr (std::is_same_v<Vector,
                                 DeviceVector<Number>>) // deal.II's solvers leave theirs in a pool
      release_pool_at_end(&dealii::GrowingVectorMemory<Vector>::release_unused_memory);
  }

  /// Find the diagonal, for the members that need it; it then follows set_factors(). Collective.
  void compute_diagonal();

  /// For `PreconditionChebyshev<StiffnessOperator, Vector>::AdditionalData::preconditioner` and the
  /// like. After compute_diagonal(); matrices given before do not follow set_factors().
  template <class Vector = DistributedVector>
  std::shared_ptr<dealii::DiagonalMatrix<Vector>> get_matrix_diagonal() const
  {
    auto result = std::make_shared<dealii::DiagonalMatrix<Vector>>();
    initialize_dof_vector(result->get_vector());
    copy_diagonal(entries(result->get_vector()), false);
    finish_writing(result->get_vector());
    return result;
  }

  /// As get_matrix_diagonal(), 1 / A_ii.
  template <class Vector = DistributedVector>
  std::shared_ptr<dealii::DiagonalMatrix<Vector>> get_matrix_diagonal_inverse() const
  {
    auto result = std::make_shared<dealii::DiagonalMatrix<Vector>>();
    initialize_dof_vector(result->get_vector());
    copy_diagonal(entries(result->get_vector()), true);
    finish_writing(result->get_vector());
    return result;
  }

  /// dst_i = omega src_i / A_ii, where the vectors are: called by PreconditionJacobi. After
  /// compute_diagonal().
  template <class Vector>
  void precondition_Jacobi(Vector &dst, const Vector &src, const Number omega) const
  {
    scale_by_inverse_diagonal(entries(dst), entries(src), omega);
    finish_writing(dst);
  }

  /// Bytes of this rank, on the host and on the backend.
  std::size_t memory_consumption() const;

  // Right-hand side and solution.

  /// `rhs_i -= (K g)_i` on free DoFs, with g the prescribed values and 0 elsewhere; `rhs_i = 0` on
  /// constrained DoFs. The rest is `constraints.distribute(solution)`. Collective.
  template <class Vector>
  void lift(Vector &rhs) const
  {
    subtract_lifting(entries(rhs));
    finish_writing(rhs);
  }

  /// Solve `K x = forces` on the free DoFs: conjugate gradients with Jacobi or multigrid, all of it on the backend.
  /// On the constrained DoFs x is what `constraints.distribute(x)` gives, or 0, as StiffnessOptions::constrained_entries
  /// says. Lifting is included; forces on prescribed DoFs count for nothing, those on dependent ones go to their
  /// masters. The first call builds the preconditioner, and later ones reuse it. Collective.
  ///
  /// @throws SolverFailure, with the reason, where the limit of iterations is reached or K is not positive definite;
  /// where only the precision of Number keeps the residual above the tolerance, the report says `converged = false`
  /// instead, with a remark. Error if the constraints leave a rigid motion of the mesh, or of a piece of it, free; if
  /// forces are NaN, if a cell resists no shear, or if multigrid was asked for and is not available (describe() says why)
  template <class Vector>
  SolveReport solve(Vector &x, const Vector &forces)
  {
    return solve_by(nullptr, x, forces);
  }

  /// The same with deal.II's control in place of StiffnessOptions::tolerance and max_iterations: any SolverControl, such as
  /// ReductionControl or one of your own with an observer in check(), the same on all ranks. As in SolverCG, check() sees
  /// step 0 and each iteration: |b - A x| on the free DoFs, in units of force, A = P C^T K C P, b as lift() leaves
  /// the forces. Where the true residual is more than one per cent above one that check() accepted, it sees that too,
  /// as the same step, and the solve goes on unless it accepts. Where cycles in float or a preconditioner are given up,
  /// steps count on. x begins as StiffnessOptions::initial_guess says. A ConsecutiveControl, which would count a step twice
  /// that it sees twice, is refused (Error).
  ///
  /// @throws dealii::SolverControl::NoConvergence where check() fails, or where rounding lets the true residual fall no
  /// further (SolverCG does not look); x is the last iterate then, distribute()d. The others as solve() does
  template <class Vector>
  SolveReport solve(Vector &x, const Vector &forces, dealii::SolverControl &control)
  {
    return solve_by(&control, x, forces);
  }

  /// The preconditioner of solve(), for deal.II's solvers: SolverCG, SolverFGMRES, block preconditioners, linear_operator(),
  /// eigenvalue solvers. The first call builds it. Collective.
  ///
  /// @throws Error as solve()
  Preconditioner preconditioner() const;

  /// Uploads and downloads of this rank since construction or reset_transfers().
  const Transfers &transfers() const;
  void reset_transfers();

  /// Backend, device, strategy, precision, preconditioner and memory, some lines of text: what was
  /// chosen, and why.
  std::string describe() const;

private:
  class Implementation;
  friend class Preconditioner;

  /// Throws Error if the operator is empty.
  Implementation &contents() const;
  [[noreturn]] static void throw_other_dimension(int dim);
  static void require_straight_edges(const dealii::Mapping<3, 3> &mapping,
                                     const dealii::DoFHandler<3, 3> &dof_handler);

  /// Throws Error unless there is one.
  static void require_one_block(unsigned int n_blocks);

  /// The vector itself, or the block of a block vector.
  template <class Vector>
  static auto &only_block(Vector &vector)
  {
    if constexpr (internal::is_block_vector<std::remove_const_t<Vector>>)
      {
        require_one_block(vector.n_blocks());
        return vector.block(0);
      }
    else
      return vector;
  }

  /// Throws Error unless the vector fits.
  template <class Vector>
  static OwnedEntries<Number> entries_of(const Implementation &contents, const Vector &vector)
  {
    const auto &block = only_block(vector);
    internal::require_vector<Number, std::decay_t<decltype(block)>>();
    return owned_entries(contents, block);
  }
  template <class Vector>
  OwnedEntries<Number> entries(const Vector &vector) const
  {
    return entries_of(contents(), vector);
  }

  template <class Vector>
  static void initialize_any(const Implementation &contents, Vector &vector)
  {
    if constexpr (internal::is_block_vector<Vector>)
      {
        vector.reinit(1);
        initialize_any(contents, vector.block(0));
        vector.collect_sizes();
      }
    else
      {
        internal::require_vector<Number, Vector>();
        initialize(contents, vector);
      }
  }

  /// After its entries were written: ghosts are zero, norms that it keeps are void.
  template <class Vector>
  static void finish_writing(Vector &vector)
  {
    finish_writing_block(only_block(vector));
  }

  template <class Vector>
  static OwnedEntries<Number> owned_entries(const Implementation &contents, const Vector &vector);
  template <class Vector>
  static void initialize(const Implementation &contents, Vector &vector);
  template <class Vector>
  static void finish_writing_block(Vector &vector);

  using Entries = OwnedEntries<Number>; // also of vectors that are only read

  void release_pool_at_end(void (*release)()) const;
  void multiply(const Entries &dst, const Entries &src, bool add) const;
  void multiply_mass(const Entries &dst, const Entries &src) const;
  void multiply_mass_unconstrained(const Entries &dst, const Entries &src) const;
  void copy_diagonal(const Entries &values, bool inverse) const;
  void scale_by_inverse_diagonal(const Entries &dst, const Entries &src, Number omega) const;
  void subtract_lifting(const Entries &rhs) const;
  template <class Vector>
  SolveReport solve_by(dealii::SolverControl *const control, Vector &x, const Vector &forces)
  {
    return solve_together(
      control,
      [&]() { return entries(x); },
      [&]() { return entries(forces); },
      [&]() { finish_writing(x); });
  }
  SolveReport solve_together(dealii::SolverControl *control,
                             const std::function<Entries()> &x,
                             const std::function<Entries()> &forces,
                             const std::function<void()> &finish);

  std::shared_ptr<Implementation> implementation_; ///< null: empty
};
} // namespace strut::plugin

#include <strut/plugin/stiffness_operator_preconditioner.h>

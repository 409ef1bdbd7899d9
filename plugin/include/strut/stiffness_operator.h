// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/array_view.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/types.h>

#include <deal.II/lac/diagonal_matrix.h>

#include <strut/base/exceptions.h>
#include <strut/device_vector.h>
#include <strut/element/law.h>
#include <strut/element/mass_kind.h>
#include <strut/element/material.h>
#include <strut/refused_calls.h>
#include <strut/stiffness_options.h>
#include <strut/taken_vectors.h>
#include <strut/transfers.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace strut
{
/// The stiffness of linear elasticity, `K = sum_e E_e K0_e`, as an operator of a deal.II
/// application: matrix-free, on a GPU or on the CPU. E_e is a factor of each cell. K0_e is the
/// stiffness of an isotropic material on a cell of `FESystem<3>(fe, 3)`. It equals the result of:
/// - FE_Q<3>(1) with `QGauss<3>(2)` and `MappingQ1`
/// - FE_Q<3>(2) with `QGauss<3>(3)` and a mapping of degree 1 or 2
/// - FE_SimplexP<3>(1) and FE_SimplexP<3>(2) with an exact quadrature and straight edges
/// - FE_SimplexP<3>(2) with `MappingFE<3>(FE_SimplexP<3>(2))` and the eight points of the element
///   tet10-curved, if some edge is curved
///
/// FE_Q<3>(1) alone takes all strategies, formulations, tangents and levels of refined meshes. The
/// others take the strategies `ebe` and `nbn`, factors and Lame's parameters. Their multigrid has
/// background cells, which take no hanging nodes or other dependent DoFs.
///
/// **Two ways to use it.** With vmult() and deal.II's solvers, each product uploads one vector and
/// downloads one. solve() runs conjugate gradients on the backend, with one upload and one download
/// in all.
///
/// **DoFs** may be numbered in any way that leaves the three of a node to one rank. **Meshes**
/// consist of hexahedra, possibly locally refined, or of tetrahedra, on one rank or distributed.
///
/// **Constraints** prescribe values of DoFs (Dirichlet), zero or not, or make them depend on others
/// (hanging nodes, periodicity, no normal flux, mean values). Let P be the projection that zeroes
/// the constrained DoFs, and C the matrix that computes the dependent DoFs from the others. The
/// operator is `A = P C^T K C P + (1 - P)`: columns of constrained DoFs are dropped, and their rows
/// are those of the identity (`dst = src` there). MatrixFreeOperators do the same. So A is
/// symmetric, with ones on the diagonal there. Prescribed values affect the free DoFs by the
/// right-hand side:
/// ```
/// K.lift(rhs);                       // rhs = C^T (rhs - K g) on free DoFs; 0 on constrained ones
/// cg.solve(K, u, rhs, preconditioner);
/// constraints.distribute(u);         // u = g on constrained DoFs
/// ```
/// solve() includes these steps, and distribute() changes its x on the constrained DoFs. To use x
/// in products, for energies and inverse iterations, set StiffnessOptions::constrained_entries to
/// "zero", or call `constraints.set_zero(x)`.
///
/// **Vectors** may be of these types, or block vectors of them with one block:
/// - LinearAlgebra::distributed::Vector<Number>
/// - DeviceVector<Number>, which stays where the operator computes
/// - on one rank, dealii::Vector<Number>
/// - with Number = double, TrilinosWrappers::MPI::Vector and PETScWrappers::MPI::Vector
///
/// Only owned entries are read and written; ghosts of written vectors become zero.
///
/// Members that take part in MPI communication ("Collective") must be called on all ranks. Only one
/// thread may use the operator at a time, because products share work vectors. A second thread gets
/// an Error.
///
/// Errors are strut::Error. Their text says what was found, what is allowed and what to do. If
/// collective members throw on one rank, they throw on all, with that rank's message, and leave
/// none waiting. There are two exceptions. Products, lift() and compute_diagonal() make no
/// collective checks: if a vector does not fit on one rank, only that rank throws. And the
/// preconditioner or solve() may run out of memory on one rank, despite the estimate that is
/// checked before. That rank then prints its message and ends the program (MPI_Abort), as the
/// others wait for it inside of MPI.
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

  /// Data for reinit() besides DoFs and constraints.
  struct AdditionalData
  {
    Material material        = {}; ///< E and nu, E in the units of the application
    StiffnessOptions options = {};
    /// Degree of the MappingQ that the application assembles with, or of the MappingFE on
    /// tetrahedra. Cells have straight edges for 1. Those of degree 2 are for quadratic elements
    /// alone. reinit() throws Error for other degrees. The overloads that take the mapping check it
    /// themselves, and use it.
    unsigned int mapping_degree = 1;
    /// Mass per volume of the cells, for set_shift() and mass_vmult(); see set_density().
    double density = 1.;
    MassKind mass  = MassKind::lumped; ///< kind of M, for set_shift() and mass_vmult()
  };

  class Preconditioner;

  /// Makes an empty operator, for members of a class and for MGLevelObject; reinit() fills it.
  StiffnessOperator();

  /// Moves leave an empty operator behind. Preconditioners stay with the contents.
  StiffnessOperator(StiffnessOperator &&other) noexcept;
  StiffnessOperator &operator=(StiffnessOperator &&other) noexcept;
  StiffnessOperator(const StiffnessOperator &)            = delete;
  StiffnessOperator &operator=(const StiffnessOperator &) = delete;

  /// Sets up the operator as the constructor does, whether it was empty or had another mesh.
  /// Existing preconditioners keep the old contents until their own end. If it throws, the operator
  /// is empty. Collective.
  template <typename ConstraintNumber>
  void reinit(const dealii::DoFHandler<3, 3> &dof_handler,
              const dealii::AffineConstraints<ConstraintNumber> &constraints,
              const AdditionalData &data = {});

  /// Sets up the operator and checks the mapping that the application assembles with, which the
  /// DoFHandler does not know. Linear elements accept it if the owned cells have straight edges
  /// between their vertices. Quadratic ones put their nodes where it has them, and accept it if
  /// the rest of the cell follows from these. The check takes as long as a loop of FEValues, and
  /// nothing for MappingQ1. The mapping may end before the operator. Collective.
  /// @throws Error, with the mapping's degree, if it has other cells: those at a curved boundary,
  /// or moved vertices with a linear element. It also throws if cells put a node that they share at
  /// different places
  template <typename ConstraintNumber>
  void reinit(const dealii::Mapping<3, 3> &mapping,
              const dealii::DoFHandler<3, 3> &dof_handler,
              const dealii::AffineConstraints<ConstraintNumber> &constraints,
              const AdditionalData &data = {})
  {
    reinit_with(&mapping, dof_handler, constraints, data);
  }

  /// Overloads for programs with dim as a parameter: they compile for 1 and 2, and throw Error.
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

  /// Leaves an empty operator.
  void clear();

  /// Sets up the operator with all factors 1. Collective.
  ///
  /// @param dof_handler  of one of the finite elements above. It must outlive this object and must
  /// not change, nor may its mesh; otherwise all members throw Error. deal.II signals most changes.
  /// New numberings and vertices moved by hand are searched for in 500 cells of a rank. Products,
  /// lift(), compute_diagonal() and preconditioners search 16 cells.
  /// @param constraints  closed constraints, which are copied. On several ranks they must know the
  /// owned DoFs. Their numbers are Number or double.
  /// @param material  E and nu, E in the units of the application
  /// @throws Error for hanging nodes without constraints, for another finite element, for other
  /// cells, or inverted ones. It also throws if the three DoFs of a node are on several
  /// ranks, or if a backend or strategy is not available.
  /// @throws OutOfMemory
  template <typename ConstraintNumber>
  StiffnessOperator(const dealii::DoFHandler<3, 3> &dof_handler,
                    const dealii::AffineConstraints<ConstraintNumber> &constraints,
                    const Material &material        = {},
                    const StiffnessOptions &options = {});

  /// Sets up the operator and checks the application's mapping; see reinit().
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

  /// Sets E_e by `cell->active_cell_index()`, `[triangulation.n_active_cells()]`, as in deal.II's
  /// cellwise vectors. Entries of cells that this rank does not own are ignored. Preconditioner and
  /// diagonal are updated, if they exist. Collective. @throws Error unless all are positive and
  /// finite
  void set_factors(const dealii::Vector<double> &factors);
  void set_factors(const dealii::Vector<float> &factors);

  /// Sets E_e by a function of the cell, which is called once for each owned cell.
  void set_factors(const std::function<double(const Cell &)> &factor);

  /// Sets Lame's parameters of each cell, which replace the material and the factors until
  /// set_factors(). They are vectors by `cell->active_cell_index()`,
  /// `[triangulation.n_active_cells()]` each, or a function of the cell that returns (lambda, mu).
  /// Products take as long as with factors, or twice as long with other strategies than
  /// `on_the_fly`. The first call makes one more element operator, or two. Preconditioner and
  /// diagonal are updated, if they exist. Not allowed with Formulation::incompatible_modes.
  /// Collective.
  ///
  /// @throws Error unless all are finite, mu >= 0 and 3 lambda + 2 mu > 0. It also throws for cells
  /// with mu = 0, which resist no shear, if the preconditioner exists without a positive shift;
  /// only products accept these.
  void set_lame(const dealii::Vector<double> &lambda, const dealii::Vector<double> &mu);
  void set_lame(const std::function<std::pair<double, double>(const Cell &)> &lame);

  /// Sets the numbers of a law for each cell: one of laws() but Law::table, or one of the
  /// application (`<strut/element/law.h>`). They replace the material and the factors as the
  /// numbers of the law do that computes it: see set_factors(), set_lame() and set_tangents().
  /// Collective.
  ///
  /// @param numbers  `numbers(cell, result)` sets the numbers of a cell, `[law.n_components]`
  void set_law(const Law &law, const std::function<void(const Cell &, double *result)> &numbers);

  /// Sets moduli for each Gauss point of QGauss<3>(2) of each cell, which replace the material and
  /// the factors until set_factors() or set_lame(). The law is stress = C : strain, in units of E,
  /// as for the consistent tangent of plasticity. K is then Newton's tangent at small strain. Only
  /// strategies `on_the_fly` accept moduli, and so only FE_Q<3>(1); mean dilatation and
  /// incompatible modes do not. Products
  /// read 168 numbers per cell, and take several times as long. Multigrid uses the mean over each
  /// cell on coarser levels. Preconditioner and diagonal are updated, if they exist. Collective.
  ///
  /// @param tangent  called once for each point of each owned cell, by one thread, in their order
  /// @throws Error unless all are finite and symmetric, C_ijkl = C_klij to 1e-8 of the largest
  /// entry. Products do not need positive definite moduli; solve() detects if they are not.
  void set_tangents(
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int q)> &tangent);

  /// Sets the same moduli at all points of a cell: 21 numbers per cell.
  void set_tangents(const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &tangent);

  /// Sets moduli from an array, `[n owned active cells][8][21]` by points or `[n owned active
  /// cells][21]`, cells ordered by active_cell_index(). The numbers are the upper triangle of C in
  /// Voigt's notation, row by row: C_IJ = C_ijkl with I, J = xx, yy, zz, yz, xz, xy. So C_xxxx,
  /// C_xxyy, C_xxzz, C_xxyz, C_xxxz, C_xxxy, C_yyyy come first, and C_xyxy is last. All threads
  /// take part: this is the fastest way from the host.
  void set_tangents(const dealii::ArrayView<const double> &tangents);

  /// Sets moduli from memory where the operator computes, a device pointer on a GPU, without a copy
  /// through the host. The layout is `[n_points][21][n owned active cells]`, so that a kernel with
  /// one thread per cell writes coalesced. Cells and numbers are ordered as in the host's array:
  /// entry c belongs to the owned active cell number c. On one rank its active_cell_index() is c.
  ///
  /// The array is read in stream order (DeviceVector::stream()). Work that fills it must be
  /// finished or submitted to that stream before; work submitted later may overwrite it.
  /// @param n_points  8 for moduli of points, 1 for moduli of cells; the same on all ranks
  /// @throws Error as above, and for host memory with a GPU. The layout makes the moduli symmetric.
  void set_device_tangents(const double *tangents, unsigned int n_points);

  /// Sets other prescribed values of the same DoFs, for load steps. The time grows with the number
  /// of constraints, and hardly with that of DoFs. Collective. @throws Error if other DoFs are
  /// constrained than at construction
  template <typename ConstraintNumber>
  void set_prescribed_values(const dealii::AffineConstraints<ConstraintNumber> &constraints);

  /// Replaces K by `K + shift M` in all members, for implicit dynamics and shifted eigenvalue
  /// problems; 0 restores K. M is the mass matrix that AdditionalData asks for, lumped or
  /// consistent. Lumped masses are row sums, or with FE_SimplexP<3>(2), where some of these are
  /// negative, the diagonal of the consistent matrix, scaled to the mass of each cell. The density
  /// comes from AdditionalData or set_density(), regardless of the factors.
  /// Multigrid uses the lumped matrix in place of the consistent one. Preconditioner and diagonal
  /// are updated, if they exist. With a positive shift solve() needs no supports. Collective.
  ///
  /// @throws Error unless the shift is finite. If the preconditioner exists, it also throws for a
  /// negative shift, and unless it is positive if the constraints leave a rigid motion free.
  void set_shift(double shift);

  /// Sets the mass per volume of each cell, which replaces that of AdditionalData. It is a vector
  /// by `cell->active_cell_index()`, `[triangulation.n_active_cells()]`, or a function of the cell.
  /// Products with M, shift, preconditioner and diagonal are updated. Collective. @throws Error
  /// unless all are positive and finite
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

  /// dst = P C^T M C P src, with M as for set_shift(), and 0 on constrained DoFs. It is for
  /// eigenvalue problems; values of src on constrained DoFs are ignored.
  template <class Vector>
  void mass_vmult(Vector &dst, const Vector &src) const
  {
    multiply_mass(entries(dst), entries(src));
    finish_writing(dst);
  }

  /// dst = M src on all DoFs, without the constraints: inertia forces for solve() and lift(), which
  /// condense them. src must include the motion of constrained DoFs, as in the result of solve().
  template <class Vector>
  void mass_vmult_unconstrained(Vector &dst, const Vector &src) const
  {
    multiply_mass_unconstrained(entries(dst), entries(src));
    finish_writing(dst);
  }

  size_type m() const; ///< rows: all DoFs of all ranks
  size_type n() const; ///< number of columns, equal to m()

  /// Entry A_ii of an owned DoF, after compute_diagonal(). @throws Error if i is not j
  Number el(size_type i, size_type j) const;

  /// Sizes a vector with owned and locally relevant DoFs, and sets it to zero.
  template <class Vector>
  void initialize_dof_vector(Vector &vector) const
  {
    initialize_any(contents(), vector);
    if constexpr (std::is_same_v<Vector,
                                 // deal.II's solvers leave their vectors in a pool
                                 DeviceVector<Number>>)
      release_pool_at_end(&dealii::GrowingVectorMemory<Vector>::release_unused_memory);
  }

  /// Computes the diagonal, for the members that need it; it then follows set_factors().
  /// Collective.
  void compute_diagonal();

  /// Diagonal matrix for `PreconditionChebyshev<StiffnessOperator,
  /// Vector>::AdditionalData::preconditioner` and the like. Call compute_diagonal() first. Later
  /// calls of set_factors() do not change matrices that were returned before.
  template <class Vector = DistributedVector>
  std::shared_ptr<dealii::DiagonalMatrix<Vector>> get_matrix_diagonal() const
  {
    auto result = std::make_shared<dealii::DiagonalMatrix<Vector>>();
    initialize_dof_vector(result->get_vector());
    copy_diagonal(entries(result->get_vector()), false);
    finish_writing(result->get_vector());
    return result;
  }

  /// Inverse of get_matrix_diagonal(), with 1 / A_ii.
  template <class Vector = DistributedVector>
  std::shared_ptr<dealii::DiagonalMatrix<Vector>> get_matrix_diagonal_inverse() const
  {
    auto result = std::make_shared<dealii::DiagonalMatrix<Vector>>();
    initialize_dof_vector(result->get_vector());
    copy_diagonal(entries(result->get_vector()), true);
    finish_writing(result->get_vector());
    return result;
  }

  /// dst_i = omega src_i / A_ii, computed where the vectors are. PreconditionJacobi calls it, after
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

  /// Computes `rhs_i -= (K g)_i` on free DoFs and `rhs_i = 0` on constrained DoFs. g has the
  /// prescribed values, and 0 elsewhere. Afterwards call `constraints.distribute(solution)`.
  /// Collective.
  template <class Vector>
  void lift(Vector &rhs) const
  {
    subtract_lifting(entries(rhs));
    finish_writing(rhs);
  }

  /// Solves `K x = forces` on the free DoFs by conjugate gradients with Jacobi or multigrid, all of
  /// it on the backend. On the constrained DoFs x is the result of `constraints.distribute(x)`, or
  /// 0, depending on StiffnessOptions::constrained_entries. Lifting is included. Forces on
  /// prescribed DoFs are ignored, and those on dependent DoFs go to their masters. The first call
  /// builds the preconditioner, and later ones reuse it. Collective.
  ///
  /// @throws SolverFailure, with the reason, at the limit of iterations or if K is not positive
  /// definite. If only the precision of Number keeps the residual above the tolerance, the report
  /// has `converged = false` and a remark instead.
  /// @throws Error if the constraints leave a rigid motion of the mesh, or of a piece of it, free;
  /// if forces are NaN; or if a cell resists no shear. It also throws if the requested multigrid is
  /// not available (describe() says why).
  template <class Vector>
  SolveReport solve(Vector &x, const Vector &forces)
  {
    return solve_by(nullptr, x, forces);
  }

  /// Solves with a control of deal.II in place of StiffnessOptions::tolerance and max_iterations.
  /// Any SolverControl will do, such as ReductionControl or one with an observer in check(), the
  /// same on all ranks. As in SolverCG, check() sees step 0 and each iteration. Its value is |b - A
  /// x| on the free DoFs, in units of force, with A = P C^T K C P and b as lift() leaves the
  /// forces.
  ///
  /// If the true residual exceeds a value that check() accepted by more than one per cent, check()
  /// sees it too, as the same step. The solve then goes on unless check() accepts. The count of
  /// steps continues if float cycles or a preconditioner are given up. x begins as
  /// StiffnessOptions::initial_guess says. A ConsecutiveControl is refused (Error), because it
  /// would count a repeated step twice.
  ///
  /// @throws dealii::SolverControl::NoConvergence if check() fails, or if rounding keeps the true
  /// residual from falling further, which SolverCG does not check. x is then the last iterate,
  /// after distribute(). Other exceptions are those of solve().
  template <class Vector>
  SolveReport solve(Vector &x, const Vector &forces, dealii::SolverControl &control)
  {
    return solve_by(&control, x, forces);
  }

  /// The preconditioner of solve(), for deal.II's solvers: SolverCG, SolverFGMRES, block
  /// preconditioners, linear_operator(), eigenvalue solvers. The first call builds it. Collective.
  /// @throws Error as solve()
  Preconditioner preconditioner() const;

  /// Uploads and downloads of this rank since construction or reset_transfers().
  const Transfers &transfers() const;
  void reset_transfers();

  /// Text of several lines with the choice of backend, device, strategy, precision, preconditioner
  /// and memory, and the reasons for it.
  std::string describe() const;

private:
  class Implementation;
  friend class Preconditioner;

  /// Throws Error if the operator is empty.
  Implementation &contents() const;
  [[noreturn]] static void throw_other_dimension(int dim);
  /// Sets up the operator, with the mapping of the application or none.
  template <typename ConstraintNumber>
  void reinit_with(const dealii::Mapping<3, 3> *mapping,
                   const dealii::DoFHandler<3, 3> &dof_handler,
                   const dealii::AffineConstraints<ConstraintNumber> &constraints,
                   const AdditionalData &data);

  /// Throws Error unless the vector has exactly one block.
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

  /// Finishes a vector whose entries were written: its ghosts become zero, and cached norms become
  /// invalid.
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

  using Entries = OwnedEntries<Number>; // also for vectors that are only read

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

  std::shared_ptr<Implementation> implementation_; ///< null if empty
};
} // namespace strut

#include <strut/stiffness_operator_preconditioner.h>

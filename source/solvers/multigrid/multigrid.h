// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/recording.h"
#include "source/base/borrowed_memory.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/solvers/multigrid/level_operator.h"
#include "source/solvers/multigrid/polynomial_smoother.h"

#include <strut/mesh/hierarchy.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strut
{
/// Smoothers: chebyshev is a polynomial of the fourth kind with the inverse nodal blocks,
/// damped_jacobi uses the inverse diagonal.
enum class Smoother
{
  chebyshev,
  damped_jacobi
};

/// Settings of a cycle.
struct MultigridSettings
{
  Smoother smoother = Smoother::chebyshev;
  double damping    = 0.6; ///< damping of damped_jacobi
  /// Smoothing steps before and after each coarse correction. 0 stands for as many as the shape of
  /// the elements requires on each level (smoothing_steps.h).
  unsigned int smoothing_steps = 0;
  /// V-cycles on the second level for each on the finest. 0 stands for the best number: 2 with
  /// rediscretised levels and with aggregation, 1 with Galerkin's.
  unsigned int coarse_cycles = 0;
  /// Largest number of DoFs for the direct solver. The first level with at most so many is the
  /// coarsest.
  std::size_t direct_dofs = 1500;
  /// Strategy of the operators; must offer diagonal_blocks().
  std::string strategy             = "on_the_fly";
  CoarseOperators coarse_operators = CoarseOperators::rediscretised;
  /// Largest number of elements of the levels that each of several ranks gathers (GatheredLevels),
  /// behind the finest level. For rediscretised levels alone. The default is
  /// `most_gathered_elements` on devices, and no gathering on the host, where ranks share the
  /// cores.
  std::optional<std::size_t> gathered_elements = {};
  /// If set, all levels have Lame's parameters of solids between these, and no operators for
  /// factors. The default is the range of solids of a structure with Poisson's ratios of its
  /// elements.
  std::optional<ExtremeSolids> solids = {};
};

/// Largest number of DoFs of the coarsest mesh for the direct solver. A factorisation, which each
/// change of the factors requires, then takes about a second.
constexpr std::size_t most_coarse_dofs = 30000;

/// Largest number of DoFs of a coarsest mesh without background levels behind it. A larger factor
/// takes longer than cycles on these levels. For 15,000 DoFs on two CPU cores it takes 1.5 s per
/// design, and 0.1 s with background levels. A smaller factor is the better preconditioner for
/// designs with thin members.
constexpr std::size_t most_dofs_without_background = 10000;

/// Number of coarser meshes that a cycle uses, down to the first that the direct solver takes.
/// Galerkin's operators use no background if the last mesh before has at most `most_coarse_dofs`.
/// Aggregation uses the meshes down to the first without hanging nodes. Collective.
std::size_t n_coarser_levels(const Communicator &communicator,
                             const MeshHierarchy &coarser,
                             const MultigridSettings &settings);

/// Elements of the largest level that each of several devices solves as a whole. On smaller levels
/// messages take longer than products.
constexpr std::size_t most_gathered_elements = 262144;

/// Index of the first of n coarser levels that each rank gathers, with those behind it; n if there
/// is none. Collective.
/// @param type  that of the elements of the finest mesh
std::size_t first_gathered_level(const Communicator &communicator,
                                 const ElementType &type,
                                 const MeshHierarchy &coarser,
                                 std::size_t n,
                                 const MultigridSettings &settings,
                                 bool on_device);

/// A strategy of a backend for the levels, whose results have the same bits in every run. Throws
/// Error if there is none.
std::string deterministic_level_strategy(const StrategyList<double> &strategies);

/// Estimated bytes that Multigrid<Number> will keep on the backend for a mesh of this size.
template <typename Number>
double multigrid_memory_estimate(const Strategy<Number> &strategy,
                                 CoarseOperators coarse_operators,
                                 const MeshSize &size);

/// Geometric multigrid for the stiffness operator: one symmetric cycle as a preconditioner. All
/// levels act on the free DoFs only.
///
/// - The smoother on each level is Chebyshev's, scaled with the inverse nodal blocks, or Jacobi's,
///   damped.
/// - The coarse operators (CoarseOperators) are discretised anew with the mean stiffness of the
///   children, or are Galerkin's. The former need no matrices but the blocks.
/// - The coarsest level has a direct solver. Alternatively smoothed aggregation of the matrix of
///   the second level replaces coarser meshes (AggregationSolver).
///
/// The mean makes the coarse levels too stiff where solid and void meet, so their corrections fall
/// short. A second cycle on the second level, an eighth of the work, repairs most of it
/// (doc/studies/tuning.md). Galerkin's levels fit better; their products move 300 numbers per
/// element. For elements other than hexahedra of eight nodes a polynomial combines both cycles.
template <typename Number>
class Multigrid
{
public:
  /// Make the levels.
  /// @param structure  with coarser meshes; those beyond the first small one (MultigridSettings)
  ///   are not used
  Multigrid(Backend &backend,
            const Communicator &communicator,
            const Structure &structure,
            const MultigridSettings &settings);
  ~Multigrid();

  /// Sets the stiffness of the finest mesh's elements on all levels. The solver of the coarsest
  /// level may only begin its work (CoarseSolver). Throws SolverFailure. Collective.
  void set(const Stiffness &stiffness);

  /// Set a diagonal matrix that is added to the operator from the next set() on. The
  /// coarser levels have `P^T S 1`, the sums of the rows of `P^T S P`, which it bounds. Collective.
  /// @param shift  of the finest level, on owned DoFs, all >= 0
  void set_shift(const Array<Number> &shift);

  /// Use this vector for the residual and the steps of the finest level from now on, as far as it
  /// has room, in float all or none. Its entries are overwritten between residual() and the end of
  /// the cycle, and while the stiffness is set. Each new vector costs a new recording of the cycle.
  template <typename Lent>
  void borrow(Array<Lent> &vector)
  {
    borrow(vector.data(), vector.size() * sizeof(Lent));
  }

  /// The input of the next cycle, on owned DoFs. The cycle fetches the ghosts, and overwrites it.
  Array<Number> &residual();

  /// The result of the last cycle: the correction `M^-1 r` on owned DoFs, 0 on constrained ones.
  const Array<Number> &correction() const;

  /// Make cycles. Where the backend can record, all cycles but the very first are submitted as a
  /// whole. They are recorded while a new stiffness is set, in the form of the last ones, or here
  /// if that does not fit. Throws SolverFailure, like set().
  /// @param n  cycles for one input
  void cycle(unsigned int n = 1);

  /// Complete the work of set() before work that is submitted afterwards, for a caller of
  /// submit(). Throws SolverFailure, with each call. Collective.
  void finish();

  /// Submit cycles operation by operation, for a caller that records.
  void submit(unsigned int n);

  /// Whether submit() only submits work to the backend, so that a Recording can contain it.
  bool only_submits() const;

  /// Whether the last cycle was submitted as a whole.
  bool is_recorded() const
  {
    return is_recorded_;
  }

  unsigned int n_levels() const;

private:
  struct Level;

  /// Cycles from the second level on, combined by Chebyshev's polynomial of the fourth kind. It has
  /// the largest eigenvalue of the cycle, so two cycles are positive definite if that is above 2.
  struct CombinedCycles
  {
    PolynomialSmoother coefficients; ///< empty until it is known for a new stiffness
    Array<Number> residual, step, sum;
  };

  double bound_of(Level &level);
  double
  largest_eigenvalue(Level &level,
                     std::size_t n_steps,
                     double margin,
                     const std::function<void(Array<Number> &r, Array<Number> &z)> &precondition,
                     Array<Number> &r,
                     Array<Number> &p);
  void find_coefficients();
  void combine_cycles();
  void provide_springs();
  void borrow(void *vector, std::size_t bytes);
  void record(unsigned int n);
  void cycle(std::size_t l, bool from_zero);
  void smooth(Level &level, unsigned int first_step);

  Backend &backend_;
  const MultigridOperations<Number> &operations_;
  const Communicator communicator_;
  const MultigridSettings settings_;
  const std::size_t n_owned_; ///< owned DoFs of the finest level
  std::unique_ptr<BorrowedMemory> borrowed_;
  const void *lent_ = nullptr; ///< address of the lent memory
  HaloExchange<Number> finest_ghosts_;
  /// Used with several ranks if there are dependent DoFs.
  std::unique_ptr<HaloExchange<Number>> coarsest_ghosts_;
  std::vector<std::unique_ptr<Level>> levels_; ///< finest first
  /// The work of combined cycles. It is null for hexahedra of eight nodes, whose cycles follow one
  /// another.
  std::unique_ptr<CombinedCycles> combined_;
  std::unique_ptr<CoarseSolver<Number>> coarse_solver_;
  /// Recording of cycles; null if operations are submitted one after another.
  std::unique_ptr<Recording> recording_;
  /// Number of recorded cycles; 0 if none since the stiffness changed.
  unsigned int n_recorded_ = 0;
  unsigned int n_last_     = 0; ///< number of cycles in the last cycle()
  bool is_recorded_        = false;
  /// The stiffness is new: there was no cycle yet, except by submit().
  bool is_new_ = false;
  /// A cycle has run, so all memory is allocated; recording allows no allocations.
  bool has_run_ = false;
  std::optional<Law> law_; ///< law of the last set()
};

/// Makes a preconditioner of one multigrid cycle in `CycleNumber` for vectors of `Number`: double
/// with double, float with float, or double with float.
/// @param structure  with coarser meshes
template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>>
make_multigrid_preconditioner(Backend &backend,
                              const Communicator &communicator,
                              const Structure &structure,
                              const MultigridSettings &settings);
} // namespace strut

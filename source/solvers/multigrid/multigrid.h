// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/borrowed_memory.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/solvers/multigrid/level_operator.h"
#include "source/solvers/multigrid/polynomial_smoother.h"

#include <strut/mesh/hierarchy.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strut
{
/// chebyshev: a polynomial of the fourth kind with the inverse nodal blocks; damped_jacobi: with
/// the inverse diagonal.
enum class Smoother
{
  chebyshev,
  damped_jacobi
};

/// How a cycle is built.
struct MultigridSettings
{
  Smoother smoother = Smoother::chebyshev;
  double damping    = 0.6; ///< of damped_jacobi
  /// Before and after each coarse correction; 0: as many as the shape of the elements wants, on
  /// each level (smoothing_steps.h).
  unsigned int smoothing_steps = 0;
  /// V-cycles on the second level for each on the finest; 0: as many as pay, 2 with rediscretised
  /// levels and with aggregation, 1 with Galerkin's.
  unsigned int coarse_cycles = 0;
  /// DoFs that the direct solver takes: the first level with as many or fewer is the coarsest.
  std::size_t direct_dofs = 1500;
  std::string strategy    = "on_the_fly"; ///< of the operators; has to offer diagonal_blocks()
  CoarseOperators coarse_operators = CoarseOperators::rediscretised;
  /// Of several ranks: the first level behind the finest with as many elements or fewer is gathered
  /// on each, with those behind it (GatheredLevels). Rediscretised levels alone. Unless set:
  /// `most_gathered_elements` on devices; none on the host, where ranks share the cores.
  std::optional<std::size_t> gathered_elements = {};
  /// If set, all levels have Lame's parameters of solids between these, and no operators for
  /// factors. Unless set: those of the structure, if it has Poisson's ratios of its elements.
  std::optional<ExtremeSolids> solids = {};
};

/// DoFs of the coarsest mesh that the direct solver factors after each change of the factors, at
/// most: about a second.
constexpr std::size_t most_coarse_dofs = 30000;

/// DoFs of a coarsest mesh that gets no background levels behind it, at most. A factor of more
/// takes longer than cycles on these (15,000 on two CPU cores: 1.5 s per design, and 0.1 s with
/// background levels); one of fewer is the better preconditioner of designs with thin members.
constexpr std::size_t most_dofs_without_background = 10000;

/// How many of the coarser meshes a cycle uses: down to the first that the direct solver takes.
/// With Galerkin's operators none that is a background, if the last before them is no larger than
/// `most_coarse_dofs`. With aggregation down to the first without hanging nodes. Collective.
std::size_t n_coarser_levels(const Communicator &communicator,
                             const MeshHierarchy &coarser,
                             const MultigridSettings &settings);

/// Elements of the largest level that each of several devices solves as a whole: below it messages
/// take longer than products.
constexpr std::size_t most_gathered_elements = 262144;

/// Which of the first n coarser levels is the first that each rank gathers, with those behind it;
/// n: none. Collective.
std::size_t first_gathered_level(const Communicator &communicator,
                                 const MeshHierarchy &coarser,
                                 std::size_t n,
                                 const MultigridSettings &settings,
                                 bool on_device);

/// A strategy for the levels, one of these of a backend, whose results are the same bits in every
/// run. Throws Error if there is none.
std::string deterministic_level_strategy(const StrategyList<double> &strategies);

/// Bytes that Multigrid<Number> will keep on the backend for a mesh of this size, about.
template <typename Number>
double multigrid_memory_estimate(const Strategy<Number> &strategy,
                                 CoarseOperators coarse_operators,
                                 const MeshSize &size);

/// Geometric multigrid for the stiffness operator, one symmetric cycle as a preconditioner: on each
/// level a Chebyshev smoother scaled with the inverse nodal blocks (or Jacobi's, damped), coarse
/// operators discretised anew with the mean stiffness of the children or Galerkin's
/// (CoarseOperators), a direct solver on the coarsest level. The first needs no matrices but the
/// blocks. All levels act on the free DoFs only. Or smoothed aggregation of the matrix of the
/// second level, instead of coarser meshes (AggregationSolver).
///
/// The mean makes the coarse levels stiffer than they should be where solid and void meet, so their
/// corrections fall short; a second cycle on the second level, an eighth of the work, mends most of
/// it (doc/studies/tuning.md). Galerkin's levels fit better; their products move 300 numbers per
/// element.
template <typename Number>
class Multigrid
{
public:
  /// @param structure  with coarser meshes; those beyond the first small one (MultigridSettings)
  ///   are not
  /// used
  Multigrid(Backend &backend,
            const Communicator &communicator,
            const Structure &structure,
            const MultigridSettings &settings);
  ~Multigrid();

  /// Element stiffness factors of the finest mesh, `[n_elements]`, on the backend: all levels
  /// follow, the coarsest one as far as its solver begins (CoarseSolver). Throws SolverFailure.
  /// Collective.
  void set_stiffness(const Array<double> &factors);

  /// The same with Lame's parameters of each element, `[n_elements]`, on the backend.
  void set_lame(const Array<double> &lambda, const Array<double> &mu);

  /// The same with tangents, as ElasticityOperator::set_tangents().
  void set_tangents(unsigned int n_points, const TangentFields &fields);

  /// A diagonal matrix that is added to the operator, from the next set_stiffness() on: `P^T S 1`
  /// on the coarser levels, the sums of the rows of `P^T S P`, which it bounds. Collective.
  /// @param shift  of the finest level, on owned DoFs, all >= 0
  void set_shift(const Array<Number> &shift);

  /// Have the residual and the steps of the finest level in this vector from now on, as far as it
  /// has room, in float all or none: from residual() to the end of the cycle, and while the
  /// stiffness is set, nobody else needs its entries. Each new vector costs a new recording of the
  /// cycle.
  template <typename Lent>
  void borrow(Array<Lent> &vector)
  {
    borrow(vector.data(), vector.size() * sizeof(Lent));
  }

  /// The input of the next cycle, on owned DoFs; the cycle fetches the ghosts, and overwrites it.
  Array<Number> &residual();

  /// The result of the last cycle: the correction `M^-1 r` on owned DoFs, 0 on constrained ones.
  const Array<Number> &correction() const;

  /// Where the backend can record, all cycles but the very first are submitted as a whole. They are
  /// recorded while a new stiffness is set, as the last ones were; or here, where that does not
  /// fit. Throws SolverFailure, as set_stiffness().
  /// @param n  cycles for one input
  void cycle(unsigned int n = 1);

  /// What set_stiffness() has begun is done before what is submitted from now on: for a caller of
  /// submit(). Throws SolverFailure, with each call. Collective.
  void finish();

  /// The same operation by operation, for a caller who records.
  void submit(unsigned int n);

  /// Whether submit() only submits work to the backend, so that a Recording can have it.
  bool only_submits() const;

  /// Whether the last cycle was submitted as a whole.
  bool is_recorded() const
  {
    return is_recorded_;
  }

  unsigned int n_levels() const;

private:
  struct Level;
  enum class Parameters /// of the elements
  {
    none,
    factors,
    lame,
    tangents
  };

  /// Hand new stiffness to the levels one after another: set(K). Then begin with the coarsest one,
  /// and meanwhile renew smoothers and recording.
  /// @param set  of a LevelOperator
  template <typename Set>
  void renew(Parameters parameters, const Set &set);
  double bound_of(Level &level);
  void provide_springs(const MeshHierarchy &coarser);
  void borrow(void *vector, std::size_t bytes);
  void record(unsigned int n);
  void cycle(std::size_t l, bool from_zero);
  void smooth(Level &level, unsigned int first_step);

  Backend &backend_;
  const Communicator communicator_;
  const MultigridSettings settings_;
  const std::size_t n_owned_; ///< DoFs of the finest level
  std::unique_ptr<BorrowedMemory> borrowed_;
  const void *lent_ = nullptr; ///< where that is
  HaloExchange<Number> finest_ghosts_;
  /// Of several ranks, if dependent DoFs are there.
  std::unique_ptr<HaloExchange<Number>> coarsest_ghosts_;
  std::vector<std::unique_ptr<Level>> levels_; ///< finest first
  std::unique_ptr<CoarseSolver<Number>> coarse_solver_;
  /// Of cycles; null: submit them one operation after another.
  std::unique_ptr<Recording> recording_;
  unsigned int n_recorded_ = 0; ///< cycles; 0: none since the stiffness changed
  unsigned int n_last_     = 0; ///< cycles, in the last cycle()
  bool is_recorded_        = false;
  bool is_new_             = false; ///< the stiffness: no cycle yet, but of submit()
  bool has_run_ = false; ///< so that all is allocated: nothing is while a cycle is recorded
  Parameters parameters_ = Parameters::none;
};

/// One multigrid cycle in `CycleNumber` for vectors of `Number`: double with double, float with
/// float, or double with float.
/// @param structure  with coarser meshes
template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>>
make_multigrid_preconditioner(Backend &backend,
                              const Communicator &communicator,
                              const Structure &structure,
                              const MultigridSettings &settings);
} // namespace strut

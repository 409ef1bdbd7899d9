// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/multigrid.h"
#include "source/base/watchdog.h"
#include "source/solvers/coarse/direct_solver.h"
#include "source/solvers/multigrid/aggregation_solver.h"
#include "source/solvers/multigrid/background.h"
#include "source/solvers/multigrid/gathered_levels.h"
#include "source/solvers/multigrid/multigrid_level.h"
#include "source/solvers/multigrid/smoother_bound.h"
#include "source/solvers/multigrid/smoothing_steps.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <utility>

namespace strut
{
namespace
{
/// Completes settings that are left open: the solids of the structure, and the best number of
/// coarse cycles.
MultigridSettings
completed(MultigridSettings settings, const Communicator &communicator, const Structure &structure)
{
  if (!settings.solids)
    settings.solids = extreme_solids(communicator, structure);
  if (settings.coarse_cycles > 0)
    return settings;
  const double n_fine = communicator.sum(static_cast<double>(structure.mesh.n_elements));
  const double n_coarse =
    communicator.sum(static_cast<double>(structure.coarser[0].mesh.n_elements));
  // After local refinement the second level may be as large as the first. A linear level has as
  // many elements, but far fewer nodes.
  const bool is_cheap = n_coarse < n_fine / 4. || structure.mesh.type.n_nodes > 8 ||
                        structure.mesh.type != structure.coarser[0].mesh.type;
  settings.coarse_cycles = settings.coarse_operators == CoarseOperators::aggregation ? 2
                           : settings.coarse_operators == CoarseOperators::galerkin || !is_cheap
                             ? 1
                             : 2;
  return settings;
}
} // namespace

template <typename Number>
Multigrid<Number>::Multigrid(Backend &backend,
                             const Communicator &communicator,
                             const Structure &structure,
                             const MultigridSettings &settings)
  : backend_(backend)
  , operations_(backend.multigrid_operations<Number>(structure.mesh.n_components))
  , communicator_(communicator)
  , settings_(completed(settings, communicator, structure))
  , n_owned_(structure.mesh.n_owned_dofs())
  , finest_ghosts_(backend, communicator, structure.mesh.node_halo, structure.mesh.n_components)
{
  const MeshHierarchy &coarser = structure.coarser;
  for (std::size_t l = 0; l < coarser.size(); ++l)
    if (coarser[l].mesh.n_components != structure.mesh.n_components)
      throw Error("Level " + std::to_string(l + 2) + " of multigrid has " +
                  std::to_string(coarser[l].mesh.n_components) +
                  " components per node, and the mesh has " +
                  std::to_string(structure.mesh.n_components) +
                  ".\n  Set ElementMesh::n_components of all meshes to the same number.");
  const std::size_t n_usable = n_coarser_levels(communicator, coarser, settings);
  const std::size_t gathered = first_gathered_level(
    communicator, structure.mesh.type, coarser, n_usable, settings, !backend.memory().is_host());
  const std::size_t n_coarser =
    std::min(n_usable, gathered + 1); // The coarse solver is behind them.
  const auto smoothing_steps = [&](const ElementMesh &mesh) {
    return settings_.smoothing_steps > 0
             ? settings_.smoothing_steps
             : smoothing_steps_for(communicator, mesh, structure.material);
  };
  const unsigned int finest_steps = smoothing_steps(structure.mesh);
  Material coarse_material        = structure.material;
  coarse_material.formulation     = coarse_formulation(structure.material, finest_steps);
  auto operators                  = make_level_operators<Number>(settings.coarse_operators,
                                                backend,
                                                communicator,
                                                structure,
                                                n_coarser,
                                                settings.strategy,
                                                coarse_material.formulation,
                                                settings_.solids);
  for (std::size_t l = 0; l <= n_coarser; ++l)
    {
      const ElementMesh &own = l == 0 ? structure.mesh : coarser[l - 1].mesh;
      levels_.push_back(std::make_unique<Level>(backend, communicator, own));
      levels_[l]->K = std::move(operators[l]);
      if (l == n_coarser)
        break;
      levels_[l]->transfer =
        make_grid_transfer<Number>(backend, communicator, own, coarser[l], l + 1 < n_coarser);
      levels_[l]->smoothing_steps = l == 0 ? finest_steps : smoothing_steps(own);
    }
  if (settings_.coarse_operators != CoarseOperators::galerkin)
    provide_springs();
  if (structure.mesh.type != ElementType() && n_coarser > 1 && settings_.coarse_cycles > 1)
    {
      combined_ = std::make_unique<CombinedCycles>();
      for (Array<Number> *const vector : {&combined_->residual, &combined_->step, &combined_->sum})
        *vector = Array<Number>(backend.memory(), levels_[1]->x.size());
    }
  const ElementMesh &coarsest = coarser[n_coarser - 1].mesh;
  if (levels_.back()->node_sum != nullptr)
    coarsest_ghosts_ = std::make_unique<HaloExchange<Number>>(backend,
                                                              communicator,
                                                              coarsest.node_halo,
                                                              coarsest.n_components);
  const bool is_small =
    communicator.sum(coarsest.n_owned_dofs()) <= static_cast<double>(settings_.direct_dofs);
  if (gathered < n_usable)
    coarse_solver_ =
      std::make_unique<GatheredLevels<Number>>(backend,
                                               communicator,
                                               coarser,
                                               gathered,
                                               coarse_material,
                                               settings_,
                                               gathered == 0 ? settings_.coarse_cycles : 1);
  else if (settings_.coarse_operators == CoarseOperators::aggregation && !is_small)
    {
      AggregationSettings aggregation;
      aggregation.smoothing_steps = smoothing_steps(coarsest);
      aggregation.cycles          = settings_.coarse_cycles;
      aggregation.direct_dofs     = settings_.direct_dofs;
      coarse_solver_              = std::make_unique<AggregationSolver<Number>>(
        backend, communicator, coarsest, coarse_material, aggregation);
    }
  else
    coarse_solver_ = make_direct_solver<Number>(backend, communicator, coarsest, coarse_material);
  if (only_submits())
    recording_ = backend.make_recording();
}

template <typename Number>
Multigrid<Number>::~Multigrid() = default;

/// Makes springs, which support the rediscretised levels where supports end between their nodes.
template <typename Number>
void Multigrid<Number>::provide_springs()
{
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
    {
      Level &fine = *levels_[l], &coarse = *levels_[l + 1];
      if (!SupportSprings<Number>::needed(backend_,
                                          communicator_,
                                          fine.supports(),
                                          coarse.supports(),
                                          *fine.transfer,
                                          fine.x,
                                          coarse.x))
        continue;
      auto on_springs =
        std::make_unique<SupportSprings<Number>>(backend_, coarse.supports(), std::move(coarse.K));
      coarse.springs = on_springs.get();
      coarse.K       = std::move(on_springs);
    }
}

template <typename Number>
void Multigrid<Number>::set_shift(const Array<Number> &shift)
{
  n_recorded_         = 0;
  const auto &vectors = backend_.vector_operations<Number>();
  vectors.copy(n_owned_, shift, levels_.front()->x);
  finest_ghosts_.update_ghosts(levels_.front()->x);
  for (std::size_t l = 0; l < levels_.size(); ++l)
    {
      Level &level = *levels_[l];
      if (level.shifted == nullptr)
        {
          auto shifted  = std::make_unique<LevelWithDiagonal<Number>>(AddedDiagonal::shift,
                                                                     backend_,
                                                                     level.mesh,
                                                                     std::move(level.K));
          level.shifted = shifted.get();
          has_run_      = false; // Its products need a vector, which must be allocated.
          level.K       = std::move(shifted);
        }
      level.condense(vectors, &DependentDofs<Number>::condense_bound, level.x);
      level.set_zero_on_constrained(vectors, level.x);
      level.shifted->set_diagonal(level.x);
      if (l + 1 < levels_.size())
        level.transfer->restrict_to_parents(level.x, levels_[l + 1]->x);
    }
}

/// Sets the stiffness on the levels one after another. Then begins with the coarsest level, and
/// meanwhile renews smoothers and recording.
template <typename Number>
void Multigrid<Number>::set(const Stiffness &stiffness)
{
  if (std::exchange(law_, stiffness.law().known()) != stiffness.law().known())
    has_run_ = false; // Products may need a vector that was not needed before.
  // Coefficients of the smoother and the set of elements with stiffness may change.
  n_recorded_  = 0;
  is_new_      = true;
  bool had_all = true;
  if (combined_ != nullptr)
    combined_->coefficients = {};
  for (const std::unique_ptr<Level> &level : levels_)
    {
      level->K->set(stiffness);
      had_all = had_all && level->has_vectors();
    }
  const auto begin_coarsest = [&]() { levels_.back()->K->factor(*coarse_solver_); };
  const bool has_springs    = levels_.back()->springs != nullptr; // Springs follow the blocks.
  if (!has_springs)
    begin_coarsest(); // It may run beside the other work.
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
    {
      Level *const level        = levels_[l].get();
      const bool had_vectors    = level->has_vectors();
      Array<Number> &new_blocks = level->new_blocks();
      level->K->diagonal_blocks(new_blocks);
      if (SupportSprings<Number> *const springs = levels_[l + 1]->springs)
        springs->update(
          level->supports(), new_blocks, *level->transfer, level->x, [&](Array<Number> &on_dofs) {
            levels_[l + 1]->condense(backend_.vector_operations<Number>(),
                                     &DependentDofs<Number>::condense_bound,
                                     on_dofs);
          });
      if (settings_.smoother == Smoother::damped_jacobi)
        operations_.keep_diagonals(level->n_nodes, new_blocks);
      operations_.invert_blocks(level->n_nodes, level->constrained(), new_blocks, level->blocks);
      level->smoother =
        settings_.smoother == Smoother::damped_jacobi
          ? PolynomialSmoother::damped(level->smoothing_steps, settings_.damping)
          : PolynomialSmoother::chebyshev_fourth_kind(level->smoothing_steps, bound_of(*level));
      if (!had_vectors)
        level->release_vectors(); // Some vectors may be lent before the first cycle.
    }
  if (has_springs)
    begin_coarsest();
  // All ranks must decide alike.
  if (recording_ != nullptr && has_run_ && combined_ == nullptr && !communicator_.any(!had_all))
    record(n_last_);
}

/// Returns a bound of the eigenvalues. With tangents, and for elements other than hexahedra of
/// eight nodes, it is an estimate, since bounds for these are loose.
template <typename Number>
double Multigrid<Number>::bound_of(Level &level)
{
  constexpr std::size_t n_steps = 8;
  const double bound            = level.K->smoother_bound();
  if (law_ != Law::tangents && level.mesh.type == ElementType())
    return bound;
  level.provide_vectors();
  const double found = largest_eigenvalue(
    level,
    n_steps,
    margin_of_eigenvalue(level.smoothing_steps),
    [&](Array<Number> &r, Array<Number> &z) {
      operations_.smooth_from_zero(level.n_nodes, level.blocks, Number(1), r, level.q, z);
    },
    level.r,
    level.d);
  return found > 0. ? std::min(bound, found) : bound;
}

/// Estimates the largest eigenvalue of a preconditioner times K on a level.
/// @param r, p  work
template <typename Number>
double Multigrid<Number>::largest_eigenvalue(
  Level &level,
  const std::size_t n_steps,
  const double margin,
  const std::function<void(Array<Number> &r, Array<Number> &z)> &precondition,
  Array<Number> &r,
  Array<Number> &p)
{
  if (!std::exchange(level.has_begin, true)) // `begin` may be empty on one rank.
    level.begin = numbers_of_places<Number>(backend_, communicator_, level.mesh);
  const auto multiply = [&](Array<Number> &x, Array<Number> &y) {
    level.set_zero_on_constrained(backend_.vector_operations<Number>(), x);
    level.K->apply(x, y);
    level.set_zero_on_constrained(backend_.vector_operations<Number>(), y);
  };
  if (level.q.empty())
    level.q = Array<Number>(level.memory, level.x.size());
  return largest_level_eigenvalue<Number>(backend_,
                                          communicator_,
                                          level.mesh,
                                          n_steps,
                                          margin,
                                          precondition,
                                          multiply,
                                          level.begin,
                                          r,
                                          level.x,
                                          p,
                                          level.q);
}

template <typename Number>
Array<Number> &Multigrid<Number>::residual()
{
  for (const std::unique_ptr<Level> &level : levels_)
    level->provide_vectors();
  return levels_.front()->r;
}

template <typename Number>
void Multigrid<Number>::borrow(void *const vector, const std::size_t bytes)
{
  if (vector == lent_)
    return;
  lent_       = vector;
  n_recorded_ = 0;
  levels_.front()->release_vectors();
  borrowed_ = std::make_unique<BorrowedMemory>(backend_.memory(), vector, bytes);
  levels_.front()->take_vectors(*borrowed_);
}

template <typename Number>
const Array<Number> &Multigrid<Number>::correction() const
{
  return levels_.front()->x;
}

template <typename Number>
unsigned int Multigrid<Number>::n_levels() const
{
  return static_cast<unsigned int>(levels_.size());
}

template <typename Number>
void Multigrid<Number>::cycle(const unsigned int n)
{
  if (is_new_)
    {
      finish();
      is_new_ = false;
      // Some ranks may have borrowed another vector meanwhile, and all record together.
      if (recording_ != nullptr && has_run_ && communicator_.any(n_recorded_ != n))
        n_recorded_ = 0;
    }
  n_last_ = n;
  if (recording_ != nullptr && has_run_ && n_recorded_ != n)
    record(n);
  is_recorded_ = recording_ != nullptr && has_run_;
  has_run_     = true;
  if (is_recorded_)
    recording_->run();
  else
    submit(n);
}

template <typename Number>
void Multigrid<Number>::record(const unsigned int n)
{
  const bool recorded = recording_->record([&]() { submit(n); });
  if (communicator_.any(!recorded)) // All ranks must decide alike.
    recording_ = nullptr;
  else
    n_recorded_ = n;
}

template <typename Number>
void Multigrid<Number>::finish()
{
  if (!is_new_)
    return;
  coarse_solver_->finish();
  if (combined_ != nullptr && combined_->coefficients.a.empty())
    find_coefficients();
}

/// Finds the largest eigenvalue of a cycle from the second level on, and the polynomial for it.
template <typename Number>
void Multigrid<Number>::find_coefficients()
{
  constexpr std::size_t n_steps = 8;
  constexpr double margin       = 1.05; // It is isolated, so few steps find it.
  for (std::size_t l = 1; l < levels_.size(); ++l)
    levels_[l]->provide_vectors();
  Level &level        = *levels_[1];
  const auto &vectors = backend_.vector_operations<Number>();
  const double found  = largest_eigenvalue(
    level,
    n_steps,
    margin,
    [&](const Array<Number> &r, Array<Number> &) { // The result is in level.x.
      vectors.copy(level.r.size(), r, level.r);
      cycle(1, true);
    },
    combined_->residual,
    combined_->step);
  combined_->coefficients =
    PolynomialSmoother::chebyshev_fourth_kind(settings_.coarse_cycles, std::max(1., found));
}

/// Makes cycles from the second level on for its residual, combined by the polynomial.
template <typename Number>
void Multigrid<Number>::combine_cycles()
{
  Level &level                       = *levels_[1];
  const auto &vectors                = backend_.vector_operations<Number>();
  const std::size_t n                = level.x.size();
  const auto &[a, b]                 = combined_->coefficients;
  auto &[coefficients, r, step, sum] = *combined_;
  static_cast<void>(coefficients);
  vectors.copy(n, level.r, r);
  for (std::size_t k = 0; k < a.size(); ++k)
    {
      if (k > 0)
        vectors.copy(n, r, level.r);
      cycle(1, true);
      vectors.axpby(n, static_cast<Number>(a[k]), level.x, static_cast<Number>(b[k]), step);
      if (k == 0)
        vectors.copy(n, step, sum);
      else
        vectors.axpy(n, Number(1), step, sum);
      if (k + 1 == a.size())
        break;
      level.K->apply(step, level.q);
      vectors.axpy(n, Number(-1), level.q, r);
      level.set_zero_on_constrained(vectors, r);
    }
  vectors.copy(n, sum, level.x);
}

template <typename Number>
bool Multigrid<Number>::only_submits() const
{
  return coarse_solver_->only_submits() &&
         (communicator_.size() == 1 || backend_.transport(communicator_).only_submits());
}

template <typename Number>
void Multigrid<Number>::submit(const unsigned int n)
{
  finest_ghosts_.update_ghosts(levels_.front()->r);
  for (unsigned int k = 0; k < n; ++k)
    cycle(0, k == 0);
}

/// Makes a cycle. Between the steps x is the current solution, d the last step, which x includes,
/// and r the residual before it. So `r - K d` is the residual of x.
template <typename Number>
void Multigrid<Number>::cycle(const std::size_t l, const bool from_zero)
{
  Level &level = *levels_[l];
  const watchdog::Activity activity("level % of multigrid", static_cast<int>(l + 1));
  if (l + 1 == levels_.size())
    {
      coarse_solver_->solve(level.r, level.x);
      if (coarsest_ghosts_ !=
          nullptr) // The solver writes owned entries; dependent ones follow ghosts.
        coarsest_ghosts_->update_ghosts(level.x);
      return;
    }
  Level &coarse = *levels_[l + 1];
  const auto a0 = static_cast<Number>(level.smoother.a[0]);

  // (1) Smooth, and restrict the residual to the coarser level. Products on constrained DoFs are
  //     never read: the blocks are zero there, and vectors between levels are cleared there.
  if (from_zero)
    operations_.smooth_from_zero(level.n_nodes, level.blocks, a0, level.r, level.d, level.x);
  smooth(level, from_zero ? 1 : 0);
  if (level.product().empty())
    level.set_zero_on_constrained(backend_.vector_operations<Number>(), level.r);
  else
    operations_.subtract_free(level.n_nodes, level.constrained(), level.q, level.r);
  level.leading.spread(level.r);
  level.transfer->restrict_to_parents(level.r, coarse.r);
  level.leading.collect(level.r);
  coarse.condense(backend_.vector_operations<Number>(), &DependentDofs<Number>::condense, coarse.r);
  const bool is_last          = l + 2 == levels_.size();
  const unsigned int n_cycles = l == 0 && !is_last ? settings_.coarse_cycles : 1;
  if (l == 0 && combined_ != nullptr)
    combine_cycles();
  else
    for (unsigned int k = 0; k < n_cycles; ++k)
      cycle(l + 1, k == 0);

  // (2) Add the coarse correction, and smooth again.
  coarse.dependent.distribute(coarse.x);
  if (level.leading.empty())
    level.transfer->prolongate(coarse.x, level.constrained(), level.d);
  else
    {
      level.transfer->prolongate(coarse.x, level.supported, level.d);
      level.leading.average(level.d);
      level.dependent.set(Number(0), level.d);
    }
  operations_.smooth_first(
    level.n_nodes, level.blocks, a0, level.product(), level.r, level.d, level.x);
  smooth(level, 1);
}

/// Makes the steps of the smoother from `first_step` on.
template <typename Number>
void Multigrid<Number>::smooth(Level &level, const unsigned int first_step)
{
  const auto &[a, b] = level.smoother;
  for (unsigned int k = first_step; k < level.smoother.degree(); ++k)
    {
      operations_.smooth_next(level.n_nodes,
                              level.blocks,
                              static_cast<Number>(a[k]),
                              static_cast<Number>(b[k]),
                              level.product(),
                              level.r,
                              level.d,
                              level.x);
    }
}

template class Multigrid<double>;
template class Multigrid<float>;
} // namespace strut

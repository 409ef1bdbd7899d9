// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/aggregated_levels.h"
#include "source/base/parallel_loop.h"
#include "source/solvers/coarse/coarsest_factor.h"
#include "source/solvers/coarse/smoothed_aggregation.h"
#include "source/solvers/multigrid/multigrid.h"

#include <algorithm>

namespace strut
{
namespace
{
/// A level whose nodes have B DoFs. The last level uses the matrix, r and x alone.
template <int B>
struct Level
{
  explicit Level(BlockPattern &&pattern)
    : A(std::move(pattern)), r(n_dofs()), x(n_dofs()), d(n_dofs()), q(n_dofs())
  {}

  std::size_t n_dofs() const
  {
    return B * A.pattern.n_rows;
  }

  /// Gather the nodes into aggregates.
  /// @param left_out  nodes that take no part
  /// @return the rigid motions of the next level
  RigidModes gather(const int n_threads, const std::vector<bool> &left_out, const RigidModes &modes)
  {
    aggregates                 = aggregate(A.pattern, left_out);
    TentativeProlongator found = tentative_prolongator(n_threads, aggregates, B, modes);
    T                          = std::move(found.blocks);
    P          = BlockMatrix<B, 6>(prolongator_pattern(n_threads, A.pattern, aggregates));
    transposed = TransposedPattern(P.pattern);
    return std::move(found.coarse_modes);
  }

  void renew(const int n_threads, const unsigned int smoothing_steps, BlockMatrix<6, 6> &coarse)
  {
    invert_diagonal(n_threads, A, inverse);
    const double largest = largest_eigenvalue(n_threads, A, inverse);
    smoother = PolynomialSmoother::chebyshev_fourth_kind(smoothing_steps, 1.1 * largest);
    smooth_prolongator(n_threads, A, inverse, 4. / 3. / largest, aggregates, T, P);
    triple_product(n_threads, A, P, transposed, coarse);
  }

  /// Set d = b d + a D^-1 r, x += d.
  void step(const int n_threads, const double a, const double b)
  {
    cpu::parallel_for(n_threads, A.pattern.n_rows, [&](const std::size_t row) {
      double sum[B] = {};
      add_product<B, B>(&inverse[B * B * row], &r[B * row], sum);
      for (std::size_t i = B * row, k = 0; k < B; ++i, ++k)
        {
          d[i] = b * d[i] + a * sum[k];
          x[i] += d[i];
        }
    });
  }

  /// Set r -= A d.
  void follow(const int n_threads)
  {
    A.multiply(n_threads, d, q);
    cpu::parallel_for(n_threads, n_dofs(), [&](const std::size_t i) { r[i] -= q[i]; });
  }

  void smooth(const int n_threads, const unsigned int first_step)
  {
    for (unsigned int k = first_step; k < smoother.degree(); ++k)
      {
        follow(n_threads);
        step(n_threads, smoother.a[k], smoother.b[k]);
      }
  }

  BlockMatrix<B, B> A;
  std::vector<double> r, x, d, q;
  std::vector<double> inverse; ///< inverse blocks of the diagonal of A
  PolynomialSmoother smoother;
  Aggregates aggregates;
  std::vector<double> T; ///< blocks of the tentative prolongator
  BlockMatrix<B, 6> P;
  TransposedPattern transposed; ///< transposed pattern of P
};

template <int B>
std::size_t bytes_of(const Level<B> &level)
{
  const auto bytes      = [](const auto &vector) { return vector.size() * sizeof(vector[0]); };
  const auto of_pattern = [&](const BlockPattern &pattern) {
    return bytes(pattern.begin) + bytes(pattern.columns);
  };
  return bytes(level.A.values) + of_pattern(level.A.pattern) + 4 * bytes(level.r) +
         bytes(level.inverse) + bytes(level.aggregates.of_node) + bytes(level.T) +
         bytes(level.P.values) + of_pattern(level.P.pattern) + bytes(level.transposed.begin) +
         bytes(level.transposed.blocks) + bytes(level.transposed.rows);
}
} // namespace

struct AggregatedLevels::Levels
{
  Levels(const int n_threads, BlockPattern &&pattern, const AggregationSettings &settings)
    : n_threads(n_threads), settings(settings), first(std::move(pattern))
  {}

  /// Add the level behind one. Returns false if there is none.
  template <int B>
  bool add_behind(Level<B> &level, const std::vector<bool> &left_out, RigidModes &modes)
  {
    if (level.n_dofs() <= settings.direct_dofs)
      return false;
    RigidModes coarse = level.gather(n_threads, left_out, modes);
    // There are single nodes without neighbours then.
    if (6 * level.aggregates.n > level.n_dofs() / 2)
      return false;
    modes = std::move(coarse);
    others.push_back(std::make_unique<Level<6>>(
      product_pattern(n_threads, level.A.pattern, level.P.pattern, level.transposed)));
    return true;
  }

  /// Make one V-cycle: compute level.x from level.r, which it overwrites.
  /// @param next  number of the next level in `others`
  template <int B>
  void cycle(Level<B> &level, const std::size_t next)
  {
    if (next == others.size())
      return factor.solve(level.r, level.x);
    Level<6> &coarse = *others[next];
    std::fill(level.x.begin(), level.x.end(), 0.);
    level.step(n_threads, level.smoother.a[0], 0.);
    level.smooth(n_threads, 1);
    level.follow(n_threads);
    level.P.multiply_transposed(n_threads, level.transposed, level.r, coarse.r);
    cycle(coarse, next + 1);
    level.P.multiply(n_threads, coarse.x, level.d);
    cpu::parallel_for(n_threads, level.n_dofs(), [&](const std::size_t i) {
      level.x[i] += level.d[i];
    });
    level.follow(n_threads);
    level.step(n_threads, level.smoother.a[0], 0.);
    level.smooth(n_threads, 1);
  }

  const int n_threads;
  const AggregationSettings settings;
  Level<3> first;
  std::vector<std::unique_ptr<Level<6>>> others;
  CoarsestFactor factor;
};

AggregatedLevels::AggregatedLevels(const int n_threads,
                                   BlockPattern &&pattern,
                                   const std::vector<std::array<double, 3>> &points,
                                   const std::vector<std::uint8_t> &constrained,
                                   const AggregationSettings &settings)
  : levels_(std::make_unique<Levels>(n_threads, std::move(pattern), settings))
{
  std::vector<bool> is_held(points.size());
  for (std::size_t node = 0; node < points.size(); ++node)
    is_held[node] = constrained[3 * node] != 0 && constrained[3 * node + 1] != 0 &&
                    constrained[3 * node + 2] != 0;
  RigidModes modes = rigid_modes(points, constrained);
  bool added       = levels_->add_behind(levels_->first, is_held, modes);
  while (added)
    {
      Level<6> &last = *levels_->others.back();
      added = levels_->add_behind(last, std::vector<bool>(last.A.pattern.n_rows, false), modes);
    }
}

AggregatedLevels::~AggregatedLevels() = default;

BlockMatrix<3, 3> &AggregatedLevels::matrix()
{
  return levels_->first.A;
}

void AggregatedLevels::renew()
{
  auto &[n_threads, settings, first, others, factor] = *levels_;
  if (others.empty())
    return factor.set(first.A);
  first.renew(n_threads, settings.smoothing_steps, others[0]->A);
  for (std::size_t l = 0; l + 1 < others.size(); ++l)
    others[l]->renew(n_threads, settings.smoothing_steps, others[l + 1]->A);
  factor.set(others.back()->A);
}

void AggregatedLevels::solve(const std::vector<double> &r, std::vector<double> &x)
{
  const int n_threads                 = levels_->n_threads;
  const AggregationSettings &settings = levels_->settings;
  auto &first                         = levels_->first;
  if (levels_->others.empty() || settings.cycles == 1)
    {
      first.r = r;
      levels_->cycle(first, 0);
      x = first.x;
      return;
    }
  // The spectrum of a cycle times the matrix lies in (0, 1].
  const PolynomialSmoother steps = PolynomialSmoother::chebyshev_fourth_kind(settings.cycles, 1.);
  std::vector<double> residual   = r, d(r.size(), 0.), q(r.size());
  x.assign(r.size(), 0.);
  for (unsigned int k = 0; k < settings.cycles; ++k)
    {
      first.r = residual;
      levels_->cycle(first, 0);
      cpu::parallel_for(n_threads, x.size(), [&](const std::size_t i) {
        d[i] = steps.b[k] * d[i] + steps.a[k] * first.x[i];
        x[i] += d[i];
      });
      if (k + 1 == settings.cycles)
        break;
      first.A.multiply(n_threads, d, q);
      cpu::parallel_for(n_threads, x.size(), [&](const std::size_t i) { residual[i] -= q[i]; });
    }
}

std::vector<std::size_t> AggregatedLevels::n_dofs() const
{
  std::vector<std::size_t> result = {levels_->first.n_dofs()};
  for (const auto &level : levels_->others)
    result.push_back(level->n_dofs());
  return result;
}

std::size_t AggregatedLevels::bytes() const
{
  std::size_t sum = bytes_of(levels_->first);
  for (const auto &level : levels_->others)
    sum += bytes_of(*level);
  return sum + levels_->factor.bytes();
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/watchdog.h"
#include "source/solvers/krylov/conjugate_gradient_parts.h"
#include "source/solvers/krylov/restart_progress.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace strut
{
namespace
{
std::string describe(const SolverControl &control, const double residual)
{
  std::ostringstream text;
  using Criterion = SolverControl::Criterion;
  text << (control.criterion == Criterion::relative         ? "|r| / |b| = "
           : control.criterion == Criterion::preconditioned ? "sqrt(r^T M^-1 r) / |b| = "
                                                            : "r^T M^-1 r = ")
       << residual;
  if (control.monitor == nullptr)
    text << ", tolerance " << control.tolerance;
  return text.str();
}
} // namespace

/// One solve: the arguments and the data that its iterations share.
template <typename Number>
template <typename Low>
class ConjugateGradient<Number>::Solve
{
public:
  Solve(ConjugateGradient &solver,
        Recursion<Low> &recursion,
        const SolverControl &control,
        LinearOperator<Number> &A,
        Preconditioner<Number> &M,
        const RightHandSide<Number> &b,
        Array<Number> &x)
    : cg_(solver)
    , p_(recursion.p)
    , r_(solver.r_)
    , q_(solver.q_)
    , updates_(*recursion.updates)
    , control_(control)
    , relative_(control.criterion == SolverControl::Criterion::relative)
    , absolute_(control.criterion == SolverControl::Criterion::absolute)
    , n_(A.n_owned())
    , A_(A)
    , M_(M)
    , d_(M.inverse_diagonal())
    , z_(relative_ ? solver.q_ : solver.z_)
    , b_(b)
    , x_(x)
  {}

  ~Solve()
  {
    for (Section *section :
         {cg_.operator_time_.get(), cg_.vectors_time_.get(), cg_.preconditioner_time_.get()})
      section->report();
  }

  Solve(const Solve &)            = delete;
  Solve &operator=(const Solve &) = delete;

  SolverReport run()
  {
    const watchdog::Activity activity("conjugate gradients");
    updates_.set_sums(KrylovSums());
    if (!absolute_)
      norm_b_ = std::sqrt(cg_.communicator_.sum(b_.square(cg_.backend_, n_)));

    // Rounding makes the r of the recursion differ from b - A x. So after apparent convergence the
    // solve computes b - A x, and continues from there as long as that helps.
    RestartProgress progress;
    for (;;)
      {
        report_.residual = true_residual(r_);
        require_finite();
        ask_monitor();
        if (report_.at_limit)
          return report_;
        report_.converged = is_small_enough();
        if (report_.converged ||
            !progress.worth_another_cycle(size(report_.residual), report_.iterations))
          {
            require_better_than_start(progress);
            return report_;
          }
        begin_cycle();
        cycle(progress);
        if (report_.at_limit)
          return report_;
      }
  }

private:
  /// Iterate until the recursion has converged, or differs from the true residual. The true
  /// residual is checked where rounding may show, for each decade of the residual, and each time
  /// the number of iterations has doubled.
  void cycle(const RestartProgress &progress)
  {
    double check_below =
      std::min(0.1 * size(report_.residual), size_where_rounding_matters(progress));
    unsigned int check_at = report_.iterations + first_check;
    while (!is_small_enough() && !progress.exhausted(report_.iterations))
      {
        report_.at_limit = report_.iterations >= control_.max_iterations;
        if (report_.at_limit && control_.accepts_limit)
          return;
        if (report_.at_limit)
          throw SolverFailure("The conjugate gradient solver has not converged after " +
                                std::to_string(control_.max_iterations) + " iterations (" +
                                describe(control_, report_.residual) + ").",
                              Remedy::allow_more_iterations,
                              /*at_limit*/ true);
        iterate();
        if (report_.at_limit)
          return;

        const double recursive = report_.residual;
        if (!is_small_enough() &&
            (size(recursive) <= check_below || report_.iterations == check_at))
          {
            const KrylovSums kept = updates_.sums();
            if (size(true_residual(q_)) > 2. * size(recursive))
              return;
            sums_ = kept;
            updates_.set_sums(sums_);
            check_below = std::min(check_below, 0.1 * size(recursive));
            check_at    = 2 * report_.iterations;
          }
      }
  }

  /// (1) Set z = M^-1 r, p = z; r is a true residual.
  void begin_cycle()
  {
    if (d_ != nullptr)
      return timed(cg_.vectors_time_, [&]() { updates_.scale(n_, *d_, r_, p_); });
    const Array<Low> &z = precondition(r_);
    timed(cg_.vectors_time_, [&]() {
      updates_.scalar_product(n_, r_, z);
      share(&KrylovSums::rz_next);
      copy_vector(cg_.backend_, n_, z, p_);
    });
  }

  void iterate()
  {
    timed(cg_.operator_time_, [&]() { multiply(A_, p_, q_); });
    timed(cg_.vectors_time_, [&]() {
      // (2) alpha = r.z / p.q
      updates_.curvature(n_, p_, q_);
      share(&KrylovSums::pq);

      // (3) x += alpha p, r -= alpha q; a diagonal M: z = M^-1 r, (4) p = z + beta p
      if (d_ != nullptr)
        {
          updates_.reduce_residual(n_, q_, *d_, r_);
          share(&KrylovSums::rz_next, 2); // This includes rr.
          updates_.advance(n_, *d_, r_, p_, x_);
        }
      else
        {
          updates_.step(n_, p_, q_, x_, r_);
          share(&KrylovSums::rr);
        }
    });
    sums_ = updates_.sums();
    require_positive_definite();
    ++report_.iterations;
    if (relative_)
      {
        report_.residual = residual();
        ask_monitor();
      }

    // (3) z = M^-1 r, (4) p = z + beta p, unless r is already small enough
    if (d_ == nullptr && !(relative_ && (is_small_enough() || report_.at_limit)))
      {
        const Array<Low> &z = precondition(r_);
        timed(cg_.vectors_time_, [&]() {
          updates_.scalar_product(n_, r_, z);
          share(&KrylovSums::rz_next);
          updates_.next_direction(n_, z, p_);
        });
        if (!relative_) // Otherwise the next iteration reads the sums, without waiting here.
          sums_ = updates_.sums();
      }
    report_.residual = residual();
    require_finite();
  }

  /// Ask the monitor, with an estimate of |r| that the host read last.
  void ask_monitor()
  {
    if (!relative_ || control_.monitor == nullptr || !std::isfinite(sums_.rr))
      return;
    const auto verdict = control_.monitor(report_.iterations, std::sqrt(sums_.rr));
    report_.at_limit   = verdict == SolverControl::Verdict::give_up;
    is_enough_         = verdict == SolverControl::Verdict::enough;
  }

  bool is_small_enough() const
  {
    return is_enough_ || report_.residual <= control_.tolerance;
  }

  /// Compute r = b - A x. Returns its measure by the criterion. Overwrites the sums with its own;
  /// uses z.
  double true_residual(Array<Number> &r)
  {
    timed(cg_.operator_time_, [&]() { A_.apply(x_, r); });
    timed(cg_.vectors_time_, [&]() {
      b_.subtract(cg_.backend_, n_, r);
      if (d_ != nullptr)
        updates_.norms(n_, *d_, r);
      else
        updates_.norm(n_, r);
      share(&KrylovSums::rz_next, 2); // This includes rr.
    });
    if (d_ == nullptr && !relative_)
      {
        const Array<Low> &z = precondition(r);
        timed(cg_.vectors_time_, [&]() {
          updates_.scalar_product(n_, r, z);
          share(&KrylovSums::rz_next);
        });
      }
    sums_ = updates_.sums();
    return residual();
  }

  /// Compute z = M^-1 r.
  const Array<Low> &precondition(const Array<Number> &r)
  {
    if constexpr (!std::is_same<Low, Number>::value)
      {
        const Array<float> *z = nullptr;
        timed(cg_.preconditioner_time_, [&]() { z = &M_.apply_in_float(r); });
        return *z;
      }
    else
      {
        timed(cg_.preconditioner_time_, [&]() { M_.apply(r, z_); });
        return z_;
      }
  }

  template <typename Work>
  static void timed(const std::unique_ptr<Section> &section, const Work &work)
  {
    section->run(work);
  }

  /// Add n sums up over all ranks, without waiting.
  void share(double KrylovSums::*const first, const std::size_t n = 1)
  {
    if (cg_.communicator_.size() > 1)
      updates_.share(cg_.backend_.transport(cg_.communicator_), first, n);
  }

  /// Returns the residual of the criterion.
  double residual() const
  {
    if (absolute_)
      return sums_.rz_next;
    const double norm_r = std::sqrt(relative_ ? sums_.rr : sums_.rz_next);
    return norm_b_ > 0. ? norm_r / norm_b_ : norm_r;
  }

  /// Returns a residual of the criterion as a number that is linear in r.
  double size(const double residual) const
  {
    return absolute_ ? std::sqrt(residual) : residual;
  }

  /// Returns the residual below which rounding errors, amplified by the condition of A, may show.
  double size_where_rounding_matters(const RestartProgress &progress) const
  {
    const double part = 1e5 * static_cast<double>(std::numeric_limits<Number>::epsilon());
    return relative_ ? part : part * progress.first();
  }

  /// Throws if r.z is negative. Then M is not positive, there is no length of r, and a negative
  /// value would look converged.
  void require_positive_preconditioner(const double rz) const
  {
    if (!(rz < 0.))
      return;
    std::ostringstream text;
    text << "The conjugate gradient solver found that the preconditioner is not positive definite "
            "(r^T M^-1 r = "
         << rz << " after " << report_.iterations << " iterations).";
    throw SolverFailure(text.str(), Remedy::use_other_preconditioner);
  }

  void require_finite() const
  {
    if (!relative_)
      require_positive_preconditioner(sums_.rz_next);
    if (!std::isfinite(report_.residual) || !std::isfinite(sums_.rz_next))
      throw SolverFailure("The conjugate gradient solver met a number that is not finite after " +
                            std::to_string(report_.iterations) + " iterations.",
                          Remedy::check_numbers);
  }

  /// Throws if rounding ends the solve with an x that is worse than the first one and than zero.
  /// Then the operator has directions without stiffness.
  void require_better_than_start(const RestartProgress &progress) const
  {
    const double size_of_zero = relative_ ? 1. : 0.;
    if (!report_.converged && size(report_.residual) > std::max(progress.first(), size_of_zero))
      throw SolverFailure("The conjugate gradient solver diverges: after " +
                            std::to_string(report_.iterations) +
                            " iterations its solution is worse "
                            "than the one that it began with (" +
                            describe(control_, report_.residual) + ").",
                          Remedy::check_supports);
  }

  /// Throws if the last step shows that the operator is not positive definite. After a failure that
  /// step was not made.
  void require_positive_definite()
  {
    if (d_ == nullptr) // A diagonal preconditioner is that of the operator.
      require_positive_preconditioner(sums_.rz);
    if (sums_.pq > 0.)
      return;
    if (std::isnan(sums_.pq))
      report_.residual = sums_.pq;
    require_finite();
    std::ostringstream text;
    text << "The conjugate gradient solver found that the operator is not positive definite (p^T A "
            "p = "
         << sums_.pq << " after " << report_.iterations << " iterations, "
         << describe(control_, report_.residual) << ").";
    throw SolverFailure(text.str(), Remedy::check_supports);
  }

  static constexpr unsigned int first_check = 128; ///< iterations

  ConjugateGradient &cg_;
  Array<Low> &p_;
  Array<Number> &r_, &q_;
  KrylovUpdates<Number, Low> &updates_;
  const SolverControl &control_;
  const bool relative_, absolute_; ///< the preconditioned criterion if both are false
  const std::size_t n_;
  LinearOperator<Number> &A_;
  Preconditioner<Number> &M_;
  const Array<float> *const d_; ///< null if M is not diagonal
  Array<Number> &z_;            ///< may share memory with q
  const RightHandSide<Number> b_;
  Array<Number> &x_;
  double norm_b_ = 0; ///< |b|; unused with the absolute criterion
  KrylovSums sums_;   ///< sums over all ranks, as the host read them last
  SolverReport report_;
  bool is_enough_ = false; ///< the monitor ends the solve
};

template <typename Number>
ConjugateGradient<Number>::ConjugateGradient(Backend &backend,
                                             const Communicator &communicator,
                                             TimingTable &timing)
  : backend_(backend)
  , communicator_(communicator)
  , operator_time_(std::make_unique<Section>(backend, timing, "operator"))
  , vectors_time_(std::make_unique<Section>(backend, timing, "PCG vectors"))
  , preconditioner_time_(std::make_unique<Section>(backend, timing, "preconditioner"))
{}

template <typename Number>
ConjugateGradient<Number>::~ConjugateGradient() = default;

template <typename Number>
void ConjugateGradient<Number>::release_vectors()
{
  own_      = {};
  in_float_ = {};
  for (Array<Number> *const vector : {&r_, &q_, &z_})
    *vector = Array<Number>();
}

template <typename Number>
SolverReport ConjugateGradient<Number>::solve(const SolverControl &control,
                                              LinearOperator<Number> &A,
                                              Preconditioner<Number> &M,
                                              const RightHandSide<Number> &b,
                                              Array<Number> &x)
{
  result_of_preconditioner(control, A, M);
  return with_recursion(A, M, [&](auto &recursion) {
    using Low = typename std::decay_t<decltype(recursion)>::Entry;
    return Solve<Low>(*this, recursion, control, A, M, b, x).run();
  });
}

template <typename Number>
Array<Number> &ConjugateGradient<Number>::result_of_preconditioner(const SolverControl &control,
                                                                   const LinearOperator<Number> &A,
                                                                   const Preconditioner<Number> &M)
{
  with_recursion(A, M, [](auto &) {});
  // z may use the memory of q, which is no longer needed when z is computed. The check of the true
  // residual by a criterion with M^-1 needs both.
  const bool needs_z = control.criterion != SolverControl::Criterion::relative;
  if (M.inverse_diagonal() == nullptr && needs_z && z_.size() != A.n_local())
    z_ = Array<Number>(backend_.memory(), A.n_local());
  return needs_z ? z_ : q_;
}

template class ConjugateGradient<double>;
template class ConjugateGradient<float>;
} // namespace strut

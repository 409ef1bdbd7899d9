// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/backend/vector_loops.h"
#include "source/base/parallel_loop.h"

#include <tuple>
#include <utility>

namespace strut::cpu
{
namespace
{
/// Two sums with the blocks of parallel_sum(): body(i, a, b) adds to a and b, and may change entry
/// i.
template <typename Body>
std::pair<double, double> two_sums(const int n_threads, const std::size_t n, const Body &body)
{
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    const Body own(body); // as in parallel_for_long()
    double a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
    for (std::size_t i = begin; i < end; ++i)
      own(i, a, b);
    return std::pair<double, double>(a, b);
  };
  std::pair<double, double> sum{0., 0.};
  for (const auto &[a, b] : values_of_blocks(n_threads, n, of_block))
    {
      sum.first += a;
      sum.second += b;
    }
  return sum;
}

template <typename X, typename Y>
double product(const X x, const Y y)
{
  return static_cast<double>(x) * static_cast<double>(y);
}

/// KrylovUpdates with threads of the host; sums are those of parallel_sum().
template <typename Number, typename Low>
class CpuKrylovUpdates : public KrylovUpdates<Number, Low>
{
public:
  explicit CpuKrylovUpdates(const int n_threads) : n_threads_(n_threads)
  {}

  KrylovSums sums() override
  {
    return sums_;
  }

  void share(Transport &transport, double KrylovSums::*const first, const std::size_t n) override
  {
    transport.sum(&(sums_.*first), n);
  }

  void set_sums(const KrylovSums &sums) override
  {
    sums_ = sums;
  }

  void
  scale(const std::size_t n, const Array<float> &d, const Array<Number> &x, Array<Low> &y) override
  {
    const float *const ds  = d.data();
    const Number *const xs = x.data();
    Low *const ys          = y.data();
    parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] = Low(Number(ds[i]) * xs[i]); });
  }

  void norms(const std::size_t n, const Array<float> &d, const Array<Number> &r) override
  {
    const float *const ds  = d.data();
    const Number *const rs = r.data();
    std::tie(sums_.rr, sums_.rz_next) =
      two_sums(n_threads_, n, [=](const std::size_t i, double &rr, double &rz) {
        rr += product(rs[i], rs[i]);
        rz += product(rs[i], Number(ds[i]) * rs[i]);
      });
  }

  void norm(const std::size_t n, const Array<Number> &r) override
  {
    const Number *const rs = r.data();
    sums_.rr =
      parallel_sum(n_threads_, n, [=](const std::size_t i) { return product(rs[i], rs[i]); });
  }

  void curvature(const std::size_t n, const Array<Low> &p, const Array<Number> &q) override
  {
    const Low *const ps    = p.data();
    const Number *const qs = q.data();
    sums_.rz               = sums_.rz_next;
    sums_.pq =
      parallel_sum(n_threads_, n, [=](const std::size_t i) { return product(ps[i], qs[i]); });
  }

  void reduce_residual(const std::size_t n,
                       const Array<Number> &q,
                       const Array<float> &d,
                       Array<Number> &r) override
  {
    const Number alpha     = Number(sums_.alpha());
    const Number *const qs = q.data();
    const float *const ds  = d.data();
    Number *const rs       = r.data();
    std::tie(sums_.rr, sums_.rz_next) =
      two_sums(n_threads_, n, [=](const std::size_t i, double &rr, double &rz) {
        rs[i] -= alpha * qs[i];
        rr += product(rs[i], rs[i]);
        rz += product(rs[i], Number(ds[i]) * rs[i]);
      });
  }

  void advance(const std::size_t n,
               const Array<float> &d,
               const Array<Number> &r,
               Array<Low> &p,
               Array<Number> &x) override
  {
    const Number alpha = Number(sums_.alpha()), beta = Number(sums_.beta());
    const float *const ds  = d.data();
    const Number *const rs = r.data();
    Low *const ps          = p.data();
    Number *const xs       = x.data();
    parallel_for(n_threads_, n, [=](const std::size_t i) {
      xs[i] += alpha * Number(ps[i]);
      ps[i] = Low(Number(ds[i]) * rs[i] + beta * Number(ps[i]));
    });
  }

  void step(const std::size_t n,
            const Array<Low> &p,
            const Array<Number> &q,
            Array<Number> &x,
            Array<Number> &r) override
  {
    const Number alpha     = Number(sums_.alpha());
    const Low *const ps    = p.data();
    const Number *const qs = q.data();
    Number *const xs       = x.data();
    Number *const rs       = r.data();
    sums_.rr               = parallel_sum(n_threads_, n, [=](const std::size_t i) {
      xs[i] += alpha * Number(ps[i]);
      rs[i] -= alpha * qs[i];
      return product(rs[i], rs[i]);
    });
  }

  void scalar_product(const std::size_t n, const Array<Number> &r, const Array<Low> &z) override
  {
    const Number *const rs = r.data();
    const Low *const zs    = z.data();
    sums_.rz_next =
      parallel_sum(n_threads_, n, [=](const std::size_t i) { return product(rs[i], zs[i]); });
  }

  void next_direction(const std::size_t n, const Array<Low> &z, Array<Low> &p) override
  {
    const Number beta   = Number(sums_.beta());
    const Low *const zs = z.data();
    Low *const ps       = p.data();
    parallel_for(n_threads_, n, [=](const std::size_t i) {
      ps[i] = Low(Number(zs[i]) + beta * Number(ps[i]));
    });
  }

private:
  const int n_threads_;
  KrylovSums sums_;
};

/// VectorOperations with threads of the host.
template <typename Number>
class CpuVectorOperations : public VectorLoops<Number, Loops>
{
public:
  using VectorLoops<Number, Loops>::VectorLoops;

  std::unique_ptr<KrylovUpdates<Number>> make_krylov_updates() const override
  {
    return std::make_unique<CpuKrylovUpdates<Number, Number>>(this->loops_.n_threads);
  }
};
} // namespace

template <typename Number>
std::unique_ptr<VectorOperations<Number>> make_vector_operations(const int n_threads)
{
  return std::make_unique<CpuVectorOperations<Number>>(Loops{n_threads});
}

std::unique_ptr<KrylovUpdates<double, float>> make_mixed_krylov_updates(const int n_threads)
{
  return std::make_unique<CpuKrylovUpdates<double, float>>(n_threads);
}

template decltype(make_vector_operations<double>) make_vector_operations<double>;
template decltype(make_vector_operations<float>) make_vector_operations<float>;
} // namespace strut::cpu

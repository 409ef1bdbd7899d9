// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"
#include "source/backend/krylov_updates.h"
#include "source/backend/multigrid_operations.h"

#include <tuple>

namespace strut::test
{
namespace
{
using Parameters = std::tuple<Place, Precision>;

constexpr std::size_t tail = 7; ///< entries behind the n that no operation may touch

/// Updates in one number type, or with Low = float for Number = double.
template <typename Number, typename Low>
std::unique_ptr<KrylovUpdates<Number, Low>> make_updates(const Backend &backend)
{
  if constexpr (std::is_same<Number, Low>::value)
    return backend.vector_operations<Number>().make_krylov_updates();
  else
    return backend.level_operations().make_mixed_krylov_updates();
}

/// Random vectors of an iteration, on the host and on a backend, and sums that belong to none.
template <typename Number_, typename Low_>
struct Vectors
{
  using Number = Number_; ///< type of q, r, x
  using Low    = Low_;    ///< type of p, z

  Vectors(Backend &backend, const std::size_t n)
    : p(random_vector<Low>(n + tail, 1))
    , q(random_vector<Number>(n + tail, 2))
    , r(random_vector<Number>(n + tail, 3))
    , x(random_vector<Number>(n + tail, 4))
    , z(random_vector<Low>(n + tail, 5))
    , d(random_vector<float>(n + tail, 6, 0.5, 1.5))
    , on_p(backend.memory(), p)
    , on_q(backend.memory(), q)
    , on_r(backend.memory(), r)
    , on_x(backend.memory(), x)
    , on_z(backend.memory(), z)
    , on_d(backend.memory(), d)
    , updates(make_updates<Number, Low>(backend))
  {
    given.pq      = 2.5;
    given.rz      = 1.1;
    given.rz_next = 0.7;
    given.rr      = 3.;
    updates->set_sums(given);
  }

  /// Sum of the first n products.
  template <typename A, typename B>
  static double dot(const std::size_t n, const std::vector<A> &a, const std::vector<B> &b)
  {
    return test::dot(std::vector<double>(a.begin(), a.begin() + n),
                     std::vector<double>(b.begin(), b.begin() + n));
  }

  /// Vector a times a factor.
  template <typename A>
  std::vector<A> scaled(std::vector<A> a) const
  {
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] *= A(d[i]);
    return a;
  }

  std::vector<Low> p;
  std::vector<Number> q;
  std::vector<Number> r;
  std::vector<Number> x;
  std::vector<Low> z;
  std::vector<float> d;
  Array<Low> on_p;
  Array<Number> on_q;
  Array<Number> on_r;
  Array<Number> on_x;
  Array<Low> on_z;
  Array<float> on_d;
  std::unique_ptr<KrylovUpdates<Number, Low>> updates;
  KrylovSums given;
};

class KrylovUpdatesTest : public TestOnBackend<Parameters>
{
protected:
  /// Calls body(vectors, n) for sizes around those of packs, warps, blocks and launches.
  template <typename Body>
  void run(const Body &body)
  {
    const Precision precision = std::get<1>(GetParam());
    with_number(precision == Precision::mixed ? Precision::fp64 : precision, [&](const auto tag) {
      using Number = decltype(number_of(tag));
      if (precision == Precision::mixed)
        return run_for<double, float>(body);
      run_for<Number, Number>(body);
    });
  }

  template <typename Number, typename Low, typename Body>
  void run_for(const Body &body)
  {
    for (const std::size_t n : {0, 1, 2, 3, 5, 31, 33, 2047, 4097, 100003, 540673, 1081347})
      {
        SCOPED_TRACE(::testing::Message() << "n = " << n);
        Vectors<Number, Low> vectors(backend(), n);
        body(vectors, n);
      }
  }
};

/// Expects entries of size one, up to two roundings, and no change behind the first n.
template <typename Number>
void expect_close(const Array<Number> &on_backend,
                  const std::vector<Number> &expected,
                  const std::vector<Number> &before,
                  const std::size_t n)
{
  const std::vector<Number> values = on_backend.to_host();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_NEAR(values[i], expected[i], 4. * std::numeric_limits<Number>::epsilon())
      << "entry " << i;
  for (std::size_t i = n; i < values.size(); ++i)
    ASSERT_EQ(values[i], before[i]) << "entry " << i;
}

/// Expects a sum of n terms of size one in double, each of which may have rounding errors of
/// Number.
template <typename Number>
void expect_sum(const double value, const double expected, const std::size_t n)
{
  EXPECT_NEAR(value,
              expected,
              8. * std::numeric_limits<Number>::epsilon() * std::sqrt(static_cast<double>(n)) +
                1e-14 * static_cast<double>(n));
}

// alpha = rz / pq, beta = rz_next / rz; none where A or M is not positive definite.
TEST(KrylovSums, StepLengths)
{
  KrylovSums sums;
  sums.pq      = 4.;
  sums.rz      = 2.;
  sums.rz_next = 1.;
  EXPECT_EQ(sums.alpha(), 0.5);
  EXPECT_EQ(sums.beta(), 0.5);
  for (const double bad : {0., -1., std::numeric_limits<double>::quiet_NaN()})
    {
      sums.pq = sums.rz = bad;
      EXPECT_EQ(sums.alpha(), 0.);
      EXPECT_EQ(sums.beta(), 0.);
    }
}

TEST_P(KrylovUpdatesTest, SumsAreWhatWasSet)
{
  run([](auto &v, std::size_t) {
    v.given.rr = 42.;
    v.updates->set_sums(v.given);
    EXPECT_EQ(v.updates->sums().rr, 42.);
  });
}

// y_i = d_i x_i, also in place
TEST_P(KrylovUpdatesTest, Scale)
{
  run([](auto &v, const std::size_t n) {
    using Vectors       = std::decay_t<decltype(v)>;
    using Low           = typename Vectors::Low;
    const auto expected = v.scaled(v.r);
    v.updates->scale(n, v.on_d, v.on_r, v.on_z);
    expect_close(v.on_z, std::vector<Low>(expected.begin(), expected.end()), v.z, n);
    if constexpr (std::is_same<Low, typename Vectors::Number>::value)
      {
        v.updates->scale(n, v.on_d, v.on_r, v.on_r);
        expect_close(v.on_r, expected, v.r, n);
      }
  });
}

// rr = r.r, rz_next = r.(d r); rr = r.r
TEST_P(KrylovUpdatesTest, Norms)
{
  run([](auto &v, const std::size_t n) {
    using Number = typename std::decay_t<decltype(v)>::Number;
    v.updates->norms(n, v.on_d, v.on_q);
    const KrylovSums both = v.updates->sums();
    expect_sum<Number>(both.rr, v.dot(n, v.q, v.q), n);
    expect_sum<Number>(both.rz_next, v.dot(n, v.q, v.scaled(v.q)), n);
    v.updates->norm(n, v.on_x);
    const KrylovSums one = v.updates->sums();
    expect_sum<Number>(one.rr, v.dot(n, v.x, v.x), n);
    EXPECT_EQ(one.rz_next, both.rz_next);
    EXPECT_EQ(one.rz, v.given.rz);
    EXPECT_EQ(one.pq, v.given.pq);
  });
}

// rz = rz_next, pq = p.q
TEST_P(KrylovUpdatesTest, Curvature)
{
  run([](auto &v, const std::size_t n) {
    using Number = typename std::decay_t<decltype(v)>::Number;
    v.updates->curvature(n, v.on_p, v.on_q);
    const KrylovSums sums = v.updates->sums();
    expect_sum<Number>(sums.pq, v.dot(n, v.p, v.q), n);
    EXPECT_EQ(sums.rz, v.given.rz_next);
    EXPECT_EQ(sums.rr, v.given.rr);
  });
}

// r -= alpha q, rr = r.r, rz_next = r.(d r)
TEST_P(KrylovUpdatesTest, ReduceResidual)
{
  run([](auto &v, const std::size_t n) {
    using Number     = typename std::decay_t<decltype(v)>::Number;
    const auto alpha = Number(v.given.alpha());
    const auto r     = v.r;
    for (std::size_t i = 0; i < n; ++i)
      v.r[i] -= alpha * v.q[i];
    v.updates->reduce_residual(n, v.on_q, v.on_d, v.on_r);
    expect_close(v.on_r, v.r, r, n);
    const KrylovSums sums = v.updates->sums();
    expect_sum<Number>(sums.rr, v.dot(n, v.r, v.r), n);
    expect_sum<Number>(sums.rz_next, v.dot(n, v.r, v.scaled(v.r)), n);
    EXPECT_EQ(sums.rz, v.given.rz);
    EXPECT_EQ(sums.pq, v.given.pq);
  });
}

// x += alpha p, p = d r + beta p with the p before
TEST_P(KrylovUpdatesTest, Advance)
{
  run([](auto &v, const std::size_t n) {
    using Vectors    = std::decay_t<decltype(v)>;
    using Number     = typename Vectors::Number;
    using Low        = typename Vectors::Low;
    const auto alpha = Number(v.given.alpha()), beta = Number(v.given.beta());
    const auto p = v.p, x = v.x;
    for (std::size_t i = 0; i < n; ++i)
      {
        v.x[i] += alpha * Number(v.p[i]);
        v.p[i] = Low(Number(v.d[i]) * v.r[i] + beta * Number(v.p[i]));
      }
    v.updates->advance(n, v.on_d, v.on_r, v.on_p, v.on_x);
    expect_close(v.on_x, v.x, x, n);
    expect_close(v.on_p, v.p, p, n);
  });
}

// x += alpha p, r -= alpha q, rr = r.r
TEST_P(KrylovUpdatesTest, Step)
{
  run([](auto &v, const std::size_t n) {
    using Number     = typename std::decay_t<decltype(v)>::Number;
    const auto alpha = Number(v.given.alpha());
    const auto r = v.r, x = v.x;
    for (std::size_t i = 0; i < n; ++i)
      {
        v.x[i] += alpha * Number(v.p[i]);
        v.r[i] -= alpha * v.q[i];
      }
    v.updates->step(n, v.on_p, v.on_q, v.on_x, v.on_r);
    expect_close(v.on_x, v.x, x, n);
    expect_close(v.on_r, v.r, r, n);
    expect_sum<Number>(v.updates->sums().rr, v.dot(n, v.r, v.r), n);
    EXPECT_EQ(v.updates->sums().rz_next, v.given.rz_next);
  });
}

// rz_next = r.z; p = z + beta p
TEST_P(KrylovUpdatesTest, ProductsAndNextDirection)
{
  run([](auto &v, const std::size_t n) {
    using Vectors   = std::decay_t<decltype(v)>;
    using Number    = typename Vectors::Number;
    using Low       = typename Vectors::Low;
    const auto p    = v.p;
    const auto beta = Number(v.given.beta());
    for (std::size_t i = 0; i < n; ++i)
      v.p[i] = Low(Number(v.z[i]) + beta * Number(p[i]));
    v.updates->next_direction(n, v.on_z, v.on_p);
    expect_close(v.on_p, v.p, p, n);
    v.updates->scalar_product(n, v.on_r, v.on_z);
    expect_sum<Low>(v.updates->sums().rz_next, v.dot(n, v.r, v.z), n);
    EXPECT_EQ(v.updates->sums().rz, v.given.rz);
  });
}

// Sums have the same bits in every run, and on the CPU for any number of threads.
TEST_P(KrylovUpdatesTest, SumsAreTheSameBits)
{
  run([this](auto &v, const std::size_t n) {
    const auto sums_of = [n](auto &w) {
      w.updates->norms(n, w.on_d, w.on_q);
      w.updates->curvature(n, w.on_p, w.on_q);
      w.updates->scalar_product(n, w.on_r, w.on_z);
      const KrylovSums sums = w.updates->sums();
      return std::vector<double>{sums.pq, sums.rz, sums.rr, sums.rz_next};
    };
    const std::vector<double> expected = sums_of(v);
    for (int repetition = 0; repetition < 3; ++repetition)
      EXPECT_EQ(sums_of(v), expected);
    if (std::get<0>(GetParam()) == Place::cuda)
      return;
    for (const unsigned int n_threads : {1u, 5u})
      {
        const auto other = make_cpu_backend(n_threads);
        std::remove_reference_t<decltype(v)> w(*other, n);
        EXPECT_EQ(sums_of(w), expected) << n_threads << " threads";
      }
  });
}

INSTANTIATE_TEST_SUITE_P(
  Core,
  KrylovUpdatesTest,
  ::testing::Combine(::testing::ValuesIn(all_places()),
                     ::testing::Values(Precision::fp64, Precision::fp32, Precision::mixed)),
  place_and_precision);
} // namespace
} // namespace strut::test

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"

#include <limits>
#include <tuple>
#include <type_traits>

namespace strut::test
{
namespace
{
using Parameters = std::tuple<Place, Precision>;

/// Vectors x and y of n random numbers (and a tail that no operation may touch) on a backend.
class VectorOperationsTest : public TestOnBackend<Parameters>
{
protected:
  template <typename Number>
  struct Vectors
  {
    explicit Vectors(Backend &backend, const std::size_t size)
      : x(random_vector<Number>(size, 1))
      , y(random_vector<Number>(size, 2, 0.5, 1.5))
      , z(poison<Number>(size))
      , on_x(backend.memory(), x)
      , on_y(backend.memory(), y)
      , on_z(backend.memory(), z)
      , operations(backend.vector_operations<Number>())
    {}
    std::vector<Number> x, y, z;
    Array<Number> on_x, on_y, on_z;
    const VectorOperations<Number> &operations;
  };

  /// Calls body(vectors, n) in the precision of the case, for sizes around those of warps and
  /// blocks.
  template <typename Body>
  void run(const Body &body)
  {
    with_number(std::get<1>(GetParam()), [&](const auto tag) {
      using Number = decltype(number_of(tag));
      for (const std::size_t n : {0, 1, 31, 32, 33, 4095, 4097, 100003})
        {
          SCOPED_TRACE(::testing::Message() << "n = " << n);
          Vectors<Number> vectors(backend(), n + tail);
          body(vectors, n);
        }
    });
  }

  static constexpr std::size_t tail = 7;
};

/// Expects a difference of at most two roundings, as multiply-adds may or may not be fused.
template <typename Number>
void expect_close(const std::vector<Number> &values, const std::vector<Number> &expected)
{
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    {
      if (std::isnan(values[i]) && std::isnan(expected[i]))
        continue;
      ASSERT_NEAR(values[i], expected[i], 4. * std::numeric_limits<Number>::epsilon())
        << "entry " << i;
    }
}

TEST_P(VectorOperationsTest, Fill)
{
  run([](auto &v, const std::size_t n) {
    v.operations.fill(n, 3, v.on_x);
    std::fill_n(v.x.begin(), n, 3);
    EXPECT_TRUE(same_bits(v.on_x.to_host(), v.x));
  });
}

TEST_P(VectorOperationsTest, Copy)
{
  run([](auto &v, const std::size_t n) {
    v.operations.copy(n, v.on_x, v.on_y);
    std::copy_n(v.x.begin(), n, v.y.begin());
    EXPECT_TRUE(same_bits(v.on_y.to_host(), v.y));
  });
}

// y <- y + a x
TEST_P(VectorOperationsTest, Axpy)
{
  run([](auto &v, const std::size_t n) {
    v.operations.axpy(n, 0.3, v.on_x, v.on_y);
    for (std::size_t i = 0; i < n; ++i)
      v.y[i] += decltype(v.y[i] + v.y[i])(0.3) * v.x[i];
    expect_close(v.on_y.to_host(), v.y);
  });
}

// y <- x + b y
TEST_P(VectorOperationsTest, Xpby)
{
  run([](auto &v, const std::size_t n) {
    v.operations.xpby(n, v.on_x, -0.7, v.on_y);
    for (std::size_t i = 0; i < n; ++i)
      v.y[i] = v.x[i] + decltype(v.y[i] + v.y[i])(-0.7) * v.y[i];
    expect_close(v.on_y.to_host(), v.y);
  });
}

// y <- a x + b y, also if y is x; without b, y may contain anything
TEST_P(VectorOperationsTest, Axpby)
{
  run([](auto &v, const std::size_t n) {
    using Number = std::decay_t<decltype(v.y[0])>;
    v.operations.axpby(n, Number(0.3), v.on_x, Number(-0.7), v.on_y);
    for (std::size_t i = 0; i < n; ++i)
      v.y[i] = Number(0.3) * v.x[i] + Number(-0.7) * v.y[i];
    expect_close(v.on_y.to_host(), v.y);
    v.on_y.copy_from_host(
      std::vector<Number>(v.y.size(), std::numeric_limits<Number>::quiet_NaN()));
    v.operations.axpby(n, Number(2), v.on_x, Number(0), v.on_y);
    v.operations.axpby(n, Number(3), v.on_y, Number(0), v.on_y);
    std::vector<Number> found = v.on_y.to_host(), expected = v.x;
    found.resize(n);
    expected.resize(n);
    for (Number &x : expected)
      x *= Number(6);
    expect_close(found, expected);
  });
}

/// Expects that operation(x, y, z) makes the first n entries of z those of v.z, also in place of x
/// or of y, and leaves the others as they are.
template <typename Vectors, typename Operation>
void expect_in_any_place(Vectors &v, const std::size_t n, const Operation &operation)
{
  operation(v.on_x, v.on_y, v.on_z);
  expect_close(v.on_z.to_host(), v.z);
  std::copy(v.x.begin() + n, v.x.end(), v.z.begin() + n);
  operation(v.on_x, v.on_y, v.on_x);
  expect_close(v.on_x.to_host(), v.z);
  v.on_x.copy_from_host(v.x);
  std::copy(v.y.begin() + n, v.y.end(), v.z.begin() + n);
  operation(v.on_x, v.on_y, v.on_y);
  expect_close(v.on_y.to_host(), v.z);
}

// z <- x y
TEST_P(VectorOperationsTest, Multiply)
{
  run([](auto &v, const std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      v.z[i] = v.x[i] * v.y[i];
    expect_in_any_place(v, n, [&](const auto &x, const auto &y, auto &z) {
      v.operations.multiply(n, x, y, z);
    });
  });
}

// z <- x / y
TEST_P(VectorOperationsTest, Divide)
{
  run([](auto &v, const std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      v.z[i] = v.x[i] / v.y[i];
    expect_in_any_place(v, n, [&](const auto &x, const auto &y, auto &z) {
      v.operations.divide(n, x, y, z);
    });
  });
}

// x . y in double for either precision
TEST_P(VectorOperationsTest, Dot)
{
  run([](auto &v, const std::size_t n) {
    const auto x = std::vector<double>(v.x.begin(), v.x.begin() + n);
    const auto y = std::vector<double>(v.y.begin(), v.y.begin() + n);
    EXPECT_NEAR(v.operations.dot(n, v.on_x, v.on_y), dot(x, y), 1e-14 * norm(x) * norm(y));
  });
}

// Blocks of vectors: incomplete tiles, more vectors than one pass takes, and entries beyond n.
TEST_P(VectorOperationsTest, Blocks)
{
  run([this](auto &v, const std::size_t n) {
    using Number    = typename std::decay_t<decltype(v.x)>::value_type;
    const auto make = [&](const std::size_t count, const unsigned int seed) {
      std::vector<std::vector<Number>> vectors;
      for (std::size_t j = 0; j < count; ++j)
        vectors.push_back(random_vector<Number>(v.x.size(), seed + static_cast<unsigned int>(j)));
      return vectors;
    };
    const auto on_backend = [&](const std::vector<std::vector<Number>> &vectors) {
      std::vector<Array<Number>> arrays;
      for (const std::vector<Number> &vector : vectors)
        arrays.emplace_back(this->memory(), vector);
      return arrays;
    };
    const auto listed = [](std::vector<Array<Number>> &arrays) {
      std::vector<const Array<Number> *> list;
      for (const Array<Number> &array : arrays)
        list.push_back(&array);
      return list;
    };
    for (const auto &[n_x, n_y] :
         {std::make_pair(1u, 1u), std::make_pair(5u, 3u), std::make_pair(37u, 6u)})
      {
        const auto x = make(n_x, 10), y = make(n_y, 100);
        auto on_x = on_backend(x), on_y = on_backend(y);
        const std::vector<double> products = v.operations.dots(n, listed(on_x), listed(on_y));
        ASSERT_EQ(products.size(), n_x * n_y);
        for (std::size_t i = 0; i < n_x; ++i)
          for (std::size_t j = 0; j < n_y; ++j)
            {
              const auto a = std::vector<double>(x[i].begin(), x[i].begin() + n),
                         b = std::vector<double>(y[j].begin(), y[j].begin() + n);
              EXPECT_NEAR(products[i * n_y + j], dot(a, b), 1e-14 * norm(a) * norm(b));
            }
        const std::vector<double> coefficients = random_vector<double>(n_x * n_y, 1000);
        std::vector<Array<Number> *> to;
        for (Array<Number> &array : on_y)
          to.push_back(&array);
        v.operations.combine(n, coefficients, listed(on_x), to);
        for (std::size_t j = 0; j < n_y; ++j)
          {
            const std::vector<Number> got = on_y[j].to_host();
            for (std::size_t k = 0; k < n; ++k)
              {
                double expected = 0.;
                for (std::size_t i = 0; i < n_x; ++i)
                  expected += static_cast<double>(static_cast<Number>(coefficients[i * n_y + j])) *
                              static_cast<double>(x[i][k]);
                ASSERT_NEAR(got[k], expected, 40. * std::numeric_limits<Number>::epsilon()) << k;
              }
            for (std::size_t k = n; k < got.size(); ++k)
              ASSERT_EQ(got[k], y[j][k]);
          }
      }
    EXPECT_TRUE(v.operations.dots(n, {}, {}).empty());
  });
}

TEST_P(VectorOperationsTest, Sum)
{
  run([](auto &v, const std::size_t n) {
    const auto y          = std::vector<double>(v.y.begin(), v.y.begin() + n);
    const double expected = dot(y, std::vector<double>(n, 1.));
    EXPECT_NEAR(v.operations.sum(n, v.on_y), expected, 1e-14 * expected);
  });
}

// max |x - y|, with the largest difference at either end and in between
TEST_P(VectorOperationsTest, MaxDifference)
{
  run([](auto &v, const std::size_t n) {
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i)
      expected =
        std::max(expected, std::abs(static_cast<double>(v.x[i]) - static_cast<double>(v.y[i])));
    EXPECT_EQ(v.operations.max_difference(n, v.on_x, v.on_y), expected);
    EXPECT_EQ(v.operations.max_difference(n, v.on_y, v.on_x), expected);
    EXPECT_EQ(v.operations.max_difference(n, v.on_x, v.on_x), 0.);
    if (n > 0)
      for (const std::size_t i : {std::size_t(0), n / 2, n - 1})
        {
          auto x = v.x;
          x[i]   = -100;
          v.on_x.copy_from_host(x);
          EXPECT_EQ(v.operations.max_difference(n, v.on_x, v.on_y),
                    100. + static_cast<double>(v.y[i]));
        }
  });
}

// Gather and scatter, out_k = x_(i_k), x_(i_k) = in_k, x_(i_k) += in_k and x_(i_k) = value, for
// distinct indices in any order.
TEST_P(VectorOperationsTest, GatherAndScatter)
{
  run([this](auto &v, const std::size_t n) {
    auto &memory  = this->memory();
    auto selected = Random(3).permutation(n + tail);
    selected.resize(n);
    const Array<std::uint32_t> indices(memory, selected);

    auto gathered = v.z;
    for (std::size_t k = 0; k < n; ++k)
      gathered[k] = v.x[selected[k]];
    v.operations.gather(indices, v.on_x, v.on_z);
    EXPECT_TRUE(same_bits(v.on_z.to_host(), gathered));

    auto x = v.x;
    for (std::size_t k = 0; k < n; ++k)
      x[selected[k]] = v.y[k];
    v.operations.scatter(indices, v.on_y, v.on_x);
    EXPECT_TRUE(same_bits(v.on_x.to_host(), x));

    for (std::size_t k = 0; k < n; ++k)
      x[selected[k]] += v.y[k];
    v.operations.scatter_add(indices, v.on_y, v.on_x);
    EXPECT_TRUE(same_bits(v.on_x.to_host(), x));

    for (std::size_t k = 0; k < n; ++k)
      x[selected[k]] = 42;
    v.operations.set(indices, 42, v.on_x);
    EXPECT_TRUE(same_bits(v.on_x.to_host(), x));
  });
}

// x_(r_k) = the sum of in, or of the old value, at the places of row k, in their order
TEST_P(VectorOperationsTest, SumRows)
{
  run([this](auto &v, const std::size_t n) {
    auto &memory          = this->memory();
    using Number          = std::decay_t<decltype(v.x[0])>;
    constexpr auto itself = VectorOperations<Number>::itself;
    auto places           = Random(4).permutation(n + tail);
    auto rows             = Random(5).permutation(n + tail);
    for (std::size_t j = 0; j < places.size(); j += 3)
      places[j] = itself;
    std::vector<std::uint32_t> offsets{0};
    for (std::size_t k = 0; offsets.back() < n; ++k) // 0, 1, 2, 3, 0, ... places
      offsets.push_back(static_cast<std::uint32_t>(std::min(n, offsets.back() + k % 4)));
    rows.resize(offsets.size() - 1);
    auto x = v.x;
    for (std::size_t k = 0; k < rows.size(); ++k)
      {
        Number sum(0);
        for (std::uint32_t j = offsets[k]; j < offsets[k + 1]; ++j)
          sum += places[j] == itself ? x[rows[k]] : v.y[places[j]];
        x[rows[k]] = sum;
      }
    v.operations.sum_rows(Array<std::uint32_t>(memory, rows),
                          Array<std::uint32_t>(memory, offsets),
                          Array<std::uint32_t>(memory, places),
                          v.on_y,
                          v.on_x);
    EXPECT_TRUE(same_bits(v.on_x.to_host(), x));
  });
}

// y <- 1 / x in float
TEST_P(VectorOperationsTest, Reciprocal)
{
  run([this](auto &v, const std::size_t n) {
    std::vector<float> expected(n + tail, 3.f);
    Array<float> on_result(this->memory(), expected);
    for (std::size_t i = 0; i < n; ++i)
      expected[i] = static_cast<float>(1 / v.y[i]);
    v.operations.reciprocal(n, v.on_y, on_result);
    EXPECT_TRUE(same_bits(on_result.to_host(), expected));
  });
}

// The order of summation is fixed: the same bits twice, and on the CPU for any number of threads.
TEST_P(VectorOperationsTest, SumsAreTheSameBits)
{
  run([this](auto &v, const std::size_t n) {
    const double dot = v.operations.dot(n, v.on_x, v.on_y), sum = v.operations.sum(n, v.on_x);
    for (int repetition = 0; repetition < 10; ++repetition)
      {
        EXPECT_EQ(v.operations.dot(n, v.on_x, v.on_y), dot);
        EXPECT_EQ(v.operations.sum(n, v.on_x), sum);
      }
    if (std::get<0>(GetParam()) == Place::cuda)
      return;
    for (const unsigned int n_threads : {1u, 2u, 5u})
      {
        const auto other = make_cpu_backend(n_threads);
        std::remove_reference_t<decltype(v)> w(*other, v.x.size());
        EXPECT_EQ(w.operations.dot(n, w.on_x, w.on_y), dot) << n_threads << " threads";
        EXPECT_EQ(w.operations.sum(n, w.on_x), sum) << n_threads << " threads";
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Core,
                         VectorOperationsTest,
                         ::testing::Combine(::testing::ValuesIn(all_places()),
                                            ::testing::Values(Precision::fp64, Precision::fp32)),
                         place_and_precision);
} // namespace
} // namespace strut::test

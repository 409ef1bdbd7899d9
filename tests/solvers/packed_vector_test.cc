// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"
#include "source/solvers/krylov/packed_vector.h"
#include "source/solvers/state/kept_adjoints.h"

#include <algorithm>
#include <cmath>

namespace strut::test
{
namespace
{
class PackedVectorTest : public PlaceTest
{
protected:
  /// Tests random entries scaled so that the largest is `largest`, which may be a power of two or
  /// just below one.
  template <typename Number>
  void check(const double largest)
  {
    const std::size_t n = 1003, n_kept = 1000;
    std::vector<Number> x = random_vector<Number>(n, 5);
    for (Number &value : x)
      value *= static_cast<Number>(largest);
    x[17]     = static_cast<Number>(-largest);
    x[n_kept] = Number(1e9); // a ghost, which counts for nothing
    Array<Number> on_x(memory(), x), work(memory(), poison<Number>(n));
    PackedVector<Number> packed(memory(), n_kept);
    packed.set(backend(), on_x, work);
    const PackedValues on_host       = to_host(memory(), packed);
    const std::vector<double> values = to_doubles(on_host);
    ASSERT_EQ(on_host.multiples.size(), n_kept);
    const double most = std::abs(static_cast<double>(x[17])) * std::ldexp(1., -31);
    for (std::size_t i = 0; i < n_kept; ++i)
      ASSERT_LE(std::abs(values[i] - static_cast<double>(x[i])), most) << i;

    Array<Number> difference(memory(), poison<Number>(n));
    packed.subtract_from(backend(), on_x, difference);
    const std::vector<Number> differences = difference.to_host();
    for (std::size_t i = 0; i < n_kept; ++i)
      ASSERT_EQ(differences[i], static_cast<Number>(static_cast<double>(x[i]) - values[i])) << i;

    // values from the host are stored again unchanged
    PackedVector<Number> second(memory(), n_kept);
    second.set(memory(), on_host);
    EXPECT_EQ(second.unit(), packed.unit());
    EXPECT_EQ(second.multiples().to_host(), on_host.multiples);

    // the host packs as the backend, what was packed without loss
    const PackedValues by_host = to_packed({x.begin(), x.end()}, n_kept);
    EXPECT_EQ(by_host.unit, on_host.unit);
    EXPECT_EQ(by_host.multiples, on_host.multiples);
    EXPECT_TRUE(same_bits(to_doubles(to_packed(values, n_kept)), values)) << largest;
  }
};

TEST_P(PackedVectorTest, HoldsMultiplesOfAPowerOfTwo)
{
  for (const double largest : {1., 0.75, 1. - 1e-15, 3e-7, 1e12, 0.})
    {
      check<double>(largest);
      check<float>(largest);
    }
}

TEST_P(PackedVectorTest, IsZeroAtFirst)
{
  const PackedVector<double> packed(memory(), 10);
  EXPECT_EQ(to_host(memory(), packed).multiples, std::vector<std::int32_t>(10, 0));
  Array<double> x(memory(), random_vector(10, 1)), z(memory(), poison<double>(10));
  packed.subtract_from(backend(), x, z);
  EXPECT_TRUE(same_bits(z.to_host(), x.to_host()));
  PackedVector<double> none(memory(), 0);
  Array<double> empty(memory(), 0), work(memory(), 0);
  none.set(backend(), empty, work);
  EXPECT_TRUE(to_host(memory(), none).empty());
  EXPECT_TRUE(to_doubles(to_packed({}, 0)).empty());
}

INSTANTIATE_TEST_SUITE_P(Core,
                         PackedVectorTest,
                         ::testing::Values(Place::cpu_1_thread, Place::cpu_3_threads, Place::cuda),
                         place_name);
} // namespace
} // namespace strut::test

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/ranks_test.h"
#include "source/mesh/element_centres.h"
#include "source/parallel/all_gather.h"
#include "source/parallel/halo_border.h"
#include "source/parallel/halo_sum.h"
#include "source/parallel/neighbourhood_halo.h"
#include <strut/parallel/halo_exchange.h>

#include <algorithm>
#include <random>

namespace strut::test
{
namespace
{
using HaloTest = RanksTest;

// sum, max, min, any over the ranks
TEST_P(HaloTest, Reductions)
{
  const double n = world_.size(), rank = world_.rank();
  EXPECT_EQ(world_.sum(rank + 1.), n * (n + 1.) / 2.);
  EXPECT_EQ(world_.sum(std::size_t(1) << 40), static_cast<std::size_t>(n) << 40);
  EXPECT_EQ(world_.max(-rank), 0.);
  EXPECT_EQ(world_.min(-rank), 1. - n);
  EXPECT_TRUE(world_.any(world_.rank() == world_.size() - 1));
  EXPECT_FALSE(world_.any(false));
  double values[2] = {1., rank};
  world_.sum(values, 2);
  EXPECT_EQ(values[0], n);
  EXPECT_EQ(values[1], n * (n - 1.) / 2.);
}

// The border contains each exchanged entity once. Exchanging only its values gives the same bits.
TEST_P(HaloTest, BorderIsEnough)
{
  const BoxMesh box = make_box(BoxOptions::wild({{7, 3, 2}}, 3));
  with_parts(box, [&](const Part &part) {
    const HaloBorder border(part.mesh.node_halo);
    EXPECT_TRUE(std::is_sorted(border.entities.begin(), border.entities.end()));
    EXPECT_EQ(std::adjacent_find(border.entities.begin(), border.entities.end()),
              border.entities.end());
    EXPECT_EQ(border.entities.size() - border.n_owned, part.mesh.n_nodes - part.mesh.n_owned_nodes);
    for (const unsigned int n_components : {1u, 3u})
      {
        const auto numbers = random_vector(n_components * part.mesh.n_nodes, 5 + world_.rank());
        HaloExchange<double> whole(backend(), world_, part.mesh.node_halo, n_components);
        HaloExchange<double> small(backend(), world_, border.pattern, n_components);
        Array<double> all(backend().memory(), numbers);
        Array<double> few(backend().memory(), border.take(numbers, n_components));
        whole.add_to_owners(all);
        whole.update_ghosts(all);
        small.add_to_owners(few);
        small.update_ghosts(few);
        std::vector<double> result = numbers;
        border.put(few.to_host(), result);
        EXPECT_EQ(result, all.to_host());
      }
  });
}

// A ghost has its owner's value, bit by bit; owned values stay.
TEST_P(HaloTest, UpdateGhosts)
{
  const BoxMesh box = make_box(BoxOptions::wild({{7, 3, 2}}, 3));
  const auto global = random_vector(3 * box.mesh.n_nodes, 4);
  with_parts(box, [&](const Part &part) {
    for (const unsigned int n_components : {1u, 3u})
      {
        HaloExchange<double> halo(backend(), world_, part.mesh.node_halo, n_components);
        std::vector<double> expected;
        for (const LocalIndex node : part.nodes)
          for (unsigned int c = 0; c < n_components; ++c)
            expected.push_back(global[n_components * node + c]);
        auto values = expected;
        std::fill(values.begin() +
                    static_cast<std::ptrdiff_t>(n_components * part.mesh.n_owned_nodes),
                  values.end(),
                  std::numeric_limits<double>::quiet_NaN());
        Array<double> array(memory(), values);
        halo.update_ghosts(array);
        EXPECT_TRUE(same_bits(array.to_host(), expected));
      }
  });
}

// An owner gets the sum over all ranks that have the node; ghosts keep their values. Powers of two
// make the sum say who contributed.
TEST_P(HaloTest, AddToOwners)
{
  const BoxMesh box = make_box(BoxOptions::wild({{7, 3, 2}}, 3));
  for (const Partition partition : all_partitions())
    {
      SCOPED_TRACE(to_string(partition));
      std::vector<float> sums(box.mesh.n_nodes, 0.f);
      for (int rank = 0; rank < world_.size(); ++rank)
        for (const LocalIndex node : take_part(box, partition, world_.size(), rank).nodes)
          sums[node] += static_cast<float>(1 << rank);
      const Part own   = part_of(box, partition);
      const float mine = static_cast<float>(1 << world_.rank());
      Array<float> array(memory(), std::vector<float>(own.mesh.n_dofs(), mine));
      HaloExchange<float>(backend(), world_, own.mesh.node_halo, 3).add_to_owners(array);
      const auto values = array.to_host();
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], i < own.mesh.n_owned_dofs() ? sums[own.nodes[i / 3]] : mine);
    }
}

// All ranks that have a node get the same bits: the sum in ascending order of the ranks.
TEST_P(HaloTest, SumsOfAllThatHaveANode)
{
  const BoxMesh box = make_box(BoxOptions::wild({{7, 3, 2}}, 3));
  for (const Partition partition : all_partitions())
    for (const unsigned int n_components : {1u, 3u})
      {
        SCOPED_TRACE(to_string(partition));
        const auto of_rank = [&](const int rank) {
          return random_vector(n_components * box.mesh.n_nodes, static_cast<unsigned int>(rank));
        };
        std::vector<double> sums(n_components * box.mesh.n_nodes, 0.);
        for (int rank = 0; rank < world_.size(); ++rank)
          {
            const auto values = of_rank(rank);
            for (const LocalIndex node : take_part(box, partition, world_.size(), rank).nodes)
              for (unsigned int c = 0; c < n_components; ++c)
                sums[n_components * node + c] += values[n_components * node + c];
          }
        const Part own  = part_of(box, partition);
        const auto pick = [&](const std::vector<double> &all) {
          std::vector<double> values;
          for (const LocalIndex node : own.nodes)
            for (unsigned int c = 0; c < n_components; ++c)
              values.push_back(all[n_components * node + c]);
          return values;
        };
        Array<double> array(memory(), pick(of_rank(world_.rank())));
        HaloSum<double>(backend(), world_, own.mesh.node_halo, n_components).add(array);
        EXPECT_TRUE(same_bits(array.to_host(), pick(sums)));

        // added to values that all ranks share
        const auto alike = random_vector(n_components * box.mesh.n_nodes, 99u);
        HaloSum<double> halo(
          backend(), world_, own.mesh.node_halo, n_components, HaloSum<double>::To::shared_values);
        for (int twice = 0; twice < 2; ++twice)
          {
            Array<double> values(memory(), pick(alike));
            halo.set_aside(values);
            std::vector<double> parts = values.to_host();
            const auto ours           = pick(of_rank(world_.rank()));
            for (std::size_t i = 0; i < parts.size(); ++i)
              parts[i] += ours[i];
            values.copy_from_host(parts);
            halo.add(values);
            auto expected = alike;
            for (std::size_t i = 0; i < expected.size(); ++i)
              expected[i] += sums[i];
            EXPECT_LT(relative_difference(values.to_host(), pick(expected)), 1e-15);
          }
      }
}

// Adjoint operations: (G x) . y over all entries = x . (G^T y) over the owned ones.
TEST_P(HaloTest, UpdateAndAddAreAdjoint)
{
  const BoxMesh box = make_box(BoxOptions::wild({{7, 3, 2}}, 3));
  with_parts(box, [&](const Part &part) {
    const auto seed = static_cast<unsigned int>(world_.rank());
    const auto x    = random_vector(part.mesh.n_dofs(), seed),
               y    = random_vector(part.mesh.n_dofs(), seed + 9);
    HaloExchange<double> halo(backend(), world_, part.mesh.node_halo, 3);
    Array<double> Gx(memory(), x), Gty(memory(), y);
    halo.update_ghosts(Gx);
    halo.add_to_owners(Gty);
    const auto owned = [&](std::vector<double> values) {
      values.resize(part.mesh.n_owned_dofs());
      return values;
    };
    EXPECT_NEAR(world_.sum(dot(Gx.to_host(), y)),
                world_.sum(dot(owned(x), owned(Gty.to_host()))),
                1e-12);
  });
}

// Tests a limit of a few values per message, as if MPI's counts were too small.
TEST_P(HaloTest, GathersInPieces)
{
  const auto rank = static_cast<std::size_t>(world_.rank());
  std::vector<double> own(5 * rank % 11), all;
  for (std::size_t i = 0; i < own.size(); ++i)
    own[i] = 100. * static_cast<double>(rank) + static_cast<double>(i);
  for (std::size_t r = 0; r < static_cast<std::size_t>(world_.size()); ++r)
    for (std::size_t i = 0; i < 5 * r % 11; ++i)
      all.push_back(100. * static_cast<double>(r) + static_cast<double>(i));
  for (const std::size_t most : {std::size_t(1), std::size_t(3), Communicator::most_values})
    EXPECT_EQ(world_.gather(own, most), all) << "at most " << most;
}

// From backend to backend, with different lengths, including zero; then again with the same arrays.
TEST_P(HaloTest, GathersOnTheBackend)
{
  const auto size_of  = [](const int rank) { return static_cast<std::size_t>(5 * rank % 11); };
  const auto value_of = [](const int rank, const std::size_t i, const int turn) {
    return 1000. * turn + 100. * rank + static_cast<double>(i);
  };
  AllGather<double> ranks(backend(), world_, size_of(world_.rank()));
  Array<double> own(memory(), size_of(world_.rank()) + 2), all(memory(), ranks.n_all());
  for (const int turn : {1, 2, 3})
    {
      std::vector<double> values(own.size(), -1.), expected;
      for (std::size_t i = 0; i < size_of(world_.rank()); ++i)
        values[i] = value_of(world_.rank(), i, turn);
      for (int rank = 0; rank < world_.size(); ++rank)
        for (std::size_t i = 0; i < size_of(rank); ++i)
          expected.push_back(value_of(rank, i, turn));
      own.copy_from_host(values);
      ranks.gather(own, all);
      EXPECT_EQ(all.to_host(), expected);

      own.copy_from_host(std::vector<double>(own.size(), -1.));
      ranks.take_own(all, own);
      EXPECT_EQ(own.to_host(), values);
    }
}

// Random lengths, many messages in flight, some in one direction only, empty ones, and long ones.
TEST_P(HaloTest, MessagesOfAnyLength)
{
  Transport &transport = backend().transport(world_);
  const auto n_ranks   = static_cast<std::size_t>(world_.size());
  const auto own       = static_cast<std::size_t>(world_.rank());
  std::mt19937 random(20); // the same on all ranks
  for (unsigned int round = 0; round < 12; ++round)
    {
      struct Exchange
      {
        std::vector<Array<float>> sent, received;
      };
      std::vector<Exchange> exchanges(5);
      for (Exchange &exchange : exchanges)
        {
          std::vector<Transport::Message> messages;
          for (std::size_t from = 0; from < n_ranks; ++from)
            for (std::size_t to = 0; to < n_ranks; ++to)
              {
                const std::size_t kind = random() % 4;
                const std::size_t n    = kind == 0 ? 0
                                         : kind == 3 && round == 7 && from < 2 && to < 2
                                           ? 1300000
                                           : random() % 5000;
                if (from == to || (from != own && to != own))
                  continue;
                std::vector<float> values(n, -1.f);
                if (from == own)
                  for (std::size_t i = 0; i < n; ++i)
                    values[i] = static_cast<float>(1000 * round + 10 * from + to) +
                                1e-3f * static_cast<float>(i % 997);
                auto &arrays = from == own ? exchange.sent : exchange.received;
                arrays.emplace_back(memory(), values);
              }
          // Both lists are in ascending order of the other rank.
          for (std::size_t k = 0; k < exchange.sent.size(); ++k)
            messages.push_back({static_cast<int>(k < own ? k : k + 1),
                                exchange.sent[k].data(),
                                exchange.sent[k].size() * sizeof(float),
                                exchange.received[k].data(),
                                exchange.received[k].size() * sizeof(float)});
          transport.begin(messages);
          transport.finish();
        }
      for (const Exchange &exchange : exchanges)
        for (std::size_t k = 0; k < exchange.received.size(); ++k)
          {
            const std::size_t from          = k < own ? k : k + 1;
            const std::vector<float> values = exchange.received[k].to_host();
            std::size_t n_wrong             = 0;
            for (std::size_t i = 0; i < values.size(); ++i)
              if (values[i] != static_cast<float>(1000 * round + 10 * from + own) +
                                 1e-3f * static_cast<float>(i % 997))
                ++n_wrong;
            EXPECT_EQ(n_wrong, 0u)
              << "round " << round << ", from rank " << from << ", of " << values.size();
          }
    }
}

// The sums over all ranks have the same bits on each, and wait for earlier work.
TEST_P(HaloTest, SumsOnTheBackend)
{
  Transport &transport = backend().transport(world_);
  EXPECT_EQ(&transport, &backend().transport(world_));
  const std::size_t n = 5;
  Array<double> values(memory(), n), ones(memory(), std::vector<double>(n, 1.));
  values.copy_from_host(std::vector<double>(n, 0.1 * (world_.rank() + 1)));
  backend().vector_operations<double>().axpy(n, 1., ones, values);
  transport.sum(values.data(), 3);
  const auto sums    = values.to_host();
  const double ranks = world_.size();
  for (std::size_t i = 0; i < n; ++i)
    {
      EXPECT_NEAR(sums[i],
                  i < 3 ? ranks + 0.05 * ranks * (ranks + 1.) : 1. + 0.1 * (world_.rank() + 1),
                  1e-14 * ranks);
      if (i < 3)
        {
          EXPECT_EQ(world_.min(sums[i]), world_.max(sums[i]));
        }
    }
}

// Every point within the radius of an own one is there, once, with its coordinates, and the pattern
// brings its value.
TEST_P(HaloTest, NeighbourhoodHoldsAllWithinTheRadius)
{
  const BoxMesh box   = make_box(BoxOptions::wild({{9, 4, 3}}, 5));
  const std::size_t n = box.mesh.n_elements;
  const auto all      = element_centres(box.mesh);
  const auto square   = [&](const std::size_t a, const std::size_t b) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d)
      sum += std::pow(all[d * n + a] - all[d * n + b], 2);
    return sum;
  };
  with_parts(box, [&](const Part &part) {
    for (const double radius : {0.01, 0.25, 5.})
      {
        const auto halo = NeighbourhoodHalo::build(world_,
                                                   element_centres(part.mesh),
                                                   part.mesh.n_elements,
                                                   radius);
        EXPECT_EQ(halo.points.size(), 3 * halo.n_points);
        std::vector<double> numbers(halo.n_points, -1.);
        std::copy(part.elements.begin(), part.elements.end(), numbers.begin());
        Array<double> array(memory(), numbers);
        HaloExchange<double>(backend(), world_, halo.pattern, 1).update_ghosts(array);
        numbers = array.to_host();

        std::vector<int> seen(n, 0);
        for (std::size_t p = 0; p < halo.n_points; ++p)
          {
            const auto e = static_cast<std::size_t>(numbers[p]);
            ++seen.at(e);
            for (std::size_t d = 0; d < 3; ++d)
              EXPECT_NEAR(halo.points[d * halo.n_points + p], all[d * n + e], 1e-15);
          }
        for (std::size_t e = 0; e < n; ++e)
          {
            EXPECT_LE(seen[e], 1);
            for (const LocalIndex own : part.elements)
              if (square(e, own) < radius * radius)
                {
                  EXPECT_EQ(seen[e], 1) << "element " << e << " is near " << own;
                }
          }
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, HaloTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../fixtures/backends.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"

#include <strut/solvers/elasticity_operator.h>

namespace strut::test
{
/// An operator with its factors, which is applied to vectors on the host.
template <typename Number>
class Applied
{
public:
  Applied(Backend &backend,
          const std::string &strategy,
          const ElementMesh &mesh,
          const Material &material           = {},
          const std::vector<double> &factors = {})
    : memory_(backend.memory())
    , n_elements_(mesh.n_elements)
    , x_(memory_, mesh.n_dofs())
    , y_(memory_, mesh.n_dofs())
    , operator_(find_strategy<Number>(backend, strategy).make(backend, mesh, material))
  {
    if (!factors.empty())
      set_stiffness(factors);
  }

  void set_stiffness(const std::vector<double> &factors)
  {
    operator_->set_stiffness(Array<double>(memory_, factors));
  }

  std::vector<Number> apply(const std::vector<Number> &x)
  {
    x_.copy_from_host(x);
    y_.copy_from_host(poison<Number>(x.size())); // the old values of y must not matter
    operator_->apply(x_, y_);
    return y_.to_host();
  }

  /// Computes y - K x.
  std::vector<Number> subtract(const std::vector<Number> &x, const std::vector<Number> &y)
  {
    x_.copy_from_host(x);
    y_.copy_from_host(y);
    operator_->subtract(x_, y_);
    return y_.to_host();
  }

  /// Factors that the operator reports.
  std::vector<double> factors() const
  {
    Array<double> factors(memory_, poison<double>(n_elements_));
    operator_->factors(factors);
    return factors.to_host();
  }

  std::vector<Number> diagonal()
  {
    y_.copy_from_host(poison<Number>(y_.size()));
    operator_->diagonal(y_);
    return y_.to_host();
  }

  std::vector<Number> diagonal_blocks()
  {
    Array<Number> blocks(memory_, poison<Number>(2 * y_.size()));
    operator_->diagonal_blocks(blocks);
    return blocks.to_host();
  }

  std::vector<double> energies(const std::vector<Number> &u)
  {
    Array<double> c(memory_, poison<double>(n_elements_));
    x_.copy_from_host(u);
    operator_->energies(x_, c);
    return c.to_host();
  }

  OperatorCost cost() const
  {
    return operator_->cost();
  }

  const ElementOperator<Number> &get() const
  {
    return *operator_;
  }

private:
  Memory &memory_;
  std::size_t n_elements_;
  Array<Number> x_, y_;
  std::unique_ptr<ElementOperator<Number>> operator_;
};

class ElementOperatorTest : public StrategyTest
{
protected:
  template <typename Number>
  Applied<Number> make(const ElementMesh &mesh,
                       const Material &material           = {},
                       const std::vector<double> &factors = {})
  {
    return Applied<Number>(backend(), GetParam().strategy, mesh, material, factors);
  }

  /// Whether the strategy computes matrices on the fly.
  bool is_on_the_fly() const
  {
    return GetParam().strategy.substr(0, 10) == "on_the_fly";
  }

  /// The diagonal blocks; empty where the strategy refuses them, which those on the fly must not.
  template <typename Number>
  std::vector<Number> diagonal_blocks(Applied<Number> &K) const
  {
    std::vector<Number> blocks;
    const std::string refusal = message_of([&]() { blocks = K.diagonal_blocks(); });
    if (blocks.empty())
      {
        EXPECT_FALSE(is_on_the_fly());
        EXPECT_NE(refusal.find("on_the_fly"), std::string::npos);
      }
    return blocks;
  }
};

/// Expects that the product of a vector in float is that of the same numbers in Number, with the
/// same bits if products are deterministic.
template <typename Number>
void expect_product_of_float(const ElementOperator<Number> &K,
                             Memory &memory,
                             const ElementMesh &mesh,
                             const bool deterministic)
{
  const auto x = random_vector<float>(mesh.n_dofs(), 9);
  Array<Number> expected(memory, poison<Number>(x.size())), y(memory, poison<Number>(x.size()));
  K.apply(Array<Number>(memory, std::vector<Number>(x.begin(), x.end())), expected);
  K.apply_to_float(Array<float>(memory, x), y);
  if (deterministic)
    EXPECT_EQ(y.to_host(), expected.to_host());
  else
    EXPECT_LE(relative_difference(y.to_host(), to_double(expected.to_host())), rounding<Number>());
}

inline std::vector<double> random_factors(const ElementMesh &mesh, const unsigned int seed)
{
  return random_vector(mesh.n_elements, seed, 0.01, 1.);
}

/// The displacement H x, with a gradient H that has a rotation.
template <typename Number>
std::vector<Number> linear_displacement(const BoxMesh &box)
{
  const double H[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}, {-0.6, 0.2, 0.1}};
  std::vector<Number> u(box.mesh.n_dofs());
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        u[3 * node + i] += static_cast<Number>(H[i][j] * box.position(node)[j]);
  return u;
}

/// Translations along and rotations about the axes, as vectors on the nodes.
template <typename Number>
std::vector<std::vector<Number>> rigid_motions(const BoxMesh &box)
{
  std::vector<std::vector<Number>> motions(6, std::vector<Number>(box.mesh.n_dofs()));
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    {
      const Position x = box.position(node);
      for (std::size_t c = 0; c < 3; ++c)
        {
          motions[c][3 * node + c]               = Number(1);
          motions[3 + c][3 * node + (c + 1) % 3] = static_cast<Number>(-x[(c + 2) % 3]);
          motions[3 + c][3 * node + (c + 2) % 3] = static_cast<Number>(x[(c + 1) % 3]);
        }
    }
  return motions;
}

/// Expects x . K y = y . K x, and x . K x > 0 for what is no rigid motion.
template <typename Number>
void expect_symmetric(Applied<Number> &K, const BoxMesh &box)
{
  for (const unsigned int seed : {1u, 2u, 3u})
    {
      const auto x  = random_vector<Number>(box.mesh.n_dofs(), seed);
      const auto y  = random_vector<Number>(box.mesh.n_dofs(), seed + 50);
      const auto Kx = K.apply(x), Ky = K.apply(y);
      EXPECT_NEAR(dot(x, Ky), dot(y, Kx), rounding<Number>() * norm(x) * norm(Ky));
      EXPECT_GT(dot(x, Kx), 0.);
    }
}

/// Expects K r = 0 for three translations and three rotations.
template <typename Number>
void expect_no_forces_of_rigid_motions(Applied<Number> &K, const BoxMesh &box)
{
  const double size = max_norm(K.diagonal());
  for (const auto &motion : rigid_motions<Number>(box))
    EXPECT_LE(norm(K.apply(motion)), rounding<Number>() * size * norm(motion));
}
} // namespace strut::test

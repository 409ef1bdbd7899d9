// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <functional>
#include <vector>

namespace strut
{
/// The lowest eigenvalues of `K x = lambda M x`, K positive definite and M semidefinite, by the
/// locally optimal block method of conjugate gradients (Knyazev 2001). Each iteration takes the
/// Ritz vectors of the last block X, the preconditioned residuals W, and the last steps P. Gram
/// matrices of all three are orthonormalised by their own eigenvectors (Stathopoulos and Wu 2002).
/// Weaker orthonormalisation causes trouble (Duersch, Shao, Yang and Gu 2018).
///
/// The residual of a vector x with r = K x - lambda M x is `sqrt(r . T r / x . K x)`, T the
/// preconditioner. For T = K^-1 this is the energy of the error relative to that of x, and some
/// eigenvalue is within this part of lambda. The residual has no unit, and rounding limits it no
/// earlier on a finer mesh.
///
/// The ratio |r| / |K x| weighs an error by its frequency. For a slender bar it reaches rounding
/// when the eigenvalue has all its digits. A weak preconditioner needs hundreds of iterations more
/// to get there.
///
/// Vectors stay on the backend. The host solves the problems of the Gram matrices.
class Lobpcg
{
public:
  using Vectors = std::vector<Array<double>>;

  /// Products with the matrices, on owned entries. They may change ghosts and dependent entries of
  /// x.
  struct Operators
  {
    std::function<void(Array<double> &x, Array<double> &y)> stiffness;
    std::function<void(Array<double> &x, Array<double> &y)> mass;
    std::function<void(const Array<double> &r, Array<double> &z)> precondition;
  };

  struct Control
  {
    std::size_t n_wanted = 1; ///< number of lowest vectors of the block that must converge
    /// Vectors of the block; 0 for as many as the solve begins with.
    std::size_t n_of_block      = 0;
    double tolerance            = 1e-6; ///< tolerance of the residuals of the wanted vectors
    unsigned int max_iterations = 1000;

    /// Tolerance of the residuals of the other vectors. They guard against a lowest vector that the
    /// first block did not contain. Such a vector descends from above, and a residual of 0.1 shows
    /// that it no longer does.
    double guard_tolerance = 0.1;

    /// The tolerance of a vector of the block.
    double tolerance_of(const std::size_t j) const
    {
      return j < n_wanted ? tolerance : guard_tolerance;
    }
  };

  struct Report
  {
    std::vector<double> values; ///< eigenvalues of the block, ascending
    unsigned int iterations = 0;
    double residual         = 0; ///< largest residual of the wanted vectors
    bool converged          = false;
    /// False if M has fewer directions than the block has vectors, or if `is_finite` is false.
    bool found     = true;
    bool is_finite = true; ///< whether all products of vectors are finite
  };

  /// Make a solver.
  /// @param n_local, n_owned  entries of vectors
  Lobpcg(Backend &backend,
         const Communicator &communicator,
         std::size_t n_local,
         std::size_t n_owned);

  /// Solve the problem. Where no vectors are found, X stays unchanged. Collective.
  /// @param X  the block to begin with; becomes the eigenvectors, orthonormal in M. It may have up
  ///   to twice as many vectors as the block: then the lowest Ritz vectors of all of them begin.
  Report solve(const Operators &operators, const Control &control, Vectors &X);

  /// Number of vectors kept after a solve, with the block itself: X, W and P with their products,
  /// and the next X and P for one of these.
  static constexpr std::size_t n_vectors(const std::size_t n_of_block)
  {
    return 11 * n_of_block;
  }

private:
  /// Vectors and their products with the matrices.
  struct Block
  {
    Vectors x, Kx, Mx;
  };

  Array<double> take(); ///< returns a vector with undefined values
  void give_back(Vectors &vectors);
  void give_back(Block &block);
  Block make_block(std::size_t n);
  void apply(const Operators &operators, Block &block) const;
  std::vector<double> gram(const std::vector<const Vectors *> &left,
                           const std::vector<const Vectors *> &right) const;
  /// Returns the products with a symmetric matrix, where y is the matrix times x. Only one of two
  /// equal products is computed.
  std::vector<double> symmetric_gram(const std::vector<const Vectors *> &x,
                                     const std::vector<const Vectors *> &y) const;
  /// Returns x_j . y_j, over all ranks.
  std::vector<double> products(const Vectors &x, const Vectors &y) const;
  void orthogonalise(const Block &X, const Block &P, Vectors &w);
  Vectors combine(const std::vector<double> &coefficients,
                  std::size_t n,
                  const std::vector<const Vectors *> &basis);
  void ritz_step(Block &X, const Block &W, Block &P, Report &report);
  std::vector<double> rayleigh_quotients(const Block &X) const;
  Block residuals(const Operators &operators,
                  const Block &X,
                  const std::vector<double> &values,
                  const std::vector<std::size_t> &which,
                  std::vector<double> &norms);
  static Block take_active(Block &W,
                           const std::vector<double> &norms,
                           const Control &control,
                           std::vector<std::size_t> &which);

  Backend &backend_;
  const Communicator communicator_;
  std::size_t n_local_, n_owned_;
  Vectors spare_; ///< vectors to reuse, since an allocation takes as long as many products
};
} // namespace strut

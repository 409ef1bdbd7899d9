// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstring>
#include <vector>

namespace strut
{
struct Material;

/// Number of components of a symmetric tangent: the upper triangle of its matrix in Voigt's
/// notation, row by row, C_11, C_12, ..., C_16, C_22, ..., C_66. Entries and shear strains are
/// those of ElasticityMatrix.
constexpr unsigned int n_tangent_components = 21;

/// A law says which numbers an element has, and how its stiffness matrix follows from them.
///
/// Strategies, levels and coarse solvers compute with the four laws that are members of this class.
/// Every other law says by which of them it is computed. It is one file, and one line of the list
/// in source/element/laws.cc; a library of a user calls add_law() instead.
struct Law
{
  static constexpr unsigned int most_components = 32;

  const char *name;          ///< in messages: "Lame's parameters"
  unsigned int n_components; ///< numbers of an element, or of each of its Gauss points, at most 32
  const Law *by = nullptr;   ///< the law that computes this one; null for the members below

  /// Computes the numbers of `by` from those of this law, of one element or point. Young's modulus
  /// and Poisson's ratio of the material may count, its formulation does not.
  void (*convert)(const Material &material, const double *own, double *result) = nullptr;

  static const Law factor;   ///< `E_e K0_e`: a factor of each element, and K0 of the Material
  static const Law table;    ///< `E_e K0_e`: a factor, and K0 of a solid in AnisotropicSolids
  static const Law lame;     ///< `lambda_e K_lambda,e + mu_e K_mu,e`: Lame's parameters
  static const Law tangents; ///< `sum_q w_q B_q^T C_q B_q`: a tangent of each point or element

  /// The law of the members above that computes this one.
  const Law &known() const
  {
    return by == nullptr ? *this : by->known();
  }

  /// Replaces the numbers of this law, of one element or point, by those of known().
  void to_known(const Material &material, double (&numbers)[most_components]) const;
  bool operator==(const Law &other) const
  {
    return std::strcmp(name, other.name) == 0;
  }
  bool operator!=(const Law &other) const
  {
    return !(*this == other);
  }
};

inline constexpr Law Law::factor{"stiffness factors", 1};
inline constexpr Law Law::table{"anisotropic solids", 1};
inline constexpr Law Law::lame{"Lame's parameters", 2};
inline constexpr Law Law::tangents{"tangents", n_tangent_components};

/// Isotropic solids, by Lame's parameters: Young's modulus over that of the material, and Poisson's
/// ratio.
Law isotropic_law();

/// All laws: the four of the class, those of the list, and those that were added.
const std::vector<Law> &laws();

/// Adds a law for the life of the program, on all ranks in the same order. Throws Error if there is
/// one of this name, and as check_law(). Solids of structures need it, other calls do not.
void add_law(const Law &law);

/// Throws Error if a law has no numbers or too many, or does not say how another law computes it.
void check_law(const Law &law);
} // namespace strut

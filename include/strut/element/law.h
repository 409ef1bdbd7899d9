// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <cstring>
#include <string>
#include <vector>

namespace strut
{
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

  /// Returns the solid with these numbers. Null: it is that of `by`; without `by` there is none.
  Material (*isotropic_solid)(const Material &material, const double *own) = nullptr;

  /// Answers to what strut asks of a law. The members below have them; other laws answer as those.
  struct Answers
  {
    bool are_factors     = false; ///< numbers multiply known matrices; without any all are 1
    bool have_points     = false; ///< Gauss points may have numbers; operators keep them
    bool have_large_data = false; ///< operators do not stay when another law comes
    bool have_two_parts  = false; ///< strategies for factors alone take two passes
    bool are_scalar      = false; ///< meshes with one component per node take it

    /// Whether elements of a Formulation take the law; `instead` names a law that all of them take.
    bool formulations[3] = {true, false, false};
    const char *instead  = "";

    // Of solids of designs; null: there are none by this law.
    /// Ratio of the shear modulus to that of the material.
    double (*shear_ratio)(const Material &material, const double *numbers) = nullptr;
    /// The end of a message if no solid has these numbers; empty if one has.
    std::string (*fault)(const double *numbers) = nullptr;
  };
  Answers own_answers = {};

  const Answers &answers() const
  {
    return known().own_answers;
  }

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

private:
  static std::string fault_of_factor(const double *numbers);
  static std::string fault_of_lame(const double *numbers);
};

inline constexpr Law Law::factor = []() {
  Law law{"stiffness factors", 1};
  law.isotropic_solid = [](const Material &material, const double *const factor) -> Material {
    return {*factor * material.youngs_modulus, material.poisson_ratio, material.formulation};
  };
  Answers &answers    = law.own_answers;
  answers.are_factors = answers.are_scalar = true;
  for (bool &takes : answers.formulations)
    takes = true;
  answers.shear_ratio = [](const Material &, const double *const factor) { return *factor; };
  answers.fault       = &fault_of_factor;
  return law;
}();

inline constexpr Law Law::table = []() {
  Law law{"anisotropic solids", 1};
  Answers &answers        = law.own_answers;
  answers.are_factors     = true;
  answers.have_large_data = true; // Matrices do not become those of the material again.
  answers.instead         = "isotropic solids";
  answers.shear_ratio     = factor.own_answers.shear_ratio;
  answers.fault           = &fault_of_factor;
  return law;
}();

inline constexpr Law Law::lame = []() {
  Law law{"Lame's parameters", 2};
  law.isotropic_solid = [](const Material &, const double *const lame) {
    return Material::from_lame(lame[0], lame[1]);
  };
  Answers &answers       = law.own_answers;
  answers.have_two_parts = true;
  answers.instead        = "stiffness factors in their place";
  answers.shear_ratio    = [](const Material &material, const double *const lame) {
    return lame[1] / material.mu();
  };
  answers.fault                                                        = &fault_of_lame;
  answers.formulations[static_cast<int>(Formulation::mean_dilatation)] = true;
  return law;
}();

inline constexpr Law Law::tangents = []() {
  Law law{"tangents", n_tangent_components};
  law.own_answers.have_points     = true;
  law.own_answers.have_large_data = true;
  law.own_answers.instead         = "Lame's parameters";
  return law;
}();

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

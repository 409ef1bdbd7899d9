// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace strut
{
struct AnisotropicSolids;

/// A law says what the stiffness matrices of elements are computed from.
enum class Law
{
  factor,  ///< `E_e K0_e`: a factor of each element, and K0 of the Material
  table,   ///< `E_e K0_e`: a factor of each element, and K0 of its solid in AnisotropicSolids
  lame,    ///< `lambda_e K_lambda,e + mu_e K_mu,e`: Lame's parameters of each element
  tangents ///< `sum_q w_q B_q^T C_q B_q`: a tangent of each Gauss point, or one of each element
};

constexpr std::size_t n_laws = 4;

/// The name of a law in messages.
std::string to_string(Law law);

/// Number of components of a symmetric tangent: the upper triangle of its matrix in Voigt's
/// notation, row by row, C_11, C_12, ..., C_16, C_22, ..., C_66. Entries and shear strains are
/// those of ElasticityMatrix.
constexpr unsigned int n_tangent_components = 21;

/// The numbers that a law has for each element: n_components for each of n_points points.
struct StiffnessLayout
{
  Law law               = Law::factor;
  unsigned int n_points = 1; ///< 8 if Gauss points have numbers of their own, else 1

  unsigned int n_components() const
  {
    return law == Law::tangents ? n_tangent_components : law == Law::lame ? 2 : 1;
  }
  bool operator==(const StiffnessLayout &other) const
  {
    return law == other.law && n_points == other.n_points;
  }
  bool operator!=(const StiffnessLayout &other) const
  {
    return !(*this == other);
  }
};

/// The stiffness of the elements of a mesh as a value: a law and its numbers. It refers to arrays
/// and solids of its maker, and to what its function refers to. All of that must stay, and solids
/// must not change, as long as it is used.
class Stiffness
{
public:
  /// Sets values, `[n_elements]` on the backend, to one component at one point of all elements.
  /// Points count x fastest; the point is always 0 where elements have one.
  using Fields =
    std::function<void(unsigned int point, unsigned int component, Array<double> &values)>;

  /// Factors of the stiffness of the material, `[n_elements]` on the backend.
  Stiffness(const Array<double> &factors); // NOLINT: factors are a stiffness

  /// Lame's parameters, `[n_elements]` each on the backend; mu and 3 lambda + 2 mu >= 0.
  static Stiffness of_lame(const Array<double> &lambda, const Array<double> &mu);

  /// The solids of a table with factors of one.
  static Stiffness of_solids(const AnisotropicSolids &solids);

  /// Tangents, which are asked for once, one component after another.
  /// @param n_points  8, or 1: the same at all points of an element
  static Stiffness of_tangents(unsigned int n_points, const Fields &fields);

  /// Numbers of a law by arrays, one for each component, with one point for each element.
  static Stiffness of_arrays(Law law, const std::vector<Array<double>> &arrays);

  /// Returns a stiffness of this law, of Lame's parameters or tangents, with other numbers, one
  /// point for each element. They are asked for by component.
  Stiffness with(const Fields &fields) const;

  /// A design with these factors, `[n_elements]`, in the solids of this stiffness: a table, or
  /// Lame's parameters in arrays. Throws Error for others.
  Stiffness times(const Array<double> &factors) const;

  const StiffnessLayout &layout() const
  {
    return layout_;
  }
  Law law() const
  {
    return layout_.law;
  }

  /// Whether all numbers are in arrays, so that component() returns those.
  bool is_stored() const
  {
    return fields_ == nullptr;
  }

  /// Returns a component at a point, in its array, or in `work`, `[n_elements]`; that of a factor
  /// law is factors(). Factors of times() are not included in Lame's parameters.
  const Array<double> &
  component(unsigned int point, unsigned int component, Array<double> &work) const;

  /// Factors of a factor law or of times(); null if they are one.
  const Array<double> *factors() const
  {
    return factors_;
  }

  /// The solids of Law::table, otherwise null.
  const AnisotropicSolids *solids() const
  {
    return solids_;
  }

  /// Number of the call of of_solids() that this stiffness comes from, so that an operator knows
  /// whether it has these solids; 0 without a table.
  std::size_t number_of_solids() const
  {
    return number_of_solids_;
  }

private:
  explicit Stiffness(const StiffnessLayout &layout) : layout_(layout)
  {}

  StiffnessLayout layout_;
  std::vector<const Array<double> *> arrays_; ///< stored components but factors
  Fields fields_;                             ///< null if the numbers are stored
  const Array<double> *factors_    = nullptr;
  const AnisotropicSolids *solids_ = nullptr;
  std::size_t number_of_solids_    = 0;
};
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/law.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace strut
{
struct AnisotropicSolids;
class Memory;

/// The numbers that a law has for each element: n_components for each of n_points points.
struct StiffnessLayout
{
  Law law               = Law::factor;
  unsigned int n_points = 1; ///< 8 if Gauss points have numbers of their own, else 1

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

  /// The solids of a table, for times().
  static Stiffness of_solids(const AnisotropicSolids &solids);

  /// Numbers of a law by arrays, one for each component, with one point for each element.
  static Stiffness of_arrays(const Law &law, const std::vector<Array<double>> &arrays);

  /// Numbers of a law by a function, which is asked for each component of each point.
  static Stiffness of_fields(const StiffnessLayout &layout, const Fields &fields);

  /// Returns the same stiffness by a law that strategies know, Law::known(). Numbers are converted
  /// on the host, when they are asked for. What it refers to must stay as long as this object.
  /// @param memory  the memory of the backend
  Stiffness known(const Material &material, Memory &memory, std::size_t n_elements) const;

  /// A design with these factors, `[n_elements]`, in the solids of this stiffness: a table, or
  /// Lame's parameters in arrays. Throws Error for others.
  Stiffness times(const Array<double> &factors) const;

  const StiffnessLayout &layout() const
  {
    return layout_;
  }
  const Law &law() const
  {
    return layout_.law;
  }

  /// Whether all numbers are in arrays, so that component() returns those.
  bool is_stored() const
  {
    return fields_ == nullptr;
  }

  /// Returns a component at a point, in its array, or in `work`, `[n_elements]`. Factors of times()
  /// are not included in it.
  const Array<double> &
  component(unsigned int point, unsigned int component, Array<double> &work) const;

  /// Factors of times(); null without them.
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
  Stiffness(const StiffnessLayout &layout, const std::vector<const Array<double> *> &arrays);

  StiffnessLayout layout_;
  std::vector<const Array<double> *> arrays_; ///< stored components
  Fields fields_;                             ///< null if the numbers are stored
  const Array<double> *factors_    = nullptr;
  const AnisotropicSolids *solids_ = nullptr;
  std::size_t number_of_solids_    = 0;
};
} // namespace strut

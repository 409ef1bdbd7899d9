// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/stiffness.h>
#include <strut/base/exceptions.h>

#include <atomic>

namespace strut
{
std::string to_string(const Law law)
{
  switch (law)
    {
      case Law::factor:
        return "stiffness factors";
      case Law::table:
        return "anisotropic solids";
      case Law::lame:
        return "Lame's parameters";
      case Law::tangents:
        return "tangents";
    }
  throw Error("There is no such law.");
}

Stiffness::Stiffness(const Array<double> &factors) : factors_(&factors)
{}

Stiffness Stiffness::of_lame(const Array<double> &lambda, const Array<double> &mu)
{
  Stiffness stiffness({Law::lame});
  stiffness.arrays_ = {&lambda, &mu};
  return stiffness;
}

Stiffness Stiffness::of_solids(const AnisotropicSolids &solids)
{
  Stiffness stiffness({Law::table});
  static std::atomic<std::size_t> n_calls{0};
  stiffness.solids_           = &solids;
  stiffness.number_of_solids_ = ++n_calls;
  return stiffness;
}

Stiffness Stiffness::of_tangents(const unsigned int n_points, const Fields &fields)
{
  Stiffness stiffness({Law::tangents, n_points});
  stiffness.fields_ = fields;
  return stiffness;
}

Stiffness Stiffness::of_arrays(const Law law, const std::vector<Array<double>> &arrays)
{
  Stiffness stiffness({law});
  if (stiffness.layout_.n_components() == 1)
    stiffness.factors_ = &arrays.front();
  else
    for (const Array<double> &array : arrays)
      stiffness.arrays_.push_back(&array);
  return stiffness;
}

Stiffness Stiffness::with(const Fields &fields) const
{
  Stiffness stiffness({law()});
  stiffness.fields_ = fields;
  return stiffness;
}

Stiffness Stiffness::times(const Array<double> &factors) const
{
  if (solids_ == nullptr && (law() != Law::lame || !is_stored()))
    throw Error(
      "Factors multiply solids alone, in a table or given by arrays of Lame's parameters.");
  Stiffness stiffness = *this;
  stiffness.factors_  = &factors;
  return stiffness;
}

const Array<double> &Stiffness::component(const unsigned int point,
                                          const unsigned int component,
                                          Array<double> &work) const
{
  if (is_stored())
    return arrays_.empty() ? *factors_ : *arrays_[component];
  fields_(point, component, work);
  return work;
}
} // namespace strut

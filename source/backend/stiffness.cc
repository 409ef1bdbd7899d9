// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/stiffness.h>
#include <strut/base/exceptions.h>
#include <strut/element/material.h>

#include <atomic>
#include <memory>

namespace strut
{
namespace
{
/// Numbers of a law that another one computes, at one point of all elements, on the host.
class ConvertedNumbers
{
public:
  ConvertedNumbers(const Stiffness &own, const Material &material, Memory &memory, std::size_t n)
    : own_(own), material_(material), memory_(memory), n_(n)
  {}

  /// Returns a component of the other law at a point, `[n_elements]`.
  const std::vector<double> &get(const unsigned int point, const unsigned int component)
  {
    if (converted_.empty() || point != point_)
      convert(point);
    return converted_[component];
  }

private:
  void convert(const unsigned int point)
  {
    const Law &law = own_.law();
    std::vector<std::vector<double>> given;
    Array<double> work(memory_, own_.is_stored() ? 0 : n_);
    for (unsigned int k = 0; k < law.n_components; ++k)
      given.push_back(own_.component(point, k, work).to_host());
    converted_.assign(law.known().n_components, std::vector<double>(n_));
    double numbers[Law::most_components];
    for (std::size_t e = 0; e < n_; ++e)
      {
        for (std::size_t k = 0; k < given.size(); ++k)
          numbers[k] = given[k][e];
        law.to_known(material_, numbers);
        for (std::size_t k = 0; k < converted_.size(); ++k)
          converted_[k][e] = numbers[k];
      }
    point_ = point;
  }

  const Stiffness own_;
  const Material material_;
  Memory &memory_;
  const std::size_t n_;
  unsigned int point_ = 0;
  std::vector<std::vector<double>> converted_; ///< `[n_components][n_elements]`
};
} // namespace

Stiffness::Stiffness(const StiffnessLayout &layout,
                     const std::vector<const Array<double> *> &arrays)
  : layout_(layout), arrays_(arrays)
{}

Stiffness::Stiffness(const Array<double> &factors) : arrays_{&factors}
{}

Stiffness Stiffness::of_lame(const Array<double> &lambda, const Array<double> &mu)
{
  return Stiffness({Law::lame}, {&lambda, &mu});
}

Stiffness Stiffness::of_solids(const AnisotropicSolids &solids)
{
  static std::atomic<std::size_t> n_calls{0};
  Stiffness stiffness({Law::table}, {});
  stiffness.solids_           = &solids;
  stiffness.number_of_solids_ = ++n_calls;
  return stiffness;
}

Stiffness Stiffness::of_arrays(const Law &law, const std::vector<Array<double>> &arrays)
{
  Stiffness stiffness({law}, {});
  for (const Array<double> &array : arrays)
    stiffness.arrays_.push_back(&array);
  return stiffness;
}

Stiffness Stiffness::of_fields(const StiffnessLayout &layout, const Fields &fields)
{
  Stiffness stiffness(layout, {});
  stiffness.fields_ = fields;
  return stiffness;
}

Stiffness
Stiffness::known(const Material &material, Memory &memory, const std::size_t n_elements) const
{
  if (law().by == nullptr)
    return *this;
  const auto numbers = std::make_shared<ConvertedNumbers>(*this, material, memory, n_elements);
  return of_fields({law().known(), layout_.n_points},
                   [numbers](unsigned int point, unsigned int component, Array<double> &values) {
                     values.copy_from_host(numbers->get(point, component));
                   });
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
    return *arrays_.at(component);
  fields_(point, component, work);
  return work;
}
} // namespace strut

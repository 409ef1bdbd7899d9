// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/lac/affine_constraints.h>

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "plugin/application/device_vector_contents.h"

namespace strut
{
template <typename Number>
DeviceVector<Number>::DeviceVector() = default;
template <typename Number>
DeviceVector<Number>::~DeviceVector() = default;
template <typename Number>
DeviceVector<Number>::DeviceVector(DeviceVector &&other) noexcept
  : contents_(std::move(other.contents_))
{}

template <typename Number>
DeviceVector<Number>::DeviceVector(std::unique_ptr<Contents> contents)
  : contents_(std::move(contents))
{}

template <typename Number>
DeviceVector<Number>::DeviceVector(const DeviceVector &other) : compat::Subscriptor()
{
  *this = other;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator=(DeviceVector &&other) noexcept
{
  contents_ = std::move(other.contents_);
  return *this;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator=(const DeviceVector &other)
{
  if (this == &other)
    return *this;
  if (other.contents_ == nullptr)
    contents_.reset();
  else
    {
      if (contents_ == nullptr || !contents_->is_like(*other.contents_))
        reinit(other);
      contents_->values.copy_from(other.contents_->values);
    }
  return *this;
}

template <typename Number>
void DeviceVector<Number>::reinit(const DeviceVector &other, bool)
{
  if (other.contents_ == nullptr)
    contents_.reset();
  else if (contents_ != nullptr && contents_->is_like(*other.contents_))
    contents_->values.set_zero();
  else
    {
      contents_.reset(); // frees the old memory first
      contents_ = std::make_unique<Contents>(other.contents_->empty());
    }
}

template <typename Number>
void DeviceVector<Number>::reinit(const size_type n)
{
  if (n != size())
    throw Error(
      "A DeviceVector of " + std::to_string(size()) + " entries shall have " + std::to_string(n) +
      ", and a number does not tell where they are.\n  Make it with initialize_dof_vector() "
      "of a StiffnessOperator, or with reinit() of another one.");
  reinit(*this);
}

template <typename Number>
auto DeviceVector<Number>::contents() const -> Contents &
{
  if (contents_ == nullptr)
    throw Error("A DeviceVector has no entries yet.\n  Make it with initialize_dof_vector() of a "
                "StiffnessOperator, or with reinit().");
  return *contents_;
}

template <typename Number>
auto DeviceVector<Number>::contents_like(const DeviceVector &other) const -> Contents &
{
  if (!contents().is_like(other.contents()))
    throw Error("Two DeviceVectors do not go together: one has " + std::to_string(size()) +
                " entries, the other " + std::to_string(other.size()) +
                ", or they are of different operators.\n  Make both for one StiffnessOperator.");
  return other.contents();
}

template <typename Number>
void DeviceVector<Number>::require_entries(const std::size_t n) const
{
  if (n != locally_owned_size())
    throw Error("A vector of the host has " + std::to_string(n) +
                " entries on this rank, and the DeviceVector " +
                std::to_string(locally_owned_size()) +
                ".\n  Make both with initialize_dof_vector().");
}

template <typename Number>
auto DeviceVector<Number>::size() const -> size_type
{
  return contents_ == nullptr ? 0 : contents_->n;
}

template <typename Number>
std::size_t DeviceVector<Number>::locally_owned_size() const
{
  return contents_ == nullptr ? 0 : contents_->values.size();
}

template <typename Number>
std::size_t DeviceVector<Number>::memory_consumption() const
{
  return sizeof(*this) + locally_owned_size() * sizeof(Number);
}

template <typename Number>
Number *DeviceVector<Number>::data()
{
  return contents_ == nullptr ? nullptr : contents_->values.data();
}

template <typename Number>
const Number *DeviceVector<Number>::data() const
{
  return contents_ == nullptr ? nullptr : contents_->values.data();
}

template <typename Number>
void *DeviceVector<Number>::stream() const
{
  return contents().backend->stream();
}

template <typename Number>
void DeviceVector<Number>::copy_from_host(const Number *const values)
{
  Contents &own = contents();
  if (!own.values.empty())
    own.backend->memory().copy_from_host(own.values.data(),
                                         values,
                                         own.values.size() * sizeof(Number));
}

template <typename Number>
void DeviceVector<Number>::copy_to_host(Number *const values) const
{
  const Contents &own = contents();
  if (!own.values.empty())
    own.backend->memory().copy_to_host(values,
                                       own.values.data(),
                                       own.values.size() * sizeof(Number));
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator=(const Number value)
{
  contents().operations().fill(locally_owned_size(), value, contents().values);
  return *this;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator+=(const DeviceVector &v)
{
  add(Number(1), v);
  return *this;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator-=(const DeviceVector &v)
{
  add(Number(-1), v);
  return *this;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator*=(const Number factor)
{
  Array<Number> &own = contents().values;
  contents().operations().axpby(own.size(), factor, own, Number(0), own);
  return *this;
}

template <typename Number>
DeviceVector<Number> &DeviceVector<Number>::operator/=(const Number divisor)
{
  return *this *= Number(1) / divisor;
}

template <typename Number>
void DeviceVector<Number>::add(const Number a, const DeviceVector &v)
{
  const Array<Number> &other = contents_like(v).values;
  contents().operations().axpy(other.size(), a, other, contents().values);
}

template <typename Number>
void DeviceVector<Number>::add(const Number a,
                               const DeviceVector &v,
                               const Number b,
                               const DeviceVector &w)
{
  add(a, v);
  add(b, w);
}

template <typename Number>
void DeviceVector<Number>::sadd(const Number s, const Number a, const DeviceVector &v)
{
  const Array<Number> &other = contents_like(v).values;
  contents().operations().axpby(other.size(), a, other, s, contents().values);
}

template <typename Number>
void DeviceVector<Number>::equ(const Number a, const DeviceVector &v)
{
  sadd(Number(0), a, v);
}

template <typename Number>
void DeviceVector<Number>::scale(const DeviceVector &factors)
{
  Array<Number> &own = contents().values;
  contents().operations().multiply(own.size(), own, contents_like(factors).values, own);
}

template <typename Number>
double DeviceVector<Number>::dot(const DeviceVector &v) const
{
  const Contents &own = contents(), &other = contents_like(v);
  return own.communicator.sum(own.operations().dot(own.values.size(), own.values, other.values));
}

template <typename Number>
Number DeviceVector<Number>::operator*(const DeviceVector &v) const
{
  return static_cast<Number>(dot(v));
}

template <typename Number>
Number DeviceVector<Number>::norm_sqr() const
{
  return static_cast<Number>(dot(*this));
}

template <typename Number>
Number DeviceVector<Number>::l2_norm() const
{
  return static_cast<Number>(std::sqrt(dot(*this)));
}

template <typename Number>
Number
DeviceVector<Number>::add_and_dot(const Number a, const DeviceVector &v, const DeviceVector &w)
{
  add(a, v);
  return *this * w;
}

template <typename Number>
bool DeviceVector<Number>::has_finite_norm() const
{
  const Contents &own = contents();
  return std::isfinite(own.operations().dot(own.values.size(), own.values, own.values));
}

template <typename Number>
const dealii::IndexSet &DeviceVector<Number>::locally_owned_elements() const
{
  static const dealii::IndexSet none;
  return contents_ == nullptr ? none : *contents_->owned;
}

template <typename Number>
std::size_t DeviceVector<Number>::place_of(const size_type i) const
{
  const dealii::IndexSet &owned = *contents().owned;
  if (i >= owned.size() || !owned.is_element(i))
    throw Error(
      "Entry " + std::to_string(i) +
      " of a DeviceVector: another rank owns it, or there is none.\n  Ask for owned ones.");
  return static_cast<std::size_t>(owned.index_within_set(i));
}

template <typename Number>
Number DeviceVector<Number>::operator()(const size_type i) const
{
  return entry(place_of(i));
}

template <typename Number>
Number DeviceVector<Number>::entry(const std::size_t place) const
{
  Number value;
  contents().backend->memory().copy_to_host(&value, data() + place, sizeof(Number));
  return value;
}

template <typename Number>
void DeviceVector<Number>::set_entry(const std::size_t place, const Number value)
{
  contents().backend->memory().copy_from_host(data() + place, &value, sizeof(Number));
}

template <typename Number>
bool DeviceVector<Number>::all_zero() const
{
  return dot(*this) == 0.;
}

template <typename Number>
void DeviceVector<Number>::swap(DeviceVector &other) noexcept
{
  contents_.swap(other.contents_);
}

namespace
{
template <typename Number>
void set_zero(const std::vector<dealii::types::global_dof_index> &dofs,
              DeviceVector<Number> &vector)
{
  const dealii::IndexSet &owned = vector.locally_owned_elements();
  std::vector<Number> values;
  for (const auto dof : dofs)
    if (dof < owned.size() && owned.is_element(dof))
      {
        if (values.empty())
          {
            values.resize(vector.locally_owned_size());
            vector.copy_to_host(values.data());
          }
        values[owned.index_within_set(dof)] = Number(0);
      }
  if (!values.empty())
    vector.copy_from_host(values.data());
}
} // namespace

template class DeviceVector<double>;
template class DeviceVector<float>;
} // namespace strut

// AffineConstraints::set_zero() calls these, and so does PreconditionChebyshev. deal.II defines
// them for its own vectors only.
DEAL_II_NAMESPACE_OPEN
namespace internal::AffineConstraintsImplementation
{
template <>
void set_zero_all(const std::vector<types::global_dof_index> &dofs,
                  strut::DeviceVector<double> &vector)
{
  strut::set_zero(dofs, vector);
}
template <>
void set_zero_all(const std::vector<types::global_dof_index> &dofs,
                  strut::DeviceVector<float> &vector)
{
  strut::set_zero(dofs, vector);
}
} // namespace internal::AffineConstraintsImplementation
DEAL_II_NAMESPACE_CLOSE

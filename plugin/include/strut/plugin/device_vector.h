// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

#include <deal.II/lac/vector_memory.templates.h> // solvers take their vectors from GrowingVectorMemory

#include <strut/plugin/compat.h>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace strut::plugin
{
template <typename Number>
class StiffnessOperator;

namespace internal
{
/// Whether a vector has ghosts that keep values, as those of LinearAlgebra::distributed.
template <class Vector, typename = void>
constexpr bool has_ghost_values = false;
template <class Vector>
constexpr bool
  has_ghost_values<Vector,
                   std::void_t<decltype(std::declval<Vector &>().zero_out_ghost_values())>> = true;
} // namespace internal

/// A vector in the memory where a StiffnessOperator computes: of the GPU, or of the host with the CPU backend. Products,
/// preconditioner and solve() take it without a copy between host and device, and so do deal.II's iterative solvers,
/// `SolverCG<DeviceVector<double>>`, as its sums and updates are made there too.
///
/// StiffnessOperator::initialize_dof_vector() makes it: the owned DoFs of this rank, ascending by global index, as
/// LinearAlgebra::distributed::Vector has them; there are no ghosts. Norms and products are sums over all ranks, and
/// collective. They stay valid after the operator's end. Solvers of deal.II keep
/// vectors in a pool (GrowingVectorMemory), which the end of an operator empties.
///
/// All work is submitted to one stream in order; copies to the host and sums wait for it. An own kernel on data() goes to
/// stream(), or waits for it by an event; StiffnessOptions::stream makes it one of the application.
template <typename Number>
class DeviceVector : public compat::Subscriptor
{
  static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, float>,
                "DeviceVector<Number> takes double and float.");

public:
  using value_type = Number;
  using size_type  = dealii::types::global_dof_index;
  using real_type  = Number;

  /// Without entries.
  DeviceVector();
  ~DeviceVector();
  DeviceVector(const DeviceVector &other);
  DeviceVector(DeviceVector &&other) noexcept;
  DeviceVector &operator=(const DeviceVector &other); ///< also another size
  DeviceVector &operator=(DeviceVector &&other) noexcept;

  /// The size and the place of another one; zero. (deal.II's solvers may leave out the zeros: they are set all the same.)
  void reinit(const DeviceVector &other, bool omit_zeroing_entries = false);
  /// Zero. @throws Error for another size than it has: only an operator knows where entries belong
  void reinit(size_type n);

  size_type size() const;                 ///< entries of all ranks
  std::size_t locally_owned_size() const; ///< entries of this rank
  std::size_t memory_consumption() const; ///< bytes of this rank, there
  const dealii::IndexSet &locally_owned_elements() const;

  /// `[locally_owned_size()]`; a device pointer where the operator computes on a GPU.
  Number *data();
  const Number *data() const;

  /// The cudaStream_t of all work, null with the CPU backend.
  void *stream() const;

  /// One owned entry, by its global index. Reading and writing wait for the device: for few entries, as those that
  /// PreconditionChebyshev sets.
  class Entry;
  Entry operator()(size_type i);
  Number operator()(size_type i) const;

  /// From and to the owned entries of a vector of the host, in this order.
  void copy_from_host(const Number *values);
  void copy_to_host(Number *values) const;

  /// The same of vectors with begin() to their owned entries: dealii::Vector, LinearAlgebra::distributed::Vector, whose
  /// ghosts become zero, Trilinos' without ghosts.
  template <class Vector>
  void import_from(const Vector &vector)
  {
    require_entries(static_cast<std::size_t>(vector.locally_owned_size()));
    copy_from_host(locally_owned_size() == 0 ? nullptr : &*vector.begin());
  }
  template <class Vector>
  void export_to(Vector &vector) const
  {
    require_entries(static_cast<std::size_t>(vector.locally_owned_size()));
    copy_to_host(locally_owned_size() == 0 ? nullptr : &*vector.begin());
    if constexpr (internal::has_ghost_values<Vector>)
      vector.zero_out_ghost_values(); // those of before
  }

  // The vector concept of deal.II's solvers.

  DeviceVector &operator=(Number value); ///< all entries
  DeviceVector &operator+=(const DeviceVector &v);
  DeviceVector &operator-=(const DeviceVector &v);
  DeviceVector &operator*=(Number factor);
  DeviceVector &operator/=(Number divisor);
  void add(Number a, const DeviceVector &v);
  void add(Number a, const DeviceVector &v, Number b, const DeviceVector &w);
  void sadd(Number s, Number a, const DeviceVector &v); ///< this = s this + a v
  void equ(Number a, const DeviceVector &v);            ///< this = a v
  void scale(const DeviceVector &factors);              ///< entry by entry
  Number operator*(const DeviceVector &v) const;
  Number norm_sqr() const;
  Number l2_norm() const;
  /// this += a v, and the product of that with w
  Number add_and_dot(Number a, const DeviceVector &v, const DeviceVector &w);
  bool all_zero() const;
  void swap(DeviceVector &other) noexcept;

private:
  friend class StiffnessOperator<Number>;
  template <typename>
  friend class VectorExchange;
  struct Contents;

  explicit DeviceVector(std::unique_ptr<Contents> contents);
  void require_entries(std::size_t n) const;
  Contents &contents() const; ///< throws Error if there are none
  /// Those of the other; throws Error if they are of another kind.
  Contents &contents_like(const DeviceVector &other) const;
  double dot(const DeviceVector &v) const;
  bool has_finite_norm() const;            ///< of the entries of this rank
  std::size_t place_of(size_type i) const; ///< throws Error unless this rank owns it
  Number entry(std::size_t place) const;
  void set_entry(std::size_t place, Number value);

  std::unique_ptr<Contents> contents_;
};

template <typename Number>
class DeviceVector<Number>::Entry
{
public:
  operator Number() const
  {
    return vector_.entry(place_);
  }
  Entry &operator=(const Number value)
  {
    vector_.set_entry(place_, value);
    return *this;
  }
  Entry(const Entry &) = default;
  Entry &operator=(const Entry &other)
  {
    return *this = Number(other);
  }

private:
  friend class DeviceVector;
  Entry(DeviceVector &vector, const std::size_t place) : vector_(vector), place_(place)
  {}

  DeviceVector &vector_;
  const std::size_t place_;
};

template <typename Number>
auto DeviceVector<Number>::operator()(const size_type i) -> Entry
{
  return Entry(*this, place_of(i));
}

/// The owned entries of a vector that StiffnessOperator takes, ascending by global index: on the host, or where it computes.
template <typename Number>
struct OwnedEntries
{
  Number *on_host             = nullptr;
  DeviceVector<Number> *there = nullptr; ///< null: on the host

  bool operator==(const OwnedEntries &other) const
  {
    return on_host == other.on_host && there == other.there;
  }
};

template <typename Number>
void swap(DeviceVector<Number> &one, DeviceVector<Number> &other) noexcept
{
  one.swap(other);
}
} // namespace strut::plugin

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

// solvers take their vectors from GrowingVectorMemory
#include <deal.II/lac/vector_memory.templates.h>

#include <strut/compat.h>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace strut
{
template <typename Number>
class StiffnessOperator;

namespace internal
{
/// Whether a vector keeps values of ghost entries, as vectors of LinearAlgebra::distributed do.
template <class Vector, typename = void>
constexpr bool has_ghost_values = false;
template <class Vector>
constexpr bool
  has_ghost_values<Vector,
                   std::void_t<decltype(std::declval<Vector &>().zero_out_ghost_values())>> = true;
} // namespace internal

/// A vector in the memory where a StiffnessOperator computes: a GPU's, or the host's with the CPU
/// backend. Products, preconditioner and solve() use it without copies between host and device. So
/// do deal.II's iterative solvers, such as `SolverCG<DeviceVector<double>>`, because sums and
/// updates run there too.
///
/// StiffnessOperator::initialize_dof_vector() makes such vectors. They hold the owned DoFs of this
/// rank, ascending by global index, as LinearAlgebra::distributed::Vector does; there are no
/// ghosts. Norms and products are sums over all ranks, and collective. Vectors stay valid after the
/// operator's end. Solvers of deal.II keep vectors in a pool (GrowingVectorMemory), which the end
/// of an operator empties.
///
/// All work is submitted to one stream in order; copies to the host and sums wait for it. A kernel
/// of the application that uses data() runs on stream(), or waits for it by an event.
/// StiffnessOptions::stream makes it a stream of the application.
template <typename Number>
class DeviceVector : public compat::Subscriptor
{
  static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, float>,
                "DeviceVector<Number> takes double and float.");

public:
  using value_type = Number;
  using size_type  = dealii::types::global_dof_index;
  using real_type  = Number;

  /// Makes a vector without entries.
  DeviceVector();
  ~DeviceVector();
  DeviceVector(const DeviceVector &other);
  DeviceVector(DeviceVector &&other) noexcept;
  DeviceVector &operator=(const DeviceVector &other); ///< the size may change
  DeviceVector &operator=(DeviceVector &&other) noexcept;

  /// Takes size and place of another vector, with zeros. They are set even if
  /// `omit_zeroing_entries` allows to leave them out.
  void reinit(const DeviceVector &other, bool omit_zeroing_entries = false);
  /// Sets all entries to zero.
  /// @throws Error unless n is the present size: only an operator knows which rank owns which
  /// entries
  void reinit(size_type n);

  size_type size() const;                 ///< entries of all ranks
  std::size_t locally_owned_size() const; ///< entries of this rank
  /// Bytes of this rank in the memory of the backend.
  std::size_t memory_consumption() const;
  const dealii::IndexSet &locally_owned_elements() const;

  /// Owned entries, `[locally_owned_size()]`; a device pointer where the operator computes on a
  /// GPU.
  Number *data();
  const Number *data() const;

  /// The cudaStream_t that all work is submitted to; null with the CPU backend.
  void *stream() const;

  /// Reference to one owned entry, by its global index. Each access waits for the device, so it is
  /// for few entries only, as PreconditionChebyshev needs.
  class Entry;
  Entry operator()(size_type i);
  Number operator()(size_type i) const;

  /// Copies all owned entries from or to an array of the host, ascending by global index.
  void copy_from_host(const Number *values);
  void copy_to_host(Number *values) const;

  /// Copies from or to vectors whose begin() points to their owned entries: dealii::Vector,
  /// Trilinos vectors without ghosts, and LinearAlgebra::distributed::Vector, whose ghosts become
  /// zero.
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
    // The ghosts still have their old values.
    if constexpr (internal::has_ghost_values<Vector>)
      vector.zero_out_ghost_values();
  }

  // The vector concept of deal.II's solvers.

  DeviceVector &operator=(Number value); ///< sets all entries
  DeviceVector &operator+=(const DeviceVector &v);
  DeviceVector &operator-=(const DeviceVector &v);
  DeviceVector &operator*=(Number factor);
  DeviceVector &operator/=(Number divisor);
  void add(Number a, const DeviceVector &v);
  void add(Number a, const DeviceVector &v, Number b, const DeviceVector &w);
  void sadd(Number s, Number a, const DeviceVector &v); ///< sets the vector to s this + a v
  void equ(Number a, const DeviceVector &v);            ///< sets the vector to a v
  void scale(const DeviceVector &factors);              ///< entry by entry
  Number operator*(const DeviceVector &v) const;
  Number norm_sqr() const;
  Number l2_norm() const;
  /// Computes this += a v. @return the product of the new vector with w
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
  /// Contents of the other vector. Throws Error if it is on another backend or has another size.
  Contents &contents_like(const DeviceVector &other) const;
  double dot(const DeviceVector &v) const;
  bool has_finite_norm() const; ///< Looks at this rank's entries only.
  /// Place of a global index among the owned entries. Throws Error unless this rank owns it.
  std::size_t place_of(size_type i) const;
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

/// The owned entries of a vector that a StiffnessOperator takes, ascending by global index. They
/// are on the host or in the memory where the operator computes.
template <typename Number>
struct OwnedEntries
{
  Number *on_host             = nullptr;
  DeviceVector<Number> *there = nullptr; ///< null if the vector is on the host

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
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/krylov_updates.h"

#include <cstddef>

// The operations of KrylovUpdates on neighbouring entries; krylov_updates.cu applies them along the
// vectors.
//
// Members of an operation:
//
// - begin() reads its scalars from the sums.
// - load_entries() reads W entries from i on.
// - apply() computes, stores, and adds to its sums a and b.
// - finish() writes the sums to their places.
//
// Bytes per entry, x, r and q of size s, z and p of size l:
//
//     curvature s + l, reduce_residual 3s + 4, advance 3s + 2l + 4;
//     step 5s + l, product s + l, next_direction 3l
//
// Flops per entry: 2, 7, 5; 6, 2, 2.
namespace strut::cuda
{
/// W neighbouring numbers.
template <typename T, int W>
struct alignas(W * sizeof(T)) Pack
{
  T v[W];
};

template <int W, typename T>
__device__ Pack<T, W> load(const T *const x, const std::size_t i)
{
  return *reinterpret_cast<const Pack<T, W> *>(x + i);
}

template <int W, typename T>
__device__ void store(T *const x, const std::size_t i, const Pack<T, W> &values)
{
  *reinterpret_cast<Pack<T, W> *>(x + i) = values;
}

/// The type of a number as long as a pack.
template <int bytes>
struct Word;
template <>
struct Word<4>
{
  using Type = unsigned int;
};
template <>
struct Word<8>
{
  using Type = uint2;
};
template <>
struct Word<16>
{
  using Type = uint4;
};

/// Loads entries that are used again only after more data than L2 holds. They are the first to
/// leave it; store_once() does the same for stores.
template <int W, typename T>
__device__ Pack<T, W> load_once(const T *const x, const std::size_t i)
{
  using Bits = typename Word<sizeof(Pack<T, W>)>::Type;
  union
  {
    Bits bits;
    Pack<T, W> values;
  } both;
  both.bits = __ldcs(reinterpret_cast<const Bits *>(x + i));
  return both.values;
}

template <int W, typename T>
__device__ void store_once(T *const x, const std::size_t i, const Pack<T, W> &values)
{
  using Bits = typename Word<sizeof(Pack<T, W>)>::Type;
  union
  {
    Pack<T, W> values;
    Bits bits;
  } both{values};
  __stcs(reinterpret_cast<Bits *>(x + i), both.bits);
}

template <typename X, typename Y>
__device__ double product(const X x, const Y y)
{
  return static_cast<double>(x) * static_cast<double>(y);
}

/// An operation that reads no sums.
struct WithoutScalars
{
  __device__ void begin(const KrylovSums &)
  {}
};

template <typename Number, typename Low>
struct Scale : WithoutScalars
{
  static constexpr int n_sums = 0;
  const float *d;
  const Number *x;
  Low *y;

  template <int W>
  struct Entries
  {
    Pack<float, W> d;
    Pack<Number, W> x;
  };
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(d, i), load<W>(x, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, double &, double &) const
  {
    Pack<Low, W> values;
    for (int k = 0; k < W; ++k)
      values.v[k] = Low(Number(e.d.v[k]) * e.x.v[k]);
    store(y, i, values);
  }
};

/// Computes r.r and, with a diagonal, sum d r^2.
template <typename Number, bool with_diagonal>
struct Norms : WithoutScalars
{
  static constexpr int n_sums = with_diagonal ? 2 : 1;
  const float *d;
  const Number *r;

  template <int W>
  struct Entries
  {
    Pack<float, W> d;
    Pack<Number, W> r;
  };
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    if constexpr (with_diagonal)
      return {load<W>(d, i), load<W>(r, i)};
    else
      return {{}, load<W>(r, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, double &rr, double &rz) const
  {
    for (int k = 0; k < W; ++k)
      {
        rr += product(e.r.v[k], e.r.v[k]);
        if constexpr (with_diagonal)
          rz += product(e.r.v[k], Number(e.d.v[k]) * e.r.v[k]);
      }
  }
  __device__ static void finish(KrylovSums &sums, const double rr, const double rz)
  {
    sums.rr = rr;
    if constexpr (with_diagonal)
      sums.rz_next = rz;
  }
};

template <typename Number, typename Low>
struct Curvature : WithoutScalars
{
  static constexpr int n_sums = 1;
  const Low *p;
  const Number *q;

  template <int W>
  struct Entries
  {
    Pack<Low, W> p;
    Pack<Number, W> q;
  };
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load_once<W>(p, i), load<W>(q, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, double &pq, double &) const
  {
    for (int k = 0; k < W; ++k)
      pq += product(e.p.v[k], e.q.v[k]);
  }
  __device__ static void finish(KrylovSums &sums, const double pq, double)
  {
    sums.rz = sums.rz_next;
    sums.pq = pq;
  }
};

template <typename Number>
struct ReduceResidual
{
  static constexpr int n_sums = 2;
  const Number *q;
  const float *d;
  Number *r;
  Number alpha;

  template <int W>
  struct Entries
  {
    Pack<Number, W> q, r;
    Pack<float, W> d;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    alpha = Number(sums.alpha());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load_once<W>(q, i), load<W>(r, i), load<W>(d, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, double &rr, double &rz) const
  {
    for (int k = 0; k < W; ++k)
      {
        e.r.v[k] -= alpha * e.q.v[k];
        rr += product(e.r.v[k], e.r.v[k]);
        rz += product(e.r.v[k], Number(e.d.v[k]) * e.r.v[k]);
      }
    store(r, i, e.r);
  }
  __device__ static void finish(KrylovSums &sums, const double rr, const double rz)
  {
    sums.rr      = rr;
    sums.rz_next = rz;
  }
};

template <typename Number, typename Low>
struct Advance
{
  static constexpr int n_sums = 0;
  const float *d;
  const Number *r;
  Low *p;
  Number *x;
  Number alpha, beta;

  template <int W>
  struct Entries
  {
    Pack<Number, W> r;
    Pack<Low, W> p;
    Pack<Number, W> x;
    Pack<float, W> d;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    alpha = Number(sums.alpha());
    beta  = Number(sums.beta());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load_once<W>(r, i), load_once<W>(p, i), load_once<W>(x, i), load_once<W>(d, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, double &, double &) const
  {
    for (int k = 0; k < W; ++k)
      {
        e.x.v[k] += alpha * Number(e.p.v[k]);
        e.p.v[k] = Low(Number(e.d.v[k]) * e.r.v[k] + beta * Number(e.p.v[k]));
      }
    store_once(x, i, e.x);
    store(p, i, e.p);
  }
};

template <typename Number, typename Low>
struct Step
{
  static constexpr int n_sums = 1;
  const Low *p;
  const Number *q;
  Number *x, *r;
  Number alpha;

  template <int W>
  struct Entries
  {
    Pack<Low, W> p;
    Pack<Number, W> q, x, r;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    alpha = Number(sums.alpha());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(p, i), load<W>(q, i), load<W>(x, i), load<W>(r, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, double &rr, double &) const
  {
    for (int k = 0; k < W; ++k)
      {
        e.x.v[k] += alpha * Number(e.p.v[k]);
        e.r.v[k] -= alpha * e.q.v[k];
        rr += product(e.r.v[k], e.r.v[k]);
      }
    store(x, i, e.x);
    store(r, i, e.r);
  }
  __device__ static void finish(KrylovSums &sums, const double rr, double)
  {
    sums.rr = rr;
  }
};

template <typename Number, typename Low>
struct ScalarProduct : WithoutScalars
{
  static constexpr int n_sums = 1;
  const Number *r;
  const Low *z;

  template <int W>
  struct Entries
  {
    Pack<Number, W> r;
    Pack<Low, W> z;
  };
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(r, i), load<W>(z, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, double &rz, double &) const
  {
    for (int k = 0; k < W; ++k)
      rz += product(e.r.v[k], e.z.v[k]);
  }
  __device__ static void finish(KrylovSums &sums, const double rz, double)
  {
    sums.rz_next = rz;
  }
};

template <typename Number, typename Low>
struct NextDirection
{
  static constexpr int n_sums = 0;
  const Low *z;
  Low *p;
  Number beta;

  template <int W>
  struct Entries
  {
    Pack<Low, W> z, p;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    beta = Number(sums.beta());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(z, i), load<W>(p, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, double &, double &) const
  {
    for (int k = 0; k < W; ++k)
      e.p.v[k] = Low(Number(e.z.v[k]) + beta * Number(e.p.v[k]));
    store(p, i, e.p);
  }
};
} // namespace strut::cuda

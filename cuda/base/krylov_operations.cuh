// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/krylov_updates.h>

#include <cstddef>

// What the operations of KrylovUpdates do with neighbouring entries; krylov_updates.cu walks them
// along the vectors.
//
// An operation: begin() takes what it needs from the sums; load_entries() reads W entries from i on;
// apply() works on them, stores, and adds to its sums; finish() puts those where they belong.
//
// Bytes per entry of size s: curvature 2s, with a diagonal 3s + 4, advance 7s + 4; step 6s, products
// 3s, next_direction 3s. Flops: 2, 7, 11; 6, 4, 2.
namespace strut::cuda
{
/// What a thread, a block or all of them have summed; an operation uses the first n_sums.
using Sums = double[3];

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

/// The number that is as long as a pack.
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

/// load() and store() of what comes up again only after more than L2 holds: the first to leave it.
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

template <typename Number>
__device__ double product(const Number x, const Number y)
{
  return static_cast<double>(x) * static_cast<double>(y);
}

template <typename N>
struct Scale
{
  using Number                = N;
  static constexpr int n_sums = 0;
  const float *d;
  const Number *x;
  Number *y;

  template <int W>
  struct Entries
  {
    Pack<float, W> d;
    Pack<Number, W> x;
  };
  __device__ void begin(const KrylovSums &)
  {}
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(d, i), load<W>(x, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, Sums &) const
  {
    for (int k = 0; k < W; ++k)
      e.x.v[k] *= Number(e.d.v[k]);
    store(y, i, e.x);
  }
};

/// r.r and, with a diagonal, sum d r^2.
template <typename N, bool with_diagonal>
struct Norms
{
  using Number                = N;
  static constexpr int n_sums = with_diagonal ? 2 : 1;
  const float *d;
  const Number *r;

  template <int W>
  struct Entries
  {
    Pack<float, W> d;
    Pack<Number, W> r;
  };
  __device__ void begin(const KrylovSums &)
  {}
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    if constexpr (with_diagonal)
      return {load<W>(d, i), load<W>(r, i)};
    else
      return {{}, load<W>(r, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      {
        sums[0] += product(e.r.v[k], e.r.v[k]);
        if constexpr (with_diagonal)
          sums[1] += product(e.r.v[k], Number(e.d.v[k]) * e.r.v[k]);
      }
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rr = sums[0];
    if constexpr (with_diagonal)
      all.rz_next = sums[1];
  }
};

template <typename N>
struct Curvature
{
  using Number                = N;
  static constexpr int n_sums = 1;
  const Number *p;
  const Number *q;

  template <int W>
  struct Entries
  {
    Pack<Number, W> p, q;
  };
  __device__ void begin(const KrylovSums &)
  {}
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(p, i), load<W>(q, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      sums[0] += product(e.p.v[k], e.q.v[k]);
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rz = all.rz_next;
    all.pq = sums[0];
  }
};

/// p.q, and with M = diag(1 / d) r.M^-1 q and q.M^-1 q.
template <typename N>
struct DiagonalCurvature
{
  using Number                = N;
  static constexpr int n_sums = 3;
  const Number *p;
  const Number *q;
  const float *d;
  const Number *r;

  template <int W>
  struct Entries
  {
    Pack<Number, W> p, q, r;
    Pack<float, W> d;
  };
  __device__ void begin(const KrylovSums &)
  {}
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(p, i), load<W>(q, i), load<W>(r, i), load<W>(d, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      {
        const Number mq = Number(e.d.v[k]) * e.q.v[k];
        sums[0] += product(e.p.v[k], e.q.v[k]);
        sums[1] += product(e.r.v[k], mq);
        sums[2] += product(e.q.v[k], mq);
      }
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rz  = all.rz_next;
    all.pq  = sums[0];
    all.zq  = sums[1];
    all.qmq = sums[2];
  }
};

/// Nothing that this reads comes up again before the operator has passed; p does at once.
template <typename N>
struct Advance
{
  using Number                = N;
  static constexpr int n_sums = 2;
  const Number *q;
  const float *d;
  Number *r;
  Number *p;
  Number *x;
  Number alpha, beta;

  template <int W>
  struct Entries
  {
    Pack<Number, W> q, r, p, x;
    Pack<float, W> d;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    alpha = Number(sums.alpha());
    beta  = Number(sums.predicted_beta());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load_once<W>(q, i),
            load_once<W>(r, i),
            load_once<W>(p, i),
            load_once<W>(x, i),
            load_once<W>(d, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      {
        e.r.v[k] -= alpha * e.q.v[k];
        e.x.v[k] += alpha * e.p.v[k];
        const Number z = Number(e.d.v[k]) * e.r.v[k];
        e.p.v[k]       = z + beta * e.p.v[k];
        sums[0] += product(e.r.v[k], e.r.v[k]);
        sums[1] += product(e.r.v[k], z);
      }
    store_once(r, i, e.r);
    store_once(x, i, e.x);
    store(p, i, e.p);
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rr      = sums[0];
    all.rz_next = sums[1];
  }
};

template <typename N>
struct Step
{
  using Number                = N;
  static constexpr int n_sums = 1;
  const Number *p;
  const Number *q;
  Number *x;
  Number *r;
  Number alpha;

  template <int W>
  struct Entries
  {
    Pack<Number, W> p, q, x, r;
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
  __device__ void apply(const std::size_t i, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      {
        e.x.v[k] += alpha * e.p.v[k];
        e.r.v[k] -= alpha * e.q.v[k];
        sums[0] += product(e.r.v[k], e.r.v[k]);
      }
    store(x, i, e.x);
    store(r, i, e.r);
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rr = sums[0];
  }
};

template <typename N>
struct Products
{
  using Number                = N;
  static constexpr int n_sums = 2;
  const Number *r;
  const Number *z;
  const Number *q;

  template <int W>
  struct Entries
  {
    Pack<Number, W> r, z, q;
  };
  __device__ void begin(const KrylovSums &)
  {}
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(r, i), load<W>(z, i), load<W>(q, i)};
  }
  template <int W>
  __device__ void apply(std::size_t, Entries<W> &e, Sums &sums) const
  {
    for (int k = 0; k < W; ++k)
      {
        sums[0] += product(e.r.v[k], e.z.v[k]);
        sums[1] += product(e.z.v[k], e.q.v[k]);
      }
  }
  __device__ static void finish(KrylovSums &all, const Sums &sums)
  {
    all.rz_next = sums[0];
    all.zq      = sums[1];
  }
};

template <typename N>
struct NextDirection
{
  using Number                = N;
  static constexpr int n_sums = 0;
  const Number *z;
  Number *p;
  bool flexible;
  Number beta;

  template <int W>
  struct Entries
  {
    Pack<Number, W> z, p;
  };
  __device__ void begin(const KrylovSums &sums)
  {
    beta = Number(flexible ? sums.flexible_beta() : sums.beta());
  }
  template <int W>
  __device__ Entries<W> load_entries(const std::size_t i) const
  {
    return {load<W>(z, i), load<W>(p, i)};
  }
  template <int W>
  __device__ void apply(const std::size_t i, Entries<W> &e, Sums &) const
  {
    for (int k = 0; k < W; ++k)
      e.p.v[k] = e.z.v[k] + beta * e.p.v[k];
    store(p, i, e.p);
  }
};
} // namespace strut::cuda

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/nodal_block.h"

#include <strut/base/host_device.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strut
{
/// A symmetric positive definite 3x3 block D in 12 bytes, for products with its inverse:
///
///     D' = S^-1 C S^-1 >= D,   D'^-1 = S C^-1 S <= D^-1,   S = diag(s_0, s_1, s_2),   C_ii = 1
///
/// Layout: word k has s_k in its upper 19 bits, as an unsigned float with 11 bits of mantissa. Its
/// lower 13 bits have one of C_01, C_02, C_12, a multiple of 2^-12. So the block keeps all scales
/// of contrast and shape.
///
/// Rounding makes the block stiffer, never softer: a bound of the eigenvalues of D^-1 K is one of
/// D'^-1 K. Let `s_k^2 = (1 - 2^-11) / D_kk`, rounded down, and G = S D S. Then C - G has at least
/// 2^-11 on its diagonal. Off the diagonal it has the rounding of C, at most 2^-13, which is 2^-12
/// as a matrix. So `C - G >= 2^-12`: C is definite, by far more than the rounding of float. From
/// above, `D' <= (1 + 2^-9 / g) D` with the least eigenvalue g of G.
///
/// A rounded D^-1 would not be such a bound. Where D is nearly singular its inverse has small
/// eigenvalues, in stiff directions, and rounding would enlarge them or make them negative.
struct PackedBlock
{
  std::uint32_t entry[3];

  /// Packs the free part of a block: see NodalBlock::inverse_of_free_part().
  STRUT_HOST_DEVICE static PackedBlock of_free_part(const NodalBlock<float> &D,
                                                    const unsigned int constrained)
  {
    const NodalBlock<float> inverse = D.inverse_of_free_part(constrained);
    PackedBlock packed              = {};
    double s[3]                     = {};
    for (int i = 0; i < 3; ++i)
      {
        const int diagonal = NodalBlock<float>::index(i, i);
        if (!(inverse.entry[diagonal] > 0.f)) // constrained, or not positive definite
          continue;
        const auto scale =
          static_cast<float>(sqrt((1. - margin) / static_cast<double>(D.entry[diagonal])));
        std::memcpy(&packed.entry[i], &scale, sizeof(scale));
        packed.entry[i] = (packed.entry[i] & mask_of_scale >> 1) << 1;
        s[i]            = static_cast<double>(packed.scale(i));
      }
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j, ++k)
        {
          const double g =
            s[i] * s[j] * static_cast<double>(D.entry[NodalBlock<float>::index(i, j)]);
          packed.entry[k] |=
            static_cast<std::uint32_t>(static_cast<std::int32_t>(floor(g / unit + 0.5))) &
            ~mask_of_scale;
        }
    return packed;
  }

  /// Computes y = D'^-1 x, by Cholesky's L d L^T of C.
  STRUT_HOST_DEVICE void multiply(const float (&x)[3], float (&y)[3]) const
  {
    const float s[3] = {scale(0), scale(1), scale(2)};
    const float l10 = coupling(0), l20 = coupling(1);
    const float m21        = coupling(2) - l10 * l20;
    const float inverse_d1 = 1.f / ((1.f - l10) * (1.f + l10));
    const float l21        = m21 * inverse_d1;
    const float inverse_d2 = 1.f / ((1.f - l20) * (1.f + l20) - l21 * m21);
    y[0]                   = s[0] * x[0];
    y[1]                   = s[1] * x[1] - l10 * y[0];
    y[2]                   = (s[2] * x[2] - l20 * y[0] - l21 * y[1]) * inverse_d2;
    y[1]                   = y[1] * inverse_d1 - l21 * y[2];
    y[0]                   = s[0] * (y[0] - l10 * y[1] - l20 * y[2]);
    y[1] *= s[1];
    y[2] *= s[2];
  }

private:
  static constexpr std::uint32_t mask_of_scale = 0xffffe000u;
  static constexpr double margin               = 0x1p-11; ///< excess of C over G on the diagonal
  static constexpr double unit                 = 0x1p-12; ///< step of the entries of C

  /// Returns s_k.
  STRUT_HOST_DEVICE float scale(const int k) const
  {
    const std::uint32_t bits = (entry[k] & mask_of_scale) >> 1;
    float value;
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
  }

  /// Returns C_01, C_02 or C_12, stored as the upper bits of a signed integer.
  STRUT_HOST_DEVICE float coupling(const int k) const
  {
    return static_cast<float>(static_cast<std::int32_t>(entry[k] << 19)) * 0x1p-31f;
  }
};

/// The inverse of a block of one component in 4 bytes: the bits of a float that is not above it.
struct PackedNumber
{
  std::uint32_t entry[1];

  /// Packs a block: see NodalBlock::inverse_of_free_part().
  STRUT_HOST_DEVICE static PackedNumber of_free_part(const NodalBlock<float, 1> &D,
                                                     const unsigned int constrained)
  {
    constexpr double margin = 0x1p-23; // more than the rounding of float
    const bool is_free      = (constrained & 1) == 0 && D.entry[0] > 0.f;
    const auto inverse =
      static_cast<float>(is_free ? (1. - margin) / static_cast<double>(D.entry[0]) : 0.);
    PackedNumber packed;
    std::memcpy(&packed.entry[0], &inverse, sizeof(inverse));
    return packed;
  }

  STRUT_HOST_DEVICE void multiply(const float (&x)[1], float (&y)[1]) const
  {
    float inverse;
    std::memcpy(&inverse, &entry[0], sizeof(inverse));
    y[0] = inverse * x[0];
  }
};

/// The block that the smoother multiplies with; see StoredBlock.
template <typename Number, int n>
using InverseBlock = std::conditional_t<std::is_same_v<Number, float>,
                                        std::conditional_t<n == 1, PackedNumber, PackedBlock>,
                                        NodalBlock<Number, n>>;

template <typename Number, int n>
STRUT_HOST_DEVICE InverseBlock<Number, n> inverse_block(const NodalBlock<Number, n> &block,
                                                        const unsigned int constrained)
{
  if constexpr (std::is_same_v<Number, float>)
    return InverseBlock<Number, n>::of_free_part(block, constrained);
  else
    return block.inverse_of_free_part(constrained);
}
} // namespace strut

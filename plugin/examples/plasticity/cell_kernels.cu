// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// nvcc compiles this file; without CUDA a C++ compiler does, and the kernels run on the host only.

#include "cell_kernels.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "material.h"

#ifdef __CUDACC__
#  define PLASTICITY_BOTH __host__ __device__
#else
#  define PLASTICITY_BOTH
#endif

namespace Plasticity
{
namespace
{
#ifdef __CUDACC__
void check(const cudaError_t status)
{
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

template <typename Work>
__global__ void __launch_bounds__(128) loop(const std::size_t n, const Work work)
{
  const std::size_t i = blockIdx.x * std::size_t(128) + threadIdx.x;
  if (i < n)
    work(i);
}
#endif

// Runs work(i) with one thread for each i.
template <typename Work>
void for_each(const std::size_t n, [[maybe_unused]] void *const stream, const Work &work)
{
#ifdef __CUDACC__
  if (stream != nullptr)
    {
      if (n > 0)
        loop<<<static_cast<unsigned int>((n + 127) / 128),
               128,
               0,
               static_cast<cudaStream_t>(stream)>>>(n, work);
      return check(cudaGetLastError());
    }
#endif
  for (std::size_t i = 0; i < n; ++i)
    work(i);
}

// Derivatives on the unit cell of the shape function of vertex v at point q of QGauss<3>(2), x
// fastest.
PLASTICITY_BOTH inline void
unit_gradient(const unsigned int q, const unsigned int v, double (&gradient)[3])
{
  constexpr double a = 0.21132486540518711775; // (1 - 1 / sqrt(3)) / 2
  double value[3], slope[3];
  for (int d = 0; d < 3; ++d)
    {
      const double xi   = (q >> d & 1) != 0 ? 1. - a : a;
      const bool at_end = (v >> d & 1) != 0;
      value[d]          = at_end ? xi : 1. - xi;
      slope[d]          = at_end ? 1. : -1.;
    }
  gradient[0] = slope[0] * value[1] * value[2];
  gradient[1] = value[0] * slope[1] * value[2];
  gradient[2] = value[0] * value[1] * slope[2];
}

// Computes G = J^-T with J = dx / dxi. Returns det J.
PLASTICITY_BOTH inline double invert_transposed(const double (&J)[3][3], double (&G)[3][3])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        G[i][j] = J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1];
      }
  const double det = J[0][0] * G[0][0] + J[0][1] * G[0][1] + J[0][2] * G[0][2];
  for (auto &row : G)
    for (double &entry : row)
      entry /= det;
  return det;
}

// Computes the stress for a strain at point q of cell c, and writes state and tangent there.
PLASTICITY_BOTH inline void return_mapping(const CellArrays &cells,
                                           const std::size_t c,
                                           const unsigned int q,
                                           const double (&strain)[6],
                                           double (&stress)[6])
{
  const std::size_t n = cells.n_cells;
  double trial[6];
  for (unsigned int k = 0; k < 6; ++k)
    trial[k] = 2. * mu * (strain[k] - cells.plastic_strain[n * (6 * q + k) + c]);
  const double mean = (trial[0] + trial[1] + trial[2]) / 3.;
  double square     = 0.;
  for (unsigned int k = 0; k < 6; ++k)
    {
      trial[k] -= k < 3 ? mean : 0.;
      square += (k < 3 ? 1. : 2.) * trial[k] * trial[k];
    }
  const double norm = sqrt(square);
  const double excess =
    norm - sqrt(2. / 3.) * (yield_stress + hardening * cells.equivalent[n * q + c]);
  const double increment = excess > 0. ? excess / (2. * mu + 2. / 3. * hardening) : 0.;
  const double theta     = increment > 0. ? 1. - 2. * mu * increment / norm : 1.;
  const double theta_bar = increment > 0. ? 1. / (1. + hardening / (3. * mu)) - (1. - theta) : 0.;
  double direction[6];
  for (unsigned int k = 0; k < 6; ++k)
    {
      direction[k]                         = increment > 0. ? trial[k] / norm : 0.;
      cells.direction[n * (6 * q + k) + c] = direction[k];
      stress[k] = (k < 3 ? bulk_modulus * (strain[0] + strain[1] + strain[2]) : 0.) + trial[k] -
                  2. * mu * increment * direction[k];
    }
  cells.increment[n * q + c] = increment;

  double *number = cells.tangents + n * 21 * q + c;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = i; j < 6; ++j, number += n)
      *number = (j < 3 ? bulk_modulus - 2. / 3. * mu * theta : 0.) +
                (i == j ? (i < 3 ? 2. : 1.) * mu * theta : 0.) -
                2. * mu * theta_bar * direction[i] * direction[j];
}

PLASTICITY_BOTH inline void
update_cell(const CellArrays &cells, const double *const u, const std::size_t c)
{
  const std::size_t n = cells.n_cells;
  double x[n_vertices][3], displacements[n_vertices][3], forces[n_vertices][3] = {};
  for (unsigned int v = 0; v < n_vertices; ++v)
    for (unsigned int d = 0; d < 3; ++d)
      {
        x[v][d]             = cells.x[n * (3 * v + d) + c];
        displacements[v][d] = u[cells.dofs[n * (3 * v + d) + c]];
      }
  for (unsigned int q = 0; q < n_q; ++q)
    {
      double unit[3], J[3][3] = {}, G[3][3], gradient[3][3] = {}, on_unit_cell[3][3] = {};
      for (unsigned int v = 0; v < n_vertices; ++v)
        {
          unit_gradient(q, v, unit);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              {
                J[i][j] += x[v][i] * unit[j];
                on_unit_cell[i][j] += displacements[v][i] * unit[j];
              }
        }
      const double JxW = invert_transposed(J, G) / n_q; // all weights are 1 / 8
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k)
            gradient[i][j] += on_unit_cell[i][k] * G[j][k];
      const double strain[6] = {gradient[0][0],
                                gradient[1][1],
                                gradient[2][2],
                                0.5 * (gradient[1][2] + gradient[2][1]),
                                0.5 * (gradient[0][2] + gradient[2][0]),
                                0.5 * (gradient[0][1] + gradient[1][0])};
      double s[6];
      return_mapping(cells, c, q, strain, s);
      const double tensor[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
      double turned[3][3]       = {}; // stress with respect to derivatives on the unit cell
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          for (int j = 0; j < 3; ++j)
            turned[i][k] += JxW * tensor[i][j] * G[j][k];
      for (unsigned int v = 0; v < n_vertices; ++v)
        {
          unit_gradient(q, v, unit);
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
              forces[v][i] += turned[i][k] * unit[k];
        }
    }
  for (unsigned int v = 0; v < n_vertices; ++v)
    for (unsigned int d = 0; d < 3; ++d)
      cells.forces[n * (3 * v + d) + c] = forces[v][d];
}
} // namespace

bool has_device_kernels()
{
#ifdef __CUDACC__
  return true;
#else
  return false;
#endif
}

void *allocate(const std::size_t bytes, void *const stream)
{
  if (stream != nullptr && !has_device_kernels())
    throw std::runtime_error("the program was built without CUDA: take --state host");
  void *pointer = nullptr;
#ifdef __CUDACC__
  if (stream != nullptr)
    check(cudaMalloc(&pointer, bytes));
#endif
  if (stream == nullptr)
    pointer = std::malloc(bytes);
  if (pointer == nullptr && bytes > 0)
    throw std::runtime_error("there is no memory for the state of the body");
  set_zero(pointer, bytes, stream);
  return pointer;
}

void deallocate(void *const pointer, void *const stream)
{
#ifdef __CUDACC__
  if (stream != nullptr)
    cudaFree(pointer);
#endif
  if (stream == nullptr)
    std::free(pointer);
}

void copy_there(void *const there,
                const void *const here,
                const std::size_t bytes,
                void *const stream)
{
#ifdef __CUDACC__
  if (stream != nullptr)
    {
      check(cudaMemcpyAsync(
        there, here, bytes, cudaMemcpyHostToDevice, static_cast<cudaStream_t>(stream)));
      return check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
    }
#endif
  if (stream == nullptr)
    std::memcpy(there, here, bytes);
}

void set_zero(void *const there, const std::size_t bytes, void *const stream)
{
#ifdef __CUDACC__
  if (stream != nullptr)
    return check(cudaMemsetAsync(there, 0, bytes, static_cast<cudaStream_t>(stream)));
#endif
  if (stream == nullptr)
    std::memset(there, 0, bytes);
}

void update_cells(const CellArrays &cells, const double *const u, void *const stream)
{
  for_each(cells.n_cells, stream, [cells, u] PLASTICITY_BOTH(const std::size_t c) {
    update_cell(cells, u, c);
  });
}

void collect_forces(const CellArrays &cells,
                    const Shares &shares,
                    double *const residual,
                    void *const stream)
{
  const double *const forces = cells.forces;
  for_each(shares.n_dofs, stream, [shares, forces, residual] PLASTICITY_BOTH(const std::size_t i) {
    double sum = 0.;
    for (unsigned int s = shares.begin[i]; s < shares.begin[i + 1]; ++s)
      sum += forces[shares.of_cells[s]];
    residual[i] = -sum;
  });
}

void accept_step(const CellArrays &cells, void *const stream)
{
  for_each(std::size_t(cells.n_cells) * n_q, stream, [cells] PLASTICITY_BOTH(const std::size_t i) {
    const std::size_t n = cells.n_cells, q = i / n, c = i % n;
    const double increment = cells.increment[i];
    for (unsigned int k = 0; k < 6; ++k)
      cells.plastic_strain[n * (6 * q + k) + c] += increment * cells.direction[n * (6 * q + k) + c];
    cells.equivalent[i] += sqrt(2. / 3.) * increment;
    cells.increment[i] = 0.;
  });
}

void count_points(const CellArrays &cells, double *const yields, void *const stream)
{
  for_each(cells.n_cells, stream, [cells, yields] PLASTICITY_BOTH(const std::size_t c) {
    double sum = 0.;
    for (unsigned int q = 0; q < n_q; ++q)
      sum += cells.increment[std::size_t(cells.n_cells) * q + c] > 0. ? 1. : 0.;
    yields[c] = sum;
  });
}
} // namespace Plasticity

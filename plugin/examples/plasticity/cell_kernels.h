// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// The work on cells where strut computes: with a stream of CUDA on the GPU, without one on the host, by one thread. No
// deal.II: nvcc compiles this.

#include <cstddef>

namespace Plasticity
{
// Arrays there. Cells are in the order of active_cell_index(), next to each other in each row, as strut takes the tangents.
// Tensors have the entries xx, yy, zz, yz, xz, xy.
struct CellArrays
{
  unsigned int n_cells     = 0;
  const unsigned int *dofs = nullptr; // [n_vertices][3][n_cells]
  const double *x          = nullptr; // [n_vertices][3][n_cells], of the vertices
  double *plastic_strain =
    nullptr;                    // [n_q][6][n_cells], at the end of the last load step, as the next
  double *equivalent = nullptr; // [n_q][n_cells]
  double *direction  = nullptr; // [n_q][6][n_cells], of the flow in this step
  double *increment  = nullptr; // [n_q][n_cells], in this step
  double *tangents   = nullptr; // [n_q][21][n_cells]
  double *forces     = nullptr; // [n_vertices][3][n_cells]
};

// Which forces of cells a DoF collects, [n_dofs + 1] and [24 n_cells].
struct Shares
{
  std::size_t n_dofs           = 0;
  const unsigned int *begin    = nullptr;
  const unsigned int *of_cells = nullptr; // places in CellArrays::forces
};

bool has_device_kernels(); // whether nvcc compiled them

void *allocate(std::size_t bytes, void *stream); // zeros
void deallocate(void *pointer, void *stream);
void copy_there(void *there, const void *here, std::size_t bytes, void *stream);
void set_zero(void *there, std::size_t bytes, void *stream);

// State, tangents and forces of the displacements u: box 3.2 of Simo and Hughes, as MaterialPoint.
void update_cells(const CellArrays &cells, const double *u, void *stream);

// residual = - internal forces; sums in the order of the cells.
void collect_forces(const CellArrays &cells, const Shares &shares, double *residual, void *stream);

void accept_step(const CellArrays &cells, void *stream);

// yields[c] = how many points of a cell have yielded in the last step.
void count_points(const CellArrays &cells, double *yields, void *stream);
} // namespace Plasticity

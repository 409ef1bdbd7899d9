// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// Work on cells where strut computes: on the GPU if there is a CUDA stream, else on the host with
// one thread. This file has no deal.II, so that nvcc can compile it.

#include <cstddef>

namespace Plasticity
{
// Arrays in that memory. Cells are in the order of active_cell_index(), adjacent in each row, as
// strut's tangents are. Tensors have the entries xx, yy, zz, yz, xz, xy.
struct CellArrays
{
  unsigned int n_cells     = 0;
  const unsigned int *dofs = nullptr; // [n_vertices][3][n_cells]
  const double *x          = nullptr; // [n_vertices][3][n_cells], coordinates of the vertices
  // [n_q][6][n_cells], plastic strain at the end of the last load step.
  double *plastic_strain = nullptr;
  double *equivalent     = nullptr; // [n_q][n_cells], at the end of the last load step
  double *direction      = nullptr; // [n_q][6][n_cells], flow direction in this step
  double *increment      = nullptr; // [n_q][n_cells], in this step
  double *tangents       = nullptr; // [n_q][21][n_cells]
  double *forces         = nullptr; // [n_vertices][3][n_cells]
};

// The forces of cells that each DoF sums: offsets [n_dofs + 1], and places [24 n_cells].
struct Shares
{
  std::size_t n_dofs           = 0;
  const unsigned int *begin    = nullptr;
  const unsigned int *of_cells = nullptr; // indices in CellArrays::forces
};

bool has_device_kernels(); // whether nvcc compiled the kernels

void *allocate(std::size_t bytes, void *stream); // returns zeroed memory
void deallocate(void *pointer, void *stream);
void copy_there(void *there, const void *here, std::size_t bytes, void *stream);
void set_zero(void *there, std::size_t bytes, void *stream);

// Computes state, tangents and forces for the displacements u, by box 3.2 of Simo and Hughes, as
// MaterialPoint does.
void update_cells(const CellArrays &cells, const double *u, void *stream);

// Sets residual = - internal forces, summed in the order of the cells.
void collect_forces(const CellArrays &cells, const Shares &shares, double *residual, void *stream);

void accept_step(const CellArrays &cells, void *stream);

// Sets yields[c] to the number of points of a cell that yielded in the last step.
void count_points(const CellArrays &cells, double *yields, void *stream);
} // namespace Plasticity

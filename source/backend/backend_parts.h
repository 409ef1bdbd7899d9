// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/galerkin_matrices.h"
#include "source/backend/krylov_updates.h"
#include "source/backend/multigrid_operations.h"
#include "source/backend/neighbourhood.h"
#include "source/backend/stopwatch.h"

#include <strut/backend/backend.h>

// The functions that make the parts of the CPU backend.
namespace strut::cpu
{
std::unique_ptr<Memory> make_memory();


double measure_flops(Precision precision, int n_threads);

template <typename Number>
std::unique_ptr<VectorOperations<Number>> make_vector_operations(int n_threads);

std::unique_ptr<KrylovUpdates<double, float>> make_mixed_krylov_updates(int n_threads);

template <typename Number, int n_components>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(int n_threads);

template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(Memory &memory, const GalerkinElements &elements, int n_threads);

std::unique_ptr<NeighbourhoodSum>
make_neighbourhood_sum(const CellGrid &grid, std::size_t n_targets, int n_threads);

std::unique_ptr<NeighbourhoodSum>
make_lattice_sum(const PointLattice &lattice, std::size_t n_targets, int n_threads);
} // namespace strut::cpu

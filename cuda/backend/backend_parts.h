// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/backend/dense_inverse.h"
#include "source/backend/galerkin_matrices.h"
#include "source/backend/krylov_updates.h"
#include "source/backend/multigrid_operations.h"
#include "source/backend/neighbourhood.h"
#include "source/backend/recording.h"
#include "source/backend/stopwatch.h"

#include <strut/backend/backend.h>

// The parts of the CUDA backend. Each part is in a file of its own, and keeps the context, which
// outlives it.
namespace strut::cuda
{
/// Returns the context of a CUDA backend.
const Context &context_of(const Backend &backend);

std::unique_ptr<Memory> make_memory(const Context &context);

std::unique_ptr<Stopwatch> make_stopwatch(const Context &context);

double measure_flops(Precision precision, const Context &context);

template <typename Number>
std::unique_ptr<VectorOperations<Number>> make_vector_operations(const Context &context);

template <typename Number, typename Low = Number>
std::unique_ptr<KrylovUpdates<Number, Low>> make_krylov_updates(const Context &context);

template <typename Number, int n_components>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(const Context &context);

template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(const Context &context, Memory &memory, const GalerkinElements &elements);

template <typename Number>
std::unique_ptr<DenseInverse<Number>>
make_dense_inverse(const Context &context, Memory &memory, const SymmetricSums &sums);

std::unique_ptr<Recording> make_recording(const Context &context);

/// Computes LevelOperations::largest_element_eigenvalue().
std::optional<double> largest_element_eigenvalue(const Context &context,
                                                 Memory &memory,
                                                 const ElementMesh &mesh,
                                                 const Material &material);

std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const Context &context,
                                                         Memory &memory,
                                                         const CellGrid &grid,
                                                         std::size_t n_targets);

std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const Context &context,
                                                   Memory &memory,
                                                   const PointLattice &lattice,
                                                   std::size_t n_targets);
} // namespace strut::cuda

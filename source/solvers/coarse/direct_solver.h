// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/coarse_solver.h"

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <memory>

namespace strut
{
class Backend;

/// Largest number of DoFs for which a GPU keeps the full inverse, 2.1 GB. For 14,592 DoFs in a long
/// box an H200 takes less than 40 ms. The sparse factor on the host takes 200 ms for 5,616, and 6
/// ms per solve.
constexpr std::size_t most_inverted_dofs = 16384;

/// Makes a direct solver for the stiffness system of a small mesh. Each rank holds and solves the
/// whole system in one of two ways. On the host it uses a sparse Cholesky factor (Eigen) in double.
/// On a device it assembles the matrix and keeps the full inverse in device memory, and copies
/// nothing to the host. Of stiffnesses it takes factors only. Collective.
///
/// @param mesh  this rank's part, with its supports; solutions on dependent DoFs are undefined
template <typename Number>
std::unique_ptr<CoarseSolver<Number>> make_direct_solver(Backend &backend,
                                                         const Communicator &communicator,
                                                         const ElementMesh &mesh,
                                                         const Material &material);
} // namespace strut

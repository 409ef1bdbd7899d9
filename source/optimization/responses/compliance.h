// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/solvers/state/state_solver.h>

namespace strut
{
/// Returns `C_l = 2 f_l . u_l - u_l . K u_l`, with `dC_l/dE_e = -u_e . K0_e u_e`. The function is
/// its own adjoint, so it needs no second solve.
///
/// Without prescribed displacements it is f.u = u.K u, and its error is second order in that of u.
/// With them its minimum is the stiffest design, too. Collective.
/// @param stiffness  `[n_elements]`
/// @param energies  `u_e . K0_e u_e`, `[n_elements]`; overwritten
double compliance_of(Backend &backend,
                     const Communicator &communicator,
                     StateSolver &state,
                     std::size_t l,
                     const Array<double> &stiffness,
                     Array<double> &energies);
} // namespace strut

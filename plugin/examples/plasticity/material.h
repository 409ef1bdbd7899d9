// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace Plasticity
{
// Structural steel S235, in GPa, with linear hardening.
constexpr double E = 210., nu = 0.3, yield_stress = 0.235, hardening = 10.;
constexpr double mu = E / (2. * (1. + nu)), bulk_modulus = E / (3. * (1. - 2. * nu));

constexpr unsigned int n_q = 8, n_vertices = 8; // per cell: QGauss<3>(2), FE_Q<3>(1)
} // namespace Plasticity

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/output/result_writer.h"

#include <string>
#include <vector>

#include "tests/plugin/distributed_problem.h"

namespace strut
{
/// Writes densities as the result of an iteration, and waits until the file exists.
inline void write_result(const MeshOnRanks &problem,
                         const std::string &folder,
                         const std::string &name,
                         const unsigned int iteration,
                         const std::vector<double> &densities)
{
  const auto no_material = [](std::size_t) { return 0; };
  ResultWriter writer(
    problem.mesh, Material{1., 0.3}, no_material, problem.communicator, folder, name, false, 1);
  writer.write(iteration, densities, {}, {});
  writer.wait();
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operator/option_checks.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/preconditioner.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "plugin/base/spelling.h"

namespace strut::plugin
{
namespace
{
void require_one_of(const std::string &option,
                    const std::string &value,
                    const std::vector<std::string> &allowed)
{
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    throw Error("StiffnessOptions::" + option + " is '" + value +
                "'.\n  It may be: " + join(allowed) + ".");
}
} // namespace

void check_options(const StiffnessOptions &options, const bool is_double)
{
  require_one_of("backend", options.backend, {"auto", "cuda", "cpu"});
  if (options.device < -1)
    throw Error(
      "StiffnessOptions::device is " + std::to_string(options.device) +
      ".\n  It may be the number of a GPU, from 0, or -1: the ranks of a machine take its "
      "GPUs in turn.");
  std::vector<std::string> names = {"auto"};
  for (const PreconditionerEntry &entry : preconditioners())
    names.push_back(entry.name);
  require_one_of("preconditioner", options.preconditioner, names);
  if (is_double)
    require_one_of("precision", options.precision, {"auto", "double", "mixed"});
  else
    require_one_of("precision", options.precision, std::vector<std::string>{"auto", "float"});
  if (!(options.tolerance > 0.))
    throw Error("StiffnessOptions::tolerance is " + std::to_string(options.tolerance) +
                ".\n  It must be positive.");
  if (options.precision == "mixed" && options.preconditioner == "jacobi")
    throw Error("StiffnessOptions ask for mixed precision, which means multigrid cycles in float, "
                "and for Jacobi.\n  Set precision or preconditioner to 'auto'.");
}

void check_material(const Material &material)
{
  if (material.youngs_modulus > 0. && material.poisson_ratio > -1. && material.poisson_ratio < 0.5)
    return;
  std::ostringstream text;
  text << "The material of the StiffnessOperator has E = " << material.youngs_modulus
       << ", nu = " << material.poisson_ratio
       << ".\n  E must be positive, and nu between -1 and 0.5.";
  throw Error(text.str());
}
} // namespace strut::plugin

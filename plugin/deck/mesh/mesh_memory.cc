// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/mesh_memory.h"

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace strut
{
std::string mesh_does_not_fit(const double n_elements, const double bytes_per_element)
{
  const double needed = n_elements * bytes_per_element;
  const auto free     = static_cast<double>(make_cpu_backend(1)->memory().available());
  if (needed <= free)
    return {};
  std::ostringstream text;
  text << std::fixed << std::setprecision(0) << "The mesh would have " << n_elements
       << " elements; " << std::setprecision(1) << "the host needs at least " << 1e-9 * needed
       << " GB of memory for them and has " << 1e-9 * free
       << " GB free.\n  Use fewer elements or refinements.";
  return text.str();
}

void require_room_to_refine(const std::size_t n_cells,
                            const unsigned int refinements,
                            const double bytes_per_element)
{
  const std::string text =
    mesh_does_not_fit(std::pow(8., refinements) * static_cast<double>(n_cells), bytes_per_element);
  if (!text.empty())
    throw EntryError({"Mesh"}, "Additional refinements", text);
}
} // namespace strut

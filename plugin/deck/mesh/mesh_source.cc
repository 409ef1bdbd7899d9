// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>

#include "plugin/deck/mesh/mesh_memory.h"
#include "plugin/deck/mesh/mesh_source.h"

namespace strut
{
void MeshSource::fail(const std::string &entry,
                      const std::string &text,
                      std::shared_ptr<const FaultyElements> place) const
{
  throw EntryErrorAt({"Mesh", title}, entry, text, std::move(place));
}

std::string MeshSource::to_text(const double number)
{
  std::ostringstream text;
  text << number;
  return text.str();
}

void MeshSource::require_positive(const std::string &entry, const double length) const
{
  if (!(length > 0.) || !std::isfinite(length))
    fail(entry, "found " + to_text(length) + "; a length must be a number greater than 0.");
}

void MeshSource::require_count(const std::string &entry, const unsigned int count) const
{
  if (count == 0)
    fail(entry, "found 0; there must be at least 1 element in each direction.");
}

void MeshSource::require_room(const std::string &entry,
                              const double n_elements,
                              const unsigned int refinements) const
{
  const double bytes_of_cells =
    refinements == 0 ? bytes_per_flat_cell : bytes_per_coarse_cell / std::pow(8., refinements);
  const std::string text = mesh_does_not_fit(n_elements, bytes_per_element + bytes_of_cells);
  if (!text.empty())
    fail(entry, text);
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/mesh_source.h"

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <iomanip>
#include <sstream>

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

unsigned int common_halvings(const std::initializer_list<unsigned int> counts)
{
  // The lowest bit set in any count: its power of two divides every count.
  unsigned int bits = 0;
  for (const unsigned int count : counts)
    bits |= count;
  return bits == 0 ? 0 : static_cast<unsigned int>(__builtin_ctz(bits));
}
} // namespace strut

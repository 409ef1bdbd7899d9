// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/export_parameters.h"
#include "source/base/text.h"

#include <deal.II/base/patterns.h>

#include "plugin/deck/part/part_file.h"

namespace strut
{
ExportParameters::ExportParameters() : dealii::ParameterAcceptor("/Export")
{
  using namespace dealii::Patterns;
  std::string formats, described;
  for (const PartFormat &format : part_formats())
    {
      formats += (formats.empty() ? "" : "|") + format.name;
      add_to_list(described, format.name + " (" + format.description + ")");
    }
  add_parameter(
    "Formats",
    request_.formats,
    "Write the last design as a part for printing and for other programs, <name of the deck>-part.3mf and the like: " +
      described + ". Empty: no part. strut-export does the same for any result.",
    prm,
    List(Selection(formats)));
  add_parameter("Unit",
                request_.unit,
                "Of the lengths of the deck: 3mf names it, stl is written in millimeters.",
                prm,
                Selection(join(part_units(), "|")));
  add_parameter(
    "Smoothing",
    request_.settings.smoothing.passes,
    "Passes that make the surface smooth without shrinking it, where the design was free; 0: none.",
    prm,
    Integer(0, 1000));
  add_parameter(
    "Simplification error",
    request_.settings.error,
    "How far the surface with fewer triangles is from that with all, in edges of elements; 0: all "
    "triangles stay.",
    prm,
    Double(0., 1.));
  add_parameter("Keep islands",
                request_.settings.keep_islands,
                "Keep pieces that are not connected with the largest one.");
  add_parameter("Mirror",
                mirror_,
                "The part has its mirror images behind the planes of Symmetry, too.");
}

PartRequest ExportParameters::request(const std::string &base_name,
                                      const std::vector<SymmetryPlane> &mirrors) const
{
  PartRequest request = request_;
  request.base_name   = base_name;
  if (mirror_)
    request.settings.mirrors = mirrors;
  return request;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/output_parameters.h"

#include <deal.II/base/patterns.h>

#include "plugin/deck/part/part_file.h"
#include "source/base/text.h"

namespace strut
{
OutputParameters::OutputParameters() : dealii::ParameterAcceptor("/Output")
{
  add_parameter("Output directory",
                directory,
                "Where results go; empty: output/<name of the deck>. Created if it is missing.");
  add_parameter("Results every",
                results_every,
                "Write the design for ParaView every so many iterations, besides the last; 0: only "
                "the last.");
  add_parameter("Checkpoint every",
                checkpoint_every,
                "Write a checkpoint every so many iterations, besides the last; 0: only the last.");
  add_parameter(
    "Fields",
    fields,
    "What the files for ParaView have. all: every field, of all elements. density: densities and design "
    "flags alone, in steps of 1/4096. surface: every field, but only those elements with a density from 0.5 "
    "that have a face where the material ends: what is seen of the design; 'Initial design', strut-export and "
    "strut-compare-runs take no such file.",
    prm,
    dealii::Patterns::Selection("all|density|surface"));
  add_parameter("Von Mises stress",
                von_mises,
                "Write the von Mises stress at element centres too: that of the solid times the "
                "stiffness factor of the density.");
  add_parameter(
    "Nodal stress",
    nodal_stress,
    "Write stresses at nodes too: the tensor, its principal values and the von Mises stress. They are extrapolated "
    "from the points of elements where they are best, and averaged over the elements of one material with a density "
    "from 0.5.");
  add_parameter(
    "Points",
    points,
    "Places at which log and summary give displacement and stress, 'name: x, y, z; name: x, y, z'. Shape functions "
    "interpolate them.");
  add_parameter("Surface",
                surface,
                "Write the closed surface of the design too, as an STL file beside each result for "
                "ParaView. It encloses the volume of the design.");
  add_parameter(
    "Best design",
    keeps_best,
    "Keep the best design that meets volume and constraints in memory, and write it as a result, too, if it is not "
    "the last. The GPU copies each design that is better than all before it to the host.");
  add_parameter(
    "Report",
    report,
    "Write report.html, a page for a browser with the part to turn, curves, notes and the "
    "deck. While the run goes on it is renewed every ten seconds, or less often.");
}

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

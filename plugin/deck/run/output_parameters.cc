// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/output_parameters.h"

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
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_preview.h"

#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/picture/problem_file.h"
#include "plugin/deck/picture/structure_picture.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
/// Number of elements for which file and picture take some seconds.
constexpr std::size_t most_elements_to_show = 2'000'000;
} // namespace

RunPreview write_preview(const RunContext &run)
{
  const Problem &problem = run.parameters.problem;
  if (problem.summary().n_cells > most_elements_to_show)
    return {{},
            "  no file and no picture to look at: the mesh has more than " +
              std::to_string(most_elements_to_show) + " elements\n"};
  const std::string name = run.file(run.parameters.base_name + "-problem");
  RunPreview preview;
  try
    {
      on_root(run.communicator, [&] { create_folder(run.folder); });
      write_problem(name + ".vtu", problem, run.communicator.mpi(), cpu::default_n_threads());
      std::vector<const LoadCase *> load_cases;
      for (const LoadCase &load_case : problem.load_cases())
        load_cases.push_back(&load_case);
      const PartMarks marks = marks_on_part(run.communicator, problem.mesh(), load_cases);
      const std::vector<PicturedFace> faces = boundary_faces(run.communicator, problem.deck_mesh());
      on_root(run.communicator,
              [&] { write_file_atomically(name + ".png", structure_picture(faces, marks)); });
      preview.files = {name + ".vtu", name + ".png"};
      preview.text  = "  to look at: " + name + ".png, two opposite views (" +
                     colours_in_words(faces, marks) + "); " + name + ".vtu, in ParaView\n";
    }
  catch (const Error &error) // the preview is not needed for the run
    {
      preview.text =
        std::string("  NOTE: no file and no picture to look at: ") + error.what() + '\n';
    }
  return preview;
}
} // namespace strut

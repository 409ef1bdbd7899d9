// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/assembly/assembly_study.h"

#include <deal.II/grid/tria.h>

#include <strut/parallel/communicator.h>

#include <algorithm>
#include <ostream>

#include "plugin/assembly/assembly_geometry.h"
#include "plugin/assembly/assembly_report.h"
#include "plugin/assembly/library_assembly.h"
#include "plugin/comparison/backends.h"
#include "plugin/comparison/options.h"
#include "plugin/comparison/results.h"
#include "plugin/driver/make_backend.h"
#include "plugin/driver/versions.h"
#include "plugin/mesh/assembly_mesh.h"
#include "plugin/output/atomic_file.h"

namespace strut::plugin
{
namespace
{
/// A backend of the study, with what was measured of it.
struct StudyBackend
{
  ChosenBackend chosen;
  HardwareRates rates;
};

std::string folder_of(const AssemblyDeck &deck, const std::string &output)
{
  if (!output.empty())
    return output;
  return deck.output.directory.empty() ? "output/" + deck.base_name : deck.output.directory;
}
} // namespace

AssemblyStudy::AssemblyStudy(const AssemblyDeck &deck, const std::string &output, std::ostream &log)
  : deck_(deck)
  , log_(log)
  , folder_(folder_of(deck, output))
  , backends_(deck.place.chosen_backends())
{
  create_folder(folder_);
}

bool AssemblyStudy::run()
{
  const Communicator communicator(MPI_COMM_SELF);
  const Material material         = deck_.material.get();
  const GenerationChoices choices = deck_.assembly.choices();
  results_.deck                   = deck_.base_name;
  results_.label                  = {{"program", strut_version()},
                                     {"date", today()},
                                     {"deck", deck_.deck.file_name()},
                                     {"libraries", library_versions()}};
  log_ << strut_version() << ", " << library_versions() << std::endl;

  std::vector<StudyBackend> places;
  for (const std::string &name : backends_)
    for (const std::string &threads :
         name == "cuda" ? std::vector<std::string>{"1"} : deck_.place.threads)
      {
        StudyBackend place{make_backend(name, to_threads(threads), communicator), {}};
        const std::string key = backend_key(name, place.chosen.backend->n_threads());
        // "all" may be a number that was there already
        if (std::any_of(results_.label.begin(), results_.label.end(), [&](const auto &entry) {
              return entry.first == key;
            }))
          continue;
        place.rates = measure_rates(place.chosen, communicator);
        results_.label.emplace_back(
          key, backend_label(*place.chosen.backend, place.rates, communicator));
        log_ << key << ": " << results_.label.back().second << std::endl;
        places.push_back(std::move(place));
      }

  AssemblyGeometry geometry(deck_);
  for (const ElementType type : deck_.assembly.element_types())
    {
      const auto &cells                = geometry.cells(type);
      const TriangulationMesh mesh     = build_assembly_mesh(cells, type);
      const Connectivity &connectivity = mesh.mesh.connectivity;
      results_.meshes.push_back({name(type), connectivity.n_elements, connectivity.n_nodes});
      log_ << '\n'
           << name(type) << ": " << connectivity.n_elements << " elements, " << connectivity.n_nodes
           << " nodes, " << 3 * connectivity.n_nodes << " degrees of freedom" << std::endl;
      for (const StudyBackend &place : places)
        {
          Backend &backend = *place.chosen.backend;
          log_ << ' ' << backend_key(backend.name(), backend.n_threads()) << std::endl;
          measure_generation(
            {backend, place.rates.copy_bandwidth}, mesh.mesh, material, choices, results_, log_);
          if (backend.name() == "cpu" && library_has(type))
            for (const std::string &library : deck_.assembly.libraries)
              if (library != "Trilinos" || backend.n_threads() == 1)
                measure_library({library, backend.n_threads(), choices.n_runs},
                                cells,
                                mesh,
                                material,
                                results_,
                                log_);
          write_reports(folder_, results_);
        }
    }
  return std::none_of(results_.stages.begin(), results_.stages.end(), [](const auto &result) {
    return is_failure(result.status);
  });
}
} // namespace strut::plugin

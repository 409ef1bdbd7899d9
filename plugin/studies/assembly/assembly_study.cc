// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_study.h"

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>

#include "plugin/base/atomic_file.h"
#include "plugin/base/make_backend.h"
#include "plugin/mesh/assembly_mesh.h"
#include "plugin/run/versions.h"
#include "plugin/studies/assembly/assembly_geometry.h"
#include "plugin/studies/assembly/assembly_report.h"
#include "plugin/studies/assembly/library_assembly.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/results.h"

namespace strut::plugin
{
namespace
{
/// More than any cache holds; on a CPU with one thread a gigabyte would take longer than the generation.
std::size_t n_bytes_copied(const std::string &backend)
{
  return std::size_t(1) << (backend == "cuda" ? 30 : 28);
}

std::string folder_of(const AssemblyDeck &deck, const std::string &output)
{
  if (!output.empty())
    return output;
  return deck.output.directory.empty() ? "output/" + deck.base_name : deck.output.directory;
}
/// Wait for the file's lock and keep it until the program ends.
void lock(const std::string &file)
{
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0)
    throw Error("--lock " + file + ": the file cannot be locked: " + std::strerror(errno) +
                ".\n  Name a file in a folder where you may write.");
}
} // namespace

/// A backend of the study, with what was measured of it.
struct AssemblyStudy::Place
{
  ChosenBackend chosen;
  HardwareRates rates;
};

AssemblyStudy::AssemblyStudy(const AssemblyDeck &deck,
                             const std::string &output,
                             const std::string &lock_file,
                             std::ostream &log)
  : deck_(deck)
  , log_(log)
  , folder_(folder_of(deck, output))
  , lock_file_(lock_file)
  , backends_(deck.place.chosen_backends())
{
  create_folder(folder_);
}

std::vector<AssemblyStudy::Place> AssemblyStudy::measure_places()
{
  const Communicator communicator(MPI_COMM_SELF);
  std::vector<Place> places;
  for (const std::string &name : backends_)
    for (const std::string &threads :
         name == "cuda" ? std::vector<std::string>{"1"} : deck_.place.threads)
      {
        Place place{make_backend(name, to_threads(threads), communicator), {}};
        const std::string key = backend_key(name, place.chosen.backend->n_threads());
        // "all" may be a number that was there already
        if (std::any_of(results_.label.begin(), results_.label.end(), [&](const auto &entry) {
              return entry.first == key;
            }))
          continue;
        place.rates = HardwareRates::measure(*place.chosen.backend, n_bytes_copied(name));
        results_.label.emplace_back(
          key, backend_label(*place.chosen.backend, place.rates, communicator));
        log_ << key << ": " << results_.label.back().second << std::endl;
        places.push_back(std::move(place));
      }
  return places;
}

bool AssemblyStudy::run()
{
  const Material material         = deck_.material.get();
  const GenerationChoices choices = deck_.assembly.choices();
  results_.deck                   = deck_.base_name;
  results_.label                  = {{"program", strut_version()},
                                     {"date", today()},
                                     {"deck", deck_.deck.file_name()},
                                     {"libraries", library_versions()}};
  log_ << strut_version() << ", " << library_versions() << std::endl;

  AssemblyGeometry geometry(deck_);
  std::vector<Place> places;
  for (const ElementType type : deck_.assembly.element_types())
    {
      const auto &cells                = geometry.cells(type);
      const TriangulationMesh mesh     = build_assembly_mesh(cells, type);
      const Connectivity &connectivity = mesh.mesh.connectivity;
      results_.meshes.push_back({name(type), connectivity.n_elements, connectivity.n_nodes});
      if (places.empty())
        {
          if (!lock_file_.empty())
            lock(lock_file_);
          places = measure_places();
        }
      log_ << '\n'
           << name(type) << ": " << connectivity.n_elements << " elements, " << connectivity.n_nodes
           << " nodes, " << 3 * connectivity.n_nodes << " degrees of freedom" << std::endl;
      for (const Place &place : places)
        {
          Backend &backend = *place.chosen.backend;
          log_ << ' ' << backend_key(backend.name(), backend.n_threads()) << std::endl;
          measure_generation(
            {backend, place.rates.copy_bandwidth}, mesh.mesh, material, choices, results_, log_);
          if (backend.name() == "cpu")
            for (const std::string &library : deck_.assembly.libraries)
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

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/nodal_forces.h>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/mesh_in_vtu.h"
#include "plugin/deck/output/shared_field.h"
#include "plugin/deck/output/vtu_file.h"
#include "source/solvers/state/von_mises.h"

namespace strut
{
/// Contents of a result.
enum class ResultFields
{
  all,
  density, ///< densities of all elements, in steps of 1/4096 to compress well, and the design flags
  /// All fields, only on the outer elements of those from DesignPiece::least_density; without means
  /// at nodes.
  surface
};

/// Writes designs for ParaView: one VTU file per iteration for any number of ranks, and a PVD file
/// for the series. Every file gets its name when it is complete, so a killed run leaves only
/// complete files. The files are written in the background.
///
/// Files in the folder are `<base>-0012.vtu`, and `<base>.pvd`, in which the time is the iteration.
///
/// Each node is in the file once, so that neighbours share it, also where ranks meet: filters see
/// one connected body. Fields are in single precision, which suffices for viewing; the checkpoint
/// is for resuming.
class ResultWriter
{
public:
  struct LoadCaseResult
  {
    std::string name;
    /// `[3 * n_nodes]` in the numbering of the ElementMesh; in float, as it is written, if no
    /// stress is requested.
    std::variant<SharedField, SharedVector<float>> displacement;
    /// `[3 * n_owned_nodes]`; nullptr: not written. It must outlive the writer.
    const NodalForces *forces = nullptr;
    /// Stresses at nodes, `[n_owned_nodes][6]`: xx, yy, zz, xy, yz, zx; empty: not written.
    SharedVector<float> stress = std::vector<float>();
  };

  /// Further contents of the file.
  struct Facts
  {
    std::vector<std::string> remarks;                    ///< lines at the beginning of the file
    std::vector<std::pair<std::string, double>> numbers; ///< objective and similar numbers
    /// More cell data by their names, `[n_elements]`.
    std::vector<std::pair<std::string, SharedField>> cell_fields;
    /// stl_records() of this rank relative to the origin of precision(), for a separate file.
    std::optional<std::string> surface;
  };

  /// Creates the folder. Collective; throws Error if that fails.
  ///
  /// @param material_id  material id of an element, in the order of the ElementMesh
  /// @param von_mises  whether to write the von Mises stress of each load case at element centres,
  ///   with the stiffness factors of the elements; not with densities only
  ResultWriter(const ElementMesh &mesh,
               const SolidsOfElements &solids,
               std::function<std::int32_t(std::size_t)> material_id,
               MPI_Comm communicator,
               std::string folder,
               std::string base_name,
               bool von_mises,
               int n_threads,
               ResultFields result_fields = ResultFields::all);

  /// Waits for a result in the background, and stops the compression of the mesh.
  ~ResultWriter();
  ResultWriter(const ResultWriter &)            = delete;
  ResultWriter &operator=(const ResultWriter &) = delete;

  /// Single precision of the numbers in files.
  const SinglePrecision &precision() const
  {
    return mesh_in_vtu_.precision();
  }

  /// Begins to compress the arrays of the mesh in the background, while the run continues. All
  /// results have the same ones, and they are most of the work for a result. They are kept in a
  /// scratch file in the folder. Each result compresses its own arrays if that file cannot be
  /// written, or may take more than half of the free disk space. So does each with
  /// ResultFields::surface, as no two results have the same mesh. Collective.
  void prepare_mesh();

  /// Stops that compression, and frees its disk space: later results compress their own mesh.
  /// Collective.
  void forget_mesh();

  /// Whether results copy the mesh of prepare_mesh(), or will when it is compressed; the same on
  /// all ranks.
  bool has_prepared_mesh() const
  {
    return prepared_mesh_ != nullptr;
  }
  /// Why each result compresses its own mesh although prepare_mesh() was called. Empty if results
  /// share it, or after forget_mesh().
  const std::string &why_mesh_is_not_shared() const
  {
    return why_mesh_is_not_shared_;
  }
  /// Whether the background work is the compression of the mesh.
  bool is_compressing_mesh() const
  {
    return is_compressing_mesh_;
  }

  /// Begins to write a result. Waits for the previous one, and throws its error before this one is
  /// begun.
  ///
  /// Cell data are `density`, `design_flag` (0 design, 1 solid, 2 void), `material_id`,
  /// `von_mises`. Point data are `density_at_nodes` (mean of the elements around it),
  /// `displacement`, `support` (1 for each prescribed component), `nodal_force`, and of
  /// LoadCaseResult::stress `stress_at_nodes`, `principal_stresses` and `von_mises_at_nodes`. With
  /// several load cases, all but `support` and those of the density get the suffix `_<name>`. Its
  /// characters other than letters, digits and '_' become '_'.
  ///
  /// Collective. If a file cannot be written, every rank throws the Error when it waits for the
  /// file. Ghost values of the displacement are read only for the stress.
  ///
  /// @param densities  `[n_elements]`, in the order of the ElementMesh
  /// @param stiffness  `[n_elements]`, read only for the stress
  void write(unsigned int iteration,
             SharedField densities,
             std::vector<double> stiffness,
             std::vector<LoadCaseResult> results,
             Facts facts = Facts());

  /// Completes the files whose parts have been written, on several ranks. To be called regularly.
  /// Throws as wait() if that has failed. Collective.
  void proceed();

  /// Waits until the last result is in its files. If that has failed, every rank throws the same
  /// Error, once. Collective.
  void wait();

  /// Whether there is nothing to wait for. end_of_work() is the end of the last result, for other
  /// threads.
  bool is_done() const
  {
    return steps_.is_done();
  }
  std::shared_future<void> end_of_work() const
  {
    return steps_.end_of_work();
  }

  /// Path of the PVD file.
  std::string series_file() const;

  /// The iterations written or begun so far, in ascending order, to continue the series after a
  /// restart. set_written() keeps iterations with files that exist and are not empty: files may be
  /// incomplete or lost. Collective.
  /// @return set_written() returns the paths of the other files
  std::vector<unsigned int> written() const
  {
    return {written_.begin(), written_.end()};
  }
  std::vector<std::string> set_written(const std::vector<unsigned int> &iterations);

  /// Path of a file of this iteration. @param ending  extension, such as ".vtu"
  std::string file_of(unsigned int iteration, const std::string &ending) const
  {
    return folder_ + '/' + result_file(iteration, ending);
  }

private:
  struct Fields; // a copy of the data that are written

  std::string result_file(unsigned int iteration, const std::string &ending = ".vtu") const;
  /// The text of the PVD file of these iterations.
  std::string series_of(const std::set<unsigned int> &iterations) const;
  VtuContents contents_of(unsigned int iteration,
                          const std::shared_ptr<const Fields> &fields,
                          const Facts &facts) const;
  /// Forgets the mesh if its compression has ended and failed on any rank. Collective.
  void look_at_mesh();
  /// Runs an action that throws if the last result cannot be written. The result is then removed
  /// from the series.
  template <typename Action>
  void attempt(const Action &action);

  const ElementMesh &mesh_;
  Material material_;
  const Solids &solids_;
  std::function<std::int32_t(std::size_t)> material_id_;
  Communicator communicator_;
  std::string folder_;
  std::string base_name_;
  bool von_mises_;
  int n_threads_;
  ResultFields result_fields_;
  MeshInVtu mesh_in_vtu_;
  std::shared_ptr<CompressedArrays> prepared_mesh_; ///< nullptr: results compress their own mesh
  std::string why_mesh_is_not_shared_;
  std::set<unsigned int> written_;
  unsigned int last_        = 0; ///< the iteration that was begun last
  bool is_compressing_mesh_ = false;
  bool mesh_failed_         = false; ///< whether this rank's part of the compression failed
  BackgroundSteps steps_;            ///< the last member: the steps use the others
};
} // namespace strut

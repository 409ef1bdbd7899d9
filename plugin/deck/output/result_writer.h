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
#include "plugin/deck/output/von_mises.h"
#include "plugin/deck/output/vtu_file.h"

namespace strut::plugin
{
/// What is in a result.
enum class ResultFields
{
  all,
  density, ///< of all elements, in steps of 1/4096, so that it compresses well; and the design flags
  surface ///< all, of the elements that are seen of those from DesignPiece::least_density; no mean over elements at nodes
};

/// Writes designs for ParaView: one VTU file per iteration, whatever the number of ranks, and a PVD
/// for the series. Every file is written beside its name and renamed, so a killed run leaves whole
/// files only. The files are written in the background.
///
/// Files in the folder: `<base>-0012.vtu`; and `<base>.pvd`, where the time is the iteration.
///
/// Each node is in the file once, so that neighbours share it, also where ranks meet: filters see
/// one connected body. Fields are in single precision: the checkpoint is for going on, this is for looking.
class ResultWriter
{
public:
  struct LoadCaseResult
  {
    std::string name;
    /// `[3 * n_nodes]` in the numbering of the ElementMesh; in float, as it is written, if no stress is asked for.
    std::variant<SharedField, SharedVector<float>> displacement;
    /// `[3 * n_owned_nodes]`; nullptr: not written. Lives as long as the writer.
    const NodalForces *forces = nullptr;
  };

  /// The other facts in the file.
  struct Facts
  {
    std::vector<std::string> remarks;                    ///< lines at its head
    std::vector<std::pair<std::string, double>> numbers; ///< objective and so on
    std::vector<std::pair<std::string, SharedField>>
      cell_fields; ///< more cell data by their names, `[n_elements]`
    /// stl_records() of this rank about the origin of precision(), for a file of their own.
    std::optional<std::string> surface;
  };

  /// Creates the folder. Collective; throws Error if that fails.
  ///
  /// @param material_id  of an element, in the order of the ElementMesh
  /// @param von_mises  also write the von Mises stress of each load case (at element centres, of the
  /// material at the element's stiffness factor); not with the density alone
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

  /// Of files that have single precision alone.
  const SinglePrecision &precision() const
  {
    return mesh_in_vtu_.precision();
  }

  /// Begin to compress the arrays of the mesh in the background, while the run does something else. All results have the same
  /// ones, and they are most of the work for a result. They wait in a scratch file in the folder. Each result compresses its own
  /// where that file cannot be written, or may take more than half of the room on the disk; and with ResultFields::surface, where
  /// no two results have the same mesh. Collective.
  void prepare_mesh();

  /// Stop that compression, and give the room on the disk back: later results compress their own mesh. Collective.
  void forget_mesh();

  /// Whether results copy the mesh of prepare_mesh(), or will when it is compressed; the same on all ranks.
  bool has_prepared_mesh() const
  {
    return prepared_mesh_ != nullptr;
  }
  /// Why each result compresses its own although prepare_mesh() was called; empty if none has to, or forget_mesh() is the reason.
  const std::string &why_mesh_is_not_shared() const
  {
    return why_mesh_is_not_shared_;
  }
  /// Whether its compression is the work in the background.
  bool is_compressing_mesh() const
  {
    return is_compressing_mesh_;
  }

  /// Begin to write a result. Waits for the one before, and throws its error before this one is begun.
  ///
  /// Cell data `density`, `design_flag` (0 design, 1 solid, 2 void), `material_id`, `von_mises`.
  /// Point data `density_at_nodes` (mean of the elements around it), `displacement`, `support` (1 for
  /// each component that is prescribed) and `nodal_force`. With several load cases `displacement`,
  /// `nodal_force` and `von_mises` get `_<name>`, where other characters than letters, digits and '_'
  /// turn into '_'. Collective; that a file cannot be written is every rank's Error when it is waited
  /// for. Ghost values of the displacement are read for the stress alone.
  ///
  /// @param densities  `[n_elements]`, in the order of the ElementMesh
  /// @param stiffness  likewise; read for the stress alone
  void write(unsigned int iteration,
             SharedField densities,
             std::vector<double> stiffness,
             std::vector<LoadCaseResult> results,
             Facts facts = Facts());

  /// Several ranks: ends what is written by now. To be called now and then. Throws as wait() if that has
  /// failed. Collective.
  void proceed();

  /// Until the last result is in its files. If that has failed, every rank throws the same Error, once.
  /// Collective.
  void wait();

  /// Whether there is nothing to wait for; and the end of the last result, for other threads.
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

  /// The iterations written or begun so far, ascending; to continue the series after a restart. Of those set, it
  /// has those whose files are there and not empty: one may have been begun only, or lost with the power. Collective.
  /// @return the paths of the other files
  std::vector<unsigned int> written() const
  {
    return {written_.begin(), written_.end()};
  }
  std::vector<std::string> set_written(const std::vector<unsigned int> &iterations);

  /// Path of a file of this iteration. @param ending  ".vtu" and the like
  std::string file_of(unsigned int iteration, const std::string &ending) const
  {
    return folder_ + '/' + result_file(iteration, ending);
  }

private:
  struct Fields; // what is written, copied

  std::string result_file(unsigned int iteration, const std::string &ending = ".vtu") const;
  /// The PVD file of these iterations.
  std::string series_of(const std::set<unsigned int> &iterations) const;
  VtuContents contents_of(unsigned int iteration,
                          const std::shared_ptr<const Fields> &fields,
                          const Facts &facts) const;
  /// If the compression of the mesh has ended: forget it unless all ranks have done their part. Collective.
  void look_at_mesh();
  /// Do something that throws if the last result cannot be written: then it is not in the series.
  template <typename Action>
  void attempt(const Action &action);

  const ElementMesh &mesh_;
  Material material_;
  const MaterialRatios &ratios_;
  std::function<std::int32_t(std::size_t)> material_id_;
  Communicator communicator_;
  std::string folder_;
  std::string base_name_;
  bool von_mises_;
  int n_threads_;
  ResultFields result_fields_;
  MeshInVtu mesh_in_vtu_;
  std::shared_ptr<CompressedArrays> prepared_mesh_; ///< nullptr: results compress their own
  std::string why_mesh_is_not_shared_;
  std::set<unsigned int> written_;
  unsigned int last_        = 0; ///< the iteration that was begun last
  bool is_compressing_mesh_ = false;
  bool mesh_failed_         = false; ///< this rank's part of it
  BackgroundSteps steps_;            ///< the last member: they use the others
};
} // namespace strut::plugin

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/output/global_node_numbers.h"

namespace strut::plugin
{
/// Writes designs for ParaView: one VTU file per iteration, whatever the number of ranks, and a PVD
/// for the series. Every file is written beside its name and renamed, so a killed run leaves whole
/// files only.
///
/// Files in the folder: `<base>-0012.vtu`; and `<base>.pvd`, where the time is the iteration.
///
/// Each node is in the file once, so that neighbours share it, also where ranks meet: filters see
/// one connected body. In single precision: the checkpoint is for going on, this is for looking.
class ResultWriter
{
public:
  struct LoadCaseResult
  {
    std::string name;
    std::vector<double> displacement; ///< `[3 * n_nodes]` in the numbering of the ElementMesh
    const std::vector<double> *forces = nullptr; ///< `[3 * n_owned_nodes]`; nullptr: not written
  };

  /// The other facts in the file.
  struct Facts
  {
    std::vector<std::string> remarks;                    ///< lines at its head
    std::vector<std::pair<std::string, double>> numbers; ///< objective and so on
  };

  /// Creates the folder. Collective; throws Error if that fails.
  ///
  /// @param material_ids  `[n_elements]`, in the order of the ElementMesh
  /// @param von_mises  also write the von Mises stress of each load case (at element centres, of the
  /// material at the element's stiffness factor)
  ResultWriter(const ElementMesh &mesh,
               const Material &material,
               std::vector<std::int32_t> material_ids,
               MPI_Comm communicator,
               std::string folder,
               std::string base_name,
               bool von_mises);

  /// Cell data `density`, `design_flag` (0 design, 1 solid, 2 void), `material_id`, `von_mises`.
  /// Point data `density_at_nodes` (mean of the elements around it), `displacement`, `support` (1 for
  /// each component that is prescribed) and `nodal_force`. With several load cases `displacement`,
  /// `nodal_force` and `von_mises` get `_<name>`, where other characters than letters, digits and '_'
  /// turn into '_'. Collective; if a file cannot be written, every rank throws the same Error. Ghost
  /// values of the displacement are not read.
  ///
  /// @param densities, stiffness  `[n_elements]`, in the order of the ElementMesh
  void write(unsigned int iteration,
             const std::vector<double> &densities,
             const std::vector<double> &stiffness,
             const std::vector<LoadCaseResult> &results,
             const Facts &facts = Facts());

  /// Path of the PVD file.
  std::string series_file() const;

  /// The iterations written so far, ascending; to continue the series after a restart.
  std::vector<unsigned int> written() const
  {
    return {written_.begin(), written_.end()};
  }
  void set_written(const std::vector<unsigned int> &iterations)
  {
    written_ = {iterations.begin(), iterations.end()};
  }

  /// Path of a file of this iteration. @param ending  ".vtu" and the like
  std::string file_of(unsigned int iteration, const std::string &ending) const
  {
    return folder_ + '/' + result_file(iteration, ending);
  }

private:
  std::string result_file(unsigned int iteration, const std::string &ending = ".vtu") const;
  void write_series() const;

  const ElementMesh &mesh_;
  Material material_;
  std::vector<std::int32_t> material_ids_;
  MPI_Comm communicator_;
  std::string folder_;
  std::string base_name_;
  bool von_mises_;
  GlobalNodeNumbers node_numbers_;
  std::set<unsigned int> written_;
};
} // namespace strut::plugin

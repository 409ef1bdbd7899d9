// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace dealii
{
template <int, int>
class DoFHandler;
}

namespace strut::plugin
{
/// Writes designs for ParaView: one VTU file a rank, a PVTU over them, and a PVD for the series.
/// Every file is written beside its name and renamed, so a killed run leaves whole files only.
class ResultWriter
{
public:
  struct LoadCaseResult
  {
    std::string         name;
    std::vector<double> displacement; ///< `[3 * n_nodes]` in the numbering of the ElementMesh
  };

  /// @param von_mises  also write the von Mises stress of each load case (at element centres, of the
  /// material at the element's stiffness factor)
  ResultWriter(const dealii::DoFHandler<3, 3> &dof_handler,
               const ElementMesh              &mesh,
               const Material                 &material,
               MPI_Comm                        communicator,
               std::string                     folder,
               std::string                     base_name,
               bool                            von_mises);

  /// Cell data `density`, `design_flag` (0 design, 1 solid, 2 void), point data `displacement`
  /// (`displacement_<name>` if there are several load cases). Collective.
  ///
  /// @param densities, stiffness  `[n_elements]`, in the order of the ElementMesh
  void
  write(unsigned int                       iteration,
        const std::vector<double>         &densities,
        const std::vector<double>         &stiffness,
        const std::vector<LoadCaseResult> &results);

  /// Path of the PVD file.
  std::string
  series_file() const;

  /// The iterations written so far; to continue the series after a restart.
  const std::vector<unsigned int> &
  written() const;
  void
  set_written(const std::vector<unsigned int> &iterations);

private:
  const dealii::DoFHandler<3, 3> &dof_handler_;
  const ElementMesh              &mesh_;
  Material                        material_;
  MPI_Comm                        communicator_;
  std::string                     folder_;
  std::string                     base_name_;
  bool                            von_mises_;
  std::vector<unsigned int>       written_;
};
} // namespace strut::plugin

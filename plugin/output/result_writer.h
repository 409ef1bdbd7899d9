// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// Writes designs for ParaView: one VTU file a rank, a PVTU over them, and a PVD for the series.
/// Every file is written beside its name and renamed, so a killed run leaves whole files only.
///
/// Files in the folder: `<base>-0012.vtu` with one rank, otherwise `<base>-0012.pvtu` over
/// `<base>-0012.0000.vtu` and so on; and `<base>.pvd`, where the time is the iteration.
///
/// deal.II's VTU gives each cell its own eight points and stores a constant of the cell at each of
/// them. In single precision: the checkpoint is for going on, this is for looking.
class ResultWriter
{
public:
  struct LoadCaseResult
  {
    std::string name;
    std::vector<double> displacement; ///< `[3 * n_nodes]` in the numbering of the ElementMesh
  };

  /// Creates the folder. Collective; throws Error if that fails.
  ///
  /// @param von_mises  also write the von Mises stress of each load case (at element centres, of the
  /// material at the element's stiffness factor)
  ResultWriter(const dealii::DoFHandler<3, 3> &dof_handler,
               const ElementMesh &mesh,
               const Material &material,
               MPI_Comm communicator,
               std::string folder,
               std::string base_name,
               bool von_mises);

  /// Constants of cells `density` and `design_flag` (0 design, 1 solid, 2 void); point data
  /// `displacement`; `von_mises`. With several load cases the last two get `_<name>`, where other
  /// characters than letters, digits and '_' turn into '_'. Collective; if a file cannot be written,
  /// every rank throws the same Error. Ghost values of the displacement are not read.
  ///
  /// @param densities, stiffness  `[n_elements]`, in the order of the ElementMesh
  void write(unsigned int iteration,
             const std::vector<double> &densities,
             const std::vector<double> &stiffness,
             const std::vector<LoadCaseResult> &results);

  /// Path of the PVD file.
  std::string series_file() const;

  /// The iterations written so far, ascending; to continue the series after a restart.
  const std::vector<unsigned int> &written() const;
  void set_written(const std::vector<unsigned int> &iterations);

private:
  std::string vtu_of_one_rank(const std::string &stem,
                              const std::vector<double> &densities,
                              const std::vector<double> &stiffness,
                              const std::vector<LoadCaseResult> &results,
                              unsigned int iteration,
                              std::string &pvtu) const;
  std::string stem(unsigned int iteration) const;
  void write_series() const;

  const dealii::DoFHandler<3, 3> &dof_handler_;
  const ElementMesh &mesh_;
  Material material_;
  MPI_Comm communicator_;
  std::string folder_;
  std::string base_name_;
  bool von_mises_;
  int rank_    = 0;
  int n_ranks_ = 1;
  std::vector<unsigned int> written_;
};
} // namespace strut::plugin

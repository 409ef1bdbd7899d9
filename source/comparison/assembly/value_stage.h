// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/mesh_arrays.h"
#include "source/comparison/assembly/sparse_pattern.h"
#include "source/comparison/assembly/stage_report.h"

#include <strut/element/material.h>

#include <string>

namespace strut
{
/// The method of stage 3 to compute the values.
enum class ValueMethod
{
  same_kernel, ///< integrates an element and assembles it at once, by atomics (Sanfui and Sharma)

  /// Element matrices are stored; one thread per element adds them by atomics (Sanfui and Sharma).
  separate_kernels,

  /// Element matrices are stored; each node collects its rows: no atomics, same bits in every run.
  gather,
  shared_nz ///< SharedNZ of Cecka, Lew and Darve (2011): element matrices of a group of elements
            ///< in shared memory, one thread per non-zero
};

std::string to_string(ValueMethod method);

/// The diagonal entry of a constrained DoF. The rest of its row and column is zero, so that the
/// matrix stays symmetric.
enum class ConstrainedDiagonal
{
  one,
  kept ///< the entry of the unconstrained matrix, which has the scale of its neighbours
};

struct ValueOptions
{
  ValueMethod method           = ValueMethod::gather;
  ConstrainedDiagonal diagonal = ConstrainedDiagonal::kept;

  /// Whether one thread integrates an element, as in Sanfui and Sharma (2020), instead of a team
  /// that shares its gradients. For backends with teams.
  bool one_thread_per_element = false;
};

/// Stage 3 of the matrix generation: the values `sum_e E_e (K0_e)` at their positions in a pattern,
/// of elastic elements with 3 DoFs per node. It is made once per mesh; assemble() is called for
/// each density.
///
/// It keeps references to its inputs.
template <typename Number>
class ValueStage
{
public:
  virtual ~ValueStage() = default;

  /// Computes and overwrites `values`.
  ///
  /// @param factors  E_e, `[n_elements]`
  /// @param values  `[pattern.n_stored]`; padding of ELL gets 0
  /// @param report  receives the steps, if given; each step is then waited for
  virtual void
  assemble(const Array<double> &factors, Array<Number> &values, StageReport *report = nullptr) = 0;

  /// The work of the constructor: element matrices, maps.
  const StageReport &preparation() const
  {
    return preparation_;
  }

  /// Bytes that the object keeps.
  double memory_bytes() const
  {
    return memory_bytes_;
  }

protected:
  StageReport preparation_;
  double memory_bytes_ = 0;
};

/// The input of stage 3.
struct ValueProblem
{
  const MeshArrays &mesh;
  Material material;
  const NeighbourMatrix &neighbours;
  const SparsePattern &pattern;
  ValueOptions options;
};

/// Bytes of element matrices and maps that stage 3 keeps, without the values.
double value_stage_memory_estimate(std::size_t n_elements,
                                   int nodes_per_element,
                                   std::size_t size_of_number,
                                   ValueMethod method);
} // namespace strut

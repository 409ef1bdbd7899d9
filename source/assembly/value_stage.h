// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/assembly/mesh_arrays.h"
#include "source/assembly/sparse_pattern.h"
#include "source/assembly/stage_report.h"

#include <strut/element/material.h>

#include <string>

namespace strut
{
/// How stage 3 makes the values.
enum class ValueMethod
{
  same_kernel,      ///< integrates and assembles an element at once, by atomics (Sanfui and Sharma)
  separate_kernels, ///< element matrices stored; one thread per element adds them by atomics (the same)
  gather,   ///< element matrices stored; each node collects its rows: no atomics, same bits always
  shared_nz ///< SharedNZ of Cecka, Lew and Darve (2011): element matrices of a group of elements
            ///< in shared memory, one thread per non-zero
};

std::string to_string(ValueMethod method);

/// The diagonal entry of a constrained DoF. The rest of its row and of its column is zero, so
/// that the matrix stays symmetric.
enum class ConstrainedDiagonal
{
  one,
  kept ///< the entry of the matrix without constraints: has the scale of its neighbours
};

struct ValueOptions
{
  ValueMethod method           = ValueMethod::gather;
  ConstrainedDiagonal diagonal = ConstrainedDiagonal::kept;

  /// Integrate an element with one thread, as Sanfui and Sharma (2020) do, and not with a team that shares its
  /// gradients. For backends with teams.
  bool one_thread_per_element = false;
};

/// Stage 3 of the matrix generation: values `sum_e E_e (K0_e)` in the places that a pattern has for them,
/// of elastic elements with 3 DoFs per node. Made once per mesh; assemble() again for each density.
///
/// Keeps references to all that it was made from.
template <typename Number>
class ValueStage
{
public:
  virtual ~ValueStage() = default;

  /// Overwrite `values`.
  /// @param factors  E_e, `[n_elements]` @param values  `[pattern.n_stored]`; padding of ELL gets 0
  /// @param report  receives the steps, if given; this then waits for each of them
  virtual void
  assemble(const Array<double> &factors, Array<Number> &values, StageReport *report = nullptr) = 0;

  /// The work that was done once, in the constructor: element matrices, maps.
  const StageReport &preparation() const
  {
    return preparation_;
  }

  /// Bytes kept for the lifetime.
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

/// Bytes that stage 3 keeps: element matrices, maps. Without the values themselves.
double value_stage_memory_estimate(std::size_t n_elements,
                                   int nodes_per_element,
                                   std::size_t size_of_number,
                                   ValueMethod method);
} // namespace strut

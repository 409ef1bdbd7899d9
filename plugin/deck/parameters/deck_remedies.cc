// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck_remedies.h"

namespace strut
{
WordedRemedy deck_remedy(const Remedy remedy)
{
  switch (remedy)
    {
      case Remedy::use_less_memory:
        return {"Use a coarser mesh, 'set Precision = float' (half the operator), another "
                "'Operator', or more ranks on more devices or machines."};
      case Remedy::use_less_device_memory:
        return {
          "Use 'set Precision = float', fewer elements, another 'Operator', more MPI ranks on "
          "more GPUs, or 'set Backend = cpu'."};
      case Remedy::use_operator_without_matrix:
        return {"Use fewer elements, 'set Precision = float', more MPI ranks, or an operator "
                "without a matrix: 'set Operator = on_the_fly'."};
      case Remedy::use_more_ranks_or_other_operator:
        return {"Use more ranks, a coarser mesh, or another 'Operator'."};
      case Remedy::build_with_cuda:
        return {"Either 'set Backend = cpu' (or auto), or build again where the CUDA toolkit is "
                "installed (cmake -DSTRUT_WITH_CUDA=ON)."};
      case Remedy::provide_gpu:
        return {"Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it, "
                "or 'set Backend = cpu' (or auto)."};
      case Remedy::communicate_through_host:
        return {
          "Give each rank a GPU of its own and put NCCL's folder into LD_LIBRARY_PATH, or 'set Communication = "
          "staged'."};
      case Remedy::use_other_operator:
        return {"Choose another 'Operator'."};
      case Remedy::allow_more_iterations:
        return {"Raise 'Maximum iterations' or 'Tolerance' in subsection Solver."};
      case Remedy::check_numbers:
        return {"Look for inverted elements, a density that is not a number, or an overflow; with "
                "'Precision = float' try double."};
      case Remedy::check_supports:
        return {"Look for supports that leave a rigid motion, inverted elements, or (with "
                "'Precision = float') a tolerance below what the precision can reach."};
      case Remedy::check_supports_or_use_jacobi:
        return {"Look for supports that leave a rigid motion; with a contrast of stiffness beyond "
                "1e12 'set Preconditioner = jacobi'."};
      case Remedy::use_other_preconditioner:
        return {"With multigrid try other 'Smoothing steps' or 'Preconditioner = jacobi' in "
                "subsection Solver; with Jacobi look for inverted elements."};
      case Remedy::use_jacobi_or_any_order:
        return {"'set Preconditioner = jacobi', or 'set Deterministic = false'."};
      case Remedy::refine_coarser_mesh:
        return {"Refine a coarser mesh ('set Refinements' in subsection Mesh), or 'set "
                "Preconditioner = jacobi'."};
      case Remedy::use_multigrid_or_double:
        return {"'set Preconditioner = multigrid', or 'set Precision = double'."};
      case Remedy::shrink_non_design_regions:
        return {plain_words(remedy), {"Non-design regions"}};
      case Remedy::raise_volume_fraction:
        return {"Raise 'Volume fraction', make the solid regions smaller, or 'set Count non-design "
                "volume = false'.",
                {"Optimization"},
                "Volume fraction"};
      case Remedy::raise_volume_fraction_or_keep_none:
        return {
          "Raise 'Volume fraction', load fewer elements, or 'set Solid elements = none' in the method's subsection of "
          "Optimization.",
          {"Optimization"},
          "Volume fraction"};
      case Remedy::set_filter_radius:
        return {plain_words(remedy), {"Optimization"}, "Filter radius"};
      case Remedy::raise_maximum_sharpness:
        return {plain_words(remedy), {"Optimization", "Projection"}, "Maximum sharpness"};
      default:
        return {plain_words(remedy)};
    }
}

std::string deck_message(const std::exception &exception)
{
  const auto *error = dynamic_cast<const Error *>(&exception);
  return error == nullptr ? exception.what()
                          : joined(error->reason, deck_remedy(error->remedy).sentence);
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/option_remedies.h"

namespace strut
{
std::string option_remedy(const Remedy remedy)
{
  switch (remedy)
    {
      case Remedy::use_less_memory:
      case Remedy::use_less_device_memory:
        return "Use StiffnessOperator<float>, another strategy, fewer elements, more MPI ranks on "
               "more GPUs, or StiffnessOptions::backend 'cpu'.";
      case Remedy::use_operator_without_matrix:
        return "Use StiffnessOperator<float>, fewer elements, more MPI ranks, or an operator "
               "without a matrix: StiffnessOptions::strategy 'on_the_fly'.";
      case Remedy::use_more_ranks_or_other_operator:
        return "Use more MPI ranks, a coarser mesh, or another StiffnessOptions::strategy.";
      case Remedy::build_with_cuda:
        return "Set StiffnessOptions::backend to 'cpu' (or 'auto'), or build strut again where the "
               "CUDA toolkit is installed (cmake -DSTRUT_WITH_CUDA=ON).";
      case Remedy::provide_gpu:
      case Remedy::choose_listed_gpu:
      case Remedy::check_gpu:
        return "Check StiffnessOptions::device (-1: GPUs in turn), that nvidia-smi lists a GPU with "
               "free memory and that CUDA_VISIBLE_DEVICES does not hide it, or set "
               "StiffnessOptions::backend to 'cpu'.";
      case Remedy::use_other_operator:
        return "Use another StiffnessOptions::strategy.";
      case Remedy::allow_more_iterations:
        return "Raise StiffnessOptions::max_iterations or tolerance.";
      case Remedy::check_numbers:
      case Remedy::check_supports:
      case Remedy::check_supports_or_use_jacobi:
      case Remedy::use_other_preconditioner:
        return "Look for parts that the constraints leave free to move, inverted elements, tangents "
               "that are not positive definite (a smaller load step has better ones), and "
               "factors 1e12 apart; or try another "
               "StiffnessOptions::preconditioner, precision 'auto', StiffnessOperator<double>, or a "
               "larger tolerance.";
      case Remedy::use_jacobi_or_any_order:
        return "Set StiffnessOptions::preconditioner to 'jacobi'.";
      case Remedy::refine_coarser_mesh:
        return "Refine a coarser mesh, or set StiffnessOptions::preconditioner to 'jacobi' (or "
               "'auto').";
      case Remedy::use_multigrid_or_double:
        return "Set StiffnessOptions::precision to 'auto'.";
      default:
        return plain_words(remedy);
    }
}
} // namespace strut

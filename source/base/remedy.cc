// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/remedy.h>

namespace strut
{
std::string plain_words(const Remedy remedy)
{
  switch (remedy)
    {
      case Remedy::none:
        break;
      case Remedy::use_less_memory:
        return "Use a coarser mesh, single precision, another operator, or more ranks on more "
               "machines.";
      case Remedy::use_less_device_memory:
        return "Use single precision, fewer elements, another operator, more MPI ranks on more "
               "GPUs, or the CPU.";
      case Remedy::use_operator_without_matrix:
        return "Use fewer elements, single precision, more MPI ranks, or an operator without a "
               "matrix ('on_the_fly').";
      case Remedy::use_more_ranks:
        return "Use a coarser mesh or more MPI ranks.";
      case Remedy::use_more_ranks_or_other_operator:
        return "Use more MPI ranks, a coarser mesh, or another operator.";
      case Remedy::build_with_cuda:
        return "Use the CPU, or build again where the CUDA toolkit is installed "
               "(cmake -DSTRUT_WITH_CUDA=ON).";
      case Remedy::build_for_this_gpu:
        return "Build again with -DCMAKE_CUDA_ARCHITECTURES=native on the machine that has the GPU.";
      case Remedy::provide_gpu:
        return "Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it, "
               "or use the CPU.";
      case Remedy::choose_listed_gpu:
        return "Choose one of these numbers.";
      case Remedy::check_gpu:
        return "Check that nvidia-smi lists the GPU, without errors and with free memory.";
      case Remedy::report_failed_kernel:
        return "A kernel before that call failed. Run again with CUDA_LAUNCH_BLOCKING=1 in the "
               "environment to see which, and please report it.";
      case Remedy::communicate_through_host:
        return "Give each rank a GPU of its own and put NCCL's folder into LD_LIBRARY_PATH, or communicate through "
               "host memory.";
      case Remedy::use_other_operator:
        return "Use another operator.";
      case Remedy::use_other_method:
        return "Choose another method of matrix generation.";
      case Remedy::allow_more_iterations:
        return "Raise the maximum of iterations or the tolerance.";
      case Remedy::check_numbers:
        return "Look for inverted elements, a density that is not a number, or an overflow; in "
               "single precision try double.";
      case Remedy::check_supports:
        return "Look for supports that leave a rigid motion, inverted elements, or (in single "
               "precision) a tolerance below what the precision can reach.";
      case Remedy::check_supports_or_use_jacobi:
        return "Look for supports that leave a rigid motion; with a contrast of stiffness beyond "
               "1e12 use Jacobi's preconditioner.";
      case Remedy::use_other_preconditioner:
        return "With multigrid try other numbers of smoothing steps or Jacobi's preconditioner; "
               "with Jacobi look for inverted elements.";
      case Remedy::use_jacobi_or_any_order:
        return "Use Jacobi's preconditioner, or do without the same bits in every run.";
      case Remedy::refine_coarser_mesh:
        return "Refine a coarser mesh, or use Jacobi's preconditioner.";
      case Remedy::use_multigrid_or_double:
        return "Use multigrid or double precision.";
      case Remedy::shrink_non_design_regions:
        return "Make them smaller.";
      case Remedy::raise_volume_fraction:
        return "Raise the volume fraction, make the solid regions smaller, or do not count them.";
      case Remedy::raise_volume_fraction_or_keep_none:
        return "Raise the volume fraction, load fewer elements, or keep none of them solid.";
      case Remedy::set_filter_radius:
        return "One and a half elements at least keep checkerboards away.";
      case Remedy::raise_maximum_sharpness:
        return "Raise the maximum, or begin with less.";
    }
  return "";
}

std::string joined(const std::string &reason, const std::string &sentence)
{
  return sentence.empty() ? reason : reason + "\n  " + sentence;
}
} // namespace strut

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/remedies.h"

namespace strut
{
WordedRemedy plain_remedy(const Remedy remedy)
{
  return {plain_words(remedy)};
}

WordedRemedy assembly_remedy(const Remedy remedy)
{
  switch (remedy)
    {
      case Remedy::use_less_memory:
      case Remedy::use_operator_without_matrix:
        return {"Use a coarser mesh, or 'set Precisions = float' in subsection Assembly."};
      case Remedy::use_less_device_memory:
        return {"Use a coarser mesh, 'set Precisions = float' in subsection Assembly, or 'set "
                "Backends = cpu'."};
      case Remedy::use_more_ranks: // the program runs on one rank
        return {"Use a coarser mesh."};
      case Remedy::build_with_cuda:
        return {"Either 'set Backends = cpu' (or auto), or build again where the CUDA toolkit is "
                "installed (cmake -DSTRUT_WITH_CUDA=ON)."};
      case Remedy::provide_gpu:
        return {"Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it, "
                "or 'set Backends = cpu' (or auto)."};
      case Remedy::use_other_method:
        return {"Choose other 'Methods' in subsection Assembly."};
      default:
        return plain_remedy(remedy);
    }
}

WordedRemedy comparison_remedy(const Remedy remedy)
{
  switch (remedy)
    {
      case Remedy::use_less_memory:
        return {"Use a coarser mesh, '--precisions float', other '--operators', or more ranks on "
                "more devices or machines."};
      case Remedy::use_less_device_memory:
        return {"Use '--precisions float', a coarser mesh, other '--operators', more ranks on more "
                "GPUs, or '--backends cpu'."};
      case Remedy::use_operator_without_matrix:
        return {"Use a coarser mesh, '--precisions float', more ranks, or '--operators' without a "
                "matrix, as on_the_fly."};
      case Remedy::use_more_ranks_or_other_operator:
        return {"Use more ranks, a coarser mesh, or other '--operators'."};
      case Remedy::build_with_cuda:
        return {"Use '--backends cpu', or build again where the CUDA toolkit is installed (cmake "
                "-DSTRUT_WITH_CUDA=ON)."};
      case Remedy::provide_gpu:
        return {"Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it, "
                "or use '--backends cpu'."};
      case Remedy::use_other_operator:
        return {"Leave it out of '--operators'."};
      case Remedy::check_numbers:
      case Remedy::check_supports:
      case Remedy::use_multigrid_or_double:
        return plain_remedy(remedy);
      default:
        return deck_remedy(remedy);
    }
}
} // namespace strut

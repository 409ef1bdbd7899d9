// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/remedies.h"

namespace strut::plugin
{
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
      case Remedy::use_more_ranks: // the program runs on one
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
        return {plain_words(remedy)};
    }
}
} // namespace strut::plugin

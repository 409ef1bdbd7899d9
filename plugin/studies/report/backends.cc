// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/backends.h"

#include <strut/base/exceptions.h>

#include <ctime>
#include <ostream>
#include <sstream>

#include "plugin/studies/report/choices.h"

namespace strut::plugin
{
namespace
{
std::string rate(const double per_second, const std::string &unit)
{
  std::ostringstream text;
  text.precision(4);
  text << 1e-9 * per_second << ' ' << unit;
  return text.str();
}
} // namespace

void choose_backends(std::vector<std::string> &backends,
                     const Communicator &communicator,
                     std::ostream &log)
{
  std::string reason;
  const bool no_gpu = communicator.any(n_cuda_devices(&reason) == 0);
  if (reason.empty())
    reason = "another rank has none";
  if (backends.empty())
    {
      if (no_gpu)
        log << "No GPU (" << reason << "): comparing on the CPU.\n";
      else
        backends.push_back("cuda");
      backends.push_back("cpu");
    }
  if (no_gpu && contains<std::string>(backends, "cuda"))
    throw Error("--backends cuda: there is no GPU to use (" + reason +
                ").\n  Use --backends cpu, or a machine and a build with CUDA.");
}

HardwareRates measure_rates(const ChosenBackend &chosen, const Communicator &communicator)
{
  // Ranks that share a memory share its bandwidth too, so all measure at the same time.
  communicator.any(false);
  const std::size_t copied = (std::size_t(1) << 30) / static_cast<std::size_t>(chosen.n_sharing);
  HardwareRates rates      = HardwareRates::measure(*chosen.backend, copied);
  rates.copy_bandwidth     = communicator.min(rates.copy_bandwidth);
  rates.flops_fp64         = communicator.min(rates.flops_fp64);
  rates.flops_fp32         = communicator.min(rates.flops_fp32);
  return rates;
}

std::string backend_key(const std::string &name, const unsigned int n_threads)
{
  return name + (name != "cpu"    ? ""
                 : n_threads == 1 ? " with 1 thread"
                                  : " with " + std::to_string(n_threads) + " threads");
}

std::string
backend_label(const Backend &backend, const HardwareRates &rates, const Communicator &communicator)
{
  return backend.device() + "; copy " + rate(rates.copy_bandwidth, "GB/s") + ", fp64 " +
         rate(rates.flops_fp64, "GFLOP/s") + ", fp32 " + rate(rates.flops_fp32, "GFLOP/s") +
         ", measured" + (communicator.size() > 1 ? ", each rank" : "");
}

std::string today()
{
  const std::time_t now = std::time(nullptr);
  char text[32]         = "";
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}
} // namespace strut::plugin

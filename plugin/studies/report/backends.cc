// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/backends.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <ctime>
#include <ostream>
#include <sstream>
#include <utility>

#include "plugin/studies/report/choices.h"

namespace strut
{
namespace
{
/// Measures on all ranks at the same time, as ranks that share a memory share its bandwidth.
HardwareRates measure_rates(const ChosenBackend &chosen,
                            const Communicator &communicator,
                            const std::size_t n_bytes)
{
  communicator.any(false);
  HardwareRates rates =
    HardwareRates::measure(*chosen.backend, n_bytes / static_cast<std::size_t>(chosen.n_sharing));
  rates.copy_bandwidth = communicator.min(rates.copy_bandwidth);
  rates.flops_fp64     = communicator.min(rates.flops_fp64);
  rates.flops_fp32     = communicator.min(rates.flops_fp32);
  return rates;
}

std::string describe(const Place &place, const Communicator &communicator)
{
  std::ostringstream text;
  text.precision(4);
  text << place.backend().device() << "; copy " << 1e-9 * place.rates.copy_bandwidth
       << " GB/s, fp64 " << 1e-9 * place.rates.flops_fp64 << " GFLOP/s, fp32 "
       << 1e-9 * place.rates.flops_fp32 << " GFLOP/s, measured"
       << (communicator.size() > 1 ? ", each rank" : "");
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

void for_each_place(const std::vector<std::string> &backends,
                    const std::vector<std::string> &threads,
                    const Communicator &communicator,
                    Label &label,
                    const std::function<void(Place)> &work,
                    const std::size_t n_bytes_on_cpu)
{
  const std::vector<std::string> one = {"1"};
  for (const std::string &name : backends)
    for (const std::string &text : name == "cuda" ? one : threads)
      {
        Place place{make_backend(name, to_threads(text), communicator), {}, 1, name, ""};
        place.n_threads = static_cast<unsigned int>(communicator.max(place.backend().n_threads()));
        if (name == "cpu")
          place.key += " with " + std::to_string(place.n_threads) +
                       (place.n_threads == 1 ? " thread" : " threads");
        if (std::any_of(label.begin(), label.end(), [&](auto &entry) {
              return entry.first == place.key;
            }))
          continue;
        place.rates = measure_rates(place.chosen,
                                    communicator,
                                    name == "cuda" ? std::size_t(1) << 30 : n_bytes_on_cpu);
        label.emplace_back(place.key, describe(place, communicator));
        place.text = place.key + ": " + label.back().second;
        work(std::move(place));
      }
}

std::string today()
{
  const std::time_t now = std::time(nullptr);
  char text[32]         = "";
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}
} // namespace strut

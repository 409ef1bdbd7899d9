// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/measure_generation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"
#include "source/comparison/assembly/assembly_operations.h"

namespace strut
{
namespace
{
std::string to_string(const NeighbourSort sort)
{
  return sort == NeighbourSort::warp        ? "warp sort"
         : sort == NeighbourSort::segmented ? "segmented sort"
         : sort == NeighbourSort::pairs     ? "pair sort"
                                            : "sequential sort";
}

/// Measurements of one mesh on one backend.
class Generation
{
public:
  Generation(const Place &where,
             const ElementMesh &mesh,
             const Material &material,
             const GenerationChoices &choices,
             AssemblyResults &results)
    : backend_(where.backend())
    , copy_bandwidth_(where.rates.copy_bandwidth)
    , element_(mesh.type.name)
    , mesh_(where.backend().memory(), mesh)
    , material_(material)
    , choices_(choices)
    , results_(results)
    , factors_(where.backend().memory(), generation_factors(mesh.n_elements))
  {}

  /// Measures the copy of the mesh to the device, allocations included.
  void upload(const ElementMesh &mesh)
  {
    if (backend_.memory().is_host())
      return;
    StageResult result = stage(stage_names::upload);
    std::vector<StageReport> reports;
    attempt(result, [&]() {
      repeat([&](const bool counts) {
        const std::size_t before = backend_.memory().in_use();
        const WallClock clock;
        const MeshArrays copy(backend_.memory(), mesh);
        backend_.synchronize();
        StageReport report;
        report.bytes = static_cast<double>(backend_.memory().in_use() - before);
        report.steps = {{"copy", clock.seconds(), report.bytes}};
        if (counts)
          reports.push_back(report);
      });
      set_times(result, reports);
    });
    results_.add(result);
  }

  void run()
  {
    if (!find_neighbours())
      return;
    count_nonzeros();
    for (const MatrixFormat format : choices_.formats)
      {
        SparsePattern pattern;
        const std::size_t before = backend_.memory().in_use();
        if (!make_pattern(format, pattern))
          continue;
        for (const Precision precision : choices_.precisions)
          with_number(precision, [&](const auto number) {
            make_values<std::decay_t<decltype(number)>>(precision, pattern, before);
          });
      }
  }

private:
  StageResult stage(const std::string &name) const
  {
    StageResult result;
    result.element        = element_;
    result.backend        = backend_.name();
    result.n_threads      = backend_.n_threads();
    result.stage          = name;
    result.copy_bandwidth = copy_bandwidth_;
    return result;
  }

  /// Does some work. An error (no memory, a refusal) becomes the status of the result.
  bool attempt(StageResult &result, const std::function<void()> &work) const
  {
    return attempt_part(Communicator(), result.status, work, "refused: ");
  }

  /// Calls run(counts) several times; `counts` says whether the run's report counts.
  void repeat(const std::function<void(bool counts)> &run) const
  {
    if (choices_.n_runs > 1)
      run(false);
    for (std::size_t k = 0; k < choices_.n_runs; ++k)
      run(true);
  }

  /// Measures a stage that makes an object anew in each run, and adds its result.
  template <typename Made, typename Make>
  bool measure_making(StageResult &result, Made &made, const Make &make)
  {
    std::vector<StageReport> reports;
    const bool done = attempt(result, [&]() {
      repeat([&](const bool counts) {
        StageReport report;
        made                     = Made(); // frees the old memory first
        const std::size_t before = backend_.memory().in_use();
        made                     = make(&report);
        result.memory_bytes      = static_cast<double>(backend_.memory().in_use() - before);
        if (counts)
          reports.push_back(report);
      });
      set_times(result, reports);
    });
    results_.add(result);
    return done;
  }

  bool find_neighbours()
  {
    const auto operations = assembly_operations(backend_);
    // the CPU uses std::sort regardless of the chosen sort
    const bool has_sorts = backend_.name() != "cpu";
    bool found           = false;
    for (const NeighbourSort sort : choices_.sorts)
      {
        StageResult result = stage(stage_names::neighbours);
        result.method      = has_sorts ? to_string(sort) : "std::sort";
        const auto find    = [&](StageReport *report) {
          return operations.find_neighbours(mesh_.connectivity, sort, report);
        };
        found = measure_making(result, neighbours_, find) || found;
        if (!has_sorts)
          break;
      }
    // the last sort may have failed for lack of memory
    if (found && neighbours_.n_nodes == 0)
      neighbours_ = operations.find_neighbours(mesh_.connectivity);
    return found;
  }

  void count_nonzeros()
  {
    for (MeshCounts &mesh : results_.meshes)
      if (mesh.element == element_)
        {
          mesh.n_nonzeros  = 9 * neighbours_.n_pairs;
          mesh.longest_row = 3 * neighbours_.longest_row;
        }
  }

  bool make_pattern(const MatrixFormat format, SparsePattern &pattern)
  {
    StageResult result = stage(stage_names::indices);
    result.format      = strut::to_string(format);
    return measure_making(result, pattern, [&](StageReport *report) {
      return assembly_operations(backend_).make_pattern(neighbours_, format, 3, report);
    });
  }

  /// @param before  bytes in use before the pattern was made
  template <typename Number>
  void
  make_values(const Precision precision, const SparsePattern &pattern, const std::size_t before)
  {
    MatrixMemory memory{element_,
                        backend_.name(),
                        strut::to_string(pattern.format),
                        strut::to_string(precision)};
    memory.estimate = index_bytes(pattern) + static_cast<double>(sizeof(Number) * pattern.n_stored);
    StageResult failure = stage(stage_names::values);
    failure.format      = memory.format;
    failure.precision   = memory.precision;
    Array<Number> values;
    const bool fits = attempt(failure, [&]() {
      require_memory(backend_.memory(),
                     static_cast<double>(sizeof(Number) * pattern.n_stored),
                     "the values of the matrix (" + memory.format + ")");
      values = Array<Number>(backend_.memory(), pattern.n_stored);
    });
    if (fits)
      memory.measured = static_cast<double>(backend_.memory().in_use() - before);
    if (std::none_of(results_.memory.begin(), results_.memory.end(), [&](const auto &other) {
          return other.element == memory.element && other.backend == memory.backend &&
                 other.format == memory.format && other.precision == memory.precision;
        }))
      results_.memory.push_back(memory);
    if (!fits)
      return results_.add(failure);

    const bool is_cpu = backend_.name() == "cpu";
    for (const ValueMethod method : choices_.methods)
      for (const bool one_thread : choices_.one_thread_per_element)
        {
          const bool first_way = one_thread == choices_.one_thread_per_element.front();
          // SharedNZ and the CPU have only one way to integrate. SharedNZ is measured with one
          // format only, because the host makes its lists in seconds, and they are the same for all
          // formats.
          if ((is_cpu && !first_way) || (method == ValueMethod::shared_nz &&
                                         (!first_way || pattern.format != format_of_shared_nz())))
            continue;
          StageResult result = failure;
          result.method      = strut::to_string(method);
          result.integration = is_cpu || method == ValueMethod::shared_nz ? "-"
                               : one_thread                               ? "one thread"
                                                                          : "team";
          measure_values(pattern,
                         {method, ConstrainedDiagonal::kept, one_thread && !is_cpu},
                         result,
                         values);
        }
  }

  /// CSR, if it is measured, else another format.
  MatrixFormat format_of_shared_nz() const
  {
    return contains(choices_.formats, MatrixFormat::csr) ? MatrixFormat::csr
                                                         : choices_.formats.front();
  }

  template <typename Number>
  void measure_values(const SparsePattern &pattern,
                      const ValueOptions &options,
                      StageResult &result,
                      Array<Number> &values)
  {
    StageResult once = result;
    once.stage       = stage_names::preparation;
    std::vector<StageReport> preparation, renewal;
    attempt(result, [&]() {
      const std::size_t before = backend_.memory().in_use();
      std::unique_ptr<ValueStage<Number>> made;
      repeat([&](const bool counts) {
        if (made == nullptr || options.method != ValueMethod::shared_nz)
          {
            made.reset(); // frees the old memory first
            made = assembly_operations(backend_).make_value_stage<Number>(
              {mesh_, material_, neighbours_, pattern, options});
          }
        StageReport report;
        // measured after another update, as in an optimization, because data of the preparation in
        // a GPU's caches change the time by up to 14 %
        if (backend_.name() != "cpu")
          made->assemble(factors_, values, nullptr);
        made->assemble(factors_, values, &report);
        once.memory_bytes = static_cast<double>(backend_.memory().in_use() - before);
        if (counts)
          {
            preparation.push_back(made->preparation());
            renewal.push_back(report);
          }
      });
      set_times(once, preparation);
      set_times(result, renewal);
      result.norm =
        std::sqrt(backend_.vector_operations<Number>().dot(values.size(), values, values));
      check_norm(results_, result, sizeof(Number) == sizeof(float) ? 1e-5 : 1e-12);
    });
    if (!once.steps.empty())
      results_.add(once);
    results_.add(result);
  }

  Backend &backend_;
  const double copy_bandwidth_;
  const std::string element_;
  const MeshArrays mesh_;
  const Material &material_;
  const GenerationChoices &choices_;
  AssemblyResults &results_;
  const Array<double> factors_;
  NeighbourMatrix neighbours_;
};
} // namespace

std::vector<double> generation_factors(const std::size_t n_elements)
{
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> distribution(0.01, 1.);
  std::vector<double> factors(n_elements);
  for (double &factor : factors)
    factor = distribution(generator);
  return factors;
}

void measure_generation(const Place &where,
                        const ElementMesh &mesh,
                        const Material &material,
                        const GenerationChoices &choices,
                        AssemblyResults &results)
{
  Generation generation(where, mesh, material, choices, results);
  generation.upload(mesh);
  generation.run();
}
} // namespace strut

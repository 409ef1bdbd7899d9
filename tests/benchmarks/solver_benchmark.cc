// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Measures conjugate gradients on a box of distorted elements, relative to the copy bandwidth of
// the same run. It measures the fused vector operations, an iteration whose operator only copies,
// and an iteration with Jacobi's preconditioner and a strategy.
//
//   strut_solver_benchmark [--backend=cuda|cpu] [--n=100] [--strategy=ebeSym]
//                          [--precision=double|float]
//
// n: elements per direction. --strategy=none: no mesh, vector work only. Prints Markdown.
#include "measure.h"
#include "source/backend/stopwatch.h"
#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/krylov/jacobi.h"

#ifdef STRUT_WITH_COMPARATORS
#  include "cuda/comparison/comparators/comparators.h"
#endif

namespace strut::test
{
namespace
{
constexpr unsigned int n_warm_up = 20; ///< iterations before the first that counts

struct Options
{
  std::string backend   = "cuda";
  std::size_t n         = 100;
  std::string strategy  = "ebeSym";
  std::string precision = "";
};

ElementMesh make_mesh(const std::size_t n)
{
  BoxMesh box = make_box(BoxOptions::regular({{n, n, n}}, {{1., 1., 1.}}, 0.2));
  hold_left_face(box);
  return sorted(box.mesh);
}

/// An operator that does only the minimum: it copies p to q.
template <typename Number>
class CopyOperator : public LinearOperator<Number>
{
public:
  explicit CopyOperator(const std::size_t n) : n_(n)
  {}
  void apply(Array<Number> &x, Array<Number> &y) override
  {
    y.copy_from(x);
  }
  std::size_t n_local() const override
  {
    return n_;
  }
  std::size_t n_owned() const override
  {
    return n_;
  }

private:
  std::size_t n_;
};

template <typename Number>
class RandomDiagonal : public Preconditioner<Number>
{
public:
  RandomDiagonal(Backend &backend, const std::size_t n)
    : d_(backend.memory(), random_vector<float>(n, 4, 1e-4, 1.))
  {}
  void apply(const Array<Number> &, Array<Number> &) override
  {}
  const Array<float> *inverse_diagonal() const override
  {
    return &d_;
  }

private:
  Array<float> d_;
};

/// Time of one iteration: the difference of solves with more and fewer iterations.
template <typename Number>
Spread time_iteration(Backend &backend,
                      LinearOperator<Number> &A,
                      Preconditioner<Number> &M,
                      const Array<Number> &b,
                      TimingTable &timing)
{
  ConjugateGradient<Number> solver(backend, Communicator(), timing);
  Array<Number> x(backend.memory(), A.n_local());
  const auto stopwatch = backend.make_stopwatch();
  const auto solve     = [&](const unsigned int n_iterations) {
    SolverControl control;
    control.tolerance      = 1e-30;
    control.max_iterations = n_iterations;
    x.set_zero();
    stopwatch->start();
    try
      {
        solver.solve(control, A, M, b, x);
      }
    catch (const SolverFailure &failure)
      {
        if (!failure.at_limit)
          throw;
      }
    return stopwatch->stop();
  };
  solve(n_warm_up);
  std::vector<double> seconds;
  for (int batch = 0; batch < n_batches; ++batch)
    {
      const double few = solve(n_warm_up);
      seconds.push_back((solve(n_warm_up + n_in_batch) - few) / n_in_batch);
    }
  return spread_of(seconds);
}

void print(const char *label,
           const char *precision,
           const Spread &time,
           const double bytes,
           const double bandwidth)
{
  std::printf("| %s | %s | %.2f | %.2f to %.2f |",
              label,
              precision,
              1e6 * time.median,
              1e6 * time.smallest,
              1e6 * time.largest);
  if (bytes > 0.)
    std::printf(" %.1f | %.0f | %.0f |\n",
                1e-6 * bytes,
                1e-9 * bytes / time.median,
                1e2 * bytes / time.median / bandwidth);
  else
    std::printf(" | | |\n");
  std::fflush(stdout);
}

template <typename Number>
void run(Backend &backend,
         const Options &options,
         const char *precision,
         const ElementMesh &mesh,
         const std::size_t n,
         const double bandwidth)
{
  if (!options.precision.empty() && options.precision != precision)
    return;
  const double dofs = static_cast<double>(n);
  auto &memory      = backend.memory();
  {
    // p.q < 0: no steps are taken, so that the vectors stay of size one however often this runs.
    Array<Number> p(memory, random_vector<Number>(n, 1, 0., 1.)),
      q(memory, random_vector<Number>(n, 2, -1., 0.)), r(memory, random_vector<Number>(n, 3)),
      x(memory, random_vector<Number>(n, 4));
    const Array<float> d(memory, random_vector<float>(n, 5, 1e-3, 2e-3));
    const auto updates  = backend.vector_operations<Number>().make_krylov_updates();
    const auto pass     = dofs * sizeof(Number);
    const auto diagonal = dofs * sizeof(float);
    const auto alone = [&](const char *label, const double bytes, const std::function<void()> &f) {
      print(label, precision, measure(backend, f), bytes, bandwidth);
    };
    alone("p.q", 2. * pass, [&]() { updates->curvature(n, p, q); });
    alone("r, r.z, r.r", 3. * pass + diagonal, [&]() { updates->reduce_residual(n, q, d, r); });
    alone("x, p", 5. * pass + diagonal, [&]() { updates->advance(n, d, r, p, x); });
    alone("all three, sums read", 10. * pass + 2. * diagonal, [&]() {
      updates->curvature(n, p, q);
      updates->reduce_residual(n, q, d, r);
      updates->advance(n, d, r, p, x);
      updates->sums();
    });
#ifdef STRUT_WITH_COMPARATORS
    if (backend.name() == "cuda")
      {
        cuda::ThrustIteration thrust(backend);
        Array<Number> z(memory, n);
        alone("all of them by Thrust (z stored)", 15. * pass + diagonal, [&]() {
          thrust.run(1., d, q, p, r, z, x);
        });
      }
#endif
    alone("x, r, r.r; r.z, z.q; p (z stored)", 12. * pass, [&]() {
      updates->step(n, p, q, x, r);
      updates->scalar_product(n, r, x);
      updates->next_direction(n, x, p);
    });
  }

  TimingTable timing;
  const Array<Number> b(memory, random_vector<Number>(n, 6));
  {
    CopyOperator<Number> A(n);
    RandomDiagonal<Number> M(backend, n);
    Array<Number> y(memory, n);
    print(
      "copy of a vector", precision, measure(backend, [&]() { y.copy_from(b); }), 0., bandwidth);
    print("iteration with A = 1, one copy",
          precision,
          time_iteration(backend, A, M, b, timing),
          0.,
          bandwidth);
  }
  if (options.strategy == "none")
    return;
  ElasticityOperator<Number> A(backend, Communicator(), mesh, Material(), options.strategy);
  A.set(Array<double>(memory, random_vector(mesh.n_elements, 7, 0.01, 1.)));
  JacobiPreconditioner<Number> M(backend);
  M.update(A);
  Array<Number> load(memory, b.to_host());
  A.zero_constrained(load);
  Array<Number> y(memory, n);
  print(("operator " + options.strategy).c_str(),
        precision,
        measure(backend, [&]() { A.apply(load, y); }),
        0.,
        bandwidth);
  print(("iteration with " + options.strategy).c_str(),
        precision,
        time_iteration(backend, A, M, load, timing),
        0.,
        bandwidth);
}

Options parse(const int argc, char **argv)
{
  Options options;
  CLI::App parser("times of the steps of conjugate gradients");
  parser.add_option("--backend", options.backend)->check(CLI::IsMember({"cuda", "cpu"}));
  parser.add_option("--n", options.n, "elements per direction")->check(CLI::Range(1, 1000));
  parser.add_option("--strategy", options.strategy, "or none: no mesh, vector work only");
  parser.add_option("--precision", options.precision)->check(CLI::IsMember({"double", "float"}));
  take_options(parser, argc, argv);
  return options;
}

int main_of(const int argc, char **argv)
{
  const Options options  = parse(argc, argv);
  const auto backend     = options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend();
  const std::size_t n    = 3 * (options.n + 1) * (options.n + 1) * (options.n + 1);
  const ElementMesh mesh = options.strategy == "none" ? ElementMesh() : make_mesh(options.n);
  const double bandwidth = copy_bandwidth(*backend);
  std::printf("%s\n%zu elements, %zu DoFs; copy %.0f GB/s, read and written; median of %d batches "
              "of %d\n\n",
              backend->device().c_str(),
              options.n * options.n * options.n,
              n,
              1e-9 * bandwidth,
              n_batches,
              n_in_batch);
  std::printf("| work | precision | us | smallest to largest | MB, compulsory | GB/s | %% of copy "
              "|\n|---|---|---|---|---|---|---|\n");
  run<double>(*backend, options, "double", mesh, n, bandwidth);
  run<float>(*backend, options, "float", mesh, n, bandwidth);
  return 0;
}
} // namespace
} // namespace strut::test

int main(int argc, char **argv)
{
  return strut::test::run_main([&]() { return strut::test::main_of(argc, argv); });
}

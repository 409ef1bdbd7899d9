#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# A preconditioner, a map of the design, a response, an update, a design method, an operator strategy, a law and an element
# are each one file and one line of their list (of an element, its include as well): copies of the lists with one more line, and one more file each, are compiled and linked with the core, and
# the new names are there, with their parameters.
# Loads and mesh sources have lists of the same form. What is compiled with them includes deal.II, which takes long: so
# only the form is checked, and that the function of each line is in the file of its name.
#
#   tests/one_line_test.sh SOURCE_DIR LIBRARY COMPILER [FLAG]...
set -euo pipefail
source=${1:?usage: one_line_test.sh SOURCE_DIR LIBRARY COMPILER [FLAG]...} library=$2 compiler=("${@:3}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# list FILE LINE: a copy with one more line, in front of the list
list() {
  awk -v line="$2" '{ print } /^#define STRUT_[A-Z_]*\(/ && !done { print "  " line " \\"; done = 1 }' "$source/source/$1" > "$(basename "$1")"
  [[ $(diff "$source/source/$1" "$(basename "$1")" | grep -c '^[<>]') -eq 1 ]] || {
    printf '%s has no list of one line per entry\n' "$1"
    exit 1
  }
}

# list_of FILE ENTRY FOLDER PREFIX: a list of deal.II code; each of its lines ENTRY(PREFIX<name>) has a FOLDER/<name>.cc
list_of() {
  local name names
  names=$(sed -nE "s/^  $2\($4([a-z_]+)\)( *\\\\)?\$/\1/p" "$source/plugin/$1")
  [[ -n $names ]] || {
    printf '%s has no list of one line per entry\n' "$1"
    exit 1
  }
  for name in $names; do
    grep -qE "^[A-Za-z:<>_]+ $4$name\(\)$" "$source/plugin/$3/$name.cc" || {
      printf '%s: %s/%s.cc has no function %s()\n' "$1" "$3" "$name" "$4$name"
      exit 1
    }
  done
}
list_of deck/problem/load_types.cc LOAD deck/problem/loads ''
list_of deck/mesh/mesh_sources.cc SOURCE deck/mesh make_
list solvers/krylov/preconditioners.cc 'PRECONDITIONER(mine_preconditioner)'
list optimization/maps/design_maps.cc 'MAP(mine_map)'
list optimization/responses/responses.cc 'RESPONSE(mine_response)'
list optimization/updates/design_updates.cc 'UPDATE(mine_update)'
list optimization/design_methods.cc 'METHOD(mine_method)'
list operators/strategies.cc 'STRATEGY(mine)'
list element/laws.cc 'LAW(mine_law)'

cat > mine_preconditioner.cc << 'END'
#include "source/solvers/krylov/jacobi.h"
namespace strut
{
namespace
{
struct Settings
{
  double damping      = 0.5;
  unsigned int sweeps = 2;

  void declare(ParameterList &list)
  {
    list.add("Damping", damping, {0., 1.}, "Of each sweep.");
    list.add("Sweeps", sweeps, {1, 9}, "How many.");
  }
};
} // namespace

PreconditionerEntry mine_preconditioner()
{
  PreconditionerEntry entry;
  entry.name       = "mine";
  entry.summary    = "as jacobi";
  entry.title      = "Mine";
  entry.parameters = parameters_of<Settings>();
  entry.obstacle   = [](const Communicator &, const Structure &structure) -> std::string {
    return structure.coarser.size() == 7 ? "seven is too many" : "";
  };
  entry.in_double  = [](Backend &backend, const Communicator &, const Structure &, const PreconditionerSettings &)
    -> std::unique_ptr<StiffnessPreconditioner<double>> {
    return std::make_unique<JacobiPreconditioner<double>>(backend);
  };
  return entry;
}
} // namespace strut
END
cat > mine_map.cc << 'END'
#include <strut/optimization/maps/design_map.h>
namespace strut
{
namespace
{
struct Settings
{
  double stretch      = 1.;
  unsigned int passes = 1;

  void declare(ParameterList &list)
  {
    list.add("Stretch", stretch, {0.5, 2.}, "Of the radius.");
    list.add("Passes", passes, {1, 9}, "How many.");
  }
};
class Mine : public DesignMap
{
public:
  Mine(Backend &, const Communicator &, const ElementMesh &, const MapSettings &)
  {}
  void forward(const Array<double> &x, Array<double> &y, const MapPoint &) override
  {
    y.copy_from(x);
  }
  void backward(const Array<double> &, Array<double> &, const MapPoint &) override
  {}
  bool is_affine() const override
  {
    return true;
  }
};
} // namespace

DesignMapEntry mine_map()
{
  return {"mine", "leaves all as it is", &make_map<Mine>, parameters_of<Settings>()};
}
} // namespace strut
END
cat > mine_response.cc << 'END'
#include <strut/optimization/responses/response.h>
namespace strut
{
namespace
{
struct Settings
{
  double exponent = 2.;

  void declare(ParameterList &list)
  {
    list.add("Exponent", exponent, {1., 100.}, "Of the norm.");
  }
};
} // namespace

ResponseEntry mine_response()
{
  ResponseEntry entry = {"mine", "none", nullptr};
  entry.parameters    = parameters_of<Settings>();
  return entry;
}
} // namespace strut
END
cat > mine_update.cc << 'END'
#include "source/optimization/updates/design_update.h"
namespace strut
{
namespace
{
struct Settings
{
  double haste = 0.5;

  void declare(ParameterList &list)
  {
    list.add("Haste", haste, {0., 1.}, "Of each step.");
  }
};
} // namespace

DesignUpdateEntry mine_update()
{
  DesignUpdateEntry entry = {"mine", "none", nullptr};
  entry.parameters        = parameters_of<Settings>();
  return entry;
}
} // namespace strut
END
cat > mine_method.cc << 'END'
#include "source/optimization/design_methods.h"
namespace strut
{
namespace
{
struct Settings
{
  double patience = 7.;

  void declare(ParameterList &list)
  {
    list.add("Patience", patience, {0., 9.}, "Of the designer.");
  }
};
} // namespace

DesignMethodEntry mine_method()
{
  return {"mine", "none", nullptr, nullptr, parameters_of<Settings>()};
}
} // namespace strut
END
cat > mine.cc << 'END'
#include "source/operators/strategy_pair.h"
namespace strut::cpu
{
StrategyPair mine()
{
  const auto nothing = [](const OperatorSize &) { return 0.; };
  return {{"mine", "none", true, nothing, nullptr}, {"mine", "none", true, nothing, nullptr}};
}
} // namespace strut::cpu
END
cat > mine_law.cc << 'END'
#include <strut/element/law.h>
#include <strut/element/material.h>
namespace strut
{
Law mine_law()
{
  return {"mine", 1, &Law::lame, [](const Material &material, const double *const own, double *const lame) {
            lame[0] = material.lambda();
            lame[1] = material.mu() * own[0];
          }};
}
} // namespace strut
END
# The element is a hexahedron with a bubble in its centre. The strategy `ebe` is compiled with the longer list.
mkdir -p source/element/types
awk '{ print } /^#include "source\/element\/types\/hex8.h"/ { print "#include \"source/element/types/hex9.h\"" }
  /^using Elements = / { print "                            Hex9," }' "$source/source/element/elements.h" > source/element/elements.h
[[ $(diff "$source/source/element/elements.h" source/element/elements.h | grep -c '^>') -eq 2 ]] || {
  echo 'source/element/elements.h has no list of one line per element'
  exit 1
}
cat > source/element/types/hex9.h << 'END'
#pragma once
#include "source/element/types/hex20.h"
#include "source/element/types/hex8.h"
namespace strut
{
struct Hex9
{
  static constexpr int n_nodes             = 9;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 27;
  static constexpr const char *name        = "hex9";
  static constexpr int vtk_type            = 12;
  static constexpr int vtk_node(const int k)
  {
    return k < 8 ? Hex8::vtk_node(k) : k;
  }
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    return node < 8 ? Hex8::position(node, d) : 1;
  }
  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    const Number bubble = 64 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
    return node < 8 ? Hex8::shape_value(node, x) - bubble / 8 : bubble;
  }
  template <typename Number>
  STRUT_HOST_DEVICE static void shape_gradient(const int node, const Number (&x)[3], Number (&gradient)[3])
  {
    if (node < 8)
      Hex8::shape_gradient(node, x, gradient);
    for (int d = 0; d < 3; ++d)
      {
        const Number y = x[(d + 1) % 3], z = x[(d + 2) % 3];
        const Number of_bubble = 64 * (1 - 2 * x[d]) * y * (1 - y) * z * (1 - z);
        gradient[d]            = node < 8 ? gradient[d] - of_bubble / 8 : of_bubble;
      }
  }
  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    return Hex20::quadrature_point(q, x);
  }
};
} // namespace strut
END
cat > patch.cc << 'END'
#include "source/element/elements.h"
#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/krylov/jacobi.h"
#include <strut/backend/backend.h>
#include <strut/backend/timing.h>
#include <strut/solvers/elasticity_operator.h>
#include <cmath>
// Solves with linear displacements prescribed at the boundary of 2 x 2 x 2 distorted elements, and returns the largest
// error inside.
double error_of_patch()
{
  using namespace strut;
  ElementMesh mesh;
  mesh.type       = type_of<Hex9>();
  mesh.n_elements = 8;
  mesh.n_nodes = mesh.n_owned_nodes = 27 + 8;
  mesh.connectivity.resize(9 * 8);
  mesh.coordinates.assign(3 * mesh.n_nodes, 0.);
  mesh.flags.assign(8, DesignFlag::design);
  std::vector<std::array<double, 3>> x(mesh.n_nodes);
  for (int n = 0; n < 27; ++n)
    for (int d = 0, at = n; d < 3; ++d, at /= 3)
      x[n][d] = at % 3 + 0.15 * std::sin(7. * n + d);
  for (int e = 0; e < 8; ++e)
    {
      for (int v = 0; v < 8; ++v)
        {
          const int node = (e & 1) + (v & 1) + 3 * ((e >> 1 & 1) + (v >> 1 & 1)) + 9 * ((e >> 2) + (v >> 2));
          mesh.connectivity[v * 8 + e] = node;
          for (int d = 0; d < 3; ++d)
            x[27 + e][d] += x[node][d] / 8;
        }
      mesh.connectivity[8 * 8 + e] = 27 + e;
    }
  const double H[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}, {-0.6, 0.2, 0.1}};
  std::vector<double> exact(3 * mesh.n_nodes, 0.);
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    for (int i = 0; i < 3; ++i)
      {
        mesh.coordinates[i * mesh.n_nodes + n] = x[n][i];
        for (int j = 0; j < 3; ++j)
          exact[3 * n + i] += H[i][j] * x[n][j];
        if (n < 27 && n != 13)
          {
            mesh.constrained_dofs.push_back(3 * n + i);
            mesh.constrained_values.push_back(exact[3 * n + i]);
          }
      }
  const auto backend = make_cpu_backend(1);
  ElasticityOperator<double> K(*backend, Communicator(), mesh, Material{1., 0.3}, "ebe");
  const Array<double> factors(backend->memory(), std::vector<double>(8, 1.));
  K.set(factors);
  JacobiPreconditioner<double> M(*backend);
  M.update(K, factors);
  Array<double> b(backend->memory(), exact.size()), g(backend->memory(), exact.size()), u(backend->memory(), exact.size());
  K.lift(g, b); // b = K g, with the prescribed values g
  std::vector<double> right = b.to_host();
  for (double &value : right)
    value = -value;
  for (const LocalIndex dof : mesh.constrained_dofs)
    right[dof] = 0.;
  b.copy_from_host(right);
  TimingTable timing;
  SolverControl control;
  control.criterion      = SolverControl::Criterion::relative;
  control.tolerance      = 1e-13;
  control.max_iterations = 500;
  u.set_zero();
  ConjugateGradient<double>(*backend, Communicator(), timing).solve(control, K, M, b, u);
  const std::vector<double> found = u.to_host();
  double error                    = 0.;
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    for (int i = 0; i < 3; ++i)
      // A bubble of the element is 0 for a linear displacement: the node is at the mean of the vertices.
      if (n == 13 || n >= 27)
        error = std::max(error, std::abs(found[3 * n + i] - exact[3 * n + i]));
  return error;
}
END
cat > main.cc << 'END'
#include "source/base/registry.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/updates/design_update.h"
#include <strut/backend/backend.h>
#include <strut/element/law.h>
#include <strut/optimization/maps/design_map.h>
#include <strut/optimization/responses/response.h>
#include <strut/solvers/krylov/preconditioner.h>
#include <iostream>
double error_of_patch();
int main()
{
  using namespace strut;
  if (const double error = error_of_patch(); !(error < 1e-10))
    std::cout << "the element fails its patch test by " << error << '\n';
  std::cout << names_in(find_preconditioner("mine").parameters) << "; " << names_in(find_design_map("mine").parameters)
            << "; " << names_in(find_response("mine").parameters) << "; "
            << names_in(find_design_update("mine").parameters) << "; "
            << names_in(find_design_method("mine").parameters) << "; "
            << find_named(cpu_strategies<double>(), "mine", "strategy").name
            << find_named(cpu_strategies<float>(), "mine", "strategy").name;
  for (const Law &law : laws())
    std::cout << (law.name == std::string("mine") ? std::string("; a law by ") + law.known().name : "");
  std::cout << '\n';
  // "auto" takes the first that can be made
  const auto choose = [](const Precision precision, const std::size_t n_coarser) {
    const ElementMesh mesh;
    const MeshHierarchy coarser(n_coarser);
    const PreconditionerChoice choice = choose_preconditioner("auto", precision, Communicator(), {mesh, {}, coarser});
    std::cout << choice.name << (choice.obstacle.empty() ? "" : ": " + choice.obstacle) << '\n';
  };
  choose(Precision::fp64, 1);
  choose(Precision::fp32, 1);
  choose(Precision::fp64, 7);
  const auto backend = make_cpu_backend(1);
  ElementMesh mesh;
  const auto map = find_design_map("mine").make(*backend, Communicator(), mesh, {1.});
  const auto preconditioner =
    find_preconditioner("mine").in_double(*backend, Communicator(), {mesh}, PreconditionerSettings{"mine"});
  return map != nullptr && preconditioner != nullptr ? 0 : 1;
}
END
for file in *.cc "$source/source/operators/ebe.cc"; do
  "${compiler[0]}" -I"$folder" "${compiler[@]:1}" -O0 -c "$file" &
  (($(jobs -rp | wc -l) < 2)) || wait -n
done
wait
"${compiler[0]}" ./*.o "$library" "${compiler[@]:1}" -o lists
said=$(./lists)
expected='Damping, Sweeps; Stretch, Passes; Exponent; Haste; Patience; minemine; a law by Lame'\''s parameters
mine
multigrid
multigrid: seven is too many'
[[ $said == "$expected" ]] || {
  printf 'expected: %s\nsaid:     %s\n' "$expected" "$said"
  exit 1
}
echo 'one file and one line each'

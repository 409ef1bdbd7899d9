#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Optimizes one box of linear tetrahedra by strut and by FEniTop on the same cores, one after the other.

    git clone https://github.com/missionlab/fenitop      # needs dolfinx 0.5 to 0.7; Debian 12: python3-dolfinx
    /usr/bin/python3 doc/scripts/beside_fenitop.py build/strut fenitop -o beside-fenitop.md

FEniTop has MPI ranks, strut as many threads. Both have the same mesh, material, load, Helmholtz filter, tanh
projection and optimality criteria. FEniTop runs as its authors wrote it, with their solver of beam_3d.py, but
without the picture. It runs once more with rigid body modes for the multigrid of PETSc, and with the tolerance
for the same norm of the residual as strut's. Prints Markdown.
"""
import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

YOUNG, POISSON = 100.0, 0.25
SOFT = 1e-6  # stiffness of void
MOVE = 0.05
TOLERANCE = 1e-5
SIZE = (2.0, 1.0, 1.0)


def box(comm, cells):
    """FEniTop's own kind of mesh: cubes that dolfinx cuts into six tetrahedra."""
    from dolfinx.mesh import CellType, create_box

    return create_box(comm, [[0.0, 0.0, 0.0], list(SIZE)], [2 * cells, cells, cells], CellType.tetrahedron)


def write_mesh(path, cells):
    """The mesh of dolfinx as a file of Gmsh, with the loaded face x = 2 as surface 2."""
    import numpy as np
    from mpi4py import MPI

    mesh = box(MPI.COMM_SELF, cells)
    x = mesh.geometry.x
    tets = np.asarray(mesh.geometry.dofmap.array).reshape(-1, 4).copy()
    edges = x[tets[:, 1:]] - x[tets[:, :1]]
    negative = np.linalg.det(edges) < 0
    tets[negative, 2], tets[negative, 3] = tets[negative, 3], tets[negative, 2]
    faces = np.concatenate([tets[:, [0, 1, 2]], tets[:, [0, 1, 3]], tets[:, [0, 2, 3]], tets[:, [1, 2, 3]]])
    faces = faces[np.all(x[faces, 0] > SIZE[0] - 1e-9, axis=1)]
    with open(path, "w") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(x)}\n")
        out.writelines(f"{n + 1} {p[0]!r} {p[1]!r} {p[2]!r}\n" for n, p in enumerate(x.tolist()))
        out.write(f"$EndNodes\n$Elements\n{len(faces) + len(tets)}\n")
        number = 0
        for kind, tag, cells_of_kind in ((2, 2, faces), (4, 1, tets)):
            for cell in (cells_of_kind + 1).tolist():
                number += 1
                out.write(f"{number} {kind} 2 {tag} {tag} {' '.join(map(str, cell))}\n")
        out.write("$EndElements\n")
    print(json.dumps({"nodes": len(x), "elements": len(tets)}))


def give_rigid_modes(problem):
    """The six rigid motions as near null space of the matrix."""
    import numpy as np
    from dolfinx import la
    from petsc4py import PETSc

    space = problem.u.function_space
    dofs = space.dofmap.index_map
    p = space.tabulate_dof_coordinates()[: dofs.size_local]
    zero, one = np.zeros(len(p)), np.ones(len(p))
    modes = [(one, zero, zero), (zero, one, zero), (zero, zero, one), (-p[:, 1], p[:, 0], zero), (zero, -p[:, 2], p[:, 1]),
             (p[:, 2], zero, -p[:, 0])]
    vectors = []
    for mode in modes:
        vector = la.create_petsc_vector(dofs, 3)
        vector.array[:] = np.stack(mode, axis=1).ravel()
        for other in vectors:
            vector.axpy(-vector.dot(other), other)
        vector.normalize()
        vectors.append(vector)
    problem.lhs_mat.setNearNullSpace(PETSc.NullSpace().create(vectors=vectors))


def run_fenitop(options):
    """One run of FEniTop, on each rank."""
    sys.path.insert(0, options.fenitop)
    sys.modules["pyvista"] = type(sys)("pyvista")  # for its picture alone
    import dolfinx.la

    if not hasattr(dolfinx.la, "create_petsc_vector_wrap"):  # another name in 0.5
        import dolfinx.cpp

        dolfinx.la.create_petsc_vector_wrap = dolfinx.cpp.la.petsc.create_vector_wrap
    import fenitop.fem
    import fenitop.topopt
    import numpy as np
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    iterations = []
    reasons = []
    problems = []

    class Problem(fenitop.fem.LinearProblem):
        """Counts iterations."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            if options.rigid_modes:
                give_rigid_modes(self)
            problems.append(self)

        def solve_fem(self):
            super().solve_fem()
            iterations.append(self.solver.getIterationNumber())
            reasons.append(int(self.solver.getConvergedReason()))

    class NoPlotter:
        """In place of the picture."""

        def __init__(self, mesh):
            pass

        def plot(self, density):
            pass

    fenitop.fem.LinearProblem = Problem
    fenitop.topopt.Plotter = NoPlotter
    values = []
    evaluate = fenitop.topopt.Sensitivity.evaluate

    def evaluate_and_keep(self):
        result = evaluate(self)
        values.append(result[0][0])
        return result

    fenitop.topopt.Sensitivity.evaluate = evaluate_and_keep
    none = lambda x: np.full(x.shape[1], False)
    fem = {
        "mesh": box(comm, options.cells),
        "mesh_serial": box(MPI.COMM_SELF, options.cells) if comm.rank == 0 else None,
        "young's modulus": YOUNG,
        "poisson's ratio": POISSON,
        "disp_bc": lambda x: np.isclose(x[0], 0),
        "traction_bcs": [[(0, 0, -1.0), lambda x: np.isclose(x[0], SIZE[0])]],
        "body_force": (0, 0, 0),
        "quadrature_degree": 2,
        "petsc_options": {"ksp_type": "cg", "pc_type": "gamg", "ksp_rtol": options.tolerance,
                          "ksp_norm_type": "unpreconditioned" if options.rigid_modes else "preconditioned"},
    }
    opt = {
        "max_iter": options.designs,
        "opt_tol": 1e-12,
        "vol_frac": options.volume,
        "solid_zone": none,
        "void_zone": none,
        "penalty": 3.0,
        "epsilon": SOFT,
        "filter_radius": 1.0 / options.cells,
        "beta_interval": 10**6,
        "beta_max": 1,
        "use_oc": True,
        "move": MOVE,
        "opt_compliance": True,
    }
    fenitop.topopt.topopt(fem, opt)
    problem = problems[0]
    residual = problem.rhs_vec.copy()
    problem.lhs_mat.mult(problem.u_wrap, residual)
    residual.axpy(-1.0, problem.rhs_vec)
    relative = residual.norm() / problem.rhs_vec.norm()
    if comm.rank == 0:
        print("\n" + json.dumps({"compliances": values, "iterations": iterations, "residual": relative,
                                 "failed": sum(reason < 0 for reason in reasons)}))


def fenitop(options, ranks, **settings):
    """Compliances, iterations, seconds of each design, of the whole."""
    command = ["mpirun", "-n", str(ranks), sys.executable, str(pathlib.Path(__file__).resolve()), options.strut, options.fenitop,
               "--part", "fenitop"]
    for name, value in settings.items():
        command += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        whole = time.perf_counter() - start
    if run.returncode != 0:
        raise SystemExit(run.stdout + run.stderr)
    result = json.loads(run.stdout.strip().splitlines()[-1])
    result["seconds"] = [float(t) for t in re.findall(r"opt_time: (\S+) \(s\)", run.stdout)]
    result["whole"] = whole
    return result


DECK = """
set Backend = cpu
subsection Mesh
  set Type = file
  subsection File
    set File name = box.msh
  end
end
subsection Material
  set Young's modulus = {young}
  set Poisson's ratio = {poisson}
end
subsection Supports
  subsection wall
    set Expression = x < xmin + tol
  end
end
subsection Loads
  subsection end
    set Boundary ids = 2
    set Type         = traction
    set Value        = 0, 0, -1
  end
end
subsection Optimization
  set Maps               = helmholtz, projection
  set Filter radius      = {radius!r}
  set Interpolation      = modified simp
  set Minimum stiffness  = {soft}
  set Minimum density    = 1e-9
  set Move limit         = {move}
  set Stopping criterion = none
  subsection Projection
    set Sharpness         = 1
    set Maximum sharpness = 1
  end
end
subsection Output
  set Checkpoint every = 0
  set Report           = false
end
"""


def strut(options, folder, threads, designs, volume, precision, tolerance):
    """The same of strut."""
    output = folder / "output"
    settings = [f"Threads = {threads}", f"Precision = {precision}", f"Optimization / Maximum iterations = {designs}",
                f"Optimization / Volume fraction = {volume}", f"Solver / Tolerance = {tolerance}"]
    command = [options.strut, str(folder / "box.prm"), "--output", str(output)] + [w for s in settings for w in ("--set", s)]
    start = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True)
    whole = time.perf_counter() - start
    if run.returncode not in (0, 3):
        raise SystemExit(run.stdout + run.stderr)
    with open(output / "history.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {"compliances": [float(r["compliance"]) for r in rows], "iterations": [int(r["solver_iterations"]) for r in rows],
            "residual": float(rows[-1]["residual"]), "seconds": [float(r["seconds"]) for r in rows], "whole": whole}


def version_of(command):
    """The first line that a program prints."""
    return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]


def model_of_cpu():
    """As Linux names it."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())


def row(name, runs):
    """Of the table: seconds are medians over the runs."""
    designs = [statistics.median(r["seconds"]) for r in runs]
    totals = [sum(r["seconds"]) for r in runs]
    wholes = [r["whole"] for r in runs]
    last = runs[-1]
    if last.get("failed", 0) > 0:
        name += f" ({last['failed']} solves failed)"
    between = lambda v: f"{statistics.median(v):.3g} | {min(v):.3g} to {max(v):.3g}"
    iterations = last["iterations"]
    return (f"| {name} | {iterations[0]} | {min(iterations)} to {max(iterations)} | {between(designs)} | {statistics.median(totals):.3g}"
            f" | {between(wholes)} | {last['compliances'][0]:.7f} | {last['compliances'][-1]:.6f} |")


def compare(options):
    """Runs all, and prints the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "box.prm").write_text(DECK.format(young=YOUNG, poisson=POISSON, soft=SOFT, move=MOVE,
                                                    radius=2 * math.sqrt(3) / options.cells))
        made = subprocess.run([sys.executable, __file__, options.strut, options.fenitop, "--part", "mesh", "--cells",
                               str(options.cells), "-o", str(folder / "box.msh")], check=True, capture_output=True, text=True)
        mesh = json.loads(made.stdout)
        fenitop(options, options.cores, cells=4, designs=1)  # compiles the forms

        # (1) The solid body and the first design, to a strict tolerance.
        first = []
        uniform = 0.5 * (1 + math.tanh(options.volume - 0.5) / math.tanh(0.5))  # FEniTop projects its first design
        for body, volume, projected in (("solid", 1.0, 1.0), (f"density {uniform:.4f}", options.volume, uniform)):
            theirs = fenitop(options, options.cores, cells=options.cells, designs=1, volume=volume, tolerance=1e-10, rigid_modes=True)
            ours = strut(options, folder, options.cores, 1, projected, "double", 1e-10)
            first.append((body, theirs["compliances"][0], ours["compliances"][0]))

        # (2) The designs, in turn.
        kinds = {
            "FEniTop": lambda: fenitop(options, options.cores, cells=options.cells, designs=options.designs, volume=options.volume),
            "FEniTop, rigid body modes": lambda: fenitop(options, options.cores, cells=options.cells, designs=options.designs,
                                                         volume=options.volume, rigid_modes=True),
            "strut, double": lambda: strut(options, folder, options.cores, options.designs, options.volume, "double", TOLERANCE),
            "strut, mixed": lambda: strut(options, folder, options.cores, options.designs, options.volume, "mixed", TOLERANCE),
        }
        runs = {kind: [] for kind in kinds}
        for _ in range(options.runs):
            for kind, work in kinds.items():
                runs[kind].append(work())
    lines = [
        "# strut beside FEniTop",
        "",
        f"- date: {datetime.date.today()}",
        f"- {version_of([options.strut, '--version'])}",
        f"- FEniTop: of {version_of(['git', '-C', options.fenitop, 'log', '-1', '--format=%cs'])}, dolfinx "
        + version_of([sys.executable, "-c", "import dolfinx; print(dolfinx.__version__)"]) + ", PETSc "
        + version_of([sys.executable, "-c", "from petsc4py import PETSc; print('.'.join(map(str, PETSc.Sys.getVersion())))"]),
        f"- {options.cores} cores of: {model_of_cpu()}; FEniTop with a rank per core, strut with a thread per core",
        f"- box 2:1:1, {mesh['elements']} linear tetrahedra, {3 * mesh['nodes']} degrees of freedom",
        f"- {options.designs} designs, {options.runs} runs in turn: medians and extremes; tolerance {TOLERANCE:g}",
        "- residual of the last design, abs(f - K u) / abs(f): "
        + "; ".join(f"{kind} {r[-1]['residual']:.1e}" for kind, r in runs.items()),
        "",
        "| compliance, tolerance 1e-10 | FEniTop | strut | difference |",
        "|---|---:|---:|---:|",
    ]
    lines += [f"| {body} | {a:.10f} | {b:.10f} | {abs(a - b) / a:.1e} |" for body, a, b in first]
    lines += [
        "",
        "| program | CG iterations, first | all designs | s per design | range | s, all designs | whole, s | range | first compliance "
        "| last |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [row(kind, r) for kind, r in runs.items()]
    median = lambda kind, of: statistics.median(of(r) for r in runs[kind])
    lines += ["", "| beside strut, mixed | s, all designs | whole |", "|---|---:|---:|"]
    for kind in ("FEniTop", "FEniTop, rigid body modes", "strut, double"):
        ratios = [median(kind, of) / median("strut, mixed", of) for of in (lambda r: sum(r["seconds"]), lambda r: r["whole"])]
        lines.append(f"| {kind} | {ratios[0]:.1f} | {ratios[1]:.1f} |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.output:
        options.output.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strut")
    parser.add_argument("fenitop", help="a clone of its repository")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--cells", type=int, default=30, help="cubes along the short sides")
    parser.add_argument("--designs", type=int, default=10)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--part", choices=("mesh", "fenitop"), help=argparse.SUPPRESS)
    parser.add_argument("--volume", type=float, default=0.3)
    parser.add_argument("--tolerance", type=float, default=TOLERANCE)
    parser.add_argument("--rigid-modes", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.fenitop = str(pathlib.Path(options.fenitop).resolve())
    options.strut = str(pathlib.Path(options.strut).resolve())
    if options.part == "mesh":
        write_mesh(options.output, options.cells)
    elif options.part == "fenitop":
        run_fenitop(options)
    else:
        compare(options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Random decks whose supports end anywhere: does multigrid hold, in how few iterations?

Boxes, L-beams, plates with a half circle, hollow cylinders and connecting rods on feet, corners, edges, parts of walls or
bores; 1 to 3 load cases; void and solid regions; stiffness contrasts to 1e-9; 1 to 3 ranks. Each deck runs as it is, to
1e-5; then, for --compared designs, to 1e-8 with multigrid and with Jacobi's preconditioner (at 1e-5 designs drift apart).
A deck fails if the program ends otherwise than with exit code 0, if it had to fall back on another preconditioner, if a
solve took more than --most iterations, or if the compliances differ by more than 1e-6. Many iterations are no failure
where they come from an island: a solid region in void, which next to nothing holds; without the region the same deck
must stay below --most.

What a deck asks for may be impossible, such as supports that let the structure turn. The program then refuses it, and
another deck of the same number is made, so that as many run as are asked for.

    tests/fuzz/supports.py build/strut --decks 1000 --jobs 2
    tests/fuzz/supports.py build/strut --decks 200 --backend cuda

A deck is its number: the same number gives the same deck on every machine. Python's standard library alone.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ITERATIONS = 8
ATTEMPTS = 40

# Messages about decks that ask for the impossible.
REFUSALS = ("rigid motion", "selects no", "holds no", "no node", "no boundary", "supported nodes", "do no work", "overlap",
            "are held", "cannot be met", "No load")


def box(r):
    halvings = r.choice((1, 2, 2, 3))
    n = [r.randint(1, (8, 4, 2)[halvings - 1]) << halvings for _ in range(3)]
    n[0] *= 2
    size = [k * r.choice((0.5, 0.5, 0.75)) for k in n]
    mesh = f"""  set Type = box
  subsection Box
    set Size     = {size[0]}, {size[1]}, {size[2]}
    set Elements = {n[0]}, {n[1]}, {n[2]}
  end"""
    return mesh, size, [0.0] * 3, 0.5, None


def l_beam(r):
    cells = 2 * r.randint(1, 2)
    layers = 2 * r.randint(1, 3)
    mesh = f"""  set Type = l beam
  subsection L beam
    set Cells per fifth = {cells}
    set Layers          = {layers}
  end"""
    return mesh, [5 * cells, 5 * cells, layers], [0.0] * 3, 1.0, None


def hollow_cylinder(r):
    around = 4 * r.randint(4, 8)
    mesh = f"""  set Type = hollow cylinder
  subsection Hollow cylinder
    set Inner radius             = 2
    set Outer radius             = 4
    set Length                   = 6
    set Elements radial          = {2 * r.randint(1, 3)}
    set Elements circumferential = {around}
    set Elements axial           = {4 * r.randint(1, 4)}
  end
  set Additional refinements = {r.choice((0, 1))}"""
    return mesh, [8, 8, 6], [-4, -4, 0], 0.7, (0, 1)


def michell(r):
    mesh = f"""  set Type = michell
  subsection Michell
    set Length    = 20
    set Height    = 16
    set Radius    = 4
    set Thickness = 2
    set Elements along arc   = {8 * r.randint(1, 3)}
    set Elements from arc    = {4 * r.randint(1, 2)}
    set Elements to far side = {4 * r.randint(1, 3)}
    set Layers               = {2 * r.randint(1, 2)}
  end"""
    return mesh, [20, 16, 2], [0, -8, 0], 1.0, (0,)


def patch(r, size, low, h):
    """A condition for a rectangle of one side of the bounding box, and the side's axis."""
    axis = r.randrange(3)
    at = ("min", "max")[r.randrange(2)]
    letter = "xyz"[axis]
    conditions = [f"{letter} < {letter}min + tol" if at == "min" else f"{letter} > {letter}max - tol"]
    for d in range(3):
        if d == axis or r.random() < 0.25:
            continue
        width = r.uniform(0, 0.4) * size[d] + 0.51 * h
        middle = low[d] + r.choice((0, size[d], r.uniform(0, size[d])))
        conditions.append(f"abs({'xyz'[d]} - {middle:.4f}) < {width:.4f}")
    return " && ".join(conditions), axis


def deck(number, attempt, backend):
    r = random.Random(number if attempt == 0 else f"{number}/{attempt}")
    mesh, size, low, h, bores = r.choice((box, box, box, box, l_beam, hollow_cylinder, michell))(r)
    lines = [f"set Backend = {backend}", "set Threads = 1", "subsection Mesh", mesh, "end", "subsection Supports"]
    for k in range(r.choice((1, 1, 2, 2, 3, 4))):
        lines.append(f"  subsection support {k}")
        if bores and r.random() < 0.4:
            lines.append(f"    set Boundary ids = {r.choice(bores)}")
            if r.random() < 0.5:
                lines.append(f"    set Expression = {r.choice('yz')} < {low[2] + r.uniform(0.2, 0.8) * size[2]:.4f}")
        else:
            condition, axis = patch(r, size, low, h)
            lines.append(f"    set Expression = {condition}")
            if k > 0 and r.random() < 0.3:
                lines.append(f"    set Components = {'xyz'[axis]}")
        lines.append("  end")
    lines += ["end", "subsection Loads"]
    for k in range(r.choice((1, 1, 2, 3))):
        condition, _ = patch(r, size, low, h)
        force = ", ".join(f"{r.uniform(-1, 1):.3f}" for _ in range(3))
        lines += [f"  subsection load {k}", f"    set Load case = {k + 1}", f"    set Expression = {condition}",
                  "    set Type = total force", f"    set Value = {force}", "  end"]
    lines.append("end")
    if r.random() < 0.3:
        middle = [low[d] + r.uniform(0.3, 0.7) * size[d] for d in range(3)]
        radius = r.uniform(1, 2) * h + 0.15 * min(size)
        ball = " + ".join(f"({'xyz'[d]} - {middle[d]:.3f})^2" for d in range(3))
        lines += ["subsection Non-design regions", "  subsection hole", f"    set Expression = {ball} < {radius ** 2:.4f}",
                  f"    set Density = {r.choice(('void', 'solid'))}", "  end", "end"]
    minimum = r.choice((0.1, 1e-2, 1e-3, 1e-3))
    lines += ["subsection Optimization", f"  set Volume fraction = {r.uniform(0.2, 0.6):.3f}",
              f"  set Filter radius = {r.uniform(1.2, 2.5) * h:.3f}", f"  set Minimum density = {minimum}",
              f"  set Maximum iterations = {ITERATIONS}", "end",
              "subsection Solver", "  set Tolerance = 1e-5", "end",
              "subsection Output", "  set Results every = 0", "  set Checkpoint every = 0", "end"]
    return "\n".join(lines) + "\n", r.choice((1, 1, 1, 2, 3))


def run(options, folder, number, text, ranks, extra):
    name = f"d{number}-{len(extra)}"
    path = folder / f"{name}.prm"
    path.write_text(text)
    command = [options.program, path, "--output", folder / name]
    for entry in extra:
        command += ["--set", entry]
    if ranks > 1:
        command = ["mpirun", "--oversubscribe", "-n", str(ranks)] + command
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_hwloc_base_binding_policy="none", OMP_NUM_THREADS="1")
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=options.seconds,
                           env=environment)
    rows = []
    history = folder / name / "history.csv"
    if history.exists():
        rows = list(csv.DictReader(history.open()))
    return ended, rows


def most_iterations(rows, text):
    """Iterations per load case of the design that took most."""
    return max(float(row["solver_iterations"]) for row in rows) / text.count("set Load case")


def without_solid_region(text):
    begin, end = text.index("subsection Non-design"), text.index("subsection Optimization")
    return text[:begin] + text[end:]


def compare(options, folder, number, text, ranks):
    """Largest relative difference of compliances between multigrid and Jacobi, or why there is none."""
    tight = ["Solver/Tolerance = 1e-8", f"Optimization/Maximum iterations = {options.compared}"]
    jacobi = "Solver/Preconditioner = jacobi"
    try:
        _, rows = run(options, folder, number, text, ranks, tight)
        ended, other = run(options, folder, number, text, ranks, tight + [jacobi, "Solver/Maximum iterations = 100000"])
    except subprocess.TimeoutExpired:
        return "over time"
    if ended.returncode != 0:
        return "failed"
    if len(rows) != options.compared or len(other) != options.compared:
        return "without rows"
    return max(abs(float(a["compliance"]) / float(b["compliance"]) - 1) for a, b in zip(rows, other))


def try_deck(options, number):
    """-> (how it ended, most iterations per solve, refusals before, text)."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"supports-{number}-"))
    try:
        for attempt in range(ATTEMPTS):
            text, ranks = deck(number, attempt, options.backend)
            try:
                ended, rows = run(options, folder, number, text, ranks, [])
            except subprocess.TimeoutExpired:
                return "over time", 0, attempt, text
            refused = ended.returncode == 1 and any(word in ended.stderr for word in REFUSALS)
            without_levels = ended.returncode == 0 and "multigrid" not in ended.stdout
            if not refused and not without_levels:
                break
            shutil.rmtree(folder / f"d{number}-0", ignore_errors=True)
        if ended.returncode != 0:
            return "failed", 0, attempt, ended.stderr + text
        if "from here on" in ended.stdout:
            return "fell back", 0, attempt, text + ended.stdout
        most = most_iterations(rows, text)
        how = "good"
        if most > options.most:
            if "set Density = solid" not in text:
                return "many iterations", most, attempt, text
            without = without_solid_region(text)
            _, rows = run(options, folder, number, without, ranks, ["Output/Results every = 0"])
            if not rows or most_iterations(rows, without) > options.most:
                return "many iterations", most, attempt, text
            how = "good (island)"
        if options.compared > 0:
            gap = compare(options, folder, number, text, ranks)
            if isinstance(gap, str):
                return f"{how}, Jacobi {gap}", most, attempt, ""
            if gap > 1e-6:
                return "other compliance", most, attempt, f"difference {gap:.2e}\n" + text
        return how, most, attempt, text
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--decks", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--most", type=float, default=60, help="iterations per solve")
    parser.add_argument("--seconds", type=float, default=120, help="limit of a run")
    parser.add_argument("--compared", type=int, default=4, metavar="N", help="designs to compare with Jacobi's; 0: none")
    parser.add_argument("--write", type=int, metavar="NUMBER", help="print this deck and end")
    parser.add_argument("--attempt", type=int, default=0, help="for --write: the how-many-th deck of this number")
    options = parser.parse_args()
    options.program = options.program.resolve()
    if options.write is not None:
        print(deck(options.write, options.attempt, options.backend)[0])
        return 0
    counts, largest, n_refused = {}, [], 0
    numbers = range(options.first, options.first + options.decks)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, (how, most, attempt, text) in zip(numbers, pool.map(lambda n: try_deck(options, n), numbers)):
            counts[how] = counts.get(how, 0) + 1
            n_refused += attempt
            if most > 0:
                largest.append(most)
            if how != "good":
                print(f"deck {number}, attempt {attempt}: {how}, {most:g} iterations\n{text[:1800]}\n", flush=True)
    print(f"{options.decks} decks from number {options.first}: " +
          ", ".join(f"{count} {how}" for how, count in sorted(counts.items())) +
          f"; {n_refused} that ask for what is impossible came before them; iterations per solve: "
          f"{max(largest, default=0):g} at most, {sum(largest) / max(1, len(largest)):.1f} on average of the decks' largest")
    return 0 if all(how.startswith("good") for how in counts) else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Tables with the figures of Martinez-Frutos and Herrero-Perez (2017), and of Schmidt and Schulz (2009), beside ours;
sources_tables.py puts them into pages."""
import textwrap

from sources_data import RESULTS, Run, label_of, lines_of, mark_of, number, runs, source, table

PROBLEMS = {"mast": "mast", "bridge": "bridge", "mbb": "MBB"}
# Columns of the source's table 3: solver, outside elements, its heading, its column.
SOLVERS = [("jacobi", "include", "Jacobi**", "jacobi_include"), ("jacobi", "exclude", "Jacobi*", "jacobi_exclude"),
           ("multigrid", "include", "multigrid**", "multigrid_include"), ("multigrid", "exclude", "multigrid*", "")]
TOLERANCES = ("1e-5", "3e-7")
# Runs with more than a tolerance in their names, as sources_study.py calls them.
VARIANTS = {**{f"{tolerance}-source-{damping}": f"`sqrt(r.z)` / abs(f) {tolerance}, the source's cycle, damped by {damping}"
               for tolerance in ("1e-12", "1e-8") for damping in ("0.4", "0.6")}, "1e-5-factor": "1e-5, redistribution factor"}

# What precedes a table, since pages must not announce one whose data are not there.
INTRODUCTIONS = {
    "evolution-times": ("**Table 3 of the source beside ours.** Solves, stress and volume over all analyses, in seconds. `*`: without "
                        "outside elements, `**`: with them. The tolerances are those of |r| / |f|; we take the source's 1e-12 "
                        "for some 3e-7. In brackets: the number of analyses of that run, where it differs from the second column.",
                        "'evolution-*-exclude-*' 'evolution-*-include-*' 'evolution-mbb-*'"),
    "evolution-iterations": ("**Iterations and memory** (figure 12 and table 2 of the source). Its multigrid has one step of damped "
                             "Jacobi before and after, which the rows of the source's cycle repeat. Compliances in J.",
                             "'evolution-*-exclude-*' 'evolution-*-include-*' 'evolution-*-source-*' 'evolution-mbb-*'"),
    "evolution-processors": ("**The CPU beside the GPU.** The first analyses ran on the CPU. `~`: extrapolated, seconds per PCG iteration "
                             "of these analyses times the iterations of all of the GPU's. \"Source\": its one thread over its "
                             "Tesla K40; it has no time on all cores.", "'evolution-*-cpu*'"),
    "evolution-residuals": ("**The residual of the first analysis** (figure 11 of the source): iterations and seconds to each |r| / |f|, "
                            "on the GPU.", "'evolution-*-residuals-*'"),
    "slides-gradients": ("**1,000 iterations on 180 x 180 x 360 nodes.** The time of an iteration, operator and vectors, times 1,000.",
                         "'slides-cg-*'"),
    "slides-designs": ("**One-shot designs.** A few iterations for each design; the last one is solved to the tolerance of its deck.",
                       "'slides-designs-*' 'slides-line-*'"),
}


def with_label(name, text, found):
    """The table between its introduction and command, and the label of its runs."""
    introduction, pieces = INTRODUCTIONS[name]
    command = f"    doc/scripts/sources_study.py {pieces}"
    introduction = textwrap.fill(introduction, 100)
    return f"{introduction}\n\n{command}\n\n{text}\n\n{label_of(found, text)}" if text else ""


def whole(run):
    """Whether an evolution ended by itself."""
    return run.label.get("status") == "converged"


def cell(run, value, analyses):
    """A number of a run, with its number of analyses where that is not the one of the row, or not all."""
    if run is None:
        return ""
    count = len(run.rows)
    note = f" ({count} analyses, not all)" if not whole(run) else f" ({count} analyses)" if count != analyses else ""
    return number(value) + mark_of(run) + note


def evolution_times():
    """Table 3: seconds over all analyses."""
    found, rows, used = runs("evolutionary"), [], []
    theirs = {(row["problem"], row["machine"]): row for row in source("evolution-times")}
    analyses = {row["problem"]: row["analyses"] for row in source("evolution-problems")}
    for problem, text in PROBLEMS.items():
        ours = []
        for tolerance in TOLERANCES:
            names = {(solver, outside): f"{problem}-{solver}-{outside}-{tolerance}" for solver, outside, *_ in SOLVERS}
            chosen = {key: found.get(name) for key, name in names.items()}
            present = [run for run in chosen.values() if run]
            if not present:
                continue
            used += present
            first = next((run for run in present if whole(run)), present[0])
            count = len(first.rows)
            ours.append([f"{text}, strut, GPU, to {tolerance}", str(count),
                         *(cell(run, run and run.solve_seconds, count) for run in chosen.values()),
                         *(cell(first, first.seconds.get(section), count) for section in ("stress", "volume fractions"))])
        if ours:
            for machine in ("CPU", "Tesla K40"):
                row = theirs.get((problem, machine))
                if row:
                    name = "source, CPU, one thread" if machine == "CPU" else "source, Tesla K40"
                    rows.append([f"{text}, {name}", analyses[problem], *(row.get(column, "") for *_, column in SOLVERS),
                                 row["stress"], row["volume"]])
            rows += ours
    headers = ["", "analyses", *(heading for _, _, heading, _ in SOLVERS), "stress", "volume"]
    return with_label("evolution-times", table(headers, rows), used)


def evolution_iterations():
    """Figure 12, and memory of table 2: PCG iterations per analysis."""
    rows, used = [], []
    theirs = {row["problem"]: f"{row['lowest']} to {row['highest']}" for row in source("evolution-iterations")}
    memory = {row["problem"]: row for row in source("evolution-problems")}
    for name, run in runs("evolutionary", untimed="*-*-*clude-*").items():
        if name.endswith(("cpu1", "cpuall")):
            continue
        problem, solver, outside, tolerance = name.split("-", 3)
        used.append(run)
        mebibytes = float(memory[problem][f"{solver}_mb"])
        rows.append([PROBLEMS[problem], f"{solver}, {outside}", VARIANTS.get(tolerance, tolerance), str(len(run.rows)) + ("" if whole(run) else ", not all"),
                     number(run.iterations / len(run.rows)), number(max(row["solver_iterations"] for row in run.rows)),
                     theirs.get(problem, "") if solver == "multigrid" and outside == "include" else "",
                     number(1e-6 * run.memory.get("backend", float("nan"))), number(1.048576 * mebibytes),
                     number(run.rows[-1]["compliance"], 5)])
    headers = ["", "solver, outside elements", "tolerance", "analyses", "iterations, mean", "most", "source: iterations",
               "memory, MB", "source: MB", "last compliance"]
    return with_label("evolution-iterations", table(headers, rows, 3), used)


def evolution_processors():
    """The CPU beside the GPU: the analyses that ran on both, and all by their iterations, which all machines share."""
    found, rows, used = runs("evolutionary"), [], []
    theirs = {(row["problem"], row["machine"]): row for row in source("evolution-times")}
    for problem, text in PROBLEMS.items():
        for solver in ("jacobi", "multigrid"):
            gpu = found.get(f"{problem}-{solver}-exclude-1e-5")
            for place, where in (("cpu1", "one thread"), ("cpuall", "all cores")):
                cpu = found.get(f"{problem}-{solver}-exclude-1e-5-{place}")
                if gpu is None or cpu is None:
                    continue
                used += [gpu, cpu]
                column = "jacobi_exclude" if solver == "jacobi" else "multigrid_include"
                source_ratios = [number(float(theirs[problem, "CPU"][name]) / float(theirs[problem, "Tesla K40"][name]))
                                 for name in (column, "stress", "volume")]
                all_seconds = cpu.solve_seconds * gpu.iterations / cpu.iterations
                same = [sum(row["seconds"] for row in run.rows[:len(cpu.rows)]) for run in (cpu, gpu)]
                ratios = [cpu.seconds.get(section, float("nan")) / len(cpu.rows) * len(gpu.rows) / gpu.seconds.get(section, float("nan"))
                          for section in ("stress", "volume fractions")]
                mark = mark_of(gpu)
                rows.append([f"{text}, {solver}", where, str(len(cpu.rows)), number(same[0]), number(same[1]) + mark,
                             number(same[0] / same[1]), "~" + number(all_seconds), number(gpu.solve_seconds) + mark,
                             "~" + number(all_seconds / gpu.solve_seconds), source_ratios[0], number(ratios[0]), source_ratios[1],
                             number(ratios[1]), source_ratios[2]])
    headers = ["", "CPU", "analyses run", "these on the CPU, s", "on the GPU, s", "ratio", "all solves by iterations, CPU, s",
               "GPU, s", "ratio", "source", "stress, per analysis: ratio", "source", "volume: ratio", "source"]
    return with_label("evolution-processors", table(headers, rows, 2), used)


def evolution_residuals():
    """Figure 11: the first analysis to one tolerance after the other."""
    headers, rows, used = [], [], []
    for problem, text in PROBLEMS.items():
        for solver in ("jacobi", "multigrid"):
            file = RESULTS / "evolutionary" / f"{problem}-{solver}-residuals.csv"
            if file.is_file():
                used.append(Run(file))
                points = [line.split(",") for line in lines_of(file)[1][1:]]
                headers = ["", "", *(point[0] for point in points)]
                rows.append([f"{text}, {solver}", "iterations", *(point[1] for point in points)])
                rows.append([f"{text}, {solver}", "s", *(number(float(point[3])) for point in points)])
    return with_label("evolution-residuals", table(headers, rows, 2), used)


def slides_gradients():
    """The time of 1,000 iterations of conjugate gradients."""
    rows, used = [], []
    for name, run in runs("one-shot").items():
        if not name.startswith("cg-"):
            continue
        used.append(run)
        _, operator, precision, place = name.split("-")
        where = {"gpu": "GPU", "cpu1": "CPU, one thread", "cpuall": "CPU, all cores"}[place]
        each = [1e3 * run.seconds[section] / run.calls[section] for section in ("operator", "PCG vectors")]
        rows.append([where + mark_of(run), f"`{operator}`", precision, *map(number, each), number(run.calls["operator"]), number(sum(each))])
    headers = ["", "operator", "precision", "operator, ms", "PCG vectors, ms", "iterations timed, about", "1,000 iterations, s"]
    return with_label("slides-gradients", table(headers, rows, 3), used)


def slides_designs():
    """One-shot designs."""
    found, rows, used = runs("one-shot"), [], []
    for name, run in found.items():
        if not name.startswith("cg-"):
            used.append(run)
            last = run.rows[-1]
            deck, solver, iterations = name.rsplit("-", 2)
            rows.append([f"`{deck}.prm`, {solver}, {iterations}", f"{float(run.label['unknowns']) + float(run.label['elements']):,.0f}", str(len(run.rows)),
                         f"{run.calls['operator']:,}", number(last.get("compliance", last.get("objective")), 6),
                         f"{last['volume_fraction']:.3f}", number(run.loop_seconds) + mark_of(run), number(run.program_seconds) + mark_of(run)])
    headers = ["deck, preconditioner, iterations per design", "unknowns", "designs", "products in all", "compliance of the last", "volume", "loop, s", "program, s"]
    return with_label("slides-designs", table(headers, rows), used)


TABLES = {"evolution-times": evolution_times, "evolution-iterations": evolution_iterations,
          "evolution-processors": evolution_processors, "evolution-residuals": evolution_residuals,
          "slides-gradients": slides_gradients, "slides-designs": slides_designs}

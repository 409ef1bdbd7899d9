# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Markdown tables of the study of matrix generation."""
from assembly_data import (FORMATS, INDICES, KINDS, LIBRARIES, MESHES, NEIGHBOURS, PREPARATION, VALUES, markdown, number,
                           variant)


def meshes(study):
    rows, seen = [], set()
    for row in sorted(study.memory, key=lambda row: row["backend"] != "cuda"):
        key = (row["kind"], row["size"])
        if key in seen or row["precision"] != "double":
            continue
        seen.add(key)
        bytes_of = {other["format"]: other for other in study.memory
                    if (other["kind"], other["size"], other["backend"], other["precision"])
                    == (*key, row["backend"], "double")}
        rows.append([MESHES[row["kind"]], *(f"{row[name]:,}" for name in ("elements", "nodes", "dofs", "nonzeros")),
                     str(row["longest_row"])]
                    + [number(1e-6 * bytes_of[f][which], 4) if f in bytes_of else "-"
                       for f in FORMATS for which in ("estimated_bytes", "measured_bytes")])
    rows.sort(key=lambda r: (list(MESHES.values()).index(r[0]), int(r[3].replace(",", ""))))
    headers = ["mesh", "elements", "nodes", "DoFs", "non-zeros", "longest row"]
    headers += [f"{f} {what}, MB" for f in FORMATS for what in ("estimated", "measured")]
    return markdown(headers, rows)


def stages(study, kind):
    """The largest mesh of a kind on the GPU: every step of every stage in double, formats side by side where they differ."""
    sizes = study.sizes(kind)
    if not sizes:
        return None
    size, rows = sizes[-1][0], []
    for row in study.steps:
        if (row["kind"], row["size"], row["backend"]) != (kind, size, "cuda") or row["precision"] == "float":
            continue
        if row["format"] == "COO" and row["stage"] in (PREPARATION, VALUES):
            continue  # the places of CSR
        rows.append([row["stage"], row["format"], variant(row["method"], row["integration"]),
                     "**all**" if row["step"] == "all" else row["step"], number(1e3 * row["median_s"]),
                     f"{number(1e3 * row['min_s'])}..{number(1e3 * row['max_s'])}", number(1e-6 * row["bytes"], 4),
                     number(row["gbytes_per_s"]), number(row["percent_of_copy"]),
                     "" if row["status"] == "ok" else row["status"]])
    return markdown(["stage", "format", "variant", "step", "ms", "range", "MB", "GB/s", "% of copy", ""], rows, 4)


def generations(study):
    """Whole generation of the largest meshes by each method, double beside float."""
    rows = []
    for kind in ["box", *KINDS]:
        for size, dofs in study.sizes(kind)[-1:]:
            where = {"kind": kind, "size": size, "backend": "cuda"}
            found = dict.fromkeys((row["method"], row["integration"]) for row in study.rows(stage=VALUES, **where))
            for method, integration in found:
                cells = []
                for precision in ("double", "float"):
                    values = {"method": method, "integration": integration, "precision": precision, "format": "CSR"}
                    update = study.rows(stage=VALUES, **values, **where)
                    cells += [number(1e3 * study.once(**values, **where)), number(1e3 * study.median(stage=VALUES, **values, **where)),
                              number(update[0]["percent_of_copy"]) if update else "-",
                              number(1e3 * study.generation(method, integration, precision=precision, **where))]
                rows.append([MESHES[kind], f"{dofs:,}", number(1e3 * study.median(stage=NEIGHBOURS, **where)),
                             number(1e3 * study.median(stage=INDICES, format="CSR", **where)),
                             variant(method, integration), *cells])
    headers = ["mesh", "DoFs", "neighbours ms", "indices ms", "method"]
    for precision in ("double", "float"):
        headers += [f"{precision}: once ms", "values ms", "% of copy", "all ms"]
    return markdown(headers, rows)


def ratios(study):
    """The comparisons of Sanfui and Sharma (2020): same against separate kernels, and against SharedNZ, values and all they need."""
    rows = []
    for kind in ["box", *KINDS]:
        for size, dofs in study.sizes(kind):
            cells = []
            for precision in ("double", "float"):
                where = {"kind": kind, "size": size, "backend": "cuda", "precision": precision, "format": "CSR"}

                def seconds(method, integration):
                    values = {"method": method, "integration": integration}
                    return study.once(**values, **where) + study.median(stage=VALUES, **values, **where)

                same = seconds("same kernel", "one thread")
                shared = study.median(stage=VALUES, method="SharedNZ", **where)
                update = study.median(stage=VALUES, method="separate kernels", integration="one thread", **where)
                cells += [number(seconds("separate kernels", "one thread") / same), number(update / same),
                          number(shared / same), number(shared / seconds("gather", "team")),
                          number(shared / study.median(stage=VALUES, method="gather", integration="team", **where))]
            rows.append([MESHES[kind], f"{dofs:,}", *cells])
    headers = ["mesh", "DoFs"]
    for precision in ("double", "float"):
        headers += [f"{precision}: separate/same", "separate, update only/same", "SharedNZ/same", "SharedNZ/gather",
                    "SharedNZ/gather, update only"]
    return markdown(headers, rows)


def against_cpu(study):
    """Whole generation in double, CSR, on the CPU and on the GPU."""
    rows = []
    for kind in KINDS:
        for size, dofs in study.sizes(kind, "cpu"):
            gpu, method, integration = study.fastest(kind, size, "cuda")
            if gpu == gpu:
                rows.append([MESHES[kind], f"{dofs:,}", f"GPU: {variant(method, integration)}", "-", number(1e3 * gpu), "1"])
            where = {"kind": kind, "size": size, "backend": "cpu"}
            for n_threads in sorted({row["threads"] for row in study.rows(**where)}):
                ours, method, _ = study.fastest(kind, size, "cpu", n_threads)
                cases = [(f"CPU: {method}", ours)]
                cases += [(library, study.generation(library, threads=n_threads, **where)) for library in LIBRARIES]
                rows += [[MESHES[kind], f"{dofs:,}", name, str(n_threads), number(1e3 * seconds), number(seconds / gpu)]
                         for name, seconds in cases if seconds == seconds]
    return markdown(["mesh", "DoFs", "who", "threads", "all stages ms", "times the GPU's"], rows, 3)


def counters(study):
    """What assembly_counters.sh wrote."""
    rows = []
    for (element, precision), kernels in study.counters.items():
        for value in kernels:
            rows.append([element, precision, f"`{value['kernel']}`", number(1e3 * value["seconds"]),
                         *(number(1e-9 * value[name]) for name in ("dram_bytes", "l2_to_threads_bytes")),
                         number(1e-6 * value["atomic_sectors"]),
                         *(f"{value[name]:.0f}" for name in ("dram_percent", "l2_percent", "l1_percent", "warps_percent",
                                                             "issue_percent", "wait_loads", "wait_queue"))])
    headers = ["element", "precision", "kernel", "ms", "DRAM GB", "from L2 to threads GB", "sectors of atomics, millions", "DRAM %",
               "L2 %", "L1 %", "warps %", "issue slots %", "cycles for loads", "for the queue"]
    return markdown(headers, rows, 3) if rows else None


def all_tables(study):
    parts = ["# Matrix generation: tables\n\nWritten by `doc/scripts/assembly_study_plots.py`; "
             "what the columns mean: [comparing.md](../../comparing.md#matrix-generation).\n"]
    for machine in ("gpu", "cpu"):
        if study.label(machine):
            parts.append(f"{machine.upper()} runs (bandwidths and peaks of the last; each file has its own):\n\n"
                         + "\n".join(f"- {line}" for line in study.label(machine)) + "\n")
    parts += ["## Meshes, and memory of the matrix in double\n", meshes(study),
              "## Whole generation on the GPU, largest meshes, CSR\n", generations(study),
              "## Ratios of times of stage 3 on the GPU, CSR\n\nWith what is done once, unless it says update only. SharedNZ "
              "without its lists, which depend on the mesh alone. Same and separate kernels with one thread per element, "
              "as in the paper.\n", ratios(study)]
    if study.labels.get("cpu"):
        parts += ["## Whole generation beside the CPU, double, CSR\n", against_cpu(study)]
    for kind in ["box", *KINDS]:
        table = stages(study, kind)
        if table:
            parts += [f"## Steps: {MESHES[kind]}, largest mesh, double\n", table]
    table = counters(study)
    if table:
        parts += ["## Counters of stage 3, CSR: boxes of 262,144 hex8, 32,768 hex20, 279,936 tet4\n\n`add_kernel` and `gather_kernel` read "
                  "matrices that one thread per element wrote, then those of a team; a team of tet4 is one thread.\n", table]
    return "\n".join(parts)

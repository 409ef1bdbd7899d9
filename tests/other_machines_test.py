#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What a machine that builds every day hides, and a new one shows: other_machines_test.py [FOLDER]

1. Every module that a script of the tests imports is Python's own, a file of this repository, or in a package that
   test.sh installs (plugin/cmake/bootstrap.sh).
2. So is every program that a script in Python calls by its name.
3. No text that a test expects contains the name of an operator that only a build with CUDA has.

--self-test: both checks notice a breach.
"""

import ast
import pathlib
import re
import sys
import tempfile

# Modules and the packages that have them; vtk.util.numpy_support is in VTK's package and imports NumPy.
PACKAGES = {
    "numpy": "python3-numpy",
    "scipy": "python3-scipy",
    "vtk": "python3-vtk9",
    "vtkmodules": "python3-vtk9",
    "vtk.util.numpy_support": "python3-numpy",
}
# Programs and the packages that have them.
PROGRAMS = {"git": "git"}
# Scripts outside of tests/ that the tests call.
CALLED = ["plugin/tools/render_design.py", "plugin/tools/face_pieces.py"]


def installed_packages(root):
    text = (root / "plugin/cmake/bootstrap.sh").read_text()
    lists = re.findall(r"^strut_(?:build|test)_packages=\(([^)]*)\)", text, re.MULTILINE)
    return set(" ".join(lists).split())


def modules_of(code, name):
    """Pairs of module and line that this text imports, in functions too."""
    for node in ast.walk(ast.parse(code, name)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def programs_of(code, name):
    """Pairs of program and line of calls such as subprocess.run(["program", ...])."""
    for node in ast.walk(ast.parse(code, name)):
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
                and isinstance(node.func.value, ast.Name) and node.func.value.id == "subprocess"
                and isinstance(node.args[0], ast.List) and node.args[0].elts
                and isinstance(node.args[0].elts[0], ast.Constant)):
            yield node.args[0].elts[0].value, node.lineno


def python_in_shell(text):
    """Python in a script of the shell, each import as a text of its own, with its line."""
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"""(?:^|-c ['"]|; *)((?:from [\w.]+ )?import [\w., ]+)""", line.strip())
        if found:
            yield found.group(1).rstrip(", "), number


def check_imports(root):
    packages = installed_packages(root)
    scripts = sorted(root.glob("tests/**/*.py")) + [root / name for name in CALLED if (root / name).exists()]
    own = {path.stem for path in root.glob("**/*.py") if "build" not in path.parts[len(root.parts)]}
    imports = []
    for path in scripts:
        imports += [(path, line, module) for module, line in modules_of(path.read_text(), path.name)]
    for path in sorted(root.glob("tests/**/*.sh")):
        for code, line in python_in_shell(path.read_text()):
            imports += [(path, line, module) for module, _ in modules_of(code, path.name)]
    for path, line, module in imports:
        top = module.split(".")[0]
        if top in sys.stdlib_module_names or top in own:
            continue
        package = PACKAGES.get(module) or PACKAGES.get(top)
        place = f"{path.relative_to(root)}:{line}"
        if package is None:
            yield f"{place}: imports '{module}'. Add its package to PACKAGES here and to strut_test_packages."
        elif package not in packages:
            yield f"{place}: imports '{module}' of {package}, which strut_test_packages of bootstrap.sh lacks."
    for path in scripts:
        for program, line in programs_of(path.read_text(), path.name):
            place, package = f"{path.relative_to(root)}:{line}", PROGRAMS.get(program)
            if package is None:
                yield f"{place}: calls '{program}'. Add its package to PROGRAMS here and to strut_test_packages."
            elif package not in packages:
                yield f"{place}: calls '{program}' of {package}, which strut_test_packages of bootstrap.sh lacks."


def operators_in(path):
    return set(re.findall(r"^ *STRATEGY\((\w+)\)", path.read_text(), re.MULTILINE))


def check_texts(root):
    alone = operators_in(root / "cuda/operators/strategies.cu") - operators_in(root / "source/operators/strategies.cc")
    # the function ebe_sym has the operator ebeSym
    names = {re.sub(r"_sym$", "Sym", name) for name in alone}
    pattern = re.compile(r"\b(" + "|".join(sorted(names)) + r")\b")
    for path in sorted(root.glob("tests/decks/**/*.expected")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = pattern.search(line)
            if found:
                yield (f"{path.relative_to(root)}:{number}: expects the operator '{found.group()}', which a build "
                       "without CUDA does not have. Put <...> in the place of the list.")


def breaches(root):
    return [*check_imports(root), *check_texts(root)]


def self_test():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("plugin/cmake", "tests/decks", "cuda/operators", "source/operators"):
            (root / folder).mkdir(parents=True)
        (root / "plugin/cmake/bootstrap.sh").write_text("strut_test_packages=(python3-vtk9\n  dpkg-dev)\n")
        (root / "cuda/operators/strategies.cu").write_text("  STRATEGY(ebe) \\\n  STRATEGY(ebe_sym)\n")
        (root / "source/operators/strategies.cc").write_text("  STRATEGY(ebe)\n")
        (root / "tests/a_test.py").write_text("import sys\n\nimport vtk\n")
        (root / "tests/decks/a.expected").write_text("  Take one of ebe, <...>.\n")
        assert breaches(root) == [], breaches(root)
        (root / "tests/b_test.py").write_text("def f():\n    from vtk.util.numpy_support import vtk_to_numpy\n")
        (root / "tests/c_test.sh").write_text("python3 -c 'import json, pandas; print(1)'\n")
        (root / "tests/d_test.py").write_text("import subprocess\n\nsubprocess.run(['git', 'log'])\n")
        (root / "tests/decks/b.expected").write_text("a\n  Take one of ebe, ebeSym.\n")
        found = breaches(root)
        assert len(found) == 4, found
        assert "b_test.py:2" in found[0] and "python3-numpy" in found[0], found
        assert "c_test.sh:1" in found[1] and "pandas" in found[1], found
        assert "d_test.py:3" in found[2] and "'git'" in found[2], found
        assert "b.expected:2" in found[3] and "ebeSym" in found[3], found


if sys.argv[1:] == ["--self-test"]:
    self_test()
else:
    root_folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    messages = breaches(root_folder)
    print(*messages, sep="\n")
    sys.exit(1 if messages else 0)

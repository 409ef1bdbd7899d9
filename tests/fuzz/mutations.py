# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Ways to spoil a deck, each a function of its lines and of a random.Random; ALL lists them."""
import re

NUMBERS = ["0", "-0", "1", "-1", "2", "1e-300", "1e300", "1e-30", "1e30", "1e400", "-1e9", "nan", "inf", "-inf", "0,5",
           "0.5", "1e-9", "1e9", "4294967296", "2147483648", "18446744073709551616", "0x10", "1.2.3", "", "1e", "+3", ".5",
           "3.", "1/2", "50 %", "None", "0.3 0.4"]
JUNK = ["", "junk", "everywhere", "all", "true", "false", "none", "*", "%s%s%n", "../../..", "/dev/zero", "/", "~", "$(id)",
        "x" * 300, "x" * 100000, "1, " * 5000 + "1", "ä" * 200, "\0\1\2", "\udc80\udcff", "'", '"', "a:b:c", "::", ",,,", "=",
        "= =", "\\", "# x", "set a = b", "subsection x", "end"]
WORDS = ["x", "y", "z", "xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "h", "tol", "pi", "0", "1", "2.5", "1e-3", "<", ">", "<=",
         ">=", "==", "!=", "=", "&&", "||", "&", "|", "!", "and", "or", "not", "true", "false", "everywhere", "+", "-", "*", "/",
         "^", "(", ")", "(", ")", ",", "abs(", "sqrt(", "min(", "if(", "rand()", "atan2(", "?", ":", "sin(", "log(", "r", "31,5"]
CHARACTERS = "abcxyz0189 \t=#\\,.;:/()[]{}<>!?&|+-*^%$\"'@~_\0\x7f\udce9\r"
ENTRIES = ["set Type = file", "set Type = hollow cylinder", "set Additional refinements = 1", "set Planes = x = xmax",
           "set Precision = mixed", "set Precision = float", "set Preconditioner = jacobi", "set Operator = nbn",
           "set Boundary ids = 0, 1, 2", "set Material ids = 7", "set Components = y", "set Displacement = 1, 2",
           "set Expression = everywhere", "set Density = void", "set Type = body force", "set Type = pressure",
           "set Value = 0, 0, 0", "set Load case = other", "set Weights = 1: 2, other: 3", "set Deterministic = true",
           "set Objective = compliance", "set Filter = none", "set Filter = density", "set Filter = projection", "set Count non-design volume = false",
           "set Output directory = /proc/x", "set File name = meshes/connecting-rod.msh", "set Memory limit = 1",
           "include deck.prm", "include /dev/zero", "include /", "include no.prm", "include " + "a" * 5000, "include .",
           "include meshes/connecting-rod.msh", "include /proc/self/mem"]
SECTIONS = ["Mesh", "Box", "File", "Materials", "Supports", "Loads", "Load cases", "Non-design regions", "Solver", "Optimization", "Output",
            "Symmetry", "Material", "a/b", "x" * 1000, "", "."]


def _place(lines, random):
    return random.randrange(len(lines)) if lines else 0


def _change_line(matching, change):
    """A mutation that changes one of the lines that contain a text."""

    def mutation(lines, random):
        places = [i for i, line in enumerate(lines) if matching in line]
        if places:
            i = random.choice(places)
            lines[i] = change(lines[i], random)
        return lines

    return mutation


def _value(line, value):
    return line.partition("=")[0] + "= " + value


def _number(line, random):
    found = list(re.finditer(r"\d[\d.]*(e-?\d+)?", line))
    if not found:
        return line
    one = random.choice(found)
    return line[: one.start()] + random.choice(NUMBERS) + line[one.end():]


def _letter(line, random):
    i = random.randrange(len(line) + 1)
    return line[:i] + random.choice((random.choice(CHARACTERS), "")) + line[i + random.randrange(2):]


def expression(random):
    if random.random() < 0.5:  # words in any order
        return " ".join(random.choice(WORDS) for _ in range(random.choice((1, 2, 3, 5, 9, 200))))
    text = f"{random.choice('xyz')} {random.choice(('<', '>', '<=', '=='))} {random.choice(('1', '2.5', 'xmax - tol', 'h'))}"
    for _ in range(random.choice((0, 1, 2, 60))):  # a condition
        other = f"{random.choice('xyz')} > {random.choice(('-1', '0', '3'))}"
        text = random.choice((f"not {text}", f"!({text})", f"({text})", f"{text} and {other}", f"{text} or {other}",
                              f"if({text}, {other}, x < 2)", f"({text}) * ({other})"))
    return text


def _delete(lines, random):
    if lines:
        del lines[_place(lines, random)]
    return lines


def _repeat(lines, random):
    i = _place(lines, random)
    lines[i:i] = lines[i : i + random.choice((1, 1, 3, 20))] * random.choice((1, 1, 1, 100))
    return lines


def _swap(lines, random):
    i, j = _place(lines, random), _place(lines, random)
    if lines:
        lines[i], lines[j] = lines[j], lines[i]
    return lines


def _cut(lines, random):
    return lines[: _place(lines, random)]


def _insert(lines, random):
    lines.insert(_place(lines, random), random.choice((random.choice(ENTRIES), random.choice(JUNK), "end")))
    return lines


def _wrap(lines, random):
    i, depth = _place(lines, random), random.choice((1, 1, 2, 30, 20000))
    name = random.choice(SECTIONS)
    lines[i:i] = [f"subsection {name}"] * depth + ["end"] * random.choice((depth, depth, depth - 1, 0))
    return lines


def _move(lines, random):
    if lines:
        lines.insert(_place(lines, random), lines.pop(_place(lines, random)))
    return lines


def _rename(line, random):
    return line.partition("subsection")[0] + "subsection " + random.choice(SECTIONS)


ALL = [
    _delete, _repeat, _swap, _cut, _insert, _insert, _wrap, _move,
    _change_line("=", _number), _change_line("=", _number), _change_line("=", _number),
    _change_line("=", lambda line, random: _value(line, random.choice(JUNK))),
    _change_line("=", lambda line, random: _value(line, random.choice(NUMBERS))),
    _change_line("Expression", lambda line, random: _value(line, expression(random))),
    _change_line("Expression", lambda line, random: _value(line, expression(random))),
    _change_line("Expression", lambda line, random: _value(line, expression(random))),
    _change_line("", _letter), _change_line("", _letter),
    _change_line("subsection", _rename),
]

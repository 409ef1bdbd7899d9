#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Mesh and deck of a NAFEMS benchmark whose target is a stress at a node.

    nafems.py le10|le11 hex8|hex20|hex27|tet4|tet10 N

writes le10.inp and le10.prm, or those of le11, into the working directory. `strut --validate --solid le10.prm` solves it.

LE10 is a thick elliptic plate under a pressure of 1 MPa, with sigma_yy = -5.38 MPa at point D. LE11 is a cylinder, taper and
sphere with the temperature r + z, with sigma_zz = -105 MPa at point A. Source: The Standard NAFEMS Benchmarks, TNSB,
revision 3, 1990. Lengths are in m, stresses in MPa. N is the number of elements through the wall (LE10: in the thickness).
LE11 is a quarter about the axis.

LE10 is held along z on a line, where smaller elements sink in further: refinement there alone changes the stress at D by some
per cent. Its mesh is even.
"""
import argparse
import itertools
import math

# Places of nodes in half edges, in the order of Abaqus.
HEX8 = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
HEX20 = HEX8 + [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
                (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
HEX27 = HEX20 + [(1, 1, 1), (1, 1, 0), (1, 1, 2), (1, 0, 1), (2, 1, 1), (1, 2, 1), (0, 1, 1)]
TYPES = {'hex8': ('C3D8', HEX8), 'hex20': ('C3D20', HEX20), 'hex27': ('C3D27', HEX27), 'tet4': ('C3D4', 4),
         'tet10': ('C3D10', 10)}


def tetrahedra(n_nodes):
    """The six tetrahedra of a cell, one for each order of the axes."""
    for order in itertools.permutations(range(3)):
        vertices = [(0, 0, 0)]
        for d in order:
            vertices.append(tuple(c + 2 * (i == d) for i, c in enumerate(vertices[-1])))
        if (order[0] + 1) % 3 != order[1]:  # an odd order
            vertices[1], vertices[2] = vertices[2], vertices[1]
        lines = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)] if n_nodes == 10 else []
        yield vertices + [tuple((p + q) // 2 for p, q in zip(vertices[a], vertices[b])) for a, b in lines]


def write_mesh(file, type_name, counts, place):
    """Writes the image of a box of cells; place(s, t, w) is that of the unit cube."""
    abaqus, nodes = TYPES[type_name]
    shapes = [nodes] if isinstance(nodes, list) else list(tetrahedra(nodes))
    numbers, elements = {}, []
    for cell in itertools.product(*map(range, counts)):
        for shape in shapes:
            lattice = [tuple(2 * c + p for c, p in zip(cell, node)) for node in shape]
            elements.append([numbers.setdefault(node, len(numbers) + 1) for node in lattice])
    with open(file, 'w', encoding='ascii') as out:
        out.write('*NODE\n')
        for node, number in numbers.items():
            x = place(*(c / (2 * n) for c, n in zip(node, counts)))
            out.write(f'{number}, ' + ', '.join(f'{c:.15g}' for c in x) + '\n')
        out.write(f'*ELEMENT, TYPE={abaqus}, ELSET=BODY\n')
        for number, element in enumerate(elements, 1):
            # A line has at most 16 numbers.
            fields = [str(n) for n in [number] + element]
            rows = [', '.join(fields[i:i + 15]) for i in range(0, len(fields), 15)]
            out.write(',\n'.join(rows) + '\n')


def graded(s, ratio):
    """Maps [0, 1] to itself, with elements that grow by about this ratio from the first to the last."""
    return s * (1 + (ratio - 1) * s / 2) / (1 + (ratio - 1) / 2)


def le10(type_name, n):
    def place(s, t, w):
        angle = graded(t, 2) * math.pi / 2
        return ((2 + 1.25 * s) * math.cos(angle), (1 + 1.75 * s) * math.sin(angle), 0.6 * w)

    write_mesh('le10.inp', type_name, (3 * n, 4 * n, n), place)
    outer = '(x / 3.25)^2 + (y / 2.75)^2 > 0.99999'
    return {'supports': {'x': ('x < tol', 'x'), 'y': ('y < tol', 'y'), 'outer': (outer, 'x, y'),
                         'middle': (f'{outer} && abs(z - 0.3) < tol', 'z')},
            'load': ('top', '    set Expression = z > zmax - tol\n    set Type       = pressure\n    set Value      = 1, 0, 0\n'),
            'point': 'D: 2, 0, 0.6'}


def le11(type_name, n, degrees):
    def along(points, t):
        """Piecewise: points are functions of a parameter in [0, 1], each for a quarter of the length."""
        part = min(3, int(4 * t))
        return points[part](4 * t - part)

    def arc(radius, first, last):
        return lambda t: tuple(radius * f(math.radians(first + (last - first) * t)) for f in (math.cos, math.sin))

    def line(a, b):
        return lambda t: tuple(p + (q - p) * t for p, q in zip(a, b))

    half = math.sqrt(0.5)
    inner = [arc(1, 0, 22.5), arc(1, 22.5, 45), line((half, half), (half, (half + 1.79) / 2)),
             line((half, (half + 1.79) / 2), (half, 1.79))]
    d, g = (1.4 * math.cos(math.pi / 6), 0.7), (1, 1.39)
    middle = tuple((p + q) / 2 for p, q in zip(d, g))
    outer = [arc(1.4, 0, 30), line(d, middle), line(middle, g), line(g, (1, 1.79))]

    def place(s, t, w):
        s = graded(s, 3)
        (r, z), (r_outer, z_outer) = along(inner, t), along(outer, t)
        r, z = r + (r_outer - r) * s, z + (z_outer - z) * s
        angle = math.radians(degrees) * w
        return (r * math.cos(angle), r * math.sin(angle), z)

    write_mesh('le11.inp', type_name, (n, 8 * n, max(1, round(n * degrees / 30))), place)
    heat = ('    set Expression = everywhere\n    set Type       = thermal expansion\n    subsection Thermal expansion\n'
            '      set Coefficient            = 2.3e-4\n      set Temperature difference = sqrt(x^2 + y^2) + z\n    end\n')
    return {'supports': {'x': ('x < tol', 'x'), 'y': ('y < tol', 'y'), 'ends': ('z < zmin + tol || z > zmax - tol', 'z')},
            'load': ('heat', heat), 'point': 'A: 1, 0, 0'}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('benchmark', choices=['le10', 'le11'])
    parser.add_argument('type', choices=sorted(TYPES))
    parser.add_argument('n', type=int)
    arguments = parser.parse_args()
    make = {'le10': le10, 'le11': lambda *rest: le11(*rest, 90)}[arguments.benchmark]
    case = make(arguments.type, arguments.n)
    with open(f'{arguments.benchmark}.prm', 'w', encoding='ascii') as out:
        out.write(f'subsection Mesh\n  set Type = file\n  subsection File\n    set File name = {arguments.benchmark}.inp\n'
                  "  end\nend\nsubsection Material\n  set Young's modulus = 210000\n  set Poisson's ratio = 0.3\nend\n"
                  'subsection Supports\n')
        for name, (where, components) in case['supports'].items():
            out.write(f'  subsection {name}\n    set Expression = {where}\n    set Components = {components}\n  end\n')
        name, load = case['load']
        out.write(f'end\nsubsection Loads\n  subsection {name}\n{load}  end\nend\n'
                  f'subsection Output\n  set Points = {case["point"]}\nend\n'
                  'subsection Solver\n  set Tolerance = 1e-8\nend\n')


main()

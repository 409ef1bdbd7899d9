// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// The connecting rod as an unstructured mesh of hexahedra: quadrilaterals by recombination in the
// plane, extruded. Units: millimetres. Made with Gmsh 4.8.4:
//
//   gmsh -3 -format msh41 -o connecting-rod.msh connecting-rod.geo
//
// Finer or coarser:      gmsh -3 -setnumber size 5 -setnumber layers 8 ...
// The older file format: gmsh -3 -format msh22 ...

SetFactory("Built-in");

DefineConstant[
  size   = {10, Name "Element size in the plane"},
  layers = {4, Name "Elements through the thickness"}
];
thickness = 25;

// The plate; its long axis is x = 0.
Point(1) = {-75,   0, 0, size};
Point(2) = { 75,   0, 0, size};
Point(3) = { 75, 350, 0, size};
Point(4) = {-75, 350, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};

// Macro FourArcs: four arcs of radius r around (0, y), counter-clockwise from the right, in arcs[].
Macro FourArcs
  centre = newp; Point(centre) = {0, y, 0, local};
  right  = newp; Point(right)  = {r, y, 0, local};
  top    = newp; Point(top)    = {0, y + r, 0, local};
  left   = newp; Point(left)   = {-r, y, 0, local};
  bottom = newp; Point(bottom) = {0, y - r, 0, local};
  a = newl; Circle(a) = {right, centre, top};
  b = newl; Circle(b) = {top, centre, left};
  c = newl; Circle(c) = {left, centre, bottom};
  d = newl; Circle(d) = {bottom, centre, right};
  arcs[] = {a, b, c, d};
Return

// Upper bore 60, its ring to 80; lower bore 35, its ring to 50. Finer towards the bores.
y = 275;
r = 40;
local = 0.6 * size;
Call FourArcs;
upperRing[] = arcs[];
r = 30;
local = 0.45 * size;
Call FourArcs;
upperBore[] = arcs[];
y = 50;
r = 25;
local = 0.45 * size;
Call FourArcs;
lowerRing[] = arcs[];
r = 17.5;
local = 0.32 * size;
Call FourArcs;
lowerBore[] = arcs[];

Curve Loop(2) = upperBore[];
Curve Loop(3) = upperRing[];
Curve Loop(4) = lowerBore[];
Curve Loop(5) = lowerRing[];
Plane Surface(1) = {1, 3, 5};
Plane Surface(2) = {3, 2};
Plane Surface(3) = {5, 4};

// Quadrilaterals everywhere, no structured parts.
// Packing of parallelograms, which made the mesh of this folder; it fails from Gmsh 4.9 on: quadrilaterals by fronts.
Mesh.Algorithm = (GMSH_MAJOR_VERSION == 4 && GMSH_MINOR_VERSION < 9) ? 9 : 8;
Mesh.RecombinationAlgorithm = 3; // blossom, all quadrilaterals
Recombine Surface {1, 2, 3};

// out[0]: the face opposite, out[1]: the volume, then one face for each curve of the boundary.
plate[] = Extrude {0, 0, thickness} { Surface{1}; Layers{layers}; Recombine; };
upper[] = Extrude {0, 0, thickness} { Surface{2}; Layers{layers}; Recombine; };
lower[] = Extrude {0, 0, thickness} { Surface{3}; Layers{layers}; Recombine; };

// Materials.
Physical Volume("plate", 10)      = {plate[1]};
Physical Volume("upper ring", 11) = {upper[1]};
Physical Volume("lower ring", 12) = {lower[1]};

// Boundaries. The faces of a ring: four outer ones, then the four of the bore, which, as a hole, is
// walked in reverse.
Physical Surface("upper bore, upper half", 1) = {upper[8], upper[9]};
Physical Surface("upper bore, lower half", 2) = {upper[6], upper[7]};
Physical Surface("lower bore, upper half", 3) = {lower[8], lower[9]};
Physical Surface("lower bore, lower half", 4) = {lower[6], lower[7]};
Physical Surface("outside", 5) = {plate[2], plate[3], plate[4], plate[5]};
Physical Surface("flat sides", 6) = {1, 2, 3, plate[0], upper[0], lower[0]};

Mesh.SaveAll = 0;

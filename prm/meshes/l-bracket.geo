// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// An L-bracket of unstructured quadrilaterals, drawn out in z: side 50, legs 20 wide, thickness 2. The corner inside is sharp.
//   gmsh -3 l-bracket.geo -o l-bracket.msh -format msh22
SetFactory("Built-in");
size = 2;
side = 50; leg = 20; thickness = 2;
Point(1) = {0, 0, 0, size};
Point(2) = {side, 0, 0, size};
Point(3) = {side, leg, 0, size};
Point(4) = {leg, leg, 0, size};
Point(5) = {leg, side, 0, size};
Point(6) = {0, side, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};
Mesh.Algorithm = 6;
Mesh.RecombinationAlgorithm = 1;
Mesh.SubdivisionAlgorithm = 1; // quadrilaterals alone
Mesh.RandomSeed = 1;
Recombine Surface {1};
out[] = Extrude {0, 0, thickness} { Surface{1}; Layers{1}; Recombine; };
Physical Surface("top") = {out[6]};
Physical Volume("bracket") = {out[1]};

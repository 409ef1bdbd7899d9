// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The STEP file of doc/tutorial.md, in place of a CAD program: space for a clevis, mm. A plate with bores for four
// bolts, and two ears with a bore for a pin. In clevis.step, curves in the parameters of faces are left out: programs
// find them again, and the file has a third of the size.
//
//   gmsh -0 clevis-part.geo -o clevis.step
SetFactory("OpenCASCADE");
Point(1) = {0, 0, 0}; Point(2) = {120, 0, 0}; Point(3) = {120, 0, 12}; Point(4) = {92, 0, 12};
Point(5) = {80, 0, 62}; Point(6) = {60, 0, 82}; Point(7) = {40, 0, 62}; Point(8) = {28, 0, 12}; Point(9) = {0, 0, 12};
Point(10) = {60, 0, 62};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Circle(5) = {5, 10, 6}; Circle(6) = {6, 10, 7};
Line(7) = {7, 8}; Line(8) = {8, 9}; Line(9) = {9, 1};
Curve Loop(1) = {1:9}; Plane Surface(1) = {1};
Extrude{0, 54, 0}{ Surface{1}; }
Delete{ Point{10}; }
Box(2) = {0, 18, 34, 120, 18, 60};
Cylinder(3) = {60, -1, 62, 0, 60, 0, 10};
Cylinder(4) = {14, 14, -1, 0, 0, 14, 5.5};
Cylinder(5) = {106, 14, -1, 0, 0, 14, 5.5};
Cylinder(6) = {14, 40, -1, 0, 0, 14, 5.5};
Cylinder(7) = {106, 40, -1, 0, 0, 14, 5.5};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2:7}; Delete; }

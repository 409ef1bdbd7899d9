// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// An angle bracket with a bolt in its upright leg and a lug in the other; mm. Gmsh fills it with
// tetrahedra, and SubdivisionAlgorithm = 2 splits each of them into four hexahedra. The coordinates in
// bracket.msh are rounded to 0.1 micrometres.
//
//   gmsh -3 bracket.geo -o bracket.msh -format msh22
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 20, 50, 80};
Box(2) = {20, 0, 0, 70, 50, 20};
v() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(10) = {-1, 25, 60, 30, 0, 0, 8};
Cylinder(12) = {68, 25, -1, 0, 0, 30, 10};
BooleanDifference{ Volume{v()}; Delete; }{ Volume{10, 12}; Delete; }
e = 0.2;
Physical Surface("back", 21) = Surface In BoundingBox{-e, -e, -e, e, 50 + e, 80 + e};
Physical Surface("bolt", 22) = Surface In BoundingBox{-e, 17 - e, 52 - e, 20 + e, 33 + e, 68 + e};
Physical Surface("lug", 23) = Surface In BoundingBox{58 - e, 15 - e, -e, 78 + e, 35 + e, 20 + e};
Physical Volume("bracket", 1) = Volume{:};
Mesh.CharacteristicLengthMax = 30;
Mesh.CharacteristicLengthMin = 20;
Mesh.MeshSizeFromCurvature = 6;
Mesh.SubdivisionAlgorithm = 2;

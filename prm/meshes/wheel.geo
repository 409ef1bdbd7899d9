// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A wheel with hub, disc and rim of one thickness, from unstructured quadrilaterals, three layers of hexahedra; mm.
// The mesh is not the same from sector to sector.
//
//   gmsh -3 wheel.geo -o wheel.msh -format msh22
//
// The coordinates in wheel.msh are rounded to 0.1 micrometres.
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 100};
Disk(2) = {0, 0, 0, 90};
Disk(3) = {0, 0, 0, 25};
Disk(4) = {0, 0, 0, 15};
BooleanFragments{ Surface{1}; Delete; }{ Surface{2, 3, 4}; Delete; }
e = 0.1;
hole() = Surface In BoundingBox{-15 - e, -15 - e, -e, 15 + e, 15 + e, e};
Recursive Delete { Surface{hole()}; }
Mesh.Algorithm = 6;
Mesh.RecombineAll = 1;
Mesh.RecombinationAlgorithm = 3; // quadrilaterals alone
Mesh.MeshSizeMin = 8;
Mesh.MeshSizeMax = 8;
out() = Extrude {0, 0, 15} { Surface{:}; Layers{3}; Recombine; };
hub() = Volume In BoundingBox{-25 - e, -25 - e, -e, 25 + e, 25 + e, 15 + e};
disc() = Volume In BoundingBox{-90 - e, -90 - e, -e, 90 + e, 90 + e, 15 + e};
disc() -= hub();
rim() = Volume{:};
rim() -= disc();
rim() -= hub();
Physical Volume("hub", 1) = hub();
Physical Volume("disc", 2) = disc();
Physical Volume("rim", 3) = rim();
Physical Surface("bore", 11) = Surface In BoundingBox{-15 - e, -15 - e, -e, 15 + e, 15 + e, 15 + e};
tread() = Surface{:};
tread() -= Surface In BoundingBox{-90 - e, -90 - e, -e, 90 + e, 90 + e, 15 + e};
tread() -= Surface In BoundingBox{-100 - e, -100 - e, -e, 100 + e, 100 + e, e};
tread() -= Surface In BoundingBox{-100 - e, -100 - e, 15 - e, 100 + e, 100 + e, 15 + e};
Physical Surface("tread", 12) = tread();

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A clevis from a STEP file to named tetrahedra of ten nodes; mm. doc/tutorial.md explains each line.
//
//   gmsh -3 -order 2 clevis.geo -o clevis.msh
SetFactory("OpenCASCADE");
Merge "clevis.step";
part() = Volume{:};

// Rings around the bores, as volumes of their own: point on the axis, vector along it, radius.
Cylinder(101) = {60, 0, 62, 0, 54, 0, 15};
Cylinder(102) = {14, 14, 0, 0, 0, 12, 10};
Cylinder(103) = {106, 14, 0, 0, 0, 12, 10};
Cylinder(104) = {14, 40, 0, 0, 0, 12, 10};
Cylinder(105) = {106, 40, 0, 0, 0, 12, 10};
inside() = BooleanIntersection{ Volume{101:105}; Delete; }{ Volume{part()}; };
BooleanFragments{ Volume{part()}; Delete; }{ Volume{inside()}; Delete; }

// Names. A box takes what is in it with all its extent: lowest x, y, z, then highest x, y, z.
e = 0.1;
bolts() = Surface In BoundingBox{8.5 - e, 8.5 - e, -e, 19.5 + e, 19.5 + e, 12 + e};
bolts() += Surface In BoundingBox{100.5 - e, 8.5 - e, -e, 111.5 + e, 19.5 + e, 12 + e};
bolts() += Surface In BoundingBox{8.5 - e, 34.5 - e, -e, 19.5 + e, 45.5 + e, 12 + e};
bolts() += Surface In BoundingBox{100.5 - e, 34.5 - e, -e, 111.5 + e, 45.5 + e, 12 + e};
pin() = Surface In BoundingBox{50 - e, -e, 52 - e, 70 + e, 54 + e, 72 + e};
rings() = Volume In BoundingBox{-e, -e, -e, 120 + e, 54 + e, 12 + e};
rings() += Volume In BoundingBox{45 - e, -e, 47 - e, 75 + e, 54 + e, 77 + e};
free() = Volume{:};
free() -= rings();
Printf("bolts: %g faces, pin: %g faces, rings: %g volumes, free: %g volume", #bolts(), #pin(), #rings(), #free());
Physical Surface("bolts", 11) = bolts();
Physical Surface("pin", 12) = pin();
Physical Volume("free", 1) = free();
Physical Volume("rings", 2) = rings();

// Sizes of tetrahedra.
Mesh.MeshSizeMax = 7;
Mesh.MeshSizeMin = 3;
Mesh.MeshSizeFromCurvature = 12; // around a full circle

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Half of an electric mast, cut at x = 0, without the room beside the leg: a T on its side plane y = 0; m.
// Leg 2.5 x 5 x 20, arm 10 x 5 x 5 on top of it. Unstructured quadrilaterals (Frontal-Delaunay, recombined)
// in the plane, extruded along y. Foot and line are strips along y: decks take what they need of them.
// Made with Gmsh 4.8.4; its messages say "96 quads, 0 triangles". strut refuses triangles that are left.
//
//   gmsh -3 mast.geo -o mast.msh
//
// Finer:  gmsh -3 -setnumber size 0.6 -setnumber layers 10 ...
DefineConstant[
  size   = {1.25, Name "Edges of the triangles in the plane, before they are recombined"},
  layers = {5, Name "Elements along y"}
];
// x and z of the corners, and of the ends of foot and line
x[] = {0, 2, 2.5, 2.5, 6, 6.5, 10, 10, 0};
z[] = {0, 0, 0, 20, 20, 20, 20, 25, 25};
For i In {0:8}
  Point(i + 1) = {x[i], 0, z[i], size};
EndFor
For i In {1:8}
  Line(i) = {i, i + 1};
EndFor
Line(9) = {9, 1};
Curve Loop(1) = {1:9};
Plane Surface(1) = {1};
Mesh.Algorithm = 6;              // Frontal-Delaunay
Mesh.RecombinationAlgorithm = 1; // blossom
Recombine Surface{1};

// out[1]: the volume, then one face for each line.
out[] = Extrude{0, 5, 0}{ Surface{1}; Layers{layers}; Recombine; };
Physical Surface("foot", 11) = {out[3]};
Physical Surface("line", 12) = {out[6]};
Physical Volume("mast", 1) = {out[1]};

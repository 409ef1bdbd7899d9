// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Half of a bridge, cut along its axis y = 0; m. Span 60, half width 4, height 16. The roadway is a slab
// from z = 6 to 7 within the design space: its top is a physical surface inside of the mesh. Abutments are
// strips of 2 m under both ends.
//
//   gmsh -3 bridge.geo -o bridge.msh
L = 60; W = 4; n = 30;
Point(1) = {0, 0, 0}; Point(2) = {0, W, 0};
Line(1) = {1, 2}; Transfinite Curve{1} = W / 2 + 1;
a[] = Extrude{2, 0, 0}{ Curve{1}; Layers{1}; Recombine; };
b[] = Extrude{L - 4, 0, 0}{ Curve{a[0]}; Layers{n - 2}; Recombine; };
c[] = Extrude{2, 0, 0}{ Curve{b[0]}; Layers{1}; Recombine; };
base[] = {a[1], b[1], c[1]};
volumes[] = {}; roadway[] = {}; road[] = {}; symmetry[] = {};
For i In {0:2}
  below[] = Extrude{0, 0, 6}{ Surface{base[i]}; Layers{3}; Recombine; };
  slab[] = Extrude{0, 0, 1}{ Surface{below[0]}; Layers{1}; Recombine; };
  above[] = Extrude{0, 0, 9}{ Surface{slab[0]}; Layers{4}; Recombine; };
  volumes[] += {below[1], above[1]};
  roadway[] += slab[1];
  road[] += slab[0];
EndFor
e = 0.1;
symmetry[] = Surface In BoundingBox{-e, -e, -e, L + e, e, 16 + e};
Physical Surface("left abutment", 11) = {a[1]};
Physical Surface("right abutment", 12) = {c[1]};
Physical Surface("symmetry", 13) = {symmetry[]};
Physical Surface("road", 14) = {road[]};
Physical Volume("design space", 1) = {volumes[]};
Physical Volume("roadway", 2) = {roadway[]};

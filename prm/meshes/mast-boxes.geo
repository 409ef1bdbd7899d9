// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The T of mast.geo in boxes of edge h, for comparison: 0.5 or 0.25, so that foot and line are whole boxes.
//
//   gmsh -3 mast-boxes.geo -o mast-boxes.msh
DefineConstant[ h = {0.5, Name "Edge"} ];
Point(1) = {0, 0, 0}; Point(2) = {2, 0, 0}; Point(3) = {2.5, 0, 0};
Line(1) = {1, 2}; Transfinite Curve{1} = 2 / h + 1;
Line(2) = {2, 3}; Transfinite Curve{2} = 0.5 / h + 1;
leg[]   = Extrude{0, 0, 20}{ Curve{1}; Layers{20 / h}; Recombine; };
outer[] = Extrude{0, 0, 20}{ Curve{2}; Layers{20 / h}; Recombine; };
top[]   = Extrude{0, 0, 5}{ Curve{leg[0]}; Layers{5 / h}; Recombine; };
knee[]  = Extrude{0, 0, 5}{ Curve{outer[0]}; Layers{5 / h}; Recombine; };
arm[]   = Extrude{3.5, 0, 0}{ Curve{Abs(knee[2])}; Layers{3.5 / h}; Recombine; };
line[]  = Extrude{0.5, 0, 0}{ Curve{arm[0]}; Layers{0.5 / h}; Recombine; };
tip[]   = Extrude{3.5, 0, 0}{ Curve{line[0]}; Layers{3.5 / h}; Recombine; };
side[]  = {leg[1], outer[1], top[1], knee[1], arm[1], line[1], tip[1]};
body[]  = {};
For i In {0:6}
  part[] = Extrude{0, 5, 0}{ Surface{side[i]}; Layers{5 / h}; Recombine; };
  body[] += part[1];
EndFor
e = 0.01;
Physical Surface("foot", 11) = Surface In BoundingBox{2 - e, -e, -e, 2.5 + e, 5 + e, e};
Physical Surface("line", 12) = Surface In BoundingBox{6 - e, -e, 20 - e, 6.5 + e, 5 + e, 20 + e};
Physical Volume("mast", 1) = {body[]};

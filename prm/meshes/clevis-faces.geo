// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Lists the faces of a STEP file with the boxes around them.
//
//   gmsh clevis-faces.geo -
SetFactory("OpenCASCADE");
Merge "clevis.step";
faces() = Surface{:};
For i In {0:#faces() - 1}
  b() = BoundingBox Surface{faces(i)};
  Printf("face %2g: x %.1f to %.1f, y %.1f to %.1f, z %.1f to %.1f", faces(i), b(0), b(3), b(1), b(4), b(2), b(5));
EndFor

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

namespace strut::loads
{
// A pressure acts against the outward normal of the boundary faces of the region. On surfaces
// inside the mesh, it acts against the normal that the mesh file gives.
LoadType pressure()
{
  return {"pressure",
          "the first component, against the outward normal of the faces",
          [](const LoadContext &context, const Load &load) {
            if (load.value()[1] != 0. || load.value()[2] != 0.)
              throw EntryError(
                load.path(),
                "Value",
                "A pressure has one number, the first, and no direction: it acts against the "
                "normal.\nWrite 'set Value = p, 0, 0', or use 'set Type = traction'.");
            if (const std::string names = load.region.surfaces_of_two_sides(); !names.empty())
              throw EntryError(
                load.path(),
                "Boundary ids",
                "The faces of " + names +
                  " are inside of the mesh, and their normals point to either side: a pressure "
                  "against them has no one direction.\nUse 'set Type = traction' with a vector, or "
                  "turn surfaces round in the mesh (Gmsh: ReverseMesh Surface {...}).");
            return add_face_integral(
              context, load, [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &normal) {
                return -load.value()[0] * normal;
              });
          }};
}
} // namespace strut::loads

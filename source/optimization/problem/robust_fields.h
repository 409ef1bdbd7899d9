// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>

#include <algorithm>
#include <vector>

namespace strut
{
/// Designs for a part that may come out thinner or thicker than it was drawn (Wang, Lazarov and
/// Sigmund 2011). One filtered design is projected with three thresholds:
///
///     eroded     P(eta + d)    less material than the blueprint
///     blueprint  P(eta)        the design that is made
///     dilated    P(eta - d)    more material
///
/// The objective is the worst of the analysed fields, and constraints hold in each of them. The
/// volume is limited in the dilated field, such that the blueprint has the wanted volume.
struct RobustFields
{
  enum class Kind
  {
    none,       ///< the blueprint alone
    worst_case, ///< all three
    /// The two extreme fields alone. They are as bad as all three for functions that rise or fall
    /// with every density.
    eroded_and_dilated,
    eroded ///< the eroded one alone: it has the largest compliance, as no other is less stiff
  };
  enum class Field
  {
    blueprint,
    eroded,
    dilated
  };

  Kind kind       = Kind::none;
  double distance = 0.25; ///< d, the distance of the thresholds
  /// Number of iterations after which the limit of the dilated volume is renewed. It is also
  /// renewed where the maps change, and where the blueprint misses the volume.
  unsigned int iterations_per_limit = 20;

  bool enabled() const
  {
    return kind != Kind::none;
  }

  /// The fields that are analysed, in this order. The blueprint comes last if it is analysed, so
  /// that its stiffness and displacements are the current ones afterwards.
  std::vector<Field> analysed() const
  {
    switch (kind)
      {
        case Kind::worst_case:
          return {Field::eroded, Field::dilated, Field::blueprint};
        case Kind::eroded_and_dilated:
          return {Field::eroded, Field::dilated};
        case Kind::eroded:
          return {Field::eroded};
        case Kind::none:
          break;
      }
    return {Field::blueprint};
  }

  /// Number of analysed fields besides the blueprint. Each has displacements of its own.
  std::size_t n_analysed_shifted() const
  {
    const std::vector<Field> fields = analysed();
    return fields.size() -
           static_cast<std::size_t>(std::count(fields.begin(), fields.end(), Field::blueprint));
  }

  /// Whether the blueprint is analysed, so that its displacements belong to the last design.
  bool analyses_blueprint() const
  {
    return n_analysed_shifted() < analysed().size();
  }

  /// Distance of the threshold of a field from that of the blueprint.
  double shift(const Field field) const
  {
    return field == Field::eroded ? distance : field == Field::dilated ? -distance : 0.;
  }

  static const char *name_of(const Field field)
  {
    return field == Field::eroded ? "eroded" : field == Field::dilated ? "dilated" : "blueprint";
  }

  void declare(ParameterList &list)
  {
    list.add<Kind>(
      "Fields",
      kind,
      {{"none", Kind::none},
       {"worst case", Kind::worst_case},
       {"eroded and dilated", Kind::eroded_and_dilated},
       {"eroded", Kind::eroded}},
      "The densities that are analysed. worst case: three of one filtered design, projected with the threshold raised (eroded), as it is "
      "(blueprint) and lowered (dilated); the objective is the worst of them, and constraints hold in each. eroded and dilated: these two, with two analyses in the place of "
      "three: for responses that rise or fall with every density the blueprint is between them. For others it may be worse; the end of a run tells if it breaks a constraint. eroded: that field "
      "alone, for the compliance, where it is always the worst. none: the blueprint alone.");
    list.add("Threshold distance",
             distance,
             {0.01, 0.49},
             "Of the thresholds of the eroded and the dilated field from that of the blueprint.");
    list.add(
      "Iterations per volume limit",
      iterations_per_limit,
      {1, 1000000},
      "The volume of the dilated field is limited such that the blueprint has the volume fraction. That limit is renewed after "
      "so many iterations, when the projection gets sharper, and where the blueprint misses the volume.");
  }
};
} // namespace strut

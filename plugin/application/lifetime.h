// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/compat.h>

#include <atomic>

namespace strut::plugin
{
/// By which deal.II names us where it lists who points to an object.
constexpr const char *name_of_subscriber = "StiffnessOperator";

/// The ObserverPointer of which we write the members: see there.
struct TellsTheEnd;
} // namespace strut::plugin

#if DEAL_II_VERSION_GTE(9, 7, 0)
DEAL_II_NAMESPACE_OPEN
/// From release 9.7 on, deal.II lets only its ObserverPointer subscribe to an object. That knows when the object ends, but does
/// not tell in release mode. Its specialization may subscribe, too.
template <typename T>
class ObserverPointer<T, strut::plugin::TellsTheEnd>
{
public:
  static void subscribe(const T &object, std::atomic<bool> &exists)
  {
    object.subscribe(&exists, strut::plugin::name_of_subscriber);
  }
  static void unsubscribe(const T &object, std::atomic<bool> &exists)
  {
    object.unsubscribe(&exists, strut::plugin::name_of_subscriber);
  }
};
DEAL_II_NAMESPACE_CLOSE
#endif

namespace strut::plugin
{
/// From now on, `exists` becomes false where the object ends: one that deal.II's solvers may point to.
template <typename T>
void watch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::subscribe(object, exists);
#else
  object.subscribe(&exists, name_of_subscriber);
#endif
}

/// No longer, while the object exists.
template <typename T>
void unwatch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::unsubscribe(object, exists);
#else
  object.unsubscribe(&exists, name_of_subscriber);
#endif
}
} // namespace strut::plugin

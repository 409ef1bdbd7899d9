// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/compat.h>

#include <atomic>

namespace strut
{
/// The name under which deal.II lists this library as a subscriber of an object.
constexpr const char *name_of_subscriber = "StiffnessOperator";

/// Tag that selects the specialization of ObserverPointer below.
struct TellsTheEnd;
} // namespace strut

#if DEAL_II_VERSION_GTE(9, 7, 0)
DEAL_II_NAMESPACE_OPEN
/// Specialization that subscribes to an object to learn when it ends. From release 9.7 on, deal.II
/// lets only its ObserverPointer subscribe. The general ObserverPointer does not report the end in
/// release mode.
template <typename T>
class ObserverPointer<T, strut::TellsTheEnd>
{
public:
  static void subscribe(const T &object, std::atomic<bool> &exists)
  {
    object.subscribe(&exists, strut::name_of_subscriber);
  }
  static void unsubscribe(const T &object, std::atomic<bool> &exists)
  {
    object.unsubscribe(&exists, strut::name_of_subscriber);
  }
};
DEAL_II_NAMESPACE_CLOSE
#endif

namespace strut
{
/// Makes `exists` become false when the object ends. Its class must be one that deal.II's solvers
/// may point to.
template <typename T>
void watch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::subscribe(object, exists);
#else
  object.subscribe(&exists, name_of_subscriber);
#endif
}

/// Ends watch(), while the object exists.
template <typename T>
void unwatch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::unsubscribe(object, exists);
#else
  object.unsubscribe(&exists, name_of_subscriber);
#endif
}
} // namespace strut

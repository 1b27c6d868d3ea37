// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

namespace ridge::model::detail {

// Whether X is T, const or not: one function visits a value that is written and one that is read.
template <class X, class T>
concept is = std::same_as<std::remove_const_t<X>, T>;

}  // namespace ridge::model::detail

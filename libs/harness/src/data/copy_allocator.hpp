// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <utility>

namespace ridge::harness {

// Allocates memory for copies of arrays: new elements are not initialized, since a copy overwrites them.
template <class T>
struct copy_allocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = copy_allocator<U>;
  };
  template <class U>
  void construct(U* element) {
    ::new (static_cast<void*>(element)) U;
  }
  template <class U, class... Values>
  void construct(U* element, Values&&... values) {
    std::construct_at(element, std::forward<Values>(values)...);
  }
};

}  // namespace ridge::harness

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace ridge::harness {

// Allocates memory for copies of large arrays: new elements are not initialized, since a copy overwrites
// them, and whole huge pages are asked for, which are cleared in a tenth of the time of as many small ones.
template <class T>
struct copy_allocator {
  using value_type = T;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

  copy_allocator() = default;
  template <class U>
  explicit copy_allocator(const copy_allocator<U>&) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) return std::allocator<T>().allocate(count);
    void* memory = ::operator new(bytes, std::align_val_t(huge_page));
    (void)madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // a wish
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < huge_page) return std::allocator<T>().deallocate(memory, count);
    ::operator delete(memory, std::align_val_t(huge_page));
  }
  template <class U>
  void construct(U* element) {
    ::new (static_cast<void*>(element)) U;
  }
  template <class U, class... Values>
  void construct(U* element, Values&&... values) {
    std::construct_at(element, std::forward<Values>(values)...);
  }
  bool operator==(const copy_allocator&) const { return true; }
};

}  // namespace ridge::harness

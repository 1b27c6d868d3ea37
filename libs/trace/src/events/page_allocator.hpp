// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridge::trace {

// Memory for long rows: from `large_page` on it is mapped on its own in pages of that size where the system
// gives them (a fault for every 4 KiB costs more than the writing), and goes back to the system when freed.
inline constexpr std::size_t large_page = std::size_t{2} << 20;
[[nodiscard]] void* take_pages(std::size_t bytes);  // throws std::bad_alloc
void give_pages_back(void* memory, std::size_t bytes) noexcept;

// Leaves new elements without a constructor uninitialised; whoever grows a row writes it.
template <class T>
struct page_allocator {
  using value_type = T;
  page_allocator() = default;
  template <class U>
  page_allocator(const page_allocator<U>&) {}

  [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(take_pages(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) noexcept { give_pages_back(memory, n * sizeof(T)); }
  template <class U, class... Arguments>
  void construct(U* object, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) > 0 || !std::is_trivially_default_constructible_v<U>)
      std::construct_at(object, std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const page_allocator&, const page_allocator&) { return true; }
};

template <class T>
using column = std::vector<T, page_allocator<T>>;

}  // namespace ridge::trace

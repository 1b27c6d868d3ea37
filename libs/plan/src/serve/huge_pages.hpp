// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ridge::plan::serve {

// Asks the kernel for huge pages behind so many bytes, where they are many. It may refuse.
void use_huge_pages(void* begin, std::size_t bytes);

// Reserves so many rows at once. A table of a million rows otherwise takes its memory in thousands of page
// faults, which take as long as filling it.
template <class T>
void reserve_in_huge_pages(std::vector<T>& table, std::size_t rows) {
  table.reserve(rows);
  use_huge_pages(table.data(), rows * sizeof(T));
}

}  // namespace ridge::plan::serve

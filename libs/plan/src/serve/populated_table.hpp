// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ridge::plan::serve {

// Has the kernel take the pages behind so many bytes in one call, where they are many and it can.
void populate_pages(void* begin, std::size_t bytes);

// Reserves so many rows at once, all of which are to be written. A table of a million rows otherwise takes
// its memory in thousands of page faults, which take as long as filling it.
template <class T>
void reserve_populated(std::vector<T>& table, std::size_t rows) {
  table.reserve(rows);
  populate_pages(table.data(), rows * sizeof(T));
}

}  // namespace ridge::plan::serve

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace ridge::cpu {

// The operands of a product of rows by rows, of one type.
template <class Left, class Right, class Sum>
struct row_product {
  std::int64_t m = 0, n = 0, k = 0;
  const Left* a = nullptr;
  const Right* b = nullptr;
  Sum* c = nullptr;
};

// Covers C with Kernel's tiles: full tiles of Kernel::rows x Kernel::columns, and single rows and columns at
// the edges. A tile's rows of B stay in the first-level cache while all rows of A are read.
template <class Kernel, class Product>
void walk_tiles(const Product& p) {
  constexpr int rows = Kernel::rows, columns = Kernel::columns;
  const auto cover_rows = [&](auto width, std::int64_t j) {
    std::int64_t i = 0;
    for (; i + rows <= p.m; i += rows) Kernel::template tile<rows, width.value>(p, i, j);
    for (; i < p.m; ++i) Kernel::template tile<1, width.value>(p, i, j);
  };
  std::int64_t j = 0;
  for (; j + columns <= p.n; j += columns) cover_rows(std::integral_constant<int, columns>(), j);
  for (; j < p.n; ++j) cover_rows(std::integral_constant<int, 1>(), j);
}

}  // namespace ridge::cpu

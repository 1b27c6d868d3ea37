// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/library_product.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int most_ways = 8;

// The library's operands are column-major, the first transposed. A plan is row-major, so that its b is the
// library's first operand.
vendor::product product_of(const library_type& type, const library_product::places& memory) {
  const std::int64_t n = type.size;
  return {.a = {.data = memory.second, .type = type.operands, .rows = n, .columns = n, .pitch = n},
          .b = {.data = memory.first,
                .type = type.operands,
                .rows = n,
                .columns = n,
                .pitch = n,
                .transposed = true},
          .target = memory.result,
          .pitch = n,
          .target_type = type.result,
          .compute = type.compute,
          .scale_type = type.scale,
          .fast_accumulation = type.type == element::fp8};
}

}  // namespace

library_product::library_product(const library_type& type, const places& memory)
    : size_(type.size), plan_(product_of(type, memory), memory.workspace, most_ways) {}

bool library_product::multiply(std::size_t way) const { return plan_.try_algorithm(way, nullptr); }

double library_product::operations() const {
  const double n = size_;
  return 2 * n * n * n;
}

}  // namespace ridge::backends::probe_cuda

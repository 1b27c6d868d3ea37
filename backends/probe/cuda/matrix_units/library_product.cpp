// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/library_product.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int most_ways = 8;

// The library's first operand enters transposed, its second as it lies, both column-major; a plan is
// row-major, so that its b is the first operand.
vendor::product product_of(const library_type& type, const library_product::places& at) {
  const std::int64_t n = type.size;
  return {
      .a = {.at = at.second, .type = type.operands, .rows = n, .columns = n, .pitch = n},
      .b = {.at = at.first, .type = type.operands, .rows = n, .columns = n, .pitch = n, .transposed = true},
      .target = at.result,
      .pitch = n,
      .target_type = type.result,
      .compute = type.compute,
      .scale_type = type.scale,
      .fast_accumulation = type.type == element::fp8};
}

}  // namespace

library_product::library_product(const library_type& type, const places& at)
    : size_(type.size), plan_(product_of(type, at), at.workspace, most_ways) {}

bool library_product::multiply(std::size_t way) const { return plan_.try_algorithm(way, nullptr); }

double library_product::operations() const {
  const double n = size_;
  return 2 * n * n * n;
}

}  // namespace ridge::backends::probe_cuda

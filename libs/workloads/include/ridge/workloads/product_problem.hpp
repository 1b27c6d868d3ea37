// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge {
class memory;
struct tolerance;
struct work;
}  // namespace ridge

// A product of matrices of one type with sums in fp32, as a problem that experiments pose. The header is
// light: sources of kernels include it. What is a template is there for bf16 and float.
namespace ridge::workloads {

// The result has m rows and n columns; each of its elements is a sum of k products.
struct product_extents {
  std::size_t m = 0, n = 0, k = 0;
};
// Returns the extents that a text such as "1408x4224x8192" states in the order m, n, k. Any other text is a
// bug.
[[nodiscard]] product_extents extents_of(std::string_view text);

// Elements of 16 bytes of bf16: rows of operands begin at a multiple of it, as tensor maps need.
inline constexpr std::size_t bf16_row_multiple = 8;
// Returns the elements from one row of an operand to the next: k, rounded up to a multiple of `multiple`.
[[nodiscard]] constexpr std::size_t pitch_of(std::size_t k, std::size_t multiple = bf16_row_multiple) {
  return (k + multiple - 1) / multiple * multiple;
}

// c = a bᵀ: a m x k, b n x k, c m x n, row-major. Rows of a and b begin `pitch` elements apart; c has no
// gaps.
template <class T>
struct product_of {
  std::int64_t m = 0, n = 0, k = 0, pitch = 0;
  input<T> a{}, b{};
  output<T> c{};
};
using bf16_product = product_of<bf16>;
using fp32_product = product_of<float>;

// Returns the product of these extents without its arrays, for experiments whose operands have values of
// their own or stand between other arrays.
template <class T>
[[nodiscard]] product_of<T> without_arrays(const product_extents& extents,
                                           std::size_t multiple = bf16_row_multiple);
// Returns the product of these extents with operands of normal random numbers: a, b and c in the memory.
template <class T>
[[nodiscard]] product_of<T> make_product(const product_extents& extents, memory& arrays,
                                         std::size_t multiple = bf16_row_multiple);
// Returns what the product must do: read both operands with their gaps, write c, multiply and add.
template <class T>
[[nodiscard]] work work_of(const product_extents& extents, std::size_t multiple = bf16_row_multiple);
// Returns element `index` of c in row-major order, summed in fp64 and not rounded.
template <class T>
[[nodiscard]] double exact_element(const product_of<T>& product, std::size_t index);
// Returns the tolerance of c in bf16: that of an fp32 sum of so many terms, then of a rounding to bf16, which
// may go to the next of its numbers.
[[nodiscard]] tolerance rounded_sums(std::size_t terms);

}  // namespace ridge::workloads

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

#include "data/copy_allocator.hpp"

namespace ridge::harness {

// How the results of one call differ from the oracle's.
struct output_difference {
  // Describes the first five wrong elements, with the difference of each and the one that the tolerance
  // allows; empty when all are right.
  std::string why{};
  double max_abs = 0;  // largest |got - expected|
  double max_rel = 0;  // the same over the largest |expected| of its array
  // Sums over the finite elements: of (got - expected)^2, and of expected^2.
  double squared_error = 0, squared_expected = 0;
  std::size_t compared = 0;  // elements
};

// A copy of one array in host memory.
using array_copy = std::vector<std::byte, copy_allocator<std::byte>>;
// A copy of the result arrays of one call, in the order in which the workload made them.
using result_bytes = std::vector<array_copy>;
// The result arrays of one call somewhere in host memory, in the same order.
using result_views = std::vector<std::span<const std::byte>>;
// Copies the result arrays as they are now; waits for their device.
[[nodiscard]] result_bytes copy_results(const memory& arrays);
// The same into a copy made before, whose memory is used again; with a key only what is looked at of them.
void copy_results(const memory& arrays, result_bytes& copy, std::optional<std::uint64_t> pieces_key = {});
// The result arrays of one call as they are now: where they lie, if that is host memory, else copies. They
// are to stay as they are while the views are used.
class results_in_place {
 public:
  // Waits for the device of the arrays.
  explicit results_in_place(const memory& arrays);
  [[nodiscard]] const result_views& views() const { return views_; }

 private:
  result_bytes copies_{};
  result_views views_{};
};
// Views of copied results.
[[nodiscard]] result_views views_of(const result_bytes& results);
// Writes copied results into the result arrays of the same problem in host memory.
void put_results(const result_bytes& results, memory& arrays);

// Compares all result arrays, element by element, with what arrays in the member's memory hold.
[[nodiscard]] output_difference compare_outputs(const result_bytes& got, const memory& expected,
                                                tolerance within);
// The same with results that lie anywhere, all of them or the same pieces; `shapes` tells their types.
[[nodiscard]] output_difference compare_outputs(const result_views& got, const memory& shapes,
                                                const result_views& expected, tolerance within);

// Whether outputs of zeros would agree with these results within the tolerance, although they are not zeros:
// then agreement proves nothing. False for fewer than 64 elements, whose size is an accident.
[[nodiscard]] bool accepts_zeros(const memory& expected, tolerance within);
// The same with results that lie elsewhere; `shapes` tells their types and counts.
[[nodiscard]] bool accepts_zeros(const memory& shapes, const result_views& expected, tolerance within);

// Compares `samples` of the first result array's elements with `element(i)`: all of so few, else both ends
// and others at random.
[[nodiscard]] output_difference compare_samples(const memory& got,
                                                const std::function<double(std::size_t)>& element,
                                                tolerance within, std::uint64_t seed, std::size_t samples);

}  // namespace ridge::harness

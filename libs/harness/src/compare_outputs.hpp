// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::harness {

// All results of one call against the oracle's, element by element.
struct output_difference {
  std::string why{};   // the first five wrong elements in words; empty when all are right
  double max_abs = 0;  // largest |got - expected|
  double max_rel = 0;  // the same over the largest |expected| of its array
};

[[nodiscard]] output_difference compare_outputs(const memory& got, const memory& expected, tolerance within);

// The first result array's elements at `samples` random places against `element(i)`.
[[nodiscard]] output_difference compare_samples(const memory& got,
                                                const std::function<double(std::size_t)>& element,
                                                tolerance within, std::uint64_t seed, std::size_t samples);

}  // namespace ridge::harness

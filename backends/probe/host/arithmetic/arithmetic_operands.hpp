// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "arithmetic/arithmetic_kernels.hpp"

namespace ridge::backends::probe_host {

// Returns finite operands with random mantissas (the same for every kernel of a shape), on which the
// accumulators of a kernel stay finite and different however long it runs.
[[nodiscard]] operands random_operands(const arithmetic_kernel& kernel);

// Return how many elements the accumulators hold, and the value of the element at an index.
[[nodiscard]] std::size_t accumulated(const arithmetic_kernel& kernel);
[[nodiscard]] double value_at(const arithmetic_kernel& kernel, const operands& operands, std::size_t offset);

// Returns what the element at this index must be after this many rounds from `start`, computed one step at a
// time. The result is exact, except for dot products of bf16, which round in their own way and come within
// tolerance_of() of it.
[[nodiscard]] double expected_after(const arithmetic_kernel& kernel, const operands& start,
                                    std::size_t offset, std::int64_t rounds);
[[nodiscard]] double tolerance_of(const arithmetic_kernel& kernel);

}  // namespace ridge::backends::probe_host

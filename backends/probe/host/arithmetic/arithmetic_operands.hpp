// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "arithmetic/arithmetic_kernels.hpp"

namespace ridge::backends::probe_host {

// Finite operands with random mantissas (the same for every kernel of a shape), on which a kernel's
// accumulators stay finite and unlike however long it runs.
[[nodiscard]] operands random_operands(const arithmetic_kernel& kernel);

// How many elements the accumulators hold, and the value of that at a place.
[[nodiscard]] std::size_t accumulated(const arithmetic_kernel& kernel);
[[nodiscard]] double value_at(const arithmetic_kernel& kernel, const operands& operands, std::size_t offset);

// What the element there must be after so many rounds from `start`, computed one step at a time: exactly, but
// for dot products of bf16, which round in a way of their own and come within tolerance_of() of it.
[[nodiscard]] double expected_after(const arithmetic_kernel& kernel, const operands& start,
                                    std::size_t offset, std::int64_t rounds);
[[nodiscard]] double tolerance_of(const arithmetic_kernel& kernel);

}  // namespace ridge::backends::probe_host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/model/kernel_call.hpp>

namespace ridge::plan::kernels {

// A hash of a call that is the same on every machine.
[[nodiscard]] std::uint64_t hash_of(const model::kernel_call& call);

}  // namespace ridge::plan::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::backends::probe_cuda {

// Types that a library multiplies.
enum class element : std::uint8_t { bf16, fp16, tf32, fp32, fp64, fp8, int8 };

// Enqueues filling so many bytes of the device's memory, whole pairs of words, with numbers of random sign
// and digits.
void fill_operands(void* operands, std::size_t bytes, element type);

}  // namespace ridge::backends::probe_cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::backends::probe_cuda {

// Types of matrices that the library's probes multiply.
enum class element : std::uint8_t { bf16, fp16, tf32, fp32, fp64, fp8, int8 };

// Enqueues filling `bytes` of device memory, a multiple of 8, with numbers of random sign and digits.
void fill_operands(void* operands, std::size_t bytes, element type);

}  // namespace ridge::backends::probe_cuda

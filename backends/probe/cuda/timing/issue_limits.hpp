// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cuda_runtime_api.h>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

// Operations of a kind ("fma.fp32", "mma.bf16", "shared.bytes") that one multiprocessor of a compute
// capability can do per clock; 0 where the number is not known for certain. Products are dense, with two
// operations per multiply-add. Sources: NVIDIA H100 and A100 whitepapers; CUDA C++ Programming Guide,
// throughput of native arithmetic.
[[nodiscard]] double operations_per_clock(std::string_view kind, int cc_major, int cc_minor);

// Sets the row's issue limit: that of its kind on all multiprocessors at the row's clock, where both are
// known.
void limit_issue(model::ceiling& row, std::string_view kind, const cudaDeviceProp& gpu);

}  // namespace ridge::backends::probe_cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <cuda_runtime_api.h>

#include <ridge/base/element.hpp>

namespace ridge::kernels {

// Enqueues the filling of operands with random signs, significands and small exponents, for whoever chooses
// an algorithm before there are data: the speed of tensor cores depends on the bits, through power.
void randomize(std::span<bf16> numbers, cudaStream_t stream);
void randomize(std::span<e4m3> numbers, cudaStream_t stream);

}  // namespace ridge::kernels

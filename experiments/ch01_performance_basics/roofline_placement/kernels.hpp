// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "operands.hpp"

// The kernels on the GPU, enqueued on `stream`; operands lie in device memory. Nothing is done for no
// elements.
namespace ridge::experiments::ch01_roofline_placement::on_gpu {

// Each as the simplest that is right and coalesced.
void plain_add(const operands& w, cudaStream_t stream);
void plain_softmax(const operands& w, cudaStream_t stream);
void plain_norm(const operands& w, cudaStream_t stream);
void plain_gemv(const operands& w, cudaStream_t stream);
void plain_gemm(const operands& w, cudaStream_t stream);
// A kernel for the sums of the blocks, another for their sum. `partial` holds plain_dot_blocks(elements)
// floats of device memory.
[[nodiscard]] std::size_t plain_dot_blocks(std::size_t elements);
void plain_dot(const operands& w, std::span<float> partial, cudaStream_t stream);

// Those that memory bounds, with 16 bytes a load and enough of them on the way. Rows that are no whole number
// of vectors, and rows too long for the registers of a block, go to the plain kernels.
void vectorized_add(const operands& w, cudaStream_t stream);
void vectorized_softmax(const operands& w, cudaStream_t stream);
void vectorized_norm(const operands& w, cudaStream_t stream);
void vectorized_gemv(const operands& w, cudaStream_t stream);
// One launch: the block that finishes last adds up what the others left. `partial` holds
// vectorized_dot_blocks(elements) floats of device memory; `finished` counts blocks: zero before the first
// launch, and again after each.
[[nodiscard]] std::size_t vectorized_dot_blocks(std::size_t elements);
void vectorized_dot(const operands& w, std::span<float> partial, unsigned* finished, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_roofline_placement::on_gpu

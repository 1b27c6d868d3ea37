// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <cuda_runtime_api.h>

#include <ridge/base/element.hpp>
#include <ridge/kernels/bf16_product.hpp>
#include <ridge/vendor/planned_matmul.hpp>

// cuBLASLt's product as what our own are compared with.
namespace ridge::kernels {

// Returns the bf16 product of the operands as cuBLASLt's plans state it, without an epilogue.
[[nodiscard]] vendor::product library_product(const product_operands& p);

// Device memory that a plan uses: vendor::workspace_bytes while it runs, and numbers in place of the operands
// while it is chosen, as many as they have.
template <class T>
struct library_memory {
  std::span<std::byte> workspace{};
  std::span<T> sample_a{}, sample_b{};
};

// Returns `wanted` by the fastest of the 32 algorithms that the library's heuristic proposes, timed here on
// `stream` with random numbers in the samples, which overwrites the target. It may be enqueued any number of
// times while the memory lives. Throws as planned_matmul does.
[[nodiscard]] std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                                        const library_memory<bf16>& own,
                                                                        cudaStream_t stream);
[[nodiscard]] std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                                        const library_memory<e4m3>& own,
                                                                        cudaStream_t stream);

}  // namespace ridge::kernels

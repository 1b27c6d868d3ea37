// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <ridge/base/element.hpp>
#include <ridge/kernels/product_operands.hpp>
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

// Returns such memory for operands of the workload's type and size from the setup of a variant.
template <class Workload, class Setup>
[[nodiscard]] auto make_library_memory(const Workload& w, Setup& s) {
  using element = std::remove_const_t<typename decltype(w.a)::element_type>;
  return library_memory<element>{s.template workspace<std::byte>(vendor::workspace_bytes),
                                 s.template workspace<element>(w.a.size()),
                                 s.template workspace<element>(w.b.size())};
}

// Returns `wanted` by the fastest of the 32 algorithms that the library's heuristic proposes, timed here on
// `stream` with random numbers in the samples, which overwrites the target. It may be enqueued any number of
// times while the memory lives. Throws as planned_matmul does.
[[nodiscard]] std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                                        const library_memory<bf16>& own,
                                                                        cudaStream_t stream);
[[nodiscard]] std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                                        const library_memory<e4m3>& own,
                                                                        cudaStream_t stream);

// The comparator of experiments with bf16 products, as a variant's .run: prepares the fastest library_product
// of the workload, or zeros where there are no terms, and returns the timed body.
template <class Workload, class Setup>
[[nodiscard]] auto fastest_library_body(Workload& w, Setup& s) {
  return product_body(w, [&] {
    return fastest_library_product(library_product(operands_of(w)), make_library_memory(w, s), s.queue());
  });
}

}  // namespace ridge::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <cublas_v2.h>

#include <ridge/vendor/find_cublas.hpp>

// cuBLAS without linking it: the functions of <cublas_v2.h> that are used here, each forwarded to the
// library, which is opened on the first call. Without the library they throw ridge::unavailable.

namespace ridge::vendor {

// Throws `failure` when a call failed; the message names the call and what cuBLAS says.
void check_cublas(cublasStatus_t status, std::string_view call);

struct cublas_closer {
  void operator()(cublasContext* handle) const noexcept;
};
using cublas_handle = std::unique_ptr<cublasContext, cublas_closer>;

// What NVIDIA recommends for a Hopper GPU, and room to align it.
inline constexpr std::size_t cublas_workspace_bytes = (std::size_t{32} << 20) + 256;

// A handle whose calls are enqueued on `queue` and allocate nothing: they use `workspace`, which outlives it,
// device memory of cublas_workspace_bytes. fp32 products stay in fp32.
[[nodiscard]] cublas_handle open_cublas(cudaStream_t queue, std::span<std::byte> workspace);

}  // namespace ridge::vendor

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <cublas_v2.h>

#include <ridge/vendor/find_cublas.hpp>

// cuBLAS without linking it: the functions of <cublas_v2.h> that Ridge uses are defined here and forward to
// the library, which is opened on the first call. Without the library they throw ridge::unavailable.

namespace ridge::vendor {

// Throws `failure` when `status` says that a call failed; the message has the call's name and cuBLAS's own
// description of the status.
void check_cublas(cublasStatus_t status, std::string_view call);

// A handle of cuBLAS that is destroyed with its owner.
struct cublas_closer {
  void operator()(cublasContext* handle) const noexcept;
};
using cublas_handle = std::unique_ptr<cublasContext, cublas_closer>;

// Size of a workspace: the 32 MiB that NVIDIA recommends for a Hopper GPU, and room to align it.
inline constexpr std::size_t cublas_workspace_bytes = (std::size_t{32} << 20) + 256;

// A handle whose calls are enqueued on `queue` and allocate nothing. They use `workspace`, which is device
// memory of cublas_workspace_bytes and outlives the handle. fp32 products are computed in fp32.
[[nodiscard]] cublas_handle open_cublas(cudaStream_t queue, std::span<std::byte> workspace);

}  // namespace ridge::vendor

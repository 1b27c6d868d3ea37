// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/host/shared_library.hpp>

struct cudnnContext;

// What the sources on cuDNN share.
namespace ridge::vendor {

// The library, opened on the first call. Throws unavailable without it.
[[nodiscard]] const host::shared_library& cudnn_library();

// Throws failure, with the library's words, unless `status` is that of success.
void check_cudnn(int status, std::string_view call);

struct cudnn_closer {
  void operator()(cudnnContext* handle) const noexcept;
};

}  // namespace ridge::vendor

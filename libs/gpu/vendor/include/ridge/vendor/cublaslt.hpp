// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>

// cuBLASLt without linking it: its functions under the names of <cublasLt.h>, each forwarded to the library,
// which is opened on the first call. Without the library they throw ridge::unavailable.

namespace ridge::vendor {

// What was found ("cuBLASLt 13.1.0"), or what is missing and how to get it. Opens the library.
[[nodiscard]] result<std::string> find_cublaslt();

}  // namespace ridge::vendor

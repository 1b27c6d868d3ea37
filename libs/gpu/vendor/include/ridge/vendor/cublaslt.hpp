// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>

// cuBLASLt without linking it: the functions of <cublasLt.h> that Ridge uses are defined here and forward to
// the library, which is opened on the first call. Without the library they throw ridge::unavailable.

namespace ridge::vendor {

// The library's name and version ("cuBLASLt 13.1.0"), or what is missing and how to get it. Opens the
// library.
[[nodiscard]] result<std::string> find_cublaslt();

}  // namespace ridge::vendor

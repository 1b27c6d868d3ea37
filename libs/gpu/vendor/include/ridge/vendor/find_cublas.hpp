// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>

namespace ridge::vendor {

// The library's name and version ("cuBLAS 13.1.0"), or what is missing and how to get it. Opens the library,
// but no GPU.
[[nodiscard]] result<std::string> find_cublas();

}  // namespace ridge::vendor

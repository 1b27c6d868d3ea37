// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::trace {

// The work per launch of all kernels whose names contain `kernel`, as the caller knows it; no profile records
// it.
struct known_work {
  std::string kernel{};
  double flops = 0;  // 0: not known
  double bytes = 0;  // distinct bytes touched; 0: not known
};

// Parses "gemm=1.7e10" or "gemm=1.7e10,6e7": name, operations and bytes. An error says what was expected.
[[nodiscard]] result<known_work> parse_known_work(std::string_view text);

}  // namespace ridge::trace

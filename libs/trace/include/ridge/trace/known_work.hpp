// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::trace {

// What the caller knows of the work of kernels whose names hold `kernel`, a launch: no profile tells it.
struct known_work {
  std::string kernel{};
  double flops = 0;  // 0: not known
  double bytes = 0;  // touched, each once; 0: not known
};

// "gemm=1.7e10" or "gemm=1.7e10,6e7": operations and bytes. An error says what was expected.
[[nodiscard]] result<known_work> parse_known_work(std::string_view text);

}  // namespace ridge::trace

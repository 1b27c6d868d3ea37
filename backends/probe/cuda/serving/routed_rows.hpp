// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::backends::probe_cuda {

// The number of rows that each expert gets when every token is routed to `top_k` different ones, drawn with a
// popularity that is log-uniform over a factor of 20, which is what planning assumes. The same for each call.
[[nodiscard]] std::vector<int> routed_rows(std::int64_t tokens, std::int64_t experts, std::int64_t top_k);

}  // namespace ridge::backends::probe_cuda

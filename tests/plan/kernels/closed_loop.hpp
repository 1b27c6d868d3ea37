// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan_test {

// Clients that each send a request when their previous one has ended; all start at once.
struct closed_loop {
  std::int64_t clients = 1, input_tokens = 1, output_tokens = 1;
  double shortest = 1;        // lengths are drawn uniformly from this share of the two above up to the whole
  std::int64_t requests = 1;  // total number of requests
  std::int64_t cache_tokens =
      0;  // tokens that the KV cache holds; a request is admitted when it fits to its end
};

struct closed_loop_result {
  double ttft_s = 0, tpot_s = 0;  // means over all requests
  std::int64_t steps = 0;
};

[[nodiscard]] closed_loop_result run(const closed_loop& scenario, const plan::kernels::engine_profile& engine,
                                     const plan::serve::iteration_timer& timer);

}  // namespace ridge::plan_test

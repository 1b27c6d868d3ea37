// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/cost.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan {

// Tokens per second of an engine that does one kind of work at a time: prompts in full steps of
// `max_step_tokens`, and `batch` sequences decoding at the middle of their answers. A cached token costs the
// attention of the prompt's new tokens to it.
[[nodiscard]] phase_rates rates_of(const serve::iteration_timer& timer, const request_lengths& l,
                                   std::int64_t batch, std::int64_t max_step_tokens);

}  // namespace ridge::plan

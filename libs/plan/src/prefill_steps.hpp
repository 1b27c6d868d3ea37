// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan {

// A step that computes `tokens` new tokens of one prompt after `context` cached ones.
[[nodiscard]] serve::iteration prefill_step(double tokens, double context);
// A step in which `sequences` sequences decode, each with `context` tokens.
[[nodiscard]] serve::iteration decode_step(double sequences, double context);
[[nodiscard]] serve::iteration merged_step(const serve::iteration& a, const serve::iteration& b);

}  // namespace ridge::plan

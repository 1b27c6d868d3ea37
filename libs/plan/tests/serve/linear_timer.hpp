// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::serve {

// Steps whose time is linear in their contents, so that results can be computed by hand.
struct linear_timer final : iteration_timer {
  double step_s = 0, prefill_token_s = 0, decode_sequence_s = 0, context_s = 0;

  linear_timer(double step, double prefill_token, double decode_sequence, double context)
      : step_s(step),
        prefill_token_s(prefill_token),
        decode_sequence_s(decode_sequence),
        context_s(context) {}
  [[nodiscard]] double seconds(const iteration& i) const override {
    return step_s + prefill_token_s * static_cast<double>(i.prefill_tokens) +
           decode_sequence_s * static_cast<double>(i.decode_sequences) +
           context_s * static_cast<double>(i.decode_context);
  }
  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t) const override {
    return {step_s + decode_sequence_s * static_cast<double>(sequences), context_s,
            std::numeric_limits<std::int64_t>::max() / 4};
  }
};

}  // namespace ridge::plan::serve

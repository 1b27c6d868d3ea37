// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// What one step of a serving engine computes. Sums over the sequences in it are all that kernel times depend
// on.
struct iteration {
  std::int64_t prefill_tokens = 0;     // Σ c: new tokens of prompts
  std::int64_t prefill_sequences = 0;  // prompts with tokens in this step
  std::int64_t prefill_context = 0;    // Σ k: tokens of them that are cached already
  double prefill_pairs = 0;            // Σ c · (k + (c + 1)/2): query-key pairs under the causal mask
  std::int64_t decode_sequences = 0;
  std::int64_t decode_tokens = 0;       // tokens they verify: equal to the sequences without speculation
  std::int64_t decode_context = 0;      // Σ tokens in their caches, the new one included
  std::int64_t decode_context_max = 0;  // the longest; 0 where nobody asks
  std::int64_t sampled = 0;             // sequences that get a token: rows of the head

  [[nodiscard]] std::int64_t tokens() const { return prefill_tokens + decode_tokens; }
};

// Seconds of a step that only decodes, for a fixed number of sequences: base + slope · Σ context, up to a
// context.
struct decode_line {
  double base_s = 0;
  double per_context_s = 0;
  std::int64_t up_to_context = 0;  // Σ context until which the line holds
};

// How long steps take. Thread-safe: many simulations ask one. Seconds include the host's share of a step.
class iteration_timer {
 public:
  virtual ~iteration_timer() = default;
  [[nodiscard]] virtual double seconds(const iteration& i) const = 0;
  // The line on which steps of so many decoding sequences lie at this context, so that a simulator can take
  // many of them at once. Must agree with seconds().
  [[nodiscard]] virtual decode_line decode(std::int64_t sequences, std::int64_t context) const = 0;

  // Whether the longest context of the decoding sequences matters too: then iteration::decode_context_max is
  // given, and lines are asked for with it. It grows by one token a step.
  [[nodiscard]] virtual bool wants_longest() const { return false; }
  [[nodiscard]] virtual decode_line decode_with_longest(std::int64_t sequences, std::int64_t context,
                                                        std::int64_t /*longest*/) const {
    return decode(sequences, context);
  }
};

}  // namespace ridge::plan::serve

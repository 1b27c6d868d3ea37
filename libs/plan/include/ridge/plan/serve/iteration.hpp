// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// The work of one step of a serving engine, as the sums over its sequences that kernel times depend on.
struct iteration {
  std::int64_t prefill_tokens = 0;     // Σ c: new tokens of prompts
  std::int64_t prefill_sequences = 0;  // prompts with tokens in this step
  std::int64_t prefill_context = 0;    // Σ k: tokens of these prompts that are cached already
  double prefill_pairs = 0;            // Σ c · (k + (c + 1)/2): query-key pairs under the causal mask
  std::int64_t decode_sequences = 0;
  std::int64_t decode_tokens = 0;       // tokens verified; without speculation one per sequence
  std::int64_t decode_context = 0;      // Σ tokens in their caches, the new one included
  std::int64_t decode_context_max = 0;  // the longest of them; 0 unless wants_longest()
  std::int64_t sampled = 0;             // sequences that produce a token: rows of the output head

  // All tokens of the step.
  [[nodiscard]] std::int64_t tokens() const { return prefill_tokens + decode_tokens; }
};

// Seconds of a decode-only step as a line: base_s + per_context_s · Σ context, for a fixed number of
// sequences.
struct decode_line {
  double base_s = 0;
  double per_context_s = 0;
  std::int64_t up_to_context = 0;  // Σ context until which the line holds
};

// How long steps take, in seconds with the host's share. Thread-safe: many simulations share a timer.
class iteration_timer {
 public:
  virtual ~iteration_timer() = default;
  // Seconds of this step.
  [[nodiscard]] virtual double seconds(const iteration& i) const = 0;
  // The line through the decode-only steps of so many sequences at this total context, which lets a simulator
  // compute many steps at once. Agrees with seconds().
  [[nodiscard]] virtual decode_line decode(std::int64_t sequences, std::int64_t context) const = 0;

  // Whether times depend on the longest context of the decoding sequences as well. The caller then fills
  // iteration::decode_context_max and calls decode_with_longest(); the longest grows by one token per step.
  [[nodiscard]] virtual bool wants_longest() const { return false; }
  [[nodiscard]] virtual decode_line decode_with_longest(std::int64_t sequences, std::int64_t context,
                                                        std::int64_t /*longest*/) const {
    return decode(sequences, context);
  }
};

// What adapters (LoRA) add to a step, in seconds. Thread-safe.
class adapter_timer {
 public:
  virtual ~adapter_timer() = default;
  // Seconds that a step with so many tokens takes longer, of which requests use so many different adapters.
  [[nodiscard]] virtual double seconds(std::int64_t tokens, std::int64_t adapters) const = 0;
};

}  // namespace ridge::plan::serve

// SPDX-License-Identifier: Apache-2.0
#include "prefill_steps.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::plan {
namespace {

std::int64_t whole(double x) { return static_cast<std::int64_t>(std::llround(x)); }

}  // namespace

serve::iteration prefill_step(double tokens, double context) {
  serve::iteration i;
  if (tokens <= 0) return i;
  i.prefill_tokens = whole(tokens);
  i.prefill_sequences = 1;
  i.prefill_context = whole(context);
  i.prefill_pairs = tokens * (context + (tokens + 1) / 2);
  i.sampled = 1;
  return i;
}

serve::iteration decode_step(double sequences, double context) {
  serve::iteration i;
  if (sequences <= 0) return i;
  i.decode_sequences = std::max<std::int64_t>(1, whole(sequences));
  i.decode_tokens = i.decode_sequences;
  i.decode_context = whole(static_cast<double>(i.decode_sequences) * context);
  i.decode_context_max = whole(context);
  i.sampled = i.decode_sequences;
  return i;
}

serve::iteration merged_step(const serve::iteration& a, const serve::iteration& b) {
  return {.prefill_tokens = a.prefill_tokens + b.prefill_tokens,
          .prefill_sequences = a.prefill_sequences + b.prefill_sequences,
          .prefill_context = a.prefill_context + b.prefill_context,
          .prefill_pairs = a.prefill_pairs + b.prefill_pairs,
          .decode_sequences = a.decode_sequences + b.decode_sequences,
          .decode_tokens = a.decode_tokens + b.decode_tokens,
          .decode_context = a.decode_context + b.decode_context,
          .decode_context_max = std::max(a.decode_context_max, b.decode_context_max),
          .sampled = a.sampled + b.sampled};
}

}  // namespace ridge::plan

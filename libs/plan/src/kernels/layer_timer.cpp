// SPDX-License-Identifier: Apache-2.0
#include "layer_timer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "divided_up.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::decode_line;
using serve::iteration;

// Seconds for a count, continued along the last slope beyond the table.
double looked_up(const std::vector<double>& seconds, std::int64_t count) {
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  const auto last = seconds.size() - 1;
  if (at <= last) {
    return seconds[at];
  }
  return seconds[last] + static_cast<double>(at - last) * (seconds[last] - seconds[last - 1]);
}

class profile_timer final : public serve::iteration_timer {
 public:
  explicit profile_timer(stacked_layers layers) : layers_(std::move(layers)) {}

  [[nodiscard]] double seconds(const iteration& i) const override {
    const auto own = slowest_share(i);
    return tokens_s(own.tokens()) + experts_s(i.tokens()) + sequences_s(own.sampled) +
           layers_.layers * attention_s(own);
  }
  [[nodiscard]] bool wants_longest() const override { return !layers_.skew.empty(); }
  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t context) const override {
    return decode_with_longest(sequences, context, 0);
  }

  [[nodiscard]] decode_line decode_with_longest(std::int64_t sequences, std::int64_t context,
                                                std::int64_t longest) const override {
    const auto own = divided_up(sequences, parts());
    const auto n = static_cast<double>(own), all = static_cast<double>(sequences);
    const auto mean = static_cast<double>(context) / all;
    const auto most = static_cast<double>(longest);
    const auto share = layers_.skew.share({.decodes = n, .mean = mean, .longest = most});
    const auto at_mean = line_of_equals(n, mean);
    const auto at_longest = share == 0 ? at_mean : line_of_equals(n, most);
    const auto slope = between(at_mean.slope, at_longest.slope, share);
    const auto steps = share == 0 ? at_mean.steps : std::min(at_mean.steps, at_longest.steps);
    const auto now_s = tokens_s(own) + experts_s(sequences) + sequences_s(own) +
                       layers_.layers * between(at_mean.seconds, at_longest.seconds, share);
    const auto limit = std::isinf(steps) ? std::numeric_limits<std::int64_t>::max() / 4
                                         : context + static_cast<std::int64_t>(steps * all);
    return {now_s - layers_.layers * slope * mean, layers_.layers * slope / all, limit};
  }

 private:
  // Attention of one layer for sequences of equal context, and its increase per step.
  struct equal_contexts {
    double seconds = 0, slope = 0, steps = 0;
  };
  [[nodiscard]] equal_contexts line_of_equals(double sequences, double context) const {
    const auto bend = layers_.attention.next_bend(context);
    const auto then = std::isinf(bend) ? context + 1 : bend;
    const auto now_s = layers_.attention.seconds({.decodes = sequences, .decode_context = context});
    const auto then_s = layers_.attention.seconds({.decodes = sequences, .decode_context = then});
    return {now_s, (then_s - now_s) / (then - context), bend - context};
  }
  [[nodiscard]] static double between(double below, double above, double share) {
    return below + share * (above - below);
  }

  [[nodiscard]] int parts() const { return layers_.ranks_together * layers_.micro_batches; }

  // The part of a step that the rank with the most sequences computes at a time.
  [[nodiscard]] iteration slowest_share(const iteration& i) const {
    if (parts() == 1) return i;
    const auto share_of = [&](std::int64_t sequences) {
      return sequences == 0
                 ? 0.0
                 : static_cast<double>(divided_up(sequences, parts())) / static_cast<double>(sequences);
    };
    const auto prompts = share_of(i.prefill_sequences), decodes = share_of(i.decode_sequences);
    const auto part = [](std::int64_t count, double share) {
      return static_cast<std::int64_t>(std::ceil(static_cast<double>(count) * share - 1e-9));
    };
    auto own = i;
    own.prefill_tokens = part(i.prefill_tokens, prompts);
    own.prefill_sequences = part(i.prefill_sequences, prompts);
    own.prefill_context = part(i.prefill_context, prompts);
    own.prefill_pairs = i.prefill_pairs * prompts;
    own.decode_sequences = divided_up(i.decode_sequences, parts());
    own.decode_tokens = part(i.decode_tokens, decodes);
    own.decode_context = part(i.decode_context, decodes);
    own.sampled = divided_up(i.sampled, parts());
    return own;
  }

  [[nodiscard]] double attention_s(const iteration& i) const {
    const auto decodes = static_cast<double>(i.decode_sequences);
    if (i.decode_sequences == 0) {
      return attention_of_equals_s(i, 0);
    }
    const auto mean = static_cast<double>(i.decode_context) / decodes;
    const auto longest = static_cast<double>(i.decode_context_max);
    const auto share = layers_.skew.share({static_cast<double>(i.prefill_tokens), decodes, mean, longest});
    const auto at_mean_s = attention_of_equals_s(i, mean);
    return share == 0 ? at_mean_s : between(at_mean_s, attention_of_equals_s(i, longest), share);
  }

  // Several prompts are treated as one of their total length when their number of query-key pairs allows it,
  // else as equal prompts that share the minimum cost of one.
  [[nodiscard]] double attention_of_equals_s(const iteration& i, double decode_context) const {
    const auto decodes = static_cast<double>(i.decode_sequences);
    if (i.prefill_tokens == 0) {
      return layers_.attention.seconds({.decodes = decodes, .decode_context = decode_context});
    }
    const auto chunk = static_cast<double>(i.prefill_tokens);
    const auto context = i.prefill_pairs / chunk - (chunk + 1) / 2;
    if (context >= 0) {
      return layers_.attention.seconds({chunk, context, decodes, decode_context});
    }
    const auto equal = std::max(1.0, 2 * i.prefill_pairs / chunk - 1);
    const auto more = layers_.attention.prompt_s(equal, 0) -
                      layers_.attention.prompt_s(layers_.attention.smallest_chunk(), 0);
    return layers_.attention.seconds({equal, 0, decodes, decode_context}) +
           (chunk / equal - 1) * std::max(0.0, more);
  }

  [[nodiscard]] double tokens_s(std::int64_t n) const { return looked_up(layers_.tokens_s, n); }
  [[nodiscard]] double experts_s(std::int64_t n) const {
    return layers_.experts_s.empty() ? 0 : looked_up(layers_.experts_s, divided_up(n, layers_.micro_batches));
  }
  [[nodiscard]] double sequences_s(std::int64_t n) const { return looked_up(layers_.sequences_s, n); }

  stacked_layers layers_;
};

}  // namespace

std::unique_ptr<serve::iteration_timer> layer_timer(stacked_layers layers) {
  return std::make_unique<profile_timer>(std::move(layers));
}

}  // namespace ridge::plan::kernels

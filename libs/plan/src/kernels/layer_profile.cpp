// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/layer_profile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "attention_grid.hpp"
#include "decode_skew.hpp"
#include "layer_tables.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::decode_line;
using serve::iteration;

// How often a step runs a layer of the profile: by each of the model's layers, or once.
bool runs_once(std::string_view layer) { return layer == "embedding" || layer == "final_layernorm"; }
double times_in_layer(std::string_view layer) {
  return layer == "layernorm" ? 2 : 1;
}  // before attention, and after

// What a token passes of experts: top_k draws of E, all tokens alike: E · (1 - (1 - k/E)^tokens).
double touched_experts(const profile_shape& of, double tokens) {
  const auto all = static_cast<double>(of.experts);
  return all * (1 - std::pow(1 - static_cast<double>(of.active_experts) / all, tokens));
}

double experts_s(const std::map<double, measured_line>& lines, double touched, double tokens) {
  const auto above = lines.lower_bound(touched);
  if (above == lines.begin()) {
    return above->second.seconds(tokens);
  }
  if (above == lines.end()) {
    return lines.rbegin()->second.seconds(tokens);
  }
  const auto below = std::prev(above);
  const auto share = (touched - below->first) / (above->first - below->first);
  const auto low = below->second.seconds(tokens);
  return low + share * (above->second.seconds(tokens) - low);
}

// Seconds by an integer count, along the last slope beyond it.
class tabulated {
 public:
  tabulated() = default;
  template <class Function>
  tabulated(std::size_t most, const Function& f) {
    for (std::size_t i = 0; i <= most; ++i) {
      seconds_.push_back(i == 0 ? 0 : f(static_cast<double>(i)));
    }
  }
  [[nodiscard]] double operator()(std::int64_t count) const {
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    const auto last = seconds_.size() - 1;
    if (at <= last) {
      return seconds_[at];
    }
    return seconds_[last] + static_cast<double>(at - last) * (seconds_[last] - seconds_[last - 1]);
  }

 private:
  std::vector<double> seconds_{};
};

class profile_timer final : public serve::iteration_timer {
 public:
  profile_timer(double layers, attention_grid attention, decode_skew skew, tabulated tokens,
                tabulated sequences)
      : layers_(layers),
        attention_(std::move(attention)),
        skew_(std::move(skew)),
        tokens_(std::move(tokens)),
        sequences_(std::move(sequences)) {}

  [[nodiscard]] double seconds(const iteration& i) const override {
    return tokens_(i.tokens()) + sequences_(i.sampled) + layers_ * attention_s(i);
  }
  [[nodiscard]] bool wants_longest() const override { return !skew_.empty(); }
  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t context) const override {
    return decode_with_longest(sequences, context, 0);
  }

  [[nodiscard]] decode_line decode_with_longest(std::int64_t sequences, std::int64_t context,
                                                std::int64_t longest) const override {
    const auto n = static_cast<double>(sequences);
    const auto mean = static_cast<double>(context) / n;
    const auto most = static_cast<double>(longest);
    const auto share = skew_.share({.decodes = n, .mean = mean, .longest = most});
    const auto at_mean = line_of_equals(n, mean);
    const auto at_longest = share == 0 ? at_mean : line_of_equals(n, most);
    const auto slope = between(at_mean.slope, at_longest.slope, share);
    const auto steps = share == 0 ? at_mean.steps : std::min(at_mean.steps, at_longest.steps);
    const auto now_s = tokens_(sequences) + sequences_(sequences) +
                       layers_ * between(at_mean.seconds, at_longest.seconds, share);
    const auto limit = std::isinf(steps) ? std::numeric_limits<std::int64_t>::max() / 4
                                         : context + static_cast<std::int64_t>(steps * n);
    return {now_s - layers_ * slope * mean, layers_ * slope / n, limit};
  }

 private:
  // Attention of one layer over so many sequences of equal context, and how it goes on from step to step.
  struct equal_contexts {
    double seconds = 0, slope = 0, steps = 0;
  };
  [[nodiscard]] equal_contexts line_of_equals(double sequences, double context) const {
    const auto bend = attention_.next_bend(context);
    const auto then = std::isinf(bend) ? context + 1 : bend;
    const auto now_s = attention_.seconds({.decodes = sequences, .decode_context = context});
    const auto then_s = attention_.seconds({.decodes = sequences, .decode_context = then});
    return {now_s, (then_s - now_s) / (then - context), bend - context};
  }
  [[nodiscard]] static double between(double below, double above, double share) {
    return below + share * (above - below);
  }

  [[nodiscard]] double attention_s(const iteration& i) const {
    const auto decodes = static_cast<double>(i.decode_sequences);
    if (i.decode_sequences == 0) {
      return attention_of_equals_s(i, 0);
    }
    const auto mean = static_cast<double>(i.decode_context) / decodes;
    const auto longest = static_cast<double>(i.decode_context_max);
    const auto share = skew_.share({static_cast<double>(i.prefill_tokens), decodes, mean, longest});
    const auto at_mean_s = attention_of_equals_s(i, mean);
    return share == 0 ? at_mean_s : between(at_mean_s, attention_of_equals_s(i, longest), share);
  }

  // Several prompts are one as long as all of them where their pairs of query and key allow it; shorter ones
  // are so many equal prompts, which share what one costs at least.
  [[nodiscard]] double attention_of_equals_s(const iteration& i, double decode_context) const {
    const auto decodes = static_cast<double>(i.decode_sequences);
    if (i.prefill_tokens == 0) {
      return attention_.seconds({.decodes = decodes, .decode_context = decode_context});
    }
    const auto chunk = static_cast<double>(i.prefill_tokens);
    const auto context = i.prefill_pairs / chunk - (chunk + 1) / 2;
    if (context >= 0) {
      return attention_.seconds({chunk, context, decodes, decode_context});
    }
    const auto equal = std::max(1.0, 2 * i.prefill_pairs / chunk - 1);
    const auto more = attention_.prompt_s(equal, 0) - attention_.prompt_s(attention_.smallest_chunk(), 0);
    return attention_.seconds({equal, 0, decodes, decode_context}) +
           (chunk / equal - 1) * std::max(0.0, more);
  }

  double layers_;
  attention_grid attention_;
  decode_skew skew_;
  tabulated tokens_, sequences_;
};

struct profile_tables {
  lines_by_layer dense{}, sequences{};
  std::map<double, measured_line> experts{};
};

double most_of(const lines_by_layer& lines) {
  double most = 0;
  for (const auto& [name, line] : lines) {
    most = std::max(most, line.last());
  }
  return most;
}

result<profile_tables> read_tables(const std::filesystem::path& folder, const profile_shape& of) {
  auto dense = read_layer_lines(folder / "dense.csv", "tokens");
  if (!dense) {
    return dense.why();
  }
  auto sequences = read_layer_lines(folder / "per_sequence.csv", "sequences");
  if (!sequences) {
    return sequences.why();
  }
  profile_tables all{std::move(*dense), std::move(*sequences), {}};
  if (!std::filesystem::exists(folder / "moe.csv")) {
    return all;
  }
  if (of.experts <= 0 || of.active_experts <= 0) {
    return error{(folder / "moe.csv").string() + ": experts were measured, and the model has none",
                 "give the model whose layers these are"};
  }
  auto experts = read_expert_lines(folder / "moe.csv");
  if (!experts) {
    return experts.why();
  }
  all.experts = std::move(*experts);
  return all;
}

tabulated tokens_table(const profile_tables& tables, const profile_shape& of) {
  return {static_cast<std::size_t>(most_of(tables.dense)), [&](double tokens) {
            double layer_s = 0, once_s = 0;
            for (const auto& [name, line] : tables.dense) {
              (runs_once(name) ? once_s : layer_s) += times_in_layer(name) * line.seconds(tokens);
            }
            if (!tables.experts.empty()) {
              layer_s += experts_s(tables.experts, touched_experts(of, tokens), tokens);
            }
            return static_cast<double>(of.layers) * layer_s + once_s;
          }};
}

tabulated sequences_table(const profile_tables& tables) {
  return {static_cast<std::size_t>(most_of(tables.sequences)), [&](double sequences) {
            double all = 0;
            for (const auto& [name, line] : tables.sequences) {
              all += line.seconds(sequences);
            }
            return all;
          }};
}

}  // namespace

profile_shape profile_shape_of(const model_shape& m) {
  profile_shape of{.layers = m.layers()};
  for (const auto& kind : m.kinds) {
    of.experts = std::max(of.experts, kind.feed_forward.experts);
    of.active_experts = std::max(of.active_experts, kind.feed_forward.active_experts);
  }
  return of;
}

result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(const std::filesystem::path& folder,
                                                                   const profile_shape& of) {
  if (of.layers <= 0) {
    return error{"a layer profile is stacked to " + std::to_string(of.layers) + " layers",
                 "give the model's layers"};
  }
  auto tables = read_tables(folder, of);
  if (!tables) {
    return tables.why();
  }
  auto attention = attention_grid::read(folder / "attention.csv");
  if (!attention) {
    return attention.why();
  }
  auto skew = declares_skew(folder) ? decode_skew::read(folder / "skew.csv") : decode_skew{};
  if (!skew) {
    return skew.why();
  }
  return std::unique_ptr<serve::iteration_timer>{
      std::make_unique<profile_timer>(static_cast<double>(of.layers), std::move(*attention), std::move(*skew),
                                      tokens_table(*tables, of), sequences_table(*tables))};
}

result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below, int tensor_parallel) {
  const auto wanted = "tp" + std::to_string(tensor_parallel);
  std::vector<std::filesystem::path> found;
  std::error_code why;
  if (std::filesystem::exists(below / "attention.csv")) {
    return below;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(below, why)) {
    if (entry.is_directory() && entry.path().filename() == wanted &&
        std::filesystem::exists(entry.path() / "attention.csv")) {
      found.push_back(entry.path());
    }
  }
  if (found.size() == 1) {
    return found.front();
  }
  const auto what = found.empty() ? " holds no " + wanted + "/attention.csv" : " holds several profiles";
  return error{below.string() + what,
               "give the folder of one: the one that holds dense.csv and attention.csv"};
}

}  // namespace ridge::plan::kernels

// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/step_timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "step_cost.hpp"
#include "step_tables.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::decode_line;
using serve::iteration;

std::int64_t share(std::int64_t count, int stages) { return (count + stages - 1) / stages; }

// Everything computed once; answers are looked up.
class tabled_timer final : public step_timer {
 public:
  tabled_timer(const step_request& of, const step_cost& cost);
  double seconds(const iteration& i) const override;
  decode_line decode(std::int64_t sequences, std::int64_t context) const override;
  step_parts parts(const iteration& i) const override;
  const engine_overheads& engine() const override { return engine_; }

 private:
  [[nodiscard]] bool graphed(std::int64_t tokens) const { return tokens <= engine_.graph_tokens; }
  [[nodiscard]] double host_s(std::int64_t sequences) const {
    return engine_.step_s + engine_.sequence_s * static_cast<double>(sequences);
  }
  [[nodiscard]] double launches_s(std::int64_t tokens) const { return graphed(tokens) ? 0 : launches_s_; }
  [[nodiscard]] double attention_s(const iteration& i) const;

  engine_overheads engine_;
  int stages_;
  double queries_;
  double launches_s_ = 0;
  dense_curve products_, experts_, elementwise_, collectives_, tokens_, head_;
  decode_surface decode_;
  prefill_surface prefill_;
};

double kernels_of(const step_cost& cost) {
  const auto t = cost.of_tokens(1);
  return t.products.kernels + t.experts.kernels + t.elementwise.kernels + t.collectives.kernels +
         cost.of_head(1).kernels + cost.of_decode(1, 1).kernels;
}

tabled_timer::tabled_timer(const step_request& of, const step_cost& cost)
    : engine_(of.engine), stages_(of.layout.pipeline), queries_(of.tokens_per_sequence) {
  launches_s_ = engine_.kernel_launch_s * kernels_of(cost);
  const auto by_tokens = [&](auto part) {
    return dense_curve(of.max_batched_tokens, [&](std::int64_t t) { return part(cost.of_tokens(t)); });
  };
  products_ = by_tokens([](const token_cost& c) { return c.products.seconds; });
  experts_ = by_tokens([](const token_cost& c) { return c.experts.seconds; });
  elementwise_ = by_tokens([](const token_cost& c) { return c.elementwise.seconds; });
  collectives_ = by_tokens([](const token_cost& c) { return c.collectives.seconds; });
  tokens_ = dense_curve(of.max_batched_tokens, [&](std::int64_t t) {
    return products_.at(t) + experts_.at(t) + elementwise_.at(t) + collectives_.at(t);
  });
  head_ = dense_curve(of.max_sequences, [&](std::int64_t rows) { return cost.of_head(rows).seconds; });
  decode_ = decode_surface(of.max_sequences, of.max_context,
                           [&](std::int64_t b, double mean) { return cost.of_decode(b, mean).seconds; });
  prefill_ = prefill_surface(of.max_batched_tokens, of.max_context, [&](std::int64_t tokens, double mean) {
    return cost.of_prefill(tokens, mean).seconds;
  });
}

double tabled_timer::attention_s(const iteration& i) const {
  return decode_.at(share(i.decode_sequences, stages_), share(i.decode_context, stages_)) +
         prefill_.at(share(i.prefill_tokens, stages_), i.prefill_pairs / stages_);
}

double tabled_timer::seconds(const iteration& i) const {
  const auto tokens = i.tokens();
  if (tokens <= 0) return 0;
  const double gpu =
      tokens_.at(share(tokens, stages_)) + head_.at(share(i.sampled, stages_)) + attention_s(i);
  return std::max(gpu, launches_s(tokens)) + host_s(i.prefill_sequences + i.decode_sequences);
}

step_parts tabled_timer::parts(const iteration& i) const {
  step_parts p;
  const auto tokens = i.tokens(), own = share(tokens, stages_);
  if (tokens <= 0) return p;
  p.products_s = products_.at(own);
  p.experts_s = experts_.at(own);
  p.elementwise_s = elementwise_.at(own);
  p.collectives_s = collectives_.at(own);
  p.head_s = head_.at(share(i.sampled, stages_));
  p.attention_decode_s = decode_.at(share(i.decode_sequences, stages_), share(i.decode_context, stages_));
  p.attention_prefill_s = prefill_.at(share(i.prefill_tokens, stages_), i.prefill_pairs / stages_);
  p.launch_s = std::max(launches_s(tokens) - p.total_s(), 0.0);
  p.host_s = host_s(i.prefill_sequences + i.decode_sequences);
  return p;
}

decode_line tabled_timer::decode(std::int64_t sequences, std::int64_t context) const {
  const auto tokens = std::llround(static_cast<double>(sequences) * queries_);
  const double fixed = tokens_.at(share(tokens, stages_)) + head_.at(share(tokens, stages_));
  auto line = decode_.line(share(sequences, stages_), share(context, stages_));
  // The line of one micro-batch's contexts is one of all contexts, so many times flatter.
  line.per_context_s /= stages_;
  line.base_s += fixed;
  if (line.up_to_context < std::numeric_limits<std::int64_t>::max() / stages_) line.up_to_context *= stages_;
  const double launches = launches_s(tokens);
  const double crossing = line.per_context_s > 0 ? (launches - line.base_s) / line.per_context_s : 0;
  if (static_cast<double>(context) < crossing)
    line = {launches, 0, std::min(line.up_to_context, static_cast<std::int64_t>(crossing))};
  line.base_s += host_s(sequences);
  return line;
}

result<number_format> weights_of(const step_request& of) {
  return number_format_named(of.weight_format.empty() ? of.model.weight_format : of.weight_format);
}

result<void> check(const step_request& of) {
  if (of.model.layers() == 0 || of.model.hidden <= 0)
    return error{"the model has no layers or no hidden size", "give a model by --model or --config"};
  if (of.gpu.bandwidth_bytes_per_s <= 0 || of.gpu.peak_flop_per_s("bf16") <= 0)
    return error{of.gpu.name + " has no memory bandwidth or no bf16 peak in the catalogue",
                 "give a GPU that has, or a catalogue of your own by --hardware"};
  if (of.max_batched_tokens < 1 || of.max_sequences < 1 || of.max_context < 1)
    return error{"the most tokens, sequences and context of a step must be at least 1", "raise them"};
  return {};
}

}  // namespace

double step_parts::total_s() const {
  return products_s + experts_s + attention_prefill_s + attention_decode_s + elementwise_s + collectives_s +
         head_s + launch_s + host_s;
}

result<std::unique_ptr<step_timer>> make_step_timer(const step_request& of, const kernel_times& kernels) {
  if (const auto bad = check(of); !bad) return bad.why();
  const auto weights = weights_of(of);
  if (!weights) return weights.why();
  const auto kv = number_format_named(of.kv_format);
  if (!kv) return kv.why();
  const step_cost cost(of, kernels, *weights, *kv);
  return std::unique_ptr<step_timer>(std::make_unique<tabled_timer>(of, cost));
}

derivation explain_step(const step_request& of, const kernel_times& kernels, const step_timer& by,
                        const iteration& i) {
  const auto p = by.parts(i);
  const double band = kernels.relative_band();
  derivation d;
  const auto part = [&](std::string id, std::string label, double seconds, std::string formula) {
    if (seconds > 0)
      d.push_back({std::move(id),
                   std::move(label),
                   seconds * 1e3,
                   "ms",
                   std::move(formula),
                   {},
                   basis::fitted,
                   kernels.source(),
                   band});
  };
  part("products_ms", "Dense products", p.products_s,
       "Σ max(FLOP / (peak · share), bytes / (bandwidth · share)) + floor");
  part("experts_ms", "Experts", p.experts_s, "the same, of the experts that at least one token is routed to");
  part("attention_prefill_ms", "Attention of prompts", p.attention_prefill_s,
       "4 · heads · head size · pairs / (peak · share)");
  part("attention_decode_ms", "Attention of decoding", p.attention_decode_s, "a + b · Σ context");
  part("elementwise_ms", "Norms, activations, caches", p.elementwise_s,
       "bytes / (bandwidth · share) + floor");
  part("collectives_ms", "Collectives", p.collectives_s, "2 a layer");
  part("head_ms", "Vocabulary and sampling", p.head_s, "rows sampled · vocabulary");
  part("launch_ms", "Waiting for launches", p.launch_s, "kernels · launch - kernels' time");
  part("host_ms", "Host", p.host_s, "step + sequence · sequences");
  part("step_ms", "One step", p.total_s(), "sum of the above");
  if (!d.empty()) d.back().inputs = {{"engine", of.engine.engine}, {"layout", of.layout.text()}};
  return d;
}

}  // namespace ridge::plan::kernels

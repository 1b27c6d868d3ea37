// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/step_timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "step_cost.hpp"
#include "step_tables.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::decode_line;
using serve::iteration;

// Most models run in one stage, and a division takes longer than to look.
std::int64_t share(std::int64_t count, int stages) {
  return stages == 1 ? count : (count + stages - 1) / stages;
}

// The tables that are expensive to compute; timers share them.
struct lookups {
  int stages = 1;
  double queries = 1;  // per decoding sequence
  double kernels = 0;  // kernels per step
  dense_curve products{}, experts{}, elementwise{}, collectives{}, tokens{}, head{};
  decode_surface decode{};
  prefill_surface prefill{};
};

double kernels_of(const step_cost& cost) {
  const auto t = cost.of_tokens(1);
  return t.products.kernels + t.experts.kernels + t.elementwise.kernels + t.collectives.kernels +
         cost.of_head(1).kernels + cost.of_decode(1, 1).kernels;
}

std::shared_ptr<const lookups> compute(const step_request& request, const step_cost& cost) {
  auto l = std::make_shared<lookups>();
  l->stages = request.layout.pipeline;
  l->queries = request.tokens_per_sequence;
  l->kernels = kernels_of(cost);
  const auto most = request.max_batched_tokens;
  std::vector<token_cost> costs;
  for (const auto t : knots_up_to(most)) costs.push_back(cost.of_tokens(t));
  const auto by_tokens = [&](auto part) {
    std::size_t next = 0;
    return dense_curve(most, [&](std::int64_t) { return part(costs[next++]); });
  };
  l->products = by_tokens([](const token_cost& c) { return c.products.seconds; });
  l->experts = by_tokens([](const token_cost& c) { return c.experts.seconds; });
  l->elementwise = by_tokens([](const token_cost& c) { return c.elementwise.seconds; });
  l->collectives = by_tokens([](const token_cost& c) { return c.collectives.seconds; });
  l->tokens = by_tokens([](const token_cost& c) {
    return c.products.seconds + c.experts.seconds + c.elementwise.seconds + c.collectives.seconds;
  });
  l->head = dense_curve(request.max_sequences, [&](std::int64_t rows) { return cost.of_head(rows).seconds; });
  l->decode = decode_surface(request.max_sequences, request.max_context,
                             [&](std::int64_t b, double mean) { return cost.of_decode(b, mean).seconds; });
  l->prefill = prefill_surface(most, request.max_context, [&](std::int64_t tokens, double mean) {
    return cost.of_prefill(tokens, mean).seconds;
  });
  return l;
}

class tabled_timer final : public step_timer {
 public:
  tabled_timer(std::shared_ptr<const lookups> tables, engine_overheads engine)
      : lookups_(std::move(tables)), engine_(std::move(engine)) {}
  double seconds(const iteration& i) const override;
  decode_line decode(std::int64_t sequences, std::int64_t context) const override;
  step_parts parts(const iteration& i) const override;
  const engine_overheads& engine() const override { return engine_; }
  std::unique_ptr<step_timer> with(const engine_overheads& engine) const override {
    return std::make_unique<tabled_timer>(lookups_, engine);
  }

 private:
  [[nodiscard]] double exposed_s(std::int64_t sequences) const {
    return engine_.step_s + engine_.sequence_s * static_cast<double>(sequences);
  }
  // The least time of a step, however fast its kernels are.
  [[nodiscard]] double least_s(std::int64_t tokens, std::int64_t sequences) const {
    const double host = engine_.hidden_step_s + engine_.hidden_sequence_s * static_cast<double>(sequences);
    return tokens <= engine_.graph_tokens ? host
                                          : std::max(host, engine_.kernel_launch_s * lookups_->kernels);
  }

  std::shared_ptr<const lookups> lookups_;
  engine_overheads engine_;
};

double tabled_timer::seconds(const iteration& i) const {
  const auto tokens = i.tokens(), sequences = i.prefill_sequences + i.decode_sequences;
  if (tokens <= 0) return 0;
  const auto& l = *lookups_;
  const double gpu = l.tokens.at(share(tokens, l.stages)) + l.head.at(share(i.sampled, l.stages)) +
                     l.decode.at(share(i.decode_sequences, l.stages), share(i.decode_context, l.stages)) +
                     l.prefill.at(share(i.prefill_tokens, l.stages), i.prefill_pairs / l.stages);
  return std::max(gpu, least_s(tokens, sequences)) + exposed_s(sequences);
}

step_parts tabled_timer::parts(const iteration& i) const {
  step_parts p;
  const auto& l = *lookups_;
  const auto tokens = i.tokens(), own = share(tokens, l.stages);
  const auto sequences = i.prefill_sequences + i.decode_sequences;
  if (tokens <= 0) return p;
  p.products_s = l.products.at(own);
  p.experts_s = l.experts.at(own);
  p.elementwise_s = l.elementwise.at(own);
  p.collectives_s = l.collectives.at(own);
  p.head_s = l.head.at(share(i.sampled, l.stages));
  p.attention_decode_s = l.decode.at(share(i.decode_sequences, l.stages), share(i.decode_context, l.stages));
  p.attention_prefill_s = l.prefill.at(share(i.prefill_tokens, l.stages), i.prefill_pairs / l.stages);
  p.waiting_s = std::max(least_s(tokens, sequences) - p.total_s(), 0.0);
  p.host_s = exposed_s(sequences);
  return p;
}

decode_line tabled_timer::decode(std::int64_t sequences, std::int64_t context) const {
  const auto& l = *lookups_;
  const std::int64_t tokens =
      l.queries == 1 ? sequences : std::llround(static_cast<double>(sequences) * l.queries);
  const double fixed = l.tokens.at(share(tokens, l.stages)) + l.head.at(share(tokens, l.stages));
  auto line = l.decode.line(share(sequences, l.stages), share(context, l.stages));
  // The slope over the contexts of one micro-batch, divided by their number, is the slope over all contexts.
  line.per_context_s /= l.stages;
  line.base_s += fixed;
  if (line.up_to_context < std::numeric_limits<std::int64_t>::max() / l.stages)
    line.up_to_context *= l.stages;
  const double least = least_s(tokens, sequences);
  const double crossing = line.per_context_s > 0 ? (least - line.base_s) / line.per_context_s : 0;
  const bool always = line.per_context_s <= 0 && line.base_s < least;
  if (always || static_cast<double>(context) < crossing)
    line = {least, 0,
            always ? line.up_to_context : std::min(line.up_to_context, static_cast<std::int64_t>(crossing))};
  line.base_s += exposed_s(sequences);
  return line;
}

result<number_format> weights_of(const step_request& request) {
  return number_format_named(request.weight_format.empty() ? request.model.weight_format
                                                           : request.weight_format);
}

result<void> check(const step_request& request) {
  if (request.model.layers() == 0 || request.model.hidden <= 0)
    return error{"the model has no layers or no hidden size", "give a model by --model or --config"};
  if (request.gpu.generation == "tpu")
    return error{"no kernel of " + request.gpu.name + " was measured, and those of GPUs do not run on it",
                 "choose a GPU; plan memory and kv-cache take a TPU"};
  if (request.gpu.bandwidth_bytes_per_s <= 0 || request.gpu.peak_flop_per_s("bf16") <= 0)
    return error{request.gpu.name + " has no memory bandwidth or no bf16 peak in the catalogue",
                 "give a GPU that has, or a catalogue of your own by --hardware"};
  if (request.max_batched_tokens < 1 || request.max_sequences < 1 || request.max_context < 1)
    return error{"the greatest tokens, sequences and context per step must be at least 1", "raise them"};
  return {};
}

}  // namespace

double step_parts::total_s() const {
  return products_s + experts_s + attention_prefill_s + attention_decode_s + elementwise_s + collectives_s +
         head_s + waiting_s + host_s;
}

result<std::unique_ptr<step_timer>> make_step_timer(const step_request& request,
                                                    const kernel_times& kernels) {
  if (const auto bad = check(request); !bad) return bad.why();
  const auto weights = weights_of(request);
  if (!weights) return weights.why();
  const auto kv = number_format_named(request.kv_format);
  if (!kv) return kv.why();
  const step_cost cost(request, kernels, *weights, *kv);
  return std::unique_ptr<step_timer>(std::make_unique<tabled_timer>(compute(request, cost), request.engine));
}

derivation explain_step(const step_request& request, const kernel_times& kernels, const step_timer& timer,
                        const iteration& i) {
  const auto p = timer.parts(i);
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
  part("collectives_ms", "Collectives", p.collectives_s, "2 per layer");
  part("head_ms", "Vocabulary and sampling", p.head_s, "rows sampled · vocabulary");
  part("waiting_ms", "Waiting for launches and host", p.waiting_s,
       "max(kernels · launch, hidden host) - kernels' time");
  part("host_ms", "Host", p.host_s, "step + sequence · sequences");
  part("step_ms", "One step", p.total_s(), "sum of the above");
  if (!d.empty()) d.back().inputs = {{"engine", request.engine.engine}, {"layout", request.layout.text()}};
  return d;
}

}  // namespace ridge::plan::kernels

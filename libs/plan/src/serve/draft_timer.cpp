// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/draft_timer.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan::serve {
namespace {

class timer_with_draft final : public iteration_timer {
 public:
  timer_with_draft(std::shared_ptr<const iteration_timer> target,
                   std::shared_ptr<const iteration_timer> draft, double step_share, int drafted)
      : target_(std::move(target)), draft_(std::move(draft)), step_share_(step_share), drafted_(drafted) {}

  [[nodiscard]] double seconds(const iteration& i) const override {
    double total = target_->seconds(i);
    if (i.decode_sequences > 0) total += drafted_ * token_s(i);
    if (draft_ != nullptr && i.prefill_tokens > 0) total += draft_->seconds(prompts_of(i));
    return total;
  }

  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t context) const override {
    return with_drafts(target_->decode(sequences, context), sequences, context);
  }

  [[nodiscard]] bool wants_longest() const override { return target_->wants_longest(); }
  [[nodiscard]] decode_line decode_with_longest(std::int64_t sequences, std::int64_t context,
                                                std::int64_t longest) const override {
    return with_drafts(target_->decode_with_longest(sequences, context, longest), sequences, context);
  }

 private:
  // Seconds of drafting one token for each decoding sequence.
  [[nodiscard]] double token_s(const iteration& i) const {
    const iteration one{.decode_sequences = i.decode_sequences,
                        .decode_tokens = i.decode_sequences,
                        .decode_context = i.decode_context,
                        .decode_context_max = i.decode_context_max,
                        .sampled = i.decode_sequences};
    return draft_ != nullptr ? draft_->seconds(one) : step_share_ * target_->seconds(one);
  }

  static iteration prompts_of(const iteration& i) {
    return {.prefill_tokens = i.prefill_tokens,
            .prefill_sequences = i.prefill_sequences,
            .prefill_context = i.prefill_context,
            .prefill_pairs = i.prefill_pairs};
  }

  [[nodiscard]] decode_line with_drafts(decode_line line, std::int64_t sequences,
                                        std::int64_t context) const {
    auto draft = draft_ != nullptr ? draft_->decode(sequences, context) : target_->decode(sequences, context);
    const double times = draft_ != nullptr ? drafted_ : drafted_ * step_share_;
    line.base_s += times * draft.base_s;
    line.per_context_s += times * draft.per_context_s;
    line.up_to_context = std::min(line.up_to_context, draft.up_to_context);
    return line;
  }

  std::shared_ptr<const iteration_timer> target_, draft_;
  double step_share_ = 0;
  int drafted_ = 0;
};

// The target's last layer alone; its embedding and head stay.
model_shape one_layer_of(const model_shape& target) {
  auto draft = target;
  draft.kinds = {target.kinds[static_cast<std::size_t>(target.order.back())]};
  draft.order = {0};
  draft.prediction_layers = 0;
  return draft;
}

std::string drafter_text(const draft_choice& c, const model_shape& target) {
  if (c.step_share > 0) return fmt::format("{:g} of a decode step of the target", c.step_share);
  if (c.model) return fmt::format("a decode step of {} on the target's GPUs", c.model->name);
  return fmt::format("one layer of {} and its output head, as MTP and EAGLE", target.name);
}

plan::derivation explained(const iteration_timer& target, const iteration_timer& both,
                           const draft_choice& choice, int drafted, const kernels::step_request& step) {
  constexpr std::int64_t sequences = 64, context = 1024;
  const iteration decode{.decode_sequences = sequences,
                         .decode_tokens = sequences * (1 + drafted),
                         .decode_context = sequences * context,
                         .decode_context_max = context,
                         .sampled = sequences};
  const auto given = choice.step_share > 0;
  return {{.id = "draft_ms",
           .label = fmt::format("Drafting {} tokens for 64 sequences of 1024 tokens", drafted),
           .value = 1e3 * (both.seconds(decode) - target.seconds(decode)),
           .unit = "ms",
           .formula = "tokens drafted one after another · " + drafter_text(choice, step.model),
           .inputs = {{"tokens", std::to_string(drafted)}},
           .basis = given          ? plan::basis::given
                    : choice.model ? plan::basis::fitted
                                   : plan::basis::assumed,
           .source = given          ? "--draft-share; what the draft keeps in memory is not known"
                     : choice.model ? "kernels of the draft model"
                                    : "no draft is given; --draft-model or --draft-share tells yours",
           .relative_band = given ? 0 : 0.25}};
}

// A draft is not quantized as its target is, and runs on the ranks of the last stage.
inference_setup setup_of_draft(const draft_choice& choice, const inference_setup& target) {
  auto own = target;
  own.model = choice.model ? *choice.model : one_layer_of(target.model);
  if (choice.model) own.weight_format.clear(), own.quantize_experts_only = false;
  own.layout.pipeline = own.layout.virtual_pipeline = 1;
  return own;
}

}  // namespace

result<double> add_draft_memory(std::vector<inference_rank>& ranks, const draft_choice& choice,
                                const inference_setup& setup) {
  if (choice.step_share > 0 && !choice.model) return 0.0;
  const auto own = inference_memory(setup_of_draft(choice, setup));
  if (!own) return own.why();
  auto draft = own->front();
  if (!choice.model) {
    constexpr double sixteen_bits = 2;
    const auto hidden = static_cast<double>(setup.model.hidden);
    draft.embedding_bytes = draft.head_bytes = draft.encoder_bytes = 0;
    draft.other_bytes += sixteen_bits * 2 * hidden * hidden;
  }
  auto& last = ranks.back();
  last.other_bytes += draft.weights_bytes();
  last.cache.insert(last.cache.end(), draft.cache.begin(), draft.cache.end());
  return draft.weights_bytes();
}

std::shared_ptr<const iteration_timer> drafting_timer(std::shared_ptr<const iteration_timer> target,
                                                      std::shared_ptr<const iteration_timer> draft,
                                                      double step_share, int drafted) {
  return std::make_shared<timer_with_draft>(std::move(target), std::move(draft), step_share, drafted);
}

result<drafted_steps> with_draft(const std::shared_ptr<const iteration_timer>& target,
                                 const draft_choice& choice, int drafted, const kernels::step_request& step,
                                 const kernels::kernel_times& times) {
  std::shared_ptr<const iteration_timer> draft;
  if (choice.step_share <= 0) {
    auto small = step;
    small.model = choice.model ? *choice.model : one_layer_of(step.model);
    if (choice.model) small.weight_format.clear();
    small.layout.pipeline = small.layout.virtual_pipeline = 1;  // a draft runs on the ranks of the last stage
    if (const auto divides = check_layout(small.model, small.layout); !divides)
      return error{"the draft cannot be divided as the target is: " + divides.why().message,
                   divides.why().remedy};
    small.engine.step_s = small.engine.sequence_s = 0;
    small.engine.hidden_step_s = small.engine.hidden_sequence_s = 0;
    small.tokens_per_sequence = 1;
    auto timer = kernels::make_step_timer(small, times);
    if (!timer) return timer.why();
    draft = std::move(*timer);
  }
  drafted_steps made{.timer = drafting_timer(target, draft, choice.step_share, drafted)};
  made.derivation = explained(*target, *made.timer, choice, drafted, step);
  return made;
}

}  // namespace ridge::plan::serve

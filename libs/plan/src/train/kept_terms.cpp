// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <ridge/plan/train/training_memory.hpp>

#include "as_real.hpp"
#include "layer_memory.hpp"

namespace ridge::plan::train {
namespace {

using terms = std::vector<kept_term>;
constexpr double half = 2;  // bytes of a bf16 or fp16 element

// A layer under construction, with the bytes per element of the inputs of products.
struct builder {
  const training_job& job;
  const layer_shape& layer;
  double h = 0;
  double product_input = half;  // bytes
  std::string input_bytes = "2";
  bool fp8 = false;
  bool lean = false;  // as recompute_up_projections says
  terms made{};

  [[nodiscard]] double activation_input() const { return lean ? product_input : half; }
  [[nodiscard]] std::string activation_bytes() const {
    return std::to_string(static_cast<int>(activation_input() * (layer.feed_forward.gated ? 2 : 1)));
  }

  void add(std::string name, std::string formula, double bytes, kept_region r, bool pointwise = false) {
    if (bytes > 0) made.push_back({std::move(name), std::move(formula), bytes, r, pointwise});
  }
  void norm_and_product(const std::string& norm, const std::string& product) {
    add("input of " + norm, "2 h", half * h, kept_region::norm);
    add("input of " + product, input_bytes + " h", product_input * h, kept_region::norm, true);
  }
  void post_norm(const std::string& name) {
    add("input of the norm behind " + name, "2 h", half * h, kept_region::norm);
  }
  void dropout_mask(const std::string& name) {
    if (job.dropout) add("mask of dropout behind " + name, "h", h, kept_region::norm);
  }
};

// Two norms per layer, four when outputs are normed too. Layers without a gate (as in GPT) have norms with a
// bias and twice the parameters.
bool norms_outputs(const layer_shape& l, double h) {
  return l.feed_forward.gated && as_real(l.norm_parameters) >= 4 * h;
}

void add_scores(builder& b, double heads) {
  if (b.job.fused_attention) {
    b.add("log-sum-exp of scores", "4 H", 4 * heads, kept_region::core);
    return;
  }
  const double scores = heads * as_real(b.job.sequence);
  b.add("softmax of scores", "2 H s", half * scores, kept_region::core);
  if (!b.job.dropout) return;
  b.add("mask of dropout of scores", "H s", scores, kept_region::core);
  b.add("scores after dropout", "2 H s", half * scores, kept_region::core);
}

void add_attention_output(builder& b, double width) {
  b.add("output of attention", "2 H d", half * width, kept_region::tensor);
  if (b.fp8) b.add("input of the output projection", "H d", width, kept_region::tensor);
}

void add_attention(builder& b) {
  const auto& a = b.layer.attention;
  const double q = as_real(a.heads * a.head_dim);
  const bool own = !a.reuses_cache && a.kind != attention_kind::none;
  const double k = own ? as_real(a.kv_heads * a.head_dim) : 0;
  const double v = own && !a.shared_key_value ? as_real(a.kv_heads * a.value_head_dim) : 0;
  b.norm_and_product("the first norm", "QKV");
  if (a.query_key_norm || a.query_key_norm_wide) {
    b.add("queries before their norm", "2 H d", half * q, kept_region::tensor);
    b.add("keys before their norm", "2 KV d", half * k, kept_region::key_value);
  }
  b.add("queries", "2 H d", half * q, kept_region::tensor);
  b.add("keys", "2 KV d", half * k, kept_region::key_value);
  b.add("values", "2 KV d", half * v, kept_region::key_value);
  if (a.output_gate) b.add("gate of the output", "2 H d", half * q, kept_region::tensor);
  add_scores(b, as_real(a.heads));
  add_attention_output(b, as_real(a.heads * (a.value_head_dim > 0 ? a.value_head_dim : a.head_dim)));
}

// DeepSeek-V2, section 2.1, as in training: keys and values are expanded, and compressed rows are kept before
// and after their norms.
void add_latent_attention(builder& b) {
  const auto& a = b.layer.attention;
  const double heads = as_real(a.heads);
  const double query = heads * as_real(a.nope_dim + a.rope_dim);
  b.norm_and_product("the first norm", "the compressing products");
  b.add("compressed queries and their norm's output", "4 q", 2 * half * as_real(a.query_rank),
        kept_region::norm);
  b.add("compressed keys and values and their norm's output", "4 c + 2 r",
        half * (2 * as_real(a.kv_rank) + as_real(a.rope_dim)), kept_region::norm);
  b.add("queries", "2 H (n + r)", half * query, kept_region::tensor, b.lean);
  b.add("keys", "2 H (n + r)", half * query, kept_region::tensor, b.lean);
  b.add("values", "2 H v", half * heads * as_real(a.value_head_dim), kept_region::tensor, b.lean);
  add_scores(b, heads);
  add_attention_output(b, heads * as_real(a.value_head_dim));
}

// Outputs of the projections, of the convolution and of the gate: twice the width of all projections. An
// estimate; states are recomputed.
void add_linear_mixer(builder& b) {
  b.norm_and_product("the first norm", "the mixer's projections");
  b.add("projections, convolved and gated copies", "4 P / h",
        2 * half * as_real(b.layer.attention.mixer_parameters) / b.h, kept_region::tensor);
}

void add_mixer(builder& b) {
  switch (b.layer.attention.kind) {
    case attention_kind::none:
      return;
    case attention_kind::linear:
      add_linear_mixer(b);
      break;
    case attention_kind::latent:
      add_latent_attention(b);
      break;
    case attention_kind::full:
    case attention_kind::sliding:
    case attention_kind::chunked:
      add_attention(b);
      break;
  }
  b.dropout_mask("attention");
  if (norms_outputs(b.layer, b.h)) b.post_norm("attention");
}

void add_dense(builder& b, double width, const std::string& name, const std::string& symbol) {
  const double wide = b.layer.feed_forward.gated ? 2 : 1;
  b.add("input of the " + name + "activation function", b.activation_bytes() + " " + symbol,
        wide * b.activation_input() * width, kept_region::tensor);
  b.add("input of the second " + name + "product", b.input_bytes + " " + symbol, b.product_input * width,
        kept_region::tensor, true);
}

// The activation function applies the routing probabilities, so outputs of experts need not be kept
// (Megatron Core since 0.11).
void add_routed(builder& b, const memory_settings& s) {
  const auto& f = b.layer.feed_forward;
  const double copies = as_real(f.active_experts) * s.expert_imbalance;
  const double width = f.expert_hidden > 0 ? as_real(f.expert_hidden) : b.h;
  const double wide = f.gated ? 2 : 1;
  b.add("logits and probabilities of the router", "8 E", 8 * as_real(f.experts), kept_region::norm);
  b.add("tokens sent to experts", b.input_bytes + " k h", b.product_input * copies * width,
        kept_region::routed_hidden);
  b.add("inputs of the experts' activation function", b.activation_bytes() + " k Ie",
        wide * b.activation_input() * copies * as_real(f.expert_intermediate),
        kept_region::routed_intermediate);
  b.add("inputs of the experts' second product", b.input_bytes + " k Ie",
        b.product_input * copies * as_real(f.expert_intermediate), kept_region::routed_intermediate, true);
}

void add_feed_forward(builder& b, const memory_settings& s) {
  const auto& f = b.layer.feed_forward;
  if (f.intermediate == 0 && f.experts == 0) return;
  b.norm_and_product("the second norm", f.experts > 0 ? "the router and experts" : "the first product");
  if (f.intermediate > 0) add_dense(b, as_real(f.intermediate), "", "I");
  if (f.shared_experts > 0) add_dense(b, as_real(f.shared_experts * f.shared_intermediate), "shared ", "Is");
  if (f.experts > 0) add_routed(b, s);
  b.dropout_mask("the feed-forward block");
  if (norms_outputs(b.layer, b.h)) b.post_norm("the feed-forward block");
}

}  // namespace

std::vector<kept_term> kept_terms(const training_job& job, const memory_settings& settings,
                                  const layer_shape& layer) {
  builder b{.job = job, .layer = layer, .h = as_real(job.model.hidden)};
  b.lean = settings.recompute_up_projections;
  if (settings.fp8_activations) {
    b.fp8 = true;
    b.product_input = 1;
    b.input_bytes = "1";
  }
  add_mixer(b);
  add_feed_forward(b, settings);
  return std::move(b.made);
}

kept_divisors divisors_of(const training_plan& plan, double kv_heads) {
  const double t = plan.layout.tensor;
  return {.norm = plan.sequence_parallel ? t : 1,
          .tensor = t,
          .key_value = kv_heads > 0 ? std::min(t, kv_heads) : t,
          .expert_tensor = static_cast<double>(plan.layout.expert_tensor)};
}

void kept_sums::add(kept_region region, double bytes) {
  switch (region) {
    case kept_region::norm:
      norm += bytes;
      break;
    case kept_region::tensor:
      tensor += bytes;
      break;
    case kept_region::key_value:
      key_value += bytes;
      break;
    case kept_region::core:
      core += bytes;
      break;
    case kept_region::routed_hidden:
      routed_hidden += bytes;
      break;
    case kept_region::routed_intermediate:
      routed_intermediate += bytes;
      break;
  }
}

namespace {

struct division {
  double divisor = 1;
  const char* text = "";
};

division division_of(kept_region r, const kept_divisors& divisors) {
  switch (r) {
    case kept_region::norm:
    case kept_region::routed_intermediate:
      return {divisors.norm, divisors.norm > 1 ? " / t" : ""};
    case kept_region::tensor:
    case kept_region::core:
      return {divisors.tensor, divisors.tensor > 1 ? " / t" : ""};
    case kept_region::key_value:
      return {divisors.key_value, divisors.key_value > 1 ? " / min(t, KV)" : ""};
    case kept_region::routed_hidden:
      return {divisors.norm / divisors.expert_tensor, divisors.expert_tensor > 1 ? " · etp / t"
                                                      : divisors.norm > 1        ? " / t"
                                                                                 : ""};
  }
  return {};
}

bool recomputes_cheap(const memory_settings& s) {
  return s.recompute_pointwise || s.recompute_up_projections;
}

bool is_kept(const kept_term& term, bool layer_input, const training_plan& plan, const memory_settings& s) {
  if (plan.recompute == recomputation::none || layer_input) return true;
  if (plan.recompute == recomputation::full) return false;
  return term.region != kept_region::core && !(term.pointwise && recomputes_cheap(s));
}

}  // namespace

std::vector<kept_tensor> kept_by_layer(const training_job& job, const memory_settings& settings,
                                       const layer_shape& layer, const training_plan& plan) {
  const auto by = divisors_of(plan, as_real(layer.attention.kv_heads));
  std::vector<kept_tensor> kept;
  bool first = true;
  for (const auto& term : kept_terms(job, settings, layer)) {
    const auto d = division_of(term.region, by);
    if (is_kept(term, first, plan, settings))
      kept.push_back({term.name, term.formula + d.text, term.bytes / d.divisor});
    first = false;
  }
  return kept;
}

}  // namespace ridge::plan::train

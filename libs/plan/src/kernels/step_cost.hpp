// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>

namespace ridge::plan::kernels {

// Seconds of a kernel with the factors of a calibration.
[[nodiscard]] double scaled_s(const kernel_time& t, const kernel_scaling& scaling);

// Seconds of a part of a step and its number of kernels.
struct kernel_cost {
  double seconds = 0;
  double kernels = 0;
};

// Costs that depend only on the number of tokens.
struct token_cost {
  kernel_cost products{}, experts{}, elementwise{}, collectives{};
};

// Costs of one micro-batch through all pipeline stages, each with the average share of layers.
class step_cost {
 public:
  step_cost(const step_request& request, const kernel_times& kernels, const number_format& weights,
            const number_format& kv);

  [[nodiscard]] token_cost of_tokens(std::int64_t tokens) const;
  [[nodiscard]] kernel_cost of_head(std::int64_t rows) const;
  [[nodiscard]] kernel_cost of_decode(std::int64_t sequences, double mean_context) const;
  [[nodiscard]] kernel_cost of_prefill(std::int64_t tokens, double mean_context) const;

 private:
  void add_attention(const layer_shape& l, std::int64_t tokens, double layers, token_cost& cost) const;
  void add_latent(const attention_shape& a, std::int64_t tokens, double layers, token_cost& cost) const;
  void add_heads(const attention_shape& a, std::int64_t tokens, double layers, token_cost& cost) const;
  void add_feed_forward(const feed_forward_shape& f, std::int64_t tokens, double layers,
                        token_cost& cost) const;
  void add_experts(const feed_forward_shape& f, std::int64_t tokens, double layers, token_cost& cost) const;
  void add_product(kernel_cost& cost, double layers, std::int64_t m, std::int64_t n, std::int64_t k,
                   const number_format& w) const;
  void add_elementwise(kernel_cost& cost, double layers, double bytes) const;
  void add_exchange(kernel_cost& cost, double layers, const exchange& e) const;
  void add(kernel_cost& cost, double times, const kernel_time& t) const;
  [[nodiscard]] kernel_time decode_of(const layer_shape& l, std::int64_t sequences,
                                      double mean_context) const;
  [[nodiscard]] kernel_time prefill_of(const layer_shape& l, std::int64_t tokens, double mean_context) const;
  [[nodiscard]] head_shape heads_of(const attention_shape& a) const;
  [[nodiscard]] latent_shape latent_of(const attention_shape& a) const;
  [[nodiscard]] std::int64_t split(std::int64_t count) const;  // per rank of those that divide attention

  const step_request& request_;
  const kernel_times& kernels_;
  number_format dense_, experts_, head_, kv_;
  std::int64_t attention_ranks_ = 1;  // 1 with data-parallel attention
};

}  // namespace ridge::plan::kernels

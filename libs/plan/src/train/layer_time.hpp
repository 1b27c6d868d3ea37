// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/train/training_coefficients.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// Bytes per element of activations and gradients between kernels: bf16.
inline constexpr double element_bytes = 2;

// The rate of large products, and the size of a cube that reaches half of it.
struct product_rate {
  double flop_per_s = 0, half_size = 0;
};

// Rates that kernels reach on this GPU.
struct kernel_rates {
  product_rate layers{};            // products of layers in the job's compute type
  product_rate bf16{};              // products that stay in 16 bits
  double attention_flop_per_s = 0;  // fused attention kernel
  double bytes_per_s = 0;
  double launch_s = 0;
  double gathered_bytes = 2;  // per element gathered by tensor ranks: fp8 is cast before

  [[nodiscard]] double product_s(const product_rate& rate, double m, double n, double k) const;
  // The same product for each of so many experts, in one kernel.
  [[nodiscard]] double grouped_s(double experts, double m, double n, double k) const;
  [[nodiscard]] double streamed_s(double bytes) const;
};

[[nodiscard]] kernel_rates rates_of(const training_job& job, const accelerator& gpu,
                                    const training_coefficients& c);

// How the work of a micro-batch in a layer is divided.
struct layer_division {
  int tensor = 1, context = 1, micro_batch = 1;
  bool sequence_parallel = true;
};

struct expert_division {
  int tensor = 1, context = 1, micro_batch = 1, expert = 1, expert_tensor = 1;
  // Tokens cross to a node once and are forwarded inside, and go to experts in 8 bits in an fp8 job, as
  // DeepSeek-V3's kernels do (deepseek-ai/DeepEP).
  bool forwarded = false;
};

// Seconds of one micro-batch in one layer on one rank, forward and backward together; `again`: added by
// recomputation.
struct layer_seconds {
  double product = 0, attention = 0, memory_bound = 0;
  double tensor = 0, context = 0;  // communication that is not overlapped
  double core_again = 0;           // recomputation of attention alone
  double forward_again = 0, tensor_again = 0;

  layer_seconds& operator+=(const layer_seconds& o);
  [[nodiscard]] layer_seconds times(double n) const;
};

struct expert_seconds {
  double product = 0, memory_bound = 0, exchange = 0;
  double forward_again = 0, exchange_again = 0;

  expert_seconds& operator+=(const expert_seconds& o);
  [[nodiscard]] expert_seconds times(double n) const;
};

// The job and machine for which layers are timed.
struct layer_clock {
  const training_job& job;
  const interconnect& links;
  const training_coefficients& measured;
  const kernel_rates& rates;

  // Everything except the routed experts.
  [[nodiscard]] layer_seconds dense(const layer_shape& layer, const layer_division& d) const;
  [[nodiscard]] expert_seconds experts(const layer_shape& layer, const expert_division& d) const;
  // Logits and loss of one micro-batch.
  [[nodiscard]] layer_seconds head(const layer_division& d) const;
  [[nodiscard]] layer_seconds embedding(const layer_division& d) const;
};

}  // namespace ridge::plan::train

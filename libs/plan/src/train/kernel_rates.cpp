// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "layer_time.hpp"

namespace ridge::plan::train {
namespace {

bool is_eight_bit(const training_job& job) { return job.compute_type == "fp8"; }

}  // namespace

kernel_rates rates_of(const training_job& job, const accelerator& gpu, const training_coefficients& c) {
  kernel_rates r;
  const bool eight = is_eight_bit(job);
  const double bf16 = gpu.peak_flop_per_s("bf16");
  r.bf16 = {bf16 * c.bf16_efficiency, c.half_size};
  // A GPU without fp8 runs such products in 16 bits.
  const double fp8 = gpu.peak_flop_per_s("fp8");
  r.layers = eight && fp8 > bf16 ? product_rate{fp8 * c.fp8_efficiency, c.fp8_half_size} : r.bf16;
  r.attention_flop_per_s = bf16 * c.attention_efficiency;
  r.bytes_per_s = gpu.bandwidth_bytes_per_s * c.bandwidth_efficiency;
  r.launch_s = c.launch_s;
  r.gathered_bytes = eight ? 1 : element_bytes;
  return r;
}

double kernel_rates::grouped_s(double experts, double m, double n, double k) const {
  const double one = product_s(layers, m, n, k);
  return one > 0 ? experts * (one - launch_s) + launch_s : 0;
}

double kernel_rates::product_s(const product_rate& rate, double m, double n, double k) const {
  if (m <= 0 || n <= 0 || k <= 0) return 0;
  const double loads_a_flop = (1 / m + 1 / n + 1 / k) / 3;
  const double computed = 2 * m * n * k / rate.flop_per_s * (1 + rate.half_size * loads_a_flop);
  const double moved = element_bytes * (m * k + k * n + m * n) / bytes_per_s;
  return std::max(computed, moved) + launch_s;
}

double kernel_rates::streamed_s(double bytes) const { return bytes / bytes_per_s; }

layer_seconds& layer_seconds::operator+=(const layer_seconds& o) {
  product += o.product;
  attention += o.attention;
  memory_bound += o.memory_bound;
  tensor += o.tensor;
  context += o.context;
  core_again += o.core_again;
  forward_again += o.forward_again;
  tensor_again += o.tensor_again;
  return *this;
}

layer_seconds layer_seconds::times(double n) const {
  return {product * n, attention * n,  memory_bound * n,  tensor * n,
          context * n, core_again * n, forward_again * n, tensor_again * n};
}

expert_seconds& expert_seconds::operator+=(const expert_seconds& o) {
  product += o.product;
  memory_bound += o.memory_bound;
  exchange += o.exchange;
  forward_again += o.forward_again;
  exchange_again += o.exchange_again;
  return *this;
}

expert_seconds expert_seconds::times(double n) const {
  return {product * n, memory_bound * n, exchange * n, forward_again * n, exchange_again * n};
}

}  // namespace ridge::plan::train

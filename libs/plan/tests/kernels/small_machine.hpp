// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>

namespace ridge::plan::kernels::test {

// 1 TB/s, 100 TFLOP/s in 16 bit, 200 in fp8, 100 GB/s to its seven neighbours.
inline accelerator machine() {
  accelerator a;
  a.name = "Test", a.generation = "hopper";
  a.peaks = {{"bf16", 100e12}, {"fp8", 200e12}};
  a.bandwidth_bytes_per_s = 1e12, a.memory_bytes = 80e9;
  a.scale_up_bytes_per_s = 100e9, a.scale_up_size = 8;
  a.source = "test";
  return a;
}

// Ten alike layers: hidden 1024, 8 query heads over 2 key-value heads of 128, feed-forward 4096.
inline model_shape small_model() {
  model_shape m;
  m.name = "small", m.hidden = 1024, m.vocabulary = 32000;
  layer_shape l;
  l.attention.heads = 8, l.attention.kv_heads = 2, l.attention.head_dim = 128,
  l.attention.value_head_dim = 128;
  l.feed_forward.intermediate = 4096;
  m.kinds = {l};
  m.order.assign(10, 0);
  return m;
}

inline step_request request() {
  step_request r;
  r.model = small_model();
  r.gpu = machine();
  r.engine.step_s = 1e-3, r.engine.kernel_launch_s = 0;
  return r;
}

}  // namespace ridge::plan::kernels::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// What an engine adds to its kernels.
struct engine_overheads {
  std::string engine{"vllm"};  // "vllm", "sglang", "trtllm"
  // Of the host between steps, with the GPU idle: a step, and more of it for each of its sequences.
  double step_s = 1e-3, sequence_s = 0;
  // Of the host while the GPU computes: a step takes at least so long.
  double hidden_step_s = 0, hidden_sequence_s = 0;
  // Once a request, no part of steps: from its sending to the scheduler and from its first token to the
  // client; and of that what requests wait for one after another.
  double request_s = 0, front_end_s = 0;
  double kernel_launch_s = 4e-6;    // of a kernel that no CUDA graph holds: a step takes at least their sum
  std::int64_t graph_tokens = 512;  // steps of at most so many tokens run as CUDA graphs; 0: never
};

// Factors that a calibration puts on kernel times; all 1 and 0: none.
struct kernel_scaling {
  double bandwidth = 1;           // of what memory reaches
  double flop = 1;                // of what the units reach
  double collective_floor_s = 0;  // more for every collective
};

// What a step is computed of.
struct step_request {
  model_shape model{};
  accelerator gpu{};
  parallel_layout layout{};
  std::string weight_format{};  // of number_formats(); empty: the checkpoint's
  std::string kv_format{"bf16"};
  engine_overheads engine{};
  kernel_scaling scaling{};
  std::int64_t max_batched_tokens = 8192;  // beyond it times go on along the last slope
  std::int64_t max_sequences = 1024;
  std::int64_t max_context = 131072;  // of one sequence
  double tokens_per_sequence = 1;     // that decode() verifies: 1 + speculated ones
};

// Seconds of a step by what they are spent on; all stages of the pipeline, one GPU of each.
struct step_parts {
  double products_s = 0;  // dense products
  double experts_s = 0;
  double attention_prefill_s = 0, attention_decode_s = 0;
  double elementwise_s = 0;
  double collectives_s = 0;
  double head_s = 0;     // of the vocabulary
  double waiting_s = 0;  // for launches and the host, by which they take longer than computing
  double host_s = 0;
  [[nodiscard]] double total_s() const;
};

// Times of all steps of one engine, computed once. The model's weights are read once a step whatever its
// batch. With data_parallel_attention a step is one rank's; the others are taken to be as busy.
//
// With pipeline stages a step is split into as many micro-batches and takes what they take in a full
// pipeline.
class step_timer : public serve::iteration_timer {
 public:
  [[nodiscard]] virtual step_parts parts(const serve::iteration& i) const = 0;
  [[nodiscard]] virtual const engine_overheads& engine() const = 0;
  // The same kernels under another engine's overheads; at next to no cost.
  [[nodiscard]] virtual std::unique_ptr<step_timer> with(const engine_overheads& engine) const = 0;
};

// The error names the format, the layout or the shape that cannot be timed.
[[nodiscard]] result<std::unique_ptr<step_timer>> make_step_timer(const step_request& of,
                                                                  const kernel_times& kernels);

// How one step's seconds come about: a figure for each part, and their sum as "step_ms".
[[nodiscard]] derivation explain_step(const step_request& of, const kernel_times& kernels,
                                      const step_timer& by, const serve::iteration& i);

}  // namespace ridge::plan::kernels

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

// Time that an engine adds to its kernels, in seconds.
struct engine_overheads {
  std::string engine{"vllm"};  // "vllm", "sglang", "trtllm"
  // Host time between steps while the GPU is idle: per step, and per sequence of the step.
  double step_s = 1e-3, sequence_s = 0;
  // Host time while the GPU computes, per step and per sequence: a step takes at least so long.
  double hidden_step_s = 0, hidden_sequence_s = 0;
  // Time per request outside steps: from the client to the scheduler and from the first token to the client.
  // front_end_s is the part of it that requests pass one after another.
  double request_s = 0, front_end_s = 0;
  // Both, of a request that meets no other in the front end.
  [[nodiscard]] double outside_steps_s() const { return front_end_s + request_s; }
  double kernel_launch_s = 4e-6;    // per kernel outside CUDA graphs: a step takes at least their sum
  std::int64_t graph_tokens = 512;  // steps of at most so many tokens run as CUDA graphs; 0: none do
};

// Factors on kernel times from a calibration; 1 and 0 change nothing.
struct kernel_scaling {
  double bandwidth = 1;           // on the reached bandwidth of memory
  double flop = 1;                // on the reached FLOP/s of the units
  double collective_floor_s = 0;  // added to every collective
};

// Everything that the time of a step depends on.
struct step_request {
  model_shape model{};
  accelerator gpu{};
  parallel_layout layout{};
  std::string weight_format{};  // a name of number_formats(); empty: that of the checkpoint
  std::string kv_format{"bf16"};
  engine_overheads engine{};
  kernel_scaling scaling{};
  std::int64_t max_batched_tokens = 8192;  // beyond it times continue along the last slope
  std::int64_t max_sequences = 1024;
  std::int64_t max_context = 131072;  // longest context of one sequence
  double tokens_per_sequence = 1;     // tokens verified per sequence by decode(): 1 + drafted ones
};

// Seconds of a step by cause, over all stages of the pipeline with one GPU of each.
struct step_parts {
  double products_s = 0;  // dense products
  double experts_s = 0;
  double attention_prefill_s = 0, attention_decode_s = 0;
  double elementwise_s = 0;
  double collectives_s = 0;
  double head_s = 0;     // output head
  double waiting_s = 0;  // time by which launches and the host exceed the computation
  double host_s = 0;
  // Sum of all parts.
  [[nodiscard]] double total_s() const;
};

// Times of all steps of one engine, tabulated once. The weights of the model are read once per step for any
// batch. With data_parallel_attention a step belongs to one rank, and the other ranks are assumed to be
// equally busy.
//
// With pipeline stages a step is divided into as many micro-batches and takes their time in a full pipeline.
class step_timer : public serve::iteration_timer {
 public:
  // The parts of a step, in seconds, and the overheads of the engine.
  [[nodiscard]] virtual step_parts parts(const serve::iteration& i) const = 0;
  [[nodiscard]] virtual const engine_overheads& engine() const = 0;
  // A timer with the same kernel tables and the overheads of another engine; cheap.
  [[nodiscard]] virtual std::unique_ptr<step_timer> with(const engine_overheads& engine) const = 0;
};

// Tabulates the times of all steps. The error names the format, the layout or the shape that cannot be timed.
[[nodiscard]] result<std::unique_ptr<step_timer>> make_step_timer(const step_request& request,
                                                                  const kernel_times& kernels);

// The derivation of the time of one step: a figure for each part, and their sum as "step_ms".
[[nodiscard]] derivation explain_step(const step_request& request, const kernel_times& kernels,
                                      const step_timer& timer, const serve::iteration& i);

}  // namespace ridge::plan::kernels

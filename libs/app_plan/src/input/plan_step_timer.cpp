// SPDX-License-Identifier: Apache-2.0
#include "input/plan_step_timer.hpp"

#include <utility>

#include <ridge/plan/engine_steps.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/tables.hpp>

#include "input/measured_kernels.hpp"

namespace ridge::app_plan {

namespace kernels = plan::kernels;

void add_step_timer_choice(app::command& command, step_timer_choice& choice) {
  command
      .option("--weights", choice.weights, "FORMAT",
              "Number format of the weights: bf16, fp8, int4_g128, mxfp4, ... (the model's)")
      .option("--kv-format", choice.kv, "FORMAT", "Number format of keys and values (bf16)")
      .option("--tables", choice.tables, "DIR",
              "Use measured kernel times from this folder instead of fitted ones");
  add_kernels_choice(command, choice.kernels);
}

result<std::shared_ptr<const kernels::kernel_times>> kernel_times_of(const step_timer_choice& c,
                                                                     const plan::accelerator& gpu) {
  const auto coefficients = coefficients_of(c.kernels, gpu.name);
  if (!coefficients) return coefficients.why();
  auto fitted = kernels::analytic_times(gpu, **coefficients);
  const auto folder = kernels::tables_folder(c.tables);
  if (!folder) return fitted;
  return kernels::table_times({.folder = *folder}, gpu, std::move(fitted));
}

result<std::shared_ptr<const kernels::step_timer>> step_timer_of(const step_timer_choice& c,
                                                                 const plan::model_shape& model,
                                                                 const plan::accelerator& gpu, int tensor) {
  const auto times = kernel_times_of(c, gpu);
  if (!times) return times.why();
  const auto engine = kernels::engine_named("vllm");
  if (!engine) return engine.why();
  kernels::step_request asked{.model = model, .gpu = gpu};
  kernels::apply(*engine, asked);
  asked.layout.tensor = tensor;
  const auto sizes = plan::engine_steps_of(plan::cache_engine::vllm, gpu, asked.layout);
  asked.max_batched_tokens = sizes.max_batched_tokens, asked.max_sequences = sizes.max_sequences;
  asked.weight_format = c.weights;
  asked.kv_format = c.kv;
  auto made = kernels::make_step_timer(asked, *times.value());
  if (!made) return made.why();
  return std::shared_ptr<const kernels::step_timer>(std::move(made).value());
}

}  // namespace ridge::app_plan

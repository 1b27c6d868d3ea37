// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/base/read_file.hpp>
#include <ridge/plan/engine_steps.hpp>
#include <ridge/plan/kernels/calibration.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/tables.hpp>
#include <ridge/plan_report/calibration_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/measured_kernels.hpp"
#include "input/plan_input.hpp"
#include "input/today.hpp"

namespace ridge::app_plan {
namespace {

namespace kernels = plan::kernels;

struct calibrate_options {
  std::string log{}, settings{}, profile_file{}, tables{}, kernels{}, engine{"vllm"}, weights{}, kv{"bf16"};
  model_choice model{};
  gpu_choice gpu{};
  int tensor = 1, data = 0;
  bool expert_parallel = false;
  std::int64_t batched_tokens = 0, sequences = 0, blocks = 0;
  plan_output output{};
};

result<plan::serve::engine_log> log_of(const calibrate_options& o) {
  if (o.log.empty())
    return error{"no log is given", "give --log requests.jsonl, or the JSON of vllm bench serve"};
  if (!o.log.ends_with(".json"))
    return plan::serve::read_engine_log(
        {.requests = o.log,
         .settings = o.settings,
         .tokens = {},
         .blocks = static_cast<std::uint32_t>(std::max<std::int64_t>(o.blocks, 0))});
  const auto text = read_file(o.log);
  if (!text) return text.why();
  return kernels::parse_bench_log(*text, o.log);
}

// A benchmark's JSON does not tell the sizes of a step: they are the engine's own on such a GPU.
result<void> complete(plan::serve::engine_log& log, const calibrate_options& o) {
  auto& s = log.settings;
  const bool bench = o.log.ends_with(".json");
  if (bench) {
    const auto gpu = gpu_of(o.gpu);
    if (!gpu) return gpu.why();
    const auto rule = plan::cache_engine_named(o.engine);
    if (!rule) return rule.why();
    const auto sizes = plan::engine_steps_of(*rule, *gpu, {.tensor = o.tensor});
    s.max_batched_tokens = static_cast<std::uint32_t>(sizes.max_batched_tokens);
    s.max_sequences = static_cast<std::uint32_t>(sizes.max_sequences);
  }
  if (o.batched_tokens > 0) s.max_batched_tokens = static_cast<std::uint32_t>(o.batched_tokens);
  if (o.sequences > 0) s.max_sequences = static_cast<std::uint32_t>(o.sequences);
  if (o.blocks > 0) s.blocks = static_cast<std::uint32_t>(o.blocks);
  if (o.data > 0) log.data_parallel = o.data;
  log.expert_parallel = log.expert_parallel || o.expert_parallel;
  if (s.blocks == 0)
    return error{"how many blocks the KV cache has is not in the log",
                 "give --blocks; the engine prints them when it starts"};
  return s.check();
}

result<kernels::step_request> request_of(const calibrate_options& o, const plan::serve::engine_log& log,
                                         const kernels::engine_profile& engine) {
  auto model = decoder_of(o.model, "calibration from an engine's log");
  if (!model) return model.why();
  auto gpu = gpu_of(o.gpu);
  if (!gpu) return gpu.why();
  kernels::step_request r;
  r.model = std::move(*model), r.gpu = std::move(*gpu);
  r.layout.tensor = o.tensor > 1 ? o.tensor : log.tensor_parallel;
  // Engines that share experts run in step; the others know nothing of each other.
  if (log.expert_parallel && r.model.has_experts()) {
    r.layout.data = log.data_parallel;
    r.layout.expert = r.layout.tensor * r.layout.data;
  }
  if (const auto bad = plan::check_layout(r.model, r.layout); !bad) return bad.why();
  r.weight_format = o.weights, r.kv_format = o.kv;
  r.engine = engine.overheads, r.scaling = engine.scaling;
  r.max_batched_tokens = log.settings.max_batched_tokens;
  r.max_sequences = log.settings.max_sequences;
  return r;
}

result<std::shared_ptr<const kernels::kernel_times>> times_of(const calibrate_options& o,
                                                              const plan::accelerator& gpu) {
  const auto coefficients = coefficients_of(o.kernels, gpu.name);
  if (!coefficients) return coefficients.why();
  const auto fitted = kernels::analytic_times(gpu, **coefficients);
  const auto folder = o.tables.empty() ? std::nullopt : kernels::tables_folder(o.tables);
  if (!folder) return fitted;
  return kernels::table_times({*folder, o.engine}, gpu, fitted);
}

result<kernels::calibration_profile> calibrated(const calibrate_options& o) {
  if (o.data < 0 || o.blocks < 0) return error{"--dp or --blocks is below 1", "give whole numbers above 0"};
  const auto engine = kernels::engine_named(o.engine);
  if (!engine) return engine.why();
  auto log = log_of(o);
  if (!log) return log.why();
  if (const auto bad = complete(*log, o); !bad) return bad.why();
  const auto request = request_of(o, *log, *engine);
  if (!request) return request.why();
  const auto times = times_of(o, request->gpu);
  if (!times) return times.why();
  auto p = kernels::calibrate(*log, *request, **times);
  if (!p) return p.why();
  p->log = o.log, p->created = today();
  auto layout = request->layout;
  layout.data = log->data_parallel;
  p->layout = layout.text();
  return p;
}

int calibrate(const app::context& context, const calibrate_options& o) {
  const auto p = calibrated(o);
  if (!p) return context.refuse(p.why(), app::exit_code::usage);
  if (!o.profile_file.empty()) {
    std::ofstream out(o.profile_file, std::ios::binary);
    out << kernels::profile_json(*p);
    if (!out.flush())
      return context.refuse({o.profile_file + ": cannot be written", "give another --output"},
                            app::exit_code::usage);
  }
  return print_plan(context, o.output, plan_report::calibration_page(*p), kernels::explain_calibration(*p));
}

}  // namespace

void add_plan_calibrate(app::command& command, app::context& context) {
  auto o = std::make_shared<calibrate_options>();
  auto& verb = command.add(
      "calibrate", "Fit the simulator's constants to a log of your own server, and write them as a profile");
  verb.option("--log", o->log, "FILE",
              "requests.jsonl with its meta.json, or the JSON of vllm bench serve --save-detailed")
      .option("--settings", o->settings, "FILE", "Settings of the run (meta.json beside the log)")
      .option("--output", o->profile_file, "FILE", "File to write the profile to");
  add_model_choice(verb, o->model);
  add_gpu_choice(verb, o->gpu);
  verb.choice("--engine", o->engine, {"vllm", "sglang", "trtllm"}, "Engine that served (vllm)")
      .option("--tp", o->tensor, "N", "Tensor-parallel GPUs (the log's)")
      .option("--dp", o->data, "N", "Data-parallel engines that shared the requests (the log's)")
      .flag("--ep", o->expert_parallel, "The engines divide the experts among all their GPUs (the log's)")
      .option("--weights", o->weights, "FORMAT", "Number format of the weights (the checkpoint's)")
      .option("--kv", o->kv, "FORMAT", "Number format of the KV cache (bf16)")
      .option("--max-num-batched-tokens", o->batched_tokens, "N",
              "Greatest number of tokens per step (the log's)")
      .option("--max-num-seqs", o->sequences, "N", "Greatest number of sequences per step (the log's)")
      .option("--blocks", o->blocks, "N", "Blocks that the KV cache of an engine has (the log's)")
      .option("--tables", o->tables, "FOLDER",
              "Measured kernel tables to interpolate instead of the shipped coefficients");
  add_kernels_choice(verb, o->kernels);
  add_plan_output(verb, o->output);
  verb.notes("The latest 30 % of the requests are held out to judge the fit. docs/design/plan/kernels.md")
      .runs([&context, o] { return calibrate(context, *o); });
}

}  // namespace ridge::app_plan

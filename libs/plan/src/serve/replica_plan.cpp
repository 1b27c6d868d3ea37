// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/replica_plan.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/engine_steps.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kernels/calibration.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/layer_profile.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/kernels/tables.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/number_format.hpp>

#include "adapter_plan.hpp"
#include "image_plan.hpp"
#include "tier_plan.hpp"

namespace ridge::plan::serve {
namespace {

struct timed {
  std::shared_ptr<const iteration_timer> timer{};
  std::string source{};
  plan::basis basis{plan::basis::fitted};
  kernels::engine_overheads engine{.step_s = 0};  // what requests and steps cost beside the kernels
  prediction_bands bands{};
};

// Of a real log under its own layer profile (rtx4090_accuracy), rounded up.
constexpr double profiled_ttft = 0.05, profiled_tpot = 0.03;
constexpr prediction_bands of_profiles{.ttft = {1 - profiled_ttft, 1 + profiled_ttft},
                                       .tpot = {1 - profiled_tpot, 1 + profiled_tpot},
                                       .e2e = {1 - profiled_tpot, 1 + profiled_tpot}};

result<timed> timer_of_profile(const replica_question& q) {
  const auto folder = kernels::find_layer_profile(q.profile, q.layout.tensor);
  if (!folder) return folder.why();
  auto made = kernels::stack_layers(
      {.folder = *folder, .shape = kernels::profile_shape_of(q.model), .layout = q.layout, .gpu = q.gpu});
  if (!made) return made.why();
  auto source = fmt::format("layers measured: {}", folder->string());
  for (const auto& note : made->notes) source += "; " + note;
  return timed{std::move(made->timer), std::move(source), basis::measured, {.step_s = 0}, of_profiles};
}

// Data-parallel ranks that share experts step together: one engine with the requests, the budget and the
// blocks of all of them, of which one prompt takes no more than one rank's budget.
void step_together(replica_pool& pool, int ranks) {
  if (ranks <= 1) return;
  auto& engine = pool.engine;
  if (engine.long_prefill_tokens == 0) engine.long_prefill_tokens = engine.max_batched_tokens;
  for (auto* count : {&engine.max_batched_tokens, &engine.max_sequences, &engine.blocks}) {
    constexpr std::uint64_t most = 4294967294;
    *count =
        static_cast<std::uint32_t>(std::min(std::uint64_t{*count} * static_cast<std::uint64_t>(ranks), most));
  }
  engine.adapters.slots *= static_cast<std::uint32_t>(ranks);
  for (auto* tier : {&engine.host, &engine.disk}) {
    tier->blocks *= static_cast<std::uint64_t>(ranks);
    tier->read_bytes_per_s *= ranks;
  }
  pool.replicas /= ranks;
  pool.gpus *= ranks;
  pool.usd_per_hour *= ranks;
  pool.busy_w *= ranks;
  pool.idle_w *= ranks;
}

// vLLM, SGLang and TensorRT-LLM have different host overheads; static batching uses those of vLLM.
std::string overheads_name(const std::string& engine) { return engine == "static" ? "vllm" : engine; }

result<kernels::engine_profile> constants_of(const replica_question& q) {
  if (q.constants) return *q.constants;
  return kernels::engine_named(overheads_name(q.engine));
}

result<std::shared_ptr<const kernels::kernel_times>> kernel_times_of(const replica_question& q) {
  auto fitted = kernels::analytic_times(
      q.gpu, q.efficiencies == nullptr ? kernels::embedded_efficiencies() : *q.efficiencies);
  if (q.tables.empty()) return fitted;
  return kernels::table_times({.folder = q.tables, .engine = overheads_name(q.engine)}, q.gpu, fitted);
}

// Data-parallel ranks share only their experts.
parallel_layout of_one_engine(const replica_question& q) {
  auto l = q.layout;
  if (l.expert * l.expert_tensor <= l.tensor) l.data = 1;
  return l;
}

// Kernels are borrowed where the GPU's own products were never measured.
prediction_bands bands_of(const replica_question& q) {
  using distance = kernels::efficiency_catalogue::match::distance;
  const auto& all = q.efficiencies == nullptr ? kernels::embedded_efficiencies() : *q.efficiencies;
  const auto found = all.find(q.gpu, "product", "bf16");
  auto bands =
      embedded_bands(found.nearness == distance::own ? kernel_origin::measured : kernel_origin::borrowed);
  if (found.entry != nullptr && !kernels::kernels_of_vendor(q.gpu, found.entry->gpu))
    bands.ttft.coverage = bands.tpot.coverage = bands.e2e.coverage = 0;  // no GPU of the vendor was left out
  return bands;
}

// A step of the question's engine under its constants, or those of its calibration.
struct asked_step {
  kernels::step_request request{};
  prediction_bands bands{};
  std::string differences{};  // between the calibration's deployment and this one
};

result<asked_step> step_of(const replica_question& q) {
  asked_step made{.request = {.model = q.model, .gpu = q.gpu, .layout = of_one_engine(q)},
                  .bands = bands_of(q)};
  auto& step = made.request;
  step.weight_format = q.weight_format;
  step.kv_format = q.kv_format;
  step.max_batched_tokens = q.settings.max_batched_tokens;
  step.max_sequences = q.settings.max_sequences;
  kernels::apply(*q.constants, step);
  if (q.calibration.empty()) return made;
  const auto found = kernels::load_profile(q.calibration);
  if (!found) return found.why();
  made.differences = kernels::differences(*found, step);
  if (!made.differences.empty() && !q.any_calibration)
    return error{
        fmt::format("{} was fitted to another deployment: {}", q.calibration.string(), made.differences),
        "calibrate the one that is asked for, or insist with --any-calibration"};
  kernels::apply(*found, step);
  if (!made.differences.empty()) return made;  // its held-out requests say nothing of this deployment
  const auto& error = found->holdout_after;
  made.bands = {band_of_median(error.ttft_median), band_of_median(error.tpot_median),
                band_of_median(error.latency_median)};
  return made;
}

result<timed> timer_of_kernels(const replica_question& q) {
  const auto times = kernel_times_of(q);
  if (!times) return times.why();
  auto asked = step_of(q);
  if (!asked) return asked.why();
  auto& step = asked->request;
  step.tokens_per_sequence = 1.0 + q.settings.speculative.tokens;
  auto timer = kernels::make_step_timer(step, **times);
  if (!timer) return timer.why();
  auto source = (*times)->source();
  source += q.calibration.empty()
                ? fmt::format("; {} fitted {}", q.constants->overheads.engine, q.constants->date)
                : fmt::format("; calibrated by {}", q.calibration.filename().string());
  if (!asked->differences.empty()) source += " to another deployment: " + asked->differences;
  return timed{std::move(*timer), std::move(source), q.tables.empty() ? basis::fitted : basis::measured,
               step.engine, asked->bands};
}

// Charges speculation the time of its draft, adapters and images theirs, by the kernels' times even where the
// target has a profile.
result<void> take_additions(replica_plan& plan, const replica_question& q) {
  const int drafted = static_cast<int>(q.settings.speculative.tokens);
  const bool adapters = q.adapters.count != 0 || q.adapters.rank != 0 || q.adapters.resident != 0;
  if (drafted == 0 && !adapters && q.images.count == 0) return {};
  const auto times = kernel_times_of(q);
  if (!times) return times.why();
  const auto step = step_of(q);
  if (!step) return step.why();
  if (auto good = take_adapters(plan, q, step->request, **times); !good) return good;
  if (auto good = take_images(plan, q, step->request, **times); !good) return good;
  if (drafted == 0) return {};
  auto both = with_draft(plan.pool.timer, q.draft, drafted, step->request, **times);
  if (!both) return both.why();
  plan.pool.timer = both->timer;
  plan.derivation.insert(plan.derivation.end(), both->derivation.begin(), both->derivation.end());
  return {};
}

result<inference_capacity> capacity_of(const replica_question& q, const inference_setup& s) {
  auto ranks = inference_memory(s);
  if (!ranks) return ranks.why();
  if (q.settings.speculative.tokens > 0) {
    if (const auto draft = add_draft_memory(*ranks, q.draft, s); !draft) return draft.why();
  }
  return capacity_of(s, *ranks, q.gpu.memory_bytes, {});
}

result<inference_setup> memory_setup(const replica_question& q) {
  inference_setup s{.model = q.model, .layout = q.layout, .weight_format = q.weight_format};
  s.kv_format = q.kv_format;
  s.max_batched_tokens = q.settings.max_batched_tokens;
  s.max_sequences = q.settings.max_sequences;
  s.block_tokens = q.settings.block_size;
  s.utilization = q.utilization;
  s.adapters = q.adapters;
  const auto engine = cache_engine_named(overheads_name(q.engine));
  if (!engine) return engine.why();
  s.engine = *engine;
  return with_engine_steps(std::move(s), q.gpu);
}

// The sizes of a step: those given, else the engine's.
void explain_sizes(replica_plan& plan, const replica_question& asked) {
  const auto engine = cache_engine_named(overheads_name(asked.engine));
  const auto chosen = std::string(engine_steps_of(*engine, asked.gpu, asked.layout).source);
  const auto add = [&](const char* id, const char* label, double value, bool given, const char* option) {
    plan.derivation.push_back({.id = id,
                               .label = label,
                               .value = value,
                               .basis = given ? basis::given : basis::assumed,
                               .source = given ? option : chosen});
  };
  const auto& s = plan.pool.engine;
  add("max_batched_tokens", "Tokens of a step", s.max_batched_tokens, asked.settings.max_batched_tokens > 0,
      "--max-batched-tokens");
  add("max_sequences", "Sequences that run at once", s.max_sequences, asked.settings.max_sequences > 0,
      "--max-sequences");
}

result<void> take_blocks(replica_plan& plan, const replica_question& q) {
  auto& settings = plan.pool.engine;
  const auto given = settings.blocks > 0;
  if (!given) {
    const auto setup = memory_setup(q);
    if (!setup) return setup.why();
    const auto capacity = capacity_of(q, *setup);
    if (!capacity) return capacity.why();
    if (capacity->lacking_bytes > 0 || capacity->tokens < settings.block_size)
      return error{fmt::format("{} as {} leaves no room for a KV cache on {}: {} more than its {} are needed",
                               q.model.name, q.layout.gpus() > 1 ? q.layout.text() : std::string("one GPU"),
                               q.gpu.name, format_quantity(capacity->lacking_bytes, "B"),
                               format_quantity(q.gpu.memory_bytes, "B")),
                   "give more GPUs (--tp), smaller weights (--weights-dtype) or a higher --utilization"};
    settings.blocks = static_cast<std::uint32_t>(capacity->tokens / settings.block_size);
    plan.derivation.push_back({.id = "kv_budget_bytes",
                               .label = "KV cache's share of the fullest GPU",
                               .value = capacity->budget_bytes,
                               .unit = "B",
                               .formula = "the engine's memory rule; ridge plan memory shows it",
                               .inputs = {{"memory", format_quantity(q.gpu.memory_bytes, "B")}},
                               .basis = basis::datasheet,
                               .source = q.gpu.source});
  }
  plan.derivation.push_back({.id = "kv_blocks",
                             .label = "Blocks of the KV cache",
                             .value = static_cast<double>(settings.blocks),
                             .formula = given ? "" : "⌊tokens of the budget / tokens a block⌋",
                             .inputs = {{"tokens a block", fmt::format("{}", settings.block_size)}},
                             .basis = given ? basis::given : basis::derived,
                             .source = given ? "--blocks" : ""});
  return {};
}

result<void> take_cache_rate(replica_plan& plan, const replica_question& q) {
  const auto format = number_format_named(q.kv_format);
  if (!format) return format.why();
  const auto rates = rates_of(kv_parts(q.model, *format));
  plan.kv_bytes_per_token = rates.bytes_per_token;
  plan.pool.engine.kv_bytes_per_token = rates.bytes_per_token;
  plan.derivation.push_back({.id = "kv_bytes_per_token",
                             .label = "KV cache per token",
                             .value = rates.bytes_per_token,
                             .unit = "B",
                             .formula = "rows of keys and values in all layers",
                             .inputs = {{"format", std::string(format->name)}},
                             .basis = basis::derived});
  return {};
}

result<scheduler_kind> scheduler_of(const std::string& engine) {
  if (engine == "vllm") return scheduler_kind::vllm_v1;
  if (engine == "sglang") return scheduler_kind::sglang;
  if (engine == "trtllm") return scheduler_kind::trtllm_inflight;
  if (engine == "static") return scheduler_kind::static_batching;
  return error{fmt::format("no engine is named \"{}\"", engine), "there are: vllm, sglang, trtllm, static"};
}

// One full step of each kind, to explain the step times of the simulation.
void explain_steps(replica_plan& plan, const timed& times, const engine_settings& s) {
  const auto tokens = std::int64_t{s.max_batched_tokens};
  const auto c = static_cast<double>(tokens);
  const iteration prefill{
      .prefill_tokens = tokens, .prefill_sequences = 1, .prefill_pairs = c * (c + 1) / 2, .sampled = 1};
  const iteration decode{.decode_sequences = 64,
                         .decode_tokens = 64,
                         .decode_context = 64 * 1024,
                         .decode_context_max = 1024,
                         .sampled = 64};
  const auto add = [&](std::string id, std::string label, double seconds) {
    plan.derivation.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = seconds * 1e3,
                               .unit = "ms",
                               .formula = "Σ kernels + collectives + host",
                               .basis = times.basis,
                               .source = times.source});
  };
  add("prefill_step_ms", fmt::format("A step of {} prompt tokens", tokens), times.timer->seconds(prefill));
  add("decode_step_ms", "A step of 64 sequences of 1024 tokens", times.timer->seconds(decode));
}

replica_plan begun(const replica_question& q, const timed& times) {
  replica_plan made{.pool = {.name = q.gpu.name, .replicas = q.layout.data, .engine = q.settings}};
  auto& pool = made.pool;
  pool.engine.front_end_s = times.engine.front_end_s;
  pool.engine.request_s = times.engine.request_s;
  pool.timer = times.timer;
  pool.gpus = static_cast<int>(q.layout.gpus() / q.layout.data);
  pool.usd_per_hour = q.usd_per_gpu_hour * pool.gpus;
  pool.busy_w = q.busy_w * pool.gpus;
  pool.idle_w = q.idle_w * pool.gpus;
  made.times = times.source;
  made.bands = times.bands;
  return made;
}

}  // namespace

result<replica_question> completed(const replica_question& question) {
  const auto constants = constants_of(question);
  if (!constants) return constants.why();
  auto q = question;
  q.constants = *constants;
  if (const auto good = take_cross_rows(q); !good) return good.why();
  auto& l = q.layout;
  const int ranks = l.tensor * l.context * l.data;
  // A profile without --ep has measured whole experts: its data-parallel ranks are engines of their own.
  // Without --ep, vLLM alone divides each expert among all its ranks; others hold a model in each.
  const bool divides = q.engine == "vllm" && l.data > 1 && q.profile.empty();
  const bool shared = q.model.has_experts() && (l.expert > 1 || divides);
  if (shared && l.expert_tensor == 1 && ranks % l.expert == 0) l.expert_tensor = ranks / l.expert;
  const auto setup = memory_setup(q);
  if (!setup) return setup.why();
  q.settings.max_batched_tokens = static_cast<std::uint32_t>(setup->max_batched_tokens);
  q.settings.max_sequences = static_cast<std::uint32_t>(setup->max_sequences);
  q.utilization = setup->utilization;
  return q;
}

result<replica_plan> plan_replica(const replica_question& question) {
  const auto complete = completed(question);
  if (!complete) return complete.why();
  const auto& q = *complete;
  if (const auto good = check_layout(q.model, q.layout); !good) return good.why();
  const auto scheduler = scheduler_of(q.engine);
  if (!scheduler) return scheduler.why();
  const auto times = q.profile.empty() ? timer_of_kernels(q) : timer_of_profile(q);
  if (!times) return times.why();
  auto made = begun(q, *times);
  made.pool.engine.scheduler = *scheduler;
  explain_sizes(made, question);
  if (const auto good = take_additions(made, q); !good) return good.why();
  if (const auto good = take_blocks(made, q); !good) return good.why();
  if (const auto good = take_cache_rate(made, q); !good) return good.why();
  if (const auto good = take_tiers(made, q); !good) return good.why();
  if (!q.profile.empty())
    step_together(made.pool, kernels::ranks_together(kernels::profile_shape_of(q.model), q.layout));
  explain_steps(made, *times, made.pool.engine);
  if (const auto good = made.pool.engine.check(); !good) return good.why();
  return made;
}

bool lacks_memory(const replica_question& question) {
  const auto complete = completed(question);
  if (!complete) return false;
  const auto& q = *complete;
  if (q.settings.blocks > 0 || !check_layout(q.model, q.layout)) return false;
  const auto setup = memory_setup(q);
  if (!setup) return false;
  const auto capacity = capacity_of(q, *setup);
  return capacity && (capacity->lacking_bytes > 0 || capacity->tokens < q.settings.block_size);
}

}  // namespace ridge::plan::serve

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/kernels/tables.hpp>
#include <ridge/plan/price_list.hpp>

#include "input/measured_kernels.hpp"
#include "input/plan_numbers.hpp"
#include "input/plan_serve_control.hpp"
#include "input/plan_serve_options.hpp"
#include "input/plan_serve_pools.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::serve;

result<void> take_speculation(const std::string& text, engine_settings& settings) {
  if (text.empty()) return {};
  const auto comma = text.find(',');
  const auto k = finite_number(text.substr(0, comma));
  const auto a = comma == std::string::npos ? std::nullopt : finite_number(text.substr(comma + 1));
  if (!k || !a || *k < 1 || *k > 64 || !(*a >= 0 && *a < 1))
    return error{fmt::format("--speculative \"{}\" is not understood", text),
                 "write TOKENS,ACCEPTANCE as in 4,0.7"};
  settings.speculative = {.tokens = static_cast<std::uint32_t>(*k), .acceptance = *a};
  return {};
}

result<void> take_draft(const service_choice& c, draft_choice& draft) {
  const bool given = !c.draft_model.empty() || c.draft_share != 0;
  if (given && c.speculative.empty())
    return error{"a draft is given without --speculative",
                 "give --speculative TOKENS,ACCEPTANCE as in 4,0.7"};
  if (!c.draft_model.empty() && c.draft_share != 0)
    return error{"--draft-model and --draft-share are both given", "choose one"};
  if (!(c.draft_share >= 0) || c.draft_share > 10)
    return error{fmt::format("--draft-share {} is out of range", c.draft_share),
                 "give the time of a drafted token over a decode step: 0.05"};
  draft.step_share = c.draft_share;
  if (c.draft_model.empty()) return {};
  auto model = model_of({.name = c.draft_model});
  if (!model) return model.why();
  draft.model = std::move(*model);
  return {};
}

result<engine_settings> engine_of(const service_choice& c) {
  engine_settings e;
  for (const auto& [name, value, least] :
       {std::tuple("--max-batched-tokens", c.max_batched_tokens, 0),
        std::tuple("--max-sequences", c.max_sequences, 0), std::tuple("--block-size", c.block_size, 1)}) {
    if (value < least)
      return error{fmt::format("{} {} is out of range", name, value), fmt::format("give {} or more", least)};
  }
  if (c.blocks < 0 || c.blocks > 4294967294)
    return error{fmt::format("--blocks {} is out of range", c.blocks), "give 1 or more"};
  e.max_batched_tokens = static_cast<std::uint32_t>(c.max_batched_tokens);
  e.max_sequences = static_cast<std::uint32_t>(c.max_sequences);
  e.block_size = static_cast<std::uint32_t>(c.block_size);
  e.blocks = static_cast<std::uint32_t>(c.blocks);
  e.prefix_caching = !c.no_prefix_caching && c.engine != "static";
  e.chunked_prefill = !c.no_chunked_prefill;
  e.priorities = c.priorities;
  e.async_scheduling = c.async_scheduling;
  if (const auto good = take_speculation(c.speculative, e); !good) return good.why();
  return e;
}

// The price given, else the lowest in the catalogue; 0: unknown.
double price_of(const service_choice& c, const hardware::catalogue& catalogue, const std::string& gpu) {
  if (c.price > 0) return c.price;
  const auto prices = plan::prices_in(catalogue);
  const auto* lowest = prices.lowest(gpu);
  return lowest == nullptr ? 0 : lowest->usd_per_hour;
}

// Reads "1024x768": pixels.
result<void> take_images(const service_choice& c, image_choice& images) {
  images.count = c.images;
  if (c.image_size.empty()) return {};
  const auto cross = c.image_size.find('x');
  const auto width = finite_number(c.image_size.substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : finite_number(c.image_size.substr(cross + 1));
  constexpr double most = 1e9;
  if (!width || !height || !(*width >= 1 && *width < most) || !(*height >= 1 && *height < most))
    return error{fmt::format("--image-size \"{}\" is not understood", c.image_size),
                 "write WIDTHxHEIGHT in pixels, as in 1024x768"};
  if (c.images == 0) return error{"--image-size without --images", "give the number of images of a request"};
  images.width = static_cast<std::int64_t>(*width);
  images.height = static_cast<std::int64_t>(*height);
  return {};
}

tier_choice tiers_of(const service_choice& c) {
  constexpr double gib = 1024.0 * 1024 * 1024, gb = 1e9;
  tier_choice t{.cpu_bytes = c.kv_cpu_gib * gib, .ssd_bytes = c.kv_ssd_gib * gib};
  if (c.kv_cpu_gbs) t.cpu_bytes_per_s = *c.kv_cpu_gbs * gb;
  if (c.kv_ssd_gbs) t.ssd_bytes_per_s = *c.kv_ssd_gbs * gb;
  return t;
}

// Reads "H200=2": additional replicas on another GPU.
result<void> add_pool(service& made, const service_choice& c, const std::string& text) {
  const auto equals = text.rfind('=');
  const auto count =
      equals == std::string::npos ? std::optional<double>(1) : finite_number(text.substr(equals + 1));
  if (!count || *count < 1 || *count > 65535)
    return error{fmt::format("--pool \"{}\" is not understood", text), "write GPU=REPLICAS, as in H200=2"};
  const auto q = replica_question_of(c, text.substr(0, equals));
  if (!q) return q.why();
  auto planned = plan_replica(*q);
  if (!planned) return planned.why();
  planned->pool.replicas *= static_cast<int>(*count);
  made.cluster.pools.push_back(std::move(planned->pool));
  return {};
}

// Replicas of one kind that both prefill and decode.
result<service> service_of_one_pool(const service_choice& c) {
  const auto q = replica_question_of(c, c.gpu.name);
  if (!q) return q.why();
  auto planned = plan_replica(*q);
  if (!planned) return planned.why();
  service made{.derivation = planned->derivation,
               .times = planned->times,
               .bands = planned->bands,
               .usd_per_gpu_hour = q->usd_per_gpu_hour,
               .doubts = q->model.doubts};
  planned->pool.replicas *= c.replicas;
  made.cluster.pools = {planned->pool};
  made.cluster.longest_request = q->model.max_positions;
  made.text = q->model.name;
  return made;
}

// The service in words, behind the name of its model.
void describe(service& s, const service_choice& c) {
  double usd = 0;
  for (std::size_t i = 0; i < s.cluster.pools.size(); ++i) {
    const auto& p = s.cluster.pools[i];
    s.text += fmt::format("{} {} x {}{}", i == 0 ? " on" : " +", p.replicas,
                          p.gpus > 1 ? fmt::format("{} ", p.gpus) : "", p.name);
    s.gpus += p.gpus * p.replicas;
    usd += p.usd_per_hour * p.replicas;
  }
  if (is_disaggregated(c) && s.gpus > 0) s.usd_per_gpu_hour = usd / s.gpus;
  const plan::parallel_layout layout{.tensor = c.tp, .pipeline = c.pp, .data = c.dp, .expert = c.ep};
  if (!is_disaggregated(c) && layout.gpus() > 1) s.text += fmt::format(" ({})", layout.text());
  s.text += fmt::format(", {}, router {}", c.engine, c.router);
}

}  // namespace

void add_service_choice(app::command& command, service_choice& choice) {
  add_model_choice(command, choice.model);
  add_gpu_choice(command, choice.gpu);
  command.option("--pool", choice.pools, "GPU=N", "Add N replicas on another GPU (repeats)")
      .option("--tp", choice.tp, "N", "Tensor-parallel GPUs per replica (1)")
      .option("--pp", choice.pp, "N", "Pipeline stages (1)")
      .option("--dp", choice.dp, "N", "Data-parallel engines per replica (1)")
      .option("--ep", choice.ep, "N", "Expert-parallel GPUs (1)")
      .option("--replicas", choice.replicas, "N", "Number of replicas of the service (1)")
      .choice("--engine", choice.engine, {"vllm", "sglang", "trtllm", "static"},
              "Engine whose scheduler is simulated (vllm)")
      .option(
          "--router", choice.router, "NAME",
          "random, round-robin, shortest-queue, power-of-two, least-kv, prefix, session, earliest-deadline")
      .option("--deadlines", choice.deadlines, "MS[:MS]",
              "Deadline of the first token by tenant, for the router earliest-deadline (1000)")
      .option("--overlap-weight", choice.overlap_weight, "W",
              "Weight of the blocks left to compute in the prefix router's score (1)")
      .option("--max-batched-tokens", choice.max_batched_tokens, "N",
              "Greatest number of tokens per step (the engine's default)")
      .option("--max-sequences", choice.max_sequences, "N",
              "Greatest number of sequences that run at once (the engine's default)")
      .option("--block-size", choice.block_size, "TOKENS",
              "Tokens per block of the KV cache (16, or the block size of the trace)")
      .option("--blocks", choice.blocks, "N",
              "Number of blocks of the KV cache, instead of the engine's memory rule")
      .option("--utilization", choice.utilization, "SHARE",
              "Share of the GPU's memory that the engine takes (the engine's default)")
      .option("--kv-dtype", choice.kv_dtype, "FORMAT", "Number format of keys and values (bf16)")
      .option("--weights-dtype", choice.weights_dtype, "FORMAT",
              "Number format of the weights (the checkpoint's)")
      .option("--kv-cpu-gib", choice.kv_cpu_gib, "GIB",
              "CPU memory behind each engine that keeps blocks of earlier prompts (0)")
      .option("--kv-cpu-gbs", choice.kv_cpu_gbs, "GB/s",
              "Rate per GPU at which they come back (80 % of the GPU's link to its host)")
      .option("--kv-ssd-gib", choice.kv_ssd_gib, "GIB", "SSD behind that memory, for each engine (0)")
      .option("--kv-ssd-gbs", choice.kv_ssd_gbs, "GB/s", "Rate at which an engine reads the SSD")
      .flag("--no-prefix-caching", choice.no_prefix_caching, "Do not reuse the blocks of earlier prompts")
      .flag("--no-chunked-prefill", choice.no_chunked_prefill,
            "Compute each prompt in one step; a step must hold the longest request")
      .flag("--priorities", choice.priorities, "Serve requests with lower priority values in the trace first")
      .flag("--async-scheduling", choice.async_scheduling,
            "Schedule the next step while the current one computes")
      .option("--speculative", choice.speculative, "K,ACCEPTANCE",
              "Tokens proposed per step, and the probability that each is accepted")
      .option("--draft-model", choice.draft_model, "NAME",
              "Model that drafts (one layer of the target and its head, as MTP and EAGLE)")
      .option("--draft-share", choice.draft_share, "SHARE",
              "Time to draft a token over the time of a decode step, instead")
      .option("--disaggregate", choice.disaggregate, "xPyD",
              "Number of replicas that prefill and that decode: 2P3D")
      .option(
          "--prefill", choice.prefill, "NxLAYOUT",
          "Replicas that prefill, with a layout of their own: 4xtp2, 2xH200:tp8ep8 (parts: tp, pp, dp, ep)")
      .option("--decode", choice.decode, "NxLAYOUT", "Replicas that decode, written like --prefill")
      .option("--link", choice.link, "GB/s|NAME",
              "Link of each GPU between both: GB/s, network (a port of 400 Gbit/s), scale-up, host (50)")
      .option("--remote-prefill-from", choice.remote_prefill_from, "TOKENS",
              "Prefill shorter prompts on the replica that decodes them (0)")
      .option("--autoscale", choice.autoscale, "LEAST:MOST[:TARGET[:WARM-UP[:DELAY]]]",
              "Replicas by the share of sequences in use (0.7), SECONDS to start (60), to stop (300)")
      .option("--failures", choice.failures, "MTBF[:RECOVERY]",
              "Mean time between failures per replica, and its recovery time, in SECONDS; its requests "
              "start again")
      .option("--token-bucket", choice.admission, "RATE[:DEPTH]", "Admit this number of tokens per second")
      .option("--reject-ttft", choice.reject_ttft, "MS",
              "Reject a request whose predicted time to first token is beyond this")
      .option("--profile", choice.profile, "DIR", "Measured layers (LLMServingSim's profiles) as step times")
      .option("--tables", choice.tables, "DIR", "Measured kernel tables (aiconfigurator's) as kernel times")
      .option("--calibration", choice.calibration, "FILE", "Profile that `ridge plan calibrate` wrote")
      .flag("--any-calibration", choice.any_calibration,
            "Take --calibration although it was fitted to another model, GPU, layout or engine")
      .option("--price", choice.price, "USD", "Price per GPU-hour (the catalogue's lowest)")
      .option("--busy-watts", choice.busy_watts, "W", "Power per GPU while it computes")
      .option("--idle-watts", choice.idle_watts, "W", "Power per GPU while it waits");
  add_kernels_choice(command, choice.kernels);
  add_adapter_options(command, choice.adapters);
  command.option("--images", choice.images, "N", "Images of every request, beside the tokens of --input (0)")
      .option("--image-size", choice.image_size, "WxH", "Pixels of the images (1024x1024)");
}

result<replica_question> replica_question_of(const service_choice& c, const std::string& gpu) {
  auto model = decoder_of(c.model, "a serving simulation");
  if (!model) return model.why();
  if (gpu.empty()) return error{"no GPU is given", "give --gpu NAME; `ridge plan gpus` lists them"};
  const auto catalogue = catalogue_of(c.gpu);
  if (!catalogue) return catalogue.why();
  const auto accelerator = plan::accelerator_named(*catalogue, gpu);
  if (!accelerator) return accelerator.why();
  const auto engine = engine_of(c);
  if (!engine) return engine.why();
  replica_question q{.model = std::move(*model), .gpu = *accelerator};
  q.layout = {.tensor = c.tp, .pipeline = c.pp, .data = c.dp, .expert = c.ep};
  q.engine = c.engine;
  if (const auto good = take_draft(c, q.draft); !good) return good.why();
  q.weight_format = c.weights_dtype;
  q.kv_format = c.kv_dtype;
  q.constants = c.constants, q.efficiencies = c.efficiencies;
  if (q.efficiencies == nullptr) {
    const auto coefficients = coefficients_of(c.kernels, accelerator->name);
    if (!coefficients) return coefficients.why();
    q.efficiencies = *coefficients;
  }
  q.settings = *engine;
  q.tiers = tiers_of(c);
  q.adapters = adapters_of(c.adapters);
  if (const auto good = take_images(c, q.images); !good) return good.why();
  q.utilization = c.utilization;
  q.profile = c.profile;
  q.tables = c.tables;
  q.calibration = c.calibration;
  q.any_calibration = c.any_calibration;
  q.usd_per_gpu_hour = price_of(c, *catalogue, accelerator->name);
  q.busy_w = c.busy_watts, q.idle_w = c.idle_watts;
  return q;
}

result<plan::serve::replica_question> replica_of(const service_choice& c) {
  const auto asked = replica_question_of(c, c.gpu.name);
  if (!asked) return asked.why();
  return completed(*asked);
}

result<service> service_of(const service_choice& c, std::uint64_t seed) {
  if (c.replicas < 1)
    return error{fmt::format("--replicas {} is out of range", c.replicas), "give 1 or more"};
  const auto router = router_named(c.router);
  if (!router) return router.why();
  auto made = is_disaggregated(c) ? disaggregated_service(c) : service_of_one_pool(c);
  if (!made) return made;
  auto& cluster = made->cluster;
  cluster.router = {.kind = *router, .overlap_weight = c.overlap_weight, .seed = seed};
  cluster.seed = seed;
  if (!c.deadlines.empty()) {
    const auto limits = times_between_colons("--deadlines", c.deadlines, 1, 65535, millisecond_s,
                                             "write a time for each tenant: 500:2000 (ms), 500ms:2s");
    if (!limits) return limits.why();
    if (std::ranges::any_of(*limits, [](double s) { return !(s > 0); }))
      return error{fmt::format("--deadlines \"{}\" has a deadline of 0", c.deadlines), "give times above 0"};
    cluster.deadline_s = *limits;
  }
  for (const auto& p : c.pools) {
    if (const auto good = add_pool(*made, c, p); !good) return good.why();
  }
  if (const auto good = take_autoscaler(c.autoscale, cluster.autoscaler); !good) return good.why();
  if (const auto good = take_failures(c.failures, cluster.failures); !good) return good.why();
  if (const auto good = take_admission(c, cluster.admission); !good) return good.why();
  describe(*made, c);
  return made;
}

bool lacks_memory(const service_choice& c) {
  const auto lacks = [](const service_choice& one, const std::string& gpu) {
    const auto q = replica_question_of(one, gpu);
    return q && lacks_memory(*q);
  };
  if (is_disaggregated(c)) {
    const auto both = pools_of(c);
    return both &&
           (lacks(both->prefill, both->prefill.gpu.name) || lacks(both->decode, both->decode.gpu.name));
  }
  const auto of_pool = [&](const std::string& pool) { return lacks(c, pool.substr(0, pool.rfind('='))); };
  return lacks(c, c.gpu.name) || std::ranges::any_of(c.pools, of_pool);
}

}  // namespace ridge::app_plan

// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/replica_offers.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/inference_memory.hpp>

namespace ridge::plan {
namespace {

constexpr int server_gpus = 8;

replica_offer refused_offer(replica_offer o, binding binding_limit, std::string why) {
  o.refused_by = binding_limit;
  o.refused = std::move(why);
  return o;
}

inference_setup setup_of(const served_model& m, const accelerator& gpu, const parallel_layout& layout,
                         const replica_policy& p) {
  inference_setup s{.model = m.model, .layout = layout};
  s.weight_format = m.weight_format;
  s.kv_format = m.kv_format;
  s.max_batched_tokens = p.max_step_tokens;
  s.max_sequences = p.max_sequences;
  return with_engine_steps(std::move(s), gpu);
}

std::string lack_text(const inference_rank& rank, const inference_capacity& held, const accelerator& gpu) {
  return fmt::format("each GPU lacks {} before there is any cache: weights {} and {} beside them, of {}",
                     format_quantity(held.lacking_bytes, "B"), format_quantity(rank.weights_bytes(), "B"),
                     format_quantity(rank.fixed_bytes() - rank.weights_bytes(), "B"),
                     format_quantity(gpu.memory_bytes, "B"));
}

// The KV cache of a replica in tokens, or why there is none.
replica_offer with_cache(replica_offer o, const inference_setup& s, const accelerator& gpu,
                         double request_tokens) {
  const auto ranks = inference_memory(s);
  if (!ranks) return refused_offer(std::move(o), binding::memory, ranks.why().message);
  const auto longest = static_cast<std::int64_t>(std::ceil(request_tokens));
  const auto held = capacity_of(s, *ranks, gpu.memory_bytes, {.sequences = 1, .sequence_tokens = longest});
  if (!held) return refused_offer(std::move(o), binding::memory, held.why().message);
  if (held->lacking_bytes > 0)
    return refused_offer(std::move(o), binding::memory, lack_text(ranks.value()[held->stage], *held, gpu));
  // Windows and states take less than one row per token, so the tokens of whole requests are counted.
  o.kv_tokens = std::max(held->tokens, held->sequences * longest);
  return o;
}

}  // namespace

replica_offer replica_of(const served_model& m, const accelerator& gpu, int tensor, double usd_per_gpu_hour,
                         const replica_policy& p, double request_tokens, const step_timers& timers) {
  replica_offer o{.gpu = gpu.name, .gpus = tensor, .usd_per_gpu_hour = usd_per_gpu_hour};
  o.busy_power_w = usual_draw * gpu.power_w;
  o.idle_power_w = least_draw * gpu.power_w;
  parallel_layout layout;
  layout.tensor = tensor;
  if (const auto fits = check_layout(m.model, layout); !fits)
    return refused_offer(std::move(o), binding::layout, fits.why().message);
  const auto setup = setup_of(m, gpu, layout, p);
  o.max_sequences = static_cast<int>(setup.max_sequences);
  o.max_step_tokens = static_cast<int>(setup.max_batched_tokens);
  o = with_cache(std::move(o), setup, gpu, request_tokens);
  if (!o.refused.empty()) return o;
  if (gpu.peak_flop_per_s("bf16") <= 0)
    return refused_offer(std::move(o), binding::unknown, "the catalogue has no matrix peaks of it");
  if (tensor > 1 && gpu.scale_up_bytes_per_s <= 0)
    return refused_offer(std::move(o), binding::unknown, "the catalogue has no links of it");
  auto timer = timers(gpu, layout);
  if (!timer) return refused_offer(std::move(o), binding::unknown, timer.why().message);
  o.timer = std::move(timer).value();
  return o;
}

std::vector<int> tensor_degrees(const accelerator& gpu, int most) {
  const int domain = std::min(most, gpu.scale_up_size > 1 ? gpu.scale_up_size : server_gpus);
  std::vector<int> all;
  for (int degree = 1; degree <= domain; degree *= 2) all.push_back(degree);
  return all;
}

}  // namespace ridge::plan

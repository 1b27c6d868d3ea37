// SPDX-License-Identifier: Apache-2.0
#include "input/plan_parallelism_input.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/plan/topology.hpp>

namespace ridge::app_plan {
namespace {

using namespace plan::train;
using maybe = std::optional<error>;

result<std::vector<std::int64_t>> counts_of(const std::string& text, std::string_view option) {
  std::vector<std::int64_t> all;
  for (const auto part : split(text, ',')) {
    const auto word = trim(part);
    std::int64_t n = 0;
    const auto [end, bad] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (bad != std::errc{} || end != word.data() + word.size() || n < 0)
      return error{fmt::format("{} \"{}\": \"{}\" is not a number", option, text, word),
                   "give 8 or 8,64,512"};
    all.push_back(n);
  }
  return all;
}

maybe take_sharding(const parallelism_input& input, search_space& space) {
  if (input.zero.empty()) return {};
  const auto stages = counts_of(input.zero, "--zero");
  if (!stages) return stages.why();
  space.shard.clear();
  for (const auto s : *stages) {
    if (s > 3)
      return error{fmt::format("--zero {}: there is no stage {}", input.zero, s), "give stages from 0 to 3"};
    space.shard.push_back(static_cast<sharding>(s));
  }
  return {};
}

maybe take_recomputation(const parallelism_input& input, search_space& space) {
  if (input.recompute.empty()) return {};
  space.recompute.clear();
  for (const auto part : split(input.recompute, ',')) {
    const auto kinds = {recomputation::none, recomputation::selective, recomputation::full};
    const auto* at = std::ranges::find_if(kinds, [&](recomputation r) { return name_of(r) == trim(part); });
    if (at == kinds.end())
      return error{fmt::format("--recompute {}: \"{}\" is none", input.recompute, trim(part)),
                   "give none, selective, full or several"};
    space.recompute.push_back(*at);
  }
  return {};
}

maybe numbers_wrong(const parallelism_input& input) {
  if (input.node_size < 0 || input.max_tp < 0 || input.threads < 0 || input.top < 1)
    return error{"--node-size, --max-tp, --threads or --top is below what it may be",
                 "give whole numbers from 1"};
  if (!(input.port_gigabits_per_s > 0))
    return error{fmt::format("--port-gbps {}", input.port_gigabits_per_s),
                 "give gigabits per second above 0"};
  if (!(input.tokens >= 0) || !(input.power_usage >= 1))
    return error{"--tokens is below 0, or --pue below 1", "give tokens as 15e12, PUE as 1.2"};
  return {};
}

maybe take_links(const parallelism_input& input, parallelism_question& q) {
  auto links = result<plan::interconnect>(
      plan::usual_interconnect(q.gpu, plan::bytes_per_s_of_gigabits(input.port_gigabits_per_s)));
  if (!input.topology.empty())
    links = std::filesystem::exists(input.topology) ? plan::read_topology(input.topology)
                                                    : plan::topology_named(input.topology, q.gpu);
  if (!links) return links.why();
  q.links = *links;
  auto& inner = q.links.tiers.front();
  if (input.node_size > 0 && q.links.tiers.size() > 1) inner.size = input.node_size;
  constexpr std::int64_t widest = 1024;
  const bool domain = q.links.tiers.size() > 1 || !input.topology.empty();
  q.space.scale_up_size = domain ? static_cast<int>(std::clamp<std::int64_t>(inner.size, 1, widest)) : 1;
  return {};
}

maybe take_space(const parallelism_input& input, parallelism_question& q) {
  q.space.tensor_across_nodes = input.tensor_across_nodes;
  q.space.max_tensor = static_cast<int>(input.max_tp);
  if (input.sequence_parallel == "off") q.space.sequence_parallel = {false};
  if (input.sequence_parallel == "both") q.space.sequence_parallel = {true, false};
  if (input.schedule == "dualpipe") q.space.schedule = {pipeline_schedule::dual_pipe};
  if (input.schedule == "both") q.space.schedule.push_back(pipeline_schedule::dual_pipe);
  if (auto wrong = take_sharding(input, q.space)) return wrong;
  if (auto wrong = take_recomputation(input, q.space)) return wrong;
  if (input.fixed.empty()) return {};
  const auto space = fixed(q.space, input.fixed);
  if (!space) return error{"--fixed: " + space.why().message, space.why().remedy};
  q.space = *space;
  return {};
}

// Without --gpus, a completely fixed plan determines the number.
maybe take_gpus(const parallelism_input& input, parallelism_question& q) {
  const auto& s = q.space;
  const auto one = [](const std::vector<int>& axis) { return axis.empty() ? 1 : axis.front(); };
  if (input.gpus.empty()) {
    if (s.data.empty()) return error{"no number of GPUs is given", "give --gpus N, or N,N,... to compare"};
    q.gpus = {std::int64_t{one(s.tensor)} * one(s.pipeline) * one(s.context) * one(s.data)};
    return {};
  }
  const auto gpus = counts_of(input.gpus, "--gpus");
  if (!gpus) return gpus.why();
  q.gpus = *gpus;
  if (!s.data.empty()) q.space.min_used = 0;
  return {};
}

maybe take_price(const parallelism_input& input, parallelism_question& q) {
  if (input.price) {
    q.dollars_per_gpu_hour = *input.price;
    q.price_source = "as given";
    return *input.price >= 0 ? maybe{}
                             : error{fmt::format("--price {} is below nothing", *input.price), "give USD"};
  }
  const auto catalogue = catalogue_of(input.gpu);
  if (!catalogue) return catalogue.why();
  const auto prices = plan::prices_in(*catalogue);
  const auto* lowest = prices.lowest(q.gpu.name);
  if (lowest == nullptr) return {};
  q.dollars_per_gpu_hour = lowest->usd_per_hour;
  q.price_source = fmt::format("{}, {}", lowest->source, lowest->date);
  return {};
}

maybe take_states(const parallelism_input& input, parallelism_question& q) {
  const auto formats = formats_of(input.states);
  if (!formats) return formats.why();
  q.formats = *formats;
  q.memory.optimizer = optimizer_of(input.states);
  q.memory.recompute_up_projections = input.recompute_latent;
  return {};
}

maybe take_failures(const parallelism_input& input, parallelism_question& q) {
  q.failures = usual_reliability();
  if (input.mtbf_hours) q.failures.gpu_mtbf_s = *input.mtbf_hours * 3600;
  if (input.checkpoint_s) q.failures.checkpoint_s = *input.checkpoint_s;
  if (input.restart_s) q.failures.restart_s = *input.restart_s;
  if (q.failures.gpu_mtbf_s < 0 || q.failures.checkpoint_s < 0 || q.failures.restart_s < 0)
    return error{"--mtbf-hours, --checkpoint-s or --restart-s is below zero", "give hours and seconds"};
  return {};
}

void take_numbers(const parallelism_input& input, parallelism_question& q) {
  q.global_batch = input.global_batch;
  q.sequence = input.sequence;
  q.compute_types =
      input.dtype == "both" ? std::vector<std::string>{"bf16", "fp8"} : std::vector{input.dtype};
  q.objective = input.objective == "cost"     ? plan::train::objective::cost
                : input.objective == "memory" ? plan::train::objective::memory
                                              : plan::train::objective::time;
  q.top = static_cast<std::size_t>(input.top);
  q.threads = input.threads;
  q.tokens = input.tokens;
  q.power_usage = input.power_usage;
}

}  // namespace

result<parallelism_question> question_of(const parallelism_input& input) {
  const auto model = decoder_of(input.model, "the search over layouts");
  if (!model) return model.why();
  auto q = table_question_of(input);
  if (!q) return q;
  q->model = *model;
  for (const auto& take : {take_space, take_gpus}) {
    if (auto wrong = take(input, *q)) return *wrong;
  }
  return q;
}

result<parallelism_question> table_question_of(const parallelism_input& input) {
  if (auto wrong = numbers_wrong(input)) return *wrong;
  parallelism_question q;
  const auto gpu = gpu_of(input.gpu);
  if (!gpu) return gpu.why();
  q.gpu = *gpu;
  q.coefficients = training_coefficients_of(*gpu);
  take_numbers(input, q);
  for (const auto& take : {take_links, take_price, take_states, take_failures}) {
    if (auto wrong = take(input, q)) return *wrong;
  }
  return q;
}

}  // namespace ridge::app_plan

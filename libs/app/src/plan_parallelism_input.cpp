// SPDX-License-Identifier: Apache-2.0
#include "plan_parallelism_input.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/plan/topology.hpp>

namespace ridge::app {
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
      return error{fmt::format("{} \"{}\": \"{}\" is no number", option, text, word), "give 8 or 8,64,512"};
    all.push_back(n);
  }
  return all;
}

maybe take_sharding(const parallelism_input& in, search_space& space) {
  if (in.zero.empty()) return {};
  const auto stages = counts_of(in.zero, "--zero");
  if (!stages) return stages.why();
  space.shard.clear();
  for (const auto s : *stages) {
    if (s > 3)
      return error{fmt::format("--zero {}: there is no stage {}", in.zero, s), "give stages from 0 to 3"};
    space.shard.push_back(static_cast<sharding>(s));
  }
  return {};
}

maybe take_recomputation(const parallelism_input& in, search_space& space) {
  if (in.recompute.empty()) return {};
  space.recompute.clear();
  for (const auto part : split(in.recompute, ',')) {
    const auto kinds = {recomputation::none, recomputation::selective, recomputation::full};
    const auto* at = std::ranges::find_if(kinds, [&](recomputation r) { return name_of(r) == trim(part); });
    if (at == kinds.end())
      return error{fmt::format("--recompute {}: \"{}\" is none", in.recompute, trim(part)),
                   "give none, selective, full or several"};
    space.recompute.push_back(*at);
  }
  return {};
}

maybe take_links(const parallelism_input& in, parallelism_question& q) {
  auto links = result<plan::interconnect>(
      plan::usual_interconnect(q.gpu, plan::bytes_per_s_of_gigabits(in.port_gigabits_per_s)));
  if (!in.topology.empty())
    links = std::filesystem::exists(in.topology) ? plan::read_topology(in.topology)
                                                 : plan::topology_named(in.topology, q.gpu);
  if (!links) return links.why();
  q.links = *links;
  auto& inner = q.links.tiers.front();
  if (in.node_size > 0 && q.links.tiers.size() > 1) inner.size = in.node_size;
  constexpr std::int64_t widest = 1024;
  const bool domain = q.links.tiers.size() > 1 || !in.topology.empty();
  q.space.scale_up_size = domain ? static_cast<int>(std::clamp<std::int64_t>(inner.size, 1, widest)) : 1;
  return {};
}

maybe take_space(const parallelism_input& in, parallelism_question& q) {
  q.space.tensor_across_nodes = in.tensor_across_nodes;
  q.space.max_tensor = static_cast<int>(in.max_tp);
  if (in.sequence_parallel == "off") q.space.sequence_parallel = {false};
  if (in.sequence_parallel == "both") q.space.sequence_parallel = {true, false};
  if (auto wrong = take_sharding(in, q.space)) return wrong;
  if (auto wrong = take_recomputation(in, q.space)) return wrong;
  if (in.fixed.empty()) return {};
  const auto space = fixed(q.space, in.fixed);
  if (!space) return error{"--fixed: " + space.why().what, space.why().remedy};
  q.space = *space;
  return {};
}

// Without --gpus, a plan fixed in full says how many there are.
maybe take_gpus(const parallelism_input& in, parallelism_question& q) {
  const auto& s = q.space;
  const auto one = [](const std::vector<int>& axis) { return axis.empty() ? 1 : axis.front(); };
  if (in.gpus.empty()) {
    if (s.data.empty()) return error{"no number of GPUs is given", "give --gpus N, or N,N,... to compare"};
    q.gpus = {std::int64_t{one(s.tensor)} * one(s.pipeline) * one(s.context) * one(s.data)};
    return {};
  }
  const auto gpus = counts_of(in.gpus, "--gpus");
  if (!gpus) return gpus.why();
  q.gpus = *gpus;
  if (!s.data.empty()) q.space.min_used = 0;
  return {};
}

maybe take_price(const parallelism_input& in, parallelism_question& q) {
  if (in.price) {
    q.dollars_per_gpu_hour = *in.price;
    q.price_source = "as given";
    return *in.price >= 0 ? maybe{}
                          : error{fmt::format("--price {} is below nothing", *in.price), "give USD"};
  }
  const auto catalogue = catalogue_of(in.gpu);
  if (!catalogue) return catalogue.why();
  const auto prices = plan::prices_in(*catalogue);
  const auto* lowest = prices.lowest(q.gpu.name);
  if (lowest == nullptr) return {};
  q.dollars_per_gpu_hour = lowest->usd_per_hour;
  q.price_source = fmt::format("{}, {}", lowest->source, lowest->date);
  return {};
}

maybe take_failures(const parallelism_input& in, parallelism_question& q) {
  q.failures = usual_reliability();
  if (in.mtbf_hours) q.failures.gpu_mtbf_s = *in.mtbf_hours * 3600;
  if (in.checkpoint_s) q.failures.checkpoint_s = *in.checkpoint_s;
  if (in.restart_s) q.failures.restart_s = *in.restart_s;
  if (q.failures.gpu_mtbf_s < 0 || q.failures.checkpoint_s < 0 || q.failures.restart_s < 0)
    return error{"--mtbf-hours, --checkpoint-s or --restart-s is below zero", "give hours and seconds"};
  return {};
}

void take_numbers(const parallelism_input& in, parallelism_question& q) {
  q.global_batch = in.global_batch;
  q.sequence = in.sequence;
  q.compute_types = in.dtype == "both" ? std::vector<std::string>{"bf16", "fp8"} : std::vector{in.dtype};
  q.by = in.objective == "cost"     ? objective::cost
         : in.objective == "memory" ? objective::memory
                                    : objective::time;
  q.top = static_cast<std::size_t>(std::max<std::int64_t>(in.top, 1));
  q.threads = in.threads;
  q.tokens = in.tokens;
  q.power_usage = in.power_usage;
}

}  // namespace

void add_parallelism_input(command& to, parallelism_input& of) {
  add_model_choice(to, of.model);
  add_gpu_choice(to, of.gpu);
  to.option("--gpus", of.gpus, "N,N", "GPUs: one number, or several to compare; any from 1 to 1048576")
      .option("--global-batch", of.global_batch, "N", "Sequences a step (1 for 8 GPUs, at least 128)")
      .option("--sequence", of.sequence, "N", "Tokens of a sequence (what the model takes, at most 8192)")
      .choice("--dtype", of.dtype, {"bf16", "fp8", "both"}, "Type of matrix products (bf16)")
      .option("--topology", of.topology, "FILE",
              "Links as JSON, or dgx, nvl72, fat-tree, fat-tree:4, three-tier")
      .option("--node-size", of.node_size, "N", "GPUs on scale-up links (the GPU's own)")
      .option("--port-gbps", of.port_gigabits_per_s, "N", "Network port of a GPU, gigabits a second (400)")
      .option("--max-tp", of.max_tp, "N", "Most tensor ranks (those of a node)")
      .flag("--tp-across-nodes", of.tensor_across_nodes, "Tensor ranks may span nodes")
      .option("--zero", of.zero, "N,N", "Stages of ZeRO: 0 to 3 (all)")
      .option("--recompute", of.recompute, "KIND,KIND", "none, selective, full (all)")
      .choice("--sequence-parallel", of.sequence_parallel, {"on", "off", "both"}, "With tensor ranks (on)")
      .option("--fixed", of.fixed, "NAME=N,NAME=N",
              "Fix tp, pp, vp, cp, dp, ep, etp, mbs, zero, recompute, sp")
      .choice("--objective", of.objective, {"time", "cost", "memory"}, "What is best (time)")
      .option("--top", of.top, "N", "Plans to show (10)")
      .option("--threads", of.threads, "N", "Threads of the search (one a core); never changes the answer")
      .option("--tokens", of.tokens, "T", "Tokens of the whole run, as 15e12: time, cost, failures, energy")
      .option("--mtbf-hours", of.mtbf_hours, "H",
              "Hours between failures of one GPU (50677: Llama 3 405B); 0 never")
      .option("--checkpoint-s", of.checkpoint_s, "S", "Seconds that saving stops the job (15)")
      .option("--restart-s", of.restart_s, "S", "Seconds from a failure to computing (300)")
      .option("--price", of.price, "USD", "Of a GPU-hour (the catalogue's)")
      .option("--pue", of.power_usage, "X", "Power of the facility over that of GPUs (1)")
      .flag("--check-table", of.check_table, "Usual layouts by size of model, held against the best found");
}

result<parallelism_question> question_of(const parallelism_input& in) {
  const auto model = model_of(in.model);
  if (!model) return model.why();
  auto q = table_question_of(in);
  if (!q) return q;
  q->model = *model;
  for (const auto& take : {take_space, take_gpus}) {
    if (auto wrong = take(in, *q)) return *wrong;
  }
  return q;
}

result<parallelism_question> table_question_of(const parallelism_input& in) {
  parallelism_question q;
  const auto gpu = gpu_of(in.gpu);
  if (!gpu) return gpu.why();
  q.gpu = *gpu;
  q.coefficients = training_coefficients_of(*gpu);
  take_numbers(in, q);
  for (const auto& take : {take_links, take_price, take_failures}) {
    if (auto wrong = take(in, q)) return *wrong;
  }
  return q;
}

}  // namespace ridge::app

// SPDX-License-Identifier: Apache-2.0
#include "tier_plan.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/number_format.hpp>

namespace ridge::plan::serve {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024, gb = 1e9;

// Copies of whole blocks reach 50.1 of 63 GB/s over PCIe 5 x16 (results/intel-xeon-x16-nvidia-h200/peaks,
// 2026-11-21, cuda.h2d.pinned: 3.98 us + bytes / 50.1 GB/s). Other links were not measured.
constexpr double share_of_link = 50.1 / 63;

result<void> check(const tier_choice& t, const replica_question& q) {
  constexpr double most = 1e18;
  const std::array<std::pair<const char*, double>, 4> all{
      {{"--kv-cpu-gib", t.cpu_bytes / gib},
       {"--kv-cpu-gbs", t.cpu_bytes_per_s.value_or(0) / gb},
       {"--kv-ssd-gib", t.ssd_bytes / gib},
       {"--kv-ssd-gbs", t.ssd_bytes_per_s.value_or(0) / gb}}};
  for (const auto& [option, value] : all)
    if (!(value >= 0 && value * gib < most))
      return error{fmt::format("{} {} is out of range", option, value), "give 0 or more, less than 2^29"};
  if (t.ssd_bytes > 0 && !t.ssd_bytes_per_s)
    return error{"--kv-ssd-gib without --kv-ssd-gbs: how fast the SSD is read is not known",
                 "give the GB/s that it reads, as its data sheet or fio says"};
  if (t.cpu_bytes == 0 && t.ssd_bytes == 0)
    return t.cpu_bytes_per_s || t.ssd_bytes_per_s
               ? error{"the rate of a tier is given, but not its size", "give --kv-cpu-gib or --kv-ssd-gib"}
               : result<void>{};
  if (!t.cpu_bytes_per_s && q.gpu.host_bytes_per_s == 0)
    return error{fmt::format("the catalogue has no link from {} to its host", q.gpu.name),
                 "give --kv-cpu-gbs, per GPU"};
  if (!q.settings.prefix_caching)
    return error{"tiers of the KV cache keep blocks of earlier prompts, which this engine does not reuse",
                 "leave --no-prefix-caching and static batching"};
  return {};
}

// Bytes per token on all GPUs of one engine: where ranks keep copies, so do the tiers (vLLM's offloading
// connector copies the cache of each worker).
result<double> token_bytes(const replica_question& q) {
  const auto format = number_format_named(q.kv_format);
  if (!format) return format.why();
  auto layout = q.layout;
  layout.pipeline = layout.data = 1;
  return rates_of(kv_parts(q.model, *format, layout)).bytes_per_token * layout.tensor * layout.context;
}

void explain(replica_plan& plan, const char* name, const char* label, double bytes, const kv_tier& tier) {
  plan.derivation.push_back(
      {.id = fmt::format("kv_{}_blocks", name),
       .label = fmt::format("Blocks in {} behind each engine", label),
       .value = static_cast<double>(tier.blocks),
       .formula = "⌊bytes / (tokens a block · bytes a token on all ranks)⌋",
       .inputs = {{"bytes", format_quantity(bytes, "B")},
                  {"bytes a token", fmt::format("{}", plan.pool.engine.tier_bytes_per_token)}},
       .basis = basis::derived,
       .source = fmt::format("--kv-{}-gib", name)});
}

void explain_rate(replica_plan& plan, const replica_question& q, double gpus) {
  const bool given = q.tiers.cpu_bytes_per_s.has_value();
  plan.derivation.push_back(
      {.id = "kv_cpu_bytes_per_s",
       .label = "Link from the hosts of an engine to its GPUs",
       .value = plan.pool.engine.host.read_bytes_per_s,
       .unit = "B/s",
       .formula = given ? "GPUs · rate" : "GPUs · link · share that copies of blocks reach",
       .inputs = {{"GPUs", fmt::format("{}", gpus)},
                  {"link", format_quantity(q.gpu.host_bytes_per_s, "B/s")},
                  {"share", fmt::format("{:.3g}", share_of_link)}},
       .basis = given ? basis::given : basis::datasheet,
       .source = given ? "--kv-cpu-gbs" : q.gpu.source + "; the share was measured on an H200 (PCIe 5)"});
}

}  // namespace

double host_copy_rate(const accelerator& gpu) { return share_of_link * gpu.host_bytes_per_s; }

result<void> take_tiers(replica_plan& plan, const replica_question& q) {
  const auto& t = q.tiers;
  if (auto good = check(t, q); !good) return good;
  if (t.cpu_bytes == 0 && t.ssd_bytes == 0) return {};
  const auto bytes = token_bytes(q);
  if (!bytes) return bytes.why();
  if (!(*bytes > 0))
    return error{fmt::format("{} keeps no rows of keys and values, so tiers have no blocks", q.model.name),
                 "leave --kv-cpu-gib and --kv-ssd-gib"};
  auto& engine = plan.pool.engine;
  engine.tier_bytes_per_token = *bytes;
  const double block_bytes = *bytes * engine.block_size;
  const double gpus = plan.pool.gpus;
  engine.host = {.blocks = static_cast<std::uint64_t>(t.cpu_bytes / block_bytes),
                 .read_bytes_per_s = gpus * t.cpu_bytes_per_s.value_or(host_copy_rate(q.gpu))};
  engine.disk = {.blocks = static_cast<std::uint64_t>(t.ssd_bytes / block_bytes),
                 .read_bytes_per_s = t.ssd_bytes_per_s.value_or(0)};
  explain(plan, "cpu", "CPU memory", t.cpu_bytes, engine.host);
  explain_rate(plan, q, gpus);
  if (t.ssd_bytes > 0) explain(plan, "ssd", "the SSD", t.ssd_bytes, engine.disk);
  return {};
}

}  // namespace ridge::plan::serve

// SPDX-License-Identifier: Apache-2.0
#include "silicon_model.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/summary.hpp>

namespace ridge::plan_test {
namespace {

namespace kernels = plan::kernels;
using constants_choice = std::optional<kernels::engine_profile>;

constexpr std::int64_t requests_per_client = 10;
constexpr double shortest_of_random = 0.8;  // InferenceMAX draws lengths from 80 % to 100 % of the nominal

std::string catalogued(std::string name) {
  name = name.substr(name.rfind('/') + 1);
  if (name.ends_with("-FP8")) name.resize(name.size() - 4);
  return name;
}

std::string lengths(std::int64_t tokens, bool random) {
  if (!random) return std::to_string(tokens);
  const auto shortest = static_cast<std::int64_t>(shortest_of_random * static_cast<double>(tokens));
  return fmt::format("uniform:{}:{}", std::max<std::int64_t>(shortest, 1), tokens);
}

// Other host overheads for a pool whose kernel times stay.
void put_overheads(plan::serve::replica_pool& pool, const kernels::engine_overheads& overheads) {
  const auto& timer = dynamic_cast<const kernels::step_timer&>(*pool.timer);
  pool.timer = timer.with(overheads);
  pool.engine.front_end_s = overheads.front_end_s;
  pool.engine.request_s = overheads.request_s;
}

}  // namespace

app_plan::service_choice service_options(const silicon_row& row, const kernels::engine_profile& engine) {
  app_plan::service_choice c;
  c.model.name = catalogued(row.model);
  c.gpu.name = row.gpu;
  c.engine = row.engine;
  c.tp = row.tensor, c.ep = row.expert, c.dp = row.data;
  c.weights_dtype = row.format, c.kv_dtype = row.kv_format;
  c.max_batched_tokens = static_cast<int>(engine.max_batched_tokens);
  c.max_sequences = static_cast<int>(engine.max_sequences);
  c.kernels = "shipped";  // not what was measured on the machine that judges
  return c;
}

app_plan::workload_choice workload_options(const silicon_row& row) {
  app_plan::workload_choice w;
  w.concurrency = static_cast<int>(row.clients);
  w.requests = requests_per_client * row.clients;
  w.input = lengths(row.input_tokens, row.random_lengths);
  w.output = lengths(row.output_tokens, row.random_lengths);
  return w;
}

result<app_plan::service*> silicon_model::service_for(const silicon_row& row,
                                                      const constants_choice& constants) {
  auto key = fmt::format("{} {} {} {} {} {} {}", row.gpu, row.engine, row.model, row.format, row.data,
                         row.tensor, row.expert);
  if (constants)
    key += fmt::format(" {} {} {} {}", constants->scaling.flop, constants->scaling.bandwidth,
                       constants->max_batched_tokens, constants->max_sequences);
  auto at = services_.find(key);
  if (at == services_.end()) {
    const auto shipped = kernels::engine_named(row.engine);
    if (!shipped) return shipped.why();
    auto options = service_options(row, constants ? *constants : *shipped);
    options.tables = tables_.string();
    options.constants = constants;
    options.efficiencies = efficiencies_;
    constexpr int usual_block = 16;  // serve() takes it where no trace names another
    options.block_size = usual_block;
    auto made = app_plan::service_of(options, 0);
    if (!made) return made.why();
    at = services_.emplace(key, std::move(*made)).first;
  }
  if (constants) put_overheads(at->second.cluster.pools.front(), constants->overheads);
  return &at->second;
}

result<served_means> silicon_model::predict(const silicon_row& row, const constants_choice& constants) {
  const auto service = service_for(row, constants);
  if (!service) return service.why();
  const auto asked = app_plan::workload_of(workload_options(row), 0);
  if (!asked) return asked.why();
  const auto run = simulate_cluster((*service)->cluster, *asked);
  if (!run) return run.why();
  const auto summary = summarize(*asked, *run, {});
  return served_means{summary.ttft.mean_s, summary.tpot.mean_s};
}

}  // namespace ridge::plan_test

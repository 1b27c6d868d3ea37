// SPDX-License-Identifier: Apache-2.0
#include "silicon_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/kernels/tables.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan_test {
namespace {

namespace kernels = plan::kernels;

constexpr std::int64_t waves = 10;          // requests per client
constexpr double memory_share = 0.9;        // share that engines take
constexpr double other_bytes = 4e9;         // activations, graphs, libraries
constexpr double shortest_of_random = 0.8;  // InferenceMAX draws lengths from 80 % to 100 % of the nominal

std::string catalogued(std::string name) {
  name = name.substr(name.rfind('/') + 1);
  if (name.ends_with("-FP8")) name.resize(name.size() - 4);
  return name;
}

// Layers whose cache grows with the context; one head at least on every rank.
double cache_bytes_per_token(const plan::model_shape& m, int tensor, double element_bytes) {
  double bytes = 0;
  for (std::int64_t l = 0; l < m.layers(); ++l) {
    const auto& a = m.layer(l).attention;
    const auto heads_per_rank = (a.kv_heads + tensor - 1) / tensor;
    const auto heads = static_cast<double>(heads_per_rank);
    if (a.kind == plan::attention_kind::full)
      bytes += 2 * heads * static_cast<double>(a.head_dim) * element_bytes;
  }
  return bytes;
}

std::int64_t cache_tokens(const kernels::step_request& r) {
  const auto kv = plan::number_format_named(r.kv_format),
             weights = plan::number_format_named(r.weight_format);
  const auto count = plan::count_parameters(r.model);
  const double per_weight = weights ? weights->bytes_per_element : 2;
  const double held = static_cast<double>(count.total()) * per_weight / r.layout.tensor;
  const double room = r.gpu.memory_bytes * memory_share - other_bytes - held;
  const double a_token = cache_bytes_per_token(r.model, r.layout.tensor, kv ? kv->bytes_per_element : 2);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(room / a_token));
}

}  // namespace

result<kernels::step_request> silicon_model::request_of(const silicon_row& row,
                                                        const kernels::engine_profile& engine) {
  auto model = plan::model_named(catalogued(row.model));
  if (!model) return model.why();
  auto gpu = plan::accelerator_named(hardware::catalogue::embedded(), row.gpu);
  if (!gpu) return gpu.why();
  kernels::step_request r;
  r.model = std::move(*model), r.gpu = std::move(*gpu);
  r.layout.tensor = row.tensor, r.layout.expert = row.expert;
  r.weight_format = row.format, r.kv_format = row.kv_format;
  r.scaling = engine.scaling;
  r.max_batched_tokens = 16384, r.max_context = 16384, r.max_sequences = 512;
  return r;
}

result<std::shared_ptr<const kernels::kernel_times>> silicon_model::times_of(const silicon_row& row,
                                                                             const plan::accelerator& gpu) {
  auto& kept = times_[row.gpu + row.engine];
  if (kept) return kept;
  kept = kernels::analytic_times(gpu);
  if (tables_.empty()) return kept;
  auto measured = kernels::table_times({tables_, row.engine}, gpu, kept);
  if (!measured) return measured.why();
  kept = std::move(*measured);
  return kept;
}

result<const kernels::step_timer*> silicon_model::timer_of(const silicon_row& row,
                                                           const kernels::step_request& r) {
  auto& kept = timers_[fmt::format("{} {} {} {} {} {} {} {}", row.gpu, row.engine, row.model, row.format,
                                   row.tensor, row.expert, r.scaling.flop, r.scaling.bandwidth)];
  if (!kept) {
    const auto times = times_of(row, r.gpu);
    if (!times) return times.why();
    auto made = kernels::make_step_timer(r, **times);
    if (!made) return made.why();
    kept = std::move(*made);
  }
  return kept.get();
}

result<closed_loop_result> silicon_model::predict(const silicon_row& row,
                                                  const kernels::engine_profile& engine) {
  const auto request = request_of(row, engine);
  if (!request) return request.why();
  const auto timer = timer_of(row, *request);
  if (!timer) return timer.why();
  closed_loop c;
  c.clients = row.clients, c.input_tokens = row.input_tokens, c.output_tokens = row.output_tokens;
  c.requests = waves * row.clients;
  c.cache_tokens = cache_tokens(*request);
  c.shortest = row.random_lengths ? shortest_of_random : 1;
  return run(c, engine, *(*timer)->with(engine.overheads));
}

}  // namespace ridge::plan_test

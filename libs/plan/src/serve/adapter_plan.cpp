// SPDX-License-Identifier: Apache-2.0
#include "adapter_plan.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/kernels/adapter_cost.hpp>

#include "as_real.hpp"
#include "tier_plan.hpp"

namespace ridge::plan::serve {
namespace {

// Of one adapter on one GPU, which holds a stage's layers.
double bytes_on_a_gpu(const replica_question& q) {
  double bytes = 0;
  for (std::size_t kind = 0; kind < q.model.kinds.size(); ++kind)
    bytes += as_real(q.model.layers_of(kind)) *
             adapter_bytes(q.model.kinds[kind], q.model.hidden, q.adapters, q.layout.tensor);
  return bytes / q.layout.pipeline;
}

void explain(replica_plan& plan, const replica_question& q, double bytes) {
  const auto& a = plan.pool.engine.adapters;
  constexpr std::int64_t rows = 64;
  const auto add = [&](const char* id, std::string label, double value, const char* unit, const char* formula,
                       std::vector<input> inputs, std::string source) {
    plan.derivation.push_back({.id = id,
                               .label = std::move(label),
                               .value = value,
                               .unit = unit,
                               .formula = formula,
                               .inputs = std::move(inputs),
                               .basis = basis::derived,
                               .source = std::move(source)});
  };
  add("lora_bytes", "One adapter on one GPU", bytes, "B",
      "2 r Σ products (inputs + outputs), divided or whole", {{"r", fmt::format("{}", q.adapters.rank)}},
      "vLLM, config/lora.py: fully_sharded_loras is off");
  add("lora_load_ms", "To bring an adapter to its GPU", 1e3 * a.load_s, "ms",
      "bytes / link that copies reach", {{"link", format_quantity(host_copy_rate(q.gpu), "B/s")}},
      q.gpu.source);
  add("lora_step_ms", fmt::format("What {} sequences of as many adapters as fit add to a step", rows),
      1e3 * a.timer->seconds(rows, std::min(rows, q.adapters.on_gpu())), "ms",
      "Σ shrink and expand max(FLOP / rate, bytes / bandwidth) + floor",
      {{"adapters", fmt::format("{}", std::min(rows, q.adapters.on_gpu()))}},
      "rates and floors of the GPU's other kernels; no kernel of adapters was measured");
}

}  // namespace

result<void> take_adapters(replica_plan& plan, const replica_question& q, const kernels::step_request& step,
                           const kernels::kernel_times& times) {
  if (auto good = check_adapters(q.model, q.adapters); !good) return good;
  if (q.adapters.count == 0) return {};
  const double bytes = bytes_on_a_gpu(q), rate = host_copy_rate(q.gpu);
  if (q.adapters.on_gpu() < q.adapters.count && !(rate > 0))
    return error{fmt::format("the catalogue has no link from {} to its host, to load adapters", q.gpu.name),
                 "leave --lora-resident, so that all are in the GPU's memory"};
  plan.pool.engine.adapters = {.slots = static_cast<std::uint32_t>(q.adapters.on_gpu()),
                               .load_s = rate > 0 ? bytes / rate : 0,
                               .timer = kernels::make_adapter_timer(step, times, q.adapters)};
  explain(plan, q, bytes);
  return {};
}

}  // namespace ridge::plan::serve

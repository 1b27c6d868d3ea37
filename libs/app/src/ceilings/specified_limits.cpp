// SPDX-License-Identifier: Apache-2.0
#include "ceilings/specified_limits.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/hardware/specification.hpp>

#include "machine/gpu_survey.hpp"

namespace ridge::app {
namespace {

const hardware::gpu* first_gpu() {
  const auto survey = survey_gpus();
  if (!survey || survey->gpus.empty()) return nullptr;
  const auto& g = survey->gpus.front();
  return hardware::catalogue::embedded().find_gpu(
      {.name = g.name,
       .compute_capability = fmt::format("{}.{}", g.capability.major, g.capability.minor),
       .multiprocessors = g.capability.processors,
       .memory_bytes = g.capability.memory_bytes});
}

int sockets_of(const host::topology& machine) {
  int most = 0;
  for (const auto& core : machine.cores) most = std::max(most, core.package);
  return most + 1;
}

// Compares units. Operations on integers are counted as "op/s" here and as FLOP in the catalogue.
bool same_kind(std::string_view a, std::string_view b) {
  const auto kind = [](std::string_view unit) { return unit == "op/s" ? "FLOP/s" : unit; };
  return kind(a) == kind(b);
}

std::string words_of(std::string_view source) {
  const auto* found = hardware::catalogue::embedded().find_source(source);
  return found ? fmt::format("{} ({})", found->title, found->date) : std::string(source);
}

}  // namespace

specified_limits::specified_limits() : machine_(host::read_topology()), gpu_(first_gpu()) {
  const auto& cpu = machine_.cpu;
  processor_ =
      hardware::catalogue::embedded().find_processor(cpu.vendor, cpu.model, {cpu.family, cpu.model_number});
}

void specified_limits::add_to(model::ceiling& row) const {
  std::optional<hardware::specification> found;
  if (gpu_ && row.id.starts_with("cuda.")) found = hardware::specified(*gpu_, row.id);
  if (processor_ && row.id.starts_with("cpu."))
    found = hardware::specified(
        *processor_, row.id,
        {.cores = row.threads, .sockets = sockets_of(machine_), .clock_hz = row.clock_hz});
  if (!found || row.specified > 0 || !same_kind(found->unit, row.unit)) return;
  row.specified = found->value;
  row.specified_by = words_of(found->source);
}

}  // namespace ridge::app

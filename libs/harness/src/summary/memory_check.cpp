// SPDX-License-Identifier: Apache-2.0
#include "summary/memory_check.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::harness {
namespace {

// The process that times sees jumps of what is resident, in batches; and large workspaces there lie in pages
// of 2 MiB.
double clearly_more_than(double untimed) {
  constexpr double batches = 512 << 10, large = 2 << 20;
  return 1.25 * untimed + batches + (untimed >= large ? 2 * large : 0);
}

}  // namespace

double reported_memory(double untimed, double timed) {
  return timed > clearly_more_than(untimed) ? timed : untimed;
}

model::check memory_check(const pairing_result& r, const family_evidence& e) {
  model::check c{.id = "memory", .result = model::outcome::pass, .unit = "B"};
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto& seen = e.effects[arm];
    if (!seen.failed.empty())
      return {.id = "memory", .result = model::outcome::skipped, .evidence = seen.failed};
    const double timed = e.arms.memory_bytes(arm);
    const bool more = reported_memory(seen.memory_bytes, timed) > seen.memory_bytes;
    if (c.result == model::outcome::warn) continue;
    const auto& name = e.definition.variants[e.arms.arm(arm).variant].name;
    c.value = more ? timed : seen.memory_bytes;
    c.evidence =
        more ? fmt::format("{} takes {} where it is timed and {} elsewhere", name,
                           format_quantity(timed, "B"), format_quantity(seen.memory_bytes, "B"))
             : fmt::format("{} takes {} from its set-up on", name, format_quantity(seen.memory_bytes, "B"));
    if (more) c.result = model::outcome::warn;
  }
  return c;
}

}  // namespace ridge::harness

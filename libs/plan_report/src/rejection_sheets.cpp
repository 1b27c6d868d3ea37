// SPDX-License-Identifier: Apache-2.0
#include "rejection_sheets.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using report::unit;

std::string reason_of(rejection r, const parallelism_answer& a) {
  switch (r) {
    case rejection::memory:
      return fmt::format("plans that need more than {} per GPU", format_quantity(a.usable_bytes, "B"));
    case rejection::gpus:
      return "cuts (TP, PP, CP) that need more GPUs than there are";
    case rejection::batch:
      return fmt::format(
          "cuts whose data ranks and micro-batch do not divide {} sequences or leave GPUs idle",
          a.job.global_batch);
    case rejection::schedule:
      return "plans whose micro-batches are no multiple of the pipeline (interleaving), or odd or fewer than "
             "twice its "
             "stages (DualPipe)";
    case rejection::experts:
      return "plans whose expert ranks do not divide the GPUs per stage";
  }
  return "";
}

}  // namespace

report::sheet rejected_sheet(const parallelism_answer& a) {
  report::sheet s{
      .key = "rejected",
      .title = "Rejected",
      .fields = {{"reason", ""}, {"count", "count", unit::count}, {"what", "what"}, {"evaluated", ""}}};
  for (const auto r :
       {rejection::memory, rejection::gpus, rejection::batch, rejection::schedule, rejection::experts}) {
    const auto count = a.search.rejected[static_cast<std::size_t>(r)];
    if (count > 0)
      s.rows.push_back({.values = {std::string(name_of(r)), count, reason_of(r, a), r == rejection::memory}});
  }
  return s;
}

report::sheet limits_sheet(const parallelism_answer& a) {
  report::sheet s{.key = "limits",
                  .title = "What limits cost, the one that binds most first",
                  .fields = {{"limit", "limit"},
                             {"gain_pct", "gain without", unit::percent},
                             {"slack_pct", "slack", unit::percent},
                             {"what", ""},
                             {"step_s", "step", unit::seconds},
                             {"memory_bytes", "memory", unit::bytes},
                             {"plan", "best then"}}};
  for (const auto& r : a.limits) {
    report::row row{.values = {r.limit, r.gain * 100, r.slack * 100, r.description, r.best.scored.step_s,
                               r.best.scored.memory_bytes, r.best.scored.plan.text()}};
    if (a.plans.empty()) row.values[1] = row.values[2] = report::value();  // there is no plan to compare with
    s.rows.push_back(std::move(row));
  }
  return s;
}

}  // namespace ridge::plan_report

// SPDX-License-Identifier: Apache-2.0
#include "plan/family_frame.hpp"

#include <fmt/format.h>

#include <ridge/harness/code_text.hpp>
#include <ridge/harness/requirements.hpp>

#include "child/in_child.hpp"
#include "plan/affinity_plan.hpp"

namespace ridge::harness {

model::family frame_of(const planned_family& family, const instruments& equipment, const run_options& options,
                       std::vector<std::size_t>& variants) {
  const auto& d = *family.experiment;
  const auto w = d.work(family.problem);
  model::family f{.experiment = d.id,
                  .title = d.title,
                  .question = d.question,
                  .goal = d.informational ? model::goal::informational : goal_of(d.metrics.front()),
                  .backend = family.backend,
                  .problem = family.problem.point(),
                  .flop = w.flop,
                  .bytes_read = w.bytes_read,
                  .bytes_written = w.bytes_written,
                  .items = w.items,
                  .seed = options.protocol.seed};
  for (std::size_t v = 0; v < d.variants.size(); ++v) {
    const auto& facts = d.variants[v];
    if (!takes_part(facts, family.backend, options)) continue;
    model::measurement m{.variant = facts.name,
                         .role = facts.is,
                         .backend = facts.backend,
                         .idea = facts.idea,
                         .pedagogy = facts.pedagogy,
                         .skipped = unavailable_because(facts, equipment),
                         .flop = w.flop,
                         .bytes_moved = d.traffic(v, family.problem),
                         .items = w.items,
                         .compiled = compilation_of(facts.code)};
    if (m.skipped.empty()) m.threads = threads_of(facts, family.problem);
    f.measurements.push_back(std::move(m));
    variants.push_back(v);
  }
  return f;
}

model::family family_without_results(const planned_family& family, const std::string& why,
                                     model::failure_kind failure) {
  const auto whole = failure == model::failure_kind::out_of_memory
                         ? model::check{.id = "capacity", .result = model::outcome::skipped, .evidence = why}
                         : model::check{.id = "harness", .result = model::outcome::fail, .evidence = why};
  return {.experiment = family.experiment->id,
          .title = family.experiment->title,
          .question = family.experiment->question,
          .backend = family.backend,
          .problem = family.problem.point(),
          .checks = {whole},
          .skipped = why};
}

std::string experiment_key(const planned_family& family) {
  return fmt::format("{} {}", model::name(family.backend), family.experiment->id);
}

model::family family_without_results(const planned_family& family, const std::exception& thrown) {
  const auto end = thrown_end_of(thrown);
  return family_without_results(family, end.why, end.failure);
}

}  // namespace ridge::harness

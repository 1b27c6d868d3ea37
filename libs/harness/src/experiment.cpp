// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

namespace ridge {

std::vector<problem> experiment::problems() const {
  auto all = problems_of(definition_->axes);
  std::erase_if(all, [this](const problem& p) { return definition_->skips(p); });
  return all;
}

model::experiment_description experiment::description() const {
  const auto& d = *definition_;
  model::experiment_description made{
      .id = d.id,
      .title = d.title,
      .question = d.question,
      .goal = d.informational ? model::goal::informational : goal_of(d.metrics.front()),
      .tags = d.tags,
      .answers = d.answers};
  for (const auto& a : d.axes) made.axes.push_back({a.name, a.values});
  for (const auto& m : d.metrics) made.metrics.push_back(m.what);
  made.phases = d.phases;
  for (const auto& v : d.variants) {
    made.variants.push_back(
        {.name = v.name, .role = v.is, .backend = v.backend, .idea = v.idea, .pedagogy = v.pedagogy});
  }
  if (!d.has_cuda) made.missing_backends = "cuda: not in this build";
  return made;
}

}  // namespace ridge

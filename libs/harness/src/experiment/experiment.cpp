// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

namespace ridge {
namespace {

void check_list(const std::string& id, const std::vector<std::string>& names, std::size_t most,
                std::string_view list) {
  expects(names.size() <= most, fmt::format("{}: .{} lists more than {}", id, list, most));
  for (auto name = names.begin(); name != names.end(); ++name) {
    expects(!name->empty() && std::find(names.begin(), name, *name) == name,
            fmt::format("{}: .{} lists \"{}\" twice, or a handle without a name", id, list, *name));
  }
}

std::size_t place_of_handle(const std::string& id, const metric& m, const std::vector<std::string>& names,
                            std::string_view list) {
  const auto found = std::ranges::find(names, m.handle);
  expects(found != names.end(),
          fmt::format("{}: metric \"{}\" is read from \"{}\", and .{} lists {}", id, m.definition.name,
                      m.handle, list, names.empty() ? "none" : join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

void resolve_handles(experiment::definition& stated) {
  check_list(stated.id, stated.phases, call::max_phases, "phases");
  check_list(stated.id, stated.observed, call::max_observed, "observed");
  for (auto& m : stated.metrics) {
    if (m.reading == reading::phase_share) m.id = place_of_handle(stated.id, m, stated.phases, "phases");
    if (m.reading == reading::quantile) m.id = place_of_handle(stated.id, m, stated.observed, "observed");
  }
}

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
  for (const auto& m : d.metrics) made.metrics.push_back(m.definition);
  made.phases = d.phases;
  for (const auto& v : d.variants) {
    made.variants.push_back(
        {.name = v.name, .role = v.is, .backend = v.backend, .idea = v.idea, .pedagogy = v.pedagogy});
  }
  if (!d.has_cuda) made.missing_backends = "cuda: not in this build";
  return made;
}

}  // namespace ridge

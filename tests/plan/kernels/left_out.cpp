// SPDX-License-Identifier: Apache-2.0
#include "left_out.hpp"

#include <algorithm>

#include <ridge/base/read_file.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/accelerator.hpp>

namespace ridge::plan_test {

using plan::kernels::engine_profile;

std::string group_of(const silicon_row& row, left_out kind) {
  return kind == left_out::gpu ? "gpu " + row.gpu : "model " + service_options(row, {}).model.name;
}

plan::kernels::efficiency_catalogue efficiencies_without(const std::string& gpu) {
  auto all = plan::kernels::embedded_efficiencies();
  const auto name = plan::accelerator_named(hardware::catalogue::embedded(), gpu).value().name;
  std::erase_if(all.entries, [&](const auto& entry) { return entry.gpu == name; });
  return all;
}

silicon_model& left_out_model::model_for(const silicon_row& row) {
  const auto unknown = kind_ == left_out::gpu ? row.gpu : std::string{};
  const auto at = models_.find(unknown);
  if (at != models_.end()) return at->second;
  const plan::kernels::efficiency_catalogue* own = nullptr;
  if (kind_ == left_out::gpu)
    own = &efficiencies_.emplace(unknown, efficiencies_without(unknown)).first->second;
  return models_.emplace(unknown, silicon_model({}, own)).first->second;
}

result<served_means> left_out_model::predict(const silicon_row& row) {
  const auto group = group_of(row, kind_);
  const auto at = std::ranges::find_if(constants_, [&](const engine_profile& e) {
    return e.overheads.engine == row.engine && e.source == group;
  });
  if (at == constants_.end())
    return error{"no constants of " + row.engine + " were fitted without " + group,
                 "fit them: plan_fit_engines DATE left-out"};
  return model_for(row).predict(row, *at);
}

result<std::vector<engine_profile>> left_out_constants() {
  const std::string name = "engines_left_out.json";
  const auto text = read_file(std::filesystem::path(RIDGE_LEFT_OUT) / name);
  if (!text) return text.why();
  return plan::kernels::parse_engines(*text, name);
}

}  // namespace ridge::plan_test

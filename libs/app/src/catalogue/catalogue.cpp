// SPDX-License-Identifier: Apache-2.0
#include "catalogue/catalogue.hpp"

#include <algorithm>

#include <ridge/harness/runner.hpp>

namespace ridge::app {
namespace {

void unite(model::experiment_description& description, const model::experiment_description& more) {
  for (const auto& axis : more.axes) {
    const auto known = std::ranges::find(description.axes, axis.name, &model::axis_description::name);
    if (known == description.axes.end()) {
      description.axes.push_back(axis);
      continue;
    }
    for (const auto& value : axis.values) {
      if (std::ranges::count(known->values, value) == 0) known->values.push_back(value);
    }
  }
  for (const auto& variant : more.variants) {
    if (std::ranges::count(description.variants, variant.name, &model::variant_description::name) == 0)
      description.variants.push_back(variant);
  }
}

}  // namespace

std::vector<model::experiment_description> describe(const std::vector<experiment>& experiments) {
  std::vector<model::experiment_description> all;
  for (const auto& one : experiments) {
    auto described = one.description();
    const auto same = std::ranges::find(all, described.id, &model::experiment_description::id);
    if (same == all.end()) {
      all.push_back(std::move(described));
    } else {
      unite(*same, described);
    }
  }
  return all;
}

void mark_unavailable(std::vector<model::experiment_description>& described,
                      const std::vector<experiment>& experiments) {
  for (const auto& one : experiments) {
    const auto entry = std::ranges::find(described, one->id, &model::experiment_description::id);
    if (entry == described.end()) continue;
    for (const auto& facts : one->variants) {
      const auto named = std::ranges::find(entry->variants, facts.name, &model::variant_description::name);
      if (named != entry->variants.end()) named->unavailable = harness::unavailable_because(facts);
    }
  }
}

}  // namespace ridge::app

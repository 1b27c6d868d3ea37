// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/machine_tree.hpp>

#include <algorithm>

namespace ridge::model {

machine_node& machine_node::add(std::string name, std::string text) {
  if (!text.empty()) facts.emplace_back(std::move(name), fact_value{.text = std::move(text)});
  return *this;
}

machine_node& machine_node::add(std::string name, std::string text, double value, std::string unit) {
  facts.emplace_back(std::move(name), fact_value{std::move(text), value, std::move(unit)});
  return *this;
}

const machine_node* machine_node::find(const std::string& wanted) const {
  if (kind == wanted) return this;
  for (const auto& child : children) {
    if (const auto* found = child.find(wanted)) return found;
  }
  return nullptr;
}

const fact_value* machine_node::fact(const std::string& name) const {
  const auto at = std::ranges::find(facts, name, &std::pair<std::string, fact_value>::first);
  return at == facts.end() ? nullptr : &at->second;
}

}  // namespace ridge::model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridge::model {

// One known fact: as text for people and, where it is a number, as a value for programs.
struct fact_value {
  std::string text{};             // "64 GiB"
  std::optional<double> value{};  // 68719476736
  std::string unit{};             // of the value: "B", "B/s", "Hz", "1" ...; empty without one
  bool operator==(const fact_value&) const = default;
};

// A part of a machine, or the whole. `kind` says to programs what it is (libs/probe/include/ridge/probe/
// machine_tree.hpp lists the kinds); facts stand in print order, each name once. A node of kind "matrix" has
// rows as children, whose facts are its columns, the same in every row.
struct machine_node {
  std::string kind{};
  std::string name{};
  std::vector<std::pair<std::string, fact_value>> facts{};
  std::vector<machine_node> children{};
  bool operator==(const machine_node&) const = default;

  // Add a fact, unless its text is empty, and return this node, so that calls chain.
  machine_node& add(std::string name, std::string text);
  machine_node& add(std::string name, std::string text, double value, std::string unit);
  // Returns the first node of a kind, depth first, this node included; null when there is none.
  [[nodiscard]] const machine_node* find(const std::string& wanted) const;
  // Returns the fact of that name; null when there is none.
  [[nodiscard]] const fact_value* fact(const std::string& name) const;
};

}  // namespace ridge::model

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <string_view>

#include <ridge/stats/multiplicity.hpp>

namespace ridge::stats {
namespace {

// The arms that share one letter, ascending.
using column = std::vector<std::size_t>;

column without(column arms, std::size_t arm) {
  std::erase(arms, arm);
  return arms;
}

bool holds(const column& arms, std::size_t arm) { return std::ranges::binary_search(arms, arm); }

// Removes columns that lie inside another, since they add nothing; of equal ones the first stays.
std::vector<column> absorbed(const std::vector<column>& columns) {
  std::vector<column> kept;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool needed = true;
    for (std::size_t j = 0; j < columns.size() && needed; ++j) {
      const bool inside = i != j && std::ranges::includes(columns[j], columns[i]);
      needed = !(inside && (columns[i].size() < columns[j].size() || j < i));
    }
    if (needed) kept.push_back(columns[i]);
  }
  return kept;
}

std::vector<column> separated(const std::vector<column>& columns, std::size_t a, std::size_t b) {
  std::vector<column> split;
  for (const auto& arms : columns) {
    if (holds(arms, a) && holds(arms, b)) {
      split.push_back(without(arms, b));
      split.push_back(without(arms, a));
    } else {
      split.push_back(arms);
    }
  }
  return absorbed(split);
}

std::string letter(std::size_t index) {
  constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return alphabet[index % alphabet.size()] + std::string(index / alphabet.size(), '\'');
}

}  // namespace

std::vector<std::string> letters(std::size_t arms,
                                 const std::function<bool(std::size_t, std::size_t)>& differ) {
  column all(arms);
  for (std::size_t i = 0; i < arms; ++i) all[i] = i;
  std::vector<column> columns{all};
  for (std::size_t i = 0; i < arms; ++i) {
    for (std::size_t j = i + 1; j < arms; ++j) {
      if (differ(i, j)) columns = separated(columns, i, j);
    }
  }
  std::ranges::sort(columns);
  std::vector<std::string> display(arms);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const auto arm : columns[c]) display[arm] += letter(c);
  }
  return display;
}

}  // namespace ridge::stats

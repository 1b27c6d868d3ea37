// SPDX-License-Identifier: Apache-2.0
#include "layer_tables.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr double second_per_us = 1e-6;

}  // namespace

double measured_line::seconds(double position) const {
  if (points_.empty()) {
    return 0;
  }
  auto above = points_.lower_bound(position);
  if (above == points_.begin()) {
    return above->second;
  }
  if (above == points_.end()) {
    --above;
    if (above == points_.begin()) {
      return above->second;
    }
  }
  const auto below = std::prev(above);
  const auto share = (position - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

result<lines_by_layer> read_layer_lines(const std::filesystem::path& file, const std::string& count) {
  const auto table = table_file::read(file);
  if (!table) return table.why();
  const auto layers = table->texts("layer");
  if (!layers) return layers.why();
  const auto counts = table->numbers(count, 0, most_tokens);
  if (!counts) return counts.why();
  const auto times = table->numbers("time_us", 0, most_microseconds);
  if (!times) return times.why();
  lines_by_layer lines;
  for (std::size_t row = 0; row < layers->size(); ++row)
    lines[std::string{(*layers)[row]}].add((*counts)[row], (*times)[row] * second_per_us);
  for (const auto& [layer, line] : lines) {
    if (line.size() >= 2) continue;
    return error{fmt::format("{}: {}: 1 of at least 2 values was measured of layer \"{}\"", file.string(),
                             count, layer),
                 "time cannot be interpolated along it; measure more of them"};
  }
  if (lines.empty()) return error{file.string() + ": layer: no rows", "give a row for each layer and count"};
  return lines;
}

double expert_lines::seconds(double experts, double tokens) const {
  const auto above = by_experts.lower_bound(experts);
  if (above == by_experts.begin()) return above->second.seconds(tokens);
  if (above == by_experts.end()) return by_experts.rbegin()->second.seconds(tokens);
  const auto below = std::prev(above);
  const auto share = (experts - below->first) / (above->first - below->first);
  const auto low = below->second.seconds(tokens);
  return low + share * (above->second.seconds(tokens) - low);
}

result<expert_lines> read_expert_lines(const std::filesystem::path& file, int ranks) {
  const auto table = table_file::read(file);
  if (!table) return table.why();
  const auto tokens = table->numbers("tokens", 0, most_tokens);
  if (!tokens) return tokens.why();
  const auto experts = table->numbers("activated_experts", 0, most_tokens);
  if (!experts) return experts.why();
  const auto times = table->numbers("time_us", 0, most_microseconds);
  if (!times) return times.why();
  auto divided = table->has("ep") ? table->numbers("ep", 1, most_tokens)
                                  : result<std::vector<double>>(std::vector<double>(tokens->size(), 1));
  if (!divided) return divided.why();
  expert_lines lines{.ranks = std::ranges::find(*divided, ranks) != divided->end() ? ranks : 1};
  std::set<double> distinct;
  for (std::size_t row = 0; row < tokens->size(); ++row) {
    if ((*divided)[row] != lines.ranks) continue;
    lines.by_experts[(*experts)[row]].add((*tokens)[row], (*times)[row] * second_per_us);
    distinct.insert((*tokens)[row]);
  }
  for (const auto& [column, values] :
       {std::pair("activated_experts", lines.by_experts.size()), std::pair("tokens", distinct.size())}) {
    if (values >= 2) continue;
    return error{fmt::format("{}: {}: {} of at least 2 values were measured with ep {}", file.string(),
                             column, values, lines.ranks),
                 "time cannot be interpolated along it; measure more of them"};
  }
  return lines;
}

bracket bracket_of(const std::vector<double>& axis, double position) {
  if (axis.size() < 2 || position <= axis.front()) {
    return {};
  }
  const auto above = std::min(std::ranges::lower_bound(axis, position), axis.end() - 1);
  const auto below = above - 1;
  return {.below = static_cast<std::size_t>(below - axis.begin()),
          .above = static_cast<std::size_t>(above - axis.begin()),
          .share = (position - *below) / (*above - *below)};
}

}  // namespace ridge::plan::kernels

// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/flame_text.hpp>

#include <algorithm>
#include <charconv>

namespace ridge::trace {
namespace {

void append_name(std::string& output, std::string_view name) {
  for (const char c : name) output += c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c;
}

template <class Node>
void append_path(std::string& output, const std::vector<Node>& nodes, std::size_t node) {
  std::vector<std::size_t> path;
  for (auto at = node; at != 0; at = nodes[at].parent) path.push_back(at);
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    if (at != path.rbegin()) output += ';';
    append_name(output, nodes[*at].name);
  }
}

void add_line(flame_builder& builder, std::string_view line) {
  const auto space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return;
  std::int64_t weight = 0;
  const auto* const end = line.data() + line.size();
  const auto [stop, failed] = std::from_chars(line.data() + space + 1, end, weight);
  if (failed != std::errc() || stop != end) return;
  std::uint32_t node = 0;
  for (auto rest = line.substr(0, space);;) {
    const auto semicolon = rest.find(';');
    node = builder.child(node, rest.substr(0, semicolon));
    if (semicolon == std::string_view::npos) break;
    rest.remove_prefix(semicolon + 1);
  }
  builder.add(node, weight);
}

}  // namespace

std::string collapsed(const flame_tree& tree) {
  std::string text;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].self <= 0) continue;
    append_path(text, tree.nodes, i);
    text += ' ' + std::to_string(tree.nodes[i].self) + '\n';
  }
  return text;
}

std::string collapsed(const std::vector<flame_diff_node>& diff) {
  std::string text;
  for (std::size_t i = 1; i < diff.size(); ++i) {
    if (diff[i].self_before <= 0 && diff[i].self_after <= 0) continue;
    append_path(text, diff, i);
    text += ' ' + std::to_string(diff[i].self_before) + ' ' + std::to_string(diff[i].self_after) + '\n';
  }
  return text;
}

flame_tree flame_of_collapsed(std::string_view text) {
  flame_builder to;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(to, line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return std::move(to).finish();
}

}  // namespace ridge::trace

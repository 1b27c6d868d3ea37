// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/tree.hpp>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include <ridge/base/text.hpp>

#include "harmless.hpp"

namespace ridge::report {
namespace {

using model::machine_node;

constexpr std::size_t fact_gap = 2;
constexpr std::size_t widest_name = 30;  // longer names do not push their siblings' facts to the right

std::string blanks(std::size_t n) { return std::string(n, ' '); }

std::string one_line(std::string text) {
  text = harmless(std::move(text));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void put_line(std::string& out, std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  out += line + '\n';
}

// The text before a line: for the node itself, for the lines that continue it, and for its children.
struct rails {
  std::string here{};
  std::string continued{};
  std::string below{};
};

rails rails_of_child(const std::string& above, bool last, bool has_children) {
  const std::string below = above + (last ? "   " : "│  ");
  return {.here = above + (last ? "└─ " : "├─ "),
          .continued = below + (has_children ? "│  " : "   "),
          .below = below};
}

class tree_drawing {
 public:
  explicit tree_drawing(const layout& layout) : layout_(layout) {}

  void put(const machine_node& node, const rails& before, std::size_t name_width) {
    put_facts(node, before, name_width);
    if (node.kind == "matrix")
      put_matrix(node, before.below);
    else
      put_children(node, before.below);
  }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  void put_children(const machine_node& node, const std::string& above) {
    std::size_t width = 0;
    for (const auto& child : node.children) {
      const auto own = display_width(child.name);
      if (own <= widest_name && !child.facts.empty()) width = std::max(width, own);
    }
    for (const auto& child : node.children) {
      const bool last = &child == &node.children.back();
      put(child, rails_of_child(above, last, !child.children.empty()), width);
    }
  }

  // Writes the facts after the name; where they do not fit, they continue in the same column, but not right
  // of the middle.
  void put_facts(const machine_node& node, const rails& before, std::size_t name_width) {
    std::string line = indent() + dim(before.here) + paint(one_line(node.name), tone::strong, layout_.color);
    const auto start = display_width(before.here) + std::max(name_width, display_width(node.name)) + fact_gap;
    const auto on = std::max(display_width(before.continued), std::min(start, layout_.columns / 2));
    std::size_t at = display_width(before.here) + display_width(node.name);
    for (const auto& [what, fact] : node.facts) {
      const auto wide = display_width(what) + 1 + display_width(fact.text);
      const bool first = &what == &node.facts.front().first;
      auto from = first ? start : at + fact_gap;
      if (from + wide > room() && at > on) {
        put_line(out_, std::move(line));
        line = indent() + dim(before.continued);
        at = display_width(before.continued), from = on;
      }
      line += blanks(from - at);
      at = put_fact(line, what, fact.text, before, from);
    }
    put_line(out_, std::move(line));
  }

  // Breaks a fact that does not fit into a line of its own; returns the column after it.
  std::size_t put_fact(std::string& line, const std::string& name, const std::string& text,
                       const rails& before, std::size_t column) {
    const auto words =
        wrap(one_line(name + ' ' + text), std::max<std::size_t>(room() - std::min(room(), column), 20), 2);
    const auto parts = split(words, '\n');
    const auto whole = std::string(parts.front());
    line += dim(name) + whole.substr(std::min(whole.size(), name.size()));
    auto at = column + display_width(whole);
    for (const auto part : parts | std::views::drop(1)) {
      put_line(out_, std::move(line));
      line = indent() + dim(before.continued) + blanks(column - display_width(before.continued)) +
             std::string(part);
      at = column + display_width(part);
    }
    return at;
  }

  void put_matrix(const machine_node& node, const std::string& above) {
    if (node.children.empty()) return;
    const auto& first = node.children.front();
    std::vector<std::size_t> widths;
    std::size_t names = 0, all = 0;
    for (const auto& row : node.children) names = std::max(names, display_width(row.name));
    for (std::size_t c = 0; c < first.facts.size(); ++c) widths.push_back(column_width(node, c));
    for (const auto w : widths) all += w + fact_gap;
    const auto rail = display_width(above) + 3;
    const auto apart = rail + names + all > room() ? 1 : fact_gap;
    std::string header = indent() + dim(above + "│") + blanks(2 + names);
    for (std::size_t c = 0; c < widths.size(); ++c)
      header += blanks(apart) + dim(pad_right(first.facts[c].first, widths[c]));
    put_line(out_, std::move(header));
    for (const auto& row : node.children) {
      const bool last = &row == &node.children.back();
      std::string line = indent() + dim(above + (last ? "└─ " : "├─ ")) +
                         paint(pad_right(row.name, names), tone::strong, layout_.color);
      for (std::size_t c = 0; c < std::min(widths.size(), row.facts.size()); ++c)
        line += blanks(apart) + pad_right(row.facts[c].second.text, widths[c]);
      put_line(out_, std::move(line));
    }
  }

  static std::size_t column_width(const machine_node& node, std::size_t c) {
    auto width = display_width(node.children.front().facts[c].first);
    for (const auto& row : node.children) {
      if (c < row.facts.size()) width = std::max(width, display_width(row.facts[c].second.text));
    }
    return width;
  }

  [[nodiscard]] std::size_t room() const {
    return layout_.columns > layout_.indent ? layout_.columns - layout_.indent : 0;
  }
  [[nodiscard]] std::string indent() const { return blanks(layout_.indent); }
  [[nodiscard]] std::string dim(std::string_view text) const { return paint(text, tone::dim, layout_.color); }

  layout layout_;
  std::string out_{};
};

}  // namespace

std::string tree_text(const machine_node& machine, const layout& layout) {
  tree_drawing made(layout);
  made.put(machine, {.continued = machine.children.empty() ? "" : "│  "}, 0);
  return std::move(made).take();
}

}  // namespace ridge::report

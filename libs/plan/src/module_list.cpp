// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "config_quantization.hpp"

namespace ridge::plan {
namespace {

constexpr std::size_t most_patterns = 512;

// Checkpoints differ in what stands before the layers.
constexpr std::array<std::string_view, 7> roots{
    "",          "model.",      "model.language_model.", "language_model.model.", "language_model.",
    "backbone.", "transformer."};

constexpr std::string_view layers = "layers.";

std::string from_layers(const std::string& name) {
  const auto at = name.find(layers);
  return at != std::string::npos && (at == 0 || name[at - 1] == '.') ? name.substr(at) : name;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

// Whether a part between dots has digits beside wildcards: "layers.1*".
bool mixes_digits(std::string_view name) {
  for (std::size_t start = 0; start < name.size();) {
    const auto part = name.substr(start, name.find('.', start) - start);
    if (has_digit(part) && part.find_first_of("*?") != std::string_view::npos) return true;
    start += part.size() + 1;
  }
  return false;
}

// The numbers that stand between dots.
void add_numbers(const std::string& name, std::unordered_set<std::int64_t>& numbers) {
  constexpr std::size_t longest = 9;
  for (std::size_t start = 0; start < name.size();) {
    const auto end = std::min(name.find('.', start), name.size());
    const auto part = name.substr(start, end - start);
    if (!part.empty() && part.size() <= longest && std::ranges::all_of(part, is_digit))
      numbers.insert(std::stoll(part));
    start = end + 1;
  }
}

// Whether `accept` holds for the path or for one of the modules that contain it.
template <class Accept>
bool any_ancestor(std::string_view path, Accept accept) {
  for (auto end = path.size(); end != std::string_view::npos && end > 0; end = path.rfind('.', end - 1))
    if (accept(path.substr(0, end))) return true;
  return false;
}

}  // namespace

bool module_list::add(const std::string& name) {
  if (name.starts_with("re:")) return add_expression(name.substr(3));
  if (name.find('*') == std::string::npos) {
    add_numbers(name, numbers_);
    plain_.insert(from_layers(name));
    return true;
  }
  layered_ |= mixes_digits(name);
  add_numbers(name, numbers_);
  if (wildcards_.size() == most_patterns) return false;
  wildcards_.push_back(from_layers(name));
  return true;
}

bool module_list::add_expression(const std::string& text) {
  module_expression made(text);
  layered_ |= has_digit(text) || text.find("\\d") != std::string::npos || text.find('[') != std::string::npos;
  if (!made.understood() || expressions_.size() == most_patterns) return false;
  expressions_.push_back(std::move(made));
  return true;
}

bool module_list::names(const std::string& path) const {
  const bool plain = !plain_.empty() && any_ancestor(path, [&](std::string_view part) {
    for (std::size_t start = 0;; start = part.find('.', start) + 1) {
      if (plain_.contains(std::string(part.substr(start)))) return true;
      if (part.find('.', start) == std::string_view::npos) return false;
    }
  });
  return plain || matches_wildcards_of(path) || matches_expressions_of(path);
}

bool module_list::matches_wildcards_of(const std::string& path) const {
  return std::ranges::any_of(wildcards_, [&](const std::string& w) {
    if (--wildcard_checks_left_ < 0) return false;
    // What ends with anything and names a module's parent names the module.
    const auto fits = [&](const std::string& name) {
      if (w.ends_with('*')) return matches_wildcards(w, name);
      return any_ancestor(name, [&](std::string_view part) { return matches_wildcards(w, part); });
    };
    if (w.starts_with(layers)) return fits(path);
    if (w.starts_with('*')) return fits("model." + path);
    return std::ranges::any_of(roots, [&](std::string_view root) { return fits(std::string(root) + path); });
  });
}

bool module_list::matches_expressions_of(const std::string& path) const {
  return std::ranges::any_of(expressions_, [&](const module_expression& e) {
    // What begins with anything fits behind every root alike.
    if (e.begins_anywhere()) return e.matches("model." + path);
    return std::ranges::any_of(roots,
                               [&](std::string_view root) { return e.matches(std::string(root) + path); });
  });
}

bool module_list::exhausted() const {
  return wildcard_checks_left_ <= 0 || std::ranges::any_of(expressions_, &module_expression::exhausted);
}

bool weight_scheme::tells(std::int64_t index) const {
  return spared.tells(index) ||
         std::ranges::any_of(named, [&](const auto& one) { return one.first.tells(index); });
}

stored_format weight_scheme::of(std::span<const std::string> names, bool expert) const {
  const auto in = [&](const module_list& list) {
    return !list.empty() &&
           std::ranges::any_of(names, [&](const std::string& name) { return list.names(name); });
  };
  if (!quantized || in(spared)) return plain;
  for (const auto& [list, format] : named)
    if (in(list)) return format;
  return expert && experts ? *experts : usual;
}

}  // namespace ridge::plan

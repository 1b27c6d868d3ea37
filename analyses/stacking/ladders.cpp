// SPDX-License-Identifier: Apache-2.0
#include "ladders.hpp"

#include <algorithm>

#include <stacking_data.hpp>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

namespace ridge::analyses::stacking {
namespace {

std::string_view text_of_file(std::string_view name) {
  for (const auto& file : embedded::stacking_data()) {
    if (file.name == name) return file.text;
  }
  return {};
}

// Reads "ch08.scan cpu all_cores simd all_cores".
declared_variant variant_of(std::string_view line) {
  const auto words = split(line, ' ');
  expects(words.size() > 3, "ladders.txt: a line has an experiment, a backend, a variant and techniques");
  const auto backend = model::named<model::backend>(words[1]);
  expects(backend.has_value(), "ladders.txt: a backend that does not exist");
  declared_variant v{
      .experiment = std::string(words[0]), .backend = *backend, .variant = std::string(words[2])};
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "none") continue;
    expects(technique_called(words[i]) != nullptr, "ladders.txt: a technique that is not declared");
    v.techniques.emplace(words[i]);
  }
  return v;
}

}  // namespace

std::span<const declared_variant> declared_variants() {
  static const auto all = [] {
    std::vector<declared_variant> read;
    for (const auto line : split(text_of_file("ladders.txt"), '\n')) {
      if (!line.empty() && !line.starts_with('#')) read.push_back(variant_of(line));
    }
    return read;
  }();
  return all;
}

std::span<const analysis::technique> all_techniques() {
  static const auto all = [] {
    auto read = analysis::parse_techniques(text_of_file("techniques.json"), "techniques.json");
    expects(read.ok(), "techniques.json: the embedded file is sound");
    const auto others = analysis::known_techniques();
    read->insert(read->end(), others.begin(), others.end());
    return std::move(*read);
  }();
  return all;
}

const analysis::technique* technique_called(std::string_view id) {
  const auto all = all_techniques();
  const auto found = std::ranges::find(all, id, &analysis::technique::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace ridge::analyses::stacking

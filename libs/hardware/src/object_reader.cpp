// SPDX-License-Identifier: Apache-2.0
#include "object_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::hardware {
namespace {

std::string kind_of(const node& n) { return n.type_name(); }

}  // namespace

object_reader::object_reader(const node& object, std::string pointer)
    : object_(object), pointer_(std::move(pointer)) {
  if (!object.is_object())
    throw refused{pointer_, fmt::format("an object is expected here, not {}", kind_of(object))};
}

const node* object_reader::find(const std::string& name) {
  asked_.push_back(name);
  const auto at = object_.find(name);
  return at == object_.end() ? nullptr : &*at;
}

const node* object_reader::array(const std::string& name) {
  const auto* found = find(name);
  if (found && !found->is_array())
    throw refused{below(name), fmt::format("an array is expected here, not {}", kind_of(*found))};
  return found;
}

const node* object_reader::object(const std::string& name) {
  const auto* found = find(name);
  if (found && !found->is_object())
    throw refused{below(name), fmt::format("an object is expected here, not {}", kind_of(*found))};
  return found;
}

std::string object_reader::optional_text(const std::string& name) {
  const auto* found = find(name);
  if (!found) return "";
  if (!found->is_string())
    throw refused{below(name), fmt::format("a text is expected here, not {}", kind_of(*found))};
  return found->get<std::string>();
}

std::string object_reader::text(const std::string& name) {
  auto words = optional_text(name);
  if (words.empty()) throw refused{pointer_, fmt::format("\"{}\" is missing", name)};
  return words;
}

std::string object_reader::one_of(const std::string& name, const std::vector<std::string>& words) {
  auto word = text(name);
  if (std::ranges::find(words, word) == words.end())
    throw refused{below(name), fmt::format("\"{}\" is none of {}", word, join(words, ", "))};
  return word;
}

std::optional<double> object_reader::optional_number(const std::string& name) {
  const auto* found = find(name);
  if (!found) return std::nullopt;
  if (!found->is_number() || !std::isfinite(found->get<double>()) || found->get<double>() <= 0)
    throw refused{
        below(name),
        fmt::format("a number above 0 is expected here, not {}; leave out what is not known", found->dump())};
  return found->get<double>();
}

double object_reader::number(const std::string& name) {
  const auto value = optional_number(name);
  if (!value) throw refused{pointer_, fmt::format("\"{}\" is missing", name)};
  return *value;
}

int object_reader::count(const std::string& name) {
  const auto value = optional_number(name);
  if (value && (*value != std::floor(*value) || *value > 1e6))
    throw refused{below(name), fmt::format("a whole number is expected here, not {}", *value)};
  return static_cast<int>(value.value_or(0));
}

std::vector<std::string> object_reader::texts(const std::string& name) {
  std::vector<std::string> all;
  const auto* list = array(name);
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    if (!(*list)[i].is_string())
      throw refused{fmt::format("{}/{}", below(name), i), "a text is expected here"};
    all.push_back((*list)[i].get<std::string>());
  }
  return all;
}

void object_reader::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::ranges::find(asked_, key) != asked_.end()) continue;
    const auto near = nearest_name(key, asked_);
    throw refused{below(key), near ? fmt::format("no such field; did you mean \"{}\"?", *near)
                                   : fmt::format("no such field; these are: {}", join(asked_, ", "))};
  }
}

}  // namespace ridge::hardware

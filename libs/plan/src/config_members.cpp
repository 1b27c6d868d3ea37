// SPDX-License-Identifier: Apache-2.0
#include "config_members.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

using nlohmann::json;

const json& nothing() {
  static const json empty = json::object();
  return empty;
}

std::string joined(member_names names) {
  std::string text;
  for (const auto name : names) text += fmt::format("{}{}", text.empty() ? "" : " or ", name);
  return text;
}

// A whole number; 4096.0 is one.
std::optional<std::int64_t> exact(const json& value) {
  if (value.is_number_unsigned()) {
    const auto v = value.get<std::uint64_t>();
    return v <= static_cast<std::uint64_t>(largest_count) ? std::optional(static_cast<std::int64_t>(v))
                                                          : std::nullopt;
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto v = value.get<double>();
  constexpr auto most = static_cast<double>(largest_count);
  if (!(std::abs(v) <= most) || v != std::trunc(v)) return std::nullopt;
  return static_cast<std::int64_t>(v);
}

}  // namespace

std::string shown(const json& value) {
  auto text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  constexpr std::size_t most = 40;
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

void config_findings::refuse(const std::string& pointer, const std::string& why, const std::string& remedy) {
  if (!wrong)
    wrong = error{fmt::format("{}: {}{}{}", file, pointer, pointer.empty() ? "" : ": ", why), remedy};
}

void config_findings::doubt(std::string text) {
  constexpr std::size_t most = 50;
  if (doubts.size() < most && std::ranges::find(doubts, text) == doubts.end())
    doubts.push_back(std::move(text));
}

std::string config_members::pointer_of(std::string_view name) const {
  return fmt::format("{}/{}", pointer_, name);
}

std::string config_members::pointer(std::string_view name) const {
  auto place = pointer_of(name);
  const auto at = findings_->lifted.find(place);
  return at == findings_->lifted.end() ? place : at->second;
}

void config_members::refuse(std::string_view name, const std::string& why, const std::string& remedy) const {
  findings_->refuse(pointer(name), why, remedy);
}

const json* config_members::find(member_names names, std::string_view* found) const {
  const json* first = nullptr;
  for (const auto name : names) {
    const auto at = object_->find(name);
    if (at == object_->end() || at->is_null()) continue;
    findings_->used.insert(pointer_of(name));
    if (first == nullptr && found != nullptr) *found = name;
    if (first == nullptr) first = &*at;
  }
  return first;
}

std::optional<std::int64_t> config_members::whole(const json& value, const std::string& place,
                                                  std::int64_t least) const {
  const auto v = exact(value);
  if (v && *v >= least && *v <= largest_count) return v;
  findings_->refuse(place, fmt::format("{} is not a whole number from {} to 2^40", shown(value), least),
                    "give the number of the model's own config.json");
  return std::nullopt;
}

std::optional<std::int64_t> config_members::count(member_names names, std::int64_t least) const {
  std::string_view name;
  const auto* value = find(names, &name);
  if (value == nullptr) return std::nullopt;
  if (value->is_array() && value->size() == 1) return whole(value->front(), pointer(name) + "/0", least);
  return whole(*value, pointer(name), least);
}

std::int64_t config_members::count_or(member_names names, std::int64_t otherwise, std::int64_t least) const {
  return count(names, least).value_or(otherwise);
}

std::int64_t config_members::needed(member_names names, std::string_view meaning) const {
  if (find(names) == nullptr)
    findings_->refuse(
        "", fmt::format("{} ({}) is missing", joined(names), meaning),
        "is this a model's config.json? add the member, or name a model of `ridge plan models`");
  return count(names).value_or(1);
}

std::optional<std::int64_t> config_members::of_layer(member_names names, std::int64_t index,
                                                     std::int64_t least) const {
  std::string_view name;
  const auto* value = find(names, &name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array() || value->size() == 1) return count({name}, least);
  const auto at = static_cast<std::size_t>(index);
  if (at >= value->size()) {
    refuse(name, fmt::format("a list of {} for layer {}", value->size(), index), "list one number per layer");
    return std::nullopt;
  }
  return whole((*value)[at], fmt::format("{}/{}", pointer(name), index), least);
}

bool config_members::flag(member_names names, bool otherwise) const {
  std::string_view name;
  const auto* value = find(names, &name);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number()) return value->get<double>() != 0;
  if (value->is_string()) return true;
  refuse(name, fmt::format("{} is neither true nor false", shown(*value)), "write true or false");
  return otherwise;
}

std::string config_members::text(member_names names) const {
  const auto* value = find(names);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

double config_members::real(std::string_view name) const {
  const auto* value = find({name});
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

std::vector<unread_member> config_members::unread() const {
  std::vector<unread_member> all;
  for (const auto& [name, value] : object_->items()) {
    const bool whole = value.is_number_integer() && value.get<double>() > 1;
    const bool list = value.is_array() && !value.empty() && value.front().is_number_integer();
    const bool object = value.is_object() && !value.empty();
    if ((whole || list || object) && !findings_->used.contains(pointer_of(name)))
      all.push_back({name, object});
  }
  return all;
}

bool config_members::too_long(const json& list, std::string_view name) const {
  constexpr std::size_t longest = 8192;
  if (list.size() <= longest) return false;
  refuse(name, fmt::format("a list of {}", list.size()), "list one entry per layer");
  return true;
}

std::vector<std::int64_t> config_members::numbers(std::string_view name) const {
  const auto* value = find({name});
  std::vector<std::int64_t> all;
  if (value == nullptr || !value->is_array() || too_long(*value, name)) return all;
  for (std::size_t i = 0; i < value->size(); ++i)
    all.push_back(whole((*value)[i], fmt::format("{}/{}", pointer(name), i), 0).value_or(0));
  return all;
}

std::vector<std::string> config_members::words(std::string_view name) const {
  const auto* value = find({name});
  std::vector<std::string> all;
  if (value == nullptr || !value->is_array() || too_long(*value, name)) return all;
  for (std::size_t i = 0; i < value->size(); ++i) {
    const auto& one = (*value)[i];
    if (!one.is_string())
      findings_->refuse(fmt::format("{}/{}", pointer(name), i),
                        shown(one) + " is not a valid name of a layer's kind",
                        "list names: \"full_attention\", \"sliding_attention\", ...");
    all.push_back(one.is_string() ? one.get<std::string>() : "");
  }
  return all;
}

bool config_members::is_list(std::string_view name) const {
  const auto* value = find({name});
  return value != nullptr && value->is_array();
}

config_members config_members::inside(std::string_view name) const {
  const auto* value = find({name});
  return {value != nullptr && value->is_object() ? *value : nothing(), pointer(name), *findings_};
}

config_members config_members::element(std::string_view list, std::int64_t index) const {
  const auto* value = find({list});
  const auto at = static_cast<std::size_t>(index);
  const bool there = value != nullptr && value->is_array() && at < value->size() && (*value)[at].is_object();
  return {there ? (*value)[at] : nothing(), fmt::format("{}/{}", pointer(list), index), *findings_};
}

}  // namespace ridge::plan

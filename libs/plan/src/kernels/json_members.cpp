// SPDX-License-Identifier: Apache-2.0
#include "json_members.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "plan_data.hpp"

namespace ridge::plan::kernels {
namespace {

using nlohmann::json;

const json empty_object = json::object();

}  // namespace

json_members::json_members(const json& document, std::string name, std::string place)
    : object_(&document), name_(std::move(name)), place_(std::move(place)) {
  if (!document.is_object()) fail("", "is not an object");
}

void json_members::fail(const char* member, std::string_view fault) {
  if (wrong_) return;
  const std::string at = *member == '\0' ? place_ : place_ + "/" + member;
  wrong_ = error{fmt::format("{}: {}: {}", name_, at.empty() ? "/" : at, fault),
                 "correct the file, or leave it out"};
}

const json* json_members::find(const char* member) {
  if (wrong_ || !object_->is_object()) return nullptr;
  const auto at = object_->find(member);
  return at == object_->end() ? nullptr : &*at;
}

void json_members::number(const char* member, double& destination, double least, double most) {
  const auto* at = find(member);
  if (at == nullptr) return;
  if (!at->is_number()) return fail(member, at->dump().substr(0, 40) + " is not a number");
  const double value = at->get<double>();
  if (!(value >= least && value <= most))
    return fail(member, fmt::format("{:g} is not between {:g} and {:g}", value, least, most));
  destination = value;
}

void json_members::count(const char* member, std::int64_t& destination) {
  const auto* at = find(member);
  if (at == nullptr) return;
  const auto value = at->is_number_integer() ? at->get<std::int64_t>() : -1;
  if (value < 0) return fail(member, at->dump().substr(0, 40) + " is not a whole number from 0 on");
  destination = value;
}

void json_members::flag(const char* member, bool& destination) {
  const auto* at = find(member);
  if (at == nullptr) return;
  if (!at->is_boolean()) return fail(member, at->dump().substr(0, 40) + " is neither true nor false");
  destination = at->get<bool>();
}

void json_members::text(const char* member, std::string& destination, bool must) {
  const auto* at = find(member);
  if (at == nullptr && must) return fail(member, "is missing");
  if (at == nullptr) return;
  if (!at->is_string()) return fail(member, at->dump().substr(0, 40) + " is not text");
  destination = at->get<std::string>();
}

json_members json_members::object(const char* member) const {
  const auto at = object_->is_object() ? object_->find(member) : object_->end();
  const bool there = object_->is_object() && at != object_->end();
  return {there ? *at : empty_object, name_, place_ + "/" + member};
}

void json_members::take(const json_members& inner) {
  if (!wrong_) wrong_ = inner.wrong_;
}

result<json> parse_document(std::string_view text, std::string_view name, std::string_view schema) {
  json whole;
  try {
    whole = json::parse(text);
  } catch (const json::parse_error& bad) {
    return error{fmt::format("{}: no JSON at byte {}", name, bad.byte), "correct the file"};
  }
  const auto found = whole.is_object() && whole.contains("schema") && whole.at("schema").is_string()
                         ? whole.at("schema").get<std::string>()
                         : std::string{};
  if (found != schema)
    return error{fmt::format("{}: /schema: \"{}\" where \"{}\" is wanted", name, found, schema),
                 "give a file of that kind"};
  return whole;
}

std::string_view embedded_text(std::string_view file) {
  const auto files = embedded::plan_data();
  const auto at = std::ranges::find(files, file, &embedded::embedded_file::name);
  return at == files.end() ? std::string_view{} : at->text;
}

}  // namespace ridge::plan::kernels

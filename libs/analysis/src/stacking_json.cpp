// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/analysis/stacking.hpp>
#include <ridge/base/expects.hpp>

#include "analysis_data.hpp"

namespace ridge::analysis {
namespace {

using json = nlohmann::json;

// An error in a document, thrown while it is read.
class complaint final : public std::exception {
 public:
  complaint(std::string place, std::string fault) : text_(std::move(place) + ": " + std::move(fault)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

const json& member(const json& document, const std::string& place, const char* key) {
  if (!document.is_object() || !document.contains(key))
    throw complaint(place, fmt::format("\"{}\" is missing", key));
  return document.at(key);
}

std::string words(const json& document, const std::string& place, const char* key) {
  const auto& v = member(document, place, key);
  if (!v.is_string()) throw complaint(place + '/' + key, "is not text");
  return v.get<std::string>();
}

double number(const json& v, const std::string& place, double least, double most) {
  if (!v.is_number() || !std::isfinite(v.get<double>()) || v.get<double>() < least || v.get<double>() > most)
    throw complaint(place, fmt::format("{} is not a number from {:g} to {:g}", v.dump(), least, most));
  return v.get<double>();
}

std::vector<std::string> list(const json& document, const std::string& place, const char* key) {
  if (!document.contains(key)) return {};
  const auto& v = document.at(key);
  if (!v.is_array()) throw complaint(place + '/' + key, "is not a list");
  std::vector<std::string> all;
  for (const auto& one : v) {
    if (!one.is_string()) throw complaint(place + '/' + key, "holds something that is not text");
    all.push_back(one.get<std::string>());
  }
  return all;
}

json parsed(std::string_view text, std::string_view name) {
  auto whole = json::parse(text, nullptr, false);
  if (whole.is_discarded() || !whole.is_object()) throw complaint(std::string(name), "is not a JSON object");
  return whole;
}

const json& array_of(const json& whole, const char* key) {
  static const json none = json::array();
  if (!whole.contains(key)) return none;
  if (!whole.at(key).is_array()) throw complaint(fmt::format("/{}", key), "is not a list");
  return whole.at(key);
}

technique technique_of(const json& j, const std::string& place) {
  technique t{.id = words(j, place, "id"), .description = words(j, place, "what")};
  t.needs = list(j, place, "needs");
  t.provides = list(j, place, "provides");
  t.breaks = list(j, place, "breaks");
  t.phases = list(j, place, "phases");
  t.why = j.value("why", "");
  return t;
}

void check_known(const std::string& id, const std::string& place, std::span<const technique> known) {
  if (std::ranges::find(known, id, &technique::id) == known.end())
    throw complaint(place, fmt::format("\"{}\" is not a technique; `ridge plan stacking` lists them", id));
}

void check_phase(const std::string& phase, const std::string& place, const stacking_case& c) {
  if (!c.shares.contains(phase))
    throw complaint(place, fmt::format("\"{}\" is not a phase of \"shares\"", phase));
}

gain gain_of(const json& j, const std::string& place, const stacking_case& c,
             std::span<const technique> known) {
  gain g{.technique = words(j, place, "technique"), .phase = words(j, place, "phase")};
  check_known(g.technique, place + "/technique", known);
  check_phase(g.phase, place + "/phase", c);
  g.ratio = number(member(j, place, "ratio"), place + "/ratio", 1e-3, 1e6);
  g.band = {g.ratio, g.ratio};
  if (j.contains("lo")) g.band.lo = number(j.at("lo"), place + "/lo", 1e-3, g.ratio);
  if (j.contains("hi")) g.band.hi = number(j.at("hi"), place + "/hi", g.ratio, 1e6);
  if (j.contains("memory_bytes"))
    g.memory_bytes = number(j.at("memory_bytes"), place + "/memory_bytes", -1e18, 1e18);
  return g;
}

interaction interaction_of(const json& j, const std::string& place, const stacking_case& c,
                           std::span<const technique> known) {
  interaction i{.first = words(j, place, "first"),
                .second = words(j, place, "second"),
                .phase = words(j, place, "phase")};
  check_known(i.first, place + "/first", known);
  check_known(i.second, place + "/second", known);
  check_phase(i.phase, place + "/phase", c);
  i.ratio = number(member(j, place, "ratio"), place + "/ratio", 1e-3, 1e6);
  return i;
}

void read_shares(const json& whole, stacking_case& answer) {
  const auto& shares = member(whole, "/", "shares");
  if (!shares.is_object()) throw complaint("/shares", "is not an object");
  double sum = 0;
  for (const auto& [phase, v] : shares.items())
    sum += answer.shares[phase] = number(v, "/shares/" + phase, 0, 1);
  if (sum > 1 + 1e-9) throw complaint("/shares", fmt::format("sum to {:.4g}, above one", sum));
}

stacking_case case_of(const json& whole, std::span<const technique> known) {
  stacking_case c;
  read_shares(whole, c);
  c.holds = list(whole, "", "holds");
  const auto& gains = array_of(whole, "gains");
  for (std::size_t i = 0; i < gains.size(); ++i)
    c.gains.push_back(gain_of(gains[i], fmt::format("/gains/{}", i), c, known));
  const auto& pairs = array_of(whole, "measured");
  for (std::size_t i = 0; i < pairs.size(); ++i)
    c.measured.push_back(interaction_of(pairs[i], fmt::format("/measured/{}", i), c, known));
  return c;
}

std::string_view file_text() {
  for (const auto& file : embedded::analysis_data()) {
    if (file.name == "techniques.json") return file.text;
  }
  return {};
}

}  // namespace

result<std::vector<technique>> parse_techniques(std::string_view text, std::string_view name) {
  try {
    std::vector<technique> all;
    const auto whole = parsed(text, name);
    const auto& list_of = array_of(whole, "techniques");
    for (std::size_t i = 0; i < list_of.size(); ++i)
      all.push_back(technique_of(list_of[i], fmt::format("/techniques/{}", i)));
    return all;
  } catch (const complaint& why) {
    return error{fmt::format("{}: {}", name, why.text()),
                 "see libs/analysis/data/techniques.json for the form"};
  }
}

result<stacking_case> parse_stacking_case(std::string_view text, std::string_view name,
                                          std::span<const technique> known) {
  try {
    return case_of(parsed(text, name), known);
  } catch (const complaint& why) {
    return error{fmt::format("{}: {}", name, why.text()), "docs/guide/plan.md shows a whole file"};
  }
}

std::span<const technique> known_techniques() {
  static const auto all = [] {
    auto read = parse_techniques(file_text(), "techniques.json");
    expects(read.ok(), "known_techniques: the embedded file is sound");
    return std::move(*read);
  }();
  return all;
}

}  // namespace ridge::analysis

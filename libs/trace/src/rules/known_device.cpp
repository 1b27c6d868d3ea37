// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/known_device.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_makers_name(std::string_view part) {
  constexpr std::string_view makers[] = {"nvidia", "amd", "instinct", "tesla", "geforce", "graphics", "gpu"};
  return std::ranges::find(makers, part) != std::end(makers);
}

// The runs of letters and digits in lower case, without makers' names.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : lower_case(name)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      parts.back() += c;
    else if (!parts.back().empty())
      parts.emplace_back();
  }
  std::erase_if(parts, [](const std::string& p) { return p.empty() || is_makers_name(p); });
  return parts;
}

// The model's number is the first part with a digit: "h100", "4090".
std::string model_of(const std::vector<std::string>& parts) {
  const auto at =
      std::ranges::find_if(parts, [](const auto& part) { return std::ranges::any_of(part, is_digit); });
  return at == parts.end() ? std::string() : *at;
}

bool agrees(const known_device& d, const device_facts& facts) {
  constexpr double reserved = 0.1;  // what drivers and error correction take of the memory
  if (d.peaks.sms > 0 && facts.sms > 0 && d.peaks.sms != facts.sms) return false;
  if (d.memory_bytes <= 0 || facts.memory_bytes <= 0) return true;
  return std::abs(static_cast<double>(facts.memory_bytes) - d.memory_bytes) <= reserved * d.memory_bytes;
}

// How well a name fits: 0 not at all, 1 by the model's number, more by every part of the reported name.
std::size_t fit(const std::vector<std::string>& name, const std::string& reported) {
  if (reported.empty()) return 1;
  const auto parts = parts_of(reported);
  const bool whole =
      std::ranges::all_of(parts, [&](const auto& p) { return std::ranges::find(name, p) != name.end(); });
  if (whole && !parts.empty()) return 1 + parts.size();
  const auto model = model_of(parts);
  return !model.empty() && model == model_of(name) ? 1 : 0;
}

}  // namespace

const known_device* recognised(std::span<const known_device> all, const device_facts& facts) {
  const auto name = parts_of(facts.name);
  const known_device* best = nullptr;
  std::size_t best_fit = 0;
  for (const auto& d : all) {
    for (const auto& reported : d.reported) {
      const auto fits = fit(name, reported);
      const bool any = reported.empty();
      if (fits <= best_fit || (!any && !agrees(d, facts))) continue;
      best = &d;
      best_fit = fits;
    }
  }
  return best;
}

}  // namespace ridge::trace

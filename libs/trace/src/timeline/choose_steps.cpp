// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/choose_steps.hpp>

#include <algorithm>

namespace ridge::trace {
namespace {

bool is_number(std::string_view s) {
  return !s.empty() && std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t number_of(std::string_view s) { return s.size() > 18 ? -1 : std::stoll(std::string(s)); }

bool is_chosen(const step& s, std::string_view part, const step_windows& windows) {
  if (part == "all") return true;
  if (part == "first") return s.first;
  if (part == "last") return s.last;
  if (part == "steady") {
    const auto steady = windows.steady();
    return std::ranges::find(steady, s.window, &step::window) != steady.end();
  }
  const auto dash = part.find('-');
  const auto low = number_of(part.substr(0, dash));
  return s.number >= low &&
         s.number <= (dash == std::string_view::npos ? low : number_of(part.substr(dash + 1)));
}

bool understood(std::string_view part) {
  const auto dash = part.find('-');
  if (dash != std::string_view::npos)
    return is_number(part.substr(0, dash)) && is_number(part.substr(dash + 1));
  return part == "all" || part == "first" || part == "last" || part == "steady" || is_number(part);
}

std::string there_are(const step_windows& windows) {
  if (windows.steps.empty())
    return "the trace has no steps: record with profiler.step() or ranges named \"step N\"";
  return "the trace has steps " + std::to_string(windows.steps.front().number) + " to " +
         std::to_string(windows.steps.back().number) + "; say e.g. 2-5, last, steady or all";
}

}  // namespace

result<std::vector<step>> choose_steps(const step_windows& windows, std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  for (const auto part : parts) {
    if (!understood(part))
      return error{"steps \"" + std::string(text) + "\": not a list of steps", there_are(windows)};
  }
  std::vector<step> chosen;
  for (const auto& s : windows.steps) {
    if (std::ranges::any_of(parts, [&](std::string_view part) { return is_chosen(s, part, windows); }))
      chosen.push_back(s);
  }
  if (chosen.empty())
    return error{"steps \"" + std::string(text) + "\": none of them is there", there_are(windows)};
  return chosen;
}

}  // namespace ridge::trace

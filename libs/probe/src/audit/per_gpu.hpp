// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "audit/observation.hpp"

namespace ridge::probe {

// What one GPU shows; nothing where its driver does not tell.
struct gpu_seen {
  model::severity severity = model::severity::ok;
  std::string text{};
};

// Returns whether `a` is more severe than `b`: ok < info < warning < error.
[[nodiscard]] inline bool worse(model::severity a, model::severity b) {
  return static_cast<int>(a) > static_cast<int>(b);
}

// Looks at every GPU and returns the worst severity with the values of those GPUs that have it (once when
// they are equal). The result is unknown when no GPU tells, and nothing where no GPU was asked.
template <class Look>
[[nodiscard]] observed over_gpus(const system_view& system, std::string_view why, const advice& fix,
                                 Look look) {
  if (!system.gpus || system.gpus->gpus.empty()) return std::nullopt;
  auto worst = model::severity::ok;
  std::vector<std::pair<int, gpu_seen>> all;
  for (const auto& gpu : system.gpus->gpus) {
    if (std::optional<gpu_seen> seen = look(gpu)) all.emplace_back(gpu.index, std::move(*seen));
  }
  if (all.empty()) return unreadable("the driver does not tell", why);
  for (const auto& [index, seen] : all) worst = worse(seen.severity, worst) ? seen.severity : worst;
  std::vector<std::string> parts;
  const bool alike =
      std::ranges::all_of(all, [&](const auto& x) { return x.second.text == all.front().second.text; });
  for (const auto& [index, seen] : all) {
    if (seen.severity != worst) continue;
    if (alike && !parts.empty()) break;
    parts.push_back(alike ? seen.text : fmt::format("GPU {}: {}", index, seen.text));
  }
  return observation{worst, join(parts, "; "), std::string(why),
                     worst == model::severity::ok ? advice{} : fix};
}

}  // namespace ridge::probe

// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/profile.hpp>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::harness {

result<mode> mode_named(std::string_view text) {
  std::vector<std::string> names;
  for (const auto m : {mode::warm, mode::graph, mode::host_latency}) {
    if (name(m) == text) return m;
    names.emplace_back(name(m));
  }
  const auto near = nearest_name(text, names);
  return error{fmt::format("no mode is called \"{}\"", text),
               near ? fmt::format("did you mean \"{}\"?", *near)
                    : "the modes are warm, graph and latency; cold is always measured"};
}

result<profile> profile_named(std::string_view name) {
  if (name == "minimal") return profile{.name = "minimal", .budget_per_arm_s = 0.25, .every_problem = false};
  if (name == "standard") return profile{.modes = {mode::host_latency}};
  if (name == "deep") {
    return profile{.name = "deep",
                   .budget_per_arm_s = 5,
                   .forks = 5,
                   .counters = true,
                   .modes = {mode::warm, mode::graph, mode::host_latency}};
  }
  const std::vector<std::string> names{"minimal", "standard", "deep"};
  const auto near = nearest_name(name, names);
  return error{
      fmt::format("no profile is called \"{}\"", name),
      near ? fmt::format("did you mean \"{}\"?", *near) : "the profiles are minimal, standard and deep"};
}

}  // namespace ridge::harness

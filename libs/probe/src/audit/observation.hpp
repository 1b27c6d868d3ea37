// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ridge/model/names.hpp>
#include <ridge/probe/system_view.hpp>

namespace ridge::probe {

// What to do in each kind of place; empty where there is nothing to do.
struct advice {
  std::string bare_metal{};
  std::string container{};
  std::string kubernetes{};
};

// Returns the advice for a setting of the kernel, which containers share and cannot change.
[[nodiscard]] inline advice host_setting(const std::string& command) {
  return {command, "on the host, whose setting its containers share: " + command,
          "on the node, by its image or a privileged DaemonSet: " + command};
}

// Returns the same advice for every place.
[[nodiscard]] inline advice anywhere(const std::string& words) { return {words, words, words}; }

struct observation {
  model::severity severity = model::severity::ok;
  std::string seen{};
  std::string why{};
  advice fix{};
};

// What a check saw; nothing where the question has no meaning on this machine.
using observed = std::optional<observation>;

[[nodiscard]] inline observation fine(std::string seen, std::string_view why) {
  return {model::severity::ok, std::move(seen), std::string(why)};
}
[[nodiscard]] inline observation note(std::string seen, std::string_view why, advice fix = {}) {
  return {model::severity::info, std::move(seen), std::string(why), std::move(fix)};
}
[[nodiscard]] inline observation warning(std::string seen, std::string_view why, advice fix = {}) {
  return {model::severity::warning, std::move(seen), std::string(why), std::move(fix)};
}
[[nodiscard]] inline observation invalid(std::string seen, std::string_view why, advice fix = {}) {
  return {model::severity::error, std::move(seen), std::string(why), std::move(fix)};
}
[[nodiscard]] inline observation unreadable(std::string why_not, std::string_view why) {
  return {model::severity::unknown, std::move(why_not), std::string(why)};
}

// A check: "cpu.governor", "Frequency governor", and the function that makes it.
struct check {
  std::string_view id;
  std::string_view title;
  observed (*look)(const system_view&);
};

}  // namespace ridge::probe

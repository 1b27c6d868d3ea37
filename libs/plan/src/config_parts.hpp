// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "config_members.hpp"

namespace ridge::plan {

// The language model of a configuration: a copy of the members that describe it, and where the file has them.
struct language_part {
  nlohmann::json config{};
  std::string pointer{};
};

// Finds the language model of a model of several parts, lifts out what some architectures nest (DBRX, MPT),
// and adds the defaults of transformers for members that are left out.
[[nodiscard]] language_part language_part_of(const nlohmann::json& whole, config_findings& findings);

// Whether the head is the embedding where the configuration does not say.
[[nodiscard]] bool ties_by_default(const std::string& type);

}  // namespace ridge::plan

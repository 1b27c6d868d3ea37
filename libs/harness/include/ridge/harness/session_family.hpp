// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// How an arm of a session is shown.
struct arm_name {
  std::string name{};
  std::string idea{};
  std::string line{};  // command line of a program
};

// Returns pairings of arm 0 with every other arm.
[[nodiscard]] std::vector<pairing> against_first(std::size_t arms);

// Returns a session whose arms are not variants (programs, builds) as a family; its first arm is the
// baseline.
[[nodiscard]] model::family family_of(const session_record& session, const std::vector<arm_name>& arms,
                                      const std::vector<model::metric>& metrics);

}  // namespace ridge::harness

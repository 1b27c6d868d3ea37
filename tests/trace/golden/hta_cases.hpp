// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace::golden {

// What HTA printed for a trace, and the trace by rank.
struct hta_case {
  std::string name{};  // name of the golden file, without suffix
  nlohmann::json printed{};
  std::vector<trace> ranks{};
  hta_options options{};
};

// Returns the names of the golden files whose traces are known.
[[nodiscard]] std::vector<std::string> hta_case_names();

// Returns a case; it has no ranks where its files are missing.
[[nodiscard]] hta_case hta_case_of(const std::string& name);

}  // namespace ridge::trace::golden
